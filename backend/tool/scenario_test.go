package tool

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
)

func counted(name string) frameql.Column {
	c := money(name)
	c.Type, c.Unit = "integer", ""
	return c
}

// traded is a frame with metrics that are made of each other: an average, a difference, a share, and an expression of the query's own.
func traded() *frameql.Frame {
	average := money("average_order_value")
	average.Additivity = "none"
	net := money("net")
	net.Metric = ""
	share := money("revenue_share")
	share.Derived, share.Additivity = &frameql.Derived{Of: "revenue", How: "share"}, "none"
	return &frameql.Frame{
		FrameQL: "SELECT customers.country, revenue, order_count, average_order_value, gross_revenue, discount_amount, revenue - freight AS net, freight, SHARE(revenue) AS revenue_share",
		Columns: []frameql.Column{
			text1("country"), money("revenue"), counted("order_count"), average, money("gross_revenue"), money("discount_amount"), net, money("freight"), share,
			{Name: "is_total", Role: frameql.RoleFlag, Type: "boolean"},
		},
		Rows: [][]any{
			{"Germany", json.Number("230284.63"), int64(122), "1887.5789344262295082", json.Number("244640.63"), json.Number("14356"), json.Number("218998.35"), json.Number("11286.28"), json.Number("0.5"), false},
			{"USA", json.Number("245584.61"), int64(122), "2012.98860655737704918", json.Number("263566.98"), json.Number("17982.37"), json.Number("231789.17"), json.Number("13795.44"), json.Number("0.5"), false},
			{"All", json.Number("475869.24"), int64(244), nil, nil, nil, nil, nil, json.Number("1"), true},
		},
		RowCount: 3,
	}
}

func simulated(t *testing.T, d *desk, tool, arguments string) (session.Simulation, *simulatedBody) {
	t.Helper()
	before := len(d.shown)
	r, got := call(t, d, tool, arguments)
	if r.Problem != nil {
		t.Fatalf("%s %s: %s", tool, arguments, got)
	}
	if len(d.shown) != before+1 || d.shown[before].Kind != session.KindSimulation {
		t.Fatalf("%s shows %v", tool, d.shown[before:])
	}
	var s session.Simulation
	dec := json.NewDecoder(strings.NewReader(string(d.shown[before].Body)))
	dec.UseNumber()
	if err := dec.Decode(&s); err != nil {
		t.Fatal(err)
	}
	if err := session.Conform(&s); err != nil {
		t.Errorf("the simulation is not as its type says: %v", err)
	}
	for _, l := range s.Levers {
		if l.Min > l.Baseline || l.Baseline > l.Max || l.Min > l.Value || l.Value > l.Max || l.Step <= 0 {
			t.Errorf("the lever %+v lies outside its ends", l)
		}
	}
	if s.Recompute == "linear" { // as the window works it out
		for _, o := range s.Outcomes {
			at := o.Observed
			for _, l := range s.Levers {
				at += o.Effects[l.ID] * (l.Value - l.Baseline)
			}
			if math.Abs(at-o.Simulated) > 1e-9*max(1, math.Abs(at)) {
				t.Errorf("the outcome %+v comes to %v by its effects", o, at)
			}
		}
	}
	return s, r.Body.(*simulatedBody)
}

// TestWhatFollowsMovesAlong: metrics that are made of the changed one are worked out anew, what cannot be worked out is left out, and total rows are gone.
func TestWhatFollowsMovesAlong(t *testing.T) {
	d := northwind(t)
	d.put("art_t", "Traded", traded())
	s, b := simulated(t, d, "simulate_perturbation", `{"frame_id": "art_t", "column": "revenue", "perturbation": {"kind": "multiply", "value": 1.1, "filter": [{"column": "country", "values": ["Germany"]}]}}`)
	got := string(Encode(s.Result.Rows))
	// 230284.63 * 1.1 = 253313.093; / 122 = 2076.33682786885...; 244640.63 - 253313.093 = -8672.463; 253313.093 - 11286.28 = 242026.813
	contains(t, got, `["Germany",253313.093,122,2076.33682786885,244640.63,-8672.463,242026.813,11286.28,false]`, `["USA",245584.61,122,"2012.98860655737704918",263566.98,17982.37,231789.17,13795.44,false]`)
	if len(s.Result.Rows) != 2 || len(b.LeftOut) != 1 || b.LeftOut[0] != "revenue_share" {
		t.Errorf("%d rows, left out %v", len(s.Result.Rows), b.LeftOut)
	}
	var said []string
	for _, o := range b.Outcomes {
		said = append(said, fmt.Sprintf("%s %v %v", o.Label, o.Observed, o.Simulated))
	}
	// 475869.24 / 244 = 1950.28377049180...; 498897.703 / 244 = 2044.66271721311...
	want := "revenue, all rows 475869.24 498897.703; average_order_value, all rows 1950.2837704918 2044.66271721311; discount_amount, all rows 32338.37 9309.907; net, all rows 450787.52 473815.983"
	if strings.Join(said, "; ") != want {
		t.Errorf("outcomes\n%s, not\n%s", strings.Join(said, "; "), want)
	}
	if s.Recompute != "linear" || len(s.Assumptions) != 4 {
		t.Errorf("%s, %q", s.Recompute, s.Assumptions)
	}
}

