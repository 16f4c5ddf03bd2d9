package workspace

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/profile"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/store"
	"assay/backend/text"
)

// SessionPreview says what a session file holds. Nothing of it has landed, and nothing in it is verified: all of it is what the file says.
type SessionPreview struct {
	File      string               `json:"file"`
	Bytes     int64                `json:"bytes"`
	SHA256    string               `json:"sha256"`
	Title     string               `json:"title"`
	Created   time.Time            `json:"created"`
	Updated   time.Time            `json:"updated"`
	Program   string               `json:"program" doc:"The version of Assay that wrote it"`
	Workspace string               `json:"workspace" doc:"The workspace that it was asked in"`
	Turns     []SessionPreviewTurn `json:"turns" nullable:"false"`
	Frames    int                  `json:"frames"`
	Rows      int64                `json:"rows"`
	Contains  session.Contains     `json:"contains"`
	Model     []string             `json:"model" nullable:"false" doc:"Files of a semantic model that came with it"`
	Brings    []string             `json:"brings" nullable:"false" doc:"Definitions of that model that are not in this workspace, as people call them"`
	Others    []string             `json:"others" nullable:"false" doc:"Definitions of that model that this workspace has otherwise"`
	Unread    string               `json:"unread" doc:"Why that model does not read; empty: it does, or there is none"`
	Origin    *session.Origin      `json:"origin" doc:"What it was forked from; null: it began by itself"`
	Elsewhere int                  `json:"elsewhere" doc:"Answers in it that came from elsewhere there too: a signature says nothing of them"`

	Signature   session.SignatureState `json:"signature" enum:"none,valid,not_valid"`
	Signer      string                 `json:"signer" doc:"What the signer is called by the file"`
	Fingerprint string                 `json:"fingerprint"`
	Own         bool                   `json:"own" doc:"The key is the one of this person"`
	Known       []string               `json:"known" nullable:"false" doc:"Titles of sessions here that came with a file signed with that key, the latest first"`

	SameModel bool     `json:"same_model" doc:"The semantic model here is the one that it was asked over"`
	Missing   []string `json:"missing" nullable:"false" doc:"Tables that its answers read and that are not here"`
	Differ    []string `json:"differ" nullable:"false" doc:"Tables that are here with other rows"`
	Already   []string `json:"already" nullable:"false" doc:"Sessions here that came with this very file, the latest first"`
}

// SessionPreviewTurn is a turn of a session file.
type SessionPreviewTurn struct {
	Turn      int    `json:"turn"`
	Place     int    `json:"place"`
	Chosen    bool   `json:"chosen"`
	Question  string `json:"question"`
	Outcome   string `json:"outcome"`
	Grade     string `json:"grade" doc:"As it was recorded; empty: none"`
	Rows      int    `json:"rows"`
	Elsewhere bool   `json:"elsewhere" doc:"It came from elsewhere there too: a signature says nothing of it"`
}

// SessionArrived is a session that was imported.
type SessionArrived struct {
	SessionID string `json:"session_id"`
	Title     string `json:"title"`
}

// sessionFile is a session file that is open.
type sessionFile struct {
	*session.Package
	name   string
	bytes  int64
	sha256 string
	file   *os.File
}

// openSessionFile opens a file of a stranger. Faults: NotFound, Invalid, Limit, Conflict (a newer version), Unavailable.
func openSessionFile(path string) (*sessionFile, error) {
	name := filepath.Base(path)
	unread := func(code fault.Code, err error) error {
		return fault.Wrap(code, "open session file", text.Say("workspace.file_unread", "file", name), text.Say("workspace.file_unread_hint"), err)
	}
	f, err := os.Open(path)
	if err != nil {
		code := fault.Unavailable
		if errors.Is(err, fs.ErrNotExist) {
			code = fault.NotFound
		}
		return nil, unread(code, err)
	}
	x := &sessionFile{name: name, file: f}
	err = x.open()
	var said *fault.Error
	if err != nil && !errors.As(err, &said) {
		err = unread(fault.Unavailable, err)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return x, nil
}

func (x *sessionFile) open() error {
	info, err := x.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("no ordinary file")
	}
	x.bytes = info.Size()
	if x.Package, err = session.Open(x.file, x.bytes); err != nil {
		return err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, io.NewSectionReader(x.file, 0, x.bytes))
	x.sha256 = hex.EncodeToString(sum.Sum(nil))
	return err
}

