package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// tally keeps members by how many related rows they have, or by another number of theirs, where the members themselves are
// listed with their attributes, counted, or only say whose rows are meant: "names of customers with more than 3 orders".
type tally struct {
	having
	host     slot // the members
	distinct bool // different ones are counted
}

// readTallies reads counts of related rows that no entity behind a number names: "ordered more than once", "with two pets",
// "customers with several orders", "who visited at least three times".
func readTallies(d *draft) {
	for i, p := range d.pieces {
		switch {
		case !d.free(i):
		case p.kind == comparePiece && !strings.Contains(p.id, " "):
			d.tallyTimes(i)
		case p.kind == numberPiece && d.is(i-1, gluePiece, "with") && d.plainCount(i+1):
			d.tallyOf(i+1, having{op: "eq", nums: []string{p.number}}, d.head(i), false, i)
		case p.kind == relatedPiece && p.id == "several" && d.plainCount(i+1):
			d.tallyOf(i+1, having{op: "ge", nums: []string{"2"}}, d.head(i), false, i)
		}
	}
}

// plainCount says whether a piece names an entity that a number in front of it counts.
func (d *draft) plainCount(i int) bool {
	return len(d.entities(i)) > 0 && !d.is(i+1, comparePiece) && len(d.names(i, isNumeric)) == 0
}

// tallyTimes reads "more than once" and "at least three times" as a count of what the verb before it records.
func (d *draft) tallyTimes(i int) {
	nums, first, last := d.literals(i)
	if len(nums) != 1 {
		return
	}
	times := last + 1
	end := d.tokens[d.pieces[last].to-1].norm
	if end != "once" && end != "twice" {
		if times >= len(d.pieces) || !d.is(times, unknownPiece) || d.tokens[d.pieces[times].from].lemma != "time" {
			return
		}
		d.take(times, connects, "")
	}
	start := min(i, first)
	head := d.head(start)
	if head < 0 {
		return
	}
	e := d.actBetween(head, start-1)
	if e == nil {
		return
	}
	host := d.entities(head)
	if len(host) == 0 || !d.mayHaveMany(e, host[0].entity) {
		return
	}
	for k := head + 1; k < start; k++ {
		if d.verbAlone(k) && d.actOf(d.pieces[k]) == e {
			d.take(k, connects, "")
		}
	}
	h := having{measure: measure{slot: slot{piece: -1, options: []target{{entity: e}}}, reduce: "count", star: true}, op: d.pieces[i].id, nums: []string{nums[0].Text}}
	d.tallies = append(d.tallies, tally{having: h, host: slot{piece: head, options: host}})
	d.take(i, "comparison", h.op)
	for k := first; k <= last; k++ {
		if d.is(k, numberPiece) {
			d.take(k, "comparison", d.pieces[k].number)
		}
	}
}

// tallyOf files a condition on how many rows of the entity at a piece the members at head have, and takes the piece that
// says how many.
func (d *draft) tallyOf(at int, h having, head int, distinct bool, number int) {
	if head < 0 {
		return
	}
	es, host := d.entities(at), d.entities(head)
	if len(host) == 0 || unclear(es) || !d.mayHaveMany(es[0].entity, host[0].entity) {
		return
	}
	h.measure = measure{slot: slot{piece: at, options: es[:1]}, reduce: "count", star: true}
	d.tallies = append(d.tallies, tally{having: h, host: slot{piece: head, options: host}, distinct: distinct})
	d.take(at, "entity", es[0].name())
	d.take(number, "comparison", h.op)
}

// unclear says whether the best two meanings are as good as each other.
func unclear(ts []target) bool { return len(ts) > 1 && ts[1].score >= ts[0].score }

// mayHaveMany says whether a member may have many rows of an entity.
func (d *draft) mayHaveMany(rows, host *semantic.Entity) bool {
	_, related := d.ix.paths.related(rows.Name, host.Name)
	return related && !d.ix.paths.reaches(host.Name, rows.Name)
}

// tallied turns a condition on a number of the members at head into one on the members, where they are not themselves what
// the number is shown for. It says whether it did.
func (d *draft) tallied(h having, head int) bool {
	host := d.entities(head)
	if len(host) == 0 {
		return d.talliedValues(h, head)
	}
	t := h.options[0]
	if unclear(h.options) {
		return false
	}
	if h.star && !d.mayHaveMany(t.entity, host[0].entity) {
		return false
	}
	if base := d.ix.rowsOf(t); !h.star && (base == nil || base == host[0].entity && !d.counted(head) || !d.ix.paths.reaches(base.Name, host[0].entity.Name)) {
		return false
	}
	d.tallies = append(d.tallies, tally{having: h, host: slot{piece: head, options: host}})
	return true
}

// talliedValues turns a condition on how many rows there are with a value into one on the values that are counted: "how many
// countries have more than 5 customers".
func (d *draft) talliedValues(h having, head int) bool {
	if !h.star || !d.counted(head) {
		return false
	}
	own := d.names(head, func(t target) bool { return isDimension(t) && t.entity == h.options[0].entity })
	if len(own) != 1 || own[0].dim.Type.Temporal() {
		return false
	}
	d.tallies = append(d.tallies, tally{having: h, host: slot{piece: head, options: own}})
	counted := *d.pieces[head]
	counted.names = own
	d.pieces[head] = &counted
	return true
}

// tally writes the condition on a number of the members.
func (c *composer) tally(t tally, inside []*frameql.Pred) *frameql.Pred {
	host, _ := c.pick(t.host)
	counted, _ := c.pick(t.slot)
	at := &frameql.Grain{Dims: []frameql.Dim{{Name: host.entity.Name}}}
	if host.dim != nil {
		at.Dims[0].Name = dimensionName(host)
	}
	e := c.draft.ix.number(t.measure, counted, nil)
	if t.star && (e.Star || t.distinct || !c.draft.ix.paths.reaches(counted.entity.Name, host.entity.Name)) {
		direct := !t.distinct && c.draft.ix.paths.reaches(counted.entity.Name, host.entity.Name)
		e = &frameql.Expr{Reduce: "count", Dist: !direct, Of: &frameql.Expr{Metric: counted.entity.Name + "." + counted.entity.Key[0]}}
	}
	numbered := *e
	numbered.At, numbered.Filter = at, frameql.AllOf(inside)
	p := &frameql.Pred{Left: &numbered, Op: t.op}
	if len(t.nums) == 0 {
		c.broken = c.broken || !c.compareWith(p, t.bound)
		if p.Expr != nil && c.filters > 0 && c.draft.ix.rowsOf(counted) == host.entity { // a number of the rows themselves, as an attribute of theirs is
			p.Expr.At.IgnoreFilters = true
			c.notes = append(c.notes, text.Say("interpret.assume_all_rows"))
		}
	} else {
		withNumbers(p, t.nums)
	}
	return p
}

// tallyOver gives the tally that a condition on related rows stands behind: it says which of them are counted.
func (d *draft) tallyOver(piece int, e *semantic.Entity) int {
	return slices.IndexFunc(d.tallies, func(t tally) bool {
		rows := d.ix.rowsOf(t.options[0])
		return piece > t.piece && t.piece >= 0 && rows != nil && d.part(piece) == d.part(t.piece) && d.ix.paths.reaches(rows.Name, e.Name)
	})
}
