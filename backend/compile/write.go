package compile

import (
	"slices"
	"strings"
)

// writer lays steps out as SQL: steps that are read once become part of the SELECT that reads them wherever SQL allows
// it, the others stand in WITH.
type writer struct {
	d       dialect
	names   *names // of steps
	with    []named
	written map[*step]string // names of steps in WITH
	readers map[*step]int
	lacks   map[capability]bool // what was asked of the dialect that it cannot say
	authors map[string]string   // SELECTs of the model's author, by the mark that holds their place
	err     error
}

func newWriter(d dialect, root *step) *writer {
	w := &writer{d: d, written: map[*step]string{}, readers: map[*step]int{}, lacks: map[capability]bool{}, authors: map[string]string{}}
	w.names = &names{taken: map[string]bool{}, reserved: d.reserved}
	for _, s := range walk(root) {
		for _, in := range s.reads() {
			w.readers[in]++
		}
		w.avoid(s)
	}
	return w
}

// avoid keeps the names of steps apart from the tables that are read: a step would hide the table of its name.
func (w *writer) avoid(s *step) {
	if s.source == nil {
		return
	}
	for _, n := range s.source.Nodes {
		w.names.taken[strings.ToLower(n.Table)] = true
		for _, word := range strings.FieldsFunc(strings.ToLower(n.SQL), func(r rune) bool { return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') }) {
			w.names.taken[word] = true
		}
	}
}

// walk gives a step and all that it reads, inputs first, each once.
func walk(root *step) []*step {
	var all []*step
	seen := map[*step]bool{}
	var visit func(*step)
	visit = func(s *step) {
		if seen[s] {
			return
		}
		seen[s] = true
		for _, in := range s.reads() {
			visit(in)
		}
		all = append(all, s)
	}
	visit(root)
	return all
}

// reads gives the inputs, with what the subqueries of conditions read.
func (s *step) reads() []*step {
	all := slices.Clone(s.in)
	s.scalars(func(x *Scalar) {
		switch {
		case x.Op == "single":
			all = append(all, x.step)
		case x.step != nil:
			all = append(all, x.step.reads()...)
		}
	})
	return all
}

// scalars visits every expression of a step and everything in it.
func (s *step) scalars(visit func(*Scalar)) {
	for _, j := range s.joins {
		for _, c := range j.on {
			c.each(visit)
		}
	}
	for _, c := range s.where {
		c.each(visit)
	}
	for _, c := range s.cols {
		c.x.each(visit)
		if c.agg != nil {
			c.agg.arg.each(visit)
			c.agg.filter.each(visit)
			for _, o := range c.agg.order {
				o.each(visit)
			}
		}
		if c.win != nil {
			c.win.arg.each(visit)
			c.win.when.each(visit)
			c.win.otherwise.each(visit)
			for _, p := range c.win.partition {
				p.each(visit)
			}
			for _, o := range c.win.order {
				o.x.each(visit)
			}
		}
	}
	for _, o := range s.order {
		o.x.each(visit)
	}
	if s.series != nil {
		s.series.first.each(visit)
		s.series.last.each(visit)
	}
}

// sql writes the statement whose rows are those of the step.
func (w *writer) sql(root *step) string {
	b := w.block(root)
	return w.d.whole(w.finish(statement(w.with, w.selection(b))))
}

// finish puts the authors' SELECTs in.
func (w *writer) finish(sql string) string {
	for mark, author := range w.authors {
		sql = strings.ReplaceAll(sql, mark, author)
	}
	return sql
}

// block is one SELECT that takes shape: its expressions are over its FROM items (ref: Index is the item).
type block struct {
	items   []item
	names   *names // aliases
	where   []*Scalar
	grouped bool
	keys    []*Scalar // of GROUP BY
	cols    []column
	order   []sortTerm
	limit   int
	offset  int
	arms    []*block // of a union
	filters int      // how many aggregates have a filter
}

// item is one line of FROM.
type item struct {
	alias string
	text  string
	join  joinKind
	on    []*Scalar
	base  bool // a table of the model
}

// block writes a step as a SELECT, with its inputs in WITH or as a part of it.
func (w *writer) block(s *step) *block {
	if s.kind == kindStack {
		b := &block{limit: -1}
		for _, in := range s.in {
			b.arms = append(b.arms, w.block(in))
		}
		return b
	}
	b := &block{limit: -1, names: w.aliases()}
	scope := w.base(b, s)
	for i, j := range s.joins {
		scope.inputs[j.input] = len(b.items)
		b.items = append(b.items, w.joined(b, s.in[j.input], j.kind))
		b.items[len(b.items)-1].on = scope.all(s.joins[i].on)
	}
	b.where = append(b.where, scope.all(s.where)...)
	var cols []column
	for _, c := range s.cols {
		cols = append(cols, scope.column(c))
		if s.grouped && c.key {
			b.keys = append(b.keys, cols[len(cols)-1].x)
		}
	}
	b.cols, b.grouped, b.filters = cols, b.grouped || s.grouped, 0
	for _, c := range cols {
		if c.agg != nil && c.agg.filter != nil {
			b.filters++
		}
	}
	for _, o := range s.order {
		if o.column == "" {
			made := scope.column(column{x: o.x})
			o.made = &made
		}
		b.order = append(b.order, o)
	}
	b.limit, b.offset = s.limit, s.offset
	return b
}

// aliases are those of a SELECT: the names of steps are never among them.
func (w *writer) aliases() *names { return &names{taken: map[string]bool{}, reserved: w.d.reserved} }

// base begins a SELECT with what the step reads first.
func (w *writer) base(b *block, s *step) *scope {
	sc := &scope{block: b, inputs: map[int]int{}, nodes: map[int]int{}}
	switch {
	case s.series != nil:
		w.seriesItem(b, s, sc)
	case s.source != nil:
		w.rows(b, s, sc)
	case len(s.in) == 0:
	case w.folds(s):
		inner := w.block(s.in[0])
		*b = *inner
		b.limit = -1
		sc.folded = inner.cols
	default:
		name := w.step(s.in[0])
		b.items = append(b.items, item{alias: b.names.alias(name), text: name})
		sc.inputs[0] = 0
	}
	return sc
}

// folds says whether a step and its first input fit in one SELECT.
func (w *writer) folds(s *step) bool {
	in := s.in[0]
	if w.readers[in] > 1 || w.written[in] != "" || in.kind == kindStack || in.limit >= 0 || in.offset > 0 || len(in.order) > 0 {
		return false
	}
	for _, j := range s.joins {
		if j.input == 0 {
			return false
		}
	}
	reduced := w.isGrouped(in)
	made := map[string]bool{} // columns that are more than a name here
	for _, c := range w.shape(in) {
		made[c.name] = c.agg != nil || c.win != nil || reduced
	}
	windows := slices.ContainsFunc(w.shape(in), func(c column) bool { return c.win != nil })
	if reduced && !w.aggregates(s, in) { // one row, which no name would bring back
		return false
	}
	if (reduced || windows) && (s.grouped || len(s.where) > 0 || len(s.joins) > 0) {
		return false
	}
	direct := func(x *Scalar) bool {
		return x.Op == "ref" || !x.any(func(p *Scalar) bool { return p.Op == "ref" && p.Index == 0 && made[p.Text] })
	}
	for _, c := range s.cols {
		switch {
		case c.x != nil && !direct(c.x):
			return false
		case c.win != nil && (reduced || windows):
			return false
		}
	}
	return !slices.ContainsFunc(s.order, func(o sortTerm) bool { return o.column == "" && !direct(o.x) })
}

// aggregates says whether what a step takes from a grouped one still groups: by a key, or because it is an aggregate.
func (w *writer) aggregates(s, in *step) bool {
	shape := w.shape(in)
	if len(in.keys()) > 0 {
		return true
	}
	return slices.ContainsFunc(s.cols, func(c column) bool {
		return c.x != nil && c.x.Op == "ref" && slices.ContainsFunc(shape, func(o column) bool { return o.name == c.x.Text && o.agg != nil })
	})
}

// shape gives the columns of a step as they are in the SELECT that it would become.
func (w *writer) shape(s *step) []column {
	if s.source != nil || s.series != nil || len(s.in) == 0 || s.kind == kindStack || !w.folds(s) {
		return s.cols
	}
	inner := map[string]column{}
	for _, c := range w.shape(s.in[0]) {
		inner[c.name] = c
	}
	var all []column
	for _, c := range s.cols {
		if c.x != nil && c.x.Op == "ref" && c.x.Index == 0 {
			from := inner[c.x.Text]
			c = column{name: c.name, x: from.x, agg: from.agg, win: from.win}
		}
		all = append(all, c)
	}
	return all
}

func (w *writer) isGrouped(s *step) bool {
	return s.grouped || s.source == nil && s.series == nil && len(s.in) > 0 && s.kind != kindStack && w.folds(s) && w.isGrouped(s.in[0])
}

// step gives the name of a step that stands in WITH, written when it is first asked for.
func (w *writer) step(s *step) string {
	if name := w.written[s]; name != "" {
		return name
	}
	b := w.block(s)
	body := w.selection(b)
	name := w.names.take(s.name)
	w.written[s] = w.d.name(name)
	w.with = append(w.with, named{w.written[s], body})
	return w.written[s]
}

// scope turns expressions of a step into those of the SELECT that it becomes.
type scope struct {
	block  *block
	folded []column    // of the first input, when it is a part of the same SELECT
	inputs map[int]int // input of the step -> item
	nodes  map[int]int // node of the source -> item
}

func (sc *scope) all(list []*Scalar) []*Scalar {
	var all []*Scalar
	for _, x := range list {
		all = append(all, sc.scalar(x))
	}
	return all
}

func (sc *scope) scalar(x *Scalar) *Scalar {
	return x.replace(func(p *Scalar) *Scalar {
		switch p.Op {
		case "col":
			return &Scalar{Op: "ref", Index: sc.nodes[p.Node], Text: p.Text, Type: p.Type, Number: p.Number}
		case "outer":
			return p
		case "exists":
			return &Scalar{Op: "exists", step: p.step, Type: p.Type, scope: sc}
		case "ref":
			if c := sc.of(p); c != nil {
				return c.x
			}
			return &Scalar{Op: "ref", Index: sc.inputs[p.Index], Text: p.Text, Type: p.Type, Number: p.Number}
		}
		return nil
	})
}

// of gives the column of the folded input that is meant.
func (sc *scope) of(p *Scalar) *column {
	if p.Index != 0 || p.Op != "ref" || sc.folded == nil {
		return nil
	}
	for i := range sc.folded {
		if sc.folded[i].name == p.Text {
			return &sc.folded[i]
		}
	}
	return nil
}

func (sc *scope) column(c column) column {
	switch {
	case c.agg != nil:
		a := *c.agg
		a.arg, a.filter, a.order = sc.scalar(a.arg), sc.scalar(a.filter), sc.all(a.order)
		c.agg = &a
	case c.win != nil:
		v := *c.win
		v.arg, v.when, v.otherwise, v.partition = sc.scalar(v.arg), sc.scalar(v.when), sc.scalar(v.otherwise), sc.all(v.partition)
		v.order = slices.Clone(v.order)
		for i := range v.order {
			v.order[i].x = sc.scalar(v.order[i].x)
		}
		c.win = &v
	default:
		if from := sc.of(c.x); from != nil {
			c.x, c.agg, c.win = from.x, from.agg, from.win
			break
		}
		c.x = sc.scalar(c.x)
	}
	return c
}
