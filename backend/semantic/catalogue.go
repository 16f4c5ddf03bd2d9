package semantic

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"assay/backend/text"
)

// Entry is one object of a model as a person looks it up.
type Entry struct {
	ID          string   `json:"id"` // kind/name, unique in the model: metric/revenue, dimension/orders.status
	Kind        string   `json:"kind" enum:"entity,dimension,metric,join,gotcha,golden,term,guide,memo"`
	Name        string   `json:"name"`
	Label       string   `json:"label"`
	Description string   `json:"description"`
	Synonyms    []string `json:"synonyms"`
	Type        string   `json:"type"` // of a dimension or a metric: its type or kind
	Unit        string   `json:"unit"`
	Tags        []string `json:"tags"`
	Inferred    bool     `json:"inferred"` // proposed from the data; nobody has written it down
	Basis       string   `json:"basis"`    // on what a proposal rests
	File        string   `json:"file"`     // relative to the workspace's folder; empty: it stands in no file
	Line        int      `json:"line"`
	Says        []Saying `json:"says"` // the rest of its definition, in the order of its file
	Uses        []string `json:"uses"` // IDs
	UsedBy      []string `json:"used_by"`
	Ask         string   `json:"ask"` // a question about it; empty: none comes to mind
}

// Saying is one line of a definition. Code is to be shown as it was written.
type Saying struct {
	Key  string `json:"key"` // as the files of the context layer name it
	Text string `json:"text"`
	Code bool   `json:"code"`
}

// Catalogue lists everything in a model, by kind and name, with what each uses and what uses it.
func Catalogue(m *Model) []Entry {
	c := cataloguer{m: m}
	for i := range m.Entities {
		c.entity(&m.Entities[i])
	}
	for i := range m.Metrics {
		c.metric(&m.Metrics[i])
	}
	for i := range m.Joins {
		c.join(&m.Joins[i])
	}
	for i := range m.Gotchas {
		g := &m.Gotchas[i]
		e := c.put(Entry{Kind: "gotcha", Name: g.Name, Label: g.Name, Description: g.Statement, Type: g.Severity}, g.Pos)
		e.say("applies_to", strings.Join(g.AppliesTo, ", "), false)
		e.say("check", g.CheckQL, true)
		e.say("expect", g.Expect, true)
		if g.Gave != nil {
			e.say("gave", *g.Gave, true)
		}
		for _, name := range g.AppliesTo {
			e.use(c.idOf(name))
		}
	}
	for i := range m.Golden {
		g := &m.Golden[i]
		e := c.put(Entry{Kind: "golden", Name: g.Name, Label: g.Question, Ask: g.Question}, g.Pos)
		e.say("frame_ql", g.FrameQL, true)
		e.say("sql", g.SQL, true)
		for _, p := range g.Parameters {
			e.say("parameter", p.Name+": "+p.Type+", "+cmp.Or(p.Default, "-"), false)
		}
		e.say("verified", strings.TrimSpace(g.VerifiedBy+" "+g.VerifiedAt), false)
		if strings.Contains(g.Question, "{") {
			e.Ask = ""
		}
	}
	for i := range m.Terms {
		t := &m.Terms[i]
		e := c.put(Entry{Kind: "term", Name: t.Name, Label: t.Term, Description: t.Why}, t.Pos)
		e.say("means", t.Means, false)
		e.say("approved", strings.TrimSpace(t.ApprovedBy+" "+t.ApprovedAt), false)
	}
	for _, g := range m.Guides {
		c.put(Entry{Kind: "guide", Name: g.Name, Label: g.Name, Description: g.Text}, Pos{File: ContextFolder + "/domains/" + g.Name + ".md", Line: 1})
	}
	for _, memo := range m.Memos {
		pos := Pos{}
		if memo.Level == "workspace" {
			pos = Pos{File: MemoFileName, Line: 1}
		}
		c.put(Entry{Kind: "memo", Name: memo.Level, Label: text.Say("semantic.object_memo", "name", memo.Level), Description: memo.Text}, pos)
	}
	return c.done()
}

