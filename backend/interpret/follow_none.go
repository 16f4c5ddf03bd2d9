package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// none gives the readings of "which ones have none?" behind a number of rows by member: the members without such rows, shown or not.
func (s *scene) none(u utterance) []candidate {
	end := len(u.tokens)
	for end > 0 && u.tokens[end-1].kind == markToken {
		end--
	}
	if end < 3 || end > 5 || u.tokens[end-1].norm != "none" || !oneOf("have", "has", "had", "with")(u.tokens[end-2].norm) || len(s.members) != 1 || len(s.numbers) != 1 || s.query.Time != nil {
		return nil
	}
	counted := s.counted()
	if counted == nil && s.lead.t.metric != nil && s.ix.counter(s.lead.rows) == s.lead.t.metric {
		counted = s.lead.rows
	}
	member := s.members[0]
	if counted == nil || counted == member || slices.ContainsFunc(s.conditions(), func(p *frameql.Pred) bool { return !s.isAbout(p, member) }) {
		return nil
	}
	at := u.tokens[end-1]
	tokens := []token{s.word("which", at.start), standing(at, target{entity: member, owned: true}, true), s.word("have", at.start), s.word("no", at.start), standing(at, target{entity: counted, owned: true}, true)}
	var out []candidate
	for _, tl := range tile(s.ix.candidates(tokens, s.env)) {
		for _, c := range s.ix.assemble(tl, tokens, s.env).bind() {
			if c.broken || len(c.query.Select) == 0 {
				continue
			}
			c.query = c.query.Clone()
			c.query.Where = frameql.AllOf(append(slices.Clone(s.conditions()), frameql.Conjuncts(c.query.Where)...))
			c.score += tiedGain
			c.follow = &Follow{Kinds: []PatchKind{PatchPopulation}, From: s.turn.Turn}
			out = append(out, c)
		}
	}
	return out
}

// isAbout says whether a condition is one on an attribute of an entity.
func (s *scene) isAbout(p *frameql.Pred, e *semantic.Entity) bool {
	t := s.dimension(p.Dim)
	return t.dim != nil && t.entity == e
}
