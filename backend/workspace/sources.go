package workspace

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/store"
	"assay/backend/text"
)

// importSources brings every file of a place into the store that is not there yet or has changed since. A file that is gone
// but was imported before stays usable, and one that cannot be imported is a problem of its own. Only where the person named the files
// and none of them can be imported is there nothing to open.
func (w *Workspace) importSources(ctx context.Context, p place) error {
	var first error
	for _, path := range p.sources {
		err := w.importChanged(ctx, path)
		switch {
		case err == nil:
		case goesOn(ctx, err):
			first = cmp.Or(first, err)
			problem := faultProblem(ofSource, filepath.Base(path), err)
			for _, s := range w.store.Sources() {
				if s.Path == path {
					problem.Source = s.ID
				}
			}
			w.problems.add(ofSource, problem)
		default:
			return err
		}
	}
	if p.named && len(w.store.Sources()) == 0 {
		return first
	}
	return nil
}

func (w *Workspace) importChanged(ctx context.Context, path string) error {
	fresh, err := w.store.Fresh(path)
	if fresh || err != nil && errors.Is(err, os.ErrNotExist) && w.knows(path) {
		return nil
	}
	_, err = w.store.Import(ctx, store.ImportRequest{Path: path, Progress: w.opts.Progress})
	return err
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
// canceled. Who replaces a source has to see all of it.
func (w *Workspace) Import(ctx context.Context, r store.ImportRequest) (source *store.Source, err error) {
	var failed error
	err = w.ImportAll(ctx, []store.ImportRequest{r}, func(_ int, s *store.Source, err error) bool {
		source, failed = s, err
		return true
	})
	if failed != nil {
		return nil, failed
	}
	return source, err
}

// ImportAll loads files one after the other, as Import does, and makes the model once of all that came in. Of each is heard what became
// of it, with the place of its request; false leaves out those that follow. Questions are answered meanwhile, over what is there.
func (w *Workspace) ImportAll(ctx context.Context, requests []store.ImportRequest, heard func(i int, source *store.Source, err error) bool) error {
	came := false
	for i, r := range requests {
		source, err := w.take(ctx, r)
		came = came || err == nil
		if !heard(i, source, err) {
			break
		}
	}
	if !came {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reload(context.WithoutCancel(ctx)) // it is in now: the model follows, whoever went away meanwhile
}

func (w *Workspace) take(ctx context.Context, r store.ImportRequest) (*store.Source, error) {
	if r.Replace != "" {
		if _, err := w.ownSource(r.Replace); err != nil {
			return nil, err
		}
	}
	return w.store.Import(ctx, r)
}

// Preview looks at a file that somebody has just given; see store.Preview.
func (w *Workspace) Preview(ctx context.Context, path string, reading store.Reading) (*store.Preview, error) {
	return w.store.Preview(ctx, path, reading)
}

// PreviewSource looks at the file of a source again. Cells of columns that are personal are left empty, and so are rejected
// lines of a table that has one. Faults: those of store.Preview, NotFound and Unauthorized as of Remove.
func (w *Workspace) PreviewSource(ctx context.Context, id string, reading store.Reading) (*store.Preview, error) {
	source, err := w.ownSource(id)
	if err != nil {
		return nil, err
	}
	p, err := w.store.Preview(ctx, source.Path, reading)
	if err != nil {
		return nil, err
	}
	w.withhold(p, &source)
	return p, nil
}

// withhold leaves out what a look at the file of a source must not show where the source has a personal column: rejected
// lines, and all columns but those that are known not to be personal. A file that is cut another way has columns that nobody knows.
func (w *Workspace) withhold(p *store.Preview, source *store.Source) {
	m := w.Knowledge().Model
	free, some := map[string]bool{}, false
	for _, t := range source.Tables {
		for _, c := range t.Columns {
			personal := w.personal(m, t.Name, c.Name) != ""
			some = some || personal
			free[strings.ToLower(c.Name)] = !personal
		}
	}
	if !some {
		return
	}
	if source.Reading != nil {
		for _, c := range source.Reading.Columns {
			if c.Name != "" {
				free[strings.ToLower(c.Column)] = free[strings.ToLower(c.Name)]
			}
		}
	}
	for i := range p.Tables {
		t := &p.Tables[i]
		for j := range t.Columns {
			c := &t.Columns[j]
			shown, known := free[strings.ToLower(c.Original)]
			if shown {
				continue
			}
			if !known { // it may be a line of data that was taken for the header
				c.Name, c.Original = text.Say("workspace.hidden_column", "n", j+1), ""
			}
			for _, row := range t.Rows {
				row[j] = nil
			}
		}
		for j := range t.Lines {
			t.Lines[j].Raw, t.Lines[j].Reason = "", ""
		}
	}
}

// Refresh imports the file of a source again, read as it was, or another way when reading is not nil. Faults: those of
// Import, NotFound and Unauthorized as of Remove.
func (w *Workspace) Refresh(ctx context.Context, id string, reading *store.Reading, progress func(store.Progress)) (*store.Source, error) {
	source, err := w.ownSource(id)
	if err != nil {
		return nil, err
	}
	r := store.ImportRequest{Path: source.Path, Replace: id, Progress: progress}
	switch {
	case reading != nil:
		r.Reading = *reading
	case source.Reading != nil:
		r.Reading = *source.Reading
	}
	return w.Import(ctx, r)
}

// Remove takes a source and its tables away. Restore brings it back while the workspace is open. Faults: those of store.Remove, NotFound
// when somebody sees none of it, Unauthorized when they see a part.
func (w *Workspace) Remove(ctx context.Context, id string) error {
	return w.change(ctx, id, func() error { return w.store.Remove(ctx, id) })
}

// Restore brings back a source that was removed. Faults: those of store.Restore.
func (w *Workspace) Restore(ctx context.Context, id string) (*store.Source, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	source, err := w.store.Restore(ctx, id)
	if err != nil {
		return nil, err
	}
	return source, w.reload(context.WithoutCancel(ctx))
}

// Rename gives a source another name for people. Faults: those of store.Rename, NotFound and Unauthorized as of Remove.
func (w *Workspace) Rename(ctx context.Context, id, name string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.ownSource(id); err != nil {
		return err
	}
	return w.store.Rename(ctx, id, name)
}

// change changes the sources and makes the model anew.
func (w *Workspace) change(ctx context.Context, id string, do func() error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.ownSource(id); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return w.reload(context.WithoutCancel(ctx))
}

// ownSource gives a source of which the person who runs this process may see every table.
func (w *Workspace) ownSource(id string) (store.Source, error) {
	for _, seen := range w.Sources() {
		if seen.ID != id {
			continue
		}
		for _, whole := range w.store.Sources() {
			if whole.ID == id && len(whole.Tables) > len(seen.Tables) {
				return seen, fault.New(fault.Unauthorized, "change source", text.Say("workspace.source_partly", "name", seen.Name), text.Say("workspace.source_partly_hint"))
			}
		}
		return seen, nil
	}
	return store.Source{}, fault.New(fault.NotFound, "change source", text.Say("store.no_source", "id", id), text.Say("store.no_source_hint"))
}

// SourceState is a source with how its file is now.
type SourceState struct {
	store.Source
	State    store.State
	Declared bool // workspace.yaml or the command line names the file: it is there again after the next start
}

// SourceStates lists what has been imported, as far as the person who runs this process may see it, with how the files are now.
func (w *Workspace) SourceStates(ctx context.Context) ([]SourceState, error) {
	var all []SourceState
	for _, s := range w.Sources() {
		state, err := w.store.StateOf(ctx, s.ID)
		if fault.CodeOf(err) == fault.NotFound {
			continue // removed a moment ago
		}
		if err != nil {
			return nil, err
		}
		all = append(all, SourceState{Source: s, State: state, Declared: slices.Contains(w.declared, s.Path)})
	}
	return all, nil
}

// RequireData fails with a sentence when there is nothing to ask about.
func (w *Workspace) RequireData() error {
	if len(w.store.Sources()) > 0 {
		return nil
	}
	return fault.New(fault.NotFound, "open workspace", text.Say("workspace.no_data", "name", w.name), text.Say("workspace.no_data_hint"))
}
