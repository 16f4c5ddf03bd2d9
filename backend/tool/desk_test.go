package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/semantic"
	"assay/backend/session"
)

// ctx0 keeps signatures of fakes short.
type ctx0 = context.Context

// desk is a desk over the sample's model whose data is made up: five categories and some countries.
type desk struct {
	Desk
	artifacts map[string]session.Artifact
	shown     []session.Artifact
	rows      int // of a frame that is run
}

func values() []interpret.ValueSet {
	set := func(entity, dimension string, all ...string) interpret.ValueSet {
		return interpret.ValueSet{Entity: entity, Dimension: dimension, Values: all, Complete: true}
	}
	return []interpret.ValueSet{
		set("customers", "country", "Germany", "USA", "UK", "France"), set("customers", "company_name", "Alfreds Futterkiste", "Ernst Handel"),
		set("categories", "category_name", "Beverages", "Condiments", "Dairy Products", "Seafood", "Confections"),
	}
}

func northwind(t testing.TB) *desk {
	t.Helper()
	m, err := sample()
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return deskOver(m, sampleIndex())
}

// The sample's model and the reader over it belong to all tests: making them is what takes time.
var (
	sample      = sync.OnceValues(func() (*semantic.Model, error) { return semantic.Load(os.DirFS("../../context/samples/northwind")) })
	sampleIndex = sync.OnceValue(func() *interpret.Index {
		m, err := sample()
		if err != nil {
			panic(err) // said before
		}
		return interpret.NewIndex(m, values())
	})
)

func deskOf(m *semantic.Model) *desk { return deskOver(m, interpret.NewIndex(m, values())) }

func deskOver(m *semantic.Model, index *interpret.Index) *desk {
	sets := values()
	env := frameql.Env{
		Model: m, Now: time.Date(1998, 5, 6, 0, 0, 0, 0, time.UTC),
		Coverage: func(string) (first, last time.Time, ok bool) {
			return time.Date(1996, 7, 4, 0, 0, 0, 0, time.UTC), time.Date(1998, 5, 6, 0, 0, 0, 0, time.UTC), true
		},
		Values: func(dimension string) ([]string, bool) {
			for _, s := range sets {
				if s.Entity+"."+s.Dimension == dimension {
					return s.Values, true
				}
			}
			return nil, false
		},
	}
	d := &desk{artifacts: map[string]session.Artifact{}, rows: 3}
	d.Desk = Desk{
		Model: m, Env: env,
		Read: func(words string) interpret.Result {
			return index.Read(interpret.Request{Question: words, Env: env, NowFromData: true})
		},
		Served: func(*frameql.Query) string { return "backend" },
		Level: func() Attested {
			return Attested{Level: "A", Counts: map[string]int{"A": 1, "AA": 10}, Outstanding: []string{"orders: 2 rows have no partner"}}
		},
		Run: d.run,
		RunSQL: func(_ context.Context, sql string) (Ran, error) {
			f := &frameql.Frame{Columns: []frameql.Column{{Name: "Country", Role: frameql.RoleDimension, Type: "text"}}, Rows: [][]any{{"USA"}}, RowCount: 1, SQL: sql}
			return Ran{SQL: sql, Frame: f, ID: "art_s1_2_0", Level: "none", Served: "backend"}, nil
		},
		Recall: func(_ context.Context, id string) (session.Artifact, bool, error) {
			a, ok := d.artifacts[id]
			return a, ok, nil
		},
		Show: func(kind session.Kind, title string, body any) (string, error) {
			raw, err := json.Marshal(body)
			a := session.Artifact{ID: fmt.Sprintf("art_s1_1_%d", 3+len(d.shown)), Kind: kind, Title: title, Body: raw}
			d.shown = append(d.shown, a)
			return a.ID, err
		},
		Narrate: func(context.Context, string, string) (string, error) {
			return "Dairy Products has the highest revenue of 5 categories.", nil
		},
		Followups: func(context.Context, string) ([]session.Followup, error) {
			return []session.Followup{{Title: "By month", Question: "Revenue by month in 1997"}}, nil
		},
		Profile: func(_ context.Context, entity, column string) (Profile, error) {
			return Profile{
				Entity: entity, Column: column, Type: "text", Rows: 91, Distinct: 21, Cardinality: "low", Hint: "dimension", Min: "Argentina", Max: "Venezuela",
				Top: []TopValue{{"USA", 13}, {"France", 11}},
			}, nil
		},
		Dependencies: func(_ context.Context, entity string, columns []string) (Dependencies, error) {
			return Dependencies{Entity: entity, Rows: 830, Keys: [][]string{{"order_id"}}, Edges: []Edge{{"order_id", "ship_city"}, {"ship_city", "ship_country"}}}, nil
		},
		Search: func(_ context.Context, words string, _ int) ([]Value, error) {
			return []Value{{"customers.company_name", "Alfreds Futterkiste", 0.92}, {"customers.contact_name", "Maria Anders", 0.9}, {"customers.gone", "x", 0.5}}, nil
		},
	}
	d.put("art_s1_1_0", "Revenue by category", categories())
	return d
}

