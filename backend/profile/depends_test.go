package profile

import (
	"context"
	"testing"

	"assay/backend/semantic"
)

// A step is measured exactly, a missing value is a value like any other, and the first member with several is the
// counter-example.
func TestDepends(t *testing.T) {
	e := openEngine(t)
	word := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	for _, c := range []struct {
		name, rows, bare string
		members, pairs   int64
		example          []string // member, one, other
	}{
		{"holds", "('a', 'x'), ('a', 'x'), ('b', 'x'), (NULL, NULL)", "-", 3, 3, nil},
		{"empty", "", "-", 0, 0, nil},
		{"two", "('b', 'x'), ('b', 'y'), ('a', 'z'), ('c', 'x'), ('c', 'y'), ('c', 'z')", "-", 3, 6, []string{"b", "x", "y"}},
		{"one and none", "('a', 'x'), ('a', NULL)", "-", 1, 2, []string{"a", "x", "-"}},
		{"the missing one", "('a', 'x'), (NULL, 'y'), (NULL, 'x')", "y", 2, 3, []string{"-", "x", "y"}},
		{"the missing one and none", "(NULL, 'y'), (NULL, NULL)", "y", 1, 2, []string{"-", "y", "-"}},
		{"the missing one has a value", "('a', 'x'), (NULL, 'x')", "x", 2, 2, nil},
		{"case matters", "('a', 'x'), ('A', 'y')", "-", 2, 2, nil},
	} {
		e.exec(t, `CREATE OR REPLACE TABLE "places ""of""" ("a city" VARCHAR, country VARCHAR)`)
		if c.rows != "" {
			e.exec(t, `INSERT INTO "places ""of""" VALUES `+c.rows)
		}
		for _, s := range []semantic.Source{{Table: `places "of"`}, {SQL: `SELECT * FROM "places ""of"""`}} {
			d, err := Depends(context.Background(), e.run, s, "a city", "country")
			if err != nil {
				t.Fatal(err)
			}
			if d.Members != c.members || d.Pairs != c.pairs || word(d.Bare) != c.bare || d.Holds() != (c.example == nil) || d.SQL == "" {
				t.Errorf("%s: %+v", c.name, d)
			}
			if c.example != nil && (len(d.Among) != 2 || word(d.Member) != c.example[0] || word(d.Among[0]) != c.example[1] || word(d.Among[1]) != c.example[2]) {
				t.Errorf("%s: %s lies in %v", c.name, word(d.Member), d.Among)
			}
		}
	}
	e.exec(t, `CREATE TABLE typed AS SELECT * FROM (VALUES (DATE '2024-01-01', true, 1.5), (DATE '2024-01-01', false, 2.5)) AS v(d, b, n)`)
	for _, pair := range [][2]string{{"d", "b"}, {"b", "n"}, {"n", "d"}} {
		if d, err := Depends(context.Background(), e.run, semantic.Source{Table: "typed"}, pair[0], pair[1]); err != nil || d.Holds() == (pair[0] == "d") {
			t.Errorf("%s to %s: %+v %v", pair[0], pair[1], d, err)
		}
	}
}
