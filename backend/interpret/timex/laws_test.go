package timex

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// anyDay draws a day of today between 1950 and 2100, often at the edge of a month or a year.
func anyDay(t *rapid.T) time.Time {
	d := Day(rapid.IntRange(1950, 2099).Draw(t, "year"), rapid.IntRange(1, 12).Draw(t, "month"), 1)
	return d.AddDate(0, 0, rapid.SampledFrom([]int{-1, 0, 1, 14, 27, 28, 29}).Draw(t, "day"))
}

func read(t *rapid.T, phrase string, now time.Time) Period {
	p, _, ok := Read(phrase, frameql.Env{Now: now}, Exact)
	if !ok {
		t.Fatalf("%q is not read on %s", phrase, ISO(now))
	}
	return p
}

func alike(t *rapid.T, now time.Time, phrases ...string) {
	first := read(t, phrases[0], now)
	for _, other := range phrases[1:] {
		if p := read(t, other, now); !p.From.Equal(first.From) || !p.To.Equal(first.To) {
			t.Fatalf("on %s, %q is %s to %s, but %q is %s to %s", ISO(now), phrases[0], ISO(first.From), ISO(first.To), other, ISO(p.From), ISO(p.To))
		}
	}
}

var unitNames = []string{"day", "week", "month", "quarter", "year"}

// TestNeighbours: the unit before the next one is this one, and units lie side by side.
func TestNeighbours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now, unit := anyDay(t), rapid.SampledFrom(unitNames).Draw(t, "unit")
		last, this, next := read(t, "last "+unit, now), read(t, "this "+unit, now), read(t, "next "+unit, now)
		if !last.To.Equal(this.From) || !this.To.Equal(next.From) || now.Before(this.From) || !now.Before(this.To) {
			t.Fatalf("%s: %v %v %v", unit, last, this, next)
		}
		alike(t, now, "this "+unit, "the "+unit+" before next "+unit, "the "+unit+" after last "+unit, "1 "+unit+" before next "+unit, "1 "+unit+" after last "+unit)
		alike(t, now, "the "+unit+" after next", "2 "+unit+"s after this "+unit)
		alike(t, now, "the "+unit+" before last", "2 "+unit+"s before this "+unit)
	})
}

// TestDaysAgo: n days ago is today without n days, however it is said, and n weeks are 7n days.
func TestDaysAgo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now, n := anyDay(t), rapid.IntRange(1, 1400).Draw(t, "n")
		if p := read(t, fmt.Sprintf("%d days ago", n), now); !p.From.Equal(now.AddDate(0, 0, -n)) || !p.To.Equal(now.AddDate(0, 0, 1-n)) {
			t.Fatalf("%d days ago: %v", n, p)
		}
		alike(t, now, fmt.Sprintf("%d weeks ago", n), fmt.Sprintf("%d days ago", 7*n), fmt.Sprintf("%d weeks before today", n))
		alike(t, now, fmt.Sprintf("%d days from now", n), fmt.Sprintf("in %d days", n), fmt.Sprintf("%d days after today", n), fmt.Sprintf("%d days from yesterday", n+1))
	})
}

// TestOneDayManyForms: a day is the same day in every form that is not ambiguous.
func TestOneDayManyForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now, d := anyDay(t), anyDay(t)
		forms := []string{
			"2006-01-02", "2006/01/02", "2006.01.02", "2 January 2006", "January 2, 2006", "Jan 2 2006", "2 Jan. 2006", "02-Jan-2006", "2006-Jan-02", "Monday, January 2, 2006", "Mon 2 Jan 2006",
			"the 2 of January 2006", "January the 2, 2006", "2006 January 2", "20060102", "January 2 of 2006", "2 of January, 2006",
		}
		if d.Day() > 12 {
			forms = append(forms, "01/02/2006", "2/1/2006", "1-2-2006")
		} else {
			forms = append(forms, "01/02/2006", "1-2-2006", "02.01.2006")
		}
		for i := range forms {
			forms[i] = d.Format(forms[i])
		}
		forms = append(forms, fmt.Sprintf("%s the %d%s, %d", d.Month(), d.Day(), suffix(d.Day()), d.Year()), fmt.Sprintf("%d%s of %s %d", d.Day(), suffix(d.Day()), d.Month(), d.Year()),
			fmt.Sprintf("day %d of %d", d.YearDay(), d.Year()), fmt.Sprintf("the %d%s day of %s %d", d.Day(), suffix(d.Day()), d.Month(), d.Year()))
		alike(t, now, forms...)
	})
}

func suffix(n int) string {
	switch {
	case n%100/10 == 1:
		return "th"
	case n%10 == 1:
		return "st"
	case n%10 == 2:
		return "nd"
	case n%10 == 3:
		return "rd"
	}
	return "th"
}

