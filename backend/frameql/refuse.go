package frameql

import (
	"slices"

	"assay/backend/text"
)

// refusal builds a refusal without place and repairs. Pairs fill the message and are its facts.
func refusal(code, key string, pairs ...any) *Refusal {
	r := &Refusal{Code: code, Message: text.Say(key, pairs...), Facts: map[string]any{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		if name, ok := pairs[i].(string); ok {
			r.Facts[name] = pairs[i+1]
		}
	}
	return r
}

// problem is a refusal on its way: it knows the node of the query and the edits that may repair it.
type problem struct {
	Refusal
	node  any // pointer into the resolver's query; nil: the whole query
	edits []edit
}

// edit is a change of the query that may resolve.
type edit struct {
	label string
	text  string // the whole query, changed
}

// refuse notes a problem. The same problem at a second place is not told twice.
func (r *resolver) refuse(node any, why *Refusal, edits ...edit) {
	for _, p := range r.problems {
		if p.Code == why.Code && p.Message == why.Message {
			return
		}
	}
	r.problems = append(r.problems, &problem{Refusal: *why, node: node, edits: edits})
}

// edited gives the query with a change.
func (r *resolver) edited(label string, change func(q *Query)) edit {
	q := r.asked.Clone()
	change(q)
	return edit{label: label, text: q.String()}
}

// renamed gives the query with a name replaced everywhere.
func (r *resolver) renamed(old, replacement string) edit {
	return r.edited(text.Say("frameql.repair_use", "name", replacement), func(q *Query) { q.rename(old, replacement) })
}

// spliced gives the query with the text of a node replaced.
func (r *resolver) spliced(label string, node any, replacement string) edit {
	span, ok := r.spans[node]
	if !ok {
		return edit{}
	}
	return edit{label: label, text: r.text[:span[0]] + replacement + r.text[span[1]:]}
}

// without gives the query without an item of SELECT, wherever else it is named.
func (r *resolver) without(name string) edit {
	return r.edited(text.Say("frameql.repair_leave_out", "name", name), func(q *Query) { q.drop(name) })
}

// drop removes a dimension or metric from SELECT, AT, TOP and ORDER BY, and the conditions on it from WHERE.
func (q *Query) drop(name string) {
	is := func(d Dim) bool { return d.String() == name }
	q.Select = slices.DeleteFunc(q.Select, func(it Item) bool {
		return it.Dim != nil && is(*it.Dim) || it.Expr != nil && it.Expr.String() == name
	})
	if q.At != nil {
		q.At.Dims = slices.DeleteFunc(q.At.Dims, is)
	}
	if q.Top != nil && is(q.Top.Dim) {
		q.Top = nil
	}
	q.Order = slices.DeleteFunc(q.Order, func(o Order) bool { return o.Out == name || o.Expr != nil && o.Expr.String() == name })
	q.Where = q.Where.without(func(p *Pred) bool { return p.Dim != "" && is(Dim{Name: p.Dim, Grain: p.Grain}) })
	if q.Time != nil && q.Time.On != nil && is(*q.Time.On) {
		q.Time.On = nil
	}
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
	switch len(kept) {
	case 0:
		return nil
	case 1:
		return kept[0]
	}
	return &Pred{And: kept}
}

// maxRepairs stand with one refusal; maxTries bounds the queries that are resolved to find them.
const (
	maxRepairs = 3
	maxTries   = 8
)

// refusals turns the problems into refusals, ordered by place. Every repair has been resolved: where a query has several
// problems, a repair of one takes the first working edit of each other along.
func (r *resolver) refusals() []Refusal {
	var all []Refusal
	for _, p := range r.problems {
		out := p.Refusal
		out.Span = r.spans[p.node]
		out.Repairs = []Repair{}
		if r.repairing {
			out.Repairs = r.repairs(p)
		}
		all = append(all, out)
	}
	slices.SortStableFunc(all, func(a, b Refusal) int { return a.Span[0] - b.Span[0] })
	return all
}

func (r *resolver) repairs(p *problem) []Repair {
	kept := []Repair{}
	seen := map[string]bool{r.text: true}
	for i, e := range p.edits {
		if len(kept) == maxRepairs || i == maxTries {
			break
		}
		if e.text == "" {
			continue
		}
		canonical, ok := r.complete(e.text, len(r.problems)+2)
		if !ok || seen[canonical.String()] {
			continue
		}
		seen[canonical.String()] = true
		kept = append(kept, Repair{Label: e.label, FrameQL: canonical.String(), Query: canonical})
	}
	return kept
}

// complete resolves a text; where problems remain it follows the first edit that leaves fewer of them.
func (r *resolver) complete(source string, rounds int) (*Query, bool) {
	q, err := Parse(source)
	if err != nil {
		return nil, false
	}
	try := newResolver(q, r.env)
	plan := try.resolve()
	if plan != nil {
		return plan.Query, true
	}
	if rounds == 0 || len(try.problems) > len(r.problems) {
		return nil, false
	}
	for i, e := range try.problems[0].edits {
		if i == 2 {
			break
		}
		if e.text == "" || e.text == source {
			continue
		}
		if done, ok := r.complete(e.text, rounds-1); ok {
			return done, true
		}
	}
	return nil, false
}
