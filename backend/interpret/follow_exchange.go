package interpret

import (
	"slices"
	"strings"

	"assay/backend/text"
)

// readExchange reads a question with what was asked back and the answer to that, in one line: "singers of the south? | Did you
// mean the names of all singers from the south? | yes". Behind a yes it asks what was asked back, or the first
// question where that only adds to it ("do you want its id?"); behind another answer it asks the answer.
func (ix *Index) readExchange(r Request) (Result, bool) {
	parts := strings.Split(r.Question, "|")
	n := len(parts)
	if n < 3 || n%2 == 0 || slices.ContainsFunc(parts, func(p string) bool { return len(words(p)) == 0 }) {
		return Result{}, false
	}
	meant, head := "", ix.askedBack(parts[n-2])
	switch {
	case !ix.agrees(parts[n-1], parts[n-2]):
		if !ix.sentence(ix.listen(ix.english.tokenise(parts[n-1]))) {
			return Result{}, false // "the second one"
		}
		meant = blank(r.Question, parts[:n-1], 0, "")
	case head > 0 && !ix.pointsBack(parts[n-2][head:]):
		meant = blank(r.Question, parts[:n-2], head, parts[n-1])
	default: // "do you want its id?"
		meant = blank(r.Question, parts[:n-3], 0, parts[n-2]+"|"+parts[n-1])
	}
	r.Question = meant
	res := ix.Read(r)
	if res.Reading != nil && res.Clarify == nil {
		res.Reading.Assumptions = append(res.Reading.Assumptions, text.Say("interpret.said_as", "question", strings.TrimSpace(meant)))
	}
	return res, true
}

// blank gives a question with all but one part left empty, so that its words stay where they are.
func blank(question string, before []string, head int, behind string) string {
	from := head
	for _, p := range before {
		from += len(p) + 1
	}
	to := len(question)
	if behind != "" {
		to -= len(behind) + 1
	}
	return strings.Repeat(" ", from) + question[from:to] + strings.Repeat(" ", len(question)-to)
}

// askedBack gives the bytes at the head of a question back that only ask: "did you mean ..."; 0 when it begins otherwise.
func (ix *Index) askedBack(part string) int {
	tokens := ix.english.tokenise(part)
	_, n := ix.english.cueAt(tokens, 0, oneOf("asked"))
	if n == 0 || n == len(tokens) {
		return 0
	}
	return tokens[n-1].end
}

// agrees says whether an answer is a yes, and says no more than the question back did.
func (ix *Index) agrees(answer, asked string) bool {
	tokens := slices.DeleteFunc(ix.english.tokenise(answer), func(t token) bool { return t.kind == markToken })
	_, n := ix.english.cueAt(tokens, 0, oneOf("agree"))
	if n == 0 {
		return false
	}
	said := map[string]bool{}
	for _, t := range ix.english.tokenise(asked) {
		said[t.lemma] = true
	}
	return !slices.ContainsFunc(tokens[n:], func(t token) bool {
		return !said[t.lemma] && !slices.ContainsFunc(ix.english.operators[t.norm], func(o operator) bool { return o.class == "stop" || o.class == "listing" })
	})
}

// pointsBack says whether a part speaks of what another one names: "its car id".
func (ix *Index) pointsBack(part string) bool {
	u := ix.listen(ix.english.tokenise(part))
	return len(u.mentions) > 0 || u.among
}
