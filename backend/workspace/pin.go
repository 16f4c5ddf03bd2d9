package workspace

import (
	"context"
	"encoding/json"
	"slices"

	"assay/backend/session"
)

// PinAnswer puts an answer before the others of its session, or back among them, however it is looked at. Faults: NotFound, Conflict (it has no answer).
func (w *Workspace) PinAnswer(ctx context.Context, requestID string, pinned bool) error {
	_, turn, err := w.memory.Find(ctx, requestID)
	if err != nil {
		return err
	}
	view := session.View{Show: "chart"}
	if at := slices.IndexFunc(turn.Artifacts, func(a session.Artifact) bool { return a.Kind == session.KindView }); at >= 0 {
		if err := json.Unmarshal(turn.Artifacts[at].Body, &view); err != nil {
			return err
		}
	}
	view.Pinned = pinned
	return w.SaveView(ctx, requestID, view)
}
