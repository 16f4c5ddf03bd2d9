package semantic

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// spellings writes the words of a heading in the ways that people and programs write headings.
func spellings(words ...string) []string {
	var camel, pascal strings.Builder
	for i, w := range words {
		title := strings.ToUpper(w[:1]) + w[1:]
		pascal.WriteString(title)
		if i == 0 {
			title = w
		}
		camel.WriteString(title)
	}
	lower := strings.Join(words, " ")
	return []string{
		lower, strings.ToUpper(lower), sentenceCase(words), strings.Join(words, "_"), strings.ToUpper(strings.Join(words, "_")), strings.Join(words, "-"),
		strings.Join(words, "."), camel.String(), pascal.String(), strings.ToUpper(strings.Join(words, "")), strings.Join(words, ""),
	}
}

// drawnFacts are facts of whole numbers between 1 and 10,000,000 that no rule about values takes for a numbering.
func drawnFacts(r *rand.Rand, name string, rows int64) ColumnFacts {
	low := 1 + r.Int64N(500)
	high := low + 40 + r.Int64N(10_000_000)
	return ColumnFacts{Column: name, Alias: fold(name), Type: Integer, Distinct: 1 + r.Int64N(min(rows, high-low)/3+1), Min: fmt.Sprint(low), Max: fmt.Sprint(high)}
}

func fold(name string) string {
	return strings.ToLower(strings.NewReplacer(" ", "_", "-", "_", ".", "_", "#", "no").Replace(name))
}

// TestNumbersThatNameAreIdentifiersInEverySpelling draws names that end in a word for number, in every spelling, with drawn values and
// types. None may be summed or averaged by an inferred metric.
func TestNumbersThatNameAreIdentifiersInEverySpelling(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 1))
	things := []string{"order", "invoice", "customer", "zip", "product", "part", "batch", "shipment", "account", "vendor", "sample", "policy", "document"}
	for _, thing := range things {
		for _, tail := range []string{"no", "nr", "number", "code", "id", "#", "no.", "№"} {
			names := spellings(thing, tail)
			if tail == "#" || tail == "no." || tail == "№" {
				names = []string{thing + " " + tail, strings.ToUpper(thing) + " " + tail, thing + "_" + tail, thing + tail, "Our " + thing + " " + tail + " (internal)"}
			}
			if tail == "no." {
				names = names[:3] // "batchno." is a word of its own
			}
			for _, name := range names {
				if (name == thing+tail || name == strings.ToUpper(thing+tail)) && (tail == "no" || tail == "nr" || tail == "id" || tail == "code" || tail == "number") && len(compound(thing+tail)) == 1 {
					continue // run together with a word that no vocabulary has
				}
				facts := drawnFacts(r, name, 400)
				facts.Type = []Type{Integer, Decimal, Float}[r.IntN(3)]
				checkNeverReduced(t, TableFacts{Table: "extract", Rows: 400, Columns: []ColumnFacts{facts, {Column: "amount", Type: Decimal, MaxDecimals: 2, Distinct: 300, Min: "0.5", Max: "900"}}}, name)
			}
		}
	}
}

// checkNeverReduced checks that a model inferred of a table adds no column of a name up and averages none.
func checkNeverReduced(t *testing.T, facts TableFacts, name string) {
	t.Helper()
	m := Infer(Facts{Tables: []TableFacts{facts}}, Settings{})
	e := &m.Entities[0]
	var dim *Dimension
	for i := range e.Dimensions {
		if d := &e.Dimensions[i]; d.Column == name || d.Column == "" && d.Name == name {
			dim = d
		}
	}
	switch {
	case dim == nil:
		t.Fatalf("%q is no dimension", name)
	case dim.Measure, !dim.Identifier:
		t.Errorf("%q of %s is no identifier", name, facts.Table)
	}
	for _, x := range m.Metrics {
		if strings.Contains(x.Expr, dim.Name) && (x.Reducer == Sum || x.Reducer == Avg) {
			t.Errorf("%q of %s has the metric %s: %s of %s", name, facts.Table, x.Name, x.Reducer, x.Expr)
		}
	}
}

// TestNumbersThatTellRowsApartAreIdentifiers draws tables whose rows have a number each, under names that do not say so.
func TestNumbersThatTellRowsApartAreIdentifiers(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 2))
	for _, thing := range []string{"ticket", "shipment", "claim", "receipt", "case", "asset", "device", "voucher", "parcel", "consignment", "flight", "contract"} {
		for _, name := range spellings(thing) {
			rows := 100 + r.Int64N(5000)
			low := 1 + r.Int64N(1000)
			scattered := ColumnFacts{Column: name, Type: Integer, Distinct: rows - r.Int64N(rows/20), Min: fmt.Sprint(low), Max: fmt.Sprint(low + 20*rows)}
			checkNeverReduced(t, TableFacts{Table: "extract", Rows: rows, Columns: []ColumnFacts{scattered}}, name)
			running := ColumnFacts{Column: name, Type: Integer, Distinct: rows, Min: fmt.Sprint(low), Max: fmt.Sprint(low + rows - 1)}
			checkNeverReduced(t, TableFacts{Table: "extract", Rows: rows, Columns: []ColumnFacts{running}}, name)
			repeated := ColumnFacts{Column: name, Type: Integer, Distinct: 7, Min: "3", Max: "9"}
			checkNeverReduced(t, TableFacts{Table: Plural(thing) + "_2024", Rows: 12, Columns: []ColumnFacts{repeated}}, name)
		}
	}
}

// TestNumbersOfHowMuchStayMeasures holds the other side: large and mostly distinct amounts are no identifiers.
func TestNumbersOfHowMuchStayMeasures(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 3))
	for _, name := range []string{
		"amount", "revenue", "Total Due", "population", "attendance", "passengers", "views", "followers", "sold_tickets", "quantity", "num_employees",
		"number of seats", "No. of employees", "order_count", "salary", "budget", "distance", "price", "bytes", "# Visitors", "Total number", "balance",
	} {
		rows := 100 + r.Int64N(5000)
		c := ColumnFacts{Column: name, Type: Integer, Distinct: rows - r.Int64N(rows/20), Min: "12", Max: fmt.Sprint(30 * rows)}
		table := TableFacts{Table: "extract", Rows: rows, Columns: []ColumnFacts{c}}
		if role := table.RoleOf(&c); !role.Measure() {
			t.Errorf("%q is %s", name, role)
		}
	}
}
