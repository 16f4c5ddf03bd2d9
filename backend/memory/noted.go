package memory

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/text"
)

// What became of a meaning that was noted.
const (
	notedAsked    = "asked"
	notedKept     = "kept"
	notedDeclined = "declined"
)

const notedColumns = `id, author, term, means, sort, detection, quote, request, slot, before, after, at, (SELECT session FROM request WHERE request.id = noted.request)`

// NoteMeaning keeps what a word may mean to a person, by a request of that person, until something is said of it, gives it an id, and says what became of the same before. A second note of a request
// about the same term is the first one. Faults: those of Begin.
func (m *Memory) NoteMeaning(ctx context.Context, c *knowledge.Correction) (knowledge.Noted, error) {
	var n knowledge.Noted
	err := m.update(ctx, func(tx *sql.Tx) error {
		var err error
		n, err = m.note(ctx, tx, c)
		return err
	})
	return n, m.classify("note meaning", err)
}

func (m *Memory) note(ctx context.Context, tx *sql.Tx, c *knowledge.Correction) (n knowledge.Noted, err error) {
	key, means := knowledge.Key(c.Term), knowledge.Key(c.Means)
	err = each(ctx, tx, `SELECT id, request, means, said FROM noted WHERE author = ? AND key = ?`, []any{c.Author, key}, func(scan func(...any) error) error {
		var id, request, other, said string
		if err := scan(&id, &request, &other, &said); err != nil {
			return err
		}
		switch {
		case request == c.RequestID:
			c.ID = id
		case knowledge.Key(other) == means:
			n.Times++
			n.Declined = n.Declined || said == notedDeclined
		}
		return nil
	})
	if err != nil || c.ID != "" {
		return n, err
	}
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	c.ID = hex.EncodeToString(id[:])
	var by knowledge.ChangedPart
	if c.Change != nil {
		by = *c.Change
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO noted (id, request, author, key, term, means, sort, detection, quote, slot, before, after, said, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.ID, c.RequestID, c.Author, key, c.Term, c.Means, c.Sort, c.Detection, c.Quote, by.Slot, by.From, by.To, notedAsked, stamp(m.now()))
	return n, err
}

// NotedMeaning gives what was noted of its author under an id. Fault NotFound: to everyone else there is none.
func (m *Memory) NotedMeaning(ctx context.Context, author, id string) (knowledge.Correction, error) {
	c, err := scanNoted(m.read.QueryRowContext(ctx, `SELECT `+notedColumns+` FROM noted WHERE author = ? AND id = ?`, author, id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = notNoted()
	}
	return c, m.classify("find what was noted", err)
}

// OpenMeanings lists what was noted of an author who said nothing of it yet, in sessions that were not deleted, the latest first. Nobody else's are looked at.
func (m *Memory) OpenMeanings(ctx context.Context, author string) ([]knowledge.Correction, error) {
	all := []knowledge.Correction{}
	err := each(ctx, m.read, `SELECT `+notedColumns+` FROM noted WHERE author = ? AND said = ?
		AND EXISTS (SELECT 1 FROM request JOIN session ON session.id = request.session WHERE request.id = noted.request AND session.deleted IS NULL) ORDER BY at DESC, id`,
		[]any{author, notedAsked}, func(scan func(...any) error) error {
			c, err := scanNoted(scan)
			all = append(all, c)
			return err
		})
	return all, m.classify("list what was noted", err)
}

// SettleMeaning keeps whether the author wanted what was noted to be remembered. Fault NotFound: to everyone else there is none.
func (m *Memory) SettleMeaning(ctx context.Context, author, id string, kept bool) error {
	said := notedDeclined
	if kept {
		said = notedKept
	}
	return m.classify("settle what was noted", m.update(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE noted SET said = ? WHERE author = ? AND id = ?`, said, author, id)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, notNoted())
		}
		return nil
	}))
}

// forgetNoted removes what was noted that a term means to a person.
func forgetNoted(ctx context.Context, tx *sql.Tx, author, key string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM noted WHERE author = ? AND key = ?`, author, key)
	return err
}

func scanNoted(scan func(...any) error) (knowledge.Correction, error) {
	var c knowledge.Correction
	var by knowledge.ChangedPart
	var at string
	if err := scan(&c.ID, &c.Author, &c.Term, &c.Means, &c.Sort, &c.Detection, &c.Quote, &c.RequestID, &by.Slot, &by.From, &by.To, &at, &c.SessionID); err != nil {
		return c, err
	}
	if by.Slot != "" {
		c.Change = &by
	}
	var err error
	c.Created, err = moment(at)
	c.Changed = c.Created
	return c, err
}

func notNoted() error {
	return fault.New(fault.NotFound, "find what was noted", text.Say("memory.not_noted"), text.Say("memory.not_noted_hint"))
}
