package workspace

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
)

// sees is who may see a piece, by the book.
func (s *society) sees(who int, i knowledge.Item) bool {
	switch {
	case person(who) == i.Contributor:
		return true
	case i.Personal:
		return false
	case who == 0 || isSteward(person(who)):
		return true
	}
	return s.holds(i) && (i.Audience == "" || i.Audience == fmt.Sprintf("g%d", who%10))
}

// holds says whether a piece was decided to hold, and does now.
func (s *society) holds(i knowledge.Item) bool {
	now := s.now()
	return (i.Status == knowledge.Approved || i.Status == knowledge.Mandatory) && !i.Personal && !now.Before(i.From) && (i.Until.IsZero() || now.Before(i.Until))
}

// reads looks through what somebody reads: all that is theirs, and nothing else.
func (s *society) reads(who, step int) {
	mine, err := s.w.Corrections(s.t.Context(), "", as(person(who)))
	if err != nil || len(mine) != len(s.taught[who]) {
		s.t.Errorf("%s has taught %v, and reads %v, %v", person(who), s.taught[who], mine, err)
	}
	for _, c := range mine {
		if is := (saying{who, c.ID, c.Term, c.Means, c.Quote}); s.taught[who][knowledge.Key(c.Term)] != is {
			s.t.Errorf("%s reads %+v, and the book has %+v", person(who), is, s.taught[who][knowledge.Key(c.Term)])
		}
	}
	viewer, err := s.w.Identify("", as(person(who)))
	if err != nil {
		s.t.Fatal(fault.Detail(err))
	}
	list, err := s.w.reviewing.board.List(s.t.Context(), viewer)
	if err != nil {
		s.t.Fatal(fault.Detail(err))
	}
	may, visible := map[string]bool{}, 0
	for _, i := range s.items {
		if !s.sees(who, i) {
			continue
		}
		visible++
		for _, e := range i.Evidence {
			if who == 0 || isSteward(person(who)) || person(who) == i.Contributor || person(who) == e.Actor {
				noteMarks(may, e.Quote)
			}
		}
		noteMarks(may, i.Term, i.Means, i.Title, i.Content)
		for _, h := range i.History {
			noteMarks(may, h.Reason)
		}
	}
	if len(list) != visible {
		s.t.Errorf("%s sees %d pieces, and the book has %d", person(who), len(list), visible)
	}
	for _, v := range list {
		if !s.sees(who, s.items[v.ID]) {
			s.t.Errorf("%s sees i%d of %s", person(who), s.names[v.ID], v.Contributor)
		}
		if want := s.sure(v.ID, false); v.Confidence != want {
			s.t.Errorf("i%d is sure by %v, and by its evidence by %v", s.names[v.ID], v.Confidence, want)
		}
	}
	s.nothingElse(who, may, list)
	id := s.lately()
	if len(s.gone) > 0 && step%4 == 0 {
		id = s.gone[len(s.gone)-1-s.rand.IntN(min(5, len(s.gone)))]
	}
	one, err := s.w.reviewing.board.Look(s.t.Context(), viewer, id)
	i, there := s.items[id]
	switch {
	case there && s.sees(who, i):
		if want := s.sure(id, true); err != nil || one.ID != id || one.Confidence != want {
			s.t.Errorf("%s reads i%d, sure by %v and not by %v: %v", person(who), s.names[id], one.Confidence, want, err)
		}
		s.nothingElse(who, may, one)
	case fault.CodeOf(err) != fault.NotFound || err.Error() != s.none.Error():
		s.t.Errorf("%s is told of i%d: %v, and of nothing: %v", person(who), s.names[id], err, s.none)
	}
}

// sure is the confidence in a piece by its evidence alone, in any order; read: as the rows of the memory file have it.
func (s *society) sure(id string, read bool) float64 {
	all := slices.Clone(s.items[id].Evidence)
	if read {
		all = all[:0]
		s.rows(`SELECT actor, detection, at FROM evidence WHERE item = '`+id+`' ORDER BY random()`, func(row []any) {
			at, err := time.Parse(time.RFC3339Nano, fmt.Sprint(row[2]))
			if err != nil {
				s.t.Error(err)
			}
			e := knowledge.Evidence{Actor: fmt.Sprint(row[0]), Detection: knowledge.Detection(fmt.Sprint(row[1])), At: at}
			all = append(all, e, e)
		})
	}
	return math.Round(knowledge.DefaultTable().Confidence(all, isSteward, s.now())*1000) / 1000
}

var marked = regexp.MustCompile(`qxz[b-k]{8}`)

func noteMarks(into map[string]bool, texts ...string) {
	for _, m := range marked.FindAllString(strings.ToLower(strings.Join(texts, " ")), -1) {
		into[m] = true
	}
}

// nothingElse looks that what somebody is given holds no words but those that they may read.
func (s *society) nothingElse(who int, may map[string]bool, given any) {
	raw, err := json.Marshal(given)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, m := range marked.FindAllString(string(raw), -1) {
		if !may[m] {
			s.t.Errorf("%s reads %s: %s", person(who), m, raw)
		}
	}
}

// finds searches for what somebody taught, or for what was said last, as one person: their own is found, and what reaches them, and nothing else.
func (s *society) finds(who int) {
	words := "revenue and freight"
	mine := s.taught[who]
	keys := slices.Sorted(maps.Keys(mine))
	var own saying
	switch c, ok := s.saying(); {
	case len(keys) > 0 && s.rand.IntN(2) == 0:
		own = mine[keys[s.rand.IntN(len(keys))]]
		words = own.term + " means " + own.means
	case ok && s.rand.IntN(2) == 0:
		words = c.term + " means " + c.means
	case len(s.order) > 0:
		i := s.items[s.lately()]
		words = cmp.Or(i.Content, words)
	}
	for _, id := range s.order { // what holds for others is looked for before all
		if i := s.items[id]; own.id == "" && s.holds(i) && !s.sees(who, i) {
			words = i.Content
		}
	}
	found, err := s.w.FindTaught(s.t.Context(), words, "", "", as(person(who)))
	if err != nil {
		s.t.Fatal(fault.Detail(err))
	}
	may := map[string]bool{}
	for _, f := range found {
		switch i, c := s.items[f.ID], s.said[f.ID]; {
		case f.Kind == "correction" && c.id == f.ID && c.who == who && c.term == f.Term && c.means == f.Means:
			noteMarks(may, c.term, c.means)
		case f.Kind == "shared" && i.ID == f.ID && s.holds(i) && (i.Contributor == person(who) || i.Audience == "" || i.Audience == fmt.Sprintf("g%d", who%10)):
			noteMarks(may, i.Term, i.Means, i.Title, i.Content)
			s.count["found"]++
		default:
			s.t.Errorf("%s finds %+v", person(who), f)
		}
	}
	s.nothingElse(who, may, found)
	if own.id != "" && len(found) < mostFound && !slices.ContainsFunc(found, func(f TaughtFound) bool { return f.ID == own.id }) {
		s.t.Errorf("%s does not find %+v by %q", person(who), own, words)
	}
}
