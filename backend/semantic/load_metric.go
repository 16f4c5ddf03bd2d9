package semantic

import (
	"regexp"
	"strconv"
	"time"

	"assay/backend/text"

	"github.com/goccy/go-yaml/ast"
)

func (r *reading) metric(m *Model, file string, n ast.Node, _ int) {
	f, ok := r.mapping(file, objectName("semantic.object_metric", n, "metric"), n, "metric", "family", "label", "description", "synonyms",
		"entity", "kind", "expr", "filter", "reducer", "percentile", "discrete", "numerator", "denominator", "of", "window", "to_date",
		"period_agg", "inputs", "fill", "additivity", "unit", "better", "time", "time_grain", "empty_is", "required_dims",
		"forbidden_grains", "materialize_at", "siblings", "tests", "tags", "owner", "confidence_weight", "hidden")
	if !ok {
		return
	}
	x := Metric{
		Name: f.name("metric"), Family: f.text("family"), Label: f.text("label"), Description: f.text("description"),
		Synonyms: f.texts("synonyms"), Entity: f.text("entity"),
		Kind: Kind(f.choice("kind", "leaf", "ratio", "derived", "cumulative")), Expr: f.text("expr"), Filter: f.text("filter"),
		Reducer: Reducer(f.choice("reducer", reducerNames()...)), Percentile: f.fraction("percentile"), Discrete: f.boolean("discrete"),
		Numerator: f.text("numerator"), Denominator: f.text("denominator"), Unit: f.text("unit"),
		Of: f.text("of"), Window: f.span("window"), ToDate: f.text("to_date"), PeriodAgg: f.choice("period_agg", "first", "last", "average"),
		Fill: f.choice("fill", "zero", "null"), TimeGrain: f.text("time_grain"), Tags: f.texts("tags"), Owner: f.owner(),
		Better: f.choice("better", "up", "down"), Time: f.text("time"), EmptyIs: f.choice("empty_is", "zero", "null"),
		Required: f.texts("required_dims"), Forbidden: f.texts("forbidden_grains"), Tests: r.tests(f),
		ConfidenceWeight: f.weight("confidence_weight"), Hidden: f.boolean("hidden"), Pos: f.pos,
	}
	x.Additivity = f.additivity()
	for _, n := range f.items("inputs") {
		if s, ok := r.mapping(file, f.object, n, "name", "metric", "filter", "offset", "offset_to_start"); ok {
			r.lines[fieldPos{f.pos, inputField(s.text("name"))}] = s.pos.Line
			x.Inputs = append(x.Inputs, Input{
				Name: s.name("name"), Metric: s.required("metric"), Filter: s.text("filter"), Offset: s.span("offset"), OffsetToStart: s.text("offset_to_start"),
			})
		}
	}
	x.Materialize = f.grains("materialize_at")
	for _, s := range f.items("siblings") {
		if g, ok := r.mapping(file, f.object, s, "source", "at"); ok {
			x.Siblings = append(x.Siblings, Sibling{Source: g.required("source"), At: g.texts("at")})
		}
	}
	m.Metrics = append(m.Metrics, x)
}

// grains reads a list of grains, each a list of dimensions. A flat list of dimensions is one grain.
func (f *fields) grains(key string) [][]string {
	items := f.items(key)
	flat := 0
	for _, n := range items {
		if _, ok := scalar(n); ok {
			flat++
		}
	}
	switch {
	case flat == 0:
		var all [][]string
		for _, n := range items {
			all = append(all, f.scalars(key, n))
		}
		return all
	case flat == len(items):
		return [][]string{f.texts(key)}
	}
	f.fail(key, text.Say("semantic.mixed_grains", "key", key), text.Say("semantic.mixed_grains_hint", "key", key))
	return nil
}

// inputField is the name under which the line of an input is kept.
func inputField(name string) string { return "inputs." + name }

// additivity reads the rules under "additivity": words, or for a snapshot also {semi: last, per: [account_id]}.
func (f *fields) additivity() Additivity {
	n, ok := f.nodes["additivity"]
	if !ok {
		return Additivity{}
	}
	rules, ok := f.r.openMapping(f.pos.File, f.object, n)
	if !ok {
		return Additivity{}
	}
	var a Additivity
	for _, name := range rules.keys {
		word := rules.additivityWord(name)
		switch {
		case name == "default":
			a.Default = word
			continue
		case a.Per == nil:
			a.Per = map[string]string{}
		}
		a.Per[name] = word
	}
	return a
}

func (f *fields) additivityWord(name string) string {
	if _, mapping := mappingValues(f.nodes[name]); mapping {
		s := f.sub(name, "semi", "per")
		if s == nil {
			return ""
		}
		return Semi{Pick: s.choice("semi", semiPicks()...), Per: s.texts("per")}.String()
	}
	word := f.text(name)
	canonical, ok := canonicalAdditivity(word)
	if !ok {
		f.fail(name, text.Say("semantic.bad_additivity", "value", word), text.Say("semantic.bad_additivity_hint"))
	}
	return canonical
}

// reducerNames are the reducers in the order in which they are suggested.
func reducerNames() []string {
	return []string{
		string(Sum), string(Avg), string(Min), string(Max), string(Count), string(CountDistinct), string(Median),
		string(Percentile), string(StdDev), string(First), string(Last), string(Any), string(All),
	}
}

// fraction reads a decimal between 0 and 1 and keeps its digits; empty when the key is absent.
func (f *fields) fraction(key string) string {
	s := f.text(key)
	if s == "" {
		return ""
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !decimalDigits.MatchString(s) || v < 0 || v > 1 {
		f.fail(key, text.Say("semantic.bad_fraction", "key", key, "value", s), text.Say("semantic.bad_fraction_hint", "key", key))
	}
	return s
}

var decimalDigits = regexp.MustCompile(`^[0-9]*\.?[0-9]+$`)

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
