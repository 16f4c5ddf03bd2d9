package compile

import (
	"strings"

	"assay/backend/semantic"
)

// clickhouse writes ClickHouse 25.8 and later, as its manual describes it; nothing here was run. Where it differs:
//
//   - an aggregate of no rows is 0 or ” unless it is told to be NULL: the OrNull combinator.
//   - a LEFT JOIN without a partner gives 0 and ” unless join_use_nulls is set; a correlated EXISTS has a setting too.
//     Both stand at the end of the statement, so that it says the same in every session.
//   - a type holds no NULL unless it is Nullable.
//   - LIKE and literals escape with a backslash: it is doubled in both.
//   - NULL = NULL groups as one, as elsewhere; text compares by its bytes.
//   - Date32 reaches from 1900 to 2299; shorter DATE does not hold a day before 1970.
type clickhouse struct{}

func (clickhouse) kind() Dialect { return ClickHouse }

func (clickhouse) missing() []capability { return lacks(ClickHouse) }

func (clickhouse) name(s string) string {
	s = plainText(s)
	if semantic.IsName(s) && s == strings.ToLower(s) && !reservedClickHouse[s] {
		return s
	}
	return "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(s) + "`"
}

func (d clickhouse) table(s string) string { return d.name(s) }

func (clickhouse) text(s string) string {
	var b strings.Builder
	for _, r := range plainText(s) {
		switch {
		case r == '\'' || r == '\\':
			b.WriteString(`\` + string(r))
		case control(r):
			b.WriteString(`\x` + hex2(r))
		default:
			b.WriteRune(r)
		}
	}
	return "'" + b.String() + "'"
}

func (d clickhouse) literal(kind, value string) string {
	switch kind {
	case "date":
		return "toDate32(" + d.text(value) + ")"
	case "timestamp":
		return "toDateTime64(" + d.text(strings.Replace(value, "T", " ", 1)) + ", 6, 'UTC')"
	case "bool":
		return value
	}
	return d.text(value) // no time of day: its text
}

func (d clickhouse) null(t semantic.Type) string {
	switch t {
	case "":
		return "NULL"
	case semantic.Decimal:
		return "CAST(NULL AS Nullable(Decimal(1, 0)))"
	}
	return d.cast("NULL", t)
}

func (clickhouse) cast(x string, t semantic.Type) string {
	names := map[semantic.Type]string{
		semantic.Text: "String", semantic.Integer: "Int64", semantic.Decimal: "Decimal(38, 10)", semantic.Float: "Float64",
		semantic.Boolean: "Bool", semantic.Date: "Date32", semantic.Timestamp: "DateTime64(6, 'UTC')", semantic.Time: "String",
	}
	return "CAST(" + x + " AS Nullable(" + names[t] + "))"
}

func (clickhouse) binary(x operand, _ semantic.Type) operand { return x }

func (d clickhouse) divide(a, b operand, exact bool) string {
	below := "NULLIF(" + b.sql + ", 0)"
	if exact {
		below = b.at(rankNegate)
	}
	return d.cast(a.sql, semantic.Float) + " / " + below
}

func (clickhouse) same(a, b operand) string {
	return a.at(rankCompare+1) + " IS NOT DISTINCT FROM " + b.at(rankCompare+1)
}

func (clickhouse) match(op string, x, pattern operand) string {
	switch op {
	case "like":
		return x.at(rankCompare+1) + " LIKE replaceAll(" + pattern.sql + `, '\\', '\\\\')`
	case "starts_with":
		return "startsWith(lowerUTF8(" + x.sql + "), lowerUTF8(" + pattern.sql + "))"
	}
	return "position(lowerUTF8(" + x.sql + "), lowerUTF8(" + pattern.sql + ")) > 0"
}

// call writes a function of the expression grammar. Those not named here are called the same.
func (d clickhouse) call(function string, args []operand) (string, bool) {
	renamed := map[string]string{
		"lower": "lowerUTF8", "upper": "upperUTF8", "length": "lengthUTF8", "substring": "substringUTF8", "trim": "trimBoth", "replace": "replaceAll",
		"year": "toYear", "quarter": "toQuarter", "month": "toMonth", "day": "toDayOfMonth", "hour": "toHour", "weekday": "toDayOfWeek",
		"day_of_year": "toDayOfYear", "week_of_year": "toISOWeek",
	}
	switch function {
	case "concat":
		texts := make([]operand, len(args))
		for i, a := range args {
			texts[i] = typed("ifNull(toString("+a.sql+"), '')", semantic.Text)
		}
		return "concat(" + operands(texts) + ")", true
	case "round":
		if args[0].typ == semantic.Float {
			return roundedHalfUp(args), true
		}
	case "date_diff":
		return "dateDiff(" + operands(args) + ")", true
	case "date_trunc":
		if args[1].typ == semantic.Date {
			return d.cast("date_trunc("+operands(args)+")", semantic.Date), true
		}
		return d.cast("date_trunc("+operands(args)+")", semantic.Timestamp), true
	}
	if name := renamed[function]; name != "" {
		function = name
	}
	return function + "(" + operands(args) + ")", true
}

func (d clickhouse) trunc(x operand, unit string, shift int) string {
	start := func(unit, of string) string {
		switch unit {
		case "hour":
			return "toStartOfHour(" + of + ")"
		case "day":
			return "toDate32(" + of + ")"
		case "week":
			return "toDate32(toMonday(" + of + "))"
		}
		return "toDate32(toStartOf" + strings.ToUpper(unit[:1]) + unit[1:] + "(" + of + "))"
	}
	shifted := func(unit, there, back, by string) string {
		return "(" + start(unit, x.at(rankAdd)+there+by) + back + by + ")"
	}
	months, days := d.interval(shift, "month"), d.interval(shift, "day")
	switch {
	case unit == "week" && shift > 0:
		return shifted("week", " + ", " - ", days)
	case unit == "fiscal_year" && shift > 0:
		return shifted("year", " - ", " + ", months)
	case unit == "fiscal_quarter" && shift > 0:
		return shifted("quarter", " - ", " + ", months)
	}
	return start(strings.TrimPrefix(unit, "fiscal_"), x.sql)
}

func (d clickhouse) zoned(x operand, from, to string) string {
	instant := "toDateTime64(toString(" + x.sql + "), 6, " + d.text(orUTC(from)) + ")"
	return "toDateTime64(toString(toTimeZone(" + instant + ", " + d.text(to) + ")), 6, 'UTC')"
}

func (d clickhouse) move(x operand, n int, unit string, _ semantic.Type) string {
	return "(" + plusInterval(d.interval, x, n, unit) + ")"
}

func (clickhouse) interval(n int, unit string) string {
	return "INTERVAL " + itoa(n) + " " + strings.ToUpper(unit)
}

func (clickhouse) aggregate(a aggregateText) string {
	arg := a.arg
	if a.distinct {
		arg = "DISTINCT " + arg
	}
	switch a.reducer {
	case "count":
		if arg == "*" {
			arg = ""
		}
		return "count(" + arg + ")" + filtered(a.filter)
	case "one":
		return "anyOrNull(" + arg + ")" + filtered(a.filter)
	case "percentile":
		if a.discrete { // the smallest value that at least this part of the values does not exceed
			place := "greatest(toUInt64(ceil(" + a.param + " * count(" + arg + ")" + filtered(a.filter) + ")), 1)"
			return "arrayElementOrNull(arraySort(groupArray(" + arg + ")" + filtered(a.filter) + "), " + place + ")"
		}
		return "quantileExactInclusiveOrNull(" + a.param + ")(" + arg + ")" + filtered(a.filter)
	case "stddev":
		single := "stddevSampStableOrNull(" + arg + ")" + filtered(a.filter)
		return "if(isNaN(" + single + "), NULL, " + single + ")"
	case "any":
		return "maxOrNull(" + arg + ")" + filtered(a.filter)
	case "all":
		return "minOrNull(" + arg + ")" + filtered(a.filter)
	case "first", "last":
		name := map[string]string{"first": "argMinOrNull", "last": "argMaxOrNull"}[a.reducer]
		return name + "(" + arg + ", (" + strings.Join(a.order, ", ") + "))" + filtered(a.filter, enclosed(arg)+" IS NOT NULL", a.order[0]+" IS NOT NULL")
	}
	return a.reducer + "OrNull(" + arg + ")" + filtered(a.filter)
}

// back is never written: missing names canRange.
func (clickhouse) back(int, string, string) string { return "" }

func (clickhouse) carry(x, over string) string {
	return "last_value(" + x + ") IGNORE NULLS OVER (" + over + " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
}

func (d clickhouse) series(first, last, unit string, typ semantic.Type, alias, column string) string {
	value := enclosed(first) + " + INTERVAL s.number " + strings.ToUpper(unit)
	if typ == semantic.Date {
		value = "toDate32(" + value + ")"
	}
	count := "toUInt64(greatest(ifNull(dateDiff('" + unit + "', " + first + ", " + last + "), -1) + 1, 0))"
	return "(SELECT " + value + " AS " + d.name(column) + " FROM (SELECT arrayJoin(range(" + count + ")) AS number) AS s) AS " + d.name(alias)
}

func (d clickhouse) values(dates []string, alias, column string) string {
	all := make([]string, len(dates))
	for i, s := range dates {
		all[i] = d.literal("date", s)
	}
	return "(SELECT arrayJoin([" + strings.Join(all, ", ") + "]) AS " + d.name(column) + ") AS " + d.name(alias)
}

func (clickhouse) order(x, alias string, desc bool) string { return nullsLast(x, alias, desc) }

func (clickhouse) limit(n, offset int) string { return limited(n, offset) }

func (clickhouse) least(a, b string) string { return "least(" + a + ", " + b + ")" }

func (clickhouse) whole(statement string) string {
	return statement + "\nSETTINGS join_use_nulls = 1, allow_experimental_correlated_subqueries = 1, enable_extended_results_for_datetime_functions = 1"
}

func (clickhouse) reserved(word string) bool { return reservedClickHouse[word] }

// reservedClickHouse are the words that ClickHouse may take for a keyword where a name can stand.
var reservedClickHouse = wordSet(`all and anti any array as asc asof between by case cast collate cross date desc describe distinct
	else end except exists explain extract false final first for format from full global group having if ilike in inner insert
	intersect interval into is join last left like limit natural not null nulls offset on or order outer over paste prewhere qualify
	range right rollup rows sample select semi set settings substring then timestamp totals trim true union using values view when
	where window with`)
