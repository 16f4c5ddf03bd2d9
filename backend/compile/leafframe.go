package compile

import (
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
)

// writeProgram writes the steps as one statement of the dialect, or, where the dialect cannot say all of it, as leaf frames
// in the dialect and DuckDB over them.
func writeProgram(d dialect, root *step, p *Program) error {
	w := newWriter(d, root)
	p.SQL = w.sql(root)
	if w.err != nil && d.kind() == DuckDB {
		return w.err
	}
	if lacks := w.lacking(); len(lacks) > 0 {
		s := &splitting{d: d, frames: map[*step]*step{}, checked: map[*step]bool{}, p: p, lacks: lacks}
		if root = s.split(root); s.err != nil {
			return s.err
		}
		w = newWriter(duckdb{}, root)
		p.SQL = w.sql(root)
	}
	if w.err != nil {
		return w.err
	}
	p.Steps = explain(w, root)
	return nil
}

// lacking gives what the dialect could not say.
func (w *writer) lacking() []string {
	var all []string
	for c := range w.lacks {
		all = append(all, string(c))
	}
	if w.err != nil {
		all = append(all, "expression")
	}
	slices.Sort(all)
	return all
}

// splitting cuts the graph: every step that the dialect can say with all below it, and that a step reads which it cannot
// say, becomes a leaf frame.
type splitting struct {
	d       dialect
	p       *Program
	frames  map[*step]*step
	checked map[*step]bool
	lacks   []string
	err     error
}

func (s *splitting) split(root *step) *step {
	for _, x := range walk(root) {
		if x.source != nil && !s.sayable(x) {
			s.below(x)
		}
	}
	for s.overlap(root) {
	}
	for _, x := range walk(root) {
		if s.sayable(x) {
			continue
		}
		for i, in := range x.in {
			x.in[i] = s.frame(in)
		}
		x.scalars(func(p *Scalar) {
			if p.Op == "single" {
				p.step = s.frame(p.step)
			}
		})
	}
	for _, x := range walk(root) { // rows of base tables are only there
		if s.err == nil && x.source != nil && !slices.ContainsFunc(s.p.LeafFrames, func(f LeafFrame) bool { return f.Name == x.source.Nodes[0].Table }) {
			s.err = fault.New(fault.Invalid, "write sql", text.Say("compile.dialect_lacks", "dialect", string(s.d.kind()), "what", strings.Join(s.lacks, ", ")), text.Say("compile.dialect_lacks_hint"))
		}
	}
	return root
}

// overlap finds steps that would be sent although what they are made of is sent as well, and leaves them to DuckDB: nothing
// is computed twice.
func (s *splitting) overlap(root *step) bool {
	sent := map[*step]bool{}
	for _, x := range walk(root) {
		if !s.sayable(x) {
			for _, in := range x.reads() {
				sent[in] = sent[in] || s.sayable(in) && readsTable(in)
			}
		}
	}
	above := map[*step][]*step{}
	for _, x := range walk(root) {
		if !sent[x] {
			continue
		}
		for _, b := range walk(x) {
			if readsTable(b) {
				above[b] = append(above[b], x)
			}
		}
	}
	again := false
	for b, all := range above {
		if len(all) < 2 {
			continue
		}
		for _, x := range all {
			if x != b {
				s.checked[x], again = false, true
			}
		}
	}
	return again
}

func readsTable(x *step) bool {
	return slices.ContainsFunc(walk(x), func(b *step) bool { return b.source != nil })
}

// sayable says whether the dialect can say a step with all that it reads.
func (s *splitting) sayable(x *step) bool {
	known, seen := s.checked[x]
	if !seen {
		w := newWriter(s.d, x)
		w.sql(x)
		known = len(w.lacking()) == 0
		s.checked[x] = known
	}
	return known
}

// frame puts a table that the engine sends in the place of a step that it can say. What reads no table stays.
func (s *splitting) frame(x *step) *step {
	if !s.sayable(x) || !readsTable(x) {
		return x
	}
	if f := s.frames[x]; f != nil {
		return f
	}
	name := "leaf_" + itoa(len(s.p.LeafFrames)+1)
	f := &step{kind: x.kind, name: x.name, source: &Source{Nodes: []Node{{Entity: "leaf", Table: name, Parent: -1}}}, origin: -1, limit: -1}
	for _, c := range x.cols {
		f.cols = append(f.cols, column{name: c.name, key: c.key, typ: c.typ, x: &Scalar{Op: "col", Text: c.name, Type: c.typ}})
	}
	if x.kind == kindStack {
		f.kind = kindScan
		for _, c := range x.in[0].cols {
			if f.col(c.name) == nil {
				f.cols = append(f.cols, column{name: c.name, key: c.key, typ: c.typ, x: &Scalar{Op: "col", Text: c.name, Type: c.typ}})
			}
		}
	}
	s.frames[x], s.checked[f] = f, false
	sent := LeafFrame{Name: name, SQL: newWriter(s.d, x).sql(x), Missing: strings.Join(s.lacks, ", ")}
	for _, c := range f.cols {
		sent.Columns = append(sent.Columns, LeafColumn{c.name, c.typ})
	}
	s.p.LeafFrames = append(s.p.LeafFrames, sent)
	return f
}

