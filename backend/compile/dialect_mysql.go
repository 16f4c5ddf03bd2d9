package compile

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// mysql writes MySQL 8.0.17 and later and MariaDB 10.11; the latter is tested. What was verified there, against DuckDB
// over the same rows:
//
//   - text compares without case, accents and spaces at the end, by the collation of its column, and literals by that of
//     the connection: every text column is converted to utf8mb4 with a collation by code points that pads nothing. The
//     two engines call it differently; each reads only the comment that is meant for it.
//   - a backslash in '...' depends on NO_BACKSLASH_ESCAPES: it is written by CHAR, as control characters are. LIKE
//     escapes with it even after ESCAPE ”, so that an ESCAPE names a character that the pattern does not hold.
//   - no FILTER: CASE within the aggregate. GREATEST, LEAST and CONCAT are NULL when one argument is.
//   - a recursive series ends after 1,000 steps without an error, and a WITH below another does not see the steps of that:
//     series numbers the items of a JSON array instead.
//   - MAKEDATE reads year 99 as 1999: dates are cut by taking days away.
//   - AVG and STDDEV_SAMP of decimals are cut to a few digits: both are computed in DOUBLE. ROUND of DOUBLE rounds
//     halves to even.
//   - MariaDB remembers what a subquery gave by the columns of the row outside, compared by their own collation: 'a' gets
//     the answer of 'A' unless that cache is off.
//   - truth is 0 and 1, so ANY and ALL are MAX and MIN.
type mysql struct{}

func (mysql) kind() Dialect { return MySQL }

func (mysql) missing() []capability { return lacks(MySQL) }

// binaryMySQL is the collation by code points without padding.
const binaryMySQL = " COLLATE /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */"

// name replaces characters beyond the basic plane: no name in MySQL holds one, and an alias is shown by its place.
func (mysql) name(s string) string {
	s = strings.Map(func(r rune) rune {
		if r > 0xFFFF {
			return '\uFFFD'
		}
		return r
	}, plainText(s))
	if semantic.IsName(s) && s == strings.ToLower(s) && !reservedMySQL[s] {
		return s
	}
	return "`" + strings.ReplaceAll(s, "`", "``") + "`"
}

func (d mysql) table(s string) string { return d.name(s) }

func (mysql) text(s string) string {
	var parts []string
	var run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			parts = append(parts, "'"+strings.ReplaceAll(run.String(), "'", "''")+"'")
			run.Reset()
		}
	}
	for _, r := range plainText(s) {
		if r == '\\' || control(r) {
			flush()
			parts = append(parts, "CHAR("+itoa(int(r))+" USING utf8mb4)")
			continue
		}
		run.WriteRune(r)
	}
	flush()
	switch len(parts) {
	case 0:
		return "''"
	case 1:
		return parts[0]
	}
	return "CONCAT(" + strings.Join(parts, ", ") + ")"
}

func (d mysql) literal(kind, value string) string {
	if kind == "bool" {
		return strings.ToUpper(value)
	}
	return strings.ToUpper(kind) + " " + d.text(value)
}

// null is the narrowest of its type, so that a union takes the type of the branch that has values.
func (d mysql) null(t semantic.Type) string {
	switch t {
	case "":
		return "NULL"
	case semantic.Boolean:
		return "CAST(NULL AS SIGNED)"
	case semantic.Decimal:
		return "CAST(NULL AS DECIMAL(1, 0))"
	}
	return d.cast("NULL", t)
}

func (mysql) cast(x string, t semantic.Type) string {
	switch t {
	case semantic.Text:
		return "CAST(" + x + " AS CHAR CHARACTER SET utf8mb4)" + binaryMySQL
	case semantic.Boolean:
		return "(" + enclosed(x) + " <> 0)"
	}
	names := map[semantic.Type]string{
		semantic.Integer: "SIGNED", semantic.Decimal: "DECIMAL(65, 10)", semantic.Float: "DOUBLE",
		semantic.Date: "DATE", semantic.Timestamp: "DATETIME(6)", semantic.Time: "TIME(6)",
	}
	return "CAST(" + x + " AS " + names[t] + ")"
}

