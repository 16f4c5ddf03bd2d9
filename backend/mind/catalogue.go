package mind

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"assay/backend/semantic"
)

// CatalogueBytes is how long the catalogue of a model may be that every request carries: about 5,000 tokens. Of a longer one the names of entities and
// metrics go along as far as there is room, and each question brings what it may need.
const CatalogueBytes = 20_000

// RelevantBytes is how long the part of a long catalogue may be that a question brings.
const RelevantBytes = 8_000

// described is how much of a description a line has.
const described = 100

// Catalogue is a model in lines that a mind can read: entities with their dimensions and the joins from them, metrics, and gotchas. The same model gives the same bytes.
// whole is false when it was too long, and only names are there.
func Catalogue(m *semantic.Model) (lines string, whole bool) {
	var b strings.Builder
	for i := range m.Entities {
		b.WriteString(entityLines(m, &m.Entities[i]))
	}
	b.WriteString("metrics:\n")
	for i := range m.Metrics {
		b.WriteString(metricLine(&m.Metrics[i]))
	}
	if len(m.Gotchas) > 0 {
		b.WriteString("gotchas:\n")
	}
	for _, g := range m.Gotchas {
		b.WriteString("- " + identifier(g.Name) + " (" + strings.Join(g.AppliesTo, ", ") + "): " + stated(g.Statement) + "\n")
	}
	if b.Len() <= CatalogueBytes {
		return b.String(), true
	}
	return names(m), false
}

// names are those of the entities and the metrics, as far as there is room.
func names(m *semantic.Model) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The model has %d entities and %d metrics. Their details come with the question, and from describe_family.\n", len(m.Entities), len(m.Metrics))
	b.WriteString("entities:")
	for _, e := range m.Entities {
		if b.Len() > CatalogueBytes/2 {
			b.WriteString(" …")
			break
		}
		b.WriteString(" " + identifier(e.Name))
	}
	b.WriteString("\nmetrics:")
	for _, x := range m.Metrics {
		if b.Len() > CatalogueBytes {
			b.WriteString(" …")
			break
		}
		if !x.Hidden {
			b.WriteString(" " + identifier(x.Name))
		}
	}
	b.WriteString("\n")
	return b.String()
}

func entityLines(m *semantic.Model, e *semantic.Entity) string {
	var b strings.Builder
	b.WriteString("entity " + identifier(e.Name))
	if e.Description != "" {
		b.WriteString(": " + stated(e.Description))
	}
	b.WriteString("\n")
	for i := range e.Dimensions {
		d := &e.Dimensions[i]
		b.WriteString("  " + identifier(d.Name) + " " + string(d.Type))
		if d.Unit != "" {
			b.WriteString(" " + line(d.Unit, 16))
		}
		if len(d.Synonyms) > 0 {
			b.WriteString(" also " + encoded(line(strings.Join(d.Synonyms, ", "), 60)))
		}
		b.WriteString("\n")
	}
	for _, h := range e.Hierarchies {
		b.WriteString("  hierarchy " + identifier(h.Name) + ": " + strings.Join(h.Path, " -> ") + "\n")
	}
	for _, j := range m.Joins {
		if j.From == e.Name && j.Cardinality != "many_to_many" {
			b.WriteString("  leads to " + identifier(j.To))
			if j.Role != "" {
				b.WriteString(" as " + identifier(j.Role))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func metricLine(x *semantic.Metric) string {
	if x.Hidden {
		return ""
	}
	parts := []string{string(x.Kind)}
	if x.Entity != "" {
		parts = append(parts, "of "+identifier(x.Entity))
	}
	if x.Reducer != "" {
		parts = append(parts, string(x.Reducer))
	}
	if x.Unit != "" {
		parts = append(parts, line(x.Unit, 16))
	}
	s := "- " + identifier(x.Name) + " (" + strings.Join(parts, ", ") + ")"
	if len(x.Synonyms) > 0 {
		s += " also " + encoded(line(strings.Join(x.Synonyms, ", "), 60))
	}
	if x.Description != "" {
		s += ": " + stated(x.Description)
	}
	return s + "\n"
}

// Relevant is the part of a model that a question may need: what shares most words with it and with what the reader read, with all that leads there. The same question gives the
// same bytes, at most RelevantBytes.
func Relevant(m *semantic.Model, question string, read []string) string {
	asked := wordsOf(question + " " + strings.Join(read, " "))
	type part struct {
		name, lines string
		score       int
	}
	var all []part
	for i := range m.Entities {
		e := &m.Entities[i]
		lines := entityLines(m, e)
		all = append(all, part{e.Name, lines, score(asked, lines)})
	}
	for i := range m.Metrics {
		if lines := metricLine(&m.Metrics[i]); lines != "" {
			all = append(all, part{m.Metrics[i].Name, lines, score(asked, lines)})
		}
	}
	slices.SortStableFunc(all, func(a, b part) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.lines), len(b.lines)), cmp.Compare(a.name, b.name))
	})
	var b strings.Builder
	for _, p := range all {
		if p.score > 0 && b.Len()+len(p.lines) <= RelevantBytes {
			b.WriteString(p.lines)
		}
	}
	return b.String()
}

// score counts the different words of a text that were asked for.
func score(asked map[string]bool, lines string) int {
	n := 0
	for word := range wordsOf(lines) {
		if asked[word] {
			n++
		}
	}
	return n
}

// wordsOf are the words of a text from three letters on, in lower case and without the s of a plural.
func wordsOf(s string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		if w = strings.TrimSuffix(w, "s"); len(w) >= 3 {
			all[w] = true
		}
	}
	return all
}

// stated is what people wrote of a thing, as a string of JSON: whatever it says, it begins no line and no heading of ours.
func stated(s string) string { return encoded(line(s, described)) }

// identifier is a name of a model as a mind sees it: one line, at most 64 runes.
func identifier(s string) string { return line(s, 64) }

// line makes one line of a text of the model: blanks for whatever is no visible letter, and at most so many runes.
func line(s string, runes int) string {
	s = strings.Join(strings.Fields(strings.Map(func(c rune) rune {
		if !unicode.IsGraphic(c) || unicode.IsSpace(c) {
			return ' '
		}
		return c
	}, s)), " ")
	return cut(s, runes)
}
