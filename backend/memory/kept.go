package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
)

// Keep keeps a value under a name, and Kept gives it back; found false: there is none.
func (m *Memory) Keep(ctx context.Context, name string, value any) error {
	raw, err := json.Marshal(value)
	if err == nil {
		err = m.update(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO kept (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, string(raw))
			return err
		})
	}
	return m.classify("keep", err)
}

// Kept gives what Keep kept.
func (m *Memory) Kept(ctx context.Context, name string, value any) (found bool, err error) {
	var raw string
	err = m.read.QueryRowContext(ctx, `SELECT value FROM kept WHERE name = ?`, name).Scan(&raw)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(raw), value)
	}
	return err == nil, m.classify("read what was kept", err)
}
