//go:build cgo

package frameqltest_test

import (
	"testing"

	"pgregory.net/rapid"

	"assay/backend/compile"
	"assay/backend/frameql"
	. "assay/backend/frameql/frameqltest"
)

// TestRewritesChangeNoRow: with facts under which every rewrite that needs no proof pays, the rows are those of the plain form.
func TestRewritesChangeNoRow(t *testing.T) {
	e := openEngine(t)
	applied := map[string]int{}
	check(t, cases(t), func(t *rapid.T) {
		w := DrawWorld(t)
		text := DrawQuery(t, w)
		facts := env(w)
		distinct := int64(rapid.SampledFrom([]int{3, 900}).Draw(t, "distinct")) // of 900 values months are found by their number
		facts.Rows = func(string) int64 { return 1 << 30 }
		facts.Distinct = func(string) int64 { return distinct }
		plan, _ := frameql.Resolve(parse(t, text), facts)
		if plan == nil {
			return
		}
		plain, err := plan.Explain(compile.Options{Without: []string{"all"}})
		if err != nil {
			return
		}
		rewritten, err := plan.Explain(compile.Options{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		changed := false
		for _, r := range rewritten.Rewrites {
			if r.Applied {
				applied[r.Name]++
				changed = changed || r.Name != "single_branch"
			}
		}
		if !changed {
			return
		}
		if err := e.load(w); err != nil {
			t.Fatal(err)
		}
		want, err := e.run(plain.SQL)
		if err != nil {
			t.Skip(err) // the plain form is another test's
		}
		got, err := e.run(rewritten.SQL)
		if err != nil {
			t.Fatalf("%v\n%s", err, reproduction(w, text, rewritten.SQL))
		}
		if diff := Diff(got, want); diff != "" {
			t.Fatalf("%s\n%s\nplain\n%s", diff, reproduction(w, text, rewritten.SQL), plain.SQL)
		}
	})
	t.Logf("applied: %v", applied)
}
