package dbt

import (
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// spines makes an entity of every time spine, so that its span can be asked for, and a calendar of one that has units of
// its own.
func (b *build) spines() {
	for _, s := range b.p.spines {
		object := text.Say("dbt.object_spine", "name", s.table)
		m := &semModel{node: &node{pos: s.pos}, name: s.table, table: s.table}
		name := plainName(s.table)
		for b.taken(name) {
			name += "_spine"
		}
		if len(b.p.tables) > 0 && b.table(s.table) == nil {
			b.p.lost(object, s.pos, text.Say("dbt.no_table", "table", s.table))
			continue
		}
		m.entity = &semantic.Entity{Name: name, Source: semantic.Source{Table: s.table}}
		if t := b.table(s.table); t != nil {
			m.entity.Source.Table = t.Name
		}
		b.dimension(m, element{name: s.column, kind: "time", grain: s.grain, pos: s.pos})
		d := m.dimension(s.column)
		if d == nil {
			continue
		}
		m.entity.Key, m.entity.DefaultTime = []string{d.Name}, d.Name
		units := map[string]string{}
		for _, c := range s.custom {
			if m.entity.Dimension(c.column) == nil {
				b.dimension(m, element{name: c.column, kind: "categorical", pos: s.pos})
			}
			units[strings.ToLower(c.name)] = c.column
		}
		b.placed = append(b.placed, m.entity)
		if len(units) == 0 {
			continue
		}
		if s.grain != "" && s.grain != "day" {
			b.p.lost(object, s.pos, text.Say("dbt.spine_grain", "grain", s.grain))
			continue
		}
		b.model.Calendars = append(b.model.Calendars, semantic.Calendar{
			Name: name, Table: m.entity.Source.Table, DateColumn: s.column, Units: units,
		})
	}
}

// taken says whether an entity or a metric has a name.
func (b *build) taken(name string) bool {
	for _, e := range b.placed {
		if strings.EqualFold(e.Name, name) {
			return true
		}
	}
	for _, n := range b.p.metrics {
		if strings.EqualFold(n.say("name"), name) {
			return true
		}
	}
	return false
}
