package frameql

import (
	"time"

	"assay/backend/compile"
)

// Statement is SQL text that may run as it stands: the bytes shown to a person are the bytes that run. Literals are
// written by the dialect's one quoting function.
type Statement struct {
	SQL     string
	Dialect Dialect
	Columns []Column // in the order of the result; empty for SQL that a person wrote
	MaxRows int      // rows that the caller wants at most; 0: the engine's cap
}

// Dialect names an SQL dialect.
type Dialect = compile.Dialect

// The dialects.
const (
	DuckDB     = compile.DuckDB
	Postgres   = compile.Postgres
	MySQL      = compile.MySQL
	ClickHouse = compile.ClickHouse
)

// Role says what a column of a frame is.
type Role string

// The roles of a column.
const (
	RoleDimension  Role = "dimension"
	RoleMetric     Role = "metric"
	RoleComparison Role = "comparison"
	RoleFlag       Role = "flag"
)

// Column describes one column of a frame.
type Column struct {
	Name       string `json:"name"`            // output name, unique in the frame
	Label      string `json:"label,omitempty"` // for a person: "Company name"
	Role       Role   `json:"role"`
	Type       string `json:"type"`        // text integer decimal float boolean date timestamp time json
	Unit       string `json:"unit"`        // USD, %, days; null in JSON when there is none
	Grain      string `json:"grain"`       // of a time dimension: month; null in JSON when there is none
	Metric     string `json:"metric"`      // the metric it shows; null in JSON when it is none
	Dimension  string `json:"dimension"`   // entity.dimension that it shows; null in JSON when it is none
	Additivity string `json:"additivity"`  // additive | semi | none; null in JSON for dimensions
	ServedFrom string `json:"served_from"` // engine_cache: all that it is made of was read from stored frames | backend: some or all from the base data; null in JSON: not an answer
	Format     string `json:"format"`      // percent: a fraction that is read in hundredths, 0.42 as 42 %; null in JSON: as it stands

	// How its person wants its numbers written; the cells stay what they are.
	Scale    string `json:"scale,omitempty"`    // thousands | millions | billions; empty: in full
	Decimals *int   `json:"decimals,omitempty"` // digits after the point, 0 to 6; nil: as many as its numbers need

	Derived  *Derived `json:"derived"`            // nil: it is made of no other number by a function
	Personal bool     `json:"personal,omitempty"` // it holds what names one person, as far as is known: its values are not counted or listed
}

// Derived says how a column is made of one number by a comparison or a window.
type Derived struct {
	Of   string `json:"of"`   // the column of the frame that shows the number itself; empty: it is not in the frame
	How  string `json:"how"`  // previous target change change_pct share cumulative moving rank index
	With string `json:"with"` // canonical text of the comparand: SAME PERIOD LAST YEAR; empty: none, or the bucket before
}

// Frame is an immutable result. Its canonical query and the epochs of its sources are its identity: the same question
// on the same data gives the same ID.
//
// A cell is nil, bool, int64 (a whole number that a double holds too), float64, json.Number (a decimal whose digits a JSON number keeps), or string
// (text, ISO 8601 dates, whole numbers beyond 2^53-1, and decimals of more than 15 significant digits). Dates are "2006-01-02", timestamps
// "2006-01-02T15:04:05[.999999]". NaN and infinities are the strings "NaN", "Infinity" and "-Infinity".
type Frame struct {
	ID           string            `json:"id"`
	Columns      []Column          `json:"columns"`
	Rows         [][]any           `json:"rows"`
	RowCount     int               `json:"row_count"`
	Truncated    *Truncated        `json:"truncated"`
	LetGo        *time.Time        `json:"let_go,omitempty" doc:"When its rows were let go to make room; asking again brings them back. Absent: they were not"`
	Span         *Span             `json:"span"`
	Population   *Population       `json:"population"`
	ServedFrom   string            `json:"served_from"` // engine_cache: no base data was read for anything | backend
	ServedBy     []ServedBy        `json:"served_by"`   // the stored frames that were read
	FrameQL      string            `json:"frame_ql"`    // canonical
	SQL          string            `json:"sql"`
	BaseSQL      string            `json:"base_sql,omitempty"` // the same over the base data, where SQL reads stored frames
	Dialect      Dialect           `json:"dialect"`
	SourceEpochs map[string]string `json:"source_epochs"` // table -> sha256:...
	Reasons      []Reason          `json:"reasons"`       // why a division left cells empty, by column and code
	Notices      []Notice          `json:"notices"`
	Took         time.Duration     `json:"-"` // time in the engine
}

// ServedBy says what a stored frame gave to an answer.
type ServedBy struct {
	Frame   string   `json:"frame_id"`
	Rows    int64    `json:"rows"`    // of the stored frame: what was read at most
	Made    string   `json:"made"`    // when it was computed from the data that stands in source_epochs; RFC 3339, empty: not known
	Part    bool     `json:"part"`    // base data gave the part of the period that it lacks
	Columns []string `json:"columns"` // of the answer that are made of it, wholly or among others
}

// Reason says why cells of a column are null, or, of incomplete_window, what is missing in their numbers.
type Reason struct {
	Column string `json:"column"`
	Code   string `json:"code"` // zero_base: the divisor is 0 | no_base: the divisor is missing | outside_coverage | incomplete_window
	Rows   []int  `json:"rows"` // positions in the frame, from 0, ascending
}

// Truncated says that rows are missing and how many there are in truth.
type Truncated struct {
	Cap       int `json:"cap"`
	TotalRows int `json:"total_rows"`
}

// Span is the period that was asked for and the part of it that the data covers; ends are exclusive ISO dates.
type Span struct {
	On      string `json:"on"`      // the time dimension
	Asked   *Range `json:"asked"`   // nil: all time
	Covered *Range `json:"covered"` // first and last day in the data within Asked; nil: no data
	Partial bool   `json:"partial"` // Asked reaches beyond the data
}

// Range is half open: From <= t < To, ISO dates or timestamps.
type Range struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Population counts the rows of the fact that went in and that each filter kept.
type Population struct {
	RowsIn    int64        `json:"rows_in"`
	Kept      int64        `json:"kept"`
	PerFilter []FilterKept `json:"per_filter"`
}

// FilterKept is one filter and the number of rows that it keeps on its own.
type FilterKept struct {
	Filter string `json:"filter"` // Frame-QL text of the predicate
	Kept   int64  `json:"kept"`
}

// Refusal says why a query cannot be answered as asked, with queries that can.
type Refusal struct {
	Code    string         `json:"code"` // UNKNOWN_NAME, FANOUT_DIMENSION, ...: the catalogue of the design
	Message string         `json:"message"`
	Span    [2]int         `json:"span"`  // bytes of the canonical text; [0,0] when it concerns the whole query
	Facts   map[string]any `json:"facts"` // what the message is made of: names, candidates, counts
	Repairs []Repair       `json:"repairs"`
}

// Repair is a query that resolves. At most three stand with a refusal, smallest change first.
type Repair struct {
	Label   string `json:"label"`
	FrameQL string `json:"frame_ql"` // canonical text
	Query   *Query `json:"-"`
}
