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

// outside gives a refusal for a question that is not read at all: empty, too long, put out of scope by the author's memo,
// a request to write, or small talk. nil: it is a question.
func (ix *Index) outside(tokens []token, env frameql.Env) *Declined {
	if !slices.ContainsFunc(tokens, func(t token) bool { return t.kind != markToken }) {
		return ix.decline("EMPTY_QUESTION", text.Say("interpret.empty"), env)
	}
	if len(tokens) > mostTokens {
		return tooLong()
	}
	for _, line := range ix.memo {
		for _, ws := range line.words {
			if holds(tokens, ws) {
				return &Declined{Code: "OUT_OF_SCOPE", Message: line.reason}
			}
		}
	}
	if ix.writes(tokens) {
		return ix.decline("OUT_OF_SCOPE", text.Say("interpret.write"), env)
	}
	if ix.smallTalk(tokens) {
		return ix.decline("OUT_OF_SCOPE", text.Say("interpret.chat"), env)
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

// writes recognises a request to change data: a verb of writing at the head of the question, or the words of an SQL
// statement anywhere.
func (ix *Index) writes(tokens []token) bool {
	for i, t := range tokens {
		if ix.opening(tokens[:i]) && i < 6 {
			if _, ok := ix.english.scope["write"][t.norm]; ok && t.kind == wordToken {
				return len(ix.names.terms[t.lemma]) == 0
			}
		}
	}
	for phrase := range ix.english.scope["write_anywhere"] {
		if holds(tokens, ix.english.singulars(strings.Fields(phrase))) {
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
	var ws []string
	for _, t := range tokens {
		if t.kind != markToken {
			ws = append(ws, t.norm)
		}
	}
	for i := 0; i < len(ws); {
		n := 0
		for k := min(6, len(ws)-i); k > 0; k-- {
			if _, ok := ix.english.scope["chat"][strings.Join(ws[i:i+k], " ")]; ok {
				n = k
				break
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
		if plan, refusals := frameql.Resolve(q, env); plan != nil && len(refusals) == 0 {
			out = append(out, frameql.Repair{Label: ix.Phrase(q), FrameQL: q.String(), Query: q})
		}
	}
	return out
}
