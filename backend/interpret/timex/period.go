package timex

import (
	"fmt"
	"slices"
	"time"

	"assay/backend/frameql"
	"assay/backend/text"
)

// Period is one reading of a date phrase.
type Period struct {
	Asked    frameql.Period // how Frame-QL writes it; for an open range, filled by Bounded
	From, To time.Time      // the half-open range in whole days; zero: open, or not known without a fiscal calendar
	Open     bool           // From or To is open: "since March", "before 1997"
	Grain    string         // the unit it is made of: day week month quarter year ...
	Notes    []string       // assumptions in words
	Relative bool           // it depends on the clock
	Back     Stride         // "last month" and its like: how far back it counts, which is not always from today
}

// Stride is how far back a phrase counts: "the previous month" is one month, "the last 3 years" are three. Alone it counts from
// today; beside a period with which it is compared it counts from that one.
type Stride struct {
	N      int
	Unit   string // empty: a phrase that does not count back
	ToDate bool   // "last year to date": as much of the unit as is over of the present one
}

// Spanning makes a half-open range.
func Spanning(from, to time.Time, grain string) Period {
	return Period{From: from, To: to, Grain: grain, Asked: asked(from, to, grain)}
}

// asked writes a range in Frame-QL: by its name where the unit has one.
func asked(from, to time.Time, grain string) frameql.Period {
	if named := slices.Contains([]string{"day", "month", "quarter", "year"}, grain); named && from.Year() > 0 && from.Equal(floorPlain(from, grain)) && to.Equal(step(from, grain, 1)) {
		return frameql.Period{Kind: "literal", Value: literalText(grain, from)}
	}
	return frameql.Period{Kind: "range", From: ISO(from), To: ISO(to)}
}

func literalText(grain string, from time.Time) string {
	switch grain {
	case "year":
		return from.Format("2006")
	case "quarter":
		return fmt.Sprintf("%04d-Q%d", from.Year(), (int(from.Month())+2)/3)
	case "month":
		return from.Format("2006-01")
	default:
		return ISO(from)
	}
}

// Bounded writes an open range. An open end stays open: everything from a day on. An open beginning starts with the data
// when its first day is known, else with the year 1.
func (p Period) Bounded(coverage func() (first, last time.Time, ok bool)) Period {
	if !p.Open {
		return p
	}
	p.Open = false
	p.Asked = frameql.Period{Kind: "range"}
	if p.From.IsZero() {
		p.From = Day(1, 1, 1)
		if first, _, ok := coverage(); ok && midnight(first).Before(p.To) {
			p.From = midnight(first)
		}
	}
	p.Asked.From = ISO(p.From)
	if !p.To.IsZero() {
		p.Asked.To = ISO(p.To)
	}
	return p
}

// notCovered is the coverage of a time dimension of which nothing is known.
func notCovered() (first, last time.Time, ok bool) { return first, last, false }

// Words gives a period for a person.
func (p Period) Words() string {
	switch {
	case p.Open && p.From.IsZero():
		return text.Say("interpret.until", "day", ISO(p.To))
	case p.Open:
		return text.Say("interpret.since", "day", ISO(p.From))
	default:
		return p.Asked.String()
	}
}

func midnight(t time.Time) time.Time { return Day(t.Year(), int(t.Month()), t.Day()) }

// Day is midnight of a calendar day.
func Day(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

// ISO writes a day as 2006-01-02.
func ISO(t time.Time) string { return t.Format("2006-01-02") }
