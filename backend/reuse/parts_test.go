package reuse

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// TestPartsOfABranch: a branch is taken apart by time only where its groups are kept apart by it.
func TestPartsOfABranch(t *testing.T) {
	months := func(list []compile.Branch) string {
		var all []string
		for _, p := range list {
			s := dayText(p.From) + " to " + dayText(p.To)
			for _, f := range p.Filters {
				s += " if " + scalarText(f)
			}
			all = append(all, s)
		}
		return strings.Join(all, "; ")
	}
	const whole, halves = "open to open", "open to 2023-07-01; 2023-07-01 to open; open to open if is_null(ts)"
	weeks := listed("2022-12-26", "2023-01-02", "2024-01-01")
	for _, x := range []struct {
		name, first, last string
		n                 int
		change            func(b *compile.Branch)
		want              string
	}{
		{"two halves of a year", "2023-01-01", "2023-12-31", 2, nil, halves},
		{"three thirds", "2023-01-01", "2023-12-31", 3, nil, "open to 2023-05-01; 2023-05-01 to 2023-09-01; 2023-09-01 to open; open to open if is_null(ts)"},
		{"two months in many parts", "2023-01-31", "2023-02-01", 9, nil, "open to 2023-02-01; 2023-02-01 to open; open to open if is_null(ts)"},
		{"two months in two parts", "2023-01-31", "2023-02-01", 2, nil, "open to 2023-02-01; 2023-02-01 to open; open to open if is_null(ts)"},
		{"one part", "2023-01-01", "2023-12-31", 1, nil, whole},
		{"one month", "2023-01-01", "2023-01-31", 2, nil, whole},
		{"no times known", "", "2023-12-31", 2, nil, whole},
		{"no times at all", "2023-12-31", "2023-01-01", 2, nil, whole},
		{"a branch without a time", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.Time = nil }, whole},
		{"a column called day, and no time", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.Time, b.Keys = nil, keyed(column("day", semantic.Text)) }, whole},
		{"an open start", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.To = at("2023-02-01") }, "open to 2023-02-01"},
		{"an open end", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.From = at("2023-02-01") }, "2023-02-01 to open"},
		{"hours", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.Keys = keyed(cutBy("hour")) }, halves},
		{"months", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.Keys = keyed(cutBy("month")) }, halves},
		{"weeks lie in two months", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.Keys = keyed(cutBy("week")) }, whole},
		{"days in the second key", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.Keys = keyed(region, cutBy("day")) }, halves},
		{"days in the first key", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.Keys = keyed(cutBy("day"), region) }, halves},
		{"regions", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.Keys = keyed(region) }, whole},
		{"days of another time", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.Time = column("paid_at", semantic.Timestamp) }, whole},
		{"days of another zone", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.Keys = keyed(cutBy("day", inZone("Asia/Tokyo", ""))) }, whole},
		{"listed units that are called days", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.Keys = keyed(cutBy("day", weeks)) }, whole},
		{"snapshots", "2023-01-01", "2023-12-31", 2, func(b *compile.Branch) { b.Leaves[0].Leaf.Pick = &compile.Pick{} }, whole},
	} {
		b := kept().Branch
		b.Leaves = computed(total)
		if x.change != nil {
			x.change(&b)
		}
		if got := months(Chunks(b, at(x.first), at(x.last), x.n)); got != x.want {
			t.Errorf("%s:\n got %s\nwant %s", x.name, got, x.want)
		}
	}
}

