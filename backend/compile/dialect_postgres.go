package compile

import (
	"strings"

	"assay/backend/semantic"
)

// postgres writes PostgreSQL 12 and later; 15 is tested. What was verified there, against DuckDB over the same rows:
//
//   - text compares by a locale unless COLLATE "C" says otherwise: every text column gets it, and what is made of the
//     column inherits it. Case mapping needs a locale again: lower and upper name the one of Unicode.
//   - IS NOT DISTINCT FROM cannot be hashed or merged in a join; a pair of equalities over COALESCE and IS NULL can.
//   - two integers divide to an integer: the numerator is cast to DOUBLE PRECISION.
//   - round over DOUBLE PRECISION rounds halves to even and takes no digits: written out for floating numbers.
//   - LIKE escapes with a backslash unless ESCAPE says otherwise; DuckDB has no escape.
//   - a backslash in '...' depends on standard_conforming_strings, in E'...' it does not.
//   - date_trunc and EXTRACT of a DATE go by way of the session's time zone: it is cast to TIMESTAMP where hours count.
//   - LAST_VALUE has no IGNORE NULLS; there is no MIN or MAX of booleans; an untyped NULL in a UNION is text.
type postgres struct{}

func (postgres) kind() Dialect { return Postgres }

func (postgres) missing() []capability { return lacks(Postgres) }

// binaryPostgres is the collation by code points, locale the one that maps case as Unicode says.
const (
	binaryPostgres = ` COLLATE "C"`
	localePostgres = ` COLLATE "und-x-icu"`
)

