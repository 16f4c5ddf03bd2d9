package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"assay/backend/analyst"
	"assay/backend/export"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/session"
	"assay/backend/text"
)

// SessionChoice is what a person chooses when a session is exported.
type SessionChoice struct {
	Frames session.Frames // empty: whole
	Model  bool           // with the part of the semantic model that its questions use
	Sign   bool           // with the key of this person
	Signer string         // what the person calls themself in signatures from now on; empty: as before
}

// SessionContents says what a session file would hold, before it is written.
type SessionContents struct {
	Turns      int      `json:"turns"` // with every version
	Unfinished int      `json:"unfinished" doc:"Turns that still run: they are left out"`
	Frames     int      `json:"frames"`
	Rows       int64    `json:"rows"`
	Bytes      int64    `json:"bytes" doc:"About as large the file will be"`
	Tables     []string `json:"tables" nullable:"false" doc:"That its answers name"`
	Personal   []string `json:"personal" nullable:"false" doc:"Columns of its frames that hold what names one person"`
	SQL        bool     `json:"sql" doc:"Statements stand in it, with the values that they ask for"`
	Model      []string `json:"model" nullable:"false" doc:"Files of the semantic model"`
	Signer     *string  `json:"signer" doc:"The name that its signature carries; null: it is not signed"`
	Key        string   `json:"key" doc:"The fingerprint of the key that signs it; empty: it is made with the first signature"`
}

// SessionContents says what the file of a session would hold. Faults: NotFound, Invalid (no such choice), and those of the signing key.
func (w *Workspace) SessionContents(ctx context.Context, id string, c SessionChoice) (SessionContents, error) {
	sign := c.Sign
	c.Sign = false // looking makes no key
	x, err := w.survey(ctx, id, c)
	if err == nil && sign {
		var k *signingKey
		if k, err = w.knownKey(); k != nil {
			x.contents.sign(k)
		} else {
			x.contents.Signer = new(string)
		}
		if c.Signer != "" {
			*x.contents.Signer = plainLine(c.Signer)
		}
	}
	return x.contents, err
}

func (c *SessionContents) sign(k *signingKey) {
	name := k.Name
	c.Signer, c.Key = &name, session.Fingerprint(k.public())
}

// ExportSession writes the file of a session and gives a name for it. Turns that still run are left out.
//
// Faults: NotFound, Invalid (no such choice), Limit (larger than a file may be), Canceled, and those of out.
func (w *Workspace) ExportSession(ctx context.Context, id string, c SessionChoice, out io.Writer) (name string, err error) {
	x, err := w.survey(ctx, id, c)
	if err != nil {
		return "", err
	}
	if err := w.noteOpened(ctx, opened{What: openedSession}, analyst.Answer{SessionID: id}, ""); err != nil {
		return "", err
	}
	file := session.NewWriter(out)
	document := x.document(w)
	err = w.travellers(ctx, id, x, func(p analyst.Packed) error {
		if p.Rows != nil && x.choice.Frames != session.FramesNone && len(p.Columns) > 0 {
			var parquet bytes.Buffer
			if err := export.WriteRows(&parquet, p.Columns, p.Rows); err != nil {
				return fault.Wrap(fault.Internal, "export session", text.Say("workspace.frame_odd", "turn", p.Turn.Index), "", err)
			}
			if parquet.Len() > session.MaxFrameBytes || len(p.Rows) > session.MaxFrameBytes {
				return fault.New(fault.Limit, "export session", text.Say("workspace.frame_large", "turn", p.Turn.Index), text.Say("session.outgrown_hint"))
			}
			if p.Turn.Rows, err = file.Frame(parquet.Bytes()); err != nil {
				return err
			}
		}
		document.Turns = append(document.Turns, p.Turn)
		return nil
	})
	if err != nil {
		return "", err
	}
	for _, path := range slices.Sorted(maps.Keys(x.model)) {
		if err := file.Model(path, x.model[path]); err != nil {
			return "", err
		}
	}
	m := session.Manifest{Program: w.opts.Version, Created: w.opts.Now().UTC(), Contains: session.Contains{Frames: x.choice.Frames, Model: len(x.model) > 0}}
	var sign session.Sign
	if x.key != nil {
		m.Signer, sign = &session.Signer{Name: x.key.Name, PublicKey: x.key.public()}, x.key.sign
	}
	return sessionFileName(document.Title), file.Close(document, m, sign)
}

