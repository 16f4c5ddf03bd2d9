package semantic

import (
	"slices"
	"strconv"
	"strings"
)

// Infer proposes a whole model from measured facts. The proposal is marked Inferred, every join and metric says on what
// it rests, and it is sealed: the only thing that it lacks is somebody who reviewed it.
//
//	tables ─▶ entities, roles of columns ─▶ joins ─▶ header amounts split off ─▶ times, hierarchies ─▶ metrics
func Infer(f Facts, s Settings) *Model {
	p := &proposal{settings: s}
	tables := slices.Clone(f.Tables)
	for i := range tables {
		tables[i].Columns = slices.Clone(tables[i].Columns)
	}
	PlainNames(tables)
	p.draftEntities(tables)
	p.proposeJoins(f.Inclusions)
	for _, d := range slices.Clone(p.drafts) {
		p.splitHeaders(d)
	}
	p.nameEntities()
	p.callByKeys()
	p.nameRoles()
	p.proposeTimes()
	return p.model(p.proposeMetrics())
}

// proposal is a model in the making.
type proposal struct {
	settings Settings
	drafts   []*draft
	edges    []*edge
}

// draft is an entity in the making.
type draft struct {
	t        *TableFacts
	source   Source
	words    []string // of the entity's name, in the singular: order, line
	raw      string   // name to use as it is; empty: made from words
	name     string   // given by nameEntities
	synonyms []string
	columns  []*draftColumn
	key      []string // original column names
	time     string   // dimension name, or "entity.dimension"; empty: none
	others   []string
	renamed  bool // its table's name went to the header that was split off
	basis    string
}

// draftColumn is a dimension in the making.
type draftColumn struct {
	c           *ColumnFacts
	role        ColumnRole
	name        string
	nonAdditive bool
	basis       string // why it is not additive
}

// edge is a join in the making.
type edge struct {
	from, to   *draft
	near, far  []string // original column names
	oneToOne   bool
	total      bool
	role       string
	basis      string
	confidence float64
}

func (d *draft) column(name string) *draftColumn {
	for _, c := range d.columns {
		if c.c.Column == name {
			return c
		}
	}
	return nil
}

func (d *draft) singular() string { return strings.Join(d.words, " ") }

func (d *draft) plural() string { return Plural(d.singular()) }

func (p *proposal) draftEntities(tables []TableFacts) {
	for i := range tables {
		t := &tables[i]
		d := &draft{t: t, source: Source{Table: t.Table}, words: tableNoun(t.called()), raw: t.Alias, key: t.Key}
		if d.raw == "" || !IsName(d.raw) {
			d.raw = snake(expandedOrRaw(t.Table))
		}
		taken := map[string]bool{}
		for j := range t.Columns {
			c := &t.Columns[j]
			name := c.Alias
			if name == "" || !IsName(name) {
				name = snake(camelWords(c.Column))
			}
			name = unique(name, taken)
			d.columns = append(d.columns, &draftColumn{c: c, role: t.RoleOf(c), name: name})
		}
		for _, k := range d.key {
			if c := d.column(k); c != nil && c.role.Measure() {
				c.role = RoleIdentifier
			}
		}
		p.drafts = append(p.drafts, d)
	}
}

func expandedOrRaw(name string) []string {
	if w := camelWords(name); len(w) > 0 {
		return w
	}
	return []string{"unnamed"}
}

// unique gives the name, with a number behind it when it is taken, and takes it. Names differ by more than case.
func unique(name string, taken map[string]bool) string {
	out := name
	for i := 2; taken[strings.ToLower(out)]; i++ {
		out = name + "_" + strconv.Itoa(i)
	}
	taken[strings.ToLower(out)] = true
	return out
}

// nameEntities gives every draft its name. Tables keep theirs; a header that was split off comes after them.
func (p *proposal) nameEntities() {
	taken := map[string]bool{}
	for _, d := range p.drafts {
		if d.raw != "" {
			d.name = unique(d.raw, taken)
		}
	}
	for _, d := range p.drafts {
		if d.raw == "" {
			d.name = unique(snake(camelWords(d.plural())), taken)
		}
	}
}

// model puts the parts together and seals them.
func (p *proposal) model(metrics []Metric) *Model {
	m := &Model{
		Name: p.settings.Label, Inferred: true, Workspace: p.settings, Metrics: metrics,
		Registry: Registry{GeneratedFrom: FromInference},
	}
	m.Workspace.Calendar = "" // a proposal has no calendars of its own
	for _, d := range p.drafts {
		m.Entities = append(m.Entities, p.entity(d))
	}
	for _, e := range p.edges {
		j := Join{From: e.from.name, To: e.to.name, Cardinality: "many_to_one", Role: e.role, Total: e.total, Inferred: true, Basis: e.basis}
		if e.oneToOne {
			j.Cardinality = "one_to_one"
		}
		for i := range e.near {
			j.On = append(j.On, ColumnPair{From: e.from.column(e.near[i]).name, To: e.to.column(e.far[i]).name})
		}
		m.Joins = append(m.Joins, j)
	}
	sealed := clone(m)
	sortObjects(sealed)
	fillDefaults(sealed)
	sealed.index = buildIndex(sealed)
	fillAdditivity(sealed)
	sealed.Version = version(sealed)
	return sealed
}

