package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Bounds of a question. Longer ones are refused at once, before any work that grows with them.
const (
	mostBytes  = 4000
	mostTokens = 200
)

// memoLine is one line of a memo's refusal scope, ready to be recognised.
type memoLine struct {
	words  [][]string // singular words of each phrase
	reason string
}

func memoLines(m *semantic.Model, l *lexicon) []memoLine {
	var out []memoLine
	for _, memo := range m.Memos {
		for _, line := range memo.RefusalScope {
			ml := memoLine{reason: line.Reason}
			for _, w := range line.Words {
				if ws := l.singulars(words(w)); len(ws) > 0 {
					ml.words = append(ml.words, ws)
				}
			}
			out = append(out, ml)
		}
	}
	return out
}

// outside gives a refusal for what is not read at all: an empty question, one that is too long, or small talk. nil: it is a question.
func (ix *Index) outside(tokens []token) *Declined {
	if !slices.ContainsFunc(tokens, func(t token) bool { return t.kind != markToken }) {
		return &Declined{Code: "EMPTY_QUESTION", Message: text.Say("interpret.empty")}
	}
	if len(tokens) > mostTokens {
		return tooLong()
	}
	if ix.smallTalk(tokens) {
		return &Declined{Code: outOfScope, Message: text.Say("interpret.chat")}
	}
	return nil
}

// beyond gives a refusal for a question that is understood and not answered: the author's memo keeps it out, it asks to change data, or it asks for
// what only a person can say.
func (ix *Index) beyond(tokens []token) *Declined {
	for _, line := range ix.memo {
		for _, ws := range line.words {
			if holds(tokens, ws) {
				return &Declined{Code: outOfScope, Message: line.reason}
			}
		}
	}
	switch {
	case ix.asksPerson(tokens): // "should we drop it" does not say to drop it
		return &Declined{Code: needsPerson, Message: text.Say("interpret.person")}
	case ix.writes(tokens):
		return &Declined{Code: writeRequest, Message: text.Say("interpret.write")}
	}
	return nil
}

func tooLong() *Declined {
	return &Declined{Code: "LIMIT", Message: text.Say("interpret.too_long", "bytes", mostBytes, "words", mostTokens)}
}

// holds says whether the singular words stand in the question, in order and beside each other.
func holds(tokens []token, ws []string) bool {
	var lemmas []string
	for _, t := range tokens {
		if t.kind != markToken {
			lemmas = append(lemmas, strings.Split(t.lemma, "-")...)
		}
	}
	for i := 0; i+len(ws) <= len(lemmas); i++ {
		if slices.Equal(lemmas[i:i+len(ws)], ws) {
			return true
		}
	}
	return false
}

// writes recognises a request to change data: a verb of writing at the head of the question, a phrase of it there, or the words of an SQL statement
// anywhere. "Create a report" asks for an answer.
func (ix *Index) writes(tokens []token) bool {
	for i, t := range tokens {
		if i == furthestHead || !ix.opening(tokens[:i]) {
			break
		}
		if ix.starts(tokens[i:], "write_not") {
			return false
		}
		if ix.starts(tokens[i:], "write") && t.kind == wordToken {
			return len(ix.names.terms[t.lemma]) == 0
		}
	}
	return ix.says(tokens, "write_anywhere")
}

// asksPerson recognises a question for an opinion, a decision or advice. Words that name something in the model ask for that.
func (ix *Index) asksPerson(tokens []token) bool {
	for i := range tokens {
		for n := 1; n <= mostPhrase && i+n <= len(tokens); n++ {
			phrase, rest := tokens[i:i+n], tokens[i+n:]
			named := slices.ContainsFunc(phrase, func(t token) bool { return len(ix.names.terms[t.lemma]) > 0 })
			if !named && (ix.is("person", phrase) || ix.is("person_way", phrase) && ix.starts(rest, "person_act")) {
				return true
			}
		}
	}
	return false
}

const (
	furthestHead = 6 // tokens that may stand before the verb of a request
	mostPhrase   = 6 // words of a phrase of scope.txt
)

// is says whether the tokens are a phrase of a scope class.
func (ix *Index) is(class string, tokens []token) bool {
	parts := make([]string, len(tokens))
	for i, t := range tokens {
		parts[i] = t.norm
	}
	_, ok := ix.english.scope[class][strings.Join(parts, " ")]
	return ok
}

// starts says whether a phrase of a scope class stands at the head of the tokens.
func (ix *Index) starts(tokens []token, class string) bool {
	for n := 1; n <= mostPhrase && n <= len(tokens); n++ {
		if ix.is(class, tokens[:n]) {
			return true
		}
	}
	return false
}

// says tells whether a phrase of a scope class stands anywhere.
func (ix *Index) says(tokens []token, class string) bool {
	for i := range tokens {
		if ix.starts(tokens[i:], class) {
			return true
		}
	}
	return false
}

// opening says whether tokens are only polite words and marks.
func (ix *Index) opening(tokens []token) bool {
	for _, t := range tokens {
		if t.kind == markToken {
			continue
		}
		stop := slices.ContainsFunc(ix.english.operators[t.norm], func(o operator) bool { return o.class == "stop" })
		if !stop {
			return false
		}
	}
	return true
}

// smallTalk recognises a question that is nothing but a greeting or its like.
func (ix *Index) smallTalk(tokens []token) bool {
	words := slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return t.kind == markToken })
	for i := 0; i < len(words); {
		n := 0
		for k := min(mostPhrase, len(words)-i); k > 0 && n == 0; k-- {
			if ix.is("chat", words[i:i+k]) {
				n = k
			}
		}
		if n == 0 {
			return false
		}
		i += n
	}
	return true
}

// decline refuses with questions that work.
func (ix *Index) decline(code, message string, env frameql.Env) *Declined {
	return &Declined{Code: code, Message: message, Repairs: ix.starters(env, nil)}
}

// starters gives up to three questions that work: the most prominent metrics, in the period that was asked for.
func (ix *Index) starters(env frameql.Env, during *frameql.During) []frameql.Repair {
	var out []frameql.Repair
	for _, m := range ix.prominence() {
		if len(out) == 3 {
			break
		}
		q := &frameql.Query{V: 1, Select: []frameql.Item{{Expr: &frameql.Expr{Metric: m.Name}}}, Time: during}
		if frameql.Try(q, env) != nil {
			out = append(out, frameql.Repair{Label: ix.Phrase(q), FrameQL: q.String(), Query: q})
		}
	}
	return out
}