type cataloguer struct {
	m   *Model
	all []*Entry
}

func (c *cataloguer) put(e Entry, at Pos) *Entry {
	e.ID, e.File, e.Line = e.Kind+"/"+e.Name, at.File, at.Line
	c.all = append(c.all, &e)
	return &e
}

func (e *Entry) say(key, value string, code bool) {
	if value != "" {
		e.Says = append(e.Says, Saying{key, value, code})
	}
}

func (e *Entry) use(ids ...string) {
	for _, id := range ids {
		if id != "" && id != e.ID && !slices.Contains(e.Uses, id) {
			e.Uses = append(e.Uses, id)
		}
	}
}

func (c *cataloguer) entity(x *Entity) {
	e := c.put(Entry{
		Kind: "entity", Name: x.Name, Label: x.Label, Description: x.Description, Synonyms: x.Synonyms, Tags: x.Tags, Inferred: x.Inferred,
		Ask: text.Say("semantic.ask_count", "name", strings.ToLower(cmp.Or(x.Label, x.Name))),
	}, x.Pos)
	e.say("domain", x.Domain, false)
	e.say("parent", x.Parent, true)
	e.say("table", x.Source.Table, true)
	e.say("sql", x.Source.SQL, true)
	e.say("key", strings.Join(x.Key, ", "), true)
	e.say("display", x.Display, true)
	e.say("time", x.DefaultTime, true)
	if x.Owner != nil {
		e.say("owner", x.Owner.Name, false)
	}
	if x.Freshness != nil {
		e.say("validated", x.Freshness.Validated, false)
	}
	for _, h := range x.Hierarchies {
		words := strings.Join(h.Path, " → ")
		for i := range len(h.Path) - 1 {
			if s := h.Step(i); s != nil && !s.Holds() {
				words += " (" + text.Say("semantic.step_broken", "finer", h.Path[i], "coarser", h.Path[i+1]) + ")"
			}
		}
		e.say("hierarchy", words, false)
	}
	for i := range x.Dimensions {
		d := &x.Dimensions[i]
		de := c.put(Entry{
			Kind: "dimension", Name: x.Name + "." + d.Name, Label: d.Label, Description: d.Description, Synonyms: d.Synonyms, Type: string(d.Type), Unit: d.Unit, Tags: d.Tags,
			Inferred: x.Inferred,
		}, d.Pos)
		de.say("column", d.Column, true)
		de.say("expr", d.Expr, true)
		de.say("derived_from", d.DerivedFrom, true)
		if d.PII == "" {
			de.say("values", strings.Join(d.Values, ", "), false)
		}
		de.say("pii", d.PII, false)
		de.say("time_zone", d.TimeZone, false)
		de.say("granularity", d.Granularity, false)
		de.say("tests", strings.Join(d.Tests, ", "), true)
		if d.Misfit != nil {
			de.say("stored", cmp.Or(string(d.Misfit.Stored), text.Say("semantic.not_stored")), false)
		}
		de.use(e.ID)
		if d.DerivedFrom != "" {
			de.use("dimension/" + x.Name + "." + d.DerivedFrom)
		}
		c.named(de, x, d.Expr)
	}
}

