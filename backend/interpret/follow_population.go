package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// peopled gives the readings of a sentence about what the last answer was about: it is read as if that were named, and
// then holds for the same rows or members only (POPULATION).
func (s *scene) peopled(v voice, tied bool) []candidate {
	var out []candidate
	for _, tl := range tile(s.ix.candidates(v.tokens, s.env)) {
		d := s.ix.assemble(tl, v.tokens, s.env)
		d.belongTo(v.referent)
		s.namesOfShown(d)
		d.spokenOf()
		if d.doubt == doubtMetric && len(s.numbers) > 0 {
			continue // "top 5 of those" is by the number that is shown
		}
		if d.doubt == doubtExtreme && s.showsOne() {
			d.doubt = "" // "his best finish" is that of the one who was shown
		}
		for _, c := range d.bind() {
			if c.broken || len(c.query.Select) == 0 {
				continue
			}
			q, ok := s.narrow(c.query)
			if !ok {
				continue
			}
			s.keepShown(d, q)
			c.query = q
			c.score -= float64(v.inserted) + v.unlikely
			if tied {
				c.score += tiedGain
			} else {
				c.score += scoreContinues
			}
			c.follow = &Follow{Kinds: []PatchKind{PatchPopulation}, From: s.turn.Turn}
			out = append(out, c)
		}
	}
	return out
}

// keepShown shows what the last answer showed of the members beside their own columns, where a list of them asks for no columns:
// "which of them are from Spain?" behind players with their clubs.
func (s *scene) keepShown(d *draft, q *frameql.Query) {
	if !s.lists() || !d.listing || len(d.columns)+len(d.measures)+len(d.groups) > 0 || q.At == nil || len(q.At.Dims) != 1 || len(s.members) != 1 || q.At.Dims[0] != s.query.At.Dims[0] {
		return
	}
	for _, i := range s.columns {
		item := s.query.Select[i]
		if entity, _, _ := cutName(item.Dim.Name); entity != s.members[0].Name && !(&composer{query: q}).selects(item.Dim.Name) {
			q.Select = append(q.Select, item)
		}
	}
}

// spokenOf takes what was spoken of where it only says which rows count: "units sold in those countries", "which songs does she
// sing", "the songs they sing".
func (d *draft) spokenOf() {
	for i, p := range d.pieces {
		if !d.free(i) || p.kind != namePiece || d.tokens[p.from].stands == nil || len(d.measures)+len(d.columns) == 0 && !d.listing {
			continue
		}
		said := d.is(i-1, gluePiece)
		said = said || p.from > 0 && oneOf("do", "does", "did", "has", "have", "had")(d.tokens[p.from-1].norm)
		said = said || i > 0 && d.is(i-1, namePiece) && d.pieces[i-1].to == p.from && p.to < len(d.tokens) && d.tokens[p.to].kind == wordToken
		if said || d.endsWith(i) {
			d.take(i, "entity", p.names[0].name())
		}
	}
}

// endsWith says whether a piece ends the question behind a verb that says nothing of its own: "how many pilots may fly them?".
func (d *draft) endsWith(i int) bool {
	p := d.pieces[i]
	if i == 0 || !d.ix.ends(d.tokens, p.to) {
		return false
	}
	return d.pieces[i-1].to < p.from || d.is(i-1, stopPiece)
}

// belongTo lets attributes be those of what was spoken of, where it has them.
func (d *draft) belongTo(r target) {
	for _, s := range d.slots() {
		var own []target
		for _, t := range s.options {
			if t.metric != nil || t.dim != nil && t.entity == r.entity {
				own = append(own, t)
			}
		}
		if slices.ContainsFunc(own, func(t target) bool { return t.dim != nil }) {
			s.options = own
		}
	}
}