func (mysql) binary(x operand, t semantic.Type) operand {
	if t != semantic.Text {
		return x
	}
	return typed("CONVERT("+x.sql+" USING utf8mb4)"+binaryMySQL, t)
}

func (d mysql) divide(a, b operand, exact bool) string {
	below := "NULLIF(" + b.sql + ", 0)"
	if exact {
		below = b.at(rankNegate)
	}
	return d.cast(a.sql, semantic.Float) + " / " + below
}

func (mysql) same(a, b operand) string {
	return a.at(rankCompare+1) + " <=> " + b.at(rankCompare+1)
}

func (d mysql) match(op string, x, pattern operand) string {
	if op == "like" {
		return x.at(rankCompare+1) + " LIKE " + pattern.at(rankCompare+1) + " ESCAPE '" + absent(pattern.sql) + "'"
	}
	found := "LOCATE(LOWER(" + pattern.sql + "), LOWER(" + x.sql + "))"
	if op == "starts_with" {
		return found + " = 1"
	}
	return found + " > 0"
}

// absent gives a character that a pattern does not hold.
func absent(pattern string) string {
	for _, r := range "|!~^#" {
		if !strings.ContainsRune(pattern, r) {
			return string(r)
		}
	}
	r := '\uE000' // of the area for private use
	for strings.ContainsRune(pattern, r) {
		r++
	}
	return string(r)
}

// call writes a function of the expression grammar. Those not named here are called the same.
func (d mysql) call(function string, args []operand) (string, bool) {
	switch function {
	case "length":
		return "CHAR_LENGTH(" + operands(args) + ")", true
	case "weekday":
		return "(WEEKDAY(" + args[0].sql + ") + 1)", true
	case "day_of_year":
		return "DAYOFYEAR(" + operands(args) + ")", true
	case "week_of_year":
		return "WEEK(" + args[0].sql + ", 3)", true
	case "concat":
		texts := []operand{typed("''", semantic.Text)}
		for _, a := range args {
			if a.typ == semantic.Boolean {
				a = typed("CASE WHEN "+a.sql+" THEN 'true' WHEN NOT "+a.at(rankNot+1)+" THEN 'false' END", semantic.Text)
			}
			texts = append(texts, a)
		}
		return "CONCAT_WS(" + operands(texts) + ")", true
	case "greatest", "least":
		return d.extreme(function, args), true
	case "round":
		if args[0].typ == semantic.Float {
			return roundedHalfUp(args), true
		}
	case "date_diff":
		return d.difference(strings.Trim(args[0].sql, "'"), args[1], args[2]), true
	case "date_trunc":
		unit := strings.Trim(args[0].sql, "'")
		if cut := d.cut(unit, args[1]); clockUnit(unit) || args[1].typ != semantic.Timestamp {
			return cut, true
		}
		return d.cast(d.cut(unit, args[1]), semantic.Timestamp), true
	}
	return strings.ToUpper(function) + "(" + operands(args) + ")", true
}

// extreme writes GREATEST or LEAST of those arguments that are not missing: each stands in for the others.
func (d mysql) extreme(function string, args []operand) string {
	if len(args) == 1 {
		return enclosed(args[0].sql)
	}
	all := make([]string, len(args))
	for i := range args {
		all[i] = "COALESCE(" + operands(slices.Concat(args[i:], args[:i])) + ")"
	}
	return strings.ToUpper(function) + "(" + strings.Join(all, ", ") + ")"
}

// difference counts the boundaries of a unit between two times.
func (d mysql) difference(unit string, a, b operand) string {
	ordinal := func(per, name string, x operand) string {
		return "YEAR(" + x.sql + ") * " + per + " + " + name + "(" + x.sql + ")"
	}
	switch unit {
	case "year":
		return "(YEAR(" + b.sql + ") - YEAR(" + a.sql + "))"
	case "quarter":
		return "(" + ordinal("4", "QUARTER", b) + " - (" + ordinal("4", "QUARTER", a) + "))"
	case "month":
		return "(" + ordinal("12", "MONTH", b) + " - (" + ordinal("12", "MONTH", a) + "))"
	case "week":
		return "(DATEDIFF(" + d.cut("week", b) + ", " + d.cut("week", a) + ") DIV 7)"
	case "day":
		return "DATEDIFF(" + b.sql + ", " + a.sql + ")"
	}
	return "TIMESTAMPDIFF(" + strings.ToUpper(unit) + ", " + d.cut(unit, a) + ", " + d.cut(unit, b) + ")"
}

