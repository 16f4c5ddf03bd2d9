package semantic

import (
	"slices"
	"strings"
)

// NameMatch says how strongly the names alone suggest that a column refers to a unique column of another table, from 0
// (not at all) to 1 (customer_id and customers.customer_id). From 0.5 on a pair is worth measuring.
func NameMatch(table, column, refTable, refColumn string) float64 {
	noun := referenceNoun(column)
	target := tableNoun(refTable)
	far := expanded(refColumn)
	near := expanded(column)
	if table == refTable && column == refColumn {
		return 0
	}
	if table == refTable {
		// Only words that speak of another row of the same table: a manager, a parent, the next one.
		if slices.ContainsFunc(near, func(w string) bool { return otherRowWords[w] }) && keyName(far, target) {
			return 0.8
		}
		return 0
	}
	if n := len(near); n > 0 && len(noun) == n && strings.HasSuffix(near[n-1], "s") && near[n-1] != Singular(near[n-1]) {
		return 0 // "orders" in customers is how many there are
	}
	if slices.Equal(noun, tableNoun(table)) && !slices.Equal(noun, target) {
		return 0 // branch_id in branches is that table's own key, whatever else is called a branch
	}
	switch {
	case len(noun) > 0 && slices.Equal(noun, target):
		if keyName(far, target) || len(far) == 1 && slices.Equal(near, far) {
			return 1
		}
		return 0.9
	case len(noun) > 0 && slices.Equal(near, far) && !genericNames[strings.Join(near, " ")]:
		if keyName(far, target) || slices.Equal(nameless(far), target) {
			return 0.95
		}
		return 0.55 // both may refer to a third table
	case len(noun) > 0 && (hasSuffix(noun, target) || hasSuffix(target, noun) && !genericNames[strings.Join(noun, " ")]):
		if keyName(far, target) || slices.Equal(referenceNoun(refColumn), noun) {
			return 0.8
		}
		if hasSuffix(noun, target) {
			return 0.5
		}
		return 0.4
	case personReference(near) && personWords[target[len(target)-1]] && keyName(far, target):
		return 0.6
	case len(target) == 1 && keyName(far, target) && len(noun) > 0 && len(noun) <= 2 && stemmed(noun[0], target[0]):
		return 0.5 // ship_via and shippers
	}
	return 0
}

// genericNames say nothing about what is named.
var genericNames = set(`id key code number name type status title date value description label category group year uuid index row no
	rank ranking position round season age level score points weight height month day date time order line seat floor gender sex city state`)

// otherRowWords speak of another row of the same table.
var otherRowWords = set("manager parent supervisor boss reports mentor leader lead predecessor successor previous next original referrer replaces head")

var personWords = set("employee staff person people user member worker faculty")

var personRoleWords = set("manager supervisor boss owner advisor adviser assignee creator author approver head chair leader contact rep")

func personReference(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return personRoleWords[w]
	})
}

// expanded gives the words of a name with abbreviations written out.
func expanded(name string) []string {
	words, _ := ExpandWords(Words(name))
	return words
}

// referenceNoun gives what a column refers to: the words before "id", "code", "number", in the singular. Empty for "id".
func referenceNoun(column string) []string {
	words := expanded(column)
	for len(words) > 0 {
		switch words[len(words)-1] {
		case "id", "ids", "key", "code", "number", "ref", "reference", "uuid", "guid", "pk", "fk":
			words = words[:len(words)-1]
			continue
		}
		break
	}
	return singularWords(words)
}

// tableNoun gives the words of a table's name in the singular, without marks of layers ("raw_", "dim_").
func tableNoun(table string) []string {
	words := expanded(table)
	for len(words) > 1 && layerWords[words[0]] {
		words = words[1:]
	}
	for len(words) > 1 && (words[len(words)-1] == "table" || words[len(words)-1] == "tbl") {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return []string{"row"}
	}
	return singularWords(words)
}

var layerWords = set("raw stg staging dim dimension fact fct tbl table src base ref lkp lookup mart dwh dw v vw view")

func singularWords(words []string) []string {
	out := slices.Clone(words)
	if n := len(out); n > 0 {
		out[n-1] = Singular(out[n-1])
	}
	return out
}

var keyWords = set("id key code number uuid guid sku no name")

// nameless gives what a column names without the word "name" at its end: country for country_name.
func nameless(words []string) []string {
	if n := len(words); n > 1 && words[n-1] == "name" {
		return words[:n-1]
	}
	return words
}

// keyName says whether a column's name may be the key of a table: id, code, or the table's own noun with or without one.
func keyName(words, target []string) bool {
	if len(words) == 1 && keyWords[words[0]] {
		return true
	}
	noun := words
	for len(noun) > 0 && keyWords[noun[len(noun)-1]] && noun[len(noun)-1] != "name" {
		noun = noun[:len(noun)-1]
	}
	noun = singularWords(noun)
	return len(noun) > 0 && (hasSuffix(target, noun) || hasSuffix(noun, target))
}

func hasSuffix(words, suffix []string) bool {
	return len(suffix) > 0 && len(words) >= len(suffix) && slices.Equal(words[len(words)-len(suffix):], suffix)
}

// stemmed knows shipper and ship, seller and sell: one is the beginning of the other, four letters at least.
func stemmed(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a != b && len(a) >= 4 && len(b)-len(a) <= 3 && strings.HasPrefix(b, a)
}

var linePriceWords = set("unit item sale sales selling")

var lineTotalWords = set("total amount revenue sales subtotal value")

// LineTotalCandidates proposes which columns of a table may be a quantity, a price and a discount, and which may be
// their product. A measurement decides.
func LineTotalCandidates(t *TableFacts) []LineTotal {
	var quantities, prices, discounts, totals []*ColumnFacts
	for i := range t.Columns {
		c := &t.Columns[i]
		if !c.Type.Numeric() || c.Distinct == 0 {
			continue
		}
		words := wordsOf(c)
		last := words[len(words)-1]
		low, high, ok := c.bounds()
		switch {
		case slices.Contains(words, "discount"):
			if ok && low >= 0 && high <= 100 {
				discounts = append(discounts, c)
			}
		case last == "quantity" || last == "units" || slices.Equal(words, []string{"units", "sold"}):
			quantities = append(quantities, c)
		case last == "price" && (len(words) == 1 || linePriceWords[words[len(words)-2]]):
			prices = append(prices, c)
		case lineTotalWords[last] || slices.Contains(words, "extended"):
			totals = append(totals, c)
		}
	}
	if len(quantities) != 1 || len(prices) != 1 {
		return nil
	}
	base := LineTotal{Quantity: quantities[0].Column, Price: prices[0].Column}
	if len(discounts) == 1 {
		_, high, _ := discounts[0].bounds()
		base.Discount, base.Percent = discounts[0].Column, high > 1
	}
	candidates := []LineTotal{base}
	for _, c := range totals {
		with := base
		with.Total = c.Column
		candidates = append(candidates, with)
		if with.Discount != "" {
			with.Discount, with.Percent = "", false
			candidates = append(candidates, with)
		}
	}
	return candidates
}
