package semantic

import (
	"slices"
	"strings"

	"assay/backend/text"
)

func (c *checker) calendars() {
	seen := map[string]Pos{}
	for i := range c.m.Calendars {
		x := &c.m.Calendars[i]
		object := text.Say("semantic.object_calendar", "name", x.Name)
		c.now = piece{kind: pieceCalendar, i: i}
		c.named(object, x.Name, x.Pos, seen)
		for _, p := range calendarProblems(x, x.StartMonth != 0) {
			c.fail(object, c.at(x.Pos, p.key), p.message, p.hint)
		}
	}
	c.now = piece{kind: pieceDefaultCalendar}
	if d := c.m.Workspace.Calendar; d != "" && c.x.calendars[strings.ToLower(d)] == nil {
		c.fail("", Pos{File: WorkspaceFileName}, text.Say("semantic.unknown_calendar", "name", d), text.Say("semantic.unknown_calendar_hint", "name", d))
	}
}

// calendarProblem is what is wrong with one key of a calendar.
type calendarProblem struct{ key, message, hint string }

// calendarProblems checks that a calendar is of one kind and has what that kind needs and nothing else. months says
// that a start month was written, whatever it is.
func calendarProblems(c *Calendar, months bool) []calendarProblem {
	kinds := 0
	for _, is := range []bool{months, c.Pattern != "", c.Table != ""} {
		if is {
			kinds++
		}
	}
	if kinds != 1 {
		return []calendarProblem{{"name", text.Say("semantic.calendar_kind", "name", c.Name), text.Say("semantic.calendar_kind_hint")}}
	}
	switch {
	case months:
		return append(monthProblems(c), foreignToCalendar(c, "year_ends", "date_column", "units")...)
	case c.Pattern != "":
		return append(patternProblems(c), foreignToCalendar(c, "date_column", "units")...)
	default:
		return append(tableProblems(c), foreignToCalendar(c, "year_ends", "label_year")...)
	}
}

func monthProblems(c *Calendar) []calendarProblem {
	if c.StartMonth >= 1 && c.StartMonth <= 12 {
		return nil
	}
	return []calendarProblem{{"start_month", text.Say("semantic.bad_start_month", "value", c.StartMonth), text.Say("semantic.bad_start_month_hint")}}
}

func patternProblems(c *Calendar) (all []calendarProblem) {
	if !slices.Contains(patternNames(), c.Pattern) {
		all = append(all, calendarProblem{"pattern", text.Say("semantic.bad_choice", "key", "pattern", "value", c.Pattern), KnownHint(c.Pattern, patternNames())})
	}
	if _, ok := parseYearEnd(c.YearEnds); !ok {
		all = append(all, calendarProblem{"year_ends", text.Say("semantic.bad_year_ends", "value", c.YearEnds), text.Say("semantic.bad_year_ends_hint")})
	}
	return all
}

func tableProblems(c *Calendar) (all []calendarProblem) {
	if c.DateColumn == "" {
		all = append(all, calendarProblem{"table", text.Say("semantic.missing_key", "key", "date_column"), text.Say("semantic.missing_key_hint", "key", "date_column")})
	}
	if len(c.Units) == 0 {
		all = append(all, calendarProblem{"table", text.Say("semantic.missing_key", "key", "units"), text.Say("semantic.calendar_units_hint")})
	}
	for _, unit := range c.TableUnits() {
		switch {
		case !IsName(unit) || strings.ToLower(unit) != unit || slices.Contains(timeUnits(), unit):
			all = append(all, calendarProblem{"units", text.Say("semantic.bad_calendar_unit", "name", unit), text.Say("semantic.calendar_units_hint")})
		case c.Units[unit] == "":
			all = append(all, calendarProblem{"units", text.Say("semantic.calendar_unit_column", "name", unit), text.Say("semantic.calendar_units_hint")})
		}
	}
	return all
}

// foreignToCalendar notes keys that a calendar of its kind does not have.
func foreignToCalendar(c *Calendar, keys ...string) (all []calendarProblem) {
	written := map[string]bool{"year_ends": c.YearEnds != "", "date_column": c.DateColumn != "", "units": len(c.Units) > 0, "label_year": c.LabelYear != ""}
	for _, key := range keys {
		if written[key] {
			all = append(all, calendarProblem{key, text.Say("semantic.calendar_foreign_key", "key", key), text.Say("semantic.calendar_kind_hint")})
		}
	}
	return all
}
