package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"assay/backend/fault"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/skill"
	"assay/backend/text"
)

// Trouble is one thing of a workspace that cannot be used. The rest is open without it.
type Trouble struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind" enum:"context,rules,skill,source,data,memory"`
	File    string   `json:"file"` // relative to the workspace's folder, or the name of a source; empty: none
	Line    int      `json:"line"` // 0: the whole file
	Object  string   `json:"object"`
	Message string   `json:"message"`
	Hint    string   `json:"hint"`
	Source  string   `json:"source"`  // ID of the source that it is of; empty: of none
	Repairs []string `json:"repairs"` // open restore set_aside refresh remove: what Repair does, and open, which the person does
}

// String gives the problem in one line.
func (p Trouble) String() string {
	return semantic.Problem{Pos: semantic.Pos{File: p.File, Line: p.Line}, Message: p.Message, Hint: p.Hint}.String()
}

// The kinds of problem.
const (
	ofContext = "context"
	ofRules   = "rules"
	ofSkills  = "skill"
	ofSource  = "source" // a file that was to be imported
	ofData    = "data"   // what was imported
	ofMemory  = "memory"
)

// The repairs.
const (
	repairOpen     = "open"      // the person looks into the file
	repairRestore  = "restore"   // the file says again what it said when it was sound
	repairSetAside = "set_aside" // the file is put out of the way, and kept
	repairRefresh  = "refresh"   // the source is imported again
	repairRemove   = "remove"    // the source is removed
)

// problems are what the stages of opening found, by stage. A stage that runs again replaces what it found before.
type problems struct {
	mu    sync.Mutex
	found map[string][]Trouble
}

func (p *problems) set(stage string, all ...Trouble) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found == nil {
		p.found = map[string][]Trouble{}
	}
	p.found[stage] = all
}

func (p *problems) add(stage string, one Trouble) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found == nil {
		p.found = map[string][]Trouble{}
	}
	if !slices.ContainsFunc(p.found[stage], func(x Trouble) bool { return x.Message == one.Message && x.File == one.File }) {
		p.found[stage] = append(p.found[stage], one)
	}
}

func (p *problems) of(stages ...string) (all []Trouble) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range stages {
		all = append(all, p.found[s]...)
	}
	return all
}

// fileProblems makes problems of what a load found in files.
func fileProblems(kind string, found []semantic.Problem) []Trouble {
	var all []Trouble
	for _, p := range found {
		all = append(all, Trouble{Kind: kind, File: p.Pos.File, Line: p.Pos.Line, Object: p.Object, Message: p.Message, Hint: p.Hint})
	}
	return all
}

// faultProblem makes a problem of an error.
func faultProblem(kind, file string, err error) Trouble {
	f := asFault(err)
	return Trouble{Kind: kind, File: file, Message: f.Message, Hint: f.Hint}
}

// Problems lists what of the workspace cannot be used, as far as the person of this process may know: whoever may not see everything
// is told of the rules alone, in words that name nothing else.
func (w *Workspace) Problems() []Trouble {
	all := w.everyProblem()
	me, err := w.Identify("", rules.Caller{})
	if whole := err == nil && w.Rules().Whitelist(me).Everything(); !whole {
		var told []Trouble
		for _, p := range all {
			if p.Kind == ofRules {
				told = append(told, Trouble{Kind: ofRules, File: p.File, Line: p.Line, Message: text.Say("workspace.rules_closed"), Hint: text.Say("workspace.rules_closed_hint")})
			}
		}
		all = told
	}
	for i := range all {
		p := &all[i]
		sum := sha256.Sum256([]byte(strings.Join([]string{p.Kind, p.File, p.Object, p.Message, p.Source}, "\x00")))
		p.ID = hex.EncodeToString(sum[:6])
		p.Repairs = w.repairsOf(*p)
	}
	if all == nil {
		all = []Trouble{}
	}
	return all
}

func (w *Workspace) everyProblem() []Trouble {
	all := w.problems.of("place", ofContext, "memos", ofRules, ofSkills, ofSource, "calendars", ofMemory)
	damaged := w.damagedSources()
	for _, p := range w.problems.of("measured") { // one word about a source is enough
		if !slices.ContainsFunc(damaged, func(d Trouble) bool { return d.Source == p.Source && p.Source != "" }) {
			all = append(all, p)
		}
	}
	return append(all, damaged...)
}

// missing says in one sentence what a question may have met that is not open, to an actor from whom nothing is kept.
func (w *Workspace) missing(actor rules.Actor) string {
	if !w.Rules().Whitelist(actor).Everything() {
		return ""
	}
	var names []string
	for _, p := range w.everyProblem() {
		if slices.Contains([]string{ofContext, ofData, ofSource}, p.Kind) && p.File != "" && !slices.Contains(names, p.File) {
			names = append(names, p.File)
		}
	}
	if len(names) == 0 {
		return ""
	}
	if len(names) > 3 {
		names = append(names[:3], "…")
	}
	return text.Say("workspace.missing_files", "files", strings.Join(names, ", "))
}

// damagedSources are the sources whose tables cannot be read.
func (w *Workspace) damagedSources() (all []Trouble) {
	for _, d := range w.store.Damaged() {
		all = append(all, Trouble{
			Kind: ofData, File: d.Name, Source: d.ID,
			Message: text.Say("workspace.source_damaged", "name", d.Name, "tables", strings.Join(d.Tables, ", ")), Hint: text.Say("workspace.source_damaged_hint"),
		})
	}
	return all
}

