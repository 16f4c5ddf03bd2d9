package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay/backend/analyst"
	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/profile"
	"assay/backend/rules"
	"assay/backend/rules/pii"
	"assay/backend/semantic"
	"assay/backend/text"
	"assay/backend/tool"
)

// deskColumns is how many columns of an entity are looked at for dependencies: what is tested grows with the square of it.
const deskColumns = 24

// Facts gives what the tools of an actor look up in the data, as far as the actor may see it, over what is known now. Everything is counted on all rows,
// and stands in the audit log before it runs.
//
// Faults of its functions: NotFound (no such entity or column, or not for the actor; or nothing that can be counted), and those of a statement.
func (w *Workspace) Facts(a rules.Actor) tool.Facts {
	d := &deskFacts{w: w, actor: a, known: w.knownTo(a)}
	return tool.Facts{
		Profile: d.profile, Dependencies: d.dependencies, Level: d.level, Search: d.search, Served: d.served, Personal: d.personal,
	}
}

// deskFacts is what is looked up for one actor.
type deskFacts struct {
	w     *Workspace
	actor rules.Actor
	known analyst.Knowledge
}

func (d *deskFacts) env() frameql.Env {
	return d.known.Env(analyst.Anchor(d.known, d.w.opts.Now()), d.w.opts.MaxRows)
}

func (d *deskFacts) find(entity, column string) (*semantic.Entity, *semantic.Dimension, error) {
	e := d.known.Model.Entity(entity)
	if e == nil {
		return nil, nil, noColumn(entity, column)
	}
	dim := e.Dimension(column)
	if dim == nil {
		return nil, nil, noColumn(entity, column)
	}
	return e, dim, nil
}

func noColumn(entity, column string) error {
	return fault.New(fault.NotFound, "look up column", text.Say("workspace.no_column", "column", entity+"."+column), text.Say("workspace.no_column_hint"))
}

// personal says whether a dimension names persons, by the model, pii.yaml or its name.
func (d *deskFacts) personal(dimension string) bool {
	entity, column, _ := strings.Cut(dimension, ".")
	e, dim, err := d.find(entity, column)
	if err != nil {
		return false
	}
	kind := d.w.Rules().PII.Of(pii.Column{Table: e.Source.Table, Name: dim.Name, Tag: dim.PII})
	if (kind == "" || kind == pii.None) && dim.Physical() != "" && dim.Physical() != dim.Name {
		kind = d.w.Rules().PII.Of(pii.Column{Table: e.Source.Table, Name: dim.Physical(), Tag: dim.PII})
	}
	return kind != "" && kind != pii.None
}

func (d *deskFacts) profile(ctx context.Context, entity, column string) (tool.Profile, error) {
	e, dim, err := d.find(entity, column)
	if err != nil {
		return tool.Profile{}, err
	}
	if err := d.w.noteOpenedBy(ctx, d.actor, opened{What: openedProfile, Table: e.Name}, analyst.Answer{}, ""); err != nil {
		return tool.Profile{}, err
	}
	quiet := dim.PII != "" || d.personal(e.Name+"."+dim.Name)
	p := tool.Profile{Entity: e.Name, Column: dim.Name, Type: string(dim.Type), Hint: d.hint(e, dim), Top: []tool.TopValue{}}
	var found profile.Exact
	switch {
	case dim.Physical() == "" || dim.IsRowPlace():
		found, err = d.computed(ctx, e, dim, quiet)
	case !d.w.loadedTable(e):
		err = noColumn(entity, column)
	default:
		found, err = profile.ExactColumn(ctx, d.w.store.Query, e.Source, dim.Physical(), quiet)
	}
	if err != nil {
		return tool.Profile{}, err
	}
	p.Rows, p.Distinct, p.Cardinality = found.Rows, found.Distinct, cardinality(found)
	if found.Rows > 0 {
		p.NullRate = float64(found.Nulls) / float64(found.Rows)
	}
	if found.Min != nil && found.Max != nil {
		p.Min, p.Max = typed(*found.Min, dim), typed(*found.Max, dim)
	}
	for _, v := range found.Top {
		p.Top = append(p.Top, tool.TopValue{Value: typed(v.Value, dim), Rows: v.Count})
	}
	return p, nil
}

// typed gives a value that was read as text as what it is: a number keeps its digits.
func typed(s string, dim *semantic.Dimension) any {
	if n := json.Number(s); dim.Type.Numeric() {
		if _, err := n.Float64(); err == nil && json.Valid([]byte(s)) {
			return n
		}
	}
	return s
}

