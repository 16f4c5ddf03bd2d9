package interpret

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// drawnExtract is a table with a number called by a drawn noun, read as an extract is: nobody wrote a model.
func drawnExtract(table string, rows int64, number semantic.ColumnFacts) *semantic.Model {
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{{Table: table, Rows: rows, Columns: []semantic.ColumnFacts{
		number,
		{Column: "Held On", Alias: "held_on", Type: semantic.Date, Distinct: 50, Min: "2024-01-01", Max: "2025-06-30"},
		{Column: "Zone", Alias: "zone", Type: semantic.Text, Distinct: 4, AvgLength: 5, Sample: []string{"North", "South"}},
	}}}}, semantic.Settings{Currency: "USD"})
}

// asksFor gives the ways to ask how many there are of something.
func asksFor(noun string) []string {
	many := semantic.Plural(noun)
	return []string{
		"how many " + many, "number of " + many, "count of " + many, noun + " count", "what is the number of " + many, "how many " + many + " by zone",
		"number of " + many + " per month", "how many " + many + " are there in 2024", "total number of " + many, "number of " + many + " in zone North",
		"show the number of " + many + " by zone", "top 3 zones by number of " + many, "count the " + many, "how many " + many + " were there in March 2024",
	}
}

// addsUp gives the expressions of a query that add up or average a column, also by a metric.
func addsUp(m *semantic.Model, e *frameql.Expr) (out []string) {
	if e == nil {
		return nil
	}
	if x := m.Metric(e.Metric); x != nil && x.Reducer != semantic.Count && x.Reducer != semantic.CountDistinct {
		out = append(out, e.String())
	}
	if slices.Contains([]string{"sum", "avg", "median", "percentile", "stddev"}, e.Reduce) && e.Of != nil && !e.Of.Star {
		out = append(out, e.String())
	}
	for _, a := range append(slices.Clone(e.Args), e.Of) {
		out = append(out, addsUp(m, a)...)
	}
	return out
}

// readAsCount asks and gives what the best reading adds up, and what it says about that. A refusal adds nothing up.
func readAsCount(m *semantic.Model, question string) (added, said []string, query string) {
	values := []ValueSet{{Entity: m.Entities[0].Name, Dimension: "zone", Values: []string{"North", "South"}, Complete: true}}
	env := frameql.Env{Model: m, Now: time.Date(2025, 6, 30, 0, 0, 0, 0, time.UTC)}
	r := NewIndex(m, values).Read(Request{Question: question, Env: env})
	if r.Reading == nil {
		return nil, nil, ""
	}
	q := r.Reading.Query
	for _, item := range q.Select {
		added = append(added, addsUp(m, item.Expr)...)
		if item.Dim != nil {
			added = append(added, addsUp(m, &frameql.Expr{Metric: item.Dim.Name})...)
		}
	}
	return added, r.Reading.Assumptions, q.String()
}

// TestHowManyNeverAddsUpAnIdentifier asks for the number of drawn things whose column says which one is meant.
func TestHowManyNeverAddsUpAnIdentifier(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(28, 11))
	answered, asked := 0, 0
	for _, noun := range []string{"ticket", "shipment", "claim", "receipt", "voucher", "parcel", "invoice", "flight", "contract", "permit", "booking"} {
		for _, column := range []string{noun, noun + " #", noun + " no", noun + "_number", strings.ToUpper(noun) + " ID", noun + "Code", noun + "No"} {
			rows := 100 + r.Int64N(9000)
			low := 1 + r.Int64N(90_000)
			number := semantic.ColumnFacts{
				Column: column, Alias: fold(strings.ReplaceAll(column, " ", "_")), Type: semantic.Integer, Distinct: rows - r.Int64N(rows/20),
				Min: fmt.Sprint(low), Max: fmt.Sprint(low + 1000 + r.Int64N(90*rows)),
			}
			table := []string{"extract", semantic.Plural(noun), semantic.Plural(noun) + "_2024", "export"}[r.IntN(4)]
			m := drawnExtract(table, rows, number)
			for _, question := range asksFor(noun) {
				added, _, query := readAsCount(m, question)
				asked++
				if query != "" {
					answered++
				}
				if len(added) > 0 {
					t.Errorf("%q of %s with %q is read as %s", question, table, column, query)
				}
			}
		}
	}
	if answered*10 < asked*8 {
		t.Errorf("%d of %d are read", answered, asked)
	}
}

// TestHowManyNamesTheTallyThatItAddsUp asks for the number of drawn things of which each row has several.
func TestHowManyNamesTheTallyThatItAddsUp(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(28, 12))
	for _, noun := range []string{"passenger", "signup", "seat", "parcel", "delegate", "room", "volunteer"} {
		for _, column := range []string{semantic.Plural(noun), "num_" + semantic.Plural(noun), "Number of " + semantic.Plural(noun), noun + " count", "Sold " + semantic.Plural(noun)} {
			rows := 100 + r.Int64N(9000)
			number := semantic.ColumnFacts{Column: column, Alias: fold(strings.ReplaceAll(column, " ", "_")), Type: semantic.Integer, Distinct: 60, Min: "0", Max: fmt.Sprint(80 + r.IntN(500))}
			m := drawnExtract("extract", rows, number)
			for _, question := range asksFor(noun) {
				named := strings.Contains(question, strings.ToLower(column)) && column != semantic.Plural(noun) // "number of seats" of a column called so
				added, said, query := readAsCount(m, question)
				if len(added) > 0 && len(said) == 0 && !named {
					t.Errorf("%q with %q is read as %s, and nothing says what was added up", question, column, query)
				}
			}
		}
	}
}

// TestHowManyNeverAddsUpAnAmount asks for the number of what only is an amount: rows are counted, and the person is asked.
func TestHowManyNeverAddsUpAnAmount(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(28, 13))
	for _, noun := range []string{"sale", "payment", "fine", "delay", "fee", "charge", "discount", "donation", "expense"} {
		for _, column := range []string{noun, noun + " amount", semantic.Plural(noun)} {
			if column == "delays" {
				continue // says how many
			}
			rows := 100 + r.Int64N(9000)
			number := semantic.ColumnFacts{Column: column, Alias: fold(strings.ReplaceAll(column, " ", "_")), Type: semantic.Decimal, MaxDecimals: 2, Distinct: rows / 2, Min: "0.5", Max: "980.25"}
			m := drawnExtract("extract", rows, number)
			for _, question := range asksFor(noun) {
				added, said, query := readAsCount(m, question)
				if len(added) > 0 && len(said) == 0 {
					t.Errorf("%q with %q is read as %s", question, column, query)
				}
			}
		}
	}
}

// TestWordsOfAnAmountKeepItsSum holds the other side: a declared number of units, asked for by number, is added up as it was declared.
func TestWordsOfAnAmountKeepItsSum(t *testing.T) {
	t.Parallel()
	if got := ask(t, "how many units sold in 1997"); got.Reading == nil || got.Reading.Query.String() != "SELECT units_sold DURING 1997" {
		t.Error(outcome(got))
	}
}
