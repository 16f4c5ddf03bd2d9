package frameql

import (
	"strconv"
	"strings"
	"time"

	"assay/backend/semantic"
	"assay/backend/text"
)

// change binds PREV, DELTA and PCT_CHANGE: against a comparand of COMPARE TO, or without one against the bucket before.
func (r *resolver) change(e *Expr, st stand) *scalar {
	k, ok := r.comparandOf(e, st)
	if !ok {
		r.expr(e.Of, st)
		return nil
	}
	if r.comparesWithin(e.Of) {
		r.refuse(e, refusal("INVALID_QUERY", "frameql.compared_twice", "expression", e.String()), r.spliced(text.Say("frameql.repair_only", "name", e.Of.String()), e, e.Of.String))
		return nil
	}
	now := r.expr(e.Of, st)
	before := r.before(e.Of, st, k)
	if now == nil || before == nil || e.Fn != "prev" && !(r.countable(e, now) && r.countable(e, before)) {
		return nil
	}
	return changed(e.Fn, now, before)
}

func (r *resolver) comparesWithin(e *Expr) bool {
	found := false
	seen := map[*Expr]bool{}
	var walk func(e *Expr)
	walk = func(e *Expr) {
		if e == nil || seen[e] {
			return
		}
		seen[e] = true
		found = found || e.Fn == "prev" || e.Fn == "delta" || e.Fn == "pct_change"
		walk(r.refers[e])
		walk(e.Of)
		for _, a := range e.Args {
			walk(a)
		}
	}
	walk(e)
	return found
}

func changed(fn string, now, before *scalar) *scalar {
	switch fn {
	case "prev":
		return before
	case "delta":
		return arithmetic("-", now, before)
	}
	return withUnit(arithmetic("/", arithmetic("-", now, before), &scalar{Op: "call", Text: "abs", Args: []*scalar{before}, Type: before.Type}), "")
}

// comparandOf gives which comparand a function means: its number, the first, or as a negative number how many buckets before.
func (r *resolver) comparandOf(e *Expr, st stand) (int, bool) {
	k := 1
	if len(e.Params) > 0 {
		n, _ := strconv.Atoi(e.Params[0].Text) // 0, which is too small, where it is no whole number
		most, key := len(r.q.Compare), "frameql.comparand_number"
		if most == 0 {
			most, key = longestLag, "frameql.lag_number"
		}
		if e.Params[0].Kind != Number || n < 1 || n > most || len(e.Params) > 1 {
			r.refuse(e, refusal("INVALID_QUERY", key, "expression", e.String(), "n", most),
				r.edited(text.Say("frameql.repair_use", "name", "1"), func(q *Query) {
					q.eachExpr(func(x *Expr) {
						if x.Fn == e.Fn {
							x.Params = nil
						}
					})
				}))
			return 0, false
		}
		k = n
	}
	if e.Unit != "" || e.At != nil {
		r.refuseArgument(e)
		return 0, false
	}
	if len(r.q.Compare) > 0 {
		return k, k <= len(r.comparand)
	}
	if r.finestAxis(st.keys) < 0 {
		if len(r.sources) > 0 {
			r.refuseAxisRequired(e, e.String())
		}
		return 0, false
	}
	return -k, r.inOrder(e, e.String(), st.keys)
}

// longestLag bounds how many buckets PREV without a comparand looks back.
const longestLag = 1000

// before gives an expression in another period, or the target that stands for it.
func (r *resolver) before(e *Expr, st stand, k int) *scalar {
	if k > 0 && r.comparand[k-1].target != nil {
		return r.metricValue(r.comparand[k-1].target, st, 0)
	}
	if st.period = k; k < 0 {
		st.lag = r.keys[r.finestAxis(st.keys)].ref.unit()
	}
	return r.expr(e, st)
}

