package frameql_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assay/backend/fault"
	. "assay/backend/frameql"
)

// seedTexts are queries to begin with: the examples, generated ones, and malformed ones.
func seedTexts(f *testing.F, malformed string) []string {
	f.Helper()
	texts := slices.Clone(examples)
	for seed := range uint64(40) {
		texts = append(texts, anyQuery(seeded(seed)).String())
	}
	archive, err := txtar.ParseFile(malformed)
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range archive.Files {
		if !strings.HasSuffix(file.Name, ".out") {
			texts = append(texts, strings.TrimSpace(string(file.Data)))
		}
	}
	return texts
}

// FuzzParse: no text breaks the parser, and what it reads is printed in one form that reads back as the same query.
func FuzzParse(f *testing.F) {
	for _, text := range seedTexts(f, "testdata/syntax/errors.txtar") {
		f.Add(text)
	}
	for _, text := range []string{
		`SELECT "a""b".c AS "x"`, "select a where not (b is null or c between 1 and 2)", "SELECT a HAVING ((a)) > 1", "SELECT a HAVING NOT (a + 1) IN (2)",
		"SELECT a DURING FY 2025-Q2", `SELECT a.year, a."year", (a."year"), a."""year"""`, `SELECT "."".0"`, "SELECT 007, 0e-00, 1E+5", "SELECT a\ufeff", "SELECT \u212a.wee\u212a",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text)
		if err != nil {
			if got := described(err); strings.HasPrefix(got, "a bad message") || strings.HasPrefix(got, "no error") {
				t.Fatalf("%q: %s", text, got)
			}
			return
		}
		if _, err := Parse(q.String()); fault.CodeOf(err) == fault.Limit {
			return // quoting made it longer than the bound
		}
		if problem := roundTrip(q); problem != "" {
			t.Fatalf("%q: %s", text, problem)
		}
	})
}

// FuzzParseJSON: no bytes break the decoder, and what it reads has a text that reads back as the same question.
func FuzzParseJSON(f *testing.F) {
	for _, text := range seedTexts(f, "testdata/syntax/json_errors.txtar") {
		q, err := Parse(text)
		if err != nil {
			f.Add([]byte(text))
			continue
		}
		raw, err := json.Marshal(q)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		q, err := ParseJSON(raw)
		if err != nil {
			if got := described(err); strings.HasPrefix(got, "a bad message") || strings.HasPrefix(got, "no error") {
				t.Fatalf("%q: %s", raw, got)
			}
			return
		}
		canonical := q.String()
		read, err := Parse(canonical)
		if err != nil || read.String() != canonical || read.ID() != q.ID() {
			t.Fatalf("%q is %q, then %v, %v", raw, canonical, read, err)
		}
		again, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := ParseJSON(again); err != nil || back.String() != canonical {
			t.Fatalf("%q is %s, then %v, %v", raw, again, back, err)
		}
	})
}
