package store

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/frameql"
	"assay/backend/store/sniff"
)

// columnType gives the type of a column, in the words of frameql.Column, from DuckDB's name for it.
func columnType(engine string) string {
	base, _, _ := strings.Cut(engine, "(")
	if strings.HasSuffix(engine, "]") {
		return "json"
	}
	switch base {
	case "BOOLEAN":
		return string(sniff.Boolean)
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT", "BIGNUM":
		return string(sniff.Integer)
	case "DECIMAL":
		return string(sniff.Decimal)
	case "FLOAT", "DOUBLE":
		return string(sniff.Float)
	case "DATE":
		return string(sniff.Date)
	case "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE":
		return string(sniff.Timestamp)
	case "TIME", "TIMETZ", "TIME WITH TIME ZONE", "TIME_NS":
		return string(sniff.Time)
	case "JSON", "STRUCT", "MAP", "UNION", "LIST", "ARRAY":
		return "json"
	default:
		return string(sniff.Text)
	}
}

// cell turns a value of the driver into a cell as frameql.Frame documents it.
func cell(v any, engine string) any {
	switch x := v.(type) {
	case nil, bool, string:
		return x
	case int8:
		return int64(x)
	case int16:
		return int64(x)
	case int32:
		return int64(x)
	case int64:
		return frameql.WholeCell(x)
	case uint8:
		return int64(x)
	case uint16:
		return int64(x)
	case uint32:
		return int64(x)
	case uint64:
		if x > math.MaxInt64 {
			return strconv.FormatUint(x, 10)
		}
		return frameql.WholeCell(int64(x))
	case *big.Int:
		if x.IsInt64() {
			return frameql.WholeCell(x.Int64())
		}
		return x.String()
	case float32:
		return floatCell(float64(x))
	case float64:
		return floatCell(x)
	case duckdb.Decimal:
		return decimalCell(x)
	case time.Time:
		return timeCell(x, engine)
	case duckdb.UUID:
		return x.String()
	case duckdb.Interval:
		return fmt.Sprintf("P%dM%dDT%sS", x.Months, x.Days, strconv.FormatFloat(float64(x.Micros)/1e6, 'f', -1, 64))
	case []byte:
		if strings.HasPrefix(engine, "UUID") && len(x) == 16 {
			h := hex.EncodeToString(x)
			return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
		}
		return `\x` + hex.EncodeToString(x)
	default:
		if raw, err := json.Marshal(x); err == nil {
			return string(raw)
		}
		return fmt.Sprint(x)
	}
}

func floatCell(f float64) any {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return 0.0 // the negative zero of doubles is zero to everybody who reads it
	default:
		return f
	}
}

// decimalCell keeps all places of a decimal: a JSON number up to 15 significant digits, text beyond.
func decimalCell(d duckdb.Decimal) any {
	digits := new(big.Int).Abs(d.Value).String()
	scale := int(d.Scale)
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	s := digits
	if scale > 0 {
		s = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if d.Value.Sign() < 0 {
		s = "-" + s
	}
	if significant(digits, scale) > 15 {
		return s
	}
	return json.Number(s)
}

// significant counts digits without leading zeros and without zeros at the end of the places.
func significant(digits string, scale int) int {
	for scale > 0 && digits[len(digits)-1] == '0' {
		digits, scale = digits[:len(digits)-1], scale-1
	}
	return len(strings.TrimLeft(digits, "0"))
}

func timeCell(t time.Time, engine string) string {
	t = t.UTC()
	switch columnType(engine) {
	case string(sniff.Date):
		return t.Format("2006-01-02")
	case string(sniff.Time):
		return t.Format("15:04:05.999999")
	default:
		return t.Format("2006-01-02T15:04:05.999999")
	}
}
