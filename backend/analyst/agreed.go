package analyst

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/backend/knowledge"
	"assay/backend/rules"
)

// agreedTerms holds what was decided for everybody, for each model that somebody sees. It is made anew when the memory changed, so that a question looks only at what it may ask for.
type agreedTerms struct {
	mu      sync.Mutex
	changes int64 // of the memory
	byModel map[string]*termIndex
}

// mostModels is how many models it is held for: there are as many as roles that see different tables.
const mostModels = 16

// termIndex finds terms by the words that they may begin with.
type termIndex struct {
	terms []agreedTerm
	first map[string][]int // word -> terms
	// inPlaceOf are the terms that stand in the place of a piece of shared knowledge, by its id.
	inPlaceOf map[string][]int
}

type agreedTerm struct {
	Remembered
	item    knowledge.Item // of a piece of shared knowledge; of a context file its zero
	decided time.Time
}

// agreed are the meanings that were decided for everybody whom they reach and that some texts may ask for, also by way of each other: those of the context files, and those that a steward approved and that the
// files do not say yet. Of two for one term the one that was decided later holds.
func (a *Analyst) agreed(ctx context.Context, k Knowledge, actor rules.Actor, texts []string) ([]Remembered, error) {
	if k.Index == nil {
		return nil, nil
	}
	t, err := a.terms.in(ctx, a.deps.Memory, k)
	if err != nil {
		return nil, err
	}
	now, viewer := a.deps.Now(), knowledge.Viewer{Actor: actor.ID, Groups: actor.Groups}
	chosen := map[string]agreedTerm{} // by what two ways to write a term have in common
	looked := map[string]bool{}
	for len(texts) > 0 {
		words := k.Index.WordsOf(texts[0])
		texts = texts[1:]
		for _, word := range words {
			if looked[word] {
				continue
			}
			looked[word] = true
			for _, at := range t.first[word] {
				term := t.terms[at]
				holds := func(at int) bool { return t.terms[at].item.Counts(now) && t.terms[at].item.Visible(viewer, now) }
				if term.item.ID != "" && (!holds(at) || slices.ContainsFunc(t.inPlaceOf[term.item.ID], holds)) {
					continue
				}
				key := knowledge.Key(term.Term)
				if before, there := chosen[key]; there && before.decided.After(term.decided) {
					continue
				}
				chosen[key] = term
				texts = append(texts, term.Means)
			}
		}
	}
	var all []Remembered
	for _, term := range chosen {
		all = append(all, term.Remembered)
	}
	slices.SortFunc(all, func(a, b Remembered) int { return strings.Compare(a.Term, b.Term) })
	return all, nil
}

// in gives the terms of a memory and a model.
func (t *agreedTerms) in(ctx context.Context, m Memory, k Knowledge) (*termIndex, error) {
	changes, err := m.ItemChanges(ctx)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if changes != t.changes || t.byModel == nil || len(t.byModel) >= mostModels && t.byModel[k.Model.Version] == nil {
		t.byModel = map[string]*termIndex{}
	}
	t.changes = changes
	if there := t.byModel[k.Model.Version]; there != nil {
		return there, nil
	}
	items, err := m.Agreed(ctx)
	if err != nil {
		return nil, err
	}
	made := &termIndex{first: map[string][]int{}, inPlaceOf: map[string][]int{}}
	for _, c := range k.Model.Terms {
		made.terms = append(made.terms, agreedTerm{Remembered: Remembered{ID: "term:" + c.Name, Term: c.Term, Means: c.Means, Agreed: true, SelfReviewed: c.SelfReviewed || c.ApprovedBy == ""}})
	}
	for _, i := range items {
		decided := i.Created
		for _, d := range i.History {
			decided = d.At
		}
		if i.Supersedes != "" {
			made.inPlaceOf[i.Supersedes] = append(made.inPlaceOf[i.Supersedes], len(made.terms))
		}
		made.terms = append(made.terms, agreedTerm{Remembered{ID: i.ID, Term: i.Term, Means: i.Means, Agreed: true, SelfReviewed: i.SelfReviewed, confidential: i.Sensitivity == knowledge.Confidential}, i, decided})
	}
	for n, c := range made.terms {
		for _, word := range k.Index.FirstWords(c.Term) {
			made.first[word] = append(made.first[word], n)
		}
	}
	t.byModel[k.Model.Version] = made
	return made, nil
}

// selfReviewed says whether the answer was read with a meaning that its only author approved.
func (r *run) selfReviewed() bool {
	return slices.ContainsFunc(r.answer.Remembered, func(c Remembered) bool { return c.SelfReviewed })
}

// readByModel says whether the answer was read with a meaning that a model read out of words, and that their person has not confirmed.
func (r *run) readByModel() bool {
	return slices.ContainsFunc(r.answer.Remembered, func(c Remembered) bool { return c.ReadBy != "" })
}
