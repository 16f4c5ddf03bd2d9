package workspace

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"
	"github.com/xuri/excelize/v2"
	_ "modernc.org/sqlite"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/store"
)

// filesEnv is how many files TestEveryFileLeavesTheWorkspaceOpen imports; empty: filesAtOnce.
const (
	filesEnv      = "ASSAY_FILES"
	filesAtOnce   = 1000
	filesTogether = 25 // that lie in one workspace
)

// Whatever is imported, the workspace answers questions about its other table, and opens again.
func TestEveryFileLeavesTheWorkspaceOpen(t *testing.T) {
	count := filesAtOnce
	if raced { // the detector has seen every path by then
		count = 4 * filesTogether
	}
	if n, err := strconv.Atoi(os.Getenv(filesEnv)); err == nil {
		count = n
	}
	for first := 0; first < count; first += filesTogether {
		t.Run(strconv.Itoa(first), func(t *testing.T) {
			t.Parallel()
			openWithFiles(t, first, min(first+filesTogether, count))
		})
	}
}

func openWithFiles(t *testing.T, first, end int) {
	dir, files := t.TempDir(), t.TempDir()
	good := filepath.Join(files, "good.csv")
	for name, content := range map[string]string{filepath.Join(dir, "workspace.yaml"): "workspace: generated\n", good: "region,sales\nN,5\nS,6\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opt := Options{DataDir: t.TempDir(), Now: noon, Threads: 1, inProcess: true}
	w, err := Open(t.Context(), Target{Dir: dir}, opt)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	defer func() { _ = w.Close() }()
	if _, err := w.Import(t.Context(), store.ImportRequest{Path: good}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	answers := func(after string) {
		a, err := w.Ask(context.Background(), analyst.Request{FrameQL: "SELECT SUM(good.sales)"}, nil)
		if err != nil || a.Frame == nil || len(a.Frame.Rows) != 1 || fmt.Sprint(a.Frame.Rows[0][0]) != "11" {
			t.Fatalf("after %s: %+v %v", after, a, fault.Detail(err))
		}
	}
	var requests []store.ImportRequest
	var kinds []string
	for seed := first; seed < end; seed++ {
		file, kind := generated(t, files, uint64(seed))
		requests, kinds = append(requests, store.ImportRequest{Path: file}), append(kinds, fmt.Sprintf("%d, %s", seed, kind))
	}
	if err := w.ImportAll(t.Context(), requests, func(i int, _ *store.Source, err error) bool {
		if fault.CodeOf(err) == fault.Internal {
			t.Errorf("%s %q: %s", kinds[i], requests[i].Path, fault.Detail(err))
		}
		answers(kinds[i]) // the file is in the data
		return true
	}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	answers(strings.Join(kinds, "; ")) // the files are in the model
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w, err = Open(t.Context(), Target{Dir: dir}, opt); err != nil {
		t.Fatal(fault.Detail(err))
	}
	answers("opening again")
}

// generated writes the file of a seed.
func generated(t *testing.T, dir string, seed uint64) (path, kind string) {
	g := &maker{Rand: rand.New(rand.NewPCG(seed, 28)), t: t}
	kinds := []string{"csv", "tsv", "json", "ndjson", "parquet", "xlsx", "sqlite", "duckdb"}
	kind = kinds[g.IntN(len(kinds))]
	path = filepath.Join(dir, g.fileName(seed)+"."+kind)
	switch kind {
	case "csv", "tsv":
		g.write(path, g.delimited(map[string]string{"csv": ",", "tsv": "\t"}[kind]))
	case "json", "ndjson":
		g.write(path, g.json(kind == "json"))
	case "xlsx":
		g.workbook(path)
	case "sqlite":
		g.sqlite(path)
	default:
		g.engine(path, kind)
	}
	if g.IntN(4) == 0 {
		kind += " damaged"
		g.damage(path)
	}
	return path, kind
}

type maker struct {
	*rand.Rand
	t *testing.T
}

func pick[T any](g *maker, all ...T) T { return all[g.IntN(len(all))] }

func (g *maker) write(path string, raw []byte) {
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		g.t.Fatal(err)
	}
}

// damage cuts a file, turns bytes of it, or empties it.
func (g *maker) damage(path string) {
	raw, err := os.ReadFile(path)
	if err != nil {
		g.t.Fatal(err)
	}
	switch g.IntN(4) {
	case 0:
		raw = raw[:g.IntN(len(raw)+1)]
	case 1:
		raw = nil
	case 2:
		for range 1 + g.IntN(50) {
			if len(raw) > 0 {
				raw[g.IntN(len(raw))] ^= byte(1 + g.IntN(255))
			}
		}
	default:
		raw = append(raw, bytes.Repeat([]byte{0, 255, '{', '"'}, g.IntN(200))...)
	}
	g.write(path, raw)
}

// hostileNames are names that mean something to somebody.
var hostileNames = []string{
	"pg_settings", "pg_class", "sqlite_master", "duckdb_tables", "information_schema", "tables", "columns", "main", "temp", "source_1", "good", "raw", "target", "json",
	"select", "order", "group by", "x\"y", "x'y", "a.b", "a;b", "--", "{p}", "日本語", "ÄÖÜ", " lead", "..", "%s", "null", "id", "ID", "assay", "_", "1", "2024-01-01", "\u202etxt", "e\u0301",
	"AT", "WHERE", "DURING", "revenue", "count", "all", "time", "[x]", "*", "?", "<b>", "$.x", "/x~1", "\\", "#",
}

func (g *maker) name() string {
	switch g.IntN(6) {
	case 0:
		return strings.Repeat(pick(g, "long_name_", "ß", "名"), 1+g.IntN(60))
	case 1, 2:
		return pick(g, hostileNames...)
	}
	return pick(g, "id", "city", "day", "amount", "tags", "addr", "v", "n", "note", "when", "is_new") + pick(g, "", "", "_2", " x")
}

func (g *maker) fileName(seed uint64) string {
	name := strings.NewReplacer("/", "_", "\x00", "_").Replace(g.name())
	for len(name) > 150 {
		name = string([]rune(name)[:20])
	}
	if g.IntN(3) > 0 || strings.Trim(name, ". ") == "" {
		name += strconv.FormatUint(seed, 10)
	}
	return name
}

func (g *maker) names() []string {
	names := make([]string, pick(g, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 8, pick(g, 3, 3, 3, 40)))
	for i := range names {
		names[i] = g.name()
	}
	return names
}

func (g *maker) rows() int { return pick(g, 0, 1, 2, 3, 3, 3, 10, 10, 60) }

func (g *maker) text() string {
	return pick(g, "", "a", "NULL", "NaN", "-0", "1", "2", "3.5", "1,5", "1.234,56", "(12)", "$5", "7 %", "9223372036854775808", "1e400", "0001", "2024-02-30", "2024-03-01", "31/12/2024", "03/04/2024",
		"2024-03-01T10:00:00Z", "10:30", "true", "no", "Lima", "{\"a\":[1]}", "[1,2]", "\"", "'", "x\ny", "é", "\u0000", strings.Repeat("w", 3000))
}

func (g *maker) delimited(sep string) []byte {
	var b bytes.Buffer
	names := g.names()
	for row := range g.rows() + 1 {
		cells := len(names) + pick(g, 0, 0, 0, 0, 0, 1, -1)
		for i := range max(cells, 0) {
			if i > 0 {
				b.WriteString(sep)
			}
			cell := g.text()
			if row == 0 {
				cell = g.name()
			}
			if g.IntN(4) == 0 || strings.ContainsAny(cell, sep+"\n\"") && g.IntN(8) > 0 {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			b.WriteString(cell)
		}
		b.WriteString(pick(g, "\n", "\n", "\n", "\r\n"))
	}
	return b.Bytes()
}

func (g *maker) value(depth int) string {
	kinds := 9
	if depth > 3 {
		kinds = 6
	}
	switch g.IntN(kinds) {
	case 0:
		return "null"
	case 1:
		return pick(g, "true", "false")
	case 2, 3:
		return pick(g, "1", "2", "-3", "0.5", "1e300", "9007199254740993", "12345678901234567890123")
	case 4, 5:
		return strconv.Quote(strings.ToValidUTF8(strings.ReplaceAll(g.text(), "\x00", ""), ""))
	case 6:
		var all []string
		for range g.IntN(4) {
			all = append(all, g.value(depth+1))
		}
		return "[" + strings.Join(all, ",") + "]"
	default:
		return g.object(g.names()[:0:0], depth+1)
	}
}

func (g *maker) object(names []string, depth int) string {
	if names == nil {
		for range g.IntN(5) {
			names = append(names, g.name())
		}
	}
	var all []string
	for _, n := range names {
		if g.IntN(6) > 0 {
			all = append(all, strconv.Quote(n)+":"+g.value(depth))
		}
	}
	return "{" + strings.Join(all, ",") + "}"
}

func (g *maker) json(list bool) []byte {
	names := g.names()
	var all []string
	for range g.rows() {
		switch g.IntN(12) {
		case 0:
			all = append(all, g.value(0))
		case 1:
			all = append(all, g.object(nil, 0))
		default:
			all = append(all, g.object(append([]string{}, names...), 0))
		}
	}
	if !list {
		return []byte(strings.Join(all, "\n"))
	}
	body := "[" + strings.Join(all, ",") + "]"
	return []byte(pick(g, body, body, `{"data":`+body+`,"page":1}`, `{"meta":{"n":1}}`))
}

func (g *maker) workbook(path string) {
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	sheets := []string{"Sheet1"}
	if g.IntN(3) == 0 {
		if _, err := f.NewSheet("pg_class"); err == nil {
			sheets = append(sheets, "pg_class")
		}
	}
	for _, sheet := range sheets {
		names := g.names()
		for row := range g.rows() + 1 {
			for i := range names {
				cell, err := excelize.CoordinatesToCellName(i+1, row+1)
				if err != nil {
					g.t.Fatal(err)
				}
				var v any = g.text()
				switch {
				case row == 0:
					v = g.name()
				case g.IntN(3) == 0:
					v = g.IntN(100)
				case g.IntN(5) == 0:
					v = noon()
				}
				_ = f.SetCellValue(sheet, cell, v)
			}
		}
	}
	if err := f.SaveAs(path); err != nil {
		g.t.Fatal(err)
	}
}

func quoted(name string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(name, "\x00", ""), `"`, `""`) + `"`
}

func (g *maker) sqlite(path string) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		g.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for range 1 + g.IntN(2) {
		table := quoted(g.name())
		var columns []string
		for _, n := range g.names() {
			columns = append(columns, quoted(n)+" "+pick(g, "TEXT", "INTEGER", "REAL", "BLOB", "NUMERIC", "DATE", "BOOLEAN", "", "JSON", "VARCHAR(3)", "nonsense"))
		}
		if _, err := db.Exec("CREATE TABLE " + table + " (" + strings.Join(columns, ", ") + ")"); err != nil {
			continue // a name twice, or one that SQLite keeps for itself
		}
		for range g.rows() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = pick[any](g, nil, g.text(), g.IntN(50), g.Float64(), []byte{0, 255}, int64(1)<<62)
			}
			_, _ = db.Exec("INSERT INTO "+table+" VALUES ("+strings.TrimSuffix(strings.Repeat("?,", len(values)), ",")+")", values...)
		}
	}
}

