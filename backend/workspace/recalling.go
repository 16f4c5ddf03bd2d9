package workspace

import (
	"cmp"
	"context"
	"slices"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/mind"
	"assay/backend/retrieval"
	"assay/backend/rules"
	"assay/backend/session"
)

// examples gives the verified queries whose questions are most like one, among those that the actor may find and that still resolve. It is analyst.Deps.Examples.
func (w *Workspace) examples(ctx context.Context, actor rules.Actor, question string, most int) []mind.Example {
	all := w.golden.Load()
	if all == nil {
		return nil
	}
	viewers := []string{actor.ID}
	if w.Rules().Whitelist(actor).Everything() {
		viewers = append(viewers, declared)
	}
	found, err := alikeIn(ctx, all.vectors, viewers, question, most)
	if chosen, _ := w.likeness.chosen(ctx); err == nil && len(found) > 0 && chosen != nil {
		there, err := alikeIn(ctx, chosen.vectors, viewers, question, most)
		if err == nil {
			found = there
		} else {
			w.likeness.failed(ctx, chosen, err)
		}
	}
	if err != nil {
		return nil // a question is answered without examples
	}
	slices.SortStableFunc(found, func(a, b retrieval.Match) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.ID, b.ID))
	})
	env := w.knownTo(actor).Env(w.opts.Now(), w.opts.MaxRows)
	var out []mind.Example
	for _, f := range found {
		query, err := frameql.Parse(all.queries[f.ID])
		if err != nil || frameql.Try(query, env) == nil || len(out) == most {
			continue
		}
		out = append(out, mind.Example{Question: all.questions[f.ID], FrameQL: query.String()})
	}
	return out
}

// alikeIn gives the golden queries of some owners that are most like a question, by the vectors of one embedder: up to most of each.
func alikeIn(ctx context.Context, vectors *retrieval.Store, viewers []string, question string, most int) (found []retrieval.Match, err error) {
	for _, viewer := range viewers {
		near, err := vectors.Nearest(ctx, retrieval.Query{Kind: retrieval.Golden, Viewer: viewer, Question: question}, most)
		if err != nil {
			return nil, err
		}
		found = append(found, near...)
	}
	return found, nil
}

// artifactOf gives an artifact of a session; false: the session has none of this id, and whoever asks learns nothing of others. It is analyst.Deps.Artifact.
func (w *Workspace) artifactOf(ctx context.Context, _ rules.Actor, sessionID, id string) (session.Artifact, bool, error) {
	document, err := w.memory.Session(ctx, sessionID)
	if fault.CodeOf(err) == fault.NotFound {
		return session.Artifact{}, false, nil
	}
	if err != nil {
		return session.Artifact{}, false, err
	}
	for _, t := range document.Turns {
		for _, a := range t.Artifacts {
			if a.ID == id {
				return a, true, nil
			}
		}
	}
	return session.Artifact{}, false, nil
}
