package frameql

import (
	"slices"
	"strings"
	"time"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/semantic"
)

// Env is what resolving needs besides the query. The functions are optional; each gives what was measured on the present
// data.
type Env struct {
	Model *semantic.Model
	Now   time.Time // the anchor of every relative period, already in the workspace's time zone
	// Coverage gives the first and last moment in the data of a time dimension ("orders.order_date") by the clocks of the
	// workspace's time zone; ok is false when it is not known.
	Coverage func(dimension string) (first, last time.Time, ok bool)
	MaxRows  int // row cap of the frame; 0: 10,000
	// Rows is about how many rows an entity has, Distinct how many values a dimension ("customers.country"); 0: not known.
	Rows     func(entity string) int64
	Distinct func(dimension string) int64
	// Number says what is known of a column of a table that is an exact number; nil: it is none, or nothing is known.
	Number func(table, column string) *compile.Number
	// Values gives the values of a dimension as text, and whether these are all of them.
	Values func(dimension string) (values []string, complete bool)
	// Unique says whether no two rows of an entity agree in all the dimensions; known is false when nobody looked.
	Unique func(entity string, dimensions []string) (unique, known bool)
}

const defaultMaxRows = 10_000

// Resolve binds a query to a model. It gives a plan, or every refusal of the query at once in the order of their
// places, never both. The query itself is not changed; spans are bytes of q.String().
func Resolve(q *Query, env Env) (*Plan, []Refusal) {
	if env.Model == nil {
		env.Model = &semantic.Model{}
	}
	r := newResolver(q, env, newLexicon(env.Model))
	plan := r.resolve()
	if plan == nil {
		return nil, r.refusals()
	}
	return plan, nil
}

// Try is Resolve for who tries many queries and shows one: it gives nil at the first problem, and looks for no repairs, which
// on a large model costs many times as much as the query itself.
func Try(q *Query, env Env) *Plan {
	if env.Model == nil {
		env.Model = &semantic.Model{}
	}
	r := newResolver(q, env, newLexicon(env.Model))
	r.trying = true
	return r.resolve()
}

// resolver binds one query. It works on its own copy, whose names become those of the model as they are bound.
type resolver struct {
	env Env
	graph
	calendar calendar
	settings settings
	lexicon  *lexicon
	hint     *semantic.Entity // whose rows to read when nothing else says so: in a query within a condition
	nesting  int              // queries around this one
	trying   bool             // the first problem is the end

	q        *Query         // a copy, which becomes canonical
	text     string         // of the query as it came in
	spans    map[any][2]int // nodes of q in text
	aliases  map[string]bool
	problems []*problem
	parsed   bool // the query came from Parse and needs no second look at its form
	work     int  // expressions that were bound, which definitions within definitions may multiply

	defined map[string]*Expr // names of WITH in lower case
	refers  map[*Expr]*Expr  // a use of such a name -> its expression
	metrics []*semantic.Metric

	sources   []*source
	rowSource map[*Expr]int // of reducers over rows
	times     []leafTime
	onTime    *ref // the time of DURING ... ON; nil: each metric has its own

	climbs    climbing
	keys      []keyColumn
	parts     []grainPart
	grain     []int // indices of keys: the output grain
	outputs   []output
	leaves    []compile.Leaf
	leafSigns []string // of each leaf
	contexts  []compile.Context
	period    *PeriodUse
	ends      time.Time // of a condition's query: where the period of the whole one was cut, to be compared; zero: nowhere
	beyond    func()    // refuses a period after the data, once it is known what is asked; nil: it is not
	comparand []comparand
	matching  bool // a comparand was cut to the days that the period has behind it
	conjuncts []conjunct
	bound     compile.Query // what the clauses after SELECT add

	usedDims    map[string]bool // "entity.dimension"
	innerDims   []string        // those of the queries that conditions compare with
	usedMetrics map[string]bool
	leafMetrics []leafUse
	metricUses  []leafUse // those that need or forbid something
	plan        Plan

	meant    map[Dim][]candidate
	timeMemo map[timeKey]timeFound
	exprs    map[string]*semantic.Expr
	leafMemo map[*semantic.Metric][]*semantic.Metric
	rowMemo  map[*Expr]bool
}

func newResolver(q *Query, env Env, words *lexicon) *resolver {
	r := &resolver{
		env: env, lexicon: words, graph: words.graph, calendar: calendarOf(env.Model), q: q.Clone(),
		defined: map[string]*Expr{}, refers: map[*Expr]*Expr{}, rowSource: map[*Expr]int{},
		usedDims: map[string]bool{}, usedMetrics: map[string]bool{},
		meant: map[Dim][]candidate{}, timeMemo: map[timeKey]timeFound{}, exprs: map[string]*semantic.Expr{}, leafMemo: map[*semantic.Metric][]*semantic.Metric{}, rowMemo: map[*Expr]bool{},
	}
	r.q.normalise()
	w := printer{spans: map[any][2]int{}}
	w.query(r.q)
	r.text, r.spans = w.String(), w.spans
	return r
}

