package interpret

import (
	"slices"
	"strings"
)

// readValues reads members of dimensions as conditions: "in Germany", "for Beverages", "excluding France and Spain".
// Values of one dimension beside each other are alternatives, values of different dimensions hold together.
func readValues(d *draft) {
	for i := range d.pieces {
		if len(d.values(i)) == 0 || d.pieces[i].names[0].value == nil && len(d.metrics(i)) > 0 {
			continue
		}
		if d.asksThem(i) {
			continue
		}
		f := filter{slot: slot{piece: i, options: d.values(i), near: d.neighbor(i)}, named: -1, op: "eq"}
		if f.near == nil {
			f.near = d.beside(i + 1)
		}
		f.acts = d.acts(i)
		d.qualified(&f, i)
		d.actedOn(&f, i)
		d.kindBefore(&f, i)
		f.split = d.splitBefore(i)
		if d.is(i-1, groupPiece) && d.free(i-1) && !d.properName(i) && !d.ix.english.isVerb(d.tokens[max(0, d.pieces[i-1].from-1)]) {
			d.doubt = doubtBy // "sales by sales representative" asks for a split, not for one of them
		}
		if j := d.negation(i); j >= 0 {
			f.op = "ne"
			d.take(j, "filter", "not")
		}
		f.values = append(f.values, d.valuePiece(i))
		d.take(i, "value", f.options[0].name())
		for at := i; ; {
			j := at + 1
			for d.is(j, gluePiece, "and", "or") { // "Germany, France, and Spain"
				j++
			}
			joined := j > at+1
			for d.is(j, gluePiece, "in") {
				j++
			}
			shared := d.shared(f.options, j)
			if !joined || len(shared) == 0 || d.inOtherRoles(at, j) {
				break
			}
			f.options = shared
			f.values = append(f.values, d.valuePiece(j))
			d.take(j, "value", d.pieces[j].names[0].name())
			at = j
		}
		d.kindBehind(&f)
		d.labelBefore(&f, i)
		if !d.saidAlready(f) {
			d.filters = append(d.filters, f)
		}
	}
}

// qualified lets a value directly before an entity be about its members, like an adjective: "in a male ward".
func (d *draft) qualified(f *filter, i int) {
	e := d.beside(i + 1)
	if e == nil || slices.Contains(d.did, i+1) || d.pieces[i].to != d.pieces[i+1].from || d.pieces[i].to-d.pieces[i].from > 1 {
		return
	}
	if at := d.pieces[i].from; at > 0 && d.is(i-1, gluePiece, "in") && d.pieces[i-1].to == at && d.tokens[at].capital {
		return // "customers in Germany order" does not speak of German orders
	}
	var own []target
	for _, o := range f.options {
		if o.entity == e {
			own = append(own, o)
		}
	}
	coded := slices.ContainsFunc(own, func(t target) bool { // a kind that is written in the rows themselves: "the Tools kind"
		return slices.ContainsFunc(f.options, func(o target) bool { return d.ix.pointsAt(o, t) })
	})
	if len(own) > 0 && !coded {
		f.options, f.near = own, e
	}
}

// acts says whether a value does something to the members that are named before it: "which states does the Ohio cross", "the
// states through which the Ohio runs".
func (d *draft) acts(i int) bool {
	at := d.pieces[i].from - 1
	for at > 0 && slices.Contains([]string{"the", "a", "an"}, d.tokens[at].norm) {
		at--
	}
	if at < 1 || !slices.Contains([]string{"do", "does", "did", "which", "that", "whom", "whose"}, d.tokens[at].norm) {
		return false
	}
	j := i - 1
	for j >= 0 && (d.pieces[j].to > at || d.is(j, gluePiece, "in", "with")) {
		j--
	}
	if d.beside(j) == nil || d.is(i+1, gluePiece, "is") {
		return false
	}
	after := d.pieces[i].to
	return after < len(d.tokens) && d.tokens[after].kind == wordToken
}

// saidAlready says whether a condition says again what another one says: "female students (sex is F)".
func (d *draft) saidAlready(f filter) bool {
	if f.op != "eq" || len(f.values) != 1 {
		return false
	}
	for k := range d.filters {
		o := &d.filters[k]
		if o.op != "eq" || len(o.values) != 1 || d.part(o.piece) != d.part(f.piece) {
			continue
		}
		var same []target
		for _, t := range o.options {
			if t.value != nil && slices.ContainsFunc(f.options, func(n target) bool { return n.dim == t.dim && n.entity == t.entity && *n.value == *t.value }) {
				same = append(same, t)
			}
		}
		if len(same) > 0 {
			o.options = same
			return true
		}
	}
	return false
}

// kindBefore lets the kind of thing before its name say what is called so: "the city of Lyon", "rivers called Kama".
func (d *draft) kindBefore(f *filter, i int) {
	at := d.pieces[i].from
	if at == 0 {
		return
	}
	j, called := i-1, introducesName(d.tokens[at-1].norm)
	for called && d.is(j, gluePiece) { // "rivers that are called Kama"
		j--
	}
	if !called {
		if !d.is(j, gluePiece) || d.tokens[at-1].norm != "of" || j < 1 || d.plural(j-1) {
			return
		}
		j--
	}
	e := d.beside(j)
	if e == nil {
		return
	}
	var meant []target
	for _, o := range f.options {
		if o.entity == e && slices.Contains(d.ix.nameColumns(e), o.dim.Name) {
			o.named = true
			meant = append(meant, o)
		}
	}
	if len(meant) > 0 {
		f.options = meant
	}
}

