package frameql

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"assay/backend/semantic"
	"assay/backend/text"
)

// settings are what OPTIONS says, or else the workspace.
type settings struct {
	zone    string    // IANA name of the zone in which days begin; empty: that of each column
	asked   bool      // zone stands in OPTIONS
	now     time.Time // in that zone
	partial string    // match none error
	verify  string    // A AA AAA; empty: not asked
	maxRows int
}

// bindOptions reads OPTIONS.
func (r *resolver) bindOptions() {
	s := settings{zone: r.model.Workspace.TimeZone, now: r.env.Now, partial: r.model.Workspace.Partial, maxRows: r.env.MaxRows}
	if s.partial == "" {
		s.partial = "match"
	}
	if s.maxRows <= 0 {
		s.maxRows = defaultMaxRows
	}
	for i := range r.q.Options {
		o := &r.q.Options[i]
		word := strings.ToLower(o.Value.Text)
		switch strings.ToLower(o.Name) {
		case "tz":
			zone, err := time.LoadLocation(o.Value.Text)
			if o.Value.Text == "" || o.Value.Text == "Local" || err != nil {
				r.refuseOption(o, text.Say("frameql.option_zones"), Value{})
				continue
			}
			s.zone, s.asked, s.now = o.Value.Text, true, r.env.Now.In(zone)
		case "week_start":
			shift, ok := weekShift(o.Value.Text)
			if !ok {
				r.refuseOption(o, "'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'", Value{Kind: String, Text: "mon"})
				continue
			}
			r.calendar.weekStart = shift
		case "calendar":
			r.chooseCalendar(o)
		case "partial":
			if word != "match" && word != "none" && word != "error" {
				r.refuseOption(o, "'match', 'none', 'error'", Value{Kind: String, Text: "match"})
				continue
			}
			s.partial = word
		case "verify":
			if up := strings.ToUpper(o.Value.Text); up == "A" || up == "AA" || up == "AAA" {
				s.verify = up
				continue
			}
			r.refuseOption(o, "'A', 'AA', 'AAA'", Value{Kind: String, Text: "AA"})
		case "max_rows":
			n, err := strconv.Atoi(o.Value.Text)
			if o.Value.Kind != Number || err != nil || n < 1 {
				r.refuseOption(o, text.Say("frameql.option_rows"), Value{Kind: Number, Text: strconv.Itoa(s.maxRows)})
				continue
			}
			if s.maxRows = n; r.env.MaxRows > 0 {
				s.maxRows = min(n, r.env.MaxRows)
			}
		case "distinct":
			if word != "exact" {
				r.refuseOption(o, "'exact'", Value{Kind: String, Text: "exact"})
			}
		default:
			r.refuse(nil, refusal("INVALID_OPTION", "frameql.option_unknown", "option", o.Name,
				"choices", "tz, week_start, calendar, partial, verify, max_rows, distinct"), r.withoutOption(o.Name))
		}
	}
	r.settings = s
}

func (r *resolver) chooseCalendar(o *Option) {
	var names []string
	for _, c := range r.model.Calendars {
		if strings.EqualFold(c.Name, o.Value.Text) {
			r.calendar.use(c)
			o.Value.Text = c.Name
			return
		}
		names = append(names, "'"+c.Name+"'")
	}
	if len(names) == 0 {
		r.refuse(nil, refusal("CALENDAR_UNDEFINED", "frameql.no_calendar_called", "name", o.Value.Text), r.withoutOption(o.Name))
		return
	}
	r.refuseOption(o, strings.Join(names, ", "), Value{Kind: String, Text: r.model.Calendars[0].Name})
}

// refuseOption says what an option may be.
func (r *resolver) refuseOption(o *Option, choices string, instead Value) {
	var edits []edit
	name := o.Name
	if instead.Kind != "" {
		edits = append(edits, r.edited(text.Say("frameql.repair_use", "name", name+" = "+instead.Text), func(q *Query) {
			for i := range q.Options {
				if q.Options[i].Name == name {
					q.Options[i].Value = instead
				}
			}
		}))
	}
	r.refuse(nil, refusal("INVALID_OPTION", "frameql.option_value", "option", name, "value", valueText(o.Value), "choices", choices),
		append(edits, r.withoutOption(name))...)
}

func valueText(v Value) string {
	var w printer
	w.value(v)
	return w.String()
}

func (r *resolver) withoutOption(name string) edit {
	return r.edited(text.Say("frameql.repair_without", "what", "OPTIONS ("+name+")"), func(q *Query) {
		var kept []Option
		for _, o := range q.Options {
			if o.Name != name {
				kept = append(kept, o)
			}
		}
		q.Options = kept
	})
}

// coverage gives the first and last moment in the data of a time dimension by the clocks of the query's zone.
func (r *resolver) coverage(name string) (first, last time.Time, known bool) {
	if r.env.Coverage == nil {
		return first, last, false
	}
	first, last, known = r.env.Coverage(name)
	of, dim, _ := strings.Cut(name, ".")
	e := r.entity(of)
	if !known || !r.settings.asked || e == nil {
		return first, last, known
	}
	d := dimensionOf(e, dim)
	if d == nil || d.Type != semantic.Timestamp || d.TimeZone == "" {
		return first, last, known
	}
	here, err := time.LoadLocation(cmp.Or(r.model.Workspace.TimeZone, d.TimeZone))
	if err != nil {
		return first, last, known
	}
	moved := func(t time.Time) time.Time {
		at := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), here).In(r.settings.now.Location())
		return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
	}
	return moved(first), moved(last), true
}

// timeValue gives a column; a timestamp whose zone is known is read in the zone of the query, so that days begin there.
func (r *resolver) timeValue(s *source, n int, dim *semantic.Dimension) *scalar {
	v := r.value(s, n, dim)
	switch {
	case !dim.Type.Temporal() || r.settings.zone == "":
		return v
	case dim.Type == semantic.Date: // a day is the same in every zone; the zone says what day it is now
		if r.settings.asked {
			r.assume("frameql.zone_of_days", "name", s.nodes[n].entity.Name+"."+dim.Name, "zone", r.settings.zone)
		}
		return v
	case dim.TimeZone == "":
		if r.settings.asked {
			r.refuse(nil, refusal("INVALID_OPTION", "frameql.zone_unknown", "name", s.nodes[n].entity.Name+"."+dim.Name), r.withoutOption("tz"))
		}
		return v
	case strings.EqualFold(dim.TimeZone, r.settings.zone):
		return v
	}
	return &scalar{Op: "trunc", Args: []*scalar{v}, Zone: r.settings.zone, From: dim.TimeZone, Type: v.Type}
}
