package interpret

import (
	"cmp"
	"slices"
	"strings"

	"assay/backend/frameql"
)

// Correction is what a person means by a term, or what was agreed that it means.
type Correction struct {
	Term   string // as it is written in questions
	Means  string // in words of the model, as a formula or as a period
	Agreed bool   // for everybody, and not by the person who asks
}

// Corrected gives the places of those corrections that a question asks for, by its own words or by those of another one, in their order.
func (ix *Index) Corrected(question string, all []Correction) []int {
	asked := make([]bool, len(all))
	for words := []string{question}; len(words) > 0; {
		tokens := ix.english.tokenise(words[0])
		words = words[1:]
		for i, c := range all {
			if !asked[i] && ix.english.asks(tokens, written{terms: []string{c.Term}}) != "" {
				asked[i] = true
				words = append(words, c.Means)
			}
		}
	}
	var out []int
	for i, is := range asked {
		if is {
			out = append(out, i)
		}
	}
	return out
}

// Compiled is what a correction says in the terms of the model. One of Formula, Keep, Names and Period says it; a formula may have a period of its own.
type Compiled struct {
	Entity  string          // that it is about; empty: a period, which is about all of them
	Formula *frameql.Expr   // a number
	Keep    []*frameql.Pred // members that a term stands for, by any of these: a value of several columns has one for each
	Names   []string        // metrics, entities or attributes, one of which a term is another name for; sorted
	Period  string          // from one day to another, or its canonical text where it depends on the clock or is open
}

// Compile says what a correction means in the model, beside the others of its person; false: nothing.
func (ix *Index) Compile(c Correction, others []Correction, env frameql.Env) (Compiled, bool) {
	others = slices.DeleteFunc(slices.Clone(others), func(o Correction) bool { return o.Term == c.Term })
	under, refusal := ix.withDefinitions(ix.english.tokenise(c.Term), latest(ix.definitions(append(others, c), "")), env, mostDefinitions)
	if refusal != nil {
		return Compiled{}, false
	}
	var out Compiled
	found := false
	for _, def := range under.defined {
		if !def.by.taught() || def.said != c.Term {
			continue
		}
		found = true
		switch {
		case def.span != nil:
			out.Period = def.span.Asked.String()
			if !def.span.Relative && !def.span.Open && !def.span.From.IsZero() {
				out.Period = iso(def.span.From) + " to " + iso(def.span.To)
			}
		case def.names != nil:
			out.Entity, out.Names = namesOf(def.names)
		case def.flag != nil:
			out.Keep = append(out.Keep, def.pred)
			out.Entity = cmp.Or(out.Entity, def.metric.Entity)
		default:
			out.Formula, out.Entity = def.expr, def.metric.Entity
			if def.during != nil {
				out.Period = def.during.Period.String()
			}
		}
	}
	return out, found
}

// namesOf gives what targets are called in the model, sorted, and the entity of the first of them.
func namesOf(all []target) (entity string, names []string) {
	for _, t := range all {
		of, name := "", ""
		switch {
		case t.metric != nil:
			of, name = t.metric.Entity, t.metric.Name
		case t.dim != nil:
			of, name = t.entity.Name, t.entity.Name+"."+t.dim.Name
		default:
			of, name = t.entity.Name, t.entity.Name
		}
		entity, names = cmp.Or(entity, of), append(names, name)
	}
	slices.Sort(names)
	return entity, slices.Compact(names)
}

// KeyOf is what a term is found by in a question: two that have it in common are one term.
func (ix *Index) KeyOf(term string) string { return join(ix.english.singulars(words(term))) }

// FirstWords are those of which one stands in a question that asks for a term, however it is written: see WordsOf.
func (ix *Index) FirstWords(term string) []string {
	var all []string
	for _, ws := range [][]string{lemmasOf(ix.english.tokenise(term)), ix.english.singulars(words(term))} {
		if len(ws) > 0 && !slices.Contains(all, ws[0]) {
			all = append(all, ws[0])
		}
	}
	return all
}

// WordsOf are the words of a text, as FirstWords writes them.
func (ix *Index) WordsOf(text string) []string {
	all := ix.english.singulars(words(text))
	for _, lemma := range lemmasOf(ix.english.tokenise(text)) {
		all = append(append(all, lemma), strings.Split(lemma, "-")...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// NamesIn gives the metrics, entities and attributes (entity.attribute) of the model that words name: by what they are called, by another name for them, or by their id. Sorted.
func (ix *Index) NamesIn(text string) []string {
	var all []target
	for _, id := range strings.Fields(text) {
		owner, name, _ := cutName(strings.ToLower(strings.Trim(id, `"'.,;:?!()`)))
		if e := ix.entities[owner]; e != nil && e.Dimension(name) != nil {
			all = append(all, target{entity: e, dim: e.Dimension(name)})
		}
	}
	ws := ix.english.singulars(words(text))
	for i := range ws {
		for n := 1; n <= longestName && i+n <= len(ws); n++ {
			for _, t := range ix.names.terms[join(ws[i:i+n])] {
				if t.match == exactMatch && t.value == nil && (t.metric != nil || isEntity(t) || isDimension(t)) {
					all = append(all, t)
				}
			}
		}
	}
	_, names := namesOf(all)
	return names
}

// Speaks gives the metrics, entities and attributes of the model that a correction speaks of, sorted; nothing where it means nothing.
func (c Compiled) Speaks() []string {
	names := slices.Clone(c.Names)
	q := frameql.Query{Where: frameql.AllOf(c.Keep)}
	if c.Formula != nil {
		q.Select = []frameql.Item{{Expr: c.Formula}}
	}
	q.EachName(func(name string) { names = append(names, name) })
	if c.Entity != "" {
		names = append(names, c.Entity)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
