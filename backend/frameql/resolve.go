package frameql

import (
	"slices"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Env is what resolving needs besides the query.
type Env struct {
	Model *semantic.Model
	Now   time.Time // the anchor of every relative period, already in the workspace's time zone
	// Coverage gives the first and last instant in the data of a time dimension ("orders.order_date"); ok is false when
	// it is not known. nil: never known.
	Coverage func(dimension string) (first, last time.Time, ok bool)
	MaxRows  int // row cap of the frame; 0: 10,000
}

const defaultMaxRows = 10_000

// Resolve binds a query to a model. It gives a plan, or every refusal of the query at once in the order of their
// places, never both. The query itself is not changed; spans are bytes of q.String().
func Resolve(q *Query, env Env) (*Plan, []Refusal) {
	if env.Model == nil {
		env.Model = &semantic.Model{}
	}
	r := newResolver(q, env, &lexicon{model: env.Model})
	plan := r.resolve()
	if plan == nil {
		return nil, r.refusals()
	}
	return plan, nil
}

// resolver binds one query. It works on its own copy, whose names become those of the model as they are bound.
type resolver struct {
	env Env
	graph
	calendar calendar
	lexicon  *lexicon

	q        *Query         // a copy, which becomes canonical
	text     string         // of the query as it came in
	spans    map[any][2]int // nodes of q in text
	aliases  map[string]bool
	problems []*problem
	parsed   bool // the query came from Parse and needs no second look at its form

	defined map[string]bool // names that WITH defines, in lower case: not to be called unknown
	metrics []*semantic.Metric
	fact    *semantic.Entity // nil: not known, because of another problem
	nodes   []node

	usedDims    map[string]bool // "entity.dimension"
	usedMetrics map[string]bool
	leafMetrics []leafUse
	bound       boundQuery
	plan        Plan
}

func newResolver(q *Query, env Env, words *lexicon) *resolver {
	r := &resolver{
		env: env, lexicon: words, graph: graph{env.Model}, calendar: calendarOf(env.Model), q: q.Clone(),
		defined: map[string]bool{}, usedDims: map[string]bool{}, usedMetrics: map[string]bool{},
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
	for _, d := range r.q.With {
		r.defined[strings.ToLower(d.Name)] = true
	}
	r.refuseNotYet()
	r.findMetrics()
	r.findFact()
	r.bindGrain()
	r.bindSelect()
	r.bindWhere()
	r.bindPeriod()
	r.nameOutputs()
	r.bindHaving()
	r.bindTop()
	r.bindOrder()
	r.checkMetrics()
	if r.fact == nil && len(r.problems) == 0 {
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
		switch {
		case it.Dim != nil && it.Dim.Grain == "" && r.metric(it.Dim.Name) != nil:
			it.Expr, it.Dim = &Expr{Metric: it.Dim.Name}, nil
			r.spans[it.Expr] = span
		case it.Dim != nil && it.Dim.Grain == "" && len(r.meanings(*it.Dim)) == 0 && !strings.Contains(it.Dim.Name, ".") &&
			!timeGrains[strings.ToUpper(it.Dim.Name)]: // unknown, and more likely a metric when one is near
			if r.defined[strings.ToLower(it.Dim.Name)] || r.nearerToMetric(it.Dim.Name) {
				it.Expr, it.Dim = &Expr{Metric: it.Dim.Name}, nil
				r.spans[it.Expr] = span
			}
		case it.Expr != nil && bareMetric(it.Expr) && r.metric(it.Expr.Metric) == nil:
			d := dotted{segments: strings.Split(it.Expr.Metric, ".")}.dim()
			if len(r.meanings(d)) > 0 {
				it.Dim, it.Expr = &d, nil
				r.spans[it.Dim] = span
			}
		}
		r.collect(it.Expr)
	}
	r.aliases = map[string]bool{}
	for _, it := range r.q.Select {
		r.aliases[strings.ToLower(it.As)] = true
	}
	key := func(k *Key) {
		if k.Expr != nil {
			r.collect(k.Expr)
		} else if m := r.metric(k.Out); m != nil && !r.aliases[strings.ToLower(k.Out)] {
			r.addMetric(m)
		}
	}
	if r.q.Top != nil {
		key(&r.q.Top.By)
	}
	for i := range r.q.Order {
		key(&r.q.Order[i].Key)
	}
	r.collectPred(r.q.Having)
}

func (r *resolver) addMetric(m *semantic.Metric) {
	if !slices.Contains(r.metrics, m) {
		r.metrics = append(r.metrics, m)
	}
}

func (r *resolver) collect(e *Expr) {
	if e == nil {
		return
	}
	if m := r.metric(e.Metric); e.Metric != "" && m != nil {
		r.addMetric(m)
	}
	r.collect(e.Of)
	for _, a := range e.Args {
		r.collect(a)
	}
}

func (r *resolver) collectPred(p *Pred) {
	if p == nil {
		return
	}
	for _, name := range []string{p.Out, dimName(p.ValDim)} {
		if m := r.metric(name); name != "" && m != nil && !r.aliases[strings.ToLower(name)] {
			r.addMetric(m)
		}
	}
	r.collect(p.Left)
	r.collect(p.Expr)
	r.collectPred(p.Not)
	for _, c := range slices.Concat(p.And, p.Or) {
		r.collectPred(c)
	}
}

func dimName(d *Dim) string {
	if d == nil {
		return ""
	}
	return d.String()
}

// bindWhere binds the conditions on rows, one filter for each conjunct.
func (r *resolver) bindWhere() {
	if r.q.Where == nil {
		return
	}
	r.q.Where = flattened(r.q.Where)
	conjuncts := r.q.Where.And
	if len(conjuncts) == 0 {
		conjuncts = []*Pred{r.q.Where}
	}
	for _, c := range conjuncts {
		before := r.usedDims
		r.usedDims = map[string]bool{}
		s := r.condition(c)
		if s != nil {
			r.bound.where = append(r.bound.where, s)
			r.plan.Filters = append(r.plan.Filters, FilterUse{Text: c.String(), Dimensions: sortedKeys(r.usedDims)})
		}
		for d := range r.usedDims {
			before[d] = true
		}
		r.usedDims = before
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

// finish makes the plan of a query without problems.
func (r *resolver) finish() *Plan {
	p := &r.plan
	p.Query = r.q
	p.Query.V = 1
	p.Fact = r.fact.Name
	p.Metrics = sortedKeys(r.usedMetrics)
	p.Dimensions = sortedKeys(r.usedDims)
	p.Limit, p.Offset = r.q.Limit, r.q.Offset
	if p.MaxRows = r.env.MaxRows; p.MaxRows <= 0 {
		p.MaxRows = defaultMaxRows
	}
	r.bound.nodes = r.nodes
	r.bound.fiscal = r.calendar
	needed := r.bound.needed()
	for i, n := range r.nodes {
		if !needed[i] {
			continue
		}
		if !slices.Contains(p.Entities, n.entity.Name) {
			p.Entities = append(p.Entities, n.entity.Name)
		}
		if n.join != nil {
			p.Joins = append(p.Joins, JoinUse{From: n.join.From, To: n.join.To, Role: n.join.Role})
			for _, on := range n.join.On {
				p.Dimensions = append(p.Dimensions, n.join.From+"."+on.From, n.join.To+"."+on.To)
			}
		}
	}
	slices.Sort(p.Dimensions)
	p.Dimensions = slices.Compact(p.Dimensions)
	r.bound.joinOn = map[int][]*scalar{}
	for i, n := range r.nodes {
		if n.join == nil || !needed[i] {
			continue
		}
		for _, on := range n.join.On {
			from, to := dimensionOf(r.nodes[n.parent].entity, on.From), dimensionOf(n.entity, on.To)
			if from == nil || to == nil {
				r.refuseModel(n.join.From+" -> "+n.join.To, text.Say("frameql.join_columns", "from", on.From, "to", on.To))
				return nil
			}
			r.bound.joinOn[i] = append(r.bound.joinOn[i], &scalar{
				op: "=", typ: semantic.Boolean,
				args: []*scalar{r.value(n.parent, from), r.value(i, to)},
			})
		}
	}
	if len(r.problems) > 0 {
		return nil
	}
	p.Listing = len(r.bound.leaves) == 0
	r.bound.rows = p.Listing && (r.rowsOf(0) || r.grainHasKeyOf(0))
	p.Columns = r.bound.columns()
	shape := r.bound.shape(p)
	p.Complexity = Complexity{Joins: len(p.Joins), Subqueries: shape.subqueries(), Windows: shape.windows(), Aggregates: len(r.bound.leaves)}
	p.bound = &r.bound
	return p
}

func sortedKeys(set map[string]bool) []string {
	keys := make([]string, 0, len(set))
	for k := range set {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
