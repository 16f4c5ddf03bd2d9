package memory

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

// PageValue is one thing of how the window of a person stands: the page gives it a name and reads it again after a restart.
type PageValue struct {
	Name    string    `json:"name"`
	Value   string    `json:"value"`
	Changed time.Time `json:"changed"`
}

// PageChange keeps a value under a name, or, with nil, forgets it.
type PageChange struct {
	Name  string  `json:"name" minLength:"1" maxLength:"300"`
	Value *string `json:"value" doc:"null: it is forgotten"`
}

// How much of a window is kept for one person. Beyond the last two the values that were not changed for the longest time make room.
const (
	MostPageValue  = 256 << 10 // bytes of one value
	MostPageValues = 2000
	MostPageBytes  = 8 << 20 // of all values together
)

// PageState gives how the window of an actor stands, by name.
func (m *Memory) PageState(ctx context.Context, actor string) ([]PageValue, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT name, value, changed FROM page_state WHERE actor = ? ORDER BY name`, actor)
	if err != nil {
		return nil, m.classify("read page state", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	all := []PageValue{}
	for rows.Next() {
		var v PageValue
		var changed string
		if err := rows.Scan(&v.Name, &v.Value, &changed); err != nil {
			return nil, m.classify("read page state", err)
		}
		if v.Changed, err = moment(changed); err != nil {
			return nil, m.classify("read page state", err)
		}
		all = append(all, v)
	}
	return all, m.classify("read page state", rows.Err())
}

// KeepPageState keeps changes of how the window of an actor stands, all of them or none. The last one of a name stays. Faults: Invalid
// (no name), Limit (a value is longer than MostPageValue).
func (m *Memory) KeepPageState(ctx context.Context, actor string, changes []PageChange) error {
	for _, c := range changes {
		if strings.TrimSpace(c.Name) == "" {
			return fault.New(fault.Invalid, "keep page state", text.Say("memory.page_no_name"), text.Say("memory.page_no_name_hint"))
		}
		if c.Value != nil && len(*c.Value) > MostPageValue {
			return fault.New(fault.Limit, "keep page state", text.Say("memory.page_long", "name", c.Name, "size", len(*c.Value)>>10, "most", MostPageValue>>10), text.Say("memory.page_long_hint"))
		}
	}
	now := stamp(m.now())
	return m.classify("keep page state", m.update(ctx, func(tx *sql.Tx) error {
		for _, c := range changes {
			var err error
			if c.Value == nil {
				_, err = tx.ExecContext(ctx, `DELETE FROM page_state WHERE actor = ? AND name = ?`, actor, c.Name)
			} else {
				_, err = tx.ExecContext(ctx, `INSERT INTO page_state (actor, name, value, changed) VALUES (?, ?, ?, ?)
					ON CONFLICT (actor, name) DO UPDATE SET value = excluded.value, changed = excluded.changed`, actor, c.Name, *c.Value, now)
			}
			if err != nil {
				return err
			}
		}
		// Newest first, the sum and the place of each: what is beyond the limits goes.
		_, err := tx.ExecContext(ctx, `DELETE FROM page_state WHERE actor = ? AND name IN (SELECT name FROM (
			SELECT name, row_number() OVER newest AS place, sum(octet_length(value)) OVER newest AS bytes FROM page_state WHERE actor = ?
			WINDOW newest AS (ORDER BY changed DESC, name ROWS UNBOUNDED PRECEDING)) WHERE place > ? OR bytes > ?)`, actor, actor, MostPageValues, MostPageBytes)
		return err
	}))
}
