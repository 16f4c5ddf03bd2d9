package reuse

import (
	"testing"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// TestLeaves: which numbers of a frame are reduced again, which stand as they are, and which are counted from its keys.
func TestLeaves(t *testing.T) {
	amount, ts := column("amount", semantic.Decimal), column("ts", semantic.Timestamp)
	leaf := func(reducer string, change ...func(*compile.Leaf)) compile.Leaf {
		l := compile.Leaf{Reducer: reducer, Expr: amount, Time: ts}
		for _, c := range change {
			c(&l)
		}
		return l
	}
	distinct := func(of *compile.Scalar) func(*compile.Leaf) {
		return func(l *compile.Leaf) { l.Distinct, l.Expr = true, of }
	}
	of := func(s *compile.Scalar) func(*compile.Leaf) { return func(l *compile.Leaf) { l.Expr = s } }
	filtered := func(l *compile.Leaf) { l.Filter = holds("=", region, words("West")) }
	picked := func(l *compile.Leaf) { l.Pick = &compile.Pick{Last: true} }
	mapped := func(l *compile.Leaf) { l.Map = compile.TimeMap{Kind: "window", N: 3, Unit: "day"} }
	// The same leaf in both; same: the branch has all keys of the frame as well.
	both := func(name string, l compile.Leaf, want, same string) []decision {
		return []decision{
			{name, want, func(f *Frame, b *compile.Branch) { f.Branch.Leaves, b.Leaves = computed(l), computed(l) }},
			{name + " of the same groups", same, func(f *Frame, b *compile.Branch) {
				f.Branch.Leaves, b.Leaves, b.Keys = computed(l), computed(l), keyed(cutBy("day"), region)
			}},
		}
	}
	var all []decision
	for _, x := range []struct{ reducer, again string }{
		{"sum", "sum"}, {"count", "sum"}, {"min", "min"}, {"all", "min"}, {"max", "max"}, {"any", "max"}, {"avg", ""}, {"median", ""}, {"first", ""},
	} {
		want, same := "k2; "+x.again+" l1; ", "k1, k2; "+x.again+" l1; "
		if x.again == "" {
			want, same = "reduce", "k1, k2; value l1; "
		}
		all = append(all, both("the "+x.reducer, leaf(x.reducer), want, same)...)
	}
	all = append(all, both("a sum of each value once", leaf("sum", distinct(amount)), "reduce", "k1, k2; value l1; ")...)
	all = append(all, both("a window", leaf("sum", mapped), "reduce", "k1, k2; value l1; ")...)
	all = append(all, both("a count of regions, which are kept", leaf("count", distinct(region)), "k2; distinct k2; ", "k1, k2; value l1; ")...)
	decide(t, all)

	only := func(name string, l compile.Leaf, want string) decision { // the frame has another leaf
		return decision{name, want, func(_ *Frame, b *compile.Branch) { b.Leaves = computed(l) }}
	}
	day := cutBy("day")
	decide(t, []decision{
		only("a count of what is kept", leaf("count", distinct(region)), "k2; distinct k2; "),
		only("a sum of what is kept, each once", leaf("sum", distinct(region)), "k2; distinct k2; "),
		only("an average of what is kept, each once", leaf("avg", distinct(region)), "k2; distinct k2; "),
		only("a median of what is kept, each once", leaf("median", distinct(region)), "distinct"),
		only("the least of what is kept", leaf("min", of(region)), "k2; min k2; "),
		only("the least of what is kept, each once", leaf("min", distinct(region)), "k2; min k2; "),
		only("the greatest of what is kept", leaf("max", of(day)), "k2; max k1; "),
		only("a sum of what is kept", leaf("sum", of(region)), "leaf"),
		only("a count of rows", leaf("count", of(nil)), "leaf"),
		only("the least of what is not kept", leaf("min"), "leaf"),
		only("a count of what is not kept", leaf("count", distinct(amount)), "distinct"),
		only("a count under a condition", leaf("count", distinct(region), filtered), "leaf"),
		only("the least of some snapshots", leaf("min", of(region), picked), "leaf"),
		only("the greatest within a window", leaf("max", of(region), mapped), "leaf"),
		{"a count of what is kept, beside what the base adds", "union", func(f *Frame, b *compile.Branch) {
			between("2023-05-01", "2024-02-01")(&f.Branch)
			between("2023-03-01", "2024-02-01")(b)
			b.Leaves = computed(leaf("count", distinct(region)))
		}},
		{"a median of the same groups, beside what the base adds", "reduce", func(f *Frame, b *compile.Branch) {
			between("2023-05-01", "2024-02-01")(&f.Branch)
			between("2023-03-01", "2024-02-01")(b)
			f.Branch.Leaves, b.Leaves, b.Keys = computed(leaf("median")), computed(leaf("median")), f.Branch.Keys
		}},
		{"a median, where the first key of the frame is none of the branch", "reduce", func(f *Frame, b *compile.Branch) {
			f.Branch.Leaves, b.Leaves = computed(leaf("median")), computed(leaf("median"))
		}},
		{"a median, where the last key of the frame is none of the branch", "reduce", func(f *Frame, b *compile.Branch) {
			f.Branch.Leaves, b.Leaves, b.Keys = computed(leaf("median")), computed(leaf("median")), keyed(day)
		}},
		{"two leaves, one of which is missing", "leaf", func(_ *Frame, b *compile.Branch) { b.Leaves = computed(total, leaf("sum")) }},
	})

	// What is soon said is said first: the column that is lacking, before the period that is.
	late := func(f *Frame, b *compile.Branch) {
		between("2023-05-01", "2024-02-01")(&f.Branch)
		between("2024-05-01", "2024-06-01")(b)
	}
	exists := &compile.Scalar{Op: "exists", Sub: &compile.Sub{Nodes: []compile.Node{{Table: "f", Parent: -1}}, On: []compile.Pair{{Parent: region, Own: region}}}}
	lacking := func(name, want string, change func(b *compile.Branch)) decision {
		return decision{name, want, func(f *Frame, b *compile.Branch) { late(f, b); change(b) }}
	}
	decide(t, []decision{
		lacking("a period", "covered", func(*compile.Branch) {}),
		lacking("a column and a period", "dimension", func(b *compile.Branch) { b.Keys = keyed(region, amount) }),
		lacking("a column in a function and a period", "dimension", func(b *compile.Branch) {
			b.Keys = keyed(&compile.Scalar{Op: "+", Args: []*compile.Scalar{region, amount}})
		}),
		lacking("what rows are tested against and a period", "dimension", func(b *compile.Branch) { b.Keys = keyed(exists) }),
		lacking("a condition and a period", "filter_lost", func(b *compile.Branch) { b.Filters = []*compile.Scalar{holds("=", amount, number("1"))} }),
		lacking("a leaf and a period", "leaf", func(b *compile.Branch) { b.Leaves = computed(leaf("sum")) }),
	})

	// Snapshots are picked by bucket of the time, and the conditions on it decide which there are.
	level := leaf("sum", picked)
	snapshots := func(name, want string, change func(f *Frame, b *compile.Branch)) decision {
		return decision{name, want, func(f *Frame, b *compile.Branch) {
			f.Branch.Leaves, b.Leaves, b.Keys = computed(level), computed(level), keyed(day)
			change(f, b)
		}}
	}
	month := cutBy("month")
	since := holds(">", ts, &compile.Scalar{Op: "timestamp", Text: "2023-02-01 00:00:00", Type: semantic.Timestamp})
	decide(t, []decision{
		snapshots("of the same days", "k1; sum l1; ", func(*Frame, *compile.Branch) {}),
		snapshots("of months from days", "reduce", func(_ *Frame, b *compile.Branch) { b.Keys = keyed(month) }),
		snapshots("of all time from days", "reduce", func(_ *Frame, b *compile.Branch) { b.Keys = keyed(region) }),
		snapshots("of all time", "k1; sum l1; ", func(f *Frame, b *compile.Branch) { f.Branch.Keys, b.Keys = keyed(region), keyed(region) }),
		snapshots("of one period", "k1; sum l1; ", func(f *Frame, b *compile.Branch) {
			f.Branch.Keys, b.Keys = keyed(region, column("city", semantic.Text)), keyed(region)
			between("2023-02-01", "2023-05-01")(b)
			between("2023-02-01", "2023-05-01")(&f.Branch)
		}),
		snapshots("of a period from those of all time", "aligned", func(f *Frame, b *compile.Branch) {
			f.Branch.Keys, b.Keys = keyed(region), keyed(region)
			between("2023-02-01", "2023-05-01")(b)
		}),
		snapshots("of a period around all data", "reduce", func(f *Frame, b *compile.Branch) {
			f.Branch.Keys, b.Keys = keyed(region), keyed(region)
			between("2023-02-01", "2025-05-01")(b)
			between("2023-02-01", "2026-05-01")(&f.Branch)
		}),
		snapshots("of a period that starts before all data", "reduce", func(f *Frame, b *compile.Branch) {
			f.Branch.Keys, b.Keys = keyed(region), keyed(region)
			between("2022-02-01", "2023-05-01")(b)
			between("2021-02-01", "2023-05-01")(&f.Branch)
		}),
		snapshots("of a part of the days", "k1; sum l1; k1 >= 2023-02-01", func(_ *Frame, b *compile.Branch) { between("2023-02-01", "")(b) }),
		snapshots("of days under a condition on the time", "k1; sum l1; ", func(f *Frame, b *compile.Branch) {
			f.Branch.Filters, b.Filters = []*compile.Scalar{since}, []*compile.Scalar{since}
		}),
		snapshots("of days under a condition on the time that the frame has not", "reduce", func(f *Frame, b *compile.Branch) {
			f.Branch.Keys, b.Filters = keyed(day, ts), []*compile.Scalar{since}
			b.Keys = keyed(day, ts)
		}),
		snapshots("counted once, of days under a condition on the time that the frame has not", "reduce", func(f *Frame, b *compile.Branch) {
			counted := compile.Leaf{Reducer: "count", Distinct: true, Expr: amount, Time: ts, Pick: &compile.Pick{Last: true}}
			f.Branch.Leaves, b.Leaves, f.Branch.Keys, b.Keys = computed(counted), computed(counted), keyed(day, ts), keyed(day, ts)
			b.Filters = []*compile.Scalar{since}
		}),
		snapshots("of days, beside what the base adds", "union", func(f *Frame, b *compile.Branch) {
			between("2023-05-01", "2024-02-01")(&f.Branch)
			between("2023-03-01", "2024-02-01")(b)
		}),
	})
}

// TestClausesLeftOut: what the property over random frames leaves out is what it says, and no more.
func TestClausesLeftOut(t *testing.T) {
	for _, x := range []struct {
		name          string
		frame, branch *compile.Scalar
		off           clauses
		want          Code
	}{
		{"weeks of another list", cutBy("week"), cutBy("week", listed("2023-01-01", "2023-01-08")), clauseCalendar, ServedWhole},
		{"months from weeks", cutBy("week"), cutBy("month"), clauseGrain, ServedWhole},
		{"weeks from months", cutBy("month"), cutBy("week"), clauseGrain, GrainNotDerivable},
	} {
		f, b := kept(), asked()
		f.Branch.Keys, b.Keys = keyed(x.frame), keyed(x.branch)
		if _, r := NewIndex(f).match(&b, present, x.off); r.Code != x.want {
			t.Errorf("%s: %s, want %s", x.name, r.Code, x.want)
		}
	}
	if f := kept(); (&comparison{branch: shapeOf(&f.Branch), frame: &stored{f, shapeOf(&f.Branch)}}).truncate(&compile.Scalar{Op: "trunc", Text: "day"}) != nil {
		t.Error("a cut of nothing is nothing")
	}
}

// TestKeysAndConditions: what is computed from the keys of a frame, by which unit and on which clock.
func TestKeysAndConditions(t *testing.T) {
	keys := func(name string, frame, branch *compile.Scalar, want string, more ...func(f *Frame, b *compile.Branch)) decision {
		return decision{name, want, func(f *Frame, b *compile.Branch) {
			f.Branch.Keys, b.Keys = keyed(frame), keyed(branch)
			for _, m := range more {
				m(f, b)
			}
		}}
	}
	if_ := func(name, want string, filters ...*compile.Scalar) decision {
		return decision{name, want, func(_ *Frame, b *compile.Branch) { b.Filters = filters }}
	}
	price, city := column("price", semantic.Float), column("city", semantic.Text)
	lower := func(s *compile.Scalar) *compile.Scalar {
		return &compile.Scalar{Op: "call", Text: "lower", Args: []*compile.Scalar{s}, Type: semantic.Text}
	}
	exists := &compile.Scalar{Op: "exists", Args: []*compile.Scalar{region}, Sub: &compile.Sub{Nodes: []compile.Node{{Table: "f", Parent: -1}}, On: []compile.Pair{{Parent: region, Own: region}}}}
	early := func(f *Frame, _ *compile.Branch) { f.First, f.Watermark = at("2023-07-01"), at("2023-08-01") } // summer only
	noTimes := func(f *Frame, _ *compile.Branch) { f.First, f.Watermark = at(""), at("") }
	pairs, weeks := listed("2023-01-01", "2023-01-15", "2023-01-29"), listed("2023-01-01", "2023-01-08", "2023-01-15", "2023-01-22", "2023-01-29")
	decide(t, []decision{
		keys("a key", region, region, "k1; sum l1; "),
		keys("another column", region, city, "dimension"),
		keys("a function of a key", region, lower(region), "call(k1); sum l1; "),
		keys("a function of another column", region, lower(city), "dimension"),
		keys("a number on every row", region, number("7"), "7; sum l1; "),
		keys("what rows are tested against", region, exists, "dimension"),
		keys("a key that rows are tested against", exists, exists, "k1; sum l1; "),
		keys("a unit of the time itself", column("ts", semantic.Timestamp), cutBy("month"), "month(k1); sum l1; "),
		keys("a unit of another time", column("paid_on", semantic.Timestamp), cutBy("month"), "dimension"),
		keys("months from days", cutBy("day"), cutBy("month"), "month(k1); sum l1; "),
		keys("months from weeks", cutBy("week"), cutBy("month"), "grain"),
		keys("months from fiscal quarters that begin with the year", cutBy("fiscal_quarter"), cutBy("month"), "grain"),
		keys("years from fiscal quarters that begin with the year", cutBy("fiscal_quarter"), cutBy("year"), "grain"),
		keys("months from the second key", column("day", semantic.Text), cutBy("month"), "month(k2); sum l1; ", func(f *Frame, _ *compile.Branch) {
			f.Branch.Keys = keyed(column("day", semantic.Text), cutBy("day"))
		}),
		keys("a key of no value", region, nil, "dimension"),
		keys("months from months", cutBy("month"), cutBy("month"), "k1; sum l1; "),
		keys("years from quarters", cutBy("quarter"), cutBy("year"), "year(k1); sum l1; "),
		keys("months from years", cutBy("year"), cutBy("month"), "grain"),
		keys("fiscal years from their quarters", cutBy("fiscal_quarter", shifted(6)), cutBy("fiscal_year", shifted(6)), "fiscal_year(k1); sum l1; "),
		keys("fiscal years from quarters of others", cutBy("fiscal_quarter", shifted(6)), cutBy("fiscal_year", shifted(3)), "calendar"),
		keys("fiscal quarters from fiscal years", cutBy("fiscal_year", shifted(6)), cutBy("fiscal_quarter", shifted(6)), "grain"),
		keys("fiscal years from years", cutBy("year"), cutBy("fiscal_year", shifted(6)), "grain"),
		keys("fiscal quarters from quarters", cutBy("quarter"), cutBy("fiscal_quarter", shifted(1)), "grain"),
		keys("fiscal years from months", cutBy("month"), cutBy("fiscal_year", shifted(6)), "fiscal_year(k1); sum l1; "),
		keys("weeks from Sunday from those from Monday", cutBy("week"), cutBy("week", shifted(1)), "week"),
		keys("weeks from Sunday from days", cutBy("day"), cutBy("week", shifted(1)), "week(k1); sum l1; "),
		keys("pairs of listed weeks", cutBy("week", weeks), cutBy("pair", pairs), "pair(k1); sum l1; "),
		keys("listed weeks from pairs of them", cutBy("pair", pairs), cutBy("week", weeks), "calendar"),
		keys("months from listed weeks", cutBy("week", weeks), cutBy("month"), "calendar"),
		keys("listed weeks from weeks", cutBy("week"), cutBy("week", weeks), "calendar"),
		keys("listed weeks from days", cutBy("day"), cutBy("week", weeks), "week(k1); sum l1; "),

		keys("the same clock", cutBy("day", inZone("Europe/Berlin", "")), cutBy("month", inZone("Europe/Berlin", "UTC")), "month(k1); sum l1; "),
		keys("the same zone read from another", cutBy("day", inZone("Europe/Berlin", "UTC")), cutBy("month", inZone("Europe/Berlin", "Asia/Tokyo")), "zone"),
		keys("days for another zone", cutBy("day"), cutBy("month", inZone("Europe/Berlin", "")), "zone"),
		keys("hours for another zone", cutBy("hour"), cutBy("month", inZone("Europe/Berlin", "")), "month in Europe/Berlin from UTC(k1); sum l1; "),
		keys("hours for a zone of half hours", cutBy("hour"), cutBy("day", inZone("Asia/Kolkata", "")), "zone"),
		keys("hours of a zone of half hours", cutBy("hour"), cutBy("day", inZone("UTC", "Asia/Kolkata")), "zone"),
		keys("no zone, read from wherever", cutBy("day", inZone("", "Asia/Tokyo")), cutBy("month"), "month(k1); sum l1; "),
		keys("hours of a steady zone for none", cutBy("hour", inZone("Asia/Tokyo", "")), cutBy("day"), "zone"),
		keys("hours of a zone for none", cutBy("hour", inZone("Europe/Berlin", "")), cutBy("day"), "zone"),
		keys("hours of a clock that jumps", cutBy("hour", inZone("Europe/Berlin", "")), cutBy("day", inZone("Asia/Tokyo", "")), "zone"),
		keys("hours of a clock that does not jump meanwhile", cutBy("hour", inZone("Europe/Berlin", "")), cutBy("day", inZone("Asia/Tokyo", "")), "day in Asia/Tokyo from Europe/Berlin(k1); sum l1; ", early),
		keys("hours of a steady clock", cutBy("hour", inZone("Asia/Tokyo", "")), cutBy("day", inZone("Europe/Berlin", "")), "day in Europe/Berlin from Asia/Tokyo(k1); sum l1; "),
		keys("hours of a steady clock read from another", cutBy("hour", inZone("Asia/Tokyo", "UTC")), cutBy("day", inZone("Europe/Berlin", "Asia/Dubai")), "zone"),
		keys("hours of a zone that nobody knows", cutBy("hour"), cutBy("day", inZone("Nowhere/There", "")), "zone"),
		keys("hours when the data was not measured", cutBy("hour"), cutBy("day", inZone("Europe/Berlin", "")), "zone", noTimes),
		keys("hours of a zone that moved by half an hour", cutBy("hour"), cutBy("day", inZone("Australia/Lord_Howe", "")), "zone"),

		if_("a condition on a key", "k2; sum l1; k2 = West", holds("=", region, words("West"))),
		if_("two conditions in one", "k2; sum l1; k2 <> West, k2 <> East", holds("and", holds("<>", region, words("West")), holds("<>", region, words("East")))),
		if_("a condition on what is not kept", "filter_lost", holds("=", city, words("Oslo"))),
		if_("a condition on a key and one on what is not kept", "filter_lost", holds("=", region, words("West")), holds("=", city, words("Oslo"))),
		if_("a condition on one or the other", "filter_lost", holds("or", holds("=", region, words("West")), holds("=", city, words("Oslo")))),
		if_("a condition on what rows are tested against", "filter_lost", exists),
		if_("a condition over a key and a function of it", "k2; sum l1; k2 = call(k2)", holds("=", region, lower(region))),
		{"a floating key, compared", "k1; sum l1; k1 > 7", func(f *Frame, b *compile.Branch) {
			f.Branch.Keys, b.Keys, b.Filters = keyed(price), keyed(price), []*compile.Scalar{holds(">", price, number("7"))}
		}},
		{"a floating key, as a text", "dimension", func(f *Frame, b *compile.Branch) { // zero and negative zero are one group
			f.Branch.Keys, b.Keys = keyed(price), keyed(lower(price))
		}},
		{"a floating key, added to", "filter_lost", func(f *Frame, b *compile.Branch) {
			f.Branch.Keys, b.Keys = keyed(price), keyed(price)
			b.Filters = []*compile.Scalar{holds("=", &compile.Scalar{Op: "+", Args: []*compile.Scalar{price, number("1")}, Type: semantic.Float}, number("7"))}
		}},
		{"an exact key, added to", "k1; sum l1; k1 + 0.5 = 7", func(f *Frame, b *compile.Branch) {
			qty := column("qty", semantic.Integer)
			f.Branch.Keys, b.Keys = keyed(qty), keyed(qty)
			half := &compile.Scalar{Op: "num", Text: "0.5", Type: semantic.Float}
			b.Filters = []*compile.Scalar{holds("=", &compile.Scalar{Op: "+", Args: []*compile.Scalar{qty, half}, Type: semantic.Float}, number("7"))}
		}},
		{"the frame's own condition", "k2; sum l1; ", func(f *Frame, b *compile.Branch) {
			f.Branch.Filters, b.Filters = []*compile.Scalar{holds("=", city, words("Oslo"))}, []*compile.Scalar{holds("=", city, words("Oslo"))}
		}},
		{"a condition of the frame that the branch has not", "filter", func(f *Frame, _ *compile.Branch) {
			f.Branch.Filters = []*compile.Scalar{holds("=", region, words("West"))}
		}},
		{"a wider condition of the frame", "k2; sum l1; k2 = West", func(f *Frame, b *compile.Branch) {
			f.Branch.Filters = []*compile.Scalar{holds("in", region, words("West"), words("East"))}
			b.Filters = []*compile.Scalar{holds("=", region, words("West"))}
		}},
		{"one half of a condition of the frame", "k2; sum l1; k2 = West", func(f *Frame, b *compile.Branch) {
			f.Branch.Filters = []*compile.Scalar{holds("or", holds("=", region, words("West")), holds("=", city, words("Oslo")))}
			b.Filters = []*compile.Scalar{holds("=", region, words("West"))}
		}},
	})
}
