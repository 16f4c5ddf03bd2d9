package semantic

import (
	"slices"
	"strconv"
	"strings"
)

// ColumnRole is what a column is for, judged by its name, its type and its statistics alone.
type ColumnRole string

// The roles of a column.
const (
	RoleIdentifier ColumnRole = "identifier" // names a thing: a key, a code, a phone number
	RoleText       ColumnRole = "text"       // words
	RoleFlag       ColumnRole = "flag"       // yes or no
	RoleOrdinal    ColumnRole = "ordinal"    // a number that sorts or groups: year, level, floor, rank
	RoleTime       ColumnRole = "time"
	RoleAmount     ColumnRole = "amount" // a number that may be added up: money, quantities
	RoleRate       ColumnRole = "rate"   // a number that may be averaged but not added up: prices, rates, ages
)

// Measure says whether values of the role may be reduced to one number.
func (r ColumnRole) Measure() bool { return r == RoleAmount || r == RoleRate }

// RoleOf judges a column of a table.
func (t *TableFacts) RoleOf(c *ColumnFacts) ColumnRole {
	switch {
	case c.Type.Temporal() || c.Type == Time:
		return RoleTime
	case c.Type == Boolean:
		return RoleFlag
	case c.Nested:
		return RoleText
	case !c.Type.Numeric():
		if identifierName(wordsOf(c)) {
			return RoleIdentifier
		}
		return RoleText
	}
	words := wordsOf(c)
	whole := c.Type == Integer || c.MaxDecimals == 0
	low, high, ranged := c.bounds()
	last := words[len(words)-1]
	switch {
	case countName(words):
		return RoleAmount
	case whole && ranged && countedNumber(c, low, high):
		return RoleAmount
	case numberSign(c.called()), numberWords[last], whole && identifierName(words):
		return RoleIdentifier
	case whole && ranged && !saysHowMuch(words) && (t.namesRow(words, low) || t.numbered(c, low, high) || t.scattered(c, low, high)):
		return RoleIdentifier
	case whole && ranged && flagRange(c, low, high) && !amountWords[last]:
		return RoleFlag
	case whole && ranged && calendarName(last, low, high):
		return RoleOrdinal
	case whole && (personRoleWords[last] || personWords[last]): // "advisor" says who, "advisors" how many
		return RoleOrdinal
	case ordinalWords[last] && !moneyName(words), last == "order" && (len(words) == 1 || words[0] == "sort" || words[0] == "display"):
		return RoleOrdinal
	case slices.ContainsFunc(words, func(w string) bool { return coordinateWords[w] }):
		return RoleOrdinal
	case t.paidPrice(c):
		return RoleAmount
	case rateName(words), ranged && !whole && low >= 0 && high <= 1 && !moneyName(words):
		return RoleRate
	}
	return RoleAmount
}

// leastNumbered is from how many rows on the values alone say that they tell the rows apart.
const leastNumbered = 100

// numbered says whether whole numbers run through the rows as a numbering does: nearly all differ, with few gaps between them.
func (t *TableFacts) numbered(c *ColumnFacts, low, high float64) bool {
	present := float64(t.Rows - c.Nulls)
	return present >= leastNumbered && float64(c.Distinct) >= 0.95*present && high-low < 2*present
}

// leastScattered is the least largest value of numbers that tell rows apart without running through them.
const leastScattered = 1000

// scattered says whether whole numbers tell the rows apart without being a numbering, as those of tickets do that several machines print: most
// differ, none is 0 or less, and they are larger than what is counted by hand. A column for how many there are is called in the plural.
func (t *TableFacts) scattered(c *ColumnFacts, low, high float64) bool {
	present := float64(t.Rows - c.Nulls)
	words := wordsOf(c)
	last := words[len(words)-1]
	return present >= leastNumbered && float64(c.Distinct) >= 0.9*present && low > 0 && high >= leastScattered && countable(last)
}