// TestGoals: what is linear is solved exactly, what is not is said to be so.
func TestGoals(t *testing.T) {
	d := northwind(t)
	d.put("art_t", "Traded", traded())
	for _, c := range []struct{ arguments, needed string }{
		{`{"frame_id": "art_t", "column": "revenue", "target_value": 500000, "vary": "revenue", "vary_rows": [{"column": "country", "values": ["USA"]}]}`, "269715.37"},                        // 500000 - 230284.63
		{`{"frame_id": "art_t", "column": "average_order_value", "target_value": 2000, "vary": "revenue", "target_rows": [{"column": "country", "values": ["Germany"]}]}`, "244000"},           // 2000 * 122
		{`{"frame_id": "art_t", "column": "average_order_value", "target_value": 2000, "vary": "revenue"}`, "1.02549179266136"},                                                                // 488000 / 475869.24
		{`{"frame_id": "art_t", "column": "net", "target_value": 450787.52, "vary": "freight"}`, "1"},                                                                                          // as it is
		{`{"frame_id": "art_t", "column": "discount_amount", "target_value": 0, "vary": "revenue", "vary_rows": [{"column": "country", "values": ["Germany"]}], "target_rows": []}`, "262623"}, // 508207.61 - 245584.61
	} {
		s, b := simulated(t, d, "simulate_goal_seek", c.arguments)
		if got := fmt.Sprint(b.Lever.Needed); got != c.needed {
			t.Errorf("%s needs %s, not %s", c.arguments, got, c.needed)
		}
		if s.Goal == nil || s.Outcomes[0].Simulated != s.Goal.Target || s.Goal.Lever != s.Levers[0].ID || s.Goal.Outcome != s.Outcomes[0].ID {
			t.Errorf("%s: %+v, %+v", c.arguments, s.Goal, s.Outcomes)
		}
	}
	for _, c := range []struct{ arguments, kind string }{
		{`{"frame_id": "art_t", "column": "average_order_value", "target_value": 2000, "vary": "order_count"}`, "not_linear"},
		{`{"frame_id": "art_t", "column": "average_order_value", "target_value": 2000, "vary": "freight"}`, "not_linear"},
		{`{"frame_id": "art_t", "column": "revenue", "target_value": 2000, "vary": "freight"}`, "not_linear"},
		{`{"frame_id": "art_t", "column": "revenue_share", "target_value": 1, "vary": "revenue"}`, "unknown_column"},
		{`{"frame_id": "art_t", "column": "revenue", "target_value": 1e999, "vary": "revenue"}`, "bad_arguments"},
		{`{"frame_id": "art_t", "column": "revenue", "target_value": 1, "vary": "revenu"}`, "unknown_column"},
		{`{"frame_id": "art_gone", "column": "revenue", "target_value": 1, "vary": "revenue"}`, "unknown_artifact"},
	} {
		if r, got := call(t, d, "simulate_goal_seek", c.arguments); r.Problem == nil || r.Problem.Kind != c.kind {
			t.Errorf("%s gives %s", c.arguments, got)
		}
	}
}

// TestFormulaThatDoesNotHold: a column that the model says is a quotient and whose cells are none (it has a filter of its own) does not move.
func TestFormulaThatDoesNotHold(t *testing.T) {
	d := northwind(t)
	f := traded()
	f.Rows[0][3] = json.Number("1")
	d.put("art_t", "Traded", f)
	_, b := simulated(t, d, "simulate_perturbation", `{"frame_id": "art_t", "column": "revenue", "perturbation": {"kind": "multiply", "value": 2}}`)
	if strings.Join(b.LeftOut, " ") != "average_order_value revenue_share" {
		t.Errorf("left out %v", b.LeftOut)
	}
}

