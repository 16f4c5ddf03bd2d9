package frameql

import (
	"assay/backend/semantic"
	"assay/backend/text"
)

// twoLevels binds R(e AT g): the values of e at a finer grain, reduced to that where it stands.
func (r *resolver) twoLevels(e *Expr, param string, st stand) *scalar {
	inner := func(st stand) *scalar {
		if e.Of.Filter != nil {
			return r.filtered(e.Of, st)
		}
		return r.bare(e.Of, st)
	}
	keys, ok := r.innerGrain(e.Of.At, e.Of)
	inside, fine := r.ignoring(e.Of.At, st)
	if !ok || !fine {
		inner(st)
		return nil
	}
	if !r.allDetermined(st.keys, keys) {
		inner(inside.at(keys))
		r.refuseInnerIncomparable(e, keys, st)
		return nil
	}
	for _, k := range st.keys {
		keys = withKey(keys, k)
	}
	inside.window, inside.finer = noWindow, false
	s := inner(inside.at(keys))
	switch {
	case s == nil || !r.reducible(e, s):
		return nil
	case len(r.sourcesOf(e.Of)) == 0:
		r.refuse(e, refusal("INVALID_QUERY", "frameql.reduces_nothing", "expression", e.String(), "of", e.Of.String()), r.withoutExpr(e))
		return nil
	}
	if st.window == inSum && (e.Dist && e.Reduce != "min" && e.Reduce != "max" || !addedUp(e.Reduce)) {
		r.refuse(e, refusal("INVALID_WINDOW", "frameql.window_over", "expression", e.String()), r.withoutWindows(), r.withoutExpr(e))
		return nil
	}
	s = r.ofMembers(e.Of, s)
	t := &scalar{Op: "reduce", Text: e.Reduce, Args: []*scalar{s}, Keys: keys, Param: param, Type: s.Type, Currency: s.Currency}
	if e.Dist && (e.Reduce == "count" || e.Reduce == "sum" || e.Reduce == "avg") {
		t.Text += "_distinct"
	}
	switch e.Reduce {
	case "count":
		t.Type, t.Currency = semantic.Integer, ""
	case "avg", "median", "stddev", "percentile":
		t.Type = semantic.Float
	case "first", "last":
		if r.finestAxis(keys) < 0 {
			r.refuseAxisRequired(e, e.String())
			return nil
		}
	}
	return t
}

// ofMembers keeps the values of an expression at an entity to its members: rows that lead to none of them, together, are no
// member more.
func (r *resolver) ofMembers(of *Expr, s *scalar) *scalar {
	var there *scalar
	sources := r.sourcesOf(of)
	for i := range of.At.Dims {
		d := &of.At.Dims[i]
		b, _ := r.dimensionFor(*d, d, forGrain, sources)
		if b.dim != nil || !r.mayLack(b) {
			continue
		}
		for _, k := range r.keyRefs(b) {
			if !k.axis {
				there = and(there, isTrue("not_null", r.keyScalar(r.addKey(k))))
				r.assume("frameql.assume_members", "entity", b.name.String())
				break
			}
		}
	}
	if there == nil {
		return s
	}
	return &scalar{Op: "case", Args: []*scalar{there, s}, Type: s.Type, Currency: s.Currency}
}

// mayLack says whether some source has rows that may lead to no member of an entity.
func (r *resolver) mayLack(b ref) bool {
	for i, n := range b.at {
		if !r.sources[i].partnered(n) {
			return true
		}
	}
	return false
}

// reducible refuses a reducer over values of the wrong kind.
func (r *resolver) reducible(e *Expr, s *scalar) bool {
	switch {
	case addsNumbers(e.Reduce):
		return r.countable(e, s)
	case (e.Reduce == "any" || e.Reduce == "all") && s.Type != "" && s.Type != semantic.Boolean:
		r.refuseNotBoolean(e, s.Type)
		return false
	}
	return true
}

// addedUp says whether the value over several buckets follows from the values of each.
func addedUp(reducer string) bool {
	switch reducer {
	case "sum", "count", "min", "max", "avg", "any", "all":
		return true
	}
	return false
}

// withoutWindows takes what stands within CUMULATIVE and MOVING instead of them.
func (r *resolver) withoutWindows() edit {
	return r.edited(text.Say("frameql.repair_without", "what", "CUMULATIVE, MOVING"), func(q *Query) {
		q.eachExpr(func(e *Expr) {
			for e.Fn == "cumulative" || e.Fn == "moving" {
				*e = *e.Of
			}
		})
	})
}