// namesOfShown lets a bare "name" be the column that is called so, where the scene shows one and the members have none: "the
// distinct names" behind titles of songs with the names of their singers.
func (s *scene) namesOfShown(d *draft) {
	for _, o := range d.slots() {
		if o.piece < 0 || d.pieces[o.piece].to != d.pieces[o.piece].from+1 {
			continue
		}
		word := d.tokens[d.pieces[o.piece].from].lemma
		called := slices.DeleteFunc(d.dimensionsNamed(o.piece), func(t target) bool { return t.dim.Name != word })
		shown := slices.DeleteFunc(slices.Clone(called), func(t target) bool {
			return !slices.ContainsFunc(s.columns, func(i int) bool { return s.query.Select[i].Dim.Name == dimensionName(t) })
		})
		if len(shown) == 1 && !slices.ContainsFunc(called, func(t target) bool { return slices.Contains(s.members, t.entity) }) {
			o.options = shown
		}
	}
}

// dimensionsNamed gives the dimensions that a piece may mean, whatever it is used for.
func (d *draft) dimensionsNamed(i int) []target {
	return slices.DeleteFunc(slices.Clone(d.pieces[i].names), func(t target) bool { return !isDimension(t) })
}

// scoreContinues is how much likelier a sentence without a subject goes on from the last answer than begins anew.
const scoreContinues = 0.3

// tiedGain is what a reading gains that uses the words which tie a question to the one before.
const tiedGain = 1.0

// narrow lets a query hold for the rows or the members of the scene alone. Its own conditions come first: one on the same
// thing that cannot hold beside them is replaced.
func (s *scene) narrow(q *frameql.Query) (*frameql.Query, bool) {
	out := q.Clone()
	if s.whole(out) {
		out.Order, out.Limit = s.query.Order, s.query.Limit
	} else if len(s.numbers) > 0 && len(s.members) > 0 || s.cut() || s.theirs(out) {
		set, ok := s.set()
		if !ok {
			return nil, false
		}
		out.Where = frameql.AllOf(append(set, frameql.Conjuncts(out.Where)...))
		return s.lift(out, set), true
	}
	own := frameql.Conjuncts(out.Where)
	var conds []*frameql.Pred
	for _, c := range s.conditions() {
		if !slices.ContainsFunc(own, func(o *frameql.Pred) bool {
			return o.String() == c.String() || clashes(o, c) || opens(o, c) || s.sameMember(o, c)
		}) {
			conds = append(conds, c)
		}
	}
	out.Where = frameql.AllOf(append(conds, own...))
	out = s.lift(out, conds)
	if out.Time == nil && s.query.Time != nil {
		during := *s.query.Time
		if during.On == nil && s.plan.Period != nil && s.plan.Period.On != "" && s.ownTime(out) != s.plan.Period.On {
			during.On = &frameql.Dim{Name: s.plan.Period.On}
		}
		out.Time = &during
	}
	return out, true
}

// ownTime gives the time dimension that a query's period is on without being told.
func (s *scene) ownTime(q *frameql.Query) string {
	for _, item := range q.Select {
		if item.Expr == nil {
			continue
		}
		if t := s.operand(item.Expr); t.metric != nil {
			return s.ix.timeOf(t.metric, s.ix.base(t.metric))
		}
	}
	return ""
}

// whole says whether a query only shows other columns of the very members that a limited list shows.
func (s *scene) whole(q *frameql.Query) bool {
	if !s.lists() || s.query.Limit == nil || q.At == nil || q.Where != nil || q.Time != nil || len(q.Order) > 0 || q.Limit != nil || q.Top != nil {
		return false
	}
	numbers := slices.ContainsFunc(q.Select, func(i frameql.Item) bool { return i.Expr != nil })
	return !numbers && len(q.At.Dims) == 1 && len(s.query.At.Dims) == 1 && q.At.Dims[0] == s.query.At.Dims[0]
}

