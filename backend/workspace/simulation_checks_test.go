package workspace

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"assay/backend/fault"
	"assay/backend/knowledge"
)

// check holds what came of a deed to the book.
func (s *society) check(d deed, step int) {
	was := s.items
	s.items = map[string]knowledge.Item{}
	all, err := s.w.memory.Items(s.t.Context())
	if err != nil {
		s.t.Fatal(fault.Detail(err))
	}
	slices.Reverse(all) // the earliest first
	for _, i := range all {
		s.items[i.ID] = i
		if _, there := was[i.ID]; !there {
			s.order = append(s.order, i.ID)
			s.names[i.ID] = len(s.names) + 1
		}
	}
	if i, there := was[d.item]; there && !s.sees(d.who, i) && (fault.CodeOf(d.err) != fault.NotFound || d.err.Error() != s.none.Error()) {
		s.t.Errorf("%s decides about i%d, which is not theirs to see: %v", person(d.who), s.names[d.item], d.err)
	}
	s.order = slices.DeleteFunc(s.order, func(id string) bool { _, there := s.items[id]; return !there })
	if d.err != nil && !reflect.DeepEqual(was, s.items) {
		s.t.Error("what failed changed what is shared")
	}
	for id := range was {
		if _, there := s.items[id]; !there {
			s.went(d, was[id])
		}
	}
	for _, id := range s.order {
		if before, there := was[id]; there {
			s.moved(d, before, s.items[id])
		} else {
			s.came(d, s.items[id])
		}
	}
	s.agreed(d)
	s.follows()
	s.log(d)
	if d.err == nil && (d.unsaid.id != "" && d.said.id == "" || d.what == "unwrite") {
		s.traces(d, was)
	}
	other := s.rand.IntN(people40)
	for _, who := range []int{d.who, other} {
		s.reads(who, step)
	}
	if s.rand.IntN(3) == 0 { // not each time: what was searched is brought to the memory by it
		s.finds(other)
	}
}

// follows looks that who reads only what changed has what is there.
func (s *society) follows() {
	new, err := s.w.memory.Decided(s.t.Context(), s.seen)
	if err != nil {
		s.t.Fatal(fault.Detail(err))
	}
	if s.seen == 0 {
		s.held = map[string]knowledge.Item{}
	}
	for _, i := range new.Items {
		s.held[i.ID] = i
	}
	for _, id := range new.Gone {
		delete(s.held, id)
	}
	s.seen = new.Count
	decided := maps.Clone(s.items)
	maps.DeleteFunc(decided, func(_ string, i knowledge.Item) bool {
		return i.Status != knowledge.Approved && i.Status != knowledge.Mandatory
	})
	if !reflect.DeepEqual(s.held, decided) {
		s.t.Errorf("who follows the changes has %+v, and there is %+v", s.held, decided)
	}
}

// went looks why a piece is no more: nobody decided about it and nobody stands behind it, or it was its owner's alone.
func (s *society) went(d deed, i knowledge.Item) {
	s.count["went"]++
	s.gone = append(s.gone, i.ID)
	if d.what == "unwrite" {
		if d.item != i.ID || person(d.who) != i.Contributor || i.Term != "" || i.Status != knowledge.Pending && i.Status != knowledge.Rejected && i.Status != knowledge.Revoked {
			s.t.Errorf("i%d of %s is forgotten by %s", s.names[i.ID], i.Contributor, person(d.who))
		}
		return
	}
	rest := slices.DeleteFunc(without(i.Evidence, d.unsaid.id), func(e knowledge.Evidence) bool { return !brings(e) }) // who endorsed it did not bring it
	owners := i.Personal && person(d.who) == i.Contributor
	if d.same || d.unsaid.id == "" || i.Status != knowledge.Pending || len(rest) > 0 && !owners {
		s.t.Errorf("i%d of %s is gone, behind which %v stand", s.names[i.ID], i.Contributor, rest)
	}
}

// brings says whether evidence is of somebody who said so themselves.
func brings(e knowledge.Evidence) bool {
	return e.Detection != knowledge.ByConfirmation && e.Detection != knowledge.ByMandate
}

func without(all []knowledge.Evidence, id string) []knowledge.Evidence {
	return slices.DeleteFunc(slices.Clone(all), func(e knowledge.Evidence) bool { return id != "" && e.Correction == id })
}