// below takes off a scan what the dialect cannot say: the engine sends the rows with the parts of the expressions that it
// can say, and DuckDB groups them, and joins what is not sent.
func (s *splitting) below(x *step) {
	rows, local := *x, *x
	rows.grouped, rows.scan, rows.cols, rows.where, rows.kind, rows.name = false, nil, nil, nil, kindScan, "rows"
	rows.in, rows.joins = nil, nil
	local.source, local.in, local.joins, local.where, local.inner = nil, []*step{&rows}, nil, nil, nil
	there, here := map[int]int{}, map[int]int{} // inputs of x -> those of rows, those of local
	for _, j := range x.joins {
		on := and(j.on...)
		if s.sayable(x.in[j.input]) && (on == nil || s.expressible(x, on)) {
			there[j.input] = len(rows.in)
			rows.in = append(rows.in, x.in[j.input])
			rows.joins = append(rows.joins, join{there[j.input], j.kind, moved(j.on, there)})
		} else {
			here[j.input] = len(local.in)
			local.in = append(local.in, x.in[j.input])
		}
	}
	send := func(e *Scalar) *Scalar {
		e = moved([]*Scalar{e}, there)[0]
		for _, c := range rows.cols {
			if c.x.Signature() == e.Signature() {
				return ref(0, c.name, e.Type)
			}
		}
		name := "c" + itoa(len(rows.cols)+1)
		rows.cols = append(rows.cols, column{name: name, typ: e.Type, x: e})
		return ref(0, name, e.Type)
	}
	stays := func(p *Scalar) bool { _, local := here[p.Index]; return p.Op == "ref" && local }
	part := func(e *Scalar) *Scalar {
		if e == nil {
			return nil
		}
		if !e.any(stays) && s.expressible(x, e) {
			return send(e)
		}
		return e.replace(func(p *Scalar) *Scalar {
			switch {
			case stays(p):
				return ref(here[p.Index], p.Text, p.Type)
			case p.Op == "col" || p.Op == "ref" || p.Op == "exists":
				return send(p)
			}
			return nil
		})
	}
	parts := func(list []*Scalar) []*Scalar {
		var all []*Scalar
		for _, e := range list {
			all = append(all, part(e))
		}
		return all
	}
	for _, j := range x.joins {
		if at, ok := here[j.input]; ok {
			local.joins = append(local.joins, join{at, j.kind, parts(j.on)})
		}
	}
	for _, c := range x.where {
		if !c.any(stays) && s.expressible(x, c) {
			rows.where = append(rows.where, moved([]*Scalar{c}, there)...)
		} else {
			local.where = append(local.where, part(c))
		}
	}
	local.cols = slices.Clone(x.cols)
	for i := range local.cols {
		local.cols[i].x = part(local.cols[i].x)
		if a := local.cols[i].agg; a != nil {
			own := *a
			own.arg, own.filter, own.order = part(a.arg), part(a.filter), parts(a.order)
			local.cols[i].agg = &own
		}
	}
	if len(rows.cols) == 0 {
		rows.cols = []column{{name: "one", typ: semantic.Integer, x: number(1)}}
	}
	*x = local
	delete(s.checked, x)
}

// moved gives expressions whose columns of inputs are those of the inputs that these became.
func moved(list []*Scalar, inputs map[int]int) []*Scalar {
	var all []*Scalar
	for _, e := range list {
		all = append(all, e.replace(func(p *Scalar) *Scalar {
			if at, ok := inputs[p.Index]; ok && p.Op == "ref" {
				return ref(at, p.Text, p.Type)
			}
			return nil
		}))
	}
	return all
}

// expressible says whether the dialect can write an expression over the rows of a scan.
func (s *splitting) expressible(x *step, e *Scalar) bool {
	probe := *x
	probe.grouped, probe.cols, probe.where = false, []column{{name: "c", x: e}}, nil
	w := newWriter(s.d, &probe)
	w.block(&probe)
	b := w.block(&probe)
	w.selection(b)
	return len(w.lacking()) == 0
}
