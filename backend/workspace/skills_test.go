package workspace

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/rules"
	"assay/backend/tool"
)

// TestSkillOfTheSample runs the sample's skill on the sample's data, and compares with the same in SQL.
func TestSkillOfTheSample(t *testing.T) {
	w := openTarget(t, Target{Sample: "northwind"}, t.TempDir())
	tools, problems := w.Skills()
	if len(tools) != 1 || len(problems) > 0 {
		t.Fatalf("%v %v", tools, problems)
	}
	ctx := context.Background()
	desk := &tool.Desk{Run: func(ctx context.Context, q *frameql.Query) (tool.Ran, error) {
		plan, refusals := frameql.Resolve(q, w.env(noon()))
		if len(refusals) > 0 {
			return tool.Ran{Refusals: refusals}, nil
		}
		statement, err := plan.Statement(frameql.DuckDB)
		if err != nil {
			return tool.Ran{}, err
		}
		frame, err := w.Query(ctx, statement)
		if err == nil {
			frame.Columns = plan.Columns
		}
		return tool.Ran{Query: plan.Query, Frame: frame, ID: "art_s_1_0"}, err
	}}
	r, err := tools[0].Do(ctx, desk, nil)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if r.Problem != nil {
		t.Fatal(r.Problem.Message)
	}
	var said struct {
		Strength json.Number `json:"strength"`
		Months   int         `json:"months"`
	}
	if err := json.Unmarshal(tool.Encode(r.Body), &said); err != nil {
		t.Fatal(err)
	}
	want, err := w.Query(ctx, frameql.Statement{Dialect: frameql.DuckDB, SQL: `
		WITH m AS (SELECT date_trunc('month', o."OrderDate") AS starts, sum(d."UnitPrice" * d."Quantity" * (1 - d."Discount")) AS v FROM "Order_Details" d JOIN "Orders" o ON o."OrderID" = d."OrderID" GROUP BY 1),
		whole AS (SELECT month(starts) AS which, CAST(v AS DOUBLE) AS v FROM m WHERE starts > (SELECT min(starts) FROM m) AND starts < (SELECT max(starts) FROM m)),
		means AS (SELECT avg(v) AS v, count(*) AS n FROM whole GROUP BY which)
		SELECT CAST(round(sum(n * power(v - (SELECT avg(v) FROM whole), 2)) / (SELECT var_pop(v) * count(*) FROM whole), 4) AS VARCHAR), (SELECT count(*) FROM whole) FROM means`})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if want.Rows[0][0] != said.Strength.String() || want.Rows[0][1] != int64(said.Months) {
		t.Errorf("the skill says %s of %d months, SQL %v: %s", said.Strength, said.Months, want.Rows[0], tool.Encode(r.Body))
	}
	t.Logf("%s", tool.Encode(r.Body))
}

// TestWrongSkillsStopNothing: a workspace opens whatever its skills are, says what is wrong where, and takes mended files over.
func TestWrongSkillsStopNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "skilled")
	write(t, dir, "data/orders.csv", ordersCSV)
	write(t, dir, "workspace.yaml", "workspace: skilled\nsources: [data/orders.csv]\n")
	write(t, dir, "skills/a.star", "x = 1\ny = z\n")
	write(t, dir, "skills/b.star", "skill(name = 'b_one', doc = 'One.', run = lambda: {'a': 1})\n")
	w := openTarget(t, Target{Dir: dir}, t.TempDir())
	tools, problems := w.Skills()
	if len(tools) != 1 || tools[0].Name != "b_one" || len(problems) != 1 || !strings.HasPrefix(problems[0].String(), "skills/a.star:2: ") {
		t.Fatalf("%v %v", tools, problems)
	}
	write(t, dir, "skills/a.star", "skill(name = 'a_one', doc = 'Another one.', run = lambda: {'a': 1})\n")
	w.TakeOver(context.Background())
	if tools, problems = w.Skills(); len(tools) != 2 || len(problems) > 0 {
		t.Errorf("%v %v", tools, problems)
	}
	if own, _ := w.OwnSkills(); len(own) != 2 {
		t.Errorf("who runs it sees %d skills", len(own))
	}
	if got := len(w.skillsOf(rules.Actor{ID: "x", Kind: rules.Human, Role: "nobody"})); got != 0 {
		t.Errorf("who sees nothing uses %d skills", got)
	}
}
