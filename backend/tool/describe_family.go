package tool

import (
	"context"
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

type describeFamilyArguments struct {
	Name string `json:"name" doc:"A metric, a family of metrics, an entity, a hierarchy, or family.member" most:"200"`
}

type metricBody struct {
	Kind        string        `json:"kind"`
	Name        string        `json:"name"`
	Label       string        `json:"label,omitempty"`
	Description string        `json:"description,omitempty"`
	Synonyms    []string      `json:"synonyms,omitempty"`
	Root        *familyRoot   `json:"family_root,omitempty"`
	Reducers    []reducerBody `json:"ip_reducers,omitempty"`
	Derived     *derivedBody  `json:"derived,omitempty"`
	Siblings    []string      `json:"siblings,omitempty"` // other metrics of the family
	Time        string        `json:"time,omitempty"`     // what DURING is about
	Unit        string        `json:"unit,omitempty"`
	Better      string        `json:"better,omitempty"`
	Additivity  string        `json:"additivity,omitempty"`
	Required    []string      `json:"required_dims,omitempty"`
	Forbidden   []string      `json:"forbidden_grains,omitempty"`
	SplitBy     []string      `json:"split_by,omitempty"` // dimension families that it can be split by
	Gotchas     []string      `json:"gotchas,omitempty"`
	Status      string        `json:"verification_status"`
	Note        string        `json:"note,omitempty"`
}

type familyRoot struct {
	Schema string `json:"schema"`
	Expr   string `json:"column"`
	Filter string `json:"filter,omitempty"`
}

type reducerBody struct {
	Operator string   `json:"operator"`
	Block    []string `json:"a_block"` // over which it may not be added
}

type derivedBody struct {
	Formula string   `json:"formula"`
	Inputs  []string `json:"inputs"`
}

type dimensionBody struct {
	Kind        string          `json:"kind"`
	Name        string          `json:"name"`
	Label       string          `json:"label,omitempty"`
	Description string          `json:"description,omitempty"`
	Synonyms    []string        `json:"synonyms,omitempty"`
	BaseLevel   string          `json:"base_level,omitempty"`
	Time        string          `json:"time,omitempty"`
	Members     []memberBody    `json:"members"`
	Hierarchies []hierarchyBody `json:"hierarchies,omitempty"`
	Derived     []derivedDim    `json:"derived_dimensions,omitempty"`
	LeadsTo     []string        `json:"leads_to,omitempty"` // families that each of its rows has at most one member of
	Gotchas     []string        `json:"gotchas,omitempty"`
	Note        string          `json:"note,omitempty"`
}

type memberBody struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Unit     string   `json:"unit,omitempty"`
	Personal bool     `json:"personal,omitempty"`
	Values   []string `json:"values,omitempty"` // of one with few values: all of them
	Summary  string   `json:"summary,omitempty"`
}

type hierarchyBody struct {
	Name string   `json:"name"`
	Path []string `json:"path"` // the finest first
}

type derivedDim struct {
	Name    string `json:"name"`
	From    string `json:"derived_from"`
	Size    int    `json:"mapping_size,omitempty"`
	Default string `json:"default,omitempty"`
}

// ShownValues is how many values a member may have for all of them to be told.
const ShownValues = 12

func describeFamily() Tool {
	return define("describe_family", false, func(_ context.Context, d *Desk, a describeFamilyArguments) (Result, error) {
		m, wanted := d.Model, strings.TrimSpace(a.Name)
		if x := m.Metric(wanted); x != nil && !x.Hidden {
			return Result{Body: fitted(describeMetric(m, x), MostBytes, text.Say("tool.narrow_member"))}, nil
		}
		if e := m.Entity(wanted); e != nil {
			return described(describeEntity(d, e, nil)), nil
		}
		if entity, _, dotted := strings.Cut(wanted, "."); dotted {
			if e, dim := m.Entity(entity), m.Dimension(wanted); e != nil && dim != nil {
				return described(describeEntity(d, e, []string{dim.Name})), nil
			}
		}
		if family := metricsOf(m, wanted); len(family) > 0 {
			b := &familiesBody{Metrics: family, Dimensions: []dimensionLine{}}
			return Result{Body: fitted(b, MostBytes, text.Say("tool.narrow_member"))}, nil
		}
		for i := range m.Entities {
			for _, h := range m.Entities[i].Hierarchies {
				if strings.EqualFold(h.Name, wanted) {
					return described(describeEntity(d, &m.Entities[i], h.Path)), nil
				}
			}
		}
		return problem(unknown("unknown_family", "tool.no_family", wanted, familyNames(m, wanted)))
	})
}

