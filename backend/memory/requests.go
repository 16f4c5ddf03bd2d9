package memory

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
)

// Begin writes a request as the next turn of its session, which it makes when it is new, and returns after the request
// is durable on disk. Turns count from 1. Another version of a turn takes its place and is the chosen one there. A session
// that was deleted is forgotten and begins anew under its name. Faults: Conflict (the request is known already), NotFound
// (what it stands instead of is not in the session), Conflict (the session was imported: it is forked first), Unavailable (no space, read-only, busy), Invalid (damaged file), Canceled.
func (m *Memory) Begin(ctx context.Context, r analyst.Stored) (int, error) {
	overrides, err := json.Marshal(r.Overrides)
	if err != nil {
		return 0, m.classify("begin request", err)
	}
	given, err := json.Marshal(r.Given)
	if err != nil {
		return 0, m.classify("begin request", err)
	}
	turn := 0
	var head auditHead
	err = m.update(ctx, func(tx *sql.Tx) error {
		asked := stamp(r.Asked)
		if head, err = m.remake(ctx, tx, r.SessionID); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO session (id, title, created, updated) VALUES (?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET updated = max(updated, excluded.updated), title = CASE title WHEN '' THEN excluded.title ELSE title END, expires = NULL`,
			r.SessionID, session.Title(r.Question), asked, asked); err != nil {
			return err
		}
		if err := ownSession(ctx, tx, r.SessionID); err != nil {
			return err
		}
		at, chosen, err := placeOf(ctx, tx, r)
		if err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `INSERT INTO request (id, session, turn, question, actor, asked, overrides, instance, place, chosen, instead_of, worded, given)
			VALUES (?, ?, (SELECT coalesce(max(turn), 0) + 1 FROM request WHERE session = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING turn`,
			r.RequestID, r.SessionID, r.SessionID, r.Question, r.Actor, asked, string(overrides), m.presence.instance, at, chosen, r.InsteadOf, r.Worded, string(given)).Scan(&turn)
	})
	if err == nil {
		m.writeHead(head)
	}
	if duplicate(err) {
		return 0, fault.Wrap(fault.Conflict, "begin request", text.Say("memory.duplicate", "request", r.RequestID), "", err)
	}
	return turn, m.classify("begin request", err)
}

// Finish writes what came of a request, all of it or nothing, and returns after it is durable on disk. Faults: NotFound
// (no such request; its session may have been deleted), Conflict (it is finished already), and those of Begin.
func (m *Memory) Finish(ctx context.Context, requestID string, c analyst.Closing) error {
	t := c.Turn
	trace, err := json.Marshal(t.Trace)
	if err != nil {
		return m.classify("finish request", err)
	}
	failure, err := jsonOrNull(t.Fault)
	if err != nil {
		return m.classify("finish request", err)
	}
	madeBy, err := jsonOrNull(t.MadeBy)
	if err != nil {
		return m.classify("finish request", err)
	}
	var head auditHead
	err = m.update(ctx, func(tx *sql.Tx) error {
		now := stamp(m.now())
		// An interrupted request may still finish: its lock may have been lost without its process.
		done, err := tx.ExecContext(ctx, `UPDATE request SET finished = ?, outcome = ?, status = ?, frame_ql = ?, answer = ?, fault = ?, trace = ?, said = ?, made_by = ?,
			stage = ?, level = ?, until = ?, ending = ? WHERE id = ? AND (finished IS NULL OR outcome = ?)`,
			now, t.Outcome, t.Status, t.FrameQL, nullable(t.Answer), failure, string(trace), nullable(t.Said), madeBy,
			cmp.Or(string(c.Stage), string(analyst.StageClose)), c.Level, stampOrNull(c.Until), string(c.Ending), requestID, session.Interrupted)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, m.whyNotFinished(ctx, tx, requestID))
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM step WHERE request = ?`, requestID); err != nil { // its trace has them
			return err
		}
		for i, a := range t.Artifacts {
			if _, err := tx.ExecContext(ctx, `INSERT INTO artifact (id, request, position, kind, title, body, created) VALUES (?, ?, ?, ?, ?, ?, ?)`,
				a.ID, requestID, i, string(a.Kind), a.Title, string(a.Body), stamp(a.Created)); err != nil {
				return err
			}
		}
		if _, err = tx.ExecContext(ctx, `UPDATE session SET updated = max(updated, ?) WHERE id = (SELECT session FROM request WHERE id = ?)`, now, requestID); err != nil {
			return err
		}
		if err := indexFinished(ctx, tx, requestID, t); err != nil {
			return err
		}
		head, err = m.tell(ctx, tx, c.Notices, c.Records)
		return err
	})
	if err == nil {
		m.writeHead(head)
	}
	return m.classify("finish request", err)
}

func (m *Memory) whyNotFinished(ctx context.Context, tx *sql.Tx, requestID string) error {
	var finished bool
	err := tx.QueryRowContext(ctx, `SELECT finished IS NOT NULL FROM request WHERE id = ?`, requestID).Scan(&finished)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return noRequest(requestID)
	case err != nil:
		return err
	}
	return fault.New(fault.Conflict, "finish request", text.Say("memory.finished", "request", requestID), "")
}

func noRequest(id string) error {
	return fault.New(fault.NotFound, "read request", text.Say("memory.no_request", "request", id), text.Say("memory.no_request_hint"))
}

// Find gives the turn of a request and the session that it belongs to: what was emitted can be fetched again. Fault
// NotFound.
func (m *Memory) Find(ctx context.Context, requestID string) (sessionID string, t session.Turn, err error) {
	if err := m.settle(ctx); err != nil {
		return "", t, m.classify("read request", err)
	}
	turns, sessionID, err := m.turns(ctx, `WHERE id = ?`, requestID)
	if err != nil {
		return "", t, m.classify("read request", err)
	}
	if len(turns) == 0 {
		return "", t, noRequest(requestID)
	}
	return sessionID, turns[0], nil
}

// settle marks the unfinished requests of dead instances as interrupted.
func (m *Memory) settle(ctx context.Context) error {
	dead, err := m.dead(ctx)
	if err != nil || len(dead) == 0 {
		return err
	}
	return m.update(ctx, func(tx *sql.Tx) error {
		for _, instance := range dead {
			ids, err := texts(ctx, tx, `SELECT id FROM request WHERE finished IS NULL AND instance = ?`, instance)
			if err != nil {
				return err
			}
			for _, id := range ids {
				if err := m.interrupt(ctx, tx, id); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// dead lists the instances that left requests unfinished and are gone.
func (m *Memory) dead(ctx context.Context) ([]string, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT DISTINCT instance FROM request WHERE finished IS NULL AND instance <> ?`, m.presence.instance)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	var dead []string
	for rows.Next() {
		var instance string
		if err := rows.Scan(&instance); err != nil {
			return nil, err
		}
		if !m.presence.alive(instance) {
			dead = append(dead, instance)
		}
	}
	return dead, rows.Err()
}

// update runs a transaction that is durable when it returns nil.
func (m *Memory) update(ctx context.Context, do func(*sql.Tx) error) error {
	return m.inTurn(ctx, false, func() error {
		tx, err := m.write.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }() // does nothing after Commit
		if err := do(tx); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// inTurn writes while nobody else of this process does. quickly: what is written outlives the program, and the disk is not waited for.
func (m *Memory) inTurn(ctx context.Context, quickly bool, write func() error) error {
	select {
	case m.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-m.turn }()
	if quickly != m.quick {
		mode := "FULL" // as a connection has it that is new
		if quickly {
			mode = "NORMAL"
		}
		m.quick = true // until it is known to wait
		if _, err := m.write.ExecContext(ctx, "PRAGMA synchronous = "+mode); err != nil {
			return err
		}
		m.quick = quickly
	}
	return write()
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000Z") }

func stampOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return stamp(t)
}

// momentOrNil is a time that may not be there.
func momentOrNil(s sql.NullString) (*time.Time, error) {
	if !s.Valid {
		return nil, nil
	}
	t, err := moment(s.String)
	return &t, err
}

func moment(s string) (time.Time, error) { return time.Parse(time.RFC3339Nano, s) }

func nullable(raw []byte) any {
	if len(raw) == 0 {
		return nil
	}
	return string(raw)
}

// jsonOrNull is a value as it is stored; nil: null.
func jsonOrNull[T any](v *T) (any, error) {
	if v == nil {
		return nil, nil
	}
	raw, err := json.Marshal(v)
	return string(raw), err
}
