package memory

import (
	"context"
	"database/sql"
)

// outlived are the sessions whose time to be restored is over, and those in which nothing was asked. It wants two times.
const outlived = `(deleted < ? OR updated < ? AND imported IS NULL AND NOT EXISTS (SELECT 1 FROM request WHERE request.session = session.id))`

// forget removes the sessions that have outlived their time.
func (m *Memory) forget(ctx context.Context) error {
	old, unused := stamp(m.now().Add(-keepDeleted)), stamp(m.now().Add(-keepEmpty))
	var any bool
	if err := m.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM session WHERE `+outlived+`)`, old, unused).Scan(&any); err != nil || !any {
		return err
	}
	return m.update(ctx, func(tx *sql.Tx) error { return remove(ctx, tx, outlived, old, unused) })
}

// remove takes the sessions of a condition away, with all that is theirs. Of those that others descend from the name stays.
func remove(ctx context.Context, tx *sql.Tx, which string, args ...any) error {
	if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO ancestor (session, origin, turn, artifact) SELECT id, origin, origin_turn, origin_artifact FROM session
		WHERE `+which+` AND (EXISTS (SELECT 1 FROM session o WHERE o.origin = session.id) OR EXISTS (SELECT 1 FROM ancestor WHERE origin = session.id))`, args...); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM session WHERE `+which, args...); err != nil {
		return err
	}
	for { // until everyone who is left has somebody below
		done, err := tx.ExecContext(ctx, `DELETE FROM ancestor WHERE NOT EXISTS (SELECT 1 FROM session WHERE origin = ancestor.session)
			AND NOT EXISTS (SELECT 1 FROM ancestor o WHERE o.origin = ancestor.session)`)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return err
		}
	}
}

// remake makes room for a session under the name of one that was deleted.
func remake(ctx context.Context, tx *sql.Tx, id string) error {
	var deleted bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM session WHERE id = ? AND deleted IS NOT NULL)`, id).Scan(&deleted); err != nil || !deleted {
		return err
	}
	return remove(ctx, tx, `id = ?`, id)
}
