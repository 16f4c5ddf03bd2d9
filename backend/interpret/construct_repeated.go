package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// finishRepeated takes what nobody used and what says only again what the rest of the question says: whose attribute is
// shown ("the names of the teams they play in"), what sort of thing a value is ("Lyon city"), the name by which members
// are shown anyway, the number that is counted already.
func (d *draft) finishRepeated() {
	for i := range d.pieces {
		if d.unread(i) && (d.repeatsOwner(i) || d.repeatsVerb(i) || d.repeatsRows(i) || d.repeatsSort(i) || d.repeatsPart(i) || d.repeatsEnd(i) || d.repeatsName(i) || d.repeatsCount(i) || d.repeatsPeriod(i) || d.repeatsUnit(i) || d.repeatsYear(i)) {
			d.take(i, connects, "")
		}
	}
}

// repeatsYear says whether "year" only introduces the verb behind it that was read as one: "in the order of the years in which they were founded".
func (d *draft) repeatsYear(i int) bool {
	behind := i + 1
	for d.is(behind, gluePiece) || d.is(behind, stopPiece) || d.is(behind, listPiece) {
		behind++
	}
	p := d.pieces[i]
	return p.to == p.from+1 && d.tokens[p.from].lemma == "year" && behind > i+1 && d.is(behind, namePiece) && d.uses[behind].slot != "" && d.pieces[behind].has(isYearTarget)
}

// repeatsOwner says whether a piece only names whose attribute stands before it: "names of cities and names of the
// counties they are in". The attribute is then one of theirs.
func (d *draft) repeatsOwner(i int) bool {
	es := d.entities(i)
	if len(es) == 0 || !d.ofBetween(i-2, i) || d.is(i+1, gluePiece, "with") { // "of the account with the lowest ..." says which
		return false
	}
	for _, s := range d.attributeSlots(i - 2) {
		if own := keepTargets(s.options, func(t target) bool { return t.entity == es[0].entity }); len(own) > 0 {
			s.options = own
			return true
		}
	}
	return false
}

// ofBetween says whether nothing but "of" stands between two pieces.
func (d *draft) ofBetween(i, j int) bool {
	return i >= 0 && j == i+2 && d.is(i+1, gluePiece, "in") && d.tokens[d.pieces[i+1].from].norm == "of"
}

// attributeSlots gives the columns, splits and conditions that a piece was read as.
func (d *draft) attributeSlots(i int) []*slot {
	var out []*slot
	for _, list := range [][]slot{d.columns, d.shown, d.groups} {
		for k := range list {
			if list[k].piece == i && slices.ContainsFunc(list[k].options, isDimension) {
				out = append(out, &list[k])
			}
		}
	}
	return out
}

// repeatsRows says whether a piece names rows that a condition directly behind it is about, or rows that such a condition is
// met through anyway: "orders in status Open", "papers written by authors from the institute X" where each line of the
// papers' authors has one author and one institute.
func (d *draft) repeatsRows(i int) bool {
	es, host := d.entities(i), d.host()
	if d.subject == nil && len(d.measures) == 0 {
		return false // the different values of a column: of each of these rows, or of all?
	}
	if len(es) == 0 || host == nil || es[0].score < scoreFaint || !d.is(i+1, gluePiece) || d.is(i-1, listPiece) || d.is(i-1, aggregatePiece) || d.is(i-1, gluePiece, "and") {
		return false
	}
	e := es[0].entity
	behind := d.skipGlue(i + 1)
	if d.is(behind, namePiece) && len(d.pieceEntities(behind)) > 0 && d.uses[behind].slot == "entity" {
		behind++ // "from the institute X"
	}
	for k := range d.filters {
		f := &d.filters[k]
		if f.piece != behind && f.named != behind || d.clauseOf(f.piece) != d.clauseOf(i) {
			continue
		}
		if own := keepTargets(f.options, func(t target) bool { return t.entity == e }); len(own) > 0 {
			f.options = own
			return true
		}
		through := func(t target) bool {
			if t.entity == nil || d.ix.paths.reaches(host.Name, t.entity.Name) {
				return false
			}
			q := d.ix.spanning([]*semantic.Entity{host, t.entity})
			return q != nil && q != host && d.ix.paths.reaches(q.Name, e.Name)
		}
		if met := keepTargets(f.options, through); len(met) > 0 && len(met) == len(f.options) {
			return true
		}
	}
	return false
}

// repeatsSort says whether a word beside a value is a word of the name of its attribute: "Lyon city" of a home city, "the job
// of Clerk" of a job title. The value is then one of that attribute.
func (d *draft) repeatsSort(i int) bool {
	p := d.pieces[i]
	if p.to != p.from+1 || p.kind != unknownPiece && p.kind != namePiece || p.has(isValue) {
		return false
	}
	for k := range d.filters {
		f := &d.filters[k]
		if len(f.values) == 0 || f.named >= 0 || !(i == f.last(d)+1 || i == f.piece-1 && p.to == d.pieces[f.piece].from || i == f.piece-2 && d.ofBetween(i, f.piece)) {
			continue
		}
		if own := keepTargets(f.options, func(t target) bool { return t.dim != nil && d.inName(d.tokens[p.from].lemma, t) }); len(own) > 0 {
			f.options = own
			return true
		}
	}
	return false
}

