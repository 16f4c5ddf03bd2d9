package semantic

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// Seal turns a model that was put together by hand, inferred or merged into one that may be used: objects in canonical
// order, defaults filled, references checked, version computed, names indexed. The argument is not changed.
//
// fault.Invalid: it has errors; errors.As finds all of them as Problems.
func Seal(m *Model) (*Model, error) { return seal(m, nil) }

// Check gives every error and every warning of a model, in the order of the files.
func Check(m *Model) []Problem {
	c := &checker{m: m, x: m.lookup()}
	c.all()
	c.problems.sort()
	return c.problems
}

func seal(m *Model, lines map[fieldPos]int) (*Model, error) {
	out := prepared(m, lines)
	if err := Problems(Check(out)).Fault("load model"); err != nil {
		return nil, err
	}
	return finished(out), nil
}

// prepared gives a copy that can be checked.
func prepared(m *Model, lines map[fieldPos]int) *Model {
	out := clone(m)
	sortObjects(out)
	fillDefaults(out)
	out.index = buildIndex(out)
	out.index.lines = lines
	return out
}

// finished computes what a checked model has besides.
func finished(out *Model) *Model {
	fillAdditivity(out)
	fillBuckets(out)
	out.Version = version(out)
	return out
}

// clone copies everything that sealing changes.
func clone(m *Model) *Model {
	out := *m
	out.index = nil
	out.Entities = slices.Clone(m.Entities)
	for i := range out.Entities {
		e := &out.Entities[i]
		e.Dimensions = slices.Clone(e.Dimensions)
	}
	out.Metrics = slices.Clone(m.Metrics)
	out.Joins = slices.Clone(m.Joins)
	out.Calendars = slices.Clone(m.Calendars)
	out.Gotchas = slices.Clone(m.Gotchas)
	out.Golden = slices.Clone(m.Golden)
	out.Terms = slices.Clone(m.Terms)
	out.Guides = slices.Clone(m.Guides)
	out.Business = slices.Clone(m.Business)
	out.Memos = slices.Clone(m.Memos)
	return &out
}

// sortObjects puts objects in the order of their names, so that a model does not depend on how its files are cut.
// Dimensions keep their order: it is the order of columns that a person knows.
func sortObjects(m *Model) {
	slices.SortStableFunc(m.Entities, func(a, b Entity) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(m.Metrics, func(a, b Metric) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(m.Joins, func(a, b Join) int {
		if c := strings.Compare(a.From, b.From); c != 0 {
			return c
		}
		if c := strings.Compare(a.To, b.To); c != 0 {
			return c
		}
		return strings.Compare(a.Role, b.Role)
	})
	slices.SortStableFunc(m.Gotchas, func(a, b Gotcha) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(m.Golden, func(a, b Golden) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(m.Terms, func(a, b Term) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(m.Guides, func(a, b Guide) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(m.Business, func(a, b Guide) int { return strings.Compare(a.Name, b.Name) })
}

func fillDefaults(m *Model) {
	for i := range m.Entities {
		e := &m.Entities[i]
		if e.Label == "" {
			e.Label = labelOf(e.Name)
		}
		if e.Source.Table == "" && e.Source.SQL == "" {
			e.Source.Table = e.Name
		}
		for j := range e.Dimensions {
			if d := &e.Dimensions[j]; d.Label == "" {
				d.Label = labelOf(d.Name)
			}
		}
	}
	for i := range m.Metrics {
		x := &m.Metrics[i]
		if x.Label == "" {
			x.Label = labelOf(x.Name)
		}
		if x.Family == "" {
			x.Family = x.Name
		}
		if x.Kind == "" {
			x.Kind = Leaf
		}
		if x.Kind == Leaf && x.Reducer == Count && x.Expr == "" {
			x.Expr = "*"
		}
	}
	for i := range m.Joins {
		if m.Joins[i].Cardinality == "" {
			m.Joins[i].Cardinality = ManyToOne
		}
	}
	for i := range m.Calendars {
		c := &m.Calendars[i]
		if c.LabelYear == "" && c.Table == "" {
			c.LabelYear = LabelEnd
		}
	}
	for i := range m.Gotchas {
		if m.Gotchas[i].Severity == "" {
			m.Gotchas[i].Severity = "caution"
		}
	}
}

// fillBuckets computes the calendars of patterns. Those of tables come with the data.
func fillBuckets(m *Model) {
	for i := range m.Calendars {
		if c := &m.Calendars[i]; c.Pattern != "" {
			c.Buckets = patternBuckets(c)
		}
	}
}

// fillAdditivity says which metrics may be added up over groups where the author did not: sums and counts of rows, and
// sums, differences and plain multiples of such metrics. Everything else is recomputed, never added.
func fillAdditivity(m *Model) {
	known := map[string]bool{} // by name; Check has refused cycles
	var additive func(name string) bool
	additive = func(name string) bool {
		x := m.Metric(name)
		if x == nil {
			return false
		}
		if v, ok := known[x.Name]; ok {
			return v
		}
		known[x.Name] = false
		_, semi := x.SemiAdditive()
		switch {
		case semi:
		case x.Additivity.Default != "":
			known[x.Name] = x.Additivity.Default == Additive
		case x.Leaf():
			known[x.Name] = x.Reducer == Sum || x.Reducer == Count
		case x.Kind == Derived:
			e, err := ParseExpr(x.Expr)
			known[x.Name] = err == nil && linear(e, func(name string) bool { return !x.moved(name) && additive(x.meaning(name)) })
		}
		return known[x.Name]
	}
	for i := range m.Metrics {
		additive(m.Metrics[i].Name)
	}
	for i := range m.Metrics {
		x := &m.Metrics[i]
		_, semi := x.SemiAdditive()
		switch {
		case x.Additivity.Default != "":
		case known[x.Name], semi && (x.Reducer == Sum || x.Reducer == Count): // over everything but time
			x.Additivity.Default = Additive
		default:
			x.Additivity.Default = NonAdditive
		}
	}
}

// linear says whether an expression is a sum of additive metrics with constant factors and no constant term.
func linear(e *Expr, additive func(string) bool) bool {
	switch e.Op {
	case "ident":
		return additive(e.Name)
	case "neg":
		return linear(e.Args[0], additive)
	case "+", "-":
		return linear(e.Args[0], additive) && linear(e.Args[1], additive)
	case "*":
		return constant(e.Args[0]) && linear(e.Args[1], additive) || linear(e.Args[0], additive) && constant(e.Args[1])
	case "/":
		return linear(e.Args[0], additive) && constant(e.Args[1])
	}
	return false
}

func constant(e *Expr) bool { return len(e.Idents()) == 0 }

// version hashes the canonical content: everything but where it was read. Memos of other levels than the workspace's do
// not belong to the model.
func version(m *Model) string {
	content := *m
	content.Memos = slices.DeleteFunc(slices.Clone(m.Memos), func(x Memo) bool { return x.Level != MemoWorkspace })
	raw, err := json.Marshal(content)
	if err != nil {
		panic(err) // plain structs of strings and numbers always marshal
	}
	sum := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(sum[:])
}
