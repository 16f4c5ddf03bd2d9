package semantic

import (
	"strconv"
	"strings"
	"time"

	"assay/backend/text"

	"github.com/goccy/go-yaml/ast"
)

func (r *reading) metric(m *Model, file string, n ast.Node, _ int) {
	f, ok := r.mapping(file, objectName("semantic.object_metric", n, "metric"), n, "metric", "family", "label", "description", "synonyms",
		"entity", "kind", "expr", "filter", "reducer", "numerator", "denominator", "additivity", "unit", "better", "time",
		"empty_is", "required_dims", "forbidden_grains", "materialize_at", "siblings", "tests", "hidden")
	if !ok {
		return
	}
	x := Metric{
		Name: f.name("metric"), Family: f.text("family"), Label: f.text("label"), Description: f.text("description"),
		Synonyms: f.texts("synonyms"), Entity: f.text("entity"),
		Kind: Kind(f.choice("kind", "leaf", "ratio", "derived", "cumulative")), Expr: f.text("expr"), Filter: f.text("filter"),
		Reducer:   Reducer(f.choice("reducer", "sum", "avg", "min", "max", "count", "count_distinct", "median")),
		Numerator: f.text("numerator"), Denominator: f.text("denominator"), Unit: f.text("unit"),
		Better: f.choice("better", "up", "down"), Time: f.text("time"), EmptyIs: f.choice("empty_is", "zero", "null"),
		Required: f.texts("required_dims"), Forbidden: f.texts("forbidden_grains"), Tests: r.tests(f),
		Hidden: f.boolean("hidden"), Pos: f.pos,
	}
	names, words := f.pairs("additivity")
	for _, name := range names {
		if !validAdditivity(words[name]) {
			f.fail("additivity", text.Say("semantic.bad_additivity", "value", words[name]), text.Say("semantic.bad_additivity_hint"))
		}
		if name == "default" {
			x.Additivity.Default = words[name]
			continue
		}
		if x.Additivity.Per == nil {
			x.Additivity.Per = map[string]string{}
		}
		x.Additivity.Per[name] = words[name]
	}
	for _, grain := range f.items("materialize_at") {
		x.Materialize = append(x.Materialize, f.scalars("materialize_at", grain))
	}
	for _, s := range f.items("siblings") {
		if g, ok := r.mapping(file, f.object, s, "source", "at"); ok {
			x.Siblings = append(x.Siblings, Sibling{Source: g.required("source"), At: g.texts("at")})
		}
	}
	m.Metrics = append(m.Metrics, x)
}

// validAdditivity knows "additive", "none" and "semi(last)", "semi(first, per: [a, b])".
func validAdditivity(s string) bool {
	if s == "additive" || s == "none" {
		return true
	}
	inner, ok := strings.CutPrefix(s, "semi(")
	if !ok || !strings.HasSuffix(inner, ")") {
		return false
	}
	how, per, more := strings.Cut(strings.TrimSuffix(inner, ")"), ",")
	switch strings.TrimSpace(how) {
	case "last", "first", "avg", "min", "max":
	default:
		return false
	}
	per = strings.TrimSpace(per)
	return !more || strings.HasPrefix(per, "per: [") && strings.HasSuffix(per, "]")
}

// formatNumber writes a number in the shortest form that reads back the same.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// date reads an ISO date; empty when the key is absent.
func (f *fields) date(key string) string {
	s := f.text(key)
	if s == "" {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		f.fail(key, text.Say("semantic.want_date", "key", key, "value", s), text.Say("semantic.want_date_hint", "key", key))
	}
	return s
}
