package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/interpret/timex"
)

// patchPeriod is "but for Q2", "and last year?", "for all time": another period. A relative comparison stays.
func patchPeriod(p *patch) {
	during := p.c.query.Time
	if during == nil || p.u.cues["compare"] {
		return
	}
	if during.On == nil && p.query.Time != nil {
		during.On = p.query.Time.On
	}
	p.query.Time = during
	p.query.Compare = slices.DeleteFunc(p.query.Compare, func(c frameql.Comparand) bool { return c.Kind == "during" })
	p.draft.period, p.draft.on = nil, nil
	p.did(PatchPeriod)
}

// withinYear reads a part of a year ("Q2", "March") as one of the year that the query is about.
func (p *patch) withinYear() {
	asked, was := p.draft.period, p.scene.plan.Period
	if asked == nil || asked.Open || was == nil || was.From.IsZero() || was.To.IsZero() || p.draft.periodAt >= len(p.draft.pieces) {
		return
	}
	said := p.draft.written(p.draft.periodAt)
	if was.From.Year() != was.To.AddDate(0, 0, -1).Year() {
		return
	}
	if part := lastOf(said); part != "" && p.u.cues["only"] && p.scene.plan.Query.Time.Period.Kind != "previous" && !was.To.After(p.env.Now) {
		said = part
	}
	if p.ix.english.dated(said) {
		return
	}
	part, _, ok := timex.Read(said+" "+was.From.Format("2006"), p.env, timex.Whole)
	if ok && !part.Open && part.From.Year() == was.From.Year() && part.To.AddDate(0, 0, -1).Year() == was.From.Year() {
		p.draft.period = &part
	}
}

// lastOf says the last or the first part of a year by its own name, where only that part is wanted: "only the last quarter" of 1997.
// Empty: the phrase is none.
func lastOf(said string) string {
	switch strings.TrimPrefix(strings.ToLower(said), "the ") {
	case "last quarter", "final quarter":
		return "Q4"
	case "first quarter":
		return "Q1"
	case "last month", "final month":
		return "December"
	case "first month":
		return "January"
	case "last half", "second half":
		return "H2"
	case "first half":
		return "H1"
	}
	return ""
}

// dated says whether a phrase tells its own year, or counts from today.
func (l *lexicon) dated(phrase string) bool {
	return slices.ContainsFunc(l.tokenise(phrase), func(t token) bool {
		_, relative := l.follow[t.norm]
		return t.kind == numberToken && len(t.text) >= 4 || relative && slices.Contains(l.follow[t.norm], "clock")
	})
}

// patchCompare is "compared to last year", "versus 1996": the same numbers beside those of another period.
func patchCompare(p *patch) {
	if !p.u.cues["compare"] {
		return
	}
	asked := p.draft.period
	switch {
	case asked == nil && p.u.before && len(p.numbers) > 0 && p.query.Time != nil:
		p.query.Compare = []frameql.Comparand{{Kind: "previous_period"}}
	case asked == nil || asked.Open || len(p.numbers) == 0:
		p.broken = true
		return
	case asked.Back.Unit == "":
		p.query.Compare = []frameql.Comparand{{Kind: "during", Period: &asked.Asked}}
	default:
		c, ok := p.stepBack(*asked)
		if !ok {
			p.broken = true
			return
		}
		p.query.Compare = []frameql.Comparand{c}
	}
	p.draft.period, p.draft.on = nil, nil
	p.did(PatchCompare)
}

// stepBack gives what lies a distance before the period of the query; without one, before the buckets of its axis. Whole data has
// nothing before it.
func (p *patch) stepBack(asked period) (c frameql.Comparand, ok bool) {
	axis := p.axis()
	if p.query.Time == nil {
		return frameql.Comparand{Kind: "same_period_last", Unit: asked.Back.Unit}, axis != "" && asked.Back.N == 1
	}
	use, bad := frameql.ResolvePeriod(p.query.Time.Period, p.env.Now, p.env.Model)
	if bad != nil {
		return c, false
	}
	main := period{Asked: p.query.Time.Period, From: use.From, To: use.To, Grain: use.Grain, Relative: use.Relative}
	switch c, how := stepBack(stridden{Stride: asked.Back, other: &asked}, main, axis); how {
	case beside:
		return c, true
	case byRow:
		return frameql.Comparand{Kind: "previous", Unit: asked.Back.Unit}, true
	}
	return c, false
}

// spellMonth says "what about March?" with the preposition that makes a month of the word.
func spellMonth(u *utterance) {
	if len(u.tokens) == 0 || len(u.cues) == 0 || timex.Month(u.tokens[0].norm) == 0 || len(u.tokens) > 1 && u.tokens[1].kind != markToken {
		return
	}
	at := u.tokens[len(u.tokens)-1].end + 1
	in := token{start: at, end: at + len("in"), text: "in", norm: "in", lemma: "in", kind: wordToken}
	month := u.tokens[0]
	month.start, month.end = in.end+1, in.end+1+len(month.text)
	u.tokens = []token{in, month}
}

// spellBefore says "the year before" as "the previous year", where something is compared.
func (ix *Index) spellBefore(u *utterance) {
	if !u.cues["compare"] {
		return
	}
	if _, n := ix.english.cueAt(u.tokens, 0, oneOf("before")); n > 0 && ix.ends(u.tokens, n) {
		u.before, u.tokens = true, u.tokens[n:]
		return
	}
	for i := 1; i < len(u.tokens); i++ {
		if !oneOf("before", "earlier", "prior")(u.tokens[i].norm) || !oneOf("year", "quarter", "month", "week", "day")(u.tokens[i-1].norm) {
			continue
		}
		before := u.tokens[i]
		before.text, before.norm, before.lemma = "previous", "previous", "previous"
		before.start, before.end = u.tokens[i-1].start, u.tokens[i-1].start+len(before.text)
		unit := u.tokens[i-1]
		unit.start = before.end + 1
		unit.end = unit.start + len(unit.text)
		tail := slices.Clone(u.tokens[i+1:])
		for k := range tail {
			tail[k].start, tail[k].end = tail[k].start+len(before.text), tail[k].end+len(before.text)
		}
		u.tokens = slices.Concat(u.tokens[:i-1:i-1], []token{before, unit}, tail)
		return
	}
}

// axis gives the calendar unit that the query is split by; empty: none.
func (s *scene) axis() string {
	for _, i := range s.columns {
		if d := s.query.Select[i].Dim; d.Grain != "" {
			return d.Grain
		}
	}
	return ""
}
