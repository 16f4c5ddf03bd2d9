package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/rules"
	"assay/backend/tool"
)

func factsOf(t *testing.T, w *Workspace, actor string) tool.Facts {
	t.Helper()
	a, err := w.Identify(actor, rules.Caller{})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return w.Facts(a)
}

// TestFactsOfTheSample looks things up in the sample, in columns and in dimensions that are computed.
func TestFactsOfTheSample(t *testing.T) {
	w := openTarget(t, Target{Sample: "northwind"}, t.TempDir())
	f := factsOf(t, w, "")
	ctx := context.Background()
	for _, c := range []struct{ entity, column, want string }{
		{"customers", "country", `{"entity":"customers","column":"country","dtype":"text","n_rows":91,"nunique":21,"null_rate":0,"cardinality_class":"low","kind_hint":"dimension","min":"Argentina","max":"Venezuela","top_values":[{"value":"USA","rows":13},{"value":"France","rows":11},{"value":"Germany","rows":11}`},
		{"orders", "order_id", `{"entity":"orders","column":"order_id","dtype":"integer","n_rows":830,"nunique":830,"null_rate":0,"cardinality_class":"unique","kind_hint":"key","min":10248,"max":11077,`},
		{"orders", "delivery_status", `{"entity":"orders","column":"delivery_status","dtype":"text","n_rows":830,"nunique":3,"null_rate":0,"cardinality_class":"very_low","kind_hint":"dimension","top_values":[{"value":"on time","rows":772},{"value":"late","rows":37},{"value":"not shipped","rows":21}]}`},
		{"orders", "shipped_date", `"nunique":387,"null_rate":0.02530120481927711,"cardinality_class":"medium","kind_hint":"time","min":"1996-07-10","max":"1998-05-06"`},
		{"customers", "contact_name", `{"entity":"customers","column":"contact_name","dtype":"text","n_rows":91,"nunique":91,"null_rate":0,"cardinality_class":"unique","kind_hint":"dimension","top_values":[]}`},
		{"employees", "full_name", `"nunique":9,"null_rate":0,"cardinality_class":"unique","kind_hint":"dimension","top_values":[]}`},
	} {
		p, err := f.Profile(ctx, c.entity, c.column)
		if err != nil {
			t.Errorf("%s.%s: %s", c.entity, c.column, fault.Detail(err))
			continue
		}
		if raw, err := json.Marshal(p); err != nil || !strings.Contains(string(raw), c.want) {
			t.Errorf("%s.%s is %s, %v", c.entity, c.column, raw, err)
		}
	}
	if _, err := f.Profile(ctx, "customers", "gone"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a column that is not there: %v", err)
	}
	d, err := f.Dependencies(ctx, "orders", []string{"order_id", "ship_city", "ship_country", "shipper_id"})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if got := fmt.Sprint(d.Rows, d.Constants, d.Keys, d.Equivalent, d.Edges, d.Left); got != "830 [] [[order_id]] [] [{order_id shipper_id} {order_id ship_city} {ship_city ship_country}] 0" {
		t.Errorf("orders: %s", got)
	}
	if d, err = f.Dependencies(ctx, "order_lines", nil); err != nil || fmt.Sprint(d.Keys) != "[[order_id product_id]]" || d.Left != 1 {
		t.Errorf("order lines: %+v, %v", d, err)
	}
	if d, err = f.Dependencies(ctx, "customers", []string{"customer_id", "company_name"}); err != nil || fmt.Sprint(d.Equivalent) != "[[customer_id company_name]]" {
		t.Errorf("customers: %+v, %v", d, err)
	}
	level := f.Level()
	if level.Level != "AA" || level.Counts["none"] != 0 || level.Counts["A"] != 0 || level.Counts["AA"] < 50 || len(level.Outstanding) != 0 {
		t.Errorf("%+v", level)
	}
	found, err := f.Search(ctx, "alfreds", 5)
	if err != nil || len(found) == 0 || found[0].Value != "Alfreds Futterkiste" || len(found) > 5 {
		t.Errorf("%+v, %v", found, err)
	}
	for _, personal := range []string{"Maria Anders", "Nancy", "Davolio"} {
		found, err := f.Search(ctx, personal, 20)
		for _, v := range found {
			if strings.Contains(v.Value, personal) {
				t.Errorf("%s is found: %+v, %v", personal, v, err)
			}
		}
	}
	if !f.Personal("customers.contact_name") || f.Personal("customers.country") || f.Personal("nothing.at_all") {
		t.Error("what is personal is not told")
	}
}

// TestServedFrom says where a query would be answered from before and after a frame was kept for it.
func TestServedFrom(t *testing.T) {
	w := openTarget(t, Target{Sample: "northwind"}, t.TempDir())
	q, err := frameql.Parse("SELECT categories.category_name, revenue")
	if err != nil {
		t.Fatal(err)
	}
	if got := factsOf(t, w, "").Served(q); got != "backend" {
		t.Errorf("before: %s", got)
	}
	if _, err := w.Materialize(context.Background(), q.String()); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if got := factsOf(t, w, "").Served(q); got != "engine_cache" {
		t.Errorf("after: %s", got)
	}
	if q, err = frameql.Parse("SELECT nothing"); err != nil {
		t.Fatal(err)
	}
	if got := factsOf(t, w, "").Served(q); got != "" {
		t.Errorf("what does not resolve: %s", got)
	}
}

// TestFactsStayInside: who may not see a table finds no fact of it, and what is measured stands in the audit log.
func TestFactsStayInside(t *testing.T) {
	dir := chain(t)
	write(t, dir, "rules/roles.yaml", "default_role: all\nroles:\n  - {name: all, schemas: [\"*\"], tables: [\"*\"], steward: true}\n  - {name: some, schemas: [main], tables: [orders]}\n")
	w := openTarget(t, Target{Dir: dir}, t.TempDir())
	ctx := context.Background()
	ana, bo := w.Facts(rules.Actor{ID: "ana", Kind: rules.Human, Role: "all"}), w.Facts(rules.Actor{ID: "bo", Kind: rules.Human, Role: "some"})
	if _, err := ana.Profile(ctx, "regions", "state"); err != nil {
		t.Fatal(fault.Detail(err))
	}
	for _, entity := range []string{"regions", "people", "vips"} {
		if _, err := bo.Profile(ctx, entity, "region_id"); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s: %v", entity, err)
		}
		if _, err := bo.Dependencies(ctx, entity, nil); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s: %v", entity, err)
		}
	}
	if _, err := bo.Dependencies(ctx, "orders", nil); err != nil {
		t.Error(fault.Detail(err))
	}
	if level := ana.Level(); level.Level != "A" || !strings.Contains(strings.Join(level.Outstanding, " "), "orders - people, 1 row has") {
		t.Errorf("%+v", level)
	}
	for _, s := range bo.Level().Outstanding {
		if strings.Contains(s, "regions") || strings.Contains(s, "people") {
			t.Errorf("%s", s)
		}
	}
	if found, err := bo.Search(ctx, "Norte", 5); err != nil || len(found) > 0 && found[0].Value == "Norte" {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err := ana.Search(ctx, "Norte", 5); err != nil || len(found) == 0 || found[0].Value != "Norte" {
		t.Errorf("%+v, %v", found, err)
	}
}
