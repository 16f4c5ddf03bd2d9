package compile

import (
	"time"

	"assay/backend/semantic"
)

// Query is a bound query: what is asked, with every name already turned into a column, an aggregate or a member of the
// grain. It knows tables and columns, and no words: the resolver of frameql makes it, Compile writes it.
//
// A query is evaluated as if each of its numbers were computed alone, over the rows of its own source, at the grain where
// it stands and in its own context, and the numbers were then put side by side by their grain. Everything that Compile
// does besides is a rewrite, which may change the cost and never a number.
type Query struct {
	Sources  []Source  // one for each fact; never empty
	Keys     []Key     // every column that some grain groups by; Grain says which are the output's
	Grain    []int     // indices of Keys: one row of the result for each combination of their values; empty: one row
	Leaves   []Leaf    // every aggregate over rows
	Contexts []Context // 0 is the query's own; the others are comparands
	Outputs  []Output  // columns of the result, in order
	Having   *Scalar   // over cells; nil: none
	Top      *Top      // nil: none
	Fill     *Fill     // nil: no gap is filled
	Totals   [][]int   // each a subset of Grain for which total rows are added; an empty one is the grand total
	Order    []SortKey // what was asked; Compile appends the grain as tie-break
	Limit    *int
	Offset   int
	// First and Last are the days of the first and the last row of the times of all leaves; zero: not known. Calendars, which
	// reach over centuries, are written as far as they matter.
	First, Last time.Time
	Listing     bool // rows of Sources[0] as they are, or the distinct values of Keys: there are no leaves
}

// Source is one fact: its rows with what can be looked up from them.
type Source struct {
	Nodes []Node    // 0 is the fact; parents stand before their children
	Where []*Scalar // the conjuncts of WHERE as this source sees them; index i is the same conjunct in every source; nil: does not apply
	Rows  int64     // about how many rows the fact has; 0: not known
}

// Node is one occurrence of an entity: the fact, or what a chain of N:1 joins reaches.
type Node struct {
	Entity string
	Table  string // as the engine knows it; exclusive with SQL
	SQL    string // a SELECT by the author of the model
	Parent int    // index in Nodes; of node 0: -1
	On     []Pair // equalities with the parent; none for node 0
	Total  bool   // every row of the parent is known to have its partner, so that an inner join loses none
	Key    []*Scalar
	// Key holds the columns of the entity's key on this node; empty: it has none.
	Rows   int64 // about; 0: not known
	Unique bool  // the joined side of On was measured to be unique on the present data; false: it is only declared
}

// Pair equates a column of the parent with one of the node.
type Pair struct{ Parent, Own *Scalar }

