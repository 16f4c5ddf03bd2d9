package frameql

// Query is one Frame-QL query in its structured form. It is what the parser makes of text, what the JSON form decodes
// to, what a mind proposes and what an answer stores. It names things of a semantic model but knows no model: names are
// bound by Resolve. Zero values mean "clause not there".
type Query struct {
	V       int         `json:"v"` // always 1
	Explain bool        `json:"explain,omitempty"`
	With    []Def       `json:"with,omitempty"`
	Select  []Item      `json:"select"`
	At      *Grain      `json:"at,omitempty"` // nil: the dimensions in Select; empty grain: the grand total
	From    []string    `json:"from,omitempty"`
	Where   *Pred       `json:"where,omitempty"`
	Time    *During     `json:"time,omitempty"`
	Compare []Comparand `json:"compare,omitempty"`
	Having  *Pred       `json:"having,omitempty"`
	Top     *Top        `json:"top,omitempty"`
	Fill    string      `json:"fill,omitempty"` // zero | null | last | none
	Totals  [][]Dim     `json:"totals,omitempty"`
	Order   []Order     `json:"order,omitempty"`
	Limit   *int        `json:"limit,omitempty"`
	Offset  int         `json:"offset,omitempty"`
	Options []Option    `json:"options,omitempty"` // an object in JSON, sorted by name in canonical text
}

// Def is a named expression of WITH.
type Def struct {
	Name string `json:"name"`
	Expr *Expr  `json:"expr"`
}

// Item is one column asked for: a dimension or an expression, never both.
type Item struct {
	Dim  *Dim   // {"dim":"order_date","grain":"month","as":"month"}
	Expr *Expr  // {"metric":"revenue","as":"r"}
	As   string // output name; empty: derived from the thing itself
}

// Dim names a dimension: "region", "customers.city", "order_date" with grain "month", or an entity (which stands for
// its key). In text the grain is the last segment: order_date.month. A bare time grain ("month") is Name "month" with no
// Grain; the resolver reads it as the default time of the query at that grain.
type Dim struct {
	Name  string `json:"dim"`             // one to three dotted segments, unquoted
	Grain string `json:"grain,omitempty"` // hour day week month quarter year fiscal_quarter fiscal_year
}

// Expr is a metric expression. Exactly one of Num, Metric, Reduce, Fn and Op says what it is.
type Expr struct {
	Num    string  `json:"num,omitempty"`    // a number, as written
	Metric string  `json:"metric,omitempty"` // a metric, a WITH definition, or a measure column
	Reduce string  `json:"reduce,omitempty"` // sum avg min max count median percentile stddev first last any all
	Fn     string  `json:"fn,omitempty"`     // prev delta pct_change share cumulative moving rank index
	Op     string  `json:"op,omitempty"`     // + - * / over two Args; "at": a grain around the one Arg that has a grain or is a function
	Star   bool    `json:"star,omitempty"`   // COUNT(*)
	Dist   bool    `json:"distinct,omitempty"`
	Of     *Expr   `json:"of,omitempty"`   // the argument of Reduce or Fn; a Metric may name a dimension there: COUNT(DISTINCT customers.city)
	Args   []*Expr `json:"args,omitempty"` // operands of Op
	Params []Value `json:"params,omitempty"`
	Unit   string  `json:"unit,omitempty"`   // MOVING(m, 7, DAY)
	At     *Grain  `json:"at,omitempty"`     // (expr AT grain), or the AT of a function
	Filter *Pred   `json:"filter,omitempty"` // FILTER (WHERE ...)
}

// Grain is a set of dimensions with what it ignores.
type Grain struct {
	Dims          []Dim
	IgnoreFilters bool  // IGNORING FILTERS
	IgnoreDims    []Dim // IGNORING (dims)
}

