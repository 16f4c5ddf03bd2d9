package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// Nouns that a person puts behind the name of a column to say what sort of thing it holds. They add nothing to a column of
// that sort: the snatch score is the snatch, the arrival time the arrival, the phone number the phone.
var (
	tailsOfMeasures = []string{"score", "point", "value", "amount", "size", "level", "number", "figure"}
	tailsOfTimes    = []string{"date", "time", "day"}
	tailsOfNumbers  = []string{"number", "code", "id"}
	tailsOfTexts    = []string{"type", "category", "status"}
)

// numbered words name columns that hold a number or a code, whatever their type.
var numberedNouns = []string{"phone", "telephone", "fax", "mobile", "cell", "cellphone", "account", "card", "room", "zip", "postal", "postcode", "major", "passport", "license"}

// phones are called by their number.
var phones = []string{"phone", "telephone", "fax", "mobile", "cell", "cellphone"}

// addTails files a column under its name with a noun behind it that says of what sort it is.
func (v *vocabulary) addTails(l *lexicon, e *semantic.Entity, d *semantic.Dimension, surfaces []surface) {
	key := slices.Equal(e.Key, []string{d.Name})
	for _, s := range surfaces {
		last := s.words[len(s.words)-1]
		var tails []string
		switch {
		case d.Measure && slices.Contains(tailsOfMeasures, last):
			// an amount that is called one has no other
		case d.Measure && slices.ContainsFunc(l.operators[joinSpaced(s.words)], func(o operator) bool { return o.class == "aggregates" }):
			tails = []string{"score", "point"} // a total amount is a sum of amounts, but a total score is the total
		case d.Measure:
			tails = tailsOfMeasures
		case d.Type.Temporal():
			tails = tailsOfTimes
		case key && slices.Contains(naming, last), slices.Contains(numberedNouns, last):
			tails = tailsOfNumbers
		case isYear(d):
			tails = []string{"year"}
		case d.Type == semantic.Text && e.Display != d.Name:
			tails = tailsOfTexts
		}
		for _, tail := range tails {
			if tail == last {
				continue
			}
			v.add(append(slices.Clone(s.words), tail), target{entity: e, dim: d, match: partialMatch, score: s.score + scoreLoose})
			if n := len(s.words); n > 1 && slices.Contains(phones, last) { // customer_phone: "phone number"
				v.add([]string{last, tail}, target{entity: e, dim: d, match: partialMatch, score: s.score + scoreLoose - scorePartial*float64(n-1)/float64(n)})
			}
		}
	}
}

// addForms files a year or a date that is named by a verb under the other forms of the verb: open_year is the opening year,
// and year_opened too.
func (v *vocabulary) addForms(e *semantic.Entity, d *semantic.Dimension, surfaces []surface) {
	if !d.Type.Temporal() && !isYear(d) {
		return
	}
	for _, s := range surfaces {
		if len(s.words) != 2 {
			continue
		}
		verb, noun := s.words[0], s.words[1]
		if verb == "year" || verb == "date" {
			verb, noun = noun, verb
		}
		if noun != "year" && noun != "date" || verb == "year" || verb == "date" || len(verb) < 4 {
			continue
		}
		base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(verb, "ing"), "ed"), "e")
		for _, form := range []string{base, base + "e", base + "ed", base + "ing"} {
			if form != verb {
				v.add([]string{form, noun}, target{entity: e, dim: d, match: partialMatch, score: s.score + scoreLoose})
			}
		}
	}
}
