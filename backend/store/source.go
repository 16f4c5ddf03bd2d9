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
	RejectTable string       `json:"reject_table,omitempty"` // where they are listed: line, column, reason, raw; empty: none
	Columns     []Column     `json:"columns"`
	Key         []string     `json:"key,omitempty"`          // declared by the source
	ForeignKeys []ForeignKey `json:"foreign_keys,omitempty"` // declared by the source
}

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
