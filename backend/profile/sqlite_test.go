package profile

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/backend/semantic"

	_ "modernc.org/sqlite"
)

// copySQLite copies a SQLite file into the engine and gives its tables with their declared keys and references.
func (e *engine) copySQLite(t testing.TB, file string) []TableDecl {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var all []TableDecl
	for _, r := range query(t, db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name") {
		d := TableDecl{Table: r[0].(string), Alias: alias(r[0].(string))}
		type keyPart struct {
			at   int64
			name string
		}
		var key []keyPart
		var definitions []string
		for _, c := range query(t, db, "SELECT name, type, pk FROM pragma_table_info("+literal(d.Table)+")") {
			name, declared, pk := c[0].(string), strings.ToUpper(c[1].(string)), c[2].(int64)
			kind, duck := sqliteType(t, db, d.Table, name, declared)
			d.Columns = append(d.Columns, ColumnDecl{Name: name, Alias: alias(name), Type: kind})
			definitions = append(definitions, quote(name)+" "+duck)
			if pk > 0 {
				key = append(key, keyPart{pk, name})
			}
		}
		slices.SortFunc(key, func(a, b keyPart) int { return int(a.at - b.at) })
		for _, k := range key {
			d.Key = append(d.Key, k.name)
		}
		byID := map[int64]*semantic.ForeignKey{}
		for _, f := range query(t, db, `SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(`+literal(d.Table)+`) ORDER BY id, seq`) {
			fk := byID[f[0].(int64)]
			if fk == nil {
				fk = &semantic.ForeignKey{RefTable: f[1].(string)}
				byID[f[0].(int64)] = fk
			}
			fk.Columns = append(fk.Columns, f[2].(string))
			if to, ok := f[3].(string); ok {
				fk.RefColumns = append(fk.RefColumns, to)
			}
		}
		for i := range int64(len(byID)) {
			d.ForeignKeys = append(d.ForeignKeys, *byID[i])
		}
		e.exec(t, "CREATE TABLE "+quote(d.Table)+" ("+strings.Join(definitions, ", ")+")")
		var values []string
		flush := func() {
			if len(values) > 0 {
				e.exec(t, "INSERT INTO "+quote(d.Table)+" VALUES "+strings.Join(values, ", "))
			}
			values = nil
		}
		for _, r := range query(t, db, "SELECT * FROM "+quote(d.Table)) {
			cells := make([]string, len(r))
			for i, c := range r {
				cells[i] = cellLiteral(c, d.Columns[i].Type)
			}
			if values = append(values, "("+strings.Join(cells, ", ")+")"); len(values) == 1000 {
				flush()
			}
		}
		flush()
		all = append(all, d)
	}
	return all
}

func query(t testing.TB, db *sql.DB, q string) [][]any {
	t.Helper()
	rows, err := db.Query(q)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	defer rows.Close()
	names, _ := rows.Columns()
	var all [][]any
	for rows.Next() {
		cells := make([]any, len(names))
		into := make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		all = append(all, cells)
	}
	return all
}

// sqliteType trusts the values more than the declaration, as an importer must.
func sqliteType(t testing.TB, db *sql.DB, table, column, declared string) (semantic.Type, string) {
	kinds := map[string]bool{}
	for _, r := range query(t, db, "SELECT DISTINCT typeof("+quote(column)+") FROM "+quote(table)+" WHERE "+quote(column)+" IS NOT NULL") {
		kinds[r[0].(string)] = true
	}
	switch {
	case kinds["text"] || kinds["blob"] || len(kinds) == 0 && !strings.Contains(declared, "INT"):
		return semantic.Text, "VARCHAR"
	case kinds["real"]:
		return semantic.Float, "DOUBLE"
	}
	return semantic.Integer, "BIGINT"
}

func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func cellLiteral(c any, kind semantic.Type) string {
	if c == nil {
		return "NULL"
	}
	if b, ok := c.([]byte); ok {
		c = string(b)
	}
	s := fmt.Sprint(c)
	if kind == semantic.Text {
		return literal(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "?"))
	}
	return s
}
