package compile

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// request asks for cells at a grain.
type request struct {
	grain   []int
	cells   []*Scalar
	labels  []string  // names for cells that are one number, by cell; may be shorter
	carry   []int     // further keys that are wanted; the grain determines them
	around  []*atom   // of the rows that it is joined to, which may lie on further buckets
	quiet   []int     // cells whose leaves give no rows
	rows    []*Scalar // further cells whose leaves give rows, without values
	members *step     // its rows are those of the relation, by their keys; nil: the leaves give them
	only    *restriction
	fill    *Fill
	plain   bool // total rows: windows are missing
	timed   bool // only rows with a time are wanted
	exists  bool // no row when no base row counts, also with an empty grain
	joined  bool // other rows look its rows up, and say themselves which of them are shown
	name    string
}

// restriction keeps the rows whose members are not among those of a step (the rest of TOP).
type restriction struct {
	step    *step
	pairs   map[int]string // key -> column of step
	members []int
	moved   Context // where the rows lie on the axis when they are moved later, see unshifted
}

// relation is a step with the cells as expressions over its columns.
type relation struct {
	step  *step
	cells []*Scalar
	keys  map[int]*Scalar // of the grain and of what was carried
	adds  bool            // whether some of its leaves give rows of their own
}

// relating builds one relation.
type relating struct {
	lowering
	req    request
	keys   []int // grain, then carried
	axis   int   // the finest axis of the grain; -1: none
	inputs []*input
	single bool // one input, without a fill: nothing is stacked
	shown  bool // the column "shown" says which rows count
	bounds *step
	real   bool // the column "given" says which rows are no filling
}

// input is a branch of a relation: it gives the values of some atoms.
type input struct {
	step  *step
	atoms []*atom
	adds  bool
	shown string // column that says which of its rows count; empty: by adds
	rows  []look // the numbers whose rows these are; empty: not known
}

// relation evaluates cells at a grain: each branch alone, then stacked and collapsed; then the buckets that are missing, what
// is coarser, windows, and the rows that were there for windows only are left out.
func (c *compiler) relation(req request) *relation {
	r := &relating{lowering: lowering{c: c, grain: req.grain, plain: req.plain, rest: req.only != nil, names: &names{taken: map[string]bool{"shown": true, "given": true, "counted": true}}}, req: req}
	for _, n := range c.keyNames {
		r.names.taken[strings.ToLower(n)] = true
	}
	r.axis = c.finest(req.grain)
	var cells []*Scalar
	for i, cell := range req.cells {
		label := ""
		if i < len(req.labels) {
			label = req.labels[i]
		}
		r.quiet = slices.Contains(req.quiet, i)
		cells = append(cells, r.lower(cell, env{label: label}))
	}
	for _, k := range req.carry {
		r.key(k)
	}
	r.keys = append(slices.Clone(req.grain), r.carry...)
	r.branches()
	out := &relation{keys: map[int]*Scalar{}}
	for _, in := range r.inputs {
		out.adds = out.adds || in.adds
	}
	s := r.stacked()
	s = r.attached(s)
	if acc := r.of("acc"); len(acc) > 0 {
		s = r.windowStep(s, acc)
	}
	s = r.trimmed(s)
	s = r.ranked(s)
	out.step = s
	for _, cell := range cells {
		out.cells = append(out.cells, r.resolve(cell))
	}
	for _, k := range r.keys {
		out.keys[k] = r.keyRef(k)
	}
	return out
}

func (r *relating) of(kind string) []*atom {
	var all []*atom
	for _, a := range r.atoms {
		if a.kind == kind {
			all = append(all, a)
		}
	}
	return all
}

// branches makes the inputs: a scan for each set of leaves that read the same rows, a rollup for each finer relation.
func (r *relating) branches() {
	var order []string
	groups := map[string][]*atom{}
	group := func(a *atom, key string) {
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], a)
	}
	for _, a := range r.atoms {
		switch a.kind {
		case "leaf":
			group(a, "scan "+r.branchKey(a.leaf, a.ctx))
		case "reduce":
			group(a, "reduce "+r.innerKey(a))
		}
	}
	r.rowsOnly(groups)
	if len(r.inputs) == 0 && r.silent() {
		r.presence()
	}
	for _, key := range order {
		all := groups[key]
		if strings.HasPrefix(key, "scan ") {
			r.inputs = append(r.inputs, r.scanInput(all))
		} else {
			r.inputs = append(r.inputs, r.rollupInput(all))
		}
	}
	if r.req.members != nil { // these are the rows, whatever the numbers have
		for _, in := range r.inputs {
			in.adds = false
		}
		r.inputs = append(r.inputs, &input{step: r.req.members, adds: true})
	}
	if r.req.joined || !slices.ContainsFunc(r.inputs, func(in *input) bool { return in.adds }) { // there is nothing else to give rows
		for _, in := range r.inputs {
			in.adds = true
		}
	}
}

