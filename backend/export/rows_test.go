package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"pgregory.net/rapid"

	"assay/backend/frameql"
)

func rowsThere(t interface{ Fatal(...any) }, columns []frameql.Column, rows []byte) []byte {
	var out bytes.Buffer
	if err := WriteRows(&out, columns, rows); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestRowsComeBack draws columns of every mixture of cells.
func TestRowsComeBack(t *testing.T) {
	cell := []func(*rapid.T) any{
		func(*rapid.T) any { return nil },
		func(t *rapid.T) any { return rapid.Int64().Draw(t, "whole") },
		func(t *rapid.T) any { return rapid.Float64().Draw(t, "double") },
		func(t *rapid.T) any { return json.Number(fmt.Sprintf("%d.%02d", rapid.Int64().Draw(t, "money"), 50)) },
		func(t *rapid.T) any { return rapid.String().Draw(t, "text") },
		func(t *rapid.T) any { return rapid.Bool().Draw(t, "truth") },
		func(*rapid.T) any { return json.Number("123456789012345678901234567890.12") },
		func(*rapid.T) any { return "<script>alert(1)</script>\u2028\"\\" },
	}
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(1, 5).Draw(t, "columns"), rapid.IntRange(0, 30).Draw(t, "rows")
		columns, rows := make([]frameql.Column, width), make([][]any, height)
		for i := range columns {
			columns[i] = frameql.Column{Name: fmt.Sprint("c", i)}
			kinds := rapid.SliceOfN(rapid.SampledFrom(cell), 1, 2).Draw(t, "kinds")
			for r := range rows {
				rows[r] = append(rows[r], kinds[r%len(kinds)](t))
			}
		}
		raw, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		back, err := ReadRows(rowsThere(t, columns, raw), width, 1<<20)
		if err != nil || !bytes.Equal(back, raw) {
			t.Fatalf("%s\nwant\n%s\n%v", back, raw, err)
		}
	})
}

// TestRowsHaveTypes keeps the files readable for other programs.
func TestRowsHaveTypes(t *testing.T) {
	columns := []frameql.Column{{Name: "n"}, {Name: "x"}, {Name: "s"}, {Name: "b"}, {Name: "money"}, {Name: "none"}, {Name: "places"}}
	raw := rowsThere(t, columns, []byte(`[[1,0.5,"a",true,1.50,null,1.50],[null,2,"",false,"12",null,-0.25]]`))
	r, err := file.NewParquetReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text := parquet.Types.ByteArray
	want := []parquet.Type{parquet.Types.Int64, parquet.Types.Double, text, parquet.Types.Boolean, text, text, parquet.Types.FixedLenByteArray}
	for i, column := range columns {
		if got := r.MetaData().Schema.Column(i).PhysicalType(); got != want[i] {
			t.Errorf("%s is %s, want %s", column.Name, got, want[i])
		}
	}
}

func TestRowsThatAreNone(t *testing.T) {
	for _, rows := range []string{`[[1,2]]`, `[[]]`, `[[[1]]]`, `[[{"a":1}]]`, `{}`, `[1]`, `[[1],`} {
		if err := WriteRows(&bytes.Buffer{}, []frameql.Column{{Name: "c"}}, []byte(rows)); err == nil {
			t.Errorf("%s was written", rows)
		}
	}
	raw := rowsThere(t, []frameql.Column{{Name: "c"}}, []byte(`[["`+string(bytes.Repeat([]byte("x"), 1000))+`"]]`))
	if _, err := ReadRows(raw, 1, 1000); err == nil {
		t.Error("more than there is room for")
	}
	if _, err := ReadRows(raw, 2, 10_000); err == nil {
		t.Error("of two columns one is there")
	}
	for i := range raw {
		_, _ = ReadRows(raw[:i], 1, 10_000)
		bent := bytes.Clone(raw)
		bent[i] ^= 0xff
		_, _ = ReadRows(bent, 1, 10_000)
	}
}

func BenchmarkRows(b *testing.B) {
	var rows [][]any
	for i := range 10_000 {
		rows = append(rows, []any{fmt.Sprint("member ", i), int64(i), float64(i) * 1.25, "2025-01-01"})
	}
	raw, _ := json.Marshal(rows)
	columns := []frameql.Column{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}
	for b.Loop() {
		if _, err := ReadRows(rowsThere(b, columns, raw), 4, 1<<24); err != nil {
			b.Fatal(err)
		}
	}
}
