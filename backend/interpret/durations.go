package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// durationClass stands before the names of the classes of durations.txt.
const durationClass = "duration "

// lasting is the time between two dates of a row, in days, as a question names it in the tokens up to end.
type lasting struct {
	entity   *semantic.Entity
	from, to *semantic.Dimension
	reduce   string
	end      int
}

// durations makes each stretch of a question that names the time between two dates of a row, such as "the average number of days
// between order date and shipped date" or "how long does it take to close a ticket", one word that stands for that number.
func (ix *Index) durations(tokens []token) (*Index, []token) {
	for i := 0; i < len(tokens); i++ {
		d := ix.durationAt(tokens, i)
		if d == nil {
			continue
		}
		from, to := strings.ToLower(labelOf(d.from.Label, d.from.Name)), strings.ToLower(labelOf(d.to.Label, d.to.Name))
		def := definition{term: text.Say("interpret.duration_name", "reduce", text.Say("interpret.duration_"+d.reduce), "from", from, "to", to)}
		def.metric = &semantic.Metric{Name: ix.NameOf(def.term), Label: def.term, Kind: semantic.Derived, Entity: d.entity.Name, Additivity: semantic.Additivity{Default: "none"}}
		def.expr = &frameql.Expr{Reduce: d.reduce, Of: &frameql.Expr{Op: "-", Args: []*frameql.Expr{{Metric: d.entity.Name + "." + d.to.Name}, {Metric: d.entity.Name + "." + d.from.Name}}}}
		def.note = text.Say("interpret.assume_duration", "phrase", spanned(tokens[i:d.end]), "reduce", text.Say("interpret.duration_"+d.reduce), "from", from, "to", to)
		known := *ix
		known.defined = append(slices.Clone(ix.defined), def)
		ix = &known
		word := tokens[i]
		word.end, word.text, word.stands = tokens[d.end-1].end, spanned(tokens[i:d.end]), []target{{metric: def.metric, score: scoreDefined}}
		tokens = slices.Concat(tokens[:i], []token{word}, tokens[d.end:])
	}
	return ix, tokens
}

// spanned gives tokens as they were written, with a space between them.
func spanned(tokens []token) string {
	var out []string
	for _, t := range tokens {
		out = append(out, t.text)
	}
	return joinSpaced(out)
}

// durationAt reads what begins at token i; nil when it is no duration, or when more than one pair of dates may be meant.
func (ix *Index) durationAt(tokens []token, i int) *lasting {
	d := &lasting{}
	at, ok := ix.howLong(tokens, i, d)
	if !ok {
		at, ok = ix.statisticOfTime(tokens, i, d)
	}
	if !ok || at >= len(tokens) {
		return nil
	}
	switch tokens[at].norm {
	case "between", "from":
		return ix.betweenDates(tokens, at+1, d)
	case "to":
		return ix.untilDone(tokens, at+1, d)
	}
	return nil
}

// howLong reads "how long does it take on average" and "how many days pass": without a statistic the mean is meant.
func (ix *Index) howLong(tokens []token, i int, d *lasting) (int, bool) {
	if !says(tokens, i, "how") {
		return 0, false
	}
	at := i + 2
	switch {
	case says(tokens, i+1, "long"):
	case says(tokens, i+1, "many") && says(tokens, i+2, "days"):
		at++
	default:
		return 0, false
	}
	d.reduce = "avg"
	said := false
	for ; at < len(tokens); at++ {
		switch tokens[at].norm {
		case "does", "do", "did", "it", "usually", "typically", "on", "average", "is", "the", ",":
		case "take", "takes", "took", "pass", "passes", "passed", "lie", "elapse", "time":
			said = true
		default:
			return at, said
		}
	}
	return 0, false
}

