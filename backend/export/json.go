package export

import (
	"bufio"
	"encoding/json"
	"io"

	"assay/backend/frameql"
)

// writeJSON writes one object: title, columns, rows as lists, provenance. Numbers of more digits than a reader keeps are strings.
func writeJSON(out io.Writer, t Table) error {
	w := bufio.NewWriterSize(out, 1<<16)
	head, err := json.Marshal(struct {
		Title   string           `json:"title"`
		Columns []frameql.Column `json:"columns"`
	}{t.Title, t.Columns})
	if err != nil {
		return err
	}
	_, _ = w.Write(head[:len(head)-1]) // a bufio.Writer keeps its first error for Flush
	_, _ = w.WriteString(`,"rows":[`)
	first := true
	for record, err := range t.Records {
		if err != nil {
			return err
		}
		for row := range int(record.NumRows()) {
			cells := make([]any, record.NumCols())
			for i, column := range record.Columns() {
				cells[i] = jsonCell(column, row, t.Columns[i])
			}
			raw, err := json.Marshal(cells)
			if err != nil {
				return err
			}
			if !first {
				_ = w.WriteByte(',')
			}
			first = false
			_, _ = w.WriteString("\n")
			if _, err := w.Write(raw); err != nil {
				return err
			}
		}
	}
	facts, err := json.Marshal(append([]Fact{}, t.Provenance...))
	if err != nil {
		return err
	}
	_, _ = w.WriteString("\n],\"provenance\":")
	_, _ = w.Write(facts)
	_, _ = w.WriteString("}\n")
	return w.Flush()
}
