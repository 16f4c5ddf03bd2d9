package frameql

import (
	"strings"
	"testing"
	"time"

	"assay/backend/semantic"
)

// halves is a calendar of listed buckets: two half years of 1997, the six pairs of months in them, and sprints of four weeks that
// begin where nothing else does.
func halves() calendar {
	at := func(m, d int) time.Time { return time.Date(1997, time.Month(m), d, 0, 0, 0, 0, time.UTC) }
	c := semantic.Calendar{Name: "halves", Buckets: map[string][]semantic.CalendarBucket{}}
	add := func(unit string, from, to time.Time) {
		c.Buckets[unit] = append(c.Buckets[unit], semantic.CalendarBucket{From: from, To: to})
	}
	add("half", at(1, 1), at(7, 1))
	add("half", at(7, 1), at(13, 1))
	for m := 1; m < 13; m += 2 {
		add("pair", at(m, 1), at(m+2, 1))
	}
	for d := 15; d < 300; d += 28 {
		add("sprint", at(1, d), at(1, d+28))
	}
	add("start", at(1, 1), at(7, 1)) // and nothing behind it
	var all calendar
	all.use(c)
	return all
}

// TestUnitsWithinUnits: a time cut by one unit says how another cuts it only where buckets of the one make up buckets of the other.
func TestUnitsWithinUnits(t *testing.T) {
	common := map[string]string{ // unit -> what it determines
		"":               " hour day week month quarter year fiscal_quarter fiscal_year",
		"hour":           "hour day week month quarter year fiscal_quarter fiscal_year ",
		"day":            "day week month quarter year fiscal_quarter fiscal_year",
		"week":           "week",
		"month":          "month quarter year fiscal_quarter fiscal_year",
		"quarter":        "quarter year",
		"year":           "year",
		"fiscal_quarter": "fiscal_quarter fiscal_year",
		"fiscal_year":    "fiscal_year",
	}
	aligned := map[string]string{ // the fiscal year begins with a quarter
		"quarter": "quarter year fiscal_quarter fiscal_year", "fiscal_quarter": "fiscal_quarter fiscal_year quarter year",
	}
	same := map[string]string{ // the fiscal year is the year
		"quarter": "quarter year fiscal_quarter fiscal_year", "fiscal_quarter": "fiscal_quarter fiscal_year quarter year",
		"year": "year fiscal_year", "fiscal_year": "fiscal_year year",
	}
	for start, special := range map[int]map[string]string{2: nil, 12: nil, 4: aligned, 7: aligned, 1: same} {
		var c calendar
		c.use(semantic.Calendar{StartMonth: start})
		if !c.hasFiscal || c.offset() != start-1 {
			t.Errorf("a fiscal year from month %d begins %d months after January", start, c.offset())
		}
		for fine := range common {
			want, ok := special[fine]
			if !ok {
				want = common[fine]
			}
			for coarse := range common {
				is := false
				for _, w := range strings.Split(want, " ") {
					is = is || w == coarse
				}
				if got := c.coarsens(fine, coarse); got != is {
					t.Errorf("from month %d: %q determines %q: %v", start, fine, coarse, got)
				}
			}
		}
	}
	c := halves()
	for _, x := range []struct {
		fine, coarse string
		is           bool
	}{
		{"pair", "half", true},
		{"half", "pair", false},
		{"sprint", "half", false},
		{"half", "sprint", false},
		{"start", "half", false},
		{"half", "start", true},
		{"pair", "month", false},
		{"month", "pair", false},
		{"month", "half", false},
		{"half", "year", false},
		{"week", "half", false},
		{"half", "week", false},
		{"day", "half", true},
		{"half", "day", false},
		{"half", "", false},
		{"half", "hour", false},
		{"half", "half", true},
		{"", "pair", true},
	} {
		if got := c.coarsens(x.fine, x.coarse); got != x.is {
			t.Errorf("%q determines %q: %v", x.fine, x.coarse, got)
		}
	}
	for _, month := range []int{0, 13, -1} {
		var c calendar
		if c.use(semantic.Calendar{StartMonth: month}); c.hasFiscal || c.offset() != 0 || c.knows("fiscal_year") {
			t.Errorf("month %d begins no fiscal year", month)
		}
	}
}

