package timex

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Manner is how coarse words are meant.
type Manner byte

const (
	// Whole takes a unit whole, as a question about data means it: "between 2014 and 2018" has all of 2018 in it, and "3
	// months ago" is that month.
	Whole Manner = iota
	// Exact measures from point to point, as calendars do: "between 2014 and 2018" ends where 2018 begins, and "3 months
	// ago" is that day. A last day that is named is always part of its range.
	Exact
)

// reader reads the phrases of one text. It knows the clock and the calendars.
type reader struct {
	source    string
	tokens    []token
	hits      [][]hit // beside tokens
	english   *lexicon
	today     time.Time
	weekStart time.Weekday
	model     *semantic.Model
	fiscal    *semantic.Calendar
	manner    Manner
	points    map[int][]match // what was found at a token
	busy      map[int]bool
}

// match is an expression in tokens[i:end].
type match struct {
	expr expr
	end  int
}

func newReader(source string, env frameql.Env, manner Manner) *reader {
	r := &reader{
		source: source, tokens: scan(source), english: english(), today: midnight(env.Now), weekStart: time.Monday, model: env.Model, manner: manner,
		points: map[int][]match{}, busy: map[int]bool{},
	}
	r.hits = make([][]hit, len(r.tokens))
	for i := range r.tokens {
		r.hits[i] = r.english.hitsAt(r.tokens, i)
	}
	if m := env.Model; m != nil {
		r.weekStart = weekStart(m.Workspace.WeekStart)
		for i := range m.Calendars {
			if strings.EqualFold(m.Calendars[i].Name, m.Workspace.Calendar) || m.Workspace.Calendar == "" && len(m.Calendars) == 1 {
				r.fiscal = &m.Calendars[i]
			}
		}
	}
	return r
}

// weekStart reads the setting of a workspace; Monday when it says nothing.
func weekStart(setting string) time.Weekday {
	setting = strings.ToLower(setting)
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name := strings.ToLower(d.String()); len(setting) >= 3 && strings.HasPrefix(name, setting) {
			return d
		}
	}
	return time.Monday
}

// Match is a period that a text names in its bytes Start to End.
type Match struct {
	Period
	Start, End int
}

// Find gives the date phrases of a text, those that are too loose to be one in a sentence left out. At every place where one
// begins there may be several, the longest first, at most one of each length.
func Find(source string, env frameql.Env, manner Manner) []Match {
	r := newReader(source, env, manner)
	var out []Match
	for i := range r.tokens {
		for _, p := range r.phrases(i) {
			if !r.licensed(i, p.loose) {
				continue
			}
			out = append(out, Match{p.Period, r.tokens[i].start, r.tokens[p.end-1].end})
		}
	}
	return out
}

// licensed says whether what stands before token i makes a loose phrase a date.
func (r *reader) licensed(i int, l looseness) bool {
	if r.is(i-1, "every", "each") { // what repeats
		return false
	}
	switch l {
	case strict:
		return true
	case yearish:
		if r.is(i-1, "to", "with") && r.is(i-2, "compared", "comparison", "relative") {
			return true
		}
		return r.is(i-1, "in", "since", "during", "of", "until", "till", "before", "after", "on", "last", "this", "next", "through", "for", "month", "past", "late", "early", "vs", "versus", "against") ||
			i == 0 && r.tokens[i].kind == word && len(r.tokens) == 1
	case dayish:
		return r.is(i-1, "on")
	}
	return false
}

// Read reads a text that is one date phrase and nothing else. When it is none, problem may say in a sentence why not.
func Read(phrase string, env frameql.Env, manner Manner) (p Period, problem string, ok bool) {
	r := newReader(phrase, env, manner)
	for i := range r.tokens {
		for _, found := range r.phrases(i) {
			if r.noise(found.end, len(r.tokens)) {
				return found.Bounded(notCovered), "", true
			}
		}
		if !r.noise(i, i+1) {
			break
		}
	}
	return Period{}, r.why(), false
}

// noise says whether tokens[i:j] are only words that carry nothing in a date phrase.
func (r *reader) noise(i, j int) bool {
	for ; i < j; i++ {
		if r.behind(i, "noise") == 0 {
			return false
		}
	}
	return true
}

// phrase is a finished reading of tokens up to end.
type phrase struct {
	Period
	end   int
	loose looseness
}

