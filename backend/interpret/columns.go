package interpret

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// mostColumns is how many columns a list shows of an entity whose members have no name.
const mostColumns = 6

// telling gives the attributes that tell nameless members apart for a person: the default time, amounts, then whatever is
// no key, in the order of the model. Nothing personal is among them.
func (ix *Index) telling(e *semantic.Entity) []string {
	var out []string
	add := func(d *semantic.Dimension) {
		if d != nil && d.PII == "" && !d.IsRowPlace() && !slices.Contains(e.Key, d.Name) && !slices.Contains(out, d.Name) && !ix.linksAway(e, d) && len(e.Key)+len(out) < mostColumns {
			out = append(out, d.Name)
		}
	}
	add(e.Dimension(e.DefaultTime))
	for i := range e.Dimensions {
		if e.Dimensions[i].Measure {
			add(&e.Dimensions[i])
		}
	}
	for i := range e.Dimensions {
		add(&e.Dimensions[i])
	}
	return out
}

// WholeMembers gives an index whose lists show all that is known of each member where the question asks for no attribute;
// without it they show what the member is called by.
func (ix *Index) WholeMembers() *Index {
	out := *ix
	out.whole = true
	return &out
}

// unasked gives the attributes that a list shows when none was asked for. Nothing personal is among them.
func (ix *Index) unasked(e *semantic.Entity) []string {
	if !ix.whole {
		if e.Display == "" {
			return ix.telling(e)
		}
		return nil
	}
	out := slices.Clone(e.Key)
	for _, d := range e.Dimensions {
		if d.PII == "" && !d.IsRowPlace() && !slices.Contains(out, d.Name) {
			out = append(out, d.Name)
		}
	}
	return out
}

// showsAll says whether a list shows all that is known of its members.
func (ix *Index) showsAll(q *frameql.Query, e *semantic.Entity) bool {
	c := composer{query: q}
	return len(q.At.Dims) == 1 && q.At.Dims[0].Name == e.Name && !slices.ContainsFunc(ix.unasked(e), func(name string) bool { return !c.selects(e.Name + "." + name) })
}

// ofAnother says whether the bare word "date" was bound to a date of another thing, where the members have dates of their own:
// which of those is meant is not said.
func (d *draft) ofAnother(i int, t target, members *semantic.Entity) bool {
	if i < 0 || t.entity == members || d.pieces[i].to > d.pieces[i].from+1 || d.tokens[d.pieces[i].from].lemma != "date" {
		return false
	}
	return slices.ContainsFunc(members.Dimensions, func(o semantic.Dimension) bool { return o.Type.Temporal() })
}

// spellNames shows the parts of a computed full name beside it where the full name is asked for.
func (c *composer) spellNames() {
	asked := slices.ContainsFunc(c.draft.pieces, func(p *piece) bool {
		return p.kind == namePiece && c.draft.tokens[p.from].lemma == "full" && c.draft.tokens[p.to-1].lemma == "name"
	})
	if !asked || c.query.At == nil {
		return
	}
	for k := 0; k < len(c.query.Select); k++ {
		if c.query.Select[k].Dim == nil {
			continue
		}
		owner, name, _ := cutName(c.query.Select[k].Dim.Name)
		e := c.draft.ix.entities[owner]
		if e == nil || name != "full_name" {
			continue
		}
		dim := e.Dimension(name)
		for _, part := range strings.FieldsFunc(dim.Expr, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if full := e.Name + "." + part; e.Dimension(part) != nil && !c.selects(full) {
				k++
				c.query.Select = slices.Insert(c.query.Select, k, frameql.Item{Dim: &frameql.Dim{Name: full}})
			}
		}
	}
}

// asksAll says whether all that is known of members is asked for: "all information on the port with the most calls".
func (d *draft) asksAll() bool {
	for i, t := range d.tokens {
		if (t.lemma == "information" || t.lemma == "info" || t.lemma == "detail" || t.lemma == "data") && i > 0 && i+1 < len(d.tokens) {
			before, after := d.tokens[i-1].norm, d.tokens[i+1].norm
			if (before == "all" || before == "the" && i > 1 && d.tokens[i-2].norm == "all" || before == "full" || before == "complete") && (after == "about" || after == "on" || after == "of" || after == "for") {
				return true
			}
		}
	}
	return false
}