// TestStepsOfUnits: a calendar of listed buckets ends where its list ends; every other goes on.
func TestStepsOfUnits(t *testing.T) {
	day := func(s string) time.Time {
		if s == "" {
			return time.Time{}
		}
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	said := func(d time.Time) string {
		if d.IsZero() {
			return ""
		}
		return d.Format(time.DateOnly)
	}
	c := halves()
	for _, x := range []struct {
		from, unit string
		n          int
		want       string
	}{
		{"1997-01-01", "half", 1, "1997-07-01"},
		{"1997-07-01", "half", 1, "1998-01-01"},
		{"1997-01-01", "half", 2, "1998-01-01"},
		{"1997-01-01", "half", 3, ""},
		{"1998-01-01", "half", -1, "1997-07-01"},
		{"1998-01-01", "half", -2, "1997-01-01"},
		{"1998-01-01", "half", 0, ""},
		{"1997-07-01", "half", 0, "1997-07-01"},
		{"1997-01-01", "half", -1, ""},
		{"", "half", 1, ""},
		{"1997-01-06", "week", -2, "1996-12-23"},
		{"1997-01-31", "day", 1, "1997-02-01"},
		{"1997-01-01", "quarter", 1, "1997-04-01"},
		{"1997-07-01", "fiscal_year", -1, "1996-07-01"},
	} {
		if got := said(c.step(day(x.from), x.unit, x.n)); got != x.want {
			t.Errorf("%d %s from %s: %s, want %s", x.n, x.unit, x.from, got, x.want)
		}
	}
	for _, x := range []struct {
		from, to, unit string
		is             bool
	}{
		{"1997-01-01", "1998-01-01", "half", true},
		{"1997-01-01", "1997-07-01", "half", true},
		{"1997-01-02", "1997-07-01", "half", false},
		{"1997-01-01", "1997-06-30", "half", false},
		{"1997-01-01", "1999-01-01", "half", false},
		{"1996-01-01", "1997-07-01", "half", false},
		{"", "1997-07-01", "half", false},
		{"1997-01-01", "", "half", false},
		{"1997-01-01", "1997-03-01", "month", true},
		{"1997-01-02", "1997-03-01", "month", false},
		{"1997-01-01", "1997-03-02", "month", false},
		{"", "1997-03-01", "month", false},
		{"1997-01-01", "", "month", false},
		{"1997-01-06", "1997-01-13", "week", true},
		{"1997-01-07", "1997-01-13", "week", false},
	} {
		if got := c.whole(day(x.from), day(x.to), x.unit); got != x.is {
			t.Errorf("%s to %s is made of whole units of %s: %v", x.from, x.to, x.unit, got)
		}
	}
	for _, x := range []struct {
		fine, coarse string
		n            int
	}{
		{"month", "month", 1},
		{"half", "half", 1},
		{"month", "quarter", 3},
		{"month", "year", 12},
		{"quarter", "year", 4},
		{"year", "quarter", 0},
		{"quarter", "month", 0},
		{"fiscal_quarter", "fiscal_year", 4},
		{"quarter", "fiscal_quarter", 1},
		{"week", "year", 52},
		{"week", "quarter", 0},
		{"week", "month", 0},
		{"day", "week", 7},
		{"day", "year", 0},
		{"day", "month", 0},
		{"hour", "day", 24},
		{"hour", "week", 168},
		{"hour", "month", 0},
		{"month", "day", 0},
		{"month", "week", 0},
		{"pair", "half", 0},
		{"month", "half", 0},
		{"half", "year", 0},
		{"day", "hour", 0},
		{"week", "day", 0},
	} {
		if got := c.count(x.fine, x.coarse); got != x.n {
			t.Errorf("%d %s make one %s, want %d", got, x.fine, x.coarse, x.n)
		}
	}
	for _, x := range []struct{ from, to, unit, wantFrom, wantTo string }{
		{"1997-07-01", "1998-01-01", "half", "1997-01-01", "1997-07-01"},
		{"1997-07-05", "1997-07-11", "half", "1997-01-05", "1997-01-11"},
		{"1997-01-05", "1997-01-11", "half", "", ""},
		{"1997-02-01", "1997-03-01", "month", "1997-01-01", "1997-02-01"},
		{"1997-02-01", "1997-02-15", "month", "1997-01-01", "1997-01-15"},
		{"1997-02-05", "1997-03-01", "month", "1997-01-05", "1997-01-29"},
		{"1997-12-01", "1998-01-01", "week", "1997-11-24", "1997-12-25"},
		{"1997-03-01", "1997-04-01", "day", "1997-02-28", "1997-03-31"},
	} {
		from, to := c.moved(day(x.from), day(x.to), x.unit)
		if x.wantTo == "" && to.IsZero() {
			continue
		}
		if said(from) != x.wantFrom || said(to) != x.wantTo {
			t.Errorf("%s to %s a %s earlier: %s to %s, want %s to %s", x.from, x.to, x.unit, said(from), said(to), x.wantFrom, x.wantTo)
		}
	}
	order := []string{"hour", "day", "week", "sprint", "month", "pair", "quarter", "half", "year"}
	for i := 1; i < len(order); i++ {
		if c.days(order[i-1]) >= c.days(order[i]) {
			t.Errorf("%s is not shorter than %s", order[i-1], order[i])
		}
	}
	if c.between(day("1997-01-01"), day("1997-07-01"), "half") != 1 || c.between(day("1997-01-01"), day("1997-01-15"), "week") != 2 ||
		c.between(day("1997-01-01"), day("1997-03-01"), "day") != 59 || c.between(day("1997-01-01"), day("1998-03-01"), "month") != 14 || c.between(day("1997-01-01"), day("1997-01-02"), "hour") != 24 {
		t.Error("the units between two days are miscounted")
	}
}

// TestNearNames: what somebody may have meant is near in letters, or a word of it.
func TestNearNames(t *testing.T) {
	long, longer := strings.Repeat("a", 60), strings.Repeat("a", 61)
	for _, x := range []struct {
		a, b string
		want int
	}{
		{"revenue", "revenue", 0},
		{"", "", 0},
		{"revenu", "revenue", 1},
		{"revneue", "revenue", 1},
		{"cost", "coast", 1},
		{"ab", "xy", -1},
		{"a", "b", -1},
		{"abc", "xyz", -1},
		{"order", "order value", 4},
		{"order value", "order", 4},
		{"id", "order id", -1},
		{"order id", "id", -1},
		{"val", "order value", -1},
		{"day", "order day", 4},
		{"order day", "day", 4},
		{long, long, 0},
		{longer, longer, -1},
		{long, long[:59], 1},
		{longer, long, -1},
		{long, longer, -1},
		{"abcdef", "abc", -1},
		{"abcdef", "abcd", 2},
		{"abcdefg", "abcd", -1},
	} {
		if got := nearness(x.a, x.b); got != x.want {
			t.Errorf("%q is %d from %q, want %d", x.a, got, x.b, x.want)
		}
	}
	for _, x := range []struct{ name, want string }{
		{"Order_Lines", "order line"}, {"ship-to", "ship to"}, {"categories", "category"}, {"gas", "gas"}, {"bus", "bus"}, {"ies", "ies"}, {"days", "day"}, {"s", "s"}, {"orders", "order"},
	} {
		if got := plain(x.name); got != x.want {
			t.Errorf("%q is compared as %q, want %q", x.name, got, x.want)
		}
	}
	for _, x := range []struct{ label, want string }{{"Revenue", "revenue"}, {"AOV", "AOV"}, {"R", "R"}, {"Ab", "ab"}, {"", ""}} {
		if got := inSentence(x.label); got != x.want {
			t.Errorf("%q within a sentence is %q, want %q", x.label, got, x.want)
		}
	}
}

// TestBackByUnitsOfTheirOwn: a day keeps its place in a unit before, or is the last one of a shorter unit; a range that ends within a day
// ends there with the unit.
func TestBackByUnitsOfTheirOwn(t *testing.T) {
	c := halves()
	for day, want := range map[string]string{
		"1997-03-31T00:00": "1997-01-31T00:00", "1997-04-30T00:00": "1997-02-28T00:00", "1997-04-30T12:00": "1997-03-01T00:00", "1997-04-02T12:00": "1997-02-02T12:00", "1997-01-05T00:00": "0001-01-01T00:00",
	} {
		at, err := time.Parse("2006-01-02T15:04", day)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.back(at, "pair", 1).Format("2006-01-02T15:04"); got != want {
			t.Errorf("%s goes back to %s, want %s", day, got, want)
		}
	}
}