func (d *desk) put(id, title string, f *frameql.Frame) {
	raw, err := json.Marshal(f)
	if err != nil {
		panic(err)
	}
	d.artifacts[id] = session.Artifact{ID: id, Kind: session.KindFrame, Title: title, Body: raw}
}

// run gives a frame of made-up cells: members m1, m2 ... and numbers 1.5, 3, 4.5 ...
func (d *desk) run(_ context.Context, q *frameql.Query) (Ran, error) {
	plan, refusals := frameql.Resolve(q, d.Env)
	if len(refusals) > 0 {
		return Ran{Refusals: refusals}, nil
	}
	f := &frameql.Frame{Columns: plan.Columns, FrameQL: plan.Query.String(), RowCount: d.rows}
	for i := range d.rows {
		var row []any
		for _, c := range plan.Columns {
			switch {
			case c.Role != frameql.RoleDimension:
				row = append(row, json.Number(fmt.Sprintf("%d.%d", (3*(i+1))/2, (5*(i+1))%10)))
			case c.Type == "date":
				row = append(row, time.Date(1996, time.Month(7+i), 1, 0, 0, 0, 0, time.UTC).Format("2006-01-02"))
			case c.Name == "category_name" && i < 5:
				row = append(row, categories().Rows[i][0])
			default:
				row = append(row, fmt.Sprintf("m%d", i+1))
			}
		}
		f.Rows = append(f.Rows, row)
	}
	d.put("art_s1_1_2", "ran", f)
	return Ran{Query: plan.Query, Frame: f, ID: "art_s1_1_2", Level: "AA", Served: "backend"}, nil
}

func text1(name string) frameql.Column {
	return frameql.Column{Name: name, Label: name, Role: frameql.RoleDimension, Type: "text", Dimension: "categories." + name}
}

func money(name string) frameql.Column {
	return frameql.Column{Name: name, Label: name, Role: frameql.RoleMetric, Type: "decimal", Unit: "USD", Metric: name, Additivity: "additive"}
}

func categories() *frameql.Frame {
	return &frameql.Frame{
		ID: "frm_1", FrameQL: "SELECT categories.category_name, revenue DURING 1997 ORDER BY revenue DESC", Columns: []frameql.Column{text1("category_name"), money("revenue")}, RowCount: 5,
		Rows: [][]any{
			{"Dairy Products", json.Number("114749.78")},
			{"Beverages", json.Number("103924.3")},
			{"Confections", json.Number("82657.75")},
			{"Seafood", json.Number("65544.19")},
			{"Condiments", json.Number("53005.105")},
		},
	}
}

// call calls a tool and gives the result with its body as a model gets it.
func call(t testing.TB, d *desk, tool, arguments string) (Result, string) {
	t.Helper()
	one, ok := Find(tool)
	if !ok {
		t.Fatalf("there is no tool %s", tool)
	}
	r, err := one.Do(context.Background(), &d.Desk, json.RawMessage(arguments))
	if err != nil {
		t.Fatalf("%s %s: %s", tool, arguments, fault.Detail(err))
	}
	if (r.Body == nil) == (r.Problem == nil) {
		t.Fatalf("%s %s gives %v and %v", tool, arguments, r.Body, r.Problem)
	}
	if r.Problem != nil {
		return r, string(Encode(r.Problem))
	}
	return r, string(Encode(r.Body))
}

func contains(t testing.TB, got string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(got, w) {
			t.Errorf("%s\nlacks %s", got, w)
		}
	}
}