// came looks what a new piece came of: somebody offered or wrote it, or more than three seniors say the same.
func (s *society) came(d deed, i knowledge.Item) {
	s.count["came"]++
	seniors := map[int]bool{}
	for _, e := range i.Evidence {
		if e.Correction != "" {
			s.says(i, e)
		}
		if n := numberOf(e.Actor); s.senior[n] {
			seniors[n] = true
		}
	}
	who, alone := person(d.who), len(i.Evidence) == 1 && len(i.Evidence[0].Actor) > 0 && i.Evidence[0].Actor == i.Contributor
	ok := i.Status == knowledge.Pending && !i.Personal && len(i.History) == 0 && len(i.Evidence) > 0 && i.Contributor == i.Evidence[0].Actor
	switch d.what {
	case "offer":
		ok = ok && alone && i.Contributor == who && i.Evidence[0].Correction == d.said.id
	case "write":
		ok = ok && alone && i.Contributor == who && i.Term == "" && i.Evidence[0].Quote == i.Content
	default:
		ok = ok && s.considers(d) && len(seniors) > 3
	}
	if !ok {
		s.t.Errorf("where does i%d come from, with %d seniors? %+v", s.names[i.ID], len(seniors), i)
	}
}

// considers says whether a deed has others look whether several say the same.
func (s *society) considers(d deed) bool { return d.said.id != "" || d.what == "consider" }

// says looks that evidence is what its person says now, in their words, and means the same as its piece.
func (s *society) says(i knowledge.Item, e knowledge.Evidence) {
	c, there := s.said[e.Correction]
	if !there || person(c.who) != e.Actor || !slices.Contains(s.words[c.id], e.Quote) || class(c.term, c.means) != class(i.Term, i.Means) {
		s.t.Errorf("i%d rests on %+v, and the book has %+v", s.names[i.ID], e, c)
	}
}

// moved looks that a piece changed by nothing but what was done, and by who may do it.
func (s *society) moved(d deed, was, is knowledge.Item) {
	for _, e := range is.Evidence { // what was forgotten stands behind nothing
		if e.Correction != "" {
			s.says(is, e)
		}
	}
	if reflect.DeepEqual(was, is) {
		return
	}
	name, about, who := fmt.Sprintf("i%d", s.names[is.ID]), d.item == is.ID, person(d.who)
	wrong := func(what string) { s.t.Errorf("%s: %s. It was %+v, and is %+v", name, what, was, is) }
	own := who == was.Contributor
	if is.Term != was.Term || is.Means != was.Means || is.Domain != was.Domain && !(about && d.what == "describe" && is.Term == "") || is.Created != was.Created || is.SelfReviewed || is.Branch != "" || is.Merged != nil {
		wrong("it is another one")
	}
	reset := own && d.unsaid.id != "" && !d.same && was.Status == knowledge.Pending && is.Title == is.Term && is.Content == is.Term+" means "+is.Means // what its owner called it goes with them
	said := is.Title != was.Title || is.Content != was.Content || is.Category != was.Category
	if (said || !slices.Equal(is.Tags, was.Tags) || !slices.Equal(is.Entities, was.Entities)) && !reset && !(about && d.what == "describe" && (own || isSteward(who))) {
		wrong("it is described otherwise")
	}
	if is.Reach() != was.Reach() && !(about && d.what == "direct" && (isSteward(who) || d.who == 0) && !was.Personal) {
		wrong("it reaches others")
	}
	if is.Personal != was.Personal && !(about && own && d.verdict == map[bool]knowledge.Verdict{true: knowledge.Hide, false: knowledge.Offer}[is.Personal]) {
		wrong("somebody made it personal, or shared")
	}
	grown := len(is.History) - len(was.History)
	if grown != map[bool]int{true: 1}[about] || !slices.Equal(is.History[:len(was.History)], was.History) ||
		about && is.History[len(was.History)] != (knowledge.Decision{Verdict: d.verdict, By: who, Reason: d.reason, At: s.now()}) {
		wrong("its history is not what was done")
	}
	if !s.mayStand(d, was, is, about) {
		wrong("nobody may have it stand so")
	}
	wide := was.Audience != "" && is.Audience != was.Audience || !was.Until.IsZero() && (is.Until.IsZero() || is.Until.After(was.Until)) || is.From.Before(was.From)
	if (wide || said && is.Term == "") && is.Status != knowledge.Pending {
		wrong("it says, or reaches, more than was decided about")
	}
	s.behind(d, was, is, about, wrong)
}

