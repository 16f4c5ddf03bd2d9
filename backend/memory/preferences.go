package memory

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/text"
)

const preferenceColumns = `id, author, kind, value, quote, created, changed`

// Preferences lists how a person wants answers to look, by kind. Nobody else's are looked at.
func (m *Memory) Preferences(ctx context.Context, author string) ([]knowledge.Preference, error) {
	all := []knowledge.Preference{}
	err := each(ctx, m.read, `SELECT `+preferenceColumns+` FROM preference WHERE author = ? ORDER BY kind`, []any{author}, func(scan func(...any) error) error {
		p, err := scanPreference(scan)
		all = append(all, p)
		return err
	})
	return all, m.classify("list preferences", err)
}

// KeepPreference keeps what a person prefers, with its record in the audit log, both or nothing. It takes the place of what the person preferred of the kind before, whose id and day it
// has and which is given back; nil: nothing. Faults: those of Begin.
func (m *Memory) KeepPreference(ctx context.Context, p *knowledge.Preference, r analyst.Record) (before *knowledge.Preference, err error) {
	now := m.now().UTC()
	var head auditHead
	err = m.update(ctx, func(tx *sql.Tx) error {
		var id [16]byte
		_, _ = rand.Read(id[:]) // never fails
		p.ID, p.Created, p.Changed = hex.EncodeToString(id[:]), now, now
		there, err := scanPreference(tx.QueryRowContext(ctx, `SELECT `+preferenceColumns+` FROM preference WHERE author = ? AND kind = ?`, p.Author, p.Kind).Scan)
		switch {
		case err == nil:
			before = &there
			p.ID, p.Created, p.Changed = there.ID, there.Created, after(there.Changed, now)
			if err := removePreference(ctx, tx, there); err != nil {
				return err
			}
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO preference (`+preferenceColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			p.ID, p.Author, p.Kind, p.Value, p.Quote, stamp(p.Created), stamp(p.Changed))
		if err != nil {
			return err
		}
		head, err = m.record(ctx, tx, r)
		return err
	})
	if err == nil {
		m.writeHead(head)
	}
	return before, m.classify("keep preference", err)
}

// ForgetPreference removes what a person prefers, and overwrites its traces in the memory file and beside it. Faults: NotFound: the person has no such preference, whoever else has it;
// Unavailable (it is gone, and its traces are overwritten when the workspace is opened next), and those of Begin.
func (m *Memory) ForgetPreference(ctx context.Context, author, id string, r analyst.Record) error {
	var head auditHead
	err := m.update(ctx, func(tx *sql.Tx) error {
		there, err := scanPreference(tx.QueryRowContext(ctx, `SELECT `+preferenceColumns+` FROM preference WHERE author = ? AND id = ?`, author, id).Scan)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "find preference", text.Say("memory.no_correction"), text.Say("memory.no_correction_hint"))
		}
		if err != nil {
			return err
		}
		if err := removePreference(ctx, tx, there); err != nil {
			return err
		}
		head, err = m.record(ctx, tx, r)
		return err
	})
	if err != nil {
		return m.classify("forget preference", err)
	}
	m.writeHead(head)
	if err := m.Scrub(ctx); err != nil {
		return fault.Wrap(fault.Unavailable, "forget preference", text.Say("memory.correction_scrub_later"), text.Say("memory.scrub_later_hint"), errors.Join(err, ctx.Err()))
	}
	return nil
}

func removePreference(ctx context.Context, tx *sql.Tx, p knowledge.Preference) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM preference WHERE id = ?`, p.ID); err != nil {
		return err
	}
	return noteTraces(ctx, tx)
}

func scanPreference(scan func(...any) error) (knowledge.Preference, error) {
	var p knowledge.Preference
	var created, changed string
	if err := scan(&p.ID, &p.Author, &p.Kind, &p.Value, &p.Quote, &created, &changed); err != nil {
		return p, err
	}
	var err error
	p.Created, p.Changed, err = moments(created, changed)
	return p, err
}
