package reuse

import "assay/backend/compile"

// day is how a day is written.
const day = "2006-01-02"

// shape is a branch with the signatures of its parts, made once.
type shape struct {
	of      *compile.Branch
	paths   []string        // by node
	nodes   map[string]bool // the paths
	fact    string          // path of node 0
	tables  []string        // every table that is read; of an author\'s SELECT its text
	loose   []string        // paths of the nodes whose key may occur twice
	keys    []string        // signatures, in order
	cuts    []string        // by key: what it cuts, when it cuts a time
	needs   [][]string      // by key: the columns in it
	holds   map[string]bool // the columns in the keys
	keyAt   map[string]int  // signature -> index of keys
	leaves  []string        // signatures, in order
	leafAt  map[string]int  // signature -> index of leaves
	filters []*condition    // conjuncts, those of and taken apart
	signed  map[*compile.Scalar]string
	time    string            // signature of the time; empty: none
	domains map[string]domain // term -> values that the conjuncts and the period leave over
}

func shapeOf(b *compile.Branch) *shape {
	s := &shape{of: b, nodes: map[string]bool{}, holds: map[string]bool{}, keyAt: map[string]int{}, leafAt: map[string]int{}, signed: map[*compile.Scalar]string{}}
	if b.Source != nil {
		s.paths = paths(b.Source.Nodes)
		for i, p := range s.paths {
			s.nodes[p] = true
			if i > 0 && !b.Source.Nodes[i].Unique {
				s.loose = append(s.loose, p)
			}
		}
		if len(s.paths) > 0 {
			s.fact = s.paths[0]
		}
	}
	s.tables = Tables(*b)
	for i, k := range b.Keys {
		g := signature(k.Expr, s.paths)
		s.keys = append(s.keys, g)
		cut := ""
		if k.Expr != nil && k.Expr.Op == "trunc" && len(k.Expr.Args) == 1 {
			cut = signature(k.Expr.Args[0], s.paths)
		}
		s.cuts = append(s.cuts, cut)
		columns := columnsOf(nil, k.Expr, s.paths)
		s.needs = append(s.needs, columns)
		for _, c := range columns {
			s.holds[c] = true
		}
		if _, twice := s.keyAt[g]; !twice {
			s.keyAt[g] = i
		}
	}
	for i := range b.Leaves {
		g := leafSignature(&b.Leaves[i].Leaf, s.paths)
		s.leaves = append(s.leaves, g)
		if _, twice := s.leafAt[g]; !twice {
			s.leafAt[g] = i
		}
	}
	for _, f := range b.Filters {
		s.conjunct(f)
	}
	if b.Time != nil {
		s.time = signature(b.Time, s.paths)
	}
	s.domains = s.domainsOf()
	return s
}

// sign gives the signature of a scalar of the branch and remembers it. Only the branch that is asked about is asked for
// signatures later, and it belongs to one goroutine; those of a frame are all made with it.
func (s *shape) sign(x *compile.Scalar) string {
	g, known := s.signed[x]
	if !known {
		g = signature(x, s.paths)
		s.signed[x] = g
	}
	return g
}

func (s *shape) conjunct(f *compile.Scalar) {
	if f == nil {
		return
	}
	if f.Op == "and" {
		for _, a := range f.Args {
			s.conjunct(a)
		}
		return
	}
	s.filters = append(s.filters, conditionOf(f, s.paths))
}

// columnsOf adds the columns in a scalar. One that is tested against other rows is a column of its own: nothing else gives
// its value.
func columnsOf(all []string, s *compile.Scalar, nodes []string) []string {
	switch {
	case s == nil:
		return all
	case s.Op == "col" || s.Sub != nil:
		return append(all, signature(s, nodes))
	}
	for _, a := range s.Args {
		all = columnsOf(all, a, nodes)
	}
	return all
}

// bounded says whether the branch has a period.
func (s *shape) bounded() bool { return !s.of.From.IsZero() || !s.of.To.IsZero() }

// stored is a frame in the index.
type stored struct {
	Frame
	*shape
}

// comparison holds a branch against a frame, clause by clause.
type comparison struct {
	branch *shape
	frame  *stored
	facts  Facts
	off    clauses // clauses that are not looked at; only tests set any

	implies map[string]bool // what is known of conditions of frames, by signature

	served  compile.Served
	exact   bool   // every group of the branch is a group of the frame, or none
	special string // what the reason names
	failed  Reason // why a time could not be cut
}

// clauses is a set of clauses.
type clauses uint32

// The clauses, and the parts of them that stand alone.
const (
	clauseModel clauses = 1 << iota
	clauseJoins
	clauseEpoch
	clauseLeaf
	clauseReduce
	clauseDimension
	clauseGrain
	clauseZone
	clauseCalendar
	clauseAligned
	clauseCovered
	clauseImplied
	clauseResidual
	clausePolicy
	clauseDistinct
)

func (c *comparison) without(x clauses) bool { return c.off&x != 0 }
