package interpret

import (
	"strconv"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/interpret/timex"
	"assay/backend/text"
)

// period is one reading of a date phrase.
type period = timex.Period

// ReadPeriod reads a text that is one date phrase: "last quarter", "since March", "Q3 1997". It is measured from point to point;
// where a question would take the units whole, an assumption says so. Assumptions say in words what the text left open. ok is
// false when the text holds no date phrase, or anything besides one; problem may then say in a sentence why.
func ReadPeriod(phrase string, env frameql.Env) (p frameql.Period, assumptions []string, problem string, ok bool) {
	exact, problem, ok := timex.Read(phrase, env, timex.Exact)
	if !ok {
		return frameql.Period{}, nil, problem, false
	}
	assumptions = exact.Notes
	if whole, _, also := timex.Read(phrase, env, timex.Whole); also && (!whole.From.Equal(exact.From) || !whole.To.Equal(exact.To)) {
		assumptions = append(assumptions, text.Say("interpret.assume_whole", "from", iso(whole.From), "to", iso(whole.To.AddDate(0, 0, -1))))
	}
	return exact.Asked, assumptions, "", true
}

// periodsAt gives the date phrases of a question by the token that they begin with. A phrase that begins or ends within a
// token is none.
func periodsAt(tokens []token, env frameql.Env) map[int][]*piece {
	starts, ends := map[int]int{}, map[int]int{}
	for i, t := range tokens {
		starts[t.start], ends[t.end] = i, i+1
	}
	out := map[int][]*piece{}
	for _, m := range timex.Find(unquoted(tokens), env, timex.Whole) {
		from, begins := starts[m.Start]
		to, closes := ends[m.End]
		if begins && closes {
			out[from] = append(out[from], &piece{kind: periodPiece, to: to, period: m.Period, score: 2 * scoreClosed})
		}
	}
	return out
}

// unquoted writes the tokens at their places, with a mark for what stands in quotation marks: that is no date.
func unquoted(tokens []token) string {
	if len(tokens) == 0 {
		return ""
	}
	out := []byte(strings.Repeat(" ", tokens[len(tokens)-1].end))
	for _, t := range tokens {
		if t.kind == quotedToken {
			out[t.start] = '"'
			continue
		}
		copy(out[t.start:t.end], t.text)
	}
	return string(out)
}

// numeric gives a plain decimal number, or -1.
func numeric(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// spanning makes a half-open range.
func spanning(from, to time.Time, grain string) period { return timex.Spanning(from, to, grain) }

func iso(t time.Time) string { return timex.ISO(t) }
