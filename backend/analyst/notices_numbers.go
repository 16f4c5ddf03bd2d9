package analyst

import (
	"math/big"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/text"
)

// checkSmallN says which groups show an average, a ratio or a percentile of few things.
func (r *run) checkSmallN(f *frameql.Frame) []checked {
	out := checked{Finding: Finding{Code: frameql.SmallN, Severity: frameql.Caution, Status: "not_applicable", Message: text.Say("analyst.check_small_not")}}
	if !r.samples() || len(f.Rows) == 0 {
		return []checked{out}
	}
	e := r.seen
	if e == nil {
		out.Status, out.Message = "could_not_check", text.Say("analyst.check_small_unknown")
		return []checked{out}
	}
	shown := frameview.Members(f)
	s := frameview.ShapeOf(shown)
	groups, all := 0, 0
	var named []string
	var facts []map[string]any
	for k, row := range shown.Rows {
		if isRest(f, row) {
			continue
		}
		n, some := e.leastBehind(row, k)
		if !some {
			continue
		}
		all++
		if n >= smallN {
			continue
		}
		groups++
		if len(named) < namedGroups {
			words := frameview.Grouped(n)
			if len(s.Members) > 0 {
				words = text.Say("analyst.small_group", "member", memberText(shown, k, s.Members), "n", frameview.Grouped(n))
			}
			named = append(named, words)
			facts = append(facts, map[string]any{"row": k, "n": n})
		}
	}
	if groups == 0 {
		out.Status, out.Message = "passed", text.Say("analyst.check_small_none", "least", smallN)
		return []checked{out}
	}
	out.Status = "finding"
	out.facts = map[string]any{"threshold": smallN, "groups": groups, "of": all, "first": facts}
	if len(s.Members) == 0 {
		out.Message = text.Say("analyst.small_whole", "n", named[0], "least", smallN)
		return []checked{out}
	}
	names := strings.Join(named, ", ")
	if more := groups - len(named); more > 0 {
		names = text.Say("analyst.small_more", "names", names, "n", frameview.Grouped(int64(more)))
	}
	out.Message = text.Count("analyst.small_groups", int64(groups), "groups", frameview.Grouped(int64(groups)), "all", frameview.Grouped(int64(all)), "least", smallN, "names", names)
	return []checked{out}
}

func memberText(f *frameql.Frame, row int, columns []int) string {
	var words []string
	for _, i := range columns {
		words = append(words, memberWords(f.Rows[row][i], f.Columns[i]))
	}
	return strings.Join(words, text.Say("analyst.member_separator"))
}

// checkSigns says how many relative changes are counted from a base below zero.
func (r *run) checkSigns(f *frameql.Frame) []checked {
	out := checked{Finding: Finding{Code: frameql.SignChange, Severity: frameql.Caution, Status: "not_applicable", Message: text.Say("analyst.check_signs_not")}}
	cells := 0
	var columns []string
	var facts []map[string]any
	for i, c := range f.Columns {
		if c.Derived == nil || c.Derived.How != "change_pct" {
			continue
		}
		base, ok := r.baseOf(f, i)
		switch {
		case !ok && missingAll(f, i):
			continue
		case !ok:
			out.Status, out.Message = "could_not_check", text.Say("analyst.check_signs_unknown")
			return []checked{out}
		case out.Status == "not_applicable":
			out.Status, out.Message = "passed", text.Say("analyst.check_signs")
		}
		rows := []int{}
		for k, row := range f.Rows {
			if n, isNumber := frameview.Number(base(k)); isNumber && n.Sign() < 0 && row[i] != nil {
				rows = append(rows, k)
			}
		}
		if len(rows) > 0 {
			cells += len(rows)
			columns = append(columns, frameview.Label(c))
			facts = append(facts, map[string]any{"column": c.Name, "rows": rows})
		}
	}
	if cells > 0 {
		out.Status, out.facts = "finding", map[string]any{"cells": facts}
		out.Message = text.Count("analyst.sign_change", int64(cells), "cells", frameview.Grouped(int64(cells)), "columns", strings.Join(columns, ", "))
	}
	return []checked{out}
}

