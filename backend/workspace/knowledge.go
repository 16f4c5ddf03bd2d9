package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"assay/backend/analyst"
	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/profile"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/skill"
	"assay/backend/store"
	"assay/backend/text"
	shipped "assay/context"

	"github.com/adrg/xdg"
)

// reload makes the immutable view that requests work with: model, reader's index, coverage, epochs. What cannot be used is left out
// of it and is a problem. It must be called with w.mu held, or before the workspace is shared. The error is that the work was to end;
// then the last view stays in use.
func (w *Workspace) reload(ctx context.Context) error {
	w.loadRules()
	w.problems.set("measured")
	model, err := w.model(ctx)
	if err != nil {
		return err
	}
	if model, err = w.calendars(ctx, model); err != nil {
		return err
	}
	model = w.fit(ctx, model)
	measured, open, err := w.measured(ctx, model)
	if err != nil {
		return err
	}
	zone, _ := time.LoadLocation(model.Workspace.TimeZone) // soundZones looked
	w.stopMeasuring()
	attested, later := w.attestNow(ctx, model)
	v := view{model: model, base: analyst.Knowledge{Zone: zone, Epochs: w.store.Epochs(), Notes: tableNotes(w.store.Sources()), Coverage: measured.coverage, LookUp: w.lookUp, Number: exactly(w.store.Numbers())}, measured: measured}
	if !open {
		v.values = interpret.NewValues(model, measured.Values)
	}
	w.measureLater(v, attested, open, later)
	w.allowed.Forget()
	w.allowed.Warm(allowedColumns(model))
	w.warm(model)
	w.loadSkills()
	w.keepSound()
	w.print = w.fingerprint()
	return nil
}

// exactly finds what is known of a column that is an exact number.
func exactly(numbers map[string]map[string]compile.Number) func(table, column string) *compile.Number {
	return func(table, column string) *compile.Number {
		if n, ok := numbers[table][column]; ok {
			return &n
		}
		return nil
	}
}

// soundZones leaves out time zones that do not exist: the workspace then has UTC, and a timestamp is never converted.
func soundZones(m *semantic.Model) (*semantic.Model, []Trouble) {
	var all []Trouble
	bad := func(zone, object string, pos semantic.Pos) bool {
		if _, err := time.LoadLocation(zone); err == nil {
			return false
		}
		all = append(all, Trouble{Kind: ofContext, File: pos.File, Line: pos.Line, Object: object, Message: text.Say("workspace.bad_zone", "zone", zone), Hint: text.Say("workspace.bad_zone_hint")})
		return true
	}
	out := *m
	if bad(m.Workspace.TimeZone, "", semantic.Pos{File: semantic.WorkspaceFileName}) {
		out.Workspace.TimeZone = ""
	}
	out.Entities = slices.Clone(m.Entities)
	for i := range out.Entities {
		e := &out.Entities[i]
		e.Dimensions = slices.DeleteFunc(slices.Clone(e.Dimensions), func(d semantic.Dimension) bool {
			return bad(d.TimeZone, text.Say("semantic.object_dimension", "name", e.Name+"."+d.Name), d.Pos)
		})
	}
	if len(all) == 0 {
		return m, nil
	}
	return &out, all
}

// TakeOver takes over context files that were changed since they were read.
func (w *Workspace) TakeOver(ctx context.Context) { w.refresh(ctx) }

// refresh reloads the model when a context file has changed. While what they say is wrong the last good model stays in use, marked stale;
// a workspace that is opened so has what is sound.
func (w *Workspace) refresh(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	print := w.fingerprint()
	if print == w.print {
		return
	}
	err := w.reload(ctx)
	if err == nil {
		w.problems.set(ofMemory)
		err = w.remembering(ctx, w.recall)
	}
	if err != nil {
		w.loaded.Stale, w.loaded.Err = true, err
		w.print = print // look again only after the next change
	}
}

