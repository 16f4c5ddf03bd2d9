package chart

import (
	"regexp"
	"slices"
	"strings"

	"assay/backend/text"
)

// The types of chart.
const (
	BigNumber = "big_number"
	Bar       = "bar"
	Stacked   = "stacked" // bars of parts on each other
	Grouped   = "grouped" // bars of parts beside each other
	Line      = "line"
	Area      = "area"
	Scatter   = "scatter"
	Pie       = "pie"
	Histogram = "histogram"
	Heatmap   = "heatmap"
	Box       = "box"
	Table     = "table" // asked for: no chart
	None      = "none"
)

// Asked is the chart that a question wants.
type Asked struct {
	Type  string // empty: it says nothing of a chart
	Named bool   // by its name; else by what is to be seen: a trend, shares, a relation
	Words string // of the question that say so
}

// Reader finds the words about charts in questions. It is safe for concurrent use.
type Reader struct {
	named   []namedType
	implied []impliedType
	quoted  *regexp.Regexp
}

type namedType struct {
	typ   string
	hints []string         // one of these is in every question that names it
	all   []*regexp.Regexp // from the longest way of saying it to the shortest
}

type impliedType struct {
	typ   string
	words *regexp.Regexp
}

// NewReader reads the words from the catalogue.
func NewReader() *Reader {
	r := &Reader{quoted: regexp.MustCompile(`"[^"]*"|“[^”]*”|(?:^|[\s(])'[^']*'`)}
	for _, n := range []struct{ typ, adjectives, alone, bare string }{
		// What says more comes first: a stacked bar chart is no bar chart.
		{Stacked, text.Say("chart.words_stacked"), text.Say("chart.words_stacked_alone"), text.Say("chart.words_stacked_bare")},
		{Grouped, text.Say("chart.words_grouped"), text.Say("chart.words_grouped_alone"), ""},
		{Heatmap, text.Say("chart.words_heatmap"), text.Say("chart.words_heatmap_alone"), text.Say("chart.words_heatmap_bare")},
		{Histogram, text.Say("chart.words_histogram"), text.Say("chart.words_histogram_alone"), ""},
		{Box, text.Say("chart.words_box"), text.Say("chart.words_box_alone"), ""},
		{Scatter, text.Say("chart.words_scatter"), text.Say("chart.words_scatter_alone"), text.Say("chart.words_scatter_bare")},
		{Pie, text.Say("chart.words_pie"), text.Say("chart.words_pie_alone"), text.Say("chart.words_pie_bare")},
		{Area, text.Say("chart.words_area"), "", ""},
		{Line, text.Say("chart.words_line"), text.Say("chart.words_line_alone"), text.Say("chart.words_line_bare")},
		{Bar, text.Say("chart.words_bar"), text.Say("chart.words_bar_alone"), text.Say("chart.words_bar_bare")},
		{BigNumber, "", text.Say("chart.words_big_number_alone"), text.Say("chart.words_big_number_bare")},
		{Table, "", text.Say("chart.words_table_alone"), text.Say("chart.words_table_bare")},
	} {
		r.named = append(r.named, namedType{n.typ, hints(n.adjectives, n.alone, n.bare), expressions(n.adjectives, n.alone, n.bare)})
	}
	for _, n := range []struct{ typ, words string }{
		{Line, text.Say("chart.implies_line")},
		{Scatter, text.Say("chart.implies_scatter")},
		{Pie, text.Say("chart.implies_pie")},
		{Histogram, text.Say("chart.implies_histogram")},
		{Bar, text.Say("chart.implies_bar")},
	} {
		r.implied = append(r.implied, impliedType{n.typ, regexp.MustCompile(`(?i)\b(?:` + either(n.words) + `)\b`)})
	}
	return r
}

// hints are the first words of phrases: looking for them costs little, and most questions have none.
func hints(phrases ...string) []string {
	var all []string
	for _, phrase := range strings.Split(strings.Join(phrases, "|"), "|") {
		if words := strings.Fields(phrase); len(words) > 0 && !slices.Contains(all, words[0]) {
			all = append(all, words[0])
		}
	}
	return all
}

// either makes an expression of phrases between bars; a space stands for any white space or a hyphen.
func either(phrases string) string {
	var all []string
	for _, phrase := range strings.Split(phrases, "|") {
		words := strings.Fields(phrase)
		for i := range words {
			words[i] = regexp.QuoteMeta(words[i])
		}
		all = append(all, strings.Join(words, `[\s-]+`))
	}
	return strings.Join(all, "|")
}

