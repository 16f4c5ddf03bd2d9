package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// split is one thing that the rows of a query are grouped by, with the columns that show it.
type split struct {
	grain   frameql.Dim
	columns []frameql.Item
}

// splits gives what a query is grouped by, in order.
func (s *scene) splits(q *frameql.Query) []split {
	var out []split
	if q.At == nil {
		for _, item := range q.Select {
			if item.Dim != nil {
				out = append(out, split{*item.Dim, []frameql.Item{item}})
			}
		}
		return out
	}
	for _, d := range q.At.Dims {
		out = append(out, split{grain: d})
	}
	for _, item := range q.Select {
		if item.Dim == nil {
			continue
		}
		entity, _, _ := cutName(item.Dim.Name)
		k := slices.IndexFunc(out, func(x split) bool { return x.grain == *item.Dim || x.grain.Name == entity })
		k = max(k, 0)
		out[k].columns = append(out[k].columns, item)
	}
	return out
}

// regroup writes what a query is grouped by.
func (p *patch) regroup(splits []split) {
	var items []frameql.Item
	entity := false
	var dims []frameql.Dim
	for _, x := range splits {
		items = append(items, x.columns...)
		dims = append(dims, x.grain)
		entity = entity || p.ix.entities[x.grain.Name] != nil
	}
	for _, item := range p.query.Select {
		if item.Dim == nil {
			items = append(items, item)
		}
	}
	p.query.Select, p.query.At = items, nil
	if entity {
		p.query.At = &frameql.Grain{Dims: dims}
	}
}

// timed says whether a split is a stretch of time.
func (s *scene) timed(g frameql.Dim) bool {
	if g.Grain != "" {
		return true
	}
	if _, _, qualified := cutName(g.Name); !qualified && s.ix.entities[g.Name] == nil {
		return true
	}
	t := s.dimension(g.Name)
	return t.dim != nil && t.dim.Type.Temporal()
}

// patchDim is "by product instead", "also by region", "monthly": what the numbers are split by. A calendar unit takes the
// place of another one (GRAIN), a thing the place of the last thing.
func patchDim(p *patch) {
	d := p.draft
	if s := d.subject; s != nil && p.u.cues["same"] && len(d.groups)+len(d.filters)+len(d.measures) == 0 && len(p.numbers) > 0 && len(p.columns) > 0 {
		d.groups, d.subject = []slot{*s}, nil // "the same for suppliers"
	}
	if d.top != nil || len(d.groups) == 0 && !d.trend {
		return
	}
	if len(p.numbers) == 0 {
		p.broken = true
		return
	}
	groups := slices.Clone(d.groups)
	if d.trend && !slices.ContainsFunc(groups, func(s slot) bool { return s.grain != "" }) {
		groups = append(groups, slot{piece: -1, grain: p.c.trendGrain()})
	}
	d.groups, d.trend = nil, false
	splits := p.splits(p.query)
	was := len(splits)
	for _, g := range groups {
		columns, grain := p.c.member(g)
		next := split{grain: grain}
		for i := range columns {
			next.columns = append(next.columns, frameql.Item{Dim: &columns[i]})
		}
		timed := p.timed(grain)
		if slices.ContainsFunc(splits, func(x split) bool { return x.grain == grain }) {
			p.broken = len(groups) == 1
			continue
		}
		at := -1
		for k, x := range splits[:min(was, len(splits))] {
			if p.timed(x.grain) == timed {
				at = k
			}
		}
		adverb := g.piece >= 0 && d.is(g.piece, grainPiece) && d.pieces[g.piece].adverb || g.piece < 0
		switch {
		case p.adds() || was == 0 || at < 0 && adverb:
			splits = append(splits, next)
		case at < 0 && (p.u.cues["instead"] || p.u.cues["same"] || p.u.cues["open"]):
			at = was - 1
			fallthrough
		case at >= 0:
			p.renamed(splits[at].grain, grain)
			splits[at] = next
			was = 0
		default:
			d.doubt = doubtSplit
			splits = append(splits, next)
		}
		kind := PatchDim
		if timed {
			kind = PatchGrain
		}
		p.did(kind)
	}
	p.regroup(splits)
}

// renamed lets a ranking and an order be about the new split.
func (p *patch) renamed(from, to frameql.Dim) {
	if t := p.query.Top; t != nil {
		if t.Dim == from {
			t.Dim = to
		}
		if t.Per != nil && *t.Per == from {
			t.Per = &to
		}
	}
	p.query.Order = slices.DeleteFunc(p.query.Order, func(o frameql.Order) bool {
		entity, _, _ := cutName(o.Out)
		return o.Expr == nil && (o.Out == from.String() || entity == from.Name)
	})
}
