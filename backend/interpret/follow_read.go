package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/text"
)

// mostScenes is how many earlier queries "the same as before" is tried on.
const mostScenes = 5

// converse considers a question in its conversation: as a sentence of its own, as an edit of the last query, and as one
// about what the last answer showed. The readings stand in one list, and the margin between them decides as always.
func (ix *Index) converse(tokens []token, h History, env frameql.Env) thought {
	tokens, recalled := ix.recall(tokens, h, env)
	u := ix.listen(tokens)
	u.recalled = recalled
	ix.spellSide(&u, h)
	scenes := ix.scenes(h, u, env)
	fresh := ix.drafted(withoutInterjections(tokens, u), env)
	if len(scenes) == 0 {
		t := ix.judge(fresh, env)
		t.tied = u.tied()
		return t
	}
	if s := ix.pointsTo(&u, fresh.top(), h.subjects(), env); s != nil && !scenes[0].guess {
		scenes = []*scene{s}
	}
	var all []candidate
	best, tied := fresh.best, u.tied()
	for k, s := range scenes {
		if u.rest {
			var before *frameql.Query
			if k+1 < len(h.subjects()) {
				before = h.subjects()[k+1].Query
			}
			if s = s.others(before); s == nil {
				continue
			}
		}
		if one := s.holder(); one != nil && one.pointsAtOne(u) {
			s = one
		}
		if from := s.pickedFrom(u, h.subjects()); from != nil {
			s, scenes[k] = from, from
		}
		found, d := s.goOn(u)
		found = slices.Concat(found, s.maybeThose(u, fresh.drafts), s.none(u))
		if d != nil && (best == nil || k == 0 && tied) {
			best = d
		}
		for _, c := range found {
			if u.rest && !slices.Contains(c.follow.Kinds, PatchRest) {
				c.follow.Kinds = append(c.follow.Kinds, PatchRest)
			}
			c.score -= 0.5 * float64(k)
			all = append(all, c)
		}
	}
	for _, c := range fresh.drafts {
		if tied {
			c.score -= scoreTied
		}
		if scenes[0].pointedAt(u) {
			c.score -= scorePointed
		}
		if scenes[0].asksWhoDoes(u, target{entity: scenes[0].lead.rows}) && c.query.At != nil && len(c.query.At.Dims) == 1 && !ix.somebodyCalled(c.query.At.Dims[0].Name) {
			c.score -= scorePointed // "who has the most orders?" behind employees is no question about the orders
		}
		c.follow = &Follow{Kinds: []PatchKind{PatchShift}, From: scenes[0].turn.Turn}
		all = append(all, c)
	}
	t := ix.judge(drafts{tokens: tokens, best: best, drafts: all}, env)
	t.tied = tied || ix.lostEnd(tokens)
	for i, c := range t.resolved {
		if t.tied && c.agrees != nil && !c.follow.goesOn() {
			t.resolved[i].follow = c.agrees // read alone or as an edit, it is the same query
		}
		if recalled != nil {
			t.resolved[i].follow = t.resolved[i].follow.recalls(recalled)
		}
		scenes[0].account(t.resolved[i])
	}
	return t
}

// hear considers a question with what the person has settled before. A question that is clear by itself contradicts a
// choice or needs none; where it is open, the chosen words are not read again.
func (ix *Index) hear(tokens []token, h History, env frameql.Env) thought {
	t := ix.converse(tokens, h, env)
	settled := ix.settle(tokens, h.Settled)
	if len(tokens) == 0 || &settled[0] == &tokens[0] || t.clear() {
		return t
	}
	if chosen := ix.converse(settled, h, env); chosen.clear() {
		return chosen
	}
	return t
}

// clear says whether one reading stands alone and leaves no word over.
func (t thought) clear() bool {
	if len(t.resolved) == 0 || t.near() > 0 || t.resolved[0].draft.doubt != "" {
		return false
	}
	unread, _ := t.resolved[0].draft.unreadWords()
	return len(unread) == 0
}

