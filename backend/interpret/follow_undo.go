package interpret

import (
	"assay/backend/text"
)

// readUndo reads "undo", "go back", "go back two steps": the query before the last change, asked again. ok is false for
// a question that asks for something else.
func (ix *Index) readUndo(r Request, tokens []token) (Result, bool) {
	steps := ix.stepsBack(tokens)
	if steps == 0 || len(r.History.Turns) == 0 {
		return Result{}, false
	}
	subjects := r.History.subjects()
	if r.History.Open != nil && r.History.Open.Guess != nil {
		steps-- // the turn that was asked back is what is taken back first
	}
	if steps >= len(subjects) {
		return Result{Refusal: &Declined{Code: "NOTHING_TO_UNDO", Message: text.Say("interpret.nothing_to_undo")}}, true
	}
	to := subjects[steps]
	s, ok := ix.sceneOf(to, r.Env)
	if !ok {
		return Result{Refusal: &Declined{Code: "NOTHING_TO_UNDO", Message: text.Say("interpret.nothing_to_undo")}}, true
	}
	follow := &Follow{Kinds: []PatchKind{PatchUndo}, From: to.Turn, Undone: steps}
	note := text.Say("interpret.undone", "query", ix.Phrase(s.query))
	return Result{Reading: &Reading{Query: s.query, Plan: s.plan, Assumptions: []string{note}, Confidence: 1, Follow: follow}}, true
}

// stepsBack gives how many steps an utterance asks to go back; 0 when it is no request to go back.
func (ix *Index) stepsBack(tokens []token) int {
	u := utterance{tokens: tokens}
	steps := 0
	for i := 0; i < len(u.tokens); {
		t := u.tokens[i]
		id, n := ix.english.cueAt(u.tokens, i, oneOf("undo", "twice*", "thrice*", "interjection"))
		switch {
		case t.kind == markToken || t.norm == "please" || t.norm == "and":
			i++
			continue
		case n == 0 && steps > 0 && (t.norm == "step" || t.norm == "steps" || t.norm == "times"):
			i++
			continue
		case n == 0 && steps > 0 && i+1 < len(u.tokens) && (u.tokens[i+1].norm == "steps" || u.tokens[i+1].norm == "times"):
			if v, k := ix.english.number(u.tokens, i); k == 1 && numeric(v) > 0 {
				steps = numeric(v)
				i += 2
				continue
			}
			return 0
		case n == 0:
			return 0
		case id == "twice*":
			steps *= 2
		case id == "thrice*":
			steps *= 3
		case id == "undo":
			steps++
		}
		i += n
	}
	return steps
}

// readChoice reads the answer to a question back: one of its choices, in its words or by "yes" or "the second one". What
// the person chose is settled for the session.
func (ix *Index) readChoice(r Request) (Result, bool) {
	open := r.History.Open
	if open == nil || len(open.Choices) == 0 {
		return Result{}, false
	}
	chosen := ix.chosen(open.Choices, r.Question, ix.english.tokenise(r.Question))
	if chosen < 0 {
		return Result{}, false
	}
	q, plan, ok := resolved(open.Choices[chosen].Value, r.Env)
	if !ok {
		return Result{}, false
	}
	follow := &Follow{Kinds: []PatchKind{PatchChoice}, Settled: ix.settledBy(open, q.String(), r)}
	if n := len(r.History.Turns); n > 0 {
		follow.From = r.History.Turns[n-1].Turn
	}
	reading := &Reading{Query: q, Plan: plan, Confidence: 1, Follow: follow}
	for _, i := range ix.Corrected(open.Choices[chosen].Question, r.Corrections) { // the choice was read with them
		reading.Defined = append(reading.Defined, r.Corrections[i].Term)
	}
	return Result{Reading: reading}, true
}

// chosen gives the choice that an answer means; -1 when it is no answer but another question.
func (ix *Index) chosen(choices []Choice, answer string, tokens []token) int {
	said := join(words(answer))
	for i, c := range choices {
		for _, way := range []string{c.Label, c.Question, c.Value} {
			if way != "" && join(words(way)) == said {
				return i
			}
		}
	}
	for len(tokens) > 0 && tokens[len(tokens)-1].kind == markToken {
		tokens = tokens[:len(tokens)-1]
	}
	var plain []token
	for _, t := range tokens {
		if t.kind != markToken {
			plain = append(plain, t)
		}
	}
	for i, class := range []string{"agree", "second", "third"} {
		if _, n := ix.english.cueAt(plain, 0, oneOf(class)); n > 0 && n == len(plain) && i < len(choices) {
			return i
		}
	}
	return ix.chosenByWord(choices, plain)
}

// mostOfAnAnswer is how many words an answer may have that names a choice by a part of it: "by customer state".
const mostOfAnAnswer = 5

// chosenByWord gives the one choice that has all words of an answer; -1 when none or several have.
func (ix *Index) chosenByWord(choices []Choice, answer []token) int {
	if len(answer) > mostOfAnAnswer {
		return -1
	}
	chosen, told := -1, false
	for i, c := range choices {
		has := map[string]bool{}
		for _, t := range ix.english.tokenise(c.Label) {
			has[t.lemma] = true
		}
		all := true
		for _, t := range answer {
			if oneOf("the", "a", "by", "of", "per", "for", "one", "ones", "i", "mean", "meant")(t.norm) { // "what was theirs" is no answer
				continue
			}
			told, all = true, all && has[t.lemma]
		}
		switch {
		case !all || !told:
		case chosen >= 0:
			return -1
		default:
			chosen = i
		}
	}
	return chosen
}

// settledBy gives what the choice among several readings has settled: the words that the others read otherwise.
func (ix *Index) settledBy(open *Open, chosen string, r Request) []Settled {
	tokens := ix.english.tokenise(open.Question)
	h := r.History
	h.Open = nil
	t := ix.converse(tokens, h, r.Env)
	var out []Settled
	for _, c := range t.resolved {
		if c.text != chosen {
			continue
		}
		for _, o := range t.resolved {
			if o.text == chosen || len(o.draft.pieces) != len(c.draft.pieces) {
				continue
			}
			for i := range c.draft.pieces {
				mine, ok := c.picks[i]
				theirs, also := o.picks[i]
				if !ok || !also || mine.name() == theirs.name() || c.draft.pieces[i].from != o.draft.pieces[i].from {
					continue
				}
				out = append(out, Settled{Words: fold(c.draft.written(i)), Target: mine.name()})
			}
			if len(out) > 0 {
				return out
			}
		}
	}
	return out
}

// settle marks the words whose meaning the person has chosen before: they are not read again.
func (ix *Index) settle(tokens []token, settled []Settled) []token {
	out := tokens
	for _, s := range settled {
		ws := ix.english.tokenise(s.Words)
		for i := 0; i+len(ws) <= len(tokens) && len(ws) > 0; i++ {
			same := true
			for k, w := range ws {
				same = same && fold(tokens[i+k].text) == fold(w.text)
			}
			if !same {
				continue
			}
			if &out[0] == &tokens[0] {
				out = append([]token{}, tokens...)
			}
			out[i].settled, out[i].settles = s.Target, len(ws)
		}
	}
	return out
}