func sessionFileName(title string) string { return fileName(title) + ".assay" }

// SessionFileName gives a name for the file of a session. Fault NotFound.
func (w *Workspace) SessionFileName(ctx context.Context, id string) (string, error) {
	d, err := w.memory.SessionHead(ctx, id)
	if err != nil {
		return "", err
	}
	return sessionFileName(d.Title), nil
}

// SessionJSON writes a session as one JSON text, with rows and trace within. Faults: NotFound, Limit, and those of out.
func (w *Workspace) SessionJSON(ctx context.Context, id string, out io.Writer) error {
	x, err := w.survey(ctx, id, SessionChoice{})
	if err != nil {
		return err
	}
	if err := w.noteOpened(ctx, opened{What: openedSession}, analyst.Answer{SessionID: id}, ""); err != nil {
		return err
	}
	document := x.document(w)
	err = w.travellers(ctx, id, x, func(p analyst.Packed) error {
		turn, err := analyst.WithRows(p)
		document.Turns = append(document.Turns, turn)
		return err
	})
	if err != nil {
		return err
	}
	return session.WriteJSON(out, document)
}

// surveyed is what is known of a session before it is exported.
type surveyed struct {
	choice   SessionChoice
	contents SessionContents
	head     session.Document
	state    session.State
	epochs   map[string]string // of every table that an answer names
	read     map[string]string // of those that one reads
	queries  []string
	model    map[string][]byte
	mask     *sessionMask // nil: nothing is masked
	key      *signingKey  // nil: it is not signed
}

// survey reads a session once: what it holds, and which values of it name somebody.
func (w *Workspace) survey(ctx context.Context, id string, c SessionChoice) (surveyed, error) {
	if c.Frames == "" {
		c.Frames = session.FramesWhole
	}
	x := surveyed{choice: c, epochs: map[string]string{}, read: map[string]string{}, contents: SessionContents{Tables: []string{}, Personal: []string{}, Model: []string{}}}
	switch c.Frames {
	case session.FramesWhole, session.FramesNone:
	case session.FramesMasked:
		x.mask = newSessionMask(w)
	default:
		return x, fault.New(fault.Invalid, "export session", text.Say("workspace.frames_choice", "choice", string(c.Frames)), text.Say("workspace.frames_choice_hint"))
	}
	head, err := w.memory.SessionHead(ctx, id)
	if err != nil {
		return x, err
	}
	x.head = *head
	if c.Sign {
		if x.key, err = w.signingKey(c.Signer); err != nil {
			return x, err
		}
		x.contents.sign(x.key)
	}
	var told []session.Turn // all that the state follows from
	err = w.memory.EachTurn(ctx, id, func(t session.Turn) error {
		if t.Outcome == session.Running {
			x.contents.Unfinished++
			return ctx.Err()
		}
		p, err := analyst.Pack(t)
		if err != nil {
			return fault.Wrap(fault.Internal, "export session", text.Say("workspace.turn_odd", "turn", t.Index), "", err)
		}
		if t.FrameQL != "" {
			x.queries = append(x.queries, t.FrameQL)
		}
		told = append(told, session.Turn{Index: t.Index, Chosen: t.Chosen, Outcome: t.Outcome, FrameQL: t.FrameQL, Said: t.Said, Answer: p.Turn.Answer})
		return x.look(w, p)
	})
	if err != nil {
		return x, err
	}
	x.state = analyst.StateOf(told)
	x.contents.Tables = slices.Sorted(maps.Keys(x.epochs))
	if c.Model {
		x.model = w.modelOf(x.queries, slices.Sorted(maps.Keys(x.read)))
		for path, raw := range x.model {
			x.contents.Model = append(x.contents.Model, path)
			x.contents.Bytes += int64(len(raw)) / 3
		}
		slices.Sort(x.contents.Model)
	}
	return x, nil
}

