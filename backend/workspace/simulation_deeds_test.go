package workspace

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
)

// mark is a word that nobody said before, by which its sentence is found again.
func (s *society) mark() string {
	s.marks++
	digits := []byte(fmt.Sprintf("%08d", s.marks*7_654_321%100_000_000))
	for i := range digits {
		digits[i] += 'b' - '0'
	}
	return "qxz" + string(digits)
}

// act has somebody do something.
func (s *society) act() deed {
	who := s.rand.IntN(people40)
	if s.rand.IntN(2) == 0 { // those of whom it takes many
		who = 1 + s.rand.IntN(15)
	}
	words := strings.Fields(someWords)
	term, means := words[min(s.rand.IntN(6), s.rand.IntN(4))], strings.Split(someMeanings, "|")[min(s.rand.IntN(7), s.rand.IntN(7), s.rand.IntN(7))]
	switch n := s.rand.IntN(100); {
	case n < 22:
		return s.teach("teach", who, term, means, "I said "+s.mark())
	case n < 27: // a word of one's own
		return s.teach("teach", who, s.mark(), means, "I said "+s.mark())
	case n < 31:
		if c, ok := s.saying(); ok {
			return s.teach("again", c.who, c.term, c.means, c.words)
		}
	case n < 36:
		if c, ok := s.saying(); ok {
			return s.amend(c, term, means)
		}
	case n < 43:
		if c, ok := s.saying(); ok {
			return s.forget("forget", c)
		}
	case n < 46:
		return s.undo(who)
	case n < 53:
		if c, ok := s.saying(); ok {
			_, err := s.w.OfferCorrection(s.t.Context(), c.id, "", as(person(c.who)))
			return deed{what: "offer", who: c.who, said: c, err: err}
		}
	case n < 54:
		return s.unwrite(who)
	case n < 57:
		_, err := s.w.WriteItem(s.t.Context(), s.description(), "", as(person(who)))
		return deed{what: "write", who: who, err: err}
	case n < 61:
		return s.describe(who)
	case n < 66:
		return s.direct(who)
	case n < 68:
		return s.trespass(who)
	case n < 69:
		return s.promote()
	case n < 70:
		return deed{what: "consider", err: s.w.reviewing.board.ConsiderAll(s.t.Context())}
	case n < 74:
		return s.ripe()
	default:
		return s.decide(who)
	}
	return deed{what: "nothing", who: who}
}

// unwrite has somebody, mostly its author, forget what was written down.
func (s *society) unwrite(who int) deed {
	first := s.rand.IntN(len(s.order) + 1)
	for n := range s.order {
		id := s.order[(first+n)%len(s.order)]
		if i := s.items[id]; i.Term == "" {
			if s.rand.IntN(4) > 0 {
				who = numberOf(i.Contributor)
			}
			return deed{what: "unwrite", item: id, who: who, err: s.w.ForgetItem(s.t.Context(), id, "", as(person(who)))}
		}
	}
	return deed{what: "nothing", who: who}
}

// ripe has somebody do what chance seldom comes to: a steward approves what waits and has the most behind it, revokes what holds, or has it reach a group alone; an owner makes something personal, shares it again, or forgets what it rests on.
func (s *society) ripe() deed {
	id, chance := "", s.rand.IntN(8)
	for _, other := range s.order {
		i := s.items[other]
		if chance == 0 && s.holds(i) {
			return s.verdict(knowledge.Revoke, 1+s.rand.IntN(3), other)
		}
		if chance == 1 && i.Personal {
			return s.verdict(knowledge.Offer, numberOf(i.Contributor), other)
		}
		if chance == 3 && !i.Personal && len(i.Behind()) > 1 && s.holds(i) == (s.rand.IntN(2) == 0) {
			return s.verdict(knowledge.Hide, max(0, numberOf(i.Contributor)), other)
		}
		if chance == 4 && s.holds(i) && i.Audience == "" {
			to := i.Reach()
			to.Audience = "g" + strconv.Itoa(s.rand.IntN(10))
			return s.reach(1+s.rand.IntN(3), other, to)
		}
		if chance == 2 && i.Personal && len(i.Behind()) > 1 {
			for _, e := range i.Evidence {
				if c, ok := s.said[e.Correction]; ok && e.Actor == i.Contributor {
					return s.forget("forget", c)
				}
			}
		}
	}
	for _, other := range s.order {
		if i := s.items[other]; i.Status == knowledge.Pending && !i.Personal && (id == "" || len(i.Evidence) > len(s.items[id].Evidence)) {
			id = other
		}
	}
	return s.verdict(knowledge.Approve, 1+s.rand.IntN(3), id)
}

