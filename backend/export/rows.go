package export

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"assay/backend/frameql"
)

// cellsKey begins the names of the file's metadata that say of a column, by its position, that its texts are JSON.
const cellsKey = "assay.cells."

// WriteRows writes the rows of a frame, a JSON list of lists, as Parquet from which ReadRows gives the same JSON. The type of a
// column follows from its cells: whole numbers INT64, numbers of one number of places DECIMAL, other numbers DOUBLE, texts UTF8, truth values
// BOOLEAN. Where one of these would not give every cell back as it stands (a text among numbers, places that differ), the column is UTF8 and
// each cell is its JSON.
func WriteRows(out io.Writer, columns []frameql.Column, rows []byte) error {
	cells, err := cellsOf(rows, len(columns))
	if err != nil {
		return err
	}
	fields, arrays := make([]arrow.Field, len(columns)), make([]arrow.Array, len(columns))
	var names, values []string
	for i, c := range columns {
		typ := typeOf(cells[i])
		if typ == nil {
			names, values = append(names, cellsKey+strconv.Itoa(i)), append(values, "json")
		}
		arrays[i] = arrayOf(typ, cells[i])
		fields[i] = arrow.Field{Name: c.Name, Type: arrays[i].DataType(), Nullable: true}
	}
	meta := arrow.NewMetadata(names, values)
	typed := arrow.NewSchema(fields, &meta)
	w, err := pqarrow.NewFileWriter(typed, onlyWriter{out}, parquet.NewWriterProperties(encodings(fields)...), pqarrow.DefaultWriterProps())
	if err != nil {
		return err
	}
	count := int64(0)
	if len(cells) > 0 {
		count = int64(len(cells[0]))
	}
	record := array.NewRecordBatch(typed, arrays, count)
	defer record.Release()
	if err := w.Write(record); err != nil {
		return err
	}
	return w.Close()
}

// encodings are how columns are written: texts with a dictionary, since they repeat, and numbers without one, which takes longer to build than it saves.
func encodings(fields []arrow.Field) []parquet.WriterProperty {
	all := []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Snappy)}
	for _, f := range fields {
		all = append(all, parquet.WithDictionaryFor(f.Name, f.Type.ID() == arrow.STRING))
	}
	return all
}

// cellsOf cuts a JSON list of lists into its cells, by column.
func cellsOf(rows []byte, columns int) ([][][]byte, error) {
	cells := make([][][]byte, columns)
	if rows = bytes.TrimSpace(rows); !json.Valid(rows) || rows[0] != '[' {
		return nil, errRows
	}
	about := bytes.Count(rows, []byte("],")) + 1 // a text may have it too, and a cell takes two bytes
	for i := range cells {
		cells[i] = make([][]byte, 0, min(about, len(rows)/(2*columns)+1))
	}
	n := 0
	for row := range cellsIn(rows) {
		n++
		at := 0
		for part := range cellsIn(row) {
			if at >= columns || part[0] == '[' || part[0] == '{' {
				return nil, fmt.Errorf("%w: row %d", errRows, n)
			}
			cells[at] = append(cells[at], part)
			at++
		}
		if at != columns {
			return nil, fmt.Errorf("%w: row %d has %d cells", errRows, n, at)
		}
	}
	return cells, nil
}

// cellsIn gives the values of a list that is valid JSON, one after the other.
func cellsIn(list []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		inner := bytes.TrimSpace(list)
		if len(inner) < 2 || inner[0] != '[' {
			return
		}
		inner = inner[1 : len(inner)-1]
		from, depth, quoted := 0, 0, false
		for i := 0; i < len(inner); i++ {
			switch c := inner[i]; {
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case quoted:
			case c == '[' || c == '{':
				depth++
			case c == ']' || c == '}':
				depth--
			case c == ',' && depth == 0:
				if !yield(bytes.TrimSpace(inner[from:i])) {
					return
				}
				from = i + 1
			}
		}
		if last := bytes.TrimSpace(inner[from:]); len(last) > 0 || from > 0 {
			yield(last)
		}
	}
}

// typeOf chooses the type that gives every cell of a column back; nil: none does.
func typeOf(cells [][]byte) arrow.DataType {
	all := func(fits func([]byte) bool) bool {
		some := false
		for _, c := range cells {
			if string(c) == "null" {
				continue
			}
			if some = true; !fits(c) {
				return false
			}
		}
		return some
	}
	switch {
	case all(isWhole):
		return arrow.PrimitiveTypes.Int64
	case all(isDecimal(placesOf(cells))):
		return &arrow.Decimal128Type{Precision: decimalDigits, Scale: int32(placesOf(cells))}
	case all(isDouble):
		return arrow.PrimitiveTypes.Float64
	case all(func(c []byte) bool { return string(c) == "true" || string(c) == "false" }):
		return arrow.FixedWidthTypes.Boolean
	case all(func(c []byte) bool { return c[0] == '"' }), !all(func([]byte) bool { return true }):
		return arrow.BinaryTypes.String
	}
	return nil
}

