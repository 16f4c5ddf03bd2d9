package sqlgate

import (
	"slices"
	"strings"

	"assay/backend/text"
)

// walk is one judgement: what the walkers of all dialects share. It keeps the first refusal and goes on, so that a walker
// never needs to look whether it is over.
type walk struct {
	dialect  Dialect
	list     *list
	access   access
	kind     string
	rule     string
	pairs    []any
	detail   string // where the syntax is wrong
	shape    Shape
	objects  map[string]bool
	schemas  map[string]bool
	function map[string]bool
	pivot    *Pivot
	trees    *forest
}

func newWalk(d Dialect, l *list, p Policy, kind string) *walk {
	return &walk{dialect: d, list: l, access: newAccess(d, l, p), kind: kind, objects: map[string]bool{}, schemas: map[string]bool{}, function: map[string]bool{}, trees: forests.Get().(*forest)}
}

// refuse keeps the first rule that a statement breaks.
func (w *walk) refuse(rule string, pairs ...any) {
	if w.rule == "" {
		w.rule, w.pairs = rule, pairs
	}
}

func (w *walk) verdict() Verdict {
	v := Verdict{Allowed: w.rule == "", SQLType: w.kind, Objects: sorted(w.objects), Schemas: sorted(w.schemas), Functions: sorted(w.function), Shape: w.shape, Pivot: w.pivot}
	if w.rule != "" {
		v = refusal(v, w.rule, w.pairs...)
		if w.rule == ruleSyntax && w.detail != "" {
			v.Reason = text.Say("sqlgate.syntax_at", "place", w.detail)
		}
	}
	return v
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for name := range set {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// table judges a base table that is no common table expression.
func (w *walk) table(catalog, schema, name string) {
	if !w.access.may(catalog, schema, name) {
		w.refuse(ruleTable)
		return
	}
	folded := w.access.fold(join(catalog, schema, name))
	w.objects[folded] = true
	if schema == "" {
		schema = w.access.home
	}
	if schema != "" {
		w.schemas[w.access.fold(schema)] = true
	}
}

// call judges a function by its unqualified name, in lower case, and the class of names that may stand at its place.
func (w *walk) call(name string, classes ...class) {
	name = lower(name)
	got, known := w.list.functions[name]
	switch {
	case !known && !w.list.notTables[name]:
		w.refuse(ruleUnknown, "function", shown(name))
		return
	case !known, got.has(refused):
		w.refuse(ruleFunction, "function", shown(name))
		return
	}
	for _, c := range classes {
		if got.has(c) {
			w.function[name] = true
			return
		}
	}
	w.refuse(ruleFunction, "function", shown(name))
}

// shown shortens a name that a sentence repeats. A name of a function tells nothing: it is the statement's own, and every name
// that is not on a list is refused alike.
func shown(name string) string {
	const longest = 64
	name = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, name)
	if runes := []rune(name); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return name
}

// scope is the common table expressions that names may mean at one place of a statement.
type scope struct {
	outer *scope
	name  string
}

// with gives the scope in which one more name is known.
func (s *scope) with(name string) *scope { return &scope{s, name} }

// has says whether a name means a common table expression.
func (s *scope) has(name string) bool {
	for ; s != nil; s = s.outer {
		if s.name == name {
			return true
		}
	}
	return false
}
