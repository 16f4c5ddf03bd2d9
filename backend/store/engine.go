package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/store/worker"
	"assay/backend/text"
)

const databaseSuffix = ".duckdb"

// engine is one query instance: in memory, with the sources of one catalogue attached READ_ONLY and a view for every
// table, then locked.
type engine struct {
	db     *sql.DB
	lives  *worker.Process      // where; nil: in this process
	users  sync.WaitGroup       // queries that run
	broken atomic.Bool          // it met a damaged file, and serves nothing any more
	costs  memo[cost]           // of statements
	asides memo[*frameql.Frame] // results of Aside
}

// lockdown is set after everything is attached. disabled_filesystems also takes the files of the attached sources out
// of reach of read_blob; the engine goes on reading them through the handles it has. The price is that nothing can be
// spilled to disk: a statement beyond the memory limit fails.
var lockdown = []struct{ name, value string }{
	{"temp_directory", "''"},
	{"allow_community_extensions", "false"},
	{"autoinstall_known_extensions", "false"},
	{"autoload_known_extensions", "false"},
	{"allow_persistent_secrets", "false"},
	{"allow_unredacted_secrets", "false"},
	{"enable_external_access", "false"},
	{"disabled_filesystems", "'LocalFileSystem'"},
	{"lock_configuration", "true"},
}

// openEngine opens a query instance over a catalogue. A source whose file cannot be attached loses its tables in c and gets a
// note; the others stay usable.
//
// more runs after the sources are attached and before the engine is locked; nil: nothing more.
func openEngine(ctx context.Context, h *host, c *catalog, more func(run run) error) (*engine, error) {
	db, lives, err := h.open(ctx, "?"+compile.DuckDBConfig)
	if err != nil {
		if ctx.Err() != nil {
			return nil, canceled(ctx, "open engine")
		}
		return nil, fault.Wrap(fault.Internal, "open engine", text.Say("store.engine_broke"), text.Say("store.engine_broke_hint"), err)
	}
	e := &engine{db: db, lives: lives}
	if err := e.attach(ctx, h.opt, c, more); err != nil {
		e.close()
		if ctx.Err() != nil {
			return nil, canceled(ctx, "open engine")
		}
		return nil, fault.Wrap(fault.Internal, "open engine", text.Say("store.engine_broke"), text.Say("store.engine_broke_hint"), err)
	}
	return e, nil
}

// run executes a statement written with a format.
type run func(format string, args ...any) error

func (e *engine) attach(ctx context.Context, opt Options, c *catalog, more func(run run) error) error {
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	run := func(format string, args ...any) error {
		_, err := conn.ExecContext(ctx, fmt.Sprintf(format, args...))
		return err
	}
	if err := run("SET memory_limit=%s", literal(opt.MemoryLimit)); err != nil {
		return err
	}
	if opt.Threads > 0 {
		if err := run("SET threads=%d", opt.Threads); err != nil {
			return err
		}
	}
	if err := run("SET TimeZone='UTC'"); err != nil {
		return err
	}
	if err := attachSources(ctx, run, opt.Dir, c); err != nil {
		return err
	}
	if more != nil {
		if err := more(run); err != nil {
			return err
		}
	}
	for _, set := range lockdown {
		if err := run("SET %s=%s", set.name, set.value); err != nil {
			return err
		}
	}
	return e.verify(ctx, conn, opt.Dir)
}

// attachSources attaches the files of a catalogue and makes a view for every table. A source whose file is damaged loses its tables; the
// others stay usable.
func attachSources(ctx context.Context, run run, dir string, c *catalog) error {
	for i := range c.Entries {
		en := &c.Entries[i]
		err := attachSource(run, filepath.Join(dir, filepath.Base(en.File)), i+1, en)
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil:
			return err
		}
		for _, t := range en.Tables {
			en.lost = append(en.lost, t.Name)
		}
		en.Tables, en.Stored = nil, nil
		en.Notes = append(en.Notes, text.Say("store.note_damaged", "name", en.Name))
	}
	return nil
}

func attachSource(run run, file string, n int, en *entry) error {
	if _, err := os.Stat(file); err != nil {
		return err
	}
	if err := run("ATTACH %s AS source_%d (READ_ONLY)", literal(file), n); err != nil {
		return err
	}
	made := []string{}
	for _, name := range sortedKeys(en.Stored) {
		if err := run("CREATE VIEW main.%s AS SELECT * FROM source_%d.main.%s", ident(name), n, ident(en.Stored[name])); err != nil {
			for _, m := range made {
				_ = run("DROP VIEW main.%s", ident(m))
			}
			return err
		}
		made = append(made, name)
	}
	return nil
}

// verify refuses to serve when the lockdown does not hold: every setting has its value, and a file is out of reach.
func (e *engine) verify(ctx context.Context, conn *sql.Conn, dir string) error {
	for _, set := range lockdown {
		if set.name == "disabled_filesystems" {
			continue // not told by the engine; the attempt below stands for it
		}
		var value string
		if err := conn.QueryRowContext(ctx, "SELECT value FROM duckdb_settings() WHERE name = "+literal(set.name)).Scan(&value); err != nil {
			return fmt.Errorf("read setting %s: %w", set.name, err)
		}
		if value != strings.Trim(set.value, "'") {
			return fmt.Errorf("setting %s is %q", set.name, value)
		}
	}
	if _, err := conn.ExecContext(ctx, "SELECT count(*) FROM glob("+literal(filepath.Join(dir, "*"))+")"); engineType(err) != duckdb.ErrorTypePermission {
		return fmt.Errorf("files are within reach: %w", err)
	}
	return nil
}

// lost says whether the engine serves no more: its process is gone, or it met a damaged file.
func (e *engine) lost() bool { return e.broken.Load() || e.lives != nil && !e.lives.Alive() }

func (e *engine) close() { _ = e.db.Close() }
