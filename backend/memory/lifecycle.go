package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/text"
)

const standingColumns = `id, session, turn, question, frame_ql, actor, asked, outcome, status, stage, level, coalesce(until, ''), ending, settled, settled_by, settled_how, coalesce(answer, '')`

// Standing says how a request stands. Fault NotFound.
func (m *Memory) Standing(ctx context.Context, requestID string) (analyst.Standing, error) {
	all, err := m.standings(ctx, `WHERE id = ?`, requestID)
	if err == nil && len(all) == 0 {
		err = noRequest(requestID)
	}
	if err != nil {
		return analyst.Standing{}, m.classify("read request", err)
	}
	return all[0], nil
}

// Due lists the requests whose waiting is over by then, the first one first.
func (m *Memory) Due(ctx context.Context, now time.Time) ([]analyst.Standing, error) {
	all, err := m.standings(ctx, `WHERE until IS NOT NULL AND until <= ? AND settled = '' ORDER BY until, rowid`, stamp(now))
	return all, m.classify("list due requests", err)
}

// Waiting lists the requests of a session that wait for somebody, the oldest first.
func (m *Memory) Waiting(ctx context.Context, sessionID string) ([]analyst.Standing, error) {
	all, err := m.standings(ctx, `WHERE session = ? AND finished IS NOT NULL AND stage <> 'close' AND settled = '' ORDER BY turn`, sessionID)
	return all, m.classify("list waiting requests", err)
}

func (m *Memory) standings(ctx context.Context, which string, args ...any) ([]analyst.Standing, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT `+standingColumns+` FROM request `+which, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	all := []analyst.Standing{}
	for rows.Next() {
		var s analyst.Standing
		var asked, until, answer string
		if err := rows.Scan(&s.RequestID, &s.SessionID, &s.Turn, &s.Question, &s.FrameQL, &s.Actor, &asked, &s.Outcome, &s.Status, &s.Stage, &s.Level, &until, &s.Ending, &s.Settled, &s.By, &s.How, &answer); err != nil {
			return nil, err
		}
		if s.Asked, err = moment(asked); err != nil {
			return nil, err
		}
		if until != "" {
			if s.Until, err = moment(until); err != nil {
				return nil, err
			}
		}
		s.Answer = []byte(answer)
		all = append(all, s)
	}
	return all, rows.Err()
}

// Settle moves a request that waits, with its notices and records, all of it or nothing. Faults: Conflict (it does not stand
// as it did, because somebody or the clock was faster), NotFound, and those of Begin.
func (m *Memory) Settle(ctx context.Context, s analyst.Settlement) error {
	var head auditHead
	err := m.update(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE request SET stage = ?, settled = ?, settled_at = ?, settled_by = ?, settled_how = ?
			WHERE id = ? AND stage = ? AND settled = ''`, string(s.To), string(s.On), stamp(m.now()), s.By, s.How, s.RequestID, string(s.From))
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, m.whyNotSettled(ctx, tx, s.RequestID))
		}
		head, err = m.tell(ctx, tx, s.Notices, s.Records)
		return err
	})
	if err == nil {
		m.writeHead(head)
	}
	return m.classify("settle request", err)
}

func (m *Memory) whyNotSettled(ctx context.Context, tx *sql.Tx, requestID string) error {
	var settled string
	switch err := tx.QueryRowContext(ctx, `SELECT settled FROM request WHERE id = ?`, requestID).Scan(&settled); {
	case errors.Is(err, sql.ErrNoRows):
		return noRequest(requestID)
	case err != nil:
		return err
	}
	return fault.New(fault.Conflict, "settle request", text.Say("memory.settled", "request", requestID), text.Say("memory.settled_hint"))
}

// tell writes notices and records within a transaction.
func (m *Memory) tell(ctx context.Context, tx *sql.Tx, notices []analyst.Notice, records []analyst.Record) (head auditHead, err error) {
	for _, n := range notices {
		if _, err := tx.ExecContext(ctx, `INSERT INTO notice (at, request, kind, actor, role, words) VALUES (?, ?, ?, ?, ?, ?)`,
			stamp(m.now()), n.RequestID, n.Kind, n.Actor, n.Role, n.Words); err != nil {
			return head, err
		}
	}
	for _, r := range records {
		if head, err = m.record(ctx, tx, r); err != nil {
			return head, err
		}
	}
	return head, nil
}

