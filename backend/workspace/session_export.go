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
	frames := frameWriter{file: file}
	if err := x.travel(ctx, frames.take); err != nil {
		return "", err
	}
	if err := frames.finish(0); err != nil {
		return "", err
	}
	document := x.document()
	document.Turns = append(document.Turns, frames.turns...)
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
	var turns []session.FileTurn
	err = x.travel(ctx, func(p analyst.Packed) error {
		turn, err := analyst.WithRows(p)
		turns = append(turns, turn)
		return err
	})
	if err != nil {
		return err
	}
	document := x.document()
	document.Turns = append(document.Turns, turns...)
	return session.WriteJSON(out, document)
}

// surveyed is what is known of a session while it is exported.
type surveyed struct {
	w        *Workspace
	choice   SessionChoice
	contents SessionContents
	head     session.Document
	told     []session.Turn // all that the state follows from
	state    session.State
	epochs   map[string]string // of every table that an answer names
	read     map[string]string // of those that one reads
	queries  []string
	model    map[string][]byte
	mask     *sessionMask    // nil: nothing is masked
	key      *signingKey     // nil: it is not signed
	taught   map[string]bool // meanings and preferences that were counted
}

// survey begins to look at a session: whether it is there, and whether it can be exported as chosen.
func (w *Workspace) survey(ctx context.Context, id string, c SessionChoice) (*surveyed, error) {
	if c.Frames == "" {
		c.Frames = session.FramesWhole
	}
	x := &surveyed{w: w, choice: c, epochs: map[string]string{}, read: map[string]string{}, taught: map[string]bool{}, contents: SessionContents{Tables: []string{}, Personal: []string{}, Model: []string{}}}
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
	return x, nil
}

// turns reads the finished turns one at a time as they travel, takes them into the survey, and hands them out with what was chosen.
func (x *surveyed) turns(ctx context.Context, each func(analyst.Packed) error) error {
	return x.packed(ctx, func(p analyst.Packed) error {
		if err := x.look(p); err != nil {
			return oddTurn(p.Turn.Index, err)
		}
		if x.choice.Frames == session.FramesNone {
			var err error
			if p, err = analyst.WithoutRows(p, cardWithout); err != nil {
				return oddTurn(p.Turn.Index, err)
			}
		}
		return each(p)
	})
}

// travel hands out the turns of a session as they leave it, one at a time: masked where that is wanted, which needs to know every personal value
// before the first text.
func (x *surveyed) travel(ctx context.Context, each func(analyst.Packed) error) error {
	if x.mask == nil {
		err := x.turns(ctx, each)
		x.settle()
		return err
	}
	if err := x.turns(ctx, x.mask.learn); err != nil {
		return err
	}
	x.settle()
	return x.packed(ctx, func(p analyst.Packed) error {
		masked, err := x.mask.turn(p)
		if err != nil {
			return oddTurn(p.Turn.Index, err)
		}
		return each(keepMark(masked, p.Turn.Elsewhere))
	})
}

func (x *surveyed) packed(ctx context.Context, each func(analyst.Packed) error) error {
	x.contents.Unfinished = 0
	return x.w.memory.EachTurn(ctx, x.head.ID, func(t session.Turn) error {
		if ctx.Err() != nil {
			return fault.Wrap(fault.Canceled, "export session", text.Say("workspace.export_canceled"), "", ctx.Err())
		}
		if t.Outcome == session.Running {
			x.contents.Unfinished++
			return nil
		}
		p, err := analyst.Pack(t)
		if err != nil {
			return oddTurn(t.Index, err)
		}
		return each(p)
	})
}

func oddTurn(turn int, err error) error {
	return fault.Wrap(fault.Internal, "export session", text.Say("workspace.turn_odd", "turn", turn), "", err)
}

// document is the session file without its turns.
func (x *surveyed) document() session.File {
	f := session.File{
		Format: session.FileFormat, Version: session.FileVersion, Program: x.w.opts.Version, ID: x.head.ID, Title: x.head.Title,
		Created: x.head.Created, Updated: x.head.Updated, Origin: x.origin(), State: x.state, Turns: []session.FileTurn{},
		Workspace: session.FileWorkspace{Name: x.w.name, Model: x.w.Knowledge().Model.Version, Tables: x.read},
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

// origin is what a session was forked from: here, or where the file was written that it came with.
func (x *surveyed) origin() *session.Origin {
	if x.head.Origin == nil && x.head.Imported != nil {
		return x.head.Imported.Origin
	}
	return x.head.Origin
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
