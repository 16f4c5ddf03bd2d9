package frameql

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/semantic"
)

func shop(t *testing.T) Env {
	t.Helper()
	m, err := semantic.Seal(&semantic.Model{
		Name: "shop",
		Entities: []semantic.Entity{
			{Name: "orders", Label: "Orders", Key: []string{"order_id"}, Source: semantic.Source{Table: "orders"}, DefaultTime: "order_date", Dimensions: []semantic.Dimension{
				{Name: "order_id", Type: semantic.Integer},
				{Name: "order_date", Type: semantic.Date},
				{Name: "ship_country", Type: semantic.Text, Synonyms: []string{"destination"}},
				{Name: "city", Type: semantic.Text},
				{Name: "contact", Type: semantic.Text, PII: "person_name", Values: []string{"Ana"}},
			}},
			{Name: "shops", Label: "Shops", Key: []string{"city"}, Source: semantic.Source{Table: "shops"}, Dimensions: []semantic.Dimension{{Name: "city", Type: semantic.Text}}},
		},
		Metrics: []semantic.Metric{
			{Name: "revenue", Entity: "orders", Kind: semantic.Leaf, Expr: "order_id", Reducer: semantic.Sum, Unit: "USD"},
			{Name: "inner", Entity: "orders", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count, Hidden: true},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return Env{Model: m, Now: time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC), Values: func(d string) ([]string, bool) {
		if d == "orders.ship_country" {
			return []string{"Germany", "Ghana", "Côte d'Ivoire"}, true
		}
		return nil, false
	}}
}

// TestComplete writes a query up to "|" and looks at what is offered there.
func TestComplete(t *testing.T) {
	env := shop(t)
	for _, c := range []struct {
		written string
		has     []string // among the offers, in this order
		lacks   []string
	}{
		{"|", []string{"SELECT"}, []string{"revenue"}},
		{"SEL|", []string{"SELECT"}, []string{"EXPLAIN"}},
		{"SELECT |", []string{"revenue", "ship_country"}, []string{"inner", "orders"}},
		{"SELECT rev|", []string{"revenue"}, []string{"ship_country"}},
		{"SELECT destin|", []string{"ship_country"}, nil},
		{"SELECT cit|", []string{"orders.city", "shops.city"}, nil},
		{"SELECT orders.|", []string{"order_date", "ship_country"}, []string{"revenue", "FROM"}},
		{"SELECT order_date.|", []string{"month"}, []string{"revenue"}},
		{"SELECT revenue |", []string{"DURING", "ORDER BY"}, []string{"revenue", "SELECT"}},
		{"SELECT revenue FROM |", []string{"orders", "shops"}, []string{"revenue"}},
		{"SELECT revenue AT |", []string{"ship_country"}, []string{"revenue"}},
		{"SELECT revenue WHERE |", []string{"ship_country"}, []string{"revenue"}},
		{"SELECT revenue WHERE ship_country = |", []string{"'Germany'", "'Côte d''Ivoire'"}, []string{"revenue"}},
		{"SELECT revenue WHERE ship_country = 'G|", []string{"'Germany'", "'Ghana'"}, []string{"'Côte d''Ivoire'"}},
		{"SELECT revenue WHERE orders.ship_country IN ('Ghana', 'Ger|", []string{"'Germany'"}, nil},
		{"SELECT revenue WHERE contact = |", nil, []string{"'Ana'"}},
		{"SELECT revenue DURING |", []string{"2026", "LAST 12 MONTH", "YTD"}, []string{"revenue"}},
		{"SELECT revenue DURING LAST 3 |", []string{"MONTH"}, []string{"revenue"}},
		{"SELECT revenue AS turnover, ship_country ORDER BY |", []string{"turnover", "revenue"}, nil},
		{"SELECT revenue AS |", nil, []string{"revenue", "ship_country"}},
		{"SELECT revenue TOP 3 |", []string{"ship_country"}, []string{"revenue"}},
		{"SELECT revenue TOP 3 ship_country BY |", []string{"revenue"}, nil},
		{"SELECT revenue OPTIONS (|", []string{"tz", "week_start"}, []string{"revenue"}},
		{"SELECT revenue COMPARE |", nil, []string{"revenue"}},
		{"SELECT \"ship|", []string{`"ship_country"`}, nil},
		{"SELECT revenue -- |", nil, []string{"ship_country"}},
		{"SELECT ( ( , revenue WHERE |", []string{"ship_country"}, nil},
	} {
		at := strings.Index(c.written, "|")
		from, all := Complete(strings.Replace(c.written, "|", "", 1), at, env)
		var offered []string
		for _, x := range all {
			offered = append(offered, x.Text)
		}
		if from > at {
			t.Errorf("%s: it replaces from %d, behind the cursor", c.written, from)
		}
		last := -1
		for _, want := range c.has {
			i := slices.Index(offered, want)
			if i < 0 || i < last && c.written != "SELECT |" {
				t.Errorf("%s: %s stands at %d of %v", c.written, want, i, offered)
			}
			last = max(last, i)
		}
		for _, no := range c.lacks {
			if slices.Contains(offered, no) {
				t.Errorf("%s: offers %s", c.written, no)
			}
		}
	}
}

// TestCompletionsAreTaken puts what is offered into the text: the query that comes out is read as far as before.
func TestCompletionsAreTaken(t *testing.T) {
	env := shop(t)
	full := "SELECT ship_country, revenue DURING LAST 3 MONTH WHERE ship_country = 'Germany' ORDER BY revenue DESC LIMIT 5"
	for at := range len(full) + 1 {
		from, all := Complete(full[:at], at, env)
		for _, x := range all {
			if o := Open(full[:from]+x.Text, from+len(x.Text)); o.From > from+len(x.Text) {
				t.Errorf("after %q at %d: %+v", x.Text, at, o)
			}
		}
	}
}

func TestExamine(t *testing.T) {
	env := shop(t)
	for _, c := range []struct{ source, at, code string }{
		{"SELECT revenue WERE x = 1", "WERE", "SYNTAX"},
		{"SELECT  reveneu\n  AT ship_country", "reveneu", "UNKNOWN_NAME"},
		{"WHERE", "WHERE", "SYNTAX"},
		{"SELECT revenue, \"nothing\" WHERE ship_country = 'x'", "\"nothing\"", "UNKNOWN_NAME"},
		{"SELECT revenue LIMIT 5 WHERE nowhere = 'x'", "nowhere", "UNKNOWN_NAME"},
	} {
		plan, _, wrong := Examine(c.source, env)
		if plan != nil || len(wrong) == 0 {
			t.Errorf("%q: nothing is wrong", c.source)
			continue
		}
		if got := c.source[wrong[0].Span[0]:wrong[0].Span[1]]; got != c.at && !strings.HasPrefix(got, c.at) || wrong[0].Code != c.code {
			t.Errorf("%q: %s at %q, want %s at %q", c.source, wrong[0].Code, got, c.code, c.at)
		}
	}
	plan, canonical, wrong := Examine("select revenue by_nothing", env)
	if plan != nil || canonical != "" || len(wrong) != 1 {
		t.Errorf("a text that is no query gives %q %v", canonical, wrong)
	}
	if plan, canonical, wrong := Examine("select revenue at ship_country", env); plan == nil || len(wrong) > 0 || !strings.HasPrefix(canonical, "SELECT revenue") {
		t.Errorf("a good query gives %v %q %v", plan, canonical, wrong)
	}
}

// FuzzComplete: whatever is written, asking what may follow ends and changes nothing behind the cursor.
func FuzzComplete(f *testing.F) {
	for _, s := range []string{"SELECT rev", "SELECT 'a", "\"", "SELECT a.b.", "SELECT (((", "é"} {
		f.Add(s, len(s))
	}
	f.Fuzz(func(t *testing.T, s string, at int) {
		if from, _ := Complete(s, at, Env{Model: &semantic.Model{}}); from < 0 || from > len(s) {
			t.Errorf("replaces from %d of %d", from, len(s))
		}
	})
}
