package analyst

import (
	"regexp"
	"strings"

	"assay/backend/risk"
	"assay/backend/text"
)

// The overrides that are understood, by the name under which they are stored.
const (
	overrideConfirm = "confirm" // "first": plan, then wait; "never": do not wait
	overrideStakes  = "stakes"  // the words that say for whom, or how soon: "for the board"
)

// override is a manner of working that a person asks for in the words of the question.
type override struct {
	name, value string
	words       *regexp.Regexp
}

func newOverrides() []override {
	return []override{
		{overrideConfirm, "first", phrases(text.Say("analyst.words_confirm_first"))},
		{overrideConfirm, "never", phrases(text.Say("analyst.words_just_do_it"))},
	}
}

// phrases makes an expression that finds any of the phrases of a catalogue entry, which stand between bars, with the
// comma or colon beside them.
func phrases(entry string) *regexp.Regexp {
	var any []string
	for _, phrase := range strings.Split(entry, "|") {
		words := strings.Fields(phrase)
		for i := range words {
			words[i] = regexp.QuoteMeta(words[i])
		}
		any = append(any, strings.Join(words, `\s+`))
	}
	return regexp.MustCompile(`(?i)(?:[,;]\s*)?\b(?:` + strings.Join(any, "|") + `)\b(?:\s*[,;:])?`)
}

// Plain gives what a question asks: the words that say how to work, for whom, or how to draw the answer are blanked. Empty: it says only how to draw the answer before it.
func (a *Analyst) Plain(question string) string {
	rest, _, _ := a.readOverrides(question)
	_, rest = a.charts.Read(rest)
	return rest
}

// readOverrides takes the manner of working, and what is at stake, out of a question. What it read is blanked, so that every
// other word keeps its place; a question that would be nothing else stays whole.
func (a *Analyst) readOverrides(question string) (rest string, found map[string]string, stakes risk.Stakes) {
	found = map[string]string{}
	rest = question
	stakes, mentions := a.stakes.Read(question)
	var words []string
	for _, m := range mentions {
		from, to := len(strings.TrimRight(rest[:m.From], " ,;")), len(rest)-len(strings.TrimLeft(rest[m.To:], " ,;:")) // with the marks beside it
		rest = rest[:from] + strings.Repeat(" ", to-from) + rest[to:]
		words = append(words, m.Text)
	}
	if strings.Trim(rest, " \t\n\r.,;:!?") == "" {
		rest, stakes = question, risk.Stakes{}
	} else if len(words) > 0 {
		found[overrideStakes] = strings.Join(words, ", ")
	}
	for _, o := range a.overrides {
		blanked := o.words.ReplaceAllStringFunc(rest, func(s string) string { return strings.Repeat(" ", len(s)) })
		if blanked == rest || strings.Trim(blanked, " \t\n\r.,;:!?") == "" {
			continue
		}
		rest, found[o.name] = blanked, o.value
	}
	return rest, found, stakes
}