// statisticOfTime reads "the average number of days", "longest time", "mean delay in days".
func (ix *Index) statisticOfTime(tokens []token, i int, d *lasting) (int, bool) {
	at := i
	for n := 3; n > 0 && d.reduce == ""; n-- {
		if i+n > len(tokens) {
			continue
		}
		for _, o := range ix.english.phrase(tokens, i, n) {
			if o.class == "aggregates" && slices.Contains([]string{"avg", "min", "max", "median"}, o.id) {
				d.reduce, at = o.id, i+n
			}
		}
	}
	switch {
	case d.reduce != "":
	case says(tokens, i, "longest"):
		d.reduce, at = "max", i+1
	case says(tokens, i, "shortest"):
		d.reduce, at = "min", i+1
	default:
		return 0, false
	}
	for at < len(tokens) && (says(tokens, at, "number") || says(tokens, at, "of") || says(tokens, at, "the") || says(tokens, at, "no")) {
		at++
	}
	found := false
	for {
		n, _ := ix.timeWords(tokens, at)
		if n == 0 {
			break
		}
		found = true
		at = ix.afterUnit(tokens, at+n)
	}
	return at, found
}

// timeWords gives how many tokens are a word for time or days, and whether it is days.
func (ix *Index) timeWords(tokens []token, i int) (n int, unit bool) {
	for n := 3; n > 0; n-- {
		if i+n > len(tokens) {
			continue
		}
		if ix.is(durationClass+"unit", tokens[i:i+n]) {
			return n, true
		}
		if ix.is(durationClass+"time", tokens[i:i+n]) {
			return n, false
		}
	}
	return 0, false
}

func says(tokens []token, i int, word string) bool {
	return i < len(tokens) && tokens[i].norm == word && tokens[i].stands == nil
}

// betweenDates reads "order date and shipped date": two dates of one entity.
func (ix *Index) betweenDates(tokens []token, i int, d *lasting) *lasting {
	type pair struct{ from, to target }
	var best []pair
	end, loosest := 0, 0
	for a := 6; a > 0; a-- {
		froms := ix.dateNamed(tokens, i, a)
		mid := i + a
		if len(froms) == 0 || mid >= len(tokens) || !slices.Contains([]string{"and", "to", "until", "till"}, tokens[mid].norm) {
			continue
		}
		for b := 6; b > 0; b-- {
			for _, f := range froms {
				for _, t := range ix.dateNamed(tokens, mid+1, b) {
					if f.entity != t.entity || f.dim == t.dim {
						continue
					}
					if loose := int(f.match) + int(t.match); len(best) == 0 || loose < loosest {
						best, end, loosest = []pair{{f, t}}, mid+1+b, loose
					} else if loose == loosest && mid+1+b == end {
						best = append(best, pair{f, t})
					}
				}
			}
		}
		break
	}
	if len(best) != 1 {
		return nil
	}
	d.entity, d.from, d.to, d.end = best[0].from.entity, best[0].from.dim, best[0].to.dim, end
	if tokens[i-1].norm == "between" && ix.begins(d.to) && !ix.begins(d.from) { // "between the shipped date and the order date"
		d.from, d.to = d.to, d.from
	}
	d.end = ix.afterUnit(tokens, d.end)
	return d
}

// afterUnit passes "in days".
func (ix *Index) afterUnit(tokens []token, i int) int {
	if says(tokens, i, "in") {
		if n, unit := ix.timeWords(tokens, i+1); n > 0 && unit {
			return i + 1 + n
		}
	}
	return i
}

// dateNamed gives the dates that n tokens name, without an article before them.
func (ix *Index) dateNamed(tokens []token, i, n int) []target {
	if i+n > len(tokens) {
		return nil
	}
	name := tokens[i : i+n]
	if n > 1 && slices.Contains([]string{"the", "its", "their", "a", "an"}, name[0].norm) {
		name = name[1:]
	}
	var lemmas []string
	for _, t := range name {
		if t.kind == markToken || t.stands != nil {
			return nil
		}
		lemmas = append(lemmas, t.lemma)
	}
	found := ix.names.terms[join(lemmas)]
	if len(name) == 1 {
		found = append(slices.Clone(found), ix.names.terms[verbStem(name[0].norm)]...)
	}
	var out []target
	for _, t := range found {
		again := slices.ContainsFunc(out, func(o target) bool { return o.dim == t.dim })
		if t.dim != nil && t.value == nil && t.dim.Type.Temporal() && !again {
			out = append(out, t)
		}
	}
	return out
}

