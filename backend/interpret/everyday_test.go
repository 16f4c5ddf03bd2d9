package interpret

import (
	"slices"
	"testing"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// library is a small model with what the traders do not have: a price that does not add up, a flag kept as text, years in
// a column, a type code, and members without a name.
func library() (*semantic.Model, []ValueSet) {
	text, integer, decimal := semantic.Text, semantic.Integer, semantic.Decimal
	m := &semantic.Model{Name: "library", Version: "sha256:test"}
	m.Entities = []semantic.Entity{
		entity("books", "Books", []string{"book_id"}, "title", "",
			dim("book_id", integer), dim("title", text), dim("price", decimal, measured, func(d *semantic.Dimension) { d.NonAdditive = true }),
			dim("pages", integer, measured), dim("year", integer), dim("book_type", text), dim("lent", text), dim("budget_in_euros", decimal, measured)),
		entity("copies", "Copies", []string{"copy_id"}, "", "", dim("copy_id", integer), dim("book_id", integer), dim("shelf", text), dim("weight", decimal, measured),
			dim("keeper", text, personal), dim("year", integer)),
	}
	m.Joins = []semantic.Join{link("copies", "books", "book_id")}
	return m, []ValueSet{
		{Entity: "books", Dimension: "lent", Values: []string{"0", "1"}, Complete: true},
		{Entity: "books", Dimension: "book_type", Values: []string{"novel", "atlas"}, Complete: true},
	}
}

func TestEverydayQuestionsOverColumns(t *testing.T) {
	asks(t, "library", []struct{ question, query string }{
		{"price by book type", "SELECT books.book_type, AVG(books.price)"},
		{"price by type of book", "SELECT books.book_type, AVG(books.price)"},
		{"pages by book type", "SELECT books.book_type, SUM(books.pages)"},
		{"lent books", "SELECT books.title AT books WHERE books.lent = '1'"},
		{"books that are not lent", "SELECT books.title AT books WHERE books.lent = '0'"},
		{"how many books in 2013", `SELECT COUNT(*) FROM books WHERE books."year" = 2013`},
		{"list books since 2010", `SELECT books.title AT books WHERE books."year" >= 2010`},
		{"list books from 2010 to 2012", `SELECT books.title AT books WHERE books."year" BETWEEN 2010 AND 2012`},
		{"list copies", `SELECT copies.copy_id, copies.weight, copies.shelf, copies."year" AT copies`},
		{"copies heavier than 2", `SELECT copies.copy_id, copies.weight, copies.shelf, copies."year" AT copies WHERE copies.weight > 2`},
		{"total budget", "SELECT SUM(books.budget_in_euros)"},
		{"title and pages of each book", "SELECT books.title, books.pages AT books"},
	})
}

func TestATotalOfWhatDoesNotAddUpIsRefused(t *testing.T) {
	m, values := library()
	r := NewIndex(m, values).Read(Request{Question: "total price by book type", Env: frameql.Env{Model: m}})
	if r.Refusal == nil || r.Refusal.Code != "NON_ADDITIVE_GRAIN" || len(r.Refusal.Repairs) != 1 {
		t.Fatalf("%s", outcome(r))
	}
	if want := "SELECT books.book_type, AVG(books.price)"; r.Refusal.Repairs[0].FrameQL != want {
		t.Errorf("repair %s, want %s", r.Refusal.Repairs[0].FrameQL, want)
	}
}

func TestAnAmountWithoutANameIsAskedBack(t *testing.T) {
	r := ask(t, "how much did customers in Spain spend")
	if r.Clarify == nil || r.Clarify.BestGuess.Value != "SELECT revenue WHERE customers.country = 'Spain'" {
		t.Errorf("%s", outcome(r))
	}
}

func TestAnAverageOfAComputedSumOffersItsRatios(t *testing.T) {
	m := traders()
	m.Metrics = append(m.Metrics, semantic.Metric{Name: "revenue_per_unit", Kind: semantic.Ratio, Numerator: "revenue", Denominator: "units_sold"})
	r := NewIndex(m, traderValues()).Read(Request{Question: "average revenue", Env: traderEnv(m)})
	if r.Clarify == nil || !slices.ContainsFunc(r.Clarify.Options, func(c Choice) bool { return c.Value == "SELECT revenue_per_unit" }) {
		t.Errorf("%s", outcome(r))
	}
}

func TestRefusalsNameWhatIsWrongAndNothingElse(t *testing.T) {
	for _, c := range []struct{ question, code, message string }{
		{"freight by product", "FANOUT_DIMENSION", ""},
		{"Bottom 3 gizmos by revenue", "NOT_IN_DATA", "Nothing in this workspace is called “gizmos”."},
		{"bananas by country", "NOT_IN_DATA", "Nothing in this workspace is called “bananas”."},
	} {
		t.Run(c.question, func(t *testing.T) {
			r := ask(t, c.question)
			if r.Refusal == nil || r.Refusal.Code != c.code || c.message != "" && r.Refusal.Message != c.message {
				t.Errorf("%s", outcome(r))
			}
		})
	}
}

func TestANumberIsNeverDroppedFromAList(t *testing.T) {
	for _, q := range []string{"average freight of the 3 most expensive products", "total revenue of products with the highest unit price"} {
		if r := ask(t, q); r.Reading != nil && r.Clarify == nil && !slices.ContainsFunc(r.Reading.Query.Select, func(i frameql.Item) bool { return i.Expr != nil }) {
			t.Errorf("%s: %s", q, outcome(r))
		}
	}
}

func TestBoundsThatExcludeEachOtherAreNoReading(t *testing.T) {
	if r := ask(t, "products with unit price above 50 and unit price below 10"); r.Reading != nil && r.Clarify == nil {
		t.Errorf("%s", outcome(r))
	}
}

func TestMembersThatAreOnlySortedByANumberAreShown(t *testing.T) {
	for q, want := range map[string]string{
		"categories sorted by revenue":               "SELECT categories.category_name, revenue AT categories ORDER BY revenue",
		"list customers in Germany sorted by orders": "SELECT customers.company_name, order_count AT customers WHERE customers.country = 'Germany' ORDER BY order_count",
		"shippers in descending order of freight":    "SELECT shippers.company_name, freight AT shippers ORDER BY freight DESC",
	} {
		if r := ask(t, q); r.Reading == nil || r.Clarify != nil || r.Reading.Query.String() != want {
			t.Errorf("%q: %s", q, outcome(r))
		}
	}
}
