package workspace

import (
	"bytes"
	"runtime"
	"slices"

	"assay/backend/analyst"
	"assay/backend/export"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/session"
	"assay/backend/text"
)

// frameWriter writes the frames of turns into a session file in their order, while the next ones are made into Parquet beside it.
type frameWriter struct {
	file    *session.Writer
	turns   []session.FileTurn // that are written
	waiting []*encodedTurn     // in their order
}

// encodedTurn is a turn whose frames become Parquet; done is closed when they are.
type encodedTurn struct {
	packed analyst.Packed
	own    []byte   // of the answer's frame; nil: it has none
	made   [][]byte // of the frames of its artifacts
	err    error
	done   chan struct{}
}

// take takes the next turn. It waits where as many are in work as there are processors.
func (f *frameWriter) take(p analyst.Packed) error {
	e := &encodedTurn{packed: p, done: make(chan struct{})}
	f.waiting = append(f.waiting, e)
	go func() {
		defer close(e.done)
		e.err = e.encode()
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
		if err := e.write(f.file); err != nil {
			return err
		}
		f.turns = append(f.turns, e.packed.Turn)
	}
	return nil
}

// encode makes the frames of the turn into Parquet.
func (e *encodedTurn) encode() (err error) {
	p := e.packed
	if p.Rows != nil && len(p.Columns) > 0 {
		if e.own, err = frameParquet(p.Turn.Index, p.Columns, p.Rows); err != nil {
			return err
		}
	}
	e.made = make([][]byte, len(p.Frames))
	for i, f := range p.Frames {
		if e.made[i], err = frameParquet(p.Turn.Index, f.Columns, f.Rows); err != nil {
			return err
		}
	}
	return nil
}

// write writes the frames of the turn, and puts the names of their entries where they belong.
func (e *encodedTurn) write(file *session.Writer) (err error) {
	t := &e.packed.Turn
	if e.own != nil {
		if t.Rows, err = file.Frame(e.own); err != nil {
			return err
		}
	}
	t.Artifacts = slices.Clone(t.Artifacts)
	for i, f := range e.packed.Frames {
		name, err := file.Frame(e.made[i])
		if err != nil {
			return err
		}
		a := &t.Artifacts[f.Artifact]
		if a.Rows == nil {
			a.Rows = map[string]string{}
		}
		a.Rows[f.Part] = name
	}
	e.packed, e.own, e.made = analyst.Packed{Turn: *t}, nil, nil
	return nil
}

// frameParquet is a frame of a turn as a session file has it.
func frameParquet(turn int, columns []frameql.Column, rows []byte) ([]byte, error) {
	var parquet bytes.Buffer
	if err := export.WriteRows(&parquet, columns, rows); err != nil {
		return nil, fault.Wrap(fault.Internal, "export session", text.Say("workspace.frame_odd", "turn", turn), "", err)
	}
	if parquet.Len() > session.MaxFrameBytes || len(rows) > session.MaxFrameBytes {
		return nil, fault.New(fault.Limit, "export session", text.Say("workspace.frame_large", "turn", turn), text.Say("session.outgrown_hint"))
	}
	return parquet.Bytes(), nil
}