func (p *proposal) entity(d *draft) Entity {
	e := Entity{
		Name: d.name, Label: sentenceCase(strings.Fields(d.plural())), Source: d.source, DefaultTime: d.time,
		OtherTimes: d.others, Inferred: true, Description: d.basis,
	}
	synonyms := append([]string{d.singular(), strings.Join(Words(d.name), " ")}, d.synonyms...)
	if !d.renamed && d.source.Table != "" {
		synonyms = append(synonyms, strings.Join(Words(d.t.Table), " "))
	}
	e.Synonyms = synonymsFor(synonyms, e.Label)
	for _, k := range d.key {
		if c := d.column(k); c != nil {
			e.Key = append(e.Key, c.name)
		}
	}
	for _, c := range d.columns {
		e.Dimensions = append(e.Dimensions, p.dimension(c))
	}
	if full, ok := d.fullName(); ok {
		e.Dimensions = append(e.Dimensions, full)
	}
	if place, ok := p.rowPlace(d); ok {
		e.Dimensions = append(e.Dimensions, place)
	}
	e.Display = d.display()
	e.Hierarchies = d.hierarchies()
	return e
}

func (p *proposal) dimension(c *draftColumn) Dimension {
	words, _ := ExpandWords(Words(c.c.called()))
	if len(words) == 0 {
		words = camelWords(c.name)
	}
	d := Dimension{
		Name: c.name, Label: sentenceCase(words), Type: c.c.Type, Measure: c.role.Measure(),
		NonAdditive: c.role == RoleRate || c.role.Measure() && c.nonAdditive, PII: piiOf(words), Description: c.basis,
		Identifier: c.role == RoleIdentifier && c.c.Type.Numeric(),
	}
	if c.c.Column != c.name {
		d.Column = c.c.Column
	}
	synonyms := []string{strings.Join(Words(c.c.Column), " ")}
	if bare := withoutBrackets(c.c.Column); bare != c.c.Column {
		synonyms = append(synonyms, strings.Join(Words(bare), " "))
	}
	if other := sameThing[words[len(words)-1]]; other != "" {
		synonyms = append(synonyms, strings.Join(append(slices.Clone(words[:len(words)-1]), other), " "))
	}
	d.Synonyms = synonymsFor(synonyms, d.Label)
	if d.Measure {
		d.Unit = p.unit(c)
	}
	d.FromData = d.PII == "" && !d.Measure && !c.c.Nested && c.c.Type == Text && c.c.Distinct > 0 && c.c.Distinct <= maxIndexedValues && c.c.AvgLength <= 64
	return d
}

// withoutBrackets cuts what a heading says in brackets: a unit, a date, a plural or a footnote, as in "Area (km²)", "Writer(s)"
// and "Price [1]".
func withoutBrackets(heading string) string {
	var b strings.Builder
	depth := 0
	for _, c := range heading {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth = max(0, depth-1)
		default:
			if depth == 0 {
				b.WriteRune(c)
			}
		}
	}
	return strings.TrimSpace(b.String())
}

// sameThing gives another word for what columns are commonly called by one of two words.
var sameThing = map[string]string{"sex": "gender", "gender": "sex"}

// maxIndexedValues is the number of different values of a text up to which a question may name one of them.
const maxIndexedValues = 200_000

// unit guesses a unit by name: money has the workspace's currency, and none is invented.
func (p *proposal) unit(c *draftColumn) string {
	words := wordsOf(c.c)
	_, high, ok := c.c.bounds()
	switch {
	case slices.Contains(words, "percent") || slices.Contains(words, "percentage"):
		if ok && high > 1 {
			return "%"
		}
		return ""
	case moneyName(words) && !slices.Contains(words, "discount"):
		return p.settings.Currency
	}
	return ""
}

// piiOf recognises what should never be listed as a value to choose from.
func piiOf(words []string) string {
	last := words[len(words)-1]
	switch {
	case slices.Contains(words, "email"), slices.Contains(words, "mail") && last != "mail":
		return "email"
	case last == "phone", last == "fax", last == "telephone", last == "mobile":
		return "phone"
	case last == "ssn", slices.Contains(words, "passport"), last == "iban", last == "password",
		slices.Contains(words, "credit") && slices.Contains(words, "card") && last == "number":
		return last
	}
	return ""
}

// synonymsFor keeps words that say something else than the label, each once.
func synonymsFor(words []string, label string) []string {
	var out []string
	for _, w := range words {
		w = strings.ToLower(strings.TrimSpace(w))
		if w != "" && w != strings.ToLower(label) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
