package memory

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
)

// Share is a read-only address of a session. Whoever has it sees the session up to a turn until it expires or is revoked, and can do nothing else.
type Share struct {
	ID        string         `json:"id"`
	SessionID string         `json:"session_id"`
	Turn      int            `json:"turn" doc:"The last one that it shows, counted from 1"`
	Frames    session.Frames `json:"frames" enum:"whole,masked,none" doc:"What it shows of the rows of answers"`
	Actor     string         `json:"actor" doc:"Who made it"`
	Created   time.Time      `json:"created"`
	Expires   time.Time      `json:"expires"`
	Revoked   *time.Time     `json:"revoked" doc:"Since when it shows nothing; null: it was not revoked"`
	Opened    int            `json:"opened" doc:"How many times it was opened"`
	Seen      *time.Time     `json:"seen" doc:"When it was opened last; null: never"`
}

// mostShares is how many addresses of one session may be open at once.
const mostShares = 100

// AddShare opens an address whose token is kept as its hash alone. Turn 0 stands for the last turn of the session. It gives the share as it is stored. Faults:
// NotFound (no such session or turn), Limit (too many are open), and those of Begin.
func (m *Memory) AddShare(ctx context.Context, s Share, token string) (Share, error) {
	options, err := json.Marshal(shareOptions{s.Frames})
	if err != nil {
		return s, m.classify("share session", err)
	}
	s.Created = m.now().UTC()
	err = m.update(ctx, func(tx *sql.Tx) error {
		var last, open int
		err := tx.QueryRowContext(ctx, `SELECT (SELECT coalesce(max(turn), 0) FROM request WHERE session = session.id AND finished IS NOT NULL),
			(SELECT count(*) FROM share WHERE session = session.id AND revoked IS NULL AND expires > ?)
			FROM session WHERE id = ? AND deleted IS NULL`, stamp(s.Created), s.SessionID).Scan(&last, &open)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return noSession(s.SessionID)
		case err != nil:
			return err
		case open >= mostShares:
			return fault.New(fault.Limit, "share session", text.Say("memory.many_shares", "most", mostShares), text.Say("memory.many_shares_hint"))
		}
		if s.Turn == 0 {
			s.Turn = last
		}
		if s.Turn < 1 || s.Turn > last {
			return fault.New(fault.NotFound, "share session", text.Say("memory.no_turn", "turn", s.Turn), text.Say("memory.no_turn_hint"))
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO share (id, session, token, turn, options, actor, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			s.ID, s.SessionID, tokenHash(token), s.Turn, string(options), s.Actor, stamp(s.Created), stamp(s.Expires))
		return err
	})
	return s, m.classify("share session", err)
}

// shareOptions are what an address shows of its turns.
type shareOptions struct {
	Frames session.Frames `json:"frames"`
}

// tokenHash is what is kept of a token.
func tokenHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

const shareColumns = `share.id, share.session, share.turn, share.options, share.actor, share.created, share.expires, share.revoked, share.opened, share.seen`

// Shares lists the addresses of a session, or of all of them when none is named, the latest first. Those that were revoked or expired stand in it too.
func (m *Memory) Shares(ctx context.Context, sessionID string) ([]Share, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT `+shareColumns+` FROM share JOIN session ON session.id = share.session
		WHERE session.deleted IS NULL AND (? = '' OR session.id = ?) ORDER BY share.rowid DESC`, sessionID, sessionID)
	if err != nil {
		return nil, m.classify("list addresses", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	all := []Share{}
	for rows.Next() {
		s, err := scanShare(rows.Scan)
		if err != nil {
			return nil, m.classify("list addresses", err)
		}
		all = append(all, s)
	}
	return all, m.classify("list addresses", rows.Err())
}

// Shared gives the address of a token and counts that it was opened. Fault NotFound, with the same words for a token that never was, and an address that was revoked or
// has expired, or whose session was deleted.
func (m *Memory) Shared(ctx context.Context, token string) (Share, error) {
	var s Share
	err := m.update(ctx, func(tx *sql.Tx) error {
		now := stamp(m.now())
		var err error
		s, err = scanShare(tx.QueryRowContext(ctx, `SELECT `+shareColumns+` FROM share JOIN session ON session.id = share.session
			WHERE share.token = ? AND share.revoked IS NULL AND share.expires > ? AND session.deleted IS NULL`, tokenHash(token), now).Scan)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "open address", text.Say("memory.no_share"), text.Say("memory.no_share_hint"))
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE share SET opened = opened + 1, seen = ? WHERE id = ?`, now, s.ID)
		return err
	})
	return s, m.classify("open address", err)
}

// RevokeShare closes an address for good. One that is closed already stays so. Fault NotFound.
func (m *Memory) RevokeShare(ctx context.Context, id string) error {
	return m.classify("revoke address", m.update(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE share SET revoked = coalesce(revoked, ?) WHERE id = ? AND session IN (SELECT id FROM session WHERE deleted IS NULL)`, stamp(m.now()), id)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fault.New(fault.NotFound, "revoke address", text.Say("memory.no_share_id", "share", id), text.Say("memory.no_share_id_hint")))
		}
		return nil
	}))
}

func scanShare(scan func(...any) error) (Share, error) {
	var s Share
	var options, created, expires string
	var revoked, seen sql.NullString
	if err := scan(&s.ID, &s.SessionID, &s.Turn, &options, &s.Actor, &created, &expires, &revoked, &s.Opened, &seen); err != nil {
		return s, err
	}
	var o shareOptions
	if err := json.Unmarshal([]byte(options), &o); err != nil {
		return s, err
	}
	s.Frames = o.Frames
	var err error
	if s.Created, s.Expires, err = moments(created, expires); err != nil {
		return s, err
	}
	if s.Revoked, err = momentOrNil(revoked); err != nil {
		return s, err
	}
	s.Seen, err = momentOrNil(seen)
	return s, err
}
