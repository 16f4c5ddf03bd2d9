package frameql

import (
	"strings"
	"time"

	"assay/backend/semantic"
	"assay/backend/text"
)

// refusePeriod places a refusal of ResolvePeriod, with the nearest period that the calendar has.
func (r *resolver) refusePeriod(d *During, why *Refusal) {
	var edits []edit
	during := func(label string, change func(p *Period)) {
		edits = append(edits, r.edited(label, func(q *Query) { change(&q.Time.Period) }))
	}
	if why.Code == "CALENDAR_UNDEFINED" {
		switch {
		case strings.HasPrefix(d.Period.Unit, "fiscal_"):
			unit := strings.TrimPrefix(d.Period.Unit, "fiscal_")
			during(text.Say("frameql.repair_use", "name", strings.ToUpper(unit)), func(p *Period) { p.Unit = unit })
		case strings.HasPrefix(d.Period.Value, "FY"):
			value := strings.TrimPrefix(d.Period.Value, "FY")
			during(text.Say("frameql.repair_use", "name", value), func(p *Period) { p.Value = value })
		}
	}
	if d.Period.Kind == "range" && d.Period.To != "" && d.Period.From > d.Period.To {
		during(text.Say("frameql.repair_swap"), func(p *Period) { p.From, p.To = p.To, p.From })
	}
	if d.Period.Unit == "hour" {
		to := r.settings.now.Truncate(time.Hour)
		from := to.Add(-time.Duration(max(d.Period.N, 1)) * time.Hour)
		if d.Period.Incl || d.Period.Kind == "this" {
			from, to = from.Add(time.Hour), to.Add(time.Hour)
		}
		moments := Period{Kind: "range", From: from.Format("2006-01-02T15:04"), To: to.Format("2006-01-02T15:04")}
		during(text.Say("frameql.repair_use", "name", moments.String()), func(p *Period) { *p = moments })
	}
	edits = append(edits, r.allTime())
	r.refuse(d, why, edits...)
}

// refuseWithinDay says that a period begins or ends within a day, of which a time has no hours, with the days that it touches.
func (r *resolver) refuseWithinDay(d *During, use PeriodUse, name string) {
	days := Period{Kind: "range", From: d.Period.From[:len(time.DateOnly)]}
	if !use.To.IsZero() {
		days.To = dayOf(use.To.Add(-time.Microsecond)).AddDate(0, 0, 1).Format(time.DateOnly)
	}
	r.refuse(d, refusal("GRAIN_UNAVAILABLE", "frameql.period_within_day", "period", use.Label, "name", name),
		r.edited(text.Say("frameql.repair_use", "name", days.String()), func(q *Query) { q.Time.Period = days }), r.allTime())
}

func (r *resolver) allTime() edit {
	return r.edited(text.Say("frameql.repair_all_time"), func(q *Query) { q.Time = nil })
}

// refuseOutside says that a period lies wholly outside the data, with the nearest of its kind that does not.
func (r *resolver) refuseOutside(d *During, use PeriodUse, first, last time.Time) {
	var edits []edit
	nearest := last
	if !use.To.IsZero() && !use.To.After(first) {
		nearest = first
	}
	unit := use.Grain
	if d.Period.Kind == "range" || d.Period.Kind == "between" || unit == "week" {
		unit = "month"
	}
	day := time.Date(nearest.Year(), nearest.Month(), nearest.Day(), 0, 0, 0, 0, time.UTC)
	if label := r.calendar.literalOf(r.calendar.start(day, unit), unit); label != "" {
		edits = append(edits, r.edited(text.Say("frameql.repair_use", "name", label), func(q *Query) {
			q.Time.Period = Period{Kind: "literal", Value: label}
		}))
	}
	edits = append(edits, r.allTime())
	r.refuse(d, refusal("PERIOD_OUT_OF_COVERAGE", "frameql.outside_coverage", "period", use.Label, "dimension", use.On,
		"first", first.Format(time.DateOnly), "last", last.Format(time.DateOnly)), edits...)
}

// refuseTimeRequired says that nothing tells which time is meant.
func (r *resolver) refuseTimeRequired(s int, place any, grain string) {
	var edits []edit
	fact := r.sources[s].entity
	for i := range r.model.Entities {
		e := &r.model.Entities[i]
		if !r.reaches(fact.Name, e.Name) {
			continue
		}
		for k := range e.Dimensions {
			if e.Dimensions[k].Type.Temporal() && e.Dimensions[k].DerivedFrom == "" {
				edits = append(edits, r.byTime(e.Name+"."+e.Dimensions[k].Name, grain))
			}
		}
	}
	if grain == "" {
		edits = append(edits, r.allTime())
	} else {
		edits = append(edits, r.without(grain))
	}
	r.refuse(place, refusal("TIME_DIMENSION_REQUIRED", "frameql.time_required", "entity", fact.Name), edits...)
}

// byTime says which time is meant: behind ON, or as the owner of a bare grain.
func (r *resolver) byTime(name, grain string) edit {
	if grain != "" {
		return r.renamed(grain, name+"."+grain)
	}
	d := Dim{Name: name}
	return r.edited(text.Say("frameql.repair_on", "name", name), func(q *Query) {
		if q.Time != nil {
			q.Time.On = &d
		}
	})
}

func (r *resolver) refuseTimeAmbiguous(place any, grain string, all []string) {
	var edits []edit
	for _, name := range all {
		edits = append(edits, r.byTime(name, grain))
	}
	why := refusal("TIME_DIMENSION_AMBIGUOUS", "frameql.time_ambiguous", "candidates", strings.Join(all, ", "))
	why.Facts["candidates"] = all
	r.refuse(place, why, edits...)
}

// refuseNotTime says that a dimension does not lie on the calendar.
func (r *resolver) refuseNotTime(b ref, place any) {
	var t semantic.Type
	if b.dim != nil {
		t = b.dim.Type
	}
	if b.part != nil {
		t = semantic.Integer
	}
	word := typeWord(t)
	if t == "" {
		word = text.Say("frameql.type_entity")
	}
	edits := []edit{}
	for _, t := range r.times {
		if t.name != "" {
			edits = append(edits, r.byTime(t.name, ""))
		}
	}
	if b.grain != "" {
		edits = append([]edit{r.byTime(b.name.Name, "")}, edits...)
	}
	edits = append(edits, r.allTime())
	r.refuse(place, refusal("TYPE_MISMATCH", "frameql.not_a_time", "name", b.name.String(), "type", word), edits...)
}