// phrases gives the readings that begin at token i, longest first, one of each length.
func (r *reader) phrases(i int) []phrase {
	var out []phrase
	add := func(p phrase) {
		if !slices.ContainsFunc(out, func(o phrase) bool { return o.end == p.end && o.loose <= p.loose }) {
			out = append(out, p)
		}
	}
	for _, m := range append(r.pointsAt(i), r.rangesAt(i)...) {
		if p, ok := r.finish(m, i); ok {
			add(p)
		}
	}
	for _, p := range r.openAt(i) {
		add(p)
	}
	for _, p := range slices.Clone(out) {
		if end := r.withoutCurrent(p); end > 0 {
			p.end = end
			add(p)
		}
		if p, ok := r.inclusive(p); ok {
			add(p)
		}
	}
	slices.SortStableFunc(out, func(a, b phrase) int { return b.end - a.end })
	return slices.CompactFunc(out, func(a, b phrase) bool { return a.end == b.end })
}

// withoutCurrent gives the token behind "excluding the current month", where that is true of a period anyhow; 0 where it is not
// said, or would change the period.
func (r *reader) withoutCurrent(p phrase) int {
	open := r.separator(r.separator(p.end, ","), "(")
	j := r.behind(open, "excluding")
	unit, end := r.named(j, "units")
	if j == 0 || end == 0 || p.To.IsZero() || !r.knows(unit) || p.To.After(r.floor(r.today, unit)) {
		return 0
	}
	return r.separator(end, ")")
}

// inclusive reads "inclusive" behind a range, which its last day is part of anyhow, and "including today" behind days that end
// yesterday: as many days then end today, and a longer unit is measured back from today.
func (r *reader) inclusive(p phrase) (phrase, bool) {
	open := r.separator(r.separator(p.end, ","), "(")
	end := r.behind(open, "with_today")
	if at := r.behind(open, "inclusive"); end == 0 && at > 0 && !p.From.IsZero() && !p.To.IsZero() {
		p.end = r.separator(at, ")")
		return p, true
	}
	if end == 0 || p.From.IsZero() || p.Asked.Kind != "last" && !(p.Relative && p.To.Equal(r.today)) {
		return p, false
	}
	notes := p.Notes
	tomorrow := r.today.AddDate(0, 0, 1)
	switch {
	case p.Asked.Kind == "last" && p.Asked.Unit == "day":
		p.Period = Period{From: p.From.AddDate(0, 0, 1), To: tomorrow, Grain: "day", Relative: true, Asked: p.Asked}
		p.Asked.Incl = true
		notes = nil
	case p.Asked.Kind == "last" && inFrameQL(p.Asked.Unit) && r.knows(p.Asked.Unit):
		p.Period = Spanning(step(r.today, p.Asked.Unit, -p.Asked.N), tomorrow, "day")
		notes = []string{text.Say("interpret.assume_rolling", "phrase", r.written(open, end), "from", ISO(p.From), "to", ISO(r.today))}
	case p.To.Equal(r.today):
		p.Period = Spanning(p.From, tomorrow, "day")
	default:
		return p, false
	}
	p.Relative, p.Notes = true, notes
	p.end = r.separator(end, ")")
	return p, true
}

// finish settles an expression and discloses what it left open.
func (r *reader) finish(m match, i int) (phrase, bool) {
	s, assumed, ok := r.settle(m.expr)
	if !ok || s.from.IsZero() && s.asked == nil {
		return phrase{}, false
	}
	if s.from.IsZero() != s.to.IsZero() || !s.from.IsZero() && (!s.from.Before(s.to) || s.from.Year() < 1 || s.to.Year() > 9999) {
		return phrase{}, false
	}
	p := Period{From: s.from, To: s.to, Grain: s.grain, Notes: s.notes, Relative: s.relative, Back: s.back}
	if s.asked != nil {
		p.Asked = *s.asked
	} else {
		p.Asked = asked(s.from, s.to, s.grain)
	}
	for j := i; j < m.end; j++ {
		if id, end := r.named(j, "amounts"); id == "3" && end <= m.end {
			p.Notes = append(slices.Clone(p.Notes), text.Say("interpret.assume_few", "word", r.written(j, end), "n", id))
			break
		}
	}
	if assumed {
		p.Notes = append(slices.Clone(p.Notes), r.disclose(s, r.written(i, m.end)))
	}
	return phrase{p, m.end, m.expr.loose}, true
}

// disclose says which occurrence of a set was taken.
func (r *reader) disclose(s span, written string) string {
	if s.grain == "month" || s.grain == "quarter" {
		return text.Say("interpret.assume_year", "phrase", written, "year", s.from.Year())
	}
	return text.Say("interpret.assume_recent", "phrase", written, "from", ISO(s.from), "to", ISO(s.to.AddDate(0, 0, -1)))
}

// written gives tokens[i:j] as they stand in the text.
func (r *reader) written(i, j int) string { return r.source[r.tokens[i].start:r.tokens[j-1].end] }

