package memory

import (
	"context"
	"database/sql"
	"errors"

	"assay/backend/fault"
	"assay/backend/text"
)

// Cleared says how many turns were put out of a conversation or back into it; of several versions of one the place counts.
type Cleared struct {
	Turns int `json:"turns"`
}

// Clear puts the turns that stand in a session out of its conversation: they are shown, and nothing goes on from them. The session keeps its title, and its
// next turn counts on from them. Faults: NotFound, Conflict (one of them runs, none stands, the session was imported).
func (m *Memory) Clear(ctx context.Context, id string) (Cleared, error) {
	return m.clear(ctx, "clear session", id, func(tx *sql.Tx) (int, error) {
		var running int
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(turn), 0) FROM request WHERE session = ? AND finished IS NULL`, id).Scan(&running); err != nil {
			return 0, err
		}
		if running > 0 {
			return 0, fault.New(fault.Conflict, "clear session", text.Say("memory.clear_running", "turn", running), text.Say("memory.clear_running_hint"))
		}
		n, err := places(ctx, tx, id, `archived IS NULL`)
		if err != nil {
			return 0, err
		}
		if n == 0 {
			return 0, fault.New(fault.Conflict, "clear session", text.Say("memory.clear_nothing"), "")
		}
		// What one clearing put out is told by its time, so that no two of a session have the same.
		var last sql.NullString
		if err := tx.QueryRowContext(ctx, `SELECT max(archived) FROM request WHERE session = ?`, id).Scan(&last); err != nil {
			return 0, err
		}
		now := m.now()
		if last.Valid {
			at, err := moment(last.String)
			if err != nil {
				return 0, err
			}
			if !now.After(at) {
				now = at.Add(1)
			}
		}
		_, err = tx.ExecContext(ctx, `UPDATE request SET archived = ? WHERE session = ? AND archived IS NULL`, stamp(now), id)
		return n, err
	})
}

// Unclear brings back into the conversation of a session what its last clearing put out. Faults: NotFound, Conflict (nothing was cleared, the session was
// imported).
func (m *Memory) Unclear(ctx context.Context, id string) (Cleared, error) {
	return m.clear(ctx, "bring back what was cleared", id, func(tx *sql.Tx) (int, error) {
		const last = `archived = (SELECT max(o.archived) FROM request o WHERE o.session = request.session)`
		n, err := places(ctx, tx, id, last)
		if err != nil {
			return 0, err
		}
		if n == 0 {
			return 0, fault.New(fault.Conflict, "bring back what was cleared", text.Say("memory.unclear_nothing"), "")
		}
		_, err = tx.ExecContext(ctx, `UPDATE request SET archived = NULL WHERE session = ? AND `+last, id)
		return n, err
	})
}

// clear changes what stands in the conversation of a session that was made here.
func (m *Memory) clear(ctx context.Context, op, id string, do func(*sql.Tx) (int, error)) (c Cleared, err error) {
	if err := m.settle(ctx); err != nil {
		return c, m.classify(op, err)
	}
	err = m.update(ctx, func(tx *sql.Tx) error {
		var imported bool
		err := tx.QueryRowContext(ctx, `SELECT imported IS NOT NULL FROM session WHERE id = ? AND deleted IS NULL`, id).Scan(&imported)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return noSession(id)
		case err != nil:
			return err
		case imported:
			return fault.New(fault.Conflict, op, text.Say("memory.clear_imported"), text.Say("memory.imported_hint"))
		}
		if c.Turns, err = do(tx); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE session SET updated = max(updated, ?) WHERE id = ?`, stamp(m.now()), id)
		return err
	})
	return c, m.classify(op, err)
}

// places counts the turns of a session for which a condition holds, versions of one as one.
func places(ctx context.Context, tx *sql.Tx, sessionID, which string) (n int, err error) {
	err = tx.QueryRowContext(ctx, `SELECT count(DISTINCT coalesce(place, turn)) FROM request WHERE session = ? AND `+which, sessionID).Scan(&n)
	return n, err
}