func isWhole(c []byte) bool {
	n, err := strconv.ParseInt(string(c), 10, 64)
	return err == nil && (n != 0 || c[0] != '-') // JSON has no other way to write it
}

func isDouble(c []byte) bool {
	x, err := strconv.ParseFloat(string(c), 64)
	if err != nil {
		return false
	}
	if abs := math.Abs(x); abs >= 1e-6 && abs < 1e21 { // then JSON writes it without an exponent
		var plain [32]byte
		return bytes.Equal(strconv.AppendFloat(plain[:0], x, 'f', -1, 64), c)
	}
	raw, err := json.Marshal(x)
	return err == nil && bytes.Equal(raw, c)
}

// decimalDigits are those that a decimal has at most, with its places.
const decimalDigits = 38

// placesOf counts the places of the first number of a column.
func placesOf(cells [][]byte) int {
	for _, c := range cells {
		if string(c) != "null" {
			_, places, _ := bytes.Cut(c, []byte("."))
			return len(places)
		}
	}
	return 0
}

// isDecimal says whether a number is written with so many places, and no other way.
func isDecimal(places int) func([]byte) bool {
	return func(c []byte) bool {
		digits, negative := bytes.CutPrefix(c, []byte("-"))
		whole, part, _ := bytes.Cut(digits, []byte("."))
		switch {
		case places == 0, len(part) != places, len(whole) == 0, len(whole)+places > decimalDigits, len(whole) > 1 && whole[0] == '0':
			return false
		}
		zero := true
		for _, d := range [][]byte{whole, part} {
			for _, digit := range d {
				if digit < '0' || digit > '9' {
					return false
				}
				zero = zero && digit == '0'
			}
		}
		return !zero || !negative
	}
}

// unscaled is a decimal without its point.
func unscaled(c []byte) decimal128.Num {
	whole, part, _ := strings.Cut(string(c), ".")
	if digits := whole + part; len(digits) < longestInt64 {
		n, _ := strconv.ParseInt(digits, 10, 64) // isDecimal has looked
		return decimal128.FromI64(n)
	}
	n, _ := new(big.Int).SetString(whole+part, 10)
	return decimal128.FromBigInt(n)
}

// longestInt64 is how many bytes are too many for every INT64 to be written with.
const longestInt64 = 19

func arrayOf(typ arrow.DataType, cells [][]byte) arrow.Array {
	asJSON := typ == nil
	if asJSON {
		typ = arrow.BinaryTypes.String
	}
	b := array.NewBuilder(memory.DefaultAllocator, typ)
	defer b.Release()
	for _, c := range cells {
		if string(c) == "null" {
			b.AppendNull()
			continue
		}
		switch b := b.(type) {
		case *array.Int64Builder:
			n, _ := strconv.ParseInt(string(c), 10, 64) // typeOf has looked
			b.Append(n)
		case *array.Float64Builder:
			x, _ := strconv.ParseFloat(string(c), 64)
			b.Append(x)
		case *array.Decimal128Builder:
			b.Append(unscaled(c))
		case *array.BooleanBuilder:
			b.Append(string(c) == "true")
		case *array.StringBuilder:
			if asJSON {
				b.Append(string(c))
			} else {
				b.Append(plainText(c))
			}
		}
	}
	return b.NewArray()
}

// plainText is what a JSON text says.
func plainText(c []byte) (s string) {
	if inner := c[1 : len(c)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	_ = json.Unmarshal(c, &s) // it is valid
	return s
}

// errRows is what is wrong with rows that WriteRows has not written.
var errRows = errors.New("not the rows of a frame")

// ReadRows gives the rows that WriteRows wrote, as JSON of at most so many bytes. What it reads is taken for hostile: it never panics, and what it
// does not know is an error. It cannot keep the library from taking as much memory as a page says that it needs: who reads files of
// strangers calls it where that does no harm.
func ReadRows(raw []byte, columns, most int) (rows []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			rows, err = nil, fmt.Errorf("%w: %v", errRows, p)
		}
	}()
	r, err := file.NewParquetReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	count := r.NumRows()
	if r.MetaData().Schema.NumColumns() != columns || columns == 0 || count < 0 || count > int64(most) || r.NumRowGroups() > 1000 {
		return nil, errRows
	}
	all := make([]*columnCells, columns)
	room := most
	for i := range all {
		asJSON := r.MetaData().KeyValueMetadata().FindValue(cellsKey+strconv.Itoa(i)) != nil
		if all[i], err = readColumn(r, i, count, asJSON, &room); err != nil {
			return nil, err
		}
	}
	out := make([]byte, 0, most-room+2)
	out = append(out, '[')
	for row := range int(count) {
		if row > 0 {
			out = append(out, ',')
		}
		out = append(out, '[')
		for i, c := range all {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, c.at(row)...)
		}
		out = append(out, ']')
	}
	return append(out, ']'), nil
}