// kindBehind lets the name of the dimension behind its value say which one is meant: "Seafood category", "Berlin city".
func (d *draft) kindBehind(f *filter) {
	j := f.last(d) + 1
	for d.asksCount() && (d.is(j, gluePiece, "is") || d.is(j, stopPiece)) { // "how many times was Seafood listed as the category"
		j++
	}
	var meant []target
	for _, o := range f.options {
		if slices.ContainsFunc(d.dimensions(j), func(t target) bool { return t.dim == o.dim && t.entity == o.entity }) {
			meant = append(meant, o)
		}
	}
	if len(meant) > 0 && !d.is(j+1, comparePiece) {
		f.options = meant
		d.take(j, "dimension", dimensionName(meant[0]))
	}
}

// labelBefore lets the name of the dimension before its values say which one is meant: "in the states of Ohio and Utah".
func (d *draft) labelBefore(f *filter, i int) {
	if len(f.values) < 2 || !d.is(i-1, gluePiece, "in") || d.tokens[d.pieces[i-1].to-1].norm != "of" || !d.is(i-3, gluePiece, "in") {
		return
	}
	var meant []target
	for _, o := range f.options {
		if slices.ContainsFunc(d.dimensions(i-2), func(t target) bool { return t.dim == o.dim && t.entity == o.entity }) {
			meant = append(meant, o)
		}
	}
	if len(meant) > 0 {
		f.options = meant
		d.take(i-2, "dimension", dimensionName(meant[0]))
	}
}

// last gives the piece of the last value of a filter.
func (f filter) last(d *draft) int {
	at := f.piece
	for i, p := range d.pieces {
		for _, v := range f.values {
			if v.from == p.from {
				at = max(at, i)
			}
		}
	}
	return at
}

// splitBefore gives the grouping that a value stands behind, as in "by country excluding USA"; nil when there is none.
func (d *draft) splitBefore(i int) *slot {
	j := i - 1
	for d.is(j, gluePiece, "in", "is") || d.is(j, notPiece) {
		j--
	}
	for _, g := range d.groups {
		if g.piece == j && g.grain == "" {
			return &g
		}
	}
	return nil
}

// actedOn lets a verb say which of several dimensions is meant: "shipped to Germany" is about the ship country.
func (d *draft) actedOn(f *filter, i int) {
	j := i - 1
	for d.is(j, gluePiece, "in", "is", "with") {
		j--
	}
	if j < 0 || f.acts || j < i-1 && d.tokens[d.pieces[i-1].from].norm == "of" {
		return // "states" in "which states does the Ohio cross" is no verb, nor is "capital" in "the capital of Luxembourg"
	}
	verb := verbStem(d.tokens[d.pieces[j].to-1].norm)
	stem := func(t target) string { return verbStem(words(t.dim.Name)[0]) }
	var meant []target
	for _, o := range f.options {
		if stem(o) == verb && !d.ix.ownName(o.entity, o.dim) {
			meant = append(meant, o)
		}
	}
	if len(meant) > 0 {
		f.options = meant
		if d.free(j) && d.pieces[j].has(func(t target) bool { return t.verb }) {
			d.take(j, "dimension", dimensionName(meant[0]))
		}
		return
	}
	d.actsBehind(f, i)
}

// actsBehind lets a verb behind a value say as what it is meant: "did Ines win" is about the winner. Only a verb of the dimension's own name
// does.
func (d *draft) actsBehind(f *filter, i int) {
	j := i + 1
	if !d.is(j, unknownPiece) || !d.free(j) {
		return
	}
	verb := verbStem(d.tokens[d.pieces[j].from].norm)
	var meant []target
	for _, o := range f.options {
		if slices.ContainsFunc(words(o.dim.Name), func(w string) bool { return w != verb[1:] && slices.Contains(actorStems(w), verb) }) {
			meant = append(meant, o)
		}
	}
	if len(meant) > 0 {
		f.options = meant
		d.take(j, "dimension", dimensionName(meant[0]))
	}
}

// actorStems gives the stems of the verbs that a noun for who does something may come from: winner, win; writer, write.
func actorStems(noun string) []string {
	base, ok := strings.CutSuffix(noun, "er")
	if !ok {
		if base, ok = strings.CutSuffix(noun, "or"); !ok {
			return nil
		}
	}
	stems := []string{verbStem(base), verbStem(base + "e")}
	if n := len(base); n > 2 && base[n-1] == base[n-2] {
		stems = append(stems, verbStem(base[:n-1]))
	}
	return stems
}

// properName says whether a piece is written as a name: with a capital letter or in quotation marks.
func (d *draft) properName(i int) bool {
	t := d.tokens[d.pieces[i].from]
	return t.capital || t.kind == quotedToken
}

// valuePiece is the piece with its meanings as values alone.
func (d *draft) valuePiece(i int) *piece {
	p := *d.pieces[i]
	p.names = d.values(i)
	return &p
}

// shared gives the options whose dimension also has the value of piece i.
func (d *draft) shared(options []target, i int) []target {
	var out []target
	for _, o := range options {
		if slices.ContainsFunc(d.values(i), func(t target) bool { return t.dim == o.dim && t.entity == o.entity }) {
			out = append(out, o)
		}
	}
	return out
}

// asksThem says whether a value that is said in the plural is asked for and no condition: "what are the grey heads of the provinces".
func (d *draft) asksThem(i int) bool {
	t := d.pieces[i].names[0]
	for j := range i {
		if !d.is(j, listPiece) && !d.is(j, gluePiece) && !d.is(j, stopPiece) {
			return false
		}
	}
	if t.value == nil || !d.is(i+1, gluePiece) || d.tokens[d.pieces[i+1].from].norm != "of" || d.beside(i+2) == nil {
		return false
	}
	said := d.tokens[d.pieces[i].to-1]
	return said.norm != said.lemma && !strings.HasSuffix(fold(*t.value), said.norm)
}