// namesRow says whether a column is called like one of the things that its table is about: the ticket of tickets_2024 is the number of one.
func (t *TableFacts) namesRow(words []string, low float64) bool {
	if low <= 0 || len(words) != 1 || !countable(words[0]) {
		return false
	}
	return slices.ContainsFunc(expanded(t.called()), func(w string) bool { return Singular(w) == words[0] })
}

// countable says whether a word stands in the singular and has a plural of its own.
func countable(word string) bool { return Singular(word) == word && Plural(word) != word }

// saysHowMuch says whether a name speaks of how much or how many there is. A letter alone, as in n, stands for a number more often than for a thing.
func saysHowMuch(words []string) bool {
	last := words[len(words)-1]
	return len(last) == 1 || moneyName(words) || amountWords[last] || amountWords[Plural(last)] && !thingWords[last] || rateName(words) || extentWords[last]
}

// thingWords are amounts in the plural, and one thing in the singular: "tickets" says how many, "ticket" says which.
var thingWords = set("ticket order student employee invoice visit")

// extentWords say how much there is of something that has no pieces, or how far, how long and how heavy it is.
var extentWords = set(`population attendance enrollment enrolment area size volume capacity duration time distance mass production
		output consumption usage load energy power mileage gdp gnp sum gross net stock inventory supply demand traffic audience
		circulation turnout workforce membership bandwidth storage memory latency runtime delay wait downtime uptime lag land
		water rain rainfall snow snowfall precipitation flow discharge throughput intensity debt equity capital investment
		liability reserve cash fund bid donation fine loan grant deposit withdrawal pledge gift tip allowance stipend quota
		target estimate forecast actual plan variance byte bytes kb mb gb ms km mile meter metre kg gram pound ton tonne litre
		liter gallon kwh mwh watt calorie carbohydrate fat protein sodium sugar span interval period effort progress strength
		thrust displacement horsepower torque range reach impact exposure damage allocation share reading measurement result
		difference change increase decrease growth average count quantity number total value amount`)

// paidWords name tables whose rows are one sale each.
var paidWords = set("sale order transaction purchase booking payment invoice ticket")

// paidPrice says whether a price is what a row was sold for: the only price of a table of sales that has no quantity. Such
// prices add up.
func (t *TableFacts) paidPrice(c *ColumnFacts) bool {
	priced := func(c *ColumnFacts) bool {
		words := wordsOf(c)
		return words[len(words)-1] == "price" && c.Type.Numeric()
	}
	noun := tableNoun(t.called())
	if !priced(c) || len(noun) != 1 || !paidWords[noun[0]] || slices.ContainsFunc(wordsOf(c), func(w string) bool { return w == "unit" || w == "list" }) {
		return false
	}
	return !slices.ContainsFunc(t.Columns, func(o ColumnFacts) bool {
		words := wordsOf(&o)
		counted := slices.ContainsFunc(words, func(w string) bool { return w == "quantity" || w == "units" || w == "shares" || w == "pieces" })
		return counted || o.Column != c.Column && priced(&o)
	})
}

// wordsOf gives the expanded words of a column's name; never empty.
func wordsOf(c *ColumnFacts) []string {
	words, _ := ExpandWords(Words(c.called()))
	if len(words) == 0 {
		words = []string{"value"}
	}
	return words
}

// bounds gives the smallest and largest value of a numeric column.
func (c *ColumnFacts) bounds() (low, high float64, ok bool) {
	low, err := strconv.ParseFloat(c.Min, 64)
	if err != nil {
		return 0, 0, false
	}
	high, err = strconv.ParseFloat(c.Max, 64)
	return low, high, err == nil
}

func flagRange(c *ColumnFacts, low, high float64) bool {
	return low >= 0 && high <= 1 && c.Distinct <= 2 && c.Distinct > 0 && (c.Distinct == 2 || flagName(wordsOf(c)))
}

func flagName(words []string) bool {
	return words[0] == "is" || words[0] == "has" || slices.Contains(words, "flag") || slices.Contains(words, "active") ||
		slices.Contains(words, "deleted") || slices.Contains(words, "discontinued")
}

