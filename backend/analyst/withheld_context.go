package analyst

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/backend/frameql"
	"assay/backend/mind"
	"assay/backend/session"
)

// withhold gives what of the data a model does not get to see in this request: every value, or those of personal columns. What
// one model of the request must not see, no other one sees from then on. Where the conversation cannot be read, nothing before
// the question counts as typed.
func (r *run) withhold(ctx context.Context, every bool) *withheld {
	if r.held != nil {
		r.held.every = r.held.every || every
		return r.held
	}
	turns, err := r.a.deps.Memory.Conversation(ctx, r.answer.SessionID, r.place)
	if err != nil {
		turns = nil
	}
	offered, shown := map[string]bool{}, map[string]bool{}
	typed := []string{r.req.Memo}
	for _, t := range turns {
		if t.Given == nil || t.Given.As == session.AsQuestion {
			if wroteIt(t.Question, offered) {
				typed = append(typed, t.Question)
			}
		}
		var left said
		if json.Unmarshal(t.Said, &left) != nil {
			continue
		}
		for _, question := range left.Offered {
			offered[flat(question)] = true
		}
		for _, c := range left.Choices {
			offered[flat(c.Question)], offered[flat(c.Label)], offered[flat(c.Value)] = true, true, true
		}
		if shown[left.Number] = true; left.Members != nil && left.Members.Numbers {
			for _, v := range left.Members.Values {
				shown[v] = true
			}
		}
	}
	own := r.req.Question != "" && wroteIt(r.req.Question, offered)
	if own {
		typed = append(typed, r.req.Question)
	}
	r.held = newWithheld(every, r.desk().Quiet, strings.Join(typed, "\n"), shown)
	r.held.own = own
	return r.held
}

// flat is a question without what its writing may differ in.
func flat(question string) string {
	return strings.ToLower(strings.Join(strings.Fields(question), " "))
}

// wroteIt says whether a person wrote a question: the program did not offer it, and it is no query, which their clicks make.
func wroteIt(question string, offered map[string]bool) bool {
	if offered[flat(question)] {
		return false
	}
	_, err := frameql.Parse(question)
	return err != nil
}

// chosen stands for a question that a person chose among those that the program offered. It is for a mind, not for a person.
const chosen = "(chosen among what the program offered; the query stands beside it)"

// tiers takes out of what a model is told the values that stay.
func (w *withheld) tiers(t *mind.Tiers) {
	for i := range t.Turns {
		p := &t.Turns[i]
		p.Question, p.FrameQL = w.question(p.Question), w.query(p.FrameQL)
	}
	for i := range t.Agreed {
		t.Agreed[i].Means, t.Agreed[i].Says = w.memo(t.Agreed[i].Means), w.memo(t.Agreed[i].Says)
	}
	q := &t.Asked
	q.Taught = slices.Clone(q.Taught)
	for i := range q.Taught {
		q.Taught[i].Means = w.memo(q.Taught[i].Means)
	}
	if !w.own {
		q.Question = w.question(q.Question)
	}
	q.Reader.FrameQL = w.query(q.Reader.FrameQL)
	for i := range q.Reader.Read {
		read := &q.Reader.Read[i]
		read.As = w.target(read.As)
		if !strings.Contains(w.typed, read.Text) {
			read.Text = ""
		}
	}
	q.Reader.Choices = slices.Clone(q.Reader.Choices)
	for i, c := range q.Reader.Choices {
		q.Reader.Choices[i] = w.query(c)
	}
	q.Reader.Unread = slices.DeleteFunc(slices.Clone(q.Reader.Unread), func(s string) bool { return !strings.Contains(w.typed, s) })
	q.Examples = w.examples(q.Examples)
}

// question is a question of the conversation: as it was typed, or what stands in its place.
func (w *withheld) question(q string) string {
	if strings.Contains(w.typed, q) {
		return q
	}
	if _, err := frameql.Parse(q); err == nil {
		return w.query(q)
	}
	return chosen
}

// besideASign is a text in quotes behind a sign of comparison, as a meaning has it. An apostrophe is none.
var besideASign = regexp.MustCompile(`(?i)(=|>|<|\(|,|\blike|\bin|\bis|\bcontains|\bwith)\s*'(?:[^'\n]|'')*'`)

// memo is what somebody taught, with stand-ins for the values that a query of theirs names.
func (w *withheld) memo(s string) string {
	return besideASign.ReplaceAllStringFunc(s, func(part string) string { return w.quoted("", part) })
}

// examples are verified questions of whomever. One goes with stand-ins in its question and in its query, and does not go where a value of the query stands otherwise in its words.
func (w *withheld) examples(all []mind.Example) []mind.Example {
	kept := make([]mind.Example, 0, len(all))
	for _, e := range all {
		q, err := frameql.Parse(e.FrameQL)
		if err != nil {
			continue
		}
		whole := true
		q.EachValue(func(dimension string, v *frameql.Value) {
			if !w.stays(dimension, *v) {
				return
			}
			said := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(v.Text))
			whole = whole && said.MatchString(e.Question)
			stand := w.standIn(*v)
			e.Question = said.ReplaceAllLiteralString(e.Question, stand)
			*v = frameql.Value{Kind: frameql.String, Text: stand}
		})
		if e.FrameQL = q.String(); whole {
			kept = append(kept, e)
		}
	}
	return kept
}

// mostRecalledFrames bounds how many artifacts of a turn are looked through for its frames.
const mostRecalledFrames = 64

// learnTurn makes known which personal values the frames of a turn show, before an artifact of it goes to a model elsewhere: its texts may name them.
func (r *run) learnTurn(ctx context.Context, id string) {
	at := strings.LastIndexByte(id, '_')
	if r.held == nil || at < 0 {
		return
	}
	for i := range mostRecalledFrames {
		a, there, err := r.a.deps.Artifact(ctx, r.actor, r.answer.SessionID, id[:at+1]+strconv.Itoa(i))
		if err != nil || !there {
			return
		}
		var f frameql.Frame
		if a.Kind == session.KindFrame && json.Unmarshal(a.Body, &f) == nil {
			r.held.learn(&f)
			r.held.query(f.FrameQL)
		}
	}
}
