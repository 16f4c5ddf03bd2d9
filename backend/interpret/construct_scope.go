package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// readScope takes what is left beside a number: entities that only say whose rows are meant ("revenue from customers in
// Germany"), members in a list with a number ("customers and their revenue"), a member before a number ("customer
// revenue").
func readScope(d *draft) {
	d.namedByValue()
	if len(d.measures) == 0 {
		d.scopeOfListing()
		return
	}
	for i := range d.pieces {
		if es := d.entities(i); len(es) > 0 {
			switch {
			case d.compoundSplit(i):
				d.take(i, connects, "")
			case (d.membersOf(i) || d.shownWith(i)) && !d.countsMembers(es[0].entity):
				d.groups = append(d.groups, slot{piece: i, options: d.members(i)})
				d.take(i, "dimension", es[0].name())
			case d.within(es[0]) && d.is(i-1, listPiece) && d.top != nil: // "which customer made the order with the largest quantity"
				d.showMember(i, es[0])
			case d.is(i-1, listPiece, "which") && d.plural(i) && len(d.groups) == 0 && d.top == nil:
				// "which products did they order" asks for products; a number of them is no answer
			case d.is(i-1, namePiece) && d.uses[i-1].slot == "dimension" && d.pieces[i-1].to == d.pieces[i].from:
				// "by product category" is one name: its second word says what the rows are split by
			case d.within(es[0]):
				d.take(i, "entity", es[0].name())
			case d.kindOfRows(es[0]):
				d.addMember(i, es[:1])
				d.take(i, "entity", es[0].name())
			case len(d.never) == 0 && es[0].score >= scoreFaint && d.counts(d.measures[0].piece) && d.ix.paths.reaches(es[0].entity.Name, d.measures[0].options[0].entity.Name):
				d.through = es[0].entity
				d.take(i, "entity", es[0].name())
			}
			continue
		}
		if d.splitsBy(i) || d.overAll(i) {
			d.take(i, connects, "")
			continue
		}
		if d.countedAgain(i) {
			d.take(i, connects, "")
			continue
		}
		if ts := d.dimensions(i); len(ts) > 0 && d.membersOf(i) {
			d.groups = append(d.groups, slot{piece: i, options: ts})
			d.take(i, "dimension", ts[0].name())
		}
	}
}

// showMember shows what members of an entity are called by beside the members that are ranked.
func (d *draft) showMember(i int, e target) {
	for _, name := range d.ix.display(e.entity) {
		if dim := e.entity.Dimension(name); dim != nil {
			d.shown = append(d.shown, slot{piece: i, options: []target{{entity: e.entity, dim: dim}}})
		}
	}
	d.take(i, "dimension", e.name())
}

// membersOf says whether a member stands in a list with a number, or directly before it.
func (d *draft) membersOf(i int) bool {
	used := func(j int) bool { return j >= 0 && j < len(d.pieces) && d.uses[j].slot == "metric" }
	and := func(j int) bool { return d.is(j, gluePiece, "and", "with") }
	switch {
	case d.top != nil && !d.top.attribute:
		return false
	case and(i+1) && (used(i+2) || d.is(i+2, aggregatePiece) && used(i+3)), and(i-1) && used(i-2) && d.is(i-1, gluePiece, "and"):
		return true
	case used(i+1) && !d.is(i-1, gluePiece, "in"), d.is(i-1, listPiece, "which") && !d.plural(i):
		return true
	}
	return false
}

// shownWith says whether a question that begins with a list of members adds a number of each: "show the orders of 1997 with their freight".
func (d *draft) shownWith(i int) bool {
	if i != 1 || !d.is(0, listPiece, "list") || !d.plural(i) || len(d.groups) > 0 || d.top != nil {
		return false
	}
	return slices.ContainsFunc(d.measures, func(m measure) bool {
		before := m.piece - 1
		return d.is(before, gluePiece, "with", "and") || d.is(before, aggregatePiece) && d.is(before-1, gluePiece, "with", "and")
	})
}

// within says whether the rows of some measure have one member of the entity each: then naming it changes nothing.
func (d *draft) within(t target) bool {
	for _, m := range d.measures {
		for _, o := range m.options {
			if base := d.ix.rowsOf(o); base != nil && d.ix.paths.reaches(base.Name, t.entity.Name) {
				return true
			}
		}
	}
	return false
}

