package workspace

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/semantic"
)

// measured is what the reader needs to know about the data behind a model.
type measured struct {
	Values []interpret.ValueSet
	Spans  map[string][2]time.Time // "entity.dimension" -> first, last
}

func (m measured) coverage(dimension string) (first, last time.Time, ok bool) {
	s, ok := m.Spans[dimension]
	return s[0], s[1], ok
}

const (
	valuesFile = "values.json"
	spansFile  = "spans.json"

	valuesPerColumn = 50_000
	// valuesAtOnce is the number of values up to which they are indexed before a model is used: some 200 ms.
	valuesAtOnce = 60_000
)

// measured gives the spans of time dimensions and, when the data is small, the values of text dimensions. open says that
// the values remain to be read, or are so many that indexing them would keep the first question waiting.
func (w *Workspace) measured(ctx context.Context, m *semantic.Model) (found measured, open bool, err error) {
	if found.Spans, err = w.spans(ctx, m); err != nil {
		return found, false, err
	}
	kept, whole := w.keptValues(m)
	if !whole && w.storedRows() > attestAtOnce {
		return found, true, nil
	}
	if !whole {
		if kept, err = w.readValues(ctx, m); err != nil {
			return found, false, err
		}
	}
	total := 0
	for _, s := range kept {
		total += len(s.Values)
	}
	if total > valuesAtOnce {
		return found, true, nil
	}
	found.Values = kept
	return found, false, nil
}

// spans asks the store, in Frame-QL, for the first and last moment of time dimensions, or reads what was found on the same
// model and data before.
func (w *Workspace) spans(ctx context.Context, m *semantic.Model) (map[string][2]time.Time, error) {
	key := w.dataKey("spans-1 " + m.Version)
	found := map[string][2]time.Time{}
	if w.remembered(spansFile, key, &found) {
		return found, nil
	}
	for i := range m.Entities {
		e := &m.Entities[i]
		if !w.loadedTable(e) {
			continue
		}
		for _, d := range e.Dimensions {
			if !d.Type.Temporal() {
				continue
			}
			name := e.Name + "." + d.Name
			frame, err := w.frame(ctx, m, fmt.Sprintf("SELECT MIN(%s) AS first, MAX(%s) AS last AT () FROM %s", quote(name), quote(name), quote(e.Name)), 0)
			if err != nil && !w.goOn(ctx, e.Source.Table, err) {
				return found, err
			}
			if span, ok := spanOf(frame); ok {
				found[name] = span
			}
		}
	}
	w.remember(spansFile, key, found)
	return found, nil
}

// valuesFound is what is kept of the values of a model: of every column that was read, and whether these are all.
type valuesFound struct {
	Sets  []interpret.ValueSet
	Whole bool
}

func (w *Workspace) valuesKey(m *semantic.Model) string { return w.dataKey("values-2 " + m.Version) }

func (w *Workspace) keptValues(m *semantic.Model) (sets []interpret.ValueSet, whole bool) {
	var found valuesFound
	w.remembered(valuesFile, w.valuesKey(m), &found)
	return found.Sets, found.Whole
}

// readValues asks the store, in Frame-QL, for the values of text dimensions that are not kept from before, most frequent
// first. Dimensions with a PII tag are never read. What was read before an error is kept for the next time.
func (w *Workspace) readValues(ctx context.Context, m *semantic.Model) ([]interpret.ValueSet, error) {
	sets, whole := w.keptValues(m)
	if whole {
		return sets, nil
	}
	var failed error
	total := 0
	for i := range m.Entities {
		e := &m.Entities[i]
		if !w.loadedTable(e) {
			continue
		}
		for _, d := range e.Dimensions {
			known := slices.ContainsFunc(sets, func(s interpret.ValueSet) bool { return s.Entity == e.Name && s.Dimension == d.Name })
			if d.Type != semantic.Text || d.PII != "" || known {
				continue
			}
			name := quote(e.Name + "." + d.Name)
			frame, err := w.frame(ctx, m, fmt.Sprintf("SELECT %s, COUNT(*) AS n AT %s FROM %s ORDER BY n DESC", name, name, quote(e.Name)), valuesPerColumn)
			if err != nil && w.goOn(ctx, e.Source.Table, err) {
				sets = append(sets, interpret.ValueSet{Entity: e.Name, Dimension: d.Name})
				continue
			}
			if err != nil {
				failed = err
				break
			}
			set := valuesOf(frame, e.Name, d.Name)
			sets = append(sets, set)
			if total += len(set.Values); total > 2*interpret.MostValues {
				sets, total = interpret.Within(sets, interpret.MostValues), interpret.MostValues
			}
		}
		if failed != nil {
			break
		}
	}
	sets = interpret.Within(sets, interpret.MostValues)
	w.remember(valuesFile, w.valuesKey(m), valuesFound{sets, failed == nil})
	return sets, failed
}

func valuesOf(f *frameql.Frame, entity, dimension string) interpret.ValueSet {
	set := interpret.ValueSet{Entity: entity, Dimension: dimension}
	if f == nil {
		return set
	}
	for _, row := range f.Rows {
		if s, ok := row[0].(string); ok && s != "" {
			set.Values = append(set.Values, s)
		}
	}
	set.Complete = f.Truncated == nil
	return set
}
