package analyst

import "time"

// staleAfter is how far behind the wall clock the data may be before relative dates are counted from the data's end.
const staleAfter = 3 * 24 * time.Hour

// Anchor gives the instant from which relative dates are counted when nobody names one, in the workspace's time zone: the
// data's last date when it is more than three days old, else the wall clock.
func Anchor(k Knowledge, wall time.Time) time.Time {
	now, _ := anchor(k, wall)
	return now
}

func anchor(k Knowledge, wall time.Time) (now time.Time, fromData bool) {
	now = wall.In(k.zone())
	last, ok := watermark(k)
	if ok && now.Sub(last) > staleAfter {
		return last, true
	}
	return now, false
}

// watermark is the last instant in the data of any entity's default time. Data says nothing of zones: its dates are days
// of the workspace.
func watermark(k Knowledge) (last time.Time, ok bool) {
	if k.Model == nil || k.Coverage == nil {
		return last, false
	}
	for i := range k.Model.Entities {
		e := &k.Model.Entities[i]
		if e.DefaultTime == "" {
			continue
		}
		_, end, known := k.Coverage(qualified(e.Name, e.DefaultTime))
		if !known {
			continue
		}
		end = time.Date(end.Year(), end.Month(), end.Day(), end.Hour(), end.Minute(), end.Second(), end.Nanosecond(), k.zone())
		if !ok || end.After(last) {
			last, ok = end, true
		}
	}
	return last, ok
}

// zone is where the workspace's days begin.
func (k Knowledge) zone() *time.Location {
	if k.Zone == nil {
		return time.UTC
	}
	return k.Zone
}
