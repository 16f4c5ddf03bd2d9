package compile

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// duckdb writes DuckDB 1.x.
type duckdb struct{}

func (duckdb) kind() Dialect { return DuckDB }

// DuckDBConfig is what DuckDB 1.5.5 is opened with, as a part of its data source name, so that statements give their rows. Its
// optimizer of common subplans takes joins for equal that show other columns, where both arms of a UNION ALL read the same
// tables, as branches do (https://github.com/duckdb/duckdb/issues/25819); what scans may share is decided here anyway.
const DuckDBConfig = "disabled_optimizers=common_subplan"

func (duckdb) missing() []capability { return nil }

func (duckdb) name(s string) string {
	s = plainText(s)
	if semantic.IsName(s) && s == strings.ToLower(s) && !reservedDuckDB[s] {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

func (d duckdb) table(s string) string { return d.name(s) }

// text doubles quotes; a backslash means nothing in a plain literal. Control characters, and with them line breaks, are
// written by chr(), so that a literal stays on its line; NUL, which no text of the engine can hold, is dropped.
func (duckdb) text(s string) string {
	return quotedText(s, func(r rune) string { return "chr(" + itoa(int(r)) + ")" }, " || ")
}

func (d duckdb) literal(kind, value string) string {
	switch kind {
	case "date":
		return "DATE " + d.text(value)
	case "timestamp":
		return "TIMESTAMP " + d.text(value)
	case "time":
		return "TIME " + d.text(value)
	}
	return strings.ToUpper(value)
}

// null is the narrowest of its type, so that a union takes the type of the branch that has values.
func (d duckdb) null(t semantic.Type) string {
	switch t {
	case "":
		return "NULL"
	case semantic.Decimal:
		return "CAST(NULL AS DECIMAL(1, 0))"
	}
	return d.cast("NULL", t)
}

func (duckdb) cast(x string, t semantic.Type) string {
	names := map[semantic.Type]string{
		semantic.Text: "VARCHAR", semantic.Integer: "BIGINT", semantic.Decimal: "DECIMAL(38, 10)", semantic.Float: "DOUBLE",
		semantic.Boolean: "BOOLEAN", semantic.Date: "DATE", semantic.Timestamp: "TIMESTAMP", semantic.Time: "TIME",
	}
	return "CAST(" + x + " AS " + names[t] + ")"
}

func (duckdb) binary(x operand, _ semantic.Type) operand { return x }

func (d duckdb) divide(a, b operand, exact bool) string {
	below := "NULLIF(" + b.sql + ", 0)"
	if exact {
		below = b.at(rankNegate)
	}
	return d.cast(a.sql, semantic.Float) + " / " + below
}

func (duckdb) same(a, b operand) string {
	return a.at(rankCompare+1) + " IS NOT DISTINCT FROM " + b.at(rankCompare+1)
}

func (duckdb) match(op string, x, pattern operand) string {
	if op == "like" {
		return x.at(rankCompare+1) + " LIKE " + pattern.at(rankCompare+1)
	}
	return op + "(lower(" + x.sql + "), lower(" + pattern.sql + "))"
}

// call writes a function of the expression grammar. Those not named here are called the same. date_diff of weeks counts
// whole weeks and not the Mondays between, so these are counted by the Mondays themselves.
func (d duckdb) call(function string, args []operand) (string, bool) {
	switch {
	case function == "weekday":
		function = "isodow"
	case function == "day_of_year":
		function = "dayofyear"
	case function == "week_of_year":
		function = "weekofyear"
	case function == "date_diff" && args[0].sql == "'week'":
		return "((" + d.trunc(args[2], "week", 0) + " - " + d.trunc(args[1], "week", 0) + ") // 7)", true
	}
	return function + "(" + operands(args) + ")", true
}

func (duckdb) trunc(x operand, unit string, shift int) string {
	t := x.at(rankAdd)
	cut := func(unit, of string) string { return "date_trunc('" + unit + "', " + of + ")" }
	shifted := func(unit, by string) string {
		return "CAST(" + cut(unit, t+" - "+by) + " + " + by + " AS DATE)"
	}
	months := "INTERVAL " + itoa(shift) + " MONTH"
	switch {
	case unit == "hour":
		return cut("hour", t)
	case unit == "day":
		return "CAST(" + x.sql + " AS DATE)"
	case unit == "week" && shift > 0:
		days := "INTERVAL " + itoa(shift) + " DAY"
		return "CAST(" + cut("week", t+" + "+days) + " - " + days + " AS DATE)"
	case unit == "fiscal_year" && shift > 0:
		return shifted("year", months)
	case unit == "fiscal_quarter" && shift > 0:
		return shifted("quarter", months)
	}
	return "CAST(" + cut(strings.TrimPrefix(unit, "fiscal_"), t) + " AS DATE)"
}

func (d duckdb) zoned(x operand, from, to string) string {
	return "timezone(" + d.text(to) + ", timezone(" + d.text(orUTC(from)) + ", " + x.sql + "))"
}

func (d duckdb) move(x operand, n int, unit string, typ semantic.Type) string {
	moved := plusInterval(d.interval, x, n, unit)
	if typ == semantic.Date && unit != "hour" {
		return d.cast(moved, semantic.Date)
	}
	return "(" + moved + ")"
}

func (duckdb) interval(n int, unit string) string {
	if unit == "quarter" {
		n, unit = 3*n, "month"
	}
	return "INTERVAL " + itoa(n) + " " + strings.ToUpper(unit)
}

func (d duckdb) aggregate(a aggregateText) string {
	if a.crowded && a.filter != "" && slices.Contains([]string{"sum", "count", "avg", "min", "max"}, a.reducer) {
		of := a.arg
		if of == "*" {
			of = "1"
		}
		a.arg, a.filter = "CASE WHEN "+a.filter+" THEN "+of+" END", ""
	}
	suffix := func(more ...string) string {
		var all []string
		for _, c := range append(more, a.filter) {
			if c != "" {
				all = append(all, c)
			}
		}
		if len(all) == 0 {
			return ""
		}
		if len(all) > 1 && a.filter != "" {
			all[len(all)-1] = "(" + a.filter + ")"
		}
		return " FILTER (WHERE " + strings.Join(all, " AND ") + ")"
	}
	arg := a.arg
	if a.distinct {
		arg = "DISTINCT " + arg
	}
	switch a.reducer {
	case "one":
		return "MAX(" + arg + ")" + suffix()
	case "percentile":
		if a.discrete {
			return "quantile_disc(" + arg + ", " + a.param + ")" + suffix()
		}
		return "quantile_cont(" + d.cast(arg, semantic.Float) + ", " + a.param + ")" + suffix() // of decimals it would be cut to their scale
	case "stddev":
		return "stddev_samp(" + arg + ")" + suffix()
	case "any":
		return "bool_or(" + arg + ")" + suffix()
	case "all":
		return "bool_and(" + arg + ")" + suffix()
	case "first", "last":
		name := map[string]string{"first": "arg_min", "last": "arg_max"}[a.reducer]
		by := a.order[0]
		if len(a.order) > 1 {
			by = "ROW(" + strings.Join(a.order, ", ") + ")"
		}
		return name + "(" + arg + ", " + by + ")" + suffix(arg+" IS NOT NULL", a.order[0]+" IS NOT NULL")
	}
	return strings.ToUpper(a.reducer) + "(" + arg + ")" + suffix()
}

func (d duckdb) back(n int, unit, less string) string {
	by := d.interval(n, unit)
	if less != "" {
		by = "(" + by + " - " + d.interval(1, less) + ")"
	}
	return "RANGE BETWEEN " + by + " PRECEDING AND CURRENT ROW"
}

func (duckdb) carry(x, over string) string {
	return "LAST_VALUE(" + x + " IGNORE NULLS) OVER (" + over + " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
}

func (d duckdb) series(first, last, unit string, typ semantic.Type, alias, column string) string {
	value := "s.start"
	if typ == semantic.Date {
		value = d.cast(value, semantic.Date)
	} else {
		first, last = d.cast(first, semantic.Timestamp), d.cast(last, semantic.Timestamp)
	}
	return "(SELECT " + value + " AS " + d.name(column) + " FROM generate_series(" + first + ", " + last + ", " + d.interval(1, unit) + ") AS s(start)) AS " + d.name(alias)
}

func (d duckdb) values(dates []string, alias, column string) string {
	rows := make([]string, len(dates))
	for i, s := range dates {
		rows[i] = "(" + d.literal("date", s) + ")"
	}
	return "(VALUES " + strings.Join(rows, ", ") + ") AS " + d.name(alias) + "(" + d.name(column) + ")"
}

func (duckdb) order(x, alias string, desc bool) string { return nullsLast(x, alias, desc) }

func (duckdb) limit(n, offset int) string {
	var parts []string
	if n >= 0 {
		parts = append(parts, "LIMIT "+itoa(n))
	}
	if offset > 0 {
		parts = append(parts, "OFFSET "+itoa(offset))
	}
	return strings.Join(parts, " ")
}

func (duckdb) least(a, b string) string { return "LEAST(" + a + ", " + b + ")" }

func (duckdb) whole(statement string) string { return statement }

func (duckdb) reserved(word string) bool { return reservedDuckDB[word] }

// reservedDuckDB are the words that DuckDB does not take as a bare identifier, or takes for something else in some place.
var reservedDuckDB = wordSet(`all analyse analyze and any array as asc asymmetric both case cast check collate column
	constraint create default deferrable desc describe distinct do else end except false fetch for foreign from group having
	in initially intersect into is lambda lateral leading limit not null offset on only or order pivot pivot_longer pivot_wider
	placing primary qualify references returning select show some summarize symmetric table then to trailing true union unique
	unpack unpivot using variadic when where window with
	anti asof at authorization binary by collation concurrently cross freeze full generated glob ilike inner isnull join left
	like map natural notnull outer overlaps positional right semi similar struct tablesample try_cast verbose
	between bigint bit boolean char character coalesce columns date dec decimal exists extract float grouping grouping_id if inout
	int integer interval national nchar none nullif numeric out overlay position precision real row setof smallint substring
	time timestamp treat trim values varchar xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi
	xmlroot xmlserialize xmltable`)
