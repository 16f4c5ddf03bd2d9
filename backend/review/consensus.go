package review

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/interpret"
	"assay/backend/knowledge"
)

// Consider looks whether, with what a person taught, more senior people have said the same than the rules ask for: then it is put before the stewards. What is there already and says the
// same gets it as evidence. What was rejected or revoked stays so, whoever says it again, until a steward takes it up again. Nobody's answers change by it. It gives the id of the piece that says so now; empty: there is none.
func (b *Board) Consider(ctx context.Context, c knowledge.Correction) (string, error) {
	alike, likeness, err := b.alike(ctx, c)
	if err != nil || !slices.ContainsFunc(alike, func(o knowledge.Correction) bool { return o.ID == c.ID }) { // it was forgotten meanwhile
		return "", err
	}
	if b.personalIn(c.Term, c.Means) { // it stays with who taught it
		return "", nil
	}
	item, err := b.saidBefore(ctx, c)
	if err != nil {
		return "", err
	}
	if item != nil {
		if err := b.support(ctx, item, alike); err != nil || item.Status == knowledge.Rejected || item.Status == knowledge.Revoked {
			return "", err
		}
		return item.ID, nil
	}
	council, err := b.council(ctx, c.Author)
	if err != nil {
		return "", err
	}
	var others []knowledge.Corrected
	for _, o := range alike {
		others = append(others, knowledge.Corrected{ID: o.ID, Actor: o.Author, Domain: o.Domain})
	}
	agreement := knowledge.Agreement{
		MoreThan: council.MoreThan, Similarity: b.deps.Rules().Consensus.Similarity, Senior: council.Senior,
		Alike: func(_, o knowledge.Corrected) float64 { return likeness[o.ID] },
	}
	candidate, reached := agreement.Reached(knowledge.Corrected{ID: c.ID, Actor: c.Author, Domain: c.Domain}, others)
	if !reached {
		return "", nil
	}
	said := slices.DeleteFunc(alike, func(o knowledge.Correction) bool { return !slices.Contains(candidate.Corrections, o.ID) })
	fresh := b.itemOf(said)
	err = b.add(ctx, &fresh, "candidate", "")
	if fault.CodeOf(err) == fault.Conflict {
		return "", nil // another process was faster, or somebody had theirs forgotten: the next correction, or the next start, finds what is left
	}
	return fresh.ID, err
}