// computed counts a dimension that is no column, in Frame-QL.
func (d *deskFacts) computed(ctx context.Context, e *semantic.Entity, dim *semantic.Dimension, quiet bool) (profile.Exact, error) {
	name, from := quote(e.Name+"."+dim.Name), quote(e.Name)
	run := func(query string) (*frameql.Frame, error) {
		f, err := d.w.frame(ctx, d.known.Model, query, 0)
		if err == nil && (f == nil || len(f.Rows) == 0 && !strings.Contains(query, "LIMIT")) {
			return nil, noColumn(e.Name, dim.Name)
		}
		return f, err
	}
	x := profile.Exact{}
	counts, err := run(fmt.Sprintf("SELECT COUNT(*) AS n, COUNT(DISTINCT %s) AS u AT () FROM %s", name, from))
	if err != nil {
		return x, err
	}
	missing, err := run(fmt.Sprintf("SELECT COUNT(*) AS n AT () FROM %s WHERE %s IS NULL", from, name))
	if err != nil {
		return x, err
	}
	x.Rows, _ = frameview.Count(counts.Rows[0][0])
	x.Distinct, _ = frameview.Count(counts.Rows[0][1])
	x.Nulls, _ = frameview.Count(missing.Rows[0][0])
	if quiet || x.Distinct == 0 {
		return x, nil
	}
	top, err := run(fmt.Sprintf("SELECT %s, COUNT(*) AS n AT %s FROM %s WHERE %s IS NOT NULL ORDER BY n DESC, %s LIMIT 10", name, name, from, name, name))
	if err != nil {
		return x, err
	}
	for _, row := range top.Rows {
		n, _ := frameview.Count(row[1])
		x.Top = append(x.Top, profile.TopValue{Value: fmt.Sprint(row[0]), Count: n})
	}
	return x, nil
}

// cardinality says in a word how many different values a column has.
func cardinality(x profile.Exact) string {
	switch valued := x.Rows - x.Nulls; {
	case x.Distinct <= 1:
		return "constant"
	case x.Distinct == valued && x.Nulls == 0:
		return "unique"
	case x.Distinct <= 10:
		return "very_low"
	case x.Distinct <= 100:
		return "low"
	case x.Distinct <= 10_000:
		return "medium"
	}
	return "high"
}

// hint says what a dimension is for: key time measure reference dimension.
func (d *deskFacts) hint(e *semantic.Entity, dim *semantic.Dimension) string {
	is := func(name string) bool { return strings.EqualFold(name, dim.Name) }
	references := slices.ContainsFunc(d.known.Model.JoinsFrom(e.Name), func(j semantic.Join) bool {
		return slices.ContainsFunc(j.On, func(p semantic.ColumnPair) bool { return is(p.From) })
	})
	switch {
	case len(e.Key) == 1 && is(e.Key[0]):
		return "key"
	case references:
		return "reference"
	case dim.Type.Temporal():
		return "time"
	case dim.Measure:
		return "measure"
	}
	return "dimension"
}

func (d *deskFacts) dependencies(ctx context.Context, entity string, only []string) (tool.Dependencies, error) {
	e := d.known.Model.Entity(entity)
	if e == nil || !d.w.loadedTable(e) {
		return tool.Dependencies{}, noColumn(entity, "*")
	}
	out := tool.Dependencies{Entity: e.Name}
	var columns []string
	called := map[string]string{}
	for i := range e.Dimensions {
		dim := &e.Dimensions[i]
		if only != nil && !slices.ContainsFunc(only, func(s string) bool { return strings.EqualFold(s, dim.Name) }) {
			continue
		}
		column := dim.Physical()
		if _, twice := called[column]; column == "" || dim.IsRowPlace() || twice || len(columns) == deskColumns {
			out.Left++
			continue
		}
		called[column] = dim.Name
		columns = append(columns, column)
	}
	if err := d.w.noteOpenedBy(ctx, d.actor, opened{What: openedProfile, Table: e.Name}, analyst.Answer{}, ""); err != nil {
		return out, err
	}
	g, err := profile.DependencyGraph(ctx, d.w.store.Query, e.Source, columns)
	if err != nil {
		return out, err
	}
	named := func(all []string) []string {
		names := make([]string, len(all))
		for i, c := range all {
			names[i] = called[c]
		}
		return names
	}
	out.Rows, out.Constants = g.Rows, named(g.Constants)
	for _, key := range g.Keys {
		out.Keys = append(out.Keys, named(key))
	}
	for _, class := range g.Equivalent {
		out.Equivalent = append(out.Equivalent, named(class))
	}
	for _, edge := range g.Edges {
		out.Edges = append(out.Edges, tool.Edge{From: called[edge[0]], To: called[edge[1]]})
	}
	return out, nil
}

