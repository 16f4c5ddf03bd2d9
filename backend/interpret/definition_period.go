package interpret

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/interpret/timex"
)

// spanWords stand before the first moment of a period, and say nothing more of it.
var spanWords = regexp.MustCompile(`(?i)^(?:use |take |filter )?(?:(?:a |the )?(?:date )?(?:range|period|interval|time) )?(?:from |between )?`)

// asPeriod reads a definition as a period: two moments as SQL writes them, one on or after which it begins, or a date phrase, which
// is no name of the model. nil when it is none.
func (ix *Index) asPeriod(def definition, env frameql.Env) *definition {
	body := strings.TrimRight(strings.TrimSpace(def.body), ".;")
	if _, number := plainNumber(body); number && !(fourDigits.MatchString(body) && slices.Contains(ix.english.singulars(words(def.term)), "year")) {
		return nil // "the merger year means 1997" is one, and "the target is 2000" is none
	}
	p, ok := sqlSpan(sqlToken.FindAllString(spanWords.ReplaceAllString(body, ""), -1), env)
	if _, _, dated := timex.Read(def.term, env, timex.Whole); !ok && (dated || len(ix.names.terms[join(ix.english.singulars(words(def.term)))]) == 0) {
		p, _, ok = timex.Read(body, env, timex.Whole)
	}
	if !ok {
		return nil
	}
	p.Notes = append(slices.Clone(p.Notes), def.says())
	def.span = &p
	return &def
}

// fourDigits is a number as a year is written.
var fourDigits = regexp.MustCompile(`^(?:19|20)[0-9]{2}$`)

// sqlSpan reads "CURRENT_DATE - INTERVAL '30 days' to CURRENT_DATE": both days are in it, unless the end lies within a day
// or stands behind "<". ">= CURRENT_DATE - INTERVAL '30 days'" is open.
func sqlSpan(tokens []string, env frameql.Env) (period, bool) {
	opens := len(tokens) > 0 && (tokens[0] == ">=" || strings.EqualFold(tokens[0], "since"))
	if opens {
		tokens = tokens[1:]
	}
	from, n := timex.SQLMoment(tokens, env)
	if n == 0 {
		return period{}, false
	}
	tokens = tokens[n:]
	if len(tokens) == 0 && opens {
		return period{From: from.Truncate(24 * time.Hour), Open: true}, true
	}
	if len(tokens) < 2 || !slices.Contains([]string{"to", "and", "until", "through"}, strings.ToLower(tokens[0])) {
		return period{}, false
	}
	below := tokens[1] == "<"
	if below || tokens[1] == "<=" {
		tokens = tokens[1:]
	}
	to, n := timex.SQLMoment(tokens[1:], env)
	if n == 0 || n+1 != len(tokens) || !to.After(from) {
		return period{}, false
	}
	end := to.Truncate(24 * time.Hour)
	if !end.Equal(to) || !below {
		end = end.AddDate(0, 0, 1)
	}
	return spanning(from.Truncate(24*time.Hour), end, "day"), true
}

// definedPeriods puts what memos define in the place of date phrases that are called so. A longer phrase that comes to the same
// days stays: "last week (without the present one)".
func (ix *Index) definedPeriods(tokens []token, found map[int][]*piece) map[int][]*piece {
	for _, def := range ix.defined {
		if def.span == nil {
			continue
		}
		ws := ix.english.singulars(words(def.term))
		for i := range tokens {
			n := len(ws)
			if i+n > len(tokens) || !slices.Equal(lemmasOf(tokens[i:i+n]), ws) {
				continue
			}
			same := func(p *piece) bool {
				return p.to >= i+n && p.period.From.Equal(def.span.From) && p.period.To.Equal(def.span.To)
			}
			for k := range i + 1 { // "the last week" begins before it
				found[k] = slices.DeleteFunc(found[k], func(p *piece) bool { return p.to > i && !same(p) })
			}
			from := i
			if from > 0 && tokens[from-1].norm == "the" {
				from--
			}
			if from == 0 || !oneOf("during", "throughout", "over")(tokens[from-1].norm) {
				from = i + 1
			}
			from--
			found[from] = append(found[from], &piece{kind: periodPiece, to: i + n, period: *def.span, score: 2 * scoreClosed})
		}
	}
	return found
}