// cut gives the start of a unit: a DATE, or a DATETIME for units of the clock.
func (d mysql) cut(unit string, x operand) string {
	day := "DATE(" + x.sql + ")"
	switch unit {
	case "day":
		return day
	case "week":
		return "(" + day + " - INTERVAL WEEKDAY(" + x.sql + ") DAY)"
	case "month":
		return "(" + day + " - INTERVAL DAY(" + x.sql + ") - 1 DAY)"
	case "quarter":
		return "(" + day + " - INTERVAL DAY(" + x.sql + ") - 1 DAY - INTERVAL MOD(MONTH(" + x.sql + ") - 1, 3) MONTH)"
	case "year":
		return "(" + day + " - INTERVAL DAYOFYEAR(" + x.sql + ") - 1 DAY)"
	}
	format := map[string]string{"hour": "%Y-%m-%d %H:00:00", "minute": "%Y-%m-%d %H:%i:00", "second": "%Y-%m-%d %H:%i:%s"}[unit]
	return "CAST(DATE_FORMAT(" + x.sql + ", '" + format + "') AS DATETIME)"
}

func (d mysql) trunc(x operand, unit string, shift int) string {
	moved := func(unit, there, back, by string) string {
		return "(" + d.cut(unit, operand{x.at(rankAdd) + there + by, rankAdd, x.typ}) + back + by + ")"
	}
	months, days := d.interval(shift, "month"), d.interval(shift, "day")
	switch {
	case unit == "week" && shift > 0:
		return moved("week", " + ", " - ", days)
	case unit == "fiscal_year" && shift > 0:
		return moved("year", " - ", " + ", months)
	case unit == "fiscal_quarter" && shift > 0:
		return moved("quarter", " - ", " + ", months)
	}
	return d.cut(strings.TrimPrefix(unit, "fiscal_"), x)
}

// zoned is never written: missing names canZone.
func (mysql) zoned(operand, string, string) string { return "" }

func (d mysql) move(x operand, n int, unit string, _ semantic.Type) string {
	return "(" + plusInterval(d.interval, x, n, unit) + ")"
}

func (mysql) interval(n int, unit string) string {
	return "INTERVAL " + itoa(n) + " " + strings.ToUpper(unit)
}

// aggregate writes those that missing does not name.
func (d mysql) aggregate(a aggregateText) string {
	arg := a.arg
	if a.filter != "" {
		if arg == "*" {
			arg = "1"
		}
		arg = "CASE WHEN " + a.filter + " THEN " + arg + " END"
	}
	distinct := ""
	if a.distinct {
		distinct = "DISTINCT "
	}
	switch a.reducer {
	case "avg":
		return "(" + d.cast("SUM("+distinct+arg+")", semantic.Float) + " / NULLIF(COUNT(" + distinct + arg + "), 0))"
	case "stddev":
		return "STDDEV_SAMP(" + d.cast(arg, semantic.Float) + ")"
	case "any", "one":
		return "MAX(" + arg + ")"
	case "all":
		return "MIN(" + arg + ")"
	}
	return strings.ToUpper(a.reducer) + "(" + distinct + arg + ")"
}

// back is never written: missing names canRange.
func (mysql) back(int, string, string) string { return "" }

// carry is never written: missing names canCarry.
func (mysql) carry(string, string) string { return "" }

// series takes its length from a JSON array: the items of one are numbered without end, and may be as many as a step
// that stands in WITH says. A WITH of its own would not see that step.
func (d mysql) series(first, last, unit string, typ semantic.Type, alias, column string) string {
	upper := strings.ToUpper(unit)
	value := enclosed(first) + " + INTERVAL s.n - 1 " + upper
	if typ == semantic.Date {
		value = d.cast(value, semantic.Date)
	}
	array := "CONCAT('[', REPEAT('0,', TIMESTAMPDIFF(" + upper + ", " + first + ", " + last + ")), '0]')"
	return "(SELECT " + value + " AS " + d.name(column) + " FROM JSON_TABLE(" + array + ", '$[*]' COLUMNS (n FOR ORDINALITY)) AS s WHERE " +
		enclosed(first) + " <= " + enclosed(last) + ") AS " + d.name(alias)
}

