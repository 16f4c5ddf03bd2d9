package store

import (
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/store/sniff"
	"assay/backend/text"
)

// Reading says how a person wants a file to be read where that is not as it would be recognised. The zero value changes
// nothing. It is kept with the source, so that a file that is imported again is read the same way.
type Reading struct {
	Delimiter string          `json:"delimiter,omitempty"` // of delimited text: one character; empty: as recognised
	Encoding  string          `json:"encoding,omitempty"`  // of text: one of Encodings; empty: as recognised
	Header    *bool           `json:"header,omitempty"`    // of delimited text and sheets: the first row has the names; nil: as recognised
	Skip      *int            `json:"skip,omitempty"`      // lines of text, or rows of a sheet, above the table; nil: as recognised
	Tables    []string        `json:"tables,omitempty"`    // the sheets or tables that are imported; empty: all
	Columns   []ColumnReading `json:"columns,omitempty"`
}

// ColumnReading changes one column.
type ColumnReading struct {
	Table  string `json:"table,omitempty"` // empty: of the only table of the file
	Column string `json:"column"`          // as recognised
	Name   string `json:"name,omitempty"`  // what it is called; empty: as recognised
	Type   string `json:"type,omitempty"`  // what it holds, one of Types; empty: as recognised. Files that have types of their own keep them
}

// Encodings are those that text may be read in.
func Encodings() []string {
	return []string{encodingUTF8, encodingUTF16LE, encodingUTF16BE, encoding1252, encodingLatin1}
}

// Types are those that a column of untyped text may be given.
func Types() []string {
	return []string{string(sniff.Text), string(sniff.Integer), string(sniff.Decimal), string(sniff.Float), string(sniff.Boolean), string(sniff.Date), string(sniff.Timestamp), string(sniff.Time)}
}

// mostSkipped bounds the lines above a table.
const mostSkipped = 10_000

// IsZero says whether nothing is changed.
func (r Reading) IsZero() bool {
	return r.Delimiter == "" && r.Encoding == "" && r.Header == nil && r.Skip == nil && len(r.Tables) == 0 && len(r.Columns) == 0
}

// check refuses what cannot be meant. Fault: Invalid.
func (r Reading) check() error {
	wrong := func(message string) error {
		return fault.New(fault.Invalid, "read settings", message, text.Say("store.reading_hint"))
	}
	if d := r.Delimiter; d != "" && (len(d) != 1 || strings.ContainsAny(d, "\"\r\n\x00") || d[0] >= 0x80 || d[0] >= '0' && d[0] <= '9' || d[0]|0x20 >= 'a' && d[0]|0x20 <= 'z') {
		return wrong(text.Say("store.reading_delimiter", "delimiter", d))
	}
	if r.Encoding != "" && !slices.Contains(Encodings(), r.Encoding) {
		return wrong(text.Say("store.reading_encoding", "encoding", r.Encoding, "known", strings.Join(Encodings(), ", ")))
	}
	if r.Skip != nil && (*r.Skip < 0 || *r.Skip > mostSkipped) {
		return wrong(text.Say("store.reading_skip", "n", *r.Skip, "most", mostSkipped))
	}
	for _, c := range r.Columns {
		if c.Type != "" && !slices.Contains(Types(), c.Type) {
			return wrong(text.Say("store.reading_type", "column", c.Column, "type", c.Type, "known", strings.Join(Types(), ", ")))
		}
		if len(c.Name) > longestName || strings.ContainsFunc(c.Name, func(x rune) bool { return x < ' ' }) || c.Name != "" && strings.TrimSpace(c.Name) == "" {
			return wrong(text.Say("store.reading_name", "column", c.Column))
		}
	}
	return nil
}

// dialect is the part that is about cutting text.
func (r Reading) dialect() sniff.Given {
	g := sniff.Given{Header: r.Header, Skip: r.Skip}
	if r.Delimiter != "" {
		g.Delimiter = r.Delimiter[0]
	}
	return g
}

// takes says whether a table is imported.
func (r Reading) takes(table string) bool {
	return len(r.Tables) == 0 || slices.ContainsFunc(r.Tables, func(t string) bool { return strings.EqualFold(t, table) })
}

// column gives what is wanted of a column of a table.
func (r Reading) column(table, column string) ColumnReading {
	for _, c := range r.Columns {
		if strings.EqualFold(c.Column, column) && (c.Table == "" || strings.EqualFold(c.Table, table)) {
			return c
		}
	}
	return ColumnReading{Column: column}
}

// called gives what a column is called in the end.
func (r Reading) called(table, column string) string {
	if c := r.column(table, column); c.Name != "" {
		return strings.TrimSpace(c.Name)
	}
	return column
}

// rename puts the wanted names on the columns of a table, which are told apart without regard to case. What is wanted of
// columns that are not there is noted. Fault: Invalid.
func (l *loader) rename(table string, columns []string) ([]string, error) {
	names, used := make([]string, len(columns)), map[string]bool{}
	for i, c := range columns {
		names[i] = l.reading.called(table, c)
		if used[lower(names[i])] {
			return nil, fault.New(fault.Invalid, "name columns", text.Say("store.reading_twice", "table", table, "name", names[i]), text.Say("store.reading_hint"))
		}
		used[lower(names[i])] = true
	}
	for _, c := range l.reading.Columns {
		there := slices.ContainsFunc(columns, func(name string) bool { return strings.EqualFold(name, c.Column) })
		if !there && (c.Table == "" || strings.EqualFold(c.Table, table)) {
			l.note(text.Say("store.note_reading_gone", "table", table, "column", c.Column))
		}
	}
	return names, nil
}

// want puts what is wanted on the columns of a table of text.
func (t *textTable) want(l *loader) error {
	columns := make([]string, len(t.columns))
	for i, c := range t.columns {
		columns[i] = c.name
	}
	names, err := l.rename(t.name, columns)
	if err != nil {
		return err
	}
	for i := range t.columns {
		t.columns[i].as = names[i]
		t.columns[i].want = sniff.Type(l.reading.column(t.name, columns[i]).Type)
	}
	return nil
}

// unfit says that a column cannot be given the type that is wanted.
func (l *loader) unfit(t *textTable, c textColumn, n int64, example string) error {
	return fault.New(fault.Invalid, "read column", text.Count("store.reading_unfit", n, "n", n, "file", l.in.file, "table", t.name, "column", c.name,
		"type", text.Say("store.type_"+string(c.want)), "value", short(example)), text.Say("store.reading_unfit_hint"))
}

// refer puts the wanted names on the columns of declared references.
func (r Reading) refer(table string, keys []ForeignKey) {
	for i := range keys {
		for j, c := range keys[i].Columns {
			keys[i].Columns[j] = r.called(table, c)
		}
		for j, c := range keys[i].RefColumns {
			keys[i].RefColumns[j] = r.called(keys[i].RefTable, c)
		}
	}
}
