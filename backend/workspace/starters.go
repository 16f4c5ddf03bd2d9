package workspace

import (
	"context"
	"slices"

	"assay/backend/analyst"
	"assay/backend/interpret"
	"assay/backend/semantic"
	"assay/backend/text"
)

const startersShown = 4

// Starters are questions to begin with. Each was read and resolved before it is offered: those that the workspace names
// first, then some made from the model.
func (w *Workspace) Starters(ctx context.Context) []string { return w.StartersOn(ctx, []string{}) }

// StartersOn puts questions about some tables first: those that were imported a moment ago.
func (w *Workspace) StartersOn(_ context.Context, tables []string) []string {
	k := w.Knowledge()
	now := analyst.Anchor(k, w.opts.Now())
	chosen := []string{}
	taken := map[string]bool{}
	for _, question := range slices.Concat(proposals(k.Model, tables), k.Model.Workspace.Questions, proposals(k.Model, nil)) {
		if len(chosen) == startersShown {
			break
		}
		if taken[question] {
			continue
		}
		result := k.Index.Read(interpret.Request{
			Question: question, Asked: w.opts.Now(), NowFromData: true,
			Env: k.Env(now, w.opts.MaxRows),
		})
		if result.Reading == nil || result.Clarify != nil {
			continue
		}
		taken[question] = true
		chosen = append(chosen, question)
	}
	return chosen
}

// proposals makes questions of the model's first metrics and dimensions: a breakdown, a trend, a ranking, a count. With
// tables it keeps to metrics over those; an empty list that is not nil gives none.
func proposals(m *semantic.Model, tables []string) []string {
	var breakdowns, trends, counts []string
	for i := range m.Metrics {
		metric := &m.Metrics[i]
		if metric.Hidden || metric.Kind != semantic.Leaf {
			continue
		}
		e := m.Entity(metric.Entity)
		if e == nil || tables != nil && !slices.Contains(tables, e.Source.Table) {
			continue
		}
		if metric.Reducer == semantic.Count {
			counts = append(counts, text.Say("workspace.ask_count", "entity", e.Label))
			continue
		}
		if metric.Reducer == semantic.Sum && (e.DefaultTime != "" || metric.Time != "") {
			trends = append(trends, text.Say("workspace.ask_trend", "metric", metric.Label))
		}
		for _, d := range e.Dimensions {
			if d.Type == semantic.Text && d.PII == "" && !d.Measure {
				breakdowns = append(breakdowns, text.Say("workspace.ask_breakdown", "metric", metric.Label, "dimension", d.Label))
				break
			}
		}
		for _, j := range m.Joins {
			if j.From != e.Name || !j.ToOne() {
				continue
			}
			if far := m.Entity(j.To); far != nil && far.Display != "" {
				breakdowns = append(breakdowns, text.Say("workspace.ask_top", "entity", far.Label, "metric", metric.Label))
			}
		}
	}
	return interleave(breakdowns, trends, counts)
}

// interleave takes from each list in turn, so that the first few differ in kind.
func interleave(lists ...[]string) []string {
	var all []string
	for i := 0; ; i++ {
		before := len(all)
		for _, list := range lists {
			if i < len(list) {
				all = append(all, list[i])
			}
		}
		if len(all) == before {
			return all
		}
	}
}
