package evals_test

import (
	"encoding/json"
	"math/rand"
	"testing"

	"assay/evals"
)

func TestMatch(t *testing.T) {
	type rows = [][]any
	cases := []struct {
		name      string
		gold, got rows
		ordered   bool
		want      bool
	}{
		{"both empty", rows{}, rows{}, false, true},
		{"a row is missing", rows{{1}, {2}}, rows{{1}}, false, false},
		{"order does not matter", rows{{"a", 1}, {"b", 2}}, rows{{"b", 2}, {"a", 1}}, false, true},
		{"order matters when asked for", rows{{"a", 1}, {"b", 2}}, rows{{"b", 2}, {"a", 1}}, true, false},
		{"columns in another order and one more", rows{{"a", 1}, {"b", 2}}, rows{{1, true, "a"}, {2, true, "b"}}, true, true},
		{"a column is missing", rows{{"a", 1}}, rows{{"a"}}, false, false},
		{"a value is wrong", rows{{"a", 1}, {"b", 2}}, rows{{"a", 1}, {"b", 3}}, false, false},
		{"columns agree one by one, rows do not", rows{{"a", 1}, {"b", 2}}, rows{{"a", 2}, {"b", 1}}, false, false},
		{"a row too often", rows{{"a"}, {"a"}, {"b"}}, rows{{"a"}, {"b"}, {"b"}}, false, false},
		{"two equal columns need two", rows{{1, 1}}, rows{{1, "x"}}, false, false},
		{"two columns with the same values, told apart by the rows", rows{{1, 2}, {2, 1}, {3, 3}}, rows{{2, 1}, {1, 2}, {3, 3}}, true, true},
		{"decimals as strings and numbers", rows{{"12.50"}}, rows{{json.Number("12.5")}}, false, true},
		{"four decimals", rows{{0.12341}}, rows{{0.12338}}, false, true},
		{"not three", rows{{0.1234}}, rows{{0.1244}}, false, false},
		{"a float sum in another order", rows{{90775446.99305}}, rows{{90775446.993050001}}, false, true},
		{"a dollar apart in ninety million", rows{{90775446.99}}, rows{{90775445.99}}, false, false},
		{"null is null", rows{{nil, 1}}, rows{{nil, 1}}, false, true},
		{"null is not zero", rows{{nil}}, rows{{0}}, false, false},
		{"null is not the empty text", rows{{nil}}, rows{{""}}, false, false},
		{"midnight is the day", rows{{"1997-01-01"}}, rows{{"1997-01-01T00:00:00"}}, false, true},
		{"noon is not", rows{{"1997-01-01"}}, rows{{"1997-01-01T12:00:00"}}, false, false},
		{"a truth value is not its number", rows{{true}}, rows{{1}}, false, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got, why := evals.Match(c.gold, c.got, c.ordered); got != c.want {
				t.Errorf("Match = %v (%s), want %v", got, why, c.want)
			}
		})
	}
}

// Shuffled rows and columns of any table are the table; the table with one cell changed is not.
func TestMatchFindsShuffledTables(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200 {
		rows, columns := 1+r.Intn(12), 1+r.Intn(4)
		gold := make([][]any, rows)
		for i := range gold {
			for range columns {
				gold[i] = append(gold[i], r.Intn(5))
			}
		}
		order := r.Perm(columns)
		got := make([][]any, rows)
		for i, at := range r.Perm(rows) {
			for _, j := range order {
				got[i] = append(got[i], gold[at][j])
			}
		}
		if ok, why := evals.Match(gold, got, false); !ok {
			t.Fatalf("%v is %v: %s", got, gold, why)
		}
		got[r.Intn(rows)][r.Intn(columns)] = 99
		if ok, _ := evals.Match(gold, got, false); ok {
			t.Fatalf("%v is not %v", got, gold)
		}
	}
}
