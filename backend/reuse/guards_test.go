package reuse

import (
	"testing"
	"time"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// TestBucketsNest: a frame by the buckets of a calendar serves other buckets that it makes up without a rest.
func TestBucketsNest(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2024, 1, n, 0, 0, 0, 0, time.UTC) }
	cut := func(text string, ends ...int) *compile.Scalar {
		s := &compile.Scalar{Op: "trunc", Text: text}
		for i := 0; i+1 < len(ends); i += 2 {
			s.Buckets = append(s.Buckets, compile.Bucket{From: day(ends[i]), To: day(ends[i+1])})
		}
		return s
	}
	weeks := cut("week", 1, 8, 8, 15, 15, 22)
	for name, c := range map[string]struct {
		of, frame *compile.Scalar
		nests     bool
	}{
		"days in weeks":                          {weeks, cut("day"), true},
		"hours in weeks":                         {weeks, cut("hour"), true},
		"minutes in weeks":                       {weeks, cut("minute"), true},
		"seconds in weeks":                       {weeks, cut("second"), true},
		"months in weeks":                        {weeks, cut("month"), false},
		"weeks in months":                        {cut("month"), weeks, false},
		"weeks in weeks":                         {weeks, weeks, true},
		"weeks in pairs":                         {cut("pair", 1, 15), weeks, true},
		"weeks in a pair that ends later":        {cut("pair", 1, 16), weeks, false},
		"weeks in a pair that begins later":      {cut("pair", 2, 15), weeks, false},
		"weeks in a pair that begins earlier":    {cut("pair", 0, 15), weeks, false},
		"weeks in a pair beyond them":            {cut("pair", 15, 29), weeks, false},
		"weeks with a gap":                       {cut("pair", 1, 22), cut("week", 1, 8, 15, 22), false},
		"pairs in any order":                     {cut("pair", 15, 22, 1, 15), weeks, false},
		"pairs over each other":                  {cut("pair", 1, 15, 8, 22), weeks, false},
		"weeks that the pairs leave out":         {cut("pair", 8, 15), weeks, true},
		"weeks between the pairs are in neither": {cut("pair", 1, 8, 15, 22), weeks, true},
	} {
		if got := nested(c.of, c.frame); got != c.nests {
			t.Errorf("%s: %v", name, got)
		}
	}
	for _, fine := range []string{"second", "minute", "hour"} {
		if !finerThanDay(fine) {
			t.Errorf("a %s is no day", fine)
		}
	}
	if finerThanDay("day") || finerThanDay("month") {
		t.Error("a day is not finer than a day")
	}
	if !longer("minute", "second") || longer("second", "minute") || longer("day", "day") || longer("day", "sprint") || longer("sprint", "day") {
		t.Error("the order of grains by length")
	}
}

// TestColumnsHaveTheirTable: columns of one name are told apart by the path to their table.
func TestColumnsHaveTheirTable(t *testing.T) {
	column := func(node int, name string) *compile.Scalar {
		return &compile.Scalar{Op: "col", Node: node, Text: name}
	}
	nodes := []string{"f", "f.c", "f.d"}
	seen := map[string]bool{}
	for _, s := range []*compile.Scalar{nil, column(0, "x"), column(1, "x"), column(2, "x"), column(0, "y"), column(3, "x"), column(-1, "x"), {Op: "str", Text: "x"}} {
		sign := signature(s, nodes)
		if seen[sign] {
			t.Errorf("%s stands for two", sign)
		}
		seen[sign] = true
	}
	if signature(column(2, "x"), nodes) != signature(column(1, "x"), []string{"f", "f.d"}) {
		t.Error("the number of a table counts, and not its path")
	}
	if path(nodes, 0) != "f" || path(nodes, 2) != "f.d" || path(nodes, 3) != "?3" || path(nodes, -1) != "?-1" {
		t.Error("the path of a table")
	}
}

// TestListsOfUnlikeValues: a list whose values cannot be compared with each other is not understood.
func TestListsOfUnlikeValues(t *testing.T) {
	x := &compile.Scalar{Op: "col", Text: "x", Type: semantic.Text}
	text := func(s string) *compile.Scalar { return &compile.Scalar{Op: "str", Text: s, Type: semantic.Text} }
	in := func(values ...*compile.Scalar) *compile.Scalar {
		return &compile.Scalar{Op: "in", Args: append([]*compile.Scalar{x}, values...)}
	}
	if term, _, _ := truthOfList(in(text("a"), text("b")), []string{"f"}); term == "" {
		t.Error("two texts are a list")
	}
	for name, other := range map[string]*compile.Scalar{
		"a column": {Op: "col", Text: "y", Type: semantic.Text}, "a call": {Op: "call", Text: "lower", Args: []*compile.Scalar{x}},
	} {
		if term, _, _ := truthOfList(in(text("a"), other), []string{"f"}); term != "" {
			t.Errorf("%s in a list is no value", name)
		}
	}
}

// TestFramesAreListedInOrder whatever order they came in.
func TestFramesAreListedInOrder(t *testing.T) {
	all := NewIndex(Frame{ID: "f_2"}, Frame{ID: "f_3"}, Frame{ID: "f_1"}).Frames()
	for i, want := range []string{"f_1", "f_2", "f_3"} {
		if all[i].ID != want {
			t.Errorf("%s stands in place %d", all[i].ID, i)
		}
	}
}
