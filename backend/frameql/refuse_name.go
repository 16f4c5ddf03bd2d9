package frameql

import (
	"fmt"
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/spelling"
	"assay/backend/text"
)

// refuseUnknown says that a name means nothing, with what is near.
func (r *resolver) refuseUnknown(d Dim, place any, want use) {
	segments := strings.Split(d.Name, ".")
	if p, ok := place.(*Pred); ok && p.Quant == "" && d.Grain == "" && r.metric(d.Name) != nil {
		r.refuseMetricInWhere(p, r.metric(d.Name))
		return
	}
	switch {
	case len(segments) > 1 && len(r.places(segments[0], nil)) > 0: // the entity is known, its attribute is not
		var all []near
		for _, p := range r.places(segments[0], nil) {
			all = append(all, r.lexicon.attributes(p.entity, segments[0], segments[len(segments)-1])...)
		}
		r.unknown(d.Name, place, all)
	case len(segments) > 1: // the entity is not known
		r.unknown(segments[0], place, r.lexicon.near(segments[0], anEntity))
	case want == forGrain:
		r.unknown(d.Name, place, r.lexicon.near(d.Name, aDimension, anEntity, aMetric))
	default:
		r.unknown(d.Name, place, r.lexicon.near(d.Name, aDimension, anEntity))
	}
}

// refuseMetricInWhere says that a number of groups decides about groups, in HAVING, and not about rows.
func (r *resolver) refuseMetricInWhere(p *Pred, m *semantic.Metric) {
	moved := r.edited(text.Say("frameql.repair_use", "name", "HAVING"), func(q *Query) {
		drop := p.String()
		q.Where = q.Where.without(func(c *Pred) bool { return c.String() == drop })
		condition := p.clone()
		condition.Out, condition.Dim = m.Name, ""
		if q.Having != nil {
			condition = flattened(&Pred{And: []*Pred{q.Having, condition}})
		}
		q.Having = condition
	})
	r.refuse(p, refusal("INVALID_QUERY", "frameql.metric_in_where", "metric", m.Name), moved, r.withoutCondition(p))
}

// refuseNotMetric says that a name in an expression is not a metric. A dimension needs a reducer.
func (r *resolver) refuseNotMetric(e *Expr) {
	d := dotted{segments: strings.Split(e.Metric, ".")}.dim()
	if all := r.meanings(d); len(all) > 0 {
		edits := []edit{}
		for _, f := range []string{"SUM", "AVG", "COUNT"} {
			reduced := f + "(" + Dim{Name: e.Metric}.String() + ")"
			edits = append(edits, r.spliced(text.Say("frameql.repair_use", "name", reduced), e, says(reduced)))
		}
		r.refuse(e, refusal("REDUCER_REQUIRED", "frameql.reducer_required", "name", e.Metric), edits...)
		return
	}
	r.unknown(e.Metric, e, r.lexicon.near(e.Metric, aMetric, aDimension))
}

func (r *resolver) refuseUnknownEntity(name string) {
	r.unknown(name, nil, r.lexicon.near(name, anEntity))
}

// unknown refuses a name. A family or a synonym of several metrics is ambiguous rather than unknown.
func (r *resolver) unknown(name string, place any, all []near) {
	if len(r.problems) == maxProblems {
		return
	}
	var candidates []string
	var edits []edit
	for _, n := range all {
		if slices.Contains(candidates, n.name) || len(candidates) == 5 {
			continue
		}
		candidates = append(candidates, n.name)
		edits = append(edits, r.renamed(name, n.name))
	}
	if metrics := r.metricsCalled(name); len(metrics) > 1 {
		r.refuseAmbiguousMetric(name, metrics, place)
		return
	}
	key := "frameql.unknown_name"
	if len(candidates) == 0 {
		key = "frameql.unknown_name_alone"
	}
	why := refusal("UNKNOWN_NAME", key, "name", name, "candidates", strings.Join(candidates, ", "))
	why.Facts["candidates"] = candidates
	edits = append(edits, r.without(Dim{Name: name}.String()))
	r.refuse(place, why, edits...)
}

// metricsCalled gives the metrics of a family, or with a synonym or label, of that name.
func (r *resolver) metricsCalled(name string) []*semantic.Metric {
	var all []*semantic.Metric
	for i := range r.model.Metrics {
		m := &r.model.Metrics[i]
		called := func(s string) bool { return strings.EqualFold(plain(s), plain(name)) }
		if !m.Hidden && (called(m.Family) || called(m.Label) || slices.ContainsFunc(m.Synonyms, called)) {
			all = append(all, m)
		}
	}
	return all
}

func (r *resolver) refuseAmbiguousMetric(name string, metrics []*semantic.Metric, place any) {
	var labels, names []string
	var edits []edit
	for _, m := range metrics {
		labels = append(labels, labelOf(m.Label, m.Name))
		names = append(names, m.Name)
		edits = append(edits, r.renamed(name, m.Name))
	}
	why := refusal("AMBIGUOUS_METRIC", "frameql.ambiguous_metric", "name", name, "candidates", strings.Join(labels, ", "))
	why.Facts["candidates"] = names
	r.refuse(place, why, edits...)
}

// refuseAmbiguousDimension says that several reachable columns have the name.
func (r *resolver) refuseAmbiguousDimension(d Dim, full []reached, place any) {
	var names []string
	var edits []edit
	for _, c := range full {
		name := c.dotted(false)
		names = append(names, name)
		edits = append(edits, r.renamed(d.Name, name))
	}
	why := refusal("AMBIGUOUS_DIMENSION", "frameql.ambiguous_dimension", "name", d.dottedName(), "candidates", strings.Join(names, ", "))
	why.Facts["candidates"] = names
	r.refuse(place, why, edits...)
}

