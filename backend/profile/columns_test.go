package profile

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

const measured = `CREATE TABLE "the table" AS SELECT i AS id, i % 3 AS "few", CASE WHEN i % 4 = 0 THEN NULL ELSE 'word ' || i % 2 END AS word,
	CAST(i AS DECIMAL(10,2)) / 4 AS amount, DATE '2025-01-01' + CAST(i AS INTEGER) AS day, 'p' || i || '@example.org' AS mail, NULL::VARCHAR AS nothing,
	CASE WHEN i = 5 THEN 'infinity'::DOUBLE ELSE i END AS wild, i % 2 = 0 AS even FROM range(100) t(i)`

func measuredTable() TableDecl {
	d := TableDecl{Table: "the table"}
	for _, c := range [][2]string{{"id", "integer"}, {"few", "integer"}, {"word", "text"}, {"amount", "decimal"}, {"day", "date"}, {"mail", "text"}, {"nothing", "text"}, {"wild", "float"}, {"even", "boolean"}} {
		d.Columns = append(d.Columns, ColumnDecl{Name: c[0], Type: semantic.Type(c[1])})
	}
	return d
}

// brief writes a profile on one line.
func brief(c ColumnProfile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "nulls %d distinct %d", c.Nulls, c.Distinct)
	if c.Min != nil {
		fmt.Fprintf(&b, " %s to %s", *c.Min, *c.Max)
	}
	if c.Mean != nil {
		fmt.Fprintf(&b, " mean %g", *c.Mean)
	}
	if c.MaxLength != nil {
		fmt.Fprintf(&b, " length %g %d", *c.AvgLength, *c.MaxLength)
	}
	if len(c.Histogram) > 0 {
		n := int64(0)
		for _, bucket := range c.Histogram {
			n += bucket.Count
		}
		last := c.Histogram[len(c.Histogram)-1]
		fmt.Fprintf(&b, " %d buckets %g to %g of %d", len(c.Histogram), c.Histogram[0].From, last.To, n)
	}
	for _, v := range c.Top[:min(2, len(c.Top))] {
		fmt.Fprintf(&b, " %s %d %.2f", v.Value, v.Count, v.Share)
	}
	return b.String()
}

func TestColumns(t *testing.T) {
	e := openEngine(t)
	e.exec(t, measured)
	var done []int
	p, err := Columns(context.Background(), e.run, measuredTable(), ColumnOptions{
		Personal: func(c string) string { return map[string]string{"mail": "email"}[c] },
		Progress: func(n, _ int) { done = append(done, n) },
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"id":      "nulls 0 distinct 100 0 to 99 mean 49.5 20 buckets 0 to 99 of 100",
		"few":     "nulls 0 distinct 3 0 to 2 mean 0.99 3 buckets 0 to 3 of 100 0 34 0.34 1 33 0.33",
		"word":    "nulls 25 distinct 2 word 0 to word 1 length 6 6 word 1 50 0.67 word 0 25 0.33",
		"amount":  "nulls 0 distinct 100 0.0 to 24.75 mean 12.375 20 buckets 0 to 24.75 of 100",
		"day":     "nulls 0 distinct 100 2025-01-01 to 2025-04-10 20 buckets 1.7356896e+09 to 1.7442432e+09 of 100",
		"mail":    "nulls 0 distinct 100",
		"nothing": "nulls 100 distinct 0",
		"even":    "nulls 0 distinct 2 false to true false 50 0.50 true 50 0.50",
	}
	for _, c := range p.Columns {
		if w, ok := want[c.Name]; ok && brief(c) != w {
			t.Errorf("%s: %s", c.Name, brief(c))
		}
		if c.Name == "wild" && (c.Histogram[19].To != 99 || *c.Mean < 49 || *c.Mean > 51) {
			t.Errorf("%+v", c)
		}
		if c.Name == "mail" && (c.Personal != "email" || c.Min != nil || len(c.Top) > 0 || c.MaxLength != nil) {
			t.Errorf("a personal column tells %+v", c)
		}
	}
	if p.Rows != 100 || p.Looked != 100 || len(done) != 9 || done[8] != 9 {
		t.Errorf("%d rows, %d looked at, progress %v", p.Rows, p.Looked, done)
	}
}

// TestColumnsOfASample look at as many rows as were wanted and say so.
func TestColumnsOfASample(t *testing.T) {
	e := openEngine(t)
	e.exec(t, measured)
	p, err := Columns(context.Background(), e.run, measuredTable(), ColumnOptions{Sample: 40})
	if err != nil || p.Rows != 100 || p.Looked != 40 || p.Columns[0].Distinct != 40 || p.Columns[6].Nulls != 40 {
		t.Errorf("%v %+v", err, p)
	}
	if p, err = Columns(context.Background(), e.run, measuredTable(), ColumnOptions{Sample: 1000}); err != nil || p.Looked != 100 {
		t.Errorf("%v %+v", err, p)
	}
}

// TestColumnsOfNothing and a measurement that is stopped.
func TestColumnsOfNothing(t *testing.T) {
	e := openEngine(t)
	e.exec(t, measured)
	e.exec(t, `DELETE FROM "the table"`)
	p, err := Columns(context.Background(), e.run, measuredTable(), ColumnOptions{})
	if err != nil || p.Rows != 0 || len(p.Columns) != 9 || p.Columns[0].Min != nil {
		t.Errorf("%v %+v", err, p)
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	run := func(ctx context.Context, s frameql.Statement) (*frameql.Frame, error) {
		if n++; n == 4 {
			cancel()
		}
		return e.run(ctx, s)
	}
	if _, err := Columns(ctx, run, measuredTable(), ColumnOptions{}); !errors.Is(err, context.Canceled) || n > 5 {
		t.Errorf("stopped: %v after %d statements", err, n)
	}
}
