package compile

import (
	"slices"
	"strconv"

	"assay/backend/semantic"
)

// cell is the column of an atom, with 0 for what is missing where that is what it means.
func (r *relating) cell(a *atom) *Scalar {
	x := ref(0, a.col, a.typ)
	if !a.zero || a.ready || a.kind == "acc" && !r.real && r.atoms[a.arg.Index].ready {
		return x
	}
	zero := &Scalar{Op: "call", Text: "coalesce", Args: []*Scalar{x, number(0)}, Type: a.typ}
	inside := r.inside(a)
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

// partly says whether what is missing is 0 in some rows only.
func (r *relating) partly(a *atom) bool { return a.zero && r.inside(a) != nil }

// inside says in which rows no rows mean 0: where the days that an atom looks at hold data of its own, whatever other numbers
// have there. nil: in every row that there is.
func (r *relating) inside(a *atom) *Scalar {
	k := r.axisOf(a)
	var cut, axis *Scalar
	if k >= 0 {
		cut, axis = r.c.key(k).Cut, r.keyRef(k)
	}
	looks := r.looks(a)
	given := !r.real || r.req.fill.Mode != "zero" && (a.kind != "at" || a.back != nil) // only rows that are there count
	var all []*Scalar
	for _, l := range looks {
		s, known := l.stretch(cut)
		s.timeless = s.timeless && !r.req.timed
		switch {
		case !known && (k < 0 || l.timeless() || len(looks) > 1 || !r.timeless()):
			return nil
		case !known: // nothing lies before a time that is missing
			all = append(all, &Scalar{Op: "not_null", Args: []*Scalar{axis}, Type: semantic.Boolean})
		case s.none:
		case k < 0, given && r.onlyWithin(s, cut, k == r.axis):
			return nil
		default:
			all = append(all, s.holds(axis))
		}
	}
	switch {
	case len(looks) == 0:
		return nil
	case len(all) == 0:
		return truth(false)
	case len(all) == 1:
		return all[0]
	}
	return &Scalar{Op: "or", Args: all, Type: semantic.Boolean}
}

// axisOf gives the axis on which an atom is missing or not: that of the rows, of a coarser number the finest one of its own grain.
func (r *relating) axisOf(a *atom) int {
	if a.kind == "at" && a.back == nil {
		return r.c.finest(a.keys)
	}
	return r.axis
}

// onlyWithin says whether a relation, before it is filled, has rows within a stretch only. On a coarser axis what is moved may
// lie elsewhere.
func (r *relating) onlyWithin(s stretch, cut *Scalar, own bool) bool {
	for _, in := range r.inputs {
		if !in.adds {
			continue
		}
		if len(in.rows) == 0 {
			return false
		}
		for _, l := range in.rows {
			o, known := l.stretch(cut)
			o.timeless = o.timeless && !r.req.timed
			if own && !l.x.moved() {
				o = o.inPeriod(l.x, cut)
			}
			if !known || !own && l.x.moved() || !s.covers(o) {
				return false
			}
		}
	}
	return true
}

// timeless says whether a relation may have rows without a time.
func (r *relating) timeless() bool {
	return !r.req.timed && slices.ContainsFunc(r.inputs, func(in *input) bool {
		return in.adds && (len(in.rows) == 0 || slices.ContainsFunc(in.rows, func(l look) bool {
			return l.timeless() && l.x.From.IsZero() && l.x.To.IsZero()
		}))
	})
}

func truth(b bool) *Scalar {
	return &Scalar{Op: "bool", Text: strconv.FormatBool(b), Type: semantic.Boolean}
}
