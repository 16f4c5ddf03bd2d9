package frameql

import (
	"reflect"
	"slices"

	"assay/backend/compile"
	"assay/backend/text"
)

// stand is where an expression stands: the grain of its rows, and the context of its numbers.
type stand struct {
	keys      []int  // indices of keys
	period    int    // 0: the query's own; n: the n-th comparand; -n: the bucket n places before
	lag       string // of a bucket before: the unit of the buckets
	noFilters bool   // of IGNORING FILTERS
	ignored   []int  // conjuncts of WHERE that do not apply
	filters   []*Pred
	window    windowed
	finer     bool           // within MOVING by a finer unit than the axis
	input     *semanticInput // how a derived metric sees what is within
}

// windowed says within which function of the frame an expression stands; some cannot stand within each other.
type windowed int

const (
	noWindow windowed = iota
	inRank            // RANK and INDEX, which look at finished rows
	inSum             // CUMULATIVE and MOVING, which add the parts of numbers up
)

// at gives the same context at another grain.
func (st stand) at(keys []int) stand {
	st.keys = keys
	return st
}

// context gives the index of the context of a stand, adding it.
func (r *resolver) context(st stand) int {
	c := compile.Context{}
	switch {
	case st.period == 0:
		c = compile.Context{From: r.contexts[0].From, To: r.contexts[0].To}
	case st.period < 0:
		c = r.neighbouring(st.lag, -st.period)
	default:
		c = r.comparand[st.period-1].context
	}
	c.IgnoreFilters = st.noFilters
	if !st.noFilters {
		c.Ignored = slices.Compact(slices.Sorted(slices.Values(st.ignored)))
	}
	return r.intern(c)
}

func (r *resolver) intern(c compile.Context) int {
	i := slices.IndexFunc(r.contexts, func(o compile.Context) bool { return reflect.DeepEqual(o, c) })
	if i < 0 {
		r.contexts = append(r.contexts, c)
		i = len(r.contexts) - 1
	}
	return i
}

// assume notes how something that the query leaves open was read.
func (r *resolver) assume(key string, pairs ...any) {
	if s := text.Say(key, pairs...); !slices.Contains(r.plan.Assumptions, s) {
		r.plan.Assumptions = append(r.plan.Assumptions, s)
	}
}
