package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// readExplicit reads conditions that name their dimension: "where country is Germany", "country = Germany", "category
// Beverages", "customers named Chai", "order 10248".
func readExplicit(d *draft) {
	for i := range d.pieces {
		dims := d.names(i, func(t target) bool { return isDimension(t) || isEntity(t) })
		if len(dims) == 0 {
			continue
		}
		for _, t := range d.ownNamed(i) {
			if !slices.ContainsFunc(dims, func(o target) bool { return o.dim == t.dim && o.entity == t.entity }) {
				dims = append(dims, t)
			}
		}
		about, called := d.calledBy(i)
		if len(called) > 0 {
			dims = called
		}
		j, negated, linked := i+1, false, false
		for {
			switch {
			case d.is(j, gluePiece, "is"), d.is(j, comparePiece, "eq"):
				linked = true
			case d.is(j, notPiece), d.is(j, comparePiece, "ne"):
				negated, linked = true, true
			case d.is(j, gluePiece, "in") && linked, d.is(j, gluePiece, "in") && d.introduced(i) && len(d.entities(i)) == 0:
				linked = true
			case d.is(j, gluePiece, "in") && j == i+1 && d.kindOf(i, j):
			case d.is(j, gluePiece, "or") && d.is(j+1, numberPiece) && d.tokens[d.pieces[j].from].norm == "either":
				linked = true
			default:
				goto operands
			}
			j++
		}
	operands:
		if !linked && j == i+1 && j < len(d.pieces) && slices.ContainsFunc(d.gap(i, j), func(t token) bool {
			return d.ix.english.isVerb(t) || slices.Contains([]string{"do", "does", "did"}, t.norm)
		}) {
			continue // "which states does the Ohio cross" says nothing about what a state is called
		}
		if d.is(i-1, groupPiece) {
			continue // "by country excluding USA" splits by country; the condition behind it is read as a value
		}
		denied := d.negation(i) // "not in the state of Ohio"
		if negated {
			denied = -1
		}
		if !d.explicit(i, j, dims, negated || denied >= 0, linked) {
			continue
		}
		if denied >= 0 {
			d.take(denied, "filter", "not")
		}
		if len(called) > 0 {
			d.takeMentioned(about, called[0])
		}
	}
}

// introduced says whether "where" stands before a piece: only then does "country in" introduce values of the country.
func (d *draft) introduced(i int) bool { return d.is(i-1, gluePiece, "with") }

// kindOf says whether "of" stands between a dimension and a value of it: "the city of Berlin".
func (d *draft) kindOf(i, of int) bool {
	if d.tokens[d.pieces[of].from].norm != "of" || len(d.entities(i)) > 0 || d.plural(i) {
		return false
	}
	is := func(v target) bool {
		return slices.ContainsFunc(d.dimensions(i), func(t target) bool { return t.dim == v.dim && t.entity == v.entity })
	}
	vs := d.values(of + 1)
	if d.is(i-1, listPiece) && slices.ContainsFunc(vs, func(v target) bool { return !is(v) }) {
		return false // "what is the capital of Luxembourg" asks for the capital of a country that is called as its capital is
	}
	return slices.ContainsFunc(vs, is)
}

// explicit takes the values behind a named dimension, as far as they are values of it, and says whether there are any.
func (d *draft) explicit(i, j int, dims []target, negated, linked bool) bool {
	named := dims
	if len(d.entities(i)) > 0 && linked && d.whose(i) == nil && d.is(i+1, gluePiece, "is") && !introducesName(d.tokens[d.pieces[i+1].from].norm) {
		named = d.names(i, isDimension) // "customers are in Germany" says nothing about a customer's name
	}
	allowed := func(t target) bool {
		for _, n := range named {
			if n.dim == t.dim && n.entity == t.entity || isEntity(n) && n.entity == t.entity && (d.shows(t) || linked && d.identifies(t)) {
				return true
			}
		}
		return false
	}
	var taken []*piece
	var options []target
	at := j
	for {
		ts := d.names(at, func(t target) bool { return isValue(t) && allowed(t) })
		if len(ts) == 0 {
			break
		}
		p := *d.pieces[at]
		p.names = ts
		taken = append(taken, &p)
		if len(options) == 0 {
			options = ts
		}
		d.take(at, "value", ts[0].name())
		at++
		if !d.is(at, gluePiece, "and", "or") || len(d.names(at+1, func(t target) bool { return isValue(t) && allowed(t) })) == 0 {
			break
		}
		at++
	}
	f := filter{op: "eq", named: i, values: taken}
	if negated {
		f.op = "ne"
	}
	if len(taken) == 0 {
		if f.texts, options = d.explicitLiteral(i, j, dims, linked); len(options) == 0 {
			return false
		}
	}
	for k := range options {
		options[k].named = true
	}
	if n := d.negation(i); n >= 0 && j == i+1 { // "not in country Peru"
		f.op = "ne"
		d.take(n, "filter", "not")
	}
	options = d.ownOf(i, options)
	f.slot = slot{piece: j, options: options}
	d.filters = append(d.filters, f)
	for k := i + 1; k < j; k++ {
		d.take(k, connects, "")
	}
	if es := d.entities(i); len(es) > 0 && es[0].score >= dims[0].score {
		named := *d.pieces[i]
		named.names = es
		d.pieces[i] = &named // an entity with a name behind it may still be the subject ("customer Alfreds"), but is no number
		return true
	}
	d.take(i, "dimension", options[0].entity.Name+"."+options[0].dim.Name)
	return true
}

