package memory

import (
	"context"
	"database/sql"

	"assay/backend/session"
)

// Outline gives the turns of a session in their order without what came of them: request, index, place, whether it is the one that stands in its place
// among those that do not run any more, and since when it is cleared away. Nothing else of them is set. A session that is not there has none.
func (m *Memory) Outline(ctx context.Context, sessionID string) ([]session.Turn, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT r.id, r.turn, coalesce(r.place, r.turn), r.outcome, r.outcome <> '' AND NOT EXISTS (SELECT 1 FROM request o WHERE o.session = r.session
			AND coalesce(o.place, o.turn) = coalesce(r.place, r.turn) AND o.outcome <> '' AND (o.chosen, o.turn) > (r.chosen, r.turn)), r.archived
		FROM request r JOIN session ON session.id = r.session WHERE r.session = ? AND session.deleted IS NULL ORDER BY r.turn`, sessionID)
	if err != nil {
		return nil, m.classify("read session", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	var turns []session.Turn
	for rows.Next() {
		var t session.Turn
		var archived sql.NullString
		if err := rows.Scan(&t.RequestID, &t.Index, &t.Place, &t.Outcome, &t.Chosen, &archived); err != nil {
			return nil, m.classify("read session", err)
		}
		if t.Archived, err = momentOrNil(archived); err != nil {
			return nil, m.classify("read session", err)
		}
		turns = append(turns, t)
	}
	return turns, m.classify("read session", rows.Err())
}
