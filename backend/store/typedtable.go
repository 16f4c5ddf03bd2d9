package store

import (
	"context"
	"fmt"
	"strings"

	"assay/backend/store/sniff"
	"assay/backend/text"
)

// typedColumn is a column of a source that has types of its own.
type typedColumn struct {
	name   string
	as     string // what it is called in the table
	engine string // type in the source
	expr   string // what is written; empty: the column is left out
	json   bool   // nested values, kept as JSON text
	ask    string // aggregate whose answer decides on expr; empty: nothing to ask
}

// writeTyped loads a relation that has types. They are kept, but brought to the few that a model works with: whole
// numbers of less than 32 bits become INTEGER, as arithmetic on fewer soon ends; floats whose values are all exact
// amounts become DECIMAL, because sums of floats depend on their order; timestamps that are all midnight become dates;
// structs become a column for each field, and other nested values JSON text.
func (l *loader) writeTyped(ctx context.Context, name, from string) (loaded, error) {
	if l.limit > 0 {
		from = "(SELECT * FROM " + from + l.bound() + ")"
	}
	from, described, err := l.spreadStructs(ctx, from)
	if err != nil {
		return loaded{}, err
	}
	columns := make([]typedColumn, len(described))
	own := make([]string, len(described))
	for i, d := range described {
		own[i] = d[0]
	}
	names, err := l.rename(name, own)
	if err != nil {
		return loaded{}, err
	}
	var asks []string
	for i, d := range described {
		columns[i] = plan(d[0], d[1])
		columns[i].as = names[i]
		if columns[i].ask != "" {
			asks = append(asks, columns[i].ask)
		}
	}
	if len(asks) > 0 {
		answers, err := l.texts(ctx, "SELECT "+strings.Join(asks, ", ")+" FROM "+from)
		if err != nil {
			return loaded{}, err
		}
		next := 0
		for i := range columns {
			if columns[i].ask != "" {
				columns[i].decide(answers[0][next])
				next++
			}
		}
	}
	var exprs []string
	for _, c := range columns {
		switch {
		case c.expr == "":
			l.note(text.Say("store.note_blob_dropped", "table", name, "column", c.name))
			continue
		case c.json:
			l.note(text.Say("store.note_nested", "table", name, "column", c.name))
		case strings.Contains(c.engine, "WITH TIME ZONE"):
			l.tell(Note{Code: OffsetsDropped, Severity: "info", Table: name, Column: c.as}, text.Say("store.note_utc", "table", name, "column", c.as))
		}
		exprs = append(exprs, c.expr+" AS "+ident(c.as))
	}
	if len(exprs) == 0 {
		return loaded{}, invalid("load table", "store.no_tables", l.in)
	}
	if err := l.execWatched(ctx, fmt.Sprintf("CREATE TABLE %s AS SELECT %s FROM %s", targetTable(name), strings.Join(exprs, ", "), from)); err != nil {
		return loaded{}, err
	}
	return l.describeTyped(ctx, name, columns)
}

func (l *loader) describeTyped(ctx context.Context, name string, columns []typedColumn) (loaded, error) {
	t := loaded{Name: name}
	var err error
	if t.Columns, err = l.columnsOf(ctx, name); err != nil {
		return t, err
	}
	for _, c := range columns {
		for i := range t.Columns {
			if c.json && t.Columns[i].Name == c.as {
				t.Columns[i].Type = "json"
			}
		}
	}
	t.Rows, err = l.number(ctx, "SELECT count(*) FROM "+targetTable(name))
	l.cut = l.cut || l.limit > 0 && t.Rows >= int64(l.limit)
	return t, err
}

// plan says how a column is written, and what must be asked of its values first.
func plan(name, engine string) typedColumn {
	c := typedColumn{name: name, engine: engine, expr: ident(name)}
	v := ident(name)
	base, _, _ := strings.Cut(engine, "(")
	switch columnType(engine) {
	case "json":
		c.json, c.expr = true, "CAST(to_json("+v+") AS VARCHAR)"
	case "integer":
		switch base {
		case "INTEGER", "BIGINT":
		case "TINYINT", "SMALLINT", "UTINYINT", "USMALLINT":
			c.expr = casts("CAST", v, "INTEGER")
		default:
			c.expr = casts("CAST", v, "BIGINT")
		}
		if base == "HUGEINT" || base == "UHUGEINT" || base == "UBIGINT" || base == "BIGNUM" {
			misfits := func(t string) string {
				return fmt.Sprintf("count(*) FILTER (%s IS NOT NULL AND TRY_CAST(%s AS %s) IS NULL)", v, v, t)
			}
			c.ask = fmt.Sprintf("CASE WHEN %s = 0 THEN 'whole' WHEN %s = 0 THEN 'wide' ELSE 'text' END", misfits("BIGINT"), misfits("DECIMAL(38,0)"))
		}
	case "float":
		if base == "FLOAT" { // through text, so that 0.1 stays 0.1
			v = "CAST(CAST(" + v + " AS VARCHAR) AS DOUBLE)"
		}
		c.expr, c.ask = v, placesOf(v)
	case "timestamp":
		if strings.Contains(engine, "WITH TIME ZONE") {
			v = "timezone('UTC', " + v + ")"
		}
		c.expr = casts("CAST", v, "TIMESTAMP")
		c.ask = fmt.Sprintf("CAST(count(%s) > 0 AND bool_and(%s = date_trunc('day', %s)) AS VARCHAR)", c.expr, c.expr, c.expr)
	case "time":
		c.expr = casts("CAST", v, "TIME")
	case "text":
		switch base {
		case "VARCHAR":
		case "BLOB":
			c.expr = ""
		default:
			c.expr = casts("CAST", v, "VARCHAR")
		}
	}
	return c
}

// placesOf asks for the most decimal places of a float: 0 to MaxScale, or more when some value is no exact amount of at most
// 15 digits.
func placesOf(v string) string {
	var b strings.Builder
	b.WriteString("CAST(max(CASE WHEN " + v + " IS NULL THEN 0")
	for places := range sniff.MaxScale + 1 {
		fmt.Fprintf(&b, " WHEN %s = round(%s, %d) AND abs(%s) < 1e%d THEN %d", v, v, places, v, 15-places, places)
	}
	fmt.Fprintf(&b, " ELSE %d END) AS VARCHAR)", sniff.MaxScale+1)
	return b.String()
}

// decide takes the answer in.
func (c *typedColumn) decide(answer string) {
	switch columnType(c.engine) {
	case "integer":
		switch answer {
		case "wide": // more than 64 bits, which a decimal without places holds
			c.expr = casts("CAST", ident(c.name), "DECIMAL(38,0)")
		case "text":
			c.expr = casts("CAST", ident(c.name), "VARCHAR")
		}
	case "float":
		if places := parseCount(answer); answer != "" && places <= sniff.MaxScale {
			c.expr = casts("CAST", c.expr, fmt.Sprintf("DECIMAL(18,%d)", max(places, 1)))
		}
	case "timestamp":
		if answer == "true" {
			c.expr = casts("CAST", c.expr, "DATE")
		}
	}
}
