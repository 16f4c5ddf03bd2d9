package analyst

import (
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// spanOf says which period was asked for and how much of it the data covers. Without a period it is all that the data
// has of the fact's own time; nil when the fact has none. An open end is an empty date.
func spanOf(plan *frameql.Plan, k Knowledge) *frameql.Span {
	on := timeOf(plan, k.Model)
	if on == "" {
		return nil
	}
	span := &frameql.Span{On: on}
	var asked *frameql.PeriodUse
	if p := plan.Period; p != nil && (!p.From.IsZero() || !p.To.IsZero()) {
		asked = p
		span.Asked = &frameql.Range{From: instant(p.From), To: instant(p.To)}
	}
	if k.Coverage == nil {
		return span
	}
	first, last, ok := k.Coverage(on)
	if !ok {
		return span
	}
	from, to := midnight(first), midnight(last).AddDate(0, 0, 1)
	if asked != nil {
		if !asked.From.IsZero() {
			span.Partial = asked.From.Before(from)
			from = later(from, asked.From)
		}
		if !asked.To.IsZero() {
			span.Partial = span.Partial || asked.To.After(to)
			to = earlier(to, asked.To)
		}
	}
	if from.Before(to) {
		span.Covered = &frameql.Range{From: instant(from), To: instant(to)}
	}
	return span
}

// timeOf is the time dimension that the plan's period uses, or would use: the first metric's that has one, else the
// fact's default.
func timeOf(plan *frameql.Plan, m *semantic.Model) string {
	if plan.Period != nil && plan.Period.On != "" {
		return plan.Period.On
	}
	for _, name := range plan.Metrics {
		if x := m.Metric(name); x != nil {
			if entity, dimension, ok := m.TimeOf(x); ok {
				return entity + "." + dimension
			}
		}
	}
	if e := m.Entity(plan.Fact); e != nil && e.DefaultTime != "" {
		return qualified(e.Name, e.DefaultTime)
	}
	return ""
}

// qualified puts an entity before a dimension that has none.
func qualified(entity, dimension string) string {
	if strings.Contains(dimension, ".") {
		return dimension
	}
	return entity + "." + dimension
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// instant writes midnight as its day, and another moment with its time of day.
func instant(t time.Time) string {
	if t.IsZero() || t.Equal(midnight(t)) {
		return day(t)
	}
	return t.Format("2006-01-02T15:04:05.999999")
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
