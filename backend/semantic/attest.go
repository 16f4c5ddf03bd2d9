package semantic

import (
	"math/big"
	"slices"
	"strings"
)

// ToOne says whether the edge leads to at most one partner, so that it may be followed without counting rows twice. A
// many-to-many edge may be declared, but is never followed.
func (j *Join) ToOne() bool { return j.Cardinality != ManyToMany }

// The cardinalities of a join.
const (
	ManyToOne  = "many_to_one"
	OneToOne   = "one_to_one"
	ManyToMany = "many_to_many"
)

// WithAttestations gives the model with what was measured about its joins. Total becomes what the data says: also a
// declared one is taken back when some row has no partner. nil leaves a join as it is declared. The version stays: it is
// of the declarations.
func WithAttestations(m *Model, measured func(j *Join) *Attestation) *Model {
	out := *m
	out.Joins = slices.Clone(m.Joins)
	for i := range out.Joins {
		j := &out.Joins[i]
		if a := measured(j); a != nil {
			j.Attested = a
			j.Total = a.Orphans == 0 && a.Missing == 0
		}
	}
	reindex(&out)
	return &out
}

// WithChecks gives the model with what the checks of its gotchas gave on the present data; nil: it was not measured.
func WithChecks(m *Model, gave func(g *Gotcha) *string) *Model {
	out := *m
	out.Gotchas = slices.Clone(m.Gotchas)
	for i := range out.Gotchas {
		out.Gotchas[i].Gave = gave(&out.Gotchas[i])
	}
	reindex(&out)
	return &out
}

// Fails says whether the check of a gotcha was measured and gave something else than keeps its statement true. Numbers are compared by their value.
func (g *Gotcha) Fails() bool {
	if g.CheckQL == "" || g.Gave == nil {
		return false
	}
	got, isNumber := new(big.Rat).SetString(strings.TrimSpace(*g.Gave))
	want, wanted := new(big.Rat).SetString(strings.TrimSpace(g.Expect))
	if isNumber && wanted {
		return got.Cmp(want) != 0
	}
	return strings.TrimSpace(*g.Gave) != strings.TrimSpace(g.Expect)
}

// Open says whether a gotcha is to be reckoned with: it has no check, or one that fails or was not measured.
func (g *Gotcha) Open() bool { return g.CheckQL == "" || g.Gave == nil || g.Fails() }

// WithDependencies gives the model with what was measured about the steps of its hierarchies; nil: a step is as it is
// declared.
func WithDependencies(m *Model, measured func(e *Entity, finer, coarser string) *StepAttestation) *Model {
	out := *m
	out.Entities = slices.Clone(m.Entities)
	for i := range out.Entities {
		e := &out.Entities[i]
		e.Hierarchies = slices.Clone(e.Hierarchies)
		for k := range e.Hierarchies {
			h := &e.Hierarchies[k]
			h.Steps = make([]*StepAttestation, max(len(h.Path)-1, 0))
			for n := range h.Steps {
				h.Steps[n] = measured(e, h.Path[n], h.Path[n+1])
			}
		}
	}
	reindex(&out)
	return &out
}

// Above gives the dimensions that a column of an entity determines, by steps of its hierarchies that were measured to hold:
// those that are columns, nearest first.
func (m *Model) Above(entity, column string) []*Dimension {
	e := m.Entity(entity)
	if e == nil {
		return nil
	}
	var all []*Dimension
	for i := range e.Hierarchies {
		h := &e.Hierarchies[i]
		for at, name := range h.Path {
			d := e.Dimension(name)
			if d == nil || d.Physical() != column {
				continue
			}
			for k := at; k+1 < len(h.Path); k++ {
				step, up := h.Step(k), e.Dimension(h.Path[k+1])
				if step == nil || !step.Holds() || up == nil {
					break
				}
				if up.Physical() != "" && !slices.Contains(all, up) {
					all = append(all, up)
				}
			}
		}
	}
	return all
}
