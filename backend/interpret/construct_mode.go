package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// readMode reads what occurs most or least often: "the most common country of singers", "which role is most frequent among
// the staff", "the least popular genre and how many books have it". It is the value with the most rows, and ties are shown.
func readMode(d *draft) {
	for i, p := range d.pieces {
		if p.kind != modePiece || d.uses[i].slot != "" || d.top != nil {
			continue
		}
		member, behind := d.didMember(i)
		if member < 0 {
			member, behind = d.modeMember(i)
		}
		if member < 0 {
			continue
		}
		top, count := &ranking{direction: p.id}, -1
		for _, k := range []int{i - 1, i + 1} { // "the 3 most common cities", "the most common 3 cities"
			if d.is(k, numberPiece) && d.free(k) {
				top.n, count = numeric(d.pieces[k].number), k
			}
		}
		rows, at := d.occurrences(member, behind)
		if len(rows) == 0 {
			continue
		}
		if count >= 0 {
			d.take(count, "top", d.pieces[count].number)
		}
		d.takeMember(top, member)
		top.by = measure{slot: slot{piece: at, options: rows}, reduce: "count", star: true}
		if at >= 0 {
			d.take(at, "metric", rows[0].name())
		}
		d.take(i, "top", p.id)
		d.takeCountOf(behind, rows)
		d.finishRank(top)
	}
}

// modeMember gives the piece of what occurs, and the first piece behind the whole phrase: "country is most common" or "most
// common country".
func (d *draft) modeMember(i int) (member, behind int) {
	j := i - 1
	for d.is(j, gluePiece, "is", "with") {
		j--
	}
	appears := j >= 0 && slices.ContainsFunc(d.gap(j, i), d.ix.english.isVerb)
	if (j < i-1 || appears) && d.groupable(j) { // "which city is most common", "which city appears most often"
		return j, i + 1
	}
	next := i + 1
	if d.is(next, numberPiece) {
		next++
	}
	for d.is(next, gluePiece, "in") {
		next++
	}
	if d.groupable(next) {
		return next, next + 1
	}
	return -1, 0
}

// occurrences gives the entities whose rows are counted: those that are named behind the phrase, else those that own the
// attribute, else the only ones that lead to the members. at is the piece that names them, or -1.
func (d *draft) occurrences(member, behind int) (rows []target, at int) {
	named := behind
	for d.is(named, gluePiece, "in", "with") {
		named++
	}
	if named == behind && d.beside(behind-1) == nil {
		named = len(d.pieces)
	}
	if j := member + 1; j < behind && d.is(j, gluePiece, "in") && len(d.entities(j+1)) > 0 { // "role of the staff that is most common"
		named = j + 1
	}
	es := d.entities(named)
	for _, t := range d.members(member) {
		switch {
		case len(es) > 0 && d.ix.paths.reaches(es[0].entity.Name, t.entity.Name) && (isDimension(t) || es[0].entity != t.entity):
			return es[:1], named
		case len(es) > 0:
			if via := d.ix.spanning([]*semantic.Entity{es[0].entity, t.entity}); via != nil && via != t.entity {
				d.take(named, "entity", es[0].name())
				return []target{{entity: via}}, -1
			}
		case isDimension(t) && !d.ix.tellsApart(t):
			rows = append(rows, target{entity: t.entity, score: t.score})
		default:
			if via := d.ix.onlyFiner(t.entity); via != nil {
				rows = append(rows, target{entity: via, score: t.score})
			}
		}
	}
	return rows, -1
}

// tellsApart says whether a column has another value in each row of its table, so that none of them is the most common there.
func (ix *Index) tellsApart(t target) bool {
	return len(t.entity.Key) == 1 && t.entity.Key[0] == t.dim.Name
}

// onlyFiner gives the one entity whose rows point at the members of another directly; nil when there are none or several.
func (ix *Index) onlyFiner(e *semantic.Entity) *semantic.Entity {
	var found *semantic.Entity
	for i := range ix.model.Entities {
		o := &ix.model.Entities[i]
		if n, ok := ix.paths.distance(o.Name, e.Name); !ok || n != 1 {
			continue
		}
		if found != nil {
			return nil
		}
		found = o
	}
	return found
}

// takeCountOf takes the request for the number that is shown anyway: "and how many are there", "and the number of singers".
func (d *draft) takeCountOf(from int, rows []target) {
	for i := from; i < len(d.pieces); i++ {
		if !d.is(i, aggregatePiece, "count") || !d.free(i) || !d.is(i-1, gluePiece, "and") {
			continue
		}
		at := d.skipGlue(i + 1)
		if es := d.entities(at); len(es) > 0 && slices.ContainsFunc(rows, func(t target) bool { return t.entity == es[0].entity }) {
			d.take(at, "entity", es[0].name())
		} else if at < len(d.pieces) {
			return
		}
		d.take(i, connects, "")
		return
	}
}
