package session

import (
	"encoding/json"
	"testing"

	"assay/backend/frameql"
	"assay/backend/text"
)

// cellOf is a frame of one row and one column.
func cellOf(columnType string, cell any) *frameql.Frame {
	return &frameql.Frame{Columns: []frameql.Column{{Name: "x", Role: frameql.RoleMetric, Type: columnType}}, Rows: [][]any{{cell}}, RowCount: 1}
}

// TestCellsAtTheEdges compares two cells where they are almost the same, or only look so.
func TestCellsAtTheEdges(t *testing.T) {
	long := "12345678901234567890123456789012345.678"
	for name, c := range map[string]struct {
		columnType  string
		before, now any
		same        bool // by ChangeOf
		hash        bool // the same by FrameHash
	}{
		"a long decimal":                     {"decimal", long, long, true, true},
		"the last digit of a DECIMAL(38)":    {"decimal", long, "12345678901234567890123456789012345.679", false, false},
		"a decimal with zeros behind it":     {"decimal", json.Number("1.50"), json.Number("1.5"), true, false},
		"a decimal as text and as number":    {"decimal", "1.5", json.Number("1.5"), true, true},
		"whole numbers beyond a double":      {"integer", json.Number("9007199254740993"), json.Number("9007199254740992"), false, false},
		"a whole number of two readers":      {"integer", int64(7), json.Number("7"), true, true},
		"a double at the 13th digit":         {"float", 1.234567890121, 1.2345678901211, true, true},
		"a double at the 12th digit":         {"float", 1.23456789012, 1.23456789013, false, false},
		"doubles on both sides of rounding":  {"float", 1.234567890125 - 2e-13, 1.234567890125 + 2e-13, true, false},
		"large doubles at the 13th digit":    {"float", 1.234567890121e300, 1.2345678901211e300, true, true},
		"a double and the same from JSON":    {"float", 0.1, json.Number("0.1"), true, true},
		"decimals have no such tolerance":    {"decimal", json.Number("1.234567890121"), json.Number("1.2345678901211"), false, false},
		"nothing and zero":                   {"float", nil, 0.0, false, false},
		"nothing and an empty text":          {"text", nil, "", false, false},
		"nothing and nothing":                {"decimal", nil, nil, true, true},
		"zero and negative zero":             {"float", 0.0, json.Number("-0"), true, false},
		"zero and next to nothing":           {"float", 0.0, 1e-300, false, false},
		"no number twice":                    {"float", "NaN", "NaN", true, true},
		"no number and a number":             {"float", "NaN", 1.0, false, false},
		"infinity and its negative":          {"float", "Infinity", "-Infinity", false, false},
		"one day":                            {"date", "2025-01-02", "2025-01-02", true, true},
		"the day after":                      {"date", "2025-01-02", "2025-01-03", false, false},
		"a day and its midnight":             {"timestamp", "2025-01-02", "2025-01-02T00:00:00", false, false},
		"a microsecond":                      {"timestamp", "2025-01-02T00:00:00", "2025-01-02T00:00:00.000001", false, false},
		"a truth and its name":               {"boolean", true, "true", false, false},
		"a text that looks like a number":    {"text", "1.0", "1", false, false},
		"a sign that has another code point": {"text", "é", "e\u0301", false, false},
	} {
		before, now := cellOf(c.columnType, c.before), cellOf(c.columnType, c.now)
		if got := ChangeOf(before, now); got.Same != c.same {
			t.Errorf("%s: %+v", name, got)
		}
		if got := FrameHash(before) == FrameHash(now); got != c.hash {
			t.Errorf("%s: the hash is the same: %v", name, got)
		}
		r := CompareTurns(showing(t, before, "shows"), showing(t, now, "shows"))
		if (r.Stands == StandsSame) != c.same || (r.Words == "") != c.same || (r.Steps[0].Stands == StandsSame) != c.same || c.same && r.Step != "" {
			t.Errorf("%s: asked again: %+v", name, r)
		}
	}
}

// showing is a turn that shows a frame; told is what came of it in the next step.
func showing(t *testing.T, f *frameql.Frame, told string) Turn {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"frame": f, "narration": Narration{Text: told}})
	if err != nil {
		t.Fatal(err)
	}
	shows := FrameHash(f)
	return Turn{Outcome: "answer", Answer: raw, Trace: []Step{{Name: "execute", Input: "sql", Output: shows}, {Name: "narrate", Input: shows, Output: Hash(told)}}}
}

