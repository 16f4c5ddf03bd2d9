package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

var errDamaged = errors.New("the integrity check failed")

// Check reads the whole file and looks for damage. It takes about a second per 100 MB. Fault Invalid: damaged.
func (m *Memory) Check(ctx context.Context) error {
	return m.classify("check memory", check(ctx, m.write, "integrity_check(1)"))
}

func check(ctx context.Context, db *sql.DB, pragma string) error {
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, verdict)
	}
	return nil
}

// MoveAside renames a damaged memory file, and what SQLite keeps beside it, so that the next Open makes a new one. It
// gives the new name. Nothing calls it but a person's own decision: Open never moves or overwrites a file that it cannot
// read. Faults: NotFound, Unavailable.
func MoveAside(path string, now time.Time) (string, error) {
	aside := path + ".damaged-" + now.UTC().Format("20060102T150405")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		err := os.Rename(path+suffix, aside+suffix)
		switch {
		case err == nil:
		case errors.Is(err, fs.ErrNotExist) && suffix != "":
		case errors.Is(err, fs.ErrNotExist):
			return "", fault.Wrap(fault.NotFound, "move memory aside", text.Say("memory.no_file", "file", path), text.Say("memory.no_file_hint"), err)
		default:
			return "", fault.Wrap(fault.Unavailable, "move memory aside", text.Say("memory.cannot_move", "file", path), text.Say("memory.cannot_open_hint"), err)
		}
	}
	return aside, nil
}
