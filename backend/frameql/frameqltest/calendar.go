package frameqltest

import (
	"strconv"
	"strings"
	"time"

	"assay/backend/frameql"
)

// calendar cuts time. It is written apart from the one of the resolver.
type calendar struct {
	weekStart time.Weekday
	fiscal    int // month in which the fiscal year begins; 0: none
	labelEnd  bool
	buckets   map[string][]bucket // of a calendar of one's own
}

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func midnight(t time.Time) time.Time { return date(t.Year(), t.Month(), t.Day()) }

// cut gives the first instant of the unit that holds t.
func (c calendar) cut(t time.Time, unit string) time.Time {
	if all := c.buckets[unit]; len(all) > 0 {
		return all[c.place(t, unit)].from
	}
	day := midnight(t)
	switch unit {
	case "hour":
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), 0, 0, 0, time.UTC)
	case "day":
		return day
	case "week":
		for day.Weekday() != c.weekStart {
			day = day.AddDate(0, 0, -1)
		}
		return day
	case "month":
		return date(t.Year(), t.Month(), 1)
	case "quarter", "year", "fiscal_quarter", "fiscal_year":
		months, first := 12, 1
		if strings.HasSuffix(unit, "quarter") {
			months = 3
		}
		if strings.HasPrefix(unit, "fiscal") {
			if c.fiscal == 0 {
				panic(outside{"no fiscal calendar"})
			}
			first = c.fiscal
		}
		at := date(t.Year(), t.Month(), 1)
		for (int(at.Month())-first+12)%months != 0 {
			at = at.AddDate(0, -1, 0)
		}
		return at
	}
	panic(outside{"unit " + unit})
}

// move steps n units. Days at the end of a month that the target month does not have become its last one.
func (c calendar) move(t time.Time, unit string, n int) time.Time {
	if len(c.buckets[unit]) > 0 {
		moved, has := c.moveWithin(t, unit, n)
		if !has {
			moved = c.buckets[unit][c.place(t, unit)+n].to.AddDate(0, 0, -1)
		}
		return moved
	}
	switch unit {
	case "hour":
		return t.Add(time.Duration(n) * time.Hour)
	case "day":
		return t.AddDate(0, 0, n)
	case "week":
		return t.AddDate(0, 0, 7*n)
	case "month":
		return moveMonths(t, n)
	case "quarter", "fiscal_quarter":
		return moveMonths(t, 3*n)
	case "year", "fiscal_year":
		return moveMonths(t, 12*n)
	}
	panic(outside{"unit " + unit})
}

// moveEnd steps the end of a range by n units: of a calendar of one's own no further than to the end of the bucket there.
func (c calendar) moveEnd(t time.Time, unit string, n int) time.Time {
	if len(c.buckets[unit]) > 0 {
		if _, has := c.moveWithin(t, unit, n); !has {
			return c.buckets[unit][c.place(t, unit)+n].to
		}
	}
	return c.move(t, unit, n)
}

func moveMonths(t time.Time, n int) time.Time {
	first := date(t.Year(), t.Month(), 1).AddDate(0, n, 0)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1).Add(t.Sub(midnight(t)))
}

// count gives how many units lie between two starts of units.
func (c calendar) count(from, to time.Time, unit string) int {
	n := 0
	for from.Before(to) {
		from = c.move(from, unit, 1)
		n++
	}
	for to.Before(from) {
		to = c.move(to, unit, 1)
		n--
	}
	return n
}

// span is half open; a zero end is open.
type span struct{ from, to time.Time }

func (s span) holds(t time.Time) bool {
	return (s.from.IsZero() || !t.Before(s.from)) && (s.to.IsZero() || t.Before(s.to))
}

// period reads a period. unit is what it is made of; empty for all time and for ranges of days.
func (c calendar) period(p frameql.Period, now time.Time) (s span, unit string) {
	today := midnight(now)
	tomorrow := today.AddDate(0, 0, 1)
	switch p.Kind {
	case "all_time":
		return span{}, ""
	case "today":
		return span{today, tomorrow}, "day"
	case "yesterday":
		return span{today.AddDate(0, 0, -1), today}, "day"
	case "ytd":
		return span{c.cut(today, "year"), tomorrow}, ""
	case "qtd":
		return span{c.cut(today, "quarter"), tomorrow}, ""
	case "mtd":
		return span{c.cut(today, "month"), tomorrow}, ""
	case "wtd":
		return span{c.cut(today, "week"), tomorrow}, ""
	case "this":
		from := c.cut(today, p.Unit)
		if p.ToDay {
			return span{from, tomorrow}, ""
		}
		return span{from, c.move(from, p.Unit, 1)}, p.Unit
	case "previous":
		to := c.cut(today, p.Unit)
		return span{c.move(to, p.Unit, -1), to}, p.Unit
	case "last":
		to := c.cut(today, p.Unit)
		if p.Incl {
			to = c.move(to, p.Unit, 1)
		}
		return span{c.move(to, p.Unit, -p.N), to}, p.Unit
	case "range":
		s := span{}
		s.from, _ = moment(p.From)
		if p.To != "" {
			s.to, _ = moment(p.To)
		}
		return s, ""
	case "between": // with the last day, or with the last moment
		from, _ := moment(p.From)
		to, clock := moment(p.To)
		if clock {
			return span{from, to.Add(time.Microsecond)}, ""
		}
		return span{from, to.AddDate(0, 0, 1)}, ""
	case "literal":
		return c.literal(p.Value)
	}
	panic(outside{"period " + p.Kind})
}

