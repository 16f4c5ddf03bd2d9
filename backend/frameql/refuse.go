package frameql

import (
	"slices"
	"strings"

	"assay/backend/text"
)

// refusal builds a refusal without place and repairs. Pairs fill the message and are its facts.
func refusal(code, key string, pairs ...any) *Refusal {
	return &Refusal{Code: code, Message: text.Say(key, pairs...), Facts: factsOf(pairs)}
}

// problem is a refusal on its way: it knows the node of the query and the edits that may repair it.
type problem struct {
	Refusal
	node  any // pointer into the resolver's query; nil: the whole query
	edits []edit
}

// edit is a change of the query that may resolve. It is made when everything that can be bound is bound, on the query as
// it then stands: canonical names are compared with canonical names.
type edit struct {
	label string
	make  func() string // the whole query, changed; nil: there is nothing to change
	keeps string        // a name that the query must still have when all of it is repaired; empty: none
}

// maxProblems bounds the refusals of one query; a query of thousands of unknown names needs no more to be understood.
const maxProblems = 50

// refuse notes a problem. The same problem at a second place is not told twice.
func (r *resolver) refuse(node any, why *Refusal, edits ...edit) {
	if len(r.problems) == maxProblems {
		return
	}
	for _, p := range r.problems {
		if p.Message == why.Message {
			return
		}
	}
	r.problems = append(r.problems, &problem{Refusal: *why, node: node, edits: edits})
}

// edited gives the query with a change.
func (r *resolver) edited(label string, change func(q *Query)) edit {
	return edit{label: label, make: func() string {
		q := r.q.Clone()
		change(q)
		return q.String()
	}}
}

// renamed gives the query with a name replaced everywhere.
func (r *resolver) renamed(old, replacement string) edit {
	e := r.edited(text.Say("frameql.repair_use", "name", replacement), func(q *Query) { q.rename(old, replacement) })
	e.keeps = strings.ToLower(replacement)
	return e
}

// spliced gives the query with the text of a node replaced.
func (r *resolver) spliced(label string, node any, replacement func() string) edit {
	return edit{label: label, make: func() string {
		w := printer{spans: map[any][2]int{}}
		w.query(r.q)
		span, ok := w.spans[node]
		if !ok {
			return ""
		}
		return w.String()[:span[0]] + replacement() + w.String()[span[1]:]
	}}
}

func says(s string) func() string { return func() string { return s } }

// without gives the query without an item of SELECT, wherever else it is named.
func (r *resolver) without(name string) edit {
	return r.edited(text.Say("frameql.repair_leave_out", "name", name), func(q *Query) { q.drop(name) })
}

// withoutExpr leaves out the columns and sort keys that an expression is part of.
func (r *resolver) withoutExpr(e *Expr) edit {
	return r.edited(text.Say("frameql.repair_leave_out", "name", e.String()), func(q *Query) {
		for i := range r.q.Select { // the copy has the same order
			if r.q.Select[i].Expr.holds(e) {
				q.Select[i] = Item{}
			}
		}
		q.Select = slices.DeleteFunc(q.Select, func(it Item) bool { return it.Dim == nil && it.Expr == nil })
		q.Order = slices.DeleteFunc(q.Order, func(o Order) bool { return o.Expr.String() == e.String() })
	})
}

// holds says whether an expression is another or holds it.
func (e *Expr) holds(part *Expr) bool {
	if e == nil {
		return false
	}
	return e == part || e.Of.holds(part) || slices.ContainsFunc(e.Args, func(a *Expr) bool { return a.holds(part) })
}

// drop removes a dimension or metric from SELECT, AT, TOP and ORDER BY, and the conditions on it from WHERE.
func (q *Query) drop(name string) {
	is := func(d Dim) bool { return d.String() == name }
	q.Select = slices.DeleteFunc(q.Select, func(it Item) bool {
		return it.Dim != nil && is(*it.Dim) || it.Expr.mentions(name)
	})
	if q.At != nil {
		q.At.Dims = slices.DeleteFunc(q.At.Dims, is)
	}
	if q.Top != nil && is(q.Top.Dim) {
		q.Top = nil
	}
	q.Order = slices.DeleteFunc(q.Order, func(o Order) bool { return o.Out == name || o.Expr.mentions(name) })
	q.Where = q.Where.without(func(p *Pred) bool { return is(Dim{Name: p.Dim, Grain: p.Grain}) })
	if q.Time != nil && q.Time.On != nil && is(*q.Time.On) {
		q.Time.On = nil
	}
}

