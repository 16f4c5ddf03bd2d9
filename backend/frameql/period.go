package frameql

import (
	"strconv"
	"strings"
	"time"

	"assay/backend/semantic"
)

// ResolvePeriod reads a period on the calendar of the model. Relative periods are calendar-true: LAST 3 MONTH is the
// three complete months before the one that holds now, PREVIOUS QUARTER the last complete quarter, THIS YEAR the whole
// current year, YTD and its like end after the day of now. The refusal is CALENDAR_UNDEFINED or INVALID_PERIOD; it has
// no repairs, for there is no query around it.
func ResolvePeriod(p Period, now time.Time, m *semantic.Model) (PeriodUse, *Refusal) {
	return calendarOf(m).resolve(p, now)
}

func (c calendar) resolve(p Period, now time.Time) (PeriodUse, *Refusal) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	use, bad := c.read(p, today)
	if bad != nil {
		return PeriodUse{}, bad
	}
	use.Label = p.String()
	use.Relative = p.Kind != "literal" && p.Kind != "range" && p.Kind != "between" && p.Kind != "all_time"
	if strings.HasPrefix(use.Grain, "fiscal") || strings.HasPrefix(p.Value, "FY") || c.own(use.Grain) {
		use.Calendar = c.fiscal.Name
	}
	outside := func(t time.Time) bool { return t.Year() < 1 || t.Year() > 9999 }
	// The first day of the year 1 cannot be told from an open bound, nor from a bucket that a calendar does not list. A range
	// may begin with it, and has an open start.
	unbounded := p.Kind == "all_time" || (p.Kind == "range" || p.Kind == "between") && !use.To.IsZero()
	switch {
	case outside(use.From) || outside(use.To) || use.From.IsZero() && !unbounded || use.To.IsZero() && p.To != "":
		return PeriodUse{}, c.beyond("INVALID_PERIOD", use.Label, use.Grain)
	case !use.To.IsZero() && !use.From.Before(use.To):
		return PeriodUse{}, refusal("INVALID_PERIOD", "frameql.period_empty", "period", use.Label)
	}
	return use, nil
}

func (c calendar) read(p Period, today time.Time) (PeriodUse, *Refusal) {
	tomorrow := today.AddDate(0, 0, 1)
	unit := p.Unit
	if unit != "" {
		switch {
		case unit == "hour":
			return PeriodUse{}, refusal("INVALID_PERIOD", "frameql.period_of_hours", "period", p.String())
		case !c.mentions(unit):
			return PeriodUse{}, refusal("CALENDAR_UNDEFINED", "frameql.unit_unknown", "unit", unit)
		case !c.knows(unit):
			return PeriodUse{}, refusal("CALENDAR_UNDEFINED", "frameql.no_fiscal_calendar", "what", unitText(unit))
		}
	}
	toDate := func(unit string) (PeriodUse, *Refusal) {
		return PeriodUse{From: c.start(today, unit), To: tomorrow, Grain: unit}, nil
	}
	switch p.Kind {
	case "all_time":
		return PeriodUse{}, nil
	case "today":
		return PeriodUse{From: today, To: tomorrow, Grain: "day"}, nil
	case "yesterday":
		return PeriodUse{From: today.AddDate(0, 0, -1), To: today, Grain: "day"}, nil
	case "ytd":
		return toDate("year")
	case "qtd":
		return toDate("quarter")
	case "mtd":
		return toDate("month")
	case "wtd":
		return toDate("week")
	case "this":
		if p.ToDay {
			return toDate(unit)
		}
		from := c.start(today, unit)
		return PeriodUse{From: from, To: c.step(from, unit, 1), Grain: unit}, nil
	case "previous":
		to := c.start(today, unit)
		return PeriodUse{From: c.step(to, unit, -1), To: to, Grain: unit}, nil
	case "last":
		if p.N > 100_000 {
			return PeriodUse{}, c.beyond("INVALID_PERIOD", p.String(), unit)
		}
		to := c.start(today, unit)
		if p.Incl {
			to = c.step(to, unit, 1)
		}
		return PeriodUse{From: c.step(to, unit, -p.N), To: to, Grain: unit}, nil
	case "range", "between":
		from, _, ok := momentOf(p.From)
		to, clock, ended := time.Time{}, false, true
		if p.To != "" || p.Kind == "between" {
			to, clock, ended = momentOf(p.To)
		}
		switch {
		case !ok || !ended:
			return PeriodUse{}, refusal("INVALID_PERIOD", "frameql.period_unreadable", "period", p.String())
		case p.Kind == "between" && clock: // that moment included
			to = to.Add(time.Microsecond)
		case p.Kind == "between":
			to = to.AddDate(0, 0, 1)
		}
		return PeriodUse{From: from, To: to, Grain: "day"}, nil
	case "literal":
		return c.literal(p.Value)
	}
	return PeriodUse{}, refusal("INVALID_PERIOD", "frameql.period_unreadable", "period", p.String())
}