// set gives the conditions that keep the members which the scene shows: their list, or else what defines them.
func (s *scene) set() ([]*frameql.Pred, bool) {
	if m := s.turn.Members; m != nil && len(m.Values) > 0 && len(m.Values) <= MostMembers {
		return []*frameql.Pred{listed(&frameql.Pred{Dim: m.Dimension, Op: "eq"}, m.Values)}, true
	}
	if s.query.Time != nil || s.query.Limit != nil && (len(s.query.Order) != 1 || !s.lists()) || len(s.members) > 1 {
		return nil, false
	}
	conds := slices.Clone(s.conditions())
	switch {
	case s.lists() && s.query.Limit != nil:
		column := s.dimension(s.query.Order[0].Out)
		if column.dim == nil || !s.query.Order[0].Desc || column.entity != s.members[0] {
			return nil, false
		}
		by := &frameql.Expr{Reduce: "max", Of: &frameql.Expr{Metric: s.query.Order[0].Out}}
		return append(conds, &frameql.Pred{Dim: s.members[0].Name, Op: "in_top", N: *s.query.Limit, Expr: by}), true
	case s.query.Top != nil:
		if s.query.Top.Asc || s.query.Top.Per != nil || len(conds) > 0 || len(s.numbers) == 0 {
			return nil, false
		}
		return []*frameql.Pred{{Dim: s.query.Top.Dim.Name, Op: "in_top", N: s.query.Top.N, Expr: s.query.Select[s.numbers[0]].Expr}}, true
	case s.query.Having != nil:
		at := s.grain()
		for _, h := range frameql.Conjuncts(s.query.Having) {
			if h.Left == nil || len(conds) > 0 {
				return nil, false
			}
			number, bound := *h.Left, *h
			number.At = &at
			bound.Left = &number
			conds = append(conds, &bound)
		}
		return conds, true
	case len(s.numbers) > 0 && len(s.members) == 1:
		return s.having(s.members[0])
	}
	return nil, false
}

// having keeps the members that have a row of the scene: "those customers" behind revenue by customer.
func (s *scene) having(e *semantic.Entity) ([]*frameql.Pred, bool) {
	if s.lead.rows == e {
		return s.conditions(), true
	}
	return []*frameql.Pred{{Quant: "any", Entity: s.lead.rows.Name, Pred: s.query.Where}}, true
}

// sameMember says whether two conditions each name one member of the same entity, by its name or its key: whoever is named
// anew stands in the place of the other.
func (s *scene) sameMember(a, b *frameql.Pred) bool {
	x, y := s.dimension(a.Dim), s.dimension(b.Dim)
	return a.Op == "eq" && b.Op == "eq" && x.dim != nil && y.dim != nil && x.entity == y.entity && s.identifies(x) && s.identifies(y)
}

// identifies says whether a dimension tells the members of its entity apart.
func (s *scene) identifies(t target) bool {
	return slices.Contains(s.ix.display(t.entity), t.dim.Name) || len(t.entity.Key) == 1 && t.entity.Key[0] == t.dim.Name
}

// opens says whether a condition compares an attribute of which an older one fixed the value, so that it says nothing beside that:
// "above 4" behind "is 8".
func opens(newer, older *frameql.Pred) bool {
	return older.Quant == "" && newer.Quant == "" && older.Dim != "" && newer.Dim == older.Dim && older.Op == "eq" && oneOf("gt", "ge", "lt", "le", "between")(newer.Op)
}

// clashes says whether two conditions cannot both hold, so that the newer one takes the place of the other.
func clashes(newer, older *frameql.Pred) bool {
	if aboutOf(newer) != aboutOf(older) {
		return false
	}
	if newer.Quant != "" || older.Quant != "" {
		return newer.Quant != "" && older.Quant != "" && (newer.Quant == "no") != (older.Quant == "no") &&
			(older.Quant == "no" && older.Pred == nil || newer.Quant == "no" && newer.Pred == nil || newer.Pred != nil && older.Pred != nil && newer.Pred.String() == older.Pred.String())
	}
	x, okX := literals(newer)
	y, okY := literals(older)
	if okX && okY && negative(newer) != negative(older) {
		return slices.Equal(x, y)
	}
	if okX && okY && !negative(newer) {
		return !slices.ContainsFunc(x, func(v frameql.Value) bool { return slices.Contains(y, v) })
	}
	return excludes(newer, older) || excludes(older, newer)
}
