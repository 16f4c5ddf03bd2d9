// Package semantic is the context layer: what a workspace's data means. It loads and validates the files of context/,
// infers a proposal from measured facts, and hands out an immutable Model.
package semantic

import "time"

// Model is an immutable semantic model. Version is the hash of its canonical content.
type Model struct {
	Name      string // of the workspace
	Version   string `json:"-"` // "sha256:..."
	Inferred  bool   // a proposal that nobody reviewed: answers get grade A at most and say "inferred"
	Workspace Settings
	Registry  Registry
	Entities  []Entity
	Metrics   []Metric
	Joins     []Join
	Calendars []Calendar
	Gotchas   []Gotcha
	Golden    []Golden
	Terms     []Term    `json:",omitempty"` // what words of this workspace mean, as it was agreed
	Guides    []Guide   // domains/*.md
	Memos     []Memo    // ANALYST.md, installation first
	Business  []Guide   // business/*.yaml as text: loaded and shown, never used to decide
	LeftOut   []LeftOut `json:"-"` // what a load left out that is about the data
	index     *index    // made by seal; nil in a Model built by hand until seal is called
}

// Settings are the analytic settings of workspace.yaml.
type Settings struct {
	Label     string
	TimeZone  string   // IANA name; empty: UTC
	WeekStart string   // monday | sunday; empty: monday
	Calendar  string   // name of the default fiscal calendar; empty: none
	Partial   string   // match | none | error: how a period that is not over yet is compared; empty: match
	Currency  string   // ISO 4217; empty: none
	Questions []string // four questions to start with
}

// Registry is registry.yaml.
type Registry struct {
	ModelVersion  string
	Owners        []Owner
	Freshness     Freshness
	GeneratedFrom string // "inference", "dbt manifest sha256:..."; empty: written by hand
	Sources       []Origin
	Exposures     []Exposure
	Project       []Stated          // what the project that was imported says, as it was then
	Imported      map[string]string // file of the context layer -> sha256 of what the last import wrote there, to tell a person's edits
}

// Stated is what a project that was imported says about a metric or a measure of its own. A metric of the model may have been edited since, and a measure is none.
type Stated struct {
	Kind        string // metric | measure
	Name        string
	Label       string
	Description string
	Says        string // how it is computed, as Metric.Definition writes it; empty: it was left out
	LeftOut     string // why; empty: it was carried
	Place       string // in the project: "manifest.json:12"
}

// Origin is a table that the data comes from, upstream of the tables of the workspace, with its promise of freshness.
type Origin struct {
	Name        string // ecom.raw_orders
	Table       string // as its own engine knows it
	Description string
	Loader      string
	LoadedAt    string // column that says when a row was loaded
	WarnAfter   *Span
	ErrorAfter  *Span
	Tags        []string
}

// Exposure is something outside that rests on the model: a dashboard, a notebook, an application.
type Exposure struct {
	Name        string
	Label       string
	Kind        string // dashboard | notebook | analysis | ml | application
	Maturity    string // high | medium | low; empty: not said
	URL         string
	Description string
	Owner       *Owner
	Uses        []string // entities and metrics; names of other tables as they are
	Tags        []string
}

// Owner answers for an object.
type Owner struct {
	Name          string
	ResponseHours int
}

// Freshness is the promise on how often an object is validated.
type Freshness struct {
	Validated string // ISO date
	EveryDays int
}

// Entity is a thing that rows stand for.
type Entity struct {
	Name        string // snake_case identifier
	Label       string // "Order lines"; empty: made from Name
	Description string
	Synonyms    []string
	Domain      string
	Parent      string // an entity that this one is a part or a kind of: what is known about that is near to this one; empty: none
	Source      Source
	Key         []string // dimension names; empty: the entity has no key
	Display     string   // the dimension that a person calls a member by (company_name); empty: the key
	DefaultTime string   // a dimension of this entity, or "entity.dimension" across N:1 joins; empty: none
	OtherTimes  []string
	Owner       *Owner
	Freshness   *Freshness
	Dimensions  []Dimension
	Hierarchies []Hierarchy
	Tags        []string
	Inferred    bool
	Pos         Pos `json:"-"`
}

