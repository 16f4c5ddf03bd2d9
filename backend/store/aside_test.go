package store

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/frameql"
)

// TestAsideIsRemembered: the same statement over the same data is not run again, and over other data it is.
func TestAsideIsRemembered(t *testing.T) {
	s := open(t, t.TempDir())
	file := write(t, "a.csv", "x,y\n1,2\n3,4\n")
	mustImport(t, s, file)
	count := frameql.Statement{SQL: "SELECT count(*) AS n FROM a"}
	first, err := s.Aside(t.Context(), count)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Aside(t.Context(), count)
	if err != nil || again != first {
		t.Errorf("run again: %v", err)
	}
	if _, err := s.Aside(t.Context(), frameql.Statement{SQL: "SELECT 1; SELECT 2"}); err == nil {
		t.Error("two statements run")
	}
	if err := os.WriteFile(file, []byte("x,y\n1,2\n3,4\n5,6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustImport(t, s, file)
	if later, err := s.Aside(t.Context(), count); err != nil || len(later.Rows) != 1 || fmt.Sprint(later.Rows[0][0]) == fmt.Sprint(first.Rows[0][0]) {
		t.Errorf("after another import: %+v %v", later, err)
	}
}

// TestMemoIsBounded keeps the last texts, and no long one.
func TestMemoIsBounded(t *testing.T) {
	var m memo[int]
	for i := range memoTexts + 10 {
		m.put(fmt.Sprint(i), i)
	}
	m.put(fmt.Sprint(memoTexts), 7)
	m.put(string(make([]byte, memoLongest+1)), 1)
	if v, ok := m.get(fmt.Sprint(memoTexts)); len(m.known) != memoTexts || len(m.order) != memoTexts || !ok || v != 7 {
		t.Errorf("%d texts, %d in order, %d %v", len(m.known), len(m.order), v, ok)
	}
	if _, ok := m.get("9"); ok {
		t.Error("the oldest is still there")
	}
}

// TestTooLargeToCompute: a number beyond what the engine computes with is said to be that, not a mistake in the SQL.
func TestTooLargeToCompute(t *testing.T) {
	s := open(t, t.TempDir())
	for _, sql := range []string{
		"SELECT 9999999999999999999999999999999999.9999 * 1000000",
		"SELECT stddev_samp(x) FROM (VALUES ('Infinity'::DOUBLE), (1)) t(x)",
		"SELECT 1.5::DECIMAL(38,4) > 99999999999999999999999999999999999999",
	} {
		_, err := s.Query(t.Context(), frameql.Statement{SQL: sql})
		if fault.CodeOf(err) != fault.Invalid || !strings.Contains(err.Error(), "too large to be computed") {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// TestUnlikeValue: a text that is no number is said to be that, with the text.
func TestUnlikeValue(t *testing.T) {
	s := open(t, t.TempDir())
	_, err := s.Query(t.Context(), frameql.Statement{SQL: "SELECT CAST(x AS INTEGER) FROM (VALUES ('abc')) t(x)"})
	if fault.CodeOf(err) != fault.Invalid || !strings.Contains(err.Error(), "not of the type that it is used as") || !strings.Contains(err.Error(), "abc") {
		t.Error(err)
	}
}
