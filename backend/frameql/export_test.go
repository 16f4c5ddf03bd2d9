package frameql

// QuoteText and QuoteName show the quoting of DuckDB to the tests that ask the engine about it.
func QuoteText(s string) string { return duckdb{}.text(s) }
func QuoteName(s string) string { return duckdb{}.name(s) }