// Source is a table, or a SELECT over this workspace's source.
type Source struct {
	Table string // as the engine knows it
	SQL   string
}

// Dimension is an attribute of an entity. Measures (Measure true) may be aggregated as they stand.
type Dimension struct {
	Name             string // snake_case identifier, unique in its entity
	Label            string
	Description      string
	Synonyms         []string
	Type             Type
	Column           string // column of the source; empty: Name
	Expr             string // an expression over this entity's dimensions; exclusive with Column
	DerivedFrom      string // with Map: the dimension that is mapped
	Map              map[string]string
	Default          string   // of Map
	Values           []string // allowed values, when the file lists them
	FromData         bool     // values: database - the value index reads them
	Unit             string
	Measure          bool
	NonAdditive      bool     // of a measure: a price, a rate, an amount that repeats; it has an average and extremes but no sum
	Identifier       bool     `json:",omitempty"` // of a number: it says which thing is meant, so that it is counted and never added up or averaged
	PII              string   // person_name, email, phone, address, ...; empty: none. Never indexed.
	TimeZone         string   // of a timestamp: IANA name of the zone that its wall clock is in; empty: not said, so that it is never converted
	Granularity      string   // of a time: the finest unit that the source knows (month for a budget); empty: the type's own
	ConfidenceWeight *float64 `json:",omitempty"` // 0 to 1: how far a reader's match of its name or of a value is trusted; nil: 1
	MultiValued      bool     // several values per row (a bridge, a list): parts add up to more than the whole
	Tests            []string
	Tags             []string
	Misfit           *Misfit `json:"-"` // how the data at hand differs from what is declared; nil: it agrees, or nobody looked
	Pos              Pos     `json:"-"`
}

// Type is the analytic type of a dimension.
type Type string

// The types.
const (
	Text      Type = "text"
	Integer   Type = "integer"
	Decimal   Type = "decimal"
	Float     Type = "float"
	Boolean   Type = "boolean"
	Date      Type = "date"
	Timestamp Type = "timestamp"
	Time      Type = "time"
)

// Numeric says whether values of the type can be summed.
func (t Type) Numeric() bool { return t == Integer || t == Decimal || t == Float }

// Temporal says whether values of the type lie on the calendar.
func (t Type) Temporal() bool { return t == Date || t == Timestamp }

// Hierarchy is a path of dimensions from fine to coarse.
type Hierarchy struct {
	Name  string
	Path  []string
	Steps []*StepAttestation `json:"-"` // what was measured of each step, Path[i] to Path[i+1]; nil, or shorter: not measured
}

// Step gives what was measured of the step from Path[i] to Path[i+1]; nil: it is only declared.
func (h *Hierarchy) Step(i int) *StepAttestation {
	if i >= len(h.Steps) {
		return nil
	}
	return h.Steps[i]
}

// StepAttestation is what was measured of one step of a hierarchy on the present data: whether every row with one value of the
// finer dimension has the same value of the coarser one. A missing value is a value like any other. Like an Attestation it
// is no part of the model's version.
type StepAttestation struct {
	Members int64     // different values of the finer dimension
	Pairs   int64     // different pairs of both
	Member  *string   // a value with several of the coarser dimension; nil: the missing one. Only when it does not hold
	Among   []*string // two of these; nil: the missing one
	Bare    *string   // what rows without a value of the finer dimension have of the coarser; nil: nothing, or there are no such rows
	SQL     string    // the statement that said so
	Epoch   string    // of the data that it was run on
}

// Holds says whether the finer dimension determines the coarser one.
func (d *StepAttestation) Holds() bool { return d.Pairs == d.Members }

// Join is an edge from the many side to the one side (or one to one). It is traversed in this direction only; one that
// is many to many is knowledge for a reader and never traversed.
type Join struct {
	From        string // entity
	To          string // entity
	On          []ColumnPair
	Cardinality string       // many_to_one | one_to_one | many_to_many (declared, never followed)
	Role        string       // tells apart two edges between the same entities: "ship_to"; empty: none
	Total       bool         // every row on the many side is known to have its partner
	Attested    *Attestation `json:"-"` // what was measured; nil: not measured
	Inferred    bool
	Basis       string `json:"-"` // how it is known: declared key, value inclusion 100 %, name
	Pos         Pos    `json:"-"`
}