// PreviewSession says what a session file holds. The rows of its frames are not read. Faults: those of opening a file, and of the memory.
func (w *Workspace) PreviewSession(ctx context.Context, path string) (SessionPreview, error) {
	x, err := openSessionFile(path)
	if err != nil {
		return SessionPreview{}, err
	}
	defer x.file.Close()
	f, m := &x.File, &x.Manifest
	p := SessionPreview{
		File: x.name, Bytes: x.bytes, SHA256: x.sha256, Title: session.Title(f.Title), Created: f.Created, Updated: f.Updated, Program: f.Program,
		Workspace: f.Workspace.Name, Turns: []SessionPreviewTurn{}, Contains: m.Contains, Model: []string{}, Signature: x.Signature, Fingerprint: x.Fingerprint,
		SameModel: f.Workspace.Model == w.Knowledge().Model.Version, Missing: []string{}, Differ: []string{}, Known: []string{}, Brings: []string{}, Others: []string{},
		Origin: originOf(f.Origin), Elsewhere: relayed(f.Turns),
	}
	if m.Signer != nil {
		p.Signer, p.Own = m.Signer.Name, w.ownKey(m.Signer.PublicKey)
	}
	model, err := x.Package.Model()
	if err != nil {
		return p, err
	}
	for path := range model {
		p.Model = append(p.Model, path)
	}
	slices.Sort(p.Model)
	if len(model) > 0 {
		if err := p.offer(ctx, w, model); err != nil {
			return p, err
		}
	}
	if p.Signature == session.SignatureValid {
		if p.Known, err = w.memory.SignedWith(ctx, x.Fingerprint); err != nil {
			return p, err
		}
	}
	p.compare(f.Workspace.Tables, w.Knowledge().Epochs)
	for i := range f.Turns {
		if err := p.add(f.Turns[i], x.Package); err != nil {
			return p, misfitTurn(f.Turns[i], err)
		}
	}
	p.Already, err = w.memory.ImportedFrom(ctx, x.sha256)
	return p, err
}

// offer says what a model that came with a session would bring here.
func (p *SessionPreview) offer(ctx context.Context, w *Workspace, files map[string][]byte) error {
	o, err := w.travelled(ctx, files)
	if err != nil {
		return err
	}
	for _, d := range o.Definitions {
		switch d.Here {
		case TravelledMissing:
			p.Brings = append(p.Brings, d.Object)
		case TravelledDiffers:
			p.Others = append(p.Others, d.Object)
		}
	}
	p.Unread = o.Unread
	return nil
}

// originOf is what a session was forked from, as a stranger's file says it.
func originOf(o *session.Origin) *session.Origin {
	if o == nil {
		return nil
	}
	origin := *o
	origin.Title = session.Title(origin.Title)
	return &origin
}

// relayed counts the answers of a file that came from elsewhere to who wrote it.
func relayed(turns []session.FileTurn) (n int) {
	for i := range turns {
		if turns[i].Elsewhere != nil {
			n++
		}
	}
	return n
}

func (w *Workspace) ownKey(public string) bool {
	k, err := w.knownKey()
	return err == nil && k != nil && k.public() == public
}

// compare says which of the tables that a session read are not here, or are others.
func (p *SessionPreview) compare(there, here map[string]string) {
	lower := map[string]string{}
	for table, epoch := range here {
		lower[strings.ToLower(table)] = epoch
	}
	for table, epoch := range there {
		switch now, has := lower[strings.ToLower(table)]; {
		case !has:
			p.Missing = append(p.Missing, table)
		case now != epoch:
			p.Differ = append(p.Differ, table)
		}
	}
	slices.Sort(p.Missing)
	slices.Sort(p.Differ)
}

