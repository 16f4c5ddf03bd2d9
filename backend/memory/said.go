package memory

import (
	"context"
	"database/sql"
	"time"
)

// NoteSaid keeps what the context files say of words now, each as knowledge.AsSaid, and since when: what they said when they were looked at for the first time stood there before. Nothing is written where nothing changed.
func (m *Memory) NoteSaid(ctx context.Context, words []string) error {
	before, err := m.SaidSince(ctx)
	if err != nil {
		return err
	}
	var looked bool
	if err := m.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM said_looked)`).Scan(&looked); err != nil {
		return m.classify("look at what files say", err)
	}
	now := map[string]bool{}
	changed := !looked
	for _, w := range words {
		_, there := before[w]
		now[w], changed = true, changed || !there
	}
	for w := range before {
		changed = changed || !now[w]
	}
	if !changed {
		return nil
	}
	err = m.update(ctx, func(tx *sql.Tx) error {
		since := ""
		if looked {
			since = stamp(m.now().UTC())
		}
		for w := range before {
			if !now[w] {
				if _, err := tx.ExecContext(ctx, `DELETE FROM said WHERE words = ?`, w); err != nil {
					return err
				}
			}
		}
		for w := range now {
			if _, err := tx.ExecContext(ctx, `INSERT INTO said (words, since) VALUES (?, ?) ON CONFLICT DO NOTHING`, w, since); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO said_looked (id) VALUES (1) ON CONFLICT DO NOTHING`)
		return err
	})
	return m.classify("note what files say", err)
}

// SaidSince gives since when the context files say what they say of words; the zero time: since before they were looked at.
func (m *Memory) SaidSince(ctx context.Context) (map[string]time.Time, error) {
	all := map[string]time.Time{}
	err := each(ctx, m.read, `SELECT words, since FROM said`, nil, func(scan func(...any) error) error {
		var words, since string
		if err := scan(&words, &since); err != nil {
			return err
		}
		all[words] = time.Time{}
		if since == "" {
			return nil
		}
		at, err := moment(since)
		all[words] = at
		return err
	})
	return all, m.classify("look at what files say", err)
}
