package memory

import (
	"context"
	"errors"
	"io/fs"

	"assay/backend/fault"
	"assay/backend/text"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// classify turns an error of the driver or of the file system into a fault, by its code. Faults pass through.
func (m *Memory) classify(op string, err error) error {
	if err == nil {
		return nil
	}
	var already *fault.Error
	if errors.As(err, &already) {
		return err
	}
	say := func(code fault.Code, key, hint string) error {
		return fault.Wrap(code, op, text.Say(key, "file", m.path), text.Say(hint, "file", m.path), err)
	}
	switch {
	case m.closed.Load():
		return say(fault.Unavailable, "memory.closed", "memory.closed_hint")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return say(fault.Canceled, "memory.canceled", "memory.canceled_hint")
	case errors.Is(err, errHeld), errors.Is(err, errLogRead):
		return say(fault.Unavailable, "memory.busy", "memory.busy_hint")
	}
	if errors.Is(err, errDamaged) {
		return say(fault.Invalid, "memory.damaged", "memory.damaged_hint")
	}
	var database *sqlite.Error
	if errors.As(err, &database) {
		switch database.Code() & 0xff { // the primary code; the rest says where
		case sqlite3.SQLITE_FULL:
			return say(fault.Unavailable, "memory.disk_full", "memory.disk_full_hint")
		case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
			return say(fault.Unavailable, "memory.read_only", "memory.read_only_hint")
		case sqlite3.SQLITE_CANTOPEN:
			return say(fault.Unavailable, "memory.cannot_open", "memory.cannot_open_hint")
		case sqlite3.SQLITE_IOERR:
			return say(fault.Unavailable, "memory.io", "memory.io_hint")
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return say(fault.Unavailable, "memory.busy", "memory.busy_hint")
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			return say(fault.Invalid, "memory.damaged", "memory.damaged_hint")
		case sqlite3.SQLITE_INTERRUPT:
			return say(fault.Canceled, "memory.canceled", "memory.canceled_hint")
		}
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return say(fault.Unavailable, "memory.cannot_open", "memory.cannot_open_hint")
	}
	return say(fault.Internal, "memory.internal", "memory.internal_hint")
}

// foreignKey says whether a row refers to one that is not there.
func foreignKey(err error) bool {
	var database *sqlite.Error
	return errors.As(err, &database) && database.Code() == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
}

// duplicate says whether a row with the same key stands already.
func duplicate(err error) bool {
	var database *sqlite.Error
	return errors.As(err, &database) &&
		(database.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY || database.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE)
}
