package interpret

import (
	"math/big"
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// unit is a unit of measure: how many base units of its kind it is.
type unit struct {
	kind, name string
	size       *big.Rat
}

// quantities makes an amount with its unit, behind a comparison, a number in the unit of the data: "longer than 5 minutes" where the data counts
// milliseconds. The unit stays, as that of the data, where it is all that names the column: "more than 10 MB" of bytes. Where no column, or columns in
// several units, are of that kind, nothing changes.
func (ix *Index) quantities(tokens []token) []token {
	for i := 0; i < len(tokens); i++ {
		compares, by := ix.comparesBefore(tokens, i)
		if !compares || tokens[i].kind != numberToken {
			continue
		}
		amounts := []int{i}
		if i+2 < len(tokens) && says(tokens, i+1, "and") && tokens[i+2].kind == numberToken {
			amounts = append(amounts, i+2) // "between 3 and 5 minutes"
		}
		at := amounts[len(amounts)-1] + 1
		if at >= len(tokens) {
			break
		}
		said, ok := ix.english.units[tokens[at].norm]
		if !ok || !by && ix.isName(tokens[at]) {
			continue
		}
		kept, ok := ix.keptIn(said.kind)
		if !ok {
			continue
		}
		converted := slices.Clone(tokens)
		for _, k := range amounts {
			v, ok := digits(tokens[k].norm)
			if !ok {
				return tokens
			}
			t := &converted[k]
			t.norm = decimal(v.Quo(v.Mul(v, said.size), kept.size))
			if said.name != kept.name {
				t.note = text.Say("interpret.assume_quantity", "amount", t.text, "said", tokens[at].text, "value", t.norm, "unit", kept.name)
			}
		}
		tokens = converted
		column := tokens[at]
		column.norm, column.lemma = kept.name, ix.english.singular(kept.name)
		if !by && ix.isName(column) {
			tokens[at] = column
			continue
		}
		tokens[at-1].end, tokens[at-1].text = tokens[at].end, tokens[at-1].text+" "+tokens[at].text
		tokens = slices.Delete(tokens, at, at+1)
	}
	return tokens
}

// comparesBefore says whether a comparison ends right before a token, and whether its words say what is compared: "longer than".
func (ix *Index) comparesBefore(tokens []token, i int) (compares, by bool) {
	for n := 1; n <= ix.english.longest && n <= i; n++ {
		for _, op := range ix.english.phrase(tokens, i-n, n) {
			if op.class == "comparatives" || op.class == "degrees" {
				compares, by = true, by || strings.Contains(op.id, " ") // "gt length/duration"
			}
		}
	}
	return compares, by
}

// isName says whether something of the model is called by a word alone.
func (ix *Index) isName(t token) bool {
	return len(ix.names.terms[t.norm]) > 0 || len(ix.names.terms[t.lemma]) > 0
}

// keptIn gives the one unit that the numbers of the model have in a kind; false for none and for several.
func (ix *Index) keptIn(kind string) (unit, bool) {
	var found *unit
	for i := range ix.model.Entities {
		for j := range ix.model.Entities[i].Dimensions {
			u, ok := ix.unitOf(&ix.model.Entities[i].Dimensions[j])
			if !ok || u.kind != kind {
				continue
			}
			if found != nil && found.name != u.name {
				return unit{}, false
			}
			found = &u
		}
	}
	if found == nil {
		return unit{}, false
	}
	return *found, true
}

// unitOf gives the unit of a number: the declared one, or the one that its name ends in: duration_ms, "Length (cm)", milliseconds.
func (ix *Index) unitOf(d *semantic.Dimension) (unit, bool) {
	if !d.Type.Numeric() {
		return unit{}, false
	}
	for _, said := range []string{d.Unit, d.Name, d.Label} {
		words := strings.FieldsFunc(fold(said), func(r rune) bool { return strings.ContainsRune(" _()[].", r) })
		if len(words) == 0 {
			continue
		}
		if u, ok := ix.english.units[words[len(words)-1]]; ok {
			return u, true
		}
	}
	return unit{}, false
}

// unitFrom reads the id of a line of units.txt: "time 60 minutes".
func unitFrom(id string) unit {
	kind, rest, _ := strings.Cut(id, " ")
	size, name, _ := strings.Cut(rest, " ")
	of, ok := new(big.Rat).SetString(size)
	if !ok {
		panic("lexicon: no size in " + id) // embedded: cannot happen
	}
	return unit{kind, name, of}
}
