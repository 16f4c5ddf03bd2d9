package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// holder gives the scene of the one member that has the largest or the smallest value which the last answer was: behind "what is
// the highest price?", "which product is that?" and "what is its category?" are about the product that has it. nil: the answer
// was no such value.
func (s *scene) holder() *scene {
	if len(s.numbers) != 1 || len(s.columns) > 0 || s.query.At != nil || s.query.Having != nil || s.query.Compare != nil {
		return nil
	}
	e := s.query.Select[s.numbers[0]].Expr
	if e == nil || e.Reduce != "max" && e.Reduce != "min" {
		return nil
	}
	column := s.operand(e)
	if m := column.metric; m != nil && m.Leaf() {
		column = target{entity: s.ix.entities[m.Entity], dim: s.ix.dimension(m.Entity, m.Expr)}
	}
	if column.dim == nil || column.entity == nil {
		return nil
	}
	q := &frameql.Query{V: 1, At: &frameql.Grain{Dims: []frameql.Dim{{Name: column.entity.Name}}}, Where: s.query.Where, Time: s.query.Time}
	for _, name := range append(slices.Clone(s.ix.display(column.entity)), column.dim.Name) {
		name = column.entity.Name + "." + name
		if !(&composer{query: q}).selects(name) {
			q.Select = append(q.Select, frameql.Item{Dim: &frameql.Dim{Name: name}})
		}
	}
	one := 1
	q.Order = []frameql.Order{{Key: frameql.Key{Out: dimensionName(column)}, Desc: e.Reduce == "max"}}
	q.Limit = &one
	turn := s.turn
	turn.Query, turn.Members, turn.Number = q, nil, ""
	out, ok := s.ix.sceneOf(turn, s.env)
	if !ok {
		return nil
	}
	return out
}

// pointsAtOne says whether an utterance speaks of one member: "his age", "the name of that student", "which one is that?".
func (s *scene) pointsAtOne(u utterance) bool {
	if u.edits() || len(u.mentions) != 1 || u.mentions[0].plural {
		return false
	}
	m := u.mentions[0]
	if m.noun < 0 || s.ix.generic(u.tokens, m.noun) {
		return true
	}
	return slices.ContainsFunc(s.members, func(e *semantic.Entity) bool { return s.ix.names.means(u.tokens[m.noun:m.to], target{entity: e}) })
}

// spellIdentity turns the question of who it was into a wish to see it: "which car is that?" asks for that car.
func (ix *Index) spellIdentity(u *utterance) {
	end := len(u.tokens)
	for end > 0 && u.tokens[end-1].kind == markToken {
		end--
	}
	if end < 3 || end > 6 || !oneOf("which", "what", "who")(u.tokens[0].norm) || !oneOf("is", "are", "was", "were")(u.tokens[end-2].norm) ||
		!oneOf("that", "this", "it", "those", "these", "they", "he", "she")(u.tokens[end-1].norm) {
		return
	}
	noun := u.tokens[1 : end-2]
	them := u.tokens[end-1]
	switch {
	case len(noun) == 0 && u.tokens[0].norm == "what" || len(noun) > 0 && ix.nounAt(u.tokens, 1) < len(noun) && !(len(noun) == 1 && ix.generic(u.tokens, 1)):
		return // "what is that": the words as they are
	case len(noun) == 0 || ix.generic(u.tokens, 1):
		u.tokens = []token{u.tokens[0], u.tokens[end-2], them}
		u.tokens[0].norm, u.tokens[0].lemma = "what", "what"
	default:
		words := append([]token{u.tokens[0], u.tokens[end-2], them}, noun...)
		words[0].norm, words[0].lemma = "what", "what"
		for i := 3; i < len(words); i++ { // behind the pronoun, as if they stood there
			words[i].start, words[i].end = them.end, them.end
		}
		u.tokens = words
	}
}

// actsOn says whether a pronoun is what the subject of a question does something to, and so is not the subject: "how many pilots
// may fly them?".
func (ix *Index) actsOn(tokens []token, i int) bool {
	if !oneOf("them", "him", "her")(tokens[i].norm) || !ix.ends(tokens, i+1) || !oneOf("how", "which", "what", "who")(tokens[0].norm) || oneOf("of", "for", "and")(tokens[i-1].norm) {
		return false
	}
	named := 0
	for k := 0; k < i; k++ {
		if n := ix.nounAt(tokens, k); n > 0 {
			named++
			k += n - 1
		}
	}
	return named == 1
}
