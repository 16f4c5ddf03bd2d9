package retrieval

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func vectorOf(t testing.TB, text string, frameQL bool) []float32 {
	t.Helper()
	v, err := BuiltIn().Embed(context.Background(), text, frameQL)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The vectors of version 1. Stored vectors are compared with new ones, so that a change here must come with another version.
func TestVectorsAreThoseOfTheVersion(t *testing.T) {
	for _, c := range []struct {
		text    string
		frameQL bool
		want    string
	}{
		{"revenue by category in 1997", false, "38b7fa0d71a00409"},
		{"Wie hoch waren die Umsätze je Région?", false, "16e3ed35089a9956"},
		{"", false, "a6b4274277a5ed42"},
		{"SELECT category, revenue DURING 1997 WHERE customers.country = 'Germany' TOP 5 category BY revenue", true, "cfedd8b7b9ce0b00"},
	} {
		sum := sha256.New()
		for _, x := range vectorOf(t, c.text, c.frameQL) {
			// To one part in 2^16: fused multiplication of some processors changes the last bits.
			_ = binary.Write(sum, binary.LittleEndian, int32(math.Round(float64(x)*65536)))
		}
		if got := hex.EncodeToString(sum.Sum(nil))[:16]; got != c.want || BuiltIn().ID != "assay-ngrams-1" {
			t.Errorf("%q: vector %s, want %s (%s)", c.text, got, c.want, BuiltIn().ID)
		}
	}
}

func TestVectorsHaveUnitLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([a-z]{1,9} ){0,12}`), rapid.Just(strings.Repeat("x ", 9000))).Draw(t, "text")
		v, err := BuiltIn().Embed(context.Background(), text, rapid.Bool().Draw(t, "frameql"))
		if length := dot(v, v); err != nil || len(v) != builtInDimensions || math.Abs(length-1) > 1e-4 {
			t.Fatalf("%d dimensions, length %v, %v", len(v), length, err)
		}
	})
}

func TestWordsThatAreTheSame(t *testing.T) {
	for _, pair := range [][2]string{
		{"Revenue by Category", "revenue BY category!"},
		{"orders by employee", "purchases per staff member"},
		{"umsätze", "Umsatze"},
		{"how many customers are there", "number of clients"},
		{"revenue by month", "please show me the monthly revenue"},
		{"the customer's orders", "customers orders"},
	} {
		if s := like(t, pair[0], pair[1]); s < 0.9 {
			t.Errorf("%q and %q: %.2f", pair[0], pair[1], s)
		}
	}
	if s := like(t, "revenue by categroy", "revenue by category"); s < 0.5 {
		t.Errorf("a misspelling: %.2f", s)
	}
	if s := like(t, "", "revenue by category"); math.Abs(s) > 0.2 {
		t.Errorf("nothing: %.2f", s)
	}
}

// What asks for something else must not pass as the same, however alike the words are.
func TestAnotherQuestionIsNeverTheSame(t *testing.T) {
	for _, pair := range [][2]string{
		{"average revenue by region", "revenue by region"},
		{"top 5 customers by revenue", "bottom 5 customers by revenue"},
		{"orders with a discount", "orders without a discount"},
		{"revenue by category", "revenue by country"},
		{"customers above 30 orders", "customers below 30 orders"},
		{"revenue by month", "revenue by year"},
		{"number of distinct customers by month", "number of customers by month"},
	} {
		if s := like(t, pair[0], pair[1]); s > 0.93 {
			t.Errorf("%q and %q: %.2f", pair[0], pair[1], s)
		}
	}
}

func TestFrameQLIsComparedByItsClauses(t *testing.T) {
	golden := "SELECT category, revenue DURING 1997"
	ordered := []string{
		"SELECT category, revenue DURING 1997",
		"SELECT category, revenue DURING 1998",
		"SELECT category, revenue WHERE customers.country = 'Germany' DURING 1997",
		"SELECT country, revenue DURING 1997",
		"SELECT ship_country, COUNT(*) FROM orders WHERE freight > 100 ORDER BY ship_country LIMIT 10",
	}
	before := 2.0
	for _, q := range ordered {
		s := dot(vectorOf(t, golden, true), vectorOf(t, q, true))
		t.Logf("%.2f  %s", s, q)
		if s > before+1e-6 {
			t.Errorf("%q is nearer (%.2f) than the one before (%.2f)", q, s, before)
		}
		before = s
	}
	if before > 0.3 {
		t.Errorf("another query altogether: %.2f", before)
	}
	where := dot(vectorOf(t, "SELECT revenue WHERE region = 'x'", true), vectorOf(t, "SELECT region WHERE revenue = 'x'", true))
	if where > 0.7 {
		t.Errorf("names in other clauses: %.2f", where)
	}
}

func BenchmarkEmbed(b *testing.B) {
	e := BuiltIn()
	for b.Loop() {
		_, _ = e.Embed(context.Background(), "top 10 customers by revenue in the last quarter compared with the year before", false)
	}
}

// TestNamesOfAModel: texts that call a thing of the model by another of its names are nearer, what only shapes an answer is never a name, and other names are another embedder.
func TestNamesOfAModel(t *testing.T) {
	names := [][]string{{"Berth fee", "mooring charge", "wharfage"}, {"Vessel", "hull", "top"}, {"Skipper", "hand"}, {"Crew", "hand"}}
	by := BuiltIn(names...)
	alike := func(e Embedder, a, b string) float64 {
		x, err := e.Embed(t.Context(), a, false)
		y, err2 := e.Embed(t.Context(), b, false)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		return dot(x, y)
	}
	for _, c := range []struct {
		a, b  string
		least float64
		most  float64
	}{
		{"wharfage by vessel", "berth fee per hull", 0.99, 1},
		{"mooring charges in May", "berth fees in May", 0.99, 1},
		{"wharfage", "vessel", 0, 0.5},
		{"top vessel", "vessel", 0, 0.9},       // a name that ranks
		{"hand by day", "crew by day", 0, 0.9}, // of two things, and so of none
	} {
		if got := alike(by, c.a, c.b); got < c.least || got > c.most+1e-6 {
			t.Errorf("%q, %q: %.3f", c.a, c.b, got)
		}
	}
	if without := alike(BuiltIn(), "wharfage by vessel", "berth fee per hull"); without > 0.5 {
		t.Errorf("without the names: %.3f", without)
	}
	if other := BuiltIn(names[:3]...); by.ID == BuiltIn().ID || by.ID == other.ID || by.ID != BuiltIn(names...).ID {
		t.Error(by.ID, other.ID)
	}
}
