package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
)

// patchTop is "only the top 3", "which one performed best?", "the worst ones", "top 5 by units sold": the first members by
// a number, over the same rows.
func patchTop(p *patch) {
	d := p.draft
	switch b := d.bare; {
	case d.top != nil && d.top.attribute:
		if !p.otherEnd(*d.top) {
			return
		}
		d.top, d.subject, d.columns, d.listing = nil, nil, nil, false
	case d.top != nil:
		p.rankMembers(*d.top)
		d.top, d.measures, d.groups = nil, nil, nil
	case b != nil && b.direction != "":
		direction, n, hints := b.direction, b.n, b.hints
		b.direction, b.n, b.hints = "", 0, ""
		if hints != "" {
			p.rankByHint(direction, n, hints)
		} else {
			p.rankBare(direction, n)
		}
	default:
		return
	}
	p.did(PatchTop)
}

// otherEnd is "what about the student with the lowest age?" behind the one with the highest: the other end, with the same columns.
func (p *patch) otherEnd(top ranking) bool {
	if !p.u.cues["open"] || !p.lists() || p.query.Limit == nil || len(p.query.Order) != 1 || len(p.draft.filters) > 0 || len(p.draft.columns) > 1 {
		return false
	}
	member, ok := p.c.pick(top.member)
	if !ok || member.entity == nil || !slices.Contains(p.members, member.entity) || !slices.ContainsFunc(top.by.options, func(t target) bool { return t.dim != nil && dimensionName(t) == p.query.Order[0].Out }) {
		return false
	}
	p.rankBare(top.direction, max(top.n, 1))
	return !p.broken
}

// spellFirst says "the first 5" of a sorted list as "the top 5" in the sense of its order, and "who" as "which": of the members.
func (s *scene) spellFirst(tokens []token) []token {
	for i, t := range tokens {
		switch {
		case i == 0 && t.norm == "who" && (len(s.members) > 0 || len(s.columns) > 0):
			which := s.word("which", t.start)
			which.end = t.end
			tokens = slices.Concat([]token{which}, tokens[1:])
		case t.norm == "first" && len(s.query.Order) == 1 && i+1 < len(tokens) && (tokens[i+1].kind == numberToken || s.ix.english.numbers[tokens[i+1].norm] != ""):
			rank := s.word("bottom", t.start)
			if s.query.Order[0].Desc || s.lists() {
				rank = s.word("top", t.start)
			}
			rank.end = t.end
			tokens = slices.Concat(tokens[:i:i], []token{rank}, tokens[i+1:])
		}
	}
	return tokens
}

// ranksShown says whether a fragment ranks what the query shows and names it: "which country has the highest?" behind a number
// by country.
func (s *scene) ranksShown(d *draft) bool {
	return d.bare != nil && d.bare.direction != "" && s.namesShown(d)
}

// comparesShown says whether a fragment compares the number that the query shows for what it names: "which countries have more
// than 3?" behind a number by country.
func (s *scene) comparesShown(d *draft) bool {
	return d.bare != nil && d.bare.op != "" && len(s.numbers) == 1 && s.query.Top == nil && s.namesShown(d)
}

// namesShown says whether all that a fragment names is what the query shows a number for.
func (s *scene) namesShown(d *draft) bool {
	if len(d.measures)+len(d.groups)+len(d.filters) > 0 || len(s.numbers) == 0 {
		return false
	}
	named := slices.Clone(d.columns)
	if d.subject != nil {
		named = append(named, *d.subject)
	}
	return len(named) == 1 && slices.ContainsFunc(named[0].options, func(t target) bool {
		if isEntity(t) {
			return slices.Contains(s.members, t.entity)
		}
		return slices.ContainsFunc(s.columns, func(i int) bool { return s.query.Select[i].Dim.Name == dimensionName(t) })
	})
}