// TestWhatIsStored: the columns of a frame, each once, and what cannot be one.
func TestWhatIsStored(t *testing.T) {
	ts, paid := column("ts", semantic.Timestamp), column("paid_at", semantic.Timestamp)
	level := func(time *compile.Scalar) compile.Leaf {
		return compile.Leaf{Reducer: "sum", Expr: column("qty", semantic.Integer), Time: time, Pick: &compile.Pick{Last: true}}
	}
	for _, x := range []struct {
		name   string
		change func(b *compile.Branch)
		want   string
	}{
		{"keys and leaves, and a count of rows", func(*compile.Branch) {}, "k1 k2 l1 n"},
		{"each once", func(b *compile.Branch) {
			b.Keys, b.Leaves = keyed(region, cutBy("day"), region), computed(total, total, compile.Leaf{Reducer: "count", Time: ts})
		}, "k1 k2 l1 n"},
		{"nothing to read", func(b *compile.Branch) { b.Source = nil }, ""},
		{"no rows to read", func(b *compile.Branch) { b.Source = &compile.Source{} }, ""},
		{"a key of another row", func(b *compile.Branch) { b.Keys = append(b.Keys, compile.BranchKey{}) }, ""},
		{"a window", func(b *compile.Branch) { b.Leaves[0].Leaf.Map.Kind = "window" }, ""},
		{"snapshots", func(b *compile.Branch) { b.Leaves = computed(level(ts)) }, "k1 k2 l1 n"},
		{"snapshots of another time", func(b *compile.Branch) { b.Leaves = computed(level(paid)) }, ""},
		{"snapshots, and the branch has no time", func(b *compile.Branch) { b.Leaves, b.Time = computed(level(paid)), nil }, "k1 k2 l1 n"},
		{"the first by another time", func(b *compile.Branch) { b.Leaves = computed(compile.Leaf{Reducer: "first", Time: paid}) }, ""},
		{"the last by another time", func(b *compile.Branch) { b.Leaves = computed(compile.Leaf{Reducer: "last", Time: paid}) }, ""},
		{"the last by its time", func(b *compile.Branch) { b.Leaves = computed(compile.Leaf{Reducer: "last", Time: ts}) }, "k1 k2 l1 n"},
		{"a sum placed by another time", func(b *compile.Branch) { b.Leaves = computed(compile.Leaf{Reducer: "sum", Time: paid}) }, "k1 k2 l1 n"},
	} {
		b := kept().Branch
		x.change(&b)
		s, ok := Storable(b)
		var names []string
		for _, k := range s.Keys {
			names = append(names, k.Name)
		}
		for _, l := range s.Leaves {
			names = append(names, l.Name)
		}
		if got := strings.Join(names, " "); got != x.want || ok != (x.want != "") {
			t.Errorf("%s: %q %v, want %q", x.name, got, ok, x.want)
		}
	}
}

