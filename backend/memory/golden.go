package memory

import (
	"context"
	"database/sql"
	"time"
)

// Golden is a query that a person confirmed to be right.
type Golden struct {
	ID        string    `json:"id"`
	Question  string    `json:"question"`
	FrameQL   string    `json:"frame_ql"`
	Owner     string    `json:"owner"` // whose it is; empty: everyone's
	Model     string    `json:"model"` // version of the model that it was confirmed under
	RequestID string    `json:"request_id"`
	Confirmed time.Time `json:"confirmed"`
}

// Goldens lists the golden queries, the oldest first.
func (m *Memory) Goldens(ctx context.Context) ([]Golden, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT id, question, frame_ql, owner, model, request, confirmed FROM golden ORDER BY rowid`)
	if err != nil {
		return nil, m.classify("read golden queries", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	all := []Golden{}
	for rows.Next() {
		var g Golden
		var confirmed string
		if err := rows.Scan(&g.ID, &g.Question, &g.FrameQL, &g.Owner, &g.Model, &g.RequestID, &confirmed); err != nil {
			return nil, m.classify("read golden queries", err)
		}
		if g.Confirmed, err = moment(confirmed); err != nil {
			return nil, m.classify("read golden queries", err)
		}
		all = append(all, g)
	}
	return all, m.classify("read golden queries", rows.Err())
}

// AddGolden keeps a golden query. One with its ID is replaced.
func (m *Memory) AddGolden(ctx context.Context, g Golden) error {
	return m.classify("keep golden query", m.update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO golden (id, question, frame_ql, owner, model, request, confirmed) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			g.ID, g.Question, g.FrameQL, g.Owner, g.Model, g.RequestID, stamp(m.now()))
		return err
	}))
}
