package dbt

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// joins makes an edge for every two semantic models that share an entity which identifies the rows of the second.
func (b *build) joins() {
	for _, from := range b.p.models {
		for _, e := range from.entities {
			if from.dimension(e.name) == nil {
				continue
			}
			for _, to := range b.p.models {
				if to != from {
					b.join(from, to, e)
				}
			}
		}
	}
	slices.SortStableFunc(b.model.Joins, func(x, y semantic.Join) int {
		return strings.Compare(x.From+" "+x.To+" "+x.Role, y.From+" "+y.To+" "+y.Role)
	})
}

func (b *build) join(from, to *semModel, e element) {
	far, ok := to.identifies(e.name)
	if !ok || to.dimension(e.name) == nil {
		return
	}
	if far.kind == "natural" {
		b.p.lost(from.object(), e.pos, text.Say("dbt.natural", "entity", e.name, "to", to.name))
		return
	}
	j := semantic.Join{
		From: from.entity.Name, To: to.entity.Name, Role: e.role, Cardinality: "many_to_one",
		On: []semantic.ColumnPair{{From: plainName(e.name), To: plainName(e.name)}},
	}
	partitions := 0
	for _, x := range to.dimensions {
		if !x.partition {
			continue
		}
		partitions++
		if own, ok := from.has(x.name); ok && own.partition && from.dimension(x.name) != nil && to.dimension(x.name) != nil {
			j.On = append(j.On, semantic.ColumnPair{From: plainName(x.name), To: plainName(x.name)})
			partitions--
		}
	}
	if partitions > 0 {
		// The far table repeats the entity for each partition: joining by the entity alone would multiply rows.
		b.p.lost(from.object(), e.pos, text.Say("dbt.partition_join", "entity", e.name, "to", to.name))
		return
	}
	if e.kind != "foreign" && len(from.entity.Key) == len(j.On) {
		j.Cardinality = "one_to_one"
	}
	for _, x := range b.model.Joins {
		if x.From == j.From && x.To == j.To && x.Role == j.Role {
			j.Role = plainName(e.name)
		}
	}
	b.model.Joins = append(b.model.Joins, j)
}

// identifies finds the element by which rows of the semantic model are found.
func (m *semModel) identifies(entity string) (element, bool) {
	for _, e := range m.entities {
		if e.name == entity && e.kind != "foreign" {
			return e, true
		}
	}
	return element{}, false
}
