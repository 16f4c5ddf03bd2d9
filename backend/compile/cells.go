package compile

import (
	"slices"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
)

// atom is a part of a cell that a step computes: everything else of a cell is arithmetic, which comes last.
//
//	leaf     an aggregate of rows, in a context
//	reduce   a reducer over the rows of a finer relation
//	at       a leaf, a reduce or a window of a coarser relation
//	acc      a leaf or a reduce accumulated along the axis (cumulative, moving)
//	rank     the rank of arg
//	index    the value of arg in the first bucket
type atom struct {
	kind  string
	sig   string
	leaf  Leaf
	ctx   int
	cell  *Scalar // of reduce and at: what is evaluated there
	keys  []int   // of reduce, at and rank
	spec  *Scalar // of reduce and acc: the node of the cell that asks for it
	arg   *Scalar // of acc, rank and index, lowered
	typ   semantic.Type
	zero  bool
	rest  bool      // of at: only over the rest of TOP
	back  *Context  // of at: looked up that long before, at the same grain
	from  time.Time // of reduce under a window: rows before it are there for the window only
	name  string
	col   string // its column
	quiet bool   // it gives no rows: only the number by which TOP ranks asks for it
	ready bool   // what is missing is already 0 in the column where it should be
}

// lowering takes cells apart for one relation.
type lowering struct {
	c     *compiler
	grain []int
	plain bool // total rows: windows are missing
	rest  bool // the rest of TOP: what does not hold a member among its keys is still over all rows
	atoms []*atom
	carry []int // keys that cells name and the grain determines
	names *names
	quiet bool // what is lowered gives no rows
}

// env is what stands around a part of a cell.
type env struct {
	at    []int // within an at: its keys
	isAt  bool
	rest  bool    // the at held a key that is not here, a member of TOP: only the rest counts
	acc   *Scalar // within a cumulative or a moving
	label string  // a name for what stands alone
}

// lower gives the cell with op "atom" (Index) and "keycol" (Index of Query.Keys) in place of what steps compute.
func (l *lowering) lower(s *Scalar, e env) *Scalar {
	switch s.Op {
	case "key":
		return l.key(s.Index)
	case "leaf":
		return l.leaf(s, e)
	case "at":
		return l.at(s, e)
	case "reduce":
		if e.isAt {
			return l.coarser(s, e)
		}
		return l.reduce(s, e)
	case "cumulative", "moving", "lag", "rank", "index":
		if l.plain {
			return null(s.Type)
		}
		if e.isAt {
			return l.coarser(s, e)
		}
		return l.window(s, e)
	}
	if len(s.Args) == 0 {
		return s
	}
	e.label = ""
	whole := *s
	whole.Args = make([]*Scalar, len(s.Args))
	for i, a := range s.Args {
		whole.Args[i] = l.lower(a, e)
	}
	return &whole
}

// key is a column of the grain, or one that it determines; in total rows others are missing.
func (l *lowering) key(k int) *Scalar {
	key := l.c.key(k)
	if !l.c.closure(k, l.grain) && (slices.Contains(l.c.q.Grain, k) || !l.c.within(k, l.grain)) {
		return null(key.Type)
	}
	l.bring(k)
	return &Scalar{Op: "keycol", Index: k, Type: key.Type}
}

// bring makes a key that the grain determines a column of the relation; a coarser axis is cut from the finest.
func (l *lowering) bring(k int) {
	if !slices.Contains(l.grain, k) && !slices.Contains(l.carry, k) && !l.c.cutsFrom(k, l.grain) {
		l.carry = append(l.carry, k)
	}
}

func (l *lowering) leaf(s *Scalar, e env) *Scalar {
	if l.plain && l.c.contexts[s.Ctx].Lag {
		return null(s.Type)
	}
	if e.isAt {
		return l.coarser(s, e)
	}
	if before := l.looksBack(s, e); before != nil {
		return before
	}
	return l.leafAtom(l.c.q.Leaves[s.Index], s.Ctx, e)
}

