package worker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/duckdb/duckdb-go/v2"
)

// carrier is how the values of one type of DuckDB travel: as which type of Arrow, how one is appended, and how one is read
// back as the value that DuckDB's own driver gives.
type carrier struct {
	arrow  arrow.DataType
	append func(b array.Builder, v any) error
	value  func(a arrow.Array, row int) (any, error)
}

// carrierOf gives the carrier of a type, as DuckDB writes it. What Arrow has no exact type for travels as JSON of what
// render makes of it.
func carrierOf(engine string, render func(v any, engine string) any) carrier {
	base, _, _ := strings.Cut(engine, "(")
	if strings.HasSuffix(engine, "]") {
		return rendered(engine, render)
	}
	switch base {
	case "BOOLEAN":
		return carrier{
			arrow.FixedWidthTypes.Boolean,
			func(b array.Builder, v any) error { return put(b.(*array.BooleanBuilder).Append, v) },
			func(a arrow.Array, row int) (any, error) { return a.(*array.Boolean).Value(row), nil },
		}
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER":
		return carrier{
			arrow.PrimitiveTypes.Int64, appendInteger,
			func(a arrow.Array, row int) (any, error) { return a.(*array.Int64).Value(row), nil },
		}
	case "UBIGINT":
		return carrier{
			arrow.PrimitiveTypes.Uint64,
			func(b array.Builder, v any) error { return put(b.(*array.Uint64Builder).Append, v) },
			func(a arrow.Array, row int) (any, error) { return a.(*array.Uint64).Value(row), nil },
		}
	case "HUGEINT", "UHUGEINT", "BIGNUM":
		return carrier{arrow.BinaryTypes.String, appendBig, readBig}
	case "FLOAT", "DOUBLE":
		return carrier{
			arrow.PrimitiveTypes.Float64, appendFloat,
			func(a arrow.Array, row int) (any, error) { return a.(*array.Float64).Value(row), nil },
		}
	case "DECIMAL":
		return decimal(engine)
	case "DATE":
		return carrier{arrow.FixedWidthTypes.Date32, appendDate, func(a arrow.Array, row int) (any, error) {
			return time.Date(1970, 1, 1+int(a.(*array.Date32).Value(row)), 0, 0, 0, 0, time.UTC), nil
		}}
	case "TIMESTAMP_S":
		return moment(arrow.Second)
	case "TIMESTAMP_MS":
		return moment(arrow.Millisecond)
	case "TIMESTAMP_NS":
		return moment(arrow.Nanosecond)
	case "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE", "TIME", "TIMETZ", "TIME WITH TIME ZONE":
		return moment(arrow.Microsecond)
	case "VARCHAR", "ENUM":
		return carrier{
			arrow.BinaryTypes.String,
			func(b array.Builder, v any) error { return put(b.(*array.StringBuilder).Append, v) },
			func(a arrow.Array, row int) (any, error) { return strings.Clone(a.(*array.String).Value(row)), nil },
		}
	case "BLOB":
		return carrier{
			arrow.BinaryTypes.Binary,
			func(b array.Builder, v any) error { return put(b.(*array.BinaryBuilder).Append, v) },
			func(a arrow.Array, row int) (any, error) { return bytes.Clone(a.(*array.Binary).Value(row)), nil },
		}
	default:
		return rendered(engine, render)
	}
}

// put appends a value of the one type that a builder takes.
func put[T any](add func(T), v any) error {
	x, ok := v.(T)
	if !ok {
		return fmt.Errorf("a value of type %T where %T was announced", v, x)
	}
	add(x)
	return nil
}

func appendInteger(b array.Builder, v any) error {
	var n int64
	switch x := v.(type) {
	case int8:
		n = int64(x)
	case int16:
		n = int64(x)
	case int32:
		n = int64(x)
	case int64:
		n = x
	case uint8:
		n = int64(x)
	case uint16:
		n = int64(x)
	case uint32:
		n = int64(x)
	default:
		return fmt.Errorf("a value of type %T where an integer was announced", v)
	}
	b.(*array.Int64Builder).Append(n)
	return nil
}

func appendFloat(b array.Builder, v any) error {
	if x, ok := v.(float32); ok {
		v = float64(x)
	}
	return put(b.(*array.Float64Builder).Append, v)
}

func appendBig(b array.Builder, v any) error {
	return put(func(n *big.Int) { b.(*array.StringBuilder).Append(n.String()) }, v)
}

func readBig(a arrow.Array, row int) (any, error) {
	n, ok := new(big.Int).SetString(a.(*array.String).Value(row), 10)
	if !ok {
		return nil, fmt.Errorf("%q is no integer", a.(*array.String).Value(row))
	}
	return n, nil
}

// decimal keeps width and scale of DECIMAL(width,scale).
func decimal(engine string) carrier {
	var width, scale uint8
	_, _ = fmt.Sscanf(engine, "DECIMAL(%d,%d)", &width, &scale) // the driver writes it so; anything else fails in append
	return carrier{
		&arrow.Decimal128Type{Precision: int32(width), Scale: int32(scale)},
		func(b array.Builder, v any) error {
			x, ok := v.(duckdb.Decimal)
			if !ok || x.Scale != scale {
				return fmt.Errorf("a value of type %T where %s was announced", v, engine)
			}
			b.(*array.Decimal128Builder).Append(decimal128.FromBigInt(x.Value))
			return nil
		},
		func(a arrow.Array, row int) (any, error) {
			return duckdb.Decimal{Width: width, Scale: scale, Value: a.(*array.Decimal128).Value(row).BigInt()}, nil
		},
	}
}

