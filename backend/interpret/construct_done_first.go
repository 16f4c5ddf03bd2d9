package interpret

import "slices"

// rankByDone reads who did something first or last, where the verb names the date or the year: "the school that was founded the earliest", "which guide
// left office last".
func (d *draft) rankByDone(i int, top *ranking, hints []string) bool {
	if hints[0] != lastHint && !slices.Contains(hints, defaultTimeHint) {
		return false
	}
	verb := i - 1
	for d.is(verb, gluePiece) || d.is(verb, stopPiece) {
		verb--
	}
	times := d.names(verb, func(t target) bool { return isYearTarget(t) || isTemporal(t) })
	if len(times) == 0 {
		return false
	}
	for member := verb - 1; member >= 0; member-- {
		es := d.entities(member)
		if len(es) == 0 {
			continue
		}
		own := keepTargets(times, func(t target) bool { return t.entity == es[0].entity })
		if len(own) == 0 {
			return false
		}
		top.by = measure{slot: slot{piece: verb, options: own}}
		top.attribute = true
		d.takeMember(top, member)
		top.member.options = es[:1]
		d.take(verb, "order", own[0].name())
		if top.n <= 0 {
			top.n = 1
		}
		return true
	}
	return false
}
