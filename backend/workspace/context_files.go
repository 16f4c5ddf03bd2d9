package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/text"
)

// ContextFile is one file of the context layer.
type ContextFile struct {
	Path string `json:"path"` // relative to the workspace's folder, with slashes
	Text string `json:"text"`
	Hash string `json:"hash"` // of what is on disk; empty: there is no such file
}

// ContextEdit is what a file is to say from now on. Base is the hash of what its author saw, empty: a new file.
type ContextEdit struct {
	Path string `json:"path" maxLength:"500"`
	Text string `json:"text" maxLength:"2000000"`
	Base string `json:"base" maxLength:"100"`
}

// ContextCheck is what edits would do.
type ContextCheck struct {
	Problems []semantic.Problem
	Changes  []semantic.Change // of the model; nothing while there are errors
}

// MayWriteModel says whether the person who runs this process may change context files.
func (w *Workspace) MayWriteModel() bool {
	me, err := w.Identify("", rules.Caller{})
	return err == nil && w.Rules().MayWriteModel(me)
}

// ContextFile reads a file of the context layer. Whoever may not see everything reads none: a file names whatever its author knows.
// Faults: Unauthorized, Invalid (no place for such a file), Unavailable.
func (w *Workspace) ContextFile(name string) (ContextFile, error) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return ContextFile{}, err
	}
	if !w.Rules().Whitelist(me).Everything() {
		return ContextFile{}, fault.New(fault.Unauthorized, "read context file", text.Say("workspace.model_unseen"), text.Say("workspace.model_readonly_hint"))
	}
	return w.contextFile(name)
}

func (w *Workspace) contextFile(name string) (ContextFile, error) {
	place, err := w.contextPlace(name)
	if err != nil {
		return ContextFile{}, err
	}
	raw, err := os.ReadFile(place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ContextFile{Path: name}, nil
	case err != nil:
		return ContextFile{}, fault.Wrap(fault.Unavailable, "read context file", text.Say("semantic.file_unreadable", "file", name), text.Say("semantic.file_unreadable_hint"), err)
	}
	return ContextFile{Path: name, Text: string(raw), Hash: digest(raw)}, nil
}

// contextPlace gives where a file of the context layer stands. Nothing else is read or written here, and nothing through a link.
func (w *Workspace) contextPlace(name string) (string, error) {
	inside, folder := strings.CutPrefix(name, semantic.ContextFolder+"/")
	ext := path.Ext(name)
	known := name == semantic.WorkspaceFileName || name == semantic.MemoFileName ||
		folder && inside != "" && !strings.HasPrefix(path.Base(name), ".") && slices.Contains([]string{".yaml", ".yml", ".md"}, ext)
	if !known || !fs.ValidPath(name) || strings.ContainsAny(name, "\\:\x00") || strings.Count(name, "/") > 2 {
		return "", fault.New(fault.Invalid, "context file", text.Say("workspace.no_context_file", "file", name), text.Say("workspace.no_context_file_hint"))
	}
	at := w.dir
	for _, part := range strings.Split(name, "/") {
		at = filepath.Join(at, part)
		if info, err := os.Lstat(at); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return "", fault.New(fault.Invalid, "context file", text.Say("workspace.context_link", "file", name), text.Say("workspace.no_context_file_hint"))
		}
	}
	return at, nil
}

