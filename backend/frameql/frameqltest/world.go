package frameqltest

import (
	"strings"
	"time"

	"assay/backend/semantic"
)

// World is everything that an answer depends on.
type World struct {
	Model  *semantic.Model
	Tables map[string]*Table // by the name that the entities read; names of columns are those of the source
	Now    time.Time         // in the time zone of the workspace

	zone    *time.Location            // by whose clocks times are read; nil: as they are stored
	offsets map[string]*time.Location // of a column ("table.column") that is written with the offset from UTC: in which zone
}

// Table is a table in memory.
type Table struct {
	Name    string
	Columns []Column
	Rows    [][]any // cells, in the order of Columns
}

// Column of a table.
type Column struct {
	Name string
	Type semantic.Type
}

func (t *Table) column(name string) int {
	for i, c := range t.Columns {
		if c.Name == name {
			return i
		}
	}
	panic(outside{"no column " + name + " in " + t.Name})
}

// Coverage gives the first and the last moment of a time dimension by the clocks of the workspace, as the resolver asks for it.
func (w *World) Coverage(dimension string) (first, last time.Time, ok bool) {
	defer func() {
		if recover() != nil { // a dimension that is not there
			ok = false
		}
	}()
	entity, dim, _ := strings.Cut(dimension, ".")
	e := w.Model.Entity(entity)
	for i := range w.rows(e) {
		t, is := w.dimension(e, i, e.Dimension(dim)).(time.Time)
		if !is {
			continue
		}
		if !ok || t.Before(first) {
			first = t
		}
		if !ok || t.After(last) {
			last = t
		}
		ok = true
	}
	return first, last, ok
}

// outside is thrown by the evaluator for what it does not know; Answer turns it into an error.
type outside struct{ what string }

func (o outside) Error() string { return "the oracle does not know: " + o.what }

// unsure is thrown where the last digits of a floating number decide.
type unsure struct{}

func (unsure) Error() string { return "the last digits of a floating number decide" }

func (w *World) table(e *semantic.Entity) *Table {
	name := e.Source.Table
	if name == "" {
		name = e.Name
	}
	t := w.Tables[name]
	if t == nil {
		panic(outside{"table " + name})
	}
	return t
}

func (w *World) rows(e *semantic.Entity) [][]any { return w.table(e).Rows }

// dimension gives the value of a dimension of a row of its own entity. A missing row (-1) has no values, and nothing is
// computed from them.
func (w *World) dimension(e *semantic.Entity, row int, d *semantic.Dimension) any {
	switch {
	case row < 0:
		return nil
	case d.Expr != "":
		x, err := semantic.ParseExpr(d.Expr)
		if err != nil {
			panic(outside{err.Error()})
		}
		return w.evaluate(x, func(name string) any { return w.dimension(e, row, e.Dimension(lastSegment(name))) })
	case d.DerivedFrom != "":
		from := w.dimension(e, row, e.Dimension(d.DerivedFrom))
		if from != nil {
			for k, v := range d.Map {
				if from == k {
					return v
				}
			}
		}
		if d.Default == "" {
			return nil
		}
		return d.Default
	}
	t := w.table(e)
	return w.InZone(d, t.Rows[row][t.column(d.Physical())])
}

