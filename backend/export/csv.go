package export

import (
	"bufio"
	"io"
	"strings"

	"assay/backend/frameql"
)

// writeCSV writes header and rows. encoding/csv does not part an empty text from a missing value, and readers do.
func writeCSV(out io.Writer, t Table) error {
	w := bufio.NewWriterSize(out, 1<<16)
	for i, c := range t.Columns {
		if i > 0 {
			_ = w.WriteByte(',') // a bufio.Writer keeps its first error for Flush
		}
		_, _ = w.WriteString(quoted(frameql.SpreadsheetText(c.Name)))
	}
	_, _ = w.WriteString("\r\n")
	for record, err := range t.Records {
		if err != nil {
			return err
		}
		for row := range int(record.NumRows()) {
			for i, column := range record.Columns() {
				if i > 0 {
					_ = w.WriteByte(',')
				}
				s, number, ok := cellOf(column, row, t.Columns[i])
				switch {
				case !ok:
				case number:
					_, _ = w.WriteString(s)
				default:
					_, _ = w.WriteString(quoted(frameql.SpreadsheetText(s)))
				}
			}
			if _, err := w.WriteString("\r\n"); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}

// quoted writes a text as a field.
func quoted(s string) string {
	if s != "" && !strings.ContainsAny(s, ",\"\r\n") && s[0] != ' ' && s[len(s)-1] != ' ' {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