// Pred is a predicate. Exactly one of And, Or, Not, Quant and Op says what it is.
type Pred struct {
	And    []*Pred `json:"and,omitempty"`
	Or     []*Pred `json:"or,omitempty"`
	Not    *Pred   `json:"not,omitempty"`
	Quant  string  `json:"quant,omitempty"` // any all no
	Entity string  `json:"entity,omitempty"`
	Pred   *Pred   `json:"pred,omitempty"` // of a quantifier

	Dim    string  `json:"dim,omitempty"`   // left side in WHERE, dotted
	Grain  string  `json:"grain,omitempty"` // of Dim
	Out    string  `json:"out,omitempty"`   // left side in HAVING: an output name
	Left   *Expr   `json:"left,omitempty"`  // left side in HAVING: an expression
	Op     string  `json:"op,omitempty"`    // eq ne lt le gt ge in not_in between not_between like not_like contains not_contains starts_with not_starts_with is_null not_null in_top
	Val    *Value  `json:"val,omitempty"`   // operand of a comparison
	Vals   []Value `json:"-"`               // of in and between; an array under "val" in JSON
	ValDim *Dim    `json:"val_dim,omitempty"`
	Expr   *Expr   `json:"expr,omitempty"` // a scalar operand: (AVG(x) AT ()), or the key of in_top
	N      int     `json:"n,omitempty"`    // of in_top
}

// Value is a literal. Numbers keep their digits.
type Value struct {
	Kind ValueKind
	Text string // the string, the number as written, "true" or "false"; empty for null
}

// ValueKind is the kind of a literal.
type ValueKind string

// The kinds of literal. A date is written as a string in predicates; DURING has its own periods.
const (
	String ValueKind = "string"
	Number ValueKind = "number"
	Bool   ValueKind = "bool"
	Null   ValueKind = "null"
)

// During restricts the query to a period on a time dimension.
type During struct {
	On     *Dim   `json:"on,omitempty"` // nil: the default time of the metrics
	Period Period `json:"period"`
}

// Period is a calendar period. Resolve turns it into a half-open range.
type Period struct {
	Kind  string `json:"kind"`            // literal last this previous range between all_time today yesterday ytd qtd mtd wtd
	Value string `json:"value,omitempty"` // literal: 2025, 2025-Q4, 2025-10, FY2025, FY2025-Q2, 2025-10-03
	N     int    `json:"n,omitempty"`     // LAST n unit
	Unit  string `json:"unit,omitempty"`  // day week month quarter year fiscal_quarter fiscal_year, or a calendar unit
	Incl  bool   `json:"including_current,omitempty"`
	ToDay bool   `json:"to_date,omitempty"` // THIS unit TO DATE
	From  string `json:"from,omitempty"`    // range (end exclusive) and between (end inclusive): ISO dates
	To    string `json:"to,omitempty"`      // empty in a range: open end
}

// Comparand is one side of COMPARE TO.
type Comparand struct {
	Kind   string  `json:"kind"`           // previous_period previous same_period_last during target
	Unit   string  `json:"unit,omitempty"` // of previous and same_period_last
	Period *Period `json:"period,omitempty"`
	Metric string  `json:"metric,omitempty"` // of target
}

// Top keeps the first N members of a dimension.
type Top struct {
	N     int  `json:"n"`
	Dim   Dim  `json:"dim"`
	By    Key  `json:"by"`
	Asc   bool `json:"asc,omitempty"`
	Per   *Dim `json:"per,omitempty"`
	Other bool `json:"other,omitempty"`
}

// Key is what a TOP or an ORDER sorts by: an output name, an expression or a dimension.
type Key struct {
	Out  string `json:"out,omitempty"` // an output name, a metric or a dimension, as written; bound by Resolve
	Expr *Expr  `json:"expr,omitempty"`
}

// Order is one key of ORDER BY.
type Order struct {
	Key
	Desc bool
}

// Option is one setting of OPTIONS (tz, week_start, calendar, partial, verify, max_rows, distinct).
type Option struct {
	Name  string
	Value Value
}