// level counts how far metrics, joins and keys are attested on the present data: none, nobody reviewed it; A, it is declared and resolves; AA, everything that
// it rests on was measured and holds.
func (d *deskFacts) level() tool.Attested {
	if last := d.w.levelled.Load(); last != nil && last.model == d.known.Model {
		return last.found
	}
	found := d.attested()
	d.w.levelled.Store(&levelled{d.known.Model, found})
	return found
}

// levelled is what was counted last: a model that says what was measured of it is another one after each measurement.
type levelled struct {
	model *semantic.Model
	found tool.Attested
}

func (d *deskFacts) attested() tool.Attested {
	m := d.known.Model
	out := tool.Attested{Level: "AA", Counts: map[string]int{}, Outstanding: []string{}}
	note := func(level string, why ...string) {
		out.Counts[level]++
		if level == "none" || level == "A" && out.Level == "AA" {
			out.Level = level
		}
		for _, s := range why {
			if !slices.Contains(out.Outstanding, s) {
				out.Outstanding = append(out.Outstanding, s)
			}
		}
	}
	env := d.env()
	for i := range m.Metrics {
		x := &m.Metrics[i]
		if x.Hidden {
			continue
		}
		plan := frameql.Try(&frameql.Query{V: 1, Select: []frameql.Item{{Expr: &frameql.Expr{Metric: x.Name}}}}, env)
		switch {
		case m.Inferred || x.Inferred:
			note("none", text.Say("workspace.level_inferred", "name", x.Name))
		case plan == nil:
			note("none", text.Say("workspace.level_unresolved", "name", x.Name))
		case len(plan.Unattested) > 0:
			note("A", lacks(plan.Unattested)...)
		default:
			note("AA")
		}
	}
	for i := range m.Joins {
		j := &m.Joins[i]
		if !j.ToOne() {
			continue
		}
		name := j.From + " - " + j.To
		switch a := j.Attested; {
		case m.Inferred || j.Inferred:
			note("none", text.Say("workspace.level_inferred", "name", name))
		case a == nil:
			note("A", text.Say("workspace.level_unmeasured", "name", name))
		case !a.Unique:
			note("A", text.Say("workspace.level_repeats", "name", name, "entity", j.To))
		case a.Orphans > 0:
			note("A", text.Count("workspace.level_orphans", a.Orphans, "name", name, "n", frameview.Grouped(a.Orphans)))
		default:
			note("AA")
		}
	}
	for i := range m.Entities {
		e := &m.Entities[i]
		if len(e.Key) == 0 {
			continue
		}
		unique, known := d.known.Unique(e.Name, e.Key)
		switch {
		case m.Inferred || e.Inferred:
			note("none", text.Say("workspace.level_inferred", "name", e.Name))
		case !known:
			note("A", text.Say("workspace.level_unmeasured", "name", e.Name))
		case !unique:
			note("A", text.Say("workspace.level_key", "name", e.Name, "key", strings.Join(e.Key, ", ")))
		default:
			note("AA")
		}
	}
	if len(out.Counts) == 0 {
		out.Level = "none"
	}
	return out
}

func lacks(all []frameql.Lack) []string {
	var words []string
	for _, l := range all {
		words = append(words, l.Text)
	}
	return words
}

// search finds values that are like words: among those that are known, and at the beginning of values of columns that have too many to know all.
func (d *deskFacts) search(ctx context.Context, words string, most int) ([]tool.Value, error) {
	index := d.known.Index
	if index == nil {
		return nil, nil
	}
	if d.known.LookUp != nil {
		if sets := d.known.LookUp(ctx, []string{words}); len(sets) > 0 {
			index = index.Knowing(sets)
		}
	}
	var out []tool.Value
	for _, v := range index.Alike(words, 4*most) { // some may be personal
		name := v.Entity + "." + v.Dimension
		if len(out) < most && !d.personal(name) {
			out = append(out, tool.Value{Dimension: name, Value: v.Value, Like: v.Like})
		}
	}
	return out, ctx.Err()
}

// served says from where a query would be answered now. One that does not resolve is answered from nowhere.
func (d *deskFacts) served(q *frameql.Query) string {
	plan := frameql.Try(q, d.env())
	if plan == nil {
		return ""
	}
	program, err := plan.Explain(compile.Options{Dialect: frameql.DuckDB, Serve: d.w.framesOf(d.known.Model.Version).Serve})
	if err != nil || len(program.Cache) == 0 || slices.ContainsFunc(program.Cache, func(u compile.CacheUse) bool { return u.Frame == "" || u.Part }) {
		return "backend"
	}
	return "engine_cache"
}