// Scalar is a bound expression: of one row of a source, or of one row of a result (a cell). Each dialect writes it.
//
// Of rows:
//
//	col            a column of the source: Node and Text (its physical name)
//	exists         Sub; a quantifier across a one-to-many edge. Negated by not
//	lookup         Index of Sub.Lookup: a number that is computed by a query of its own, found by the row's keys
//	in_top         Sub.Lookup: whether the row's keys are among its first members
//
// Of cells:
//
//	key            Index into Query.Keys; it must be in the grain where the cell stands, or determined by it
//	leaf           Index into Query.Leaves, in the context Ctx
//	at             Args[0] evaluated at the grain Keys, which is coarser than where it stands: its value is repeated
//	reduce         Text (a reducer) over the rows of Args[0] evaluated at the grain Keys, which is finer; Param as in Leaf; Unit
//	               "discrete" of a discrete percentile. count_distinct, sum_distinct and avg_distinct are reducers here. first and
//	               last go by the finest axis of Keys
//	cumulative     Args[0] added up along the axis from the start of the period, or from the start of each Unit (Shift and Buckets as of trunc)
//	moving         Args[0] over the last N Units, the present one included
//	lag            Args[0] of the bucket N buckets of the axis earlier
//	rank           the rank of Args[0], highest first, 1 based, equal values share a rank, among the rows of equal Keys
//	index          100 * Args[0] / its value in the first bucket of the axis, for equal other keys
//
// Of both:
//
//	num str bool null date timestamp time   a literal, Text
//	+ - * / neg    "/" gives missing instead of dividing by zero, and a floating number
//	= <> < <= > >= same and or not is_null not_null in not_in    same: IS NOT DISTINCT FROM
//	like contains starts_with               Args: the text and a str
//	case           Args: when, then, ..., [else] with HasElse
//	call           Text: a function of the expression grammar
//	trunc          Text: a time grain; Shift: months for fiscal grains, days for weeks; Zone: a time zone to cut in; Buckets: of a calendar.
//	               With an empty Text the wall clock is converted to Zone and not cut
type Scalar struct {
	Op       string
	Text     string
	Args     []*Scalar
	Node     int
	Index    int
	Ctx      int   // of a leaf
	Keys     []int // of at, reduce and rank: indices of Query.Keys
	Fixed    []int // of at: keys that Keys determine and that stand beside them. In total rows, where Keys have no value, they hold
	N        int
	Unit     string
	Param    string // percentile: a decimal between 0 and 1
	Shift    int
	Zone     string   // IANA name; the wall clock of a timestamp is read as From and cut as Zone
	From     string   // IANA name of the zone of the stored wall clock; empty: none
	Buckets  []Bucket // of a calendar that is not arithmetic
	HasElse  bool
	Sub      *Sub
	Type     semantic.Type // empty: not known
	Currency string        // the unit of the number: USD, %, days; empty: none
	Number   *Number       `json:"-"` // of a column of the store that is an exact number; nil: not known. It changes no value, so it names nothing

	step  *step  // while it is compiled: the rows that exists looks for; the row that single takes a column of
	scope *scope // of exists while it is written: where its outer columns are
}

// Bucket is one unit of a custom calendar: From <= day < To.
type Bucket struct{ From, To time.Time }

// Sub is what a row is tested against.
type Sub struct {
	// of exists
	Nodes []Node    // 0 is the entity of the many side; its own joins follow
	On    []Pair    // Parent: a column of the outer source; Own: a column of Nodes
	Where []*Scalar // over Nodes
	// of lookup and in_top
	Lookup *Lookup
}

// Lookup is a query whose result is found by keys of the row.
type Lookup struct {
	Query *Query    // one output for each key, in the order of Keys, then the value; for in_top no value is needed
	Keys  []*Scalar // over the row of the outer source, one for each key of Query.Grain, in its order; none: one number for all
}

// Key is a column to group by.
type Key struct {
	Name      string    // for aliases: company_name, month
	Exprs     []*Scalar // by source; nil where that source does not reach it
	Axis      bool      // the time of the metrics, cut: for a leaf it is Cut over the leaf's Time, and Exprs are nil
	Cut       *Scalar   // of an axis: a trunc without argument
	Part      *Scalar   // of a part of the time of the leaves: a call without argument. A leaf that is moved has that of the moved time
	Type      semantic.Type
	DependsOn []int   // indices of Keys that determine it, when it is no part of a grain by itself; empty: it is
	Declared  bool    // of DependsOn: nobody measured it, so that a row takes one of the values that it may have
	Within    [][]int // grains of total rows, of the members of TOP and of its rest that determine it, besides DependsOn
	Size      int64   // about how many values; 0: not known
	Days      int64   // of a key that cuts a time: on about how many days there is data; 0: not known
}

// Leaf is one aggregate over the rows of a source.
type Leaf struct {
	Source   int
	Reducer  string    // sum avg min max count median percentile stddev first last any all
	Distinct bool      // of count, sum and avg
	Expr     *Scalar   // nil: rows
	Filter   *Scalar   // nil: none
	Param    string    // of percentile: a decimal between 0 and 1
	Discrete bool      // of percentile: a value that occurs, not one between two
	Time     *Scalar   // the time of the metric on this source; nil: none. Periods and axes apply to it
	Tie      []*Scalar // of first and last: what decides between rows of the same time (the key of the source)
	Pick     *Pick     // semi-additive: which snapshots count; nil: all rows
	Map      TimeMap   // where on the axis a row counts; zero: at its own time
	Zero     bool      // no rows give 0, not missing
	// CoverFrom <= t < CoverTo is where the leaf's Time has data: with Zero, no rows are 0 there and missing outside. Zero: not
	// known, so that they are 0 wherever there is a row.
	CoverFrom, CoverTo time.Time
	Name               string // for aliases
	Metric             string // declared metric that it is, with its own reducer and no filter; empty: none
	Type               semantic.Type

	pickCut *Scalar // of Pick while it is compiled: the buckets of each of which a snapshot is picked; nil: one for all
}