// described is the description of an entity, with the columns of which it lists values.
func described(b *dimensionBody) Result {
	r := Result{Body: fitted(b, MostBytes, text.Say("tool.narrow_member"))}
	for _, m := range b.Members {
		if len(m.Values) > 0 {
			r.Columns = append(r.Columns, b.Name+"."+m.Name)
		}
	}
	return r
}

// metricsOf gives the metrics of a family.
func metricsOf(m *semantic.Model, family string) (all []metricLine) {
	for i := range m.Metrics {
		if x := &m.Metrics[i]; !x.Hidden && x.Family != "" && strings.EqualFold(x.Family, family) {
			all = append(all, metricLineOf(x))
		}
	}
	return all
}

// familyNames is all that can be described; the members of an entity where one is named.
func familyNames(m *semantic.Model, wanted string) (known []string) {
	for i := range m.Metrics {
		if !m.Metrics[i].Hidden {
			known = append(known, m.Metrics[i].Name)
		}
	}
	for i := range m.Entities {
		e := &m.Entities[i]
		known = append(known, e.Name)
		for k := range e.Dimensions {
			if strings.Contains(wanted, ".") || near(wanted, e.Dimensions[k].Name) {
				known = append(known, e.Name+"."+e.Dimensions[k].Name)
			}
		}
	}
	return known
}

func describeMetric(m *semantic.Model, x *semantic.Metric) *metricBody {
	b := &metricBody{
		Kind: "metric", Name: name(x.Name), Label: name(x.Label), Description: clean(x.Description, longestText), Synonyms: names(x.Synonyms), Unit: name(x.Unit), Better: x.Better,
		Additivity: clean(x.Additivity.Default, longestText), Required: names(x.Required), Forbidden: names(x.Forbidden), Gotchas: gotchasOf(m, x.Name), Status: "declared",
	}
	if m.Inferred || x.Inferred {
		b.Status = "inferred"
	}
	if x.Leaf() {
		b.Root = &familyRoot{Schema: name(x.Entity), Expr: clean(x.Expr, longestText), Filter: clean(x.Filter, longestText)}
		b.Reducers = []reducerBody{{strings.ToUpper(string(x.Reducer)), blocked(x)}}
		b.SplitBy = reached(m, x.Entity)
	} else {
		b.Derived = &derivedBody{Formula: formulaOf(x), Inputs: names(inputsOf(m, x))}
		b.Status = "inherits_from_components"
		b.SplitBy = sharedBy(m, inputsOf(m, x))
	}
	if entity, dim, ok := m.TimeOf(x); ok {
		b.Time = name(entity) + "." + name(dim)
	}
	for i := range m.Metrics {
		if o := &m.Metrics[i]; o.Name != x.Name && !o.Hidden && x.Family != "" && o.Family == x.Family {
			b.Siblings = append(b.Siblings, name(o.Name))
		}
	}
	return b
}

// blocked gives the families over which a metric is not additive.
func blocked(x *semantic.Metric) []string {
	all := []string{}
	for family, word := range x.Additivity.Per {
		if word != semantic.Additive {
			all = append(all, name(family))
		}
	}
	if len(all) == 0 && x.Additivity.Default != semantic.Additive {
		all = append(all, "*")
	}
	slices.Sort(all)
	return all
}

