package reuse

import (
	"strings"
	"testing"
	"time"

	"assay/backend/compile"
	"assay/backend/semantic"
)

func column(name string, t semantic.Type) *compile.Scalar {
	return &compile.Scalar{Op: "col", Text: name, Type: t}
}

// cutBy cuts the time ts of the fact by a unit.
func cutBy(unit string, change ...func(*compile.Scalar)) *compile.Scalar {
	s := &compile.Scalar{Op: "trunc", Text: unit, Args: []*compile.Scalar{column("ts", semantic.Timestamp)}, Type: semantic.Date}
	if finerThanDay(unit) {
		s.Type = semantic.Timestamp
	}
	for _, c := range change {
		c(s)
	}
	return s
}

func inZone(zone, from string) func(*compile.Scalar) {
	return func(s *compile.Scalar) { s.Zone, s.From = zone, from }
}

func shifted(by int) func(*compile.Scalar) { return func(s *compile.Scalar) { s.Shift = by } }

// listed gives a cut its buckets, each to the beginning of the next.
func listed(days ...string) func(*compile.Scalar) {
	return func(s *compile.Scalar) {
		for i := 0; i+1 < len(days); i++ {
			s.Buckets = append(s.Buckets, compile.Bucket{From: at(days[i]), To: at(days[i+1])})
		}
	}
}