// kindOfRows says whether members are a kind of what the one number is taken of, as each of them is one of its rows and no two the same:
// "the average age of the head chefs", who are persons with an age.
func (d *draft) kindOfRows(t target) bool {
	if len(d.measures) != 1 || d.countsOnly() || d.top != nil || len(d.measures[0].per) > 0 {
		return false
	}
	base := d.ix.rowsOf(d.measures[0].options[0])
	return base != nil && slices.ContainsFunc(d.ix.model.Joins, func(j semantic.Join) bool {
		if j.From != t.entity.Name || j.To != base.Name || len(j.On) != 1 || j.Role != "" {
			return false
		}
		return j.Cardinality == semantic.OneToOne || len(t.entity.Key) == 1 && t.entity.Key[0] == j.On[0].From
	})
}

// scopeOfListing takes a second entity of a listing that says whose members are meant: "names of the suppliers".
func (d *draft) scopeOfListing() {
	if d.subject == nil {
		return
	}
	for i := range d.pieces {
		for _, t := range d.entities(i) {
			if t.entity == d.subject.options[0].entity {
				d.take(i, "entity", t.name())
				break
			}
		}
	}
}

// namedByValue takes the entity beside a value that one of its members is called by: "the Seafood category", "playlist
// Music". It says which value is meant and is not asked for itself.
func (d *draft) namedByValue() {
	for k := range d.filters {
		f := &d.filters[k]
		beside := []int{f.named, f.last(d) + 1}
		for _, i := range beside {
			for _, e := range d.entities(i) {
				var meant []target
				for _, o := range f.options {
					if o.entity == e.entity && (o.value != nil && d.identifies(o) || o.named) {
						meant = append(meant, o)
					}
				}
				if len(meant) > 0 && (len(d.measures) > 0 || d.subject != nil) {
					f.options = meant
					d.take(i, "entity", e.name())
					break
				}
			}
		}
	}
}

// splitsBy says whether a piece only repeats what the numbers are split by: "sort the industries by companies in each
// industry".
func (d *draft) splitsBy(i int) bool {
	for _, t := range d.dimensions(i) {
		for _, g := range d.groups {
			if len(g.options) > 0 && g.options[0].dim == t.dim && g.options[0].entity == t.entity {
				return true
			}
		}
	}
	return false
}

// compoundSplit says whether members stand directly before an attribute of theirs that the numbers are split by: "which ticket
// class code appears most often" is about the class codes of tickets.
func (d *draft) compoundSplit(i int) bool {
	if i+1 >= len(d.pieces) || d.pieces[i].to != d.pieces[i+1].from || d.plural(i) {
		return false
	}
	for k := range d.groups {
		if d.groups[k].piece != i+1 {
			continue
		}
		own := keepTargets(d.groups[k].options, func(t target) bool { return isDimension(t) && t.entity == d.entities(i)[0].entity })
		if len(own) > 0 {
			d.groups[k].options = own
			if d.top != nil && d.top.member.piece == i+1 {
				d.top.member.options = own
			}
			return true
		}
	}
	return false
}

// countedAgain says whether a piece only says whose attribute the numbers are split by, in the words for what is counted: "the colour of
// the balloons and the number of balloons in each colour".
func (d *draft) countedAgain(i int) bool {
	if !d.is(i-1, gluePiece, "in") || i < 2 || !d.splitsBy(i-2) && d.uses[i-2].slot != connects || len(d.measures) != 1 || len(d.groups) == 0 || !d.countsOnly() || !d.is(i, namePiece) {
		return false
	}
	at := d.measures[0].piece
	return at > i && lemmas(d.tokens[d.pieces[i].from:d.pieces[i].to]) == lemmas(d.tokens[d.pieces[at].from:d.pieces[at].to])
}

// overAll says whether a piece names whose values one number is taken over: "the highest enrollment across all schools".
func (d *draft) overAll(i int) bool {
	return len(d.dimensions(i)) > 0 && d.is(i-1, gluePiece, "in") && d.tokens[d.pieces[i-1].from].norm == "across"
}

// countsMembers says whether the number is how many members of an entity there are: then it is not split by them.
func (d *draft) countsMembers(e *semantic.Entity) bool {
	t := d.measures[0].options[0]
	if t.metric != nil {
		return d.ix.counter(e) == t.metric
	}
	return d.measures[0].star && t.entity == e
}