// removes says whether a question takes something out of the last query, and so asks for no change of the data.
func (t thought) removes(h History) bool {
	return len(h.Turns) > 0 && t.goesOn() && (slices.Contains(t.resolved[0].follow.Kinds, PatchRemove) || slices.Contains(t.resolved[0].follow.Kinds, PatchValue))
}

// goesOn says whether the best reading builds on the query before, so that it need not name anything itself.
func (t thought) goesOn() bool {
	return len(t.resolved) > 0 && t.resolved[0].follow.goesOn()
}

// hangs says whether it is open what a reading goes on from: its words point back, but it stands alone; or they point at
// a turn that was never answered.
func (t thought) hangs(h History) bool {
	f := t.resolved[0].follow
	if f == nil {
		return t.tied && h.Open != nil && !h.Open.Foreign // "show its make" behind a question that came to nothing
	}
	if slices.Contains(f.Kinds, PatchShift) {
		return t.tied
	}
	return h.Open != nil && !h.Open.Foreign && (h.Open.Guess != nil || slices.Contains(f.Kinds, PatchPopulation) || slices.Contains(f.Kinds, PatchRest))
}

// scenes gives the queries that a question may go on from: the last one, and with "the same" earlier ones too. Behind a
// question that was asked back it is the best guess.
func (ix *Index) scenes(h History, u utterance, env frameql.Env) []*scene {
	var out []*scene
	if h.Open != nil && h.Open.Guess != nil {
		number := 0
		if n := len(h.Turns); n > 0 {
			number = h.Turns[n-1].Turn
		}
		if s, ok := ix.sceneOf(Turn{Turn: number, Query: h.Open.Guess}, env); ok {
			s.guess = true
			out = append(out, s)
		}
	}
	for _, t := range h.subjects() {
		if len(out) > 0 && !u.cues["same"] && !out[0].guess || len(out) == mostScenes {
			break
		}
		if s, ok := ix.sceneOf(t, env); ok {
			out = append(out, s)
		}
	}
	return out
}

// withoutInterjections takes "great!", "thanks." from the head of a question.
func withoutInterjections(tokens []token, u utterance) []token {
	if u.greeting == 0 || u.greeting >= len(tokens) {
		return tokens
	}
	return tokens[u.greeting:]
}

// goOn gives the readings of an utterance behind one scene.
func (s *scene) goOn(u utterance) (out []candidate, best *draft) {
	if len(u.tokens) == 0 && !u.cues["share"] && !u.before && u.removal == (removal{}) {
		return nil, nil
	}
	tokens := s.spellFirst(s.ix.fragment(u))
	voices := s.voices(u)
	sorts := len(s.numbers) > 0 && s.ix.orders(u.tokens[:min(1, len(u.tokens))]) // "sort it by revenue": what is shown
	if sorts || u.rest && s.ix.ends(tokens, 0) {                                 // "the others?": the same of them
		voices = nil
	}
	for _, v := range voices {
		found := slices.DeleteFunc(s.peopled(v, u.tied()), func(c candidate) bool { return s.says(c) })
		for i := range found {
			if u.edits() {
				found[i].score -= scoreEdits
			}
		}
		if len(found) > 0 {
			if !u.tied() && !v.named && !s.narrowed() {
				for i := range found { // nothing is carried over but the subject
					found[i].score -= scoreNothing
				}
			}
			out = append(out, found...)
		}
	}
	for _, tl := range tile(s.ix.candidates(tokens, s.env)) {
		d := s.ix.assemble(tl, tokens, s.env, readBare)
		if best == nil || d.score > best.score {
			best = d
		}
		if !u.tied() && d.standsAlone() && !s.ranksShown(d) && !s.comparesShown(d) {
			continue // a sentence of its own
		}
		for _, c := range s.patched(u, d) {
			if s.reopens(u, c) || s.countsOnly(u, c) || len(u.mentions) > 0 && !u.edits() && s.narrowed() && !narrows(c.query) {
				continue // an edit that forgets whom a pronoun points at
			}
			if c.score += scoreContinues; u.tied() {
				c.score += tiedGain - scoreContinues
			}
			switch {
			case sorts && slices.Equal(c.follow.Kinds, []PatchKind{PatchOrder}):
				c.score += scoreSorts
			case len(u.mentions) > 0 && len(u.cues) == 0:
				c.score -= scoreDropped
			}
			if len(u.mentions) == 0 || u.edits() {
				c.score += scoreFiller * float64(len(u.tokens)-len(tokens))
			}
			out = append(out, c)
		}
	}
	return out, best
}

