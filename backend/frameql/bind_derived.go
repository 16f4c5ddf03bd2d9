package frameql

import "strconv"

// formatPercent is the Column.Format of a ratio that is read in hundredths.
const formatPercent = "percent"

// derivations are the functions that make a column of one number.
var derivations = map[string]string{
	"prev": "previous", "delta": "change", "pct_change": "change_pct",
	"share": "share", "cumulative": "cumulative", "moving": "moving", "rank": "rank", "index": "index",
}

// deriveOutputs says of every column that is made of one number how it is made, and which column shows that number.
func (r *resolver) deriveOutputs() {
	for i := range r.outputs {
		o := &r.outputs[i]
		fn, k, of := o.fn, o.comparand, (*Expr)(nil)
		if !o.added {
			if o.item < 0 || r.q.Select[o.item].Expr == nil {
				continue
			}
			e := r.q.Select[o.item].Expr
			if fn, of = e.Fn, e.Of; fn == "prev" || fn == "delta" || fn == "pct_change" {
				k = 1
				if len(e.Params) > 0 {
					k, _ = strconv.Atoi(e.Params[0].Text) // comparandOf has seen that it is a number
				}
			}
		}
		how := derivations[fn]
		if how == "" {
			continue
		}
		d := &Derived{How: how, Of: r.columnWhere(func(item int) bool {
			if o.added {
				return item == o.item
			}
			return r.q.Select[item].Expr.String() == of.String()
		})}
		if k > 0 && k <= len(r.q.Compare) {
			d.With = r.q.Compare[k-1].String()
			if fn == "prev" && r.q.Compare[k-1].Kind == "target" {
				d.How = "target"
			}
		}
		o.column.Derived = d
	}
}

// columnWhere names the column of the first expression of SELECT that passes. Empty: none does.
func (r *resolver) columnWhere(passes func(item int) bool) string {
	for _, o := range r.outputs {
		if o.item >= 0 && passes(o.item) {
			return o.column.Name
		}
	}
	return ""
}
