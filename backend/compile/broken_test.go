package compile_test

import (
	"testing"

	. "assay/backend/compile"
	"assay/backend/fault"
)

// TestBrokenQueries: what the resolver never binds is a fault of ours and never a panic.
func TestBrokenQueries(t *testing.T) {
	for name, b := range map[string]built{
		"no source":           q(nil, "n", leaf(orderCount)).with(func(q *Query) { q.Sources = nil }),
		"no key":              q([]int{region}, "n", leaf(orderCount)).with(func(q *Query) { q.Grain = []int{99} }),
		"no leaf":             q(nil, "n", &Scalar{Op: "leaf", Index: 99}),
		"no context":          q(nil, "n", at(orderCount, 3)),
		"no node":             q(nil, "n", leaf(orderCount)).where(orders, op("=", col(9, "x", ""), num("1"))),
		"unreached key":       q([]int{product}, "n", leaf(ticketCount)),
		"axis without a time": q([]int{month}, "n", leaf(orderCount)).with(func(q *Query) { q.Leaves[orderCount].Time = nil }),
		"moving without axis": q(nil, "n", over("moving", leaf(orderCount), 3, "")),
		"unknown operation":   q(nil, "n", op("frobnicate", leaf(orderCount))),
		"fill without axis":   q(nil, "n", leaf(orderCount)).with(func(q *Query) { q.Fill = &Fill{Mode: "zero"} }),
		"top by nothing":      q([]int{region}, "n", leaf(orderCount)).with(func(q *Query) { q.Top = &Top{N: 1, Members: []int{region}} }),
		"last without a time": q(nil, "n", leaf(lastAmount)).with(func(q *Query) { q.Leaves[lastAmount].Time = nil }),
	} {
		if p, err := Compile(b.Query, Options{}); fault.CodeOf(err) != fault.Internal {
			t.Errorf("%s: got %v, %v", name, err, p)
		}
	}
	nested := q([]int{month}, "n", over("moving", over("cumulative", leaf(orderCount), 0, ""), 3, ""))
	if _, err := Compile(nested.Query, Options{}); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("a window in a window: %v", err)
	}
	if _, err := Compile(q(nil, "n", leaf(orderCount)).Query, Options{Dialect: "cobol"}); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("an unknown dialect: %v", err)
	}
}
