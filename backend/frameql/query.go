package frameql

// Query is one Frame-QL query in its structured form. It is what the parser makes of text, what the JSON form decodes
// to, what a mind proposes and what an answer stores. It names things of a semantic model but knows no model: names are
// bound by Resolve. Zero values mean "clause not there".
//
// The tags of these types are the JSON form: "json" is the key, "ql" what the value is (a name of what, a range, a word of
// a list); json_shape.go says which keys go together. Decoding and the JSON Schema are both made from that.
type Query struct {
	V       int         `json:"v" ql:"const:1"` // always 1
	Explain bool        `json:"explain,omitempty"`
	With    []Def       `json:"with,omitempty"`
	Select  []Item      `json:"select" ql:"some"`
	At      *Grain      `json:"at,omitempty"` // nil: the dimensions in Select; empty grain: the grand total
	From    []string    `json:"from,omitempty" ql:"entity"`
	Where   *Pred       `json:"where,omitempty" ql:"where"`
	Time    *During     `json:"time,omitempty"`
	Compare []Comparand `json:"compare,omitempty"`
	Having  *Pred       `json:"having,omitempty" ql:"having"`
	Top     *Top        `json:"top,omitempty"`
	Fill    string      `json:"fill,omitempty" ql:"enum:zero,null,last,none"`
	Totals  [][]Dim     `json:"totals,omitempty"`
	Order   []Order     `json:"order,omitempty"`
	Limit   *int        `json:"limit,omitempty" ql:"min:0"`
	Offset  int         `json:"offset,omitempty" ql:"min:0"`
	Options []Option    `json:"options,omitempty"` // an object in JSON, sorted by name in canonical text
}

// Def is a named expression of WITH.
type Def struct {
	Name string `json:"name" ql:"label"`
	Expr *Expr  `json:"expr"`
}

// Item is one column asked for: a dimension or an expression, never both. In JSON the keys of either stand beside "as".
type Item struct {
	Dim  *Dim   `json:"-"`                       // {"dim":"order_date","grain":"month","as":"month"}
	Expr *Expr  `json:"-"`                       // {"metric":"revenue","as":"r"}
	As   string `json:"as,omitempty" ql:"label"` // empty: derived from the thing itself
}

// Dim names a dimension: "region", "customers.city", "order_date" with grain "month", or an entity (which stands for
// its key). In text the grain is the last segment: order_date.month. A bare time grain ("month") is Name "month" with no
// Grain; the resolver reads it as the default time of the query at that grain. A last segment that is no built-in grain
// stays in Name, also where it is a unit of a calendar (order_date.retail_week): only a model can tell.
type Dim struct {
	Name  string `json:"dim" ql:"dim"`               // one to five dotted segments, unquoted
	Grain string `json:"grain,omitempty" ql:"grain"` // hour day week month quarter year fiscal_quarter fiscal_year
}

// Expr is a metric expression. Exactly one of Num, Metric, Reduce, Fn and Op says what it is.
type Expr struct {
	Num    string  `json:"num,omitempty" ql:"number"`    // a number, as written
	Metric string  `json:"metric,omitempty" ql:"metric"` // a metric, a WITH definition, or a measure column
	Reduce string  `json:"reduce,omitempty" ql:"enum:sum,avg,min,max,count,median,percentile,stddev,first,last,any,all"`
	Fn     string  `json:"fn,omitempty" ql:"enum:prev,delta,pct_change,share,cumulative,moving,rank,index"`
	Op     string  `json:"op,omitempty" ql:"enum:+,-,*,/,at"` // + - * / over two Args; "at": a grain around the one Arg that has a grain or is a function
	Star   bool    `json:"star,omitempty" ql:"true"`          // COUNT(*)
	Dist   bool    `json:"distinct,omitempty"`                // COUNT(DISTINCT x)
	Of     *Expr   `json:"of,omitempty"`                      // the argument of Reduce or Fn; a Metric may name a dimension there: COUNT(DISTINCT customers.city)
	Args   []*Expr `json:"args,omitempty" ql:"some"`          // operands of Op
	Params []Value `json:"params,omitempty"`
	Unit   string  `json:"unit,omitempty" ql:"unit"`    // MOVING(m, 7, DAY)
	At     *Grain  `json:"at,omitempty"`                // (expr AT grain), or the AT of a function
	Filter *Pred   `json:"filter,omitempty" ql:"where"` // FILTER (WHERE ...)
}

