package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// resultTimeout is how long making a result or a view of one may take: a person waits for it, sees so, and can stop it.
const resultTimeout = 10 * time.Minute

// Make gives the whole result of one SELECT, which is made when it is not there. The statement passes the gate like any other,
// and may read the tables that visible says alone. Columns describe the result as Statement.Columns do; none: they are made
// from it.
//
// Faults: Invalid, Unauthorized (also of a table that is not visible), Limit (time, memory, or more disk than results may take),
// Canceled, Unavailable, Internal.
func (r *Results) Make(ctx context.Context, st frameql.Statement, visible func(table string) bool) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, resultTimeout)
	defer cancel()
	st, tables, err := r.s.admit(ctx, st, r.s.acquire)
	if err != nil {
		return Result{}, err
	}
	for _, table := range tables {
		if !visible(table) || !r.s.holds(table) { // a frame of the cache is no table
			return Result{}, fault.New(fault.Unauthorized, "open result", text.Say("store.forbidden"), text.Say("store.forbidden_hint"))
		}
	}
	epochs := r.s.epochsOf(tables)
	h := sha256.New()
	fmt.Fprintf(h, "%q %q", st.SQL, epochs)
	x := &Result{ID: resultID([32]byte(h.Sum(nil))), Tables: tables, Columns: slices.Clone(st.Columns), epochs: epochs}
	return r.make(ctx, x, func(ctx context.Context, file string) (*engine, string, error) {
		inner, err := r.s.gate.bare(ctx, st.SQL)
		if err != nil {
			return nil, "", err
		}
		if _, err := r.s.judge(ctx, inner); err != nil { // the engine wrote it anew: it is judged like any other text
			return nil, "", err
		}
		r.s.mu.RLock()
		c := catalog{Version: r.s.catalog.Version, Entries: slices.Clone(r.s.catalog.Entries)}
		r.s.mu.RUnlock()
		for i := range c.Entries {
			c.Entries[i].Notes = slices.Clip(c.Entries[i].Notes)
		}
		e, err := openResultEngine(ctx, r.making, r.s.opt.MemoryLimit, func(run run) error {
			if err := attachSources(ctx, run, r.s.opt.Dir, &c); err != nil {
				return err
			}
			return run("ATTACH %s AS %s", literal(file), target)
		})
		return e, inner, err
	})
}

// holds says whether a source has a table of that name.
func (s *Store) holds(table string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, e := range s.catalog.Entries {
		for name := range e.Stored {
			if strings.EqualFold(name, table) {
				return true
			}
		}
	}
	return false
}

// make gives a result that is there, or makes it: begin opens the engine that has the new file attached as target, and gives the
// SELECT that fills it.
func (r *Results) make(ctx context.Context, x *Result, begin func(ctx context.Context, file string) (*engine, string, error)) (Result, error) {
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return Result{}, canceled(ctx, "open result")
	}
	defer func() { <-r.turn }()
	now := r.s.Epochs()
	r.mu.Lock()
	if there := r.take(x.ID); there != nil {
		defer r.mu.Unlock()
		there.users--
		return there.known(now), nil
	}
	err := r.own()
	r.mu.Unlock()
	if err != nil {
		return Result{}, err
	}
	temporary := filepath.Join(r.folder, tempPrefix+x.ID+databaseSuffix)
	defer os.Remove(temporary)
	defer os.Remove(temporary + ".wal")
	if err := r.write(ctx, x, temporary, begin); err != nil {
		return Result{}, err
	}
	if err := r.publish(temporary, x); err != nil {
		return Result{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return x.known(now), nil
}

var errResultTooLarge = errors.New("the result takes more disk than results may")

// write fills the file of a result, and finds out what is in it.
func (r *Results) write(ctx context.Context, x *Result, file string, begin func(ctx context.Context, file string) (*engine, string, error)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	e, statement, err := begin(ctx, file)
	if err != nil {
		return resultFault(ctx, err)
	}
	defer e.close()
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		r.watch(ctx, file, stop)
	}()
	defer func() { stop(nil); <-watched }()
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return statementFault(ctx, err)
	}
	defer func() { _ = conn.Close() }()
	fail := func(err error) error {
		if errors.Is(context.Cause(ctx), errResultTooLarge) {
			return fault.Wrap(fault.Limit, "open result", text.Say("store.result_too_large", "gigabytes", r.opt.Budget>>30), text.Say("store.result_too_large_hint"), err)
		}
		return statementFault(ctx, err)
	}
	if x.Columns, err = shapeOf(ctx, conn, statement, x.Columns); err != nil {
		return fail(err)
	}
	names := make([]string, len(x.Columns))
	for i := range names {
		names[i] = resultColumn(i)
	}
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("CREATE TABLE %s(%s) AS %s", targetTable(resultTable), strings.Join(names, ", "), statement)); err != nil {
		return fail(err)
	}
	if err := conn.QueryRowContext(ctx, "SELECT count(*) FROM "+targetTable(resultTable)).Scan(&x.Rows); err != nil {
		return fail(err)
	}
	if x.types, err = typesIn(ctx, conn, target); err != nil {
		return fail(err)
	}
	if _, err := conn.ExecContext(ctx, "DETACH "+target); err != nil { // writes what is not yet in the file
		return fail(err)
	}
	return nil
}

