package workspace

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/retrieval"
	"assay/backend/rules"
	"assay/backend/text"
)

// What is found by what it is like.
const (
	mostFound   = 20
	leastAlike  = 0.2 // below it words have nothing in common but chance
	longestFind = 2000
	mostNamed   = 3 // things of the model that are looked for by what they are called, too
)

// TaughtFound is something that a person taught or prefers, or that is shared with them, and that is like some words, or about what they name.
type TaughtFound struct {
	Kind       string  `json:"kind" enum:"correction,preference,shared"`
	ID         string  `json:"id"`
	Term       string  `json:"term" doc:"The word that has a meaning, what of an answer a preference is about, or the title of what is shared"`
	Means      string  `json:"means" doc:"What it means, how an answer looks, or what is shared says"`
	Similarity float64 `json:"similarity" doc:"0 to 1"`
	Named      bool    `json:"named" doc:"It is about something of the model that the words name"`
	Used       bool    `json:"used" doc:"Answers of the session in view were read with it"`

	domain string // the entity that it is about
}

// finding is one search for what was taught.
type finding struct {
	who       rules.Actor
	known     analyst.Knowledge
	partly    bool // known is not all of the workspace
	words     string
	texts     []string // the words, and what the things that they name are called
	named     []string // things of the model that the words name
	used      []string // by id, in the session in view
	interests map[string]float64
}

// FindTaught gives what a person taught and prefers, and what is shared with them, that is most like some words or about what they name by its id or another name: the nearest first, where what was used in a
// session of theirs, and what they are interested in, goes before the rest; those that are equally near by kind and id. Each is read in the memory before it is given, and what is not theirs to see does not
// exist. session may be empty. Faults: Invalid (no words, too many), Unauthorized, and those of the memory.
func (w *Workspace) FindTaught(ctx context.Context, words, session, actor string, c rules.Caller) ([]TaughtFound, error) {
	who, err := w.Identify(actor, c)
	if err != nil {
		return nil, err
	}
	if words = strings.TrimSpace(words); words == "" || len(words) > longestFind {
		return nil, fault.New(fault.Invalid, "find what was taught", text.Say("workspace.find_nothing"), text.Say("workspace.find_nothing_hint", "most", longestFind))
	}
	f, err := w.findingFor(ctx, who, words, session)
	if err != nil {
		return nil, err
	}
	w.teaching.mu.Lock()
	defer w.teaching.mu.Unlock()
	own, err := w.ofPerson(ctx, who.ID)
	if err != nil {
		return nil, err
	}
	shared, err := w.ofAll(ctx)
	if err != nil {
		return nil, err
	}
	found, err := w.foundOwn(ctx, own, f)
	if err != nil {
		return nil, err
	}
	more, err := w.foundShared(ctx, shared, f)
	if err != nil {
		return nil, err
	}
	found = append(found, more...)
	score := map[string]float64{}
	for i, o := range found {
		found[i].Used = slices.Contains(f.used, o.ID)
		score[o.Kind+o.ID] = knowledge.Recall(o.Similarity, o.Named, found[i].Used, f.interests[o.domain])
	}
	slices.SortFunc(found, func(a, b TaughtFound) int {
		return cmp.Or(cmp.Compare(score[b.Kind+b.ID], score[a.Kind+a.ID]), strings.Compare(a.Kind, b.Kind), strings.Compare(a.ID, b.ID))
	})
	return found[:min(mostFound, len(found))], nil
}

func (w *Workspace) findingFor(ctx context.Context, who rules.Actor, words, session string) (finding, error) {
	f := finding{who: who, known: w.knownTo(who), partly: !w.Rules().Whitelist(who).Everything(), words: words, texts: []string{words}}
	if f.known.Index != nil {
		f.named = f.known.Index.NamesIn(words)
		for _, name := range f.named[:min(len(f.named), mostNamed)] {
			f.texts = append(f.texts, calledIn(f.known, name))
		}
	}
	var err error
	if session != "" {
		if f.used, err = w.memory.Used(ctx, who.ID, session); err != nil {
			return f, err
		}
	}
	f.interests, err = w.analyst.Interests(ctx, who)
	return f, err
}

// calledIn is what a thing of the model is called.
func calledIn(k analyst.Knowledge, name string) string {
	m := k.Model
	if x := m.Metric(name); x != nil && x.Label != "" {
		return x.Label
	}
	if e := m.Entity(name); e != nil && e.Label != "" {
		return e.Label
	}
	if d := m.Dimension(name); d != nil && d.Label != "" {
		return d.Label
	}
	return strings.ReplaceAll(name, "_", " ")
}

// lineage are the entities that an entity is a part or a kind of.
func (f finding) lineage(name string) []string {
	if f.known.Model == nil {
		return nil
	}
	return f.known.Model.Lineage(name)
}

// names says whether the words name something that is about some things of the model: one of them, the entity that one of them is of, or a part or a kind of one.
func (f finding) names(about []string) bool {
	return slices.ContainsFunc(f.named, func(name string) bool {
		return slices.ContainsFunc(about, func(o string) bool {
			return o == name || strings.HasPrefix(o, name+".") || slices.Contains(f.lineage(name), o)
		})
	})
}