// refuseAmbiguousName is for the first of some names that several entities have, which decides whose rows are read.
func (r *resolver) refuseAmbiguousName(names []Dim, entities []*semantic.Entity) {
	for _, d := range names {
		var all []reached
		for _, c := range r.meanings(d) {
			if slices.Contains(entities, c.entity) {
				all = append(all, reached{candidate: c})
			}
		}
		if len(all) > 0 {
			r.refuseAmbiguousDimension(d, all, r.placeOf(d))
			return
		}
	}
}

// placeOf finds where a name stands in SELECT or AT.
func (r *resolver) placeOf(d Dim) any {
	for i := range r.q.Select {
		if it := &r.q.Select[i]; it.Dim != nil && *it.Dim == d {
			return it.Dim
		}
	}
	if r.q.At != nil {
		for i := range r.q.At.Dims {
			if r.q.At.Dims[i] == d {
				return &r.q.At.Dims[i]
			}
		}
	}
	return nil
}

// near is a name of the model that somebody may have meant.
type near struct {
	name     string // as the query would write it
	distance int
}

// kind says what a name may be near to.
type kind int

const (
	aMetric kind = iota
	aDimension
	anEntity
)

// lexicon is what the things of a model are called, with the candidates that were already looked for. It is shared by
// the resolvings of one query and its repairs.
type lexicon struct {
	model *semantic.Model
	graph graph
	terms map[kind][]term // made at the first question: a query that resolves asks none
	found map[string][]near
}

func newLexicon(m *semantic.Model) *lexicon { return &lexicon{model: m, graph: newGraph(m)} }

type term struct {
	name  string   // as the query would write it
	words []string // plain
}

func (l *lexicon) of(k kind) []term {
	if l.terms == nil {
		l.read()
	}
	return l.terms[k]
}

func (l *lexicon) read() {
	l.terms, l.found = map[kind][]term{}, map[string][]near{}
	add := func(k kind, name string, words ...string) {
		t := term{name: name}
		for _, w := range words {
			if w != "" {
				t.words = append(t.words, plain(w))
			}
		}
		l.terms[k] = append(l.terms[k], t)
	}
	for _, m := range l.model.Metrics {
		if !m.Hidden {
			add(aMetric, m.Name, append([]string{m.Name, m.Label, m.Family}, m.Synonyms...)...)
		}
	}
	for _, e := range l.model.Entities {
		add(anEntity, e.Name, append([]string{e.Name, e.Label}, e.Synonyms...)...)
		for _, d := range e.Dimensions {
			add(aDimension, e.Name+"."+d.Name, append([]string{d.Name, d.Label}, d.Synonyms...)...)
		}
	}
	for _, j := range l.model.Joins {
		if j.Role != "" {
			add(anEntity, j.Role, j.Role)
		}
	}
}

// near gives the candidates of some kinds, the nearest first.
func (l *lexicon) near(name string, kinds ...kind) []near {
	key := fmt.Sprint(kinds, name)
	if all, ok := l.found[key]; ok {
		return all
	}
	var all []near
	p := plain(name)
	for _, k := range kinds {
		for _, t := range l.of(k) {
			if d := t.distance(p); d >= 0 {
				all = append(all, near{t.name, d})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return a.distance - b.distance })
	l.found[key] = all
	return all
}

// distance is -1 for a name that is not near. A thing's own name, its first word, comes before its other words.
func (t term) distance(name string) int {
	best := -1
	for i, w := range t.words {
		d := nearness(name, w)
		if d < 0 {
			continue
		}
		if d *= 2; i > 0 {
			d++
		}
		if best < 0 || d < best {
			best = d
		}
	}
	return best
}

// attributes gives the dimensions of an entity that are near a name, behind the prefix that the query has for it.
func (l *lexicon) attributes(e *semantic.Entity, prefix, name string) []near {
	var all []near
	p := plain(name)
	for _, t := range l.of(aDimension) {
		if rest, ok := strings.CutPrefix(t.name, e.Name+"."); ok {
			if d := t.distance(p); d >= 0 {
				all = append(all, near{prefix + "." + rest, d})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return a.distance - b.distance })
	return all
}

func (r *resolver) nearerToMetric(name string) bool {
	metrics, others := r.lexicon.near(name, aMetric), r.lexicon.near(name, aDimension, anEntity)
	return len(others) == 0 || len(metrics) > 0 && metrics[0].distance <= others[0].distance
}

// plain drops case, underscores and a plural s, which nobody means to tell apart.
func plain(s string) string {
	s = strings.ToLower(s)
	s = strings.ReplaceAll(strings.ReplaceAll(s, "_", " "), "-", " ")
	if len(s) > 3 && strings.HasSuffix(s, "ies") {
		return s[:len(s)-3] + "y"
	}
	if len(s) > 3 {
		return strings.TrimSuffix(s, "s")
	}
	return s
}

// nearness is 0 for equal words, the edit distance for near ones, a little more for a word within the other, and -1
// for anything else. A third of the letters may differ.
func nearness(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 60 || len(y) > 60 {
		return -1
	}
	most := max(len(x), len(y)) / 3
	if d := spelling.Distance(a, b, most); d <= most {
		return d
	}
	if len(x) > 2 && (strings.Contains(" "+b+" ", " "+a+" ") || len(y) > 2 && strings.Contains(" "+a+" ", " "+b+" ")) {
		return 4
	}
	return -1
}

// refuseModel says that the model itself is broken there. It cannot be repaired in a query.
func (r *resolver) refuseModel(object, reason string) {
	r.refuse(nil, refusal("INVALID_MODEL", "frameql.invalid_model", "object", object, "reason", reason))
}

func noDimension(name string) string { return text.Say("frameql.no_dimension", "name", name) }
