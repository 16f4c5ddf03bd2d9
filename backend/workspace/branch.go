package workspace

import "context"

// Branch begins a session that goes on from a turn of another one, counted from 1, and gives its name. The other one stays as it is. Faults: those of
// memory.Branch.
func (w *Workspace) Branch(ctx context.Context, sessionID string, turn int) (string, error) {
	to := newID()
	_, err := w.memory.Branch(ctx, sessionID, turn, to, newID)
	return to, err
}
