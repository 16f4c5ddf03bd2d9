package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// weekdayClass stands before the names of the classes of weekdays.txt.
const weekdayClass = "weekday "

// weekdays makes each "on Mondays", "on weekends" of a question one word that stands for a condition on the day of the week, and
// "day of the week" one that rows are split by. Whose time is meant is chosen like any other attribute. A column that is called
// so itself is meant before.
func (ix *Index) weekdays(tokens []token) (*Index, []token) {
	for i := 0; i < len(tokens); i++ {
		from := i
		if says(tokens, i, "on") || says(tokens, i, "during") {
			from++
		}
		class, end := ix.weekdayAt(tokens, from)
		if end == 0 || len(ix.names.terms[join(lemmasOf(tokens[from:end]))]) > 0 {
			continue
		}
		written := spanned(tokens[from:end])
		known := *ix
		known.defined = slices.Clone(ix.defined)
		var stands []target
		for k := range ix.model.Entities {
			e := &ix.model.Entities[k]
			if own := e.Dimension(e.DefaultTime); own == nil || !own.Type.Temporal() {
				continue
			}
			part := e.DefaultTime + ".day_of_week"
			if class == "part" {
				stands = append(stands, target{entity: e, dim: &semantic.Dimension{Name: part, Label: written, Type: semantic.Integer}})
				continue
			}
			def := definition{term: written, metric: &semantic.Metric{Entity: e.Name}, flag: &semantic.Dimension{Name: written, Label: written, Type: semantic.Boolean}}
			def.pred = &frameql.Pred{Op: "in", Dim: e.Name + "." + part}
			for _, day := range strings.Fields(class) {
				def.pred.Vals = append(def.pred.Vals, frameql.Value{Kind: frameql.Number, Text: day})
			}
			def.note = text.Say("interpret.assume_weekdays", "phrase", written, "time", strings.ToLower(labelOf(e.Dimension(e.DefaultTime).Label, e.DefaultTime)))
			known.defined = append(known.defined, def)
			stands = append(stands, target{entity: e, dim: def.flag, score: scoreDefined})
		}
		if len(stands) == 0 {
			continue
		}
		ix = &known
		start := from
		if class != "part" {
			start = i
		}
		word := tokens[start]
		word.end, word.text, word.stands = tokens[end-1].end, written, stands
		tokens = slices.Concat(tokens[:start], []token{word}, tokens[end:])
	}
	return ix, tokens
}

// weekdayAt gives the class of the longest phrase of weekdays.txt at token i, and the token behind it.
func (ix *Index) weekdayAt(tokens []token, i int) (class string, end int) {
	for n := min(4, len(tokens)-i); n > 0; n-- {
		for id := range ix.english.scope {
			if days, ok := strings.CutPrefix(id, weekdayClass); ok && ix.is(id, tokens[i:i+n]) {
				return days, i + n
			}
		}
	}
	return "", 0
}

func lemmasOf(tokens []token) []string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = t.lemma
	}
	return out
}
