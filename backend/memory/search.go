package memory

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assay/backend/fault"
	"assay/backend/text"
)

// Hit is a turn of a session, or a session by its title, that has the words that were searched for.
type Hit struct {
	SessionID string    `json:"session_id"`
	Title     string    `json:"title" doc:"Of the session"`
	RequestID string    `json:"request_id" doc:"Empty: the title of the session has all the words"`
	Turn      int       `json:"turn" doc:"0: as request_id says"`
	Field     string    `json:"field" enum:"title,question,query,narration,metric,note" doc:"Which text of the turn has most of the words; title: of the session, or what a person called the answer"`
	Excerpt   string    `json:"excerpt" doc:"Of that text, around the words; text as it stands"`
	At        time.Time `json:"at" doc:"When it was asked"`
	Pinned    bool      `json:"pinned" doc:"The session is"`
	Archived  bool      `json:"archived" doc:"The session is"`

	whole bool // the turn has all the words, without the title of its session
}

const (
	mostHits       = 200
	hitsOfSession  = 3
	mostWanted     = 16  // words that are searched for
	longestWanted  = 400 // of what is searched for, in characters
	mostCandidates = 500 // turns that are looked at, the latest ones
	excerptRunes   = 160
)

// Search finds turns that have all words of a query in their texts: the question, its Frame-QL, the narration, what its metrics are called, what a person called
// the answer or said of it, and the title of the session. Case and accents do not matter, a word finds those that begin so, and a sign is a sign. The pinned
// sessions come first, then the latest turn; of one session there are at most three turns, behind each other, those
// first that have all the words without its title. Of what very many turns have, the
// latest five hundred are looked at. most: 20 when it is 0, 200 at most.
//
// Fault Invalid: the query is longer than can be searched for.
func (m *Memory) Search(ctx context.Context, query string, most int) ([]Hit, error) {
	if most <= 0 {
		most = 20
	}
	all := wantedIn(query)
	if len(all) > mostWanted || utf8.RuneCountInString(query) > longestWanted {
		return nil, fault.New(fault.Invalid, "search sessions", text.Say("memory.search_long", "words", mostWanted, "most", longestWanted), text.Say("memory.search_long_hint"))
	}
	s := search{wanted: all, most: min(most, mostHits), of: map[string]int{}}
	if len(all) > 0 {
		for _, which := range []string{"IN", "NOT IN"} {
			if err := m.searchIn(ctx, &s, which); err != nil {
				return nil, m.classify("search sessions", err)
			}
		}
	}
	return s.hits(), nil
}

// search is a search under way.
type search struct {
	wanted []wanted
	most   int
	found  int
	groups [][]Hit        // by session, in the order in which they come
	of     map[string]int // the group of a session
}