func missingAll(f *frameql.Frame, column int) bool {
	return !slices.ContainsFunc(f.Rows, func(row []any) bool { return row[column] != nil })
}

// baseOf gives what a relative change is counted from, by row: the frame shows it, or it was asked for.
func (r *run) baseOf(f *frameql.Frame, column int) (func(row int) any, bool) {
	d := f.Columns[column].Derived
	for i, c := range f.Columns {
		if o := c.Derived; o != nil && d.Of != "" && o.Of == d.Of && o.With == d.With && (o.How == "previous" || o.How == "target") {
			return func(row int) any { return f.Rows[row][i] }, true
		}
	}
	if r.seen == nil {
		return nil, false
	}
	i, ok := r.seen.Base[column]
	return func(row int) any { return r.seen.rows[row][i] }, ok
}

// signChanged says whether the frame warns of a relative change in a cell.
func signChanged(f *frameql.Frame, row, column int) bool {
	for _, n := range f.Notices {
		cells, _ := n.Facts["cells"].([]map[string]any)
		for _, c := range cells {
			if rows, _ := c["rows"].([]int); n.Code == frameql.SignChange && c["column"] == f.Columns[column].Name && slices.Contains(rows, row) {
				return true
			}
		}
	}
	return false
}

// checkShares says when shares make more than the whole. Where the resolver saw that they need not add up, the numbers
// decide whether that is said: it is not when they do.
func (r *run) checkShares(f *frameql.Frame) []checked {
	out := checked{Finding: Finding{Code: frameql.ShareOver, Severity: frameql.Caution, Status: "not_applicable", Message: text.Say("analyst.check_shares_not")}}
	at := slices.IndexFunc(f.Notices, func(n frameql.Notice) bool { return n.Code == frameql.ShareOver })
	whole := at >= 0 && f.Notices[at].Facts["within"] == false && f.Notices[at].Facts["also"] == nil &&
		f.Truncated == nil && r.plan.Top == nil && r.plan.Limit == nil && r.plan.Offset == 0 && r.plan.Query != nil && r.plan.Query.Having == nil
	one, most := big.NewRat(1_000_000_001, 1_000_000_000), new(big.Rat) // shares are doubles: a part in a billion is rounding
	sum := new(big.Rat)
	var column string
	for i, c := range f.Columns {
		if c.Derived == nil || c.Derived.How != "share" {
			continue
		}
		if out.Status == "not_applicable" {
			out.Status, out.Message = "passed", text.Say("analyst.check_shares")
		}
		all := new(big.Rat)
		for _, row := range frameview.Members(f).Rows {
			if n, ok := frameview.Number(row[i]); ok {
				all.Add(all, n)
				if n.Cmp(most) > 0 {
					most, column = n, frameview.Label(c)
				}
			}
		}
		if all.Cmp(sum) > 0 {
			sum = all
			if most.Cmp(one) <= 0 {
				column = frameview.Label(c)
			}
		}
	}
	if whole { // the numbers know better
		f.Notices = slices.Delete(f.Notices, at, at+1)
	}
	switch {
	case most.Cmp(one) > 0:
		out.Status, out.Message = "finding", text.Say("analyst.share_over", "column", column, "share", text.Say("analyst.percent", "n", frameview.Percentage(most)))
		out.facts = map[string]any{"column": column, "share": ratFloat(most)}
	case whole && sum.Cmp(one) > 0:
		out.Status, out.Severity, out.Message = "finding", frameql.Info, text.Say("analyst.shares_over", "column", column, "share", text.Say("analyst.percent", "n", frameview.Percentage(sum)))
		out.facts = map[string]any{"column": column, "sum": ratFloat(sum)}
	}
	return []checked{out}
}

func ratFloat(x *big.Rat) float64 {
	v, _ := x.Float64()
	return v
}
