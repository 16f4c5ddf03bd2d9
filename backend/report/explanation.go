package report

import (
	"strings"

	"assay/backend/analyst"
	"assay/backend/frameview"
	"assay/backend/text"
)

// explained is how a query would be computed: nothing was run.
func explained(e *analyst.Explanation, cost *analyst.PlanCost) []Block {
	var blocks []Block
	add := func(title string, lines ...Line) {
		if len(lines) > 0 {
			blocks = append(blocks, Block{Lines: &Lines{Title: title, Lines: lines}})
		}
	}
	if cost != nil {
		add(text.Say("window.explain.cost"), Line{Text: costWords(cost)})
	}
	if e.FrameQL != "" {
		blocks = append(blocks, Block{Statement: statement(text.Say("window.provenance.frame_ql"), e.FrameQL)})
	}
	var steps, rewrites, cache, operators []Line
	for _, s := range e.Steps {
		var parts []string
		for _, part := range []struct{ label, text string }{
			{text.Say("window.explain.as"), s.Name},
			{text.Say("window.explain.reads"), strings.Join(s.Inputs, ", ")},
			{text.Say("window.explain.by"), strings.Join(s.Keys, ", ")},
			{text.Say("window.explain.gives"), strings.Join(s.Values, ", ")},
		} {
			if part.text != "" {
				parts = append(parts, part.label+" "+part.text)
			}
		}
		words := s.Says
		if len(parts) > 0 {
			words = text.Say("report.step_note", "step", words, "note", strings.Join(parts, "; "))
		}
		steps = append(steps, Line{Label: s.Kind, Text: words})
	}
	for _, r := range e.Rewrites {
		key := "window.explain.left"
		if r.Applied {
			key = "window.explain.applied"
		}
		rewrites = append(rewrites, Line{Label: r.Name, Text: text.Say(key) + " " + r.Why})
	}
	for _, c := range e.Cache {
		name := c.Frame
		if name == "" {
			name = strings.Join(c.Tables, ", ")
		}
		cache = append(cache, Line{Label: name, Text: strings.TrimSpace(c.Reason + " " + strings.Join(c.Columns, ", "))})
	}
	for _, o := range e.Operators {
		line := Line{Label: strings.TrimSpace(o.Name + " " + o.Table), Text: strings.Join(o.Says, "; "), Deep: min(max(o.Depth, 0), 8)}
		if o.Rows >= 0 {
			line.Text = strings.TrimSpace(text.Count("window.explain.about", o.Rows, "n", frameview.Grouped(o.Rows)) + " " + line.Text)
		}
		operators = append(operators, line)
	}
	add(text.Say("window.explain.plan"), steps...)
	add(text.Say("window.explain.rewrites"), rewrites...)
	add(text.Say("window.explain.cache"), cache...)
	add(text.Say("window.explain.operators"), operators...)
	for _, l := range e.LeafFrames {
		add(text.Say("window.explain.part", "name", l.Name), Line{Text: l.Missing})
		blocks = append(blocks, Block{Statement: statement(l.Name, l.SQL)})
	}
	return append(blocks, Block{Statement: statement(text.Say("window.provenance.sql", "dialect", string(e.Dialect)), e.SQL)})
}
