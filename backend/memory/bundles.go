package memory

import (
	"cmp"
	"context"
	"database/sql"

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

// Bring takes a bundle of a person in place of the one before that was signed with the same key: what it does not say any more speaks for nothing shared either. It gives how many statements are new; false: it is the one that is there. Faults:
// Conflict (an older one, or another one of the same number), and those of Begin.
func (m *Memory) Bring(ctx context.Context, b knowledge.Bundle, r analyst.Record) (fresh int, changed bool, err error) {
	var head auditHead
	err = m.update(ctx, func(tx *sql.Tx) error {
		there, same, err := bundleBefore(ctx, tx, b)
		if err != nil || same {
			return err
		}
		changed = true
		for _, s := range b.Said {
			if id := said(there, b, s); id != "" {
				if err := sayAnew(ctx, tx, id, s); err != nil {
					return err
				}
				continue
			}
			fresh++
			// A statement that came with another key has the id already.
			if _, err := tx.ExecContext(ctx, `INSERT INTO brought (id, author, key, term, means, sort, domain, detection, quote, said, signer)
				VALUES (iif(EXISTS (SELECT 1 FROM brought WHERE id = ?1), ?2, ?1), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)`, s.ID(b.Author), saidWith(s.ID(b.Author), b.Key),
				b.Author, knowledge.Key(s.Term), s.Term, s.Means, s.Sort, s.Domain, s.Detection, s.Quote, stamp(s.At), b.Key); err != nil {
				return err
			}
		}
		if err := m.takeBack(ctx, tx, there); err != nil { // not said any more
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO bundle (author, key, number, digest, brought) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (author, key) DO UPDATE SET number = excluded.number, digest = excluded.digest, brought = excluded.brought`,
			b.Author, b.Key, b.Number, b.Digest, stamp(m.now())); err != nil {
			return err
		}
		head, err = m.record(ctx, tx, r)
		return err
	})
	if err == nil && changed {
		m.writeHead(head)
	}
	return fresh, changed, m.classify("bring bundle", err)
}

// Weighed is what would come of a bundle.
type Weighed struct {
	New  []bool // by statement: the bundle of its author that is there does not say it
	Gone int    // statements of that one that this one does not say
	Same bool   // it is the one that is there
}

// Weigh says what Bring would do with a bundle, and does nothing. Faults: Conflict, as of Bring, and those of reading.
func (m *Memory) Weigh(ctx context.Context, b knowledge.Bundle) (Weighed, error) {
	there, same, err := bundleBefore(ctx, m.read, b)
	if err != nil {
		return Weighed{}, m.classify("weigh bundle", err)
	}
	w := Weighed{New: make([]bool, len(b.Said)), Same: same}
	for i, s := range b.Said {
		w.New[i] = said(there, b, s) == ""
	}
	w.Gone = len(there)
	return w, nil
}

// saidWith is the id of a statement where the same of that person came with another key first.
func saidWith(id, key string) string { return id + "-" + key }

// said takes a statement from those that are there, and gives its id there; empty: it was not among them.
func said(there map[string]bool, b knowledge.Bundle, s knowledge.Statement) string {
	for _, id := range []string{s.ID(b.Author), saidWith(s.ID(b.Author), b.Key)} {
		if there[id] {
			delete(there, id)
			return id
		}
	}
	return ""
}

// sayAnew keeps what is said again as it is said now: when, how and in which words. What was read before does not matter to what is kept.
func sayAnew(ctx context.Context, tx *sql.Tx, id string, s knowledge.Statement) error {
	changed, err := tx.ExecContext(ctx, `UPDATE brought SET term = ?1, means = ?2, sort = ?3, domain = ?4, detection = ?5, quote = ?6, said = ?7
		WHERE id = ?8 AND (term, means, sort, domain, detection, quote, said) IS NOT (?1, ?2, ?3, ?4, ?5, ?6, ?7)`, s.Term, s.Means, s.Sort, s.Domain, s.Detection, s.Quote, stamp(s.At), id)
	if err != nil {
		return err
	}
	if n, err := changed.RowsAffected(); err != nil || n == 0 {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE evidence SET detection = ?, quote = ?, at = ? WHERE correction = ?`, s.Detection, cmp.Or(s.Quote, s.Term+" means "+s.Means), stamp(s.At), id)
	if err != nil {
		return err
	}
	return noteTraces(ctx, tx)
}

// Signers lists whose bundles are here and speak for something, and with which keys they were signed.
func (m *Memory) Signers(ctx context.Context) ([]knowledge.Signer, error) {
	all := []knowledge.Signer{}
	err := each(ctx, m.read, `SELECT author, key FROM bundle WHERE digest <> '' ORDER BY author, key`, nil, func(scan func(...any) error) error {
		var s knowledge.Signer
		err := scan(&s.Author, &s.Key)
		all = append(all, s)
		return err
	})
	return all, m.classify("list bundles", err)
}

// Unbring takes out what bundles with a key said for their author, who does not sign with it any more: it speaks for nothing shared. Faults: those of Begin.
func (m *Memory) Unbring(ctx context.Context, s knowledge.Signer, r analyst.Record) error {
	var head auditHead
	err := m.update(ctx, func(tx *sql.Tx) error {
		there, err := broughtBy(ctx, tx, s)
		if err == nil {
			err = m.takeBack(ctx, tx, there)
		}
		if err != nil {
			return err
		}
		// An older one stays refused; this one can be taken anew, where the key is bound again.
		if _, err := tx.ExecContext(ctx, `UPDATE bundle SET number = number - 1, digest = '' WHERE author = ? AND key = ?`, s.Author, s.Key); err != nil {
			return err
		}
		head, err = m.record(ctx, tx, r)
		return err
	})
	if err == nil {
		m.writeHead(head)
	}
	return m.classify("take out bundle", err)
}

// broughtBy are the statements that bundles of somebody with a key brought, by id.
func broughtBy(ctx context.Context, from reader, s knowledge.Signer) (map[string]bool, error) {
	there := map[string]bool{}
	err := each(ctx, from, `SELECT id FROM brought WHERE author = ? AND signer = ?`, []any{s.Author, s.Key}, func(scan func(...any) error) error {
		var id string
		err := scan(&id)
		there[id] = true
		return err
	})
	return there, err
}

// takeBack removes statements that were brought, and what they spoke for.
func (m *Memory) takeBack(ctx context.Context, tx *sql.Tx, ids map[string]bool) error {
	for id := range ids {
		if _, err := tx.ExecContext(ctx, `DELETE FROM brought WHERE id = ?`, id); err != nil {
			return err
		}
		if err := withdrawEvidence(ctx, tx, id, m.now()); err != nil {
			return err
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return noteTraces(ctx, tx)
}

// bundleBefore gives the statements of the bundle of an author and a key that is there, and whether it is this one. Fault Conflict: it is newer than this one, or another one of the same number.
func bundleBefore(ctx context.Context, from reader, b knowledge.Bundle) (there map[string]bool, same bool, err error) {
	err = each(ctx, from, `SELECT number, digest FROM bundle WHERE author = ? AND key = ?`, []any{b.Author, b.Key}, func(scan func(...any) error) error {
		var number int64
		var digest string
		if err := scan(&number, &digest); err != nil {
			return err
		}
		same = number == b.Number && digest == b.Digest
		if number >= b.Number && !same {
			return fault.New(fault.Conflict, "bring bundle", text.Say("memory.bundle_older", "author", b.Author), text.Say("memory.bundle_older_hint"))
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	there, err = broughtBy(ctx, from, knowledge.Signer{Author: b.Author, Key: b.Key})
	return there, same, err
}

// PlaceBrought has it said anew what statements are about that bundles brought and that speak for nothing yet, and says how many are about something else now.
func (m *Memory) PlaceBrought(ctx context.Context, about func(term, means string) (domain string, ok bool)) (moved int, err error) {
	to := map[string]string{}
	err = each(ctx, m.read, `SELECT id, term, means, domain FROM brought WHERE NOT EXISTS (SELECT 1 FROM evidence WHERE correction = brought.id)`, nil, func(scan func(...any) error) error {
		var id, term, means, domain string
		if err := scan(&id, &term, &means, &domain); err != nil {
			return err
		}
		if now, ok := about(term, means); ok && now != domain {
			to[id] = now
		}
		return ctx.Err()
	})
	if err != nil || len(to) == 0 {
		return 0, m.classify("place bundles", err)
	}
	err = m.update(ctx, func(tx *sql.Tx) error {
		for id, domain := range to {
			if _, err := tx.ExecContext(ctx, `UPDATE brought SET domain = ? WHERE id = ?`, domain, id); err != nil {
				return err
			}
		}
		return nil
	})
	return len(to), m.classify("place bundles", err)
}
