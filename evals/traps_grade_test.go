package evals_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// expectation is one way of being right: all of its keys must hold. traps/README.md says what they mean.
type expectation struct {
	Rows        [][][]any `json:"rows"`
	Ordered     bool      `json:"ordered"`
	Tolerance   float64   `json:"tol"`
	Number      []any     `json:"number"`
	RowCount    []int     `json:"row_count"`
	ExactText   []string  `json:"exact_text"`
	RefuseOrAsk bool      `json:"refuse_or_ask"`
	Said        string    `json:"said"`
	NotSaid     string    `json:"not_said"`
	Answered    *bool     `json:"answered"`
	Opens       bool      `json:"opens"`
}

// response is what came of a check: the answer as the JSON of the command line has it, or an error.
type response struct {
	answer  map[string]any
	outcome string // of the answer; error: there is none
	failure string // what a person reads of the error
	rows    [][]any
	framed  bool // there is a frame and the outcome is an answer
	opened  bool // the files were imported and the workspace opened
	files   bool // what was wrong may be the file, which may be refused with a message
}

// parseAnswer reads an answer as the command line writes it.
func parseAnswer(raw []byte) (response, error) {
	r := response{opened: true}
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	if err := decoder.Decode(&r.answer); err != nil {
		return r, err
	}
	r.outcome, _ = r.answer["outcome"].(string)
	frame, _ := r.answer["frame"].(map[string]any)
	rows, _ := frame["rows"].([]any)
	for _, row := range rows {
		cells, _ := row.([]any)
		r.rows = append(r.rows, cells)
	}
	r.framed = frame != nil && r.outcome == "answer"
	return r, nil
}

// holds reports whether the answer is right in this way, and if not, which key failed.
func (e expectation) holds(r response) (ok bool, why string) {
	tolerance := e.Tolerance
	if tolerance == 0 {
		tolerance = 1e-6
	}
	if e.Rows != nil && !(r.framed && slices.ContainsFunc(e.Rows, func(want [][]any) bool { return sameRows(want, r.rows, tolerance, e.Ordered) })) {
		return false, "rows"
	}
	if e.Number != nil {
		in := func(want any) bool {
			return slices.ContainsFunc(r.rows[0], func(got any) bool { return sameCell(want, got, tolerance) })
		}
		if !r.framed || len(r.rows) != 1 || !slices.ContainsFunc(e.Number, in) {
			return false, "number"
		}
	}
	if e.RowCount != nil && !(r.framed && slices.Contains(e.RowCount, len(r.rows))) {
		return false, "row_count"
	}
	cells := map[string]bool{}
	for _, row := range r.rows {
		for _, cell := range row {
			cells[fmt.Sprint(cell)] = true
		}
	}
	if e.ExactText != nil && (!r.framed || slices.ContainsFunc(e.ExactText, func(x string) bool { return !cells[x] })) {
		return false, "exact_text"
	}
	if e.RefuseOrAsk && !r.declined() {
		return false, "refuse_or_ask"
	}
	if e.Said != "" && !says(e.Said, r) {
		return false, "said"
	}
	if e.NotSaid != "" && says(e.NotSaid, r) {
		return false, "not_said"
	}
	if e.Opens && !r.opened {
		return false, "opens"
	}
	if e.Answered != nil && *e.Answered != r.framed {
		return false, "answered"
	}
	return true, ""
}

// crash is what no message to a person has in it.
var crash = regexp.MustCompile(`(?i)panic:|runtime error|goroutine \d|state machine|unknown type|SIGSEGV|nil pointer`)

// declined reports whether no frame came, for a reason that was said.
func (r response) declined() bool {
	if r.outcome == "error" {
		return r.files && r.failure != "" && !crash.MatchString(r.failure)
	}
	return r.outcome == "clarify" || r.outcome == "refuse" || r.outcome == "confirm"
}

func says(pattern string, r response) bool {
	return regexp.MustCompile(`(?is)` + pattern).MatchString(strings.Join(append(toldBy(r.answer), r.failure), "\n"))
}