func lastSegment(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// place is a row of an entity; row -1 is the missing partner.
type place struct {
	entity *semantic.Entity
	row    int
}

func (w *World) value(p place, dim string) any {
	d := p.entity.Dimension(dim)
	if d == nil {
		panic(outside{"no dimension " + dim + " in " + p.entity.Name})
	}
	return w.dimension(p.entity, p.row, d)
}

// partner follows one join from a row: the row of the one side whose columns are equal.
func (w *World) partner(p place, j semantic.Join) place {
	to := w.Model.Entity(j.To)
	found := place{to, -1}
	if p.row < 0 {
		return found
	}
	for i := range w.rows(to) {
		fits := true
		for _, on := range j.On {
			a, b := w.value(p, on.From), w.value(place{to, i}, on.To)
			fits = fits && a != nil && b != nil && order(a, b) == 0
		}
		if fits {
			found.row = i
			return found
		}
	}
	return found
}

func (w *World) follow(p place, path []semantic.Join) place {
	for _, j := range path {
		p = w.partner(p, j)
	}
	return p
}

// paths gives every way of at most four joins between two entities, from many to one, that meets no entity twice on the
// way (but for a join of an entity to itself).
func (w *World) paths(from, to string) [][]semantic.Join {
	var found [][]semantic.Join
	var walk func(at string, path []semantic.Join)
	walk = func(at string, path []semantic.Join) {
		if strings.EqualFold(at, to) {
			found = append(found, append([]semantic.Join{}, path...))
			return
		}
		if len(path) == 4 {
			return
		}
		for _, j := range w.Model.Joins {
			if strings.EqualFold(j.From, at) && !strings.EqualFold(j.From, j.To) {
				walk(j.To, append(path, j))
			}
		}
	}
	walk(from, nil)
	return found
}

// path gives the unique shortest way. Of several, the only one that needs no role.
func (w *World) path(from, to string) (path []semantic.Join, ok bool) {
	var best [][]semantic.Join
	for _, p := range w.paths(from, to) {
		switch {
		case len(best) == 0 || len(p) < len(best[0]):
			best = [][]semantic.Join{p}
		case len(p) == len(best[0]):
			best = append(best, p)
		}
	}
	if len(best) > 1 {
		var plain [][]semantic.Join
		for _, p := range best {
			roles := 0
			for _, j := range p {
				if j.Role != "" {
					roles++
				}
			}
			if roles == 0 {
				plain = append(plain, p)
			}
		}
		best = plain
	}
	if len(best) != 1 {
		return nil, false
	}
	return best[0], true
}

// target is what a name leads to: an attribute, or an entity (dim is empty).
type target struct {
	path   []semantic.Join
	entity *semantic.Entity
	dim    string
}

// reach resolves a canonical name from an entity: entity.dimension, role.dimension, way.role.dimension, or an entity or
// role alone.
func (w *World) reach(from *semantic.Entity, name string) (target, bool) {
	segments := strings.Split(name, ".")
	if t, ok := w.walk(from, segments); ok {
		return t, true
	}
	last := len(segments) - 1
	t, ok := w.walk(from, segments[:last])
	if !ok || t.entity.Dimension(segments[last]) == nil {
		return target{}, false
	}
	t.dim = segments[last]
	return t, true
}

func (w *World) walk(from *semantic.Entity, segments []string) (target, bool) {
	t := target{entity: from}
	if len(segments) == 0 {
		return t, false
	}
	for _, s := range segments {
		if e := w.Model.Entity(s); e != nil {
			p, ok := w.path(t.entity.Name, e.Name)
			if !ok {
				return t, false
			}
			t.path, t.entity = append(t.path, p...), e
			continue
		}
		p, j, ok := w.role(t.entity, s)
		if !ok {
			return t, false
		}
		t.path, t.entity = append(append(t.path, p...), j), w.Model.Entity(j.To)
	}
	return t, true
}

// role finds the nearest join of a role.
func (w *World) role(from *semantic.Entity, name string) (path []semantic.Join, last semantic.Join, ok bool) {
	for _, j := range w.Model.Joins {
		if j.Role == "" || !strings.EqualFold(j.Role, name) {
			continue
		}
		p, reached := w.path(from.Name, j.From)
		if reached && (!ok || len(p) < len(path)) {
			path, last, ok = p, j, true
		}
	}
	return path, last, ok
}

// Reachable gives the attributes that an entity reaches by one way, its own among them, under their canonical names.
// Measures and times are not among them.
func (w *World) Reachable(entity string) []string {
	var names []string
	for i := range w.Model.Entities {
		e := &w.Model.Entities[i]
		if _, ok := w.path(entity, e.Name); !ok {
			continue
		}
		for _, d := range e.Dimensions {
			if !d.Type.Temporal() && !d.Measure {
				names = append(names, e.Name+"."+d.Name)
			}
		}
	}
	return names
}

// columns gives the dimensions that a target stands for: itself, or the key of the entity.
func (t target) columns() []string {
	if t.dim != "" {
		return []string{t.dim}
	}
	return t.entity.Key
}

// read gives the value of a dimension that is reached from a row.
func (w *World) read(p place, t target, dim string) any { return w.value(w.follow(p, t.path), dim) }

// evaluate computes an expression of the model.
func (w *World) evaluate(e *semantic.Expr, ident func(string) any) any {
	args := func() []any {
		var all []any
		for _, a := range e.Args {
			all = append(all, w.evaluate(a, ident))
		}
		return all
	}
	truthAt := func(i int) truth { return asTruth(w.evaluate(e.Args[i], ident)) }
	switch e.Op {
	case "ident":
		return ident(e.Name)
	case "num":
		return Digits(e.Text)
	case "str":
		return e.Text
	case "bool":
		return strings.EqualFold(e.Text, "true")
	case "null":
		return nil
	case "+", "-", "*", "/":
		a := args()
		return arith(e.Op, a[0], a[1])
	case "neg":
		return arith("-", Whole(0), args()[0])
	case "is_null":
		return args()[0] == nil
	case "not_null":
		return args()[0] != nil
	case "and":
		return fromTruth(allOf([]truth{truthAt(0), truthAt(1)}))
	case "or":
		return fromTruth(anyOf([]truth{truthAt(0), truthAt(1)}))
	case "not":
		return fromTruth(truthAt(0).not())
	case "=", "<>", "<", "<=", ">", ">=":
		a := args()
		return fromTruth(compare(e.Op, a[0], a[1]))
	case "in", "not_in":
		a := args()
		var ts []truth
		for _, x := range a[1:] {
			ts = append(ts, compare("=", a[0], x))
		}
		if e.Op == "not_in" {
			return fromTruth(anyOf(ts).not())
		}
		return fromTruth(anyOf(ts))
	case "case":
		last := len(e.Args)
		if e.HasElse {
			last--
		}
		for i := 0; i+1 < last; i += 2 {
			if truthAt(i) == yes {
				return w.evaluate(e.Args[i+1], ident)
			}
		}
		if e.HasElse {
			return w.evaluate(e.Args[last], ident)
		}
		return nil
	case "call":
		if e.Name == "coalesce" {
			for _, a := range args() {
				if a != nil {
					return a
				}
			}
			return nil
		}
	}
	panic(outside{"operation " + e.Op + " " + e.Name})
}

func asTruth(c any) truth {
	if c == nil {
		return unknown
	}
	return truthOf(c.(bool))
}

func fromTruth(t truth) any {
	if t == unknown {
		return nil
	}
	return t == yes
}

// compare is a comparison of SQL: unknown where a side is missing. Where floating numbers are too close it gives up.
func compare(sign string, a, b any) truth {
	if a == nil || b == nil {
		return unknown
	}
	x, ok1 := a.(Number)
	if y, ok2 := b.(Number); ok1 && ok2 {
		if (x.Approx || y.Approx) && near(x, y) && !(exactFloat(x) && exactFloat(y)) {
			panic(unsure{})
		}
	}
	c := order(a, b)
	switch sign {
	case "=":
		return truthOf(c == 0)
	case "<>":
		return truthOf(c != 0)
	case "<":
		return truthOf(c < 0)
	case "<=":
		return truthOf(c <= 0)
	case ">":
		return truthOf(c > 0)
	default:
		return truthOf(c >= 0)
	}
}

// exactFloat says whether a floating number holds the value, and all that it was computed from, without rounding, with room
// to spare.
func exactFloat(n Number) bool {
	if n.rounded {
		return false
	}
	f, exact := n.Value.Float64()
	if !exact || f != f {
		return false
	}
	d := n.Value.Denom()
	return d.BitLen() <= 24 && n.Value.Num().BitLen() <= 48
}
