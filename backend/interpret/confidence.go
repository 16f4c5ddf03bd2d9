package interpret

import (
	"math"

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
	if all == 0 {
		return nil, 0
	}
	return unread, 1 - float64(left)/float64(all)
}

// unknownNames gives the unread words that stand in no vocabulary: no numbers and no words of the language.
func (d *draft) unknownNames() []string {
	var out []string
	for i, p := range d.pieces {
		t := d.tokens[p.from]
		if d.unread(i) && (p.kind == textPiece || p.kind == unknownPiece && t.kind == wordToken && !d.ix.functional(t)) {
			out = append(out, d.written(i))
		}
	}
	return out
}

// functional says whether a word belongs to a closed class of the language.
func (ix *Index) functional(t token) bool {
	return len(ix.english.operators[t.norm]) > 0 || ix.english.numbers[t.norm] != ""
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
		method, meaning := u.method, u.target
		if t, ok := picks[i]; ok {
			meaning = t.name()
			if isEntity(t) && u.slot == "metric" {
				if m := d.ix.counter(t.entity); m != nil {
					meaning = m.Name
				}
			}
			if p.edits == 0 && t.match == fuzzyMatch {
				method = "fuzzy"
			}
			if u.slot == "dimension" && t.value != nil {
				meaning = dimensionName(t)
			}
		} else if named, ok := d.namedBy(i, picks); ok {
			meaning = named
		} else if u.slot == "value" {
			meaning = d.valueName(i, picks, meaning)
		}
		start, end := d.tokens[p.from].start, d.tokens[p.to-1].end
		out = append(out, Span{Start: start, End: end, Text: "", Slot: u.slot, Target: meaning, Method: method, Confidence: confidenceOf(method)})
	}
	return out
}

// namedBy gives the dimension that was chosen for the filter that piece i names in words.
func (d *draft) namedBy(i int, picks assignment) (string, bool) {
	for _, f := range d.filters {
		if t, ok := picks[f.piece]; ok && f.named == i && t.dim != nil && d.uses[i].slot == "dimension" {
			return dimensionName(t), true
		}
	}
	return "", false
}

// valueName gives a further value of a filter under the dimension that was chosen for the filter.
func (d *draft) valueName(i int, picks assignment, otherwise string) string {
	for _, f := range d.filters {
		for _, v := range f.values {
			if v.from != d.pieces[i].from {
				continue
			}
			chosen := picks[f.piece]
			for _, n := range v.names {
				if n.dim == chosen.dim && n.entity == chosen.entity {
					return n.name()
				}
			}
		}
	}
	return otherwise
}

// confidence is the calibrated one of the whole query: the product over all slots that were not filled by default, times
// the share of the question that was understood.
func (c candidate) confidence() float64 {
	_, coverage := c.draft.unreadWords()
	p := coverage
	for _, s := range c.spans() {
		if s.Method != "default" {
			p *= s.Confidence
		}
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
	out := &Reading{Query: c.query, Plan: c.plan, Spans: withText(c.spans(), r.Question), Assumptions: append(c.draft.disclosures(c.lead, c.picks), c.notes...), Unread: unread, Confidence: c.confidence(), Ambiguity: ambiguity}
	if p := c.draft.period; p != nil && p.relative {
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
		spans[i].Text = question[spans[i].Start:spans[i].End]
	}
	return spans
}

// repair offers a candidate as a question that works.
func (c candidate) repair(ix *Index) frameql.Repair {
	return frameql.Repair{Label: ix.Phrase(c.query), FrameQL: c.text, Query: c.query}
}