// nearest gives what is most like any of the texts, each once. The texts are looked for at once.
func (f finding) nearest(ctx context.Context, s *retrieval.Store, q retrieval.Query, most int) ([]retrieval.Match, error) {
	near, errs := make([][]retrieval.Match, len(f.texts)), make([]error, len(f.texts))
	var looking sync.WaitGroup
	for n, words := range f.texts {
		q := q
		q.Question = words
		looking.Go(func() { near[n], errs[n] = s.Nearest(ctx, q, most) })
	}
	looking.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var all []retrieval.Match
	for _, m := range slices.Concat(near...) {
		if at := slices.IndexFunc(all, func(o retrieval.Match) bool { return o.ID == m.ID }); at >= 0 {
			all[at].Similarity = max(all[at].Similarity, m.Similarity)
		} else {
			all = append(all, m)
		}
	}
	return all, nil
}

// foundOwn looks among what a person taught and prefers. Preferences are few, and kept in no file.
func (w *Workspace) foundOwn(ctx context.Context, own *retrieval.Store, f finding) ([]TaughtFound, error) {
	found := []TaughtFound{}
	near, err := f.nearest(ctx, own, retrieval.Query{Kind: retrieval.Correction, Viewer: f.who.ID}, mostFound)
	if err != nil {
		return nil, err
	}
	all, err := w.memory.Corrections(ctx, f.who.ID)
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		o := TaughtFound{Kind: "correction", ID: c.ID, Term: c.Term, Means: c.Means, domain: c.Domain}
		if at := slices.IndexFunc(near, func(m retrieval.Match) bool { return m.ID == c.ID }); at >= 0 {
			o.Similarity = near[at].Similarity
		}
		o.Named = len(f.named) > 0 && f.names(f.speaks(c, w))
		if o.Named || o.Similarity >= leastAlike {
			found = append(found, o)
		}
	}
	looks, err := w.memory.Preferences(ctx, f.who.ID)
	if err != nil {
		return nil, err
	}
	var records []retrieval.Record
	for _, p := range looks {
		records = append(records, retrieval.Record{Kind: retrieval.Correction, ID: p.ID, Owner: f.who.ID, Question: p.Subject() + " " + p.Says() + " " + p.Quote})
	}
	few, _, err := retrieval.Open(ctx, retrieval.Options{Embedder: *w.builtIn.Load(), Records: records})
	if err != nil {
		return nil, err
	}
	if near, err = few.Nearest(ctx, retrieval.Query{Kind: retrieval.Correction, Viewer: f.who.ID, Question: f.words}, mostFound); err != nil {
		return nil, err
	}
	for _, m := range near {
		at := slices.IndexFunc(looks, func(p knowledge.Preference) bool { return p.ID == m.ID })
		if at >= 0 && m.Similarity >= leastAlike {
			found = append(found, TaughtFound{Kind: "preference", ID: m.ID, Term: looks[at].Subject(), Means: looks[at].Says(), Similarity: m.Similarity})
		}
	}
	return found, nil
}

// speaks are the things of the model that a correction speaks of.
func (f finding) speaks(c knowledge.Correction, w *Workspace) []string {
	says, ok := f.known.Index.Compile(interpret.Correction{Term: c.Term, Means: c.Means}, nil, f.known.Env(analyst.Anchor(f.known, w.opts.Now()), 0))
	if !ok {
		return nil
	}
	return says.Speaks()
}

func idsOf(all []retrieval.Match) []string {
	ids := make([]string, len(all))
	for n, m := range all {
		ids[n] = m.ID
	}
	return ids
}

// foundShared looks among what is shared. Each that is near is read and asked whether it reaches the person: where many do not, more are looked at.
func (w *Workspace) foundShared(ctx context.Context, shared *retrieval.Store, f finding) ([]TaughtFound, error) {
	now, viewer := w.opts.Now(), knowledge.Viewer{Actor: f.who.ID, Groups: f.who.Groups}
	for most := 2 * mostFound; ; most *= 8 {
		near, err := f.nearest(ctx, shared, retrieval.Query{Kind: retrieval.Memory}, most)
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(near, func(a, b retrieval.Match) int { return cmp.Compare(b.Similarity, a.Similarity) })
		found := []TaughtFound{}
		for some := range slices.Chunk(near, mostFound) {
			items, err := w.memory.ItemsOf(ctx, idsOf(some))
			if err != nil {
				return nil, err
			}
			for _, m := range some {
				if len(found) == mostFound || m.Similarity < leastAlike {
					return found, nil
				}
				item, there := items[m.ID]
				if !there || !item.Counts(now) || !item.Visible(viewer, now) || f.partly && !(f.known.HasAll(item) && f.known.Understands(item, f.known.Env(analyst.Anchor(f.known, now), 0))) {
					continue
				}
				o := TaughtFound{Kind: "shared", ID: item.ID, Term: cmp.Or(item.Term, item.Title), Means: cmp.Or(item.Means, item.Content), Similarity: m.Similarity, domain: item.Domain}
				o.Named = len(f.named) > 0 && (f.names(append([]string{item.Domain}, item.Entities...)) || item.Term != "" && f.names(f.speaks(item.Teaches(), w)))
				found = append(found, o)
			}
		}
		if len(near) < most {
			return found, nil
		}
	}
}
