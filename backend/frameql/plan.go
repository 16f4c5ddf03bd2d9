package frameql

import (
	"slices"
	"strconv"
	"time"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Plan is a query bound to a model: what it names, how the rows are reached, and what the frame will look like. It is
// immutable; Statement and PopulationStatement give its SQL.
type Plan struct {
	Query       *Query         // canonical: names as the model spells them, periods as they were written
	Columns     []Column       // of the frame, in order
	Items       []int          // of each column, the item of SELECT that asks for it; -1: none does by itself
	Fact        string         // the entity whose rows are counted or listed, the first of several
	Facts       []string       // every such entity
	Metrics     []string       // every declared metric that is used, also by other metrics, sorted
	Dimensions  []string       // "entity.dimension", every one that is used, also by metrics, sorted
	Entities    []string       // the facts first, then what is joined or looked at
	Joins       []JoinUse      // in the order they are joined
	Filters     []FilterUse    // the conjuncts of WHERE
	Period      *PeriodUse     // DURING; nil: none
	Comparands  []ComparandUse // COMPARE TO
	Grain       []GrainUse     // what one row of the frame stands for; empty: one row
	Listing     bool           // members of an entity, no metric
	Top         *TopUse        // nil: none
	Fill        string         // zero null last; empty: gaps are not filled
	Totals      [][]string     // the dimensions of each kind of total row, canonical; an empty one is the grand total
	Limit       *int           // as asked
	Offset      int            //
	MaxRows     int            // cap of the frame
	Verify      string         // A AA AAA: the least grade that OPTIONS asks for; empty: none
	Complexity  Complexity     // for risk
	Assumptions []string       // how something was read that the query leaves open: sentences
	Notices     []Notice       // what a reader of the numbers should know
	Unattested  []Lack         // what keeps the plan from grade AA; empty: nothing
	Unproven    []Lack         // what keeps it from AAA besides
	bound       *compile.Query
	population  *compile.Query
	unmatched   *Unmatched
}

// Edges says, by column, in which buckets of the axis a number has all the data that it looks at; nil where that is not known.
func (p *Plan) Edges() []*compile.Edges { return p.bound.Edges() }

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
	On       string    // "entity.dimension", the first of several; empty from ResolvePeriod
	Label    string    // canonical text: "LAST 3 MONTH"
	From, To time.Time // midnight of a calendar day, UTC
	Relative bool      // depends on the clock
	Grain    string    // the unit that it is made of: day week month quarter year fiscal_quarter fiscal_year ...; empty: all time
	Calendar string    // the fiscal calendar that it was read with; empty: none
}

// ComparandUse is one comparand. From <= t < To; both are zero for a target and where each bucket is compared with one
// before it.
type ComparandUse struct {
	Label    string // canonical text: "SAME PERIOD LAST YEAR"
	From, To time.Time
	Kind     string // previous_period previous same_period_last during target
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
	Per       string // canonical text of PER; empty: over all
	Other     bool   // the rest is one more member
}

// Complexity counts what makes a query hard to get right.
type Complexity struct {
	Joins      int
	Subqueries int
	Windows    int
	Aggregates int
}

// Bound gives the query as the compiler takes it. It belongs to the plan: do not change it.
func (p *Plan) Bound() *compile.Query { return p.bound }

// Explain compiles the plan: its steps, the rewrites with their reasons, the SQL and what a cache said.
func (p *Plan) Explain(o compile.Options) (*compile.Program, error) {
	return compile.Compile(p.bound, o)
}

// Statement writes the SQL of the plan. The text runs as it stands; its columns are the plan's. A plan that the dialect
// cannot say in one statement is a fault.Invalid; Explain gives its parts.
func (p *Plan) Statement(d Dialect) (Statement, error) {
	sql, err := written(p.bound, d)
	if err != nil {
		return Statement{}, err
	}
	return Statement{SQL: sql, Dialect: d, Columns: p.Columns, MaxRows: p.MaxRows}, nil
}