// leafAtom is the atom of an aggregate; an average that is accumulated or counted at other days is taken apart.
func (l *lowering) leafAtom(leaf Leaf, ctx int, e env) *Scalar {
	leaf = l.c.snapshots(leaf, l.grain)
	if e.acc != nil {
		return l.accumulated(leaf, ctx, e)
	}
	leaf = l.sameDay(leaf, ctx)
	if leaf.Reducer == "avg" && !leaf.Distinct && (leaf.Map.Kind != "" && leaf.Map.Kind != "shift" || l.c.o.Serve != nil) {
		sum, count := averageParts(leaf)
		return average(l.leafAtom(sum, ctx, env{}), l.leafAtom(count, ctx, env{}))
	}
	name := e.label
	if name == "" {
		name = leaf.Name
		if x := l.c.contexts[ctx]; x.moved() || x.Lag || ctx > 0 && ctx < len(l.c.q.Contexts) && x.warm.IsZero() {
			name += "_previous"
		}
	}
	return l.atom(&atom{kind: "leaf", sig: "leaf " + leaf.signature() + " " + itoa(ctx), leaf: leaf, ctx: ctx, typ: leafType(leaf), zero: leaf.Zero, name: name})
}

func leafType(l Leaf) semantic.Type {
	if l.Type != "" {
		return l.Type
	}
	if l.Expr != nil {
		return typeOf(l.Reducer, l.Expr.Type)
	}
	return semantic.Integer
}

// averageParts gives the sum and the count of which an average is made.
func averageParts(l Leaf) (sum, count Leaf) {
	sum, count = l, l
	sum.Reducer, sum.Zero, sum.Name, sum.Metric, sum.Type = "sum", false, l.Name+"_sum", "", ""
	if l.Expr != nil && l.Expr.Type.Numeric() {
		sum.Type = l.Expr.Type
	}
	count.Reducer, count.Zero, count.Name, count.Metric, count.Type = "count", true, l.Name+"_count", "", semantic.Integer
	return sum, count
}

// average finishes one; its division is none that somebody asked for.
func average(sum, count *Scalar) *Scalar {
	return &Scalar{Op: "/", Text: "average", Args: []*Scalar{sum, count}, Type: semantic.Float}
}

// atom gives the reference to an atom; equal ones are one.
func (l *lowering) atom(a *atom) *Scalar {
	for i, known := range l.atoms {
		if known.sig == a.sig {
			known.quiet = known.quiet && l.quiet
			return &Scalar{Op: "atom", Index: i, Type: known.typ}
		}
	}
	if a.name == "" {
		a.name = a.kind
	}
	a.col, a.quiet = l.names.take(a.name), l.quiet
	l.atoms = append(l.atoms, a)
	return &Scalar{Op: "atom", Index: len(l.atoms) - 1, Type: a.typ}
}