// recheck looks whether the data was imported anew by another process, or a context file was changed, takes that over, and says so.
func (w *Workspace) recheck(ctx context.Context) bool {
	before := w.whole()
	now, err := w.store.Present(ctx)
	if err != nil {
		return false // the statement will say so
	}
	w.mu.Lock()
	if !maps.Equal(now, before.Epochs) {
		w.print = "" // read everything again
	}
	w.mu.Unlock()
	w.refresh(ctx)
	after := w.whole()
	return after.Model.Version != before.Model.Version || !maps.Equal(after.Epochs, before.Epochs)
}

// model loads what the context files declare and adds what inference proposes for tables that they do not cover. The error is that the
// work was to end.
func (w *Workspace) model(ctx context.Context) (*semantic.Model, error) {
	declared, wrong := semantic.LoadSound(os.DirFS(w.dir))
	declared, zones := soundZones(declared)
	all := append(fileProblems(ofContext, wrong), zones...)
	w.loaded = semantic.Loaded{At: w.opts.Now()}
	switch {
	case len(all) == 0:
		w.good = declared
	case w.good != nil: // somebody is writing: what this process read before goes on
		w.loaded.Stale, w.loaded.Err = true, fault.New(fault.Invalid, "load model", all[0].String(), all[0].Hint)
		declared = w.good
	}
	w.settings = declared.Workspace
	m, wrong, err := w.completedSound(ctx, declared)
	w.problems.set(ofContext, append(all, fileProblems(ofContext, wrong)...)...)
	return m, err
}

// completedSound is completed where what cannot be measured or does not hold together is left out.
func (w *Workspace) completedSound(ctx context.Context, declared *semantic.Model) (*semantic.Model, semantic.Problems, error) {
	named := *declared
	declared = &named
	declared.Name = w.name
	inferred := &semantic.Model{}
	sources := w.store.Sources()
	if uncovered(declared, sources) {
		facts, err := w.facts(ctx)
		if err != nil {
			return nil, nil, err
		}
		inferred = semantic.Infer(facts, declared.Workspace)
		inferred.Name = w.name
	}
	var withheld []string
	for _, s := range sources {
		for _, t := range s.Tables {
			if declared.Withholds(t.Name) {
				withheld = append(withheld, t.Name)
			}
		}
	}
	m, wrong := semantic.MergeSound(declared, inferred, withheld...)
	memos, err := outerMemos()
	w.problems.set("memos")
	if err != nil {
		w.problems.set("memos", faultProblem(ofMemory, "", err))
	}
	return semantic.WithMemos(m, memos...), wrong, nil
}

// completed adds to declared files what inference proposes for tables that they do not cover, and the memos from outside.
func (w *Workspace) completed(ctx context.Context, declared *semantic.Model) (*semantic.Model, error) {
	declared.Name = w.name
	if uncovered(declared, w.store.Sources()) {
		facts, err := w.facts(ctx)
		if err != nil {
			return nil, err
		}
		inferred := semantic.Infer(facts, declared.Workspace)
		inferred.Name = w.name
		if declared, err = semantic.Merge(declared, inferred); err != nil {
			return nil, err
		}
	}
	memos, err := outerMemos()
	if err != nil {
		return nil, err
	}
	return semantic.WithMemos(declared, memos...), nil
}

// outerMemos are the memos outside the workspace, outermost first.
func outerMemos() ([]semantic.Memo, error) {
	house, err := semantic.ParseMemo("installation", "ANALYST.md", string(shipped.Memo()))
	if err != nil {
		return nil, err
	}
	memos := []semantic.Memo{house}
	file := filepath.Join(xdg.ConfigHome, "assay", "ANALYST.md")
	if raw, err := os.ReadFile(file); err == nil { // nobody has to write one
		own, err := semantic.ParseMemo("user", file, string(raw))
		return append(memos, own), err
	}
	return memos, nil
}

// uncovered says whether some table has no entity in the declared model. A table that an entity's own SELECT names
// counts as covered.
func uncovered(m *semantic.Model, sources []store.Source) bool {
	covered := map[string]bool{}
	var selects []string
	for _, e := range m.Entities {
		covered[e.Source.Table] = true
		selects = append(selects, e.Source.SQL)
	}
	for _, s := range sources {
		for _, t := range s.Tables {
			if !covered[t.Name] && !strings.Contains(strings.Join(selects, "\n"), t.Name) {
				return true
			}
		}
	}
	return false
}