// Attestation is what was measured about a join on the present data. It is knowledge about the data and no part of the
// model's version.
type Attestation struct {
	Unique  bool  // no two rows of the one side share the joined columns
	Orphans int64 // rows of the many side whose joined columns are not NULL and have no partner
	Missing int64 // rows of the many side whose joined columns are NULL
}

// ColumnPair equates a dimension of the many side with one of the one side.
type ColumnPair struct{ From, To string }

// Metric is a number with one definition.
type Metric struct {
	Name             string
	Family           string
	Label            string
	Description      string
	Synonyms         []string
	Entity           string // of a leaf
	Kind             Kind
	Expr             string // leaf: over the entity's dimensions ("unit_price * quantity"), "*" for a row count; derived: over metrics
	Filter           string // leaf: a condition over the entity's dimensions; empty: none
	Reducer          Reducer
	Percentile       string  // of the reducer percentile: a decimal between 0 and 1
	Discrete         bool    // of the reducer percentile: a value that occurs
	Of               string  // cumulative: the metric that is accumulated
	Window           *Span   // cumulative: over the last N units; nil with an empty ToDate: over all time
	ToDate           string  // cumulative: from the start of each unit; empty: not
	PeriodAgg        string  // cumulative at a coarser grain than a day: first | last | average; empty: last
	Inputs           []Input // derived: names of Expr that are not metrics themselves but metrics with a filter or an offset
	Fill             string  // zero | null | empty: buckets without rows are shown with 0 or missing whenever there is a time axis
	Numerator        string  // ratio: metric
	Denominator      string  // ratio: metric
	Additivity       Additivity
	Unit             string
	Better           string // up | down | empty
	Time             string // dimension that DURING uses: "order_date" or "orders.order_date"; empty: the entity's default
	TimeGrain        string // grain of its time axis when a question names none: week; empty: the finest
	EmptyIs          string // zero | null; empty: zero for sum and count, null otherwise
	Required         []string
	Forbidden        []string
	Materialize      [][]string
	Siblings         []Sibling
	Tests            []string
	Tags             []string
	Owner            *Owner
	ConfidenceWeight *float64 `json:",omitempty"` // 0 to 1: how far a reader's match of its name is trusted; nil: 1
	Hidden           bool     // exists for other metrics only; never offered to a reader
	Inferred         bool
	Basis            string `json:"-"` // inferred: why it was believed
	Pos              Pos    `json:"-"`
}

// Weight is the ConfidenceWeight, 1 when none is declared.
func (d *Dimension) Weight() float64 { return weightOf(d.ConfidenceWeight) }

// Weight is the ConfidenceWeight, 1 when none is declared.
func (x *Metric) Weight() float64 { return weightOf(x.ConfidenceWeight) }

func weightOf(declared *float64) float64 {
	if declared == nil {
		return 1
	}
	return *declared
}

// Kind is the kind of a metric.
type Kind string

// The kinds of metric.
const (
	Leaf       Kind = "leaf"
	Ratio      Kind = "ratio"
	Derived    Kind = "derived"
	Cumulative Kind = "cumulative"
)

// Reducer turns many values into one.
type Reducer string

// The reducers of a leaf.
const (
	Sum           Reducer = "sum"
	Avg           Reducer = "avg"
	Min           Reducer = "min"
	Max           Reducer = "max"
	Count         Reducer = "count" // with Expr "*": rows; else: non-null values
	CountDistinct Reducer = "count_distinct"
	Median        Reducer = "median"
	Percentile    Reducer = "percentile"
	StdDev        Reducer = "stddev" // of a sample
	First         Reducer = "first"  // by the time of the metric
	Last          Reducer = "last"
	Any           Reducer = "any" // of booleans
	All           Reducer = "all"
)

// Additivity says over which dimension families values may be added.
type Additivity struct {
	Default string            // additive | none | semi(last) ...
	Per     map[string]string // family or dimension -> the same words
}

// Span is a number of calendar units.
type Span struct {
	N    int
	Unit string // day week month quarter year hour, or a unit of a calendar
}

