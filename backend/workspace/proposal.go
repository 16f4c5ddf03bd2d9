package workspace

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// Proposal gives the context files of what is inferred and not left out: each entity with its dimensions, metrics and joins. An
// entity that is left out stays a proposal; a dimension, a metric or a join of one that is taken is gone with it. IDs are those of
// semantic.Catalogue. Fault Unauthorized.
func (w *Workspace) Proposal(leaveOut []string) ([]ContextFile, error) {
	if err := w.mayWrite(); err != nil {
		return nil, err
	}
	m := w.whole().Model
	left := func(kind, name string) bool { return slices.Contains(leaveOut, kind+"/"+name) }
	taken := &semantic.Model{Name: m.Name, Workspace: m.Workspace}
	for _, e := range m.Entities {
		if !e.Inferred || left("entity", e.Name) {
			continue
		}
		e.Dimensions = slices.DeleteFunc(slices.Clone(e.Dimensions), func(d semantic.Dimension) bool { return left("dimension", e.Name+"."+d.Name) })
		taken.Entities = append(taken.Entities, e)
	}
	has := func(entity string) bool {
		return slices.ContainsFunc(taken.Entities, func(e semantic.Entity) bool { return strings.EqualFold(e.Name, entity) })
	}
	for _, x := range m.Metrics {
		if x.Inferred && has(x.Entity) && !left("metric", x.Name) {
			taken.Metrics = append(taken.Metrics, x)
		}
	}
	for _, j := range m.Joins {
		name := j.From + "→" + j.To
		if j.Role != "" {
			name += "(" + j.Role + ")"
		}
		far := m.Entity(j.To)
		declared := far != nil && !far.Inferred
		if j.Inferred && has(j.From) && (has(j.To) || declared) && !left("join", name) {
			taken.Joins = append(taken.Joins, j)
		}
	}
	files := []ContextFile{}
	for name, raw := range semantic.WriteYAML(taken) {
		if name == semantic.ContextFolder+"/registry.yaml" {
			continue // what is written down is nobody's proposal any more
		}
		now, err := w.contextFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, ContextFile{Path: name, Text: string(raw), Hash: now.Hash})
	}
	slices.SortFunc(files, func(a, b ContextFile) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}
