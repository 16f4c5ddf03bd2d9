package memory

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"iter"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
)

// SettledImported is how a request of an imported session stands: nothing of it waits for anybody.
const SettledImported = "imported"

// Arriving is a session that comes with a file, under the names that it has here.
type Arriving struct {
	ID, Title string
	Created   time.Time
	Imported  session.Imported
	Model     map[string][]byte // files of a semantic model that came with it, by path; they are kept beside it
}

// Import writes a session that came with a file, turn by turn and all of it or nothing. Its requests are finished and settled, their owner is
// who imported it, and what its people said of answers counts for nobody here. Faults: Conflict (a name is taken), those of turns, and those
// of Begin.
func (m *Memory) Import(ctx context.Context, a Arriving, turns iter.Seq2[session.Turn, error]) error {
	imported, err := json.Marshal(a.Imported)
	if err != nil {
		return m.classify("import session", err)
	}
	err = m.update(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO session (id, title, created, updated, imported) VALUES (?, ?, ?, ?, ?)`,
			a.ID, a.Title, stamp(a.Created), stamp(a.Imported.At), string(imported)); err != nil {
			return err
		}
		for path, content := range a.Model {
			if _, err := tx.ExecContext(ctx, `INSERT INTO session_model (session, path, content) VALUES (?, ?, ?)`, a.ID, path, content); err != nil {
				return err
			}
		}
		for t, err := range turns {
			if err == nil {
				err = m.importTurn(ctx, tx, a, t)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if duplicate(err) {
		return fault.Wrap(fault.Conflict, "import session", text.Say("memory.branch_taken", "session", a.ID), "", err)
	}
	return m.classify("import session", err)
}

func (m *Memory) importTurn(ctx context.Context, tx *sql.Tx, a Arriving, t session.Turn) error {
	trace, err := json.Marshal(t.Trace)
	if err != nil {
		return err
	}
	failure, err := jsonOrNull(t.Fault)
	if err != nil {
		return err
	}
	given, err := jsonOrNull(t.Given)
	if err != nil {
		return err
	}
	madeBy, err := jsonOrNull(t.MadeBy)
	if err != nil {
		return err
	}
	elsewhere, err := jsonOrNull(t.Elsewhere)
	if err != nil {
		return err
	}
	answer := t.Answer
	if string(answer) == "null" {
		answer = nil
	}
	var place, archived any
	if t.Archived != nil {
		archived = stamp(*t.Archived)
	}
	if t.Place != t.Index {
		place = t.Place
	}
	now := stamp(a.Imported.At)
	if _, err := tx.ExecContext(ctx, `INSERT INTO request (id, session, turn, question, actor, asked, overrides, instance, finished, outcome, status, frame_ql, answer, fault, trace, said,
			stage, settled, settled_at, place, chosen, worded, instead_of, given, made_by, archived, elsewhere)
		VALUES (?, ?, ?, ?, ?, ?, '{}', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		t.RequestID, a.ID, t.Index, t.Question, a.Imported.By, stamp(t.Asked), m.presence.instance, now, t.Outcome, t.Status, t.FrameQL, nullable(answer), failure,
		string(trace), nullable(t.Said), string(analyst.StageClose), SettledImported, now, place, t.Chosen, t.Worded, t.InsteadOf, given, madeBy, archived, elsewhere); err != nil {
		return err
	}
	for i, x := range t.Artifacts {
		if _, err := tx.ExecContext(ctx, `INSERT INTO artifact (id, request, position, kind, title, body, created) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			x.ID, t.RequestID, i, string(x.Kind), x.Title, string(x.Body), stamp(x.Created)); err != nil {
			return err
		}
	}
	if f := t.Feedback; f != nil {
		_, err := tx.ExecContext(ctx, `INSERT INTO feedback (request, actor, at, thumb, reason, words, serious, metrics) VALUES (?, '', ?, ?, ?, ?, ?, '[]')`,
			t.RequestID, stamp(f.At), f.Thumb, f.Reason, f.Words, f.Serious)
		if err != nil {
			return err
		}
	}
	return index(ctx, tx, t.RequestID, metricLabels(bytes.NewReader(answer)))
}

// ownSession says that a session was made here; nothing is asked in one that was imported. Fault Conflict.
func ownSession(ctx context.Context, tx *sql.Tx, id string) error {
	var imported bool
	err := tx.QueryRowContext(ctx, `SELECT imported IS NOT NULL FROM session WHERE id = ?`, id).Scan(&imported)
	if err == nil && imported {
		return fault.New(fault.Conflict, "begin request", text.Say("memory.imported"), text.Say("memory.imported_hint"))
	}
	return err
}

// SessionModel gives the files of the semantic model that came with a session, by path; none: nothing came. Fault NotFound.
func (m *Memory) SessionModel(ctx context.Context, id string) (map[string][]byte, error) {
	if _, err := m.head(ctx, id); err != nil {
		return nil, m.classify("read session", err)
	}
	rows, err := m.read.QueryContext(ctx, `SELECT path, content FROM session_model WHERE session = ?`, id)
	if err != nil {
		return nil, m.classify("read session", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	files := map[string][]byte{}
	for rows.Next() {
		var path string
		var content []byte
		if err := rows.Scan(&path, &content); err != nil {
			return nil, m.classify("read session", err)
		}
		files[path] = content
	}
	return files, m.classify("read session", rows.Err())
}

// ImportedFrom lists the sessions that came with a file of a hash, the latest first.
func (m *Memory) ImportedFrom(ctx context.Context, sha256 string) ([]string, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT id FROM session WHERE deleted IS NULL AND imported IS NOT NULL AND json_extract(imported, '$.sha256') = ? ORDER BY rowid DESC`, sha256)
	if err != nil {
		return nil, m.classify("list sessions", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	all := []string{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, m.classify("list sessions", err)
		}
		all = append(all, id)
	}
	return all, m.classify("list sessions", rows.Err())
}

// SignedWith lists the titles of the sessions that came with a file that was signed with a key of a fingerprint, the latest first.
func (m *Memory) SignedWith(ctx context.Context, fingerprint string) ([]string, error) {
	titles, err := texts(ctx, m.read, `SELECT title FROM session WHERE deleted IS NULL AND imported IS NOT NULL AND json_extract(imported, '$.fingerprint') = ?
		AND json_extract(imported, '$.signature') = 'valid' ORDER BY rowid DESC LIMIT 5`, fingerprint)
	return append([]string{}, titles...), m.classify("list sessions", err)
}

// SessionHead gives a session without its turns. Fault NotFound.
func (m *Memory) SessionHead(ctx context.Context, id string) (*session.Document, error) {
	d, err := m.head(ctx, id)
	return d, m.classify("read session", err)
}

// EachTurn hands out the turns of a session in their order, one at a time: however many rows they have, one turn of them is in memory. Faults:
// those of each.
func (m *Memory) EachTurn(ctx context.Context, id string, each func(session.Turn) error) error {
	ids, err := m.requestsOf(ctx, id)
	if err != nil {
		return m.classify("read session", err)
	}
	for _, request := range ids {
		turns, _, err := m.turns(ctx, `WHERE id = ?`, request)
		if err != nil {
			return m.classify("read session", err)
		}
		for _, t := range turns {
			if err := each(t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *Memory) requestsOf(ctx context.Context, sessionID string) ([]string, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT id FROM request WHERE session = ? ORDER BY turn`, sessionID)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
