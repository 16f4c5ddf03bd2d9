package semantic

import (
	"cmp"
	"slices"
	"strings"

	"assay/backend/text"
)

// A flat table often repeats what belongs to a coarser thing on each of its rows: the total of an order on every line of
// it. Adding such a column up counts it once per line. The trace that it leaves is an exact dependency: the order's
// number determines the total, again and again, where chance would not.
//
//   - The determinant names a thing that no table is about: the thing becomes an entity of its own, with one row per
//     value, and takes every column that it determines with it.
//   - The determinant refers to another table, or is a word or a date: the column repeats an attribute. It keeps its
//     average and its extremes but gets no sum.

const (
	// surprising is the evidence (in nats, see surprise) from which a dependency is no accident: less than one in five
	// hundred million per pair of columns.
	surprising = 20
	// suggestive is enough when names speak for it too: an identifier that repeats, and an amount.
	suggestive = 5
)

// splitHeaders finds amounts of a table that repeat per something coarser, and splits that off or takes their sum away.
func (p *proposal) splitHeaders(d *draft) {
	split := map[string]bool{}
	for _, m := range d.columns {
		if !m.role.Measure() {
			continue
		}
		x := p.owner(d, m)
		if x == nil {
			continue
		}
		switch {
		case p.refers(d, []string{x.c.Column}):
			m.nonAdditive = true
			m.basis = text.Say("semantic.basis_repeats_reference", "column", m.c.Column, "owner", x.c.Column)
		case m.role == RoleAmount && headerKey(x):
			split[x.c.Column] = true
		case x.role != RoleIdentifier && !memberLike(x.c, m.c):
			// A few classes with a fee each: every row was charged, and fees add up.
		default:
			m.nonAdditive = true
			m.basis = text.Say("semantic.basis_repeats", "column", m.c.Column, "owner", x.c.Column)
		}
	}
	var owners []*draftColumn
	for _, c := range d.columns {
		if split[c.c.Column] {
			owners = append(owners, c)
		}
	}
	// From the coarsest to the finest, so that an order takes along the reference to a customer that was split off before.
	slices.SortStableFunc(owners, func(a, b *draftColumn) int { return cmp.Compare(a.c.groups(), b.c.groups()) })
	for _, x := range owners {
		if d.column(x.c.Column) != nil { // it may have moved with a finer one that determines it and is determined by it
			p.splitOff(d, x)
		}
	}
}

// owner gives the coarsest column that determines a measure beyond chance; nil when the measure belongs to the row.
func (p *proposal) owner(d *draft, m *draftColumn) *draftColumn {
	var best *draftColumn
	for _, dep := range d.t.Determines {
		if dep.To != m.c.Column {
			continue
		}
		x := d.column(dep.From)
		if x == nil || x.role.Measure() || slices.Equal(d.key, []string{dep.From}) {
			continue
		}
		needed := float64(surprising)
		if m.role == RoleAmount && headerKey(x) && !p.refers(d, []string{x.c.Column}) {
			needed = suggestive
		}
		if d.t.surprise(x.c, m.c) < needed {
			continue
		}
		if best == nil || x.c.groups() < best.c.groups() || x.c.groups() == best.c.groups() && d.t.KeyFitness(x.c) > d.t.KeyFitness(best.c) {
			best = x
		}
	}
	return best
}

// headerKey says whether a column may become the key of an entity of its own: it names a thing that its name tells, and
// is never missing.
func headerKey(x *draftColumn) bool {
	if x.role != RoleIdentifier || x.c.Nulls > 0 || len(referenceNoun(x.c.Column)) == 0 {
		return false
	}
	words := expanded(x.c.Column)
	switch words[len(words)-1] {
	case "id", "number", "code", "key", "uuid", "guid", "reference":
		return !slices.ContainsFunc(words, func(w string) bool { return placeWords[w] })
	}
	return false
}

// placeWords name places and lines to people: their number groups rows, but is not a thing that rows are lines of.
var placeWords = set("phone fax telephone mobile zip postal post area country city state region line row extension")

// memberLike says whether a measure looks like an attribute of the members of a column: nearly a value of its own for
// each of a number of members.
func memberLike(x, m *ColumnFacts) bool {
	return x.groups() >= 10 && 2*m.groups() >= x.groups()
}

// splitOff makes an entity with one row per value of a column, and moves there what the column determines. The rows of
// the table keep the column and join to it.
func (p *proposal) splitOff(d *draft, x *draftColumn) {
	moved := map[string]bool{}
	for _, dep := range d.t.Determines {
		c := d.column(dep.To)
		if dep.From != x.c.Column || c == nil || slices.Contains(d.key, dep.To) {
			continue
		}
		if needed := d.t.surprise(x.c, c.c); needed >= surprising || c.role == RoleAmount && needed >= suggestive || c.role == RoleTime && needed >= suggestive {
			moved[dep.To] = true
		}
	}
	noun := referenceNoun(x.c.Column)
	h := &draft{
		words: noun, key: []string{x.c.Column},
		basis: text.Say("semantic.basis_header", "table", d.t.Table, "owner", x.c.Column),
	}
	facts := &TableFacts{Table: d.t.Table, Rows: x.c.groups(), Key: h.key}
	var rest []*draftColumn
	for _, c := range d.columns {
		if c == x || moved[c.c.Column] {
			own := *c.c
			own.Nulls, own.TopShare = 0, 0 // they counted lines
			facts.Columns = append(facts.Columns, own)
		}
		if !moved[c.c.Column] {
			rest = append(rest, c)
		}
	}
	slices.SortStableFunc(facts.Columns, func(a, b ColumnFacts) int { // the key leads
		return cmp.Compare(boolInt(b.Column == x.c.Column), boolInt(a.Column == x.c.Column))
	})
	for i := range facts.Columns {
		old := d.column(facts.Columns[i].Column)
		h.columns = append(h.columns, &draftColumn{c: &facts.Columns[i], role: old.role, name: old.name})
	}
	for _, dep := range d.t.Determines {
		if h.column(dep.From) != nil && h.column(dep.To) != nil && dep.From != x.c.Column {
			facts.Determines = append(facts.Determines, dep)
		}
	}
	h.t = facts
	h.source.SQL = headerSQL(d, x, moved)
	d.columns = rest
	for _, e := range p.edges {
		if e.from == d && !slices.ContainsFunc(e.near, func(n string) bool { return !moved[n] }) {
			e.from, e.oneToOne = h, len(e.near) == 1 && h.t.Unique(h.column(e.near[0]).c)
		}
	}
	p.edges = append(p.edges, &edge{
		from: d, to: h, near: h.key, far: h.key, total: true, confidence: 1,
		basis: text.Say("semantic.basis_split", "owner", x.c.Column),
	})
	p.drafts = append(p.drafts, h)
	p.renameLines(d, h)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// headerSQL reads one row per value of the key. any_value is exact: all rows of a group agree.
func headerSQL(d *draft, x *draftColumn, moved map[string]bool) string {
	columns := []string{quoteIdent(x.c.Column)}
	for _, c := range d.columns {
		if moved[c.c.Column] {
			columns = append(columns, "any_value("+quoteIdent(c.c.Column)+") AS "+quoteIdent(c.c.Column))
		}
	}
	from := quoteIdent(d.t.Table)
	if d.source.SQL != "" {
		from = "(" + d.source.SQL + ") AS lines"
	}
	return "SELECT " + strings.Join(columns, ", ") + " FROM " + from + " GROUP BY " + quoteIdent(x.c.Column)
}

func quoteIdent(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// renameLines gives the name of the thing to the header when the table bears it: of a table "orders" that holds lines,
// the orders are the header and the rows are order lines.
func (p *proposal) renameLines(d, h *draft) {
	if !hasSuffix(h.words, d.words) && !hasSuffix(d.words, h.words) {
		return
	}
	if last := d.words[len(d.words)-1]; last == "line" || last == "item" || last == "detail" {
		return
	}
	h.synonyms = append(h.synonyms, d.plural(), d.singular())
	d.renamed = true
	d.words = append(slices.Clone(d.words), "line")
	d.raw = snake(camelWords(d.plural()))
}
