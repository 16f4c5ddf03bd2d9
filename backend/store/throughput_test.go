package store

import (
	"math"
	"testing"
	"time"

	"assay/backend/frameql"
)

// TestSpeedIsLearned: what statements took moves the expectation towards it, and no single one throws it.
func TestSpeedIsLearned(t *testing.T) {
	var s throughput
	first, n := s.expect(10_000_000, 80_000_000)
	if n != 0 || first != guess(10_000_000, 80_000_000) {
		t.Errorf("%v of %d", first, n)
	}
	s.learn(100, time.Hour) // a pause of the machine
	if ms, _ := s.expect(10_000_000, 80_000_000); ms > first*(1+learnRate*mostFactor) {
		t.Errorf("one statement makes %v of %v", ms, first)
	}
	for range 100 {
		s.learn(100, 50*time.Millisecond)
	}
	if ms, n := s.expect(10_000_000, 80_000_000); n != 101 || math.Abs(ms/first-0.5) > 0.02 {
		t.Errorf("%v of %v after %d", ms, first, n)
	}
	before, _ := s.expect(10_000_000, 80_000_000)
	s.learn(2, time.Millisecond) // too short to tell
	s.learn(startMS, time.Second)
	if ms, _ := s.expect(10_000_000, 80_000_000); ms != before {
		t.Errorf("%v became %v", before, ms)
	}
}

// TestCostCountsWidths: bytes are those of the columns that are read, and rows those of the table whatever a filter keeps.
func TestCostCountsWidths(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, write(t, "data.csv", "n,x,d\n1,a,2024-01-01\n2,b,2024-01-02\n"))
	for statement, want := range map[string]int64{
		"SELECT sum(n) FROM data": 2 * 4, "SELECT x FROM data": 2 * 24, "SELECT n, x FROM data": 2 * (4 + 24), "SELECT d FROM data": 2 * 4,
	} {
		rows, bytes, ms, basis, err := s.Cost(t.Context(), frameql.Statement{SQL: statement})
		if err != nil || rows != 2 || bytes != want || ms <= 0 || basis == "" {
			t.Errorf("%s: %d rows, %d bytes, %v ms, %q, %v; want %d bytes", statement, rows, bytes, ms, basis, err, want)
		}
	}
}

// A plan that no machine computes costs the largest number, and not a negative one.
func TestCostsDoNotTurnOver(t *testing.T) {
	c := cost{touched: math.MaxInt64 - 5}
	operator{Extra: map[string]any{"Estimated Cardinality": "9223372036854775807"}}.add(nil, &c)
	if c.touched != math.MaxInt64 || guess(c.touched, c.bytes) <= 0 {
		t.Errorf("%+v", c)
	}
}
