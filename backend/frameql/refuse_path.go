package frameql

import (
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
	if r.trying { // what could be offered instead is looked for in the whole model
		r.refuse(place, &Refusal{Code: "UNREACHABLE_DIMENSION"})
		return
	}
	name, fact := d.dottedName(), r.fact().Name
	finer := r.finer(fact, c.entity.Name)
	pairs := []any{
		"name", name, "entity", c.entity.Name, "fact", fact, "finer", finer,
		"fact_label", r.entityWords(fact), "finer_label", r.entityWords(finer),
	}
	metrics := r.otherMetrics(c, finer)
	bridge := r.bridgeTo(r.fact(), c.entity)
	switch {
	case finer == "":
		near := r.nearby(d, c)
		key := "frameql.unreachable"
		if available := r.available(fact); len(available) > 0 {
			key = "frameql.unreachable_available"
			pairs = append(pairs, "dimensions", strings.Join(available, ", "))
		}
		r.refuse(place, refusal("UNREACHABLE_DIMENSION", key, pairs...), append(append(near, metrics...), r.without(d.String()))...)
	case want != forGrain:
		edits := append(r.quantifiers(place, finer), metrics...)
		r.refuse(place, refusal("FILTER_FANOUT", "frameql.filter_fanout", pairs...), append(edits, r.readFrom(finer), r.without(d.String()))...)
	case bridge != nil:
		edits := append(r.countedFrom(bridge.Name), r.oneMember(d, c)...)
		r.refuse(place, refusal("MULTIVALUED_DIMENSION", "frameql.bridged", pairs...), append(edits, r.readFrom(bridge.Name), r.without(d.String()))...)
	default:
		edits := append(r.countedFrom(finer), metrics...)
		r.refuse(place, refusal("FANOUT_DIMENSION", "frameql.fanout", pairs...), append(edits, r.without(d.String()), r.readFrom(finer))...)
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

// refuseNoFact says that nothing tells whose rows are read.
func (r *resolver) refuseNoFact(mentioned []*semantic.Entity) {
	var names, candidates []string
	for _, e := range mentioned {
		names = append(names, e.Name)
	}
	var edits []edit
	for _, e := range r.leadingToAll(mentioned) {
		candidates = append(candidates, e.Name)
		edits = append(edits, r.readFrom(e.Name))
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