// expressions are the ways to name a type, the wordiest first, so that what belongs to the name is taken with it:
//
//	visualize them as a bar chart            a sentence about the chart alone
//	Show me a pie chart.                     the same
//	as a bar chart, in a pie                 behind the question
//	draw a bar chart of, a pie chart showing before it
//	bar chart, histogram                     wherever else
//
// The adjectives stand before a noun ("bar" chart), what is alone is a name by itself ("histogram"), and what is bare is also
// another word ("pie"): it is a name only behind "as", "in a" or "draw a".
func expressions(adjectives, alone, bare string) []*regexp.Regexp {
	var names []string
	if adjectives != "" {
		names = append(names, `(?:`+either(adjectives)+`)[\s-]*(?:`+either(text.Say("chart.words_noun"))+`)`)
	}
	if alone != "" {
		names = append(names, either(alone))
	}
	group := func(key string) string { return `(?:` + either(text.Say(key)) + `)` }
	verb, show, it, by, about := group("chart.words_verb"), group("chart.words_show"), group("chart.words_it"), group("chart.words_by"), group("chart.words_about")
	style := `(?:` + group("chart.words_style") + `[\s-]+)*`
	name := `(?:` + group("chart.words_article") + `\s+)?` + style + `(?:` + strings.Join(names, "|") + `)`
	const and, please, opens = `(?:(?:^|[,;:]|\s)(?:and|then|please)\s+)?`, `(?:\s+please)?`, `(?:^|[.?!;,:])\s*`
	say := func(parts ...string) *regexp.Regexp { return regexp.MustCompile(`(?i)` + strings.Join(parts, "")) }
	put := `\b(?:` + verb + `|` + show + `)\s+(?:` + it + `\s+)?`
	shows := `(?:\s+to\s+(?:` + verb + `|show)(?:\s+` + it + `)?\b)?`
	all := []*regexp.Regexp{
		say(and, put, by, `\s+`, name, `\b`, shows, please),
		say(opens, `(?:please\s+)?(?:`, show, `|`, verb, `)\s+(?:`, it, `\s+)?`, name, `\b`, please, `\s*[.!?]*\s*$`),
		say(`(?:[,;]\s*)?\b`, by, `\s+`, name, `\b`, shows, please),
		say(`\b(?:`, verb, `\s+(?:me\s+)?)?`, name, `\s+`, about, `\b[:,]?`),
		say(`\b(?:`, verb, `\s+(?:me\s+)?)?`, name, `\b[:,]?`),
	}
	if bare != "" {
		bare = `(?:` + either(bare) + `)\b`
		a := group("chart.words_a") + `\s+` + style
		behind := `(?:` + group("chart.words_as") + `\s+(?:` + a + `)?|` + group("chart.words_bare_by") + `\s+` + a + `)`
		all = append(
			all,
			say(and, put, behind, bare, shows, please),
			say(`(?:[,;]\s*)?\b`, behind, bare, shows, please),
			say(`^\s*`, bare, `\s*[.:;,]\s`),
			say(`(?:^\s*|\b`, verb, `\s+|\b`, show, `\s+)(?:`, a, `)?`, bare, `\s+`, about, `\b[:,]?`),
		)
	}
	return all
}

// Read finds what a question says of its chart. Rest is the question without the words that name a type, which are blanked so
// that every other word keeps its place; what only implies one is a part of the question and stays. Words in quotes are values.
// A question that would be nothing else has an empty rest.
func (r *Reader) Read(question string) (asked Asked, rest string) {
	rest = question
	quotes := r.quoted.FindAllStringIndex(question, -1)
	at := -1
	lower := strings.ToLower(question)
	for _, n := range r.named {
		if !slices.ContainsFunc(n.hints, func(hint string) bool { return strings.Contains(lower, hint) }) {
			continue
		}
		for _, e := range n.all {
			found := e.FindStringIndex(rest)
			if found == nil || slices.ContainsFunc(quotes, func(q []int) bool { return found[0] < q[1] && q[0] < found[1] }) {
				continue
			}
			words := rest[found[0]:found[1]]
			rest = rest[:found[0]] + blanked(words) + rest[found[1]:]
			if at < 0 || found[0] < at { // of two names the first one counts
				asked, at = Asked{Type: n.typ, Named: true, Words: strings.Trim(words, " \t\n,;:.?!")}, found[0]
			}
			break
		}
	}
	if asked.Named && strings.Trim(rest, " \t\n\r.,;:!?") == "" {
		return asked, ""
	}
	if asked.Type != "" {
		return asked, rest
	}
	for _, i := range r.implied {
		if found := i.words.FindStringIndex(question); found != nil {
			return Asked{Type: i.typ, Words: question[found[0]:found[1]]}, rest
		}
	}
	return Asked{}, rest
}

// blanked is as long as the words, and keeps the mark that ended the sentence before them.
func blanked(words string) string {
	out := []byte(strings.Repeat(" ", len(words)))
	if strings.ContainsRune(".?!", rune(words[0])) {
		out[0] = words[0]
	}
	return string(out)
}
