package reading

import (
	"slices"

	"assay/backend/frameql"
)

func (q query) period(c Change) error {
	if c.Remove {
		if q.Time == nil {
			return noPart(c)
		}
		q.Time = nil
		q.Query.Compare = slices.DeleteFunc(slices.Clone(q.Query.Compare), func(x frameql.Comparand) bool {
			return x.Kind == "previous_period" || x.Kind == "same_period_last" || x.Kind == "during"
		})
		return nil
	}
	p, ok := periodOf(c.Text)
	if !ok {
		return noPart(c)
	}
	next := &frameql.During{Period: p}
	if q.Time != nil {
		next.On = q.Time.On
	}
	q.Time = next
	return nil
}

// periodOf reads a period of Frame-QL; false: it is none.
func periodOf(written string) (frameql.Period, bool) {
	q, err := frameql.Parse("SELECT x DURING " + written)
	if err != nil || q.Time == nil {
		return frameql.Period{}, false
	}
	only := frameql.Query{Select: q.Select, Time: &frameql.During{Period: q.Time.Period}}
	return q.Time.Period, only.String() == q.String()
}

func (q query) compare(c Change) error {
	all := slices.Clone(q.Query.Compare)
	at := len(all)
	if c.Part != "" {
		if at = slices.IndexFunc(all, func(x frameql.Comparand) bool { return x.String() == c.Part }); at < 0 {
			return noPart(c)
		}
	}
	if c.Remove {
		if at == len(all) {
			return noPart(c)
		}
		q.Query.Compare = slices.Delete(all, at, at+1)
		return nil
	}
	next, ok := comparandOf(c.Text)
	if !ok {
		return noPart(c)
	}
	if at < len(all) {
		all[at] = next
	} else {
		all = append(all, next)
	}
	q.Query.Compare = all
	return nil
}

// comparandOf reads a comparand of Frame-QL; false: it is none.
func comparandOf(written string) (frameql.Comparand, bool) {
	q, err := frameql.Parse("SELECT x COMPARE TO " + written)
	if err != nil || len(q.Compare) != 1 {
		return frameql.Comparand{}, false
	}
	only := frameql.Query{Select: q.Select, Compare: q.Compare}
	return q.Compare[0], only.String() == q.String()
}

func (q query) top(c Change) error {
	if c.Remove {
		if q.Query.Top == nil {
			return noPart(c)
		}
		q.Query.Top = nil
		return nil
	}
	t := frameql.Top{N: 5}
	if q.Query.Top != nil {
		t = *q.Query.Top
	} else if t = q.firstTop(); t.Dim.Name == "" {
		return noPart(c)
	}
	if c.N > 0 {
		t.N = c.N
	}
	if c.Metric != "" {
		t.By = frameql.Key{Expr: &frameql.Expr{Metric: c.Metric}}
	}
	if c.Dimension != "" {
		t.Dim = frameql.Dim{Name: c.Dimension, Grain: c.Grain}
	}
	if c.Direction != "" {
		t.Asc = c.Direction == Ascending
	}
	q.Query.Top = &t
	return nil
}

// firstTop is a choice of the highest where the query has none: of the first thing that it is split by and is no time, by its first
// number. Without a Dim there is nothing to choose from.
func (q query) firstTop() frameql.Top {
	t := frameql.Top{N: 5}
	for _, it := range q.Select {
		if it.Expr != nil && t.By.Expr == nil {
			t.By = frameql.Key{Expr: it.Expr}
		}
	}
	if t.By.Expr == nil {
		return frameql.Top{}
	}
	for _, s := range q.splits() {
		if s.dim.Grain == "" && !q.timely(s.dim) {
			t.Dim = s.dim
			break
		}
	}
	return t
}

// timely says whether a dimension without a grain is one of time.
func (q query) timely(d frameql.Dim) bool {
	for _, c := range q.plan.Columns {
		if c.Grain != "" && (d.Name == c.Grain || d.Name == c.Dimension) {
			return true
		}
	}
	found := q.env.Model.Dimension(d.Name)
	return found != nil && found.Type.Temporal()
}

func (q query) other(c Change) error {
	if q.Query.Top == nil || q.Query.Top.Other != c.Remove {
		return noPart(c)
	}
	t := *q.Query.Top
	t.Other = !c.Remove
	q.Query.Top = &t
	return nil
}

func (q query) per(c Change) error {
	if q.Query.Top == nil || q.Query.Top.Per == nil || !c.Remove {
		return noPart(c)
	}
	t := *q.Query.Top
	t.Per = nil
	q.Query.Top = &t
	return nil
}

// fillings are what gaps may be filled with.
var fillings = [...]string{"zero", "null", "last"}

func (q query) fill(c Change) error {
	switch {
	case q.Query.Fill == "", !c.Remove && !slices.Contains(fillings[:], c.Text):
		return noPart(c)
	case c.Remove:
		q.Query.Fill = ""
	default:
		q.Query.Fill = c.Text
	}
	return nil
}

func (q query) totals(c Change) error {
	if q.Query.Totals == nil || !c.Remove {
		return noPart(c)
	}
	q.Query.Totals = nil
	return nil
}

func (q query) order(c Change) error {
	all := slices.Clone(q.Query.Order)
	at := len(all)
	if c.Part != "" {
		if at = slices.IndexFunc(all, func(o frameql.Order) bool { return orderText(o) == c.Part }); at < 0 {
			return noPart(c)
		}
	}
	switch {
	case c.Remove && at < len(all):
		q.Query.Order = slices.Delete(all, at, at+1)
		return nil
	case c.Remove || at == len(all) && c.Metric == "":
		return noPart(c)
	case at == len(all):
		all = append(all, frameql.Order{Desc: true})
	}
	if c.Metric != "" {
		all[at].Key = frameql.Key{Out: c.Metric}
	}
	if c.Direction != "" {
		all[at].Desc = c.Direction == Descending
	}
	q.Query.Order = all
	return nil
}

// orderText is how an order stands in the query.
func orderText(o frameql.Order) string {
	key := o.Out
	if o.Expr != nil {
		key = o.Expr.String()
	} else if key != "" {
		key = (&frameql.Expr{Metric: key}).String()
	}
	if o.Desc {
		return key + " DESC"
	}
	return key
}

func (q query) limit(c Change) error {
	switch {
	case c.Remove && q.Query.Limit != nil:
		q.Query.Limit, q.Offset = nil, 0
	case !c.Remove && c.N > 0:
		q.Query.Limit = &c.N
	default:
		return noPart(c)
	}
	return nil
}

func (q query) option(c Change) error {
	at := slices.IndexFunc(q.Query.Options, func(o frameql.Option) bool { return o.Name == c.Part })
	if at < 0 || !c.Remove {
		return noPart(c)
	}
	q.Query.Options = slices.Delete(slices.Clone(q.Query.Options), at, at+1)
	return nil
}
