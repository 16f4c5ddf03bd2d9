package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
)

// SaveView keeps how a person looks at an answer, as an artifact of its turn that replaces the one before. Faults: NotFound,
// Conflict (the request has no answer).
func (m *Memory) SaveView(ctx context.Context, requestID string, v session.View) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode view: %w", err)
	}
	return m.classify("save view", m.update(ctx, func(tx *sql.Tx) error {
		var sessionID string
		var turn int
		var answered bool
		err := tx.QueryRowContext(ctx, `SELECT request.session, request.turn, request.answer IS NOT NULL FROM request JOIN session ON session.id = request.session
			WHERE request.id = ? AND session.deleted IS NULL`, requestID).Scan(&sessionID, &turn, &answered)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return noRequest(requestID)
		case err != nil:
			return err
		case !answered:
			return fault.New(fault.Conflict, "save view", text.Say("memory.no_answer"), text.Say("memory.no_answer_hint"))
		}
		done, err := tx.ExecContext(ctx, `UPDATE artifact SET body = ?, created = ? WHERE request = ? AND kind = ?`, string(body), stamp(m.now()), requestID, string(session.KindView))
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if err != nil {
			return err
		}
		if n > 0 {
			return indexAgain(ctx, tx, requestID)
		}
		var position int
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(position) + 1, 0) FROM artifact WHERE request = ?`, requestID).Scan(&position); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO artifact (id, request, position, kind, title, body, created) VALUES (?, ?, ?, ?, '', ?, ?)`,
			session.ArtifactID(sessionID, turn, position), requestID, position, string(session.KindView), string(body), stamp(m.now()))
		if err != nil {
			return err
		}
		return indexAgain(ctx, tx, requestID)
	}))
}
