package interpret

import (
	"regexp"
	"slices"
	"strings"

	"assay/backend/semantic"
)

// written is a definition as a person wrote it: a term with what it means, in words or as a formula.
type written struct {
	terms []string // the term and what stands in parentheses behind it
	body  string
	loose bool // after a colon: it may be prose
	by    definer
}

// definer says whose a definition is.
type definer int

// taught says whether a term was given its meaning by people who ask, one or all of them: it may then be another name of anything.
func (d definer) taught() bool { return d == byAgreement || d == byCorrection }

const (
	byModel      definer = iota // the memos of the model
	byAgreement                 // what was decided for everybody
	byCorrection                // what the person who asks taught
	bySession                   // the session's memo, or the question itself
)

// mostTermWords bounds the words of a term; more are a sentence that only holds a sign.
const mostTermWords = 6

var (
	defines     = regexp.MustCompile(`(?i)^(?:note that |where |here,? |with |by )?(.{1,60}?)\s+(?:means|refers to|is defined as|are defined as|is calculated as|is computed as|stands for|we mean|is short for)\s+(.+)$`)
	equals      = regexp.MustCompile(`^([^=<>!]{1,80}?)\s*:?=\s*([^=].*)$`)
	colon       = regexp.MustCompile(`^([^:=]{1,60}?):\s+(.+)$`)
	listMark    = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s+`)
	runOn       = regexp.MustCompile(`[a-z0-9%)]( )(?:(?:To|Always|If|When|For|Use|Join) [a-z]|[A-Z]{2,8} ?=)`)
	parenthesis = regexp.MustCompile(`^(.*?)\s*\(([^()]+)\)\s*$`)
	sentenceEnd = regexp.MustCompile(`[.;?!](?:\s+|$)`)
)

// definitionsOf gives what the memos of a model define. What stands under the heading "Refuse" defines nothing.
func definitionsOf(memos []semantic.Memo) []written {
	var out []written
	for _, m := range memos {
		out = append(out, definitionsIn(m.Text)...)
	}
	return out
}

// definitions gives what the memos of the model, a person and a session define, the strongest last.
func (ix *Index) definitions(corrections []Correction, session string) []written {
	out := slices.Clone(ix.written)
	for _, c := range corrections {
		by := byCorrection
		if c.Agreed {
			by = byAgreement
		}
		out = append(out, written{terms: []string{c.Term}, body: c.Means, by: by})
	}
	for _, w := range definitionsIn(session) {
		w.by = bySession
		out = append(out, w)
	}
	return out
}

func definitionsIn(memo string) []written {
	var out []written
	refusing, fenced := false, false
	for line := range strings.Lines(memo) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
			continue
		case strings.HasPrefix(line, "#"):
			refusing = strings.EqualFold(strings.Trim(line, "# "), "refuse")
			continue
		case refusing || fenced || line == "":
			continue
		}
		line = listMark.ReplaceAllString(line, "")
		for _, s := range sentences(line) {
			if w, ok := defined(line[s[0]:s[1]], true); ok {
				out = append(out, w)
			}
		}
	}
	return out
}

// sentences gives the byte ranges of the sentences of a line, without the marks that end them.
func sentences(line string) [][2]int {
	var out [][2]int
	ends := sentenceEnd.FindAllStringIndex(line, -1)
	for _, at := range runOn.FindAllStringSubmatchIndex(line, -1) { // sentences that nothing ends
		ends = append(ends, at[2:4])
	}
	slices.SortFunc(ends, func(a, b []int) int { return a[0] - b[0] })
	from := 0
	for _, at := range ends {
		if at[0] >= from {
			out = append(out, [2]int{from, at[0]})
			from = at[1]
		}
	}
	if from < len(line) {
		out = append(out, [2]int{from, len(line)})
	}
	return out
}

// defined reads one sentence as a definition.
func defined(sentence string, withColon bool) (written, bool) {
	sentence = strings.TrimSpace(sentence)
	for k, form := range []*regexp.Regexp{equals, defines, colon} {
		m := form.FindStringSubmatch(sentence)
		if m == nil || k == 2 && !withColon {
			continue
		}
		terms := []string{m[1]}
		if p := parenthesis.FindStringSubmatch(m[1]); p != nil {
			terms = []string{p[1], p[2]}
		}
		w := written{body: strings.TrimSpace(m[2]), loose: k == 2}
		for _, t := range terms {
			t = strings.Trim(strings.TrimSpace(t), "*_`\"'“” ")
			t = strings.TrimPrefix(strings.TrimPrefix(t, "the "), "The ")
			if n := len(words(t)); n > 0 && n <= mostTermWords {
				w.terms = append(w.terms, t)
			}
		}
		if len(w.terms) > 0 && len(words(w.body)) > 0 {
			return w, true
		}
	}
	return written{}, false
}