func (c *cataloguer) metric(x *Metric) {
	e := c.put(Entry{
		Kind: "metric", Name: x.Name, Label: x.Label, Description: x.Description, Synonyms: x.Synonyms, Type: string(cmp.Or(x.Kind, Leaf)), Unit: x.Unit, Tags: x.Tags,
		Inferred: x.Inferred, Basis: x.Basis, Ask: cmp.Or(x.Label, x.Name),
	}, x.Pos)
	e.say("entity", x.Entity, true)
	e.say("expr", x.Expr, true)
	e.say("filter", x.Filter, true)
	e.say("reducer", string(x.Reducer), true)
	e.say("numerator", x.Numerator, true)
	e.say("denominator", x.Denominator, true)
	e.say("of", x.Of, true)
	if x.Window != nil {
		e.say("window", strconv.Itoa(x.Window.N)+" "+x.Window.Unit, false)
	}
	e.say("to_date", x.ToDate, false)
	e.say("additivity", x.Additivity.Default, false)
	for _, family := range sortedKeys(x.Additivity.Per) {
		e.say("additivity", family+": "+x.Additivity.Per[family], false)
	}
	e.say("time", x.Time, true)
	e.say("better", x.Better, false)
	e.say("required_dims", strings.Join(x.Required, ", "), true)
	e.say("forbidden_grains", strings.Join(x.Forbidden, ", "), true)
	e.say("tests", strings.Join(x.Tests, ", "), true)
	if x.Owner != nil {
		e.say("owner", x.Owner.Name, false)
	}
	entity := c.m.Entity(x.Entity)
	if entity != nil {
		e.use("entity/" + entity.Name)
	}
	for _, name := range []string{x.Numerator, x.Denominator, x.Of} {
		e.use(c.idOf(name))
	}
	for _, in := range x.Inputs {
		e.use(c.idOf(in.Metric))
	}
	for _, expr := range []string{x.Expr, x.Filter} {
		c.named(e, entity, expr)
	}
}

func (c *cataloguer) join(x *Join) {
	name := x.From + "→" + x.To
	if x.Role != "" {
		name += "(" + x.Role + ")"
	}
	e := c.put(Entry{Kind: "join", Name: name, Label: x.From + " → " + x.To, Type: x.Cardinality, Inferred: x.Inferred, Basis: x.Basis}, x.Pos)
	for _, p := range x.On {
		e.say("on", x.From+"."+p.From+" = "+x.To+"."+p.To, true)
		e.use("dimension/"+x.From+"."+p.From, "dimension/"+x.To+"."+p.To)
	}
	e.say("role", x.Role, false)
	if a := x.Attested; a != nil {
		e.say("attested", text.Say("semantic.attested", "unique", strconv.FormatBool(a.Unique), "orphans", a.Orphans, "missing", a.Missing), false)
	}
	e.use("entity/"+x.From, "entity/"+x.To)
}

// named notes the dimensions and metrics that an expression names.
func (c *cataloguer) named(e *Entry, of *Entity, source string) {
	if source == "" || source == "*" {
		return
	}
	parsed, err := ParseExpr(source)
	if err != nil {
		return // a condition may say more than an expression; what it is read from is told by its entity
	}
	for _, name := range parsed.Idents() {
		if of != nil && of.Dimension(name) != nil {
			e.use("dimension/" + of.Name + "." + of.Dimension(name).Name)
			continue
		}
		e.use(c.idOf(name))
	}
}

// idOf finds a metric, an entity or a dimension by name; empty: there is none.
func (c *cataloguer) idOf(name string) string {
	if x := c.m.Metric(name); x != nil {
		return "metric/" + x.Name
	}
	if x := c.m.Entity(name); x != nil {
		return "entity/" + x.Name
	}
	entity, _, _ := strings.Cut(name, ".")
	if d, e := c.m.Dimension(name), c.m.Entity(entity); d != nil && e != nil {
		return "dimension/" + e.Name + "." + d.Name
	}
	return ""
}

// done gives the entries with what uses each, and lists that are never null.
func (c *cataloguer) done() []Entry {
	users := map[string][]string{}
	for _, e := range c.all {
		for _, id := range e.Uses {
			users[id] = append(users[id], e.ID)
		}
	}
	out := make([]Entry, len(c.all))
	for i, e := range c.all {
		e.UsedBy = append([]string{}, users[e.ID]...)
		e.Uses, e.Synonyms, e.Tags, e.Says = append([]string{}, e.Uses...), append([]string{}, e.Synonyms...), append([]string{}, e.Tags...), append([]Saying{}, e.Says...)
		out[i] = *e
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
