package analyst

import (
	"context"
	"strings"

	"assay/backend/interpret"
)

// Glance says what is understood of a question that is being written: as the next one of its session, or as another version of
// InsteadOf. It reads as Ask does and stores, looks up and runs nothing; values that are still being read are not waited for.
func (a *Analyst) Glance(ctx context.Context, req Request) ([]interpret.Mark, error) {
	req.Question = strings.ToValidUTF8(req.Question, "\uFFFD")
	actor, err := a.rules().Identify(req.Actor, req.Caller)
	if err != nil {
		return nil, err
	}
	question := a.Plain(req.Question)
	if question == "" { // it says only how to draw the answer before it
		question = strings.Repeat(" ", len(req.Question))
	}
	r := &run{
		a: a, req: req, question: question, actor: actor,
		stored: Stored{SessionID: req.SessionID, Question: req.Question, Actor: actor.ID, Asked: a.deps.Now(), InsteadOf: req.InsteadOf},
	}
	r.answer = blank(r.stored)
	r.answer.Understood = understoodNothing()
	if r.knowledge = a.deps.Knowledge(actor); r.knowledge.Model == nil || r.knowledge.Index == nil {
		return nil, nil
	}
	r.setClock()
	if err := r.recallMeanings(ctx, nil); err != nil {
		return nil, err
	}
	var history interpret.History
	if req.SessionID != "" {
		if req.InsteadOf != "" {
			if _, r.place, err = a.deps.Memory.Place(ctx, req.InsteadOf); err != nil {
				return nil, err
			}
		}
		if history, err = r.history(ctx); err != nil {
			return nil, err
		}
	}
	result := r.knowledge.Index.Read(interpret.Request{
		Question: question, Env: r.env, NowFromData: r.fromData, Asked: r.stored.Asked, History: history, Corrections: meant(r.recalled), Bare: true,
	})
	return result.Marks(req.Question, question), nil
}
