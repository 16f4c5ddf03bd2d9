package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// rankByAdjective reads superlatives that name what they rank by: "most expensive products", "newest employees", "best
// selling products". What the adjective stands for is looked up in the model and disclosed.
func (d *draft) rankByAdjective(i, next int, top *ranking, hints []string) bool {
	if d.rankByDone(i, top, hints) {
		return true
	}
	if hints[0] == lastHint {
		return d.rankByLast(i, top)
	}
	member := d.leadingMember(i)
	if d.groupable(next) {
		member = next
	} else if at := d.behindValues(next); member < 0 && d.groupable(at) { // "the cheapest garden chair", where garden is a category
		member = at
	}
	if one := d.valueOwner(next, top.n > 0); one != nil && !d.groupable(next) { // "the youngest dog": the one of the pets that are dogs
		if holder := d.kindHolder(one, hints); holder != nil {
			one = holder
		}
		top.member = slot{piece: i, options: []target{{entity: one}}}
	} else if member >= 0 {
		top.member = slot{piece: member, options: d.entities(member)}
	} else {
		return false
	}
	owners := top.member.options
	if member >= 0 && d.keyBehind(member+1) { // "the cheapest product by standard cost" says itself by what
		d.takeMember(top, member)
		return d.rankBy(top, member+1)
	}
	by, hint, ok := d.ranksBy(hints, owners, func(t target) bool { return isMetric(t) || isDimension(t) })
	if !ok {
		return false
	}
	if top.member.piece == member {
		d.takeMember(top, member)
	}
	top.by = measure{slot: slot{piece: -1, options: []target{by}}}
	if by.metric != nil {
		d.note(text.Say("interpret.assume_adjective", "word", d.written(i), "meaning", labelOf(by.metric.Label, by.metric.Name)))
		return true
	}
	top.member.options, top.attribute = owners, true
	if len(hints) > 1 || hint == defaultTimeHint {
		d.note(text.Say("interpret.assume_adjective", "word", d.written(i), "meaning", labelOf(by.dim.Label, by.dim.Name)))
	}
	return true
}

// rankBySaid reads a superlative of size before the number that it ranks by: "the longest orbital period". One of age and of time says itself
// what it is about.
func (d *draft) rankBySaid(i, next int, top *ranking, hints string) bool {
	if strings.Contains(hints, defaultTimeHint) || strings.Contains(hints, "birth") || len(d.names(next, func(t target) bool { return isMeasure(t) || isMetric(t) && d.isColumn(t) })) == 0 {
		return false
	}
	return d.rankByNumber(i, next, top)
}

// rankBySaidTime reads a superlative of time before the year or the date of members that it ranks them by: "the clinic with the latest
// opening year".
func (d *draft) rankBySaidTime(i, next int, top *ranking) bool {
	leading, before := d.leadingMember(i), d.pieces[i].from-1
	for before > 0 && slices.Contains([]string{"the", "a", "an"}, d.tokens[before].norm) {
		before--
	}
	has := before >= 0 && slices.Contains([]string{"with", "has", "have", "had", "having", "in"}, d.tokens[before].norm)
	if !has || leading < 0 || len(d.entities(leading)) == 0 || len(d.names(next, func(t target) bool {
		return (isYearTarget(t) || isTemporal(t)) && t.entity == d.entities(leading)[0].entity
	})) == 0 {
		return false
	}
	return d.rankByNumber(i, next, top)
}

// ranksBy finds what an adjective ranks or compares members by: an attribute of theirs or a metric that satisfies keep, else an
// attribute of what each of them has one of, where only one thing is called so.
func (d *draft) ranksBy(hints []string, owners []target, keep func(target) bool) (by target, hint string, ok bool) {
	for _, hint := range hints {
		for _, t := range d.hinted(hint, owners) {
			if keep(t) && (isMetric(t) && d.concerns(t.metric, owners) || len(owners) > 0 && t.entity == owners[0].entity) {
				return t, hint, true
			}
		}
	}
	for _, hint := range hints {
		var near []target
		for _, t := range d.hinted(hint, owners) {
			if keep(t) && (isNumeric(t) || isTemporal(t)) && len(owners) > 0 && d.ix.paths.reaches(owners[0].entity.Name, t.entity.Name) {
				near = append(near, t)
			}
		}
		if len(near) == 1 {
			return near[0], hint, true
		}
	}
	return target{}, "", false
}

// concerns says whether a number of rows leads to the members: the oldest school is not the one of the earliest birth of a painter.
func (d *draft) concerns(m *semantic.Metric, owners []target) bool {
	return m.Entity == "" || len(owners) == 0 || d.ix.paths.reaches(m.Entity, owners[0].entity.Name)
}

// valueOwner gives the entity whose members a piece narrows down by a value and nothing else; nil: it does not, or is a plural where no
// number says how many.
func (d *draft) valueOwner(i int, many bool) *semantic.Entity {
	if !d.free(i) || !d.is(i, namePiece) || len(d.values(i)) != len(d.pieces[i].names) || d.plural(i) && !many || !onlyOf(d.pieces[i].names, d.pieces[i].names[0].entity) {
		return nil
	}
	if len(d.members(i+1)) > 0 { // "the oldest German customers"
		return nil
	}
	return d.pieces[i].names[0].entity
}

// keyBehind says whether "by" with a number stands behind a member.
func (d *draft) keyBehind(i int) bool {
	for j := i; j < len(d.pieces); j++ {
		if !d.is(j, groupPiece, "by") {
			continue
		}
		_, at := d.aggregateAt(j + 1)
		if len(d.metrics(at)) > 0 || len(d.names(at, func(t target) bool { return isNumeric(t) && !slices.Contains(t.entity.Key, t.dim.Name) })) > 0 {
			return true
		}
	}
	return false
}

// defaultTimeHint stands in the lexicon for the default time of the members.
const defaultTimeHint = "@time"

// hinted gives the things that an adjective may rank by.
func (d *draft) hinted(hint string, owners []target) []target {
	if hint != defaultTimeHint {
		return d.ix.names.terms[join(d.ix.english.singulars(strings.Fields(hint)))]
	}
	if len(owners) == 0 {
		return nil
	}
	e := owners[0].entity
	if dim := e.Dimension(e.DefaultTime); dim != nil {
		return []target{{entity: e, dim: dim}}
	}
	return nil
}

// written gives a piece as it stands in the question.
func (d *draft) written(i int) string {
	p := d.pieces[i]
	parts := make([]string, 0, p.to-p.from)
	for _, t := range d.tokens[p.from:p.to] {
		parts = append(parts, t.text)
	}
	return strings.Join(parts, " ")
}
