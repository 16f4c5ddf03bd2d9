package semantic

import (
	"cmp"
	"slices"
	"strings"

	"assay/backend/text"
)

// display gives the dimension that a person calls a member by: a name or a title; empty when there is none.
func (d *draft) display() string {
	if full, ok := d.fullName(); ok {
		return full.Name
	}
	best, score := "", 0
	for _, c := range d.columns {
		if s := d.displayScore(c); s > score {
			best, score = c.name, s
		}
	}
	return best
}

func (d *draft) displayScore(c *draftColumn) int {
	if c.c.Type != Text || c.c.Nested || c.c.AvgLength > 80 || d.t.Rows > 4 && c.c.Distinct*2 < d.t.Rows || c.c.Distinct == 0 {
		return 0
	}
	words := wordsOf(c.c)
	last := words[len(words)-1]
	score := 0
	switch last {
	case "name":
		score = 40
		switch {
		case len(words) == 1, hasSuffix(d.words, words[:len(words)-1]), words[0] == "full", words[0] == "company":
			score = 60
		case words[0] == "first", words[0] == "last", words[0] == "middle", words[0] == "contact", words[0] == "file", words[0] == "nick":
			score = 10
		case words[0] == "model", words[0] == "short":
			score = 30
		}
	case "title", "label", "caption":
		score = 20
		if len(words) == 1 || hasSuffix(d.words, words[:len(words)-1]) {
			score = 50
		}
	case "description":
		score = 15
	default:
		if hasSuffix(d.words, singularWords(words)) && d.t.Unique(c.c) || d.keyed(c) {
			score = 35 // a column "region" in "regions", or "school" beside "school_id" in "universities"
		} else if c.role == RoleText && d.t.Unique(c.c) && d.onlyText(c) {
			score = 12
		}
	}
	if score > 0 && d.t.Unique(c.c) {
		score += 5
	}
	return score
}

func (d *draft) onlyText(c *draftColumn) bool {
	return !slices.ContainsFunc(d.columns, func(o *draftColumn) bool { return o != c && o.c.Type == Text })
}

// fullName gives a computed name for a table that has a first and a last name of a person but no whole one.
func (d *draft) fullName() (Dimension, bool) {
	var first, last *draftColumn
	for _, c := range d.columns {
		words := d.ownWords(c)
		switch {
		case c.c.Type != Text:
		case words == "first name" || words == "given name" || words == "forename":
			first = c
		case words == "last name" || words == "surname" || words == "family name":
			last = c
		case words == "full name" || words == "name" || strings.HasSuffix(words, " full name") || words == d.singular()+" name":
			return Dimension{}, false
		}
	}
	taken := slices.ContainsFunc(d.columns, func(c *draftColumn) bool { return c.name == "full_name" })
	if first == nil || last == nil || taken || d.t.Rows > 4 && last.c.Distinct*4 < d.t.Rows {
		return Dimension{}, false
	}
	return Dimension{
		Name: "full_name", Label: text.Say("semantic.label_full_name"), Type: Text, FromData: true,
		Expr: "concat(" + quoteName(first.name) + ", ' ', " + quoteName(last.name) + ")",
	}, true
}

// ownWords gives the words of a column without those of its table, and short forms of the parts of a person's name written
// out: customer_first_name, f_name and fname are the first name.
func (d *draft) ownWords(c *draftColumn) string {
	words := wordsOf(c.c)
	if n := len(d.words); len(words) > n+1 && slices.Equal(words[:n], d.words) {
		words = words[n:]
	}
	if len(words) == 2 && words[1] == "name" {
		if long, ok := nameParts[words[0]]; ok {
			words = []string{long, "name"}
		}
	}
	return strings.Join(words, " ")
}

// hierarchies proposes chains of texts and years, each of which the finer one determines beyond chance: city, region,
// country. Columns that stand for one another (a code and its label) do not make a level.
func (d *draft) hierarchies() []Hierarchy {
	level := func(name string) *draftColumn {
		c := d.column(name)
		if c == nil || c.role != RoleText && c.role != RoleOrdinal || c.c.AvgLength > 64 || c.c.Distinct < 2 || d.t.Unique(c.c) || piiOf(wordsOf(c.c)) != "" ||
			slices.Contains(wordsOf(c.c), "address") || slices.Contains(wordsOf(c.c), "street") {
			return nil
		}
		return c
	}
	above := map[*draftColumn][]*draftColumn{} // finer -> all coarser
	for _, dep := range d.t.Determines {
		from, to := level(dep.From), level(dep.To)
		if from != nil && to != nil && from.c.groups() > to.c.groups() && d.t.surprise(from.c, to.c) >= surprising {
			above[from] = append(above[from], to)
		}
	}
	var all []Hierarchy
	covered := map[*draftColumn]bool{}
	taken := map[string]bool{}
	columns := slices.Clone(d.columns)
	slices.SortStableFunc(columns, func(a, b *draftColumn) int { return cmp.Compare(b.c.groups(), a.c.groups()) })
	for _, c := range columns {
		if len(above[c]) == 0 || covered[c] || len(all) == maxHierarchies {
			continue
		}
		path := []*draftColumn{c}
		for rest := above[c]; len(rest) > 0; {
			slices.SortStableFunc(rest, func(a, b *draftColumn) int { return cmp.Compare(b.c.groups(), a.c.groups()) })
			next := rest[0]
			path = append(path, next)
			rest = slices.Clone(above[next])
		}
		if places := slices.DeleteFunc(slices.Clone(path), func(c *draftColumn) bool { return !geographic(c) }); len(places) >= 2 {
			path = places
		}
		h := Hierarchy{Name: unique(hierarchyName(path), taken)}
		for _, s := range path {
			covered[s] = true
			h.Path = append(h.Path, s.name)
		}
		all = append(all, h)
	}
	return all
}

const maxHierarchies = 5

func hierarchyName(path []*draftColumn) string {
	if geographic(path[0]) && geographic(path[1]) {
		return "geography"
	}
	return path[0].name + "_to_" + path[len(path)-1].name
}

// geographic knows columns that name places; an address is no level of anything.
func geographic(c *draftColumn) bool {
	return slices.ContainsFunc(wordsOf(c.c), func(w string) bool { return geographyWords[w] })
}

var geographyWords = set("city town county state region province country continent territory district zip postal area")