// What a question may say about the way to an answer or about its form, and not about the answer: how tables are joined, which they are
// anyway, that values match as a whole, which they do, how numbers are rounded when they are shown, and how dates are written.
var (
	joinTalk  = regexp.MustCompile(`(?i),?\s*(?:based on|by|using|through)\s+(?:doing\s+)?(?:an?\s+)?(?:(?:left|inner|outer|full|right)\s+)*join(?:ing|s)?\b[^.?!;'"0-9<>=]*\btables?\b`)
	roundTalk = regexp.MustCompile(`(?i),?\s*(?:and\s+)?(?:please\s+)?\bround(?:ed|ing)?\s+(?:(?:it|them|(?:the\s+)?(?:answers?|results?|numbers?|values?|averages?|ratios?|percentages?))\s+)?(?:off\s+)?(?:to|with)\s+(?:the\s+nearest\s+(?:integer|whole\s+number|hundredth|tenth|cent)|(?:\d|one|two|three|four)\s+(?:decimals?\s+(?:places?|points?|digits?)|decimals?|digits?))\b`)
	shapeTalk = regexp.MustCompile(`(?i)\s+as an? (?:integer|date|whole number|decimal(?: number)?|float)\b|[.?!]\s*(?:please\s+)?(?:represent|show|return|give|write|express)\s+(?:each|every|the|all)\s+(?:day|week|month|quarter|year)s?\s+as\s+(?:the|a|its|their)\s+(?:first\s+)?(?:date|day)(?:\s+(?:in|of)\s+(?:the|that|each|its)\s+(?:week|month|quarter|year))?\s*[.?!]?\s*$|[.?!]\s*(?:please\s+)?(?:give|return|show|express)\s+(?:me\s+)?the\s+(?:answer|result|number)\s*(?:as an? (?:integer|whole number|decimal(?: number)?|float))\s*[.?!]?\s*$`)
	matchTalk = regexp.MustCompile(`(?i)[.?!]\s*(?:please\s+)?(?:always\s+)?(?:match|filter|compare)\s+(?:all\s+|the\s+)?(?:strings?|names?|texts?|values?)\s+(?:exactly|case[- ]insensitively|(?:using|with|by)\s+(?:an\s+)?exact\s+(?:string\s+)?match(?:ing|es)?)\s*[.?!]?\s*$`)
)

// withoutTalk takes what is said about the way to an answer out of a question.
func withoutTalk(question string) string {
	for _, talk := range []*regexp.Regexp{joinTalk, matchTalk, roundTalk, shapeTalk} {
		for _, at := range talk.FindAllStringIndex(question, -1) {
			question = question[:at[0]] + strings.Repeat(" ", at[1]-at[0]) + question[at[1]:]
		}
	}
	return question
}

// spoken takes the definitions out of a question that says some itself: "... Note that revenue refers to the sum of sale
// price". Their bytes become blanks, so that everything else keeps its place.
func spoken(question string) (string, []written) {
	var out []written
	bytes := []byte(question)
	for i, s := range sentences(question) {
		w, ok := defined(question[s[0]:s[1]], false)
		if i == 0 || !ok {
			continue
		}
		w.by = bySession
		out = append(out, w)
		for k := s[0]; k < min(s[1]+1, len(bytes)); k++ {
			bytes[k] = ' '
		}
	}
	return string(bytes), out
}

// asks says whether a question uses a term of a definition.
func (l *lexicon) asks(tokens []token, w written) string {
	for _, t := range w.terms {
		if holds(tokens, lemmasOf(l.tokenise(t))) || holds(tokens, l.singulars(words(t))) {
			return t
		}
	}
	return ""
}

// latest keeps the last definition of each term.
func latest(all []written) []written {
	var out []written
	for i, w := range all {
		again := slices.ContainsFunc(all[i+1:], func(o written) bool { return strings.EqualFold(o.terms[0], w.terms[0]) })
		if !again {
			out = append(out, w)
		}
	}
	return out
}
