package reuse

import (
	"slices"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// coarser lists the grains that each grain nests in. A week begins in one month and ends in another, so it feeds nothing; a
// unit of a calendar that is a list of buckets is compared bucket by bucket.
var coarser = map[string][]string{
	"second":         {"minute", "hour", "day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year"},
	"minute":         {"hour", "day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year"},
	"hour":           {"day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year"},
	"day":            {"week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year"},
	"month":          {"quarter", "year", "fiscal_quarter", "fiscal_year"},
	"quarter":        {"year"},
	"fiscal_quarter": {"fiscal_year"},
}

func finerThanDay(grain string) bool {
	return grain == "second" || grain == "minute" || grain == "hour"
}

// truncate gives a cut of time from a cut that the frame holds, of the same time at a finer grain. It is clauses 4 and 5.
// The frame's time itself, uncut, serves every cut of it.
func (c *comparison) truncate(s *compile.Scalar) *compile.Scalar {
	if len(s.Args) != 1 {
		return nil
	}
	if whole := c.rewrite(s.Args[0]); whole != nil {
		out := *s
		out.Args = []*compile.Scalar{whole}
		return &out
	}
	over := c.branch.sign(s.Args[0])
	var failed Reason
	for at, k := range c.frame.Branch.Keys {
		if c.frame.cuts[at] != over {
			continue
		}
		if out, r := c.derive(s, k.Expr, at); out != nil {
			return out
		} else if failed.Code == "" {
			failed = r
		}
	}
	c.failed = failed
	return nil
}

// derive computes the cut b from the cut f, which is key at of the frame.
func (c *comparison) derive(b, f *compile.Scalar, at int) (*compile.Scalar, Reason) {
	out := *b
	out.Args = []*compile.Scalar{c.column(at)}
	switch {
	case len(f.Buckets) > 0 || len(b.Buckets) > 0:
		if !c.without(clauseCalendar) && !nested(b, f) {
			return nil, c.refuse(OtherCalendar)
		}
	case f.Text == b.Text || f.Text == "fiscal_quarter" && b.Text == "fiscal_year":
		if f.Shift != b.Shift && !c.without(clauseCalendar) {
			if f.Text == "week" {
				return nil, c.refuse(OtherWeek)
			}
			return nil, c.refuse(OtherCalendar)
		}
	case !slices.Contains(coarser[f.Text], b.Text):
		if !c.without(clauseGrain) || !longer(b.Text, f.Text) {
			return nil, c.refuse(GrainNotDerivable)
		}
	}
	if c.without(clauseZone) {
		out.Zone, out.From = "", ""
		return &out, Reason{}
	}
	zone, from, ok := c.rezone(b, f)
	if !ok {
		return nil, c.refuse(OtherZone)
	}
	out.Zone, out.From = zone, from
	return &out, Reason{}
}

// nested says whether every bucket of f lies in one bucket of b, and b has no day that f has not. A day frame nests in
// every calendar; nothing else is known to.
func nested(b, f *compile.Scalar) bool {
	if len(f.Buckets) == 0 {
		return f.Text == "day" || finerThanDay(f.Text)
	}
	if len(b.Buckets) == 0 {
		return false
	}
	i := 0
	for _, outer := range b.Buckets {
		for i < len(f.Buckets) && !f.Buckets[i].To.After(outer.From) {
			i++
		}
		at := outer.From
		for ; i < len(f.Buckets) && f.Buckets[i].From.Before(outer.To); i++ {
			if !f.Buckets[i].From.Equal(at) {
				return false
			}
			at = f.Buckets[i].To
		}
		if !at.Equal(outer.To) {
			return false
		}
	}
	// A bucket of f that lies in no bucket of b holds days that b does not know: they are missing in both.
	return true
}

// longer orders grains by length alone, as one would without knowing that weeks and months cross.
func longer(b, f string) bool {
	order := []string{"second", "minute", "hour", "day", "week", "month", "quarter", "fiscal_quarter", "year", "fiscal_year"}
	return slices.Index(order, b) > slices.Index(order, f) && slices.Index(order, f) >= 0
}

// literalAt writes a moment as a literal that compares with a column of the frame.
func literalAt(column *compile.Scalar, text string) *compile.Scalar {
	if column.Type == semantic.Date {
		return &compile.Scalar{Op: "date", Text: text[:len(day)], Type: semantic.Date}
	}
	return &compile.Scalar{Op: "timestamp", Text: text, Type: semantic.Timestamp}
}
