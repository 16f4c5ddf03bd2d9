package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/xuri/excelize/v2"

	"assay/backend/fault"
	"assay/backend/frameql"
)

// sample has a row of each kind of value, one of missing ones, and one of what programs stumble over.
func sample() Table {
	money := &arrow.Decimal128Type{Precision: 38, Scale: 2}
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "0", Type: arrow.BinaryTypes.String},
		{Name: "1", Type: arrow.PrimitiveTypes.Int64},
		{Name: "2", Type: money},
		{Name: "3", Type: arrow.PrimitiveTypes.Float64},
		{Name: "4", Type: arrow.FixedWidthTypes.Boolean},
		{Name: "5", Type: arrow.BinaryTypes.String},
		{Name: "6", Type: arrow.BinaryTypes.String},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	rows := []struct {
		text  string
		whole int64
		money string
		float float64
		yes   bool
		day   string
		at    string
	}{
		{`a "quoted", text`, 42, "1234.50", 0.1, true, "2024-02-29", "2024-02-29T12:30:00.5"},
		{"=1+1", 9223372036854775807, "123456789012345678901234567890.12", 1e300, false, "0001-01-01", "1899-12-31T00:00:00"},
		{"", -1, "-0.01", -0.5, false, "9999-12-31", "9999-12-31T23:59:59"},
	}
	for _, r := range rows {
		amount, err := decimal128.FromString(r.money, 38, 2)
		if err != nil {
			panic(err)
		}
		b.Field(0).(*array.StringBuilder).Append(r.text)
		b.Field(1).(*array.Int64Builder).Append(r.whole)
		b.Field(2).(*array.Decimal128Builder).Append(amount)
		b.Field(3).(*array.Float64Builder).Append(r.float)
		b.Field(4).(*array.BooleanBuilder).Append(r.yes)
		b.Field(5).(*array.StringBuilder).Append(r.day)
		b.Field(6).(*array.StringBuilder).Append(r.at)
	}
	for i := range 7 {
		b.Field(i).AppendNull()
	}
	record := b.NewRecordBatch()
	return Table{
		Title: "All kinds", Records: once(record, nil),
		Columns: []frameql.Column{
			{Name: "name", Label: "Name", Type: "text"},
			{Name: "n", Type: "integer"},
			{Name: "money", Label: "Money", Type: "decimal", Unit: "USD"},
			{Name: "share", Type: "float", Format: "percent"},
			{Name: "yes", Type: "boolean"},
			{Name: "day", Type: "date"},
			{Name: "at", Type: "timestamp"},
		},
		Provenance: []Fact{{"Question", "=what is it?"}, {"SQL", "SELECT 1"}},
	}
}