// mayStand says whether a change of status is one that its person may decide.
func (s *society) mayStand(d deed, was, is knowledge.Item, about bool) bool {
	who, decided := person(d.who), was.Status == knowledge.Approved || was.Status == knowledge.Mandatory
	only := !slices.ContainsFunc(was.Evidence, func(e knowledge.Evidence) bool { return e.Actor != who })
	switch {
	case is.Status == was.Status:
		return true
	case !about || was.Personal:
		return false
	case is.Status == knowledge.Approved:
		seniors := map[string]bool{}
		for _, e := range was.Evidence {
			if s.senior[numberOf(e.Actor)] {
				seniors[e.Actor] = true
			}
		}
		return d.verdict == knowledge.Approve && was.Status != knowledge.Mandatory && isSteward(who) && len(seniors) > 3
	case is.Status == knowledge.Mandatory:
		return d.verdict == knowledge.Order && d.who == 0 && d.reason != "" && (!only || was.Contributor != who)
	case is.Status == knowledge.Rejected:
		return d.verdict == knowledge.Reject && isSteward(who) && d.reason != "" && was.Status == knowledge.Pending
	case is.Status == knowledge.Revoked:
		return d.verdict == knowledge.Revoke && isSteward(who) && d.reason != "" && decided
	}
	return is.Status == knowledge.Pending && decided && (is.Personal || d.verdict == knowledge.Directed || d.verdict == knowledge.Described && is.Term == "")
}

// behind looks what became of the people behind a piece: only what its person does not say any more goes, only what somebody said comes, and who brought it is somebody who stands behind it.
func (s *society) behind(d deed, was, is knowledge.Item, about bool, wrong func(string)) {
	rested := slices.ContainsFunc(was.Evidence, func(e knowledge.Evidence) bool { return d.unsaid.id != "" && e.Correction == d.unsaid.id })
	for _, e := range was.Evidence {
		if !slices.Contains(is.Evidence, e) && (e.Correction == "" || e.Correction != d.unsaid.id) {
			wrong(fmt.Sprintf("%+v is gone", e))
		}
	}
	for _, e := range is.Evidence {
		if slices.Contains(was.Evidence, e) {
			continue
		}
		ok := about && e.Actor == person(d.who) && e.Quote == d.reason && e.At.Equal(s.now()) &&
			(d.verdict == knowledge.Endorse && e.Detection == knowledge.ByConfirmation || d.verdict == knowledge.Order && e.Detection == knowledge.ByMandate)
		if e.Correction != "" { // says was asked already
			ok = s.considers(d) && (!was.Personal || d.same && rested || d.what == "offer" && e.Correction == d.said.id && !was.Personal)
		}
		if !ok {
			wrong(fmt.Sprintf("%+v came", e))
		}
	}
	withdrew := rested && person(d.who) == was.Contributor
	says := func(e knowledge.Evidence) bool { return e.Actor == was.Contributor && brings(e) }
	if withdrew && is.Contributor != was.Contributor && slices.ContainsFunc(is.Evidence, says) {
		wrong("who brought it still stands behind it, and somebody else is said to have brought it")
	}
	if is.Contributor != was.Contributor && (d.same && was.Contributor != "" || was.Personal || !withdrew && was.Contributor != "" || is.Contributor != "" && !slices.Contains(is.Behind(), is.Contributor)) {
		wrong("somebody else is said to have brought it")
	}
	if rested && (is.Contributor != "" && withdrew && !slices.Contains(is.Behind(), is.Contributor) || is.Status == knowledge.Pending && len(is.Evidence) == 0) {
		wrong("it stands, and who brought it does not say it any more")
	}
	if d.same && rested && is.Status == knowledge.Pending && !is.Personal && !slices.Contains(is.Behind(), person(d.who)) {
		wrong("who said it again does not stand behind it any more")
	}
}

// agreed looks that what somebody says now stands behind the piece that says the same, and that there is one once more than three seniors do.
func (s *society) agreed(d deed) {
	if d.err != nil || d.said.id == "" || d.what == "offer" {
		return
	}
	seniors := map[int]bool{}
	for _, c := range s.said {
		if s.senior[c.who] && class(c.term, c.means) == class(d.said.term, d.said.means) {
			seniors[c.who] = true
		}
	}
	there, stands := false, false
	for _, i := range s.items {
		if class(i.Term, i.Means) != class(d.said.term, d.said.means) || i.Personal || i.At(s.now()) == knowledge.Expired {
			continue
		}
		there = true
		stands = stands || slices.ContainsFunc(i.Evidence, func(e knowledge.Evidence) bool { return e.Correction == d.said.id })
	}
	if !there && len(seniors) > 3 || there && !stands {
		s.t.Errorf("%d seniors say so: there is a piece: %v, and this stands behind it: %v", len(seniors), there, stands)
	}
}
