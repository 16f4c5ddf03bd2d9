package frameql_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"assay/backend/fault"
	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// compiled reads a schema, checks it against the schema of schemas, and gives what validates a JSON text.
func compiled(t *testing.T, raw json.RawMessage) func(text []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "[frameql.") {
		t.Fatal("a description is missing from the catalogue")
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("query.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("query.json")
	if err != nil {
		t.Fatal(err)
	}
	return func(text []byte) error {
		inst, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		return s.Validate(inst)
	}
}

func marshalled(t *testing.T, q *Query) []byte {
	t.Helper()
	raw, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestSchemaTakesEveryQuery: whatever text can say is valid.
func TestSchemaTakesEveryQuery(t *testing.T) {
	valid := compiled(t, Schema())
	for _, text := range examples {
		q, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := valid(marshalled(t, q)); err != nil {
			t.Errorf("%s\n%v", text, err)
		}
	}
	for seed := range uint64(500) {
		if raw := marshalled(t, anyQuery(seeded(seed))); valid(raw) != nil {
			t.Fatalf("seed %d: %s\n%v", seed, raw, valid(raw))
		}
	}
}

// TestSchemaAndDecoderAgree bends queries at random: what the decoder takes is valid, and what is valid the decoder takes,
// but for what a schema cannot say.
func TestSchemaAndDecoderAgree(t *testing.T) {
	valid := compiled(t, Schema())
	beyond := []string{ // reasons that a schema cannot give
		"part of a name, is empty", "at most five parts", "has a grain already", "says at which grain", "stands twice", "is defined twice", "is not a period",
		"is not a date", "stands with a limit", "cannot be computed with exactly", "more than",
	}
	taken, refused := 0, 0
	for seed := range uint64(800) {
		r := rand.New(rand.NewPCG(seed, 1))
		dec := json.NewDecoder(bytes.NewReader(marshalled(t, anyQuery(seeded(seed%300)))))
		dec.UseNumber()
		var tree any
		if err := dec.Decode(&tree); err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(bent(r, tree))
		if err != nil {
			t.Fatal(err)
		}
		_, err = ParseJSON(raw)
		invalid := valid(raw)
		switch {
		case err == nil && invalid != nil:
			t.Fatalf("seed %d: taken and not valid: %s\n%v", seed, raw, invalid)
		case err != nil && invalid == nil && !slices.ContainsFunc(beyond, func(s string) bool { return strings.Contains(err.Error(), s) }):
			t.Fatalf("seed %d: valid and refused: %s\n%v", seed, raw, err)
		case err == nil:
			taken++
		default:
			refused++
			var j *JSONError
			if !errors.As(err, &j) && fault.CodeOf(err) != fault.Limit {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
	if taken < 50 || refused < 50 {
		t.Errorf("%d taken, %d refused", taken, refused)
	}
}

// bent changes one place of a JSON tree: leaves a key out, adds one, or puts another value there.
func bent(r *rand.Rand, tree any) any {
	var places []func()
	values := []any{nil, true, json.Number("3"), "x", "", "sum", "last", "a.month", []any{}, []any{"x"}, []any{json.Number("1"), json.Number("2")}, map[string]any{}, map[string]any{"metric": "m"}}
	keys := []string{"dim", "metric", "grain", "op", "val", "of", "args", "at", "star", "kind", "n", "unit", "as", "out", "expr", "filter", "x", "reduce", "fn", "num", "dir", "to", "from"}
	anyOf := func() any { return values[r.IntN(len(values))] }
	var walk func(v any, put func(any))
	walk = func(v any, put func(any)) {
		places = append(places, func() { put(anyOf()) })
		switch v := v.(type) {
		case map[string]any:
			places = append(places, func() { v[keys[r.IntN(len(keys))]] = anyOf() })
			for _, k := range slices.Sorted(maps.Keys(v)) {
				places = append(places, func() { delete(v, k) })
				walk(v[k], func(x any) { v[k] = x })
			}
		case []any:
			for i := range v {
				walk(v[i], func(x any) { v[i] = x })
			}
		}
	}
	walk(tree, func(x any) { tree = x })
	places[r.IntN(len(places))]()
	return tree
}

// TestNarrowTakesResolvedQueries: what resolves is valid in the schema of its model.
func TestNarrowTakesResolvedQueries(t *testing.T) {
	valid := compiled(t, Narrow(shop(), nil))
	resolved := 0
	check(t, 1000, func(rt *rapid.T) {
		plan, _ := Resolve(drawShopQuery(rt), env())
		if plan == nil {
			return
		}
		resolved++
		if raw := marshalled(t, plan.Query); valid(raw) != nil {
			rt.Fatalf("%s\n%v", raw, valid(raw))
		}
	})
	if resolved < 20 {
		t.Errorf("only %d resolved", resolved)
	}
}

func TestNarrowRefusesWhatIsNotThere(t *testing.T) {
	m := shop()
	m.Metrics[0].Hidden = false
	m.Metrics[1].Hidden = true // gross_revenue
	values := func(dimension string) []string {
		switch dimension {
		case "customers.country":
			return []string{"France", "Germany", "it's"}
		case "products.product_name":
			return strings.Split(numbered("%d", 101), ", ")
		case "addresses.town":
			return []string{"Paris"}
		}
		return nil
	}
	for i := range m.Entities {
		for j := range m.Entities[i].Dimensions {
			if d := &m.Entities[i].Dimensions[j]; d.Name == "last_name" {
				d.PII = "person_name"
			}
		}
	}
	valid := compiled(t, Narrow(m, values))
	const form = `{"select":[%s],"at":[%s],"where":%s,"time":{"on":"%s","period":{"kind":"last","n":3,"unit":"%s"}}}`
	good := []any{`{"metric":"revenue"}`, `"customers.country"`, `{"dim":"customers.country","op":"eq","val":"France"}`, "orders.order_date", "month"}
	say := func(at int, with string) []byte {
		all := slices.Clone(good)
		all[at] = with
		return fmt.Appendf(nil, form, all...)
	}
	for _, c := range []struct {
		at   int
		with string
		fine bool
	}{
		{0, `{"metric":"revenue"}`, true},
		{0, `{"metric":"profit"}`, false},
		{0, `{"metric":"Revenue"}`, false},       // the model's own spelling
		{0, `{"metric":"gross_revenue"}`, false}, // hidden
		{0, `{"reduce":"avg","of":{"metric":"order_lines.quantity"}}`, true},
		{0, `{"reduce":"avg","of":{"metric":"revenue","at":["customers"]}}`, true},
		{0, `{"reduce":"sum","of":{"op":"*","args":[{"metric":"order_lines.quantity"},{"metric":"order_lines.unit_price"}]}}`, true},
		{0, `{"reduce":"count","distinct":true,"of":{"metric":"customers"}}`, true},
		{0, `{"reduce":"avg","of":{"metric":"order_lines.weight"}}`, false},
		{0, `{"metric":"order_lines.quantity"}`, false}, // a column needs a reducer
		{0, `{"fn":"share","of":{"metric":"revenue"},"at":["customers.country"]}`, true},
		{0, `{"fn":"share","of":{"metric":"profit"}}`, false},
		{0, `{"op":"/","args":[{"metric":"revenue"},{"metric":"profit"}]}`, false},
		{0, `{"dim":"orders.order_date","grain":"month"}`, true},
		{0, `{"dim":"orders.order_date","grain":"hour"}`, false},
		{0, `{"dim":"orders.shipped_at","grain":"hour"}`, true},
		{0, `{"dim":"customers.country","grain":"month"}`, false},
		{1, `"orders.order_date.fiscal_quarter"`, true},
		{1, `"orders.order_date.decade"`, false},
		{1, `"month"`, true},
		{1, `"stock.\"day\""`, true}, // the dimension day of stock, not the time of stock by day
		{0, `{"reduce":"min","of":{"metric":"stock.day"}}`, true},
		{1, `"customers"`, true},
		{1, `"visits"`, false}, // has no key
		{1, `"ship_to.town"`, true},
		{1, `"ship_to.city"`, false},
		{1, `"country"`, false}, // by its entity
		{2, `{"dim":"customers.country","op":"eq","val":"Spain"}`, false},
		{2, `{"dim":"customers.country","op":"in","val":["France","it's"]}`, true},
		{2, `{"dim":"customers.country","op":"in","val":["France","Spain"]}`, false},
		{2, `{"dim":"customers.country","op":"contains","val":"an"}`, true},
		{2, `{"dim":"customers.city","op":"eq","val":"Anything"}`, true},
		{2, `{"dim":"products.product_name","op":"eq","val":"Anything"}`, true}, // too many to list
		{2, `{"dim":"ship_to.town","op":"eq","val":"Paris"}`, true},
		{2, `{"dim":"bill_to.town","op":"eq","val":"Rome"}`, false},
		{2, `{"dim":"orders.order_date","grain":"year","op":"eq","val":"1997"}`, true},
		{2, `{"quant":"no","entity":"orders"}`, true},
		{2, `{"quant":"no","entity":"returns"}`, false},
		{2, `{"quant":"any","entity":"orders","pred":{"dim":"customers.planet","op":"is_null"}}`, false},
		{2, `{"dim":"customers.city","op":"in_top","n":3,"expr":{"metric":"profit"}}`, false},
		{3, "orders.shipped_at", true},
		{3, "customers.country", false},
		{4, "fiscal_year", true},
		{4, "decade", false},
	} {
		raw := say(c.at, c.with)
		if _, err := ParseJSON(raw); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if err := valid(raw); (err == nil) != c.fine {
			t.Errorf("%s: fine is %v: %v", raw, c.fine, err)
		}
	}
	for _, raw := range []string{
		`{"select":[{"metric":"m"}],"with":[{"name":"m","expr":{"metric":"revenue"}}]}`, // names of its own
		`{"select":[{"metric":"revenue"}],"compare":[{"kind":"target","metric":"budget"}]}`,
		`{"select":[{"metric":"revenue"}],"from":["somewhere"]}`,
		`{"select":[{"metric":"revenue"}],"options":{"speed":"high"}}`,
		`{"select":[{"metric":"revenue"}],"options":{"calendar":"lunar"}}`,
	} {
		if valid([]byte(raw)) == nil {
			t.Errorf("%s is valid", raw)
		}
	}
	if strings.Contains(string(Narrow(m, func(string) []string { return []string{"Buchanan"} })), "last_name\",\"val") {
		t.Error("personal data is listed")
	}
}

// TestBriefSchema: it is a part of the narrowed one that says what a form needs, and a short budget costs lists, not the rest.
func TestBriefSchema(t *testing.T) {
	values := func(string) []string { return []string{"Germany", "France", strings.Repeat("long ", 40)} }
	for _, most := range []int{100, 10_000, 30_000} {
		m := shop()
		m.Metrics[0].Hidden = false // revenue
		raw := Brief(m, values, most)
		brief, narrow := compiled(t, raw), compiled(t, Narrow(m, values))
		for _, text := range []string{
			"SELECT customers.country, revenue WHERE customers.country <> 'Germany' DURING 1997 ORDER BY revenue DESC LIMIT 5",
			"SELECT orders.order_date.month, revenue COMPARE TO PREVIOUS PERIOD",
		} {
			q, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			e := env()
			e.Model = m
			plan, refusals := Resolve(q, e)
			if plan == nil {
				t.Fatal(text, refusals)
			}
			q = plan.Query
			if err := brief(marshalled(t, q)); err != nil {
				t.Errorf("%d: %s: %v", most, text, err)
			}
			if err := narrow(marshalled(t, q)); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
		for _, text := range []string{"SELECT revenue / order_count AS x", "SELECT revenue HAVING revenue > 5", "SELECT customers.country, revenue TOTALS"} {
			if q, err := Parse(text); err == nil && brief(marshalled(t, q)) == nil {
				t.Errorf("%d: %s is in a form", most, text)
			}
		}
		if most > 20_000 && brief([]byte(`{"select":[{"metric":"no_such_metric"}]}`)) == nil {
			t.Errorf("%d: a metric that is not there", most)
		}
		if strings.Contains(string(raw), `"not":{}`) {
			t.Errorf("%d: a list that allows nothing, of which no grammar can be made", most)
		}
	}
}

// TestNarrowFitsItsBudget: the schema of a large model stays small enough to hand to a language model.
func TestNarrowFitsItsBudget(t *testing.T) {
	m := &semantic.Model{Calendars: []semantic.Calendar{{Name: "fiscal", StartMonth: 7}, {Name: "retail", Pattern: "4-4-5"}}}
	for i := range 25 {
		e := semantic.Entity{Name: fmt.Sprintf("business_entity_%02d", i), Key: []string{"entity_id"}}
		for j := range 20 {
			d := semantic.Dimension{Name: fmt.Sprintf("descriptive_attribute_%02d", j), Type: semantic.Text}
			if j < 2 {
				d.Name, d.Type = fmt.Sprintf("event_date_%02d", j), semantic.Date
			}
			e.Dimensions = append(e.Dimensions, d)
		}
		m.Entities = append(m.Entities, e)
	}
	for i := range 200 {
		m.Metrics = append(m.Metrics, semantic.Metric{Name: fmt.Sprintf("average_something_per_thing_%03d", i)})
	}
	values := func(string) []string {
		all := make([]string, 90)
		for i := range all {
			all[i] = fmt.Sprintf("a value of some length %03d", i)
		}
		return all
	}
	raw := Narrow(m, values)
	t.Logf("%d metrics, %d dimensions: %d bytes (of any model: %d)", len(m.Metrics), 500, len(raw), len(Schema()))
	if len(raw) > 200_000 {
		t.Errorf("%d bytes", len(raw))
	}
	valid := compiled(t, raw)
	if err := valid([]byte(`{"select":[{"metric":"average_something_per_thing_199"}],"at":["business_entity_24.event_date_01.fiscal_week"]}`)); err != nil {
		t.Error(err)
	}
	if !bytes.Equal(raw, Narrow(m, values)) {
		t.Error("two runs differ")
	}
}
