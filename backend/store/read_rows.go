package store

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"time"

	"assay/backend/export"
	"assay/backend/fault"
	"assay/backend/text"
)

const (
	opReadRows = "read rows"
	roleRows   = "rows" // frames of session files; it may write nowhere

	rowsWait = 30 * time.Second // for one frame
)

// RowsMemory is how many bytes reading a frame may take: with what the program itself takes to read a session file it stays below 256 MB.
const RowsMemory = 144 << 20

// RowsAsked is a frame that came in a session file.
type RowsAsked struct {
	Parquet []byte
	Columns int
	Most    int // bytes of the JSON of its rows
}

// ReadRows gives the rows of a frame that came in a session file, as JSON. The file is a stranger's: its pages may claim any size. So a child
// reads it that may write nowhere, open no connection, and take little memory and little time; that it dies is one of the answers.
//
// Faults: Invalid (these are not the rows of a frame), Canceled.
func (s *Store) ReadRows(ctx context.Context, asked RowsAsked) ([]byte, error) {
	wrong := func(err error) error {
		return fault.Wrap(fault.Invalid, "read frame", text.Say("store.no_rows"), text.Say("session.file_hint"), err)
	}
	p, err := s.strangers.child()
	if err != nil {
		return nil, err
	}
	if p == nil {
		rows, err := export.ReadRows(asked.Parquet, asked.Columns, asked.Most)
		if err != nil {
			return nil, wrong(err)
		}
		return rows, nil
	}
	bounded, cancel := context.WithTimeout(ctx, rowsWait)
	defer cancel()
	raw, err := p.Do(bounded, opReadRows, asked, nil)
	switch {
	case ctx.Err() != nil:
		return nil, canceled(ctx, "read frame")
	case err != nil:
		return nil, wrong(err)
	}
	if len(raw) == 0 || raw[0] != '[' {
		return nil, wrong(errors.New("no rows"))
	}
	return raw, nil
}

// serveReadRows is ReadRows in the child.
func serveReadRows(_ context.Context, args json.RawMessage, _ func(any)) (any, error) {
	debug.SetMemoryLimit(RowsMemory * 3 / 4) // what was read before is let go rather than the limit of the system reached
	var asked RowsAsked
	if err := json.Unmarshal(args, &asked); err != nil {
		return nil, err
	}
	rows, err := export.ReadRows(asked.Parquet, asked.Columns, asked.Most)
	return json.RawMessage(rows), err
}

// DoneReading ends the child that reads frames. The next frame starts another one.
func (s *Store) DoneReading() { s.strangers.renew() }
