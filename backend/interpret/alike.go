package interpret

import (
	"slices"

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
	bare.Select, bare.At = nil, nil
	for _, item := range q.Select {
		if item.Expr != nil {
			bare.Select = append(bare.Select, item)
			continue
		}
		dims = append(dims, item.Dim.String())
	}
	return bare.String(), dims, len(bare.Select)
}
