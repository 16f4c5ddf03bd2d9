// Package whatif reads questions about what would be: it takes them apart into a question about what is, and what is to be other than it was. It is pure, and knows nothing of any data.
package whatif

import (
	"math/big"
	"regexp"
	"strings"
)

// Question is a question about what would be: what is asked of the data, and what is to be other than it was. Its words are those of the question; what they mean is
// read as that of a question of its own.
type Question struct {
	Base   string // the question about what is; empty: the answer before, or the measure alone
	BaseAt int    // where it stands in the question, in bytes
	Change Change
	Rows   string // the words of a condition: of the rows that are left, or of those that move; empty: all rows
	Period string // the words of another period, of Period
	Metric string // the words of what moves, or shall reach the target
	Value  string // exact: the factor, the amount that is added, the target
}

// Change says what is other than it was.
type Change string

// The changes.
const (
	Rows     Change = "rows"     // other rows count
	Period   Change = "period"   // another period counts
	Multiply Change = "multiply" // Value times as much
	Add      Change = "add"      // Value more, in each row
	Reach    Change = "reach"    // what it would have to be for Value
)

// Read reads a question about what would be; false: it is none, or not one of these forms. Whether its parts have a meaning is not looked at.
//
//	what if we exclude Germany from revenue by country
//	revenue by country if only Germany counted
//	show revenue by month as if it were 1996
//	what if revenue grew by 10% in Germany
//	what would revenue by category be if revenue were 500 higher in Beverages
//	what would revenue by category need to be to reach 700,000
func Read(question string) (Question, bool) {
	q := strings.TrimRight(question, " ?!.")
	for _, form := range []func(string) (Question, bool){reaches, asIf, whatIf, wouldBe} {
		if s, ok := form(q); ok {
			s.BaseAt = max(0, strings.Index(question, s.Base))
			return s, true
		}
	}
	return Question{}, false
}

const (
	amountWords = `[$€£]?\s?(\d[\d,.]*)\s?(k|m|mn|bn|thousand|million|billion)?\b(?:\s?(?:usd|eur|gbp|dollars|euros|pounds))?`
	needWords   = `(?:need|needs|have|has|had)\s+to\s+(?:be|become|grow|rise|increase)`
)

var (
	reachForm = regexp.MustCompile(`(?i)^(?:what|how\s+(?:much|high|large|big))\s+(?:would|must|should|does|do|will)\s+(.+?)\s+(?:` + needWords + `|be|grow|rise)(?:\s+(?:at|to))?\s*(?:,|in\s+order)?\s*(?:to|for\s+us\s+to)\s+(?:reach|hit|make|get\s+to|meet|come\s+to)\s+(?:a|an|the|our)?\s*(?:total\s+of\s+|target\s+of\s+|goal\s+of\s+)?` + amountWords + `\s*(?:target|goal|in\s+total)?$`)
	asIfForm  = regexp.MustCompile(`(?i)^(?:show(?:\s+me)?\s+)?(.+?),?\s+as\s+if\s+(?:it|this|that)\s+(?:were|was)\s+(.+)$`)
	whatIf1   = regexp.MustCompile(`(?i)^(?:what\s+if|what\s+happens\s+if|suppose(?:\s+that)?|assume(?:\s+that)?|assuming(?:\s+that)?|imagine(?:\s+that)?)\s+(.+)$`)
	would     = regexp.MustCompile(`(?i)^(?:what|how\s+(?:much|high|large))\s+would\s+(?:be\s+)?(.+?)(?:\s+(?:be|have\s+been|look\s+like|come\s+to))?,?\s+if\s+(.+)$`)
	plainIf   = regexp.MustCompile(`(?i)^(?:show(?:\s+me)?\s+)?(.+?),?\s+(?:if|assuming|supposing)\s+(.+)$`)
	behind    = regexp.MustCompile(`(?i)^(.+?)[,;:]\s*(?:then\s+)?(?:(?:what|how\s+much|how\s+high)\s+(?:would|is|are|will)\s+(?:be\s+)?)?(.+?)(?:\s+be)?$`)

	leftOut  = regexp.MustCompile(`(?i)^(?:(?:we|you|i|one)\s+)?(?:had\s+)?(?:exclude[ds]?|excluding|leave\s+out|left\s+out|drop(?:ped)?|remove[ds]?|ignore[ds]?|take\s+out|took\s+out|take\s+away|without)\s+(.+?)(?:\s+from\s+(.+))?$`)
	isOut    = regexp.MustCompile(`(?i)^(.+?)\s+(?:is|are|was|were|had\s+been)\s+(?:excluded|left\s+out|dropped|removed|ignored|taken\s+out|not\s+there)$`)
	onlyThat = regexp.MustCompile(`(?i)^(?:(?:we|you|i|one)\s+)?(?:only\s+(?:had|have|count(?:ed)?|keep|kept|look(?:ed)?\s+at)\s+(.+)|(?:had|have|count(?:ed)?|keep|kept|look(?:ed)?\s+at)\s+only\s+(.+)|only\s+(.+?)(?:\s+(?:count(?:ed|s)?|(?:is|are|was|were)\s+(?:there|left|counted)))?)$`)
	itWere   = regexp.MustCompile(`(?i)^(?:it|this|that)\s+(?:were|was|had\s+been|is)\s+(.+)$`)

	moves  = regexp.MustCompile(`(?i)^(.+?)\s+(?:(?:is|are|was|were|had\s+been|would\s+be)(?:\s+(up|down))?|(rises?|rose|grows?|grew|increases?|increased|goes\s+up|went\s+up|gains?|gained)|(falls?|fell|drops?|dropped|decreases?|decreased|declines?|declined|shrinks?|shrank|goes\s+down|went\s+down|loses?|lost))\s+(?:by\s+)?` + `[$€£]?\s?(\d[\d,.]*)\s?(%|percent|per\s+cent|k|m|mn|bn|thousand|million|billion)?(?:\s?(?:usd|eur|gbp|dollars|euros|pounds))?(?:\s+(higher|more|larger|bigger|greater|up|lower|less|smaller|fewer|down))?(?:\s+(?:in|for|of|at|from)\s+(.+))?$`)
	times  = regexp.MustCompile(`(?i)^(.+?)\s+(?:(?:is|are|was|were|had)\s+)?(doubles?|doubled|triples?|tripled|halves|halved|twice\s+as\s+(?:high|much|large)|half\s+as\s+(?:high|much|large))(?:\s+(?:in|for|of|at|from)\s+(.+))?$`)
	within = regexp.MustCompile(`(?i)^(.+?)\s+(?:in|for|of|at|from)\s+(.+)$`)
)

