package interpret

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// namedPeriod is a period as a question says it, with the days that it has by a calendar of the test's own.
type namedPeriod struct {
	said     string
	unit     string
	from, to time.Time
}

// ownStep moves a day by calendar units, without what the reader uses.
func ownStep(t time.Time, unit string, n int) time.Time {
	switch unit {
	case "day":
		return t.Add(time.Duration(n) * 24 * time.Hour)
	case "week":
		return t.Add(time.Duration(7*n) * 24 * time.Hour)
	case "month":
		return time.Date(t.Year(), t.Month()+time.Month(n), t.Day(), 0, 0, 0, 0, time.UTC)
	case "quarter":
		return ownStep(t, "month", 3*n)
	}
	return ownStep(t, "month", 12*n)
}

func drawNamed(r *rand.Rand) namedPeriod {
	// The sample has data from July 1996 to May 1998: what is asked about is over, and a year before it has data.
	first := time.Date(1997, time.Month(8+r.IntN(8)), 1, 0, 0, 0, 0, time.UTC)
	switch r.IntN(5) {
	case 0:
		from := time.Date(1997, 1, 1, 0, 0, 0, 0, time.UTC)
		return namedPeriod{"in 1997", "year", from, ownStep(from, "year", 1)}
	case 1:
		q := (int(first.Month()) + 2) / 3
		from := time.Date(first.Year(), time.Month(3*q-2), 1, 0, 0, 0, 0, time.UTC)
		return namedPeriod{fmt.Sprintf("in Q%d %d", q, first.Year()), "quarter", from, ownStep(from, "quarter", 1)}
	case 2:
		day := first.AddDate(0, 0, r.IntN(28))
		return namedPeriod{"on " + day.Format("2006-01-02"), "day", day, ownStep(day, "day", 1)}
	case 3:
		day := first.AddDate(0, 0, r.IntN(28))
		from := day.AddDate(0, 0, -((int(day.Weekday()) + 6) % 7))
		return namedPeriod{"in the week of " + day.Format("2 January 2006"), "week", from, ownStep(from, "week", 1)}
	}
	return namedPeriod{"in " + first.Format("January 2006"), "month", first, ownStep(first, "month", 1)}
}

// TestComparandOfANamedPeriodLiesBeforeIt asks 300 drawn questions and finds the comparand by another calendar.
func TestComparandOfANamedPeriodLiesBeforeIt(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 6))
	joints := []string{"vs", "versus", "compared to", "compared with", "against", "relative to"}
	backs := []string{"the previous %s", "the prior %s", "the preceding %s", "the %s before", "last %s"}
	for n := range 300 {
		p := drawNamed(r)
		joint, back := joints[r.IntN(len(joints))], fmt.Sprintf(backs[r.IntN(len(backs))], p.unit)
		step := p.unit
		if r.IntN(4) == 0 {
			back, step = []string{"the same period last year", "the previous year"}[r.IntN(2)], "year"
		}
		from, to := ownStep(p.from, step, -1), ownStep(p.to, step, -1)
		question := strings.Join([]string{"revenue", p.said, joint, back}, " ")
		t.Run(fmt.Sprintf("%d %s", n, question), func(t *testing.T) {
			read := ask(t, question)
			if read.Reading == nil {
				t.Fatal(outcome(read))
			}
			plan, query := read.Reading.Plan, read.Reading.Query
			if len(plan.Comparands) != 1 {
				t.Fatalf("%s has %d comparands", query.String(), len(plan.Comparands))
			}
			c := plan.Comparands[0]
			if !plan.Period.From.Equal(p.from) || !plan.Period.To.Equal(p.to) || !c.From.Equal(from) || !c.To.Equal(to) {
				t.Errorf("%s\ngot  %s..%s beside %s..%s\nwant %s..%s beside %s..%s", query.String(), iso(plan.Period.From), iso(plan.Period.To), iso(c.From), iso(c.To),
					iso(p.from), iso(p.to), iso(from), iso(to))
			}
		})
	}
}
