package frameqltest

import (
	"slices"
	"strings"
	"time"

	"assay/backend/semantic"
)

// places are the zones of drawn workspaces and queries: ahead of UTC and behind, by whole hours and by parts of one, with clocks
// that change by an hour or by half of one, at night or at midnight, and with clocks that do not.
var places = []string{"UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "America/Havana", "Asia/Kathmandu", "Pacific/Apia"}

// zone draws where the workspace lies. Without a zone nothing is converted, unless a query asks for one.
func (g *worldDrawing) zone() {
	if !g.elsewhere && !g.chance(40) {
		return
	}
	name := g.of(places...)
	g.model.Workspace.TimeZone, g.place = name, located(name)
	g.w.zone, g.w.Now = g.place, g.w.Now.In(g.place)
	g.ancient = g.chance(6)
}

// stamped draws whether a time of a fact has a time of day.
func (g *worldDrawing) stamped(name string) bool {
	if g.place != nil {
		return !g.chance(30)
	}
	return name == "visits" && g.chance(50)
}

// temporal draws a dimension of days, or of moments with the zone in which they are stored.
func (g *worldDrawing) temporal(name, column string, moments bool) semantic.Dimension {
	d := semantic.Dimension{Name: name, Type: semantic.Date, Column: column}
	if !moments {
		return d
	}
	d.Type = semantic.Timestamp
	switch {
	case g.place != nil && !g.chance(10):
		d.TimeZone = g.of("UTC", "UTC", "UTC", "UTC", g.model.Workspace.TimeZone, g.of(places...))
	case g.place == nil && g.chance(30):
		d.TimeZone = "UTC"
	}
	return d
}

// written notes that a column is written with the offset of some zone from UTC, as a TIMESTAMP WITH TIME ZONE has it.
func (g *worldDrawing) written(table string, d semantic.Dimension) {
	if d.TimeZone != "UTC" || !g.chance(40) {
		return
	}
	if g.w.offsets == nil {
		g.w.offsets = map[string]*time.Location{}
	}
	g.w.offsets[table+"."+d.Physical()] = located(g.of(places...))
}

// time draws a value of a temporal dimension, in the clock that it is stored in.
func (g *worldDrawing) time(d semantic.Dimension) any {
	drawn := g.day()
	day, some := drawn.(time.Time)
	if !some || d.Type == semantic.Date {
		return drawn
	}
	stored, here := time.UTC, time.UTC
	if d.TimeZone != "" {
		stored = located(d.TimeZone)
	}
	if g.place != nil {
		here = g.place
	}
	when := whenClock(day, here)
	change := g.changes(here)
	around := time.Duration(g.between(-75, 75)) * time.Minute
	switch n := g.between(0, 9); {
	case n < 3 && !g.old && len(change) > 0: // around a change of the clocks
		when = change[g.between(0, len(change)-1)].Add(around)
	case n < 6: // around midnight
		when = when.Add(around)
	default:
		when = when.Add(time.Duration(g.between(0, 23*60+59)) * time.Minute)
	}
	if g.chance(20) { // on the hour by the clock, or the last moment before it
		when = when.Truncate(time.Hour)
		if g.chance(40) {
			when = when.Add(-time.Microsecond)
		}
	}
	for slices.ContainsFunc([]time.Duration{-2 * time.Hour, -time.Hour, -30 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour}, func(by time.Duration) bool {
		return clockIn(when.Add(by), stored).Equal(clockIn(when, stored)) // the stored clock shows it twice: it is no moment
	}) {
		when = when.Add(3 * time.Hour)
	}
	return clockIn(when, stored)
}

// changes gives the moments at which clocks change where the data lies.
func (g *worldDrawing) changes(place *time.Location) (all []time.Time) {
	at := date(2022, 12, 25).In(place)
	for {
		_, next := at.ZoneBounds()
		if next.IsZero() || next.After(date(2024, 4, 20)) {
			return all
		}
		at = next
		all = append(all, next)
	}
}

// moments says whether every fact of the query has moments and not only days.
func (g *queryDrawing) moments() bool {
	return !slices.ContainsFunc(g.facts, func(f string) bool {
		_, d := g.timeOf(f)
		return d == nil || d.Type != semantic.Timestamp
	})
}

// timeOf gives the time of a fact; nil: it has none.
func (g *queryDrawing) timeOf(fact string) (*semantic.Entity, *semantic.Dimension) {
	name := fact + "." + g.w.Model.Entity(fact).DefaultTime
	for _, m := range g.w.Model.Metrics {
		if m.Entity == fact && m.Time != "" && !strings.HasSuffix(m.Name, "_shipped") {
			name = m.Time
		}
	}
	entity, dim, _ := strings.Cut(name, ".")
	if e := g.w.Model.Entity(entity); e != nil {
		return e, e.Dimension(dim)
	}
	return nil, nil
}

// lively gives a day on which the first fact has a row, or one about there.
func (g *queryDrawing) lively() (day time.Time, ok bool) {
	e, d := g.timeOf(g.facts[0])
	if d == nil || len(g.w.rows(e)) == 0 {
		return day, false
	}
	at, ok := g.w.dimension(e, g.between(0, len(g.w.rows(e))-1), d).(time.Time)
	return midnight(at).AddDate(0, 0, -g.between(0, 2)), ok
}

// shortPeriod draws a few days, or a period whose ends lie within days.
func (g *queryDrawing) shortPeriod() string {
	g.short = true
	day := date(2023, 12, 28)
	if g.chance(70) {
		day = []time.Time{date(2024, 2, 27), date(2024, 3, 8), date(2023, 3, 24), date(2024, 1, 30), date(2023, 9, 30), date(2023, 11, 4)}[g.between(0, 5)]
	}
	day = day.AddDate(0, 0, g.between(0, 7))
	if there, ok := g.lively(); ok && !g.chance(20) {
		day = there
	}
	switch g.between(0, 9) {
	case 0:
		return g.of("TODAY", "YESTERDAY")
	case 1:
		return "LAST 3 DAY" + g.of("", " INCLUDING CURRENT")
	case 2, 3:
		return day.Format(time.DateOnly)
	case 4:
		return "FROM " + day.Format(time.DateOnly) + " TO " + day.AddDate(0, 0, g.between(1, 4)).Format(time.DateOnly)
	}
	from := day.Add(time.Duration(g.between(0, 47)) * 30 * time.Minute)
	to := from.Add([]time.Duration{1, 2, 3, 6, 24, 48, 72, 96, 150}[g.between(0, 8)] * 30 * time.Minute)
	word := [2]string{"FROM ", " TO "}
	if g.chance(40) {
		word = [2]string{"BETWEEN ", " AND "}
	}
	written := func(t time.Time) string {
		if t.Equal(midnight(t)) && g.chance(50) {
			return t.Format(time.DateOnly)
		}
		return "'" + t.Format("2006-01-02T15:04") + "'"
	}
	return word[0] + written(from) + word[1] + written(to)
}

// options draws the settings of a query.
func (g *queryDrawing) options() string {
	var all []string
	switch {
	case g.chance(5):
		all = append(all, "week_start = '"+g.of("monday", "sunday")+"'")
	case g.compare != "" && g.chance(15):
		all = append(all, "partial = '"+g.of("match", "none")+"'")
	}
	if g.w.Model.Workspace.TimeZone != "" && g.chance(30) || g.chance(2) {
		all = append(all, "tz = '"+g.of(places...)+"'")
	}
	if len(all) == 0 {
		return ""
	}
	return " OPTIONS (" + strings.Join(all, ", ") + ")"
}
