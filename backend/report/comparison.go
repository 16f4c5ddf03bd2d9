package report

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// comparison is an artifact that shows two frames side by side.
func comparison(a session.FileArtifact, name string, o Choice) (*Box, error) {
	var c session.Comparison
	if err := decode(a.Body, &c); err != nil {
		return nil, err
	}
	box := &Box{Title: a.Title}
	if o.Frames == session.FramesNone || rowless(&c.Base.Frame) || rowless(&c.Current.Frame) {
		box.Blocks = leftOut()
		return box, nil
	}
	if t := compareFrames(c, name, a.Title, o.Rows); t != nil {
		box.Blocks = append(box.Blocks, Block{Table: t})
	} else {
		box.Blocks = append(box.Blocks, Block{Notes: []Note{{"critical", text.Say("report.not_compared")}}})
	}
	return box, nil
}

// rowless says whether the rows of a frame were left out of the file that it came with, or let go.
func rowless(f *frameql.Frame) bool {
	return len(f.Rows) == 0 && f.Truncated != nil && f.Truncated.TotalRows > 0
}

// leftOut stands in place of rows that a page does not have.
func leftOut() []Block {
	return []Block{{Notes: []Note{{"caution", text.Say("report.rows_left_out")}}}}
}

// comparedWithin is a frame whose numbers stand beside what they are compared with, as a comparison; nil: it has no such numbers.
func comparedWithin(f *frameql.Frame) *session.Comparison {
	c := session.Comparison{Base: session.ComparedFrame{Frame: *f}, Current: session.ComparedFrame{Label: text.Say("window.comparison.now"), Frame: *f}}
	for _, before := range f.Columns {
		if before.Derived == nil || before.Derived.How != "previous" && before.Derived.How != "target" {
			continue
		}
		own := slices.IndexFunc(f.Columns, func(k frameql.Column) bool { return k.Name == before.Derived.Of && frameview.Numeric(k) })
		if own < 0 {
			continue
		}
		if len(c.Measures) == 0 {
			c.Base.Label = text.Say("window.comparison.before")
			if before.Derived.How == "target" {
				c.Base.Label = text.Say("window.comparison.target")
			}
		}
		c.Measures = append(c.Measures, session.ComparedMeasure{Label: frameview.Label(f.Columns[own]), Base: before.Name, Current: f.Columns[own].Name, Better: "none"})
	}
	for _, k := range f.Columns {
		if k.Role == frameql.RoleDimension {
			c.Keys = append(c.Keys, k.Name)
		}
	}
	if len(c.Measures) == 0 || len(f.Rows) == 0 {
		return nil
	}
	return &c
}

// side is one frame of a comparison: its rows by their keys, the first of several that share one.
type side struct {
	frame    *frameql.Frame
	keys     []int
	measures []int
	rows     map[string]int
	order    []string
	repeated int
}

func sideOf(f *frameql.Frame, keys, measures []string) *side {
	s := &side{frame: f, rows: map[string]int{}}
	at := func(name string) int {
		return slices.IndexFunc(f.Columns, func(c frameql.Column) bool { return c.Name == name })
	}
	for _, name := range keys {
		s.keys = append(s.keys, at(name))
	}
	for _, name := range measures {
		s.measures = append(s.measures, at(name))
	}
	if slices.Contains(s.keys, -1) || slices.Contains(s.measures, -1) {
		return nil
	}
	total, other := frameview.Flag(f, "is_total"), frameview.Flag(f, "is_other")
	for i, row := range f.Rows {
		if len(row) != len(f.Columns) {
			return nil
		}
		key := []any{total >= 0 && row[total] == true, other >= 0 && row[other] == true}
		for _, k := range s.keys {
			key = append(key, row[k])
		}
		raw, err := json.Marshal(key)
		if err != nil {
			return nil
		}
		if _, known := s.rows[string(raw)]; known {
			s.repeated++
			continue
		}
		s.rows[string(raw)] = i
		s.order = append(s.order, string(raw))
	}
	return s
}

func (s *side) cell(row, column int) any {
	if row < 0 {
		return nil
	}
	return s.frame.Rows[row][column]
}

// compared is a comparison as one frame, in the order of the current one; what it does not have stands at the end. It says how each row stands (same changed
// added removed), and how many rows have a key that another one has too. Nil: a column is not there.
func compared(c session.Comparison) (f *frameql.Frame, states []string, repeated int) {
	var of, from []string
	for _, m := range c.Measures {
		of, from = append(of, m.Current), append(from, m.Base)
	}
	now, before := sideOf(&c.Current.Frame, c.Keys, of), sideOf(&c.Base.Frame, c.Keys, from)
	if now == nil || before == nil || len(c.Measures) == 0 {
		return nil, nil, 0
	}
	order := slices.Clone(now.order)
	for _, key := range before.order {
		if _, there := now.rows[key]; !there {
			order = append(order, key)
		}
	}
	f, states = sideBySide(c, now, before, order)
	return f, states, now.repeated + before.repeated
}