// TestPeriodsReadThemselves: what a period is called reads back as that period.
func TestPeriodsReadThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now, d := anyDay(t), anyDay(t)
		s, _ := newReader("", frameql.Env{Now: now}, Exact).unitOf(d, rapid.SampledFrom([]string{"day", "month", "quarter", "year"}).Draw(t, "unit"), 0)
		name := Spanning(s.from, s.to, s.grain).Asked.Value
		if p := read(t, name, now); !p.From.Equal(s.from) || !p.To.Equal(s.to) || p.Asked.Value != name {
			t.Fatalf("%s is read as %v", name, p)
		}
		last := s.to.AddDate(0, 0, -1)
		if s.from.Before(last) {
			alike(t, now, name, "from "+ISO(s.from)+" to "+ISO(last), "between "+ISO(s.from)+" and "+ISO(last), "since "+ISO(s.from)+" and before "+ISO(s.to))
		}
	})
}

// TestMannerOfRanges: a range of whole units ends where the next unit begins, or exactly measured where the last one does.
func TestMannerOfRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := anyDay(t)
		from := rapid.IntRange(1900, 2050).Draw(t, "from")
		to := from + rapid.IntRange(1, 40).Draw(t, "years")
		for _, form := range []string{"from %d to %d", "between %d and %d", "%d-%d", "%d through %d", "the years %d to %d"} {
			phrase := fmt.Sprintf(form, from, to)
			whole, _, ok := Read(phrase, frameql.Env{Now: now}, Whole)
			if !ok || whole.From.Year() != from || !whole.To.Equal(Day(to+1, 1, 1)) {
				t.Fatalf("%q: %v", phrase, whole)
			}
			if exact := read(t, phrase, now); !exact.To.Equal(Day(to, 1, 1)) {
				t.Fatalf("%q: %v", phrase, exact)
			}
		}
	})
}

// TestPlacing: a set in a box lies in the box, however it is put there.
func TestPlacing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := anyDay(t)
		weekday := rapid.SampledFrom([]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}).Draw(t, "weekday")
		which := rapid.SampledFrom([]string{"last", "this", "next"}).Draw(t, "which")
		week := which + " week"
		alike(t, now, weekday+" of "+week, weekday+" "+week, week+" on "+weekday, week+", "+weekday, which+" "+weekday)
		box, p := read(t, week, now), read(t, which+" "+weekday, now)
		if p.From.Before(box.From) || p.To.After(box.To) || !strings.EqualFold(p.From.Weekday().String(), weekday) {
			t.Fatalf("%s: %v in %v", weekday, p, box)
		}
		month := rapid.SampledFrom([]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}).Draw(t, "month")
		alike(t, now, month+" "+which+" year", month+" of "+which+" year", which+" year in "+month, which+" "+month)
	})
}

// TestCuts: halves and quarters tile their year, and the parts of a box lie in it.
func TestCuts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now, y := anyDay(t), rapid.IntRange(1950, 2099).Draw(t, "of")
		at := Day(y, 1, 1)
		for i, q := range []string{"first", "second", "third", "fourth"} {
			p := read(t, fmt.Sprintf("%s quarter of %d", q, y), now)
			if !p.From.Equal(at) {
				t.Fatalf("%s quarter of %d: %v", q, y, p)
			}
			alike(t, now, fmt.Sprintf("%s quarter of %d", q, y), fmt.Sprintf("Q%d %d", i+1, y), fmt.Sprintf("%dQ%d", y, i+1), fmt.Sprintf("%d-Q%d", y, i+1), fmt.Sprintf("quarter %d of %d", i+1, y))
			at = p.To
		}
		if at.Year() != y+1 {
			t.Fatalf("quarters of %d end on %s", y, ISO(at))
		}
		alike(t, now, fmt.Sprintf("first half of %d", y), fmt.Sprintf("H1 %d", y), fmt.Sprintf("first 2 quarters of %d", y), fmt.Sprintf("first six months of %d", y))
		for _, part := range []string{"early", "mid", "late", "beginning of", "middle of", "end of"} {
			if p := read(t, fmt.Sprintf("%s %d", part, y), now); p.From.Year() != y || !p.From.Before(p.To) || p.To.After(Day(y+1, 1, 1)) {
				t.Fatalf("%s %d: %v", part, y, p)
			}
		}
	})
}

// TestWeeksOfAYear: numbered weeks are those of ISO 8601 where weeks begin on Monday.
func TestWeeksOfAYear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now, d := anyDay(t), anyDay(t)
		y, w := d.ISOWeek()
		alike(t, now, fmt.Sprintf("week %d of %d", w, y), fmt.Sprintf("%d-W%02d", y, w), "the week of "+ISO(d))
	})
}

