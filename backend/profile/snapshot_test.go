package profile

import (
	"context"
	"reflect"
	"testing"

	"assay/backend/semantic"
)

// A table of snapshots under a row number is recognised by the date and the things that tell its rows apart.
func TestSnapshotsUnderARowNumber(t *testing.T) {
	for name, c := range map[string]struct {
		rows string
		want []string
	}{
		"one thing":  {"SELECT row_number() OVER () AS id, a AS account_id, 7 AS branch_id, DATE '2025-01-01' + CAST(d AS INTEGER) AS as_of, a * d + 0.5 AS balance FROM range(30) t(a), range(20) u(d)", []string{"account_id", "as_of"}},
		"two things": {"SELECT row_number() OVER () AS id, a AS item_id, b AS store_id, DATE '2025-01-01' + CAST(d AS INTEGER) AS as_of, a * d + b AS on_hand FROM range(9) t(a), range(5) s(b), range(20) u(d)", []string{"item_id", "store_id", "as_of"}},
		"repeats":    {"SELECT row_number() OVER () AS id, a AS account_id, DATE '2025-01-01' + CAST(d AS INTEGER) AS as_of, a * d + 0.5 AS balance FROM range(30) t(a), range(20) u(d), range(2) v", nil},
		"no state":   {"SELECT row_number() OVER () AS id, a AS account_id, DATE '2025-01-01' + CAST(d AS INTEGER) AS as_of, a * d + 0.5 AS amount FROM range(30) t(a), range(20) u(d)", nil},
		"own key":    {"SELECT a AS account_id, DATE '2025-01-01' + CAST(d AS INTEGER) AS as_of, a * d + 0.5 AS balance FROM range(30) t(a), range(20) u(d)", nil},
	} {
		e := openEngine(t)
		e.exec(t, "CREATE TABLE days AS "+c.rows)
		facts, err := Measure(context.Background(), e.run, e.tables(t), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := facts.Tables[0].Snapshot; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v", name, got)
		}
		semi := 0
		for _, x := range semantic.Infer(facts, semantic.Settings{}).Metrics {
			if _, ok := x.SemiAdditive(); ok {
				semi++
			}
		}
		if want := c.want != nil || name == "own key"; (semi == 1) != want {
			t.Errorf("%s: %d metrics of snapshots", name, semi)
		}
	}
}
