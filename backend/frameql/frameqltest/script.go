package frameqltest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"assay/backend/semantic"
)

// Script gives the tables as CREATE TABLE and INSERT statements, one to a line. The dialect is duckdb, postgres or mysql
// (which is MariaDB too).
func (w *World) Script(dialect string) string {
	d := scripting(dialect)
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(w.Tables)) {
		t := w.Tables[name]
		b.WriteString("CREATE TABLE " + d.name(name) + " (")
		for i, c := range t.Columns {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(d.name(c.Name) + " " + d.typeOf(c.Type))
		}
		b.WriteString(");\n")
		for i, row := range t.Rows {
			if i%50 == 0 {
				b.WriteString("INSERT INTO " + d.name(name) + " VALUES ")
			} else {
				b.WriteString(", ")
			}
			b.WriteByte('(')
			for j, c := range row {
				if j > 0 {
					b.WriteString(", ")
				}
				if zone := w.offsets[name+"."+t.Columns[j].Name]; zone != nil && d != "mysql" {
					b.WriteString(offset(c, zone))
					continue
				}
				b.WriteString(d.cell(c, t.Columns[j].Type))
			}
			b.WriteByte(')')
			if i%50 == 49 || i == len(t.Rows)-1 {
				b.WriteString(";\n")
			}
		}
	}
	return b.String()
}

type scripting string

func (d scripting) name(s string) string {
	if d == "mysql" {
		return "`" + strings.ReplaceAll(s, "`", "``") + "`"
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

func (d scripting) typeOf(t semantic.Type) string {
	mysql, postgres := d == "mysql", d == "postgres"
	switch t {
	case semantic.Integer:
		return "BIGINT"
	case semantic.Decimal:
		return "DECIMAL(18,2)"
	case semantic.Float:
		if postgres {
			return "DOUBLE PRECISION"
		}
		return "DOUBLE"
	case semantic.Boolean:
		return "BOOLEAN"
	case semantic.Date:
		return "DATE"
	case semantic.Timestamp:
		if mysql {
			return "DATETIME(6)"
		}
		return "TIMESTAMP"
	}
	if mysql {
		return "VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
	}
	return "VARCHAR"
}

// offset writes a time of UTC with the offset that a zone has then, as an import of TIMESTAMP WITH TIME ZONE meets it: what is
// stored is the time of UTC.
func offset(c any, zone *time.Location) string {
	at, is := c.(time.Time)
	if !is {
		return "NULL"
	}
	return "timezone('UTC', TIMESTAMPTZ '" + at.In(zone).Format("2006-01-02 15:04:05.999999-07:00:00") + "')"
}

func (d scripting) cell(c any, t semantic.Type) string {
	switch x := c.(type) {
	case nil:
		return "NULL"
	case Number:
		switch {
		case x.Approx:
			return Show(x) + "e0"
		case x.Value.IsInt():
			return x.Value.Num().String()
		}
		return x.Value.FloatString(2)
	case bool:
		if x {
			return "TRUE"
		}
		return "FALSE"
	case time.Time:
		if t == semantic.Date {
			return "'" + x.Format(time.DateOnly) + "'"
		}
		return "'" + x.Format("2006-01-02 15:04:05.999999") + "'"
	}
	s := strings.ReplaceAll(c.(string), "'", "''")
	if d == "mysql" {
		s = strings.ReplaceAll(s, `\`, `\\`)
	}
	return "'" + s + "'"
}