func written(q *compile.Query, d Dialect) (string, error) {
	program, err := compile.Compile(q, compile.Options{Dialect: d})
	switch {
	case err != nil:
		return "", err
	case len(program.LeafFrames) > 0:
		return "", fault.New(fault.Invalid, "write sql", text.Say("frameql.dialect_cannot", "dialect", string(d), "missing", program.LeafFrames[0].Missing),
			text.Say("frameql.dialect_hint"))
	}
	return program.SQL, nil
}

// PopulationStatement counts the rows of the fact, the first of several: one row with rows_in, kept (by all filters
// together), then filter_1, filter_2, ... each alone, in the order of Filters with the period last. False when the dialect
// cannot say it.
func (p *Plan) PopulationStatement(d Dialect) (Statement, bool) {
	if p.population == nil {
		return Statement{}, false
	}
	sql, err := written(p.population, d)
	if err != nil {
		return Statement{}, false
	}
	out := Statement{SQL: sql, Dialect: d, MaxRows: 1}
	for _, o := range p.population.Outputs {
		out.Columns = append(out.Columns, Column{Name: o.Name, Role: RoleMetric, Type: string(o.Cell.Type)})
	}
	return out, true
}

// maxCounted conditions are counted each alone; of a longer list the first ones are.
const maxCounted = 50

// apart is how many filters are counted in scans of their own: each reads only what it looks at, and joins only what it
// needs. More of them share one scan.
const apart = 3

// populationOf counts the rows of the first source and what each filter keeps of them.
func (r *resolver) populationOf(first compile.Source) *compile.Query {
	filters := append([]*scalar{}, first.Where...)
	if p := r.period; p != nil && p.On != "" && !(p.From.IsZero() && p.To.IsZero()) {
		if on := r.timeOf(0, p.On); on != nil && len(r.times) > 0 {
			filters = append(filters, during(on, p.From, p.To))
		}
	}
	q := &compile.Query{Sources: []compile.Source{first}}
	count := func(name string, filter *scalar, ctx int) {
		l := compile.Leaf{Reducer: "count", Filter: filter, Zero: true, Name: name, Type: semantic.Integer}
		at := slices.IndexFunc(q.Leaves, func(o compile.Leaf) bool { return o.Filter == filter })
		if at < 0 {
			at = len(q.Leaves)
			q.Leaves = append(q.Leaves, l)
		}
		q.Outputs = append(q.Outputs, compile.Output{Name: name, Cell: &scalar{Op: "leaf", Index: at, Ctx: ctx, Type: semantic.Integer}})
	}
	if len(filters) > apart {
		q.Contexts, q.Sources[0].Where = []compile.Context{{}}, nil
		count("rows_in", nil, 0)
		count("kept", and(filters...), 0)
		for i, f := range filters[:min(len(filters), maxCounted)] {
			count("filter_"+strconv.Itoa(i+1), f, 0)
		}
		return q
	}
	q.Contexts, q.Sources[0].Where = []compile.Context{{}, {IgnoreFilters: true}}, filters
	kept, everything := 0, 1
	if len(filters) == 0 {
		q.Contexts, everything = q.Contexts[:1], kept
	}
	count("rows_in", nil, everything)
	count("kept", nil, kept)
	for i := range filters {
		alone := kept
		if len(filters) > 1 {
			alone = len(q.Contexts)
			others := compile.Context{}
			for k := range filters {
				if k != i {
					others.Ignored = append(others.Ignored, k)
				}
			}
			q.Contexts = append(q.Contexts, others)
		}
		count("filter_"+strconv.Itoa(i+1), nil, alone)
	}
	return q
}

// during writes a period as a condition over rows.
func during(t *scalar, from, to time.Time) *scalar {
	at := func(op string, when time.Time) *scalar {
		if when.IsZero() {
			return nil
		}
		return isTrue(op, t, momentLiteral(when))
	}
	return and(at(">=", from), at("<", to))
}