// searchIn looks at the sessions that are pinned, or at those that are not, the latest turns first.
func (m *Memory) searchIn(ctx context.Context, s *search, which string) error {
	pinned := ` (SELECT n FROM found WHERE session IN (SELECT id FROM session WHERE pinned IS NOT NULL))`
	query, args := `SELECT request FROM found WHERE n `+which+pinned+` ORDER BY n DESC LIMIT ?`, []any{mostCandidates}
	if expression := matching(s.wanted); expression != "" {
		query = `SELECT request FROM (SELECT rowid AS at FROM found_words WHERE found_words MATCH ? AND +rowid ` + which + pinned + ` ORDER BY rowid DESC LIMIT ?) JOIN found ON n = at ORDER BY n DESC`
		args = []any{expression, mostCandidates}
	}
	candidates, err := texts(ctx, m.read, query, args...)
	if err != nil {
		return err
	}
	turn, err := m.read.PrepareContext(ctx, `SELECT `+searchableColumns+` WHERE r.id = ? AND s.deleted IS NULL`)
	if err != nil {
		return err
	}
	defer turn.Close()
	for _, request := range candidates {
		if s.found >= s.most {
			break
		}
		var x searchable
		err := x.scan(turn.QueryRowContext(ctx, request))
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err == nil {
			err = s.take(x)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// take looks at a turn, and keeps it where it has the words.
func (s *search) take(x searchable) error {
	group, known := s.of[x.session]
	if known && !s.room(group) {
		return nil
	}
	for _, w := range s.wanted {
		if !w.possible(x.title, x.named, x.question, x.metric, x.narration, x.query, x.note) {
			return nil
		}
	}
	at, err := moment(x.asked)
	if err != nil {
		return err
	}
	hit := Hit{SessionID: x.session, Title: x.title, At: at, Pinned: x.pinned, Archived: x.archived}
	titled := look(x.title, s.wanted)
	var best looked
	has := make([]bool, len(s.wanted))
	for _, f := range []struct{ name, text string }{
		{"title", x.named}, {"question", x.question}, {"metric", x.metric}, {"narration", x.narration}, {"query", x.query}, {"note", x.note},
	} {
		l := look(f.text, s.wanted)
		for i := range has {
			has[i] = has[i] || l.has[i]
		}
		if l.words > best.words {
			best, hit.Field, hit.Excerpt = l, f.name, l.excerpt(f.text)
		}
	}
	hit.whole = !slices.Contains(has, false)
	for i := range has {
		has[i] = has[i] || titled.has[i]
	}
	if slices.Contains(has, false) { // what the index took for the words: their signs stand otherwise
		return nil
	}
	if !known {
		group = len(s.groups)
		s.of[x.session], s.groups = group, append(s.groups, nil)
		if titled.words == len(s.wanted) {
			s.keep(group, Hit{SessionID: x.session, Title: x.title, Field: "title", Excerpt: titled.excerpt(x.title), At: at, Pinned: x.pinned, Archived: x.archived})
		}
	}
	if best.words > 0 {
		hit.RequestID, hit.Turn = x.request, x.turn
		s.keep(group, hit)
	}
	return nil
}

// room says whether a turn may still come into a group: there is a place, or one that has the words by the title only, and gives way.
func (s *search) room(group int) bool {
	return len(s.groups[group]) < hitsOfSession || slices.ContainsFunc(s.groups[group], Hit.givesWay)
}

func (s *search) keep(group int, hit Hit) {
	hits := s.groups[group]
	weakest := len(hits) - 1
	for weakest >= 0 && !hits[weakest].givesWay() {
		weakest--
	}
	switch {
	case s.found < s.most && len(hits) < hitsOfSession:
		s.groups[group] = append(hits, hit)
		s.found++
	case len(hits) == hitsOfSession && hit.whole && weakest >= 0:
		s.groups[group] = append(slices.Delete(hits, weakest, weakest+1), hit)
	}
}

// givesWay says that a turn has not all the words without the title of its session.
func (h Hit) givesWay() bool { return h.RequestID != "" && !h.whole }

// hits are those that were kept, by session.
func (s *search) hits() []Hit {
	all := []Hit{}
	for _, group := range s.groups {
		for _, weak := range []bool{false, true} {
			for _, hit := range group {
				if hit.givesWay() == weak {
					all = append(all, hit)
				}
			}
		}
	}
	return all
}

// looked says which words a text has.
type looked struct {
	has        []bool
	words      int
	start, end int // of the first one, in bytes
}

func look(s string, all []wanted) looked {
	l := looked{has: make([]bool, len(all)), start: -1}
	if s == "" {
		return l
	}
	tokens := tokensOf(s)
	for i, w := range all {
		start, end, found := w.in(s, tokens)
		if !found {
			continue
		}
		l.has[i] = true
		l.words++
		if l.start < 0 || start < l.start {
			l.start, l.end = start, end
		}
	}
	return l
}

// excerpt is the part of a text around the first of the words, in one line.
func (l looked) excerpt(s string) string {
	before, after := []rune(s[:l.start]), []rune(s[l.start:])
	lead := excerptRunes / 4
	if room := excerptRunes - len(after); room > lead {
		lead = room
	}
	cutBefore, cutAfter := "", ""
	if len(before) > lead {
		before, cutBefore = before[len(before)-lead:], "…"
	}
	if room := excerptRunes - len(before); len(after) > room {
		after, cutAfter = after[:room], "…"
	}
	return cutBefore + strings.Join(strings.Fields(string(before)+string(after)), " ") + cutAfter
}
