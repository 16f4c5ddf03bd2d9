package compile

import "assay/backend/semantic"

// Population writes one statement for each source that counts its rows: one row with rows_in, kept (by all conditions
// together), then filter_1, filter_2, ... (what each conjunct of WHERE alone keeps; one that does not apply to the source
// keeps all), with a period filter_<n+1> for it, and first and last: the least and the greatest time among the rows that
// are kept.
func Population(q *Query, o Options) ([]*Program, error) {
	d, err := dialectFor(o.Dialect)
	if err != nil {
		return nil, err
	}
	var all []*Program
	for i := range q.Sources {
		c := newCompiler(q, o)
		if c.err != nil {
			return nil, c.err
		}
		s := c.population(i)
		if c.err != nil {
			return nil, c.err
		}
		p := &Program{Columns: s.allNames()}
		if err := writeProgram(d, s, p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

func (c *compiler) population(source int) *step {
	s := &step{kind: kindScan, name: "population", source: &c.q.Sources[source], origin: source, grouped: true, limit: -1}
	var when *Scalar
	for _, l := range c.q.Leaves {
		if l.Source == source && l.Time != nil {
			when = l.Time
			break
		}
	}
	x := c.contexts[0]
	count := func(name string, filter *Scalar) {
		s.cols = append(s.cols, column{name: name, typ: semantic.Integer, agg: &aggregate{reducer: "count", filter: filter}})
	}
	var each []*Scalar
	for _, w := range s.source.Where {
		if w != nil {
			w = c.bind(s, []*Scalar{w})[0]
		}
		each = append(each, w)
	}
	period := when != nil && !(x.From.IsZero() && x.To.IsZero())
	if period {
		each = append(each, and(within(when, x.From, x.To)...))
	}
	kept := and(each...)
	count("rows_in", nil)
	count("kept", kept)
	for i, w := range each {
		count("filter_"+itoa(i+1), w)
	}
	if period {
		for i, name := range []string{"first", "last"} {
			s.cols = append(s.cols, column{name: name, typ: when.Type, agg: &aggregate{reducer: []string{"min", "max"}[i], arg: when, filter: kept}})
		}
	}
	return s
}

// CountQuery counts the rows of the first source as Population does, but for first and last, with a context for each
// count: then each is a scan of its own, which a stored frame may answer. Over the base data Population is cheaper, and
// always for more than ten conditions: then it is nil.
func CountQuery(q *Query) *Query {
	if len(q.Sources[0].Where) > 10 {
		return nil
	}
	out := &Query{Sources: q.Sources[:1]}
	count := Leaf{Reducer: "count", Zero: true, Name: "rows", Type: semantic.Integer}
	for _, l := range q.Leaves {
		if l.Source == 0 && l.Time != nil {
			count.Time = l.Time
			break
		}
	}
	out.Leaves = []Leaf{count}
	add := func(name string, x Context) {
		out.Contexts = append(out.Contexts, x)
		out.Outputs = append(out.Outputs, Output{Name: name, Cell: &Scalar{Op: "leaf", Ctx: len(out.Contexts) - 1, Type: semantic.Integer}})
	}
	var own Context
	if len(q.Contexts) > 0 && count.Time != nil {
		own.From, own.To = q.Contexts[0].From, q.Contexts[0].To
	}
	add("rows_in", Context{IgnoreFilters: true})
	add("kept", own)
	where := q.Sources[0].Where
	for i := range where {
		alone := Context{}
		for k := range where {
			if k != i {
				alone.Ignored = append(alone.Ignored, k)
			}
		}
		add("filter_"+itoa(i+1), alone)
	}
	if !own.From.IsZero() || !own.To.IsZero() {
		add("filter_"+itoa(len(where)+1), Context{IgnoreFilters: true, From: own.From, To: own.To})
	}
	return out
}
