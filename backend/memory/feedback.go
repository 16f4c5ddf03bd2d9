package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay/backend/analyst"
	"assay/backend/session"
)

// SaveFeedback keeps what a person says of an answer, in place of what was said before, with its record in the audit log, both
// or nothing; nil takes it back. Faults: NotFound, and those of Begin.
func (m *Memory) SaveFeedback(ctx context.Context, requestID, actor string, f *session.Feedback, metrics []string, r analyst.Record) error {
	about, err := json.Marshal(slices.Concat([]string{}, metrics))
	if err != nil {
		return fmt.Errorf("encode metrics: %w", err)
	}
	var head auditHead
	err = m.update(ctx, func(tx *sql.Tx) error {
		var there bool
		err := tx.QueryRowContext(ctx, `SELECT true FROM request JOIN session ON session.id = request.session WHERE request.id = ? AND session.deleted IS NULL`, requestID).Scan(&there)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return noRequest(requestID)
		case err != nil:
			return err
		case f == nil:
			_, err = tx.ExecContext(ctx, `DELETE FROM feedback WHERE request = ?`, requestID)
		default:
			_, err = tx.ExecContext(ctx, `INSERT INTO feedback (request, actor, at, thumb, reason, words, serious, metrics) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
				ON CONFLICT (request) DO UPDATE SET actor = excluded.actor, at = excluded.at, thumb = excluded.thumb, reason = excluded.reason,
				words = excluded.words, serious = excluded.serious, metrics = excluded.metrics`,
				requestID, actor, stamp(f.At), f.Thumb, f.Reason, f.Words, f.Serious, string(about))
		}
		if err == nil {
			err = indexAgain(ctx, tx, requestID)
		}
		if err == nil {
			head, err = m.record(ctx, tx, r)
		}
		return err
	})
	if err == nil {
		m.writeHead(head)
	}
	return m.classify("save feedback", err)
}

// Serious gives the metrics of those answers whose error an actor called serious since then, sorted.
func (m *Memory) Serious(ctx context.Context, actor string, since time.Time) ([]string, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT DISTINCT value FROM feedback, json_each(metrics) WHERE actor = ? AND serious = 1 AND at >= ? ORDER BY value`, actor, stamp(since))
	if err != nil {
		return nil, m.classify("read feedback", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	var all []string
	for rows.Next() {
		var metric string
		if err := rows.Scan(&metric); err != nil {
			return nil, m.classify("read feedback", err)
		}
		all = append(all, metric)
	}
	return all, m.classify("read feedback", rows.Err())
}

// Feedback is what a person says of an answer; nil: nothing.
func (m *Memory) Feedback(ctx context.Context, requestID string) (*session.Feedback, error) {
	var s storedFeedback
	err := m.read.QueryRowContext(ctx, `SELECT thumb, reason, words, at, serious FROM feedback WHERE request = ?`, requestID).Scan(&s.thumb, &s.reason, &s.words, &s.at, &s.serious)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, m.classify("read feedback", err)
	}
	f, err := s.feedback()
	return f, m.classify("read feedback", err)
}

// storedFeedback is feedback as a row that may not be there.
type storedFeedback struct {
	thumb, reason, words, at sql.NullString
	serious                  sql.NullBool
}

// feedback is what stands in the row; nil: there is none.
func (s storedFeedback) feedback() (*session.Feedback, error) {
	if !s.thumb.Valid {
		return nil, nil
	}
	at, err := moment(s.at.String)
	return &session.Feedback{Thumb: s.thumb.String, Reason: s.reason.String, Words: s.words.String, Serious: s.serious.Bool, At: at}, err
}