// explicitLiteral takes a text or a number behind a named dimension that is no value known of it, and gives the dimensions that it
// may be of; none: it is of none of them.
func (d *draft) explicitLiteral(i, j int, dims []target, linked bool) (texts []frameql.Value, options []target) {
	v, kind, ok := d.literalOperand(j, linked)
	if !ok {
		return nil, nil
	}
	for _, n := range dims {
		if kind == frameql.String && isDimension(n) && n.dim.Type == semantic.Text && !d.ix.values.complete(n.dim) && linked {
			options = append(options, n)
		}
		if kind == frameql.Number && isDimension(n) && n.dim.Type.Numeric() && (linked || d.numbersIt(i, j)) {
			options = append(options, n)
		}
		if kind == frameql.Number && isEntity(n) && len(n.entity.Key) == 1 {
			if key := n.entity.Dimension(n.entity.Key[0]); key != nil && key.Type.Numeric() {
				options = append(options, target{entity: n.entity, dim: key, score: n.score})
			}
		}
	}
	if len(options) == 0 {
		return nil, nil
	}
	d.take(j, "value", v.Text)
	texts = []frameql.Value{v}
	if kind == frameql.Number && len(d.entities(i)) == 0 && !isYear(options[0].dim) {
		texts = append(texts, d.furtherNumbers(j)...)
	}
	return texts, options
}

// numbersIt says whether a number stands directly behind the name of a dimension and counts nothing: "with major 600",
// "students of age 20", but not "the top salary 5 employees have" or "aged 20 to 25".
func (d *draft) numbersIt(i, j int) bool {
	if j != i+1 || d.plural(i) || d.is(i-1, aggregatePiece) || d.is(i-1, rankPiece) || d.is(i-1, groupPiece) {
		return false
	}
	if d.is(j+1, gluePiece, "or") && !d.is(j+2, gluePiece, "with") || d.is(j+1, gluePiece, "in", "and") && d.is(j+2, numberPiece) || d.is(j+2, comparePiece) || d.is(j+1, grainPiece) {
		return false // a range or a list of numbers says more than its first one
	}
	numeric := d.names(i, isNumeric)
	owner := d.beside(d.back(i - 1))
	for _, t := range numeric { // "a cat that is age 3": whose age, when people have one too?
		if owner == nil && t.dim.Name != numeric[0].dim.Name {
			return false
		}
	}
	return len(d.pieces) == j+1 || !d.plainCount(j+1)
}

// whose gives the entity that "whose" or "with" ties a named dimension to: "the student whose last name is Reed"; nil: none.
func (d *draft) whose(i int) *semantic.Entity {
	if !d.introduced(i) {
		return nil
	}
	return d.neighbor(i)
}

// literalOperand gives quoted text or a number that stands where a value is expected.
func (d *draft) literalOperand(j int, linked bool) (frameql.Value, frameql.ValueKind, bool) {
	switch {
	case d.free(j) && d.is(j, textPiece) && linked:
		return frameql.Value{Kind: frameql.String, Text: d.tokens[d.pieces[j].from].text}, frameql.String, true
	case d.free(j) && d.is(j, numberPiece) && !d.is(j+1, comparePiece):
		return frameql.Value{Kind: frameql.Number, Text: d.pieces[j].number}, frameql.Number, true
	}
	return frameql.Value{}, "", false
}

// furtherNumbers takes the numbers that "or" joins to the one at a piece: "whose age is 36 or 37", "5, 6 or 7".
func (d *draft) furtherNumbers(j int) (out []frameql.Value) {
	end := j
	for d.is(end+1, gluePiece, "or") || d.is(end+1, gluePiece, "and") && d.tokens[d.pieces[end+1].from].norm == "," {
		next := end + 2
		for d.is(next, gluePiece, "or") { // ", or"
			next++
		}
		if !d.free(next) || !d.is(next, numberPiece) || d.is(next+1, comparePiece) || next+1 < len(d.pieces) && d.comparable(next+1) != nil {
			break
		}
		end = next
	}
	if end == j || !slices.ContainsFunc(d.pieces[j:end], func(p *piece) bool { return p.kind == gluePiece && p.id == "or" }) {
		return nil
	}
	for k := j + 1; k <= end; k++ {
		if d.is(k, numberPiece) {
			out = append(out, frameql.Value{Kind: frameql.Number, Text: d.pieces[k].number})
			d.take(k, "value", d.pieces[k].number)
		} else {
			d.take(k, connects, "")
		}
	}
	return out
}

// identifies says whether a value is one that members of its entity are called by.
func (d *draft) identifies(t target) bool {
	return d.shows(t) || namedBy(d.ix.english, t.dim, "name")
}

// shows says whether a dimension is what members of its entity are shown by.
func (d *draft) shows(t target) bool { return slices.Contains(d.ix.display(t.entity), t.dim.Name) }

// introducesName says whether a word introduces a name: "called", "named".
func introducesName(w string) bool {
	switch w {
	case "named", "called", "titled", "known":
		return true
	}
	return false
}
