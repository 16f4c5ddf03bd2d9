package knowledge

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"assay/backend/fault"
	"assay/backend/text"
)

// Preference is how a person wants answers to look. It is used in that person's answers, and in nobody else's; a person has one of each kind.
type Preference struct {
	ID      string         `json:"id"`
	Author  string         `json:"-"`
	Kind    PreferenceKind `json:"kind" enum:"grain,scale,decimals,chart,length,tone"`
	Value   string         `json:"value" doc:"One of the values of its kind"`
	Quote   string         `json:"quote" doc:"The exact words; empty: it was chosen from a list"`
	Created time.Time      `json:"created"`
	Changed time.Time      `json:"changed"`
}

// PreferenceKind is what of an answer a preference is about.
type PreferenceKind string

// The kinds. None of them changes a number: a scale and decimals are how it is written.
const (
	Grain    PreferenceKind = "grain"    // of a question about a course over time that names none
	Scale    PreferenceKind = "scale"    // in which numbers are written
	Decimals PreferenceKind = "decimals" // digits after the point
	Chart    PreferenceKind = "chart"    // where it fits, and the question asks for no other one
	Length   PreferenceKind = "length"   // of what an answer says in words
	Tone     PreferenceKind = "tone"     // in which it says them
	Currency PreferenceKind = "currency" // read, and never kept: nothing is converted here
)

// PreferenceKinds are those that are kept, in the order in which they are listed.
var PreferenceKinds = []PreferenceKind{Grain, Scale, Decimals, Chart, Length, Tone}

// AsIs is the scale of numbers that are written in full.
const AsIs = "as_is"

// The lengths of what an answer says.
const (
	Brief      = "brief"
	Normal     = "normal"
	FullLength = "full"
)

// The tones in which an answer says it.
const (
	PlainTone = "plain"
	Formal    = "formal"
	Friendly  = "friendly"
)

var preferenceValues = map[PreferenceKind][]string{
	Grain:    {"day", "week", "month", "quarter", "year"},
	Scale:    {AsIs, "thousands", "millions", "billions"},
	Decimals: {"0", "1", "2", "3", "4", "5", "6"},
	Chart:    {"bar", "line", "area", "pie", "stacked", "grouped", "heatmap", "scatter", "table"},
	Length:   {Brief, Normal, FullLength},
	Tone:     {PlainTone, Formal, Friendly},
}

// PreferenceValues are the values of a kind, in their order; nil: no such kind is kept.
func PreferenceValues(kind PreferenceKind) []string { return slices.Clone(preferenceValues[kind]) }

// Check says what of a preference cannot be kept. fault.Invalid: there is no such kind, or it has no such value.
func (p *Preference) Check() error {
	p.Quote = Line(p.Quote)
	if n := []rune(p.Quote); len(n) > MostMeansRunes {
		p.Quote = string(n[:MostMeansRunes])
	}
	values, known := preferenceValues[p.Kind]
	switch {
	case !known:
		return wrongPreference("knowledge.no_preference_kind", "kind", shortWord(string(p.Kind)))
	case !slices.Contains(values, p.Value):
		return wrongPreference("knowledge.no_preference_value", "value", shortWord(p.Value), "what", p.Subject(), "values", strings.Join(values, ", "))
	}
	return nil
}

func shortWord(s string) string {
	s = Line(s)
	if n := []rune(s); len(n) > MostTermRunes {
		return string(n[:MostTermRunes]) + "…"
	}
	return s
}

func wrongPreference(key string, args ...any) error {
	return fault.New(fault.Invalid, "prefer", text.Say(key, args...), text.Say("knowledge.preference_hint"))
}

// Subject is what a preference is about, in words.
func (p Preference) Subject() string {
	if _, known := preferenceValues[p.Kind]; !known {
		return string(p.Kind)
	}
	return text.Say("knowledge.preference_" + string(p.Kind))
}

// Says is what a preference wants of its subject, in words.
func (p Preference) Says() string {
	switch {
	case !slices.Contains(preferenceValues[p.Kind], p.Value):
		return p.Value
	case p.Kind == Decimals && p.Value == "0":
		return text.Say("knowledge.prefers_no_decimals")
	case p.Kind == Decimals:
		n, _ := strconv.ParseInt(p.Value, 10, 64) // it is one of the values
		return text.Count("knowledge.prefers_decimals", n, "n", p.Value)
	}
	return text.Say("knowledge.prefers_" + string(p.Kind) + "_" + p.Value)
}

