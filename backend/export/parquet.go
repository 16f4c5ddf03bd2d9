package export

import (
	"io"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"assay/backend/frameql"
)

// writeParquet writes the records with their types; dates and times, which travel as text, become what they are. The provenance
// stands in the metadata of the file, under "assay.NAME".
func writeParquet(out io.Writer, t Table) error {
	var w *pqarrow.FileWriter
	var schema *arrow.Schema
	open := func(types func(i int) arrow.DataType) error {
		schema = schemaOf(t, types)
		var err error
		w, err = pqarrow.NewFileWriter(schema, onlyWriter{out}, parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy)), pqarrow.DefaultWriterProps())
		return err
	}
	for record, err := range t.Records {
		if err != nil {
			return err
		}
		if w == nil {
			if err := open(func(i int) arrow.DataType { return record.Column(i).DataType() }); err != nil {
				return err
			}
		}
		typed := retyped(schema, record)
		err := w.WriteBuffered(typed)
		typed.Release()
		if err != nil {
			return err
		}
	}
	if w == nil { // no rows: the types are those of the columns
		if err := open(func(i int) arrow.DataType { return plainType(t.Columns[i]) }); err != nil {
			return err
		}
	}
	return w.Close()
}

// onlyWriter keeps the library from closing what it did not open.
type onlyWriter struct{ io.Writer }

func schemaOf(t Table, types func(i int) arrow.DataType) *arrow.Schema {
	fields := make([]arrow.Field, len(t.Columns))
	for i, c := range t.Columns {
		typ := types(i)
		if typ.ID() == arrow.STRING {
			typ = plainType(c)
		}
		fields[i] = arrow.Field{Name: c.Name, Type: typ, Nullable: true}
	}
	var names, values []string
	for _, f := range t.Provenance {
		names, values = append(names, "assay."+f.Name), append(values, f.Value)
	}
	meta := arrow.NewMetadata(names, values)
	return arrow.NewSchema(fields, &meta)
}

// plainType is the type of a column whose values travel as text.
func plainType(c frameql.Column) arrow.DataType {
	switch c.Type {
	case "date":
		return arrow.FixedWidthTypes.Date32
	case "timestamp":
		return &arrow.TimestampType{Unit: arrow.Microsecond}
	}
	return arrow.BinaryTypes.String
}

// retyped gives a record with dates and times made of their texts. One that does not read as a date makes the value missing only
// where there is none: infinity, which a date of Parquet does not know.
func retyped(schema *arrow.Schema, record arrow.RecordBatch) arrow.RecordBatch {
	columns := make([]arrow.Array, record.NumCols())
	for i, column := range record.Columns() {
		texts, is := column.(*array.String)
		if !is || schema.Field(i).Type.ID() == arrow.STRING {
			column.Retain()
			columns[i] = column
			continue
		}
		columns[i] = timesOf(texts, schema.Field(i).Type)
	}
	made := array.NewRecordBatch(schema, columns, record.NumRows())
	for _, c := range columns {
		c.Release()
	}
	return made
}

func timesOf(texts *array.String, typ arrow.DataType) arrow.Array {
	b := array.NewBuilder(memory.DefaultAllocator, typ)
	defer b.Release()
	for row := range texts.Len() {
		at, err := time.Time{}, error(nil)
		if texts.IsValid(row) {
			at, err = parseTime(texts.Value(row))
		}
		switch {
		case texts.IsNull(row) || err != nil:
			b.AppendNull()
		case typ.ID() == arrow.DATE32:
			b.(*array.Date32Builder).Append(arrow.Date32FromTime(at))
		default:
			b.(*array.TimestampBuilder).Append(arrow.Timestamp(at.UnixMicro()))
		}
	}
	return b.NewArray()
}

// parseTime reads a date or a time as it travels.
func parseTime(s string) (time.Time, error) {
	at, err := time.Parse("2006-01-02T15:04:05.999999999", s)
	if err != nil {
		at, err = time.Parse(time.DateOnly, s)
	}
	return at, err
}