// reaches reads what something would have to be for a target.
func reaches(q string) (Question, bool) {
	m := reachForm.FindStringSubmatch(q)
	if m == nil {
		return Question{}, false
	}
	value, ok := amount(m[2], m[3])
	return Question{Base: m[1], Change: Reach, Value: value}, ok
}

// asIf reads a question over another period.
func asIf(q string) (Question, bool) {
	m := asIfForm.FindStringSubmatch(q)
	if m == nil {
		return Question{}, false
	}
	return Question{Base: m[1], Change: Period, Period: m[2]}, true
}

// whatIf reads a change, with the question behind it where there is one.
func whatIf(q string) (Question, bool) {
	m := whatIf1.FindStringSubmatch(q)
	if m == nil {
		return Question{}, false
	}
	if split := behind.FindStringSubmatch(m[1]); split != nil {
		if s, ok := change(split[1]); ok && s.Base == "" {
			s.Base = split[2]
			return s, true
		}
	}
	return change(m[1])
}

// wouldBe reads a question with a change behind it.
func wouldBe(q string) (Question, bool) {
	for _, form := range []*regexp.Regexp{would, plainIf} {
		if m := form.FindStringSubmatch(q); m != nil {
			if s, ok := change(m[2]); ok && s.Base == "" {
				s.Base = m[1]
				return s, true
			}
		}
	}
	return Question{}, false
}

// change reads what is other than it was.
func change(words string) (Question, bool) {
	words = strings.TrimSpace(words)
	if m := leftOut.FindStringSubmatch(words); m != nil {
		return Question{Base: m[2], Change: Rows, Rows: "excluding " + m[1]}, true
	}
	if m := isOut.FindStringSubmatch(words); m != nil {
		return Question{Change: Rows, Rows: "excluding " + m[1]}, true
	}
	if m := onlyThat.FindStringSubmatch(words); m != nil {
		return Question{Change: Rows, Rows: "for " + m[1] + m[2] + m[3]}, true
	}
	if m := itWere.FindStringSubmatch(words); m != nil {
		return Question{Change: Period, Period: m[1]}, true
	}
	if m := times.FindStringSubmatch(words); m != nil {
		factor := map[byte]string{'d': "2", 't': "3", 'h': "0.5"}[strings.ToLower(m[2])[0]]
		if strings.HasPrefix(strings.ToLower(m[2]), "twice") {
			factor = "2"
		}
		return moved(Question{Change: Multiply, Value: factor}, m[1], m[3]), true
	}
	m := moves.FindStringSubmatch(words)
	if m == nil {
		return Question{}, false
	}
	down := m[4] != "" || strings.EqualFold(m[2], "down")
	switch direction := strings.ToLower(m[7]); direction {
	case "":
		if m[2]+m[3]+m[4] == "" {
			return Question{}, false // "revenue was 10" is no change
		}
	case "lower", "less", "smaller", "fewer", "down":
		down = true
	}
	s := Question{Change: Add}
	unit := strings.ToLower(m[6])
	if unit == "%" || strings.HasPrefix(unit, "per") {
		s.Change, unit = Multiply, ""
	}
	value, ok := amount(m[5], unit)
	if !ok {
		return Question{}, false
	}
	if s.Value = value; s.Change == Multiply {
		s.Value = share(value, down)
	} else if down {
		s.Value = "-" + value
	}
	return moved(s, m[1], m[8]), true
}

// moved puts down what moves, and in which rows: "revenue in Germany grew", "revenue grew in Germany".
func moved(s Question, metric, rows string) Question {
	s.Metric = metric
	if rows == "" {
		if m := within.FindStringSubmatch(metric); m != nil {
			s.Metric, rows = m[1], m[2]
		}
	}
	if rows != "" {
		s.Rows = "for " + rows
	}
	return s
}

// scales are what stands behind a number.
var scales = map[string]int64{"": 1, "k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}

// amount reads a number as it is written in English: 1,250.5 and 5 million.
func amount(digits, scale string) (string, bool) {
	n, ok := new(big.Rat).SetString(strings.TrimRight(strings.ReplaceAll(digits, ",", ""), "."))
	by, known := scales[strings.ToLower(strings.TrimSpace(scale))]
	if !ok || !known {
		return "", false
	}
	return exactly(n.Mul(n, new(big.Rat).SetInt64(by))), true
}

// share makes a factor of percent: 10 more is 1.1.
func share(percent string, down bool) string {
	n, _ := new(big.Rat).SetString(percent)
	n.Quo(n, big.NewRat(100, 1))
	if down {
		n.Neg(n)
	}
	return exactly(n.Add(n, big.NewRat(1, 1)))
}

// exactly writes a number with all the places that it has.
func exactly(n *big.Rat) string {
	places, _ := n.FloatPrec()
	return n.FloatString(places)
}
