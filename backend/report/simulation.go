package report

import (
	"math"
	"strconv"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// simulation shows numbers that nobody observed, and says so in every place: the border, the stamp, the words.
func simulation(a session.FileArtifact, name string, o Choice) (*Box, error) {
	var s session.Simulation
	if err := decode(a.Body, &s); err != nil {
		return nil, err
	}
	box := &Box{Title: a.Title, Stamp: &Grade{Letters: "SIM", Label: text.Say("window.simulation.stamp"), Strike: "faint"}, Marked: true}
	box.Blocks = append(box.Blocks, Block{Notes: []Note{{"caution", text.Say("window.simulation.not_observed")}}})
	left := s.LeftOut || o.Frames == session.FramesNone
	if left {
		s.Outcomes, s.Levers, s.Assumptions = nil, nil, nil
	}
	if len(s.Outcomes) > 0 {
		box.Blocks = append(box.Blocks, Block{Table: outcomes(s.Outcomes, name+"-o")})
	}
	var levers, assumed []Line
	for _, l := range s.Levers {
		c := frameql.Column{Type: "float", Unit: l.Unit, Format: l.Format}
		levers = append(levers, Line{Label: l.Label, Text: text.Say("report.lever", "value", withUnit(frameview.Figure(l.Value, c), c), "baseline", withUnit(frameview.Figure(l.Baseline, c), c))})
	}
	for _, words := range s.Assumptions {
		assumed = append(assumed, Line{Text: words})
	}
	for _, part := range []struct {
		title string
		lines []Line
	}{{text.Say("window.simulation.levers"), levers}, {text.Say("window.simulation.assumptions"), assumed}, {text.Say("window.simulation.source"), []Line{{Text: s.Source.Label}}}} {
		if len(part.lines) > 0 {
			box.Blocks = append(box.Blocks, Block{Lines: &Lines{Title: part.title, Lines: part.lines}})
		}
	}
	if s.Source.FrameQL != "" {
		box.Blocks = append(box.Blocks, Block{Statement: statement(text.Say("window.provenance.frame_ql"), s.Source.FrameQL)})
	}
	switch {
	case left || s.Result != nil && rowless(s.Result):
		box.Blocks = append(box.Blocks, leftOut()...)
		return box, nil
	case s.Result == nil:
		return box, nil
	}
	if !whole(s.Result) {
		return nil, errOdd
	}
	box.Blocks = append(box.Blocks, Block{Table: tableOf(s.Result, name+"-r", a.Title, o.Rows, nil)})
	return box, nil
}

// outcomes sets what would be beside what was observed.
func outcomes(all []session.SimulatedOutcome, name string) *Table {
	numbers := func(key string) Column { return Column{Label: text.Say(key), Numbers: true} }
	t := &Table{ID: name, Title: text.Say("window.simulation.outcomes"), Held: len(all), Shown: mostRows, plain: true, Columns: []Column{
		{Label: text.Say("window.simulation.outcome"), Names: true, Texts: true}, numbers("window.simulation.observed"), numbers("window.simulation.simulated"), numbers("window.comparison.change"),
	}}
	for _, o := range all[:min(len(all), mostRows)] {
		c := frameql.Column{Type: "float", Unit: o.Unit, Format: o.Format}
		moved := o.Simulated - o.Observed
		sign := 0
		if moved != 0 && !math.IsNaN(moved) {
			sign = int(math.Copysign(1, moved))
		}
		t.Rows = append(t.Rows, Row{Cells: []Cell{
			{Text: o.Label},
			{Text: withUnit(frameview.Figure(o.Observed, c), c), Exact: exactFloat(o.Observed)},
			{Text: withUnit(frameview.Figure(o.Simulated, c), c), Exact: exactFloat(o.Simulated)},
			{Text: signed(withUnit(frameview.Figure(moved, c), c), sign), Tone: senseOf(sign, o.Better)},
		}})
	}
	return t
}

func exactFloat(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