// Pick is the rule of a semi-additive leaf: of each bucket of the axis (of the whole period when the grain has no axis)
// only the first or the last snapshots count.
type Pick struct {
	Last bool      // false: the first
	Per  []*Scalar // LAST_PER_KEY: the snapshot is found for each of these; empty: LAST_CALENDAR, one date for all rows of the bucket
}

// TimeMap says at which days of the axis a row of day t counts.
//
//	""         at t
//	shift      at t + N Units (a past value stands N units later)
//	window     at every day d with d - N Units < t <= d
//	to_date    at every day d >= t of the same Unit
//	all        at every day d >= t
//	at_start   at every day of the Unit that begins on t
//	same_day   at t; with an Offset of months this is how a shift by months stands on an axis of days
//
// With an Offset a row counts at d when it would count at d - Offset OffsetUnits (a past window; not of shift).
//
// On an axis coarser than a day a row counts at one day of each bucket: at the first of at_start, else at the last.
type TimeMap struct {
	Kind       string
	N          int
	Unit       string
	Cut        *Scalar // of to_date and at_start, and of a window of buckets or whole units: the trunc of Unit when a calendar or a week start says more; nil: Unit alone
	Offset     int
	OffsetUnit string

	within bool // while it is compiled: of a window function, so that only rows of the period count (from the start of the unit on)
}

// Context is where and when a leaf is evaluated.
type Context struct {
	From, To time.Time // From <= t < To of the leaf's Time; zero: open
	Shift    int       // Units by which the axis of a comparand is moved to lie on the axis of the query; 0: none
	Unit     string    // day week month quarter year hour
	// Peers pairs the buckets of an axis whose unit a calendar lists, instead of Shift: From is the start of a bucket of the
	// comparand, To the start of the bucket of the query on which it lies. A bucket that is not listed has no peer.
	Peers         []Bucket
	Lag           bool  // the comparand is the neighbouring bucket and not a period: rows that only it has are left out
	IgnoreFilters bool  // of IGNORING FILTERS: no conjunct of WHERE applies, periods do
	Ignored       []int // conjuncts of WHERE, by index, that do not apply

	warm time.Time // while it is compiled: rows from here to From are scanned as well, for windows, and not shown
}

// Output is one column of the result.
type Output struct {
	Name string
	Cell *Scalar // over cells; of flags nil
	Flag string  // other: whether the row is the rest of TOP; total: whether it is a total row; empty: no flag
}

// Top keeps the first N members.
type Top struct {
	N       int
	Members []int   // indices of Keys, part of the grain: what is ranked
	By      *Scalar // over cells at the grain Members + Per
	Asc     bool
	Per     []int // indices of Keys: ranked within each of their values; empty: over all
	Other   bool  // the rest is one more member
}

// Fill adds the buckets of the axis that have no rows.
type Fill struct {
	Axis       int       // index of Keys
	Mode       string    // zero null last none: what numbers say there. zero: 0 for leaves with Zero, missing for the others
	From, To   time.Time // buckets from that of From to that before To; zero: the first and the last of the result
	Throughout bool      // of zero: numbers of the period of the query are 0 outside of their data too
	Within     [][]int   // reserved: combinations of the other keys that get a spine; nil: those of the result
}

// SortKey is one key of ORDER BY.
type SortKey struct {
	Output int     // index of Outputs; -1: Cell
	Cell   *Scalar //
	Desc   bool
}
