package report

import (
	"math"
	"slices"

	"assay/backend/analyst"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// recommended is a statement that was written and not run, as the answer itself says it; nil: it ran, or an artifact says it.
func (r *Answer) recommended() *Box {
	a := r.answer
	if a.Outcome != analyst.OutcomeConfirm || a.Frame != nil || slices.ContainsFunc(r.made, func(m session.FileArtifact) bool { return m.Kind == session.KindRecommendation }) {
		return nil
	}
	advice := analyst.Recommendation{Reading: r.Title(), SQL: a.SQL, Cost: a.Plan}
	if a.Understood != nil {
		advice.FrameQL = a.Understood.FrameQL
	}
	if a.Risk != nil {
		advice.Reasons = slices.Clone(a.Risk.Reasons)
	}
	if a.Escalation != nil {
		advice.Reasons = append(advice.Reasons, a.Escalation.Reason)
	}
	return advised(advice, r.Title())
}

func recommendation(a session.FileArtifact, _ string, _ Choice) (*Box, error) {
	var advice analyst.Recommendation
	if err := decode(a.Body, &advice); err != nil {
		return nil, err
	}
	return advised(advice, a.Title), nil
}

func advised(advice analyst.Recommendation, title string) *Box {
	box := &Box{Title: title, Note: text.Say("window.recommendation.not_run")}
	if advice.Reading != "" && advice.Reading != title {
		box.Blocks = append(box.Blocks, Block{Reading: &Reading{Text: advice.Reading}})
	}
	if advice.Cost != nil {
		box.Blocks = append(box.Blocks, Block{Notes: []Note{{"info", costWords(advice.Cost)}}})
	}
	var lines []Line
	for i, reason := range advice.Reasons {
		if !slices.Contains(advice.Reasons[:i], reason) {
			lines = append(lines, Line{Text: reason})
		}
	}
	if len(lines) > 0 {
		box.Blocks = append(box.Blocks, Block{Lines: &Lines{Title: text.Say("window.waiting.why"), Lines: lines}})
	}
	if advice.FrameQL != "" {
		box.Blocks = append(box.Blocks, Block{Statement: statement(text.Say("window.provenance.frame_ql"), advice.FrameQL)})
	}
	if advice.SQL != "" {
		box.Blocks = append(box.Blocks, Block{Statement: statement(text.Say("window.waiting.sql"), advice.SQL)})
	}
	return box
}

// costWords say what a statement would take.
func costWords(c *analyst.PlanCost) string {
	return text.Count("cli.plan", c.Rows, "rows", frameview.Grouped(c.Rows), "mb", frameview.Figure(float64(c.Bytes)/1e6, plainFloat),
		"ms", frameview.Figure(math.Round(c.MS), plainFloat), "basis", c.Basis)
}
