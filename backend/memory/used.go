package memory

import (
	"context"

	"assay/backend/analyst"
)

// Used gives the ids of what answers of an actor in a session were read with: what that person taught or prefers, and what was agreed. Nobody else's answers are looked at; of a session that is not there it
// gives nothing.
func (m *Memory) Used(ctx context.Context, actor, sessionID string) ([]string, error) {
	return m.texts(ctx, `SELECT DISTINCT json_extract(u.value, '$.id') FROM request r JOIN session s ON s.id = r.session, json_each(r.answer, '$.remembered') u
		WHERE r.session = ? AND r.actor = ? AND s.deleted IS NULL AND r.elsewhere IS NULL AND r.outcome = '`+string(analyst.OutcomeAnswer)+`' ORDER BY 1`, sessionID, actor)
}
