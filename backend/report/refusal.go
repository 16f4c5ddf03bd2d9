package report

import (
	"strings"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/interpret"
	"assay/backend/text"
)

// refused says why there is no answer, and what would have one.
func refused(r *analyst.Refused) *Choices {
	c := &Choices{Text: r.Message, Code: r.Code}
	for _, other := range r.All {
		if other.Message != r.Message {
			c.More = append(c.More, other.Message)
		}
	}
	for _, repair := range r.Repairs {
		code, _ := codeOf(repair.FrameQL)
		c.Choices = append(c.Choices, Option{Label: repair.Label, Code: code})
	}
	if len(c.Choices) > 0 {
		c.Lead = text.Say("window.refusal.instead")
	}
	return c
}

// clarified is a question back, with the best guess first.
func clarified(q *interpret.Clarification) *Choices {
	c := &Choices{Text: q.Question}
	add := func(x interpret.Choice, note string) {
		if x.Returns != "" {
			note = strings.TrimSpace(note + " " + text.Say("window.clarification.returns", "returns", x.Returns))
		}
		code, _ := codeOf(x.Value)
		c.Choices = append(c.Choices, Option{Label: x.Label, Note: note, Code: code})
	}
	if q.BestGuess != nil {
		note := ""
		if q.GuessConfidence > 0 {
			note = text.Say("window.clarification.best", "share", shareWords(q.GuessConfidence))
		}
		add(*q.BestGuess, note)
	}
	for _, o := range q.Options {
		add(o, "")
	}
	return c
}

// shareWords is a share between 0 and 1 as a percentage.
func shareWords(share float64) string {
	return frameview.Figure(share, frameql.Column{Type: "float", Format: frameview.Percent})
}