// engine writes what only an engine writes: nested and odd types.
func (g *maker) engine(path, kind string) {
	target := ""
	if kind == "duckdb" {
		target = filepath.Join(filepath.Dir(path), "made."+kind) // the driver reads more than a path in a name
		defer func() { _ = os.Rename(target, path) }()
	}
	db, err := sql.Open("duckdb", target)
	if err != nil {
		g.t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // before it is renamed
	typed := []string{
		"i", "i::TINYINT", "i::UBIGINT", "i::HUGEINT * 1e30::HUGEINT", "i / 3.0", "i::FLOAT", "i::DECIMAL(38,10)", "'t' || i", "NULL", "NULL::INTEGER", "i % 2 = 0", "DATE '2024-01-01' + i::INTEGER",
		"TIMESTAMP '2024-01-01' + INTERVAL (i) HOUR", "TIMESTAMPTZ '2024-01-01 00:00+02'", "TIME '10:00'", "INTERVAL 3 DAY", "uuid()", "'x'::BLOB", "'101'::BIT", "[i, i + 1]", "[]", "[[i], NULL]",
		"{'a': i, 'b': 'x'}", "{'a': {'b': {'c': [i]}}, 'A': 1}", "MAP {'k': i}", "MAP {i: 'v'}", "'on'::ENUM('on', 'off')", "[{'q': i, 'p': 2.5}]", "CASE WHEN i > 1 THEN {'z': NULL::VARCHAR} END", "'infinity'::DATE",
		"'NaN'::DOUBLE", "'inf'::FLOAT", "repeat('w', 5000)", "ARRAY_VALUE(1, 2)", "union_value(n := i)", "'0044-03-15 (BC)'::DATE", "row(i, 2)",
	}
	if kind == "parquet" {
		typed = typed[:len(typed)-3] // a writer of Parquet takes no unions
	}
	for range 1 + g.IntN(2) {
		var columns []string
		for _, n := range g.names() {
			columns = append(columns, pick(g, typed...)+" AS "+quoted(n))
		}
		rows := g.rows()
		body := fmt.Sprintf("SELECT %s FROM range(%d) r(i)", strings.Join(append(columns, "i AS row_no"), ", "), rows)
		if kind == "parquet" {
			_, err = db.Exec("COPY (" + body + ") TO '" + strings.ReplaceAll(path, "'", "''") + "' (FORMAT parquet)")
		} else {
			_, err = db.Exec("CREATE TABLE " + quoted(g.name()) + " AS " + body)
		}
	}
	if _, missing := os.Stat(path); kind == "parquet" && (err != nil || missing != nil) {
		g.write(path, binary.LittleEndian.AppendUint32([]byte("PAR1"), 7)) // columns that no file can have: one that only looks like it
	}
}
