package frameqltest

import (
	"sync"
	"time"
	_ "time/tzdata" // the zones of the program that is tested, also on a machine that has none

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// located gives the zone of a name; nil: none is named.
func located(zone string) *time.Location {
	if zone == "" {
		return nil
	}
	if known, ok := zones.Load(zone); ok {
		return known.(*time.Location)
	}
	at, err := time.LoadLocation(zone)
	if err != nil {
		panic(outside{err.Error()})
	}
	zones.Store(zone, at)
	return at
}

var zones sync.Map // by name; reading one takes long

// clockIn gives what the clocks of a zone show at an instant. A time of the oracle is always what a clock shows, as if it were UTC.
func clockIn(at time.Time, zone *time.Location) time.Time {
	at = at.In(zone)
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
}

// whenClock gives the instant at which the clocks of a zone show a time.
func whenClock(shown time.Time, zone *time.Location) time.Time {
	return time.Date(shown.Year(), shown.Month(), shown.Day(), shown.Hour(), shown.Minute(), shown.Second(), shown.Nanosecond(), zone)
}

// InZone gives a stored value as the clocks of the query's zone show it. A day is the same everywhere, and so is a time of
// which nobody says in what zone it is.
func (w *World) InZone(d *semantic.Dimension, stored any) any {
	at, is := stored.(time.Time)
	if !is || w.zone == nil || d.Type != semantic.Timestamp || d.TimeZone == "" {
		return stored
	}
	return clockIn(whenClock(at, located(d.TimeZone)), w.zone)
}

// asked gives the world as a query sees it: times and the present moment by the clocks of its zone, which is that of the
// workspace unless it asks for another.
func (w *World) asked(q *frameql.Query) *World {
	zone, now := located(w.Model.Workspace.TimeZone), w.Now
	for _, o := range q.Options {
		if o.Name == "tz" {
			zone = located(o.Value.Text)
			now = now.In(zone)
		}
	}
	own := *w
	own.zone, own.Now = zone, clockIn(now, now.Location())
	return &own
}
