package interpret

import (
	"slices"
	"time"

	"assay/backend/frameql"
	"assay/backend/interpret/timex"
	"assay/backend/semantic"
	"assay/backend/text"
)

// numbersInTable says whether words that look like a date are something else in the only table: "week 3" where weeks are a column of numbers,
// "1985-1986" where a cell says so, "October" where no column holds dates.
func (ix *Index) numbersInTable(tokens []token, i, to int) bool {
	if ix.rowPlace() == nil {
		return false
	}
	if i+1 < len(tokens) && tokens[i+1].kind == numberToken && slices.ContainsFunc(ix.names.terms[tokens[i].lemma], func(t target) bool {
		return isNumeric(t) && t.match == exactMatch
	}) {
		return true
	}
	if to-i > 1 && len(ix.values.exact(valueKey(writtenOf(tokens[i:to])))) > 0 {
		return true
	}
	return slices.ContainsFunc(tokens[i:to], func(t token) bool { return isMonth(t.norm) }) && len(ix.temporals()) == 0
}

// isMonth says whether a word is the name of a month.
func isMonth(w string) bool { return timex.Month(w) > 0 && len(w) > 3 && w != "march" }

// temporals gives the dates and times of the only table.
func (ix *Index) temporals() (out []target) {
	e := &ix.model.Entities[0]
	for i := range e.Dimensions {
		if e.Dimensions[i].Type.Temporal() && e.Dimensions[i].Type != semantic.Time {
			out = append(out, target{entity: e, dim: &e.Dimensions[i]})
		}
	}
	return out
}

// inItsYear moves a month that is said without a year into the only year in which the only dates of the only table have it: "in October" of a
// season long past.
func (ix *Index) inItsYear(tokens []token, i int, p *piece, env frameql.Env) *piece {
	if ix.rowPlace() == nil || env.Coverage == nil || !slices.ContainsFunc(tokens[i:p.to], func(t token) bool { return isMonth(t.norm) || t.norm == "may" || t.norm == "march" }) {
		return p
	}
	for _, t := range tokens[i:p.to] {
		if t.kind == numberToken && len(t.norm) == 4 || slices.Contains(relativeWords, t.norm) {
			return p
		}
	}
	dates := ix.temporals()
	if len(dates) != 1 {
		return p
	}
	first, last, ok := env.Coverage(dimensionName(dates[0]))
	if !ok {
		return p
	}
	var found []timex.Period
	for year := first.Year(); year <= last.Year() && year < first.Year()+yearsLookedAt; year++ {
		env.Now = time.Date(year, time.December, 31, 0, 0, 0, 0, time.UTC)
		for _, m := range timex.Find(unquoted(tokens), env, timex.Whole) {
			if m.Start != tokens[i].start || m.End != tokens[p.to-1].end {
				continue
			}
			if (m.From.IsZero() || !m.From.After(last)) && (m.To.IsZero() || m.To.After(first)) {
				found = append(found, m.Period)
			}
		}
	}
	if len(found) != 1 {
		return p
	}
	moved := *p
	moved.period = found[0]
	moved.period.Relative, moved.period.Notes = false, []string{text.Say("interpret.assume_only_year", "phrase", spanned(tokens[i:p.to]), "period", found[0].Words())}
	return &moved
}

// yearsLookedAt bounds the years in which a month is looked for.
const yearsLookedAt = 3

// relativeWords tie a date to the clock, or are a year of their own.
var relativeWords = []string{"last", "this", "next", "past", "ago", "previous", "current", "year", "now", "today"}