// rankBare ranks what the query shows.
func (p *patch) rankBare(direction string, n int) {
	switch {
	case p.query.Top != nil: // "and the bottom 3?", "the lowest?"
		p.query.Top.Asc = ascending(direction, p.better(p.query.Top.By))
		if n > 0 {
			p.query.Top.N = n
		}
	case p.lists() && p.query.Limit != nil && len(p.query.Order) == 1:
		p.query.Order[0].Desc = direction == "high" || direction == "best"
		if n > 0 {
			p.query.Limit = &n
		}
	case p.lists() && len(p.query.Order) == 1 && n > 0 && direction == "high": // "the top 3" of a sorted list
		p.query.Limit = &n
	case len(p.numbers) > 0 && len(p.columns) > 0:
		if n == 0 {
			n = 1
		}
		p.top(direction, n, p.query.Select[p.numbers[0]].Expr)
	default:
		p.broken = true
	}
}

// rankByHint is "and the youngest?": the members of a list by what the adjective stands for.
func (p *patch) rankByHint(direction string, n int, hints string) {
	if !p.lists() || p.query.Limit != nil && len(p.query.Order) != 1 {
		p.broken = true
		return
	}
	for _, hint := range strings.Split(hints, "/") {
		for _, t := range p.draft.hinted(hint, []target{{entity: p.members[0]}}) {
			if !isDimension(t) || t.entity != p.members[0] {
				continue
			}
			name := dimensionName(t)
			if p.query.Limit != nil && p.query.Order[0].Out != name {
				continue
			}
			if n == 0 {
				n = 1
			}
			if !(&composer{query: p.query}).selects(name) {
				p.query.Select = append(p.query.Select, frameql.Item{Dim: &frameql.Dim{Name: name}})
			}
			p.query.Order = []frameql.Order{{Key: frameql.Key{Out: name}, Desc: direction == "high" || direction == "best"}}
			p.query.Limit = &n
			return
		}
	}
	p.broken = true
}

// rankMembers ranks by what the fragment names, or by the query's own number.
func (p *patch) rankMembers(top ranking) {
	if len(p.numbers) == 0 || len(p.columns) == 0 {
		p.broken = true
		return
	}
	_, member := p.c.member(top.member)
	splits := p.splits(p.query)
	if !slices.ContainsFunc(splits, func(x split) bool { return x.grain == member || p.sameThing(x.grain, member) }) {
		p.broken = true // ranks something else than is shown
		return
	}
	by := p.query.Select[p.numbers[0]].Expr
	if len(top.by.options) > 0 {
		by = p.c.expr(top.by)
		if !slices.ContainsFunc(p.query.Select, func(i frameql.Item) bool { return i.Expr != nil && i.Expr.String() == by.String() }) {
			p.query.Select = append(p.query.Select, frameql.Item{Expr: by})
		}
	} else if p.draft.doubt == doubtMetric {
		p.draft.doubt = ""
	}
	p.top(top.direction, top.n, by)
}

// sameThing says whether two grains are the members of one entity and the column that shows them.
func (p *patch) sameThing(a, b frameql.Dim) bool {
	shows := func(x, y frameql.Dim) bool {
		e := p.ix.entities[x.Name]
		entity, name, _ := cutName(y.Name)
		return e != nil && entity == e.Name && slices.Contains(p.ix.display(e), name)
	}
	return shows(a, b) || shows(b, a)
}

func (p *patch) top(direction string, n int, by *frameql.Expr) {
	splits := p.splits(p.query)
	member := splits[len(splits)-1].grain
	for _, x := range splits {
		if !p.timed(x.grain) {
			member = x.grain
		}
	}
	if len(splits) > 2 {
		p.broken = true
		return
	}
	t := &frameql.Top{N: n, Dim: member, By: keyOf(by)}
	t.Asc = ascending(direction, p.better(t.By))
	if len(splits) == 2 {
		for _, x := range splits {
			if x.grain != member {
				t.Per = &x.grain
			}
		}
	}
	p.query.Top, p.query.Order = t, nil
}

// better says which direction of a ranked number is the good one.
func (p *patch) better(k frameql.Key) string {
	if m := p.ix.metrics[k.Out]; m != nil {
		return m.Better
	}
	return ""
}

// resize changes how many are shown.
func (p *patch) resize(n int) {
	switch {
	case n <= 0:
		p.broken = true
	case p.query.Top != nil:
		p.query.Top.N = n
	default:
		p.query.Limit = &n
	}
}