// columnCells are the cells of a column as JSON, one behind the other.
type columnCells struct {
	text []byte
	ends []int
}

func (c *columnCells) at(row int) []byte {
	from := 0
	if row > 0 {
		from = c.ends[row-1]
	}
	return c.text[from:c.ends[row]]
}

// add takes a cell; false: there is no room for it, with what stands between cells.
func (c *columnCells) add(cell []byte, room *int) bool {
	if *room -= len(cell) + 3; *room < 0 {
		return false
	}
	c.text = append(c.text, cell...)
	c.ends = append(c.ends, len(c.text))
	return true
}

func readColumn(r *file.Reader, column int, count int64, asJSON bool, room *int) (*columnCells, error) {
	cells := &columnCells{}
	for g := range r.NumRowGroups() {
		chunk, err := r.RowGroup(g).Column(column)
		if err != nil {
			return nil, err
		}
		switch chunk := chunk.(type) {
		case *file.Int64ColumnChunkReader:
			err = readValues(chunk, cells, room, func(x int64) ([]byte, error) { return strconv.AppendInt(nil, x, 10), nil })
		case *file.Float64ColumnChunkReader:
			err = readValues(chunk, cells, room, func(x float64) ([]byte, error) {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					return nil, errRows
				}
				return json.Marshal(x)
			})
		case *file.BooleanColumnChunkReader:
			err = readValues(chunk, cells, room, func(x bool) ([]byte, error) { return strconv.AppendBool(nil, x), nil })
		case *file.ByteArrayColumnChunkReader:
			err = readValues(chunk, cells, room, func(x parquet.ByteArray) ([]byte, error) { return textCell(x, asJSON) })
		case *file.FixedLenByteArrayColumnChunkReader:
			decimal, is := chunk.Descriptor().LogicalType().(schema.DecimalLogicalType)
			if !is || decimal.Scale() < 1 || decimal.Scale() >= decimalDigits || chunk.Descriptor().TypeLength() != 16 {
				return nil, errRows
			}
			err = readValues(chunk, cells, room, func(x parquet.FixedLenByteArray) ([]byte, error) {
				if len(x) != 16 {
					return nil, errRows
				}
				n := decimal128.New(int64(binary.BigEndian.Uint64(x)), binary.BigEndian.Uint64(x[8:]))
				return []byte(n.ToString(decimal.Scale())), nil
			})
		default:
			return nil, errRows
		}
		if err != nil {
			return nil, err
		}
	}
	if int64(len(cells.ends)) != count {
		return nil, errRows
	}
	return cells, nil
}

// textCell gives a text as JSON. Of a column whose texts are JSON, each is one value without structure.
func textCell(x []byte, asJSON bool) ([]byte, error) {
	if !utf8.Valid(x) {
		return nil, errRows
	}
	if !asJSON {
		return json.Marshal(string(x))
	}
	if len(x) == 0 || x[0] == '[' || x[0] == '{' || x[0] <= ' ' || x[len(x)-1] <= ' ' || !json.Valid(x) {
		return nil, errRows
	}
	return x, nil
}

// readBatch is how many values are read at once.
const readBatch = 1024

// values is what the readers of all types have.
type values[T any] interface {
	HasNext() bool
	ReadBatch(batchSize int64, values []T, defLvls, repLvls []int16) (total int64, valuesRead int, err error)
	Descriptor() *schema.Column
	Err() error
}

func readValues[T any](r values[T], cells *columnCells, room *int, write func(T) ([]byte, error)) error {
	most := r.Descriptor().MaxDefinitionLevel()
	if most > 1 || r.Descriptor().MaxRepetitionLevel() != 0 {
		return errRows
	}
	batch, levels := make([]T, readBatch), make([]int16, readBatch)
	for r.HasNext() {
		n, read, err := r.ReadBatch(readBatch, batch, levels, nil)
		if err != nil {
			return err
		}
		if n <= 0 || n > readBatch || read > readBatch {
			return errRows
		}
		next := 0
		for i := range n {
			cell := []byte("null")
			if most == 0 || levels[i] == most {
				if next >= read {
					return errRows
				}
				if cell, err = write(batch[next]); err != nil {
					return err
				}
				next++
			}
			if !cells.add(cell, room) {
				return errRows
			}
		}
	}
	return r.Err()
}