// set makes a set of the words of a text.
func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// numberSign says whether a heading ends in a sign for "number": "Invoice #", "Kunde Nº".
func numberSign(heading string) bool {
	heading = strings.TrimSpace(withoutBrackets(heading))
	for _, sign := range []string{"#", "№", "Nº", "nº", "N°", "n°"} {
		if strings.HasSuffix(heading, sign) {
			return true
		}
	}
	return false
}

// numberWords at the end of a name say that a number tells which one is meant, whatever its values are.
var numberWords = set("id number code no nr")

// identifierName says whether a name speaks of naming things. "number of seats" counts; "seat number" names.
func identifierName(words []string) bool {
	last := words[len(words)-1]
	switch last {
	case "id", "ids", "key", "code", "uuid", "guid", "zip", "postcode", "postal", "phone", "fax", "telephone", "mobile",
		"ssn", "isbn", "issn", "ean", "upc", "sku", "iban", "bic", "vin", "extension", "pin", "index", "idx", "sequence",
		"identifier", "barcode", "passport", "cik", "duns":
		return true
	case "number", "no", "nr":
		return true
	case "account", "reference", "ref", "serial":
		return true
	}
	return len(words) > 1 && slices.Contains(words[1:], "id") && last != "count"
}

// countedNumber says whether "num" is how many there are and not which one: "citation num" where some rows have 0, which no numbering begins
// with.
func countedNumber(c *ColumnFacts, low, high float64) bool {
	words := Words(c.called())
	return len(words) > 1 && words[len(words)-1] == "num" && low == 0 && high > 1
}

// countName knows "number of seats", "num employees", "count of x", "x count", "quantity": how many there are.
func countName(words []string) bool {
	first, last := words[0], words[len(words)-1]
	switch {
	case len(words) > 1 && (first == "number" || first == "count" || first == "total") && last != "id" && last != "number" && last != "code":
		return words[1] == "of" || first != "total" && last == Plural(last)
	case last == "count" || last == "quantity" || last == "units" || last == "headcount":
		return true
	case first == "total" && last == "number" && len(words) == 2:
		return true
	}
	return false
}

// calendarName knows parts of a date that are kept as numbers.
func calendarName(last string, low, high float64) bool {
	switch last {
	case "year", "founded", "established", "opened", "built", "since", "vintage", "decade":
		return low >= 1000 && high <= 2999 || last == "year" && low >= 0 && high <= 99
	case "quarter", "semester", "trimester":
		return low >= 0 && high <= 4
	case "month":
		return low >= 0 && high <= 12 || low >= 100001 && high <= 299912
	case "week":
		return low >= 0 && high <= 53
	case "day", "weekday":
		return low >= 0 && high <= 366
	case "hour":
		return low >= 0 && high <= 24
	case "minute", "second":
		return low >= 0 && high <= 60
	}
	return false
}

var ordinalWords = set(`level class type status category group tier priority rank ranking position stage version floor gender sex
		grade season round episode chapter track lane line row column seat room gate shelf bin zone section page
		edition generation step phase number node layer series sort seq flag major`)

var coordinateWords = map[string]bool{"latitude": true, "longitude": true, "lat": true, "lon": true, "lng": true, "coordinate": true}

var rateWords = set(`price rate ratio percent percentage average avg mean median minimum maximum min max age rating score gpa temperature
		height width length depth speed density index share margin_percent humidity pressure probability likelihood confidence
		factor multiplier exponent elevation altitude mpg rpm efficiency utilization utilisation yield tenure seniority
		latitude longitude ph voltage frequency threshold limit fraction proportion variance deviation radius diameter angle
		millage cpi inflation reorder`)

// rateName knows numbers whose sum means nothing.
func rateName(words []string) bool {
	last := words[len(words)-1]
	if rateWords[last] || rateWords[words[0]] && !moneyName(words[:1]) {
		return true
	}
	for i, w := range words {
		switch {
		case w == "price" || w == "rate" || w == "percent" || w == "percentage" || w == "average" || w == "rating":
			return last != "amount" && last != "total"
		case w == "per" && i > 0: // cost per unit, miles per gallon
			return true
		case w == "standard" || w == "unit" || w == "list":
			if last == "cost" || last == "price" || last == "fee" {
				return true
			}
		}
	}
	return last == "discount" && len(words) > 1 && words[len(words)-2] == "price"
}

