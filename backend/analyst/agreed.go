package analyst

import (
	"context"
	"slices"

	"assay/backend/knowledge"
	"assay/backend/rules"
)

// agreed are the meanings that were decided for everybody whom they reach: those of the context files, and those that a steward approved and that the files do not say yet. Of two for
// one term the one that was decided later holds.
func (a *Analyst) agreed(ctx context.Context, k Knowledge, actor rules.Actor) ([]Remembered, error) {
	var all []Remembered
	hold := func(r Remembered) {
		all = slices.DeleteFunc(all, func(o Remembered) bool { return knowledge.Key(o.Term) == knowledge.Key(r.Term) })
		all = append(all, r)
	}
	if k.Model != nil {
		for _, t := range k.Model.Terms {
			hold(Remembered{ID: "term:" + t.Name, Term: t.Term, Means: t.Means, Agreed: true, SelfReviewed: t.SelfReviewed})
		}
	}
	items, err := a.deps.Memory.Items(ctx, knowledge.Approved, knowledge.Mandatory)
	if err != nil {
		return nil, err
	}
	now, viewer := a.deps.Now(), knowledge.Viewer{Actor: actor.ID, Groups: actor.Groups}
	for _, i := range slices.Backward(items) { // the latest comes first
		if i.Term != "" && i.Merged == nil && i.Counts(now) && i.Visible(viewer, now) {
			hold(Remembered{ID: i.ID, Term: i.Term, Means: i.Means, Agreed: true, SelfReviewed: i.SelfReviewed})
		}
	}
	return all, nil
}

// selfReviewed says whether the answer was read with a meaning that its only author approved.
func (r *run) selfReviewed() bool {
	return slices.ContainsFunc(r.answer.Remembered, func(c Remembered) bool { return c.SelfReviewed })
}
