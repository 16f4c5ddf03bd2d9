package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/sqlgate"
	"assay/backend/text"
)

// ImportRequest names a file to import.
type ImportRequest struct {
	Path     string
	Name     string         // for a person; empty: the one it has, else the base name
	Reading  Reading        // how it is to be read
	Replace  string         // the ID of a source that this file takes the place of; empty: the one of the same path
	Progress func(Progress) // called from the importing goroutine and while the engine loads; may be nil
}

// Progress tells how far an import is.
type Progress struct {
	Stage                 string // hash sniff load check publish
	File                  string // base name
	BytesDone, BytesTotal int64  // of the file
	Rows                  int64  // written so far, where it is known
}

// The stages of an import.
const (
	stageHash    = "hash"
	stageSniff   = "sniff"
	stageLoad    = "load"
	stageCheck   = "check"
	stagePublish = "publish"
)

// Import brings one file into the store, all of it or nothing: a failure, a canceled context or a killed process at any
// moment leaves the store as it was. A path that was imported before is replaced and keeps its ID and table names.
//
// Faults: NotFound (also: no source to replace), Unauthorized (the file may not be read), Invalid (no table in it, damaged, encrypted), Conflict
// (another process is importing, or the file changed meanwhile), Limit (memory), Unavailable (no space), Canceled.
func (s *Store) Import(ctx context.Context, req ImportRequest) (*Source, error) {
	report := req.Progress
	if report == nil {
		report = func(Progress) {}
	}
	if err := req.Reading.check(); err != nil {
		return nil, err
	}
	in, err := look(req.Path)
	if err != nil {
		return nil, err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	dir, err := os.MkdirTemp(s.opt.Dir, tempPrefix)
	if err != nil {
		return nil, writeFault("import file", s.opt.Dir, err)
	}
	defer os.RemoveAll(dir)

	f, err := s.loadInChild(ctx, in, loading{Dir: dir, Reading: req.Reading}, report)
	if err != nil {
		return nil, err
	}
	report(Progress{Stage: stagePublish, File: in.file, BytesDone: in.size, BytesTotal: in.size})
	source, err := s.publish(ctx, req, in, filepath.Join(dir, importFile), f)
	if err != nil {
		return nil, err
	}
	if err := s.refresh(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	return source, nil
}

// load writes the tables of the file; one function per format.
func (l *loader) load(ctx context.Context) error {
	if l.in.misnamed() {
		l.note(text.Say("store.note_extension", "extension", l.in.ext, "format", l.in.format))
	}
	switch l.in.format {
	case formatParquet:
		return l.loadParquet(ctx)
	case formatSQLite:
		return l.loadSQLite(ctx)
	case formatDuckDB:
		return l.loadDuckDB(ctx)
	case formatXLSX:
		return l.loadWorkbook(ctx)
	case formatJSON, formatNDJSON:
		return l.loadJSON(ctx)
	default:
		return l.loadDelimited(ctx)
	}
}

// check refuses a result that is not what was announced: no table, a row count that the written file does not confirm, or
// a source that changed while it was read.
func (l *loader) check(ctx context.Context) error {
	const op = "check import"
	if len(l.tables) == 0 && len(l.reading.Tables) > 0 {
		return fault.New(fault.Invalid, op, text.Say("store.reading_none", "file", l.in.file, "tables", strings.Join(l.reading.Tables, ", ")), text.Say("store.reading_none_hint"))
	}
	if len(l.tables) == 0 {
		return fault.New(fault.Invalid, op, text.Say("store.no_tables", "file", l.in.file), text.Say("store.no_tables_hint"))
	}
	for _, t := range l.tables {
		n, err := l.number(ctx, "SELECT count(*) FROM "+targetTable(t.Name))
		if err != nil {
			return l.fault(ctx, err)
		}
		if n != t.Rows {
			return fault.New(fault.Internal, op, text.Say("store.count_wrong", "table", t.Name, "expected", t.Rows, "found", n), text.Say("store.engine_broke_hint"))
		}
	}
	info, err := os.Stat(l.in.path)
	if err != nil {
		return openFault(op, l.in, err)
	}
	if info.Size() != l.in.size || !info.ModTime().Equal(l.in.modified) {
		return fault.New(fault.Conflict, op, text.Say("store.file_changed", "file", l.in.file), text.Say("store.file_changed_hint"))
	}
	if err := l.measure(ctx); err != nil {
		return l.fault(ctx, err)
	}
	return l.finish(ctx)
}

// publish puts the finished file into the store: first its bytes under a new name, then the catalogue that names it. The
// context is asked a last time before; afterwards nothing can be undone.
func (s *Store) publish(ctx context.Context, req ImportRequest, in input, file string, f loadedFile) (*Source, error) {
	if ctx.Err() != nil {
		return nil, canceled(ctx, "publish import")
	}
	c, err := readCatalog(s.opt.Dir, s.opt.Home)
	if err != nil {
		return nil, err
	}
	en := entry{Source: Source{
		ID: sourceID(in.path, in.stem), Name: req.Name, Path: in.path, Format: in.format, Epoch: f.Epoch, Bytes: in.size,
		Modified: in.modified, Imported: s.opt.Now(), Encoding: f.Encoding, Delimiter: f.Delimiter, Header: f.Header, Notes: f.Notes,
	}}
	if !req.Reading.IsZero() {
		en.Reading = &req.Reading
	}
	if id, known := c.idOf(in.path); known {
		en.ID = id // of the place where the file was then
	}
	if req.Replace != "" {
		if en.ID = req.Replace; c.find(en.ID) < 0 {
			return nil, fault.New(fault.NotFound, "publish import", text.Say("store.no_source", "id", en.ID), text.Say("store.no_source_hint"))
		}
	}
	en.File = en.ID + "-" + token() + databaseSuffix
	at := c.find(en.ID)
	var former entry
	if at >= 0 {
		former = c.Entries[at]
	}
	if en.Name == "" {
		if en.Name = in.file; former.Name != "" && former.Name != filepath.Base(former.Path) {
			en.Name = former.Name // somebody named it
		}
	}
	name(&en, former, f.Tables, c.Entries)
	if at >= 0 {
		c.Entries[at] = en
	} else {
		c.Entries = append(c.Entries, en)
	}
	if err := os.Rename(file, filepath.Join(s.opt.Dir, en.File)); err != nil {
		return nil, writeFault("publish import", s.opt.Dir, err)
	}
	if err = syncDir(s.opt.Dir); err == nil {
		err = c.write(s.opt.Dir)
	}
	if err != nil {
		os.Remove(filepath.Join(s.opt.Dir, en.File))
		return nil, writeFault("publish import", s.opt.Dir, err)
	}
	if former.File != "" {
		os.Remove(filepath.Join(s.opt.Dir, former.File)) // readers keep what they have open; where that is refused, sweep does it later
	}
	return &en.Source, nil
}

// name gives the tables of a source their names in the engine: their own, unless another source has them. A source that is
// imported again keeps the names it had.
func name(en *entry, former entry, tables []loaded, all []entry) {
	used, usedAlias := map[string]bool{}, map[string]bool{}
	for _, e := range all {
		if e.ID == en.ID {
			continue
		}
		for n := range e.Stored {
			used[strings.ToLower(n)] = true
		}
		for _, t := range e.Tables {
			usedAlias[t.Alias] = true
		}
	}
	had := map[string]string{}
	for n, stored := range former.Stored {
		had[stored] = n
		if keeps(stored, tables) {
			used[strings.ToLower(n)] = true
		}
	}
	en.Stored, en.Numbers = map[string]string{}, map[string]map[string]compile.Number{}
	take := func(stored string) string {
		n, ok := had[stored]
		if !ok || sqlgate.OfSystem(sqlgate.DuckDB, n) {
			for n = free(stored, used); sqlgate.OfSystem(sqlgate.DuckDB, n); n = free(stored, used) {
				used[strings.ToLower(n)] = true
			}
			used[strings.ToLower(n)] = true
		}
		en.Stored[n] = stored
		return n
	}
	names := map[string]string{}
	for _, t := range tables {
		names[t.Name] = take(t.Name)
	}
	for _, t := range tables {
		table := Table{Name: names[t.Name], Rows: t.Rows, Rejected: t.Rejected, Columns: t.Columns, Key: t.Key, Notes: t.Notes}
		table.Alias = free(alias(table.Name, "table"), usedAlias)
		usedAlias[table.Alias] = true
		if t.Rejects != "" {
			table.RejectTable = take(t.Rejects)
		}
		for _, f := range t.Foreign {
			if referred, ok := names[f.RefTable]; ok {
				f.RefTable = referred
				table.ForeignKeys = append(table.ForeignKeys, f)
			}
		}
		if table.Name != t.Name {
			en.Notes = append(en.Notes, text.Say("store.note_renamed", "table", t.Name, "name", table.Name))
		}
		en.Tables = append(en.Tables, table)
		en.Numbers[table.Name] = t.Numbers
	}
}

func keeps(stored string, tables []loaded) bool {
	for _, t := range tables {
		if t.Name == stored || t.Rejects == stored {
			return true
		}
	}
	return false
}

// sourceID is the same for the same path: a readable part and six digits of the path's hash.
func sourceID(path, stem string) string {
	sum := sha256.Sum256([]byte(path))
	readable := alias(stem, "source")
	if len(readable) > 40 {
		readable = readable[:40]
	}
	return readable + "-" + hex.EncodeToString(sum[:3])
}

// token makes the name of a file that never existed before.
func token() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Fresh says whether the file at path is in the store as it is now. A file of the same size and time counts as unchanged;
// otherwise its content decides. The error wraps that of the file system: errors.Is(err, fs.ErrNotExist) works.
func (s *Store) Fresh(path string) (bool, error) {
	abs := absolute(path)
	in := input{path: abs, file: filepath.Base(abs)}
	info, err := os.Stat(abs)
	if err != nil {
		return false, openFault("look at file", in, err)
	}
	if err := s.refresh(context.Background()); err != nil {
		return false, err
	}
	for _, src := range s.Sources() {
		if src.Path != abs || len(src.Tables) == 0 {
			continue
		}
		if src.Bytes != info.Size() {
			return false, nil
		}
		if src.Modified.Equal(info.ModTime()) {
			return true, nil
		}
		epoch, _, err := digest(context.Background(), abs, nil)
		if err != nil {
			return false, openFault("look at file", in, err)
		}
		return epoch == src.Epoch, nil
	}
	return false, nil
}
