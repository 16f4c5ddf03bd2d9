package interpret

import (
	"fmt"
	"slices"
	"strings"
)

const (
	beamWidth = 64 // partial tilings kept at every token
	tilings   = 12 // tilings that are assembled
)

// tiling is one way to cut the whole question into pieces.
type tiling struct {
	pieces []*piece // without the words that carry nothing
	score  float64
}

// partial is a tiling of the first tokens; it shares its head with others.
type partial struct {
	score float64
	prev  *partial
	piece *piece
	last  *piece // the last piece with content: the neighbour of the next one
}

// tile finds the best tilings of the lattice, best first, by dynamic programming over token positions.
func tile(lattice [][]*piece) []tiling {
	beams := make([][]*partial, len(lattice)+1)
	beams[0] = []*partial{{}}
	for i := range lattice {
		beam := trim(beams[i])
		for _, p := range lattice[i] {
			for _, b := range beam {
				next := &partial{score: b.score + p.score + agreement(b.last, p), prev: b, piece: p, last: b.last}
				if p.kind != stopPiece && p.kind != unknownPiece {
					next.last = p
				}
				beams[p.to] = append(beams[p.to], next)
			}
		}
	}
	var out []tiling
	seen := map[string]bool{}
	for _, b := range trim(beams[len(lattice)]) {
		t := tiling{score: b.score}
		var signature []string
		for q := b; q.piece != nil; q = q.prev {
			if q.piece.kind == stopPiece {
				continue
			}
			t.pieces = append(t.pieces, q.piece)
			signature = append(signature, q.piece.signature())
		}
		if s := strings.Join(signature, " "); !seen[s] && len(out) < tilings {
			seen[s] = true
			slices.Reverse(t.pieces)
			out = append(out, t)
		}
	}
	return out
}

// signature tells pieces apart that may mean different things; where an operator stands exactly does not matter.
func (p *piece) signature() string {
	switch p.kind {
	case namePiece, periodPiece, numberPiece, unknownPiece, textPiece:
		return fmt.Sprintf("%d:%d-%d/%d", p.kind, p.from, p.to, p.edits)
	default:
		return fmt.Sprintf("%d:%s", p.kind, p.id)
	}
}

func trim(beam []*partial) []*partial {
	slices.SortStableFunc(beam, func(a, b *partial) int { return compareScore(b.score, a.score) })
	return beam[:min(len(beam), beamWidth)]
}

// agreement scores how well a piece follows the last one with content.
func agreement(last, p *piece) float64 {
	if last == nil {
		if p.weak {
			return weakValue
		}
		return 0
	}
	switch p.kind {
	case namePiece:
		return nameAgreement(last, p)
	case periodPiece:
		switch {
		case last.kind == gluePiece && last.id == "in":
			return agreePlace
		case last.kind == comparePiece || last.kind == rankPiece || last.kind == aggregatePiece:
			return strayNumber
		}
	case numberPiece:
		switch {
		case last.kind == comparePiece:
			return agreeCompare
		case last.kind == rankPiece || last.kind == adjectivePiece:
			return agreeRank
		case last.kind == gluePiece && last.id == "in":
			return strayNumber
		}
	case unknownPiece:
		return 0
	}
	return 0
}

func nameAgreement(last, p *piece) float64 {
	value, other := p.has(func(t target) bool { return t.value != nil }), p.has(func(t target) bool { return t.value == nil })
	if p.weak {
		behind := last.kind == comparePiece || last.kind == gluePiece && last.id == "is" ||
			last.kind == namePiece && last.has(func(t target) bool { return t.dim != nil && t.value == nil })
		if !behind {
			return weakValue
		}
		return agreePlace
	}
	switch last.kind {
	case aggregatePiece:
		if last.id == "count" && !p.has(func(t target) bool { return t.metric == nil || t.metric.Leaf() }) {
			return disagreeCount
		}
	case groupPiece:
		if other {
			return agreeGroup
		}
		return disagreeGroup
	case gluePiece:
		if value && last.id == "in" {
			return agreePlace
		}
	case listPiece:
		if p.has(func(t target) bool { return t.dim == nil && t.entity != nil }) {
			return agreePlace
		}
	}
	return 0
}

// has says whether any meaning of the piece satisfies f.
func (p *piece) has(f func(target) bool) bool { return slices.ContainsFunc(p.names, f) }