// saying chooses something that somebody taught, of what stands behind something shared more often.
func (s *society) saying() (saying, bool) {
	if id := s.lately(); id != "" && s.rand.IntN(3) > 0 {
		all := s.items[id].Evidence
		if len(all) > 0 {
			if c, ok := s.said[all[s.rand.IntN(len(all))].Correction]; ok {
				return c, true
			}
		}
	}
	first := s.rand.IntN(people40)
	for n := range people40 {
		mine := s.taught[(first+n)%people40]
		if keys := slices.Sorted(maps.Keys(mine)); len(keys) > 0 {
			return mine[keys[s.rand.IntN(len(keys))]], true
		}
	}
	return saying{}, false
}

// lately chooses a shared piece, of the last ones and of those behind which many stand more often, so that some come far; empty: there is none.
func (s *society) lately() string {
	last, id := min(len(s.order), 20), ""
	if last == 0 {
		return ""
	}
	for range 1 + 3*s.rand.IntN(2) {
		other := s.order[len(s.order)-1-s.rand.IntN(last)]
		if id == "" || len(s.items[other].Evidence) > len(s.items[id].Evidence) {
			id = other
		}
	}
	return id
}

func (s *society) teach(what string, who int, term, means, words string) deed {
	d := deed{what: what, who: who}
	told, err := s.w.Teach(s.t.Context(), analyst.Lesson{Term: term, Means: means, Words: words, Caller: as(person(who))})
	if d.err = err; err != nil {
		s.t.Errorf("%s teaches that %s means %s: %s", person(who), term, means, fault.Detail(err))
		return d
	}
	d.said = saying{who, told.Correction.ID, term, means, words}
	key := knowledge.Key(term)
	if before, had := s.taught[who][key]; had {
		d.unsaid, d.same = before, before.term == term && before.means == means
	}
	s.settle(d)
	s.undone[who] = d
	return d
}

// settle writes into the book what somebody says from now on, and does not say any more.
func (s *society) settle(d deed) {
	if id := d.unsaid.id; id != "" {
		delete(s.taught[d.who], knowledge.Key(d.unsaid.term))
		delete(s.said, id)
		if id != d.said.id {
			s.gone = append(s.gone, id)
		}
		if id != d.said.id || knowledge.Key(d.unsaid.term) != knowledge.Key(d.said.term) {
			delete(s.before, id)
		}
	}
	if d.said.id != "" {
		if d.unsaid.id != "" && d.unsaid.id != d.said.id {
			s.before[d.said.id] = d.unsaid
		}
		s.taught[d.who][knowledge.Key(d.said.term)], s.said[d.said.id] = d.said, d.said
		s.words[d.said.id] = append(s.words[d.said.id], d.said.words)
	}
}

func (s *society) amend(c saying, term, means string) deed {
	if s.rand.IntN(2) == 0 {
		term = c.term
	}
	other, taken := s.taught[c.who][knowledge.Key(term)]
	d := deed{what: "amend", who: c.who, unsaid: c, said: saying{c.who, c.id, term, means, c.words}, same: term == c.term && means == c.means}
	_, d.err = s.w.AmendCorrection(s.t.Context(), c.id, analyst.Lesson{Term: term, Means: means, Caller: as(person(c.who))})
	if taken = taken && other.id != c.id; taken != (fault.CodeOf(d.err) == fault.Conflict) || !taken && d.err != nil {
		s.t.Errorf("amended to what is taken (%v): %v", taken, d.err)
	}
	if d.err == nil {
		s.settle(d)
	}
	return d
}

func (s *society) forget(what string, c saying) deed {
	d := deed{what: what, who: c.who, unsaid: c}
	if d.err = s.w.ForgetCorrection(s.t.Context(), c.id, "", as(person(c.who))); d.err != nil {
		s.t.Errorf("%s forgets: %s", person(c.who), fault.Detail(d.err))
		return d
	}
	s.settle(d)
	return d
}

// undo takes back what somebody taught last, as the page does: what the word meant before holds again, or nothing.
func (s *society) undo(who int) deed {
	for n := range people40 { // somebody who has taught
		at := (who + n) % people40
		last, ok := s.undone[at]
		if _, stands := s.said[last.said.id]; !ok || !stands {
			continue
		}
		delete(s.undone, at)
		if before := last.unsaid; before.id != "" && !last.same {
			return s.teach("undo", at, before.term, before.means, "I said "+s.mark())
		}
		return s.forget("undo", s.said[last.said.id])
	}
	return deed{what: "nothing", who: who}
}

func (s *society) description() knowledge.Description {
	d := knowledge.Description{Title: "About " + s.mark(), Content: "It is known that " + s.mark(), Category: []knowledge.Sort{knowledge.Factual, knowledge.Gotcha}[s.rand.IntN(2)]}
	if s.rand.IntN(2) == 0 {
		d.Entities = []string{"customers"}
	}
	return d
}