func at(s string) time.Time {
	for _, form := range []string{time.DateOnly, "2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(form, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

func holds(op string, args ...*compile.Scalar) *compile.Scalar {
	return &compile.Scalar{Op: op, Args: args, Type: semantic.Boolean}
}

func words(s string) *compile.Scalar {
	return &compile.Scalar{Op: "str", Text: s, Type: semantic.Text}
}

func number(s string) *compile.Scalar {
	return &compile.Scalar{Op: "num", Text: s, Type: semantic.Integer}
}

func keyed(all ...*compile.Scalar) (keys []compile.BranchKey) {
	for i, s := range all {
		keys = append(keys, compile.BranchKey{Expr: s, Name: "k" + string(rune('1'+i))})
	}
	return keys
}

func computed(all ...compile.Leaf) (leaves []compile.BranchLeaf) {
	for i, l := range all {
		leaves = append(leaves, compile.BranchLeaf{Leaf: l, Name: "l" + string(rune('1'+i))})
	}
	return leaves
}

var (
	region = column("region", semantic.Text)
	total  = compile.Leaf{Reducer: "sum", Expr: column("qty", semantic.Integer)}
)

// kept is a frame by day and region of all rows of the fact, whose times go from 2023-01-01 to noon of 2024-12-31.
func kept() Frame {
	return Frame{
		ID: "f_1", Table: "frames.f_1", Exact: true, Rows: 100, BaseRows: 10_000, Epochs: map[string]string{"f": "e1"},
		First: at("2023-01-01"), Watermark: at("2024-12-31 12:00:00"),
		Branch: compile.Branch{
			Source: &compile.Source{Nodes: []compile.Node{{Table: "f", Parent: -1}}}, Tables: []string{"f"}, Time: column("ts", semantic.Timestamp),
			Keys: keyed(cutBy("day"), region), Leaves: computed(total),
		},
	}
}

// asked is a branch that wants the whole of it.
func asked() compile.Branch {
	b := kept().Branch
	b.Keys, b.Leaves = keyed(region), computed(total)
	return b
}

var present = Facts{Epochs: map[string]string{"f": "e1"}}

// written says what is read of a frame: the keys, the leaves, the conditions and what the base must add. Or why it is not.
func written(s *compile.Served, r Reason) string {
	if s == nil {
		return string(r.Code)
	}
	var parts []string
	section := func(items []string) { parts = append(parts, strings.Join(items, ", ")) }
	all := func(list []*compile.Scalar) (items []string) {
		for _, x := range list {
			items = append(items, scalarText(x))
		}
		return items
	}
	section(all(s.Keys))
	var leaves []string
	for i, l := range s.Leaves {
		leaves = append(leaves, s.Reduce[i]+" "+l)
	}
	section(leaves)
	section(all(s.Where))
	for _, m := range s.Missing {
		parts = append(parts, "base "+dayText(m.From)+" to "+dayText(m.To))
	}
	return strings.Join(parts, "; ")
}

func dayText(t time.Time) string {
	if t.IsZero() {
		return "open"
	}
	return t.Format("2006-01-02")
}

func scalarText(s *compile.Scalar) string {
	switch s.Op {
	case "col", "num", "str", "date", "timestamp":
		return s.Text
	}
	var args []string
	for _, a := range s.Args {
		args = append(args, scalarText(a))
	}
	if len(args) == 2 && len(s.Op) <= 2 {
		return args[0] + " " + s.Op + " " + args[1]
	}
	name := s.Op
	if s.Op == "trunc" {
		name = s.Text
		if s.Zone != "" {
			name += " in " + s.Zone + " from " + s.From
		}
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// decision is a change of the frame and of what is asked, and what comes of it.
type decision struct {
	name, want string
	change     func(f *Frame, b *compile.Branch)
}

func decide(t *testing.T, all []decision) {
	t.Helper()
	for _, d := range all {
		f, b := kept(), asked()
		d.change(&f, &b)
		if got := written(NewIndex(f).Match(b, present)); got != d.want {
			t.Errorf("%s:\n got %s\nwant %s", d.name, got, d.want)
		}
	}
}

func between(from, to string) func(b *compile.Branch) {
	return func(b *compile.Branch) { b.From, b.To = at(from), at(to) }
}

// TestPeriods: where a period is cut out of a frame, what the base must add to it, and where it cannot be drawn.
func TestPeriods(t *testing.T) {
	row := func(name, frameFrom, frameTo, from, to, want string, more ...func(f *Frame, b *compile.Branch)) decision {
		return decision{name, want, func(f *Frame, b *compile.Branch) {
			between(frameFrom, frameTo)(&f.Branch)
			between(from, to)(b)
			for _, m := range more {
				m(f, b)
			}
		}}
	}
	byMonth := func(f *Frame, _ *compile.Branch) { f.Branch.Keys = keyed(cutBy("month"), region) }
	noTimes := func(f *Frame, _ *compile.Branch) { f.First, f.Watermark = time.Time{}, time.Time{} }
	noFirst := func(f *Frame, _ *compile.Branch) { f.First = time.Time{} }
	noLast := func(f *Frame, _ *compile.Branch) { f.Watermark = time.Time{} }
	noAxis := func(f *Frame, _ *compile.Branch) { f.Branch.Keys = keyed(region) }
	raw := func(t semantic.Type) func(*Frame, *compile.Branch) {
		return func(f *Frame, b *compile.Branch) {
			f.Branch.Time, b.Time = column("ts", t), column("ts", t)
			f.Branch.Keys = keyed(column("ts", t), region)
		}
	}
	otherTime := func(f *Frame, b *compile.Branch) { b.Time = column("paid_on", semantic.Date) }
	decide(t, []decision{
		row("all of all", "", "", "", "", "k2; sum l1; "),
		row("a month of all", "", "", "2023-02-01", "2023-03-01", "k2; sum l1; k1 >= 2023-02-01, k1 < 2023-03-01"),
		row("from a day on", "", "", "2023-02-01", "", "k2; sum l1; k1 >= 2023-02-01"),
		row("up to a day", "", "", "", "2023-02-01", "k2; sum l1; k1 < 2023-02-01"),
		row("within a day", "", "", "2023-02-01 06:00:00", "2023-03-01", "aligned"),
		row("to within a day", "", "", "2023-02-01", "2023-03-01 06:00:00", "aligned"),
		row("from before all data", "", "", "2022-02-01", "2023-02-01", "k2; sum l1; k1 < 2023-02-01"),
		row("from the first moment of the data", "", "", "2023-01-01", "2023-02-01", "k2; sum l1; k1 < 2023-02-01"),
		row("from within a day before all data", "", "", "2022-02-01 06:00:00", "2023-02-01", "k2; sum l1; k1 < 2023-02-01"),
		row("to behind all data", "", "", "2023-02-01", "2025-02-01", "k2; sum l1; k1 >= 2023-02-01"),
		row("to the last moment of the data, which is not in it", "", "", "2023-02-01", "2024-12-31 12:00:00", "aligned"),
		row("to within a day behind all data", "", "", "2023-02-01", "2025-02-01 06:00:00", "k2; sum l1; k1 >= 2023-02-01"),
		row("around all data: rows without a time are left out", "", "", "2022-01-01", "2025-01-01", "k2; sum l1; not_null(k1)"),
		row("around all data, and the frame keeps no time", "", "", "2022-01-01", "2025-01-01", "aligned", noAxis),
		row("around all data, which nobody measured", "", "", "2022-01-01", "2025-01-01", "k2; sum l1; k1 >= 2022-01-01, k1 < 2025-01-01", noTimes),
		row("around all data, whose first time is not known", "", "", "2022-01-01", "2025-01-01", "k2; sum l1; k1 >= 2022-01-01, k1 < 2025-01-01", noFirst),
		row("around all data, whose last time is not known", "", "", "2022-01-01", "2025-01-01", "k2; sum l1; k1 >= 2022-01-01, k1 < 2025-01-01", noLast),
		row("the frame's own period", "2023-02-01", "2024-02-01", "2023-02-01", "2024-02-01", "k2; sum l1; "),
		row("the frame's own period, without its time", "2023-02-01", "2024-02-01", "2023-02-01", "2024-02-01", "k1; sum l1; ", noAxis),
		row("a part of the frame's period", "2023-02-01", "2024-02-01", "2023-03-01", "2023-05-01", "k2; sum l1; k1 >= 2023-03-01, k1 < 2023-05-01"),
		row("the end of the frame's period", "2023-02-01", "2024-02-01", "2023-03-01", "2024-02-01", "k2; sum l1; k1 >= 2023-03-01"),
		row("the start of the frame's period", "2023-02-01", "2024-02-01", "2023-02-01", "2023-05-01", "k2; sum l1; k1 < 2023-05-01"),
		row("a part, and the frame keeps no time", "2023-02-01", "2024-02-01", "2023-03-01", "2024-02-01", "aligned", noAxis),
		row("a start, and the frame keeps no time", "2023-02-01", "2024-02-01", "2023-02-01", "2024-01-01", "aligned", noAxis),
		row("the base adds a start", "2023-05-01", "2024-02-01", "2023-03-01", "2024-02-01", "k2; sum l1; ; base 2023-03-01 to 2023-05-01"),
		row("the base adds an end", "2023-02-01", "2024-02-01", "2023-02-01", "2024-04-01", "k2; sum l1; ; base 2024-02-01 to 2024-04-01"),
		row("the base adds both", "2023-05-01", "2024-02-01", "2023-03-01", "2024-04-01", "k2; sum l1; ; base 2023-03-01 to 2023-05-01; base 2024-02-01 to 2024-04-01"),
		row("the base adds an open start", "2023-05-01", "2024-02-01", "", "2023-12-01", "k2; sum l1; k1 < 2023-12-01; base open to 2023-05-01"),
		row("the base adds an open end", "2023-05-01", "2024-09-01", "2023-06-01", "", "k2; sum l1; k1 >= 2023-06-01; base 2024-09-01 to open"),
		row("the frame is open at its end", "2023-05-01", "", "2023-03-01", "2024-09-01", "k2; sum l1; k1 < 2024-09-01; base 2023-03-01 to 2023-05-01"),
		row("the frame is open at its start", "", "2024-05-01", "2023-03-01", "2024-09-01", "k2; sum l1; k1 >= 2023-03-01; base 2024-05-01 to 2024-09-01"),
		row("half of all time from the base", "2023-12-31", "", "2022-01-01", "", "k2; sum l1; ; base 2022-01-01 to 2023-12-31"),
		row("exactly half of all time from the base", "2024-01-01 06:00:00", "", "2022-01-01", "", "k2; sum l1; ; base 2022-01-01 to 2024-01-01"),
		row("all of one moment from the base", "2023-05-01", "", "2023-03-01", "", "too_large", func(f *Frame, _ *compile.Branch) { f.First, f.Watermark = at("2023-04-01"), at("2023-04-01") }),
		row("up to a day, and the data was not measured", "", "", "", "2023-02-01", "k2; sum l1; k1 < 2023-02-01", noTimes),
		row("around all data of another time, which is kept", "", "", "2022-01-01", "2025-01-01", "k2; sum l1; k1 >= 2022-01-01, k1 < 2025-01-01", func(f *Frame, b *compile.Branch) {
			b.Time = column("paid_on", semantic.Date)
			f.Branch.Keys = keyed(b.Time, region)
		}),
		row("more than half of all time from the base", "2024-01-02", "", "2022-01-01", "", "too_large"),
		row("a part from the base, and the data was not measured", "2023-05-01", "2024-02-01", "2023-03-01", "2024-02-01", "too_large", noTimes),
		row("a part from the base, and the first time is not known", "2023-05-01", "2024-02-01", "2023-03-01", "2024-02-01", "too_large", noFirst),
		row("a part from the base, and the last time is not known", "2023-05-01", "2024-02-01", "2023-03-01", "2024-02-01", "too_large", noLast),
		row("what the frame lacks lies before all data", "2023-01-01", "2024-02-01", "2022-01-01", "2023-05-01", "k2; sum l1; k1 < 2023-05-01"),
		row("what the frame lacks lies behind all data", "2023-02-01", "2025-01-01", "2023-03-01", "2026-01-01", "k2; sum l1; k1 >= 2023-03-01"),
		row("before the frame", "2023-05-01", "2024-02-01", "2023-02-01", "2023-05-01", "covered"),
		row("behind the frame", "2023-05-01", "2024-02-01", "2024-02-01", "2024-05-01", "covered"),
		row("before the frame, from an open start", "2023-05-01", "2024-02-01", "", "2023-02-01", "covered"),
		row("behind the frame, to an open end", "2023-05-01", "2024-02-01", "2024-02-01", "", "covered"),
		row("before a frame that is open at its end", "2023-05-01", "", "2023-02-01", "2023-05-01", "covered"),
		row("behind a frame that is open at its start", "", "2023-05-01", "2023-05-01", "2023-06-01", "covered"),
		row("all, and the frame has a period", "2023-05-01", "2024-02-01", "", "", "covered"),
		row("months", "", "", "2023-02-01", "2023-04-01", "k2; sum l1; k1 >= 2023-02-01, k1 < 2023-04-01", byMonth),
		row("half a month", "", "", "2023-02-15", "2023-04-01", "aligned", byMonth),
		row("moments of the time itself", "", "", "2023-02-01 06:00:00", "2023-03-01 18:30:00", "k2; sum l1; k1 >= 2023-02-01 06:00:00, k1 < 2023-03-01 18:30:00", raw(semantic.Timestamp)),
		row("days of the time itself", "", "", "2023-02-01", "2023-03-01", "k2; sum l1; k1 >= 2023-02-01, k1 < 2023-03-01", raw(semantic.Date)),
		row("moments of a day that stands for itself", "", "", "2023-02-01 06:00:00", "2023-03-01", "aligned", raw(semantic.Date)),
		row("around all data by the time itself", "", "", "2022-01-01", "2025-01-01", "k2; sum l1; not_null(k1)", raw(semantic.Timestamp)),
		row("a period of another time", "2023-05-01", "2024-02-01", "2023-05-01", "2024-02-01", "time", otherTime),
		row("a period of another time, and the frame has none", "", "", "2023-05-01", "2024-02-01", "aligned", otherTime),
		row("around the other time's data", "", "", "2022-01-01", "2025-01-01", "aligned", otherTime),
	})
}

// TestEdgesOfUnits: a period can be drawn where a bucket of the frame begins.
func TestEdgesOfUnits(t *testing.T) {
	weeks := listed("2022-12-26", "2023-01-02", "2023-01-09", "2025-01-06")
	zone := func(s *compile.Scalar) { s.Zone = "Asia/Kolkata" }
	for _, x := range []struct {
		unit   string
		change func(*compile.Scalar)
		edges  string
		none   string
	}{
		{"second", nil, "2023-02-03 04:05:06", "2023-02-03 04:05:06.5"},
		{"minute", nil, "2023-02-03 04:05:00", "2023-02-03 04:05:06|2023-02-03 04:05:00.5"},
		{"hour", nil, "2023-02-03 04:00:00", "2023-02-03 04:05:00|2023-02-03 04:00:06|2023-02-03 04:00:00.5"},
		{"day", nil, "2023-02-03", "2023-02-03 04:00:00|2023-02-03 00:05:00|2023-02-03 00:00:06|2023-02-03 00:00:00.5"},
		{"week", nil, "2023-01-02", "2023-01-03|2023-01-02 04:00:00"},
		{"week", shifted(1), "2023-01-01", "2023-01-02"},
		{"month", nil, "2023-02-01", "2023-02-02|2023-02-01 04:00:00"},
		{"quarter", nil, "2023-04-01", "2023-05-01|2023-04-02|2023-04-01 04:00:00"},
		{"fiscal_quarter", shifted(1), "2023-02-01|2023-05-01", "2023-01-01|2023-02-02"},
		{"year", nil, "2024-01-01", "2024-02-01|2024-01-02|2024-01-01 04:00:00"},
		{"fiscal_year", shifted(6), "2023-07-01", "2023-01-01|2023-07-02"},
		{"decade", nil, "", "2020-01-01"},
		{"week", weeks, "2022-12-26|2023-01-02|2023-01-09|2025-01-06", "2023-01-03|2024-01-08"},
		{"week", listed("2022-12-26", "2023-01-02", "2024-12-31"), "", "2023-01-02"}, // ends before the data
		{"week", listed("2023-01-02", "2023-01-09", "2025-01-06"), "", "2023-01-09"}, // begins within the data
		{"week", listed("2023-01-01", "2023-01-09", "2025-01-06"), "2023-01-09", ""},
		{"week", func(s *compile.Scalar) { weeks(s); s.Buckets = append(s.Buckets[:1], s.Buckets[2]) }, "", "2023-01-02"}, // a week is not listed
		{"day", zone, "2023-02-02 18:30:00", "2023-02-03"},
		{"day", inZone("Asia/Kolkata", "Asia/Kolkata"), "2023-02-03", "2023-02-02 18:30:00"},
		{"day", inZone("UTC", ""), "2023-02-03", ""},
		{"day", inZone("UTC", "Europe/Berlin"), "", "2023-02-03|2023-02-03 01:00:00"}, // an hour of Berlin comes twice a year
		{"day", inZone("UTC", "Asia/Kolkata"), "2023-02-03 05:30:00", "2023-02-03"},
		{"day", inZone("Nowhere/There", ""), "", "2023-02-03"},
		{"day", inZone("UTC", "Nowhere/There"), "", "2023-02-03"},
	} {
		f, b := kept(), asked()
		cut := cutBy(x.unit)
		if x.change != nil {
			x.change(cut)
		}
		f.Branch.Keys = keyed(cut, region)
		c := comparison{branch: shapeOf(&b), frame: &stored{f, shapeOf(&f.Branch)}}
		for want, moments := range map[bool]string{true: x.edges, false: x.none} {
			for _, m := range strings.Split(moments, "|") {
				if m != "" && (c.boundary("<", at(m)) != nil) != want {
					t.Errorf("a bucket by %s %+v begins at %s: %v", x.unit, cut, m, !want)
				}
			}
		}
	}
	f, b := kept(), asked()
	cut := cutBy("week", weeks)
	f.Branch.Keys = keyed(cut, region)
	for _, lose := range []func(){func() { f.First = time.Time{} }, func() { f.First, f.Watermark = at("2023-01-01"), time.Time{} }} {
		lose()
		c := comparison{branch: shapeOf(&b), frame: &stored{f, shapeOf(&f.Branch)}}
		if c.boundary("<", at("2023-01-02")) != nil {
			t.Error("a list of buckets has edges only where all of the data is known to lie within it")
		}
	}
	f.First, f.Branch.Keys = time.Time{}, keyed(cutBy("day", inZone("UTC", "")), region)
	if c := (comparison{branch: shapeOf(&b), frame: &stored{f, shapeOf(&f.Branch)}}); c.boundary("<", at("2023-02-03")) == nil {
		t.Error("a clock that is not converted needs no times to be known")
	}
	between("2022-01-01", "2025-02-01")(&b)
	f = kept()
	f.Branch.Keys = keyed(cut, region)
	if got := written(NewIndex(f).Match(b, present)); got != "aligned" { // a row with a time that is in no bucket looks like one without
		t.Error(got)
	}
}
