package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// waypoint is an entity or a role on the way to a dimension.
type waypoint struct {
	name string // as the model spells it
	role bool
}

// candidate is one thing that a name may mean.
type candidate struct {
	way    []waypoint
	entity *semantic.Entity
	dim    *semantic.Dimension // nil: the entity
	grain  string
	part   *semantic.DatePart // of a time; nil: none
}

func (c candidate) dotted(plain bool) string {
	names := []string{}
	for _, w := range c.way {
		names = append(names, w.name)
	}
	if plain { // the entity's own name leads there
		names = []string{c.entity.Name}
	}
	if c.dim != nil {
		names = append(names, c.dim.Name)
	}
	return strings.Join(names, ".")
}

// meanings gives what a name may mean in the model, whether it can be reached or not. An attribute that is called like
// a grain wins over the grain.
func (r *resolver) meanings(d Dim) []candidate {
	if all, ok := r.meant[d]; ok {
		return all
	}
	segments := strings.Split(d.Name, ".")
	last := len(segments) - 1
	var all []candidate
	switch {
	case d.Grain != "":
		if all = r.candidates(append(slices.Clone(segments), d.Grain)); len(all) == 0 {
			all = withGrain(r.candidates(segments), d.Grain)
		}
	case last > 0 && semantic.DatePartNamed(segments[last]) != nil:
		if all = r.candidates(segments); len(all) == 0 {
			all = withPart(r.candidates(segments[:last]), semantic.DatePartNamed(segments[last]))
		}
	case last > 0 && r.calendar.mentions(strings.ToLower(segments[last])): // a unit of one's own, or a name read without grains
		if all = r.candidates(segments); len(all) == 0 {
			all = withGrain(r.candidates(segments[:last]), strings.ToLower(segments[last]))
		}
	default:
		all = r.candidates(segments)
	}
	r.meant[d] = all
	return all
}

func withGrain(all []candidate, grain string) []candidate {
	var cut []candidate
	for _, c := range all {
		if c.dim != nil {
			c.grain = grain
			cut = append(cut, c)
		}
	}
	return cut
}

// isUnit says whether a name is a bare time grain, or a bare part of a date.
func (r *resolver) isUnit(d Dim) bool {
	return d.Grain == "" && (r.calendar.mentions(strings.ToLower(d.Name)) || semantic.DatePartNamed(d.Name) != nil)
}

// nothing says whether a name means nothing at all.
func (r *resolver) nothing(d Dim) bool { return len(r.meanings(d)) == 0 && !r.isUnit(d) }

func (r *resolver) candidates(segments []string) []candidate {
	if len(segments) > 3 {
		return nil
	}
	if len(segments) == 1 {
		all := r.places(segments[0], nil)
		for i := range r.model.Entities {
			e := &r.model.Entities[i]
			if dim := dimensionOf(e, segments[0]); dim != nil {
				all = append(all, candidate{way: []waypoint{{name: e.Name}}, entity: e, dim: dim})
			}
		}
		return all
	}
	var all []candidate
	for _, first := range r.places(segments[0], nil) {
		var own *semantic.Dimension
		if len(segments) == 2 {
			if own = dimensionOf(first.entity, segments[1]); own != nil {
				all = append(all, candidate{way: first.way, entity: first.entity, dim: own})
			}
		}
		for _, second := range r.places(segments[1], first.way) {
			switch {
			case own != nil && second.entity == first.entity && !second.way[len(second.way)-1].role:
				continue // company.company is the attribute that is called like its entity, and not the entity again
			case len(segments) == 2:
				all = append(all, second)
			default:
				if dim := dimensionOf(second.entity, segments[2]); dim != nil {
					all = append(all, candidate{way: second.way, entity: second.entity, dim: dim})
				}
			}
		}
	}
	return all
}

// places gives the entities that a name may mean: by its own name, or by the role of an edge that leads to it.
func (r *resolver) places(name string, before []waypoint) []candidate {
	var all []candidate
	if e := r.entity(name); e != nil {
		all = append(all, candidate{way: append(slices.Clone(before), waypoint{name: e.Name}), entity: e})
	}
	for _, j := range r.model.Joins {
		if j.Role == "" || !strings.EqualFold(j.Role, name) {
			continue
		}
		e := r.entity(j.To)
		if e == nil || slices.ContainsFunc(all, func(c candidate) bool { return c.entity == e }) {
			continue
		}
		all = append(all, candidate{way: append(slices.Clone(before), waypoint{j.Role, true}), entity: e})
	}
	return all
}

// canonicalDim is the form that Parse gives the name of a dimension and its grain.
func canonicalDim(name, grain string) Dim {
	switch {
	case grain == "":
		return Dim{Name: name}
	case timeGrains[strings.ToUpper(grain)]:
		return Dim{Name: name, Grain: grain}
	}
	return Dim{Name: name + "." + grain}
}
