package frameqltest

import (
	"fmt"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// output is one column.
type output struct {
	name string
	expr *frameql.Expr
	key  key
	item int // of SELECT; -1: it leads
}

// findAxes finds the explicit time dimensions that are the metric time of every leaf that reaches them.
func (v *evaluation) findAxes() {
	var uses []use
	for _, e := range v.numbers() {
		uses = append(uses, v.leavesOnly(e)...)
	}
	dims := shownDims(v.q)
	for _, e := range v.numbers() {
		dims = append(dims, grainsIn(e)...)
	}
	if v.q.Top != nil {
		dims = append(dims, v.q.Top.Dim)
	}
	for _, d := range slices.Clone(dims) { // an entity stands for its key
		if t, ok := v.anyReach(d.Name); ok && t.dim == "" {
			for _, k := range t.entity.Key {
				dims = append(dims, frameql.Dim{Name: d.Name + "." + k})
			}
		}
	}
	for _, d := range dims {
		if of, part := datePart(d.Name); part != "" && of != "" {
			d.Name = of
		}
		reached, is := false, true
		for _, u := range uses {
			t, ok := v.w.reach(u.leaf.source, d.Name)
			if !ok || t.dim == "" {
				continue
			}
			reached = true
			is = is && u.leaf.time != nil && sameTarget(t, *u.leaf.time)
		}
		if reached && is {
			v.axes[strings.ToLower(d.Name)] = true
		}
	}
}

// leavesOnly gives the leaves of an expression without asking where they stand.
func (v *evaluation) leavesOnly(e *frameql.Expr) []use {
	if e == nil {
		return nil
	}
	var all []use
	none := use{ctx: v.contexts[0]}
	switch {
	case e.Reduce != "" && !e.Star && twoLevel(e.Of):
		return v.leavesOnly(ungrained(e.Of))
	case e.Reduce != "" || e.Metric != "":
		c := *e
		c.At, c.Filter = nil, nil
		return v.usesOf(&c, none)
	}
	all = append(all, v.leavesOnly(e.Of)...)
	for _, a := range e.Args {
		all = append(all, v.leavesOnly(a)...)
	}
	return all
}

func grainsIn(e *frameql.Expr) []frameql.Dim {
	if e == nil {
		return nil
	}
	var dims []frameql.Dim
	if e.At != nil {
		dims = append(dims, e.At.Dims...)
	}
	dims = append(dims, grainsIn(e.Of)...)
	for _, a := range e.Args {
		dims = append(dims, grainsIn(a)...)
	}
	return dims
}

// numbers gives the expressions of SELECT, HAVING, TOP and ORDER BY that are metrics and not names of columns.
func (v *evaluation) numbers() []*frameql.Expr {
	var all []*frameql.Expr
	for _, e := range expressions(v.q) {
		if e.Metric != "" && e.Reduce == "" && v.w.Model.Metric(e.Metric) == nil {
			continue // the name of an output or of a dimension
		}
		all = append(all, e)
	}
	for _, c := range v.q.Compare {
		if c.Kind == "target" {
			all = append(all, metricOf(c.Metric))
		}
	}
	return all
}

// outputs gives the columns: the dimensions of AT that SELECT leaves out lead.
func (v *evaluation) outputs() []output {
	var outs []output
	for i, it := range v.q.Select {
		if it.Expr != nil {
			outs = append(outs, output{name: v.nameOf(it), expr: it.Expr, item: i})
			outs = append(outs, v.compared(it, i)...)
			continue
		}
		for _, k := range v.keysOfDim(*it.Dim) {
			outs = append(outs, output{name: v.nameOfKey(k, it, *it.Dim), key: k, item: i})
		}
	}
	if v.q.At == nil {
		return unlike(outs)
	}
	var leading []output
	for _, d := range v.q.At.Dims {
		if v.stoodFor(d) {
			continue
		}
		for _, k := range v.keysOfDim(d) {
			if !slices.ContainsFunc(slices.Concat(outs, leading), func(o output) bool { return o.expr == nil && o.key == k }) {
				leading = append(leading, output{name: v.nameOfKey(k, frameql.Item{}, d), key: k, item: -1})
			}
		}
	}
	return unlike(append(leading, outs...))
}

// unlike forgets the names of columns that would be equal: how they are told apart is not said.
func unlike(outs []output) []output {
	count := map[string]int{}
	for i, o := range outs {
		count[strings.ToLower(o.name)]++
		for _, other := range outs[:i] { // one column under two names
			if o.expr == nil && other.expr == nil && o.key == other.key {
				outs[i].name = ""
			}
		}
	}
	for i := range outs {
		if count[strings.ToLower(outs[i].name)] > 1 {
			outs[i].name = ""
		}
	}
	return outs
}

// stoodFor says whether SELECT shows an attribute of an entity that AT names, which is no time: it stands for the key.
func (v *evaluation) stoodFor(d frameql.Dim) bool {
	t, ok := v.anyReach(d.Name)
	if !ok || t.dim != "" {
		return false
	}
	return slices.ContainsFunc(v.q.Select, func(it frameql.Item) bool {
		if it.Dim == nil || it.Dim.Grain != "" || slices.Contains(v.q.At.Dims, *it.Dim) || !strings.HasPrefix(it.Dim.Name, d.Name+".") {
			return false
		}
		shown, is := v.anyReach(it.Dim.Name)
		return is && shown.dim != "" && strings.Count(it.Dim.Name, ".") == strings.Count(d.Name, ".")+1 && !shown.entity.Dimension(shown.dim).Type.Temporal()
	})
}

func (v *evaluation) nameOfKey(k key, it frameql.Item, d frameql.Dim) string {
	switch {
	case it.As != "":
		return it.As
	case k.axis && d.Grain == "" && !v.cal.isUnit(d.Name): // a day that is not cut
		return ""
	case k.grain != "":
		return k.grain
	}
	return lastSegment(k.name)
}

func (v *evaluation) nameOf(it frameql.Item) string {
	if it.As != "" {
		return it.As
	}
	e := it.Expr
	switch {
	case e.Metric != "" && e.Filter == nil:
		return e.Metric
	case e.Fn == "prev" && e.Of.Metric != "" && nth(e) <= len(v.q.Compare) && v.q.Compare[nth(e)-1].Kind == "target":
		return e.Of.Metric + "_target"
	case e.Fn != "" && e.Of.Metric != "":
		return e.Of.Metric + map[string]string{
			"prev": "_previous", "delta": "_change", "pct_change": "_change_pct", "share": "_share", "cumulative": "_cumulative",
			"moving": "_moving", "rank": "_rank", "index": "_index",
		}[e.Fn]
	}
	return "" // not said
}

// compared gives the three columns that COMPARE puts after a metric when no function asks for the comparand.
func (v *evaluation) compared(it frameql.Item, item int) []output {
	if len(v.q.Compare) == 0 || slices.ContainsFunc(v.q.Select, func(it frameql.Item) bool { return asksForComparand(it.Expr) }) {
		return nil
	}
	var outs []output
	for n, c := range v.q.Compare {
		param := []frameql.Value{{Kind: frameql.Number, Text: fmt.Sprint(n + 1)}}
		names := []string{"_previous", "_change", "_change_pct"}
		if c.Kind == "target" {
			names[0] = "_target"
		}
		functions := []string{"prev", "delta", "pct_change"}
		if v.isTruth(it.Expr) { // which has no difference
			functions = functions[:1]
		}
		for i, fn := range functions {
			o := output{expr: &frameql.Expr{Fn: fn, Of: it.Expr, Params: param}, item: item}
			if of := v.nameOf(it); of != "" {
				o.name = of + names[i]
				if n > 0 {
					o.name += fmt.Sprint("_", n+1)
				}
			}
			outs = append(outs, o)
		}
	}
	return outs
}

// isTruth says whether an expression is true or false and no number.
func (v *evaluation) isTruth(e *frameql.Expr) bool {
	switch {
	case e.Op == "at":
		return v.isTruth(e.Args[0])
	case e.Op != "", e.Num != "":
		return false
	case e.Fn != "":
		return e.Fn == "prev" && v.isTruth(e.Of)
	case e.Reduce != "":
		return e.Reduce == "any" || e.Reduce == "all" || !e.Star && e.Reduce != "count" && twoLevel(e.Of) && v.isTruth(ungrained(e.Of))
	}
	m := v.w.Model.Metric(e.Metric)
	return m != nil && (m.Reducer == semantic.Any || m.Reducer == semantic.All)
}

func asksForComparand(e *frameql.Expr) bool {
	return e != nil && (e.Fn == "prev" || e.Fn == "delta" || e.Fn == "pct_change" || asksForComparand(e.Of) || slices.ContainsFunc(e.Args, asksForComparand))
}
