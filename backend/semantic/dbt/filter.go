package dbt

import (
	"regexp"
	"strconv"
	"strings"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
)

// filters reads a filter of YAML (a text, or a list of texts that all must hold) or of a manifest.
func filters(n *node, key string) []string {
	f := n.field(key)
	if f == nil {
		return nil
	}
	if w := f.list("where_filters"); f.kind == nodeMapping {
		var all []string
		for _, x := range w {
			all = append(all, x.say("where_sql_template"))
		}
		return all
	}
	return n.words(key)
}

// filter reads conditions as one expression of ours over dimensions, each written "entity.dimension". time is the metric
// time of the metric that they stand in; from are the entities that it is about.
func (b *build) filter(conditions []string, time string, from ...string) (string, error) {
	var all *semantic.Expr
	for _, c := range conditions {
		e, err := Condition(c, b.inFilter(time, from))
		if err != nil {
			return "", err
		}
		if all == nil {
			all = e
			continue
		}
		all = &semantic.Expr{Op: "and", Args: []*semantic.Expr{all, e}}
	}
	if all == nil {
		return "", nil
	}
	return all.String(), nil
}

var (
	template = regexp.MustCompile(`(?s)\{\{(.*?)\}\}`)
	call     = regexp.MustCompile(`(?s)^\s*([A-Za-z]+)\s*\(([^()]*)\)\s*((?:\.\s*[a-z_]+\s*\([^()]*\)\s*)*)$`)
	method   = regexp.MustCompile(`\.\s*([a-z_]+)\s*\(\s*['"]?([^'")]*)['"]?\s*\)`)
	quoted   = regexp.MustCompile(`['"]([^'"]*)['"]`)
)

// Template is one call in double braces, {{ TimeDimension('a__b', 'month') }}, or a bare name with "__" in it.
type Template struct {
	Kind    string // Dimension | TimeDimension | Entity | Metric
	Name    string // a__b, a metric
	Grain   string // of a time; empty: none was said
	GroupBy []string
}

// Condition reads a condition with templates ({{ Dimension('a__b') }} = 'x') as an expression in which each of them is
// what stands for it.
func Condition(sql string, standsFor func(Template) (*semantic.Expr, error)) (*semantic.Expr, error) {
	var failed error
	var parts []*semantic.Expr
	plain := template.ReplaceAllStringFunc(sql, func(s string) string {
		t, err := readTemplate(template.FindStringSubmatch(s)[1])
		if err != nil {
			failed = err
			return s
		}
		e, err := standsFor(t)
		if err != nil && failed == nil {
			failed = err
		}
		parts = append(parts, e)
		return " template_" + strconv.Itoa(len(parts)-1) + "_ "
	})
	if failed != nil {
		return nil, failed
	}
	e, err := parseSQL(plain)
	if err != nil {
		return nil, cannot(text.Say("dbt.filter_sql", "sql", strings.TrimSpace(sql)))
	}
	return putTemplates(e, parts, standsFor)
}

func putTemplates(e *semantic.Expr, parts []*semantic.Expr, standsFor func(Template) (*semantic.Expr, error)) (*semantic.Expr, error) {
	if e.Op == "ident" {
		if i, ok := strings.CutPrefix(e.Name, "template_"); ok {
			if at, err := strconv.Atoi(strings.TrimSuffix(i, "_")); err == nil && at < len(parts) {
				return parts[at], nil
			}
		}
		return standsFor(Template{Kind: "Dimension", Name: e.Name})
	}
	for i, a := range e.Args {
		b, err := putTemplates(a, parts, standsFor)
		if err != nil {
			return nil, err
		}
		e.Args[i] = b
	}
	return e, nil
}

// readTemplate reads Dimension('a__b').grain('month'), TimeDimension('a__b', 'month'), Entity('a', entity_path=['b']),
// Metric('m', group_by=['a']).
func readTemplate(s string) (Template, error) {
	m := call.FindStringSubmatch(s)
	if m == nil {
		return Template{}, unsaid(s)
	}
	var args []string
	for _, q := range quoted.FindAllStringSubmatch(m[2], -1) {
		args = append(args, q[1])
	}
	if len(args) == 0 {
		return Template{}, unsaid(s)
	}
	t := Template{Kind: m[1], Name: args[0]}
	for _, x := range method.FindAllStringSubmatch(m[3], -1) {
		if x[1] != "grain" {
			return t, unsaid(s)
		}
		t.Grain = strings.ToLower(x[2])
	}
	switch {
	case t.Kind == "TimeDimension" && len(args) > 1:
		t.Grain = strings.ToLower(args[1])
	case t.Kind == "Metric":
		t.GroupBy = args[1:]
	case t.Kind == "Entity" && strings.Contains(m[2], "entity_path"):
		t.Name = strings.Join(append(args[1:], args[0]), "__")
	case t.Kind != "Dimension" && t.Kind != "TimeDimension" && t.Kind != "Entity":
		return t, unsaid(s)
	}
	return t, nil
}

// inFilter gives the expression that a template stands for in the filter of a metric.
func (b *build) inFilter(metricTime string, from []string) func(Template) (*semantic.Expr, error) {
	return func(t Template) (*semantic.Expr, error) {
		if t.Kind == "Metric" {
			return b.metricAt(t, from)
		}
		f, err := b.names.time(t.Name, metricTime, from)
		if err != nil {
			return nil, err
		}
		if t.Grain != "" {
			f.Grain = t.Grain
		}
		return b.names.dimension(f)
	}
}

// time finds a name; metric_time is the time of the metric.
func (n *Names) time(name, metricTime string, from []string) (Found, error) {
	rest, is := strings.CutPrefix(strings.ToLower(name), "metric_time")
	if !is || rest != "" && !strings.HasPrefix(rest, "__") {
		return n.Find(name, from...)
	}
	entity, dimension, ok := strings.Cut(metricTime, ".")
	if !ok {
		return Found{}, fault.New(fault.NotFound, "import dbt", text.Say("dbt.no_metric_time"), text.Say("dbt.unknown_name_hint"))
	}
	return Found{Entity: entity, Dimension: dimension, Grain: strings.TrimPrefix(rest, "__")}, nil
}

// dimension writes what was found as an expression: the dimension, cut to the grain when it is finer than that.
func (n *Names) dimension(f Found) (*semantic.Expr, error) {
	e := &semantic.Expr{Op: "ident", Name: f.Entity + "." + f.Dimension}
	if f.Grain == "" || f.Grain == n.granularity(f) {
		return e, nil
	}
	if !grains[f.Grain] {
		return nil, cannot(text.Say("dbt.custom_grain", "grain", f.Grain))
	}
	return &semantic.Expr{Op: "call", Name: "date_trunc", Args: []*semantic.Expr{{Op: "str", Text: f.Grain}, e}}, nil
}

// granularity is the unit that the values of a time dimension are known to be cut to; empty: none, they may hold times of
// the day whatever the project says.
func (n *Names) granularity(f Found) string {
	for _, m := range n.models {
		if m.entity.Name == f.Entity {
			if d := m.entity.Dimension(f.Dimension); d.Type == semantic.Date {
				return firstOf(d.Granularity, "day")
			}
		}
	}
	return ""
}

func unsaid(s string) error {
	return cannot(text.Say("dbt.unknown_template", "what", strings.TrimSpace(s)))
}