func (w *Workspace) repairsOf(p Trouble) []string {
	repairs := []string{}
	switch p.Kind {
	case ofContext, ofRules, ofSkills:
		if p.File == "" || !fs.ValidPath(p.File) {
			return repairs
		}
		repairs = append(repairs, repairOpen)
		if raw, err := os.ReadFile(w.soundCopy(p.File)); err == nil && len(raw) > 0 {
			repairs = append(repairs, repairRestore)
		}
		if p.Kind != ofRules && p.File != semantic.WorkspaceFileName {
			repairs = append(repairs, repairSetAside) // without its rules a workspace would be open to everybody
		}
	case ofSource, ofData:
		if p.Source != "" {
			repairs = append(repairs, repairRefresh, repairRemove)
		}
	}
	return repairs
}

// Repair does what one problem offers. Faults: NotFound (no such problem or repair), Unauthorized, and those of the repair.
func (w *Workspace) Repair(ctx context.Context, id, repair string) error {
	all := w.Problems()
	i := slices.IndexFunc(all, func(p Trouble) bool { return p.ID == id })
	if i < 0 || repair == repairOpen || !slices.Contains(all[i].Repairs, repair) {
		return fault.New(fault.NotFound, "repair", text.Say("workspace.no_repair"), text.Say("workspace.no_repair_hint"))
	}
	p := all[i]
	switch repair {
	case repairRefresh:
		_, err := w.Refresh(ctx, p.Source, nil, nil)
		return err
	case repairRemove:
		return w.Remove(ctx, p.Source)
	}
	if err := w.mayRepair(p, repair); err != nil {
		return err
	}
	w.mu.Lock()
	err := w.replaceUnsound(p.File, repair == repairRestore)
	w.print = ""
	w.mu.Unlock()
	if err != nil {
		return fault.Wrap(fault.Unavailable, "repair", text.Say("workspace.cannot_write", "dir", w.dir), text.Say("workspace.cannot_write_hint"), err)
	}
	w.refresh(ctx)
	return nil
}

// mayRepair says whether the person of this process may change a file. Rules that are closed let nobody; their last sound version
// says who may bring it back.
func (w *Workspace) mayRepair(p Trouble, repair string) error {
	if p.Kind != ofRules || repair != repairRestore {
		return w.mayWrite()
	}
	raw, err := os.ReadFile(w.soundCopy(p.File))
	if err != nil {
		return fault.Wrap(fault.Unavailable, "repair", text.Say("semantic.file_unreadable", "file", p.File), text.Say("semantic.file_unreadable_hint"), err)
	}
	before, _ := rules.LoadSound(overlay{os.DirFS(w.dir), map[string][]byte{p.File: raw}})
	me, err := before.Acting(w.opts.Actor).Identify("", caller(rules.Caller{}))
	if err != nil {
		return err
	}
	if !before.MayWriteModel(me) {
		return fault.New(fault.Unauthorized, "repair", text.Say("workspace.model_readonly"), text.Say("workspace.model_readonly_hint"))
	}
	return nil
}

// replaceUnsound puts a file aside, where it is kept, and its last sound version in its place where that is wanted. w.mu is held.
func (w *Workspace) replaceUnsound(name string, restore bool) error {
	at := filepath.Join(w.dir, filepath.FromSlash(name))
	aside := filepath.Join(w.dir, ".assay", "unsound", w.opts.Now().UTC().Format("20060102-150405"), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(aside), 0o700); err != nil {
		return err
	}
	if !restore {
		return os.Rename(at, aside)
	}
	raw, err := os.ReadFile(w.soundCopy(name))
	if err != nil {
		return err
	}
	if unsound, err := os.ReadFile(at); err == nil { // a folder of its name, or a file that cannot be read, is moved
		if err := os.WriteFile(aside, unsound, 0o600); err != nil {
			return err
		}
	} else if err := os.Rename(at, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return writeFile(w.dir, at, raw)
}

// soundCopy is where the last version of a file is kept that could be read.
func (w *Workspace) soundCopy(name string) string {
	return filepath.Join(w.dir, ".assay", "sound", filepath.FromSlash(path.Clean("/" + name))[1:])
}

// keepSound keeps a copy of every file of the workspace that nothing is wrong with, to be restored from. It is a convenience: where
// it cannot be written nothing is lost. w.mu is held, or the workspace is not shared yet.
func (w *Workspace) keepSound() {
	wrong := map[string]bool{}
	for _, p := range w.problems.of("place", ofContext, ofRules, ofSkills) {
		wrong[p.File] = true
	}
	for _, root := range []string{semantic.WorkspaceFileName, semantic.MemoFileName, semantic.ContextFolder, rules.Folder, skill.Folder} {
		if wrong[root] {
			continue
		}
		_ = fs.WalkDir(os.DirFS(w.dir), root, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && !wrong[name] {
				w.keepSoundFile(name, d)
			}
			return nil // what cannot be read has no copy
		})
	}
}

func (w *Workspace) keepSoundFile(name string, d fs.DirEntry) {
	info, err := d.Info()
	if err != nil || info.Size() == 0 || info.Size() > largestKept {
		return
	}
	to := w.soundCopy(name)
	if had, err := os.Stat(to); err == nil && had.Size() == info.Size() && !had.ModTime().Before(info.ModTime()) {
		return
	}
	raw, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(name)))
	if err != nil {
		return
	}
	if had, err := os.ReadFile(to); err == nil && string(had) == string(raw) {
		return
	}
	_ = writeFile(w.dir, to, raw)
}

// largestKept bounds a file of which a copy is kept, in bytes: what people write is smaller.
const largestKept = 2 << 20

// goesOn says whether an error is one of a single thing: opening goes on without it. It is not when the work was to end.
func goesOn(ctx context.Context, err error) bool {
	return ctx.Err() == nil && fault.CodeOf(err) != fault.Canceled
}
