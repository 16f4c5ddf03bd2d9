package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// extreme keeps the member of another entity that stands first by an attribute of its own.
type extreme struct {
	by  target
	low bool
}

// readInnermost reads a superlative that stands inside of a condition: "how many cities are in the largest state", "lakes in the region with
// the smallest population". What is asked for are rows that belong to the one member that stands first.
func readInnermost(d *draft) {
	for i := range d.pieces {
		if !d.is(i, rankPiece, "high", "low") && !d.is(i, adjectivePiece) || !d.free(i) {
			continue
		}
		direction, hints, _ := strings.Cut(d.pieces[i].id, " ")
		if at := i + 1; len(d.entities(at)) > 0 && !d.plural(at) && d.belongsTo(i, at) {
			kinds := d.sizes(i)
			if d.is(i, adjectivePiece) {
				kinds = [][]string{strings.Split(hints, "/")}
			}
			for _, hint := range kinds {
				if t, ok := d.attribute(hint, d.entities(at)); ok {
					d.note(text.Say("interpret.assume_adjective", "word", d.written(i), "meaning", labelOf(t.dim.Label, t.dim.Name)))
					d.keepExtreme(i, at, extreme{by: t, low: direction == "low"})
					break
				}
			}
			continue
		}
		at := i - 1
		for d.is(at, gluePiece, "with") || d.is(at, gluePiece, "is") {
			at--
		}
		if at == i-1 || len(d.entities(at)) == 0 || d.plural(at) || !d.belongsTo(at, at) {
			continue
		}
		e := d.entities(at)[0].entity
		if ts := d.names(i+1, func(t target) bool { return isNumeric(t) && t.entity == e }); len(ts) > 0 {
			d.keepExtreme(i, at, extreme{by: ts[0], low: direction == "low"})
			d.take(i+1, "dimension", ts[0].name())
			for k := at + 1; k < i; k++ {
				d.take(k, connects, "")
			}
		}
	}
}

// keepExtreme files the condition that rows belong to the first member.
func (d *draft) keepExtreme(i, at int, x extreme) {
	e := d.entities(at)[0].entity
	key := e.Dimension(e.Key[0])
	d.filters = append(d.filters, filter{slot: slot{piece: i, options: []target{{entity: e, dim: key, owned: true}}}, named: -1, op: "in_top", extreme: &x})
	d.take(i, "filter", dimensionName(x.by))
	d.take(at, "entity", e.Name)
}

// belongsTo says whether "in" stands before a piece, and what is asked for before it are rows that belong to members of the entity at
// another one: then that entity is not what is ranked. A number or an attribute that the member has itself is read with the ranking.
func (d *draft) belongsTo(i, at int) bool {
	e := d.entities(at)[0].entity
	if len(e.Key) != 1 || e.Dimension(e.Key[0]) == nil || !d.is(i-1, gluePiece, "in") {
		return false
	}
	return slices.ContainsFunc(d.pieces[:i-1], func(p *piece) bool {
		return p.kind == namePiece && len(p.names) > 0 && slices.ContainsFunc(p.names, func(t target) bool {
			return isEntity(t) && t.score >= scoreFaint && t.entity != e && d.ix.paths.reaches(t.entity.Name, e.Name) && !d.ix.paths.reaches(e.Name, t.entity.Name)
		})
	})
}

// extremely writes that a dimension is that of the first member.
func (ix *Index) extremely(p *frameql.Pred, x extreme) *frameql.Pred {
	by := ix.number(measure{reduce: string(semantic.Max)}, x.by, nil)
	if x.low { // the ranking of the language is from the top down
		by = &frameql.Expr{Op: "-", Args: []*frameql.Expr{{Num: "0"}, ix.number(measure{reduce: string(semantic.Min)}, x.by, nil)}}
	}
	p.N, p.Expr = 1, by
	return p
}

// finishExtreme doubts a column whose name is a superlative where no single member is named: "the highest point" may be that of each region,
// or the highest of them all.
func (d *draft) finishExtreme() {
	if d.doubt != "" || d.top != nil && d.top.attribute && d.top.n == 1 {
		return
	}
	for _, s := range append(slices.Clone(d.columns), d.shown...) {
		if len(s.options) > 0 && d.singledOut(s.options[0].entity) {
			continue
		}
		if s.piece < 0 || s.piece >= len(d.pieces) || d.plural(s.piece) {
			continue
		}
		first := d.tokens[d.pieces[s.piece].from]
		if k := slices.IndexFunc(d.ix.english.operators[first.norm], func(o operator) bool { return o.class == "ranking" }); k >= 0 {
			if d.firstOfAll(s, d.ix.english.operators[first.norm][k].id) {
				return
			}
			d.doubt = doubtExtreme
		}
	}
}

// singledOut says whether a condition names the member of an entity, or keeps one by an attribute of it that is no place.
func (d *draft) singledOut(e *semantic.Entity) bool {
	paths := d.ix.paths
	return slices.ContainsFunc(d.filters, func(f filter) bool {
		return f.extreme != nil || slices.ContainsFunc(f.options, func(t target) bool {
			if t.dim == nil || !paths.reaches(t.entity.Name, e.Name) || !paths.reaches(e.Name, t.entity.Name) {
				return false
			}
			place := slices.ContainsFunc(words(t.dim.Name), func(w string) bool { return slices.Contains(places, w) })
			return slices.Contains(d.ix.nameColumns(t.entity), t.dim.Name) || !place && d.namesOne(t.entity)
		})
	})
}

// namesOne says whether the question speaks of one member of an entity: "the state with".
func (d *draft) namesOne(e *semantic.Entity) bool {
	for i, p := range d.pieces {
		if p.kind == namePiece && !d.plural(i) && slices.ContainsFunc(p.names, func(t target) bool { return isEntity(t) && t.entity == e && t.score >= scoreSynonym }) {
			return true
		}
	}
	return false
}