func (postgres) name(s string) string {
	s = plainText(s)
	if semantic.IsName(s) && s == strings.ToLower(s) && !reservedPostgres[s] {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

func (d postgres) table(s string) string { return d.name(s) }

func (postgres) text(s string) string {
	s = plainText(s)
	if !strings.ContainsFunc(s, func(r rune) bool { return r == '\\' || control(r) }) {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\':
			b.WriteString(strings.Repeat(string(r), 2))
		case control(r):
			b.WriteString(`\x` + hex2(r))
		default:
			b.WriteRune(r)
		}
	}
	return "E'" + b.String() + "'"
}

func (d postgres) literal(kind, value string) string {
	if kind == "bool" {
		return strings.ToUpper(value)
	}
	return strings.ToUpper(kind) + " " + d.text(value)
}

func (d postgres) null(t semantic.Type) string {
	if t == "" {
		return "NULL"
	}
	return d.cast("NULL", t)
}

func (postgres) cast(x string, t semantic.Type) string {
	names := map[semantic.Type]string{
		semantic.Text: "TEXT", semantic.Integer: "BIGINT", semantic.Decimal: "NUMERIC", semantic.Float: "DOUBLE PRECISION",
		semantic.Boolean: "BOOLEAN", semantic.Date: "DATE", semantic.Timestamp: "TIMESTAMP", semantic.Time: "TIME",
	}
	return "CAST(" + x + " AS " + names[t] + ")"
}

func (postgres) binary(x operand, t semantic.Type) operand {
	if t != semantic.Text {
		return x
	}
	return typed(x.at(rankAtom)+binaryPostgres, t)
}

// cased writes lower or upper of a text, comparing by code points again.
func (postgres) cased(function string, x operand) string {
	return function + "(" + strings.TrimSuffix(x.at(rankAtom), binaryPostgres) + localePostgres + ")" + binaryPostgres
}

func (d postgres) divide(a, b operand, exact bool) string {
	below := "NULLIF(" + b.sql + ", 0)"
	if exact {
		below = b.at(rankNegate)
	}
	return d.cast(a.sql, semantic.Float) + " / " + below
}

// same of columns whose type has a value to stand for NULL can be hashed: what it stands for is told apart by IS NULL.
func (d postgres) same(a, b operand) string {
	stand := map[semantic.Type]string{
		semantic.Text: "''", semantic.Integer: "0", semantic.Decimal: "0", semantic.Float: "0", semantic.Boolean: "FALSE",
		semantic.Date: "DATE '1970-01-01'", semantic.Timestamp: "TIMESTAMP '1970-01-01'",
	}[a.typ]
	if a.typ != b.typ || stand == "" {
		return a.at(rankCompare+1) + " IS NOT DISTINCT FROM " + b.at(rankCompare+1)
	}
	null := func(x operand) string { return "(" + x.at(rankCompare+1) + " IS NULL)" }
	return "(COALESCE(" + a.sql + ", " + stand + "), " + null(a) + ") = (COALESCE(" + b.sql + ", " + stand + "), " + null(b) + ")"
}

func (d postgres) match(op string, x, pattern operand) string {
	if op == "like" {
		return x.at(rankCompare+1) + " LIKE " + pattern.at(rankCompare+1) + " ESCAPE ''"
	}
	of, what := d.cased("lower", x), d.cased("lower", pattern)
	if op == "starts_with" {
		return "starts_with(" + of + ", " + what + ")"
	}
	return "strpos(" + of + ", " + what + ") > 0"
}

// call writes a function of the expression grammar. Those not named here are called the same.
func (d postgres) call(function string, args []operand) (string, bool) {
	switch function {
	case "lower", "upper":
		return d.cased(function, args[0]), true
	case "year", "quarter", "month", "day", "hour":
		return d.cast("EXTRACT("+strings.ToUpper(function)+" FROM "+d.timestamp(args[0])+")", semantic.Integer), true
	case "weekday", "day_of_year", "week_of_year":
		field := map[string]string{"weekday": "ISODOW", "day_of_year": "DOY", "week_of_year": "WEEK"}[function]
		return d.cast("EXTRACT("+field+" FROM "+args[0].sql+")", semantic.Integer), true
	case "date_diff":
		return d.difference(strings.Trim(args[0].sql, "'"), args[1], args[2]), true
	case "date_trunc":
		cut := "date_trunc(" + args[0].sql + ", " + d.timestamp(args[1]) + ")"
		if args[1].typ == semantic.Date && !clockUnit(strings.Trim(args[0].sql, "'")) {
			return d.cast(cut, semantic.Date), true
		}
		return cut, true
	case "power", "sqrt":
		floats := make([]operand, len(args))
		for i, a := range args {
			floats[i] = typed(d.cast(a.sql, semantic.Float), semantic.Float)
		}
		return function + "(" + operands(floats) + ")", true
	case "round":
		if args[0].typ == semantic.Float {
			return roundedHalfUp(args), true
		}
	case "concat":
		texts := make([]operand, len(args))
		for i, a := range args {
			if texts[i] = a; a.typ != semantic.Text {
				texts[i] = typed(d.cast(a.sql, semantic.Text), semantic.Text)
			}
		}
		args = texts
	case "substring":
		return "substr(" + operands(args) + ")", true
	}
	return function + "(" + operands(args) + ")", true
}

// timestamp gives a time of which the hour can be taken: a date is its midnight, and not the moment that the session's
// time zone makes of it.
func (d postgres) timestamp(x operand) string {
	if x.typ == semantic.Timestamp {
		return x.sql
	}
	return d.cast(x.sql, semantic.Timestamp)
}

// difference counts the boundaries of a unit between two times.
func (d postgres) difference(unit string, a, b operand) string {
	part := func(name string, x operand) string { return "EXTRACT(" + name + " FROM " + x.sql + ")" }
	ordinal := func(per, name string, x operand) string { return part("YEAR", x) + " * " + per + " + " + part(name, x) }
	date := func(x operand) string { return d.cast(x.sql, semantic.Date) }
	week := func(x operand) string { return d.cast("date_trunc('week', "+x.sql+")", semantic.Date) }
	switch unit {
	case "year":
		return d.cast(part("YEAR", b)+" - "+part("YEAR", a), semantic.Integer)
	case "quarter":
		return d.cast("("+ordinal("4", "QUARTER", b)+") - ("+ordinal("4", "QUARTER", a)+")", semantic.Integer)
	case "month":
		return d.cast("("+ordinal("12", "MONTH", b)+") - ("+ordinal("12", "MONTH", a)+")", semantic.Integer)
	case "week":
		return "((" + week(b) + " - " + week(a) + ") / 7)"
	case "day":
		return "(" + date(b) + " - " + date(a) + ")"
	}
	seconds := map[string]string{"hour": "3600", "minute": "60", "second": "1"}[unit]
	cut := func(x operand) string { return "date_trunc('" + unit + "', " + d.timestamp(x) + ")" }
	return d.cast("EXTRACT(EPOCH FROM "+cut(b)+" - "+cut(a)+") / "+seconds, semantic.Integer)
}

func (d postgres) trunc(x operand, unit string, shift int) string {
	cut := func(unit, of string) string { return "date_trunc('" + unit + "', " + of + ")" }
	moved := func(unit, there, back, by string) string {
		return d.cast(cut(unit, x.at(rankAdd)+there+by)+back+by, semantic.Date)
	}
	months, days := d.interval(shift, "month"), d.interval(shift, "day")
	switch {
	case unit == "hour":
		return cut("hour", d.timestamp(x))
	case unit == "day":
		return d.cast(x.sql, semantic.Date)
	case unit == "week" && shift > 0:
		return moved("week", " + ", " - ", days)
	case unit == "fiscal_year" && shift > 0:
		return moved("year", " - ", " + ", months)
	case unit == "fiscal_quarter" && shift > 0:
		return moved("quarter", " - ", " + ", months)
	}
	return d.cast(cut(strings.TrimPrefix(unit, "fiscal_"), x.sql), semantic.Date)
}

func (d postgres) zoned(x operand, from, to string) string {
	return "timezone(" + d.text(to) + ", timezone(" + d.text(orUTC(from)) + ", " + x.sql + "))"
}

func (d postgres) move(x operand, n int, unit string, typ semantic.Type) string {
	moved := plusInterval(d.interval, x, n, unit)
	if typ == semantic.Date && unit != "hour" {
		return d.cast(moved, semantic.Date)
	}
	return "(" + moved + ")"
}

func (postgres) interval(n int, unit string) string {
	if unit == "quarter" {
		n, unit = 3*n, "month"
	}
	return "INTERVAL '" + itoa(n) + " " + unit + "'"
}

func (d postgres) aggregate(a aggregateText) string {
	arg := a.arg
	if a.distinct {
		arg = "DISTINCT " + arg
	}
	switch a.reducer {
	case "one":
		if a.typ == "" || a.typ == semantic.Boolean {
			return d.firstOf(a, a.arg, "")
		}
		return "MAX(" + arg + ")" + filtered(a.filter)
	case "min", "max":
		if a.typ == semantic.Boolean {
			return map[string]string{"min": "bool_and", "max": "bool_or"}[a.reducer] + "(" + arg + ")" + filtered(a.filter)
		}
	case "percentile":
		name := "percentile_cont"
		if a.discrete {
			name = "percentile_disc"
		}
		return name + "(" + a.param + ") WITHIN GROUP (ORDER BY " + a.arg + ")" + filtered(a.filter)
	case "stddev":
		return "stddev_samp(" + arg + ")" + filtered(a.filter)
	case "any":
		return "bool_or(" + arg + ")" + filtered(a.filter)
	case "all":
		return "bool_and(" + arg + ")" + filtered(a.filter)
	case "first":
		return d.firstOf(a, strings.Join(a.order, ", "), a.order[0])
	case "last":
		return d.firstOf(a, strings.Join(a.order, " DESC, ")+" DESC", a.order[0])
	}
	return strings.ToUpper(a.reducer) + "(" + arg + ")" + filtered(a.filter)
}

// firstOf gives the first value that is not missing in an order, of the rows that have a time.
func (postgres) firstOf(a aggregateText, order, time string) string {
	if time != "" {
		time += " IS NOT NULL"
	}
	return "(array_agg(" + a.arg + " ORDER BY " + order + ")" + filtered(a.filter, enclosed(a.arg)+" IS NOT NULL", time) + ")[1]"
}

func (d postgres) back(n int, unit, less string) string {
	by := d.interval(n, unit)
	if less != "" {
		by = "(" + by + " - " + d.interval(1, less) + ")"
	}
	return "RANGE BETWEEN " + by + " PRECEDING AND CURRENT ROW"
}

// carry is never written: missing names canCarry.
func (postgres) carry(string, string) string { return "" }

func (d postgres) series(first, last, unit string, typ semantic.Type, alias, column string) string {
	value := "s.start"
	if typ == semantic.Date {
		value = d.cast(value, semantic.Date)
	}
	return "(SELECT " + value + " AS " + d.name(column) + " FROM generate_series(" + d.cast(first, semantic.Timestamp) + ", " + d.cast(last, semantic.Timestamp) +
		", " + d.interval(1, unit) + ") AS s(start)) AS " + d.name(alias)
}

func (d postgres) values(dates []string, alias, column string) string {
	rows := make([]string, len(dates))
	for i, s := range dates {
		rows[i] = "(" + d.literal("date", s) + ")"
	}
	return "(VALUES " + strings.Join(rows, ", ") + ") AS " + d.name(alias) + "(" + d.name(column) + ")"
}

func (postgres) order(x, alias string, desc bool) string { return nullsLast(x, alias, desc) }

func (postgres) limit(n, offset int) string { return limited(n, offset) }

func (postgres) least(a, b string) string { return "LEAST(" + a + ", " + b + ")" }

func (postgres) whole(statement string) string { return statement }

func (postgres) reserved(word string) bool { return reservedPostgres[word] }

// reservedPostgres are the words that PostgreSQL does not take as a bare name of a column or a table.
var reservedPostgres = wordSet(`all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean
	both case cast char character check coalesce collate collation column concurrently constraint create cross current_catalog
	current_date current_role current_schema current_time current_timestamp current_user dec decimal default deferrable desc
	distinct do else end except exists extract false fetch float for foreign freeze from full grant greatest group grouping having
	ilike in initially inner inout int integer intersect interval into is isnull join json_array json_object lateral leading least
	left like limit localtime localtimestamp national natural nchar none normalize not notnull null nullif numeric offset on only
	or order out outer overlaps overlay placing position precision primary real references returning right row select session_user
	setof similar smallint some substring symmetric system_user table tablesample then time timestamp to trailing treat trim true
	union unique user using values varchar variadic verbose when where window with xmlattributes xmlconcat xmlelement xmlexists
	xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable`)
