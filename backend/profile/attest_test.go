package profile

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/semantic"
)

func TestSizes(t *testing.T) {
	e := openEngine(t)
	var columns, values []string
	for i := range 120 {
		columns = append(columns, fmt.Sprintf("c%d", i))
		values = append(values, fmt.Sprintf("nullif(i %% %d, 0) AS c%d", i+1, i))
	}
	e.exec(t, `CREATE TABLE "wide ""t" AS SELECT `+strings.Join(values, ", ")+" FROM range(1000) t(i)")
	for _, s := range []semantic.Source{{Table: `wide "t`}, {SQL: `SELECT * FROM "wide ""t" -- all`}} {
		total, distinct, err := Sizes(context.Background(), e.run, s, columns, false)
		if err != nil || total != 1000 || len(distinct) != 120 {
			t.Fatalf("%d %d %v", total, len(distinct), err)
		}
		for i, n := range distinct {
			if int(n) != i {
				t.Errorf("c%d has %d values", i, n)
			}
		}
	}
	_, about, err := Sizes(context.Background(), e.run, semantic.Source{Table: `wide "t`}, []string{"c99"}, true)
	if err != nil || about[0] < 80 || about[0] > 120 {
		t.Errorf("about 99 values: %v %v", about, err)
	}
	if total, none, err := Sizes(context.Background(), e.run, semantic.Source{Table: `wide "t`}, nil, false); err != nil || total != 1000 || len(none) != 0 {
		t.Errorf("without columns: %d %v %v", total, none, err)
	}
}

func TestUniqueAndPartners(t *testing.T) {
	e := openEngine(t)
	e.exec(t, `CREATE TABLE far (a INTEGER, b VARCHAR, once INTEGER, "my key" INTEGER);
INSERT INTO far VALUES (1, 'x', 1, 1), (1, 'y', 2, 2), (2, 'x', 3, 2), (NULL, 'x', NULL, 4), (NULL, 'x', NULL, 5)`)
	e.exec(t, `CREATE TABLE near (a INTEGER, b VARCHAR, slot INTEGER);
INSERT INTO near VALUES (1, 'x', 1), (1, 'y', 9), (1, 'z', 1), (1, NULL, NULL), (NULL, 'x', 3), (2, 'x', 2), (3, 'x', 7)`)
	far, near := semantic.Source{Table: "far"}, semantic.Source{SQL: "SELECT * FROM near"}
	for _, c := range []struct {
		columns []string
		unique  bool
	}{
		{[]string{"a"}, false}, {[]string{"a", "b"}, true}, {[]string{"once"}, true}, {[]string{"my key"}, false},
	} {
		got, err := Unique(context.Background(), e.run, far, c.columns)
		if err != nil || got != c.unique {
			t.Errorf("%v: %v %v", c.columns, got, err)
		}
	}
	for _, c := range []struct {
		near, far        []string
		orphans, missing int64
	}{
		{[]string{"a", "b"}, []string{"a", "b"}, 2, 2}, {[]string{"slot"}, []string{"once"}, 2, 1}, {[]string{"b"}, []string{"b"}, 1, 1},
	} {
		orphans, missing, err := Partners(context.Background(), e.run, near, c.near, far, c.far)
		if err != nil || orphans != c.orphans || missing != c.missing {
			t.Errorf("%v: %d orphans, %d missing, %v", c.near, orphans, missing, err)
		}
	}
	if _, err := Unique(context.Background(), e.run, far, []string{"nowhere"}); err == nil {
		t.Error("a column that is not there was measured")
	}
}

func TestCalendarDays(t *testing.T) {
	e := openEngine(t)
	e.exec(t, `CREATE TABLE days AS SELECT DATE '2025-01-03' - CAST(i AS INTEGER) AS d, CASE WHEN i < 2 THEN NULL ELSE 'A' END AS "the term", 2025 AS y FROM range(3) t(i)`)
	c := &semantic.Calendar{Name: "school", Table: "days", DateColumn: "d", Units: map[string]string{"term": "the term", "fiscal_year": "y"}}
	days, err := CalendarDays(context.Background(), e.run, c)
	if err != nil {
		t.Fatal(err)
	}
	year, a := "2025", "A"
	want := []semantic.CalendarDay{
		{Day: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), Values: []*string{&year, &a}},
		{Day: time.Date(2025, 1, 2, 0, 0, 0, 0, time.UTC), Values: []*string{&year, nil}},
		{Day: time.Date(2025, 1, 3, 0, 0, 0, 0, time.UTC), Values: []*string{&year, nil}},
	}
	if !reflect.DeepEqual(days, want) {
		t.Errorf("got %+v", days)
	}
	e.exec(t, "INSERT INTO days VALUES (NULL, 'A', 2025)")
	if _, err := CalendarDays(context.Background(), e.run, c); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("a row without a day: %v", err)
	}
	e.exec(t, "INSERT INTO days SELECT NULL, 'A', 2025 FROM range(400000)")
	if _, err := CalendarDays(context.Background(), e.run, c); fault.CodeOf(err) != fault.Invalid || !strings.Contains(err.Error(), "thousand") {
		t.Errorf("too many rows: %v", err)
	}
}

// A composite key that its source declares, but that repeats in the data, is no key and no far side of a join.
func TestDeclaredKeyThatRepeats(t *testing.T) {
	e := openEngine(t)
	e.exec(t, "CREATE TABLE prices AS SELECT i % 4 AS product_id, i % 2 AS store_id, i AS cents FROM range(8) t(i)")
	e.exec(t, "CREATE TABLE sales AS SELECT i AS sale_id, i % 4 AS product_id, i % 2 AS store_id FROM range(20) t(i)")
	tables := e.tables(t)
	for i := range tables {
		if tables[i].Table == "prices" {
			tables[i].Key = []string{"product_id", "store_id"}
		} else {
			tables[i].ForeignKeys = []semantic.ForeignKey{{Columns: []string{"product_id", "store_id"}, RefTable: "prices"}}
		}
	}
	for _, unique := range []bool{false, true} {
		if unique {
			e.exec(t, "DELETE FROM prices WHERE cents >= 4")
		}
		facts, err := Measure(context.Background(), e.run, tables, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if joins := joinsOf(semantic.Infer(facts, semantic.Settings{})); (len(joins) > 0) != unique {
			t.Errorf("unique %v: %v", unique, joins)
		}
	}
}
