package interpret

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// warehouse is a model of 50 tables around ten facts, with half a million values in its text dimensions.
func warehouse() (*semantic.Model, []ValueSet) {
	r := rand.New(rand.NewPCG(5, 6))
	m := &semantic.Model{Name: "warehouse", Version: "sha256:warehouse"}
	var sets []ValueSet
	nouns := strings.Fields("supplier carrier depot region product brand campaign channel contract driver engine factory garage hotel invoice journal kiosk ledger machine network office partner quarry route segment tenant unit vendor warehouse yard agent broker clinic dealer event fleet group house island joint")
	for _, noun := range nouns[:40] {
		e := entity(noun, "", []string{noun + "_id"}, noun+"_name", "", dim(noun+"_id", semantic.Integer), dim(noun+"_name", semantic.Text),
			dim("city", semantic.Text), dim("kind", semantic.Text), dim("opened", semantic.Date), dim("capacity", semantic.Integer, measured))
		m.Entities = append(m.Entities, e)
		for k, values := range []int{10_080, 2400, 20} {
			set := ValueSet{Entity: noun, Dimension: e.Dimensions[k+1].Name, Complete: true}
			for range values {
				set.Values = append(set.Values, madeUp(r)+" "+strings.ToUpper(madeUp(r)[:1])+madeUp(r))
			}
			sets = append(sets, set)
		}
	}
	for i, noun := range strings.Fields("sale order shipment return payment visit claim booking call repair") {
		e := entity(noun, "", []string{noun + "_id"}, "", "booked", dim(noun+"_id", semantic.Integer), dim("booked", semantic.Date),
			dim("amount", semantic.Decimal, measured), dim("quantity", semantic.Integer, measured), dim("status", semantic.Text))
		for k := range 30 {
			far := nouns[(i*4+k)%40]
			e.Dimensions = append(e.Dimensions, dim(far+"_id", semantic.Integer))
			m.Joins = append(m.Joins, link(noun, far, far+"_id"))
		}
		m.Entities = append(m.Entities, e)
		m.Metrics = append(m.Metrics,
			semantic.Metric{Name: noun + "_amount", Label: noun + " amount", Entity: noun, Kind: semantic.Leaf, Expr: "amount", Reducer: semantic.Sum, Additivity: semantic.Additivity{Default: "additive"}},
			semantic.Metric{Name: noun + "_count", Label: noun + " count", Synonyms: []string{noun + "s"}, Entity: noun, Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count, Additivity: semantic.Additivity{Default: "additive"}})
	}
	sealed, err := semantic.Seal(m)
	if err != nil {
		panic(err)
	}
	return sealed, sets
}

func madeUp(r *rand.Rand) string {
	var b strings.Builder
	for range 2 + r.IntN(3) {
		b.WriteByte("bcdfghjklmnpqrstvwz"[r.IntN(19)])
		b.WriteByte("aeiou"[r.IntN(5)])
	}
	return b.String()
}

// BenchmarkReadInAWarehouse reads questions of every kind on a model of 50 tables and half a million values: with members
// of the data in them, misspelled ones, long ones, and ones that nobody can read.
func BenchmarkReadInAWarehouse(b *testing.B) {
	m, sets := warehouse()
	total := 0
	for _, s := range sets {
		total += len(s.Values)
	}
	began := time.Now()
	ix := NewIndex(m, sets)
	b.Logf("%d entities, %d values, built in %v", len(m.Entities), total, time.Since(began))
	member := func(set int) string { return sets[set].Values[7] }
	typo := func(s string) string { return s[:3] + s[4:] }
	questions := []string{
		"sale amount by region name in 2025", "how many orders per supplier", "top 10 campaigns by booking amount",
		"total payment amount for " + member(0), "sale amount of " + typo(member(12)) + " by month", "average claim amount per dealer city last year",
		"which region has the most visits", "orders in " + member(1) + " and " + member(4) + " by quarter", "list suppliers in " + member(1),
		"repairs with amount over 500 by garage kind since March 2024", "show me the monthly trend of shipment amount for the last 12 months by depot name",
		"what is the weather in spring", "flimflam by wubble", "brnad name with the hihgest sale amuont in Q3 2025",
		"number of calls and call amount by agent city where agent kind is " + member(2) + " excluding " + member(5) + " in the first half of 2025 sorted by amount",
		"sale amount by vendor name", "claim count by brand city and region kind", "order amount by wholesaler", "median of the visits per house of each island",
		"suppliers with more orders than returns", "shipments to " + member(30) + " from the factory", "average quantity per sale by fleet name in 2031",
		"which machine kinds have both sales and repairs", "percentage of bookings by hotel kind compared to last year", "sales by tennant and kiosc",
		"why did payments fall", "depots without shipments in 2025", "total capacity of garages by call status", "delete all orders of " + member(9),
	}
	env := frameql.Env{Model: m, Now: time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC)}
	least := make([]time.Duration, len(questions)) // what a question costs when nothing else runs
	var took []time.Duration
	for b.Loop() {
		for i, q := range questions {
			start := time.Now()
			ix.Read(Request{Question: q, Env: env})
			took = append(took, time.Since(start))
			if t := took[len(took)-1]; least[i] == 0 || t < least[i] {
				least[i] = t
			}
		}
	}
	slowest := slices.Clone(questions)
	cost := func(q string) time.Duration { return least[slices.Index(questions, q)] }
	slices.SortFunc(slowest, func(a, b string) int { return cmp.Compare(cost(b), cost(a)) })
	for _, q := range slowest[:7] { // a benchmark may log ten lines
		b.Logf("%5.1f ms  %-50.50s %.90s", milliseconds(cost(q)), q, outcome(ix.Read(Request{Question: q, Env: env})))
	}
	for name, times := range map[string][]time.Duration{"": took, "least-": least} {
		slices.Sort(times)
		b.ReportMetric(milliseconds(times[len(times)/2]), "ms-"+name+"p50")
		b.ReportMetric(milliseconds(times[len(times)*95/100]), "ms-"+name+"p95")
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