// mostReadings bounds what is kept for one place, mostTokens how far a phrase may reach.
const mostReadings = 48

// pointsAt gives the expressions that begin at token i.
func (r *reader) pointsAt(i int) []match {
	if i >= len(r.tokens) {
		return nil
	}
	if found, ok := r.points[i]; ok {
		return found
	}
	if r.busy[i] {
		return nil
	}
	r.busy[i] = true
	out := r.base(i)
	for k := 0; k < len(out) && len(out) < mostReadings; k++ {
		for _, grown := range r.grow(out[k]) {
			if !slices.ContainsFunc(out, func(o match) bool { return same(o, grown) }) {
				out = append(out, grown)
			}
		}
	}
	r.busy[i] = false
	r.points[i] = out
	return out
}

// same says whether two readings are one.
func same(a, b match) bool {
	if a.end != b.end || a.expr.grain != b.expr.grain || a.expr.cycle != b.expr.cycle || (a.expr.one == nil) != (b.expr.one == nil) || a.expr.loose != b.expr.loose {
		return false
	}
	return a.expr.one != nil && a.expr.one.from.Equal(b.expr.one.from) && a.expr.one.to.Equal(b.expr.one.to)
}

// base gives the expressions that begin at token i and are not made by placing one in another.
func (r *reader) base(i int) (out []match) {
	for _, read := range []func(int) []match{
		r.fiscalAt, r.dayNameAt, r.toDateAt, r.numericAt, r.weekdayAt, r.monthAt, r.partOfYearAt, r.countedAt, r.nthAt, r.pointingAt, r.afterNextAt, r.cutAt,
		r.moveAt, r.runAt, r.adjacentAt, r.holidayAt, r.seasonAt, r.weekOfAt, r.numberedAt, r.sameAt, r.yearsAt, r.dayAt, r.vagueAt,
	} {
		out = append(out, read(i)...)
	}
	if j := r.behind(i, "the"); j > 0 {
		for _, m := range r.base(j) {
			if m.expr.loose == alone && m.expr.grain == "day" && m.expr.one == nil && r.tokens[j].kind == digits {
				m.expr.loose = dayish
			}
			out = append(out, m)
		}
	}
	return out
}

// grow places what was read in what stands behind it, or the other way round: "friday of next week", "next week on friday".
func (r *reader) grow(m match) (out []match) {
	for _, j := range r.joints(m.end) {
		for _, c := range r.pointsAt(j) {
			if c.expr.loose == alone && c.expr.one == nil && j == m.end {
				continue // a bare number is no day of what stands before it
			}
			if e, ok := r.place(m.expr, c.expr); ok {
				e.loose = m.expr.loose
				if e.loose != alone || j > m.end {
					e.loose = strict
				}
				out = append(out, match{e, c.end})
			}
			if m.expr.one != nil && m.expr.one.relative && m.expr.grain == "day" && c.expr.grain == "day" && c.expr.each != nil && c.expr.loose < alone {
				if _, ok := c.expr.within(*m.expr.one); ok { // today, November 7
					out = append(out, match{m.expr, c.end})
				}
			}
			if e, ok := r.place(c.expr, m.expr); ok && !r.is(j-1, "of") {
				out = append(out, match{e, c.end})
			}
		}
		for _, pair := range r.pairsAt(j) {
			if e, ok := r.pairWithin(pair, m.expr); ok && (pair.said || j == m.end) {
				out = append(out, match{e, pair.end})
			}
		}
	}
	if m.expr.grain == "day" && m.expr.day == 0 && m.expr.cycle != "week" {
		j := r.separator(r.separator(m.end, ","), "(")
		if id, k := r.named(j, "weekdays"); k > 0 && m.expr.loose < alone { // 12 January, Monday
			e := m.expr
			e.day, _ = strconv.Atoi(id)
			out = append(out, match{e, r.separator(k, ")")})
		}
	}
	if j := r.behind(m.end, "so_far"); j > 0 {
		if e, ok := r.soFar(m.expr); ok {
			out = append(out, match{e, j})
		}
	}
	return out
}

// joints gives where what belongs to a phrase that ends at i may begin: directly there, and behind the words that join.
func (r *reader) joints(i int) []int {
	out := []int{i}
	if r.is(i, "'") && r.is(i+1, "s") { // 2015's first quarter
		i += 2
		out = append(out, i)
	}
	for j := r.behind(i, "of"); j > 0; j = r.behind(j, "of") {
		out = append(out, j)
	}
	if r.is(i, "-", "/") && (r.glued(i) || r.behind(i+1, "weekdays") > 0) {
		out = append(out, i+1)
	}
	return out
}
