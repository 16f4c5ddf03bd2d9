package memory

import (
	"context"
	"database/sql"
	"errors"

	"assay/backend/fault"
	"assay/backend/text"
)

// ArtifactOf gives the request that an artifact came of. Fault NotFound: there is no such artifact, or its session was deleted.
func (m *Memory) ArtifactOf(ctx context.Context, id string) (requestID string, err error) {
	err = m.read.QueryRowContext(ctx, `SELECT a.request FROM artifact a JOIN request r ON r.id = a.request JOIN session s ON s.id = r.session WHERE a.id = ? AND s.deleted IS NULL`, id).Scan(&requestID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", fault.New(fault.NotFound, "read artifact", text.Say("memory.no_artifact", "artifact", id), text.Say("memory.no_artifact_hint"))
	}
	return requestID, m.classify("read artifact", err)
}