// longestPreference is how many characters a sentence that says a preference has at most.
const longestPreference = 120

// ReadPreference reads a sentence that says how answers are to look: "show numbers in millions", "always weekly", "no decimals", "use line charts", "keep answers short", "in a formal tone". The whole
// sentence must say that: one with a word that is no part of it says something else. false: it does. The value may be one that Check refuses: "round to nine decimals".
func ReadPreference(words string) (Preference, bool) {
	p := Preference{Quote: Line(words)}
	if utf8.RuneCountInString(p.Quote) > longestPreference {
		return p, false
	}
	s := strings.ToLower(strings.NewReplacer("’", "'", "“", "", "”", "", `"`, "", "-", " ", "€", " euros ", "£", " pounds ", "$", " dollars ").Replace(p.Quote))
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" ,;:.!", r) }), " ")
	s = closing.ReplaceAllString(s, "")
	s, _, _ = strings.Cut(s, " instead of ")
	s, _, _ = strings.Cut(s, " rather than ")
	for {
		for _, w := range preferenceForms {
			m := w.says.FindStringSubmatch(s)
			if m == nil || complaints[s] {
				continue
			}
			p.Kind, p.Value = w.kind, w.value
			if w.value == "" {
				p.Value = cmp.Or(valueWords[m[1]], m[1])
			}
			return p, true
		}
		cut := opening.FindString(s) // "no decimals" begins with no word that could be left out
		if cut == "" {
			return p, false
		}
		s = s[len(cut):]
	}
}

// wish is one way to say a preference. Its value is the word of its first group where it has none of its own.
type wish struct {
	kind  PreferenceKind
	value string
	says  *regexp.Regexp
}

// The pieces that sentences of this kind are made of. What is a question ("show revenue by month") or a definition has none that fits.
const (
	wantIt   = `(?:(?:i|we)(?:'d| would)?(?: always| only)? (?:prefer|like|want|need|love)(?: to)? ?)?`
	doIt     = `(?:(?:see|have|get|use|show|display|give|make|draw|plot|write|print|format|express|present|report|put|keep|let|set|switch|go|read|scale|round|chart|visuali[sz]e|answer|be|return)(?: me| us| it| them)? ?)?`
	aboutAny = `(?:(?:the|my|all|all the|all my|any|every|every one of the)? ?(?:numbers?|figures?|amounts?|values?|money|results?|answers?|data|totals|everything|metrics|sums) ?)?`
	shouldBe = `(?:(?:should|must|are to|is to)(?: always)? be(?: shown| displayed| written| given| printed| rounded)? ?)?`
	shownAs  = `(?:(?:shown|displayed|written|given|expressed|printed|rounded) )?`
	lead     = `^` + wantIt + doIt + aboutAny + shouldBe + shownAs
	grains   = `(daily|weekly|monthly|quarterly|yearly|annual|annually)`
	units    = `(day|week|month|quarter|year)s?`
	buckets  = `(?:aggregat(?:ion|ions|es|ed)|grain|granularity|buckets?|data|views?|trends?|time series|levels?|steps|periods?|basis|groups?|groupings?|breakdowns?|totals|values|numbers|figures|charts?|results?|intervals?|reporting)`
	scales   = `(thousands?|k|millions?|mn|mio|billions?|bn)`
	counts   = `(no|zero|one|two|three|four|five|six|seven|eight|nine|ten|[0-9]{1,6})`
	places   = `(?:decimals?|decimal (?:places?|digits?)|digits? (?:after|behind) the (?:decimal )?point|places after the (?:decimal )?point|fraction digits?)`
	kinds    = `(bars?|columns?|lines?|areas?|pies?|stacked(?: bars?| columns?)?|(?:grouped|clustered)(?: bars?| columns?)?|heat ?maps?|scatter(?: ?plots?)?)`
	pictures = `(?:charts?|graphs?|plots?|diagrams?)`
	prosaic  = `(?:answers?|prose|text|texts|narration|narrations|sentences?|explanations?|wording|summar(?:y|ies)|replies|reply|responses?|things|everything|it|them|words|style)`
	toned    = `(?:(?:as|in|with|a|an|the|more|very|tone|voice|sound|speak|talk|to me|` + prosaic + `) ?)*`
	tones    = `(?: (?:in )?(?:tone|tone of voice|voice|register|style|manner|language|` + prosaic + `))?`
	coins    = `(euros?|eur|(?:us |american )?dollars?|usd|(?:british )?pounds?(?: sterling)?|sterling|gbp|yen|jpy|(?:swiss )?francs?|chf|yuan|renminbi|rmb|cny|rupees?|inr|cad|aud|sek|nok|dkk|pln|czk|brl|mxn)`
)

