//go:build cgo

package reuse_test

import (
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// changes are how a query of a family differs from the first one.
var changes = []string{
	"coarser unit", "coarser level", "dropped dimension", "added dimension", "narrower filter", "no filter", "period", "all time", "compare", "having", "top", "fill", "totals", "other number", "window", "dropped number", "order", "time zone",
}

// relative draws a query of the family: the first one with one to three changes.
func (f *family) relative() (q *frameql.Query, changed []string) {
	q = f.base.Clone()
	for range rapid.IntRange(1, 3).Draw(f.t, "changes") {
		kind := rapid.SampledFrom(changes).Draw(f.t, "change")
		switch { // the rarest
		case f.chance(15):
			kind = "coarser level"
		case f.bounded && f.chance(30):
			kind = "period"
		}
		if !slices.Contains(changed, kind) && f.change(q, kind) {
			changed = append(changed, kind)
		}
	}
	return q, changed
}

// units lists, for each unit, what it is cut into without a remainder.
var coarserUnits = map[string][]string{
	"hour": {"day", "month"}, "day": {"week", "month", "quarter", "year"}, "week": {"year"}, "month": {"quarter", "year"}, "quarter": {"year"}, "fiscal_quarter": {"fiscal_year"},
}

// coarserLevels lists what lies above a dimension in the hierarchies of drawn worlds, whether that was measured or not.
func coarserLevels(d frameql.Dim) []string {
	if way, ok := strings.CutSuffix(d.Name, "spot"); ok {
		return []string{way + "zone", way + "zone", way + "belt"}
	}
	if way, ok := strings.CutSuffix(d.Name, "zone"); ok {
		return []string{way + "belt"}
	}
	return nil
}

func (f *family) of(all ...string) string { return rapid.SampledFrom(all).Draw(f.t, "of") }

// change changes a query; false: it has nothing to change so.
func (f *family) change(q *frameql.Query, kind string) bool {
	switch kind {
	case "time zone":
		q.Options = slices.DeleteFunc(slices.Clone(q.Options), func(o frameql.Option) bool { return o.Name == "tz" })
		q.Options = append(q.Options, frameql.Option{Name: "tz", Value: frameql.Value{Kind: frameql.String, Text: f.of("UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe")}})
		return true
	case "coarser unit":
		for _, d := range q.At.Dims {
			unit := unitOf(d)
			if up := coarserUnits[unit]; len(up) > 0 {
				f.rename(q, d, cutBy(d, f.of(up...)))
				return true
			}
		}
	case "coarser level":
		for _, d := range q.At.Dims {
			up := coarserLevels(d)
			if len(up) == 0 {
				continue
			}
			to := frameql.Dim{Name: f.of(up...)} // in place of what stands beside it already
			q.At.Dims = slices.DeleteFunc(q.At.Dims, func(d frameql.Dim) bool { return d == to })
			q.Select = slices.DeleteFunc(q.Select, func(it frameql.Item) bool { return it.Dim != nil && *it.Dim == to })
			f.rename(q, d, to)
			return true
		}
	case "dropped dimension":
		if n := len(q.At.Dims); n > 0 {
			gone := q.At.Dims[rapid.IntRange(0, n-1).Draw(f.t, "dimension")]
			q.At.Dims = slices.DeleteFunc(q.At.Dims, func(d frameql.Dim) bool { return d == gone })
			q.Select = slices.DeleteFunc(q.Select, func(it frameql.Item) bool {
				return it.Dim != nil && (*it.Dim == gone || strings.HasPrefix(it.Dim.Name, gone.Name+"."))
			})
			return true
		}
	case "added dimension":
		if all := f.dimensions(q); len(all) > 0 {
			d := frameql.Dim{Name: f.of(all...)}
			if !slices.Contains(q.At.Dims, d) {
				q.At.Dims = append(q.At.Dims, d)
				return true
			}
		}
	case "narrower filter":
		if p := f.condition(q); p != nil {
			if q.Where == nil {
				q.Where = p
			} else {
				q.Where = &frameql.Pred{And: []*frameql.Pred{q.Where, p}}
			}
			return true
		}
	case "no filter":
		was := q.Where
		q.Where = nil
		return was != nil
	case "period":
		if f.bounded && f.chance(50) { // more than frames hold
			q.Time = &frameql.During{Period: f.period("FROM 2022-01-01 TO 2025-01-01", "FROM 2021-05-01 TO 2025-03-01")}
			return true
		}
		q.Time = &frameql.During{Period: f.period("2023", "2024", "2024-Q1", "2024-02", "2024-02-29", "2023-03", "YTD", "LAST 3 MONTH", "LAST 2 WEEK", "PREVIOUS YEAR",
			"FROM 2023-02-27 TO 2024-03-11", "FROM 2023-06-11", "FROM 2023-12-31 TO 2024-02-28", "FROM 2022-01-01 TO 2025-01-01", "BETWEEN 2024-01-31 AND 2024-03-05")}
		return true
	case "all time":
		was := q.Time
		q.Time = nil
		return was != nil
	case "compare":
		c := frameql.Comparand{Kind: f.of("previous_period", "same_period_last", "previous")}
		if c.Kind != "previous_period" {
			c.Unit = f.of("year", "month")
		}
		q.Compare = []frameql.Comparand{c}
		return true
	case "having":
		if m := f.metric(q); m != nil {
			q.Having = &frameql.Pred{Left: m, Op: f.of("gt", "le", "ne"), Val: &frameql.Value{Kind: frameql.Number, Text: f.of("0.3", "2.07", "7.77")}}
			return true
		}
	case "top":
		if m := f.metric(q); m != nil {
			for _, d := range q.At.Dims {
				if unitOf(d) == "" {
					q.Top = &frameql.Top{N: rapid.IntRange(1, 3).Draw(f.t, "n"), Dim: d, By: frameql.Key{Expr: m}, Asc: f.chance(30), Other: f.chance(40)}
					return true
				}
			}
		}
	case "fill":
		q.Fill = f.of("zero", "null", "last")
		return slices.ContainsFunc(q.At.Dims, func(d frameql.Dim) bool { return unitOf(d) != "" })
	case "totals":
		q.Totals = [][]frameql.Dim{{}}
		if len(q.At.Dims) > 1 && f.chance(50) {
			q.Totals = append(q.Totals, []frameql.Dim{q.At.Dims[0]})
		}
		return true
	case "other number":
		if m := f.metric(q); m != nil {
			q.Select = append(q.Select, frameql.Item{Expr: m, As: "other"})
			return true
		}
	case "window":
		m := f.metric(q)
		if m == nil {
			return false
		}
		e := &frameql.Expr{Fn: f.of("share", "rank", "cumulative", "moving", "prev"), Of: m}
		if e.Fn == "moving" {
			e.Params = []frameql.Value{{Kind: frameql.Number, Text: strconv.Itoa(rapid.IntRange(1, 4).Draw(f.t, "n"))}}
		}
		q.Select = append(q.Select, frameql.Item{Expr: e, As: "along"})
		return true
	case "dropped number":
		numbers := 0
		for _, it := range q.Select {
			if it.Expr != nil {
				numbers++
			}
		}
		if numbers < 2 {
			return false
		}
		gone := rapid.IntRange(0, numbers-1).Draw(f.t, "number")
		q.Select = slices.DeleteFunc(q.Select, func(it frameql.Item) bool {
			if it.Expr == nil {
				return false
			}
			gone--
			return gone == -1
		})
		return true
	case "order":
		if m := f.metric(q); m != nil {
			n := rapid.IntRange(1, 4).Draw(f.t, "n")
			q.Order, q.Limit = []frameql.Order{{Key: frameql.Key{Expr: m}, Desc: f.chance(50)}}, &n
			return true
		}
	}
	return false
}

// unitOf gives the unit by which a dimension of the grain cuts time; empty: it is no time.
func unitOf(d frameql.Dim) string {
	if d.Grain != "" {
		return d.Grain
	}
	if _, known := coarserUnits[d.Name]; known || d.Name == "year" || d.Name == "fiscal_year" {
		return d.Name
	}
	return ""
}

func cutBy(d frameql.Dim, unit string) frameql.Dim {
	if d.Grain != "" {
		return frameql.Dim{Name: d.Name, Grain: unit}
	}
	return frameql.Dim{Name: unit}
}

// rename puts another dimension in the place of one of the grain.
func (f *family) rename(q *frameql.Query, from, to frameql.Dim) {
	for i := range q.At.Dims {
		if q.At.Dims[i] == from {
			q.At.Dims[i] = to
		}
	}
	for i := range q.Select {
		if d := q.Select[i].Dim; d != nil && *d == from {
			q.Select[i].Dim, q.Select[i].As = &to, ""
		}
	}
}

// metric gives a declared metric of one fact of the query.
func (f *family) metric(q *frameql.Query) *frameql.Expr {
	fact := f.fact(q)
	var all []string
	for _, m := range f.w.Model.Metrics {
		if m.Entity == fact {
			all = append(all, m.Name)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return &frameql.Expr{Metric: f.of(all...)}
}

// fact gives the entity whose rows the query counts.
func (f *family) fact(q *frameql.Query) string {
	plan, _ := frameql.Resolve(q.Clone(), f.env())
	if plan == nil {
		plan, _ = frameql.Resolve(f.base.Clone(), f.env())
	}
	if plan == nil {
		return ""
	}
	return plan.Fact
}

// dimensions gives what the fact of the query reaches.
func (f *family) dimensions(q *frameql.Query) []string {
	if fact := f.fact(q); fact != "" {
		return f.w.Reachable(fact)
	}
	return nil
}

// condition draws a condition on a dimension, often one of the grain.
func (f *family) condition(q *frameql.Query) *frameql.Pred {
	all := f.dimensions(q)
	var own []string
	for _, d := range q.At.Dims {
		if slices.Contains(all, d.Name) {
			own = append(own, d.Name)
		}
	}
	if len(own) > 0 && f.chance(70) {
		all = own
	}
	if len(all) == 0 {
		return nil
	}
	name := f.of(all...)
	entity, dim, _ := strings.Cut(name, ".")
	p := &frameql.Pred{Dim: name}
	var values []frameql.Value
	switch d := f.w.Model.Entity(entity).Dimension(dim); {
	case f.chance(12):
		p.Op = f.of("is_null", "not_null")
		return p
	case d.Type == semantic.Boolean:
		values = []frameql.Value{{Kind: frameql.Bool, Text: f.of("true", "false")}}
	case d.Type.Numeric():
		values = []frameql.Value{{Kind: frameql.Number, Text: f.of("1", "2", "0")}, {Kind: frameql.Number, Text: f.of("1", "3")}}
	default:
		values = []frameql.Value{{Kind: frameql.String, Text: f.of("a", "b", "paid", "k1", "A", "")}, {Kind: frameql.String, Text: f.of("a", "open", "k2", "it's")}}
	}
	if len(values) > 1 && f.chance(40) {
		p.Op, p.Vals = f.of("in", "not_in"), values
		return p
	}
	p.Op, p.Val = f.of("eq", "eq", "ne"), &values[0]
	return p
}