// Input is a metric as a derived metric sees it.
type Input struct {
	Name          string // in the expression
	Metric        string
	Filter        string // over the dimensions of the metric's entity and what it reaches; empty: none
	Offset        *Span  // the value of that long ago
	OffsetToStart string // the value at the start of the unit that holds the day: month; empty: not
}

// Semi is how a semi-additive metric is taken over time.
type Semi struct {
	Pick string   // first last avg min max
	Per  []string // dimensions of its entity: the snapshot is found for each of their values; empty: one date for all
}

// Sibling is a pre-aggregated table that should agree with the metric.
type Sibling struct {
	Source string
	At     []string
}

// Calendar is a fiscal calendar: by month offset, by a pattern of weeks, or by a table of the workspace.
type Calendar struct {
	Name       string
	StartMonth int    // 1 to 12: the month in which the fiscal year begins; 0: another kind
	LabelYear  string // start | end: which calendar year names the fiscal year
	Pattern    string // 4-4-5 | 4-5-4 | 5-4-4: fiscal periods of whole weeks; empty: another kind
	YearEnds   string // of a pattern: "last saturday of january" | "saturday nearest to january 31"
	Table      string // of a table: one row a day; empty: another kind
	DateColumn string // of Table
	// Units maps a unit of Frame-QL (fiscal_week, fiscal_period, fiscal_quarter, fiscal_year, or a name of its own) to the
	// column of Table that holds it.
	Units map[string]string
	// Buckets are the units of a calendar of patterns or of a table, in order, each From <= day < To. Patterns are
	// computed when the model loads; a table is read by the workspace and handed in. Never part of the version.
	Buckets map[string][]CalendarBucket `json:"-"`
	Pos     Pos                         `json:"-"`
}

// CalendarBucket is one unit of a calendar.
type CalendarBucket struct {
	From, To time.Time
	Label    string // FY2025-P03, or the value of the table's column
	Ordinal  int    // its place in the fiscal year, from 1
}

// Gotcha is a known trap. Its statement is shown verbatim wherever it applies.
type Gotcha struct {
	Name      string
	AppliesTo []string // metrics, entity.dimension
	Severity  string   // info | caution | critical
	Statement string
	CheckQL   string // Frame-QL
	Expect    string
	Gave      *string `json:"-"` // what the check gave on the present data; nil: it has none, or was not measured
	Pos       Pos     `json:"-"`
}

// Golden is a verified question.
type Golden struct {
	Name       string
	Question   string // with {placeholders}
	FrameQL    string
	SQL        string
	Parameters []Parameter
	VerifiedBy string
	VerifiedAt string
	Epoch      string
	Pos        Pos `json:"-"`
}

// Term is what people of this workspace agreed that a word means. Questions are read with it like with a correction of their own, which goes before it.
type Term struct {
	Name         string // of the file
	Term         string // as it is written in questions
	Means        string // in words of the model, as a formula or as a period
	Why          string
	ApprovedBy   string // role:NAME
	ApprovedAt   string // a day
	SelfReviewed bool   // its only author approved it: an answer that rests on it is never AAA
	Pos          Pos    `json:"-"`
}

// Parameter of a golden query.
type Parameter struct {
	Name    string
	Type    string // period | int | value
	Default string
	Weight  float64 // confidence_weight, 1 when absent
	Min     *float64
	Max     *float64
	Values  []string
	Table   string // allowed_values_source: database
	Column  string
}

// Guide is a text for a reader of the model.
type Guide struct {
	Name string
	Text string
}

// Memo is an author's memo. RefusalScope holds the lines under its heading "Refuse": topics that no mind may answer.
type Memo struct {
	Level        string // installation | user | workspace | session
	Text         string
	RefusalScope []RefusalLine
}

// RefusalLine is one topic that the memo puts out of scope, with the words that recognise it and what to say.
type RefusalLine struct {
	Words  []string // any of these in a question refuses it
	Reason string   // the memo's own sentence
}

// Pos is where an object was read.
type Pos struct {
	File string
	Line int
}

// Loaded says when a model was loaded and whether the last load failed.
type Loaded struct {
	At    time.Time
	Stale bool  // the files changed and no longer load; the last good model is in use
	Err   error // why
}