// look takes a turn into the survey.
func (x *surveyed) look(w *Workspace, p analyst.Packed) error {
	x.contents.Turns++
	x.contents.Bytes += int64(len(p.Turn.Answer))/5 + 1024
	var a struct {
		SQL   string `json:"sql"`
		Frame *struct {
			SQL     string            `json:"sql"`
			BaseSQL string            `json:"base_sql"`
			Epochs  map[string]string `json:"source_epochs"`
		} `json:"frame"`
	}
	if err := json.Unmarshal(p.Turn.Answer, &a); err != nil || a.Frame == nil {
		x.contents.SQL = x.contents.SQL || a.SQL != ""
		return err
	}
	x.contents.SQL = x.contents.SQL || a.Frame.SQL != ""
	maps.Copy(x.epochs, a.Frame.Epochs)
	for table, epoch := range a.Frame.Epochs {
		if a.Frame.SQL == "" || strings.Contains(a.Frame.SQL+a.Frame.BaseSQL, table) {
			x.read[table] = epoch
		}
	}
	personal := w.personalColumns(p.Columns)
	for i, c := range p.Columns {
		name := c.Dimension
		if name == "" {
			name = c.Name
		}
		if personal[i] != "" && !slices.Contains(x.contents.Personal, name) {
			x.contents.Personal = append(x.contents.Personal, name)
		}
	}
	if x.choice.Frames != session.FramesNone {
		rows, err := cellsOf(p.Rows)
		if err != nil {
			return err
		}
		x.contents.Frames++
		x.contents.Rows += int64(len(rows))
		x.contents.Bytes += int64(len(p.Rows)) / 3
		if x.mask != nil {
			x.mask.learn(p.Columns, rows)
		}
	}
	return nil
}

// document is the session file without its turns.
func (x *surveyed) document(w *Workspace) session.File {
	f := session.File{
		Format: session.FileFormat, Version: session.FileVersion, Program: w.opts.Version, ID: x.head.ID, Title: x.head.Title,
		Created: x.head.Created, Updated: x.head.Updated, Origin: x.head.Origin, State: x.state, Turns: []session.FileTurn{},
		Workspace: session.FileWorkspace{Name: w.name, Model: w.Knowledge().Model.Version, Tables: x.read},
	}
	if x.mask != nil {
		f.Title, f.State = x.mask.text(f.Title), x.mask.state(f.State)
		if f.Origin != nil {
			origin := *f.Origin
			origin.Title = x.mask.text(origin.Title)
			f.Origin = &origin
		}
	}
	return f
}

// travellers hands out the turns of a session as they travel, one at a time.
func (w *Workspace) travellers(ctx context.Context, id string, x surveyed, each func(analyst.Packed) error) error {
	return w.memory.EachTurn(ctx, id, func(t session.Turn) error {
		if t.Outcome == session.Running {
			return ctx.Err()
		}
		p, err := analyst.Pack(t)
		if err == nil && x.mask != nil {
			p, err = x.mask.turn(p)
		}
		if err != nil {
			return fault.Wrap(fault.Internal, "export session", text.Say("workspace.turn_odd", "turn", t.Index), "", err)
		}
		if err := each(p); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return fault.Wrap(fault.Canceled, "export session", text.Say("workspace.export_canceled"), "", ctx.Err())
		}
		return nil
	})
}

// cellsOf reads the rows of a frame; numbers keep their digits.
func cellsOf(rows json.RawMessage) (cells [][]any, err error) {
	d := json.NewDecoder(bytes.NewReader(rows))
	d.UseNumber()
	return cells, d.Decode(&cells)
}

// personalColumns says of each column of a frame which kind of personal values it holds; empty: none.
func (w *Workspace) personalColumns(columns []frameql.Column) []string {
	kinds := make([]string, len(columns))
	for i, c := range w.asPersonal(columns) {
		if kind := w.Rules().PII.Of(c); kind != "" && kind != "none" {
			kinds[i] = string(kind)
		}
	}
	return kinds
}

// longestName is that of a signer, in bytes.
const longestName = 200

// plainLine is a text in one line, cut where it is longer than a name.
func plainLine(s string) string {
	if s = strings.Join(strings.Fields(s), " "); len(s) > longestName {
		return strings.ToValidUTF8(s[:longestName], "")
	}
	return s
}
