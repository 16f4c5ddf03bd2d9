package svg

import (
	"math"
	"strconv"
	"time"

	"assay/backend/text"
)

const day = 24 * time.Hour

// moment reads an ISO date or timestamp; false: it is none, or one of a year that is not written with four digits.
func moment(s string) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// rhythm is a distance between ticks of time.
type rhythm struct {
	months int
	length time.Duration // where months is 0
	grain  string        // how a tick is written
}

var rhythms = []rhythm{
	{0, time.Second, "second"},
	{0, 15 * time.Second, "second"},
	{0, time.Minute, "hour"},
	{0, 15 * time.Minute, "hour"},
	{0, time.Hour, "hour"},
	{0, 3 * time.Hour, "hour"},
	{0, 6 * time.Hour, "hour"},
	{0, 12 * time.Hour, "hour"},
	{0, day, "day"},
	{0, 2 * day, "day"},
	{0, 7 * day, "day"},
	{0, 14 * day, "day"},
	{1, 0, "month"},
	{2, 0, "month"},
	{3, 0, "month"},
	{6, 0, "month"},
	{12, 0, "year"},
	{24, 0, "year"},
	{60, 0, "year"},
	{120, 0, "year"},
	{300, 0, "year"},
	{600, 0, "year"},
	{1200, 0, "year"},
	{6000, 0, "year"},
	{12000, 0, "year"},
}

// timeTicks gives at most n moments of a stretch with the words for them, at even distances of the calendar. The grain of the data says
// how fine they may be and how they are written.
func timeTicks(from, to time.Time, n int, grain string) (at []time.Time, words []string) {
	least := map[string]int{"day": 8, "week": 10, "month": 12, "quarter": 14, "year": 16}[grain]
	for _, r := range rhythms[least:] {
		if at = r.between(from, to, n); len(at) == 0 || len(at) > n {
			continue
		}
		written := r.grain
		if grain == "quarter" && r.months < 12 {
			written = "quarter"
		}
		for _, t := range at {
			words = append(words, timeWords(t, written))
		}
		return at, words
	}
	return []time.Time{from}, []string{timeWords(from, grain)}
}

// between gives the moments of a rhythm within a stretch; nothing where there are more than most.
func (r rhythm) between(from, to time.Time, most int) []time.Time {
	if r.months == 0 {
		if to.Sub(from)/r.length > time.Duration(most) {
			return nil
		}
		first := from.Truncate(r.length)
		if r.length >= 2*day { // weeks begin where the data does
			first = from
		}
		if first.Before(from) {
			first = first.Add(r.length)
		}
		var all []time.Time
		for t := first; !t.After(to); t = t.Add(r.length) {
			all = append(all, t)
		}
		return all
	}
	if to.Sub(from).Hours()/24/28 > float64((most+1)*r.months)*1.1 {
		return nil
	}
	year, month := from.Year(), int(from.Month())-1
	if r.months >= 12 {
		years := r.months / 12
		year, month = int(math.Floor(float64(year)/float64(years)))*years, 0
	} else {
		month = month / r.months * r.months
	}
	var all []time.Time
	for t := time.Date(year, time.Month(month+1), 1, 0, 0, 0, 0, time.UTC); !t.After(to); t = t.AddDate(0, r.months, 0) {
		if !t.Before(from) {
			all = append(all, t)
		}
	}
	return all
}

// timeWords writes a moment as a grain is read.
func timeWords(t time.Time, grain string) string {
	month := text.Say("frameview.month_" + strconv.Itoa(int(t.Month())))
	switch grain {
	case "year":
		return strconv.Itoa(t.Year())
	case "quarter":
		return text.Say("frameview.quarter", "quarter", (int(t.Month())+2)/3, "year", t.Year())
	case "month":
		return text.Say("frameview.month", "month", month, "year", t.Year())
	case "hour":
		return text.Say("svg.hour", "month", month, "day", t.Day(), "time", t.Format("15:04"))
	case "second":
		return t.Format("15:04:05")
	}
	return text.Say("frameview.day", "month", month, "day", t.Day(), "year", t.Year())
}
