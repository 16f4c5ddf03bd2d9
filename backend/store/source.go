package store

import "time"

// Source is one imported file.
type Source struct {
	ID       string    `json:"id"` // stable for a path, however often it is imported
	Name     string    `json:"name"`
	Path     string    `json:"path"`   // absolute
	Format   string    `json:"format"` // csv tsv json ndjson parquet xlsx sqlite duckdb
	Epoch    string    `json:"epoch"`  // sha256:… of the file's bytes
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"` // of the file, when it was read
	Imported time.Time `json:"imported"`
	Tables   []Table   `json:"tables"`

	Encoding  string   `json:"encoding,omitempty"`  // of text: utf-8, utf-16le, windows-1252
	Delimiter string   `json:"delimiter,omitempty"` // of delimited text
	Header    *bool    `json:"header,omitempty"`    // of delimited text: its first line has the names of the columns
	Reading   *Reading `json:"reading,omitempty"`   // what a person wanted; absent: it was read as recognised
	Notes     []string `json:"notes,omitempty"`     // sentences: what was assumed, left out, converted
}

// Table is one table of a source, which is a view of the same name in the engine.
type Table struct {
	Name        string       `json:"name"`  // in the engine: the source's own name, with a suffix when another source has it
	Alias       string       `json:"alias"` // safe snake_case name, unique in the store
	Rows        int64        `json:"rows"`
	Rejected    int64        `json:"rejected,omitempty"`     // lines that are not in Rows
	RejectTable string       `json:"reject_table,omitempty"` // where they are listed with what was changed: line, column, reason, raw; empty: none
	Notes       []Note       `json:"notes,omitempty"`        // what was not taken as it stands in the file, for every answer that reads it
	Columns     []Column     `json:"columns"`
	Key         []string     `json:"key,omitempty"`          // declared by the source
	ForeignKeys []ForeignKey `json:"foreign_keys,omitempty"` // declared by the source
}

// Note says what was assumed of a table of a file, left out or changed, so that every answer that reads the table can say it.
type Note struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`         // info | caution
	Table    string `json:"table,omitempty"`  // while it is loaded; empty in a source
	Column   string `json:"column,omitempty"` // that it is about; empty: the whole table
	Count    int64  `json:"count,omitempty"`  // lines or fields; 0: they are not counted
	Of       int64  `json:"of,omitempty"`     // so many
	Text     string `json:"text"`             // a sentence
}

// The codes of notes.
const (
	LinesLeftOut   = "LINES_LEFT_OUT"   // they could not be cut into the columns
	LinesBelow     = "LINES_BELOW"      // remarks below the table
	LinesShort     = "LINES_SHORT"      // too few fields: the last are missing
	LinesLong      = "LINES_LONG"       // too many fields: the first are taken
	QuotesOpen     = "QUOTES_OPEN"      // a quote that is not closed, or out of place
	FieldsMissing  = "FIELDS_MISSING"   // they are not of the type of their column
	TotalLines     = "TOTAL_LINES"      // they add up others, and are left out
	TotalsKept     = "TOTALS_KEPT"      // they are called totals, add up nothing, and are rows
	DayOrder       = "DAY_ORDER"        // day and month were told apart by a custom
	OffsetsDropped = "OFFSETS_DROPPED"  // times were converted to UTC
	MarksUnclear   = "MARKS_UNCLEAR"    // numbers stay text
	EncodingGuess  = "ENCODING_GUESSED" // nothing tells the encoding
)

// Column is one column of a table.
type Column struct {
	Name       string `json:"name"`  // as in the source
	Alias      string `json:"alias"` // safe snake_case name, unique in the table
	Type       string `json:"type"`  // text integer decimal float boolean date timestamp time json
	EngineType string `json:"engine_type"`
}

// ForeignKey is a reference that the source declares.
type ForeignKey struct {
	Columns    []string `json:"columns"`
	RefTable   string   `json:"ref_table"`
	RefColumns []string `json:"ref_columns"`
}
