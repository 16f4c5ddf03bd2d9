package analyst

import (
	"strings"
	"testing"
	"time"

	"assay/backend/frameql"
)

// looked runs the checks on a frame as if it had just been executed.
func looked(t *testing.T, plan *frameql.Plan, f *frameql.Frame, req Request) *Answer {
	t.Helper()
	r := &run{req: req, plan: plan, knowledge: Knowledge{Model: shop(t)}, answer: blank(Stored{})}
	r.answer.Frame = f
	r.answer.Verification = &Verification{Level: "A"}
	r.look()
	if len(r.answer.Verification.Checks) < 5 {
		t.Errorf("checks %+v", r.answer.Verification.Checks)
	}
	return r.answer
}

func found(a *Answer, code string) string {
	for _, f := range a.Findings {
		if f.Code == code {
			return f.Severity + ": " + f.Message
		}
	}
	return ""
}

func TestFindings(t *testing.T) {
	kept := func(in, kept int64, filters ...frameql.FilterKept) *frameql.Population {
		return &frameql.Population{RowsIn: in, Kept: kept, PerFilter: filters}
	}
	day := func(from, to string) *frameql.Range { return &frameql.Range{From: from, To: to} }
	sound := func() *frameql.Frame {
		f := oneCategory(3)
		f.Population = kept(100, 50)
		f.Span = &frameql.Span{On: "orders.order_date", Asked: day("1997-01-01", "1998-01-01"), Covered: day("1997-01-01", "1998-01-01")}
		return f
	}
	for name, c := range map[string]struct {
		change func(*frameql.Frame)
		code   string
		want   string // empty: no finding
	}{
		"nothing to say": {func(*frameql.Frame) {}, "", ""},
		"one filter keeps nothing": {func(f *frameql.Frame) {
			f.Rows, f.Population = nil, kept(100, 0, frameql.FilterKept{Filter: "orders.country = 'Narnia'"}, frameql.FilterKept{Filter: "DURING 1997", Kept: 40})
		}, "EMPTY_RESULT", "caution: No rows match: orders.country = 'Narnia' keeps none of the 100 rows."},
		"a total over nothing": {func(f *frameql.Frame) {
			f.Rows, f.Population = [][]any{{nil, nil}}, kept(1000, 0, frameql.FilterKept{Filter: "a", Kept: 1}, frameql.FilterKept{Filter: "b", Kept: 2})
		}, "EMPTY_RESULT", "caution: No rows match: each filter keeps some of the 1,000 rows, all of them together keep none."},
		"HAVING removes everything": {func(f *frameql.Frame) { f.Rows = nil }, "EMPTY_RESULT", "caution: No rows are left, although 50 rows passed the filters: the condition on the result removed them."},
		"an empty table":            {func(f *frameql.Frame) { f.Rows, f.Population = nil, kept(0, 0) }, "EMPTY_RESULT", "caution: No rows match: Order lines has none."},
		"empty, and not counted":    {func(f *frameql.Frame) { f.Rows, f.Population = nil, nil }, "EMPTY_RESULT", "caution: No rows match."},
		"truncated":                 {func(f *frameql.Frame) { f.Truncated = &frameql.Truncated{Cap: 3, TotalRows: 12345} }, "TRUNCATED", "caution: Only 3 of 12,345 rows are shown."},
		"half a year":               {func(f *frameql.Frame) { f.Span.Covered.To, f.Span.Partial = "1997-05-07", true }, "INCOMPLETE_PERIOD", "caution: The period asked for is 1997-01-01 to 1997-12-31; the data covers only 1997-01-01 to 1997-05-06 of it."},
		"a weekend at the edge":     {func(f *frameql.Frame) { f.Span.Covered.From, f.Span.Partial = "1997-01-03", true }, "INCOMPLETE_PERIOD", "info: The period asked for is 1997-01-01 to 1997-12-31; the data covers only 1997-01-03 to 1997-12-31 of it."},
		"another time":              {func(f *frameql.Frame) { f.Span.Covered, f.Span.Partial = nil, true }, "OUTSIDE_COVERAGE", "caution: The data has nothing in the period asked for (1997-01-01 to 1997-12-31)."},
		"coverage is not known":     {func(f *frameql.Frame) { f.Span.Covered = nil }, "INCOMPLETE_PERIOD", "caution: It is not known which dates of orders.order_date the data covers."},
		"rows of nobody, uncounted": {func(f *frameql.Frame) { f.Rows[1][0] = nil }, "NULL_MEMBER", "caution: How much belongs to no member was not counted."},
		"few rows":                  {func(f *frameql.Frame) { f.Population.Kept = 4 }, "FEW_ROWS", "caution: The result rests on 4 rows only; a single one may decide it."},
	} {
		t.Run(name, func(t *testing.T) {
			f := sound()
			c.change(f)
			a := looked(t, &frameql.Plan{Fact: "lines"}, f, Request{})
			if got := found(a, c.code); got != c.want {
				t.Errorf("%s: %q, want %q", c.code, got, c.want)
			}
			if c.code == "" && len(a.Findings) > 0 {
				t.Errorf("findings %+v", a.Findings)
			}
		})
	}
}