// literal reads 2025, 2025-Q4, 2025-10, 2025-10-03, FY2025 and FY2025-Q2.
func (c calendar) literal(value string) (PeriodUse, *Refusal) {
	value = strings.ToUpper(value)
	if !validPeriodLiteral(value) {
		return PeriodUse{}, refusal("INVALID_PERIOD", "frameql.period_unreadable", "period", value)
	}
	part := periodForms.FindStringSubmatch(value)
	fiscal := part[1] != ""
	if fiscal && c.own("fiscal_year") {
		return c.ownLiteral(value, part[2], part[3])
	}
	if fiscal && !c.hasFiscal {
		return PeriodUse{}, refusal("CALENDAR_UNDEFINED", "frameql.no_fiscal_calendar", "what", value)
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n } // digits, by the form
	year, quarter := number(part[2]), number(part[3])
	unit, month, day := "year", 1, 1
	switch {
	case fiscal:
		unit = "fiscal_year"
		month = c.fiscal.StartMonth
		if c.fiscal.LabelYear == "end" && month > 1 {
			year--
		}
		if quarter > 0 {
			unit = "fiscal_quarter"
			month += 3 * (quarter - 1)
		}
	case quarter > 0:
		unit, month = "quarter", 3*quarter-2
	case part[5] != "":
		unit, month, day = "day", number(part[4]), number(part[5])
	case part[4] != "":
		unit, month = "month", number(part[4])
	}
	from := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return PeriodUse{From: from, To: c.step(from, unit, 1), Grain: unit}, nil
}

// ownLiteral reads FY2025 and FY2025-Q2 on a calendar that lists its buckets: by their labels, or the quarter by its place
// in the year.
func (c calendar) ownLiteral(value, year, quarter string) (PeriodUse, *Refusal) {
	use := func(unit string, b semantic.CalendarBucket) (PeriodUse, *Refusal) {
		return PeriodUse{From: b.From, To: b.To, Grain: unit}, nil
	}
	for _, y := range c.fiscal.Buckets["fiscal_year"] {
		if !strings.EqualFold(y.Label, "FY"+year) && y.Label != year {
			continue
		}
		if quarter == "" {
			return use("fiscal_year", y)
		}
		n := 0
		for _, q := range c.fiscal.Buckets["fiscal_quarter"] {
			if q.From.Before(y.From) || !q.From.Before(y.To) {
				continue
			}
			if n++; strconv.Itoa(n) == quarter {
				return use("fiscal_quarter", q)
			}
		}
	}
	return PeriodUse{}, c.unlisted(value)
}

// unlisted says which years a calendar of buckets has, for it has not the one that was asked for.
func (c calendar) unlisted(period string) *Refusal {
	years := c.fiscal.Buckets["fiscal_year"]
	var labels []string
	for i, y := range years {
		if len(years) > 8 && i == 3 {
			labels = append(labels, "...")
		}
		if len(years) <= 8 || i < 3 || i > len(years)-3 {
			labels = append(labels, y.Label)
		}
	}
	return refusal("INVALID_PERIOD", "frameql.period_unlisted", "period", period, "calendar", c.fiscal.Name, "labels", strings.Join(labels, ", "))
}

// beyond says that a period leaves the calendar: the one that lists the unit bucket by bucket, or all the years there are.
func (c calendar) beyond(code, period, unit string) *Refusal {
	all := c.fiscal.Buckets[unit]
	if len(all) == 0 {
		return refusal(code, "frameql.period_outside", "period", period)
	}
	return refusal(code, "frameql.period_beyond", "period", period, "calendar", c.fiscal.Name,
		"first", all[0].From.Format(time.DateOnly), "last", all[len(all)-1].To.AddDate(0, 0, -1).Format(time.DateOnly))
}

// literalOf names the unit that begins on the day: the period that DURING would write for it. Weeks have no name.
func (c calendar) literalOf(start time.Time, unit string) string {
	year := start.Format("2006")
	switch unit {
	case "day":
		return start.Format(time.DateOnly)
	case "month":
		return start.Format("2006-01")
	case "quarter":
		return year + "-Q" + strconv.Itoa((int(start.Month())+2)/3)
	case "year":
		return year
	case "fiscal_year", "fiscal_quarter":
		if c.own(unit) {
			if i := c.bucket(start, unit); i >= 0 {
				if label := c.fiscal.Buckets[unit][i].Label; strings.HasPrefix(label, "FY") && periodForms.MatchString(label) {
					return label
				}
			}
			return ""
		}
		if !c.hasFiscal {
			return ""
		}
		first := c.start(start, "fiscal_year")
		y := first.Year()
		if c.fiscal.LabelYear == "end" && c.fiscal.StartMonth > 1 {
			y++
		}
		label := "FY" + time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006")
		if unit == "fiscal_quarter" {
			label += "-Q" + strconv.Itoa(1+((int(start.Month())-int(first.Month())+12)%12)/3)
		}
		return label
	}
	return ""
}

// PeriodLabel names the unit of the calendar that begins on a day, as people read it in a column of dates cut by that
// grain: 1997, 1997-Q2, 1997-05, FY1998-Q1. It is empty for grains whose units have no name.
func PeriodLabel(start time.Time, grain string, m *semantic.Model) string {
	return calendarOf(m).literalOf(start, grain)
}
