package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
)

// SessionHead is a session in a list.
type SessionHead struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	Turns   int       `json:"turns" doc:"That stand in its conversation"`
	Cleared int       `json:"cleared,omitempty" doc:"Turns that were cleared away; absent: none"`

	// Expires is when it is forgotten when it is not used before.
	Expires *time.Time `json:"expires,omitempty" doc:"When it is forgotten unless it is used or pinned before; absent: not within the next days"`

	Pinned   bool `json:"pinned"`   // it stands before the others
	Archived bool `json:"archived"` // it is out of sight
	Imported bool `json:"imported"` // it came with a file, and nobody has verified it
}

// standingTurns counts the turns that stand in the conversation of a session, versions of one as one.
const standingTurns = `(SELECT count(DISTINCT coalesce(place, turn)) FROM request WHERE request.session = session.id AND request.archived IS NULL)`

// Sessions lists the sessions, those that are archived too: the pinned ones first, then the one used last. Those in which nothing was asked are not
// among them.
func (m *Memory) Sessions(ctx context.Context) ([]SessionHead, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT id, title, created, updated, `+standingTurns+`, (SELECT count(DISTINCT coalesce(place, turn)) FROM request WHERE request.session = session.id AND archived IS NOT NULL),
		expires, pinned IS NOT NULL, archived IS NOT NULL, imported IS NOT NULL FROM session
		WHERE deleted IS NULL AND (imported IS NOT NULL OR EXISTS (SELECT 1 FROM request WHERE request.session = session.id)) ORDER BY pinned IS NULL, updated DESC, rowid DESC`)
	if err != nil {
		return nil, m.classify("list sessions", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	heads := []SessionHead{}
	for rows.Next() {
		var h SessionHead
		var created, updated string
		var expires sql.NullString
		if err := rows.Scan(&h.ID, &h.Title, &created, &updated, &h.Turns, &h.Cleared, &expires, &h.Pinned, &h.Archived, &h.Imported); err != nil {
			return nil, m.classify("list sessions", err)
		}
		if h.Created, h.Updated, err = moments(created, updated); err != nil {
			return nil, m.classify("list sessions", err)
		}
		if h.Expires, err = momentOrNil(expires); err != nil {
			return nil, m.classify("list sessions", err)
		}
		heads = append(heads, h)
	}
	return heads, m.classify("list sessions", rows.Err())
}

// Session gives a whole session. A turn whose process died reads "interrupted"; one that still runs has no outcome.
// Fault NotFound.
func (m *Memory) Session(ctx context.Context, id string) (*session.Document, error) {
	d, err := m.head(ctx, id)
	if err == nil {
		d.Turns, _, err = m.turns(ctx, `WHERE session = ? ORDER BY turn`, id)
	}
	if err != nil {
		return nil, m.classify("read session", err)
	}
	return d, nil
}

// head gives a session without its turns.
func (m *Memory) head(ctx context.Context, id string) (*session.Document, error) {
	if err := m.settle(ctx); err != nil {
		return nil, err
	}
	d := session.Document{ID: id}
	var created, updated string
	var origin session.Origin
	var imported sql.NullString
	err := m.read.QueryRowContext(ctx, `SELECT title, created, updated, origin, origin_title, origin_turn, origin_artifact, imported FROM session WHERE id = ? AND deleted IS NULL`, id).
		Scan(&d.Title, &created, &updated, &origin.SessionID, &origin.Title, &origin.Turn, &origin.Artifact, &imported)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, noSession(id)
	}
	if origin.SessionID != "" {
		d.Origin = &origin
	}
	if err == nil && imported.Valid {
		err = json.Unmarshal([]byte(imported.String), &d.Imported)
	}
	if err == nil {
		d.Created, d.Updated, err = moments(created, updated)
	}
	return &d, err
}

// traceNow is the trace of a request; of one that runs, the steps that ended.
const traceNow = `CASE WHEN finished IS NULL THEN (SELECT json_group_array(json(step.body) ORDER BY step.position) FROM step WHERE step.request = request.id) ELSE trace END`

// turns reads requests as turns, with their artifacts.
func (m *Memory) turns(ctx context.Context, which string, arg string) ([]session.Turn, string, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT id, session, turn, coalesce(place, turn), instead_of, worded, question, asked, outcome, status, frame_ql, answer, fault, `+traceNow+`, said, given, made_by, request.archived,
		NOT EXISTS (SELECT 1 FROM request o WHERE o.session = request.session AND coalesce(o.place, o.turn) = coalesce(request.place, request.turn) AND (o.chosen, o.turn) > (request.chosen, request.turn)),
		thumb, reason, words, serious, feedback.at, json_remove(holding.body, '$.comparison'), elsewhere
		FROM request LEFT JOIN feedback ON feedback.request = request.id LEFT JOIN holding ON holding.request = request.id `+which, arg)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	turns := []session.Turn{}
	sessionID := ""
	for rows.Next() {
		var t session.Turn
		var asked, trace string
		var answer, failure, said, given, madeBy, archived, holding, elsewhere sql.NullString
		var f storedFeedback
		if err := rows.Scan(&t.RequestID, &sessionID, &t.Index, &t.Place, &t.InsteadOf, &t.Worded, &t.Question, &asked, &t.Outcome, &t.Status, &t.FrameQL, &answer, &failure, &trace, &said, &given, &madeBy, &archived,
			&t.Chosen, &f.thumb, &f.reason, &f.words, &f.serious, &f.at, &holding, &elsewhere); err != nil {
			return nil, "", err
		}
		if t.Asked, err = moment(asked); err != nil {
			return nil, "", err
		}
		if t.Archived, err = momentOrNil(archived); err != nil {
			return nil, "", err
		}
		if t.Feedback, err = f.feedback(); err != nil {
			return nil, "", err
		}
		t.Answer = json.RawMessage("null")
		if answer.Valid {
			t.Answer = json.RawMessage(answer.String)
		}
		for _, part := range []struct {
			raw  sql.NullString
			into any
		}{{failure, &t.Fault}, {given, &t.Given}, {madeBy, &t.MadeBy}, {holding, &t.Holding}, {elsewhere, &t.Elsewhere}} {
			if !part.raw.Valid {
				continue
			}
			if err := json.Unmarshal([]byte(part.raw.String), part.into); err != nil {
				return nil, "", err
			}
		}
		if said.Valid {
			t.Said = json.RawMessage(said.String)
		}
		t.Trace = []session.Step{}
		if err := json.Unmarshal([]byte(trace), &t.Trace); err != nil {
			return nil, "", err
		}
		turns = append(turns, t)
	}
	if err := rows.Err(); err != nil {
		return nil, "", err
	}
	for i := range turns {
		if turns[i].Artifacts, err = m.artifacts(ctx, turns[i]); err != nil {
			return nil, "", err
		}
	}
	return turns, sessionID, nil
}

