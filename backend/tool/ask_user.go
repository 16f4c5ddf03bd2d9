package tool

import (
	"context"
	"strings"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/text"
)

type askUserArguments struct {
	Question string      `json:"question" doc:"One short question to the person" most:"300"`
	Options  []askOption `json:"options,omitempty" doc:"Answers to choose from" most:"4"`
}

type askOption struct {
	Label   string   `json:"label" doc:"What the person reads" most:"120"`
	FrameQL *written `json:"frame_ql,omitempty" doc:"The query that it stands for; without one the label is asked as a question"`
}

type askedBody struct {
	Status   string   `json:"status"`
	Question string   `json:"question"`
	Options  []string `json:"options"`
}

func askUser() Tool {
	return define("ask_user", true, func(_ context.Context, d *Desk, a askUserArguments) (Result, error) {
		asked := &Asked{Question: clean(a.Question, 300), Options: []interpret.Choice{}}
		b := askedBody{Status: "asked", Question: asked.Question, Options: []string{}}
		if asked.Question == "" {
			return problem(wrong("question", text.Say("tool.argument_missing", "field", "question")))
		}
		if p := addressed("question", asked.Question); p != nil {
			return problem(p)
		}
		for _, o := range a.Options {
			choice, p := d.choice(o)
			if p != nil {
				return problem(p)
			}
			asked.Options = append(asked.Options, choice)
			b.Options = append(b.Options, choice.Label)
		}
		return Result{Body: b, Ask: asked}, nil
	})
}

// choice makes of an option what can be asked when the person chooses it.
func (d *Desk) choice(o askOption) (interpret.Choice, *Problem) {
	c := interpret.Choice{Label: clean(o.Label, 120)}
	if p := addressed("options.label", c.Label); p != nil {
		return c, p
	}
	if c.Label == "" {
		return c, wrong("options.label", text.Say("tool.argument_missing", "field", "options.label"))
	}
	c.Question = c.Label
	if o.FrameQL == nil {
		if d.Read != nil {
			if r := d.Read(c.Label).Reading; r != nil {
				c.Value = r.Query.String()
			}
		}
		return c, nil
	}
	q, p := parsed(*o.FrameQL)
	if p != nil {
		return c, p
	}
	plan, refusals := frameql.Resolve(q, d.Env)
	if len(refusals) > 0 {
		return c, refused("would_refuse", q.String(), refusals)
	}
	c.Value = plan.Query.String()
	c.Question = c.Value // a question that is written in Frame-QL is read as such
	return c, nil
}

// addressed is the problem of a text for the person that holds an address: nothing that a model read somewhere sends a person anywhere.
func addressed(field, s string) *Problem {
	low := strings.ToLower(s)
	for _, mark := range []string{"://", "www.", "mailto:", "javascript:", "]("} {
		if strings.Contains(low, mark) {
			return wrong(field, text.Say("tool.argument_address", "field", field))
		}
	}
	return nil
}