// countsOnly says whether an edit gives a number where the sentence asks who: "which were opened after 2010?" behind how many there are.
func (s *scene) countsOnly(u utterance, c candidate) bool {
	return len(u.tokens) > 0 && oneOf("which", "who")(u.tokens[0].norm) && len(s.columns) == 0 && slices.Equal(c.follow.Kinds, []PatchKind{PatchValue})
}

// reopens says whether an edit would choose anew whom a ranking or a limit shows, where the sentence speaks of those that
// were shown.
func (s *scene) reopens(u utterance, c candidate) bool {
	if len(u.mentions) == 0 && !u.among || u.edits() || !s.cut() || u.cues["open"] && s.query.Having != nil && s.query.Top == nil {
		return false
	}
	return slices.ContainsFunc(c.follow.Kinds, func(k PatchKind) bool {
		return k != PatchOrder && k != PatchAttribute && k != PatchTop && k != PatchShare
	})
}

// scoreFiller is what a word is worth that an edit leaves out because it says nothing there: "show their", "list".
const scoreFiller = 0.9

// scoreDropped is what an edit loses that passes over a pronoun: "which of those" asks about them.
const scoreDropped = 0.2

// scoreSorts is what an edit gains that only sorts, where the sentence begins with that.
const scoreSorts = 1

// scoreNothing is what a reading behind a query without conditions loses against the sentence by itself.
const scoreNothing = 1.5

// scoreEdits is what a sentence of its own loses against an edit where the cues say that something is added or taken away.
const scoreEdits = 1.0

// scoreTied is what a sentence that ties itself to the one before loses when it is read alone.
const scoreTied = 3

// scorePointed is what a sentence loses further when it is read alone, where it points at what was shown by its name: "the age of
// these students".
const scorePointed = 1.5

// lostEnd says whether a sentence ends where its verb should stand: "which do not?" and "how many customers have?" say what by
// the one before.
func (ix *Index) lostEnd(tokens []token) bool {
	end := len(tokens)
	for end > 0 && tokens[end-1].kind == markToken {
		end--
	}
	if end == 0 {
		return false
	}
	last := tokens[end-1].norm
	if last == "not" || strings.HasSuffix(last, "n't") {
		return true
	}
	return end > 1 && oneOf("do", "does", "did", "has", "have", "had")(last) &&
		!slices.ContainsFunc(tokens[:end-1], func(t token) bool { return ix.auxiliary(t.norm) || oneOf("to", "we", "i", "you")(t.norm) })
}

// says tells whether a reading only repeats the scene, where the sentence says no: "which did not?" has lost its verb.
func (s *scene) says(c candidate) bool {
	negated := slices.ContainsFunc(c.draft.tokens, func(t token) bool {
		return t.norm == "not" || t.norm == "no" || strings.HasSuffix(t.norm, "n't") || t.norm == "without" || t.norm == "never"
	})
	return negated && !slices.ContainsFunc(frameql.Conjuncts(c.query.Where), func(p *frameql.Pred) bool {
		return !slices.ContainsFunc(s.conditions(), func(o *frameql.Pred) bool { return o.String() == p.String() })
	})
}

// standsAlone says whether a draft asks for a number or a list by itself.
func (d *draft) standsAlone() bool {
	if d.subject != nil || d.listing {
		return true
	}
	return slices.ContainsFunc(d.measures, func(m measure) bool { return m.piece < 0 || d.uses[m.piece].slot != "order" })
}

