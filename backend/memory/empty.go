package memory

import (
	"context"
	"database/sql"
	"time"

	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
)

// keepEmpty is how long a session is kept in which nothing was asked. It stands in no list.
const keepEmpty = 24 * time.Hour

// Create begins a session in which nothing was asked yet. Without a title its first question gives it one. Fault Conflict: there is a session of that name.
func (m *Memory) Create(ctx context.Context, id, title string) error {
	now := stamp(m.now())
	var head auditHead
	err := m.update(ctx, func(tx *sql.Tx) (err error) {
		if head, err = m.remake(ctx, tx, id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO session (id, title, created, updated) VALUES (?, ?, ?, ?)`, id, session.Title(title), now, now)
		return err
	})
	if err == nil {
		m.writeHead(head)
	}
	if duplicate(err) {
		return fault.Wrap(fault.Conflict, "begin session", text.Say("memory.branch_taken", "session", id), "", err)
	}
	return m.classify("begin session", err)
}
