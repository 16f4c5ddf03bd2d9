package timex

import (
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// The units by size. Units of one rank are never within each other.
var ranks = map[string]int{
	"day": 1, "business_day": 1, "weekend": 2, "workweek": 2, "week": 3, "fiscal_week": 3, "fortnight": 4, "month": 5, "fiscal_period": 5, "quarter": 6, "season": 6, "fiscal_quarter": 6,
	"half": 7, "year": 8, "fiscal_year": 8, "decade": 9, "century": 10,
}

// finer says whether a is a smaller unit than b.
func finer(a, b string) bool { return ranks[a] > 0 && ranks[a] < ranks[b] }

// step moves a day by n calendar units. A month that is too short takes its last day: a month after 31 January is the end
// of February.
func step(t time.Time, unit string, n int) time.Time {
	months := 0
	switch unit {
	case "day":
		return t.AddDate(0, 0, n)
	case "week", "weekend", "workweek", "fiscal_week":
		return t.AddDate(0, 0, 7*n)
	case "fortnight":
		return t.AddDate(0, 0, 14*n)
	case "business_day":
		return stepBusiness(t, n)
	case "month", "fiscal_period":
		months = n
	case "quarter", "fiscal_quarter":
		months = 3 * n
	case "half":
		months = 6 * n
	case "decade":
		months = 120 * n
	case "century":
		months = 1200 * n
	default:
		months = 12 * n
	}
	y, m, d := t.Date()
	first := Day(y, int(m)+months, 1)
	return Day(first.Year(), int(first.Month()), min(d, daysIn(first)))
}

func daysIn(month time.Time) int { return month.AddDate(0, 1, -month.Day()).Day() }

func stepBusiness(t time.Time, n int) time.Time {
	by := 1
	if n < 0 {
		by, n = -1, -n
	}
	for n > 0 {
		t = t.AddDate(0, 0, by)
		if !weekendDay(t) {
			n--
		}
	}
	return t
}

func weekendDay(t time.Time) bool { return t.Weekday() == time.Saturday || t.Weekday() == time.Sunday }

// floorPlain gives the first day of the unit of the common calendar that t lies in; weeks begin on Monday.
func floorPlain(t time.Time, unit string) time.Time {
	y, m, d := t.Date()
	month := int(m)
	switch unit {
	case "week", "workweek", "fortnight":
		return Day(y, month, d-(int(t.Weekday())+6)%7)
	case "weekend": // of the week that it ends
		return Day(y, month, d-(int(t.Weekday())+6)%7+5)
	case "month":
		return Day(y, month, 1)
	case "quarter":
		return Day(y, (month-1)/3*3+1, 1)
	case "half":
		return Day(y, (month-1)/6*6+1, 1)
	case "year":
		return Day(y, 1, 1)
	case "decade":
		return Day(y/10*10, 1, 1)
	case "century":
		return Day(y/100*100, 1, 1)
	default:
		return Day(y, month, d)
	}
}

// floor is floorPlain with the week and the fiscal year of the workspace.
func (r *reader) floor(t time.Time, unit string) time.Time {
	switch unit {
	case "week", "fortnight":
		return t.AddDate(0, 0, -((int(t.Weekday()) - int(r.weekStart) + 7) % 7))
	case "fiscal_year", "fiscal_quarter":
		if b, _, ok := r.bucket(t, unit); ok {
			return b.From
		}
		months := (int(t.Month()) - r.fiscal.StartMonth + 12) % 12
		if unit == "fiscal_quarter" {
			months %= 3
		}
		return Day(t.Year(), int(t.Month())-months, 1)
	case "fiscal_week", "fiscal_period":
		b, _, _ := r.bucket(t, unit)
		return b.From
	}
	return floorPlain(t, unit)
}

// bucket finds the bucket of a listed fiscal calendar that a day lies in.
func (r *reader) bucket(t time.Time, unit string) (semantic.CalendarBucket, int, bool) {
	if r.fiscal == nil {
		return semantic.CalendarBucket{}, 0, false
	}
	all := r.fiscal.Buckets[unit]
	i := slices.IndexFunc(all, func(b semantic.CalendarBucket) bool { return !t.Before(b.From) && t.Before(b.To) })
	if i < 0 {
		return semantic.CalendarBucket{}, 0, false
	}
	return all[i], i, true
}

// knows says whether a unit can be computed here: fiscal ones need a calendar.
func (r *reader) knows(unit string) bool {
	if !strings.HasPrefix(unit, "fiscal_") {
		return true
	}
	if r.fiscal == nil {
		return false
	}
	_, _, listed := r.bucket(r.today, unit)
	return listed || len(r.fiscal.Buckets[unit]) == 0 && r.fiscal.StartMonth > 0 && (unit == "fiscal_year" || unit == "fiscal_quarter")
}

// unitOf gives the unit that t lies in, moved by n. Fiscal units must be known; ok is false where a list of buckets ends.
func (r *reader) unitOf(t time.Time, unit string, n int) (span, bool) {
	if _, i, ok := r.bucket(t, unit); ok {
		all := r.fiscal.Buckets[unit]
		if i+n < 0 || i+n >= len(all) {
			return span{}, false
		}
		return r.span(all[i+n].From, all[i+n].To, unit), true
	}
	from := step(r.floor(t, unit), unit, n)
	to := step(from, unit, 1)
	switch unit {
	case "weekend":
		to = from.AddDate(0, 0, 2)
	case "workweek":
		to = from.AddDate(0, 0, 5)
	}
	return r.span(from, to, unit), true
}

// unitsIn gives the units of a kind that belong to a box, in order. A week, and what is like it, belongs to the month or
// year in which its middle lies, so that no week belongs to two.
func (r *reader) unitsIn(box span, unit string) []span {
	if !r.knows(unit) || !finer(unit, box.grain) && unit != box.grain || box.to.Year()-box.from.Year() > 200 {
		return nil
	}
	start := box.from
	switch unit {
	case "quarter", "half", "month":
		if box.grain == "fiscal_year" || box.grain == "fiscal_quarter" {
			return r.fiscalParts(box, unit)
		}
	case "week", "weekend", "workweek", "fortnight":
		start = start.AddDate(0, 0, -7)
	}
	var out []span
	for u, ok := r.unitOf(start, unit, 0); ok && u.from.Before(box.to); u, ok = r.unitOf(u.from, unit, 1) {
		middle := u.from
		if unit == "week" || unit == "workweek" || unit == "fiscal_week" || unit == "fortnight" {
			middle = u.from.Add(u.to.Sub(u.from) / 2)
		}
		inside := !middle.Before(box.from) && middle.Before(box.to) && (ranks[unit] <= ranks["fortnight"] || !u.to.After(box.to))
		if inside && !(unit == "business_day" && weekendDay(u.from)) {
			out = append(out, u)
		}
		if len(out) > 40_000 {
			return nil
		}
	}
	return out
}

// fiscalParts cuts a fiscal year or quarter into quarters, halves and months of its own.
func (r *reader) fiscalParts(box span, unit string) []span {
	if unit == "month" && len(r.fiscal.Buckets["fiscal_period"]) > 0 {
		return r.unitsIn(box, "fiscal_period")
	}
	if unit == "month" {
		var out []span
		for t := box.from; t.Before(box.to); t = step(t, "month", 1) {
			out = append(out, r.span(t, step(t, "month", 1), "month"))
		}
		return out
	}
	quarters := r.unitsIn(box, "fiscal_quarter")
	if unit == "quarter" || len(quarters) != 4 {
		return quarters
	}
	return []span{r.span(quarters[0].from, quarters[1].to, "half"), r.span(quarters[2].from, quarters[3].to, "half")}
}

// fiscalLiteral reads FY2025 or FY2025-Q2 on the calendar of the model. Without a calendar the span has no days, and the
// resolver refuses the period and says how to define one.
func (r *reader) fiscalLiteral(value, unit string) span {
	p := frameql.Period{Kind: "literal", Value: value}
	s := span{grain: unit, asked: &p}
	if use, refusal := frameql.ResolvePeriod(p, r.today, r.model); refusal == nil {
		s.from, s.to = use.From, use.To
	}
	return s
}
