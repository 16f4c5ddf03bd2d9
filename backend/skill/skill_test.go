package skill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/tool"
)

// one loads a file that makes the skill "probe" with the body of run, which may name a.
func one(t *testing.T, body string) tool.Tool {
	t.Helper()
	all, problems := Load(fstest.MapFS{"skills/probe.star": {Data: []byte("def run(number):\n" + indent(body) + "\nskill(name = 'probe', doc = 'd', params = {'number': {'type': 'number', 'default': 3}}, run = run)\n")}})
	if len(problems) > 0 || len(all) != 1 {
		t.Fatalf("%s\n%v", body, problems)
	}
	return all[0]
}

func indent(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }

func does(t *testing.T, d *tool.Desk, s tool.Tool, arguments string) (tool.Result, string) {
	t.Helper()
	r, err := s.Do(context.Background(), d, json.RawMessage(arguments))
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if r.Problem != nil {
		return r, string(tool.Encode(r.Problem))
	}
	return r, string(tool.Encode(r.Body))
}

// deskOf gives one frame whatever is asked.
func deskOf(f *frameql.Frame, asked *[]string) *tool.Desk {
	return &tool.Desk{Run: func(_ context.Context, q *frameql.Query) (tool.Ran, error) {
		if asked != nil {
			*asked = append(*asked, q.String())
		}
		return tool.Ran{Query: q, Frame: f, ID: "art_s_1_0", Served: "backend", Level: "AA"}, nil
	}}
}

