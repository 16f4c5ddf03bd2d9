package workspace

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/retrieval"
	"assay/backend/risk"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/text"
)

// learnedName is the name under which the memory keeps what was learned about the weights.
const learnedName = "risk.history"

// recall brings back what the memory holds: the settings of the person, golden queries, and the weights of the factors of an error.
func (w *Workspace) recall(ctx context.Context) error {
	if err := w.recallSettings(ctx); err != nil {
		return err
	}
	var history risk.History
	found, err := w.memory.Kept(ctx, learnedName, &history)
	if err == nil && found {
		err = history.Check()
	}
	if err != nil {
		return err
	}
	w.learned.Store(&history)
	if err := w.takeOutUnbound(ctx); err != nil {
		return err
	}
	w.placeLater()
	if err := w.reviewing.board.Recognise(ctx, w.whole().Model.Terms); err != nil {
		return err
	}
	goldens, err := w.memory.Goldens(ctx)
	if err != nil {
		return err
	}
	var records []retrieval.Record
	questions, queries := map[string]string{}, map[string]string{}
	for _, g := range goldens {
		records = append(records, goldenRecord(g))
		questions[g.ID], queries[g.ID] = g.Question, g.FrameQL
	}
	for _, g := range w.whole().Model.Golden {
		r := retrieval.Record{Kind: retrieval.Golden, ID: declared + "_" + g.Name, Owner: declared, Question: g.Question, FrameQL: g.FrameQL}
		records = append(records, r)
		questions[r.ID], queries[r.ID] = g.Question, g.FrameQL
	}
	var names [][]string
	if w.Rules().HidesNothing() { // else what is near would say that something hidden has a name
		names = namesOf(w.whole().Model)
	}
	by := retrieval.BuiltIn(names...)
	w.builtIn.Store(&by)
	vectors, _, err := retrieval.Open(ctx, retrieval.Options{Embedder: by, Path: filepath.Join(w.dir, ".assay", "recall.vectors"), Records: records})
	if err != nil {
		return err
	}
	w.golden.Store(&recalled{vectors, records, questions, queries})
	return nil
}

// namesOf are the names of the things of a model that have several, by which texts are read that speak of them.
func namesOf(m *semantic.Model) (all [][]string) {
	put := func(name, label string, synonyms []string) {
		if len(synonyms) > 0 {
			all = append(all, append([]string{cmp.Or(label, name)}, synonyms...))
		}
	}
	for i := range m.Metrics {
		put(m.Metrics[i].Name, m.Metrics[i].Label, m.Metrics[i].Synonyms)
	}
	for i := range m.Entities {
		e := &m.Entities[i]
		put(e.Name, e.Label, e.Synonyms)
		for j := range e.Dimensions {
			put(e.Dimensions[j].Name, e.Dimensions[j].Label, e.Dimensions[j].Synonyms)
		}
	}
	return all
}

// recalled is what can be found by what it is like. A change makes a new one.
type recalled struct {
	vectors   *retrieval.Store // of the embedder that is built in
	records   []retrieval.Record
	questions map[string]string // of golden queries, by ID
	queries   map[string]string // their Frame-QL, by ID
}

func goldenRecord(g memory.Golden) retrieval.Record {
	return retrieval.Record{Kind: retrieval.Golden, ID: g.ID, Owner: g.Owner, Question: g.Question, FrameQL: g.FrameQL}
}

// declared owns the golden queries of the context files, which whoever sees all of the workspace may find.
const declared = "declared"

// nearest is the golden query that is most like a question, among those that the actor may find: their own, and those of the
// context files when nothing of the workspace is kept from them.
func (w *Workspace) nearest(ctx context.Context, actor rules.Actor, question, frameQL string) risk.Nearest {
	all := w.golden.Load()
	if all == nil {
		return risk.Nearest{}
	}
	viewers := []string{actor.ID}
	if w.Rules().Whitelist(actor).Everything() {
		viewers = append(viewers, declared)
	}
	n, err := nearestIn(ctx, all, all.vectors, viewers, question, frameQL)
	if err != nil || n.Of == 0 {
		return n
	}
	chosen, why := w.likeness.chosen(ctx)
	if chosen != nil {
		var there risk.Nearest
		if there, err = nearestIn(ctx, all, chosen.vectors, viewers, question, frameQL); err == nil {
			there.Compared = text.Say("workspace.compared_by", "mind", chosen.name)
			return there
		}
		why = w.likeness.failed(ctx, chosen, err)
	}
	n.Compared = why
	return n
}

// nearestIn is nearest by the vectors of one embedder.
func nearestIn(ctx context.Context, all *recalled, vectors *retrieval.Store, viewers []string, question, frameQL string) (n risk.Nearest, err error) {
	for _, viewer := range viewers {
		n.Of += vectors.Count(retrieval.Golden, viewer)
		best, ok, err := vectors.Best(ctx, retrieval.Query{Kind: retrieval.Golden, Viewer: viewer, Question: question, FrameQL: frameQL})
		if err != nil {
			return n, err
		}
		if ok && best.Similarity >= n.Similarity {
			n.Similarity, n.Question = best.Similarity, all.questions[best.ID]
		}
	}
	return n, nil
}

// KeepGolden makes a golden query of an answer that its person has accepted with a word. Nothing becomes one because it ran, or
// because time went by. It is the person's own: what is everyone's is decided by a steward.
//
// Faults: NotFound, Unauthorized (it is somebody else's), Conflict (it was not accepted with a word).
func (w *Workspace) KeepGolden(ctx context.Context, requestID, actor string, c rules.Caller) (memory.Golden, error) {
	who, err := w.Identify(actor, c)
	if err != nil {
		return memory.Golden{}, err
	}
	s, err := w.memory.Standing(ctx, requestID)
	if err != nil {
		return memory.Golden{}, err
	}
	switch {
	case s.Actor != who.ID:
		return memory.Golden{}, fault.New(fault.Unauthorized, "keep golden query", text.Say("analyst.not_yours"), text.Say("analyst.not_yours_hint"))
	case s.Settled != analyst.OnAccepted || s.How != analyst.HowExplicit || s.FrameQL == "":
		return memory.Golden{}, fault.New(fault.Conflict, "keep golden query", text.Say("workspace.not_accepted"), text.Say("workspace.not_accepted_hint"))
	}
	g := memory.Golden{ID: "golden_" + requestID, Question: s.Question, FrameQL: s.FrameQL, Owner: who.ID, Model: w.Knowledge().Model.Version, RequestID: requestID}
	if err := w.memory.AddGolden(ctx, g); err != nil {
		return g, err
	}
	all := w.golden.Load()
	if err := all.vectors.Put(ctx, goldenRecord(g)); err != nil {
		return g, err
	}
	questions := maps.Clone(all.questions)
	queries := maps.Clone(all.queries)
	questions[g.ID], queries[g.ID] = g.Question, g.FrameQL
	records := append(slices.Clone(all.records), goldenRecord(g))
	w.golden.Store(&recalled{all.vectors, records, questions, queries})
	w.likeness.prepare()
	return g, all.vectors.Save()
}