// silent says whether no number of the relation gives rows: all are coarser, or of the bucket before.
func (r *relating) silent() bool {
	some := false
	for _, a := range r.atoms {
		switch {
		case a.quiet:
		case a.kind == "at", a.kind == "leaf" && r.c.contexts[a.ctx].Lag, a.kind == "reduce" && r.c.onlyLags(a.cell):
			some = true
		case a.kind == "leaf" || a.kind == "reduce":
			return false
		}
	}
	return some || len(r.of("leaf"))+len(r.of("reduce")) == 0
}

// quiet says whether only numbers that give no rows ask for atoms.
func quiet(all []*atom) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(a *atom) bool { return !a.quiet })
}

// stacked puts the branches together.
func (r *relating) stacked() *step {
	for _, in := range r.inputs {
		if !in.adds || in.shown != "" {
			r.shown = len(r.grain) > 0
		}
	}
	fill := r.req.fill
	if len(r.grain) == 0 && !r.req.exists && !slices.ContainsFunc(r.inputs, func(in *input) bool { return len(in.atoms) > 0 }) { // the one row is there anyway
		r.inputs = r.inputs[:1]
	}
	r.single = len(r.inputs) == 1 && fill == nil
	if r.single {
		r.ready(r.inputs[0])
		s := r.inputs[0].step
		if r.req.exists && len(r.grain) == 0 {
			s = r.counted(s)
		}
		return s
	}
	if fill != nil && fill.Mode != "zero" { // what is missing in a row that is there is 0 there, and unknown in one that is added
		for _, in := range r.inputs {
			for _, a := range in.atoms {
				if col := in.step.col(a.col); col.agg != nil {
					col.agg.zero = a.zero
				}
			}
		}
	}
	s := r.inputs[0].step
	if len(r.inputs) > 1 {
		stack := selects(kindStack, "stacked")
		for _, in := range r.inputs {
			stack.in = append(stack.in, r.arm(in))
		}
		s = r.collapse(stack)
	}
	if r.req.exists && len(r.grain) == 0 {
		s = r.counted(s)
	}
	if fill != nil {
		s = r.filled(s, fill)
	}
	return s
}

// ready lets the scan itself put 0 for what is missing, where it is 0 in every row.
func (r *relating) ready(in *input) {
	for _, a := range in.atoms {
		col := in.step.col(a.col)
		if col.agg == nil || r.req.fill != nil || r.partly(a) {
			continue
		}
		col.agg.zero = a.zero
		a.ready = true
	}
}

// arm gives a branch the columns of the stack: its own values and typed NULLs for the others.
func (r *relating) arm(in *input) *step {
	s := selects(kindStack, "arm", in.step)
	s.kind = kindScan
	for _, k := range r.keys {
		x := ref(0, r.c.keyNames[k], r.c.key(k).Type)
		if in.step.col(x.Text) == nil { // members that are only named
			x = null(x.Type)
		}
		s.cols = append(s.cols, column{name: r.c.keyNames[k], key: true, typ: r.c.key(k).Type, x: x})
	}
	for _, other := range r.inputs {
		for _, a := range other.atoms {
			x := null(a.typ)
			if other == in {
				x = ref(0, a.col, a.typ)
			}
			s.cols = append(s.cols, column{name: a.col, typ: a.typ, x: x})
		}
	}
	if r.req.exists && len(r.grain) == 0 {
		x := number(0)
		if in.adds {
			x = ref(0, "counted", semantic.Integer)
		}
		s.cols = append(s.cols, column{name: "counted", typ: semantic.Integer, x: x})
	}
	if r.shown {
		x := number(boolInt(in.adds))
		if in.shown != "" && in.adds {
			x = ref(0, in.shown, semantic.Integer)
		}
		s.cols = append(s.cols, column{name: "shown", typ: semantic.Integer, x: x})
	}
	return s
}

