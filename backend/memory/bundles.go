package memory

import (
	"context"
	"database/sql"
	"errors"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/text"
)

// bundleNumber is under which name the number of the last bundle of somebody is kept, who writes them here.
const bundleNumber = "bundle.number."

// NextBundle gives the number of the next bundle of a person: higher than every one before, whatever the clock says.
func (m *Memory) NextBundle(ctx context.Context, author string) (int64, error) {
	var last int64
	if _, err := m.Kept(ctx, bundleNumber+author, &last); err != nil {
		return 0, err
	}
	next := max(last+1, m.now().UnixMilli())
	return next, m.Keep(ctx, bundleNumber+author, next)
}

// Bring takes a bundle of a person in place of the one before: what it does not say any more speaks for nothing shared either. It gives how many statements are new; false: it is the one that is there. Faults:
// Conflict (an older one, or another one of the same number), and those of Begin.
func (m *Memory) Bring(ctx context.Context, b knowledge.Bundle, r analyst.Record) (fresh int, changed bool, err error) {
	var head auditHead
	err = m.update(ctx, func(tx *sql.Tx) error {
		var number int64
		var digest string
		switch err := tx.QueryRowContext(ctx, `SELECT number, digest FROM bundle WHERE author = ?`, b.Author).Scan(&number, &digest); {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return err
		case number == b.Number && digest == b.Digest:
			return nil
		case number >= b.Number:
			return fault.New(fault.Conflict, "bring bundle", text.Say("memory.bundle_older", "author", b.Author), text.Say("memory.bundle_older_hint"))
		}
		changed = true
		there := map[string]bool{}
		if err := each(ctx, tx, `SELECT id FROM brought WHERE author = ?`, []any{b.Author}, func(scan func(...any) error) error {
			var id string
			err := scan(&id)
			there[id] = true
			return err
		}); err != nil {
			return err
		}
		for _, s := range b.Said {
			id := s.ID(b.Author)
			if there[id] {
				delete(there, id)
				continue
			}
			fresh++
			if _, err := tx.ExecContext(ctx, `INSERT INTO brought (id, author, key, term, means, sort, domain, detection, quote, said) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				id, b.Author, knowledge.Key(s.Term), s.Term, s.Means, s.Sort, s.Domain, s.Detection, s.Quote, stamp(s.At)); err != nil {
				return err
			}
		}
		for id := range there { // not said any more
			if _, err := tx.ExecContext(ctx, `DELETE FROM brought WHERE id = ?`, id); err != nil {
				return err
			}
			if err := withdrawEvidence(ctx, tx, id, m.now()); err != nil {
				return err
			}
		}
		if len(there) > 0 {
			if err := noteTraces(ctx, tx); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO bundle (author, key, number, digest, brought) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (author) DO UPDATE SET key = excluded.key, number = excluded.number, digest = excluded.digest, brought = excluded.brought`,
			b.Author, b.Key, b.Number, b.Digest, stamp(m.now())); err != nil {
			return err
		}
		var err error
		head, err = m.record(ctx, tx, r)
		return err
	})
	if err == nil && changed {
		m.writeHead(head)
	}
	return fresh, changed, m.classify("bring bundle", err)
}
