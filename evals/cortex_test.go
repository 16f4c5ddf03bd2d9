package evals_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/backend/analyst"
	"assay/backend/workspace"
	"assay/evals"
)

// The data of data/cortex has a trap: region.csv repeats region_id for each state, so that a join by it repeats revenue. Its
// published model declares region_id as the key of region all the same.

// byState asks for revenue by something of region in every way that would need the join.
var byState = []string{
	"SELECT region.state, SUM(daily_revenue.revenue) AS r AT region.state",
	"SELECT region.sales_region, SUM(daily_revenue.revenue) AS r AT region.sales_region",
	"SELECT SUM(daily_revenue.revenue) AS r AT () WHERE region.sales_region = 'Europe'",
	"SELECT SUM(daily_revenue.revenue) AS r AT () WHERE region.state = 'France'",
}

// conserved says whether an answer adds up to no more than there is: the sum over all rows of an additive measure by any
// grouping is the total, and a condition leaves no more than the total.
func conserved(t *testing.T, w *workspace.Workspace, a *analyst.Answer) bool {
	t.Helper()
	if a.Frame == nil {
		return true
	}
	sum := 0.0
	for _, row := range a.Frame.Rows {
		v, _ := evals.Number(row[len(row)-1])
		sum += v
	}
	total, _ := evals.Number(query(t, w, `SELECT sum("REVENUE") FROM daily_revenue`)[0][0])
	return sum <= total*1.0001
}

func TestCortexInferred(t *testing.T) {
	var files []string
	for _, f := range []string{"daily_revenue.csv", "product.csv", "region.csv"} {
		files = append(files, shared(t, "data", "cortex", f))
	}
	w := openDir(t, newWorkspace(t, files...))
	m, _ := w.Model()
	for _, j := range m.Joins {
		if j.To == "region" {
			t.Errorf("a join to region by %v: no such column is unique there", j.On)
		}
	}
	for _, q := range append(slices.Clone(byState[:1]), byState[3]) {
		a, err := w.Ask(context.Background(), analyst.Request{FrameQL: q}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a.Frame != nil || a.Refusal == nil {
			t.Errorf("%s: outcome %s, want a refusal", q, a.Outcome)
		}
	}
	for _, question := range []string{"revenue by state", "revenue by region", "total revenue in Europe", "revenue in France"} {
		a, err := w.Ask(context.Background(), analyst.Request{Question: question}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !conserved(t, w, a) {
			t.Errorf("%q counts rows more than once%s\n%v", question, account(a), a.Frame.Rows)
		}
	}
	a, err := w.Ask(context.Background(), analyst.Request{FrameQL: "SELECT product.product_line, SUM(daily_revenue.revenue) AS r"}, nil)
	if err != nil || a.Frame == nil {
		t.Fatalf("revenue by product line: %v", err)
	}
	gold := query(t, w, `SELECT "Product_line", sum("REVENUE") FROM daily_revenue JOIN product USING ("Product_id") GROUP BY 1`)
	if ok, why := evals.Match(gold, a.Frame.Rows, false); !ok {
		t.Errorf("revenue by product line: %s", why)
	}
}

// The published model's relationships as they stand: the join to region is declared, and measured to be wrong.
func TestCortexDeclared(t *testing.T) {
	dir := newWorkspace(t, shared(t, "data", "cortex", "daily_revenue.csv"), shared(t, "data", "cortex", "region.csv"))
	for name, text := range map[string]string{
		"context/entities/daily_revenue.yaml": `entity: daily_revenue
description: Daily total revenue, aligned with daily cost of goods sold and forecasted revenue.
key: [date, product_id, region_id]
time: {default: date}
dimensions:
  - {name: date, type: timestamp, column: DATE}
  - {name: revenue, type: decimal, column: REVENUE, measure: true}
  - {name: product_id, type: integer, column: Product_id}
  - {name: region_id, type: integer, column: Region_id}
`,
		"context/entities/region.yaml": `entity: region
description: Region dimension table with unique region identifiers and geographic attributes.
key: [region_id]
dimensions:
  - {name: region_id, type: integer, column: Region_id}
  - {name: sales_region, type: text, column: Region}
  - {name: state, type: text, column: State}
`,
		"context/join-paths/daily_revenue.yaml": `from: daily_revenue
joins:
  - {to: region, on: {region_id: region_id}, cardinality: many_to_one}
`,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(file), 0o750)
		if err == nil {
			err = os.WriteFile(file, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w := openDir(t, dir)
	for _, q := range byState {
		a, err := w.Ask(context.Background(), analyst.Request{FrameQL: q}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a.Frame != nil || a.Refusal == nil {
			t.Errorf("%s: outcome %s, want a refusal: region_id is not unique in region%s", q, a.Outcome, account(a))
		}
	}
}
