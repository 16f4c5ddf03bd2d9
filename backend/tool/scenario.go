package tool

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/semantic"
	"assay/backend/session"
	"assay/backend/text"
)

// scenario is a frame as it would be if some cells of a column were others. One lever moves them; everything that follows from them by a
// formula over the frame's own columns moves along. All arithmetic is exact.
type scenario struct {
	model    *semantic.Model
	frame    *frameql.Frame // without its total rows
	column   int            // that is moved
	rows     map[int]bool   // of it, that are moved
	kind     string         // multiply | add | set
	formulas map[int]*formula
	totals   bool // it had total rows
}

// rowFilter chooses rows of a frame.
type rowFilter struct {
	Column string   `json:"column" doc:"A dimension column of the frame" most:"200"`
	Values []string `json:"values" doc:"Its values, as text" least:"1" most:"100"`
}

// newScenario prepares a frame. A problem says why nothing can be worked out from it.
func newScenario(m *semantic.Model, f *frameql.Frame, moved string, filters []rowFilter) (*scenario, *Problem) {
	if f.LetGo != nil || f.Truncated != nil {
		return nil, &Problem{Kind: "too_large", Message: text.Say("tool.frame_not_whole"), Suggestion: text.Say("tool.narrow_frame"), FrameQL: shown(f.FrameQL)}
	}
	k, p := numberColumn(f, moved)
	if p != nil {
		return nil, p
	}
	s := &scenario{model: m, frame: frameview.Members(f), column: k, kind: "multiply"}
	s.totals = len(s.frame.Rows) < len(f.Rows)
	if s.rows, p = s.chosen(filters); p != nil {
		return nil, p
	}
	s.formulas = s.findFormulas()
	if s.formulas[k] != nil {
		delete(s.formulas, k) // it is moved itself
	}
	return s, nil
}

// numberColumn finds a column of numbers that are measured and not made of another column.
func numberColumn(f *frameql.Frame, wanted string) (int, *Problem) {
	k, p := column(f, wanted)
	if p != nil {
		return k, p
	}
	c := f.Columns[k]
	if !frameview.Numeric(c) || c.Role != frameql.RoleMetric || c.Derived != nil {
		p := &Problem{Kind: "unknown_column", Message: text.Say("tool.no_number", "name", name(wanted)), Name: name(wanted)}
		for _, o := range f.Columns {
			if frameview.Numeric(o) && o.Role == frameql.RoleMetric && o.Derived == nil && len(p.Available) < mostAvailable {
				p.Available = append(p.Available, name(o.Name))
			}
		}
		return -1, p
	}
	return k, nil
}

// chosen gives the rows that pass every filter; all of them without one.
func (s *scenario) chosen(filters []rowFilter) (map[int]bool, *Problem) {
	rows := map[int]bool{}
	for i := range s.frame.Rows {
		rows[i] = true
	}
	for _, filter := range filters {
		k, p := column(s.frame, filter.Column)
		if p != nil {
			return nil, p
		}
		c := s.frame.Columns[k]
		if c.Personal {
			return nil, &Problem{Kind: "unknown_column", Message: text.Say("tool.column_personal", "name", name(filter.Column)), Name: name(filter.Column)}
		}
		var known []string
		found := false
		for i, row := range s.frame.Rows {
			is := slices.ContainsFunc(filter.Values, func(v string) bool { return isValue(row[k], v, c) })
			found = found || is
			if !is {
				delete(rows, i)
			}
			known = append(known, clean(fmt.Sprint(row[k]), longestCell))
		}
		if !found {
			return nil, unknown("unknown_value", "tool.no_row", strings.Join(filter.Values, ", "), known)
		}
	}
	if len(rows) == 0 {
		return nil, &Problem{Kind: "unknown_value", Message: text.Say("tool.no_rows")}
	}
	return rows, nil
}

// isValue says whether a cell is what a text says: the same text, the same number, or a date that begins so.
func isValue(x any, wanted string, c frameql.Column) bool {
	s, isText := x.(string)
	switch {
	case x == nil:
		return false
	case isText && frameview.OnCalendar(c):
		return wanted != "" && strings.HasPrefix(s, wanted)
	case isText:
		return s == wanted || clean(s, longestCell) == wanted
	}
	a, ok := frameview.Number(x)
	b, isNumber := frameview.Number(wanted)
	if ok && isNumber {
		return a.Cmp(b) == 0
	}
	return fmt.Sprint(x) == wanted
}

// baseline is where the lever stands when nothing is moved.
func (s *scenario) baseline() *big.Rat {
	switch s.kind {
	case "multiply":
		return big.NewRat(1, 1)
	case "set":
		for i := range s.rows { // of one row
			if x, ok := frameview.Number(s.frame.Rows[i][s.column]); ok {
				return x
			}
		}
	}
	return new(big.Rat)
}

