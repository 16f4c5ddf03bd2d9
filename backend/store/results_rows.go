package store

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/store/worker"
	"assay/backend/text"
)

// Window is a part of a result: some rows of some columns.
type Window struct {
	Offset  int64 // of the first row
	Limit   int   // rows, 1 to WindowRows
	Columns []int // positions; none: all
	Whole   bool  // texts in full, for a copy; else WindowText letters of each
}

// The bounds of windows.
const (
	WindowRows = 10_000
	// WindowText is how many letters of a text stand in a window. One of more has one letter more there, so that it is known for cut.
	WindowText = 500
	// cellBytes is the longest text that is given in full.
	cellBytes = 16 << 20
)

// windowTimeout is how long a window, a cell or sums may take.
const windowTimeout = time.Minute

// Rows writes a window as one Arrow IPC stream, its columns called by their positions. Whole numbers are int64 or uint64 or,
// beyond them, text; decimals are decimal128 with their scale; dates and times are text in ISO 8601, and everything without a
// type of its own (JSON, lists, bytes) is text too. Beyond the last row there are none.
//
// Faults: NotFound, Invalid (bounds), Limit (more than 64 MB), Canceled, Unavailable, Internal.
func (r *Results) Rows(ctx context.Context, id string, w Window, out io.Writer) error {
	return r.read(ctx, id, func(ctx context.Context, x *Result, conn *sql.Conn) error {
		if w.Offset < 0 || w.Limit < 1 || w.Limit > WindowRows {
			return fault.New(fault.Invalid, "read result", text.Say("store.result_bad_window", "most", WindowRows), "")
		}
		wanted := w.Columns
		if len(wanted) == 0 {
			for i := range x.Columns {
				wanted = append(wanted, i)
			}
		}
		shown := make([]string, len(wanted))
		for n, i := range wanted {
			if i < 0 || i >= len(x.Columns) {
				return x.noColumn(i)
			}
			shown[n] = fmt.Sprintf(`%s AS "%d"`, x.shown(i, w.Whole), i)
		}
		return worker.Stream(ctx, conn, fmt.Sprintf("SELECT %s FROM %s WHERE rowid BETWEEN %d AND %d",
			strings.Join(shown, ", "), resultFrom, w.Offset, w.Offset+int64(w.Limit)-1), cell, out)
	})
}

// shown writes a column as it travels.
func (x *Result) shown(i int, whole bool) string {
	name := resultColumn(i)
	cut := func(s string) string {
		if whole {
			return s
		}
		return fmt.Sprintf("left(%s, %d)", s, WindowText+1)
	}
	base, _, _ := strings.Cut(x.types[i], "(")
	if strings.HasSuffix(x.types[i], "]") {
		return cut("CAST(to_json(" + name + ") AS VARCHAR)")
	}
	switch base {
	case "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT", "BIGNUM", "DECIMAL", "FLOAT", "DOUBLE":
		return name
	case "VARCHAR":
		return cut(name)
	case "BLOB":
		return cut(`'\x' || lower(hex(` + name + `))`)
	case "TIMESTAMP WITH TIME ZONE":
		name = "CAST(" + name + " AS TIMESTAMP)"
		fallthrough
	case "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS":
		return "regexp_replace(CAST(" + name + " AS VARCHAR), ' ([0-9])', 'T\\1')"
	case "STRUCT", "MAP", "UNION":
		return cut("CAST(to_json(" + name + ") AS VARCHAR)")
	default: // DATE TIME ENUM UUID INTERVAL JSON BIT
		return cut("CAST(" + name + " AS VARCHAR)")
	}
}

