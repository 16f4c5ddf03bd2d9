package tool

import (
	"context"
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

type listFamiliesArguments struct {
	Like string `json:"like,omitempty" doc:"Only families whose name, label or synonyms hold this word" most:"100"`
}

type familiesBody struct {
	Metrics    []metricLine    `json:"metric_families"`
	Dimensions []dimensionLine `json:"dimension_families"`
	Level      string          `json:"verification_level,omitempty"`
	OutOfScope []string        `json:"out_of_scope,omitempty"` // what the memos refuse
	Note       string          `json:"note,omitempty"`
}

type metricLine struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	Family   string   `json:"family,omitempty"`
	Derived  bool     `json:"derived,omitempty"`
	Locked   bool     `json:"anchor_locked,omitempty"` // it needs or forbids some grains
	Schema   string   `json:"primary_schema,omitempty"`
	Reducers []string `json:"ip_reducers,omitempty"`
	Formula  string   `json:"formula,omitempty"`
	Unit     string   `json:"unit,omitempty"`
	Summary  string   `json:"summary,omitempty"`
}

type dimensionLine struct {
	Name      string   `json:"name"`
	BaseLevel string   `json:"base_level,omitempty"`
	Members   []string `json:"members"`
	More      int      `json:"more_members,omitempty"`
	Derived   bool     `json:"has_derived_dims,omitempty"`
	Summary   string   `json:"summary,omitempty"`
}

// shownMembers is how many members of a dimension family a line of the list names.
const shownMembers = 16

func listFamilies() Tool {
	return define("list_families", false, func(_ context.Context, d *Desk, a listFamiliesArguments) (Result, error) {
		b := &familiesBody{Metrics: []metricLine{}, Dimensions: []dimensionLine{}}
		for i := range d.Model.Metrics {
			if x := &d.Model.Metrics[i]; !x.Hidden && likeOne(a.Like, append([]string{x.Name, x.Label, x.Family}, x.Synonyms...)) {
				b.Metrics = append(b.Metrics, metricLineOf(x))
			}
		}
		for i := range d.Model.Entities {
			if e := &d.Model.Entities[i]; likeOne(a.Like, append([]string{e.Name, e.Label}, e.Synonyms...)) || likeMember(a.Like, e) {
				b.Dimensions = append(b.Dimensions, dimensionLineOf(e))
			}
		}
		if d.Level != nil {
			b.Level = d.Level().Level
		}
		for _, memo := range d.Model.Memos {
			for _, line := range memo.RefusalScope {
				if len(b.OutOfScope) < 8 {
					b.OutOfScope = append(b.OutOfScope, clean(line.Reason, 120))
				}
			}
		}
		if size(b) > MostBytes { // names before words
			for i := range b.Metrics {
				b.Metrics[i].Summary = ""
			}
			for i := range b.Dimensions {
				b.Dimensions[i].Summary = ""
			}
		}
		return Result{Body: fitted(b, MostBytes, text.Say("tool.narrow_families"))}, nil
	})
}

func metricLineOf(x *semantic.Metric) metricLine {
	l := metricLine{
		Name: name(x.Name), Kind: kindOfMetric(x), Derived: !x.Leaf(), Locked: len(x.Required)+len(x.Forbidden) > 0, Schema: name(x.Entity),
		Formula: formulaOf(x), Unit: name(x.Unit), Summary: clean(x.Description, 100),
	}
	if x.Family != x.Name {
		l.Family = name(x.Family)
	}
	if x.Leaf() {
		l.Reducers, l.Formula = []string{strings.ToUpper(string(x.Reducer))}, ""
	}
	return l
}

func kindOfMetric(x *semantic.Metric) string {
	if x.Kind == "" {
		return string(semantic.Leaf)
	}
	return string(x.Kind)
}

// formulaOf says in one line how a metric is made.
func formulaOf(x *semantic.Metric) string {
	switch {
	case x.Kind == semantic.Ratio:
		return name(x.Numerator) + " / " + name(x.Denominator)
	case x.Kind == semantic.Cumulative:
		return "cumulative(" + name(x.Of) + ")"
	case x.Leaf():
		return strings.ToUpper(string(x.Reducer)) + "(" + clean(x.Expr, 160) + ")"
	}
	return clean(x.Expr, 160)
}

func dimensionLineOf(e *semantic.Entity) dimensionLine {
	l := dimensionLine{Name: name(e.Name), BaseLevel: baseLevel(e), Members: []string{}, Summary: clean(e.Description, 100)}
	for i := range e.Dimensions {
		dim := &e.Dimensions[i]
		l.Derived = l.Derived || dim.DerivedFrom != "" || dim.Expr != ""
		if len(l.Members) < shownMembers {
			l.Members = append(l.Members, name(dim.Name))
		} else {
			l.More++
		}
	}
	return l
}

// baseLevel is what one member of an entity is called by, or told apart by.
func baseLevel(e *semantic.Entity) string {
	if e.Display != "" {
		return name(e.Display)
	}
	return strings.Join(names(e.Key), ", ")
}

func likeOne(word string, known []string) bool {
	word = strings.ToLower(strings.TrimSpace(word))
	return word == "" || slices.ContainsFunc(known, func(s string) bool { return strings.Contains(strings.ToLower(s), word) })
}

func likeMember(word string, e *semantic.Entity) bool {
	return slices.ContainsFunc(e.Dimensions, func(d semantic.Dimension) bool {
		return likeOne(word, append([]string{d.Name, d.Label}, d.Synonyms...))
	})
}