// at gives a cell with the lever at a place; false: it has no value.
func (s *scenario) at(row, k int, lever *big.Rat) (*big.Rat, bool) {
	if f := s.formulas[k]; f != nil && f.uses[s.column] {
		return f.value(func(input int) (*big.Rat, bool) { return s.at(row, input, lever) })
	}
	x, ok := frameview.Number(s.frame.Rows[row][k])
	if !ok || k != s.column || !s.rows[row] {
		return x, ok
	}
	switch s.kind {
	case "multiply":
		return new(big.Rat).Mul(x, lever), true
	case "add":
		return new(big.Rat).Add(x, lever), true
	}
	return lever, true
}

// amount gives what a column comes to over some rows: of one row its cell, of several the sum of what may be added, or its formula over such sums.
// false: there is no such number.
func (s *scenario) amount(k int, rows map[int]bool, lever *big.Rat) (*big.Rat, bool) {
	if len(rows) == 1 {
		for i := range rows {
			return s.at(i, k, lever)
		}
	}
	if f := s.formulas[k]; f != nil {
		return f.value(func(input int) (*big.Rat, bool) { return s.amount(input, rows, lever) })
	}
	if !additive(s.frame.Columns[k]) {
		return nil, false
	}
	sum, some := new(big.Rat), false
	for i := range s.frame.Rows {
		if !rows[i] {
			continue
		}
		if x, ok := s.at(i, k, lever); ok {
			sum.Add(sum, x)
			some = true
		}
	}
	return sum, some
}

// slope gives how much the amount of a column changes when the lever moves by one; false: it is not a straight line.
func (s *scenario) slope(k int, rows map[int]bool) (*big.Rat, bool) {
	var steps [3]*big.Rat
	at := s.baseline()
	before, ok := s.amount(k, rows, at)
	if !ok {
		return nil, false
	}
	for i := range steps {
		at = new(big.Rat).Add(at, big.NewRat(1, 1))
		after, ok := s.amount(k, rows, at)
		if !ok {
			return nil, false
		}
		steps[i], before = new(big.Rat).Sub(after, before), after
	}
	return steps[0], steps[0].Cmp(steps[1]) == 0 && steps[1].Cmp(steps[2]) == 0
}

// all are all rows of the frame.
func (s *scenario) all() map[int]bool {
	rows := map[int]bool{}
	for i := range s.frame.Rows {
		rows[i] = true
	}
	return rows
}

// result gives the frame with the lever at a place. Columns that would change in a way that cannot be worked out from the frame are left out, and named.
func (s *scenario) result(lever *big.Rat) (*frameql.Frame, []string) {
	out := &frameql.Frame{Columns: []frameql.Column{}, Rows: make([][]any, len(s.frame.Rows)), RowCount: len(s.frame.Rows), Notices: []frameql.Notice{}, Reasons: []frameql.Reason{}}
	var left []string
	for k, c := range s.frame.Columns {
		if s.stale(k) {
			left = append(left, frameview.Label(c))
			continue
		}
		moves := k == s.column || s.formulas[k] != nil && s.formulas[k].uses[s.column]
		if moves && c.Type == "integer" {
			c.Type = "decimal"
		}
		if moves {
			c.ServedFrom = ""
		}
		out.Columns = append(out.Columns, c)
		for i, row := range s.frame.Rows {
			x := row[k]
			if moves && s.rows[i] {
				if r, ok := s.at(i, k, lever); ok {
					x = exactly(r, c)
				} else if k != s.column {
					x = nil
				}
			}
			out.Rows[i] = append(out.Rows[i], x)
		}
	}
	return out, left
}

// stale says whether a column would change and nothing here says how: what is made of the moved column by a function, what the model makes of its metric, and
// expressions without a formula.
func (s *scenario) stale(k int) bool {
	c, moved := s.frame.Columns[k], s.frame.Columns[s.column]
	switch {
	case k == s.column || c.Role == frameql.RoleDimension || c.Role == frameql.RoleFlag || !frameview.Numeric(c) || s.formulas[k] != nil:
		return false
	case c.Derived != nil:
		of, _ := column(s.frame, c.Derived.Of)
		return of < 0 || of == s.column || s.stale(of) || s.formulas[of] != nil && s.formulas[of].uses[s.column]
	case c.Metric == "":
		return true
	}
	return moved.Metric != "" && (c.Metric == moved.Metric || restsOn(s.model, c.Metric, moved.Metric, 0))
}

// restsOn says whether a metric is made of another.
func restsOn(m *semantic.Model, metric, other string, depth int) bool {
	x := m.Metric(metric)
	if x == nil || x.Leaf() || depth > 20 {
		return false
	}
	return slices.ContainsFunc(inputsOf(m, x), func(in string) bool { return strings.EqualFold(in, other) || restsOn(m, in, other, depth+1) }) ||
		slices.ContainsFunc(x.Inputs, func(in semantic.Input) bool {
			return strings.EqualFold(in.Metric, other) || restsOn(m, in.Metric, other, depth+1)
		})
}

