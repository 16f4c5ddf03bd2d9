package analyst

import (
	"context"
	"strings"
	"sync"

	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/llm"
	"assay/backend/mind"
	"assay/backend/session"
)

// writing is a model whose replies are kept for the step that asks it.
type writing struct {
	llm.Model
	mu      sync.Mutex
	replies []*llm.Response // nil: there was none
}

func (w *writing) Send(ctx context.Context, r llm.Request, hear func(llm.Chunk)) (llm.Response, error) {
	reply, err := w.Model.Send(ctx, r, hear)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.replies = append(w.replies, nil)
		return reply, err
	}
	w.replies = append(w.replies, &reply)
	return reply, nil
}

// keep writes into a step what was asked, by which prompts, and what came of it.
func (w *writing) keep(s *session.Step, prompts string, facts map[string]any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.Facts == nil {
		s.Facts = map[string]any{}
	}
	for k, v := range facts {
		s.Facts[k] = v
	}
	s.Facts["card"], s.Facts["prompts"] = w.Card(), prompts
	s.Facts["replies"] = append([]*llm.Response{}, w.replies...)
}

// writer gives the model that writes about a frame; nil: none does, or it is elsewhere and may see no rows.
func (r *run) writer(ctx context.Context, task llm.Task) *writing {
	if r.thinker == nil {
		return nil
	}
	model := r.thinker.Select(task)
	if model == nil || !model.Card().Local && r.thinker.Rows != RowsMasked && !r.thinker.Played {
		return nil
	}
	w := &writing{Model: r.asked(ctx, task)}
	if r.held != nil {
		r.held.learn(r.answer.Frame)
		r.held.query(r.answer.Frame.FrameQL)
	}
	return w
}

// narration says the frame in words: a model's, where one is to write and every number and claim of it holds, else those of the template.
func (r *run) narration(ctx context.Context, s *session.Step) (session.Narration, error) {
	a := r.answer
	scene := narrationScene{Plan: r.plan, Frame: a.Frame, Reading: r.words, Grade: gradeClause(a.Verification), Question: r.question, Mask: r.maskCount, Style: style{r.wants(knowledge.Length), r.wants(knowledge.Tone)}}
	w := r.writer(ctx, llm.Narration)
	if w == nil {
		n, _ := narrateBy(ctx, nil, scene)
		r.followedStyle(s, n, scene)
		return n, nil
	}
	memos, err := r.memos()
	if err != nil {
		return session.Narration{}, err
	}
	scene.Memos = memos
	scene.Draft = func(n session.Narration) {
		r.emit(Event{RequestID: r.answer.RequestID, SessionID: r.answer.SessionID, Draft: &n})
	}
	n, came := narrateBy(ctx, w, scene)
	if came.Asked > 0 {
		r.prompts = r.a.prompts.Version
		w.keep(s, r.prompts, came.facts())
		s.Note, r.wrote = came.note(), came
	}
	r.followedStyle(s, n, scene)
	return n, ctx.Err()
}

// followedStyle notes that a narration is as long as its person prefers, and in the tone, where it would read otherwise without that.
func (r *run) followedStyle(s *session.Step, n session.Narration, scene narrationScene) {
	differs := func(without style) bool {
		return without.told() != scene.Style.told() && n.Text != narrateIn(without, scene.Plan, scene.Frame, scene.Reading, scene.Grade).Text
	}
	if differs(style{Tone: scene.Style.Tone}) {
		r.followed(s, knowledge.Length)
	}
	if differs(style{Length: scene.Style.Length}) {
		r.followed(s, knowledge.Tone)
	}
}

// further gives the follow-ups of the program, and those of a model, where one is to write, that the reader understands whole.
func (r *run) further(ctx context.Context, s *session.Step) []session.Followup {
	offered := r.followups(ctx)
	w := r.writer(ctx, llm.Followups)
	if w == nil {
		return offered
	}
	catalogue, _ := mind.Catalogue(r.knowledge.Model)
	taken, came := followupsBy(ctx, w, followupScene{
		Plan: r.plan, Frame: r.answer.Frame, Question: r.question, Catalogue: catalogue, Offered: offered, Mask: r.maskCount,
		Read: func(question string) (canonical, title string, ok bool) {
			result := r.knowledge.Index.Read(interpret.Request{Question: question, Env: r.env, NowFromData: r.fromData, Asked: r.stored.Asked, Corrections: meant(r.known)})
			if !certain(result) || result.Reading.Plan == nil {
				return "", "", false
			}
			return result.Reading.Query.String(), ReadingWords(result.Reading.Plan, r.knowledge.Model), true
		},
	})
	if came.Asked > 0 {
		r.prompts = r.a.prompts.Version
		w.keep(s, r.prompts, map[string]any{"dropped": came.Dropped})
	}
	return append(offered, taken...)
}

// maskCount takes personal values out of a text, and says how many texts had some.
func (r *run) maskCount(s string) (string, int) {
	safe := s
	if r.held != nil { // before a pattern takes a part of one
		safe = r.held.leaving(safe)
	}
	if r.a.deps.Mask != nil && strings.TrimSpace(safe) != "" {
		safe = r.a.deps.Mask(safe)
	}
	if safe != s {
		return safe, 1
	}
	return s, 0
}