func once(r arrow.RecordBatch, err error) iter.Seq2[arrow.RecordBatch, error] {
	return func(yield func(arrow.RecordBatch, error) bool) {
		if r != nil && !yield(r, nil) {
			return
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func written(t *testing.T, f Format, table Table) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, f, table); err != nil {
		t.Fatal(f, fault.Detail(err))
	}
	return out.Bytes()
}

func TestCSV(t *testing.T) {
	want := strings.Join([]string{
		"name,n,money,share,yes,day,at",
		`"a ""quoted"", text",42,1234.50,0.1,true,2024-02-29,2024-02-29T12:30:00.5`,
		"'=1+1,9223372036854775807,123456789012345678901234567890.12,1e+300,false,0001-01-01,1899-12-31T00:00:00",
		`"",-1,-0.01,-0.5,false,9999-12-31,9999-12-31T23:59:59`,
		",,,,,,", "",
	}, "\r\n")
	if got := string(written(t, CSV, sample())); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestJSON(t *testing.T) {
	var got struct {
		Title      string
		Rows       [][]any
		Provenance []Fact
	}
	d := json.NewDecoder(bytes.NewReader(written(t, JSON, sample())))
	d.UseNumber()
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	first, second, last := got.Rows[0], got.Rows[1], got.Rows[3]
	if got.Title != "All kinds" || len(got.Rows) != 4 || len(got.Provenance) != 2 ||
		first[1] != json.Number("42") || first[2] != json.Number("1234.50") || first[4] != true ||
		second[0] != "=1+1" || second[1] != "9223372036854775807" || second[2] != "123456789012345678901234567890.12" || last[0] != nil || last[2] != nil {
		t.Errorf("%+v", got)
	}
}

func TestXLSX(t *testing.T) {
	f, err := excelize.OpenReader(bytes.NewReader(written(t, XLSX, sample())))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for at, want := range map[string]string{
		"A1": "Name", "C1": "Money (USD)", "A2": `a "quoted", text`, "B2": "42", "C2": "1234.5", "D2": "10.0%", "E2": "TRUE", "F2": "2024-02-29", "G2": "2024-02-29 12:30:00",
		"A3": "'=1+1", "B3": "9223372036854775807", "C3": "123456789012345678901234567890.12", "F3": "0001-01-01", "A5": "", "B5": "",
	} {
		if got, err := f.GetCellValue("Data", at); err != nil || got != want {
			t.Errorf("%s: %q, want %q %v", at, got, want, err)
		}
	}
	for at, want := range map[string]excelize.CellType{"B2": excelize.CellTypeUnset, "B3": excelize.CellTypeInlineString, "A3": excelize.CellTypeInlineString} {
		if got, _ := f.GetCellType("Data", at); got != want {
			t.Errorf("%s has type %v, want %v", at, got, want)
		}
	}
	if formula, _ := f.GetCellFormula("Data", "A3"); formula != "" {
		t.Errorf("a text became a formula: %s", formula)
	}
	if got, _ := f.GetCellValue("Provenance", "B1"); got != "'=what is it?" {
		t.Errorf("provenance: %q", got)
	}
}

// Whole numbers of 128 bits travel as text, and zero may be a negative double.
func TestNumbersAtTheEndsOfTheirTypes(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "0", Type: arrow.BinaryTypes.String}, {Name: "1", Type: arrow.PrimitiveTypes.Uint64}, {Name: "2", Type: arrow.PrimitiveTypes.Float64}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	b.Field(0).(*array.StringBuilder).AppendValues([]string{"7", "-170141183460469231731687303715884105727"}, nil)
	b.Field(1).(*array.Uint64Builder).AppendValues([]uint64{18446744073709551615, 9007199254740993}, nil)
	b.Field(2).(*array.Float64Builder).AppendValues([]float64{math.Copysign(0, -1), 0.5}, nil)
	record := b.NewRecordBatch()
	table := func() Table {
		columns := []frameql.Column{{Name: "huge", Type: "integer"}, {Name: "large", Type: "integer"}, {Name: "x", Type: "float"}}
		return Table{Title: "Ends", Columns: columns, Records: once(record, nil)}
	}
	if got, want := string(written(t, CSV, table())), "huge,large,x\r\n7,18446744073709551615,0\r\n-170141183460469231731687303715884105727,9007199254740993,0.5\r\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := string(written(t, JSON, table())), "[7,\"18446744073709551615\",0],\n[\"-170141183460469231731687303715884105727\",\"9007199254740993\",0.5]"; !strings.Contains(got, want) {
		t.Errorf("%s has no %s", got, want)
	}
	f, err := excelize.OpenReader(bytes.NewReader(written(t, XLSX, table())))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for at, want := range map[string]string{"A2": "7", "B2": "18446744073709551615", "C2": "0", "A3": "-170141183460469231731687303715884105727", "B3": "9007199254740993"} {
		if got, err := f.GetCellValue("Data", at); err != nil || got != want {
			t.Errorf("%s: %q, want %q %v", at, got, want, err)
		}
	}
	if kind, _ := f.GetCellType("Data", "A2"); kind != excelize.CellTypeUnset {
		t.Errorf("7 is a %v", kind)
	}
}

func TestTextsThatACellCannotHoldAreCutAndSaid(t *testing.T) {
	table := sample()
	schema := arrow.NewSchema([]arrow.Field{{Name: "0", Type: arrow.BinaryTypes.String}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	b.Field(0).(*array.StringBuilder).Append(strings.Repeat("ä", 1<<20))
	table.Columns, table.Records = table.Columns[:1], once(b.NewRecordBatch(), nil)
	f, err := excelize.OpenReader(bytes.NewReader(written(t, XLSX, table)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, _ := f.GetCellValue("Data", "A2"); len([]rune(got)) != sheetText {
		t.Errorf("%d letters", len([]rune(got)))
	}
	if got, _ := f.GetCellValue("Provenance", "B3"); !strings.HasPrefix(got, "1 text is longer") {
		t.Errorf("%q", got)
	}
}

func TestParquet(t *testing.T) {
	reader, err := file.NewParquetReader(bytes.NewReader(written(t, Parquet, sample())))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if v := reader.MetaData().KeyValueMetadata().FindValue("assay.SQL"); v == nil || *v != "SELECT 1" {
		t.Error("the provenance is not in the metadata")
	}
	arrowed, err := pqarrow.NewFileReader(reader, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := arrowed.ReadTable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if table.NumRows() != 4 || table.Schema().Field(5).Type.ID() != arrow.DATE32 || table.Schema().Field(6).Type.ID() != arrow.TIMESTAMP || table.Schema().Field(2).Type.String() != "decimal(38, 2)" {
		t.Fatalf("%d rows of %s", table.NumRows(), table.Schema())
	}
	var got []string
	for i := range 7 {
		got = append(got, table.Column(i).Data().Chunk(0).ValueStr(0))
	}
	if want := `a "quoted", text|42|1234.5|0.1|true|2024-02-29|2024-02-29T12:30:00.5`; strings.Join(got, "|") != want {
		t.Errorf("%s, want %s", strings.Join(got, "|"), want)
	}
}

func TestNoRows(t *testing.T) {
	for _, f := range []Format{CSV, XLSX, Parquet, JSON} {
		table := sample()
		table.Records = once(nil, nil)
		if len(written(t, f, table)) == 0 {
			t.Errorf("%s: nothing", f)
		}
	}
}

func TestWhatFailsFailsTheExport(t *testing.T) {
	gone := errors.New("gone")
	for _, f := range []Format{CSV, XLSX, Parquet, JSON} {
		table := sample()
		table.Records = once(nil, gone)
		if err := Write(&bytes.Buffer{}, f, table); !errors.Is(err, gone) {
			t.Errorf("%s: the rows broke off: %v", f, err)
		}
		if err := Write(full{}, f, sample()); err == nil {
			t.Errorf("%s: the disk is full, and nobody says so", f)
		}
	}
	if err := Write(&bytes.Buffer{}, "pdf", sample()); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("%v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }
