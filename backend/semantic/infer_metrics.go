package semantic

import (
	"slices"
	"strings"

	"assay/backend/text"
)

// metricDraft is a metric before its name is known to be free.
type metricDraft struct {
	Metric
	owner  *draft
	prefix string // "average" of average_freight: stands before the owner's noun when the name must be qualified
	stem   string // the rest of the name
	thing  string // the words of the stem, for the label
}

// proposeMetrics counts the rows of every entity, adds up amounts, averages amounts and rates, and computes what a line
// is worth where a table has quantities and prices.
func (p *proposal) proposeMetrics() []Metric {
	var all []metricDraft
	for _, d := range p.drafts {
		if len(d.key) > 0 || d.t.Rows > 0 {
			all = append(all, p.rowCount(d))
		}
		value, valueColumn := p.lineValue(d)
		if value != nil {
			all = append(all, *value)
		}
		for _, c := range d.columns {
			if c.role.Measure() {
				all = append(all, p.measureMetrics(d, c, c.c.Column == valueColumn)...)
			} else if m, ok := p.thingCount(d, c); ok {
				all = append(all, m)
			}
		}
	}
	return p.nameMetrics(all)
}

func (p *proposal) rowCount(d *draft) metricDraft {
	return metricDraft{owner: d, stem: snake(camelWords(d.singular())) + "_count", Metric: Metric{
		Label: text.Say("semantic.label_count", "things", d.plural()), Entity: d.name, Kind: Leaf, Expr: "*", Reducer: Count,
		Synonyms: synonymsFor(countSynonyms(d), ""), Inferred: true, Basis: text.Say("semantic.basis_rows", "table", d.name),
	}}
}

func countSynonyms(d *draft) []string {
	words := []string{text.Say("semantic.synonym_thing_count", "thing", d.singular()), text.Say("semantic.synonym_count_of", "things", d.plural())}
	for _, s := range d.synonyms {
		if s == Singular(s) {
			continue
		}
		words = append(words, text.Say("semantic.label_count", "things", s))
	}
	return words
}

// thingCount counts the different values of an identifier of things that have no table.
func (p *proposal) thingCount(d *draft, c *draftColumn) (metricDraft, bool) {
	noun := referenceNoun(c.c.Column)
	if !headerKey(&draftColumn{c: &ColumnFacts{Column: c.c.Column}, role: c.role}) || slices.Contains(d.key, c.c.Column) || c.c.Distinct == 0 || d.t.Unique(c.c) {
		return metricDraft{}, false
	}
	for _, e := range p.edges {
		if e.from == d && slices.Contains(e.near, c.c.Column) {
			return metricDraft{}, false
		}
	}
	if slices.ContainsFunc(p.drafts, func(o *draft) bool { return hasSuffix(o.words, noun) }) {
		return metricDraft{}, false
	}
	thing := strings.Join(noun, " ")
	return metricDraft{owner: d, stem: snake(noun) + "_count", Metric: Metric{
		Label: text.Say("semantic.label_count", "things", Plural(thing)), Entity: d.name, Kind: Leaf, Expr: quoteName(c.name),
		Reducer: CountDistinct, Synonyms: []string{text.Say("semantic.synonym_thing_count", "thing", thing)}, Inferred: true,
		Basis: text.Say("semantic.basis_distinct", "column", c.c.Column),
	}}, true
}

// measureMetrics adds up (unless the column is already the line value, or has no sum) and averages a column.
func (p *proposal) measureMetrics(d *draft, c *draftColumn, isLineValue bool) []metricDraft {
	dim := p.dimension(c)
	thing := lowerFirst(dim.Label)
	base := Metric{Entity: d.name, Kind: Leaf, Expr: quoteName(c.name), Unit: dim.Unit, Inferred: true}
	var out []metricDraft
	if !dim.NonAdditive && !isLineValue {
		m := base
		m.Reducer, m.Label, m.Basis = Sum, dim.Label, text.Say("semantic.basis_sum", "column", c.c.Column)
		m.Synonyms = dim.Synonyms
		if !strings.Contains(thing, "total") {
			m.Synonyms = append(slices.Clone(m.Synonyms), text.Say("semantic.label_total", "thing", thing))
		}
		if d.t.paidPrice(c.c) && d.words[len(d.words)-1] == "sale" {
			m.Synonyms = append(slices.Clone(m.Synonyms), strings.Split(text.Say("semantic.synonyms_sold"), ", ")...)
		}
		d.proposeSnapshot(&m, c)
		out = append(out, metricDraft{Metric: m, owner: d, stem: c.name, thing: thing})
	}
	m := base
	m.Reducer, m.Label = Avg, text.Say("semantic.label_average", "thing", thing)
	m.Synonyms = []string{text.Say("semantic.synonym_mean", "thing", thing)}
	m.Basis = text.Say("semantic.basis_average", "column", c.c.Column)
	if c.basis != "" {
		m.Basis = c.basis
	}
	return append(out, metricDraft{Metric: m, owner: d, prefix: "average_", stem: c.name, thing: thing})
}

// lineValue proposes what a line is worth: the column that holds quantity times price where one was found to, else the
// product itself. column is the one that it took, empty for none.
func (p *proposal) lineValue(d *draft) (value *metricDraft, column string) {
	var formula *LineTotal
	candidates := len(LineTotalCandidates(d.t))
	for i := range d.t.LineTotals {
		l := &d.t.LineTotals[i]
		switch {
		case d.column(l.Quantity) == nil || d.column(l.Price) == nil || l.Discount != "" && d.column(l.Discount) == nil:
		case l.Total != "" && d.column(l.Total) != nil && (formula == nil || l.Holds > formula.Holds):
			formula = l
		case l.Total == "" && formula == nil && candidates == 1 && (!l.Percent || slices.Contains(wordsOf(d.column(l.Discount).c), "percent")):
			formula = l
		}
	}
	if formula == nil {
		return nil, ""
	}
	name := "revenue"
	if slices.ContainsFunc(append(slices.Clone(d.words), expanded(d.t.Table)...), func(w string) bool { return purchaseWords[w] }) {
		name = "purchase_amount"
	}
	m := Metric{Label: labelOf(name), Entity: d.name, Kind: Leaf, Reducer: Sum, Unit: p.settings.Currency, Inferred: true}
	if name == "revenue" {
		m.Synonyms = strings.Split(text.Say("semantic.synonyms_revenue"), ", ")
	}
	product := lineFormula(d, formula)
	if formula.Total == "" {
		m.Expr, m.Basis = product, text.Say("semantic.basis_product", "formula", product)
		return &metricDraft{Metric: m, owner: d, stem: name, thing: lowerFirst(m.Label)}, ""
	}
	c := d.column(formula.Total)
	dim := p.dimension(c)
	m.Expr, m.Basis = quoteName(c.name), text.Say("semantic.basis_line_total", "column", formula.Total, "formula", product)
	if words := wordsOf(c.c); slices.Contains(words, "revenue") || slices.Contains(words, "sales") {
		m.Synonyms = synonymsFor(append(m.Synonyms, "revenue"), dim.Label)
		m.Label, name = dim.Label, c.name
	} else {
		m.Synonyms = append(m.Synonyms, lowerFirst(dim.Label), text.Say("semantic.label_total", "thing", lowerFirst(dim.Label)))
	}
	return &metricDraft{Metric: m, owner: d, stem: name, thing: lowerFirst(m.Label)}, formula.Total
}

var purchaseWords = set("purchase purchases procurement vendor supplier buying")

func lineFormula(d *draft, l *LineTotal) string {
	s := quoteName(d.column(l.Price).name) + " * " + quoteName(d.column(l.Quantity).name)
	if l.Discount == "" {
		return s
	}
	c := d.column(l.Discount)
	discount := quoteName(c.name)
	if c.c.Nulls > 0 {
		discount = "coalesce(" + discount + ", 0)"
	}
	if l.Percent {
		discount += " / 100"
	}
	return s + " * (1 - " + discount + ")"
}

// nameMetrics gives every metric a name of its own. Where two entities have a measure of the same name, both names say
// whose it is.
func (p *proposal) nameMetrics(all []metricDraft) []Metric {
	uses := map[string]int{}
	for _, m := range all {
		uses[strings.ToLower(m.prefix+m.stem)]++
	}
	taken := map[string]bool{}
	for _, d := range p.drafts {
		taken[strings.ToLower(d.name)] = true
	}
	var out []Metric
	for _, m := range all {
		name := m.prefix + m.stem
		if uses[strings.ToLower(name)] > 1 && m.thing != "" {
			noun, short := m.owner.singular(), lowerFirst(m.Label)
			name = m.prefix + snake(camelWords(noun)) + "_" + m.stem
			thing := noun + " " + m.thing
			switch {
			case m.prefix != "":
				m.Label = text.Say("semantic.label_average", "thing", thing)
			default:
				m.Label = sentenceCase(strings.Fields(noun)) + " " + m.thing
			}
			m.Synonyms = []string{short} // both answer to it: whoever asks so is asked back
		} else if taken[strings.ToLower(name)] {
			name = "total_" + name
		}
		m.Name = unique(name, taken)
		out = append(out, m.Metric)
	}
	return out
}

func lowerFirst(label string) string {
	first, rest, _ := strings.Cut(label, " ")
	if strings.ToUpper(first) != first || len(first) == 1 {
		first = strings.ToLower(first)
	}
	if rest == "" {
		return first
	}
	return first + " " + rest
}
