package interpret

import (
	"slices"
	"strconv"
	"strings"

	"assay/backend/frameql"
)

// showsMore says whether two queries ask for the same rows and only one of them shows more attributes, or each row once:
// that is no ambiguity worth a question.
func showsMore(a, b *frameql.Query) bool {
	restA, dimsA, numbersA := withoutColumns(a)
	restB, dimsB, numbersB := withoutColumns(b)
	if restA != restB || numbersA != numbersB {
		return false
	}
	if numbersA > 0 && (a.At == nil || b.At == nil || !slices.Equal(a.At.Dims, b.At.Dims)) {
		return false // what stands beside a number splits it
	}
	within := func(few, many []string) bool {
		return !slices.ContainsFunc(few, func(d string) bool { return !slices.Contains(many, d) })
	}
	return within(dimsA, dimsB) || within(dimsB, dimsA)
}

// withoutColumns gives a query without the attributes that it shows, those, and how many numbers it shows.
func withoutColumns(q *frameql.Query) (rest string, dims []string, numbers int) {
	bare := *q
	bare.Select, bare.At, bare.Where = nil, nil, asList(q.Where)
	for _, item := range q.Select {
		if item.Expr != nil {
			bare.Select = append(bare.Select, item)
			continue
		}
		dims = append(dims, item.Dim.String())
	}
	return bare.String(), dims, len(bare.Select)
}

// longestSpan bounds the whole numbers of a range that are compared one by one.
const longestSpan = 10

// asList writes a choice between values of one attribute, and a short range of whole numbers, as a list of them: "1948 or 1949" is the
// same however it was read.
func asList(p *frameql.Pred) *frameql.Pred {
	if p == nil {
		return nil
	}
	dim, vals := valuesIn(p)
	if dim == "" {
		return p
	}
	slices.SortFunc(vals, func(a, b frameql.Value) int { return strings.Compare(a.Text, b.Text) })
	return &frameql.Pred{Dim: dim, Op: "in", Vals: slices.Compact(vals)}
}

// valuesIn gives the attribute that must be one of some values, and those; no attribute where a condition says something else.
func valuesIn(p *frameql.Pred) (dim string, vals []frameql.Value) {
	switch {
	case p.Dim == "" && len(p.Or) > 0:
		for _, side := range p.Or {
			d, vs := valuesIn(side)
			if d == "" || dim != "" && d != dim {
				return "", nil
			}
			dim, vals = d, append(vals, vs...)
		}
		return dim, vals
	case p.Grain != "" || p.Dim == "":
		return "", nil
	case p.Op == "eq" && p.Val != nil:
		return p.Dim, []frameql.Value{*p.Val}
	case p.Op == "in":
		return p.Dim, slices.Clone(p.Vals)
	case p.Op == "between":
		from, errFrom := strconv.Atoi(p.Vals[0].Text)
		to, errTo := strconv.Atoi(p.Vals[1].Text)
		if errFrom != nil || errTo != nil || to-from > longestSpan {
			return "", nil
		}
		for n := from; n <= to; n++ {
			vals = append(vals, frameql.Value{Kind: p.Vals[0].Kind, Text: strconv.Itoa(n)})
		}
		return p.Dim, vals
	}
	return "", nil
}
