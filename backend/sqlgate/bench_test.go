package sqlgate_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/sqlgate"
)

// long gives a statement of about 8 KiB as an analyst or a model writes them.
func long(d sqlgate.Dialect) string {
	var b strings.Builder
	b.WriteString("WITH base AS (SELECT * FROM orders WHERE amount > 1) SELECT region")
	for b.Len() < 7_900 {
		b.WriteString(", SUM(CASE WHEN status = 'paid' AND amount BETWEEN 10 AND 20 THEN amount * 2 ELSE 0 END) AS total")
	}
	b.WriteString(" FROM base b JOIN customers c ON c.customer_id = b.customer_id GROUP BY region ORDER BY 2 DESC")
	return b.String()
}

// BenchmarkCheck is a statement of 8 KiB; p99-ms is what 99 of 100 stay under.
func BenchmarkCheck(b *testing.B) {
	for _, d := range sqlgate.Dialects() {
		b.Run(string(d), func(b *testing.B) {
			s := statement{Dialect: d, SQL: long(d)}
			if v := check(b, s); !v.Allowed {
				b.Fatalf("%+v", v)
			}
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				check(b, s)
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}

// BenchmarkBombs is the slowest refusal of what would exhaust a parser.
func BenchmarkBombs(b *testing.B) {
	for _, d := range sqlgate.Dialects() {
		b.Run(string(d), func(b *testing.B) {
			var slowest time.Duration
			which := ""
			for b.Loop() {
				for name, sql := range bombs() {
					began := time.Now()
					v, err := gate().Check(b.Context(), d, sql, sqlgate.Policy{})
					if err != nil || v.Allowed {
						b.Fatal(name, err)
					}
					if took := time.Since(began); took > slowest {
						slowest, which = took, name
					}
				}
			}
			b.ReportMetric(float64(slowest.Microseconds())/1000, "slowest-ms")
			b.Logf("%s: %s", which, slowest)
		})
	}
}
