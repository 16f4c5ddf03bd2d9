package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/backend/text"
)

// How far nested values are spread over columns of their own. What lies beyond stays JSON text.
const (
	spreadColumns = 300 // of a table
	spreadDepth   = 6
	spreadKeys    = 100 // of one object
	sparseShare   = 100 // of a document: beyond spreadKeys a key has a column when at least one object of so many has it
)

// spreadStructs replaces the struct columns of a relation by their fields: addr {city, zip} becomes addr_city and addr_zip. It gives
// the relation and the names and types of its columns. Lists, maps and unions stay as they are.
func (l *loader) spreadStructs(ctx context.Context, from string) (string, [][]string, error) {
	described, err := l.texts(ctx, "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM "+from+")")
	if err != nil || !slices.ContainsFunc(described, func(d []string) bool { return isStruct(d[1]) }) {
		return from, described, err
	}
	used := map[string]bool{}
	for _, d := range described {
		used[lower(d[0])] = true
	}
	var exprs []string
	var columns [][]string
	var put func(expr, name, engine string, depth int) error
	put = func(expr, name, engine string, depth int) error {
		var fields [][]string
		if isStruct(engine) && depth < spreadDepth {
			if fields, err = l.texts(ctx, "SELECT column_name, column_type FROM (DESCRIBE SELECT unnest("+expr+") FROM "+from+")"); err != nil {
				return err
			}
		}
		unnamed := slices.ContainsFunc(fields, func(f []string) bool { return f[0] == "" })
		if len(fields) == 0 || unnamed || len(columns)+len(fields) > spreadColumns {
			exprs, columns = append(exprs, expr+" AS "+ident(name)), append(columns, []string{name, engine})
			return nil
		}
		for _, f := range fields {
			own := free(name+"_"+f[0], used)
			used[lower(own)] = true
			if err := put(fmt.Sprintf("struct_extract(%s, %s)", expr, literal(f[0])), own, f[1], depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	for _, d := range described {
		if err := put(ident(d[0]), d[0], d[1], 0); err != nil {
			return "", nil, err
		}
	}
	return "(SELECT " + strings.Join(exprs, ", ") + " FROM " + from + ")", columns, nil
}

func isStruct(engine string) bool {
	return strings.HasPrefix(engine, "STRUCT(") && !strings.HasSuffix(engine, "]")
}

// jsonColumn is a column of the raw table, or of an object in one.
type jsonColumn struct {
	expr string // JSON
	name string
}

// spreadObjects replaces the columns of the raw table that hold objects of the same few keys by a column for each key. A document
// whose objects have hardly a key in common comes as a single column: its common keys become columns, and the object stays beside them.
func (l *loader) spreadObjects(ctx context.Context) error {
	columns, err := l.rawColumns(ctx)
	if err != nil {
		return err
	}
	whole := len(columns) == 1 && lower(columns[0].name) == "json"
	used := map[string]bool{}
	for _, c := range columns {
		used[lower(c.name)] = true
	}
	var flat []jsonColumn
	spread := false
	var put func(c jsonColumn, depth int) error
	put = func(c jsonColumn, depth int) error {
		keys, rest, err := l.keysOf(ctx, c.expr, whole && depth == 0)
		if err != nil {
			return err
		}
		if len(keys) == 0 || depth >= spreadDepth || len(flat)+len(keys) > spreadColumns {
			flat = append(flat, c)
			return nil
		}
		spread = true
		for _, k := range keys {
			own := c.name + "_" + k
			if whole && depth == 0 {
				own = k
			}
			own = free(own, used)
			used[lower(own)] = true
			if err := put(jsonColumn{fmt.Sprintf("json_extract(%s, %s)", c.expr, literal(jsonPointer(k))), own}, depth+1); err != nil {
				return err
			}
		}
		if rest {
			l.note(text.Say("store.note_rare_keys", "table", l.in.stem, "column", c.name))
			flat = append(flat, c)
		}
		return nil
	}
	for _, c := range columns {
		if err := put(c, 0); err != nil {
			return err
		}
	}
	if !spread {
		return nil
	}
	exprs := make([]string, len(flat))
	for i, c := range flat {
		exprs[i] = c.expr + " AS " + ident(c.name)
	}
	return l.exec(ctx, "CREATE OR REPLACE TEMP TABLE raw AS SELECT "+strings.Join(exprs, ", ")+" FROM temp.main.raw")
}

func (l *loader) rawColumns(ctx context.Context) ([]jsonColumn, error) {
	rows, err := l.texts(ctx, "SELECT column_name FROM duckdb_columns() WHERE database_name = 'temp' AND table_name = 'raw' ORDER BY column_index")
	columns := make([]jsonColumn, len(rows))
	for i, r := range rows {
		columns[i] = jsonColumn{asJSON(r[0]), r[0]}
	}
	return columns, err
}

// keysOf gives the keys that become columns, in the order in which they come; none when a value is no object, or when the objects are
// not alike. Of a whole document rest says that there are rarer keys.
func (l *loader) keysOf(ctx context.Context, expr string, whole bool) (keys []string, rest bool, err error) {
	kinds, err := l.texts(ctx, fmt.Sprintf(`SELECT CAST(count(*) FILTER (kind = 'OBJECT') AS VARCHAR), CAST(count(*) FILTER (kind NOT IN ('OBJECT', 'NULL')) AS VARCHAR)
		FROM (SELECT json_type(%s) AS kind FROM temp.main.raw)`, expr))
	if err != nil {
		return nil, false, err
	}
	objects, others := parseCount(kinds[0][0]), parseCount(kinds[0][1])
	if objects == 0 || others > 0 {
		return nil, false, nil
	}
	found, err := l.texts(ctx, fmt.Sprintf(`SELECT k, CAST(count(*) AS VARCHAR) FROM (SELECT unnest(names) AS k, generate_subscripts(names, 1) AS place, row AS row
		FROM (SELECT json_keys(%s) AS names, row_number() OVER () AS row FROM temp.main.raw)) GROUP BY k ORDER BY min(row), min(place), k LIMIT %d`, expr, 100*spreadKeys))
	if err != nil {
		return nil, false, err
	}
	cells := int64(0)
	for _, f := range found {
		n := parseCount(f[1])
		cells += n
		if len(found) <= spreadKeys || whole && n*sparseShare > objects && len(keys) < 2*spreadKeys {
			keys = append(keys, f[0])
		}
	}
	rest = len(keys) < len(found)
	if !whole && (rest || cells*10 < objects*int64(len(found))) { // a map of its own keys, and no record
		return nil, false, nil
	}
	return keys, rest, nil
}

// jsonPointer names a key of an object, whatever is in it.
func jsonPointer(key string) string {
	return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}