// at moves the parts of a cell to a coarser grain. In total rows, and in the rest of TOP, only the keys that are there count,
// with those that the others would determine.
func (l *lowering) at(s *Scalar, e env) *Scalar {
	var keys []int
	for _, k := range s.Keys {
		if l.c.within(k, l.grain) {
			keys = append(keys, k)
		}
	}
	rest := len(keys) < len(s.Keys)
	for _, k := range s.Fixed {
		if rest && l.c.within(k, l.grain) && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	same := len(keys) == len(l.grain) && (rest || !l.rest)
	for _, k := range l.grain {
		same = same && slices.Contains(keys, k)
	}
	if e.isAt { // within a coarser one already: what is coarsest holds
		return l.lower(s.Args[0], env{at: keys, isAt: true, rest: rest || e.rest, acc: e.acc})
	}
	if same { // what is coarser than the rows gives none, also where the rest and the totals take it as it is
		before := l.quiet
		l.quiet = before || slices.ContainsFunc(l.c.q.Grain, func(k int) bool { return !l.c.closure(k, s.Keys) })
		x := l.lower(s.Args[0], e)
		l.quiet = before
		return x
	}
	return l.lower(s.Args[0], env{at: keys, isAt: true, rest: rest, acc: e.acc})
}

// coarser is a part of a cell that a coarser relation computes. It is accumulated there when there is an axis.
func (l *lowering) coarser(s *Scalar, e env) *Scalar {
	if e.acc != nil && l.c.finest(e.at) >= 0 && (s.Op == "leaf" || s.Op == "reduce") {
		acc := *e.acc
		acc.Args = []*Scalar{s}
		s = &acc
	}
	for _, k := range e.at {
		l.bring(k)
	}
	a := &atom{kind: "at", cell: s, keys: e.at, rest: e.rest && l.rest, typ: s.Type}
	a.sig = "at " + a.group() + " " + s.Signature()
	inner := s
	for len(inner.Args) > 0 && inner.Op != "reduce" {
		inner = inner.Args[0]
	}
	switch inner.Op {
	case "leaf":
		leaf := l.c.q.Leaves[inner.Index]
		a.name, a.zero = leaf.Name, leaf.Zero
		if a.typ == "" {
			a.typ = leafType(leaf)
		}
	case "reduce":
		a.name, a.zero = "rolled_up", zeroReducer(inner.Text)
	}
	if s.Op == "rank" || s.Op == "index" {
		a.zero = false
	}
	a.name += "_at"
	for _, k := range e.at {
		a.name += "_" + l.c.keyNames[k]
	}
	if len(e.at) == 0 {
		a.name = strings.TrimSuffix(a.name, "_at") + "_total"
	}
	return l.atom(a)
}

// looksBack is a leaf or a reduce of the bucket so many units earlier where buckets cannot be moved onto each other: days by
// months or years. It is evaluated where it lies, and every bucket looks up the one that lies those units before it. nil: none
// of that kind.
func (l *lowering) looksBack(s *Scalar, e env) *Scalar {
	axis, ctx := l.c.finest(l.grain), -1
	mixed := false
	s.each(func(p *Scalar) {
		if p.Op == "leaf" {
			mixed = mixed || ctx >= 0 && ctx != p.Ctx
			ctx = p.Ctx
		}
	})
	if axis < 0 || ctx < 0 || mixed {
		return nil
	}
	x := l.c.contexts[ctx]
	if !x.Lag || x.Shift == 0 || exact(l.c.key(axis).Cut, x.Unit) {
		return nil
	}
	still := x
	still.Shift, still.Unit, still.Lag = 0, "", false
	at := l.c.context(still)
	cell := s.replace(func(p *Scalar) *Scalar {
		if p.Op != "leaf" {
			return nil
		}
		q := *p
		q.Ctx = at
		return &q
	})
	if e.acc != nil {
		acc := *e.acc
		acc.Args = []*Scalar{cell}
		cell = &acc
	}
	a := &atom{kind: "at", cell: cell, keys: l.grain, ctx: ctx, back: &x, rest: l.rest, typ: s.Type, name: e.label}
	if s.Op == "leaf" {
		leaf := l.c.q.Leaves[s.Index]
		a.zero = leaf.Zero
		if a.name == "" {
			a.name = leaf.Name + "_previous"
		}
		if a.typ == "" {
			a.typ = leafType(leaf)
		}
	} else {
		a.zero = zeroReducer(s.Text)
	}
	a.sig = "back " + a.group() + " " + s.Signature() + cell.Signature()
	return l.atom(a)
}

// group is equal for atoms that one coarser relation gives.
func (a *atom) group() string {
	if a.back != nil {
		return "back " + a.back.signature()
	}
	if a.rest {
		return "rest " + keysText(a.keys)
	}
	return keysText(a.keys)
}

func zeroReducer(reducer string) bool {
	reducer = strings.TrimSuffix(reducer, "_distinct")
	return reducer == "sum" || reducer == "count"
}

func (l *lowering) reduce(s *Scalar, e env) *Scalar {
	if l.plain && s.any(func(p *Scalar) bool { return p.Op == "leaf" && l.c.contexts[p.Ctx].Lag }) {
		return null(s.Type)
	}
	if e.acc == nil && (l.whole(s) || l.lastDay(s)) {
		return l.lower(s.Args[0], e)
	}
	if e.acc != nil && s.Text == "avg" {
		sum, count := *s, *s
		sum.Text, count.Text = "sum", "count"
		return average(l.reduce(&sum, e), l.reduce(&count, e))
	}
	if before := l.looksBack(s, e); before != nil {
		return before
	}
	name := e.label
	if name == "" {
		name = "rolled_up"
	}
	a := &atom{kind: "reduce", sig: "reduce " + s.Signature(), cell: s.Args[0], keys: s.Keys, spec: s, typ: s.Type, zero: zeroReducer(s.Text), name: name}
	if a.typ == "" {
		a.typ = typeOf(strings.TrimSuffix(s.Text, "_distinct"), s.Args[0].Type)
	}
	if e.acc == nil {
		return l.atom(a)
	}
	a.name = "to_add_up"
	cut := l.c.key(l.c.finest(l.grain)).Cut
	a.cell = l.c.longer(a.cell, func(ctx int) int { return l.c.warmed(ctx, e.acc, cut) }, &a.from)
	a.sig += " longer " + a.cell.Signature()
	return l.windowed(l.atom(a), s.Text, e)
}

// whole says whether a reduce of semi-additive days stands where each group is one day, of which it is the value.
func (l *lowering) whole(s *Scalar) bool {
	if s.Text != "avg" && s.Text != "min" && s.Text != "max" || s.Args[0].Op != "leaf" || l.c.q.Leaves[s.Args[0].Index].Zero {
		return false
	}
	for _, k := range s.Keys {
		if !l.c.closure(k, l.grain) {
			return false
		}
	}
	return true
}

// lastDay says whether a reduce is over the days of a bucket of a running total, in a total row that has no bucket: there it
// is what the last day says.
func (l *lowering) lastDay(s *Scalar) bool {
	if !l.plain || l.c.finest(l.grain) >= 0 || len(s.Keys) != 1 || slices.Contains(l.c.q.Grain, s.Keys[0]) {
		return false
	}
	return s.Args[0].any(func(p *Scalar) bool { return p.Op == "leaf" && !l.c.q.Leaves[p.Index].Map.ofRows() })
}

// window takes a function along the axis apart, down to its leaves.
func (l *lowering) window(s *Scalar, e env) *Scalar {
	axis := l.c.finest(l.grain)
	if axis < 0 && s.Op != "rank" {
		l.c.broken(s.Op + " without an axis")
		return null(s.Type)
	}
	switch s.Op {
	case "lag":
		return l.lower(l.c.lagged(s.Args[0], s.N, l.c.key(axis).Cut), e)
	case "cumulative", "moving":
		if e.acc != nil {
			l.c.refuse(fault.Invalid, text.Say("compile.nested_window"))
			return null(s.Type)
		}
		return l.lower(s.Args[0], env{acc: s, label: e.label})
	}
	if e.acc != nil {
		l.c.refuse(fault.Invalid, text.Say("compile.nested_window"))
		return null(s.Type)
	}
	if s.Op == "rank" && l.rest {
		return null(s.Type)
	}
	arg := l.lower(s.Args[0], env{})
	a := &atom{kind: s.Op, sig: s.Signature(), arg: arg, keys: s.Keys, typ: semantic.Integer, name: e.label}
	if a.name == "" {
		a.name = s.Op
	}
	if s.Op == "rank" {
		for _, k := range s.Keys {
			l.key(k)
		}
		return l.atom(a)
	}
	a.typ, a.name = arg.Type, "base"
	hundred := op2("*", number(100), arg, arg.Type)
	return op2("/", hundred, l.atom(a), semantic.Float)
}

// lagged is a cell of n buckets earlier.
func (c *compiler) lagged(s *Scalar, n int, cut *Scalar) *Scalar {
	return s.replace(func(p *Scalar) *Scalar {
		switch p.Op {
		case "leaf":
			q := *p
			q.Ctx = c.earlier(p.Ctx, n, cut)
			return &q
		case "at":
			if c.finest(p.Keys) < 0 {
				return p
			}
		}
		return nil
	})
}

// earlier gives the context whose buckets lie n buckets before those of another.
func (c *compiler) earlier(ctx, n int, cut *Scalar) int {
	x := c.contexts[ctx]
	unit := strings.TrimPrefix(cut.Text, "fiscal_")
	x.Lag, x.Shift, x.Unit = true, x.Shift+n, unit
	if !x.From.IsZero() {
		if x.From = cutTime(cut, x.From); len(cut.Buckets) > 0 {
			x.From = moveBuckets(cut, x.From, -n)
		} else {
			x.From = addUnits(x.From, -n, unit)
		}
	}
	return c.context(x)
}

func keysText(keys []int) string {
	var all []string
	for _, k := range slices.Sorted(slices.Values(keys)) {
		all = append(all, itoa(k))
	}
	return strings.Join(all, ",")
}

func (c *compiler) refuse(code fault.Code, message string) {
	if c.err == nil {
		c.err = fault.New(code, "compile", message, "")
	}
}