// ConsiderAll considers everything that was ever taught: what a process that ended early, or other rules, left undone.
func (b *Board) ConsiderAll(ctx context.Context) error {
	domains, err := b.deps.Memory.Domains(ctx)
	if err != nil {
		return err
	}
	for _, domain := range domains {
		all, err := b.deps.Memory.CorrectionsAbout(ctx, domain)
		if err != nil {
			return err
		}
		there, err := b.deps.Memory.ItemsAbout(ctx, domain, "")
		if err != nil {
			return err
		}
		for _, c := range b.often(all, there) {
			if _, err := b.Consider(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// personalIn says whether texts hold a personal value, which nothing shared may.
func (b *Board) personalIn(texts ...string) bool {
	return slices.ContainsFunc(texts, func(s string) bool { return b.deps.Mask(s) != s })
}

// often gives a correction of each term that enough people taught something of, whatever it is, or of which there is a piece of shared knowledge, one for each way of writing what it means.
func (b *Board) often(all []knowledge.Correction, there []knowledge.Item) []knowledge.Correction {
	k := b.deps.Whole()
	if k.Index == nil {
		return nil
	}
	authors, ways := map[string]map[string]bool{}, map[string]map[string]knowledge.Correction{}
	for _, c := range all {
		key := k.Index.KeyOf(c.Term)
		if authors[key] == nil {
			authors[key], ways[key] = map[string]bool{}, map[string]knowledge.Correction{}
		}
		authors[key][c.Author] = true
		if way := strings.ToLower(c.Means); ways[key][way].ID == "" {
			ways[key][way] = c
		}
	}
	shared := map[string]bool{}
	for _, i := range there {
		if i.Term != "" {
			shared[k.Index.KeyOf(i.Term)] = true
		}
	}
	var out []knowledge.Correction
	for _, key := range slices.Sorted(maps.Keys(ways)) {
		if len(authors[key]) <= b.deps.Rules().Consensus.MoreThan && !shared[key] {
			continue
		}
		for _, way := range slices.Sorted(maps.Keys(ways[key])) {
			out = append(out, ways[key][way])
		}
	}
	return out
}

// alike lists what anybody taught that says the same as a correction, or is more like it than the rules ask for, itself with it, the earliest first, and how much each is, by its id.
func (b *Board) alike(ctx context.Context, c knowledge.Correction) (alike []knowledge.Correction, likeness map[string]float64, err error) {
	all, err := b.deps.Memory.CorrectionsAbout(ctx, c.Domain)
	if err != nil {
		return nil, nil, err
	}
	k, now := b.deps.Whole(), b.deps.Env().Now
	if k.Index == nil {
		return nil, nil, nil
	}
	key, stated := k.Index.KeyOf(c.Term), k.State(c, now)
	likeness = map[string]float64{c.ID: 1}
	for _, o := range all {
		if o.ID != c.ID && k.Index.KeyOf(o.Term) == key {
			likeness[o.ID] = stated.Likeness(k.State(o, now))
		}
		if likeness[o.ID] > b.deps.Rules().Consensus.Similarity {
			alike = append(alike, o)
		}
	}
	return alike, likeness, nil
}

// saidBefore finds the shared knowledge that says the same as a correction, or, while nobody decided about it, is more like it than the rules ask for; nil: there is none. What somebody keeps personal is not looked at.
func (b *Board) saidBefore(ctx context.Context, c knowledge.Correction) (*knowledge.Item, error) {
	all, err := b.deps.Memory.ItemsAbout(ctx, c.Domain, "")
	if err != nil {
		return nil, err
	}
	k, now := b.deps.Whole(), b.deps.Env().Now
	if k.Index == nil {
		return nil, nil
	}
	key, stated := k.Index.KeyOf(c.Term), k.State(c, now)
	var near *knowledge.Item
	for _, i := range all {
		if i.Term == "" || i.Personal || i.Domain != c.Domain || i.At(b.deps.Now()) == knowledge.Expired || k.Index.KeyOf(i.Term) != key {
			continue
		}
		switch likeness := stated.Likeness(k.State(i.Teaches(), now)); {
		case likeness == 1:
			return &i, nil
		case near == nil && i.Status == knowledge.Pending && likeness > b.deps.Rules().Consensus.Similarity:
			near = &i
		}
	}
	return near, nil
}

// mostTries is how often evidence is added to an item that others change at the same time.
const mostTries = 8

// support adds corrections to the evidence of an item, each once, as it stands in the end: somebody may decide about it at the same time. One that is gone meanwhile gets none.
func (b *Board) support(ctx context.Context, i *knowledge.Item, said []knowledge.Correction) error {
	for try := 1; ; try++ {
		before := len(i.Evidence)
		for _, c := range said {
			if !slices.ContainsFunc(i.Evidence, func(e knowledge.Evidence) bool { return e.Correction == c.ID && !e.Answer }) {
				i.Evidence = append(i.Evidence, b.evidenceOf(c))
			}
		}
		if len(i.Evidence) == before || i.Personal {
			return nil
		}
		i.Contributor = cmp.Or(i.Contributor, said[0].Author)
		r, err := record("", kept{What: "evidence", Item: i.ID, Status: i.Status})
		if err != nil {
			return err
		}
		err = b.deps.Memory.ChangeItem(ctx, i, i.Changed, r)
		if code := fault.CodeOf(err); code != fault.Conflict || try == mostTries {
			if code == fault.NotFound {
				return nil
			}
			return err
		}
		now, err := b.deps.Memory.Item(ctx, i.ID)
		if fault.CodeOf(err) == fault.NotFound {
			return nil
		}
		if err != nil {
			return err
		}
		*i = now
	}
}

// itemOf makes what several people taught a piece of knowledge that nobody has decided about. The first gives it its words.
func (b *Board) itemOf(said []knowledge.Correction) knowledge.Item {
	first := said[0]
	i := knowledge.Item{
		Term: first.Term, Means: first.Means, Title: first.Term, Content: first.Term + " means " + first.Means, Category: first.Sort, Domain: first.Domain,
		Tags: []string{}, Entities: []string{}, Contributor: first.Author, Status: knowledge.Pending, History: []knowledge.Decision{},
	}
	i.Entities, i.Tags = b.about(first)
	for _, c := range said {
		i.Evidence = append(i.Evidence, b.evidenceOf(c))
	}
	return i
}

// about proposes what a correction is about: the entities that its meaning speaks of, and the domains and tags of these and of its metrics; both sorted.
func (b *Board) about(c knowledge.Correction) (entities, tags []string) {
	entities, tags = []string{}, []string{}
	k := b.deps.Whole()
	if k.Model == nil || k.Index == nil {
		return entities, tags
	}
	names := []string{c.Domain}
	if says, ok := k.Index.Compile(interpret.Correction{Term: c.Term, Means: c.Means}, nil, b.deps.Env()); ok {
		names = append(names, says.Speaks()...)
	}
	for _, name := range names {
		entity, _, _ := strings.Cut(name, ".")
		if m := k.Model.Metric(name); m != nil {
			entity, tags = m.Entity, append(tags, m.Tags...)
		}
		if e := k.Model.Entity(entity); e != nil {
			entities, tags = append(entities, e.Name), append(append(tags, e.Tags...), e.Domain)
		}
	}
	for _, list := range []*[]string{&entities, &tags} {
		slices.Sort(*list)
		*list = slices.DeleteFunc(slices.Compact(*list), func(s string) bool { return s == "" })
	}
	return entities, tags
}

// evidenceOf is what a correction says for a piece of knowledge. Others read its words, without personal values.
func (b *Board) evidenceOf(c knowledge.Correction) knowledge.Evidence {
	return knowledge.Evidence{Actor: c.Author, Detection: c.Detection, Quote: b.deps.Mask(cmp.Or(c.Quote, c.Term+" means "+c.Means)), Ref: c.RequestID, Correction: c.ID, At: c.Changed}
}
