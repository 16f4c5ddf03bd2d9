package report

import (
	"math/big"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// drivers is what the change of a number is made of: the steps from one period to the other, which add up, the members, and whether it is a change at all.
func drivers(a session.FileArtifact, name string, o Choice) (*Box, error) {
	var d session.DriverAnalysis
	if err := decode(a.Body, &d); err != nil {
		return nil, err
	}
	if d.LeftOut || o.Frames == session.FramesNone {
		return &Box{Title: a.Title, Blocks: leftOut()}, nil
	}
	c := frameql.Column{Name: d.Metric, Label: d.Label, Type: "decimal", Unit: d.Unit, Format: d.Format, Role: frameql.RoleMetric}
	figure := func(v any) string { return withUnit(frameview.Figure(v, c), c) }
	box := &Box{Title: a.Title}
	box.Blocks = append(box.Blocks, Block{Reading: &Reading{Text: text.Say("window.drivers.change", "metric", d.Label, "from", figure(d.Baseline.Value), "baseline", d.Baseline.Label,
		"to", figure(d.Current.Value), "current", d.Current.Label)}})
	if missing := unaccounted(d); missing != nil {
		box.Blocks = append(box.Blocks, Block{Notes: []Note{{"caution", text.Say("window.drivers.missing", "amount", figure(exactText(missing)))}}})
	}
	box.Blocks = append(box.Blocks, Block{Table: fall(d, c, name+"-s")})
	box.Blocks = append(box.Blocks, Block{Notes: []Note{{"info", text.Say("window.drivers.coverage", "share", shareWords(d.Coverage)) + " " +
		text.Count("window.drivers.tested", int64(d.Tested), "n", frameview.Grouped(int64(d.Tested)))}}})
	if len(d.Tree) > 0 {
		box.Blocks = append(box.Blocks, Block{Lines: &Lines{Title: text.Say("window.drivers.tree"), Lines: branches(d.Tree, d.Better, figure, 0, nil)}})
	}
	var against, checks []Line
	for _, s := range d.Against {
		against = append(against, Line{Label: s.Label, Text: signed(figure(s.Amount), signOf(s.Amount))})
	}
	for _, x := range d.Checks {
		checks = append(checks, Line{Label: statusWords(x.Status), Text: x.Text, Status: statusOf(x.Status)})
	}
	for _, part := range []struct {
		key   string
		lines []Line
	}{{"window.drivers.against", against}, {"window.drivers.checks", checks}} {
		if len(part.lines) > 0 {
			box.Blocks = append(box.Blocks, Block{Lines: &Lines{Title: text.Say(part.key), Lines: part.lines}})
		}
	}
	box.Blocks = append(box.Blocks, Block{Notes: []Note{{"info", text.Say("window.drivers.not_cause")}}})
	return box, nil
}

func signOf(v any) int {
	r, ok := frameview.Number(v)
	if !ok {
		return 0
	}
	return r.Sign()
}

// unaccounted is what the steps leave of the change; nil: they add up, but for what binary fractions leave behind.
func unaccounted(d session.DriverAnalysis) *big.Rat {
	from, known := frameview.Number(d.Baseline.Value)
	to, also := frameview.Number(d.Current.Value)
	if !known || !also {
		return nil
	}
	left := new(big.Rat).Sub(to, from)
	for _, s := range d.Steps {
		if r, ok := frameview.Number(s.Amount); ok {
			left.Sub(left, r)
		}
	}
	size := new(big.Rat).Abs(from)
	if other := new(big.Rat).Abs(to); other.Cmp(size) > 0 {
		size = other
	}
	if new(big.Rat).Abs(left).Cmp(size.Mul(size, big.NewRat(1, 1_000_000_000))) <= 0 {
		return nil
	}
	return left
}

// fall is the waterfall as a table: where the number stood, each step, where it stands.
func fall(d session.DriverAnalysis, c frameql.Column, name string) *Table {
	t := &Table{ID: name, Title: text.Say("window.drivers.waterfall"), Held: len(d.Steps) + 2, Shown: mostRows + 2, plain: true, Columns: []Column{
		{Label: text.Say("window.drivers.member"), Names: true}, {Label: d.Label, Unit: columnOf(c).Unit, Numbers: true},
	}}
	end := func(p session.DriverPeriod) Row {
		return Row{Mark: "total", Cells: []Cell{{Text: p.Label}, {Text: frameview.Figure(p.Value, c), Exact: plainNumber(p.Value)}}}
	}
	t.Rows = append(t.Rows, end(d.Baseline))
	for _, s := range d.Steps[:min(len(d.Steps), mostRows)] {
		sign := signOf(s.Amount)
		label := s.Label
		if words := typeWords(s.Type); words != "" {
			label = text.Say("report.driver_of", "label", label, "type", words)
		}
		if s.Standing == "noise" {
			label = text.Say("report.driver_of", "label", label, "type", text.Say("window.drivers.noise"))
		}
		row := Row{Cells: []Cell{{Text: label}, {Text: signed(frameview.Figure(s.Amount, c), sign), Exact: plainNumber(s.Amount), Tone: senseOf(sign, d.Better)}}}
		if s.Type == "rest" {
			row.Mark = "other"
		}
		t.Rows = append(t.Rows, row)
	}
	t.Rows = append(t.Rows, end(d.Current))
	return t
}

func typeWords(kind string) string {
	switch kind {
	case "factor", "mix", "rate", "entered", "left":
		return text.Say("window.drivers." + kind)
	}
	return ""
}

// branches writes the members of a tree one below the other.
func branches(nodes []session.DriverNode, better string, figure func(any) string, deep int, lines []Line) []Line {
	for _, n := range nodes {
		if len(lines) >= mostRows || deep > 8 {
			return lines
		}
		words := text.Say("report.driver_moved", "from", figure(n.Baseline), "to", figure(n.Current), "change", signed(figure(n.Change), signOf(n.Change)))
		if n.By != "" {
			words += ", " + text.Say("window.drivers.by", "by", n.By)
		}
		lines = append(lines, Line{Label: n.Label, Text: words, Deep: deep})
		lines = branches(n.Children, better, figure, deep+1, lines)
	}
	return lines
}