// factsFormat changes with what is measured, so that what an older program has measured is measured again.
const factsFormat = "facts-5"

// measuredTable is what was measured of one table, which holds while its key is the same.
type measuredTable struct {
	Key   string
	Facts semantic.TableFacts
}

// facts measures the tables, or reads what was measured on the same data before. An import measures the tables that it changes.
func (w *Workspace) facts(ctx context.Context) (semantic.Facts, error) {
	key := w.dataKey(factsFormat)
	var facts semantic.Facts
	if w.remembered("facts.json", key, &facts) {
		return facts, nil
	}
	var before map[string]measuredTable
	w.remembered("tables.json", factsFormat, &before)
	now := map[string]measuredTable{}
	declared, epochs := declarations(w.store.Sources()), w.store.Epochs()
	for _, d := range declared {
		now[d.Table] = measuredTable{Key: tableKey(d, epochs[d.Table])}
	}
	whole := true
	facts, err := profile.Measure(ctx, w.store.Query, declared, profile.Options{
		Known: func(d profile.TableDecl) (semantic.TableFacts, bool) {
			was, ok := before[d.Table]
			return was.Facts, ok && was.Key == now[d.Table].Key
		},
		Failed: func(table string, err error) bool {
			whole = false
			return w.goOn(ctx, table, err)
		},
	})
	if err != nil {
		return facts, err
	}
	if whole {
		w.remember("facts.json", key, facts)
	}
	measured := map[string]measuredTable{}
	for _, t := range facts.Tables {
		measured[t.Table] = measuredTable{now[t.Table].Key, t}
	}
	w.remember("tables.json", factsFormat, measured)
	return facts, nil
}

// tableKey changes when the data of a table or what its source declares of it changes.
func tableKey(d profile.TableDecl, epoch string) string {
	raw, _ := json.Marshal(d) // names and numbers: it can't fail
	sum := sha256.Sum256(append(raw, epoch...))
	return hex.EncodeToString(sum[:])
}

// goOn notes what cannot be measured of a table, and says whether the rest can be.
func (w *Workspace) goOn(ctx context.Context, table string, err error) bool {
	if !goesOn(ctx, err) {
		return false
	}
	problem := faultProblem(ofData, table, err)
	for _, s := range w.store.Sources() {
		if slices.ContainsFunc(s.Tables, func(t store.Table) bool { return strings.EqualFold(t.Name, table) }) {
			problem.File, problem.Source = s.Name, s.ID
		}
	}
	problem.Object = table
	w.problems.add("measured", problem)
	return true
}

// tableNotes gives what answers say of the files of tables. Sources that were imported before there were notes count their lines alone.
func tableNotes(sources []store.Source) map[string][]analyst.TableNote {
	all := map[string][]analyst.TableNote{}
	for _, s := range sources {
		for _, t := range s.Tables {
			for _, n := range t.Notes {
				all[t.Name] = append(all[t.Name], analyst.TableNote{Code: n.Code, Severity: n.Severity, Column: n.Column, Text: n.Text})
			}
			if len(t.Notes) == 0 && t.Rejected > 0 {
				left := text.Count("store.told_left", t.Rejected, "n", t.Rejected, "of", t.Rows+t.Rejected, "table", t.Name)
				all[t.Name] = []analyst.TableNote{{Code: store.LinesLeftOut, Severity: frameql.Caution, Text: left}}
			}
		}
	}
	return all
}

func declarations(sources []store.Source) []profile.TableDecl {
	var all []profile.TableDecl
	for _, s := range sources {
		for _, t := range s.Tables {
			all = append(all, declarationOf(&t))
		}
	}
	return all
}

func declarationOf(t *store.Table) profile.TableDecl {
	d := profile.TableDecl{Table: t.Name, Alias: t.Alias, Key: t.Key, Rows: t.Rows}
	for _, c := range t.Columns {
		d.Columns = append(d.Columns, profile.ColumnDecl{Name: c.Name, Alias: c.Alias, Type: modelType(c), Nested: c.Type == nestedType})
	}
	for _, f := range t.ForeignKeys {
		d.ForeignKeys = append(d.ForeignKeys, semantic.ForeignKey{Columns: f.Columns, RefTable: f.RefTable, RefColumns: f.RefColumns})
	}
	return d
}