// inName says whether a word is one of those that an attribute is called by, or one of them is short for it: "pos" for
// position.
func (d *draft) inName(word string, t target) bool {
	return slices.ContainsFunc(d.ix.english.singulars(words(t.dim.Name)), func(w string) bool {
		short := len(w) >= 3 && len(word) > len(w)+1 && strings.HasPrefix(word, w)
		return w == word || short || len(word) >= 6 && strings.HasPrefix(w, word) // French citizens by their citizenship
	})
}

// farthestPart is how many pieces away a word may stand from what it is a part of the name of.
const farthestPart = 3

// repeatsPart says whether a word that nothing is called by itself is a word of the name of something that is read nearby: "the
// length in feet" of length_feet, "states where at least 3 heads were born" of born_state. What was read is then just that.
func (d *draft) repeatsPart(i int) bool {
	p := d.pieces[i]
	t := d.tokens[p.from]
	if p.kind != unknownPiece || p.to != p.from+1 || t.kind != wordToken || len(t.lemma) < 3 {
		return false
	}
	for _, s := range d.slots() {
		if s.piece < 0 || max(i-s.piece, s.piece-i) > farthestPart || s.piece == i {
			continue
		}
		said := d.ix.english.singulars(lowered(d.tokens[d.pieces[s.piece].from:d.pieces[s.piece].to]))
		own := keepTargets(s.options, func(o target) bool {
			return slices.ContainsFunc(d.ix.english.singulars(nameWords(o)), func(w string) bool {
				return !slices.Contains(said, w) && (w == t.lemma || len(w) > 3 && verbStem(w) == verbStem(t.norm))
			})
		})
		if len(own) > 0 {
			s.options = own
			return true
		}
	}
	return false
}

// repeatsEnd says whether a word before "of" is the last one of the name of what stands behind it and is read as that: "the code of the
// ticket class that is most common" of a column ticket_class_code.
func (d *draft) repeatsEnd(i int) bool {
	p := d.pieces[i]
	if p.kind != namePiece || p.to != p.from+1 || !d.ofBetween(i, i+2) {
		return false
	}
	for _, s := range d.attributeSlots(i + 2) {
		own := keepTargets(s.options, func(o target) bool {
			ws := d.ix.english.singulars(nameWords(o))
			return isDimension(o) && len(ws) > 1 && ws[len(ws)-1] == d.tokens[p.from].lemma
		})
		if len(own) > 0 {
			s.options = own
			return true
		}
	}
	return false
}

// nameWords gives the words of the name of a meaning, without those of whose it is.
func nameWords(t target) []string {
	switch {
	case t.metric != nil:
		return words(t.metric.Name)
	case t.dim != nil:
		return words(t.dim.Name)
	default:
		return words(t.entity.Name)
	}
}

// lowered gives the words of tokens as they are compared.
func lowered(ts []token) []string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = t.norm
	}
	return out
}

// repeatsName says whether a piece asks for the name of members by which they are shown anyway: "the names of the 3
// suppliers with the most products", "and what are the names of the top 5".
func (d *draft) repeatsName(i int) bool {
	p := d.pieces[i]
	if p.to != p.from+1 || d.tokens[p.from].lemma != "name" || len(d.groups) != 1 || d.top == nil && !d.countsOnly() {
		return false
	}
	g := d.groups[0]
	if len(g.options) == 0 || !isEntity(g.options[0]) || g.options[0].entity.Display == "" {
		return false
	}
	named := p.kind == unknownPiece || slices.ContainsFunc(p.names, func(t target) bool { return isDimension(t) && t.entity == g.options[0].entity && d.shows(t) })
	if !named {
		return false
	}
	if !d.is(i+1, gluePiece, "in") {
		return false
	}
	k := i + 2
	for d.is(k, numberPiece) || d.is(k, rankPiece) || d.is(k, aggregatePiece, "distinct") || d.is(k, groupPiece) {
		k++
	}
	return k == len(d.pieces) || k == g.piece
}

// repeatsCount says whether a piece says no more than that there is a number, where members are counted already: "how many
// orders has each customer? List the number and the customer".
func (d *draft) repeatsCount(i int) bool {
	p := d.pieces[i]
	word := d.tokens[p.to-1].lemma
	if p.kind != aggregatePiece && p.kind != unknownPiece || word != "number" && word != "count" || !d.countsOnly() || d.measures[0].piece > i {
		return false
	}
	listed := d.is(i-1, listPiece) || d.is(i-1, gluePiece, "and")
	return listed && (i+1 == len(d.pieces) || d.is(i+1, gluePiece, "and") || d.is(i+1, orderPiece) || d.is(i+1, gluePiece, "in") && d.beside(i+2) == nil)
}

// countsOnly says whether the one number of a question is how many there are of something.
func (d *draft) countsOnly() bool {
	if len(d.measures) != 1 || len(d.measures[0].options) == 0 {
		return false
	}
	return d.measures[0].star || counts(d.measures[0].options[0].metric)
}

// keepTargets gives the targets that satisfy keep.
func keepTargets(ts []target, keep func(target) bool) []target {
	return slices.DeleteFunc(slices.Clone(ts), func(t target) bool { return !keep(t) })
}
