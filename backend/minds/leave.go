package minds

import (
	"assay/backend/text"
)

// Leaving says what would leave this machine if a mind were asked.
type Leaving struct {
	Mind    string `json:"mind"`
	Host    string `json:"host" doc:"Where it would go; empty: nowhere"`
	Local   bool   `json:"local" doc:"Nothing would leave"`
	Held    bool   `json:"held" doc:"The switch that nothing leaves keeps it from being asked"`
	Summary string `json:"summary"`
	Parts   []Part `json:"parts" nullable:"false"`
}

// Part is one kind of what would leave.
type Part struct {
	Kind  string `json:"kind" enum:"question,catalogue,memo,knowledge,conversation,example,rows,values,profile,statement"`
	Sent  bool   `json:"sent" doc:"It would be in a request; false: it stays"`
	Label string `json:"label"`
	Text  string `json:"text" doc:"What of it, and how it is masked"`
}

// Leaves says what would leave this machine for a mind, by what is chosen now. It asks nobody. Fault Invalid.
func (m *Minds) Leaves(mind string) (Leaving, error) {
	n, err := m.Name(mind)
	if err != nil {
		return Leaving{}, err
	}
	c := m.deps.Chosen()
	l := Leaving{Mind: n.String(), Local: c.Local(n), Parts: []Part{}}
	switch {
	case n.Provider == "":
		l.Summary = text.Say("minds.leaves_embedded")
		return l, nil
	case l.Local:
		l.Host, l.Summary = c.host(n), text.Say("minds.leaves_local", "host", c.host(n))
		return l, nil
	}
	rows := c.Rows == RowsMasked
	l.Host, l.Held = c.host(n), m.deps.LocalOnly()
	key := "minds.leaves_remote"
	if l.Held {
		key = "minds.leaves_held"
	}
	if l.Summary = text.Say(key, "host", l.Host, "when", text.Say("minds.leaves_to_plan")); rows {
		l.Summary = text.Say(key, "host", l.Host, "when", text.Say("minds.leaves_to_plan_and_tell"))
	}
	for _, kind := range []string{"question", "catalogue", "memo", "knowledge", "conversation", "example", "rows", "values", "profile", "statement"} {
		p := Part{Kind: kind, Sent: true, Label: text.Say("minds.leaving_" + kind)}
		switch kind {
		case "rows", "values", "profile", "statement":
			p.Sent = rows || kind == "statement"
			p.Text = text.Say("minds.leaving_" + kind + "_stay")
			if rows {
				p.Text = m.deps.Sizes.say("minds.leaving_" + kind + "_masked")
			}
		default:
			p.Text = m.deps.Sizes.say("minds.leaving_" + kind + "_text")
		}
		l.Parts = append(l.Parts, p)
	}
	return l, nil
}

// Sizes are how much of a kind goes at most at a time, so that what is said of it is what is done.
type Sizes struct {
	Given    int // rows of a result to plan with
	Narrated int // rows of an answer that is put into words, without its total
	Recalled int // rows of an earlier result that a model calls for
	Listed   int // values of a column that are all listed
	Examples int // verified questions
	Judged   int // pieces of shared knowledge that another one is compared with
}

func (z Sizes) say(key string) string {
	return text.Say(key, "given", z.Given, "narrated", z.Narrated, "recalled", z.Recalled, "listed", z.Listed, "examples", z.Examples, "judged", z.Judged)
}