// shapeOf gives the columns of a statement; asked describes them as Statement.Columns does, or is empty.
func shapeOf(ctx context.Context, conn *sql.Conn, statement string, asked []frameql.Column) ([]frameql.Column, error) {
	rows, err := conn.QueryContext(ctx, "SELECT * FROM ("+statement+") LIMIT 0")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return columns(asked, types)
}

// typesIn gives the types of the columns of an attached result, as DuckDB writes them.
func typesIn(ctx context.Context, conn *sql.Conn, database string) ([]string, error) {
	rows, err := conn.QueryContext(ctx, "SELECT data_type FROM duckdb_columns() WHERE database_name = "+literal(database)+" ORDER BY column_index")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var types []string
	for rows.Next() {
		var t string
		if err := rows.Scan(&t); err != nil {
			return nil, err
		}
		types = append(types, t)
	}
	return types, rows.Err()
}

// watch stops what writes a file that takes more than results may.
func (r *Results) watch(ctx context.Context, file string, stop context.CancelCauseFunc) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			var bytes int64
			for _, name := range []string{file, file + ".wal"} {
				if info, err := os.Stat(name); err == nil {
					bytes += info.Size()
				}
			}
			if bytes > r.opt.Budget {
				stop(errResultTooLarge)
				return
			}
		}
	}
}

// resultColumn is what the column at a position is called in the file: names of a person may be long, equal, or anything.
func resultColumn(i int) string { return fmt.Sprintf("c%d", i) }

// openResultEngine opens an engine for results and locks it once its files are attached.
func openResultEngine(ctx context.Context, h *host, memory string, attach func(run run) error) (*engine, error) {
	db, lives, err := h.open(ctx, "?"+compile.DuckDBConfig)
	if err != nil {
		return nil, err
	}
	e := &engine{db: db, lives: lives}
	if err := e.prepareResult(ctx, h, memory, attach); err != nil {
		e.close()
		return nil, err
	}
	return e, nil
}

func (e *engine) prepareResult(ctx context.Context, h *host, memory string, attach func(run run) error) error {
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	run := func(format string, args ...any) error {
		_, err := conn.ExecContext(ctx, fmt.Sprintf(format, args...))
		return err
	}
	settings := []string{"memory_limit=" + literal(memory), "TimeZone='UTC'", "preserve_insertion_order=true", "temp_directory=" + literal(filepath.Join(h.writes[0], "spill"))}
	if h.opt.Threads > 0 {
		settings = append(settings, fmt.Sprintf("threads=%d", h.opt.Threads))
	}
	for _, set := range settings {
		if err := run("SET %s", set); err != nil {
			return err
		}
	}
	if err := attach(run); err != nil {
		return err
	}
	for _, set := range resultLockdown {
		if err := run("SET %s=%s", set.name, set.value); err != nil {
			return err
		}
	}
	if _, err := conn.ExecContext(ctx, "SELECT count(*) FROM glob("+literal(filepath.Join(h.opt.Dir, "*"))+")"); engineType(err) != duckdb.ErrorTypePermission {
		return fmt.Errorf("files are within reach: %w", err)
	}
	return nil
}
