package workspace

import (
	"io/fs"
	"maps"
	"slices"
	"strings"

	"assay/backend/semantic"
)

// emptyFolder holds nothing.
type emptyFolder struct{}

func (emptyFolder) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// filledUp adds to entities that are taken over what is inferred here of the same tables: dimensions, metrics, joins, and what these joins lead to. A table
// that a file describes is not inferred any more, and nobody wants to lose what could be asked of it. It gives how many definitions were added.
func filledUp(taken, here *semantic.Model) (*semantic.Model, int) {
	out := *taken
	out.Entities, out.Metrics, out.Joins = slices.Clone(taken.Entities), slices.Clone(taken.Metrics), slices.Clone(taken.Joins)
	f := filling{out: &out, here: here, proposed: map[string]*semantic.Entity{}}
	for i := range here.Entities {
		if e := &here.Entities[i]; e.Pos.File == "" {
			f.proposed[strings.ToLower(e.Name)] = e
		}
	}
	f.dimensions()
	f.neighbours()
	f.rest()
	return &out, f.added
}

type filling struct {
	out, here *semantic.Model
	proposed  map[string]*semantic.Entity // inferred here, by name
	touched   map[string]bool             // those of which something is written down
	added     int
}

func (f *filling) dimensions() {
	f.touched = map[string]bool{}
	for i := range f.out.Entities {
		e := &f.out.Entities[i]
		name := strings.ToLower(e.Name)
		from := f.proposed[name]
		if from == nil || !strings.EqualFold(from.Source.Table, e.Source.Table) {
			continue
		}
		f.touched[name] = true
		e.Dimensions = slices.Clone(e.Dimensions)
		for _, d := range from.Dimensions {
			if !slices.ContainsFunc(e.Dimensions, func(x semantic.Dimension) bool { return strings.EqualFold(x.Name, d.Name) }) {
				e.Dimensions = append(e.Dimensions, d)
				f.added++
			}
		}
	}
}

// neighbours are inferred entities that inferred joins lead to or from: joins between what is written and what is inferred are nobody's.
func (f *filling) neighbours() {
	for more := true; more; {
		more = false
		for _, j := range f.here.Joins {
			from, to := strings.ToLower(j.From), strings.ToLower(j.To)
			if j.Pos.File != "" || f.touched[from] == f.touched[to] {
				continue
			}
			other := from
			if f.touched[from] {
				other = to
			}
			if e := f.proposed[other]; e != nil && !f.has(other) {
				f.out.Entities, f.touched[other], more = append(f.out.Entities, *e), true, true
				f.added += 1 + len(e.Dimensions)
			}
		}
	}
}

func (f *filling) has(entity string) bool {
	return slices.ContainsFunc(f.out.Entities, func(e semantic.Entity) bool { return strings.EqualFold(e.Name, entity) })
}

// rest are the metrics and joins of those entities.
func (f *filling) rest() {
	for _, x := range f.here.Metrics {
		known := slices.ContainsFunc(f.out.Metrics, func(o semantic.Metric) bool { return strings.EqualFold(o.Name, x.Name) })
		if x.Pos.File == "" && !known && f.touched[strings.ToLower(x.Entity)] {
			f.out.Metrics = append(f.out.Metrics, x)
			f.added++
		}
	}
	standing := maps.Clone(f.touched)
	for i := range f.here.Entities {
		if f.here.Entities[i].Pos.File != "" {
			standing[strings.ToLower(f.here.Entities[i].Name)] = true
		}
	}
	for _, j := range f.here.Joins {
		from, to := strings.ToLower(j.From), strings.ToLower(j.To)
		if j.Pos.File != "" || !standing[from] || !standing[to] || !f.touched[from] && !f.touched[to] {
			continue
		}
		if !slices.ContainsFunc(f.out.Joins, func(o semantic.Join) bool { return sameEdge(o, j) }) {
			f.out.Joins = append(f.out.Joins, j)
			f.added++
		}
	}
}
