package interpret

import (
	"time"

	"assay/backend/text"
)

// trendGrain chooses the calendar unit of "over time": the one that the person prefers, where the time is longer than one of them; else the coarsest that still gives a dozen points.
func (c *composer) trendGrain() string {
	grain := "month"
	first, last, ok := c.coverage()
	if p := c.draft.period; p != nil && !p.From.IsZero() && !p.To.IsZero() {
		first, last, ok = p.From, p.To, true
	}
	if own := c.draft.ix.grain; own != "" && (!ok || last.Sub(first) > unitLengths[own]) {
		c.preferred = true
		c.notes = append(c.notes, text.Say("interpret.assume_grain_preferred", "grain", text.Say("interpret.grain_"+own)))
		return own
	}
	if ok {
		switch days := last.Sub(first).Hours() / 24; {
		case days <= 62:
			grain = "day"
		case days > 366*12:
			grain = "year"
		case days > 366*5:
			grain = "quarter"
		}
	}
	c.notes = append(c.notes, text.Say("interpret.assume_grain", "grain", text.Say("interpret.grain_"+grain)))
	return grain
}

// unitLengths are about as long as the calendar units.
var unitLengths = map[string]time.Duration{
	"day": 24 * time.Hour, "week": 7 * 24 * time.Hour, "month": 30 * 24 * time.Hour, "quarter": 90 * 24 * time.Hour, "year": 365 * 24 * time.Hour,
}