// collapse puts the cells of a key side by side: each branch has at most one row for it.
func (r *relating) collapse(stack *step) *step {
	s := selects(kindCollapse, "collapsed", stack)
	s.grouped = true
	for _, k := range r.keys {
		c := column{name: r.c.keyNames[k], key: true, typ: r.c.key(k).Type, x: ref(0, r.c.keyNames[k], r.c.key(k).Type)}
		if !slices.Contains(r.grain, k) && (r.loose(k) || !r.everywhere(k)) {
			c.key, c.x, c.agg = false, nil, &aggregate{reducer: "one", arg: c.x}
		}
		s.cols = append(s.cols, c)
	}
	for _, in := range r.inputs {
		for _, a := range in.atoms {
			agg := &aggregate{reducer: "one", arg: ref(0, a.col, a.typ)}
			if r.req.fill == nil && !r.partly(a) {
				agg.zero, a.ready = a.zero, true
			}
			s.cols = append(s.cols, column{name: a.col, typ: a.typ, agg: agg})
		}
	}
	for _, flag := range []string{"counted", "shown"} {
		if stack.in[0].col(flag) != nil {
			s.cols = append(s.cols, column{name: flag, typ: semantic.Integer, agg: &aggregate{reducer: "max", arg: ref(0, flag, semantic.Integer)}})
		}
	}
	return s
}

// everywhere says whether every source of the query reaches a key.
func (r *relating) everywhere(k int) bool {
	if r.req.members != nil {
		return false
	}
	for _, in := range r.inputs {
		for _, a := range in.atoms {
			if a.kind == "leaf" && !r.c.key(k).Axis && r.c.key(k).Exprs[a.leaf.Source] == nil {
				return false
			}
		}
	}
	return true
}

// counted leaves the single row of an empty grain out when no base row is behind it.
func (r *relating) counted(s *step) *step {
	f := selects(kindFilter, "counted", s)
	f.where = []*Scalar{compare(">", ref(0, "counted", semantic.Integer), number(0))}
	f.pass(0, s.allNames()...)
	return f
}

// trimmed leaves out the rows that were scanned for windows and comparisons only.
func (r *relating) trimmed(s *step) *step {
	if !r.shown {
		return s
	}
	f := selects(kindFilter, "shown_rows", s)
	f.where = []*Scalar{compare("=", ref(0, "shown", semantic.Integer), number(1))}
	for _, n := range s.allNames() {
		if n != "shown" {
			f.pass(0, n)
		}
	}
	return f
}

// ranked adds ranks and the values of first buckets, which look at the rows that are shown.
func (r *relating) ranked(s *step) *step {
	all := append(r.of("rank"), r.of("index")...)
	if len(all) == 0 {
		return s
	}
	next := selects(kindWindow, "ranked", s)
	next.pass(0, s.allNames()...)
	for _, a := range all {
		v := &window{}
		switch a.kind {
		case "rank":
			v.function = "rank"
			arg := r.resolve(a.arg)
			v.order = []sortTerm{{x: arg, desc: true}}
			v.when = &Scalar{Op: "not_null", Args: []*Scalar{arg}}
			for _, k := range a.keys {
				v.partition = append(v.partition, r.keyRef(k))
			}
		default:
			v.function, v.arg, v.partition = "first", r.resolve(a.arg), r.others()
			v.order = []sortTerm{{x: r.axisRef()}}
		}
		next.cols = append(next.cols, column{name: a.col, typ: a.typ, win: v})
	}
	return next
}

// others are the keys of the grain but for the axis: windows along it stay within equal values of them.
func (r *relating) others() []*Scalar {
	var all []*Scalar
	for _, k := range r.grain {
		if !r.c.key(k).Axis {
			all = append(all, r.keyRef(k))
		}
	}
	return all
}

func (r *relating) axisRef() *Scalar { return r.keyRef(r.axis) }

// keyRef is a key as a column of the steps of the relation; a coarser axis is cut from the finest.
func (r *relating) keyRef(k int) *Scalar {
	key := r.c.key(k)
	if !slices.Contains(r.grain, k) && r.c.cutsFrom(k, r.grain) {
		return recut(key.Cut, ref(0, r.c.keyNames[r.axis], r.c.key(r.axis).Type))
	}
	x := ref(0, r.c.keyNames[k], key.Type)
	x.Number = keyed(key.Exprs)
	return x
}

// resolve puts columns in for atoms and keys.
func (r *relating) resolve(cell *Scalar) *Scalar {
	return cell.replace(func(s *Scalar) *Scalar {
		switch s.Op {
		case "atom":
			return r.cell(r.atoms[s.Index])
		case "keycol":
			return r.keyRef(s.Index)
		}
		return nil
	})
}