// Grain is a set of dimensions with what it ignores. In JSON it is the list of Dims unless it ignores something.
type Grain struct {
	Dims          []Dim `json:"dims"`
	IgnoreFilters bool  `json:"-"` // IGNORING FILTERS; in JSON "ignoring":"filters"
	IgnoreDims    []Dim `json:"-"` // IGNORING (dims); in JSON "ignoring":[dims]
}

// Pred is a predicate. Exactly one of And, Or, Not, Quant and Op says what it is.
type Pred struct {
	And    []*Pred `json:"and,omitempty" ql:"some"`
	Or     []*Pred `json:"or,omitempty" ql:"some"`
	Not    *Pred   `json:"not,omitempty"`
	Quant  string  `json:"quant,omitempty" ql:"enum:any,all,no"`
	Entity string  `json:"entity,omitempty" ql:"entity"`
	Pred   *Pred   `json:"pred,omitempty" ql:"where"` // of a quantifier

	Dim    string  `json:"dim,omitempty" ql:"dim"`     // left side in WHERE, dotted
	Grain  string  `json:"grain,omitempty" ql:"grain"` // of Dim
	Out    string  `json:"out,omitempty" ql:"out"`     // left side in HAVING: an output name
	Left   *Expr   `json:"left,omitempty"`             // left side: an expression of HAVING, a computed number in WHERE
	Op     string  `json:"op,omitempty" ql:"enum:eq,ne,lt,le,gt,ge,in,not_in,between,not_between,like,not_like,contains,not_contains,starts_with,not_starts_with,is_null,not_null,in_top"`
	Val    *Value  `json:"val,omitempty"` // operand of a comparison
	Vals   []Value `json:"-"`             // of in and between; an array under "val" in JSON
	ValDim *Dim    `json:"val_dim,omitempty"`
	Expr   *Expr   `json:"expr,omitempty"`         // a scalar operand: (AVG(x) AT ()), or the key of in_top
	N      int     `json:"n,omitempty" ql:"min:1"` // of in_top
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
	On     *Dim   `json:"on,omitempty" ql:"time"` // nil: the default time of the metrics
	Period Period `json:"period"`
}

// Period is a calendar period. Resolve turns it into a half-open range.
type Period struct {
	Kind  string `json:"kind" ql:"enum:literal,last,this,previous,range,between,all_time,today,yesterday,ytd,qtd,mtd,wtd"`
	Value string `json:"value,omitempty" ql:"literal"` // literal: 2025, 2025-Q4, 2025-10, FY2025, FY2025-Q2, 2025-10-03
	N     int    `json:"n,omitempty" ql:"min:1"`       // LAST n unit
	Unit  string `json:"unit,omitempty" ql:"unit"`     // day week month quarter year fiscal_quarter fiscal_year, or a calendar unit
	Incl  bool   `json:"including_current,omitempty"`
	ToDay bool   `json:"to_date,omitempty"` // THIS unit TO DATE
	// From and To bound a range (end exclusive) and a between (end inclusive): a date, or a moment of the data's own clock
	// (2025-10-31T02:00). To is empty in a range with an open end.
	From string `json:"from,omitempty" ql:"moment"`
	To   string `json:"to,omitempty" ql:"moment"`
}

// Comparand is one side of COMPARE TO.
type Comparand struct {
	Kind   string  `json:"kind" ql:"enum:previous_period,previous,same_period_last,during,target"`
	Unit   string  `json:"unit,omitempty" ql:"unit"` // of previous and same_period_last
	Period *Period `json:"period,omitempty"`
	Metric string  `json:"metric,omitempty" ql:"metric"` // of target
}

// Top keeps the first N members of a dimension.
type Top struct {
	N     int  `json:"n" ql:"min:1"`
	Dim   Dim  `json:"dim"`
	By    Key  `json:"by"`
	Asc   bool `json:"asc,omitempty"`
	Per   *Dim `json:"per,omitempty"`
	Other bool `json:"other,omitempty"`
}

// Key is what a TOP or an ORDER sorts by: an output name, an expression or a dimension.
type Key struct {
	Out  string `json:"out,omitempty" ql:"out"` // as written; bound by Resolve
	Expr *Expr  `json:"expr,omitempty"`
}

// Order is one key of ORDER BY. In JSON its direction is "dir":"asc" or "desc".
type Order struct {
	Key
	Desc bool `json:"-"`
}

// Option is one setting of OPTIONS (tz, week_start, calendar, partial, verify, max_rows, distinct).
type Option struct {
	Name  string
	Value Value
}
