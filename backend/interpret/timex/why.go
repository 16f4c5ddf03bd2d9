package timex

import "assay/backend/text"

// why says what a text is that is no range of days, when it is something near to one; empty when it is neither.
func (r *reader) why() string {
	recurring, clock, duration := false, false, false
	for i := range r.tokens {
		switch {
		case r.behind(i, "every") > 0, r.behind(i, "weekday_sets") > 0, r.behind(i, "often") > 0 && i == 0:
			recurring = true
		case r.behind(i, "clock") > 0, r.is(i, ":"):
			clock = true
		}
		if _, j := r.duration(i); j > 0 && r.noise(0, i) && r.noise(j, len(r.tokens)) {
			duration = true
		}
	}
	switch {
	case recurring:
		return text.Say("interpret.no_recurrence")
	case clock:
		return text.Say("interpret.no_clock")
	case duration:
		return text.Say("interpret.no_anchor")
	}
	return ""
}