func (d mysql) values(dates []string, alias, column string) string {
	rows := make([]string, len(dates))
	for i, s := range dates {
		rows[i] = "SELECT " + d.literal("date", s)
		if i == 0 {
			rows[i] += " AS " + d.name(column)
		}
	}
	return "(" + strings.Join(rows, " UNION ALL ") + ") AS " + d.name(alias)
}

// order never uses the alias: within an expression that of an aggregate is refused, and that of a column may be taken for
// the column of the table, without its collation. Descending it needs IS NULL no less: without it MariaDB may take the
// order of the groups for the one that is asked, and lose it in a window function.
func (mysql) order(x, _ string, desc bool) string {
	by := enclosed(x) + " IS NULL, " + x
	if desc {
		by += " DESC"
	}
	return by
}

func (mysql) limit(n, offset int) string {
	if n < 0 && offset > 0 {
		return "LIMIT 18446744073709551615 OFFSET " + itoa(offset) // no OFFSET stands alone
	}
	return limited(n, offset)
}

func (mysql) least(a, b string) string { return "LEAST(" + a + ", " + b + ")" }

// whole turns off, for this statement and in MariaDB, a cache that takes two rows for the same question when their columns
// are equal without case, and a mode of sessions that finds an expression of GROUP BY only in one of its places.
func (mysql) whole(statement string) string {
	return "/*M! SET STATEMENT optimizer_switch = 'subquery_cache=off', sql_mode = '' FOR */\n" + statement
}

func (mysql) reserved(word string) bool { return reservedMySQL[word] }

// reservedMySQL are the words that MySQL or MariaDB does not take as a bare name.
var reservedMySQL = wordSet(`accessible add all alter analyze and as asc asensitive before between bigint binary blob both by call
	cascade case change char character check collate column condition constraint continue convert create cross cube cume_dist
	current_date current_role current_time current_timestamp current_user cursor database databases day_hour day_microsecond
	day_minute day_second dec decimal declare default delayed delete delete_domain_id dense_rank desc describe deterministic distinct distinctrow div
	do_domain_ids double drop dual each else elseif empty enclosed escaped except exists exit explain false fetch first_value float
	float4 float8 for force foreign from fulltext function general generated get grant group grouping groups having high_priority
	hour_microsecond hour_minute hour_second if ignore ignore_domain_ids ignore_server_ids in index infile inner inout insensitive
	insert int int1 int2 int3 int4 int8 integer intersect interval into io_after_gtids io_before_gtids is iterate join json_table key
	keys kill lag last_value lateral lead leading leave left like limit linear lines load localtime localtimestamp lock long longblob
	longtext loop low_priority manual master_bind master_demote_to_replica master_demote_to_slave master_heartbeat_period master_ssl_verify_server_cert match maxvalue mediumblob
	mediumint mediumtext middleint minute_microsecond minute_second mod modifies natural no_write_to_binlog not nth_value ntile null
	numeric of offset on optimize optimizer_costs option optionally or order out outer outfile over page_checksum parallel
	parse_vcol_expr partition percent_rank period portion precision primary procedure purge qualify range rank read reads read_write
	real recursive references ref_system_id regexp release rename repeat replace require resignal restrict return returning revoke
	right rlike rollup row row_number rows schema schemas second_microsecond select sensitive separator set show signal slow smallint spatial
	specific sql sqlexception sqlstate sqlwarning sql_big_result sql_buffer_result sql_cache sql_no_cache sql_calc_found_rows sql_small_result ssl starting stats_auto_recalc
	stats_persistent stats_sample_pages stored straight_join system system_time table tablesample terminated then tinyblob tinyint
	tinytext to trailing trigger true undo union unique unlock unsigned update usage use using utc_date utc_time utc_timestamp values
	varbinary varchar varcharacter varying versioning virtual when where while window with within without write xor year_month
	zerofill`)
