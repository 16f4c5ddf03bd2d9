package workspace

import (
	"regexp"
	"slices"
	"strings"

	"assay/backend/rules"
	"assay/backend/semantic"
)

var modelWords = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// modelOf gives the part of the model that is needed to ask queries again, in the form that the context layer reads: entities on the tables that they
// read, the metrics that they name with those that these are made of, the dimensions that queries, keys, joins and formulas name. What the organisation wrote
// beside it (guides, golden queries, memos, owners) stays. nil: what is left makes no model.
func (w *Workspace) modelOf(queries, tables []string) map[string][]byte {
	whole := w.Knowledge().Model
	cut, err := rules.Whitelist{Schemas: []string{mainSchema}, Tables: tables}.Model(whole, mainSchema, w.reads)
	if err != nil || len(tables) == 0 {
		return nil
	}
	small := *cut
	small.Golden, small.Guides, small.Memos, small.Business, small.Gotchas = nil, nil, nil, nil, nil
	small.Registry = semantic.Registry{}
	used := usedWords(queries, &small)
	small.Metrics = slices.DeleteFunc(slices.Clone(cut.Metrics), func(x semantic.Metric) bool { return !used[strings.ToLower(x.Name)] })
	for i := range small.Metrics {
		small.Metrics[i].Siblings, small.Metrics[i].Owner, small.Metrics[i].Materialize = nil, nil, nil
	}
	small.Entities = slices.Clone(cut.Entities)
	for i := range small.Entities {
		e := &small.Entities[i]
		e.Owner, e.Hierarchies = nil, nil
		e.Dimensions = slices.DeleteFunc(slices.Clone(e.Dimensions), func(d semantic.Dimension) bool { return !used[strings.ToLower(d.Name)] })
		e.OtherTimes = slices.DeleteFunc(slices.Clone(e.OtherTimes), func(name string) bool { return !used[strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])] })
	}
	sealed, err := semantic.Seal(&small)
	if err != nil { // something names what was left out: the entities as they are
		small.Entities, small.Metrics, small.Registry = cut.Entities, cut.Metrics, cut.Registry
		if sealed, err = semantic.Seal(&small); err != nil {
			return nil
		}
	}
	return semantic.WriteYAML(sealed)
}

// usedWords gives the names that queries use, in lower case, with those that their metrics are made of.
func usedWords(queries []string, m *semantic.Model) map[string]bool {
	used := map[string]bool{}
	take := func(texts ...string) (more bool) {
		for _, s := range texts {
			for _, word := range modelWords.FindAllString(strings.ToLower(s), -1) {
				more = more || !used[word]
				used[word] = true
			}
		}
		return more
	}
	take(queries...)
	for i := range m.Entities {
		e := &m.Entities[i]
		take(e.Key...)
		take(e.Display, e.DefaultTime)
	}
	for _, j := range m.Joins {
		for _, pair := range j.On {
			take(pair.From, pair.To)
		}
	}
	for more := true; more; {
		more = false
		for i := range m.Metrics {
			x := &m.Metrics[i]
			if !used[strings.ToLower(x.Name)] {
				continue
			}
			more = take(x.Expr, x.Filter, x.Of, x.Numerator, x.Denominator, x.Time) || more
			more = take(x.Required...) || more
			for _, in := range x.Inputs {
				more = take(in.Metric, in.Filter) || more
			}
		}
		for i := range m.Entities {
			for _, d := range m.Entities[i].Dimensions {
				if used[strings.ToLower(d.Name)] {
					more = take(d.Expr, d.DerivedFrom) || more
				}
			}
		}
	}
	return used
}