// linksAway says whether a dimension only points at another entity.
func (ix *Index) linksAway(e *semantic.Entity, d *semantic.Dimension) bool {
	for _, j := range ix.model.Joins {
		if !j.ToOne() {
			continue
		}
		for _, pair := range j.On {
			if j.From == e.Name && (pair.From == d.Name || d.Column != "" && pair.From == d.Column) {
				return true
			}
		}
	}
	return false
}

// show adds the columns that a list shows without being asked: what nameless members are told apart by, the numbers that
// a condition is on, and the time that was named.
func (c *composer) show(subject target, add func(name string)) {
	d := c.draft
	attributes := len(d.columns)
	if d.top != nil && d.top.attribute {
		attributes--
	}
	if attributes == 0 && !d.distinct() {
		for _, name := range d.ix.unasked(subject.entity) {
			add(subject.owner() + "." + name)
		}
	}
	for _, f := range d.filters {
		if t, ok := c.pick(f.slot); ok && t.dim != nil && t.dim.Type.Numeric() && f.op != "eq" && c.lead.member == nil && (len(f.texts) > 0 || !f.bound.empty()) && !c.apart(f) {
			add(dimensionName(t))
		}
	}
	if len(d.on) > 0 && d.period != nil {
		add(c.timeDimension())
	}
}

// distinct says whether the question asks for different members.
func (d *draft) distinct() bool {
	return slices.ContainsFunc(d.pieces, func(p *piece) bool { return p.kind == aggregatePiece && p.id == "distinct" })
}

// yearFilter writes a period over rows without a date as a condition on their year: "in 2014" on a column of years.
// nil when the period is not made of whole years or the rows have no year.
func (c *composer) yearFilter(p period) *frameql.Pred {
	whole := func(first bool, month, day int) bool { return first || month == 1 && day == 1 }
	if !whole(p.From.IsZero(), int(p.From.Month()), p.From.Day()) || !whole(p.To.IsZero(), int(p.To.Month()), p.To.Day()) || p.From.IsZero() && p.To.IsZero() {
		return nil
	}
	name, dim := c.draft.yearOf(c.lead.rows)
	if dim == nil {
		return nil
	}
	value := func(year int) *frameql.Value {
		v := literalOf(dim, strconv.Itoa(year))
		return &v
	}
	out := &frameql.Pred{Dim: name}
	switch {
	case p.To.IsZero():
		out.Op, out.Val = "ge", value(p.From.Year())
	case p.From.IsZero():
		out.Op, out.Val = "lt", value(p.To.Year())
	case p.To.Year() == p.From.Year()+1:
		out.Op, out.Val = "eq", value(p.From.Year())
	case dim.Type.Numeric():
		out.Op, out.Vals = "between", []frameql.Value{*value(p.From.Year()), *value(p.To.Year() - 1)}
	default:
		return nil
	}
	return out
}

// yearOf gives the dimension that holds the year of an entity's rows as a number: its own first, else the only nearest one
// among those that it reaches.
func (ix *Index) yearOf(rows *semantic.Entity) (string, *semantic.Dimension) {
	var found *semantic.Dimension
	name, nearest, tie := "", 0, false
	for i := range ix.model.Entities {
		e := &ix.model.Entities[i]
		hops, ok := ix.paths.distance(rows.Name, e.Name)
		if !ok {
			continue
		}
		for j := range e.Dimensions {
			d := &e.Dimensions[j]
			ws := words(d.Name)
			season := ix.rowPlace() != nil && d.Name == "season" && d.Type == semantic.Integer
			if ws[len(ws)-1] != "year" && !season || !d.Type.Numeric() && d.Type != semantic.Text {
				continue
			}
			plain := found != nil && hops == nearest && ix.rowPlace() != nil
			switch {
			case found == nil || hops < nearest, plain && d.Name == "year":
				name, found, nearest, tie = e.Name+"."+d.Name, d, hops, false
			case plain && found.Name == "year": // "the best player of the year" beside the year itself
			case hops == nearest:
				tie = true
			}
		}
	}
	if tie {
		return "", nil
	}
	return name, found
}