// TestLevelsAreCarried: a frame by city holds the country that each city lies in.
func TestLevelsAreCarried(t *testing.T) {
	city := &compile.Scalar{Op: "col", Node: 1, Text: "city", Type: semantic.Text}
	levels := func(entity, name string) []*compile.Scalar {
		if entity != "places" || name != "city" {
			return nil
		}
		return []*compile.Scalar{column("country", semantic.Text), column("continent", semantic.Text)}
	}
	source := &compile.Source{Nodes: []compile.Node{{Entity: "sales", Table: "f", Parent: -1}, {Entity: "places", Table: "p", Unique: true, On: []compile.Pair{{Parent: column("place", ""), Own: &compile.Scalar{Op: "col", Node: 1, Text: "id"}}}}}}
	own := &compile.Source{Nodes: []compile.Node{{Entity: "places", Table: "p", Parent: -1}}}
	outside := func(node int) *compile.Scalar {
		s := *city
		s.Node = node
		return &s
	}
	for _, x := range []struct {
		name   string
		levels Levels
		source *compile.Source
		key    *compile.Scalar
		want   string
	}{
		{"the levels of a city", levels, source, city, "0:k1 1:city 1:country 1:continent"},
		{"a column of the fact", levels, source, region, "0:k1 0:region"},
		{"a city of the fact itself", levels, own, outside(0), "0:k1 0:city 0:country 0:continent"},
		{"a text that reads like the column", levels, own, &compile.Scalar{Op: "str", Text: "city"}, "0:k1 0:"},
		{"no levels", nil, source, city, "0: 1:city"},
		{"nothing to read", levels, nil, city, "0: 1:city"},
		{"a function of the city", levels, source, &compile.Scalar{Op: "call", Text: "lower", Args: []*compile.Scalar{city}}, "0:k1 0:"},
		{"a column of nowhere", levels, source, outside(-1), "0:k1 -1:city"},
		{"a column behind the last table", levels, source, outside(2), "0:k1 2:city"},
	} {
		b := compile.Branch{Source: x.source, Keys: []compile.BranchKey{{Expr: x.key}}, Leaves: computed(total)}
		out := Carry(b, x.levels)
		got := "0:" + out.Keys[0].Name
		for _, k := range out.Keys {
			text := k.Expr.Text
			if k.Expr.Op != "col" {
				text = ""
			}
			got += " " + itoa(k.Expr.Node) + ":" + text
		}
		if got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
	b := compile.Branch{Source: source, Keys: []compile.BranchKey{{}}}
	if out := Carry(b, levels); len(out.Keys) != 1 || out.Keys[0].Name != "" {
		t.Error("what cannot be stored stays what it is")
	}
}

func itoa(n int) string { return new(big.Int).SetInt64(int64(n)).String() }

// TestOneStepWider: what is worth keeping after a question.
func TestOneStepWider(t *testing.T) {
	text := func(b compile.Branch, ok bool) string {
		if !ok {
			return ""
		}
		var keys, rest []string
		for _, k := range b.Keys {
			keys = append(keys, scalarText(k.Expr))
		}
		for _, l := range b.Leaves {
			rest = append(rest, l.Leaf.Reducer)
		}
		for _, f := range b.Filters {
			rest = append(rest, scalarText(f))
		}
		return strings.Join(keys, " ") + "; " + strings.Join(rest, " ")
	}
	of := func(l compile.Leaf) func(*compile.Branch) {
		return func(b *compile.Branch) { b.Leaves = computed(l) }
	}
	paid := column("paid_at", semantic.Timestamp)
	for _, x := range []struct {
		name   string
		change func(b *compile.Branch)
		want   string
	}{
		{"a month by days", func(b *compile.Branch) { b.Keys = keyed(cutBy("month"), region) }, "day(ts) region; sum"},
		{"a period on an axis", func(b *compile.Branch) {
			b.Keys = keyed(cutBy("month"), region)
			between("2023-02-01", "2023-05-01")(b)
		}, "day(ts) region; sum"},
		{"a period on an axis that stands first, before another", func(b *compile.Branch) {
			b.Keys = keyed(cutBy("month"), &compile.Scalar{Op: "trunc", Text: "month", Args: []*compile.Scalar{paid}})
			between("2023-02-01", "2023-05-01")(b)
		}, "day(ts) day(paid_at); sum"},
		{"a period without an axis", func(b *compile.Branch) { between("2023-02-01", "2023-05-01")(b) }, "region day(ts); sum"},
		{"an open end without an axis", func(b *compile.Branch) { between("2023-02-01", "")(b) }, "region day(ts); sum"},
		{"an open start without an axis", func(b *compile.Branch) { between("", "2023-02-01")(b) }, "region day(ts); sum"},
		{"a period on the axis of another time", func(b *compile.Branch) {
			b.Keys = keyed(&compile.Scalar{Op: "trunc", Text: "month", Args: []*compile.Scalar{paid}})
			between("2023-02-01", "")(b)
		}, "day(paid_at) day(ts); sum"},
		{"a condition becomes a key", func(b *compile.Branch) {
			b.Filters = []*compile.Scalar{holds("=", column("city", semantic.Text), words("Oslo"))}
		}, "region city; sum"},
		{"a range stays a condition", func(b *compile.Branch) {
			b.Filters = []*compile.Scalar{holds("<", column("qty", semantic.Integer), number("7"))}
		}, "region; sum qty < 7"},
		{"a count of each once becomes a key", of(compile.Leaf{Reducer: "count", Distinct: true, Expr: paid}), "region paid_at; "},
		{"a count of each once under a condition", of(compile.Leaf{Reducer: "count", Distinct: true, Expr: paid, Filter: holds("=", region, words("West"))}), ""},
		{"a median", of(compile.Leaf{Reducer: "median", Expr: paid}), ""},
		{"snapshots", of(compile.Leaf{Reducer: "sum", Expr: paid, Pick: &compile.Pick{}}), ""},
		{"a window", of(compile.Leaf{Reducer: "sum", Expr: paid, Map: compile.TimeMap{Kind: "window"}}), ""},
	} {
		b := asked()
		x.change(&b)
		if got := text(widened(b, true)); got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}

// TestCheapestFrame: of the frames that answer, the one with the fewest values to read, and one that holds all of it before any that
// the base must add to.
func TestCheapestFrame(t *testing.T) {
	frame := func(id string, rows int64, change ...func(f *Frame)) Frame {
		f := kept()
		f.ID, f.Rows = id, rows
		for _, c := range change {
			c(&f)
		}
		return f
	}
	onlyRegion := func(f *Frame) { f.Branch.Keys = keyed(region) }
	part := func(f *Frame) { between("2023-01-01", "2024-06-01")(&f.Branch) }
	most := func(f *Frame) { between("2023-03-01", "2024-12-01")(&f.Branch) }
	exactly := func(f *Frame) { f.Branch.Filters = []*compile.Scalar{holds("=", region, words("West"))} }
	since := func(b *compile.Branch) { between("2023-05-01", "2025-01-01")(b) }
	always := func(b *compile.Branch) { between("2022-01-01", "2025-01-01")(b) }
	west := func(b *compile.Branch) { b.Filters = []*compile.Scalar{holds("=", region, words("West"))} }
	for _, x := range []struct {
		name   string
		change func(b *compile.Branch)
		frames []Frame
		want   string
	}{
		{"fewer rows", nil, []Frame{frame("f_a", 200), frame("f_b", 100)}, "f_b"},
		{"fewer rows, whatever order they come in", nil, []Frame{frame("f_b", 100), frame("f_a", 200), frame("f_c", 150)}, "f_b"},
		{"fewer rows behind more", nil, []Frame{frame("f_a", 100), frame("f_b", 200), frame("f_c", 10)}, "f_c"},
		{"more rows under the same condition", west, []Frame{frame("f_a", 100), frame("f_b", 120)}, "f_a"},
		{"as many rows: by name", nil, []Frame{frame("f_b", 100), frame("f_a", 100)}, "f_a"},
		{"all of it before a part", since, []Frame{frame("f_a", 10, part), frame("f_b", 100)}, "f_b"},
		{"all of it before a part that is read later", since, []Frame{frame("f_a", 100), frame("f_b", 200, part)}, "f_a"},
		{"a part before nothing", since, []Frame{frame("f_a", 10, part)}, "f_a"},
		{"one missing end before two", always, []Frame{frame("f_a", 10, most), frame("f_b", 20, part)}, "f_a"},
		{"fewer rows among parts", since, []Frame{frame("f_a", 20, part), frame("f_b", 10, part)}, "f_b"},
		{"more rows and no condition to look at", west, []Frame{frame("f_a", 100), frame("f_b", 110, exactly)}, "f_b"},
		{"more rows that cost more than the condition", west, []Frame{frame("f_a", 100), frame("f_b", 190, exactly)}, "f_a"},
		{"as costly: the first", west, []Frame{frame("f_a", 100), frame("f_b", 150, exactly)}, "f_a"},
		{"what answers, whatever is smaller", nil, []Frame{frame("f_a", 10, exactly), frame("f_b", 100)}, "f_b"},
		{"a frame of another unit", func(b *compile.Branch) { b.Keys = keyed(cutBy("week")) }, []Frame{frame("f_a", 10, onlyRegion), frame("f_b", 100)}, "f_b"},
		{"nothing", func(b *compile.Branch) { b.Leaves = computed(compile.Leaf{Reducer: "median"}) }, []Frame{frame("f_a", 10)}, ""},
		{"as large a share as may be", nil, []Frame{frame("f_a", 3000)}, "f_a"},
		{"a larger share", nil, []Frame{frame("f_a", 3001)}, ""},
		{"the base is larger than it was", func(b *compile.Branch) { b.Source = &compile.Source{Nodes: b.Source.Nodes, Rows: 20_000} }, []Frame{frame("f_a", 6000)}, "f_a"},
		{"the base was not counted", nil, []Frame{frame("f_a", 100, func(f *Frame) { f.BaseRows = 0 })}, "f_a"},
	} {
		b := asked()
		if x.change != nil {
			x.change(&b)
		}
		s, _ := NewIndex(x.frames...).Match(b, present)
		got := ""
		if s != nil {
			got = s.Frame
		}
		if got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
	if f, ok := NewIndex(frame("f_a", 1)).Frame("f_a"); !ok || f.ID != "f_a" {
		t.Error("a frame is found by its name")
	}
	if _, ok := NewIndex(frame("f_a", 1)).Frame("f_b"); ok {
		t.Error("no frame is found by another name")
	}
}

// TestSameTables: a frame is of the data that there is.
func TestSameTables(t *testing.T) {
	author := []string{"SELECT * FROM f"}
	for _, x := range []struct {
		name      string
		tables    []string
		then, now map[string]string
		want      bool
	}{
		{"the same", []string{"f"}, map[string]string{"f": "1"}, map[string]string{"f": "1"}, true},
		{"changed", []string{"f"}, map[string]string{"f": "1"}, map[string]string{"f": "2"}, false},
		{"without an epoch then and an empty one now", []string{"f"}, map[string]string{}, map[string]string{"f": ""}, false},
		{"another table changed", []string{"f"}, map[string]string{"f": "1", "g": "1"}, map[string]string{"f": "1", "g": "2"}, true},
		{"an author's SELECT over the same", author, map[string]string{"f": "1"}, map[string]string{"f": "1"}, true},
		{"an author's SELECT, and a table changed", author, map[string]string{"f": "1"}, map[string]string{"f": "2"}, false},
		{"an author's SELECT, and a table was added", author, map[string]string{"f": "1"}, map[string]string{"f": "1", "g": "1"}, false},
		{"an author's SELECT, and a table is gone", author, map[string]string{"f": "1", "g": "1"}, map[string]string{"f": "1"}, false},
		{"an author's SELECT, and another table stands there", author, map[string]string{"g": ""}, map[string]string{"f": ""}, false},
		{"an author's SELECT, and nothing is known", author, map[string]string{}, map[string]string{}, false},
	} {
		f, b := kept(), asked()
		f.Branch.Tables, b.Tables, f.Epochs = x.tables, x.tables, x.then
		s, _ := NewIndex(f).Match(b, Facts{Epochs: x.now})
		if (s != nil) != x.want {
			t.Errorf("%s: served %v", x.name, s != nil)
		}
	}
	b := asked()
	b.Filters = []*compile.Scalar{{Op: "exists", Sub: &compile.Sub{Lookup: &compile.Lookup{Query: &compile.Query{Sources: []compile.Source{{Nodes: []compile.Node{{Table: "g", Parent: -1}}}}}}}}}
	f := kept()
	f.Branch.Filters, f.Epochs = b.Filters, map[string]string{"f": "e1", "g": "e1"}
	for epoch, want := range map[string]bool{"e1": true, "e2": false} {
		if s, _ := NewIndex(f).Match(b, Facts{Epochs: map[string]string{"f": "e1", "g": epoch}}); (s != nil) != want {
			t.Errorf("a table that is looked up, of epoch %s: served %v", epoch, s != nil)
		}
	}
	payer := func(column string) []string {
		return paths([]compile.Node{{Table: "f", Parent: -1}, {Table: "c", Unique: true, On: []compile.Pair{{Parent: &compile.Scalar{Op: "col", Text: column}, Own: &compile.Scalar{Op: "col", Node: 1, Text: "id"}}}}})
	}
	if payer("buyer")[1] == payer("payer")[1] {
		t.Error("a table that is reached in two ways is two")
	}
	promo := compile.Node{Table: "promos", On: []compile.Pair{{Parent: region, Own: &compile.Scalar{Op: "col", Node: 1, Text: "code"}}}}
	with := &compile.Source{Nodes: []compile.Node{{Table: "f", Parent: -1}, promo}}
	for name, x := range map[string]struct {
		frame, branch bool
		want          bool
	}{"a join that repeats rows in both": {true, true, true}, "in the frame": {true, false, false}, "in the branch": {false, true, false}} {
		f, b := kept(), asked()
		if x.frame {
			f.Branch.Source = with
		}
		if x.branch {
			b.Source = with
		}
		if s, _ := NewIndex(f).Match(b, present); (s != nil) != x.want {
			t.Errorf("%s: served %v", name, s != nil)
		}
	}
}

// TestLiterals: which values are compared as sets compare them, and which by rules of the engine.
func TestLiterals(t *testing.T) {
	literal := func(op, text string) *compile.Scalar { return &compile.Scalar{Op: op, Text: text} }
	for _, x := range []struct {
		of   semantic.Type
		s    *compile.Scalar
		want kind
	}{
		{semantic.Integer, literal("num", "12"), kindNumber},
		{"", literal("num", "12"), kindNumber},
		{semantic.Text, literal("num", "12"), kindNone},
		{semantic.Date, literal("num", "12"), kindNone},
		{semantic.Decimal, literal("num", "123456789012345"), kindNumber},
		{semantic.Decimal, literal("num", "1234567890.123456"), kindNone},
		{semantic.Decimal, literal("num", "twelve"), kindNone},
		{semantic.Text, literal("str", "a"), kindText},
		{"", literal("str", "a"), kindNone},
		{semantic.Boolean, literal("bool", "TRUE"), kindBool},
		{"", literal("bool", "TRUE"), kindBool},
		{semantic.Text, literal("bool", "TRUE"), kindNone},
		{semantic.Date, literal("date", "2023-02-01"), kindTime},
		{semantic.Timestamp, literal("timestamp", "2023-02-01 06:00:00"), kindTime},
		{semantic.Timestamp, literal("timestamp", "2023-02-01T06:00:00.5"), kindTime},
		{"", literal("date", "2023-02-01"), kindTime},
		{semantic.Text, literal("date", "2023-02-01"), kindNone},
		{semantic.Date, literal("date", "February"), kindNone},
		{semantic.Date, literal("null", ""), kindNone},
	} {
		v, ok := literalOf(x.s, x.of)
		if got := v.kind; ok != (x.want != kindNone) || ok && got != x.want {
			t.Errorf("%s %s against %s: %v %v", x.s.Op, x.s.Text, x.of, got, ok)
		}
	}
	flag := column("ok", semantic.Boolean)
	s := shapeOf(&compile.Branch{Source: kept().Branch.Source, Filters: []*compile.Scalar{flag}})
	for name, x := range map[string]struct {
		wants *compile.Scalar
		is    bool
	}{
		"itself":                                {flag, true},
		"true":                                  {holds("=", flag, &compile.Scalar{Op: "bool", Text: "true"}), true},
		"not false":                             {holds("<>", flag, &compile.Scalar{Op: "bool", Text: "false"}), true},
		"false":                                 {holds("=", flag, &compile.Scalar{Op: "bool", Text: "false"}), false},
		"there":                                 {holds("not_null", flag), true},
		"the other":                             {holds("not", flag), false},
		"another column":                        {column("paid", semantic.Boolean), false},
		"a column of no type":                   {column("ok", ""), true}, // the same column
		"a text of that name":                   {holds("=", column("ok", semantic.Text), words("true")), false},
		"a list of nothing":                     {holds("in"), false},
		"half a comparison":                     {holds("=", flag), false},
		"two literals":                          {holds("=", number("1"), number("1")), false},
		"two columns":                           {holds("or", holds("=", flag, &compile.Scalar{Op: "bool", Text: "true"}), column("paid", semantic.Boolean)), true},
		"one of two that are false of all rows": {holds("or", holds("<>", number("1"), number("1")), holds("=", number("2"), number("1"))), false},
		"both":                                  {holds("and", flag, column("paid", semantic.Boolean)), false},
		"true of all":                           {holds("in", flag, &compile.Scalar{Op: "bool", Text: "true"}, &compile.Scalar{Op: "bool", Text: "false"}), true},
	} {
		if got := s.imply(conditionOf(x.wants, s.paths)); got != x.is {
			t.Errorf("a flag implies %s: %v", name, got)
		}
	}
	none := column("x", "")
	for name, c := range map[string]*compile.Scalar{
		"a text":                     column("ok", semantic.Text),
		"two numbers":                holds("=", number("1"), number("1")),
		"a number in a list":         holds("in", number("1"), number("1")),
		"one column or another":      holds("or", holds("=", region, words("West")), holds("=", column("city", semantic.Text), words("Oslo"))),
		"one column and a pattern":   holds("or", holds("=", region, words("West")), holds("like", region, words("W%"))),
		"a pattern and one column":   holds("or", holds("like", region, words("W%")), holds("=", region, words("West"))),
		"numbers and flags":          holds("or", holds("=", none, number("1")), holds("=", none, &compile.Scalar{Op: "bool", Text: "true"})),
		"a list of number and flag":  holds("in", none, number("1"), &compile.Scalar{Op: "bool", Text: "true"}),
		"a list of what is no value": holds("in", region, region),
	} {
		if term, _, _ := truth(c, s.paths); term != "" {
			t.Errorf("%s is understood as a condition on %s", name, term)
		}
	}
	if term, yes, _ := truth(holds("or", holds("=", region, words("West")), holds("=", region, words("East"))), s.paths); term == "" || len(yes.spans) != 2 {
		t.Error("two values of one column are two")
	}
	missing := shapeOf(&compile.Branch{Source: kept().Branch.Source, Filters: []*compile.Scalar{holds("or", holds("is_null", region), holds("=", region, words("West")))}})
	for wants, is := range map[*compile.Scalar]bool{
		holds("or", holds("is_null", region), holds("in", region, words("West"), words("East"))): true,
		holds("in", region, words("West"), words("East")):                                        false,
	} {
		if got := missing.imply(conditionOf(wants, missing.paths)); got != is {
			t.Errorf("a value that may be missing implies %s: %v", scalarText(wants), got)
		}
	}
	qty := column("qty", semantic.Integer)
	for _, c := range []*compile.Scalar{holds("or", holds("<", qty, number("2")), holds(">=", qty, number("2"))), holds("or", holds(">=", qty, number("1")), holds(">", qty, number("5")))} {
		if _, yes, _ := truth(c, s.paths); len(yes.spans) != 1 {
			t.Errorf("%s is one range: %+v", scalarText(c), yes.spans)
		}
	}
}

// TestZonesOfTheData: what a zone did elsewhere than around the data is of no matter.
func TestZonesOfTheData(t *testing.T) {
	f := kept()
	for _, x := range []struct {
		zone, first, last string
		steady, whole     bool
	}{
		{"UTC", "2023-01-01", "2024-12-31", true, true},
		{"Asia/Tokyo", "2023-01-01", "2024-12-31", true, true},
		{"Asia/Kolkata", "2023-01-01", "2024-12-31", true, false},
		{"Europe/Berlin", "2023-01-01", "2024-12-31", false, true},
		{"Europe/Berlin", "2023-07-01", "2023-08-01", true, true},
		{"Europe/Berlin", "2023-03-28", "2023-03-29", false, true}, // two days before
		{"Australia/Lord_Howe", "2023-01-01", "2024-12-31", false, false},
		{"Nowhere/There", "2023-01-01", "2024-12-31", false, false},
		{"Asia/Pyongyang", "2018-01-01", "2019-01-01", false, false}, // half an hour until May
		{"Asia/Gaza", "2011-01-01", "2011-12-31", false, false},      // the clock jumped at one minute past midnight
		{"UTC", "", "2024-12-31", false, false},
		{"UTC", "2023-01-01", "", false, false},
	} {
		f.First, f.Watermark = at(x.first), at(x.last)
		c := comparison{frame: &stored{Frame: f}}
		if c.steady(x.zone) != x.steady || c.wholeHours(x.zone) != x.whole {
			t.Errorf("%s from %s to %s: steady %v, whole hours %v", x.zone, x.first, x.last, c.steady(x.zone), c.wholeHours(x.zone))
		}
	}
	if earlier(at("2023-01-01"), time.Time{}) != at("2023-01-01") || earlier(time.Time{}, at("2023-01-01")) != at("2023-01-01") || earlier(at("2023-01-02"), at("2023-01-01")) != at("2023-01-01") || earlier(at("2023-01-01"), at("2023-01-02")) != at("2023-01-01") {
		t.Error("no bound is the latest end")
	}
	if later(at("2023-01-01"), time.Time{}) != at("2023-01-01") || later(time.Time{}, at("2023-01-01")) != at("2023-01-01") || later(at("2023-01-02"), at("2023-01-01")) != at("2023-01-02") || later(at("2023-01-01"), at("2023-01-02")) != at("2023-01-02") {
		t.Error("no bound is the earliest start")
	}
}
