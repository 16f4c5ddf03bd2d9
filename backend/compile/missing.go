package compile

import (
	"time"

	"assay/backend/semantic"
)

// cell is the column of an atom, with 0 for what is missing where that is what it means.
func (r *relating) cell(a *atom) *Scalar {
	x := ref(0, a.col, a.typ)
	if !a.zero || a.ready || a.kind == "acc" && !r.real {
		return x
	}
	zero := &Scalar{Op: "call", Text: "coalesce", Args: []*Scalar{x, number(0)}, Type: a.typ}
	var inside *Scalar
	switch x := r.c.contexts[a.ctx]; {
	case r.partly(a):
		inside = r.covered(x)
	case a.kind == "acc" && x.From.IsZero() && x.To.IsZero():
		inside = r.covered(Context{})
	}
	if r.real {
		inside = r.inFill(inside)
	}
	if inside == nil {
		return zero
	}
	return &Scalar{Op: "case", Args: []*Scalar{inside, zero, x}, HasElse: true, Type: a.typ}
}

// covered says whether the bucket that a context compares with holds data at all.
func (r *relating) covered(x Context) *Scalar {
	if r.axis < 0 {
		in := (x.To.IsZero() || x.CoverFrom.Before(x.To)) && (x.From.IsZero() || x.From.Before(x.CoverTo))
		return &Scalar{Op: "bool", Text: map[bool]string{true: "true", false: "false"}[in], Type: semantic.Boolean}
	}
	if x.CoverFrom.IsZero() { // nothing lies before a time that is missing
		return &Scalar{Op: "not_null", Args: []*Scalar{r.axisRef()}, Type: semantic.Boolean}
	}
	cut := r.c.key(r.axis).Cut
	first, last := cutTime(cut, x.CoverFrom), cutTime(cut, x.CoverTo.AddDate(0, 0, -1))
	if len(x.Peers) > 0 {
		low, high := time.Time{}, time.Time{}
		for _, p := range x.Peers {
			if p.From.Before(first) || p.From.After(last) {
				continue
			}
			if low.IsZero() || p.To.Before(low) {
				low = p.To
			}
			if p.To.After(high) {
				high = p.To
			}
		}
		first, last = low, high
	}
	if x.Shift != 0 {
		if len(cut.Buckets) > 0 {
			first, last = moveBuckets(cut, first, x.Shift), moveBuckets(cut, last, x.Shift)
		} else {
			first, last = cutTime(cut, addUnits(first, x.Shift, x.Unit)), cutTime(cut, addUnits(last, x.Shift, x.Unit))
		}
	}
	axis := r.axisRef()
	return and(compare(">=", axis, timeLiteral(first, axis)), compare("<=", axis, timeLiteral(last, axis)))
}
