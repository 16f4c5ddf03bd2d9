package memory

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

// StoredNotice is a notice in somebody's inbox.
type StoredNotice struct {
	ID        int64     `json:"id"`
	At        time.Time `json:"at"`
	RequestID string    `json:"request_id"` // empty, like the session and the question: it is about none
	SessionID string    `json:"session_id"`
	Question  string    `json:"question"`
	Kind      string    `json:"kind"`
	Role      string    `json:"role"` // whose role it is for; empty: it is the actor's own
	Words     string    `json:"words"`
	Read      bool      `json:"read"`
}

// Inbox lists what an actor of a role is told, the newest first: what is for the actor, and what is for the role.
func (m *Memory) Inbox(ctx context.Context, actor, role string) ([]StoredNotice, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT notice.id, at, coalesce(request, ''), coalesce(session, ''), coalesce(question, ''), kind, role, words, read IS NOT NULL FROM notice
		LEFT JOIN request ON request.id = notice.request LEFT JOIN session ON session.id = request.session
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
