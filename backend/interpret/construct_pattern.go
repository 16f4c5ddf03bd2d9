package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// readPatterns reads a search inside text: "customers whose name contains 'north'", "titles starting with the letter A",
// "papers with the word Functional in their title".
func readPatterns(d *draft) {
	for i := range d.pieces {
		if !d.free(i) || !d.is(i, patternPiece) && !d.holdsInName(i) {
			continue
		}
		op, at := d.pieces[i].id, i+1
		if !d.is(i, patternPiece) {
			op = "contains"
		}
		for d.is(at, patternPiece, "text") {
			at++
		}
		if op == "text" {
			op = "contains"
		}
		texts, end := d.searched(at, at > i+1 || d.is(i, patternPiece, "text"))
		if len(texts) == 0 {
			continue
		}
		s := d.searchedIn(i, end)
		if s == nil {
			continue
		}
		f := filter{slot: *s, named: -1, op: "contains"}
		for _, t := range texts {
			switch op {
			case "starts":
				f.op = "starts_with"
			case "ends":
				f.op, t = "like", "%"+t
			}
			f.texts = append(f.texts, frameql.Value{Kind: frameql.String, Text: t})
		}
		d.filters = append(d.filters, f)
		for k := i; k < end; k++ {
			if d.free(k) && !d.is(k, gluePiece) {
				d.take(k, "filter", op)
				if d.is(k, unknownPiece) || d.is(k, textPiece) {
					d.score += understood - d.pieces[k].score // what is searched need not be known
				}
			}
		}
	}
}

// holdsInName says whether "with" introduces a text that is searched: "customers with Market in their name".
func (d *draft) holdsInName(i int) bool {
	if !d.is(i, gluePiece, "with") {
		return false
	}
	texts, end := d.searched(i+1, false)
	return len(texts) > 0 && d.is(end, gluePiece, "in") && len(d.names(end+1, func(t target) bool { return isSearchable(t) && d.identifies(t) })) > 0
}

// searched gives the texts that are searched from piece i on, joined by "or", and the piece behind them. Without quotation
// marks it is a name, or whatever stands behind "the word".
func (d *draft) searched(i int, introduced bool) (texts []string, end int) {
	for {
		if i >= len(d.pieces) || !d.free(i) {
			return texts, i
		}
		p := d.pieces[i]
		first := d.tokens[p.from]
		switch {
		case first.kind == quotedToken && p.to == p.from+1:
			texts = append(texts, first.text)
		case p.kind == namePiece && p.has(isValue) && p.names[0].value != nil,
			first.kind == wordToken && (first.capital || introduced) && (p.kind == unknownPiece || p.kind == textPiece || p.kind == namePiece):
			texts = append(texts, d.written(i))
		default:
			return texts, i
		}
		j := i + 1
		for d.is(j, gluePiece, "or") || d.is(j, patternPiece, "text") && d.is(j-1, gluePiece, "or") {
			j++
		}
		if j == i+1 {
			return texts, j
		}
		i = j
	}
}

// searchedIn gives the text that a search looks into: named behind it ("in their title") or before it; of members alone
// the one that they are called by.
func (d *draft) searchedIn(pattern, end int) *slot {
	if d.is(end, gluePiece, "in") {
		if ts := d.names(end+1, isSearchable); len(ts) > 0 {
			d.take(end+1, "dimension", ts[0].name())
			return &slot{piece: end + 1, options: ts, near: d.neighbor(pattern)}
		}
	}
	j := pattern - 1
	for d.is(j, gluePiece, "with", "is", "in") || d.is(j, notPiece) {
		j--
	}
	if j < 0 || d.pieces[j].kind != namePiece {
		return nil
	}
	if about, called := d.calledBy(j); len(called) > 0 {
		d.take(j, "dimension", called[0].name())
		d.takeMentioned(about, called[0])
		return &slot{piece: j, options: called}
	}
	if own := slices.DeleteFunc(d.ownNamed(j), func(t target) bool { return !isSearchable(t) }); len(own) > 0 {
		d.take(j, "dimension", own[0].name())
		return &slot{piece: j, options: own}
	}
	if ts := d.ownOf(j, d.names(j, isSearchable)); len(ts) > 0 && (len(d.entities(j)) == 0 || ts[0].score >= d.entities(j)[0].score) {
		s := &slot{piece: j, options: ts, near: d.neighborAfter(j)}
		if s.near == nil {
			s.near = d.neighbor(j)
		}
		if d.is(j-1, gluePiece, "with", "in") || j == 0 { // "whose title contains"; in "which titles contain" they are asked for too
			d.take(j, "dimension", ts[0].name())
		} else {
			s.piece = -2 - j // not the piece itself, which is a column
		}
		return s
	}
	for _, e := range d.entities(j) {
		if dim := e.entity.Dimension(e.entity.Display); dim != nil && dim.Type == semantic.Text {
			return &slot{piece: pattern, options: []target{{entity: e.entity, dim: dim}}}
		}
	}
	return nil
}

func isSearchable(t target) bool { return isDimension(t) && t.dim.Type == semantic.Text }

// search writes a search for any of several texts.
func search(p *frameql.Pred, texts []frameql.Value) *frameql.Pred {
	if len(texts) == 1 {
		p.Val = &texts[0]
		return p
	}
	out := &frameql.Pred{}
	for i := range texts {
		one := *p
		one.Val = &texts[i]
		out.Or = append(out.Or, &one)
	}
	return out
}

// isSearch says whether an operator of a condition searches inside text.
func isSearch(op string) bool {
	return slices.Contains([]string{"contains", "starts_with", "like"}, strings.TrimPrefix(op, "not_"))
}
