package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"assay/backend/analyst"
	"assay/backend/session"
)

// Relied are the answers that somebody relies on: accepted, by a word, by use or by the clock, or pinned. Imported sessions have none: nobody here accepted
// them. All sessions when none is named. They come in the order in which they were asked.
func (m *Memory) Relied(ctx context.Context, sessionID string) ([]string, error) {
	rows, err := m.read.QueryContext(ctx, fmt.Sprintf(`SELECT r.id FROM request r JOIN session s ON s.id = r.session
		WHERE s.deleted IS NULL AND s.imported IS NULL AND (? = '' OR s.id = ?) AND r.outcome = '%s' AND r.frame_ql || r.question <> ''
		AND (r.settled IN ('%s', '%s', '%s') OR EXISTS (SELECT 1 FROM artifact a WHERE a.request = r.id AND a.kind = '%s' AND json_extract(a.body, '$.pinned')))
		ORDER BY r.rowid`, analyst.OutcomeAnswer, analyst.OnAccepted, analyst.OnTimedOut, analyst.OnFlagged, session.KindView), sessionID, sessionID)
	if err != nil {
		return nil, m.classify("list answers", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	ids := []string{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, m.classify("list answers", err)
		}
		ids = append(ids, id)
	}
	return ids, m.classify("list answers", rows.Err())
}

// SaveHolding keeps whether an answer still held, in place of what was known before. Fault NotFound.
func (m *Memory) SaveHolding(ctx context.Context, requestID string, h session.Holding) error {
	body, err := json.Marshal(h)
	if err != nil {
		return m.classify("save holding", err)
	}
	return m.classify("save holding", m.update(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `INSERT INTO holding (request, at, stands, state, body) SELECT id, ?, ?, ?, ? FROM request WHERE id = ?
			ON CONFLICT (request) DO UPDATE SET at = excluded.at, stands = excluded.stands, state = excluded.state, body = excluded.body`,
			stamp(h.At), h.Stands, h.State, string(body), requestID)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, noRequest(requestID))
		}
		return nil
	}))
}

// Holding gives whether an answer still held when it was asked again, with both frames; nil: it was not. Fault NotFound.
func (m *Memory) Holding(ctx context.Context, requestID string) (*session.Holding, error) {
	var body sql.NullString
	err := m.read.QueryRowContext(ctx, `SELECT h.body FROM request r JOIN session s ON s.id = r.session LEFT JOIN holding h ON h.request = r.id
		WHERE r.id = ? AND s.deleted IS NULL`, requestID).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		err = noRequest(requestID)
	}
	if err != nil || !body.Valid {
		return nil, m.classify("read holding", err)
	}
	var h session.Holding
	return &h, m.classify("read holding", json.Unmarshal([]byte(body.String), &h))
}
