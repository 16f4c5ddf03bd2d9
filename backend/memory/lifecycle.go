package memory

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/text"
)

const standingColumns = `id, session, turn, question, frame_ql, actor, asked, outcome, status, stage, level, coalesce(until, ''), ending, settled, settled_by, settled_how, instead_of, coalesce(answer, '')`

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

// Waiting lists the requests of a session that wait for somebody, the oldest first; what was cleared away waits for nobody in the conversation.
func (m *Memory) Waiting(ctx context.Context, sessionID string) ([]analyst.Standing, error) {
	all, err := m.standings(ctx, `WHERE session = ? AND archived IS NULL AND finished IS NOT NULL AND stage <> 'close' AND settled = '' ORDER BY turn`, sessionID)
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
		if err := rows.Scan(&s.RequestID, &s.SessionID, &s.Turn, &s.Question, &s.FrameQL, &s.Actor, &asked, &s.Outcome, &s.Status, &s.Stage, &s.Level, &until, &s.Ending, &s.Settled, &s.By, &s.How, &s.InsteadOf, &answer); err != nil {
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

// tell writes notices and records within a transaction. What is about no request, and is said already and unread, is not said again.
func (m *Memory) tell(ctx context.Context, tx *sql.Tx, notices []analyst.Notice, records []analyst.Record) (head auditHead, err error) {
	for _, n := range notices {
		if _, err := tx.ExecContext(ctx, `INSERT INTO notice (at, request, kind, actor, role, words) SELECT ?1, ?2, ?3, ?4, ?5, ?6
			WHERE ?2 IS NOT NULL OR NOT EXISTS (SELECT 1 FROM notice WHERE request IS NULL AND kind = ?3 AND actor = ?4 AND role = ?5 AND words = ?6 AND read IS NULL)`,
			stamp(m.now()), sql.NullString{String: n.RequestID, Valid: n.RequestID != ""}, n.Kind, n.Actor, n.Role, n.Words); err != nil {
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
