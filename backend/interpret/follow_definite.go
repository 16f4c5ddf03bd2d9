package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// A sentence that is complete and names its own subject begins anew. Two nouns with "the" are less than that: one in the
// singular is the one that was shown, or what belongs to it, and one that calls those who were shown by their name may be
// all of them or just those, so that it is asked.

// definite is a noun with "the": tokens[from:to], the noun from the second token on.
type definite struct {
	from, to int
	entities []*semantic.Entity // what it may name, one before all else
	plural   bool
}

// definiteOf gives the only entity of a sentence that it names with "the".
func (ix *Index) definiteOf(tokens []token) (definite, bool) {
	var found []definite
	for i, t := range tokens {
		if t.norm != "the" || i > 0 && oneOf("all", "both", "every")(tokens[i-1].norm) {
			continue
		}
		n := ix.nounAt(tokens, i+1)
		if named := ix.entitiesCalled(tokens[i+1 : i+1+n]); len(named) > 0 {
			last := tokens[i+n]
			found = append(found, definite{from: i, to: i + 1 + n, entities: named, plural: last.norm != last.lemma})
		}
	}
	if len(found) != 1 {
		return definite{}, false
	}
	return found[0], true
}

// entitiesCalled gives the entities that words name, where they name nothing likelier.
func (ix *Index) entitiesCalled(tokens []token) (out []*semantic.Entity) {
	key := ""
	for _, t := range tokens {
		key += t.lemma
	}
	best := 0.0
	for k, t := range ix.names.terms[key] {
		if k == 0 || t.score > best {
			best, out = t.score, nil
		}
		if t.score == best && isEntity(t) {
			out = append(out, t.entity)
		}
	}
	return out
}

// pointsTo gives the scene whose one member a noun with "the" in the singular is, or belongs to: "who is the artist?" behind the
// longest track. The words then say so. nil: there is none.
func (ix *Index) pointsTo(u *utterance, alone *frameql.Query, earlier []Turn, env frameql.Env) *scene {
	d, ok := ix.definiteOf(u.tokens)
	if !ok || d.plural || len(d.entities) > 1 || len(u.mentions) > 0 || alone == nil || narrows(alone) {
		return nil
	}
	for _, t := range earlier[:min(mostScenes, len(earlier))] {
		s, ok := ix.sceneOf(t, env)
		if !ok || len(s.members) != 1 || !s.one() {
			continue
		}
		switch {
		case d.entities[0] == s.members[0]:
			u.mentions = []reference{{from: d.from, to: d.to, noun: d.from + 1}}
			return s
		case ix.ends(u.tokens, d.to) && ix.paths.reaches(s.members[0].Name, d.entities[0].Name):
			at := u.tokens[d.to-1].end
			u.tokens = slices.Insert(slices.Clone(u.tokens), d.to, s.word("of", at), s.word("it", at))
			u.mentions = []reference{{from: d.to + 1, to: d.to + 2, noun: -1}}
			return s
		}
	}
	return nil
}

// one says whether the scene shows one member, by what came of it or by its query.
func (s *scene) one() bool {
	if m := s.turn.Members; m != nil && len(m.Values) > 0 {
		return len(m.Values) == 1
	}
	if s.query.Limit != nil && *s.query.Limit == 1 || s.query.Top != nil && s.query.Top.N == 1 && s.query.Top.Per == nil {
		return true
	}
	who := s.lead.rows
	if len(s.members) == 1 {
		who = s.members[0]
	}
	return slices.ContainsFunc(s.conditions(), func(p *frameql.Pred) bool {
		t := s.dimension(p.Dim)
		return p.Op == "eq" && t.dim != nil && t.entity == who && s.identifies(t)
	})
}

