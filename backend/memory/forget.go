package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/text"
)

// Why a session was removed, as the audit log says it.
const (
	goneDeleted = "deleted" // it was deleted, and nobody brought it back in time
	goneUnused  = "unused"  // nobody used it for as long as its person keeps sessions
	gonePurged  = "purged"  // its person wanted it gone at once
	goneRenewed = "renewed" // it was deleted, and another one begins under its name
)

// forget removes the sessions whose time to be restored is over, and those in which nothing was ever asked.
func (m *Memory) forget(ctx context.Context) error {
	const outlived, empty = `SELECT id FROM session WHERE deleted < ?`,
		`SELECT id FROM session WHERE updated < ? AND imported IS NULL AND NOT EXISTS (SELECT 1 FROM request WHERE request.session = session.id)`
	old, unused := stamp(m.now().Add(-keepDeleted)), stamp(m.now().Add(-keepEmpty))
	var any bool
	if err := m.read.QueryRowContext(ctx, `SELECT EXISTS (`+outlived+`) OR EXISTS (`+empty+`)`, old, unused).Scan(&any); err != nil || !any {
		return err
	}
	var head auditHead
	err := m.update(ctx, func(tx *sql.Tx) error {
		ids, err := texts(ctx, tx, outlived, old)
		if err != nil {
			return err
		}
		if head, err = m.remove(ctx, tx, ids, goneDeleted, ""); err != nil {
			return err
		}
		if ids, err = texts(ctx, tx, empty, unused); err != nil {
			return err
		}
		for _, id := range ids { // nothing is left of them, and there is nothing to tell
			if _, err := tx.ExecContext(ctx, `DELETE FROM session WHERE id = ?`, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		m.writeHead(head)
	}
	return err
}

// Purged says what went with a session.
type Purged struct {
	Requests []string // of the session
}

// Purge removes a session for good, deleted or not, with its questions, answers, values and what was said of them, on the word of an actor. What is left is its
// rows in the audit log, the name of a session that others descend from, and golden queries that a person kept of it, which are the person's own.
//
// Nothing of it can be read in the memory file afterwards, nor in what stands beside it: that takes as long as writing the file anew. Faults: NotFound, Conflict (a turn
// of it runs), Unavailable (it is gone, and its traces are overwritten when the workspace is opened next), and those of Begin.
func (m *Memory) Purge(ctx context.Context, id, actor string) (Purged, error) {
	var p Purged
	if err := m.settle(ctx); err != nil {
		return p, m.classify("purge session", err)
	}
	var head auditHead
	err := m.update(ctx, func(tx *sql.Tx) error {
		var there, running bool
		if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM session WHERE id = ?), EXISTS (SELECT 1 FROM request WHERE session = ? AND finished IS NULL)`, id, id).Scan(&there, &running); err != nil {
			return err
		}
		switch {
		case !there:
			return noSession(id)
		case running:
			return fault.New(fault.Conflict, "purge session", text.Say("memory.purge_running"), text.Say("memory.purge_running_hint"))
		}
		var err error
		if p.Requests, err = texts(ctx, tx, `SELECT id FROM request WHERE session = ?`, id); err != nil {
			return err
		}
		head, err = m.remove(ctx, tx, []string{id}, gonePurged, actor)
		return err
	})
	if err != nil {
		return p, m.classify("purge session", err)
	}
	m.writeHead(head)
	if err := m.Scrub(ctx); err != nil {
		return p, fault.Wrap(fault.Unavailable, "purge session", text.Say("memory.scrub_later"), text.Say("memory.scrub_later_hint"), errors.Join(err, ctx.Err()))
	}
	return p, nil
}

// remove takes sessions away, with all that is theirs, and says in the audit log that they went and why. Of those that others descend from the name stays; golden
// queries that were kept of them stay, and come from nowhere. That traces of them are to be overwritten is noted.
func (m *Memory) remove(ctx context.Context, tx *sql.Tx, ids []string, why, actor string) (head auditHead, err error) {
	body, err := json.Marshal(map[string]string{"why": why})
	if err != nil {
		return head, err
	}
	for _, id := range ids {
		for _, statement := range []string{
			`INSERT OR REPLACE INTO ancestor (session, origin, turn, artifact) SELECT id, origin, origin_turn, origin_artifact FROM session
				WHERE id = ? AND (EXISTS (SELECT 1 FROM session o WHERE o.origin = session.id) OR EXISTS (SELECT 1 FROM ancestor WHERE origin = session.id))`,
			`UPDATE golden SET request = '' WHERE request IN (SELECT id FROM request WHERE session = ?)`,
			`UPDATE correction SET session = '', request = '' WHERE session = ?`,
			`DELETE FROM page_state WHERE name = 'report.' || ?`, // the draft of a report that a window makes of it
			`DELETE FROM session WHERE id = ?`,
		} {
			if _, err := tx.ExecContext(ctx, statement, id); err != nil {
				return head, err
			}
		}
		if head, err = m.record(ctx, tx, analyst.Record{Kind: analyst.AuditForgotten, SessionID: id, Actor: actor, Body: body}); err != nil {
			return head, err
		}
	}
	if len(ids) == 0 {
		return head, nil
	}
	if err := noteTraces(ctx, tx); err != nil {
		return head, err
	}
	for { // until everyone who is left has somebody below
		done, err := tx.ExecContext(ctx, `DELETE FROM ancestor WHERE NOT EXISTS (SELECT 1 FROM session WHERE origin = ancestor.session)
			AND NOT EXISTS (SELECT 1 FROM ancestor o WHERE o.origin = ancestor.session)`)
		if err != nil {
			return head, err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return head, err
		}
	}
}

// remake makes room for a session under the name of one that was deleted.
func (m *Memory) remake(ctx context.Context, tx *sql.Tx, id string) (head auditHead, err error) {
	var deleted bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM session WHERE id = ? AND deleted IS NOT NULL)`, id).Scan(&deleted); err != nil || !deleted {
		return head, err
	}
	return m.remove(ctx, tx, []string{id}, goneRenewed, "")
}