// resolve gives the plan, or nil and problems.
func (r *resolver) resolve() *Plan {
	if !r.parsed {
		if _, err := Parse(r.text); err != nil { // a query that was built, and not well
			r.refuse(nil, &Refusal{Code: "INVALID_QUERY", Message: messageOf(err), Facts: map[string]any{"code": string(fault.CodeOf(err))}})
			return nil
		}
	}
	r.shorten()
	if r.tooLong() {
		return nil
	}
	steps := []func(){
		r.bindOptions, r.findDefinitions, r.findMetrics, r.findSources, r.findTimes, r.bindGrain, r.bindPeriod, r.bindCompare, r.bindWhere,
		r.bindSelect, r.bindUnused, r.nameOutputs, r.bindHaving, r.bindTop, r.bindTotals, r.bindFill, r.bindOrder, r.check,
	}
	for _, bind := range steps {
		if bind(); r.trying && len(r.problems) > 0 {
			return nil
		}
	}
	if len(r.sources) == 0 && len(r.problems) == 0 {
		r.refuseNoFact(nil)
	}
	if len(r.problems) > 0 {
		return nil
	}
	return r.finish()
}

// findMetrics turns bare names of SELECT into metrics or dimensions and collects every declared metric that is used.
func (r *resolver) findMetrics() {
	for i := range r.q.Select {
		it := &r.q.Select[i]
		span := r.spans[it]
		toExpr := func() {
			it.Expr, it.Dim = &Expr{Metric: it.Dim.Name}, nil
			r.spans[it.Expr] = span
			r.link(it.Expr)
		}
		switch {
		case it.Dim != nil && it.Dim.Grain == "" && (r.definition(it.Dim.Name) != nil || r.metric(it.Dim.Name) != nil):
			toExpr()
		case it.Dim != nil && it.Dim.Grain == "" && r.nothing(*it.Dim) && !strings.Contains(it.Dim.Name, "."):
			if r.nearerToMetric(it.Dim.Name) { // unknown, and more likely a metric when one is near
				toExpr()
			}
		case it.Expr != nil && bareMetric(it.Expr) && r.refers[it.Expr] == nil && r.metric(it.Expr.Metric) == nil:
			d := dotted{segments: strings.Split(it.Expr.Metric, ".")}.dim()
			if !r.nothing(d) {
				it.Dim, it.Expr = &d, nil
				r.spans[it.Dim] = span
			}
		}
	}
	r.aliases = map[string]bool{}
	for _, it := range r.q.Select {
		r.aliases[strings.ToLower(it.As)] = true
	}
	for _, name := range r.keyNames() {
		if m := r.metric(name); m != nil && !r.aliases[strings.ToLower(name)] && r.definition(name) == nil {
			r.addMetric(m)
		}
	}
	r.walkExpressions(func(e *Expr) {
		if m := r.metric(e.Metric); m != nil && e.Metric != "" && r.refers[e] == nil {
			r.addMetric(m)
		}
	})
	for _, c := range r.q.Compare {
		if m := r.metric(c.Metric); m != nil && c.Metric != "" {
			r.addMetric(m)
		}
	}
}

func (r *resolver) addMetric(m *semantic.Metric) {
	if !slices.Contains(r.metrics, m) {
		r.metrics = append(r.metrics, m)
	}
}

// flattened merges nested ANDs and ORs, which mean the same.
func flattened(p *Pred) *Pred {
	merge := func(all []*Pred, inner func(*Pred) []*Pred) []*Pred {
		var flat []*Pred
		for _, c := range all {
			c = flattened(c)
			if in := inner(c); len(in) > 0 {
				flat = append(flat, in...)
			} else {
				flat = append(flat, c)
			}
		}
		return flat
	}
	switch {
	case len(p.And) > 0:
		p.And = merge(p.And, func(c *Pred) []*Pred { return c.And })
	case len(p.Or) > 0:
		p.Or = merge(p.Or, func(c *Pred) []*Pred { return c.Or })
	case p.Not != nil:
		p.Not = flattened(p.Not)
	}
	return p
}

// Conjuncts gives the parts of a condition that must all be true; none for no condition.
func Conjuncts(p *Pred) []*Pred {
	switch {
	case p == nil:
		return nil
	case len(p.And) > 0:
		return p.And
	}
	return []*Pred{p}
}

// AllOf is the condition that all of some conditions hold; nil for none.
func AllOf(ps []*Pred) *Pred {
	switch len(ps) {
	case 0:
		return nil
	case 1:
		return ps[0]
	}
	return &Pred{And: ps}
}

func sortedKeys(set map[string]bool) []string {
	keys := make([]string, 0, len(set))
	for k := range set {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