// maybeThose gives the readings in which a noun with "the" is those who were shown, or what they have, beside the one in which it is all
// of them: "list the customers", "the customer with the most orders" and "who are the employees?" behind customers of one country. None
// of the two is likelier.
func (s *scene) maybeThose(u utterance, alone []candidate) []candidate {
	d, ok := s.ix.definiteOf(u.tokens)
	if !ok || u.tied() || !s.narrowed() || s.one() {
		return nil
	}
	switch {
	case slices.ContainsFunc(s.referents(), func(r target) bool { return r.dim == nil && slices.Contains(d.entities, r.entity) }):
		u.mentions = []reference{{from: d.from, to: d.to, plural: d.plural, noun: d.from + 1}}
	case d.plural && d.from == 2 && oneOf("who", "what", "which")(u.tokens[0].norm) && s.ix.ends(u.tokens, d.to): // "who are the heads?"
		u = s.ix.ofThose(u, d.to)
		u.tokens[0] = s.word("what", u.tokens[0].start)
	default:
		return nil
	}
	all := map[string]float64{} // how likely they are, by their query
	for _, c := range alone {
		if c.query.Where == nil && c.query.Time == nil && d.plural != chooses(c.query) {
			text := c.query.String()
			all[text] = max(all[text], c.score)
		}
	}
	var out []candidate
	for _, v := range s.voices(u) {
		for _, c := range s.peopled(v, true) {
			unbound := c.query.Clone()
			unbound.Where, unbound.Time = nil, nil
			if score, ok := all[unbound.String()]; ok {
				c.score = score
				out = append(out, c)
			}
		}
	}
	return out
}

// ofThose says whose a noun is that ends with a token: "the heads" are "the heads of those".
func (ix *Index) ofThose(u utterance, at int) utterance {
	end := u.tokens[at-1].end
	of := token{start: end, end: end, text: "of", norm: "of", lemma: "of", kind: wordToken}
	those := token{start: end, end: end, text: "those", norm: "those", lemma: "those", kind: wordToken}
	u.tokens = slices.Insert(slices.Clone(u.tokens), at, of, those)
	u.mentions = []reference{{from: at + 1, to: at + 2, plural: true, noun: -1}}
	return u
}

// spellWhose completes "by which employees?" and "from which countries?" with what they leave out: of those that were spoken of.
func (ix *Index) spellWhose(u *utterance) {
	if len(u.tokens) < 3 || !oneOf("in", "on", "at", "from", "by", "for", "with", "to", "of")(u.tokens[0].norm) || !oneOf("which", "what")(u.tokens[1].norm) {
		return
	}
	if n := ix.nounAt(u.tokens, 2); n > 0 && ix.ends(u.tokens, 2+n) {
		u.tokens = u.tokens[1:]
		*u = ix.ofThose(*u, 1+n)
	}
}

// narrows says whether a query is about less than all members.
func narrows(q *frameql.Query) bool { return q.Where != nil || q.Time != nil || chooses(q) }

// chooses says whether a query shows only some of the members, by a number.
func chooses(q *frameql.Query) bool { return q.Top != nil || q.Limit != nil || q.Having != nil }

// pickedFrom gives the scene that a plural speaks of behind one that picked a single member: "those with more than 100" behind "which
// genre has the fewest tracks?" are those that it was picked from. nil: the plural is about nothing of that kind.
func (s *scene) pickedFrom(u utterance, earlier []Turn) *scene {
	several := slices.ContainsFunc(u.mentions, func(m reference) bool {
		return m.plural && !m.place && oneOf("those", "these", "ones")(u.tokens[m.from].norm)
	})
	if !several && !s.ix.asksOfSeveral(u.tokens) || !s.showsOne() || s.query.Top == nil && s.query.Limit == nil || s.turn.Members != nil && len(s.turn.Members.Values) > 1 {
		return nil
	}
	for _, t := range earlier {
		if before, ok := s.ix.sceneOf(t, s.env); ok && !before.showsOne() && slices.Equal(before.members, s.members) && before.shows(s) {
			return before
		}
	}
	return nil
}

// asksOfSeveral says whether a question has no subject but a verb in the plural: "which were opened after 2010?".
func (ix *Index) asksOfSeveral(tokens []token) bool {
	return len(tokens) > 2 && tokens[0].norm == "which" && oneOf("are", "were", "have", "do")(tokens[1].norm)
}

// shows says whether both scenes are split by the same thing.
func (s *scene) shows(o *scene) bool {
	return len(s.columns) > 0 && len(o.columns) > 0 && s.query.Select[s.columns[0]].Dim.Name == o.query.Select[o.columns[0]].Dim.Name
}
