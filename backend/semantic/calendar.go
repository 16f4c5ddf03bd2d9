package semantic

import (
	"maps"
	"slices"
)

// The units of fiscal calendars that have a name of their own. A calendar of a table may have others.
const (
	UnitFiscalWeek    = "fiscal_week"
	UnitFiscalPeriod  = "fiscal_period"
	UnitFiscalQuarter = "fiscal_quarter"
	UnitFiscalYear    = "fiscal_year"
)

// Which calendar year names a fiscal year.
const (
	LabelStart = "start"
	LabelEnd   = "end"
)

// units gives the units that the calendar knows, from fine to coarse where that is known.
func (c *Calendar) units() []string {
	switch {
	case c.Pattern != "":
		return fiscalUnits()
	case c.Table != "":
		return c.TableUnits()
	default:
		return []string{UnitFiscalQuarter, UnitFiscalYear}
	}
}

// TableUnits gives the units of a calendar of a table in the order of their names.
func (c *Calendar) TableUnits() []string { return slices.Sorted(maps.Keys(c.Units)) }

// WithBuckets gives the model with the buckets of a calendar that a table of the workspace holds. The version stays: it
// is of the declarations.
func WithBuckets(m *Model, calendar string, buckets map[string][]CalendarBucket) *Model {
	out := *m
	out.Calendars = slices.Clone(m.Calendars)
	for i := range out.Calendars {
		if out.Calendars[i].Name == calendar {
			out.Calendars[i].Buckets = buckets
		}
	}
	reindex(&out)
	return &out
}

// reindex finds the objects of a copy of a model again after some of them were replaced.
func reindex(m *Model) {
	var lines map[fieldPos]int
	if m.index != nil {
		lines = m.index.lines
	}
	m.index = buildIndex(m)
	m.index.lines = lines
}
