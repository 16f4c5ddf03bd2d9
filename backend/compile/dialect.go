package compile

import (
	"strconv"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
)

// dialect spells SQL. It knows how a thing is said and nothing of what is asked: the writer (write*.go) lays statements
// out and calls it for every name, literal and construct in which engines differ. There is one file for each dialect.
//
// What is asked of every method: its text stands by itself as an operand (a name, a literal, a call, CAST, CASE, or in
// parentheses), but for those that say otherwise; it is deterministic; and it gives the value that DuckDB gives, NULL
// included. A construct that the engine cannot say, or not with the same value, is named by missing and never written:
// then the scans run there as leaf frames and DuckDB does the rest.
type dialect interface {
	// kind is the name that Options.Dialect gives it.
	kind() Dialect

	// missing says which capabilities the engine lacks; every other one it has.
	missing() []capability

	// name writes an identifier, quoted where it must be. It never lets a quote out.
	name(s string) string

	// table writes a table as the engine knows it. Names with a catalogue and a schema are given as one text with dots
	// only by the cache (frames.f_12); a table of the model is one name.
	table(s string) string

	// text writes a string literal: the one place where a value of a person enters SQL. It stays on one line.
	text(s string) string

	// literal writes "date", "timestamp", "time" (ISO text) or "bool" (true, false).
	literal(kind, value string) string

	// null writes a missing value that has a type, for UNION ALL. An unknown type is "".
	null(t semantic.Type) string

	// cast writes x as a type: Text, Integer, Decimal, Float, Boolean, Date, Timestamp.
	cast(x string, t semantic.Type) string

	// binary gives a column of a table, or a CASE, that is text, so that it compares, groups and sorts by the codes of its
	// characters, as DuckDB does: case, accents and spaces at the end count. Columns of other types, and of steps of the
	// statement (they have it from below), are left as they are.
	binary(x operand, t semantic.Type) operand

	// divide writes a / b: floating, missing when b is zero. Its text binds like a product. exact: b is a literal that is not zero.
	divide(a, b operand, exact bool) string

	// same writes the equality for which NULL equals NULL. Its text binds like a comparison.
	same(a, b operand) string

	// match writes like, contains or starts_with; the last two ignore case. Its text binds like a comparison.
	match(op string, x, pattern operand) string

	// call writes a function of the expression grammar.
	call(function string, args []operand) (sql string, ok bool)

	// trunc cuts a time to the start of a unit: hour day week month quarter year, fiscal_quarter and fiscal_year with
	// shift in months, week with shift in days (1: weeks start on Sunday). Its value is a DATE but for hour.
	trunc(x operand, unit string, shift int) string

	// zoned gives the wall clock in zone to of a timestamp whose wall clock is in zone from (empty: UTC).
	zoned(x operand, from, to string) string

	// move adds n units (negative: takes away) to a time: hour day week month quarter year. Month ends are clamped: 31 January and
	// one month is the last of February. A date stays a DATE unless the unit is hour. typ is what x is.
	move(x operand, n int, unit string, typ semantic.Type) string

	// aggregate writes one aggregate with its filter.
	aggregate(a aggregateText) string

	// back writes the frame of a window over an ascending axis of dates: the rows from (x - n units) on up to x. less: from
	// a day or an hour after that, for longer units over an axis of these.
	back(n int, unit, less string) string

	// carry writes the last value that is not missing up to this row; over is the text within OVER ( ) without a frame.
	carry(x, over string) string

	// series writes a FROM item of the starts first, first + one unit, ... up to and with last, with one column called
	// column of type typ; first and last are times written as SQL. alias is how it is called.
	series(first, last, unit string, typ semantic.Type, alias, column string) string

	// values writes a FROM item of one column of dates.
	values(dates []string, alias, column string) string

	// order writes one sort key with what is missing last. alias is the column of the same SELECT that x is; empty: none.
	order(x, alias string, desc bool) string

	// limit writes the row limit; n < 0: none, which a dialect may have to say when there is an offset.
	limit(n, offset int) string

	// least gives the earlier of two times, neither missing.
	least(a, b string) string

	// whole gives a statement with the settings without which it could mean something else in somebody's session.
	whole(statement string) string

	// reserved says whether a short name may not be used as an alias.
	reserved(word string) bool
}

// operand is a written expression with how tightly it binds.
type operand struct {
	sql  string
	rank int
	typ  semantic.Type // empty: not known
}

// at gives the text as an operand of something that binds with rank least.
func (o operand) at(least int) string {
	if o.rank < least {
		return "(" + o.sql + ")"
	}
	return o.sql
}

// The ranks: how tightly SQL binds.
const (
	rankOr = iota + 1
	rankAnd
	rankNot
	rankCompare
	rankAdd
	rankMultiply
	rankNegate
	rankAtom
)

// aggregateText is an aggregate with its parts written.
type aggregateText struct {
	reducer  string // sum avg min max count median percentile stddev first last any all; one: any value that is not missing
	distinct bool
	arg      string   // "*" for rows
	filter   string   // a condition; empty: none
	crowded  bool     // many aggregates of the SELECT have a filter: DuckDB writes CASE instead
	param    string   // of percentile: between 0 and 1
	discrete bool     // of percentile: a value that occurs
	order    []string // of first and last: the time, then what decides between equal times; rows whose time is missing do not count
	typ      semantic.Type
}

// fewFilters is how many aggregates of one SELECT may have a filter before they count as many: DuckDB copies all that they
// read for each filter.
const fewFilters = 20

// capability is something that not every engine can say with the value that DuckDB gives.
type capability string

// The capabilities. Everything else is expected of an engine: WITH, window functions with ROWS, UNION ALL, EXISTS,
// CASE, LEFT JOIN and derived tables.
const (
	canPercentile  capability = "percentile"   // continuous and discrete percentiles, the median
	canFirstLast   capability = "first_last"   // the value of the earliest or latest row
	canStdDev      capability = "stddev"       // of a sample; missing below two values
	canBool        capability = "bool"         // any and all of booleans
	canDistinctSum capability = "distinct_sum" // SUM(DISTINCT x), AVG(DISTINCT x)
	canRange       capability = "range_window" // RANGE BETWEEN INTERVAL n unit PRECEDING AND CURRENT ROW
	canCarry       capability = "ignore_nulls" // the last value that is not missing
	canSeries      capability = "series"       // a series of dates
	canZone        capability = "time_zone"    // wall clocks of named zones
	canTimes       capability = "hour"         // hours as units of an axis
	canExistsInAgg capability = "exists_agg"   // a correlated EXISTS within an aggregate's filter or argument
)

// dialectFor gives the dialect of a name.
func dialectFor(d Dialect) (dialect, error) {
	if d == "" {
		d = DuckDB
	}
	for _, known := range dialects() {
		if known.kind() == d {
			return known, nil
		}
	}
	return nil, fault.New(fault.Invalid, "write sql", text.Say("compile.no_dialect", "dialect", string(d)), text.Say("compile.no_dialect_hint"))
}

// dialects lists those that can be written.
func dialects() []dialect {
	return []dialect{duckdb{}, postgres{}, mysql{}, clickhouse{}}
}

func itoa(n int) string { return strconv.Itoa(n) }
