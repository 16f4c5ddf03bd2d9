package semantic

import (
	"regexp"
	"slices"
	"strings"
)

// Merge adds to a declared model what an inferred one knows of tables that the declared model does not cover: entities,
// their metrics, and joins between them and to declared entities that read the same tables. Nothing declared changes; an
// inferred name that is taken gets a number behind it.
//
// A table is covered when a declared entity reads it, by name or inside its SQL, or when it is listed in covered.
func Merge(declared, inferred *Model, covered ...string) (*Model, error) {
	return Seal(merged(declared, inferred, covered))
}

// MergeSound is Merge where what does not hold together is left out.
func MergeSound(declared, inferred *Model, covered ...string) (*Model, Problems) {
	return SealSound(merged(declared, inferred, covered))
}

func merged(declared, inferred *Model, covered []string) *Model {
	out := clone(declared)
	entities, counterpart := addEntities(out, declared, inferred, covered)
	addJoins(out, inferred, entities, counterpart)
	addMetrics(out, inferred, entities)
	return out
}

// addEntities adds the uncovered entities. added maps inferred names to new ones; counterpart maps inferred names to the
// declared entities that read the same table.
func addEntities(out, declared, inferred *Model, covered []string) (added map[string]string, counterpart map[string]*Entity) {
	isCovered := map[string]bool{}
	for _, t := range covered {
		isCovered[strings.ToLower(t)] = true
	}
	reader := map[string]*Entity{} // table -> the declared entity that reads it as it is
	for i := range declared.Entities {
		if e := &declared.Entities[i]; e.Source.Table != "" {
			isCovered[strings.ToLower(e.Source.Table)] = true
			reader[strings.ToLower(e.Source.Table)] = e
		}
	}
	var tables []string
	for _, e := range inferred.Entities {
		if e.Source.Table != "" {
			tables = append(tables, e.Source.Table)
		}
	}
	for _, e := range declared.Entities {
		for _, t := range tables {
			if mentions(e.Source.SQL, t) {
				isCovered[strings.ToLower(t)] = true
			}
		}
	}
	taken := map[string]bool{}
	for _, e := range declared.Entities {
		taken[strings.ToLower(e.Name)] = true
	}
	for _, x := range declared.Metrics {
		taken[strings.ToLower(x.Name)] = true
	}
	added, counterpart = map[string]string{}, map[string]*Entity{}
	first := len(out.Entities)
	for _, e := range inferred.Entities {
		if r := reader[strings.ToLower(e.Source.Table)]; r != nil {
			counterpart[e.Name] = r
		}
		if isCovered[strings.ToLower(e.Source.Table)] || slices.ContainsFunc(tables, func(t string) bool {
			return isCovered[strings.ToLower(t)] && mentions(e.Source.SQL, t)
		}) {
			continue
		}
		name := unique(e.Name, taken)
		added[e.Name] = name
		e.Name = name
		out.Entities = append(out.Entities, e)
	}
	for i := range out.Entities[first:] {
		e := &out.Entities[first+i]
		e.DefaultTime = renamed(e.DefaultTime, added)
		others := slices.Clone(e.OtherTimes)
		for j := range others {
			others[j] = renamed(others[j], added)
		}
		e.OtherTimes = slices.DeleteFunc(others, func(t string) bool { return t == "" })
	}
	return added, counterpart
}

// mentions says whether SQL names a table, quoted or as a word.
func mentions(sql, table string) bool {
	if sql == "" || table == "" {
		return false
	}
	word := regexp.MustCompile(`(?i)(^|[^A-Za-z0-9_])` + regexp.QuoteMeta(table) + `($|[^A-Za-z0-9_])`)
	return word.MatchString(sql)
}

// renamed maps "entity.dimension" of an inferred entity; empty when that entity was not added.
func renamed(name string, added map[string]string) string {
	entity, dimension, qualified := strings.Cut(name, ".")
	if !qualified {
		return name
	}
	if to, ok := added[entity]; ok {
		return to + "." + dimension
	}
	return ""
}

// addJoins adds the edges between new entities, and those to and from declared ones when the declared entity has the
// columns and the far side is its key.
func addJoins(out, inferred *Model, added map[string]string, counterpart map[string]*Entity) {
	for _, j := range inferred.Joins {
		from, fromNew := added[j.From]
		to, toNew := added[j.To]
		if !fromNew {
			continue // what a declared entity joins is its author's business
		}
		if !toNew {
			r := counterpart[j.To]
			if r == nil {
				continue
			}
			pairs, ok := declaredPairs(inferred.Entity(j.To), r, j.On)
			if !ok {
				continue
			}
			to, j.On = r.Name, pairs
		}
		j.From, j.To = from, to
		out.Joins = append(out.Joins, j)
	}
}

// declaredPairs finds the far columns of a join among a declared entity's dimensions, which must be its whole key.
func declaredPairs(inferred, declared *Entity, on []ColumnPair) ([]ColumnPair, bool) {
	var pairs []ColumnPair
	var far []string
	for _, p := range on {
		d := inferred.Dimension(p.To)
		i := slices.IndexFunc(declared.Dimensions, func(x Dimension) bool {
			return d != nil && d.Physical() != "" && strings.EqualFold(x.Physical(), d.Physical()) && comparable(x.Type, d.Type)
		})
		if i < 0 {
			return nil, false
		}
		pairs = append(pairs, ColumnPair{From: p.From, To: declared.Dimensions[i].Name})
		far = append(far, declared.Dimensions[i].Name)
	}
	return pairs, sameColumns(far, declared.Key)
}

// addMetrics adds the metrics of new entities.
func addMetrics(out, inferred *Model, added map[string]string) {
	taken := map[string]bool{}
	for _, x := range out.Metrics {
		taken[strings.ToLower(x.Name)] = true
	}
	for _, e := range out.Entities {
		taken[strings.ToLower(e.Name)] = true
	}
	for _, x := range inferred.Metrics {
		entity, ok := added[x.Entity]
		if !ok || !x.Leaf() {
			continue
		}
		x.Entity = entity
		x.Time = renamed(x.Time, added)
		base := x.Name
		if taken[strings.ToLower(base)] {
			base = entity + "_" + base
		}
		if x.Family == x.Name {
			x.Family = ""
		}
		x.Name = unique(base, taken)
		out.Metrics = append(out.Metrics, x)
	}
}