func monthly(values map[string]string) *frameql.Frame {
	f := &frameql.Frame{Columns: []frameql.Column{{Name: "order_date_month", Role: frameql.RoleDimension, Type: "date", Grain: "month"}, {Name: "value", Role: frameql.RoleMetric, Type: "decimal"}}}
	for at := time.Date(2020, 12, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2023 || at.Month() < 2; at = at.AddDate(0, 1, 0) {
		day := at.Format("2006-01-02")
		if v, ok := values[day]; ok {
			f.Rows = append(f.Rows, []any{day, json.Number(v)})
		} else {
			f.Rows = append(f.Rows, []any{day, nil})
		}
	}
	f.RowCount = len(f.Rows)
	return f
}

// TestSeasonality: the sample's skill, with numbers that were worked out by hand.
func TestSeasonality(t *testing.T) {
	all, problems := Load(os.DirFS("../../context/samples/northwind"))
	if len(problems) > 0 || len(all) != 1 || all[0].Name != "seasonality_check" {
		t.Fatalf("%v, %v", all, problems)
	}
	// Every month of two years is 10, but Julys, which are 34 and 46. Mean (22*10 + 80) / 24 = 12.5; the mean of the Julys 40.
	// Between: 22 * 2.5^2 + 2 * 27.5^2 = 137.5 + 1512.5 = 1650; total: 22 * 2.5^2 + 21.5^2 + 33.5^2 = 137.5 + 462.25 + 1122.25 = 1722. 1650 / 1722 = 0.95818...
	values := map[string]string{"2020-12-01": "999", "2023-01-01": "-999"} // the ends, which are left out
	for year := 2021; year <= 2022; year++ {
		for month := 1; month <= 12; month++ {
			values[fmt.Sprintf("%d-%02d-01", year, month)] = "10"
		}
	}
	values["2021-07-01"], values["2022-07-01"] = "34", "46"
	var asked []string
	r, got := does(t, deskOf(monthly(values), &asked), all[0], `{}`)
	if !strings.Contains(got, `"strength":0.9582`) || !strings.Contains(got, `"highest_month":"07"`) || !strings.Contains(got, `"months":24`) || !strings.Contains(got, `"reading":"strong"`) || strings.Contains(got, "caution") {
		t.Errorf("%s", got)
	}
	if len(asked) != 1 || asked[0] != "SELECT month, revenue AS value ORDER BY month" || len(r.Made) != 1 || r.Ran == nil {
		t.Errorf("asked %q, made %v", asked, r.Made)
	}
	// The same in every month: there is nothing to explain.
	for day := range values {
		values[day] = "10"
	}
	if _, got = does(t, deskOf(monthly(values), nil), all[0], `{"metric": "freight"}`); !strings.Contains(got, `"strength":null`) || !strings.Contains(got, "do not vary") {
		t.Errorf("%s", got)
	}
	if r, got = does(t, deskOf(monthly(nil), nil), all[0], `{}`); r.Problem == nil || !strings.Contains(got, "skills/seasonality_check.star:") || !strings.Contains(got, "fewer than 13") {
		t.Errorf("%s", got)
	}
}

// TestLanguage: what a skill can do.
func TestLanguage(t *testing.T) {
	f := &frameql.Frame{
		Columns: []frameql.Column{{Name: "who", Role: frameql.RoleDimension, Type: "text", Personal: true}, {Name: "kind", Role: frameql.RoleDimension, Type: "text"}, {Name: "n", Role: frameql.RoleMetric, Type: "decimal"}},
		Rows:    [][]any{{"Maria Anders", "a", json.Number("0.1")}, {"Otto", "b", "0.2"}, {"Vera", "a", nil}},
	}
	for _, c := range []struct{ body, want string }{
		{"return {'n': number}", `{"n":3}`},
		{"return {'n': number * 2 + 1, 'x': 7 // 2, 'y': 7 % 4, 'z': 1 / 4}", `{"n":7,"x":3,"y":3,"z":0.25}`},
		{"x = 1\nx += 2\nd = {'a': 1}\nd['a'] += 5\nreturn {'x': x, 'd': d}", `{"d":{"a":6},"x":3}`},
		{"l = [3, 1, 2]\nl.append(0)\nreturn {'l': sorted(l), 's': ', '.join([str(i) for i in l]), 'c': l[1:], 't': (1, 2)}", `{"c":[1,2,0],"l":[0,1,2,3],"s":"3, 1, 2, 0","t":[1,2]}`},
		{"return {'in': 1 in [1, 2], 'out': 'a' not in 'xyz', 'cmp': (1, 2) < (1, 3), 'and': 1 == 1 and 2 != 3}", `{"and":true,"cmp":true,"in":true,"out":true}`},
		{"f = frame('SELECT revenue')\nreturn {'sum': sum(f.column('n')), 'mean': mean(f.column('n')), 'variance': variance(f.column('n')), 'rows': f.rows, 'names': f.columns, 'n': f.row_count, 'ok': f.ok}", `{"mean":0.15,"n":3,"names":["who","kind","n"],"ok":true,"rows":[[null,"a",0.1],[null,"b",0.2],[null,"a",null]],"sum":0.3,"variance":0.0025}`},
		{"return {'a': ratio(1, 3), 'b': ratio(1, 0), 'c': ratio(None, 1), 'd': sqrt(2.25), 'e': round(2.675, 2), 'f': sum([]), 'g': mean([])}", `{"a":0.3333333333333333,"b":null,"c":null,"d":1.5,"e":2.68,"f":0,"g":null}`},
		{"return {'up': 'a'.upper(), 'f': '%s-%d' % ('a', 3), 'g': '{}'.format(3), 'r': 'aXbX'.replace('X', 'yy')}", `{"f":"a-3","g":"3","r":"ayybyy","up":"A"}`},
		{"def inner(x, y = 2):\n    return x + y\nreturn {'n': inner(1), 'l': (lambda v: v * 2)(4), 'm': max([1, 5], key = lambda v: -v)}", `{"l":8,"m":1,"n":3}`},
		{"out = []\nfor k, v in {'a': 1}.items():\n    out.append([k, v])\nreturn {'out': out, 'c': {k: v for k, v in zip(['x'], [1])}}", `{"c":{"x":1},"out":[["a",1]]}`},
	} {
		s := one(t, c.body)
		if _, got := does(t, deskOf(f, nil), s, `{}`); got != c.want {
			t.Errorf("%s\ngives %s\nnot   %s", c.body, got, c.want)
		}
	}
}

// TestBounds: what would take forever, or all memory, ends as a problem that names file and line; the test itself would not end without the meter.
func TestBounds(t *testing.T) {
	for _, body := range []string{
		"for i in range(1000000):\n    for j in range(1000000):\n        pass",
		"x = 'a' * 1000000000",
		"x = 1000000000 * [0]",
		"x = 'a' * (1 << 200)",
		"x = list(range(1000000000))",
		"x = 'a'\nfor i in range(60):\n    x = x + x",
		"x = 'a'\nfor i in range(60):\n    x += x",
		"x = [0]\nfor i in range(60):\n    x = x + x",
		"x = [0]\nfor i in range(60):\n    x.extend(x)",
		"x = 3\nfor i in range(60):\n    x = x * x",
		"x = 1\nfor i in range(100000):\n    x = x << 500",
		"x = []\nfor i in range(60):\n    x = [x, x]\ny = str(x)",
		"x = []\nfor i in range(60):\n    x = [x, x]\ny = x == x",
		"x = ()\nfor i in range(60):\n    x = (x, x)\ny = {x: 1}",
		"x = ()\nfor i in range(60):\n    x = list(zip([x], [x]))[0]\ny = {x: 1}",
		"x = ()\nfor i in range(60):\n    x = {x: x}.items()[0]\ny = {x: 1}",
		"a = []\na.append(a)\nx = str(a)",
		"a = [0] * 300\nb = [a] * 300\nc = [b] * 300\nd = [c] * 300\nx = d == [c] * 300",
		"x = ','.join(['a' * 100000] * 100000)",
		"x = ('a' * 100000).replace('a', 'b' * 100000)",
		"x = ('{}' * 10000).format(*[1])",
		"x = ('{0}' * 10000).format('b' * 100000)",
		"x = ('%s' * 10) % ('a' * 10000000)",
		"l = ['a' * 1000000]\nm = []\nfor i in range(100000):\n    m.append('b' * 1000000)",
		"l = list(range(100000))\nm = []\nfor i in range(100000):\n    m.append(l[1:])",
		"x = sorted([[i] for i in range(900000)] * 3)",
		"l = list(range(10000))\nfor i in range(10000):\n    x = 20000 in l",
		"def f(x):\n    return f(x)\nf(1)",
	} {
		all, problems := Load(fstest.MapFS{"skills/probe.star": {Data: []byte("def run():\n" + indent(body) + "\n    return {}\nskill(name = 'probe', doc = 'd', run = run)\n")}})
		if len(problems) > 0 {
			if !strings.Contains(body, "*[1]") || problems[0].Pos.Line != 2 {
				t.Errorf("%s\n%v", body, problems)
			}
			continue
		}
		r, got := does(t, &tool.Desk{}, all[0], `{}`)
		if r.Problem == nil || r.Problem.Kind != "failed" || !strings.Contains(got, "skills/probe.star:") || strings.Contains(got, "probe.star:0") {
			t.Errorf("%s\ngives %s", body, got)
		}
	}
}

// TestNothingElseIsThere: no files, no network, no other files of skills, no clock.
func TestNothingElseIsThere(t *testing.T) {
	for _, source := range []string{
		"load('other.star', 'x')", "x = open('/etc/passwd')", "import os", "x = getattr('a', 'upper')", "x = dir('a')", "x = hasattr('a', 'b')", "x = time.now()", "x = random()", "def f(*args):\n    pass", "def f(**kw):\n    pass",
		"f = max(*[1, 2])", "x = 'a'.upper", "while True:\n    pass", "x = frame('SELECT revenue')", "x = bytes('a')", "x = hash('a')", "x = ·op('+', 1, 2)", "x = __import__('os')", "skill()", "skill(name = 'list_families', doc = 'd', run = lambda: {})",
		"skill(name = 'X', doc = 'd', run = lambda: {})", "skill(name = 'abc', doc = ' ', run = lambda: {})", "skill(name = 'abc', doc = 'd', run = 3)", "skill(name = 'abc', doc = 'd', run = lambda: {}, params = {'metric': 'any'})",
		"skill(name = 'abc', doc = 'd', run = lambda: {}, params = {'metric': {'type': 'integer', 'default': 'x'}})", "x = 3", "", "for i in [1]:\n    pass", "x = {", "\x00", strings.Repeat("(", 20000), "x = " + strings.Repeat("-", 30000) + "1",
	} {
		all, problems := Load(fstest.MapFS{"skills/bad.star": {Data: []byte(source)}, "skills/good.star": {Data: []byte("skill(name = 'good', doc = 'd', run = lambda: {'a': 1})")}})
		if len(problems) != 1 || problems[0].Pos.File != "skills/bad.star" || problems[0].Message == "" || len(all) != 1 || all[0].Name != "good" {
			t.Errorf("%.60q gives %v, and %d tools", source, problems, len(all))
			continue
		}
		if source != "" && source != "x = 3" && source != "\x00" && problems[0].Pos.Line == 0 {
			t.Errorf("%.60q has no line: %v", source, problems)
		}
	}
	many := fstest.MapFS{}
	for i := range 60 {
		many[fmt.Sprintf("skills/s%02d.star", i)] = &fstest.MapFile{Data: []byte(fmt.Sprintf("skill(name = 's%02d', doc = 'd', run = lambda: {})", i%58))}
	}
	if all, problems := Load(many); len(all) != mostFiles || len(problems) != 1 {
		t.Errorf("%d tools, %v", len(all), problems)
	}
	if all, problems := Load(fstest.MapFS{}); len(all)+len(problems) > 0 {
		t.Errorf("%v %v", all, problems)
	}
}

// TestProblems: what goes wrong in a call names its place, and is a problem that a mind can read.
func TestProblems(t *testing.T) {
	refusing := &tool.Desk{Run: func(context.Context, *frameql.Query) (tool.Ran, error) {
		return tool.Ran{Refusals: []frameql.Refusal{{Code: "UNKNOWN_NAME", Message: "There is no x.", Repairs: []frameql.Repair{{Label: "Use y", FrameQL: "SELECT y"}}}}}, nil
	}}
	for _, c := range []struct {
		desk             *tool.Desk
		body, kind, says string
	}{
		{nil, "return 3", "failed", "dict"},
		{nil, "return {1: 2}", "failed", "keys"},
		{nil, "return {'a': len}", "failed", "builtin"},
		{nil, "return {'a': 'b' * 20000, 'c': ['d' * 1900] * 6}", "too_large", "larger"},
		{nil, "return {'a': [[[[[[[[[[[1]]]]]]]]]]]}", "failed", "deeply"},
		{nil, "\nx = 1 / 0", "failed", "probe.star:3: "},
		{nil, "fail('no data')", "failed", "probe.star:2: no data"},
		{nil, "return frame('SELECT x')", "unavailable", "frame"},
		{refusing, "\n\nreturn frame('SELECT x')", "refusal", `probe.star:4: There is no x.","frame_ql":"SELECT x","suggestion":"Use y","repairs":["SELECT y"]`},
		{refusing, "return frame('SELEC x')", "refusal", "SELEC"},
		{refusing, "f = try_frame('SELECT x')\nreturn {'ok': f.ok, 'why': f.reason}", "", `{"ok":false,"why":"There is no x."}`},
		{refusing, "f = try_frame('SELECT x')\nreturn {'n': f.row_count}", "failed", "There is no frame"},
		{deskOf(&frameql.Frame{}, nil), "for i in range(9):\n    frame('SELECT x')", "failed", "at most 8"},
		{deskOf(&frameql.Frame{}, nil), "return {'a': frame('SELECT x').column('y')}", "failed", "no column y"},
		{&tool.Desk{Run: func(context.Context, *frameql.Query) (tool.Ran, error) {
			return tool.Ran{Waits: "A person decides."}, nil
		}}, "return frame('SELECT x')", "waits_for_person", "A person decides."},
		{nil, "return {'s': 'a\\u202eb\\u0000' + 'c'}", "", `{"s":"a b c"}`},
	} {
		d := c.desk
		if d == nil {
			d = &tool.Desk{}
		}
		r, got := does(t, d, one(t, c.body), `{}`)
		kind := ""
		if r.Problem != nil {
			kind = r.Problem.Kind
		}
		if kind != c.kind || !strings.Contains(got, c.says) {
			t.Errorf("%s\ngives %s", c.body, got)
		}
	}
	s := one(t, "return {}")
	for _, arguments := range []string{`{"numbr": 1}`, `{"number": "1"}`, `[]`, `x`} {
		if r, got := does(t, &tool.Desk{}, s, arguments); r.Problem == nil || r.Problem.Kind != "bad_arguments" || r.Problem.Suggestion != `{"number":3}` {
			t.Errorf("%s gives %s", arguments, got)
		}
	}
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(string(s.Schema)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("probe", schema); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Compile("probe"); err != nil {
		t.Errorf("%v in %s", err, s.Schema)
	}
	down := errors.New("down")
	if _, err := one(t, "return frame('SELECT x')").Do(context.Background(), &tool.Desk{Run: func(context.Context, *frameql.Query) (tool.Ran, error) { return tool.Ran{}, down }}, nil); !errors.Is(err, down) {
		t.Errorf("a failure of the machine is %v", err)
	}
}

// TestCancel: the end of a request ends a skill within a step.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	d := &tool.Desk{Run: func(context.Context, *frameql.Query) (tool.Ran, error) {
		cancel()
		return tool.Ran{Frame: &frameql.Frame{}}, nil
	}}
	if _, err := one(t, "frame('SELECT x')\nfor i in range(1000000):\n    pass\nreturn {}").Do(ctx, d, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestAtOnce: a skill runs many times at once and always gives the same.
func TestAtOnce(t *testing.T) {
	s := one(t, "d = {}\nfor i in range(1000):\n    d[str(i % 7)] = d.get(str(i % 7), 0) + i\nreturn d")
	_, want := does(t, &tool.Desk{}, s, `{}`)
	t.Run("together", func(t *testing.T) {
		for range 8 {
			t.Run("one", func(t *testing.T) {
				t.Parallel()
				if _, got := does(t, &tool.Desk{}, s, `{}`); got != want {
					t.Errorf("%s", got)
				}
			})
		}
	})
}