// CheckContext says what is wrong with edits, file by file, and how the model would change. Nothing is written.
// Faults: Unauthorized, Invalid (no place for such a file), and those of the store.
func (w *Workspace) CheckContext(ctx context.Context, edits []ContextEdit) (ContextCheck, error) {
	if err := w.mayWrite(); err != nil {
		return ContextCheck{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.checkContext(ctx, edits)
}

func (w *Workspace) mayWrite() error {
	if w.MayWriteModel() {
		return nil
	}
	return fault.New(fault.Unauthorized, "edit model", text.Say("workspace.model_readonly"), text.Say("workspace.model_readonly_hint"))
}

// checkContext must be called with w.mu held.
func (w *Workspace) checkContext(ctx context.Context, edits []ContextEdit) (check ContextCheck, err error) {
	files := map[string][]byte{}
	for _, e := range edits {
		if _, err := w.contextPlace(e.Path); err != nil {
			return check, err
		}
		files[e.Path] = []byte(e.Text)
	}
	declared, err := semantic.Load(overlay{os.DirFS(w.dir), files})
	var after *semantic.Model
	if err == nil {
		after, err = w.completed(ctx, declared)
	}
	var wrong semantic.Problems
	switch {
	case errors.As(err, &wrong):
		check.Problems = wrong
		return check, nil
	case err != nil && fault.CodeOf(err) == fault.Invalid:
		check.Problems = []semantic.Problem{{Severity: semantic.SeverityError, Message: asFault(err).Message, Hint: asFault(err).Hint}}
		return check, nil
	case err != nil:
		return check, err
	}
	for _, p := range semantic.Check(after) {
		if _, own := files[p.Pos.File]; own {
			check.Problems = append(check.Problems, p)
		}
	}
	before, err := semantic.Load(os.DirFS(w.dir)) // as it was written: what was measured since is no change
	if err == nil {
		before, err = w.completed(ctx, before)
	}
	if err != nil {
		before = w.whole().Model
	}
	check.Changes = semantic.Diff(before, after)
	return check, ctx.Err()
}

// SaveContext writes edits, all or none, and takes the model over that they make. Each file is replaced at once. What words mean to everybody is edited so by who works alone, and by
// nobody else; the log says that nobody reviewed it.
//
// Faults: Unauthorized, Conflict (a file is not as its author saw it; nothing is written), Invalid (with file and line), Unavailable.
func (w *Workspace) SaveContext(ctx context.Context, edits []ContextEdit) error {
	if err := w.mayWrite(); err != nil {
		return err
	}
	who, err := w.Identify("", rules.Caller{})
	if err != nil {
		return err
	}
	if slices.ContainsFunc(edits, func(e ContextEdit) bool { return strings.HasPrefix(e.Path, semantic.ContextFolder+"/terms/") }) {
		alone, err := w.reviewing.board.Alone(ctx, who.ID)
		if err != nil {
			return err
		}
		if !alone {
			return fault.New(fault.Unauthorized, "save model", text.Say("workspace.not_alone"), text.Say("workspace.terms_reviewed_hint"))
		}
		if file := w.claimed(edits); file != "" {
			return fault.New(fault.Invalid, "save model", text.Say("workspace.approves_itself", "file", file), text.Say("workspace.approves_itself_hint"))
		}
	}
	if err := w.saveContext(ctx, edits); err != nil {
		return err
	}
	w.refresh(ctx)
	return w.reviewing.board.Edited(ctx, who.ID, len(edits))
}

// claimed gives a file of a term that edits make say that somebody else approved it; empty: there is none. What such a file said before it may say still.
func (w *Workspace) claimed(edits []ContextEdit) string {
	files := map[string][]byte{}
	for _, e := range edits {
		files[e.Path] = []byte(e.Text)
	}
	after, err := semantic.Load(overlay{os.DirFS(w.dir), files})
	if err != nil {
		return "" // what is wrong is said when it is checked
	}
	stands := map[semantic.Term]bool{}
	if before, err := semantic.Load(os.DirFS(w.dir)); err == nil {
		for _, t := range before.Terms {
			t.Pos, t.Why = semantic.Pos{}, ""
			stands[t] = true
		}
	}
	for _, t := range after.Terms {
		file := t.Pos.File
		t.Pos, t.Why = semantic.Pos{}, ""
		if _, edited := files[file]; edited && t.ApprovedBy != "" && !t.SelfReviewed && !stands[t] {
			return file
		}
	}
	return ""
}

func (w *Workspace) saveContext(ctx context.Context, edits []ContextEdit) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var before []ContextFile
	for _, e := range edits {
		now, err := w.contextFile(e.Path)
		if err != nil {
			return err
		}
		if now.Hash != e.Base {
			return fault.New(fault.Conflict, "save model", text.Say("workspace.context_changed", "file", e.Path), text.Say("workspace.context_changed_hint"))
		}
		before = append(before, now)
	}
	check, err := w.checkContext(ctx, edits)
	if err != nil {
		return err
	}
	if err := semantic.Problems(check.Problems).Fault("save model"); err != nil {
		return err
	}
	for i, e := range edits {
		if err := w.writeContext(e.Path, []byte(e.Text)); err != nil {
			for _, old := range before[:i] { // what was written with it goes back
				_ = w.writeBack(old)
			}
			return fault.Wrap(fault.Unavailable, "save model", text.Say("workspace.cannot_write", "dir", w.dir), text.Say("workspace.cannot_write_hint"), err)
		}
	}
	w.print = "" // two saves within one tick of the file's clock look alike
	return nil
}

func (w *Workspace) writeContext(name string, raw []byte) error {
	place, err := w.contextPlace(name)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(place); err == nil {
		mode = info.Mode().Perm()
	}
	if err := writeFile(w.dir, place, raw); err != nil {
		return err
	}
	return os.Chmod(place, mode)
}

func (w *Workspace) writeBack(old ContextFile) error {
	if old.Hash != "" {
		return w.writeContext(old.Path, []byte(old.Text))
	}
	place, err := w.contextPlace(old.Path)
	if err != nil {
		return err
	}
	return os.Remove(place)
}
