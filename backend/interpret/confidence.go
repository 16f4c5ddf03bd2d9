package interpret

import (
	"math"
	"slices"

	"assay/backend/frameql"
	"assay/backend/text"
)

// unreadWords gives the content words of the question that a draft found no place for, as they were written, and the
// share of content words that it did place.
func (d *draft) unreadWords() (unread []string, coverage float64) {
	all, left := 0, 0
	for i, p := range d.pieces {
		if (p.kind == gluePiece || p.kind == listPiece || p.kind == groupPiece) && !d.unread(i) {
			continue
		}
		all += p.to - p.from
		if d.unread(i) {
			left += p.to - p.from
			unread = append(unread, d.written(i))
		}
	}
	if all == 0 && d.bare != nil {
		return nil, 1 // all that it said are cues: "as a percentage"
	}
	if all == 0 {
		return nil, 0
	}
	return unread, 1 - float64(left)/float64(all)
}

// spans gives what each piece of the question was read as.
func (c candidate) spans() []Span { return c.draft.spans(c.picks) }

func (d *draft) spans(picks assignment) []Span {
	var out []Span
	for i, p := range d.pieces {
		u := d.uses[i]
		if u.slot == "" || u.slot == connects || u.slot == "construct" {
			continue
		}
		method, meaning, words, weight := u.method, u.target, "", 1.0
		if t, ok := picks[i]; ok {
			words, weight = d.ix.meaning(t, u.slot), t.weight()
			meaning = t.name()
			if isEntity(t) && u.slot == "metric" {
				if m := d.ix.counter(t.entity); m != nil {
					meaning = m.Name
				}
			}
			if p.edits == 0 && t.match >= fuzzyMatch {
				method = t.match.method()
			}
			if u.slot == "dimension" && t.value != nil {
				meaning = dimensionName(t)
			}
		} else if t, ok := d.namedBy(i, picks); ok {
			meaning, words, weight = dimensionName(t), d.ix.dimensionLabel(t.entity, t.dim), t.weight()
		} else if u.slot == "value" {
			if t, ok := d.valueOf(i, picks); ok {
				meaning, words, weight = t.name(), d.ix.meaning(t, u.slot), t.weight()
			}
		}
		slot := u.slot
		if p.kind == grainPiece && slot == "dimension" {
			slot = "grain"
		}
		start, end := d.tokens[p.from].start, d.tokens[p.to-1].end
		out = append(out, Span{Start: start, End: end, Text: d.written(i), Slot: slot, Target: meaning, Method: method, Confidence: SlotConfidence(method, weight), meaning: words, piece: i})
	}
	return out
}

// namedBy gives the dimension that was chosen for the filter that piece i names in words.
func (d *draft) namedBy(i int, picks assignment) (target, bool) {
	for _, f := range d.filters {
		if t, ok := picks[f.piece]; ok && f.named == i && t.dim != nil && d.uses[i].slot == "dimension" {
			return t, true
		}
	}
	return target{}, false
}

// valueOf gives a further value of a filter under the dimension that was chosen for the filter.
func (d *draft) valueOf(i int, picks assignment) (target, bool) {
	for _, f := range d.filters {
		for _, v := range f.values {
			if v.from != d.pieces[i].from {
				continue
			}
			chosen := picks[f.piece]
			for _, n := range v.names {
				if n.dim == chosen.dim && n.entity == chosen.entity {
					return n, true
				}
			}
		}
	}
	return target{}, false
}

// confidence is the calibrated one of the whole query: the product over all slots that were not filled by default, times
// the share of the question that was understood.
func (c candidate) confidence() float64 {
	_, coverage := c.draft.unreadWords()
	p := coverage
	var meant []Span
	for _, s := range c.spans() {
		again := slices.ContainsFunc(meant, func(o Span) bool { return o.Target == s.Target && o.Method == s.Method })
		if s.Method != MethodDefault && !(again && related(s.Method)) {
			p *= confidenceOf(s.Method) // how far a model trusts a name is not how likely this reading is
		}
		meant = append(meant, s)
	}
	return p
}

// ambiguity says how near the next different reading is: 0 when none is near, 1 when one is as good.
func (t thought) ambiguity() float64 {
	if len(t.resolved) < 2 {
		return 0
	}
	return math.Max(0, math.Min(1, 1-(t.resolved[0].score-t.resolved[1].score)))
}

// reading makes the public form of a candidate.
func (c candidate) reading(r Request, ambiguity float64) *Reading {
	unread, _ := c.draft.unreadWords()
	out := &Reading{Query: c.query, Plan: c.plan, Spans: withText(c.spans(), r.Question), Assumptions: append(c.draft.disclosures(c.lead, c.picks), c.notes...), Unread: unread, Confidence: c.confidence(), Ambiguity: ambiguity, Unsure: c.unsure(r), Matches: c.matches(), Defined: c.defined, Preferred: c.preferred, Follow: c.follow}
	out.Confirm = confirmations(out.Spans)
	if p := c.draft.period; p != nil && p.Relative {
		key := "interpret.assume_now"
		if r.NowFromData {
			key = "interpret.assume_now_data"
		}
		out.Assumptions = append(out.Assumptions, text.Say(key, "day", iso(r.Env.Now)))
	}
	return out
}

func withText(spans []Span, question string) []Span {
	for i := range spans {
		s := &spans[i]
		if s.Start >= len(question) && s.Text != "" { // a word that the question leaves out
			s.Start, s.End = len(question), len(question)
			continue
		}
		s.End = min(s.End, len(question))
		s.Text = question[s.Start:s.End]
	}
	return spans
}

// repair offers a candidate as a question that works.
func (c candidate) repair(ix *Index) frameql.Repair {
	return frameql.Repair{Label: ix.Phrase(c.query), FrameQL: c.text, Query: c.query}
}
