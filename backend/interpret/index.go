package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// Index is the immutable vocabulary of one model version with its values. It may be read by many at once.
type Index struct {
	model    *semantic.Model
	english  *lexicon
	names    *vocabulary
	values   *valueIndex
	paths    *joinGraph
	roles    []*role // of joins between the same two entities
	memo     []memoLine
	written  []written // what the memos define
	entities map[string]*semantic.Entity
	metrics  map[string]*semantic.Metric
	whole    bool // lists show all attributes; see WholeMembers
	golden   []golden
	terms    []term            // what a question may be completed with, without values
	nouns    map[string][]noun // of each entity's label
	defined  []definition      // of memos, for one question
	grain    string            // that is preferred for a course over time, for one question; empty: none is
}

// noun is a word of a label, singular.
type noun struct{ word, stem string }

// NewIndex builds the index of a model and of the values of its searchable dimensions. Values of dimensions that the
// model tags as personal are left out even when they are handed in. It keeps the model, which must not change.
func NewIndex(m *semantic.Model, values []ValueSet) *Index {
	return NewIndexOver(m, NewValues(m, values))
}

// NewIndexOver builds the index of a model over values that were indexed before, for this model or another copy of it.
func NewIndexOver(m *semantic.Model, values *Values) *Index {
	ix := &Index{model: m, english: english(), written: definitionsOf(m.Memos), entities: map[string]*semantic.Entity{}, metrics: map[string]*semantic.Metric{}, nouns: map[string][]noun{}}
	for i := range m.Entities {
		e := &m.Entities[i]
		ix.entities[e.Name] = e
		for _, w := range ix.english.singulars(words(labelOf(e.Label, e.Name))) {
			ix.nouns[e.Name] = append(ix.nouns[e.Name], noun{w, verbStem(w)[1:]})
		}
	}
	for i := range m.Metrics {
		ix.metrics[m.Metrics[i].Name] = &m.Metrics[i]
	}
	ix.names = newVocabulary(m, ix.english)
	ix.values = values.of(ix)
	ix.paths = newJoinGraph(m)
	ix.roles = rolesOf(m, ix.english)
	ix.memo = memoLines(m, ix.english)
	ix.golden = goldens(m, ix.english)
	ix.terms = ix.completionTerms()
	return ix
}

// declaredValues gives the values that the model itself lists for dimensions of which none were handed in.
func declaredValues(m *semantic.Model, given []ValueSet) []ValueSet {
	var out []ValueSet
	for _, e := range m.Entities {
		for _, d := range e.Dimensions {
			values := append([]string{}, d.Values...)
			for _, v := range d.Map {
				values = append(values, v)
			}
			if len(d.Map) > 0 && d.Default != "" {
				values = append(values, d.Default)
			}
			listed := slices.ContainsFunc(given, func(s ValueSet) bool { return s.Entity == e.Name && s.Dimension == d.Name })
			if len(values) == 0 || listed {
				continue
			}
			slices.Sort(values) // a map has no order
			out = append(out, ValueSet{Entity: e.Name, Dimension: d.Name, Values: slices.Compact(values), Complete: true})
		}
	}
	return out
}

// dimension finds a dimension by entity and name; nil when there is none.
func (ix *Index) dimension(entity, name string) *semantic.Dimension {
	if e := ix.entities[entity]; e != nil {
		return e.Dimension(name)
	}
	return nil
}

// display gives the dimensions that a person calls a member of the entity by: its display dimension, else its key.
func (ix *Index) display(e *semantic.Entity) []string {
	if e.Display != "" {
		return []string{e.Display}
	}
	return e.Key
}

// label gives what a person calls a thing: its label, else its name with spaces.
func labelOf(label, name string) string {
	if label != "" {
		return label
	}
	return joinSpaced(words(name))
}
