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
	c := calendarOf(m)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	use, bad := c.read(p, today)
	if bad != nil {
		return PeriodUse{}, bad
	}
	use.Label = p.String()
	use.Relative = p.Kind != "literal" && p.Kind != "range" && p.Kind != "between" && p.Kind != "all_time"
	if strings.HasPrefix(use.Grain, "fiscal") || strings.HasPrefix(p.Value, "FY") {
		use.Calendar = c.fiscal.Name
	}
	outside := func(t time.Time) bool { return !t.IsZero() && (t.Year() < 1 || t.Year() > 9999) }
	switch {
	case outside(use.From) || outside(use.To):
		return PeriodUse{}, refusal("INVALID_PERIOD", "frameql.period_outside", "period", use.Label)
	case !use.From.IsZero() && !use.To.IsZero() && !use.From.Before(use.To):
		return PeriodUse{}, refusal("INVALID_PERIOD", "frameql.period_empty", "period", use.Label)
	}
	return use, nil
}

// calendar knows where weeks, months and fiscal years begin.
type calendar struct {
	sundayWeeks bool
	fiscal      semantic.Calendar
	hasFiscal   bool
}

func calendarOf(m *semantic.Model) calendar {
	if m == nil {
		return calendar{}
	}
	c := calendar{sundayWeeks: strings.EqualFold(m.Workspace.WeekStart, "sunday")}
	for _, f := range m.Calendars {
		if strings.EqualFold(f.Name, m.Workspace.Calendar) || m.Workspace.Calendar == "" && len(m.Calendars) == 1 {
			c.fiscal, c.hasFiscal = f, f.StartMonth >= 1 && f.StartMonth <= 12
		}
	}
	return c
}

// offset is the number of months by which the fiscal year begins after January.
func (c calendar) offset() int {
	if !c.hasFiscal {
		return 0
	}
	return c.fiscal.StartMonth - 1
}

// start gives the first day of the unit that holds the day.
func (c calendar) start(day time.Time, unit string) time.Time {
	y, m := day.Year(), int(day.Month())-1
	first := func(y, m int) time.Time { return time.Date(y, time.Month(m+1), 1, 0, 0, 0, 0, time.UTC) }
	off := c.offset()
	switch unit {
	case "week":
		back := (int(day.Weekday()) + 6) % 7
		if c.sundayWeeks {
			back = int(day.Weekday())
		}
		return day.AddDate(0, 0, -back)
	case "month":
		return first(y, m)
	case "quarter":
		return first(y, m-m%3)
	case "year":
		return first(y, 0)
	case "fiscal_quarter":
		return first(y, m-((m-off)%3+3)%3)
	case "fiscal_year":
		if m < off {
			y--
		}
		return first(y, off)
	default:
		return day
	}
}

// step moves a start of a unit by n units.
func (c calendar) step(start time.Time, unit string, n int) time.Time {
	switch unit {
	case "week":
		return start.AddDate(0, 0, 7*n)
	case "month":
		return start.AddDate(0, n, 0)
	case "quarter", "fiscal_quarter":
		return start.AddDate(0, 3*n, 0)
	case "year", "fiscal_year":
		return start.AddDate(n, 0, 0)
	default:
		return start.AddDate(0, 0, n)
	}
}

func (c calendar) read(p Period, today time.Time) (PeriodUse, *Refusal) {
	tomorrow := today.AddDate(0, 0, 1)
	unit := p.Unit
	if unit != "" {
		if !calendarUnits[strings.ToUpper(unit)] {
			return PeriodUse{}, refusal("CALENDAR_UNDEFINED", "frameql.unit_unknown", "unit", unit)
		}
		if strings.HasPrefix(unit, "fiscal") && !c.hasFiscal {
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
			return PeriodUse{}, refusal("INVALID_PERIOD", "frameql.period_outside", "period", p.String())
		}
		to := c.start(today, unit)
		if p.Incl {
			to = c.step(to, unit, 1)
		}
		return PeriodUse{From: c.step(to, unit, -p.N), To: to, Grain: unit}, nil
	case "range", "between":
		from, err1 := time.Parse(time.DateOnly, p.From)
		to, err2 := time.Time{}, error(nil)
		if p.To != "" || p.Kind == "between" {
			to, err2 = time.Parse(time.DateOnly, p.To)
		}
		if err1 != nil || err2 != nil {
			return PeriodUse{}, refusal("INVALID_PERIOD", "frameql.period_unreadable", "period", p.String())
		}
		if p.Kind == "between" {
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