// TestCellsDecideWhatTheirHashesLeaveOpen: where cells are compared, the step that gave them is blamed only for them; a type or a cut that is another stays a
// difference of the step, and where rows are not there the report says how little their hash tells.
func TestCellsDecideWhatTheirHashesLeaveOpen(t *testing.T) {
	zero, negative := cellOf("float", 0.0), cellOf("float", json.Number("-0"))
	r := CompareTurns(showing(t, zero, "none"), showing(t, negative, "nothing"))
	if r.Step != "narrate" || r.Steps[0].Stands != StandsSame || r.Steps[1].Stands != StandsDiffer {
		t.Errorf("told in other words: %+v", r)
	}
	whole, cut := cellOf("decimal", json.Number("1")), cellOf("decimal", json.Number("1"))
	cut.Truncated = &frameql.Truncated{Cap: 1, TotalRows: 2}
	longer := cellOf("decimal", json.Number("1"))
	longer.Truncated = &frameql.Truncated{Cap: 1, TotalRows: 3}
	for name, pair := range map[string][2]*frameql.Frame{
		"another type":    {whole, cellOf("integer", json.Number("1"))},
		"cut now":         {whole, cut},
		"whole now":       {cut, whole},
		"more is cut off": {cut, longer},
	} {
		if r := CompareTurns(showing(t, pair[0], "one"), showing(t, pair[1], "one")); r.Steps[0].Stands != StandsDiffer {
			t.Errorf("%s: %+v", name, r.Steps[0])
		}
	}
	then, now := showing(t, zero, "none"), showing(t, negative, "none")
	then.Trace, now.Trace = append(then.Trace, then.Trace[0]), append(now.Trace, now.Trace[0]) // which of the two gave the frame is not known
	if r := CompareTurns(then, now); r.Stands != StandsSame || r.Steps[0].Stands != StandsDiffer {
		t.Errorf("two that ran: %+v", r)
	}
	for columnType, key := range map[string]string{"float": "session.differs_hash_doubles", "decimal": "session.differs_hash"} {
		had := showing(t, cellOf(columnType, json.Number("1.5")), "one")
		left := cellOf(columnType, nil)
		left.Rows, left.Truncated = [][]any{}, &frameql.Truncated{Cap: 0, TotalRows: 1}
		without := showing(t, left, "one")
		without.Trace = had.Trace
		if r := CompareTurns(without, showing(t, cellOf(columnType, json.Number("1.6")), "one")); r.Stands != StandsDiffer || r.Words != text.Say(key) {
			t.Errorf("%s without its rows: %+v", columnType, r)
		}
		if r := CompareTurns(without, had); r.Stands != StandsSame {
			t.Errorf("%s, the same, without its rows: %+v", columnType, r)
		}
	}
}

// TestHowFarANumberMoved gives the number that moved furthest, exactly.
func TestHowFarANumberMoved(t *testing.T) {
	for name, c := range map[string]struct {
		before, now any
		relative    float64
		none        bool
	}{
		"by a quarter":      {json.Number("4"), json.Number("5"), 0.25, false},
		"down from below":   {json.Number("-4"), json.Number("-5"), -0.25, false},
		"from zero":         {json.Number("0"), json.Number("5"), 0, true},
		"from nothing":      {nil, json.Number("5"), 0, true},
		"to nothing":        {json.Number("5"), nil, 0, true},
		"the last digit":    {"10000000000000000000000000000000000000", "10000000000000000000000000000000000001", 1e-37, false},
		"from no number":    {"NaN", json.Number("1"), 0, true},
		"to a zero of sign": {json.Number("5"), json.Number("-0"), -1, false},
	} {
		got := ChangeOf(cellOf("decimal", c.before), cellOf("decimal", c.now)).Largest
		switch {
		case got == nil:
			t.Errorf("%s: nothing moved", name)
		case (got.Relative == nil) != c.none, got.Relative != nil && *got.Relative != c.relative:
			t.Errorf("%s: %+v", name, got)
		}
	}
}