// nestedType is what the store calls lists, maps and the like, which it keeps as JSON text.
const nestedType = "json"

// modelType is the type of a stored column in a model.
func modelType(c store.Column) semantic.Type {
	if c.Type == nestedType {
		return semantic.Text
	}
	return semantic.Type(c.Type)
}

// loadedTable says whether there is data behind an entity: a model may be imported before its tables are.
func (w *Workspace) loadedTable(e *semantic.Entity) bool {
	if e.Source.SQL != "" {
		return true
	}
	for _, s := range w.store.Sources() {
		if slices.ContainsFunc(s.Tables, func(t store.Table) bool { return strings.EqualFold(t.Name, e.Source.Table) }) {
			return true
		}
	}
	return false
}

// frame runs a query that the program itself wrote. A query that does not resolve gives no frame: the model's own
// check names the reason.
func (w *Workspace) frame(ctx context.Context, m *semantic.Model, query string, rows int) (*frameql.Frame, error) {
	q, err := frameql.Parse(query)
	if err != nil {
		return nil, err
	}
	plan, refusals := frameql.Resolve(q, frameql.Env{Model: m, Now: w.opts.Now()})
	if len(refusals) > 0 {
		return nil, nil
	}
	statement, err := plan.Statement(frameql.DuckDB)
	if err != nil {
		return nil, err
	}
	statement.MaxRows = rows
	return w.store.Query(ctx, statement)
}

func quote(dotted string) string {
	parts := strings.Split(dotted, ".")
	for i, p := range parts {
		parts[i] = `"` + strings.ReplaceAll(p, `"`, `""`) + `"`
	}
	return strings.Join(parts, ".")
}

func spanOf(f *frameql.Frame) (span [2]time.Time, ok bool) {
	if f == nil || len(f.Rows) == 0 || len(f.Rows[0]) < 2 {
		return span, false
	}
	for i := range span {
		s, isText := f.Rows[0][i].(string)
		if !isText {
			return span, false
		}
		if span[i], ok = parseInstant(s); !ok {
			return span, false
		}
	}
	return span, true
}

func parseInstant(s string) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02", "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// dataKey identifies the data that is in the store now, for one use of it.
func (w *Workspace) dataKey(use string) string {
	var lines []string
	for table, epoch := range w.store.Epochs() {
		lines = append(lines, table+" "+epoch)
	}
	sort.Strings(lines)
	sum := sha256.Sum256([]byte(use + "\n" + strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:])
}

// remembered reads a cached measurement. Anything unreadable counts as not there: it is measured again.
func (w *Workspace) remembered(file, key string, into any) bool {
	raw, err := os.ReadFile(filepath.Join(w.dir, ".assay", file))
	if err != nil {
		return false
	}
	var kept struct {
		Key  string
		Data json.RawMessage
	}
	return json.Unmarshal(raw, &kept) == nil && kept.Key == key && json.Unmarshal(kept.Data, into) == nil
}

// remember keeps a measurement for the next start. It is a cache: not being able to write it costs time only.
func (w *Workspace) remember(file, key string, data any) {
	raw, err := json.Marshal(struct {
		Key  string
		Data any
	}{key, data})
	if err == nil {
		_ = writeFile(w.dir, filepath.Join(w.dir, ".assay", file), raw)
	}
}

// fingerprint changes when a file of the context layer changes.
func (w *Workspace) fingerprint() string {
	h := sha256.New()
	note := func(path string, d fs.DirEntry) {
		if info, err := d.Info(); err == nil {
			fmt.Fprintf(h, "%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	for _, root := range []string{"workspace.yaml", "ANALYST.md", "context", rules.Folder, skill.Folder} {
		_ = filepath.WalkDir(filepath.Join(w.dir, root), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				note(path, d)
			}
			return nil
		})
	}
	return hex.EncodeToString(h.Sum(nil))
}
