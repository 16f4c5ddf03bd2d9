package workspace

import (
	"context"

	"assay/backend/memory"
)

// Fork begins a session that goes on from a turn or an artifact of another one, which stays as it is. Faults: those of memory.Fork.
func (w *Workspace) Fork(ctx context.Context, sessionID string, at memory.ForkAt) (memory.Forked, error) {
	return w.memory.Fork(ctx, sessionID, at, newID(), newID)
}
