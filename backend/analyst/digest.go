package analyst

import (
	"context"
	"slices"
	"sync"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/mind"
	"assay/backend/rules"
)

// A model is told what was agreed here beside the memos: what is mandatory, and of what was approved what is surest, newest and nearest to what its person works with. It is the same for all
// questions of a day while nothing is decided, so that a provider can keep it; what a question itself asks for goes with the question.

const (
	digestTokens = 1200                // of what a model is told so
	historyDays  = 90                  // over which a person's work counts for what is near to it
	mostHistory  = 2000                // answers of it, the latest
	mostWorks    = 64                  // people whose work is held
	runesToToken = 4                   // as everywhere here: an estimate
	leastNear    = 0.25                // how near something is that its person never asked about
	aboutAll     = (1 + leastNear) / 2 // and what is about no entity alone
)

// digests holds what is weighed of shared knowledge until that changes, and what people worked with until the day is over.
type digests struct {
	mu      sync.Mutex
	changes int64
	table   *rules.Rules
	weighed []*knowledge.Weighed // never changed in place: who has it reads on
	at      map[string]int       // where each is, by id
	works   map[string]Work      // actor and model
}

// digest is what the model is told of what was agreed; elsewhere: it does not run on this machine, and is not told what is confidential.
func (r *run) digest(ctx context.Context, elsewhere bool) ([]mind.Agreed, error) {
	all, err := r.a.weighed(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	work, err := r.a.work(ctx, r.actor, r.knowledge)
	if err != nil {
		return nil, err
	}
	m := r.knowledge.Model
	worked, most := map[string]int{}, 0
	for name, n := range work.Entities { // work with a part is work with its whole
		for _, e := range m.Lineage(name) {
			worked[e] += n
			most = max(most, worked[e])
		}
	}
	near := func(i knowledge.Item) float64 {
		switch {
		case !r.knowledge.HasAll(i), elsewhere && i.Sensitivity == knowledge.Confidential:
			return -1
		case i.Domain == "":
			return aboutAll
		case most == 0:
			return 1
		}
		return leastNear + (1-leastNear)*float64(worked[i.Domain])/float64(most)
	}
	size := func(i knowledge.Item) int { return len(toldOf(i).Line())/runesToToken + 1 }
	understood := func(i knowledge.Item) bool { return r.knowledge.Understands(i, r.env) } // who does not see what it speaks of is told nothing of it
	d := r.a.rules().Confidence.Digest(all, knowledge.Viewer{Actor: r.actor.ID, Groups: r.actor.Groups}, r.a.deps.Now(), near, digestTokens, size, understood)
	var told []mind.Agreed
	for _, i := range d.Items {
		told = append(told, toldOf(i))
	}
	return told, nil
}

// HasAll says whether all that a piece of shared knowledge is about is in the model.
func (k Knowledge) HasAll(i knowledge.Item) bool {
	return (i.Domain == "" || k.Model.Entity(i.Domain) != nil) && !slices.ContainsFunc(i.Entities, func(e string) bool { return k.Model.Entity(e) == nil })
}

// Understands says whether what a piece of shared knowledge says a word means has that meaning in the model, or whether it gives no word one.
func (k Knowledge) Understands(i knowledge.Item, env frameql.Env) bool {
	if i.Term == "" {
		return true
	}
	_, ok := k.Index.Compile(interpret.Correction{Term: i.Term, Means: i.Means}, nil, env)
	return ok
}

func toldOf(i knowledge.Item) mind.Agreed {
	a := mind.Agreed{Term: i.Term, Means: i.Means, Mandatory: i.Status == knowledge.Mandatory}
	if i.Term == "" {
		a.Says = i.Content
	}
	return a
}

// weighed is the shared knowledge that was decided, with what its evidence is worth.
func (a *Analyst) weighed(ctx context.Context) ([]*knowledge.Weighed, error) {
	d, now := &a.digests, a.rules()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.table != now || d.changes == 0 { // evidence may be worth more or less
		d.changes, d.weighed, d.at = 0, nil, map[string]int{}
	}
	new, err := a.deps.Memory.Decided(ctx, d.changes)
	if err != nil {
		return nil, err
	}
	if len(new.Items) > 0 || len(new.Gone) > 0 {
		d.weighed = slices.Clone(d.weighed)
	}
	steward := func(actor string) bool { _, role, _ := now.Of(actor); return role.Steward }
	for _, i := range new.Items {
		d.put(now.Confidence.Weigh(i, steward))
	}
	for _, id := range new.Gone {
		d.remove(id)
	}
	d.changes, d.table = new.Count, now
	return d.weighed, nil
}

// put adds a piece, or takes the place of the one that it was.
func (d *digests) put(w *knowledge.Weighed) {
	if at, there := d.at[w.Item.ID]; there {
		d.weighed[at] = w
		return
	}
	d.at[w.Item.ID] = len(d.weighed)
	d.weighed = append(d.weighed, w)
}

func (d *digests) remove(id string) {
	at, there := d.at[id]
	if !there {
		return
	}
	last := len(d.weighed) - 1
	d.weighed[at] = d.weighed[last]
	d.at[d.weighed[at].Item.ID] = at
	delete(d.at, id)
	d.weighed = d.weighed[:last]
}
