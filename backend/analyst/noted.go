package analyst

import (
	"context"

	"assay/backend/knowledge"
	"assay/backend/rules"
)

// Remember keeps what was noted that a word means to a person, by a changed part of a reading or in a session that is over, or leaves it; nil: it is not kept. Faults: NotFound (nothing of theirs is
// called so), Unauthorized (the actor is no person), and those of Teach.
func (a *Analyst) Remember(ctx context.Context, id string, keep bool, actor string, caller rules.Caller) (*Taught, error) {
	who, err := a.person(actor, caller)
	if err != nil {
		return nil, err
	}
	c, err := a.deps.Memory.NotedMeaning(ctx, who.ID, id)
	if err != nil {
		return nil, err
	}
	if keep {
		return a.keepNoted(ctx, who, c)
	}
	return nil, a.deps.Memory.SettleMeaning(ctx, who.ID, id, false)
}

// keepNoted keeps what was noted as a correction of its own.
func (a *Analyst) keepNoted(ctx context.Context, who rules.Actor, noted knowledge.Correction) (*Taught, error) {
	id := noted.ID
	noted.ID = ""
	t, err := a.keep(ctx, who, noted)
	if err != nil {
		return nil, err
	}
	return t, a.deps.Memory.SettleMeaning(ctx, who.ID, id, true)
}

// Noted lists what was noted of a person who said nothing of it yet, the latest first. Fault Unauthorized.
func (a *Analyst) Noted(ctx context.Context, actor string, caller rules.Caller) ([]knowledge.Correction, error) {
	who, err := a.rules().Identify(actor, caller)
	if err != nil {
		return nil, err
	}
	return a.deps.Memory.OpenMeanings(ctx, who.ID)
}