// StoredNotice is a notice in somebody's inbox.
type StoredNotice struct {
	ID        int64     `json:"id"`
	At        time.Time `json:"at"`
	RequestID string    `json:"request_id"`
	SessionID string    `json:"session_id"`
	Question  string    `json:"question"`
	Kind      string    `json:"kind"`
	Role      string    `json:"role"` // whose role it is for; empty: it is the actor's own
	Words     string    `json:"words"`
	Read      bool      `json:"read"`
}

// Inbox lists what an actor of a role is told, the newest first: what is for the actor, and what is for the role.
func (m *Memory) Inbox(ctx context.Context, actor, role string) ([]StoredNotice, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT notice.id, at, request, session, question, kind, role, words, read IS NOT NULL FROM notice
		JOIN request ON request.id = notice.request JOIN session ON session.id = request.session
		WHERE session.deleted IS NULL AND (notice.actor = ? OR notice.actor = '' AND role = ?) ORDER BY notice.id DESC LIMIT 500`, actor, role)
	if err != nil {
		return nil, m.classify("read inbox", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	all := []StoredNotice{}
	for rows.Next() {
		var n StoredNotice
		var at string
		if err := rows.Scan(&n.ID, &at, &n.RequestID, &n.SessionID, &n.Question, &n.Kind, &n.Role, &n.Words, &n.Read); err != nil {
			return nil, m.classify("read inbox", err)
		}
		if n.At, err = moment(at); err != nil {
			return nil, m.classify("read inbox", err)
		}
		all = append(all, n)
	}
	return all, m.classify("read inbox", rows.Err())
}

// ReadNotice marks a notice of an actor or of its role as read. Fault NotFound: there is none of that number for them.
func (m *Memory) ReadNotice(ctx context.Context, id int64, actor, role string) error {
	return m.classify("read notice", m.update(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE notice SET read = coalesce(read, ?) WHERE id = ? AND (actor = ? OR actor = '' AND role = ?)`, stamp(m.now()), id, actor, role)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fault.New(fault.NotFound, "read notice", text.Say("memory.no_notice", "id", id), ""))
		}
		return nil
	}))
}

// Golden is a query that a person confirmed to be right.
type Golden struct {
	ID        string    `json:"id"`
	Question  string    `json:"question"`
	FrameQL   string    `json:"frame_ql"`
	Owner     string    `json:"owner"` // whose it is; empty: everyone's
	Model     string    `json:"model"` // version of the model that it was confirmed under
	RequestID string    `json:"request_id"`
	Confirmed time.Time `json:"confirmed"`
}

// Goldens lists the golden queries, the oldest first.
func (m *Memory) Goldens(ctx context.Context) ([]Golden, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT id, question, frame_ql, owner, model, request, confirmed FROM golden ORDER BY rowid`)
	if err != nil {
		return nil, m.classify("read golden queries", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	all := []Golden{}
	for rows.Next() {
		var g Golden
		var confirmed string
		if err := rows.Scan(&g.ID, &g.Question, &g.FrameQL, &g.Owner, &g.Model, &g.RequestID, &confirmed); err != nil {
			return nil, m.classify("read golden queries", err)
		}
		if g.Confirmed, err = moment(confirmed); err != nil {
			return nil, m.classify("read golden queries", err)
		}
		all = append(all, g)
	}
	return all, m.classify("read golden queries", rows.Err())
}

// AddGolden keeps a golden query. One with its ID is replaced.
func (m *Memory) AddGolden(ctx context.Context, g Golden) error {
	return m.classify("keep golden query", m.update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO golden (id, question, frame_ql, owner, model, request, confirmed) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			g.ID, g.Question, g.FrameQL, g.Owner, g.Model, g.RequestID, stamp(m.now()))
		return err
	}))
}

// Keep keeps a value under a name, and Kept gives it back; found false: there is none.
func (m *Memory) Keep(ctx context.Context, name string, value any) error {
	raw, err := json.Marshal(value)
	if err == nil {
		err = m.update(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO kept (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, string(raw))
			return err
		})
	}
	return m.classify("keep", err)
}

// Kept gives what Keep kept.
func (m *Memory) Kept(ctx context.Context, name string, value any) (found bool, err error) {
	var raw string
	err = m.read.QueryRowContext(ctx, `SELECT value FROM kept WHERE name = ?`, name).Scan(&raw)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(raw), value)
	}
	return err == nil, m.classify("read what was kept", err)
}