func TestGotchasAndMemosAreFindings(t *testing.T) {
	f := oneCategory(3)
	a := looked(t, &frameql.Plan{Metrics: []string{"revenue"}}, f, Request{Memo: "GPM = (revenue - cost) / revenue"})
	if got := found(a, "GOTCHA"); got != "info: Lines of tests are included." {
		t.Errorf("gotcha %q", got)
	}
	if got := found(a, "MEMO_NOT_APPLIED"); !strings.Contains(got, "definitions are not read yet") {
		t.Errorf("memo %q", got)
	}
	if a := looked(t, &frameql.Plan{Metrics: []string{"order_count"}}, f, Request{}); len(a.Findings) != 0 {
		t.Errorf("findings %+v", a.Findings)
	}
}

func TestSpan(t *testing.T) {
	k := shopKnowledge(t)
	at := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }
	for name, c := range map[string]struct {
		from, to       time.Time
		asked, covered string
		partial        bool
	}{
		"inside":       {at(1997, 1, 1), at(1998, 1, 1), "1997-01-01/1998-01-01", "1997-01-01/1998-01-01", false},
		"past the end": {at(1998, 1, 1), at(1999, 1, 1), "1998-01-01/1999-01-01", "1998-01-01/1998-05-07", true},
		"before":       {at(1996, 1, 1), at(1997, 1, 1), "1996-01-01/1997-01-01", "1996-07-04/1997-01-01", true},
		"the last day": {at(1998, 5, 6), at(1998, 5, 7), "1998-05-06/1998-05-07", "1998-05-06/1998-05-07", false},
		"elsewhere":    {at(2010, 1, 1), at(2011, 1, 1), "2010-01-01/2011-01-01", "-", true},
		"open end":     {at(1998, 1, 1), time.Time{}, "1998-01-01/", "1998-01-01/1998-05-07", false},
		"open start":   {time.Time{}, at(1997, 1, 1), "/1997-01-01", "1996-07-04/1997-01-01", false},
		"all time":     {time.Time{}, time.Time{}, "-", "1996-07-04/1998-05-07", false},
	} {
		t.Run(name, func(t *testing.T) {
			plan := &frameql.Plan{Fact: "lines", Period: &frameql.PeriodUse{On: "orders.order_date", From: c.from, To: c.to}}
			words := func(r *frameql.Range) string {
				if r == nil {
					return "-"
				}
				return r.From + "/" + r.To
			}
			s := spanOf(plan, k)
			if words(s.Asked) != c.asked || words(s.Covered) != c.covered || s.Partial != c.partial || s.On != "orders.order_date" {
				t.Errorf("asked %s, covered %s, partial %v", words(s.Asked), words(s.Covered), s.Partial)
			}
		})
	}
	if s := spanOf(&frameql.Plan{Fact: "products"}, k); s != nil {
		t.Errorf("products have no time, and a span %+v", s)
	}
	if s := spanOf(&frameql.Plan{Fact: "lines", Metrics: []string{"revenue"}}, k); s == nil || s.On != "orders.order_date" || s.Asked != nil {
		t.Errorf("span %+v", s)
	}
}