func (m *Memory) artifacts(ctx context.Context, t session.Turn) ([]session.Artifact, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT id, kind, title, body, created FROM artifact WHERE request = ? ORDER BY position`, t.RequestID)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	all := []session.Artifact{}
	for rows.Next() {
		a := session.Artifact{Turn: t.Index}
		var body, created string
		if err := rows.Scan(&a.ID, &a.Kind, &a.Title, &body, &created); err != nil {
			return nil, err
		}
		a.Body = json.RawMessage(body)
		if a.Created, err = moment(created); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, rows.Err()
}

// Rename gives a session another title. Faults: Invalid (an empty title), NotFound.
func (m *Memory) Rename(ctx context.Context, id, title string) error {
	title = session.Title(title)
	if title == "" {
		return fault.New(fault.Invalid, "rename session", text.Say("memory.empty_title"), text.Say("memory.empty_title_hint"))
	}
	return m.classify("rename session", m.update(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE session SET title = ? WHERE id = ? AND deleted IS NULL`, title, id)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, noSession(id))
		}
		return indexSession(ctx, tx, id)
	}))
}

// Pin puts a session before the others, or back among them. What is pinned is in sight. Fault NotFound.
func (m *Memory) Pin(ctx context.Context, id string, pinned bool) error {
	if !pinned {
		return m.change(ctx, "pin session", id, `UPDATE session SET pinned = NULL WHERE id = ? AND deleted IS NULL`, id)
	}
	return m.change(ctx, "pin session", id, `UPDATE session SET pinned = coalesce(pinned, ?), archived = NULL, expires = NULL WHERE id = ? AND deleted IS NULL`, stamp(m.now()), id)
}

// Archive puts a session out of sight, or back into it. What is archived is not pinned. Fault NotFound.
func (m *Memory) Archive(ctx context.Context, id string, archived bool) error {
	if !archived {
		return m.change(ctx, "archive session", id, `UPDATE session SET archived = NULL WHERE id = ? AND deleted IS NULL`, id)
	}
	return m.change(ctx, "archive session", id, `UPDATE session SET archived = coalesce(archived, ?), pinned = NULL WHERE id = ? AND deleted IS NULL`, stamp(m.now()), id)
}

// Delete hides a session. It can be restored for 30 days, then it is forgotten. Fault NotFound.
func (m *Memory) Delete(ctx context.Context, id string) error {
	return m.change(ctx, "delete session", id, `UPDATE session SET deleted = ? WHERE id = ? AND deleted IS NULL`, stamp(m.now()), id)
}

// Restore brings a deleted session back. Fault NotFound: it is not there, or it was not deleted.
func (m *Memory) Restore(ctx context.Context, id string) error {
	return m.change(ctx, "restore session", id, `UPDATE session SET deleted = NULL, expires = NULL WHERE id = ? AND deleted IS NOT NULL`, id)
}

func (m *Memory) change(ctx context.Context, op, id, statement string, args ...any) error {
	return m.classify(op, m.update(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, statement, args...)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, noSession(id))
		}
		return nil
	}))
}

func noSession(id string) error {
	return fault.New(fault.NotFound, "read session", text.Say("memory.no_session", "session", strings.TrimSpace(id)), text.Say("memory.no_session_hint"))
}

func moments(created, updated string) (c, u time.Time, err error) {
	if c, err = moment(created); err != nil {
		return c, u, err
	}
	u, err = moment(updated)
	return c, u, err
}