// TestNothingOverruns: whatever is read is ordered, lies in the years of the calendar, and the name that it gives itself in
// Frame-QL means the same days.
func TestNothingOverruns(t *testing.T) {
	words := []string{
		"the", "last", "next", "this", "past", "first", "second", "3", "12", "2015", "2016", "'97", "of", "in", "on", "to", "from", "between", "and", "-", "/", ".", ",", "since", "before", "after", "until",
		"day", "week", "month", "quarter", "year", "years", "days", "weekend", "fiscal", "fy", "q2", "h1", "march", "may", "friday", "sunday", "christmas", "easter", "summer", "ago", "from now", "early", "end of",
		"rest of", "so far", "ytd", "today", "yesterday", "twenty", "nineteen", "thousand", "90s", "few", "a", "within", "for", "half", "business days", "decade", "21st", "century", "w12", "now",
	}
	rapid.Check(t, func(t *rapid.T) {
		now := anyDay(t)
		phrase := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 7).Draw(t, "words"), " ")
		env := frameql.Env{Now: now, Model: calendars(rapid.SampledFrom([]string{"", "months", "weeks"}).Draw(t, "calendar"))}
		holds(t, phrase, env)
	})
}

type failer interface{ Fatalf(string, ...any) }

func holds(t failer, phrase string, env frameql.Env) {
	for _, manner := range []Manner{Whole, Exact} {
		p, _, ok := Read(phrase, env, manner)
		if !ok {
			continue
		}
		if !p.From.IsZero() && !p.To.IsZero() && !p.From.Before(p.To) {
			t.Fatalf("%q: %v", phrase, p)
		}
		use, refusal := frameql.ResolvePeriod(p.Asked, env.Now, env.Model)
		if refusal != nil || p.From.IsZero() {
			continue
		}
		if !use.From.Equal(p.From) || !use.To.Equal(p.To) {
			t.Fatalf("%q: %s to %s, but %s is %s to %s", phrase, ISO(p.From), ISO(p.To), p.Asked, ISO(use.From), ISO(use.To))
		}
	}
	for _, m := range Find(phrase, env, Whole) {
		if m.Start < 0 || m.Start >= m.End || m.End > len(phrase) {
			t.Fatalf("%q: bytes %d to %d", phrase, m.Start, m.End)
		}
	}
}

// calendars gives a model without a fiscal calendar, with one of months, or with one that lists its buckets.
func calendars(kind string) *semantic.Model {
	m := &semantic.Model{Name: "dates", Version: "sha256:test"}
	switch kind {
	case "months":
		m.Calendars = []semantic.Calendar{{Name: "fiscal", StartMonth: 4, LabelYear: "start"}}
	case "weeks":
		c := semantic.Calendar{Name: "retail", Pattern: "4-4-5", Buckets: map[string][]semantic.CalendarBucket{}}
		for y := 2000; y < 2030; y++ {
			from := Day(y, 1, 1).AddDate(0, 0, 1-isoWeekday(Day(y, 1, 1)))
			to := Day(y+1, 1, 1).AddDate(0, 0, 1-isoWeekday(Day(y+1, 1, 1)))
			c.Buckets["fiscal_year"] = append(c.Buckets["fiscal_year"], semantic.CalendarBucket{From: from, To: to, Label: fmt.Sprintf("FY%d", y), Ordinal: 1})
			for q := range 4 {
				end := from.AddDate(0, 0, 13*7*(q+1))
				if q == 3 {
					end = to
				}
				c.Buckets["fiscal_quarter"] = append(c.Buckets["fiscal_quarter"], semantic.CalendarBucket{From: from.AddDate(0, 0, 13*7*q), To: end, Label: fmt.Sprintf("FY%d-Q%d", y, q+1), Ordinal: q + 1})
			}
		}
		m.Calendars = []semantic.Calendar{c}
	}
	return m
}

// FuzzRead: no text makes the reader panic, and what it reads holds together.
func FuzzRead(f *testing.F) {
	for _, phrase := range []string{"last 3 months", "from 4 to 22 January, 1995", "first friday of next month", "FY25-Q2", "1/2/3", "'", "2016-", "twenty-", "the of the", "12 months ending march 2016", "Ⅷ/٣/2016"} {
		f.Add(phrase, int64(0))
	}
	f.Fuzz(func(t *testing.T, phrase string, now int64) {
		if len(phrase) > 200 {
			return
		}
		holds(t, phrase, frameql.Env{Now: Day(2016, 11, 7).AddDate(0, 0, int(now%20_000)), Model: calendars([]string{"", "months", "weeks"}[uint64(now)%3])})
	})
}
