package compile

import (
	"strconv"
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
		inside = r.covered(a.bounds(x))
	case a.kind == "acc" && x.From.IsZero() && x.To.IsZero():
		inside = r.covered(Context{})
	}
	if r.real {
		inside = r.inFill(a, inside)
	}
	switch {
	case inside == nil || inside.Op == "bool" && inside.Text == "true":
		return zero
	case inside.Op == "bool":
		return x
	}
	return &Scalar{Op: "case", Args: []*Scalar{inside, zero, x}, HasElse: true, Type: a.typ}
}

// partly says whether what is missing is 0 in some rows only: within the data that there is.
func (r *relating) partly(a *atom) bool {
	x := r.c.contexts[a.ctx]
	switch {
	case !a.zero:
		return false
	case r.axis >= 0 && (x.Lag || a.leaf.Map.within) && x.From.IsZero() && x.To.IsZero():
		return true
	case !x.CoverFrom.IsZero():
		return true
	case !a.own(x):
		return false
	case r.axis < 0:
		return !a.bounds(x).meetsData()
	}
	return r.mixed(a)
}

// own says whether an atom is a number of the period of the query, at its own time, whose data is known.
func (a *atom) own(x Context) bool {
	return a.kind == "leaf" && a.leaf.Map.Kind == "" && !a.leaf.CoverFrom.IsZero() && x.CoverFrom.IsZero() && !x.Lag && x.Shift == 0 && x.Peers == nil
}

// mixed says whether a relation may have rows in buckets without data of an atom, for the sake of other data or of a
// comparand.
func (r *relating) mixed(a *atom) bool {
	first, last := r.reach(a.bounds(r.c.contexts[a.ctx]))
	for _, in := range r.inputs {
		for _, o := range in.atoms {
			x := r.c.contexts[o.ctx]
			if o.leaf.Map.Kind != "" { // it counts on other days
				return true
			}
			if o.ctx == a.ctx && o.leaf.CoverFrom.Equal(a.leaf.CoverFrom) && o.leaf.CoverTo.Equal(a.leaf.CoverTo) || x.Lag {
				continue
			}
			if !o.leaf.CoverFrom.IsZero() {
				x.CoverFrom, x.CoverTo = o.leaf.CoverFrom, o.leaf.CoverTo
			}
			if x.CoverFrom.IsZero() {
				return true
			}
			if !x.meetsData() {
				continue
			}
			if from, to := r.reach(x); from.Before(first) || to.After(last) {
				return true
			}
		}
	}
	return false
}

// bounds gives the context of an atom with where its data lies.
func (a *atom) bounds(x Context) Context {
	if a.own(x) || !x.CoverFrom.IsZero() && !a.leaf.CoverFrom.IsZero() {
		x.CoverFrom, x.CoverTo = a.leaf.CoverFrom, a.leaf.CoverTo
	}
	return x
}

// meetsData says whether a period has days on which there is data.
func (x Context) meetsData() bool {
	return (x.To.IsZero() || x.CoverFrom.Before(x.To)) && (x.From.IsZero() || x.From.Before(x.CoverTo)) && (x.From.IsZero() || x.To.IsZero() || x.From.Before(x.To))
}

// covered says whether the bucket that a context looks at holds data at all, within its period. Rows of the query's own
// period without a bucket, as totals are, count as covered.
func (r *relating) covered(x Context) *Scalar {
	if r.axis < 0 {
		return truth(x.meetsData())
	}
	if x.CoverFrom.IsZero() { // nothing lies before a time that is missing
		return &Scalar{Op: "not_null", Args: []*Scalar{r.axisRef()}, Type: semantic.Boolean}
	}
	if !x.meetsData() {
		return truth(false)
	}
	first, last := r.reach(x)
	axis := r.axisRef()
	within := and(compare(">=", axis, timeLiteral(first, axis)), compare("<=", axis, timeLiteral(last, axis)))
	if x.Lag || x.Shift != 0 || len(x.Peers) > 0 {
		return within
	}
	return &Scalar{Op: "or", Args: []*Scalar{{Op: "is_null", Args: []*Scalar{axis}, Type: semantic.Boolean}, within}, Type: semantic.Boolean}
}

// reach gives the first and the last bucket of the query in which a context has data within its period.
func (r *relating) reach(x Context) (first, last time.Time) {
	from, to := x.CoverFrom, x.CoverTo
	if x.From.After(from) {
		from = x.From
	}
	if !x.To.IsZero() && x.To.Before(to) {
		to = x.To
	}
	cut := r.c.key(r.axis).Cut
	first, last = cutTime(cut, from), cutTime(cut, to.Add(-time.Second))
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
	return first, last
}

func truth(b bool) *Scalar {
	return &Scalar{Op: "bool", Text: strconv.FormatBool(b), Type: semantic.Boolean}
}