// mentions says whether an expression is, or names, something.
func (e *Expr) mentions(name string) bool {
	found := e.String() == name
	e.eachName(func(n, _ *string) { found = found || strings.EqualFold(*n, name) })
	return found
}

// without drops conjuncts; nil when none is left.
func (p *Pred) without(drop func(*Pred) bool) *Pred {
	if p == nil || drop(p) {
		return nil
	}
	if len(p.And) == 0 {
		return p
	}
	kept := slices.DeleteFunc(slices.Clone(p.And), drop)
	if len(kept) == 0 {
		return nil
	}
	return &Pred{And: kept}
}

// maxRepairs stand with one refusal; maxTries bounds the queries that are resolved to find them all.
const (
	maxRepairs = 3
	maxTries   = 60
)

// refusals turns the problems into refusals, ordered by place. Every repair has been resolved: where a query has several
// problems, a repair of one takes the first working edit of each other along.
func (r *resolver) refusals() []Refusal {
	var all []Refusal
	tries := maxTries
	for i, p := range r.problems {
		out := p.Refusal
		out.Span = r.spans[p.node]
		mine := tries / (len(r.problems) - i) // what an earlier problem leaves over is shared by the later ones
		tries -= mine
		out.Repairs = r.repairs(p, &mine)
		tries += mine
		all = append(all, out)
	}
	slices.SortStableFunc(all, func(a, b Refusal) int { return a.Span[0] - b.Span[0] })
	return all
}

func (r *resolver) repairs(p *problem, tries *int) []Repair {
	kept := []Repair{}
	seen := map[string]bool{}
	for _, e := range p.edits {
		if len(kept) == maxRepairs {
			break
		}
		canonical, labels := r.complete(e, len(r.problems)+2, tries)
		if canonical == nil || seen[canonical.String()] {
			continue
		}
		seen[canonical.String()] = true
		kept = append(kept, Repair{Label: strings.Join(labels, "; "), FrameQL: canonical.String(), Query: canonical})
	}
	return kept
}

// complete makes an edit and resolves what comes out; where problems remain it follows the first edit of the first one
// that ends well and takes back nothing of this one. It gives what was done in words: a problem that was there before has
// refusals of its own to say so. nil: nothing came of it.
func (r *resolver) complete(e edit, rounds int, tries *int) (*Query, []string) {
	if e.make == nil || rounds == 0 || *tries <= 0 {
		return nil, nil
	}
	*tries--
	q, err := Parse(e.make())
	if err != nil {
		return nil, nil
	}
	next := newResolver(q, r.env, r.lexicon)
	next.parsed = true
	if plan := next.resolve(); plan != nil {
		return plan.Query, []string{e.label}
	}
	if len(next.problems) > len(r.problems) {
		return nil, nil
	}
	p := next.problems[0]
	for _, further := range p.edits[:min(2, len(p.edits))] {
		done, labels := next.complete(further, rounds-1, tries)
		switch {
		case done == nil:
			continue
		case !strings.Contains(strings.ToLower(done.String()), e.keeps):
			if attribute(further.keeps) != attribute(e.keeps) {
				continue
			}
			return done, labels // the same attribute, said more exactly
		case r.had(p):
			labels = labels[1:]
		}
		return done, append([]string{e.label}, labels...)
	}
	return nil, nil
}

// attribute is the last part of a dotted name.
func attribute(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// had says whether a problem is one of those of this query.
func (r *resolver) had(p *problem) bool {
	return slices.ContainsFunc(r.problems, func(o *problem) bool { return o.Message == p.Message })
}
