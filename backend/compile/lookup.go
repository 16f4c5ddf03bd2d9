package compile

import "assay/backend/semantic"

// lookup joins the result of a query of its own on, and gives the value that is found by the row's keys; of in_top whether
// the keys are among the members.
func (c *compiler) lookup(s *step, p *Scalar) *Scalar {
	found := c.lookupStep(p.Sub.Lookup, p.Op == "in_top")
	if found == nil {
		return null(p.Type)
	}
	input := len(s.in)
	for i, in := range s.in {
		if in == found {
			input = i
		}
	}
	j := join{input: input, kind: joinLeft}
	for i, k := range p.Sub.Lookup.Keys {
		key := found.cols[i]
		j.on = append(j.on, compare("same", ref(input, key.name, key.typ), c.bind(s, []*Scalar{k})[0]))
	}
	if len(j.on) == 0 {
		j.kind = joinCross
	}
	if !joined(s, j) {
		if input < len(s.in) { // the same query by other keys
			input = len(s.in)
			for _, on := range j.on {
				on.Args[0].Index = input
			}
			j.input = input
		}
		s.in = append(s.in, found)
		s.joins = append(s.joins, j)
	}
	value := found.cols[len(found.cols)-1]
	if p.Op == "in_top" {
		return &Scalar{Op: "not_null", Args: []*Scalar{ref(j.input, value.name, value.typ)}, Type: semantic.Boolean}
	}
	return ref(j.input, value.name, value.typ)
}

// joined says whether a step has the very join already.
func joined(s *step, j join) bool {
	for _, known := range s.joins {
		if known.input != j.input || len(known.on) != len(j.on) {
			continue
		}
		same := true
		for i := range j.on {
			same = same && known.on[i].Signature() == j.on[i].Signature()
		}
		if same {
			return true
		}
	}
	return false
}

// lookupStep compiles the query of a lookup; equal ones are one step. Its columns are the keys, then the value, or for a
// test of membership a mark.
func (c *compiler) lookupStep(l *Lookup, member bool) *step {
	id := l.Query.signature()
	if member {
		id = "in_top " + id
	}
	if s := c.lookups[id]; s != nil {
		return s
	}
	inner := newCompiler(l.Query, Options{})
	inner.lookups = c.lookups
	root, err := inner.query()
	if err != nil {
		if c.err == nil {
			c.err = err
		}
		return nil
	}
	if root.limit < 0 && root.offset == 0 {
		root.order = nil
	}
	root.kind, root.name = kindLookup, "looked_up"
	s := root
	if member {
		root.name = "first_members"
		s = selects(kindLookup, "members", root)
		s.pass(0, root.keys()...)
		s.cols = append(s.cols, column{name: "is_member", typ: semantic.Integer, x: number(1)})
	}
	c.lookups[id] = s
	return s
}