// moment reads a bound of a period: a day, or with clock a moment of one.
func moment(s string) (at time.Time, clock bool) {
	for _, form := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05.999999"} {
		if at, err := time.Parse(form, s); err == nil {
			return at, true
		}
	}
	return isoDate(s), false
}

func isoDate(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(outside{"date " + s})
	}
	return t
}

// literal reads 2025, 2025-Q4, 2025-10, 2025-10-03, FY2025 and FY2025-Q2.
func (c calendar) literal(s string) (span, string) {
	s = strings.ToUpper(s)
	number := func(d string) int {
		n, err := strconv.Atoi(d)
		if err != nil {
			panic(outside{"period " + s})
		}
		return n
	}
	if rest, fiscal := strings.CutPrefix(s, "FY"); fiscal {
		y := number(rest[:4])
		if len(c.buckets["fiscal_year"]) > 0 {
			return c.ownLiteral(s, rest)
		}
		if c.fiscal == 0 {
			panic(outside{"no fiscal calendar"})
		}
		if c.labelEnd && c.fiscal > 1 {
			y--
		}
		from, unit := date(y, time.Month(c.fiscal), 1), "fiscal_year"
		if len(rest) == 7 {
			from, unit = from.AddDate(0, 3*(number(rest[6:])-1), 0), "fiscal_quarter"
		}
		return span{from, c.move(from, unit, 1)}, unit
	}
	var from time.Time
	unit := ""
	switch y := number(s[:4]); {
	case len(s) == 4:
		from, unit = date(y, 1, 1), "year"
	case s[5] == 'Q':
		from, unit = date(y, time.Month(3*number(s[6:])-2), 1), "quarter"
	case len(s) == 7:
		from, unit = date(y, time.Month(number(s[5:])), 1), "month"
	default:
		from, unit = isoDate(s), "day"
	}
	return span{from, c.move(from, unit, 1)}, unit
}

// ownLiteral finds a year by its label, and a quarter by its place in the year.
func (c calendar) ownLiteral(s, rest string) (span, string) {
	for _, y := range c.buckets["fiscal_year"] {
		if y.label != s[:6] && y.label != rest[:4] {
			continue
		}
		if len(rest) == 4 {
			return span{y.from, y.to}, "fiscal_year"
		}
		if n, all := int(rest[6]-'0'), c.parts("fiscal_quarter", y); n >= 1 && n <= len(all) {
			return span{all[n-1].from, all[n-1].to}, "fiscal_quarter"
		}
	}
	panic(outside{"period " + s})
}

// previous gives the period of the same length that ends where this one begins.
func (c calendar) previous(s span, p frameql.Period) span {
	if p.Kind == "last" {
		return span{c.move(s.from, p.Unit, -p.N), s.from}
	}
	if _, unit := c.period(p, s.from); p.Kind == "literal" && unit != "" {
		return span{c.move(s.from, unit, -1), s.from}
	}
	if p.Kind == "this" && !p.ToDay || p.Kind == "previous" {
		return span{c.move(s.from, p.Unit, -1), s.from}
	}
	if unit := toDateUnit(p); unit != "" { // the unit before; the caller cuts it to as many days
		return span{c.move(s.from, unit, -1), s.from}
	}
	if s.from.Day() == 1 && s.to.Day() == 1 && s.from.Equal(midnight(s.from)) && s.to.Equal(midnight(s.to)) {
		months := c.count(s.from, s.to, "month")
		return span{moveMonths(s.from, -months), s.from}
	}
	return span{s.from.Add(s.from.Sub(s.to)), s.from}
}

// back gives the period one unit earlier. Month ends stay month ends when the period is made of whole months. In a calendar
// of one's own days keep their place, as far as the unit before has it.
func (c calendar) back(s span, unit string) span {
	if all := c.buckets[unit]; len(all) > 0 {
		last := s.to.AddDate(0, 0, -1)
		if s.from.Equal(c.cut(s.from, unit)) && s.to.Equal(all[c.place(last, unit)].to) {
			return span{c.move(s.from, unit, -1), all[c.place(last, unit)-1].to}
		}
		from, has := c.moveWithin(s.from, unit, -1)
		if !has {
			panic(outside{"a period without a peer"})
		}
		if !s.to.Equal(midnight(s.to)) { // an end within a day is seen itself
			return span{from, c.moveEnd(s.to, unit, -1)}
		}
		to, has := c.moveWithin(last, unit, -1)
		if !has {
			to = all[c.place(last, unit)-1].to.AddDate(0, 0, -1)
		}
		return span{from, to.AddDate(0, 0, 1)}
	}
	return span{c.move(s.from, unit, -1), c.backEnd(s, unit)}
}

// backEnd moves the exclusive end. The last day, which is what a person sees, is what moves: the day after 29 February is
// 1 March, and a year earlier that is the day after 28 February. An end within a day is seen itself.
func (c calendar) backEnd(s span, unit string) time.Time {
	if s.from.Day() == 1 && s.to.Day() == 1 || unit == "day" || unit == "week" || !s.to.Equal(midnight(s.to)) {
		return c.move(s.to, unit, -1)
	}
	return c.move(s.to.AddDate(0, 0, -1), unit, -1).AddDate(0, 0, 1)
}

// toDateUnit gives the unit of a period that ends with the present day; empty for others.
func toDateUnit(p frameql.Period) string {
	if p.Kind == "this" && p.ToDay {
		return p.Unit
	}
	return map[string]string{"ytd": "year", "qtd": "quarter", "mtd": "month", "wtd": "week"}[p.Kind]
}
