//go:build cgo

package frameqltest_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"assay/backend/frameql"
	. "assay/backend/frameql/frameqltest"
	"assay/backend/semantic"
)

// TestRepeatedKeysMultiplyNothing: a key of a dimension stands twice, and the joins to it were measured so. A query that needs such
// a join is refused, and every other one gives the rows that it gave before.
func TestRepeatedKeysMultiplyNothing(t *testing.T) {
	e := openEngine(t)
	count := newTally()
	refused, right := 0, 0
	check(t, cases(t)/4, func(t *rapid.T) {
		w := DrawWorld(t)
		repeated, target := withRepeatedKey(t, w)
		if repeated == nil {
			return
		}
		text := DrawQuery(t, w)
		q := parse(t, text)
		if plan, _ := frameql.Resolve(q, env(w)); plan == nil {
			return
		}
		plan, refusals := frameql.Resolve(q, env(repeated))
		if plan == nil {
			if !slices.ContainsFunc(refusals, func(r frameql.Refusal) bool {
				return r.Code == "FANOUT" || r.Code == "FILTER_FANOUT" || r.Code == "ATTESTATION_TOO_LOW"
			}) {
				t.Fatalf("%s is twice in %s: refused by %s: %s\n%s", target, text, refusals[0].Code, refusals[0].Message, reproduction(w, text, ""))
			}
			refused++
			return
		}
		if e.isRight(t, repeated, w, text, q, plan, count) {
			right++
		}
	})
	t.Logf("%d refused, %d right all the same", refused, right)
	enough(t, refused, cases(t)/100)
	enough(t, right, cases(t)/100)
}

// withRepeatedKey gives a world in which one member of a dimension that no number is made from stands twice, with other attributes.
func withRepeatedKey(t *rapid.T, w *World) (*World, string) {
	var targets []string
	for _, j := range w.Model.Joins {
		numbers := slices.ContainsFunc(w.Model.Metrics, func(m semantic.Metric) bool { return m.Entity == j.To })
		if e := w.Model.Entity(j.To); !numbers && len(w.Tables[e.Source.Table].Rows) > 0 && len(e.Key) == 1 {
			targets = append(targets, j.To)
		}
	}
	if len(targets) == 0 {
		return nil, ""
	}
	target := rapid.SampledFrom(targets).Draw(t, "repeated")
	out, model := *w, *w.Model
	table := *w.Tables[w.Model.Entity(target).Source.Table]
	table.Rows = append(slices.Clone(table.Rows), slices.Clone(table.Rows[0]))
	out.Tables = map[string]*Table{}
	for name, t := range w.Tables {
		out.Tables[name] = t
	}
	out.Tables[table.Name] = &table
	model.Joins = slices.Clone(model.Joins)
	for i := range model.Joins {
		if j := &model.Joins[i]; j.To == target {
			j.Attested, j.Total = &semantic.Attestation{Unique: false}, false
		}
	}
	out.Model = &model
	return &out, target
}
