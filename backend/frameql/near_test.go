package frameql

import (
	"testing"
	"time"

	"assay/backend/semantic"
)

// TestMetricsThatMayStandIn: of a family before of a like name, before of the same rows and unit.
func TestMetricsThatMayStandIn(t *testing.T) {
	leaf := func(name, family, entity, unit string, reducer semantic.Reducer) *semantic.Metric {
		return &semantic.Metric{Name: name, Family: family, Entity: entity, Unit: unit, Reducer: reducer, Kind: semantic.Leaf}
	}
	m := leaf("net_fees", "money", "loans", "EUR", semantic.Sum)
	var r resolver
	for _, x := range []struct {
		other *semantic.Metric
		want  int
	}{
		{leaf("takings", "Money", "fines", "EUR", semantic.Sum), 0},
		{leaf("net_fee", "", "fines", "", semantic.Avg), 1},
		{leaf("nett_fees", "", "fines", "", semantic.Avg), 1},
		{leaf("late_fees", "", "fines", "", semantic.Avg), 1},
		{leaf("net_value", "", "visits", "", semantic.Avg), -1}, // a word of three letters says little
		{leaf("takings", "", "lines", "EUR", semantic.Sum), 2},
		{leaf("takings", "", "lines", "EUR", semantic.Avg), 3},
		{leaf("takings", "", "lines", "USD", semantic.Sum), -1},
		{leaf("takings", "", "visits", "EUR", semantic.Sum), -1}, // not the rows in between
		{&semantic.Metric{Name: "takings", Entity: "lines", Unit: "EUR", Kind: semantic.Derived}, -1},
	} {
		if got := r.distance(m, x.other, "lines"); got != x.want {
			t.Errorf("%+v is %d away, want %d", x.other, got, x.want)
		}
	}
	for _, x := range []struct {
		one, other string
		is         bool
	}{
		{"order_value", "value_of_lines", true},
		{"order_count", "line_count", false}, // how they are counted
		{"total_paid", "total_owed", false},
		{"net_a", "net_b", false},
		{"paid_now", "prepaid", false},
		{"Sold_Boxes", "boxes_left", true},
	} {
		if got := sharesWord(&semantic.Metric{Name: x.one}, &semantic.Metric{Name: x.other}); got != x.is {
			t.Errorf("%s and %s have a word in common: %v", x.one, x.other, got)
		}
	}
	unlike := leaf("boxes", "", "visits", "", semantic.Count)
	for _, x := range []struct {
		reducer semantic.Reducer
		want    int
	}{{semantic.Count, 2}, {semantic.Sum, -1}} { // amounts without a unit stand in for nothing but the same count
		if got := r.distance(unlike, leaf("lamps", "", "lines", "", x.reducer), "lines"); got != x.want {
			t.Errorf("a %s without a unit is %d away, want %d", x.reducer, got, x.want)
		}
	}
}

// TestUnitsBack: a day some units earlier keeps its place, or the last day of a shorter month.
func TestUnitsBack(t *testing.T) {
	day := func(s string) time.Time { d, _ := time.Parse(time.DateOnly, s); return d }
	c := halves()
	for _, x := range []struct {
		day, unit string
		n         int
		want      string
	}{
		{"1997-03-31", "month", 1, "1997-02-28"},
		{"1997-03-15", "month", 1, "1997-02-15"},
		{"1997-03-15", "week", 2, "1997-03-01"},
		{"1997-03-15", "day", 15, "1997-02-28"},
		{"1997-07-03", "half", 1, "1997-01-03"},
		{"1997-03-01", "half", 1, "0001-01-01"}, // there is none
	} {
		if got := c.back(day(x.day), x.unit, x.n).Format(time.DateOnly); got != x.want {
			t.Errorf("%d %s before %s is %s, want %s", x.n, x.unit, x.day, got, x.want)
		}
	}
	own := calendar{}
	own.use(semantic.Calendar{Buckets: map[string][]semantic.CalendarBucket{
		"fiscal_quarter": {{From: day("1997-01-06"), To: day("1997-04-07")}}, "fiscal_year": {{From: day("1997-01-06"), To: day("1998-01-05")}},
	}})
	for _, x := range []struct {
		fine, coarse string
		is           bool
	}{
		{"fiscal_quarter", "fiscal_year", true},
		{"fiscal_quarter", "year", false}, // quarters of weeks cross the ends of years
		{"month", "fiscal_quarter", false},
		{"month", "fiscal_year", false},
		{"day", "fiscal_year", true},
	} {
		if got := own.coarsens(x.fine, x.coarse); got != x.is {
			t.Errorf("%q determines %q: %v", x.fine, x.coarse, got)
		}
	}
	own.fiscal.Units = map[string]string{"term": "t"}
	if !own.mentions("term") || own.mentions("weekend") || own.knows("term") {
		t.Error("a unit that the calendar names is one, also while its days are not known")
	}
}
