package analyst

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/semantic"
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
	item    knowledge.Item // that it is, or that brought it into the context files; its zero: the files alone say it
	decided time.Time      // of what the files say: when they came to say it, where that is later
	file    bool           // a context file says it
	overrun bool           // the files say it although it was decided otherwise before
}

// holds says whether a meaning is somebody's to be answered with. What the files say reaches whom the piece that brought it reaches, and is gone where that was revoked since.
func (t agreedTerm) holds(v knowledge.Viewer, now time.Time) bool {
	return t.item.ID == "" || t.overrun || t.item.Counts(now) && t.item.Visible(v, now)
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
				if !term.holds(viewer, now) || slices.ContainsFunc(t.inPlaceOf[term.item.ID], func(other int) bool { return t.terms[other].holds(viewer, now) }) {
					continue
				}
				key := knowledge.Key(term.Term)
				if before, there := chosen[key]; there && (before.decided.After(term.decided) || before.file && before.decided.Equal(term.decided)) {
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
	since, err := m.SaidSince(ctx)
	if err != nil {
		return nil, err
	}
	made := &termIndex{first: map[string][]int{}, inPlaceOf: map[string][]int{}}
	merged := map[string][]knowledge.Item{}
	for _, i := range items {
		if i.Merged != nil {
			merged[knowledge.AsSaid(i.Term, i.Means)] = append(merged[knowledge.AsSaid(i.Term, i.Means)], i)
		}
	}
	for _, c := range k.Model.Terms {
		said := knowledge.AsSaid(c.Term, c.Means)
		made.add(fileTerm(c, merged[said], since[said]))
	}
	for _, i := range items {
		if i.Merged == nil {
			decided := lastOf(i, knowledge.Approve, knowledge.Order)
			made.add(agreedTerm{Remembered{ID: i.ID, Term: i.Term, Means: i.Means, Agreed: true, SelfReviewed: i.SelfReviewed, confidential: i.Sensitivity == knowledge.Confidential}, i, decided, false, false})
		}
	}
	for n, c := range made.terms {
		for _, word := range k.Index.FirstWords(c.Term) {
			made.first[word] = append(made.first[word], n)
		}
	}
	t.byModel[k.Model.Version] = made
	return made, nil
}

func (t *termIndex) add(term agreedTerm) {
	if other := term.item.Supersedes; other != "" {
		t.inPlaceOf[other] = append(t.inPlaceOf[other], len(t.terms))
	}
	t.terms = append(t.terms, term)
}

// fileTerm is what a context file says since a time, with that of the pieces of shared knowledge which say the same and were merged that was decided about last.
func fileTerm(c semantic.Term, merged []knowledge.Item, since time.Time) agreedTerm {
	t := agreedTerm{Remembered: Remembered{ID: "term:" + c.Name, Term: c.Term, Means: c.Means, Agreed: true, SelfReviewed: c.SelfReviewed || c.ApprovedBy == ""}, decided: since, file: true}
	settled := time.Time{}
	for _, i := range merged {
		if at := lastOf(i, knowledge.Approve, knowledge.Order, knowledge.Revoke, knowledge.Directed); t.item.ID == "" || at.After(settled) {
			t.item, settled = i, at
		}
	}
	if t.item.ID == "" {
		return t
	}
	if approved := lastOf(t.item, knowledge.Approve, knowledge.Order); approved.After(t.decided) {
		t.decided = approved
	}
	stands := t.item.Status == knowledge.Approved || t.item.Status == knowledge.Mandatory
	t.overrun = !stands && since.After(settled)
	t.confidential = stands && t.item.Sensitivity == knowledge.Confidential
	return t
}

// lastOf is when some verdict was given about a piece last; that it was made, where none was.
func lastOf(i knowledge.Item, verdicts ...knowledge.Verdict) time.Time {
	at := i.Created
	for _, d := range i.History {
		if slices.Contains(verdicts, d.Verdict) && d.At.After(at) {
			at = d.At
		}
	}
	return at
}

// selfReviewed says whether the answer was read with a meaning that its only author approved.
func (r *run) selfReviewed() bool {
	return slices.ContainsFunc(r.answer.Remembered, func(c Remembered) bool { return c.SelfReviewed })
}

// readByModel says whether the answer was read with a meaning that a model read out of words, and that their person has not confirmed.
func (r *run) readByModel() bool {
	return slices.ContainsFunc(r.answer.Remembered, func(c Remembered) bool { return c.ReadBy != "" })
}