var (
	opening = regexp.MustCompile(`^(?:no|nope|actually|sorry|please|remember(?: that)?|note(?: that)?|from now on|in (?:the )?future|by default|always|generally|normally|in general|for me|that is wrong|wrong|could you|can you|would you|just) `)
	closing = regexp.MustCompile(`(?: (?:please|always|from now on|by default|for me|thanks|thank you|in future|in the future|in general|everywhere|only))+$`)

	// complaints are words that say by themselves how an answer is, and not how it is to be.
	complaints = map[string]bool{
		"short": true, "brief": true, "terse": true, "detailed": true, "thorough": true, "elaborate": true, "integers": true,
		"formal": true, "professional": true, "informal": true, "casual": true, "friendly": true, "plain": true, "neutral": true, "factual": true, "official": true,
	}

	preferenceForms = []wish{
		wants(Scale, AsIs, `(?:in full|unscaled|un ?abbreviated|as (?:is|they are|they stand|it is)|exact(?:ly)?|without (?:scaling|abbreviations?|units like millions))$`),
		wants(Scale, AsIs, `(?:the )?(?:full|exact|unscaled|unabbreviated|raw) (?:numbers?|figures?|amounts?|values?)$`),
		{Scale, AsIs, regexp.MustCompile(`^(?:do not|don't|never|stop) (?:abbreviat\w*|scal\w*|short\w*)(?: the| my)?(?: numbers| figures| amounts| values)?$`)},
		{Scale, AsIs, regexp.MustCompile(`^(?:(?:do not|don't|never) (?:show|display|write|print|use|give)(?: me)? ` + aboutAny + `(?:in )?|no more |stop using |not in |no )(?:thousands|millions|billions)$`)},
		wants(Scale, "", `(?:in|to|as|by|using) `+scales+`$`),
		{Scale, "", regexp.MustCompile(`^(?:use|i prefer|we prefer|prefer|scale to|units?(?: are|:)?(?: in)?) ` + scales + `$`)},
		{Scale, "", regexp.MustCompile(`^(?:show|display|write|print|give|express|report|present|format|put)(?: me| us)? (?:the |my |all )?(?:[\pL_'&]+ ){1,3}in ` + scales + `$`)},
		{Decimals, "0", regexp.MustCompile(lead + `(?:(?:to|as|in|with|only|the|nearest|a) ?)*(?:whole numbers?|integers?|full units|nearest whole number)(?: only)?$`)},
		{Decimals, "0", regexp.MustCompile(lead + `without (?:any )?` + places + `$`)},
		{Decimals, "0", regexp.MustCompile(`^(?:(?:do not|don't|never) (?:show|display|write|print|use|give)(?: me)? |drop |hide |leave out |skip |omit )(?:the |any )?` + places + `$`)},
		wants(Decimals, "", `(?:(?:to|with|at|using|only|exactly) ?)*`+counts+` `+places+`$`),
		{Chart, "table", regexp.MustCompile(`^(?:` + wantIt + `(?:see|have|get|use|show|display|give|return|put|keep)?(?: me| us| it| them| everything)? ?(?:as|in|with|using|only|just)? ?)(?:a table|tables)(?: over charts| not charts)?$`)},
		{Chart, "table", regexp.MustCompile(`^(?:no|never use|don't use|do not use|don't draw|do not draw|no more|without) ` + pictures + `$`)},
		wants(Chart, "", `(?:(?:as|in|with|using|a|an|the) ?)*`+kinds+` `+pictures+`$`),
		{Chart, "", regexp.MustCompile(`^(?:i prefer|we prefer|prefer|use|draw|show(?: me)?|visuali[sz]e (?:it|them|everything|data) (?:as|with|in)|charts? as|everything as) (bars|columns|lines|areas|pies|stacked bars|grouped bars|heat ?maps|scatter ?plots)$`)},
		wants(Grain, "", `(?:(?:as|in|on|at|with|a|an|the|over time) ?)*`+grains+`(?: `+buckets+`)?(?: over time)?$`),
		{Grain, "", regexp.MustCompile(lead + `(?:(?:group|grouped|aggregate|aggregated|trends?|time series|split|bucket|summari[sz]e|over time)(?: it| them| everything| numbers| data| time)? )?(?:by|per|for each|each|at) (?:the )?` + units + `(?: level| over time)?$`)},
		wants(Grain, "", `(?:(?:as|in|on|at|with|a|an|the) ?)*`+units+` (?:buckets?|grain|granularity|level|aggregations?|groups|steps|intervals?)$`),
		wants(Length, Brief, `(?:(?:as|in|with|a|the|more|`+prosaic+`) ?)*(?:brief|briefly|short|shorter|concise|concisely|terse|succinct|succinctly|to the point|one sentence|a single sentence|fewer words|less detail|less text|less prose)(?: `+prosaic+`)?$`),
		wants(Length, FullLength, `(?:(?:as|in|with|a|the|`+prosaic+`) ?)*(?:(?:in )?(?:more|full|greater) details?|in detail|detailed|more detailed|longer|thorough|elaborate|more words|more text|more prose|more explanation)(?: `+prosaic+`)?$`),
		wants(Length, Normal, `(?:(?:as|in|with|a|the|of|`+prosaic+`) ?)*(?:(?:normal|usual|standard|default|medium) length|(?:the )?(?:normal|usual|standard) (?:answers|prose|narration|sentences|text))(?: `+prosaic+`)?$`),
		wants(Tone, Formal, toned+`(?:formal|formally|professional|professionally|businesslike|official)`+tones+`$`),
		wants(Tone, Friendly, toned+`(?:informal|informally|casual|casually|friendly|relaxed|conversational|chatty|everyday|less formal|less formally)`+tones+`$`),
		wants(Tone, PlainTone, toned+`(?:plain|plainly|neutral|neutrally|matter of fact|factual|sober|(?:normal|usual|standard|default) (?:tone|voice|register))`+tones+`$`),
		{Currency, "", regexp.MustCompile(lead + `(?:convert ?(?:all|everything|it|them|amounts|numbers|prices|values|money)? )?(?:in|to|into|as|using) ` + coins + `$`)},
		{Currency, "", regexp.MustCompile(`^(?:use|i prefer|we prefer|prefer|my currency is|(?:the )?currency(?: is|:)?(?: in)?) ` + coins + `$`)},
		{Currency, "", regexp.MustCompile(`^(?:show|display|write|print|give|express|report|present|convert|put)(?: me| us)? (?:the |my |all )?(?:[\pL_'&]+ ){1,3}(?:in|to|into) ` + coins + `$`)},
	}

	valueWords = wordsOf(map[string]string{
		"day": "day daily", "week": "week weekly", "month": "month monthly", "quarter": "quarter quarterly", "year": "year yearly annual annually",
		"thousands": "thousand thousands k", "millions": "million millions mn mio", "billions": "billion billions bn",
		"0": "no zero", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine", "10": "ten",
		"bar": "bar bars column columns", "line": "line lines", "area": "area areas", "pie": "pie pies",
		"stacked": "stacked stacked_bar stacked_bars stacked_column stacked_columns", "heatmap": "heatmap heatmaps heat_map heat_maps",
		"grouped": "grouped grouped_bar grouped_bars grouped_column grouped_columns clustered clustered_bar clustered_bars clustered_column clustered_columns",
		"scatter": "scatter scatterplot scatterplots scatter_plot scatter_plots",
		"EUR":     "euro euros eur", "USD": "dollar dollars us_dollar us_dollars american_dollar american_dollars usd",
		"GBP": "pound pounds british_pound british_pounds pound_sterling pounds_sterling british_pounds_sterling sterling gbp", "JPY": "yen jpy",
		"CHF": "franc francs swiss_franc swiss_francs chf", "CNY": "yuan renminbi rmb cny", "INR": "rupee rupees inr", "CAD": "cad", "AUD": "aud",
		"SEK": "sek", "NOK": "nok", "DKK": "dkk", "PLN": "pln", "CZK": "czk", "BRL": "brl", "MXN": "mxn",
	})
)

// wants is a form behind what such a sentence begins with.
func wants(kind PreferenceKind, value, behind string) wish {
	return wish{kind, value, regexp.MustCompile(lead + behind)}
}

// wordsOf turns values with the words for them round; an underscore stands for the space in a word.
func wordsOf(values map[string]string) map[string]string {
	all := map[string]string{}
	for value, words := range values {
		for w := range strings.FieldsSeq(words) {
			all[strings.ReplaceAll(w, "_", " ")] = value
		}
	}
	return all
}