// untold are the parts of an answer that repeat the question, name machines or hold code.
var untold = func() map[string]bool {
	all := map[string]bool{}
	for _, key := range strings.Fields(`question request_id session_id id sql dialect source_epochs trace timings_ms spans query frame_ql vega_lite
		followups artifacts acceptance plan risk citations sent by epoch path served_from served_by chart code status level method slot target type
		decision role kind severity outcome metric dimension format factors modified imported bytes engine_type repairs rows columns metric_card`) {
		all[key] = true
	}
	return all
}()

// told lists what an answer tells a reader: sentences, labels and units of columns, and what is asked back.
func toldBy(answer map[string]any) []string {
	all := sentences(answer)
	clarification, _ := answer["clarification"].(map[string]any)
	options, _ := clarification["options"].([]any)
	for _, option := range append([]any{clarification["best_guess"]}, options...) {
		if o, ok := option.(map[string]any); ok {
			all = append(all, textAt(o, "label"), textAt(o, "question"))
		}
	}
	return append(all, textAt(clarification, "question"))
}

func sentences(part any) (all []string) {
	switch part := part.(type) {
	case string:
		return []string{part}
	case []any:
		for _, x := range part {
			all = append(all, sentences(x)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(part)) {
			if !untold[key] {
				all = append(all, sentences(part[key])...)
			}
		}
		columns, _ := part["columns"].([]any)
		for _, column := range columns {
			if c, ok := column.(map[string]any); ok {
				all = append(all, textAt(c, "label"), textAt(c, "unit"))
			}
		}
	}
	return all
}

func textAt(object map[string]any, key string) string {
	s, _ := object[key].(string)
	return s
}

// sameRows reports whether every wanted column has a place among the columns of the frame, so that the rows are the same.
func sameRows(want, got [][]any, tolerance float64, ordered bool) bool {
	if len(want) != len(got) {
		return false
	}
	if len(want) == 0 {
		return true
	}
	if len(want[0]) > len(got[0]) {
		return false
	}
	return placeColumns(want, got, nil, tolerance, ordered)
}

// placeColumns gives the wanted columns behind those that were placed a place each.
func placeColumns(want, got [][]any, placed []int, tolerance float64, ordered bool) bool {
	same := func(a, b []any) bool {
		for i, j := range placed {
			if !sameCell(a[i], b[j], tolerance) {
				return false
			}
		}
		return true
	}
	left := slices.Clone(got)
	for i, row := range want {
		if ordered {
			if !same(row, got[i]) {
				return false
			}
			continue
		}
		at := slices.IndexFunc(left, func(b []any) bool { return same(row, b) })
		if at < 0 {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	if len(placed) == len(want[0]) {
		return true
	}
	for j := range got[0] {
		if !slices.Contains(placed, j) && placeColumns(want, got, append(slices.Clone(placed), j), tolerance, ordered) {
			return true
		}
	}
	return false
}

var (
	numeralForm = regexp.MustCompile(`^\s*-?\d+(\.\d+)?([eE][-+]?\d+)?\s*$`)
	monthForm   = regexp.MustCompile(`^(\d{4}-\d{2})(-\d{2})?(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|\+00:00)?)?$`)
)

// sameCell compares a wanted cell with one of the frame: a wanted number is compared as a number, a text as a text, and a
// month may be written 2024-03 or 2024-03-01.
func sameCell(want, got any, tolerance float64) bool {
	switch w := want.(type) {
	case nil:
		return got == nil || got == ""
	case bool:
		return got == w || strings.EqualFold(fmt.Sprint(got), strconv.FormatBool(w))
	case json.Number:
		a, err := w.Float64()
		b, ok := asNumber(got)
		return err == nil && ok && math.Abs(a-b) <= max(tolerance*max(math.Abs(a), 1e-12), 1e-9)
	}
	if want == "" {
		return got == nil || got == ""
	}
	if got == nil {
		return false
	}
	a, b := strings.TrimSpace(norm.NFC.String(fmt.Sprint(want))), strings.TrimSpace(norm.NFC.String(fmt.Sprint(got)))
	if a == b {
		return true
	}
	m, n := monthForm.FindStringSubmatch(a), monthForm.FindStringSubmatch(b)
	if m == nil || n == nil {
		return false
	}
	first := func(day string) string { return strings.TrimSuffix(day, "-01") }
	return m[1] == n[1] && first(m[2]) == first(n[2])
}

func asNumber(cell any) (float64, bool) {
	switch v := cell.(type) {
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case string:
		if numeralForm.MatchString(v) {
			f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
			return f, err == nil
		}
	}
	return 0, false
}

// The grader refuses what is not right: each answer is graded by an expectation that holds and by one that does not.
func TestTrapGrader(t *testing.T) {
	const answer = `{"outcome":"answer","question":"the offset","findings":[{"code":"OFFSET","message":"2 lines could not be read."}],
		"frame":{"columns":[{"name":"m","label":"Month"},{"name":"n","label":"Total","unit":"EUR"}],"rows":[["2024-01-01","1.10"],["2024-02-01",7],[null,0.5]]}}`
	const asked = `{"outcome":"clarify","clarification":{"question":"Which one?","options":[{"label":"net","question":"net amount"}]}}`
	cases := []struct {
		answer, expect string
		want           bool
	}{
		{answer, `{"rows":[[["2024-01",1.1],["2024-02",7],[null,0.5]]]}`, true},
		{answer, `{"rows":[[[7,"2024-02-01"],[1.1,"2024-01-01"],[0.5,null]]]}`, true},
		{answer, `{"rows":[[["2024-02",7],["2024-01",1.1],[null,0.5]]],"ordered":true}`, false},
		{answer, `{"rows":[[["2024-01",7],["2024-02",1.1],[null,0.5]]]}`, false},
		{answer, `{"rows":[[["2024-01-02",1.1],["2024-02",7],[null,0.5]]]}`, false},
		{answer, `{"rows":[[["2024-01",1.1],["2024-02",7]]]}`, false},
		{answer, `{"rows":[[["2024-01",1.1],["2024-02",7],["",0.5]]]}`, true},
		{answer, `{"rows":[[[1.1],[7],[7]]]}`, false},
		{answer, `{"row_count":[2,3]}`, true},
		{answer, `{"row_count":[2]}`, false},
		{answer, `{"number":[7]}`, false},
		{answer, `{"exact_text":["1.10"]}`, true},
		{answer, `{"exact_text":["1.1"]}`, false},
		{answer, `{"said":"\\b2\\b.*lines"}`, true},
		{answer, `{"said":"eur"}`, true},
		{answer, `{"said":"offset"}`, false},
		{answer, `{"not_said":"offset"}`, true},
		{answer, `{"not_said":"could not"}`, false},
		{answer, `{"answered":true,"opens":true}`, true},
		{answer, `{"refuse_or_ask":true}`, false},
		{asked, `{"refuse_or_ask":true,"said":"net amount"}`, true},
		{asked, `{"answered":true}`, false},
		{asked, `{"rows":[[]]}`, false},
		{`{"outcome":"answer","frame":{"columns":[],"rows":[[1,"26.000000001"]]}}`, `{"number":[25,26]}`, true},
		{`{"outcome":"answer","frame":{"columns":[],"rows":[[1,"26.1"]]}}`, `{"number":[25,26]}`, false},
	}
	for _, c := range cases {
		r, err := parseAnswer([]byte(c.answer))
		if err != nil {
			t.Fatal(err)
		}
		e := parseExpectations(t, json.RawMessage(c.expect))
		if got, why := e[0].holds(r); got != c.want {
			t.Errorf("%s: %t (%s), want %t\n%s", c.expect, got, why, c.want, c.answer)
		}
	}
	for failure, want := range map[string]bool{"The file has an open quote.": true, "": false, "panic: runtime error": false} {
		r := response{outcome: "error", failure: failure, files: true}
		if got, _ := (expectation{RefuseOrAsk: true}).holds(r); got != want {
			t.Errorf("an error %q is a refusal: %t, want %t", failure, got, want)
		}
	}
}
