package frameqltest

import (
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
)

// datePart reads "day_of_week" and "orders.placed.day_of_week": the part, and the time whose part it is; empty: that of the
// metrics.
func datePart(name string) (of, part string) {
	last := lastSegment(name)
	if partUnit(last) == "" {
		return name, ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(name, last), "."), last
}

// partUnit gives the coarsest unit of time that determines a part of a date; empty: it is none.
func partUnit(part string) string {
	return map[string]string{
		"hour_of_day": "hour", "day_of_week": "day", "day_of_month": "day", "day_of_year": "day", "week_of_year": "day",
		"month_of_year": "month", "quarter_of_year": "quarter",
	}[part]
}

// partOf gives the part of an instant.
func partOf(t time.Time, part string) any {
	n := 0
	switch part {
	case "hour_of_day":
		n = t.Hour()
	case "day_of_week":
		n = (int(t.Weekday())+6)%7 + 1
	case "day_of_month":
		n = t.Day()
	case "day_of_year":
		n = t.YearDay()
	case "week_of_year":
		_, n = t.ISOWeek()
	case "month_of_year":
		n = int(t.Month())
	case "quarter_of_year":
		n = (int(t.Month()) + 2) / 3
	}
	return Whole(int64(n))
}

// partKey gives the column of a part; ok is false for another dimension.
func (v *evaluation) partKey(d frameql.Dim) (k key, ok bool) {
	of, part := datePart(d.Name)
	if part == "" || d.Grain != "" {
		return key{}, false
	}
	if of == "" || v.axes[strings.ToLower(of)] {
		return key{grain: part}, true
	}
	return key{name: of, grain: part}, true
}

// timed says whether a key is a part of the time of the metrics.
func (k key) timed() bool { return k.name == "" && !k.axis && partUnit(k.grain) != "" }

// partFollows says whether the axis among some keys determines a part of the time of the metrics.
func partFollows(k key, keys []key) bool {
	return k.timed() && slices.ContainsFunc(keys, func(own key) bool {
		return own.axis && (own.grain == partUnit(k.grain) || slices.Contains(within(own.grain), partUnit(k.grain)))
	})
}

// partFollows adds the quarters of a fiscal year that are those of the common year.
func (v *evaluation) partFollows(k key, keys []key) bool {
	aligned := v.cal.fiscal > 0 && (v.cal.fiscal-1)%3 == 0 && len(v.cal.buckets["fiscal_quarter"]) == 0
	return partFollows(k, keys) || aligned && k.timed() && partUnit(k.grain) == "quarter" && slices.Contains(keys, key{grain: "fiscal_quarter", axis: true})
}
