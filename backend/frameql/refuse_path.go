package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// refuseAmbiguousPath says that the joins lead to an entity in several equally short ways.
func (r *resolver) refuseAmbiguousPath(d Dim, c candidate, s int, paths [][]int, place any) {
	var ways []string
	var edits []edit
	for _, p := range paths {
		first := r.waypointOf(p)
		ways = append(ways, first)
		name := first
		if !strings.EqualFold(first, c.entity.Name) && r.model.Joins[p[len(p)-1]].Role == "" {
			name += "." + c.entity.Name
		}
		if c.dim != nil {
			name += "." + c.dim.Name
		}
		edits = append(edits, r.renamed(d.Name, name))
	}
	why := refusal("AMBIGUOUS_JOIN_PATH", "frameql.ambiguous_path", "name", d.dottedName(), "entity", c.entity.Name,
		"from", r.sources[s].entity.Name, "candidates", strings.Join(ways, ", "))
	why.Facts["candidates"] = ways
	r.refuse(place, why, edits...)
}

// waypointOf names what tells a path apart: its last role, or else the first entity on the way.
func (r *resolver) waypointOf(path []int) string {
	for i := len(path) - 1; i >= 0; i-- {
		if role := r.model.Joins[path[i]].Role; role != "" {
			return role
		}
	}
	return r.model.Joins[path[0]].To
}

// refuseUnreachable says that the fact does not lead to a dimension: it lies on the many side, or nowhere near.
func (r *resolver) refuseUnreachable(d Dim, c candidate, place any, want use) {
	name := d.dottedName()
	edits := r.otherMetrics(c)
	edits = append(edits, r.without(d.String()))
	finer := r.finer(r.fact().Name, c.entity.Name)
	pairs := []any{
		"name", name, "entity", c.entity.Name, "fact", r.fact().Name, "finer", finer,
		"fact_label", r.entityWords(r.fact().Name), "finer_label", r.entityWords(finer),
	}
	switch {
	case finer == "":
		r.refuse(place, refusal("UNREACHABLE_DIMENSION", "frameql.unreachable", pairs...), edits...)
	case want == forGrain:
		r.refuse(place, refusal("FANOUT_DIMENSION", "frameql.fanout", pairs...), append(edits, r.readFrom(finer))...)
	default:
		r.refuse(place, refusal("FILTER_FANOUT", "frameql.filter_fanout", pairs...), append(append(r.quantifiers(place, finer), r.readFrom(finer)), edits...)...)
	}
}

// quantifiers puts ANY and ALL of the many side around a condition on it.
func (r *resolver) quantifiers(place any, many string) []edit {
	p, ok := place.(*Pred)
	if !ok {
		return nil
	}
	var edits []edit
	for _, quant := range []string{"any", "all"} {
		within := func() string { return (&Pred{Quant: quant, Entity: many, Pred: p.clone()}).String() }
		edits = append(edits, r.spliced(text.Say("frameql.repair_use", "name", shorten(within(), 60)), p, within))
	}
	return edits
}

func (r *resolver) entityWords(name string) string {
	if e := r.entity(name); e != nil {
		return strings.ToLower(labelOf(e.Label, e.Name))
	}
	return name
}

func (r *resolver) readFrom(name string) edit {
	return r.edited(text.Say("frameql.repair_from", "name", name), func(q *Query) { q.From = []string{name} })
}

// otherMetrics puts a metric of a finer fact, of the same family or unit, in the place of one that cannot be split so.
func (r *resolver) otherMetrics(c candidate) []edit {
	var edits []edit
	for _, m := range r.metrics {
		for i := range r.model.Metrics {
			o := &r.model.Metrics[i]
			if o == m || o.Hidden || o.Unit != m.Unit && (o.Family == "" || o.Family != m.Family) {
				continue
			}
			facts := r.leafEntities(o)
			if len(facts) != 1 || !r.reaches(facts[0], c.entity.Name) {
				continue
			}
			e := r.renamed(m.Name, o.Name)
			if o.Family == m.Family && o.Family != "" {
				edits = append([]edit{e}, edits...)
			} else {
				edits = append(edits, e)
			}
		}
	}
	return edits[:min(len(edits), 4)]
}

// refuseNoFact says that nothing tells whose rows are read.
func (r *resolver) refuseNoFact(mentioned []*semantic.Entity) {
	var names, candidates []string
	for _, e := range mentioned {
		names = append(names, e.Name)
	}
	var edits []edit
	for i := range r.model.Entities {
		e := &r.model.Entities[i]
		if !slices.ContainsFunc(mentioned, func(o *semantic.Entity) bool { return !r.reaches(e.Name, o.Name) }) {
			candidates = append(candidates, e.Name)
			edits = append(edits, r.readFrom(e.Name))
		}
	}
	key := "frameql.no_fact"
	if len(mentioned) > 0 {
		key = "frameql.no_common_fact"
	}
	why := refusal("FROM_REQUIRED", key, "names", strings.Join(names, ", "), "candidates", strings.Join(candidates, ", "))
	why.Facts["candidates"] = candidates
	r.refuse(nil, why, edits[:min(len(edits), 8)]...)
}

// refuseFromMismatch says that FROM names an entity whose rows the metrics do not read.
func (r *resolver) refuseFromMismatch(e *semantic.Entity) {
	r.refuse(nil, refusal("FROM_MISMATCH", "frameql.from_mismatch", "from", strings.Join(r.q.From, ", "), "fact", r.fact().Name, "name", e.Name),
		r.edited(text.Say("frameql.repair_without", "what", "FROM"), func(q *Query) { q.From = nil }), r.readFrom(r.fact().Name))
}

// refuseRepeated says that a column of the one side stands on several rows of the fact, so that it would be counted
// several times.
func (r *resolver) refuseRepeated(e *Expr, s int, entity *semantic.Entity) {
	fact := r.sources[s].entity.Name
	distinct := "COUNT(DISTINCT " + e.Of.String() + ")"
	edits := []edit{r.readFrom(entity.Name), r.withoutExpr(e)}
	if e.Reduce == "count" {
		edits = append([]edit{r.spliced(text.Say("frameql.repair_use", "name", distinct), e, says(distinct))}, edits...)
	}
	r.refuse(e, refusal("FANOUT_DIMENSION", "frameql.repeated", "expression", e.String(), "entity", entity.Name, "fact", fact,
		"fact_label", r.entityWords(fact)), edits...)
}