var amountWords = set(`amount total subtotal revenue sales turnover cost costs expense expenses fee fees tax taxes freight budget salary wage
		wages pay bonus commission payment payments price due paid charge charges profit loss income earnings spend spending
		credit debit balance quantity count units goals points wins losses votes hits runs tickets seats students employees
		visits clicks views orders hours minutes days sold`)

var moneyWords = set(`amount price cost costs revenue sales turnover expense expenses fee fees tax taxes freight budget salary wage wages
		bonus commission payment payments due charge charges profit loss income earnings spend spending subtotal balance
		credit debit cogs gmv arr mrr value worth msrp fare rent tuition premium refund discount_amount total`)

// notMoneyWords end names that count or rate money without being money.
var notMoneyWords = set("quantity count units number students employees seats people percent percentage rate ratio score points id name code date")

// totalWords make a "total" one of money.
var totalWords = set("line order invoice sub grand net gross")

// moneyName says whether a name speaks of money.
func moneyName(words []string) bool {
	last := words[len(words)-1]
	if notMoneyWords[last] {
		return false
	}
	for _, w := range words {
		if moneyWords[w] && !(w == "total" || w == "value" || w == "credit" || w == "balance") {
			return true
		}
	}
	return last == "total" && slices.ContainsFunc(words, func(w string) bool {
		return totalWords[w]
	})
}

// NamesMoney says whether a name speaks of money: "line total", "fees", "sales tax".
func NamesMoney(name string) bool {
	words, _ := ExpandWords(Words(name))
	return len(words) > 0 && moneyName(words)
}

// KeyFitness says how well a column may name or group rows, by its name, type and values: 0 for one that cannot (an
// amount, a long text), more for a better one. It breaks ties between columns that are all unique.
func (t *TableFacts) KeyFitness(c *ColumnFacts) int {
	role := t.RoleOf(c)
	words := wordsOf(c)
	last := words[len(words)-1]
	switch {
	case role.Measure(), c.Type == Float, c.Type == Decimal && c.MaxDecimals > 0, c.Type == Time:
		return 0
	case c.Type == Text && c.AvgLength > 64, c.Nested:
		return 0
	}
	fitness := map[ColumnRole]int{RoleIdentifier: 60, RoleText: 30, RoleOrdinal: 20, RoleTime: 15, RoleFlag: 5}[role]
	switch {
	case role == RoleIdentifier && (last == "id" || last == "uuid" || last == "guid" || last == "key"):
		fitness += 30
		if len(words) == 1 || keyName(words, tableNoun(t.called())) {
			fitness += 20 // orders.order_id before orders.customer_id
		}
	case role == RoleIdentifier && (last == "phone" || last == "fax" || last == "telephone" || last == "extension" || last == "postal"):
		fitness -= 45
	case role == RoleText && (last == "name" || last == "title"):
		fitness += 10
	case role == RoleText && c.AvgLength > 32:
		fitness -= 20
	}
	if len(t.Columns) > 0 && &t.Columns[0] == c {
		fitness += 5 // keys stand in front
	}
	return fitness
}

// LeastCovered is the share of different values that must be found on the far side for a reference to be believed. A few
// orphans are a finding about the data, not a reason to deny the reference.
const LeastCovered = 0.95

// SaidToAddUp says whether a name says that what it stands for adds up over rows: an amount, a count, a quantity that came or
// went. A balance or any other number may be a level, of which a sum means nothing.
func SaidToAddUp(name string) bool {
	words, _ := ExpandWords(Words(name))
	return slices.ContainsFunc(words, func(w string) bool {
		return w != "balance" && (amountWords[w] || flowWords[w] || amountWords[Plural(w)])
	})
}
