package memory

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// What is removed is overwritten with zeros where it stood (secure_delete), but SQLite may have moved it about before, and left copies in the
// unused parts of pages; and what was written lately stands in the log too. Scrub writes the file anew, which leaves all of that behind.

// tracesKept is the name under which is kept that traces of what was removed are still to be overwritten.
const tracesKept = "traces"

// keepBackups is how long the copy that was made before a migration is kept.
const keepBackups = 30 * 24 * time.Hour

func noteTraces(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO kept (name, value) VALUES (?, 'true') ON CONFLICT (name) DO UPDATE SET value = excluded.value`, tracesKept)
	return err
}

// Traces says whether traces of what was removed are still to be overwritten, and how large the file is in bytes, the log of what was written lately
// aside.
func (m *Memory) Traces(ctx context.Context) (any bool, bytes int64, err error) {
	err = m.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM kept WHERE name = ? AND value = 'true'), (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size)`, tracesKept).Scan(&any, &bytes)
	return any, bytes, m.classify("read memory", err)
}

// Scrub overwrites the traces of what was removed, where there are any: the file is written anew, the log of what was written lately is emptied, and the copies that
// migrations made, which hold what was removed since, go. It takes about a second per 100 MB, and others wait meanwhile. Faults as of Begin.
func (m *Memory) Scrub(ctx context.Context) error {
	if any, _, err := m.Traces(ctx); err != nil || !any {
		return err
	}
	err := m.inTurn(ctx, false, func() error {
		if _, err := m.write.ExecContext(ctx, "VACUUM"); err != nil {
			return err
		}
		return m.emptyLog(ctx)
	})
	if err != nil {
		return m.classify("scrub memory", err)
	}
	if err := removeBackups(m.path, time.Time{}); err != nil {
		return m.classify("scrub memory", err)
	}
	return m.Keep(ctx, tracesKept, false)
}

var errLogRead = errors.New("another process reads the log")

// emptyLog writes what stands in the log into the file, and cuts the log to nothing.
func (m *Memory) emptyLog(ctx context.Context) error {
	var busy, pages, moved int
	if err := m.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved); err != nil {
		return err
	}
	if busy != 0 {
		return errLogRead
	}
	return nil
}

// beforeMigration stands behind the name of the memory file in those of the copies that migrations make of it.
const beforeMigration = ".before-"

// removeBackups removes the copies that migrations made of a memory file; with a time those that were made before.
func removeBackups(path string, before time.Time) error {
	all, err := os.ReadDir(filepath.Dir(path))
	for _, entry := range all {
		if !strings.HasPrefix(entry.Name(), filepath.Base(path)+beforeMigration) {
			continue
		}
		if !before.IsZero() {
			if info, gone := entry.Info(); gone != nil || !info.ModTime().Before(before) {
				continue
			}
		}
		err = errors.Join(err, os.Remove(filepath.Join(filepath.Dir(path), entry.Name())))
	}
	return err
}
