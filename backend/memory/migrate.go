package memory

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks an SQLite file as an Assay memory ("ASSA").
const applicationID = 0x41535341

// migrate brings the file to the newest layout: migration n takes it from user_version n-1 to n. All of them run in one
// transaction, so the file has the old layout or the new one and never one in between. A file that held something is
// copied beside itself first.
func migrate(ctx context.Context, db *sql.DB, path string, now time.Time) error {
	return migrateTo(ctx, db, migrations, path, now)
}

func migrateTo(ctx context.Context, db *sql.DB, files fs.FS, path string, now time.Time) error {
	names, err := fs.Glob(files, "migrations/*.sql") // sorted: 0001_..., 0002_...
	if err != nil {
		return err
	}
	version, err := layout(ctx, db, path)
	if err != nil {
		return err
	}
	switch {
	case version == len(names):
		return nil
	case version > len(names):
		return fault.New(fault.Conflict, "migrate memory", text.Say("memory.newer", "file", path), text.Say("memory.newer_hint"))
	case version > 0:
		copyTo := fmt.Sprintf("%s%s%d-%s", path, beforeMigration, len(names), now.UTC().Format("20060102T150405"))
		if _, err := db.ExecContext(ctx, "VACUUM INTO ?", copyTo); err != nil {
			return fmt.Errorf("copy before migration: %w", err)
		}
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	for _, name := range names[version:] {
		script, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, string(script)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, mark := range []string{
		fmt.Sprintf("PRAGMA user_version = %d", len(names)),
		fmt.Sprintf("PRAGMA application_id = %d", applicationID),
	} {
		if _, err := tx.ExecContext(ctx, mark); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// layout gives the version of the file's layout, 0 for an empty one. A database that somebody else made is refused.
func layout(ctx context.Context, db *sql.DB, path string) (int, error) {
	var version, application, objects int
	err := db.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version),
		(SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`).Scan(&version, &application, &objects)
	if err != nil {
		return 0, err
	}
	if application != applicationID && (objects > 0 || version > 0 || application != 0) {
		return 0, fault.New(fault.Invalid, "open memory", text.Say("memory.foreign", "file", path), text.Say("memory.foreign_hint"))
	}
	return version, nil
}
