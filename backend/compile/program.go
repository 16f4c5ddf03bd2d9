package compile

import (
	"time"

	"assay/backend/semantic"
)

// Dialect is the SQL that is written.
type Dialect string

// The dialects.
const (
	DuckDB     Dialect = "duckdb"
	Postgres   Dialect = "postgres"
	MySQL      Dialect = "mysql" // MySQL 8 and MariaDB 10.11
	ClickHouse Dialect = "clickhouse"
)

// Options of Compile. The zero value writes DuckDB with every rewrite and no cache.
type Options struct {
	Dialect Dialect
	// Without names rewrites that stay off; "all" leaves only the plain form, which the property tests compare with.
	Without []string
	// Serve says whether a stored frame answers a branch, and why or why not. nil: there is no cache.
	Serve func(b Branch) (s *Served, reason string)
	// Reasons adds, behind each output that divides, a text column <name>_reason: zero_base or no_base where the number is
	// missing because its divisor is 0 or missing. The rows and their order stay the same.
	Reasons bool
}

// Program is a compiled query.
type Program struct {
	SQL      string
	Columns  []string   // names, in order
	Steps    []Step     // the logical plan, in the order in which it is evaluated
	Rewrites []Rewrite  // every rewrite that was considered
	Branches []Branch   // the scans of the base data, as a cache sees them
	Cache    []CacheUse // one for each branch; empty without a cache
	// Leaf frames: where the dialect cannot say the whole query, SQL is DuckDB's over these, each to be run in Dialect
	// first and handed to DuckDB under its name. Empty: SQL is one statement of the dialect.
	LeafFrames []LeafFrame
}

// LeafFrame is a part of the query that the remote dialect computes.
type LeafFrame struct {
	Name    string // of the table that SQL reads
	SQL     string // in the remote dialect
	Columns []LeafColumn
	Missing string // what the dialect cannot say: the capability
}

// LeafColumn is a column of a leaf frame, so that DuckDB holds what the engine sends in the right type: a truth may come
// as 0 and 1, a decimal as text.
type LeafColumn struct {
	Name string
	Type semantic.Type // empty: as it comes
}

// Step is one operator of the logical plan, for EXPLAIN.
type Step struct {
	Name   string   // of the step in the SQL; empty when it is folded into the next one
	Kind   string   // scan stack collapse rollup attach spine window filter top other totals order
	Says   string   // what it does, for a person: from the text catalogue
	Inputs []string // names of steps
	Keys   []string
	Values []string
}

// Rewrite is one optimisation with its proof.
type Rewrite struct {
	Name    string // inner_join one_scan preaggregate distinct_below_join share_window single_branch totals_rollup ...
	Applied bool
	Why     string // the proof that allows it, or what is missing: from the text catalogue
}

// Branch is one scan of base data: an aggregate that a stored frame may answer instead. Two branches with equal Source and
// Joins keys read the same rows; scalars are compared by Signature.
//
// The rows of a branch are the groups that have a row which passes Filters and the period; without Keys it is one row. The
// filter of a leaf decides its value and never whether there is a row.
type Branch struct {
	Source    *Source
	Tables    []string     // every table that is read; an author's SELECT is its text
	Keys      []BranchKey  // what it groups by
	Leaves    []BranchLeaf // what it aggregates
	Filters   []*Scalar    // conjuncts over rows, without the period
	Time      *Scalar      // of the period; nil: none
	From, To  time.Time    // From <= Time < To; zero: open
	Reducible bool         // every leaf can be reduced again from its values at a finer grain
}

// BranchKey is a column that a branch groups by.
type BranchKey struct {
	Expr *Scalar // over the rows of the source; for an axis the trunc of Branch.Time
	Name string  // of its column
}

// BranchLeaf is an aggregate of a branch.
type BranchLeaf struct {
	Leaf Leaf   // AVG is already taken apart into sum and count
	Name string // of its column
}

// Served is a stored frame that answers a branch: Compile reads Table instead of the source.
type Served struct {
	Table  string    // as the engine knows it, with its catalogue: frames.f_12
	Keys   []*Scalar // for each BranchKey, an expression over the columns of the frame (Op "col", Node 0, Text the column; or a trunc over one)
	Leaves []string  // for each BranchLeaf, the column of the frame
	Reduce []string  // for each BranchLeaf, how that column becomes the leaf again: see the Reduce constants
	Where  []*Scalar // conditions that are left over, over the columns of the frame
	// The part of the period that the frame does not hold and the base must add; empty: none. Only for reducible leaves.
	Missing []Range
	Frame   string // id, for EXPLAIN and served_from
	Rows    int64
	Made    time.Time // when the frame was computed; zero: not known
}

// How a column of a frame becomes the leaf again. Rows of the frame outside of Where do not count; missing values are
// skipped. A leaf that counts is 0 without rows.
const (
	ReduceValue    = "value"    // the frame has one row for each group of the branch, which holds the finished value
	ReduceSum      = "sum"      // of sum, and of count, whose counts are added
	ReduceMin      = "min"      // of min and, over booleans, of all
	ReduceMax      = "max"      // of max and, over booleans, of any
	ReduceDistinct = "distinct" // the column is the counted value itself: COUNT(DISTINCT column), or SUM and AVG(DISTINCT column)
)

// Range is half open.
type Range struct{ From, To time.Time }

// CacheUse says what the cache did for a branch.
type CacheUse struct {
	Branch  int
	Frame   string    // empty: none
	Rows    int64     // of the frame
	Made    time.Time // when the frame was computed; zero: not known
	Part    bool      // base data adds the part of the period that the frame lacks
	Never   bool      // no frame can answer the scan
	Reason  string    // from the text catalogue
	Columns []string  // of the result that are made of what the scan gives
}