// compareFrames lays two frames side by side. Nil: a column is not there.
func compareFrames(c session.Comparison, name, title string, rows int) *Table {
	f, states, repeated := compared(c)
	if f == nil {
		return nil
	}
	t := tableOf(f, name, title, rows, nil)
	tones(t, f, c)
	counts := map[string]int{}
	for i, state := range states {
		if counts[state]++; i < len(t.Rows) && len(t.Rows[i].Cells) > 0 && (state == "added" || state == "removed") && len(c.Keys) > 0 {
			t.Rows[i].Cells[0].Text += " (" + text.Say("window.comparison.state_"+state) + ")"
		}
	}
	t.Foot = append(t.Foot, text.Say("report.compared", "changed", counts["changed"], "same", counts["same"], "added", counts["added"], "removed", counts["removed"]))
	if repeated > 0 {
		t.Note = text.Count("window.comparison.repeated", int64(repeated), "n", repeated)
	}
	return t
}

// SideBySide is a comparison as one frame: its keys, and for each measure what it was, what it is, the difference and its share; and of each row how it stands: same,
// changed, added or removed. nil: the two cannot be aligned.
func SideBySide(c session.Comparison) (f *frameql.Frame, states []string) {
	f, states, _ = compared(c)
	return f, states
}

// sideBySide is a comparison as one frame: its keys, and for each measure what it was, what it is, the difference and its share.
func sideBySide(c session.Comparison, now, before *side, order []string) (f *frameql.Frame, states []string) {
	f = &frameql.Frame{}
	for _, k := range now.keys {
		f.Columns = append(f.Columns, now.frame.Columns[k])
	}
	for i, m := range c.Measures {
		column := now.frame.Columns[now.measures[i]]
		label := m.Label
		if label == "" {
			label = frameview.Label(column)
		}
		column.Role = frameql.RoleMetric
		for _, part := range []string{c.Base.Label, c.Current.Label, text.Say("window.comparison.change")} {
			column.Name, column.Label = "", text.Say("report.measure_of", "measure", label, "side", part)
			f.Columns = append(f.Columns, column)
		}
		f.Columns = append(f.Columns, frameql.Column{Label: text.Say("report.measure_of", "measure", label, "side", text.Say("window.comparison.share")), Type: "float", Format: frameview.Percent, Role: frameql.RoleMetric})
	}
	f.Columns = append(f.Columns, frameql.Column{Name: "is_total", Role: frameql.RoleFlag}, frameql.Column{Name: "is_other", Role: frameql.RoleFlag})
	for _, key := range order {
		is, was := rowOf(now, key), rowOf(before, key)
		from := now
		at := is
		if is < 0 {
			from, at = before, was
		}
		var row []any
		for _, k := range from.keys {
			row = append(row, from.cell(at, k))
		}
		state := "same"
		for i := range c.Measures {
			a, b := before.cell(was, before.measures[i]), now.cell(is, now.measures[i])
			change, share, same := between(a, b)
			if !same {
				state = "changed"
			}
			row = append(row, a, b, change, share)
		}
		switch {
		case was < 0:
			state = "added"
		case is < 0:
			state = "removed"
		}
		for _, flag := range []string{"is_total", "is_other"} {
			column := frameview.Flag(from.frame, flag)
			row = append(row, column >= 0 && from.cell(at, column) == true)
		}
		f.Rows, states = append(f.Rows, row), append(states, state)
	}
	return f, states
}

func rowOf(s *side, key string) int {
	if row, there := s.rows[key]; there {
		return row
	}
	return -1
}

// between is a difference with all its digits, and its share of the base.
func between(a, b any) (change, share any, same bool) {
	from, known := frameview.Number(a)
	to, also := frameview.Number(b)
	if !known || !also {
		return nil, nil, plainNumber(a) == plainNumber(b)
	}
	moved := new(big.Rat).Sub(to, from)
	change = exactText(moved)
	if from.Sign() != 0 {
		share = exactText(new(big.Rat).Quo(moved, new(big.Rat).Abs(from)))
	}
	return change, share, moved.Sign() == 0
}

// exactText writes a number that is one of decimals with all of its digits, and another one with thirty.
func exactText(r *big.Rat) string {
	digits, exact := r.FloatPrec()
	if !exact || digits > 30 {
		digits = 30
	}
	return r.FloatString(digits)
}

// tones marks changes with their sign, and by whether they are good.
func tones(t *Table, f *frameql.Frame, c session.Comparison) {
	for i, m := range c.Measures {
		for _, at := range []int{len(c.Keys) + 4*i + 2, len(c.Keys) + 4*i + 3} {
			for row := range t.Rows {
				cell := &t.Rows[row].Cells[at]
				r, ok := frameview.Number(f.Rows[row][at])
				if !ok {
					continue
				}
				cell.Text, cell.Tone = signed(strings.TrimPrefix(cell.Text, "-"), r.Sign()), senseOf(r.Sign(), m.Better)
			}
		}
	}
}
