//go:build cgo && unix

package speed

import (
	"slices"
	"testing"
	"time"

	"assay/backend/compile"
	"assay/backend/frameql"
)

// TestRewritesApply wants the rewrites that make the questions fast: facts and proofs reach the compiler.
func TestRewritesApply(t *testing.T) {
	const rows = 10_000_000
	env := frameql.Env{Model: shopModel(t), Now: time.Date(2025, 12, 31, 12, 0, 0, 0, time.UTC), Coverage: coverage, Rows: rowsOf(rows), Distinct: distinct}
	for i, want := range [][]string{
		{"single_branch", "inner_join"},
		{"single_branch", "inner_join", "day_first"},
		{"inner_join", "late_join"},
		{"one_scan"},
		{"inner_join", "distinct_below_join"},
		{"share_window"},
	} {
		t.Run(questions[i].name, func(t *testing.T) {
			parsed, err := frameql.Parse(questions[i].frameQL)
			if err != nil {
				t.Fatal(err)
			}
			plan, refusals := frameql.Resolve(parsed, env)
			if plan == nil {
				t.Fatalf("%+v", refusals)
			}
			p, err := plan.Explain(compile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range want {
				if !slices.ContainsFunc(p.Rewrites, func(r compile.Rewrite) bool { return r.Name == name && r.Applied }) {
					t.Errorf("%s is missing: %+v\n%s", name, p.Rewrites, p.SQL)
				}
			}
		})
	}
}
