package api

import (
	"slices"
	"testing"
)

func TestValuesOfAColumn(t *testing.T) {
	_, web := serving(t)
	var v ValuesView
	if status := get(t, web.URL+"/api/values?table=categories&column=category_name", &v); status != 200 || v.State != "fresh" || len(v.Values) != 8 || !slices.IsSorted(v.Values) || v.Loaded == nil {
		t.Errorf("%d %+v", status, v)
	}
	var capped ValuesView
	if get(t, web.URL+"/api/values?table=orders&column=order_id", &capped); capped.State != "capped" || capped.Values == nil || len(capped.Values) != 0 {
		t.Errorf("%+v", capped)
	}
	for query, want := range map[string]int{
		"table=customers&column=contact_name": 403, "table=customers&column=shoe_size": 404, "table=nothing&column=city": 404, "table=orders": 422,
	} {
		var p Problem
		if status := get(t, web.URL+"/api/values?"+query, &p); status != want || p.Message == "" {
			t.Errorf("%s: %d %+v", query, status, p)
		}
	}
}