// fragment takes the words from an utterance that say nothing in an edit: fillers and what stands for the last answer.
func (ix *Index) fragment(u utterance) []token {
	var out []token
	skip := map[int]bool{}
	for _, m := range u.mentions {
		for k := m.from; k < m.to; k++ {
			skip[k] = m.noun < 0 || ix.generic(u.tokens, m.noun) || k < m.noun
		}
		if k := m.from - 1; k > 0 && skip[m.from] && u.tokens[k].norm == "of" && slices.ContainsFunc(ix.english.operators[u.tokens[k-1].norm], func(o operator) bool { return o.class == "aggregates" }) {
			skip[k] = true // "the maximum of those values"
		}
		for k := m.from - 1; u.cues["also"] && skip[m.from] && k >= 0 && oneOf("for", "of", "each")(u.tokens[k].norm); k-- {
			skip[k] = true // "also show the age for each of them": a column of theirs
		}
	}
	for i := 0; i < len(u.tokens); i++ {
		if id, n := ix.english.cueAt(u.tokens, i, oneOf("filler")); id != "" && (i == 0 || len(out) == 0) && !skip[i] {
			i += n - 1
			continue
		}
		if !skip[i] {
			out = append(out, u.tokens[i])
		}
		if ix.orders(out) { // "sort the list by age"
			if id, n := ix.english.cueAt(u.tokens, i+1, oneOf("filler")); id != "" {
				i += n
			}
		}
	}
	return out
}

// account says what a reading took over from the scene and what it left. What its own words say is not taken over, also where
// the question before said the same.
func (s *scene) account(c candidate) {
	f, q := c.follow, c.query
	if f == nil {
		return
	}
	spans := c.spans()
	said := func(p *frameql.Pred) bool {
		return slices.ContainsFunc(spans, func(o Span) bool { return o.Target == p.String() })
	}
	has := func(c *frameql.Pred) bool {
		return slices.ContainsFunc(frameql.Conjuncts(q.Where), func(o *frameql.Pred) bool { return o.String() == c.String() })
	}
	w := phraser{ix: s.ix, from: q.From}
	for _, c := range s.conditions() {
		part := Part{Slot: "filter", Text: w.conditions(c)}
		if has(c) {
			if part.FrameQL = withoutCondition(q, c).String(); !said(c) {
				f.Carried = append(f.Carried, part)
			}
			continue
		}
		with := q.Clone()
		with.Where = frameql.AllOf(append(frameql.Conjuncts(q.Where), c))
		part.FrameQL = s.works(with)
		f.Dropped = append(f.Dropped, part)
	}
	if t := s.query.Time; t != nil {
		part := Part{Slot: "period", Text: w.during(t)}
		if q.Time != nil && q.Time.Period == t.Period {
			bare := q.Clone()
			bare.Time, bare.Compare = nil, nil
			if part.FrameQL = s.works(bare); c.draft.period == nil {
				f.Carried = append(f.Carried, part)
			}
		} else if q.Time == nil {
			with := q.Clone()
			with.Time = t
			part.FrameQL = s.works(with)
			f.Dropped = append(f.Dropped, part)
		}
	}
	if slices.Contains(f.Kinds, PatchPopulation) && (s.cut() || len(s.numbers) > 0 && len(s.members) > 0) {
		for _, c := range frameql.Conjuncts(q.Where) {
			if c.Op == "in_top" || len(c.Vals) > 0 && s.turn.Members != nil && c.Dim == s.turn.Members.Dimension {
				f.Carried = append(f.Carried, Part{Slot: "filter", Text: text.Say("interpret.those_shown", "n", max(len(c.Vals), c.N)), FrameQL: withoutCondition(q, c).String()})
			}
		}
	}
}

func withoutCondition(q *frameql.Query, c *frameql.Pred) *frameql.Query {
	out := q.Clone()
	out.Where = frameql.AllOf(slices.DeleteFunc(slices.Clone(frameql.Conjuncts(q.Where)), func(o *frameql.Pred) bool { return o.String() == c.String() }))
	return out
}

// works gives the text of a query that resolves; empty otherwise.
func (s *scene) works(q *frameql.Query) string {
	plan := frameql.Try(q, s.env)
	if plan == nil {
		return ""
	}
	return q.String()
}