// compareColumns adds, after a column, its value in each comparand, the change and the change in percent.
func (r *resolver) compareColumns(e *Expr, name string, item int, st stand) []output {
	var all []output
	for k := range r.comparand {
		now, before := r.expr(e, st), r.before(e, st, k+1) // now is there: its own column is
		if before == nil {
			continue
		}
		suffix := ""
		if k > 0 {
			suffix = "_" + strconv.Itoa(k+1)
		}
		functions := []string{"prev", "delta", "pct_change"}
		if now.Type != "" && before.Type != "" && now.Type.Numeric() != before.Type.Numeric() { // the other is a target: in another period it is the same
			t := r.comparand[k].target
			r.refuse(r.comparand[k].written, refusal("TYPE_MISMATCH", "frameql.unlike", "name", name, "type", typeWord(now.Type), "other", t.Name, "other_type", typeWord(before.Type)),
				r.withoutCompare())
			continue
		}
		if now.Type != "" && !now.Type.Numeric() { // what is true, or a date, does not change by an amount
			functions = functions[:1]
		}
		for _, fn := range functions {
			cell := changed(fn, now, before)
			c := r.describeChange(fn, r.describe(e, now), cell)
			c.Name = name + changeSuffix(fn)
			if fn == "prev" && r.comparand[k].target != nil {
				c.Name, c.Label = name+"_target", labelOf(r.comparand[k].target.Label, r.comparand[k].target.Name)
			}
			c.Name += suffix
			all = append(all, output{column: c, cell: cell, item: item, key: -1, added: true, fn: fn, comparand: k + 1})
		}
	}
	return all
}

func changeSuffix(fn string) string {
	switch fn {
	case "prev":
		return "_previous"
	case "delta":
		return "_change"
	}
	return "_change_pct"
}

// describeChange gives the column of a comparison of another.
func (r *resolver) describeChange(fn string, of Column, cell *scalar) Column {
	c := Column{
		Name: of.Name + changeSuffix(fn), Label: text.Say("frameql.label_"+fn, "name", of.Label, "small", inSentence(of.Label)),
		Role: RoleComparison, Type: string(cell.Type), Unit: cell.Currency, Metric: of.Metric, Additivity: "none",
	}
	if fn == "pct_change" {
		c.Format = formatPercent
	}
	return c
}

// inSentence writes a label as it stands within a sentence; one that begins with several capitals stays.
func inSentence(label string) string {
	runes := []rune(label)
	if len(runes) < 2 || strings.ToUpper(string(runes[1])) == string(runes[1]) {
		return label
	}
	return strings.ToLower(string(runes[0])) + string(runes[1:])
}

// noticeUncovered says where a comparand lies outside the data.
func (r *resolver) noticeUncovered(u ComparandUse) {
	first, last, known := r.covered()
	if !known || u.From.IsZero() { // an open one has no end either
		return
	}
	if u.From.Before(first) || u.To.After(last.AddDate(0, 0, 1)) {
		r.notice(OutsideCoverage, Caution, "frameql.notice_comparand", "period", u.Label, "first", first.Format(time.DateOnly), "last", last.Format(time.DateOnly))
	}
}

// Conditions are those of a query on rows: WHERE, the parts that hold together in it, and every FILTER.
func (q *Query) Conditions() []*Pred {
	var all []*Pred
	if q.Where != nil {
		all = append(append(all, q.Where), q.Where.And...)
	}
	q.eachExpr(func(e *Expr) {
		if e.Filter != nil {
			all = append(append(all, e.Filter), e.Filter.And...)
		}
	})
	return all
}

// eachExpr visits every expression of a query.
func (q *Query) eachExpr(visit func(*Expr)) {
	var walk func(e *Expr)
	walk = func(e *Expr) {
		if e == nil {
			return
		}
		visit(e)
		walk(e.Of)
		for _, a := range e.Args {
			walk(a)
		}
	}
	var preds func(p *Pred)
	preds = func(p *Pred) {
		if p == nil {
			return
		}
		walk(p.Left)
		walk(p.Expr)
		preds(p.Not)
		for _, c := range append(append([]*Pred{}, p.And...), p.Or...) {
			preds(c)
		}
	}
	for i := range q.With {
		walk(q.With[i].Expr)
	}
	for i := range q.Select {
		walk(q.Select[i].Expr)
	}
	if q.Top != nil {
		walk(q.Top.By.Expr)
	}
	for i := range q.Order {
		walk(q.Order[i].Expr)
	}
	preds(q.Having)
}

// hasZero says whether a metric says 0 where there are no rows.
func hasZero(m *semantic.Metric, reducer string) bool {
	return m.EmptyIs == "zero" || m.EmptyIs == "" && (reducer == "sum" || reducer == "count")
}
