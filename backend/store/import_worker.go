package store

import (
	"context"
	"encoding/json"
	"errors"

	"assay/backend/fault"
	"assay/backend/store/worker"
	"assay/backend/text"
)

// operations are what a child of a store does beside SQL.
var operations = map[string]worker.Operation{opLoad: serveLoad, opReadRows: serveReadRows}

const opLoad = "load"

// loading is a file that a child is to load.
type loading struct {
	Path        string
	Dir         string // the import's folder
	MemoryLimit string
	Threads     int
	Reading     Reading
	Preview     bool // only what a look at the file tells
}

// loadedFile is what came of it: the database file import.duckdb in the import's folder, and what is in it.
type loadedFile struct {
	Epoch     string
	Tables    []loaded
	Notes     []string
	Encoding  string
	Delimiter string
	Header    *bool
	Preview   *Preview
	Fault     *loadFault // it failed
}

// loadFault is a fault.Error on its way.
type loadFault struct {
	Code              fault.Code
	Op, Message, Hint string
	Cause             string // for a log
}

// loadInChild has a file loaded by a child.
func (s *Store) loadInChild(ctx context.Context, in input, job loading, report func(Progress)) (loadedFile, error) {
	job.Path, job.MemoryLimit, job.Threads = in.path, s.opt.MemoryLimit, s.opt.Threads
	p, err := s.importing.child()
	if err != nil {
		return loadedFile{}, err
	}
	if p == nil {
		return job.do(ctx, in, report)
	}
	raw, err := p.Do(ctx, opLoad, job, func(m json.RawMessage) {
		var at Progress
		if json.Unmarshal(m, &at) == nil {
			report(at)
		}
	})
	var gone *worker.ErrStopped
	switch {
	case ctx.Err() != nil:
		return loadedFile{}, canceled(ctx, "import file")
	case errors.As(err, &gone) && gone.Why == worker.StoppedMemory:
		return loadedFile{}, fault.Wrap(fault.Limit, "import file", text.Say("store.import_memory", "file", in.file), text.Say("store.import_memory_hint"), err)
	case errors.As(err, &gone):
		return loadedFile{}, fault.Wrap(fault.Unavailable, "import file", text.Say("store.import_stopped", "file", in.file), text.Say("store.import_stopped_hint"), err)
	case err != nil:
		return loadedFile{}, err
	}
	var f loadedFile
	if err := json.Unmarshal(raw, &f); err != nil {
		return f, err
	}
	if x := f.Fault; x != nil {
		return f, fault.Wrap(x.Code, x.Op, x.Message, x.Hint, errors.New(x.Cause))
	}
	return f, nil
}

// serveLoad is loadInChild in the child.
func serveLoad(ctx context.Context, args json.RawMessage, progress func(any)) (any, error) {
	var l loading
	if err := json.Unmarshal(args, &l); err != nil {
		return nil, err
	}
	in, err := look(l.Path)
	if err != nil {
		return loadedFile{Fault: faultOf(err)}, nil
	}
	f, err := l.do(ctx, in, func(p Progress) { progress(p) })
	if err != nil {
		return loadedFile{Fault: faultOf(err)}, nil
	}
	return f, nil
}

func faultOf(err error) *loadFault {
	var f *fault.Error
	if !errors.As(err, &f) {
		return &loadFault{Code: fault.Internal, Op: "import file", Message: text.Say("store.engine_broke"), Hint: text.Say("store.engine_broke_hint"), Cause: err.Error()}
	}
	return &loadFault{Code: f.Code, Op: f.Op, Message: f.Message, Hint: f.Hint, Cause: fault.Detail(err)}
}

// do does the job, in whichever process.
func (job loading) do(ctx context.Context, in input, report func(Progress)) (loadedFile, error) {
	if job.Preview {
		return job.preview(ctx, in, report)
	}
	return job.load(ctx, in, report)
}

// load reads a file and writes its tables into import.duckdb in a folder of the import's own.
func (job loading) load(ctx context.Context, in input, report func(Progress)) (loadedFile, error) {
	at := func(stage string, done int64) {
		report(Progress{Stage: stage, File: in.file, BytesDone: done, BytesTotal: in.size})
	}
	at(stageHash, 0)
	epoch, facts, err := digest(ctx, in.path, func(done int64) { at(stageHash, done) })
	if err != nil {
		if ctx.Err() != nil {
			return loadedFile{}, canceled(ctx, "import file")
		}
		return loadedFile{}, openFault("import file", in, err)
	}
	at(stageSniff, 0)
	l, err := openLoader(ctx, job, in, facts, report)
	if err != nil {
		return loadedFile{}, err
	}
	defer func() { _ = l.close() }()
	if err := l.load(ctx); err != nil {
		return loadedFile{}, l.fault(ctx, err)
	}
	at(stageCheck, in.size)
	if err := l.check(ctx); err != nil {
		return loadedFile{}, err
	}
	for i := range l.tables {
		l.tables[i].Notes = toldOf(l.told, l.tables[i].Name)
	}
	return loadedFile{Epoch: epoch, Tables: l.tables, Notes: l.notes, Encoding: l.encoding, Delimiter: l.delimiter, Header: l.header()}, nil
}
