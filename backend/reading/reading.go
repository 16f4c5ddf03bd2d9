// Package reading takes a query apart into what a person may change of it, says what each part may become, and puts the query
// together again with one of them changed. What it offers resolves; it runs nothing.
package reading

import (
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// Slot says what a part of a query is.
type Slot string

// The slots whose parts can be changed.
const (
	Metric    Slot = "metric"    // a number of SELECT, by its column
	Dimension Slot = "dimension" // what the numbers are split by: an item of AT, or a column of SELECT where there is no AT
	Columns   Slot = "columns"   // a further column of a listing
	Filter    Slot = "filter"    // a conjunct of WHERE
	Period    Slot = "period"    // DURING
	Compare   Slot = "compare"   // a comparand of COMPARE TO
	Having    Slot = "having"    // a conjunct of HAVING
	Top       Slot = "top"       // TOP
	Other     Slot = "other"     // WITH OTHER of TOP
	Per       Slot = "per"       // PER of TOP
	Fill      Slot = "fill"
	Totals    Slot = "totals"
	Order     Slot = "order" // a key of ORDER BY
	Limit     Slot = "limit"
	Options   Slot = "option" // an option of OPTIONS, by its name
)

// The slots of what a follow-up did with the turn before it. Their parts are named by their words; who has read the answer knows
// the query without the one and with the other.
const (
	Carried Slot = "carried"
	Dropped Slot = "dropped"
)

// Change is one part of a query and what it becomes. Part is its text in the canonical query, or its column for numbers and
// columns; empty where the query has one such part at most, and where a new one is added. Of the other fields those count that
// belong to the slot.
type Change struct {
	Slot      Slot      `json:"slot" enum:"metric,dimension,columns,filter,period,compare,having,top,other,per,fill,totals,order,limit,option,carried,dropped"`
	Part      string    `json:"part,omitempty" maxLength:"20000" doc:"The part that changes: its text in the query, or its column; of what was carried over or dropped: its words; absent: a new one"`
	Remove    bool      `json:"remove,omitempty" doc:"Leave the part out"`
	Metric    string    `json:"metric,omitempty" maxLength:"400" doc:"The metric that it becomes, or that a choice of the highest goes by"`
	Dimension string    `json:"dimension,omitempty" maxLength:"400" doc:"entity.dimension"`
	Grain     string    `json:"grain,omitempty" maxLength:"60" doc:"The unit of time that a dimension is cut by"`
	Members   []string  `json:"members,omitempty" maxItems:"1000" doc:"Values of the dimension of a condition"`
	Not       bool      `json:"not,omitempty" doc:"All but the members"`
	Leaf      int       `json:"leaf,omitempty" minimum:"0" maximum:"10000" doc:"Of a condition that is made of several: which comparison changes, from 1"`
	Operator  string    `json:"operator,omitempty" maxLength:"40" doc:"Of a condition that is written: eq ne lt le gt ge in not_in between not_between like not_like contains not_contains starts_with not_starts_with is_null not_null in_top, or any no all of related rows"`
	Values    []string  `json:"values,omitempty" maxItems:"1000" doc:"As many as the operator takes, as they were written; absent: what stood on the other side stays"`
	Text      string    `json:"text,omitempty" maxLength:"400" doc:"A period or a comparand in Frame-QL, or what gaps are filled with"`
	N         int       `json:"n,omitempty" minimum:"0" maximum:"100000" doc:"How many are kept"`
	Direction Direction `json:"direction,omitempty" enum:"ascending,descending" doc:"Of an order, or which end is kept: ascending keeps the lowest"`
}

// Direction is the direction of an order; empty: as it was.
type Direction string

// The directions.
const (
	Ascending  Direction = "ascending"
	Descending Direction = "descending"
)

// query is a query on its way to another one.
type query struct {
	*frameql.Query
	plan *frameql.Plan // of the query as it was
	env  frameql.Env
}

// Edit gives the plan of a query with one part changed. Neither the plan nor its query is changed. Fault Invalid: the query
// has no such part, the part cannot become that, or what would come of it is refused, with the refusal's own words.
func Edit(plan *frameql.Plan, env frameql.Env, c Change) (*frameql.Plan, error) {
	q, err := applied(plan, env, c)
	if err != nil {
		return nil, err
	}
	return resolved(plan, env, q)
}

// resolved binds what became of the query of a plan. Fault Invalid: it is refused, or the same.
func resolved(plan *frameql.Plan, env frameql.Env, q *frameql.Query) (*frameql.Plan, error) {
	next, refused := frameql.Resolve(q, env)
	if len(refused) > 0 {
		return nil, fault.New(fault.Invalid, "edit reading", refused[0].Message, text.Say("reading.refused_hint"))
	}
	if next.Query.String() == plan.Query.String() {
		return nil, fault.New(fault.Invalid, "edit reading", text.Say("reading.same"), text.Say("reading.same_hint"))
	}
	return next, nil
}

// applied puts a change on a copy of the query of a plan.
func applied(plan *frameql.Plan, env frameql.Env, c Change) (*frameql.Query, error) {
	q := query{plan.Query.Clone(), plan, env}
	edits := map[Slot]func(Change) error{
		Metric: q.metric, Dimension: q.dimension, Columns: q.columns, Filter: q.filter, Period: q.period, Compare: q.compare,
		Having: q.having, Top: q.top, Other: q.other, Per: q.per, Fill: q.fill, Totals: q.totals, Order: q.order, Limit: q.limit, Options: q.option,
	}
	edit, ok := edits[c.Slot]
	if !ok {
		return nil, noPart(c)
	}
	return q.Query, edit(c)
}

// Without gives the plan of a follow-up without a part that was carried over, or with one that was dropped: of what the answer says
// of them, the query of the part of these words. Fault Invalid as of Edit.
func Without(plan *frameql.Plan, env frameql.Env, c Change, queries map[string]string) (*frameql.Plan, error) {
	written, ok := queries[c.Part]
	if !ok || written == "" {
		return nil, noPart(c)
	}
	q, err := frameql.Parse(written)
	if err != nil {
		return nil, noPart(c)
	}
	return resolved(plan, env, q)
}

func noPart(c Change) error {
	what := c.Part
	if what == "" {
		what = string(c.Slot)
	}
	return fault.New(fault.Invalid, "edit reading", text.Say("reading.no_part", "part", what), text.Say("reading.no_part_hint"))
}

// item gives the index of the item of SELECT that a column shows; -1: there is none.
func (q query) item(column string) int {
	for i, c := range q.plan.Columns {
		if c.Name == column && i < len(q.plan.Items) {
			return q.plan.Items[i]
		}
	}
	return -1
}

// column gives the name of the column that an item of SELECT gives.
func (q query) column(item int) string {
	if i := slices.Index(q.plan.Items, item); i >= 0 {
		return q.plan.Columns[i].Name
	}
	return ""
}

func (q query) metric(c Change) error {
	if c.Part == "" {
		if q.env.Model.Metric(c.Metric) == nil {
			return noPart(c)
		}
		q.Select = append(q.Select, frameql.Item{Expr: &frameql.Expr{Metric: c.Metric}})
		return nil
	}
	i := q.item(c.Part)
	if i < 0 || q.Select[i].Expr == nil {
		return noPart(c)
	}
	old := q.Select[i]
	q.forget(c.Part, old.Expr, c.Metric)
	switch {
	case c.Remove:
		q.Select = slices.Delete(q.Select, i, i+1)
	case q.env.Model.Metric(c.Metric) == nil:
		return noPart(c)
	default:
		q.Select[i] = frameql.Item{Expr: instead(old.Expr, c.Metric)}
	}
	return nil
}

// instead puts a metric in the place of another one, also where a function is applied to that.
func instead(e *frameql.Expr, metric string) *frameql.Expr {
	if e.Fn == "" || e.Of == nil || e.Of.Metric == "" {
		return &frameql.Expr{Metric: metric}
	}
	out := *e
	out.Of = &frameql.Expr{Metric: metric}
	return &out
}

// forget takes back what is said of a column that goes: its order, its choice of the highest and the conditions on it. Where a
// metric takes its place, the order and the choice go by that.
func (q query) forget(column string, was *frameql.Expr, metric string) {
	by := func(k frameql.Key) bool {
		return k.Out == column || k.Expr != nil && was != nil && k.Expr.String() == was.String() || was != nil && k.Out != "" && k.Out == was.Metric
	}
	key := frameql.Key{Expr: &frameql.Expr{Metric: metric}}
	q.Order = slices.Clone(q.Order)
	if metric == "" {
		q.Order = slices.DeleteFunc(q.Order, func(o frameql.Order) bool { return by(o.Key) })
	}
	for i := range q.Order {
		if by(q.Order[i].Key) {
			q.Order[i].Key = key
		}
	}
	if q.Top != nil && by(q.Top.By) {
		if q.Top.By = key; metric == "" {
			q.Query.Top = nil
		}
	}
	q.Query.Having = frameql.AllOf(slices.DeleteFunc(slices.Clone(frameql.Conjuncts(q.Query.Having)), func(p *frameql.Pred) bool {
		return p.Out == column || p.Left != nil && was != nil && p.Left.String() == was.String() || was != nil && p.Out != "" && p.Out == was.Metric
	}))
}

// split is one thing that the query is split by: an item of AT, or of SELECT where there is no AT.
type split struct {
	text string // how a part names it
	dim  frameql.Dim
	at   int // index in AT; -1: there is none
}

func (q query) splits() []split {
	var all []split
	if q.At != nil && len(q.At.Dims) > 0 {
		for i, d := range q.At.Dims {
			all = append(all, split{d.String(), d, i})
		}
		return all
	}
	for i, it := range q.Select {
		if it.Dim != nil {
			all = append(all, split{q.column(i), *it.Dim, -1})
		}
	}
	return all
}

// shows says whether an item of SELECT shows a split: the same, or a column of the entity that stands for its members.
func (s split) shows(it frameql.Item) bool {
	if it.Dim == nil {
		return false
	}
	entity, _, _ := strings.Cut(it.Dim.Name, ".")
	_, last, _ := strings.Cut(it.Dim.Name, ".")
	_, own, _ := strings.Cut(s.dim.Name, ".")
	same := it.Dim.Name == s.dim.Name || last == s.dim.Name || own != "" && own == it.Dim.Name
	return same && it.Dim.Grain == s.dim.Grain || s.at >= 0 && s.dim.Grain == "" && entity == s.dim.Name
}

func (q query) dimension(c Change) error {
	next := frameql.Dim{Name: c.Dimension, Grain: c.Grain}
	if !c.Remove && c.Dimension == "" {
		return noPart(c)
	}
	if c.Part == "" {
		q.show(next, q.lastDimension()+1)
		if q.At != nil {
			q.At = &frameql.Grain{Dims: append(slices.Clone(q.At.Dims), next), IgnoreFilters: q.At.IgnoreFilters, IgnoreDims: q.At.IgnoreDims}
		}
		return nil
	}
	i := slices.IndexFunc(q.splits(), func(s split) bool { return s.text == c.Part })
	if i < 0 {
		return noPart(c)
	}
	s := q.splits()[i]
	place := slices.IndexFunc(q.Select, s.shows)
	for k := len(q.Select) - 1; k >= 0; k-- {
		if s.shows(q.Select[k]) {
			q.forgetDimension(q.column(k), *q.Select[k].Dim, next, c.Remove)
			q.Select = slices.Delete(slices.Clone(q.Select), k, k+1)
		}
	}
	q.forgetDimension("", s.dim, next, c.Remove)
	if s.at >= 0 {
		dims := slices.Clone(q.At.Dims)
		if c.Remove {
			dims = slices.Delete(dims, s.at, s.at+1)
		} else {
			dims[s.at] = next
		}
		if q.At = (&frameql.Grain{Dims: dims, IgnoreFilters: q.At.IgnoreFilters, IgnoreDims: q.At.IgnoreDims}); len(dims) == 0 && len(q.Select) > 0 {
			q.At = nil
		}
	}
	if !c.Remove {
		q.show(next, max(place, 0))
	}
	return nil
}

func (q query) lastDimension() int {
	last := -1
	for i, it := range q.Select {
		if it.Dim != nil {
			last = i
		}
	}
	return last
}

func (q query) show(d frameql.Dim, at int) {
	q.Select = slices.Insert(slices.Clone(q.Select), min(at, len(q.Select)), frameql.Item{Dim: &d})
}

// forgetDimension takes back what is done by a dimension that goes, or does it by the one in its place.
func (q query) forgetDimension(column string, was, next frameql.Dim, gone bool) {
	is := func(d frameql.Dim) bool { return d == was }
	q.Order = slices.DeleteFunc(slices.Clone(q.Order), func(o frameql.Order) bool {
		return o.Out != "" && (o.Out == column || o.Out == was.String())
	})
	if q.Query.Top != nil {
		t := *q.Query.Top
		switch {
		case t.Per != nil && is(*t.Per):
			t.Per = nil
			q.Query.Top = &t
		case is(t.Dim) && gone:
			q.Query.Top = nil
		case is(t.Dim):
			t.Dim = next
			q.Query.Top = &t
		}
	}
	q.Query.Totals = slices.DeleteFunc(slices.Clone(q.Query.Totals), func(set []frameql.Dim) bool { return slices.ContainsFunc(set, is) })
}

func (q query) columns(c Change) error {
	if c.Part == "" {
		if c.Dimension == "" {
			return noPart(c)
		}
		q.show(frameql.Dim{Name: c.Dimension}, q.lastDimension()+1)
		return nil
	}
	i := q.item(c.Part)
	if i < 0 || q.Select[i].Dim == nil || !c.Remove {
		return noPart(c)
	}
	q.Order = slices.DeleteFunc(slices.Clone(q.Order), func(o frameql.Order) bool { return o.Out == c.Part })
	q.Select = slices.Delete(slices.Clone(q.Select), i, i+1)
	return nil
}