// lever makes the lever of a simulation. Its ends lie as far beyond where it stands and stood as these are apart.
func (s *scenario) lever(value *big.Rat) (session.Lever, bool) {
	c := s.frame.Columns[s.column]
	base, ok := floated(s.baseline())
	at, fits := floated(value)
	if !ok || !fits {
		return session.Lever{}, false
	}
	l := session.Lever{ID: "lever", Label: s.leverLabel(), Unit: c.Unit, Format: c.Format, Baseline: base, Value: at}
	if s.kind == "multiply" {
		l.Unit, l.Format = "", frameview.Percent
	}
	low, high := min(base, at), max(base, at)
	span := high - low
	if span == 0 {
		span = max(math.Abs(base), 1)
	}
	l.Min, l.Max, l.Step = low-span, high+span, math.Pow(10, math.Floor(math.Log10(span/50)))
	if low >= 0 && l.Min < 0 && s.kind != "add" {
		l.Min = 0
	}
	return l, !math.IsInf(l.Max, 0) && !math.IsInf(l.Min, 0) && l.Step > 0
}

func (s *scenario) leverLabel() string {
	label := frameview.Label(s.frame.Columns[s.column])
	switch s.kind {
	case "multiply":
		return text.Say("tool.lever_multiply", "column", label, "rows", s.rowsLabel(s.rows))
	case "add":
		return text.Say("tool.lever_add", "column", label, "rows", s.rowsLabel(s.rows))
	}
	return text.Say("tool.lever_set", "column", label, "rows", s.rowsLabel(s.rows))
}

// rowsLabel says which rows are meant: all, one by its members, or how many.
func (s *scenario) rowsLabel(rows map[int]bool) string {
	switch {
	case len(rows) == 1:
		for i := range rows {
			return s.rowLabel(i)
		}
	case len(rows) == len(s.frame.Rows):
		return text.Say("tool.rows_all")
	}
	return text.Say("tool.rows_some", "n", len(rows), "all", len(s.frame.Rows))
}

func (s *scenario) rowLabel(i int) string {
	var members []string
	for k, c := range s.frame.Columns {
		if c.Role == frameql.RoleDimension && !c.Personal {
			members = append(members, clean(frameview.Member(s.frame.Rows[i][k], c), longestCell))
		}
	}
	if len(members) == 0 {
		return text.Say("tool.row_place", "n", i+1)
	}
	return strings.Join(members, ", ")
}

// outcome makes the outcome of a column over some rows; false: it has no number, or does not follow the lever in a straight line.
func (s *scenario) outcome(id string, k int, rows map[int]bool, value *big.Rat) (session.SimulatedOutcome, bool) {
	slope, straight := s.slope(k, rows)
	was, ok := s.amount(k, rows, s.baseline())
	is, also := s.amount(k, rows, value)
	if !straight || !ok || !also {
		return session.SimulatedOutcome{}, false
	}
	c := s.frame.Columns[k]
	o := session.SimulatedOutcome{ID: id, Label: text.Say("tool.outcome", "column", frameview.Label(c), "rows", s.rowsLabel(rows)), Unit: c.Unit, Format: c.Format, Better: "none"}
	if x := s.model.Metric(c.Metric); x != nil && x.Better != "" {
		o.Better = x.Better
	}
	effect, a := floated(slope)
	observed, b := floated(was)
	simulated, d := floated(is)
	o.Observed, o.Simulated, o.Effects = observed, simulated, map[string]float64{"lever": effect}
	return o, a && b && d
}

// outcomeBody is one outcome as a mind gets it, with all digits.
type outcomeBody struct {
	Label     string `json:"label"`
	Unit      string `json:"unit,omitempty"`
	Observed  any    `json:"observed"`
	Simulated any    `json:"simulated"`
}

func (s *scenario) outcomeBody(o session.SimulatedOutcome, k int, rows map[int]bool, value *big.Rat) outcomeBody {
	c := s.frame.Columns[k]
	c.Type = "decimal"
	b := outcomeBody{Label: clean(o.Label, longestText), Unit: name(o.Unit)}
	if x, ok := s.amount(k, rows, s.baseline()); ok {
		b.Observed = exactly(x, c)
	}
	if x, ok := s.amount(k, rows, value); ok {
		b.Simulated = exactly(x, c)
	}
	return b
}

func sourceOf(f *frameql.Frame, id string, a session.Artifact) session.SimulatedSource {
	return session.SimulatedSource{FrameID: id, FrameQL: f.FrameQL, Label: a.Title}
}

// plainNumber writes a number of arguments for a sentence.
func plainNumber(n json.Number) string { return clean(string(n), 40) }