const secondsPerDay = 24 * 60 * 60

func appendDate(b array.Builder, v any) error {
	return put(func(t time.Time) {
		s := t.Unix() // midnight, so that no day is cut
		b.(*array.Date32Builder).Append(arrow.Date32(s / secondsPerDay))
	}, v)
}

// moment carries points in time; a time of day is one of the first day of the year 1, as the driver gives it.
func moment(unit arrow.TimeUnit) carrier {
	return carrier{
		&arrow.TimestampType{Unit: unit},
		func(b array.Builder, v any) error {
			return put(func(t time.Time) {
				var n int64
				switch unit {
				case arrow.Second:
					n = t.Unix()
				case arrow.Millisecond:
					n = t.UnixMilli()
				case arrow.Microsecond:
					n = t.UnixMicro()
				case arrow.Nanosecond:
					n = t.UnixNano()
				}
				b.(*array.TimestampBuilder).Append(arrow.Timestamp(n))
			}, v)
		},
		func(a arrow.Array, row int) (any, error) {
			n := int64(a.(*array.Timestamp).Value(row))
			switch unit {
			case arrow.Second:
				return time.Unix(n, 0).UTC(), nil
			case arrow.Millisecond:
				return time.UnixMilli(n).UTC(), nil
			case arrow.Nanosecond:
				return time.Unix(0, n).UTC(), nil
			default:
				return time.UnixMicro(n).UTC(), nil
			}
		},
	}
}

// rendered carries what render makes of a value, as JSON.
func rendered(engine string, render func(v any, engine string) any) carrier {
	return carrier{
		arrow.BinaryTypes.String,
		func(b array.Builder, v any) error {
			raw, err := json.Marshal(render(v, engine))
			if err != nil {
				return err
			}
			b.(*array.StringBuilder).Append(string(raw))
			return nil
		},
		func(a arrow.Array, row int) (v any, err error) {
			err = json.Unmarshal([]byte(a.(*array.String).Value(row)), &v)
			return v, err
		},
	}
}

func carriersOf(columns []column, render func(v any, engine string) any) ([]carrier, *arrow.Schema) {
	carriers := make([]carrier, len(columns))
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		carriers[i] = carrierOf(c.Type, render)
		fields[i] = arrow.Field{Name: c.Name, Type: carriers[i].arrow, Nullable: true}
	}
	return carriers, arrow.NewSchema(fields, nil)
}

// A cell, or the cells of one batch, may take maxCell bytes; a batch ends before that, at batchBytes or batchRows.
const (
	maxCell    = 32 << 20
	batchBytes = 1 << 20
	batchRows  = 2048
)

// ErrTooLarge says that a result, or one cell of it, is too large to be handed over.
var ErrTooLarge = errors.New("the result is too large")

// encoder writes rows as batches of an Arrow stream.
type encoder struct {
	carriers []carrier
	schema   *arrow.Schema
	builder  *array.RecordBuilder
	rows     int // since the last batch
}

func newEncoder(columns []column, render func(v any, engine string) any) *encoder {
	carriers, schema := carriersOf(columns, render)
	return &encoder{carriers: carriers, schema: schema, builder: array.NewRecordBuilder(memory.DefaultAllocator, schema)}
}

// add appends a row.
func (e *encoder) add(row []any) error {
	for i, v := range row {
		b := e.builder.Field(i)
		if v == nil {
			b.AppendNull()
			continue
		}
		if s, ok := v.(string); ok && len(s) > maxCell {
			return ErrTooLarge
		}
		if err := e.carriers[i].append(b, v); err != nil {
			return fmt.Errorf("column %s: %w", e.schema.Field(i).Name, err)
		}
	}
	e.rows++
	if e.size() > maxCell {
		return ErrTooLarge
	}
	return nil
}

// size is about how many bytes the rows take that were added since the last batch.
func (e *encoder) size() int {
	n := 8 * e.rows * len(e.carriers)
	for _, b := range e.builder.Fields() {
		if text, ok := b.(interface{ DataLen() int }); ok {
			n += text.DataLen()
		}
	}
	return n
}

// batch gives what was added since the last one.
func (e *encoder) batch() ([]byte, error) {
	record := e.builder.NewRecordBatch()
	e.rows = 0
	defer record.Release()
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(e.schema))
	if err := w.Write(record); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// decode reads the batch that encoder.batch wrote.
func decode(raw []byte, schema *arrow.Schema) (batch arrow.RecordBatch, err error) {
	r, err := ipc.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	defer r.Release()
	if !r.Schema().Equal(schema) {
		return nil, fmt.Errorf("batch of %s where %s was announced", r.Schema(), schema)
	}
	if !r.Next() {
		if r.Err() != nil {
			return nil, r.Err()
		}
		return nil, fmt.Errorf("a stream without a batch")
	}
	batch = r.RecordBatch()
	batch.Retain()
	return batch, nil
}