// Cell gives the whole text of a cell; null says that there is none. Faults as of Rows; Limit also for a text of more than 16 MB.
func (r *Results) Cell(ctx context.Context, id string, row int64, column int) (whole string, null bool, err error) {
	err = r.read(ctx, id, func(ctx context.Context, x *Result, conn *sql.Conn) error {
		if column < 0 || column >= len(x.Columns) {
			return x.noColumn(column)
		}
		if row < 0 || row >= x.Rows {
			return fault.New(fault.NotFound, "read result", text.Say("store.result_no_row", "row", row, "rows", x.Rows), "")
		}
		var found sql.NullString
		var bytes sql.NullInt64
		err := conn.QueryRowContext(ctx, fmt.Sprintf("SELECT CASE WHEN strlen(v) <= %d THEN v END, strlen(v) FROM (SELECT CAST(%s AS VARCHAR) AS v FROM %s WHERE rowid = %d)",
			cellBytes, x.shown(column, true), resultFrom, row)).Scan(&found, &bytes)
		if err == nil && bytes.Int64 > cellBytes {
			return fault.New(fault.Limit, "read result", text.Say("store.result_cell_too_long", "megabytes", bytes.Int64>>20), text.Say("store.result_cell_too_long_hint"))
		}
		whole, null = found.String, !found.Valid
		return err
	})
	return whole, null, err
}

// Summary is what the cells of one column in a range of rows come to. Numbers are text with every digit; empty: there is none.
type Summary struct {
	Column  int    `json:"column"`
	Count   int64  `json:"count" doc:"Cells that are not null"`
	Numeric bool   `json:"numeric"`
	Sum     string `json:"sum" doc:"Of numbers"`
	Min     string `json:"min"`
	Max     string `json:"max"`
}

// Summarize adds up a range of rows, from included, to excluded. Faults as of Rows; Limit also for a sum of more than 38 digits.
func (r *Results) Summarize(ctx context.Context, id string, from, to int64, columns []int) (all []Summary, err error) {
	err = r.read(ctx, id, func(ctx context.Context, x *Result, conn *sql.Conn) error {
		var parts []string
		for _, i := range columns {
			if i < 0 || i >= len(x.Columns) {
				return x.noColumn(i)
			}
			kind := x.Columns[i].Type
			s := Summary{Column: i, Numeric: kind == "integer" || kind == "decimal" || kind == "float"}
			all = append(all, s)
			name, sum := resultColumn(i), "NULL"
			if s.Numeric {
				sum = "CAST(sum(" + name + ") AS VARCHAR)"
			}
			least, most := "NULL", "NULL"
			if s.Numeric || kind == "date" || kind == "timestamp" || kind == "time" {
				least, most = "CAST(min("+name+") AS VARCHAR)", "CAST(max("+name+") AS VARCHAR)"
			}
			parts = append(parts, "count("+name+")", sum, least, most)
		}
		if len(parts) == 0 {
			return nil
		}
		cells := make([]sql.NullString, len(parts))
		into := make([]any, len(parts))
		for i := range cells {
			into[i] = &cells[i]
		}
		err := conn.QueryRowContext(ctx, fmt.Sprintf("SELECT %s FROM %s WHERE rowid >= %d AND rowid < %d", strings.Join(parts, ", "), resultFrom, from, to)).Scan(into...)
		if err != nil {
			return err
		}
		for n := range all {
			all[n].Count, _ = strconv.ParseInt(cells[4*n].String, 10, 64)
			all[n].Sum, all[n].Min, all[n].Max = cells[4*n+1].String, cells[4*n+2].String, cells[4*n+3].String
		}
		return nil
	})
	return all, err
}

// read looks at a result.
func (r *Results) read(ctx context.Context, id string, look func(ctx context.Context, x *Result, conn *sql.Conn) error) error {
	return r.readWithin(ctx, windowTimeout, id, look)
}

func (r *Results) readWithin(ctx context.Context, most time.Duration, id string, look func(ctx context.Context, x *Result, conn *sql.Conn) error) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	r.mu.Lock()
	x := r.take(id)
	r.mu.Unlock()
	if x == nil {
		return goneFault()
	}
	defer r.giveBack(x)
	e, err := r.reader(ctx, x)
	if err != nil {
		return err
	}
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return statementFault(ctx, err)
	}
	defer func() { _ = conn.Close() }()
	if err := look(ctx, x, conn); err != nil {
		return resultFault(ctx, err)
	}
	return nil
}
