package frameql

import "time"

// Plan is a query bound to a model: what it names, how the rows are reached, and what the frame will look like. It is
// immutable; Statement and PopulationStatement write its SQL.
type Plan struct {
	Query      *Query      // canonical: names as the model spells them, periods as they were written
	Columns    []Column    // of the frame, in order
	Fact       string      // the entity whose rows are counted or listed; empty: none
	Metrics    []string    // every declared metric that is used, also by other metrics, sorted
	Dimensions []string    // "entity.dimension", every one that is used, also by metrics, sorted
	Entities   []string    // the fact first, then in the order they are joined
	Joins      []JoinUse   // in the order they are joined
	Filters    []FilterUse // the conjuncts of WHERE
	Period     *PeriodUse  // DURING; nil: none
	Grain      []GrainUse  // what one row of the frame stands for; empty: one row
	Listing    bool        // members of an entity, no metric
	Top        *TopUse     // nil: none
	Limit      *int        // as asked
	Offset     int         //
	MaxRows    int         // cap of the frame
	Complexity Complexity  // for risk
	bound      *boundQuery // what the SQL is written from
}

// JoinUse is one edge that the plan follows, from many to one.
type JoinUse struct {
	From string // entity
	To   string // entity
	Role string // empty: none
}

// FilterUse is one conjunct of WHERE.
type FilterUse struct {
	Text       string   // canonical Frame-QL
	Dimensions []string // "entity.dimension"
}

// PeriodUse is a period bound to a time dimension and to the calendar. From <= t < To; a zero time is an open end.
type PeriodUse struct {
	On       string    // "entity.dimension"; empty from ResolvePeriod
	Label    string    // canonical text: "LAST 3 MONTH"
	From, To time.Time // midnight of a calendar day, UTC
	Relative bool      // depends on the clock
	Grain    string    // the unit that it is made of: day week month quarter year fiscal_quarter fiscal_year; empty: all time
	Calendar string    // the fiscal calendar that it was read with; empty: none
}

// GrainUse is one dimension of the output grain.
type GrainUse struct {
	Dimension string // "entity.dimension"
	Grain     string // of a time dimension; empty: none
	Column    string // output name; empty: not shown
}

// TopUse is a bound TOP.
type TopUse struct {
	N         int
	Dimension string // "entity.dimension"
	By        string // canonical text of the key
	Asc       bool
}

// Complexity counts what makes a query hard to get right.
type Complexity struct {
	Joins      int
	Subqueries int
	Windows    int
	Aggregates int
}
