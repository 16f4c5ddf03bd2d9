package analyst

import (
	"context"
	"encoding/json"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/session"
	"assay/backend/text"
)

// recorded gives the mind of a turn again: whatever it is asked for a task, its replies are those that the trace of the turn has of that task, in their order. nil: the
// trace has none.
func recorded(t session.Turn) *Thinker {
	tasks := map[llm.Task]*played{llm.Planning: {}, llm.Narration: {}, llm.Followups: {}}
	some := false
	for _, s := range t.Trace {
		p := tasks[taskOf(s.Name)]
		if several, there := s.Facts["replies"]; there {
			var replies []*llm.Response
			if decoded(several, &replies) != nil || decoded(s.Facts["card"], &p.card) != nil {
				return nil
			}
			p.replies, some = append(p.replies, replies...), some || len(replies) > 0
			continue
		}
		raw, there := s.Facts["reply"]
		if !there {
			if _, asked := s.Facts["failed"]; asked {
				p.replies, some = append(p.replies, nil), true
			}
			continue
		}
		var reply llm.Response
		if decoded(raw, &reply) != nil || decoded(s.Facts["card"], &p.card) != nil {
			return nil
		}
		p.replies, some = append(p.replies, &reply), true
	}
	if !some {
		return nil
	}
	return &Thinker{Name: t.MadeBy.Mind, Played: true, Select: func(task llm.Task) llm.Model {
		if p := tasks[task]; p != nil && (task == llm.Planning || len(p.replies) > 0) {
			return p
		}
		return nil // it was not asked for that then
	}}
}

// taskOf is what a model was asked for in a step.
func taskOf(step string) llm.Task {
	switch step {
	case "narrate":
		return llm.Narration
	case "followups":
		return llm.Followups
	}
	return llm.Planning
}

// decoded reads a fact of a trace, which is what JSON made of it once it was stored.
func decoded(fact, into any) error {
	raw, err := json.Marshal(fact)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// played is a language model whose replies are a recording. It is used by one request.
type played struct {
	card    llm.Card
	replies []*llm.Response // nil: there was none then
	next    int
}

func (p *played) Card() llm.Card { return p.card }

func (p *played) About(context.Context) (llm.Card, error) { return p.card, nil }

func (p *played) Send(_ context.Context, _ llm.Request, hear func(llm.Chunk)) (llm.Response, error) {
	if p.next >= len(p.replies) || p.replies[p.next] == nil {
		p.next++
		return llm.Response{}, fault.New(fault.Unavailable, "replay", text.Say("analyst.replay_no_reply"), text.Say("analyst.replay_no_reply_hint"))
	}
	reply := *p.replies[p.next]
	p.next++
	if hear != nil && reply.Text != "" {
		hear(llm.Chunk{Text: reply.Text})
	}
	return reply, nil
}
