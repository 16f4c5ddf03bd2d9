package profile

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkMeasure profiles one table of lines with keys, texts, dates, amounts and header columns.
func BenchmarkMeasure(b *testing.B) {
	for _, size := range []struct {
		rows    int
		columns int
	}{{60_000, 16}, {5_000_000, 24}} {
		b.Run(fmt.Sprintf("%dx%d", size.rows, size.columns), func(b *testing.B) {
			e := openEngine(b)
			columns := []string{
				"i AS line_id", "i // 4 AS order_id", "hash(i // 4) % 50000 AS customer_id", "hash(i) % 3000 AS product_id",
				"DATE '2020-01-01' + CAST((i // 4) % 1500 AS INTEGER) AS order_date", "CAST(hash(i // 4) % 1000000 AS DECIMAL(18,2)) / 100 AS order_total",
				"CAST(hash(i) % 9 + 1 AS BIGINT) AS quantity", "CAST(hash(i * 3) % 10000 AS DOUBLE) / 100 AS unit_price",
				"'city ' || hash(i // 4) % 700 AS city", "'country ' || (hash(i // 4) % 700) % 40 AS country",
			}
			for n := len(columns); n < size.columns; n++ {
				if n%2 == 0 {
					columns = append(columns, fmt.Sprintf("CAST(hash(i + %d) %% 100000 AS DOUBLE) / 7 AS amount_%d", n, n))
				} else {
					columns = append(columns, fmt.Sprintf("'class ' || hash(i + %d) %% %d AS class_%d", n, n*n, n))
				}
			}
			e.exec(b, fmt.Sprintf("CREATE TABLE lines AS SELECT %s FROM range(%d) t(i)", strings.Join(columns, ", "), size.rows))
			tables := e.tables(b)
			for b.Loop() {
				if _, err := Measure(context.Background(), e.run, tables, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