// add reads a turn as strictly as an import does, but for its rows.
func (p *SessionPreview) add(t session.FileTurn, x *session.Package) error {
	rows := t.Rows != ""
	read, err := analyst.Unpack(t, nil, analyst.Arrival{
		SessionID: "preview", RequestID: func(there string) string { return there }, Masked: p.Contains.Frames == session.FramesMasked, RowsLeft: !x.Bare, Body: readQMCard,
	})
	if err != nil {
		return err
	}
	var a struct {
		Verification *struct {
			Level string `json:"level"`
		} `json:"verification"`
		Frame *struct {
			RowCount  int `json:"row_count"`
			Truncated *struct {
				TotalRows int `json:"total_rows"`
			} `json:"truncated"`
		} `json:"frame"`
	}
	if err := json.Unmarshal(read.Answer, &a); err != nil {
		return err
	}
	turn := SessionPreviewTurn{Turn: t.Index, Place: t.Place, Chosen: t.Chosen, Question: t.Question, Outcome: t.Outcome, Elsewhere: t.Elsewhere != nil}
	if a.Verification != nil {
		turn.Grade = a.Verification.Level
	}
	if a.Frame != nil && (rows || x.Bare) {
		if turn.Rows = a.Frame.RowCount; a.Frame.Truncated != nil && rows {
			turn.Rows = a.Frame.Truncated.TotalRows
		}
		p.Frames++
		p.Rows += int64(turn.Rows)
	}
	frames, held, err := analyst.HeldWithin(t.Artifacts, func(artifact int, part string) bool { return t.Artifacts[artifact].Rows[part] != "" })
	if err != nil {
		return err
	}
	p.Frames, p.Rows = p.Frames+frames, p.Rows+held
	p.Turns = append(p.Turns, turn)
	return nil
}

func misfitTurn(t session.FileTurn, err error) error {
	var said *fault.Error
	if errors.As(err, &said) {
		return err
	}
	return fault.Wrap(fault.Invalid, "open session file", text.Say("workspace.turn_misfit", "turn", t.Index), text.Say("session.file_hint"), err)
}

// readQMCard reads the body of the one kind of artifact that package analyst does not know.
func readQMCard(kind session.Kind, raw json.RawMessage) (any, error) {
	if kind != session.KindQMCard {
		return nil, errors.New("kind " + string(kind))
	}
	var card profile.QMCard
	return &card, session.DecodeStrict(raw, &card, "body")
}

// ImportSession takes a session file in, all of it or nothing, and gives the session that it became: one of its own, under names of its own, that
// belongs to the person of this process. It is read, and nothing in it runs, waits or counts for anything; who wants to go on from it forks it.
//
// Faults: those of opening a file, Invalid (something in it does not fit), Canceled, and those of the memory.
func (w *Workspace) ImportSession(ctx context.Context, path string) (SessionArrived, error) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return SessionArrived{}, err
	}
	x, err := openSessionFile(path)
	if err != nil {
		return SessionArrived{}, err
	}
	defer x.file.Close()
	defer w.store.DoneReading()
	a := memory.Arriving{ID: newID(), Title: session.Title(x.File.Title), Created: x.File.Created, Imported: session.Imported{
		File: x.name, SHA256: x.sha256, At: w.opts.Now().UTC(), By: me.ID, Signature: x.Signature, Fingerprint: x.Fingerprint, Program: x.File.Program,
		Workspace: x.File.Workspace.Name, Frames: x.Manifest.Contains.Frames, SessionID: x.File.ID, Requests: map[string]string{},
		Origin: originOf(x.File.Origin), Elsewhere: relayed(x.File.Turns),
	}}
	if x.Manifest.Signer != nil {
		a.Imported.Signer = x.Manifest.Signer.Name
	}
	if a.Model, err = x.Package.Model(); err != nil {
		return SessionArrived{}, err
	}
	here := map[string]string{}
	for _, t := range x.File.Turns {
		id := newID()
		here[t.RequestID], a.Imported.Requests[id] = id, t.RequestID
	}
	staged, err := w.stage(ctx, x, &a, func(there string) string { return here[there] })
	if err != nil {
		return SessionArrived{}, err
	}
	defer staged.close()
	return SessionArrived{a.ID, a.Title}, w.memory.Import(ctx, a, staged.turns())
}

// stagedTurns are turns that were read and checked, in a file of their own: the memory is not held while strangers' frames are read, and however many
// rows there are, one turn of them is in memory.
type stagedTurns struct{ file *os.File }

func (s stagedTurns) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}

