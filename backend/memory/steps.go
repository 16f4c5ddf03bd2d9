package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"assay/backend/session"
)

// stepWorth is from which time on a step is worth waiting for the disk. One that took less is in the file before it is told of, so that it outlives the program, but the
// disk is not waited for: with the power it may be lost until the next commit that waits, and would be taken again in less time than waiting takes.
const stepWorth = 20 * time.Millisecond

// Step keeps a step of a request that runs, which Finish moves into its trace. It returns after it would outlive the program, and, where it took stepWorth or longer, the loss of power.
// Faults: NotFound (no such request), and those of Begin.
func (m *Memory) Step(ctx context.Context, requestID string, position int, s session.Step) error {
	body, err := json.Marshal(s)
	if err == nil {
		err = m.inTurn(ctx, s.TookMS < float64(stepWorth.Milliseconds()), func() error {
			_, err := m.addStep.ExecContext(ctx, requestID, position, string(body))
			return err
		})
	}
	if foreignKey(err) {
		err = noRequest(requestID)
	}
	return m.classify("keep step", err)
}

// interrupt ends a request whose process died: the steps that ended become its trace.
func (m *Memory) interrupt(ctx context.Context, tx *sql.Tx, requestID string) error {
	if _, err := tx.ExecContext(ctx, `UPDATE request SET finished = ?, outcome = ?, status = ?, trace = (SELECT json_group_array(json(body) ORDER BY position) FROM step WHERE request = ?) WHERE id = ?`,
		stamp(m.now()), session.Interrupted, session.Interrupted, requestID, requestID); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM step WHERE request = ?`, requestID); err != nil {
		return err
	}
	return index(ctx, tx, requestID, []string{})
}
