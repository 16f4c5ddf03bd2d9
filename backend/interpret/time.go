package interpret

import (
	"fmt"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// period is one reading of a date phrase.
type period struct {
	asked    frameql.Period // how Frame-QL writes it; for an open range, filled by bounded
	from, to time.Time      // the half-open range on the calendar where it is needed to build another; zero: open or not known
	open     bool           // from or to is open: "since March", "before 1997"
	grain    string         // the unit it is made of: day month quarter year ...
	notes    []string       // assumptions in words
	relative bool           // it depends on the clock
}

// periodMatch is a period found in tokens[i:i+n].
type periodMatch struct {
	period
	n int
}

// timeReader reads date phrases. It knows the clock and the fiscal calendar and holds no other state.
type timeReader struct {
	english *lexicon
	tokens  []token
	today   time.Time // midnight
	sunday  bool      // weeks start on Sunday
	fiscal  *semantic.Calendar
}

func newTimeReader(l *lexicon, tokens []token, env frameql.Env) *timeReader {
	r := &timeReader{english: l, tokens: tokens, today: midnight(env.Now)}
	if m := env.Model; m != nil {
		r.sunday = m.Workspace.WeekStart == "sunday"
		for i := range m.Calendars {
			if m.Workspace.Calendar == "" || m.Calendars[i].Name == m.Workspace.Calendar {
				r.fiscal = &m.Calendars[i]
				break
			}
		}
	}
	return r
}

// ReadPeriod reads a text that is one date phrase: "last quarter", "since March", "Q3 1997". Assumptions say in words
// what the text left open. ok is false when the text holds no date phrase, or anything besides one.
func ReadPeriod(phrase string, env frameql.Env) (p frameql.Period, assumptions []string, ok bool) {
	l := english()
	r := newTimeReader(l, l.tokenise(phrase), env)
	for i := range r.tokens {
		for _, m := range r.at(i) {
			if r.empty(0, i) && r.empty(i+m.n, len(r.tokens)) {
				found := m.bounded(notCovered)
				return found.asked, found.notes, true
			}
		}
		if !r.empty(i, i+1) {
			break
		}
	}
	return frameql.Period{}, nil, false
}

// empty says whether tokens[i:j] are only words that carry nothing in a date phrase.
func (r *timeReader) empty(i, j int) bool {
	for _, t := range r.tokens[i:j] {
		switch t.norm {
		case "in", "on", "during", "for", "the", "of", "at", "over", ",", ".", "?", "!", "within", "throughout", "to":
		default:
			return false
		}
	}
	return true
}

// at gives the readings of the date phrase that starts at token i, longest first, at most one of each length.
func (r *timeReader) at(i int) []periodMatch {
	var out []periodMatch
	add := func(m periodMatch, ok bool) {
		if !ok {
			return
		}
		for k, o := range out {
			if o.n == m.n {
				return
			}
			if o.n < m.n {
				out = append(out[:k], append([]periodMatch{m}, out[k:]...)...)
				return
			}
		}
		out = append(out, m)
	}
	add(r.between(i))
	add(r.anchor(i))
	add(r.simple(i))
	return out
}

// simple reads a phrase without range words: the longest of fiscal, relative and absolute forms.
func (r *timeReader) simple(i int) (best periodMatch, ok bool) {
	start := i
	if r.is(i, "the") {
		i++
	}
	for _, read := range []func(int) (periodMatch, bool){r.fiscalAt, r.relativeAt, r.absoluteAt} {
		if m, found := read(i); found && m.n > best.n {
			best, ok = m, true
		}
	}
	if ok {
		best.n += i - start
	}
	return best, ok
}

// is says whether token i is one of the words.
func (r *timeReader) is(i int, ws ...string) bool {
	if i < 0 || i >= len(r.tokens) || r.tokens[i].kind == quotedToken {
		return false
	}
	for _, w := range ws {
		if r.tokens[i].norm == w {
			return true
		}
	}
	return false
}

// seq says whether the words stand from token i on.
func (r *timeReader) seq(i int, ws ...string) bool {
	for k, w := range ws {
		if !r.is(i+k, w) {
			return false
		}
	}
	return true
}

// bounded writes an open range. An open end stays open: everything from a day on. An open beginning starts with the data
// when its first day is known, else with the year 1.
func (p period) bounded(coverage func() (first, last time.Time, ok bool)) period {
	if !p.open {
		return p
	}
	p.open = false
	p.asked = frameql.Period{Kind: "range"}
	if p.from.IsZero() {
		p.from = day(1, 1, 1)
		if first, _, ok := coverage(); ok && midnight(first).Before(p.to) {
			p.from = midnight(first)
		}
	}
	p.asked.From = iso(p.from)
	if !p.to.IsZero() {
		p.asked.To = iso(p.to)
	}
	return p
}

// notCovered is the coverage of a time dimension of which nothing is known.
func notCovered() (first, last time.Time, ok bool) { return first, last, false }

// literal makes a period of a calendar unit.
func literal(grain string, from time.Time) period {
	p := period{from: from, to: step(from, grain, 1), grain: grain}
	p.asked = frameql.Period{Kind: "literal", Value: literalText(grain, from)}
	return p
}

func literalText(grain string, from time.Time) string {
	switch grain {
	case "year":
		return from.Format("2006")
	case "quarter":
		return fmt.Sprintf("%04d-Q%d", from.Year(), (int(from.Month())+2)/3)
	case "month":
		return from.Format("2006-01")
	default:
		return iso(from)
	}
}

// spanning makes a half-open range.
func spanning(from, to time.Time, grain string) period {
	return period{from: from, to: to, grain: grain, asked: frameql.Period{Kind: "range", From: iso(from), To: iso(to)}}
}

// step moves a date by n calendar units.
func step(t time.Time, unit string, n int) time.Time {
	switch unit {
	case "day":
		return t.AddDate(0, 0, n)
	case "week":
		return t.AddDate(0, 0, 7*n)
	case "month":
		return t.AddDate(0, n, 0)
	case "quarter", "fiscal_quarter":
		return t.AddDate(0, 3*n, 0)
	default:
		return t.AddDate(n, 0, 0)
	}
}

// floor gives the first day of the unit that t lies in.
func (r *timeReader) floor(t time.Time, unit string) time.Time {
	y, m, d := t.Date()
	switch unit {
	case "week":
		back := (int(t.Weekday()) + 6) % 7
		if r.sunday {
			back = int(t.Weekday())
		}
		return day(y, int(m), d-back)
	case "month":
		return day(y, int(m), 1)
	case "quarter":
		return day(y, (int(m)-1)/3*3+1, 1)
	case "year":
		return day(y, 1, 1)
	case "fiscal_year", "fiscal_quarter":
		start := 1
		if r.fiscal != nil {
			start = r.fiscal.StartMonth
		}
		months := (int(m) - start + 12) % 12
		if unit == "fiscal_quarter" {
			months %= 3
		}
		return day(y, int(m)-months, 1)
	default:
		return day(y, int(m), d)
	}
}

func midnight(t time.Time) time.Time { return day(t.Year(), int(t.Month()), t.Day()) }

func day(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

func iso(t time.Time) string { return t.Format("2006-01-02") }
