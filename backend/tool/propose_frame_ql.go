package tool

import (
	"context"
	"strings"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/text"
)

type proposeArguments struct {
	Intent string `json:"intent_summary" doc:"What the person wants, in one plain sentence" most:"1000"`
}

type proposalBody struct {
	FrameQL       string        `json:"frame_ql"`
	Justification string        `json:"justification"`
	Resolves      bool          `json:"would_resolve"`
	Served        string        `json:"predicted_served_from,omitempty"`
	Confidence    float64       `json:"confidence"` // 0 to 1, calibrated
	Assumptions   []string      `json:"assumptions,omitempty"`
	Unread        []string      `json:"unread,omitempty"` // words that found no place
	Alternatives  []alternative `json:"alternatives,omitempty"`
	Note          string        `json:"note,omitempty"`
}

type alternative struct {
	Label   string `json:"label"`
	FrameQL string `json:"frame_ql"`
}

func proposeFrameQL() Tool {
	return define("propose_frame_ql", false, func(_ context.Context, d *Desk, a proposeArguments) (Result, error) {
		if d.Read == nil {
			return absent("propose_frame_ql")
		}
		res := d.Read(clean(a.Intent, 1000))
		best := res.Reading
		switch {
		case best != nil:
			return Result{Body: fitted(d.proposal(res), MostBytes, text.Say("tool.narrow_intent"))}, nil
		case res.Clarify != nil:
			p := &Problem{Kind: "would_refuse", RefusalKind: "AMBIGUOUS", Message: clean(res.Clarify.Question, longestText), Suggestion: text.Say("tool.ask_or_choose")}
			for _, o := range choices(res.Clarify) {
				p.Repairs = append(p.Repairs, o.FrameQL)
			}
			return problem(p)
		case res.Refusal != nil:
			p := &Problem{Kind: "would_refuse", RefusalKind: res.Refusal.Code, Message: clean(res.Refusal.Message, 2*longestText)}
			for _, repair := range res.Refusal.Repairs {
				if p.Suggestion == "" {
					p.Suggestion = clean(repair.Label, longestText)
				}
				p.Repairs = append(p.Repairs, repair.FrameQL)
			}
			return problem(p)
		default:
			return problem(&Problem{Kind: "would_refuse", RefusalKind: "NOT_READ", Message: text.Say("tool.not_read"), Suggestion: text.Say("tool.not_read_hint")})
		}
	})
}

func (d *Desk) proposal(res interpret.Result) *proposalBody {
	r := res.Reading
	b := &proposalBody{FrameQL: r.Query.String(), Resolves: true, Confidence: r.Confidence, Unread: names(r.Unread)}
	if d.Served != nil {
		b.Served = d.Served(r.Query)
	}
	var said []string
	for _, s := range r.Spans {
		said = append(said, clean(s.Text, 60)+" = "+clean(s.Target, 100))
	}
	b.Justification = clean(strings.Join(said, "; "), 2*longestText)
	for _, words := range r.Assumptions {
		b.Assumptions = append(b.Assumptions, clean(words, longestText))
	}
	if res.Clarify != nil {
		b.Alternatives = choices(res.Clarify)
		b.Note = clean(res.Clarify.Question, longestText)
	}
	return b
}

// choices gives the readings that a question back offers.
func choices(c *interpret.Clarification) (all []alternative) {
	offered := c.Options
	if c.BestGuess != nil {
		offered = append([]interpret.Choice{*c.BestGuess}, offered...)
	}
	for _, o := range offered {
		if q, err := frameql.Parse(o.Value); err == nil {
			all = append(all, alternative{clean(o.Label, longestCell), q.String()})
		}
	}
	return all
}
