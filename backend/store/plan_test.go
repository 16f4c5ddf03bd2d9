package store

import (
	"slices"
	"testing"

	"assay/backend/fault"
	"assay/backend/frameql"
)

// A plan names tables as they are known, says what each operator does, and runs nothing; the gate stands before it.
func TestPlanNamesWhatIsKnown(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, write(t, "Sales of May.csv", "n,x\n1,a\n2,b\n"))
	table := s.Sources()[0].Tables[0].Name
	plan, err := s.Plan(t.Context(), frameql.Statement{SQL: `SELECT a.x, sum(b.n) FROM "` + table + `" a JOIN "` + table + `" b ON a.n = b.n WHERE b.n > 1 GROUP BY 1 ORDER BY 2 LIMIT 3`})
	if err != nil {
		t.Fatal(err)
	}
	first, scans := plan[0], 0
	if first.Depth != 0 || first.Name != "TOP_N" || first.Rows != -1 || !slices.Contains(first.Says, "Top: 3") {
		t.Errorf("%+v", first)
	}
	for i, o := range plan {
		if i > 0 && (o.Depth < 1 || o.Depth > plan[i-1].Depth+1) {
			t.Errorf("%+v does not stand under %+v", o, plan[i-1])
		}
		if o.Table != "" {
			scans++
			if o.Table != table || o.Rows < 0 {
				t.Errorf("%+v", o)
			}
		}
	}
	if scans != 2 {
		t.Errorf("%+v", plan)
	}
	if _, err := s.Plan(t.Context(), frameql.Statement{SQL: "CREATE TABLE t AS SELECT 1"}); fault.CodeOf(err) != fault.Unauthorized && fault.CodeOf(err) != fault.Invalid {
		t.Errorf("a write was explained: %v", err)
	}
}
