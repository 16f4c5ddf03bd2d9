package frameqltest

import (
	"fmt"
	"slices"

	"assay/backend/semantic"
)

// calendar draws the fiscal calendar: none, years that begin in another month, weeks by a pattern, or a table of days, whose
// rows it gives.
func (g *worldDrawing) calendar() (days []semantic.CalendarDay) {
	c := semantic.Calendar{Name: "fiscal"}
	switch n := g.between(0, 9); {
	case n < 3:
		return nil
	case n < 7 || n < 9 && g.old: // patterns are known from 1970 on
		c.StartMonth, c.LabelYear = g.between(1, 12), g.of("start", "end")
	case n < 9:
		c.Pattern, c.LabelYear = g.of("4-4-5", "4-5-4", "5-4-4"), g.of("start", "end")
		c.YearEnds = g.of("saturday nearest to january 31", "last saturday of january", "last sunday of december", "sunday nearest to december 31", "last friday of june")
	default:
		c.Table, c.DateColumn = "days", "day"
		c.Units = map[string]string{"fiscal_week": "week", "sales_period": "period", "fiscal_year": "year"}
		days = g.days()
	}
	g.model.Calendars, g.model.Workspace.Calendar = []semantic.Calendar{c}, c.Name
	return days
}

// days draws the table of a calendar: weeks of seven days, periods of three to six of them, and years of twelve or thirteen
// periods. It covers the days of the data and some years around.
func (g *worldDrawing) days() (all []semantic.CalendarDay) {
	first, last := date(2019, 1, 1), date(2028, 1, 1)
	if g.old {
		first, last = date(1966, 1, 1), date(1973, 1, 1)
	}
	at := first.AddDate(0, 0, g.between(0, 40))
	t := &Table{Name: "days", Columns: []Column{{"day", semantic.Date}, {"week", semantic.Text}, {"period", semantic.Text}, {"year", semantic.Text}}}
	week, lengths := 0, []int{g.between(3, 6), g.between(4, 5), g.between(3, 6)}
	for year := first.Year(); at.Before(last); year++ {
		for period := range 12 + g.between(0, 1) {
			for range lengths[(period+year)%3] {
				week++
				for range 7 {
					row := []any{at, fmt.Sprintf("W%d", week), fmt.Sprintf("%d/%d", year, period+1), fmt.Sprintf("FY%d", year)}
					day := semantic.CalendarDay{Day: at}
					for _, column := range []int{1, 2, 3} { // fiscal_week, fiscal_year, sales_period, in the order of their names
						text := row[[]int{0, 1, 3, 2}[column]].(string)
						day.Values = append(day.Values, &text)
					}
					all, t.Rows = append(all, day), append(t.Rows, row)
					at = at.AddDate(0, 0, 1)
				}
			}
		}
	}
	g.w.Tables[t.Name] = t
	return all
}

// fiscal gives the units of the calendar of the world, from fine to coarse.
func (g *queryDrawing) fiscal() []string { return fiscalUnits(g.w.Model) }

func (g *worldDrawing) fiscal() []string { return fiscalUnits(g.model) }

func fiscalUnits(m *semantic.Model) []string {
	if len(m.Calendars) == 0 {
		return nil
	}
	switch c := m.Calendars[0]; {
	case c.Pattern != "":
		return []string{"fiscal_week", "fiscal_period", "fiscal_quarter", "fiscal_year"}
	case c.Table != "":
		return []string{"fiscal_week", "sales_period", "fiscal_year"}
	}
	return []string{"fiscal_quarter", "fiscal_year"}
}

// fiscalPeriod draws a period of the fiscal calendar.
func (g *queryDrawing) fiscalPeriod() string {
	unit := g.of(g.fiscal()...)
	switch g.between(0, 5) {
	case 0:
		return g.of("FY2023", "FY2024")
	case 1:
		if g.fiscal()[len(g.fiscal())-2] == "fiscal_quarter" {
			return g.of("FY2023-Q4", "FY2024-Q1", "FY2023-Q2")
		}
		return "FY2023"
	case 2:
		return "PREVIOUS " + unit
	case 3:
		return "THIS " + unit + g.of("", " TO DATE")
	}
	return fmt.Sprintf("LAST %d %s%s", g.between(1, 6), unit, g.of("", " INCLUDING CURRENT"))
}

// otherUnit draws a moving window whose unit is not that of the axis: a finer one, or a coarser one that it is made of.
func (g *queryDrawing) otherUnit() string {
	unit, most := "", 4
	if g.unit == "hour" || g.unit == "day" && g.moments() && g.chance(50) {
		if g.unit == "hour" {
			return fmt.Sprintf("MOVING(%s, %d, day)", g.metric(true), g.between(1, 3))
		}
		return fmt.Sprintf("MOVING(%s, %d, hour)", g.metric(true), g.between(1, 40))
	}
	own := g.fiscal()
	at := slices.Index(own, g.unit)
	switch {
	case at >= 0 && g.chance(40):
		unit, most = "day", 60
	case at > 0 && g.chance(50):
		unit, most = own[g.between(0, at-1)], 8
	case at >= 0 && at < len(own)-1:
		unit = own[at+1]
	case at < 0 && (g.unit == "month" || g.unit == "quarter") && g.chance(60):
		unit, most = "day", 40
	case at < 0:
		unit = g.coarser(g.unit)
	}
	if unit == "" || unit == "fiscal_quarter" && len(own) == 2 && at > 0 && g.chance(30) {
		return ""
	}
	return fmt.Sprintf("MOVING(%s, %d, %s)", g.metric(true), g.between(1, most), unit)
}