// untilDone reads "close a ticket", "ship": the date that the verb names, behind the date on which rows of that entity begin.
func (ix *Index) untilDone(tokens []token, i int, d *lasting) *lasting {
	if i >= len(tokens) || tokens[i].kind != wordToken {
		return nil
	}
	ends, starts := []string{tokens[i].norm}, []string(nil)
	for class, verbs := range ix.english.scope {
		if names, ok := strings.CutPrefix(class, durationClass); ok {
			end, start, verb := strings.Cut(names, " ")
			if _, known := verbs[tokens[i].norm]; known && verb {
				ends, starts = append(ends, end), append(starts, start)
			}
		}
	}
	at := i + 1
	for at < len(tokens) && slices.Contains([]string{"a", "an", "the", "each", "their", "all"}, tokens[at].norm) {
		at++
	}
	named, next := ix.ownerNamed(tokens, at)
	var found []lasting
	for k := range ix.model.Entities {
		e := &ix.model.Entities[k]
		if named != nil && e != named {
			continue
		}
		if from, to := ix.beginAndEnd(e, starts, ends); from != nil {
			found = append(found, lasting{entity: e, from: from, to: to, reduce: d.reduce})
		}
	}
	if len(found) != 1 {
		return nil
	}
	found[0].end = i + 1
	if named != nil {
		found[0].end = next
	}
	found[0].end = ix.afterUnit(tokens, found[0].end)
	return &found[0]
}

// ownerNamed gives the entity that the longest name at token i means, and the token behind it.
func (ix *Index) ownerNamed(tokens []token, i int) (*semantic.Entity, int) {
	for n := min(longestName, len(tokens)-i); n > 0; n-- {
		var lemmas []string
		for _, t := range tokens[i : i+n] {
			lemmas = append(lemmas, t.lemma)
		}
		for _, t := range ix.names.terms[join(lemmas)] {
			if isEntity(t) && t.match != partialMatch {
				return t.entity, i + n
			}
		}
	}
	return nil, i
}

// beginAndEnd gives the one date of an entity that is called like an end, and the one that it is counted from: called like the
// beginning of such an end, else the only one that is called like a beginning, else the entity's own time.
func (ix *Index) beginAndEnd(e *semantic.Entity, starts, ends []string) (from, to *semantic.Dimension) {
	to = ix.onlyDate(e, ends, nil)
	if to == nil {
		return nil, nil
	}
	if from = ix.onlyDate(e, starts, to); from == nil {
		from = ix.onlyDate(e, ix.beginnings(), to)
	}
	if own := e.Dimension(e.DefaultTime); from == nil && own != nil && own != to {
		from = own
	}
	if from == nil {
		return nil, nil
	}
	return from, to
}

func (ix *Index) beginnings() []string {
	var out []string
	for w := range ix.english.scope[durationClass+"begin"] {
		out = append(out, w)
	}
	return out
}

// begins says whether a date is called like a beginning.
func (ix *Index) begins(dim *semantic.Dimension) bool { return calledLike(dim, ix.beginnings()) }

// onlyDate gives the one date of an entity, other than not, whose name has one of the words in it; nil when there is none or more.
func (ix *Index) onlyDate(e *semantic.Entity, ws []string, not *semantic.Dimension) *semantic.Dimension {
	var found *semantic.Dimension
	for k := range e.Dimensions {
		if dim := &e.Dimensions[k]; dim != not && dim.Type.Temporal() && calledLike(dim, ws) {
			if found != nil {
				return nil
			}
			found = dim
		}
	}
	return found
}

// calledLike says whether a name has a form of one of the words in it.
func calledLike(dim *semantic.Dimension, ws []string) bool {
	return slices.ContainsFunc(words(labelOf(dim.Label, dim.Name)), func(part string) bool {
		return slices.ContainsFunc(ws, func(w string) bool { return verbStem(w) == verbStem(part) })
	})
}