// TestPartsAreNotWholes: nothing is worked out from a frame of which rows are missing.
func TestPartsAreNotWholes(t *testing.T) {
	d := northwind(t)
	f := categories()
	f.Truncated = &frameql.Truncated{Cap: 5, TotalRows: 9}
	d.put("art_c", "Cut", f)
	if r, got := call(t, d, "simulate_perturbation", `{"frame_id": "art_c", "column": "revenue", "perturbation": {"kind": "multiply", "value": 2}}`); r.Problem == nil || r.Problem.Kind != "too_large" {
		t.Errorf("a part of a frame gives %s", got)
	}
}

// TestSumsAreExact draws frames of cents and compares the sums with arithmetic over whole cents.
func TestSumsAreExact(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	d := northwind(t)
	for range 200 {
		f := &frameql.Frame{FrameQL: "SELECT categories.category_name, revenue", Columns: []frameql.Column{text1("category_name"), money("revenue")}}
		cents, moved := int64(0), int64(0)
		n := 1 + r.Intn(30)
		percent := int64(r.Intn(400)) - 100
		var chosen []string
		for i := range n {
			c := r.Int63n(1e13) - 5e12
			cents += c
			member := fmt.Sprintf("m%d", i)
			f.Rows = append(f.Rows, []any{member, json.Number(big.NewRat(c, 100).FloatString(2))})
			if r.Intn(2) == 0 {
				chosen, moved = append(chosen, member), moved+c
			}
		}
		if len(chosen) == 0 {
			continue
		}
		f.RowCount = n
		d.put("art_r", "Drawn", f)
		names := string(Encode(chosen))
		_, b := simulated(t, d, "simulate_perturbation", fmt.Sprintf(`{"frame_id": "art_r", "column": "revenue", "perturbation": {"kind": "multiply", "value": %s, "filter": [{"column": "category_name", "values": %s}]}}`,
			big.NewRat(100+percent, 100).FloatString(2), names))
		want := new(big.Rat).Add(big.NewRat(cents, 100), new(big.Rat).Mul(big.NewRat(moved, 100), big.NewRat(percent, 100)))
		if got, ok := frameview.Number(b.Outcomes[0].Simulated); !ok || got.Cmp(want) != 0 {
			t.Fatalf("%v, not %s", b.Outcomes[0].Simulated, want.FloatString(4))
		}
		if got, _ := frameview.Number(b.Outcomes[0].Observed); got.Cmp(big.NewRat(cents, 100)) != 0 {
			t.Fatalf("observed %v, not %d cents", b.Outcomes[0].Observed, cents)
		}
	}
}

// TestFilteredBesideObserved: a frame that is run again stands beside the first, row by row where rows are the same.
func TestFilteredBesideObserved(t *testing.T) {
	d := northwind(t)
	r, got := call(t, d, "simulate_filter", `{"frame_id": "art_s1_1_0", "filter_clause": "customers.country <> 'Germany'"}`)
	if r.Ran == nil || strings.Join(r.Made, " ") != "art_s1_1_2 art_s1_1_3 art_s1_1_4" {
		t.Fatalf("made %v: %s", r.Made, got)
	}
	var s session.Simulation
	var c session.Comparison
	if err := json.Unmarshal(d.shown[0].Body, &s); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(d.shown[1].Body, &c); err != nil {
		t.Fatal(err)
	}
	if s.Type != "filter" || s.Recompute != "none" || len(s.Levers) != 0 || s.Source.FrameID != "art_s1_1_0" || s.Result.RowCount != 3 {
		t.Errorf("%+v", s)
	}
	if strings.Join(c.Keys, " ") != "category_name" || len(c.Measures) != 1 || c.Measures[0].Better != "up" || len(c.Base.Frame.Rows) != 5 || len(c.Current.Frame.Rows) != 3 {
		t.Errorf("%+v", c)
	}
	d.Run = func(ctx0, *frameql.Query) (Ran, error) { return Ran{Waits: "A person decides."}, nil }
	if r, got = call(t, d, "simulate_filter", `{"frame_id": "art_s1_1_0", "during": "1996"}`); r.Ran == nil || !strings.Contains(got, "waits_for_person") {
		t.Errorf("what waits gives %s", got)
	}
}
