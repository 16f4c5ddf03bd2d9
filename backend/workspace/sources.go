package workspace

import (
	"context"
	"errors"
	"os"

	"assay/backend/fault"
	"assay/backend/store"
	"assay/backend/text"
)

// importSources brings every named file into the store that is not there yet or has changed since. A file that is gone
// but was imported before stays usable.
func (w *Workspace) importSources(ctx context.Context, paths []string) error {
	for _, path := range paths {
		fresh, err := w.store.Fresh(path)
		if fresh {
			continue
		}
		if err != nil && errors.Is(err, os.ErrNotExist) && w.knows(path) {
			continue
		}
		if _, err := w.store.Import(ctx, store.ImportRequest{Path: path, Progress: w.opts.Progress}); err != nil {
			return err
		}
	}
	return nil
}

func (w *Workspace) knows(path string) bool {
	for _, s := range w.store.Sources() {
		if s.Path == path {
			return true
		}
	}
	return false
}

// Import loads one file and makes the model that answers questions about it. Nothing is left behind when it fails or is
// canceled.
func (w *Workspace) Import(ctx context.Context, r store.ImportRequest) (*store.Source, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	source, err := w.store.Import(ctx, r)
	if err != nil {
		return nil, err
	}
	return source, w.reload(ctx)
}

// Remove forgets a source and its tables.
func (w *Workspace) Remove(ctx context.Context, id string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.store.Remove(ctx, id); err != nil {
		return err
	}
	return w.reload(ctx)
}

// RequireData fails with a sentence when there is nothing to ask about.
func (w *Workspace) RequireData() error {
	if len(w.store.Sources()) > 0 {
		return nil
	}
	return fault.New(fault.NotFound, "open workspace", text.Say("workspace.no_data", "name", w.name), text.Say("workspace.no_data_hint"))
}
