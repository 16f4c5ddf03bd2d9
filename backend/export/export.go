package export

import (
	"io"
	"iter"

	"github.com/apache/arrow-go/v18/arrow"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// Format is a kind of file.
type Format string

// The formats.
const (
	CSV     Format = "csv"     // RFC 4180, UTF-8, missing values empty, empty texts in quotes
	XLSX    Format = "xlsx"    // Office Open XML
	Parquet Format = "parquet" // with Snappy
	JSON    Format = "json"
)

// MediaType is that of a file of the format; empty: there is no such format.
func (f Format) MediaType() string {
	switch f {
	case CSV:
		return "text/csv; charset=utf-8"
	case XLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case Parquet:
		return "application/vnd.apache.parquet"
	case JSON:
		return "application/json"
	}
	return ""
}

// Fact is one line of where a result comes from.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Table is what is exported. Each record has the columns in their order; the records come once.
type Table struct {
	Title      string
	Columns    []frameql.Column
	Records    iter.Seq2[arrow.RecordBatch, error]
	Provenance []Fact
}

// Write writes a table. Faults: Invalid (no such format), Limit (more than the format holds), and those of the records and of out.
func Write(out io.Writer, f Format, t Table) error {
	switch f {
	case CSV:
		return writeCSV(out, t)
	case XLSX:
		return writeXLSX(out, t)
	case Parquet:
		return writeParquet(out, t)
	case JSON:
		return writeJSON(out, t)
	}
	return fault.New(fault.Invalid, "export", text.Say("export.no_format", "format", string(f)), text.Say("export.no_format_hint"))
}

// label is how a column is called in a file for people.
func label(c frameql.Column) string {
	name := c.Name
	if c.Label != "" {
		name = c.Label
	}
	if c.Unit != "" {
		name += " (" + c.Unit + ")"
	}
	return name
}
