package reuse

import (
	"time"

	"assay/backend/compile"
)

// rezone gives the zone to cut in and the zone to read from when the cut b is computed from a column of the frame that holds
// the cut f. The column is the wall clock of f's zone, which for the same zone needs no conversion. Only a cut finer than a
// day can be moved to another zone, and only while whole hours of the one are whole hours of the other: not to Kolkata.
func (c *comparison) rezone(b, f *compile.Scalar) (zone, from string, ok bool) {
	if f.Zone == b.Zone && (f.Zone == "" || utc(f.From) == utc(b.From)) {
		return "", "", true
	}
	if b.Zone == "" || !finerThanDay(f.Text) {
		return "", "", false
	}
	clock := utc(b.From) // the zone whose wall clock the column holds
	if f.Zone != "" {
		if utc(f.From) != utc(b.From) || !c.steady(f.Zone) { // an hour that occurs twice a year is no moment
			return "", "", false
		}
		clock = f.Zone
	}
	if !c.wholeHours(clock) || !c.wholeHours(b.Zone) {
		return "", "", false
	}
	return b.Zone, clock, true
}

// utc names the zone of a wall clock that does not name one.
func utc(zone string) string {
	if zone == "" {
		return "UTC"
	}
	return zone
}

// wholeHours says whether a zone is ahead or behind by whole hours, and changes at whole hours, wherever the data lies.
func (c *comparison) wholeHours(zone string) bool {
	whole := true
	known := c.eachOffset(zone, func(offset int, change time.Time) {
		whole = whole && offset%3600 == 0 && change.Unix()%3600 == 0
	})
	return known && whole
}

// steady says whether a zone keeps one offset wherever the data lies.
func (c *comparison) steady(zone string) bool {
	seen := map[int]bool{}
	return c.eachOffset(zone, func(offset int, _ time.Time) { seen[offset] = true }) && len(seen) == 1
}

// eachOffset visits the offsets of a zone from two days before the first to two days after the last time of the fact, with the
// moment of each change. False: the zone or the times are not known.
func (c *comparison) eachOffset(zone string, visit func(offset int, change time.Time)) bool {
	if c.frame.First.IsZero() || c.frame.Watermark.IsZero() {
		return false
	}
	place, err := time.LoadLocation(zone)
	if err != nil {
		return false
	}
	end := c.frame.Watermark.Add(48 * time.Hour)
	at := c.frame.First.Add(-48 * time.Hour).In(place)
	change := time.Time{}
	for {
		_, offset := at.Zone()
		visit(offset, change)
		_, next := at.ZoneBounds()
		if next.IsZero() || next.After(end) {
			return true
		}
		at, change = next, next
	}
}
