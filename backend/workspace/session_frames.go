package workspace

import (
	"bytes"
	"runtime"

	"assay/backend/analyst"
	"assay/backend/export"
	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
)

// frameWriter writes the frames of turns into a session file in their order, while the next ones are made into Parquet beside it.
type frameWriter struct {
	file    *session.Writer
	without bool               // the file has no frames
	turns   []session.FileTurn // that are written
	waiting []*encodedTurn     // in their order
}

// encodedTurn is a turn whose frame becomes Parquet; done is closed when it is.
type encodedTurn struct {
	turn    session.FileTurn
	parquet []byte // nil: the turn has no frame
	err     error
	done    chan struct{}
}

// take takes the next turn. It waits where as many are in work as there are processors.
func (f *frameWriter) take(p analyst.Packed) error {
	e := &encodedTurn{turn: p.Turn, done: make(chan struct{})}
	f.waiting = append(f.waiting, e)
	go func() {
		defer close(e.done)
		if !f.without {
			e.parquet, e.err = frameParquet(p)
		}
	}()
	return f.finish(runtime.GOMAXPROCS(0))
}

// finish writes the oldest turns until so many are in work.
func (f *frameWriter) finish(left int) error {
	for len(f.waiting) > left {
		e := f.waiting[0]
		f.waiting = f.waiting[1:]
		<-e.done
		if e.err != nil {
			return e.err
		}
		if e.parquet != nil {
			name, err := f.file.Frame(e.parquet)
			if err != nil {
				return err
			}
			e.turn.Rows = name
		}
		f.turns = append(f.turns, e.turn)
	}
	return nil
}

// frameParquet is the frame of a turn as a session file has it; nil: it has none.
func frameParquet(p analyst.Packed) ([]byte, error) {
	if p.Rows == nil || len(p.Columns) == 0 {
		return nil, nil
	}
	var parquet bytes.Buffer
	if err := export.WriteRows(&parquet, p.Columns, p.Rows); err != nil {
		return nil, fault.Wrap(fault.Internal, "export session", text.Say("workspace.frame_odd", "turn", p.Turn.Index), "", err)
	}
	if parquet.Len() > session.MaxFrameBytes || len(p.Rows) > session.MaxFrameBytes {
		return nil, fault.New(fault.Limit, "export session", text.Say("workspace.frame_large", "turn", p.Turn.Index), text.Say("session.outgrown_hint"))
	}
	return parquet.Bytes(), nil
}