// someone is who tries something about a piece: often one of those who may.
func (s *society) someone(who int, id string) int {
	if s.rand.IntN(3) == 0 {
		return who
	}
	if by := numberOf(s.items[id].Contributor); by >= 0 && s.rand.IntN(2) == 0 {
		return by
	}
	return s.rand.IntN(4)
}

func (s *society) describe(who int) deed {
	id := s.lately()
	d := deed{what: "describe", who: s.someone(who, id), item: id, verdict: knowledge.Described, reason: s.reason()}
	to := s.description()
	if was := s.items[id]; s.rand.IntN(3) == 0 { // tags alone
		to.Title, to.Content, to.Category, to.Tags = was.Title, was.Content, was.Category, []string{"tag"}
	}
	_, d.err = s.w.DescribeItem(s.t.Context(), id, to, d.reason, "", as(person(d.who)))
	return d
}

func (s *society) direct(who int) deed {
	id := s.lately()
	var to knowledge.Reach
	if s.rand.IntN(2) == 0 {
		to.Audience = "g" + strconv.Itoa(s.rand.IntN(11)) // the last one is nobody's
	}
	if s.rand.IntN(3) == 0 {
		to.From = s.now().Add(time.Duration(s.rand.IntN(400)-100) * time.Hour)
	}
	if s.rand.IntN(3) == 0 {
		to.Until = s.now().Add(time.Duration(s.rand.IntN(2000)-100) * time.Hour)
	}
	if s.rand.IntN(4) == 0 {
		to.Supersedes = s.lately()
	}
	if s.rand.IntN(5) == 0 {
		to.Sensitivity = knowledge.Confidential
	}
	return s.reach(s.someone(who, id), id, to)
}

func (s *society) reach(who int, id string, to knowledge.Reach) deed {
	d := deed{what: "direct", who: who, item: id, verdict: knowledge.Directed, reason: s.reason()}
	_, d.err = s.w.DirectItem(s.t.Context(), id, to, d.reason, "", as(person(d.who)))
	return d
}

func (s *society) reason() string { return []string{"", "because " + s.mark()}[s.rand.IntN(2)] }

func (s *society) decide(who int) deed {
	id := s.lately()
	all := []knowledge.Verdict{knowledge.Approve, knowledge.Approve, knowledge.Approve, knowledge.Order, knowledge.Reject, knowledge.Revoke, knowledge.Hide, knowledge.Hide, knowledge.Offer, knowledge.Offer, knowledge.Endorse, knowledge.Endorse, "anything"}
	verdict := all[s.rand.IntN(len(all))]
	who = s.someone(who, id)
	if s.rand.IntN(2) == 0 {
		switch verdict {
		case knowledge.Approve, knowledge.Reject, knowledge.Revoke:
			who = 1 + s.rand.IntN(3)
		case knowledge.Order:
			who = 0
		case knowledge.Hide, knowledge.Offer:
			who = max(0, numberOf(s.items[id].Contributor))
		}
	}
	return s.verdict(verdict, who, id)
}

func (s *society) verdict(verdict knowledge.Verdict, who int, id string) deed {
	d := deed{what: string(verdict), verdict: verdict, who: who, item: id, reason: s.reason()}
	_, d.err = s.w.Decide(s.t.Context(), id, d.verdict, d.reason, "", as(person(d.who)))
	return d
}

// trespass tries what somebody else taught: to whoever asks it is not there.
func (s *society) trespass(who int) deed {
	d := deed{what: "trespass", who: who}
	c, ok := s.saying()
	if !ok || c.who == who {
		return deed{what: "nothing", who: who}
	}
	try := func(id string) error {
		switch s.marks % 3 {
		case 0:
			return s.w.ForgetCorrection(s.t.Context(), id, "", as(person(who)))
		case 1:
			_, err := s.w.AmendCorrection(s.t.Context(), id, analyst.Lesson{Means: "freight", Caller: as(person(who))})
			return err
		}
		_, err := s.w.OfferCorrection(s.t.Context(), id, "", as(person(who)))
		return err
	}
	none := try("nothing")
	if d.err = try(c.id); fault.CodeOf(d.err) != fault.NotFound || d.err.Error() != none.Error() {
		s.t.Errorf("%s is told of what %s taught: %v, and of nothing: %v", person(who), person(c.who), d.err, none)
	}
	return d
}

// promote gives somebody the role of a senior, or takes it away.
func (s *society) promote() deed {
	n := 4 + s.rand.IntN(people40-4)
	s.senior[n] = !s.senior[n]
	r := *s.w.Rules()
	r.Actors = slices.Clone(r.Actors)
	for i := range r.Actors {
		if r.Actors[i].ID == person(n) {
			r.Actors[i].Role = map[bool]string{true: "senior", false: "analyst"}[s.senior[n]]
		}
	}
	s.w.rules.Store(&r)
	return deed{what: "promote", who: n}
}
