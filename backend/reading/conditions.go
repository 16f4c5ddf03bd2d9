package reading

import (
	"slices"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// conjunct gives the index of a condition by its text, in parentheses or not; -1: there is none.
func conjunct(all []*frameql.Pred, written string) int {
	return slices.IndexFunc(all, func(p *frameql.Pred) bool {
		own := p.String()
		return own == written || "("+own+")" == written
	})
}

func (q query) filter(c Change) error {
	next, err := q.condition(c, q.Where)
	q.Where = next
	return err
}

func (q query) having(c Change) error {
	next, err := q.condition(c, q.Query.Having)
	q.Query.Having = next
	return err
}

// condition changes one conjunct of a condition, or one comparison inside of it, or adds one. It gives the whole condition.
func (q query) condition(c Change, whole *frameql.Pred) (*frameql.Pred, error) {
	all := slices.Clone(frameql.Conjuncts(whole))
	at := len(all)
	if c.Part != "" {
		if at = conjunct(all, c.Part); at < 0 {
			return whole, noPart(c)
		}
	}
	added := at == len(all)
	switch {
	case c.Remove && added, c.Leaf > 0 && added:
		return whole, noPart(c)
	case c.Remove && c.Leaf > 0:
		left, ok := without(all[at], c.Leaf)
		if !ok {
			return whole, noPart(c)
		}
		all[at] = left
		return frameql.AllOf(all), nil
	case c.Remove:
		return frameql.AllOf(slices.Delete(all, at, at+1)), nil
	case !added && all[at].Quant != "" && slices.Contains(quantifiers[:], c.Operator):
		all[at].Quant = c.Operator
		return whole, nil
	}
	var was *frameql.Pred
	if !added {
		if was = leaf(all[at], c.Leaf); was == nil {
			return whole, noPart(c)
		}
	}
	next, err := q.comparison(c, was)
	if err != nil {
		return whole, err
	}
	if added {
		return frameql.AllOf(append(all, next)), nil
	}
	*was = *next
	return whole, nil
}

// quantifiers say how many of the related rows a condition is about.
var quantifiers = [...]string{"any", "no", "all"}

// leaves gives the comparisons that a condition is made of, from left to right.
func leaves(p *frameql.Pred) []*frameql.Pred {
	var all []*frameql.Pred
	switch {
	case p == nil:
	case len(p.And)+len(p.Or) > 0:
		for _, inner := range slices.Concat(p.And, p.Or) {
			all = append(all, leaves(inner)...)
		}
	case p.Not != nil:
		all = leaves(p.Not)
	case p.Quant != "":
		all = leaves(p.Pred)
	default:
		all = append(all, p)
	}
	return all
}

// leaf gives a comparison of a condition by its place, from 1; 0 is a condition that is one itself. nil: there is none.
func leaf(p *frameql.Pred, place int) *frameql.Pred {
	all := leaves(p)
	switch {
	case place > 0 && place <= len(all):
		return all[place-1]
	case place == 0 && len(all) == 1 && all[0] == p:
		return p
	}
	return nil
}

// without leaves a comparison out of a condition that is made of several; false: it cannot do without.
func without(p *frameql.Pred, place int) (*frameql.Pred, bool) {
	gone := leaf(p, place)
	var drop func(p *frameql.Pred) *frameql.Pred
	each := func(all []*frameql.Pred) []*frameql.Pred {
		var kept []*frameql.Pred
		for _, inner := range all {
			if next := drop(inner); next != nil {
				kept = append(kept, next)
			}
		}
		return kept
	}
	drop = func(p *frameql.Pred) *frameql.Pred {
		switch {
		case p == gone:
			return nil
		case len(p.And) > 0:
			return frameql.AllOf(each(p.And))
		case len(p.Or) > 0:
			if p.Or = each(p.Or); len(p.Or) == 1 {
				return p.Or[0]
			}
			if len(p.Or) == 0 {
				return nil
			}
		case p.Not != nil:
			if p.Not = drop(p.Not); p.Not == nil {
				return nil
			}
		case p.Quant != "" && p.Pred != nil:
			if p.Pred = drop(p.Pred); p.Pred == nil {
				return nil
			}
		}
		return p
	}
	if gone == nil || len(leaves(p)) < 2 {
		return p, false
	}
	next := drop(p)
	return next, next != nil
}

// comparison writes what a change says as a comparison. was is the one in whose place it comes; nil: it is a new one.
func (q query) comparison(c Change, was *frameql.Pred) (*frameql.Pred, error) {
	on := subject{Dim: c.Dimension, Out: c.Metric}
	switch {
	case was != nil && (c.Slot == Having || c.Dimension == "" || c.Dimension == was.Dim):
		on = subjectOf(was)
	case c.Slot == Having:
		if on.Dim = ""; on.Out == "" || !q.measured(on.Out) {
			return nil, unknown(c.Metric)
		}
	default:
		if on.Out = ""; q.env.Model.Dimension(c.Dimension) == nil {
			return nil, unknown(c.Dimension)
		}
	}
	k := q.kindOf(on, was)
	if c.Operator == "" {
		if len(c.Members) == 0 || on.Dim == "" {
			return nil, noPart(c)
		}
		return listed(on, c, k), nil
	}
	return q.written(on, c, k, was)
}

// unknown is a name that means nothing to whoever asks: the model has no such thing, or does not show it to them.
func unknown(name string) error {
	return fault.New(fault.Invalid, "edit reading", text.Say("reading.unknown", "name", short(name)), text.Say("reading.unknown_hint"))
}

// subject is the left side of a comparison.
type subject struct {
	Dim, Grain, Out string
	Left            *frameql.Expr
}

func subjectOf(p *frameql.Pred) subject { return subject{p.Dim, p.Grain, p.Out, p.Left} }

func (s subject) pred(op string) *frameql.Pred {
	return &frameql.Pred{Dim: s.Dim, Grain: s.Grain, Out: s.Out, Left: s.Left, Op: op}
}

// measured says whether a name is a column of the result, or a metric that may be shown.
func (q query) measured(name string) bool {
	if slices.ContainsFunc(q.plan.Columns, func(c frameql.Column) bool { return c.Name == name && c.Role != frameql.RoleFlag }) {
		return true
	}
	m := q.env.Model.Metric(name)
	return m != nil && !m.Hidden
}

// listed says that a dimension is one of the members, or none of them.
func listed(on subject, c Change, k Kind) *frameql.Pred {
	values := make([]frameql.Value, len(c.Members))
	for i, m := range c.Members {
		values[i] = literal(m, k)
	}
	operator := "in"
	if c.Not {
		operator = "not_in"
	}
	return among(on, operator, values)
}

// among says that something is one of some values, or none of them; of one value, that it is that.
func among(on subject, operator string, values []frameql.Value) *frameql.Pred {
	p := on.pred(operator)
	if len(values) > 1 {
		p.Vals = values
		return p
	}
	p.Val = &values[0]
	if p.Op = "eq"; operator == "not_in" {
		p.Op = "ne"
	}
	return p
}

// literal writes a member as a value of its kind. One that is none of it is refused where the query is resolved.
func literal(member string, k Kind) frameql.Value {
	switch {
	case k == Number:
		return frameql.Value{Kind: frameql.Number, Text: member}
	case k == Boolean && (member == "true" || member == "false"):
		return frameql.Value{Kind: frameql.Bool, Text: member}
	}
	return frameql.Value{Kind: frameql.String, Text: member}
}

// written is a comparison as the form of a condition gives it: an operator and so many values as that takes. Fault Invalid with the
// value that is meant, by its place, where one does not fit.
func (q query) written(on subject, c Change, k Kind, was *frameql.Pred) (*frameql.Pred, error) {
	takes, ok := takenBy(c.Operator)
	if !ok || was != nil && against(was) != "" && (takes != One || !slices.Contains(comparisons[:], c.Operator)) {
		return nil, noPart(Change{Slot: c.Slot, Part: c.Operator})
	}
	if was != nil && against(was) != "" && len(c.Values) == 0 { // the other side stays
		p := on.pred(c.Operator)
		p.ValDim, p.Expr = was.ValDim, was.Expr
		return p, nil
	}
	if c.Operator == inTop {
		return q.ranked(c, was)
	}
	if textual[c.Operator] && k != Text {
		return nil, misfit("", text.Say("reading.only_text"))
	}
	p := on.pred(c.Operator)
	values, err := valuesOf(c.Values, takes, k)
	if err != nil {
		return nil, err
	}
	switch takes {
	case None:
	case One:
		p.Val = &values[0]
	case Two:
		if reversed(values, k) {
			return nil, misfit("1", text.Say("reading.reversed", "from", values[0].Text, "to", values[1].Text))
		}
		p.Vals = values
	case Many:
		return among(on, c.Operator, values), nil
	}
	return p, nil
}

// inTop keeps the members that are the highest by something.
const inTop = "in_top"

// ranked keeps another number of members.
func (q query) ranked(c Change, was *frameql.Pred) (*frameql.Pred, error) {
	if was == nil || was.Op != inTop {
		return nil, noPart(c)
	}
	n, err := wholeNumber(c.Values)
	if err != nil {
		return nil, err
	}
	p := was.Clone()
	p.N = n
	return p, nil
}

// against says what a comparison compares with where that is no value: another column, or a computed number. Empty: a value.
func against(p *frameql.Pred) string {
	switch {
	case p.Op == inTop:
		return ""
	case p.ValDim != nil:
		return p.ValDim.String()
	case p.Expr != nil:
		return p.Expr.String()
	}
	return ""
}

// misfit is a value that cannot be what was written; at is its place in the form, empty: the whole.
func misfit(at, message string) error {
	e := fault.New(fault.Invalid, "edit reading", message, "")
	if e.Field = "values"; at != "" {
		e.Field += "." + at
	}
	return e
}

// kindOf says how the values of a comparison are written: by the type of its left side, or, where that is not known, as they are.
func (q query) kindOf(on subject, was *frameql.Pred) Kind {
	if grain := q.grainOf(on); grain != "" {
		return Unit
	}
	if d := q.dimensionOf(on, was); d != nil {
		return kindOfType(d.Type)
	}
	for _, c := range q.plan.Columns {
		if on.Out != "" && c.Name == on.Out {
			return kindOfType(semantic.Type(c.Type))
		}
	}
	if was != nil {
		for _, v := range valuesIn(was) {
			switch v.Kind {
			case frameql.String:
				return Text
			case frameql.Bool:
				return Boolean
			}
		}
	}
	return Number
}

// grainOf gives the unit of time that the left side is cut by; empty: none.
func (q query) grainOf(on subject) string {
	if on.Grain == "hour" {
		return ""
	}
	if on.Grain != "" {
		return on.Grain
	}
	if slices.Contains(units[:], on.Dim) {
		return on.Dim
	}
	for _, c := range q.plan.Columns {
		if on.Out != "" && c.Name == on.Out && c.Grain != "hour" {
			return c.Grain
		}
	}
	return ""
}

// dimensionOf gives the column of the model that a comparison is about; nil: it is none, or one of several.
func (q query) dimensionOf(on subject, was *frameql.Pred) *semantic.Dimension {
	name := on.Dim
	if name == "" {
		name = on.Out
	}
	if d := q.env.Model.Dimension(name); d != nil {
		return d
	}
	for _, f := range q.plan.Filters {
		if was != nil && on.Dim != "" && f.Text == was.String() && len(f.Dimensions) == 1 {
			return q.env.Model.Dimension(f.Dimensions[0])
		}
	}
	return nil
}

func valuesIn(p *frameql.Pred) []frameql.Value {
	if p.Val != nil {
		return []frameql.Value{*p.Val}
	}
	return p.Vals
}