// turns gives the turns that are staged.
func (s stagedTurns) turns() iter.Seq2[session.Turn, error] {
	return func(yield func(session.Turn, error) bool) {
		if _, err := s.file.Seek(0, io.SeekStart); err != nil {
			yield(session.Turn{}, err)
			return
		}
		d := json.NewDecoder(bufio.NewReader(s.file))
		for {
			var t session.Turn
			err := d.Decode(&t)
			if errors.Is(err, io.EOF) || !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// stage reads every turn of a file.
func (w *Workspace) stage(ctx context.Context, x *sessionFile, a *memory.Arriving, here func(string) string) (staged stagedTurns, err error) {
	staged.file, err = os.CreateTemp(filepath.Join(w.dir, ".assay"), w.partName())
	if err != nil {
		return staged, w.cannotStage(err)
	}
	defer func() {
		if err != nil {
			staged.close()
		}
	}()
	out := bufio.NewWriter(staged.file)
	lines, room := json.NewEncoder(out), int64(session.MaxFileBytes)
	for _, t := range x.File.Turns {
		rows, made, err := w.rowsOf(ctx, x, t, &room)
		if err != nil {
			return staged, err
		}
		turn, err := analyst.Unpack(t, rows, analyst.Arrival{
			SessionID: a.ID, RequestID: here, Masked: x.Manifest.Contains.Frames == session.FramesMasked, RowsLeft: !x.Bare && t.Rows == "", Rows: made, Body: readQMCard,
		})
		if err != nil {
			return staged, misfitTurn(t, err)
		}
		turn.Elsewhere = cameWith(a.Imported, t)
		if err := lines.Encode(turn); err != nil {
			return staged, w.cannotStage(err)
		}
		if ctx.Err() != nil {
			return staged, fault.Wrap(fault.Canceled, "import session", text.Say("workspace.import_canceled"), "", ctx.Err())
		}
	}
	if err := out.Flush(); err != nil {
		return staged, w.cannotStage(err)
	}
	return staged, nil
}

// cameWith is the mark that a turn keeps from here on. What the file says of where the turn came from before is a stranger's word: that it says so is kept.
func cameWith(i session.Imported, t session.FileTurn) *session.Elsewhere {
	return &session.Elsewhere{
		File: plainName(i.File), At: i.At, Signature: i.Signature, Signer: i.Signer, Fingerprint: i.Fingerprint, Workspace: plainName(i.Workspace), Relayed: t.Elsewhere != nil,
	}
}

// plainName is a name that a stranger gave, in one line, as long as a mark may carry it.
func plainName(s string) string { return plainLine(strings.ToValidUTF8(s, "")) }

func (w *Workspace) cannotStage(err error) error {
	return fault.Wrap(fault.Unavailable, "import session", text.Say("workspace.cannot_write", "dir", w.dir), text.Say("workspace.cannot_write_hint"), err)
}

// rowsOf reads the rows of a turn's frames: own of the answer's, nil: they do not stand in an entry of their own; made of those of its artifacts, by
// entry. room is what all rows together may still take.
func (w *Workspace) rowsOf(ctx context.Context, x *sessionFile, t session.FileTurn, room *int64) (own json.RawMessage, made map[string]json.RawMessage, err error) {
	if t.Rows != "" {
		columns, err := analyst.ColumnsOf(t)
		if err != nil {
			return nil, nil, misfitTurn(t, err)
		}
		if own, err = w.rowsIn(ctx, x, t.Rows, columns, room); err != nil {
			return nil, nil, err
		}
	}
	made = map[string]json.RawMessage{}
	for _, a := range t.Artifacts {
		for part, entry := range a.Rows {
			columns, err := analyst.ColumnsIn(a, part)
			if err != nil {
				return nil, nil, misfitTurn(t, err)
			}
			if made[entry], err = w.rowsIn(ctx, x, entry, columns, room); err != nil {
				return nil, nil, err
			}
		}
	}
	return own, made, nil
}

// rowsIn reads the rows of an entry in a child.
func (w *Workspace) rowsIn(ctx context.Context, x *sessionFile, entry string, columns int, room *int64) (json.RawMessage, error) {
	parquet, err := x.Frame(entry)
	if err != nil {
		return nil, err
	}
	rows, err := w.store.ReadRows(ctx, store.RowsAsked{Parquet: parquet, Columns: columns, Most: session.MaxFrameBytes})
	if err != nil {
		return nil, err
	}
	if *room -= int64(len(rows)); *room < 0 {
		return nil, fault.New(fault.Limit, "import session", text.Say("session.file_large", "where", entry), text.Say("session.file_large_hint"))
	}
	return rows, nil
}