// inputsOf gives the metrics that a metric is made of.
func inputsOf(m *semantic.Model, x *semantic.Metric) []string {
	switch x.Kind {
	case semantic.Ratio:
		return []string{x.Numerator, x.Denominator}
	case semantic.Cumulative:
		return []string{x.Of}
	default:
	}
	var all []string
	if e, err := semantic.ParseExpr(x.Expr); err == nil {
		for _, ident := range e.Idents() {
			for _, in := range x.Inputs {
				if in.Name == ident {
					ident = in.Metric
				}
			}
			if m.Metric(ident) != nil && !slices.Contains(all, ident) {
				all = append(all, ident)
			}
		}
	}
	return all
}

// reached gives the entities that a row of an entity leads to one member of, itself first.
func reached(m *semantic.Model, entity string) []string {
	all := []string{}
	for open := []string{entity}; len(open) > 0; open = open[1:] {
		if e := m.Entity(open[0]); e == nil || slices.Contains(all, name(e.Name)) {
			continue
		}
		all = append(all, name(open[0]))
		for _, j := range m.JoinsFrom(open[0]) {
			if j.ToOne() {
				open = append(open, j.To)
			}
		}
	}
	return all
}

// sharedBy gives the entities that every one of some metrics can be split by.
func sharedBy(m *semantic.Model, metrics []string) []string {
	var shared []string
	for i, metric := range metrics {
		x := m.Metric(metric)
		if x == nil {
			continue
		}
		one := reached(m, x.Entity)
		if !x.Leaf() && x.Kind != "" {
			one = sharedBy(m, inputsOf(m, x))
		}
		if i == 0 {
			shared = one
			continue
		}
		shared = slices.DeleteFunc(slices.Clone(shared), func(s string) bool { return !slices.Contains(one, s) })
	}
	return shared
}

func gotchasOf(m *semantic.Model, object string) (all []string) {
	for _, g := range m.Gotchas {
		applies := slices.ContainsFunc(g.AppliesTo, func(s string) bool {
			return strings.EqualFold(s, object) || strings.HasPrefix(strings.ToLower(s), strings.ToLower(object)+".")
		})
		if applies && len(all) < 5 {
			all = append(all, clean(g.Statement, longestText))
		}
	}
	return all
}

// describeEntity describes an entity, or of it only some dimensions.
func describeEntity(d *Desk, e *semantic.Entity, only []string) *dimensionBody {
	b := &dimensionBody{
		Kind: "dimension", Name: name(e.Name), Label: name(e.Label), Description: clean(e.Description, longestText), Synonyms: names(e.Synonyms), BaseLevel: baseLevel(e),
		Time: name(e.DefaultTime), Members: []memberBody{}, Gotchas: gotchasOf(d.Model, e.Name),
	}
	for _, h := range e.Hierarchies {
		b.Hierarchies = append(b.Hierarchies, hierarchyBody{name(h.Name), names(h.Path)})
	}
	for i := range e.Dimensions {
		dim := &e.Dimensions[i]
		if only != nil && !slices.Contains(only, dim.Name) {
			continue
		}
		one := memberBody{Name: name(dim.Name), Type: string(dim.Type), Unit: name(dim.Unit), Personal: d.personal(e, dim)}
		if dim.Description != "" {
			one.Summary = clean(dim.Description, 100)
		}
		one.Values = fewValues(d, e, dim)
		b.Members = append(b.Members, one)
		if dim.DerivedFrom != "" {
			b.Derived = append(b.Derived, derivedDim{name(dim.Name), name(dim.DerivedFrom), len(dim.Map), clean(dim.Default, longestCell)})
		}
	}
	for _, other := range reached(d.Model, e.Name) {
		if other != name(e.Name) {
			b.LeadsTo = append(b.LeadsTo, other)
		}
	}
	return b
}

// fewValues gives the values of a dimension that has few: those that the model lists, else those that are known to be all.
func fewValues(d *Desk, e *semantic.Entity, dim *semantic.Dimension) []string {
	if d.personal(e, dim) {
		return nil
	}
	all := dim.Values
	if len(all) == 0 && d.Env.Values != nil {
		if known, complete := d.Env.Values(e.Name + "." + dim.Name); complete {
			all = known
		}
	}
	if len(all) > ShownValues {
		return nil
	}
	var out []string
	for _, v := range all {
		out = append(out, clean(v, longestCell))
	}
	return out
}
