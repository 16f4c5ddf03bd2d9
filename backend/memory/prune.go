package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assay/backend/analyst"
	"assay/backend/session"
)

// Pruned says what came of looking whether the memory is too large.
type Pruned struct {
	Answers int   // whose rows were let go
	Bytes   int64 // that they took
}

const (
	pruneTo     = 0.9     // of the limit: what is left, so that it is not too large again tomorrow
	prunedAtOne = 32      // answers in one transaction
	pruneWorth  = 4 << 10 // bytes of an answer below which it stays as it is
)

// Prune lets rows of frames go while the memory takes more bytes than a limit: of the sessions that were used longest ago first, and of what is pinned, as a session or
// an answer, last. The answer stays with its question, query, grade, narration and provenance; its frame says when its rows went, and asking again
// brings them back. The file becomes smaller by Scrub. Faults as of Begin.
func (m *Memory) Prune(ctx context.Context, limit int64) (Pruned, error) {
	var out Pruned
	var bytes, live int64
	err := m.read.QueryRowContext(ctx, `SELECT page_count * page_size, (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_page_size, pragma_freelist_count`).Scan(&bytes, &live)
	if err != nil || bytes <= limit {
		return out, m.classify("prune memory", err)
	}
	candidates, err := texts(ctx, m.read, `SELECT r.id FROM request r JOIN session s ON s.id = r.session
		WHERE r.outcome = ? AND octet_length(r.answer) > ? ORDER BY s.pinned IS NOT NULL OR EXISTS (SELECT 1 FROM artifact a WHERE a.request = r.id AND a.kind = ? AND json_extract(a.body, '$.pinned')),
			s.updated, s.rowid, r.turn`, string(analyst.OutcomeAnswer), pruneWorth, string(session.KindView))
	if err != nil {
		return out, m.classify("prune memory", err)
	}
	excess := live - int64(float64(limit)*pruneTo)
	for len(candidates) > 0 && excess > 0 {
		some := candidates[:min(prunedAtOne, len(candidates))]
		candidates = candidates[len(some):]
		err := m.update(ctx, func(tx *sql.Tx) error {
			for _, id := range some {
				if excess <= 0 {
					break
				}
				freed, err := m.prune(ctx, tx, id)
				if err != nil {
					return fmt.Errorf("answer to %s: %w", id, err)
				}
				if freed > 0 {
					out.Answers, out.Bytes, excess = out.Answers+1, out.Bytes+freed, excess-freed
				}
			}
			return noteTraces(ctx, tx)
		})
		if err != nil {
			return out, m.classify("prune memory", err)
		}
	}
	return out, nil
}

// prune lets the rows of one answer go, where they stand in it, in its artifacts, and beside those that it gives now; it gives the bytes that they took.
func (m *Memory) prune(ctx context.Context, tx *sql.Tx, requestID string) (freed int64, err error) {
	now := m.now().UTC()
	var answer string
	if err := tx.QueryRowContext(ctx, `SELECT answer FROM request WHERE id = ?`, requestID).Scan(&answer); err != nil {
		return 0, err
	}
	less, went, err := withoutRows([]byte(answer), "frame", now)
	if err != nil || !went {
		return 0, err
	}
	freed = int64(len(answer) - len(less))
	if _, err := tx.ExecContext(ctx, `UPDATE request SET answer = ? WHERE id = ?`, string(less), requestID); err != nil {
		return 0, err
	}
	for kind, inside := range map[session.Kind]string{session.KindFrame: "", session.KindChart: "chart"} {
		var id, body string
		err := tx.QueryRowContext(ctx, `SELECT id, body FROM artifact WHERE request = ? AND kind = ? ORDER BY position LIMIT 1`, requestID, string(kind)).Scan(&id, &body)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return 0, err
		}
		if inside == "chart" {
			less, err = withoutDrawing([]byte(body))
		} else {
			less, _, err = withoutRows([]byte(body), "", now)
		}
		if err != nil {
			return 0, err
		}
		freed += int64(len(body) - len(less))
		if _, err := tx.ExecContext(ctx, `UPDATE artifact SET body = ? WHERE id = ?`, string(less), id); err != nil {
			return 0, err
		}
	}
	_, err = tx.ExecContext(ctx, `UPDATE holding SET body = json_remove(body, '$.comparison') WHERE request = ?`, requestID)
	return freed, err
}

// withoutRows gives a frame, or the object that has it under a name, without its rows, which the frame then says. went is false where there are none, or no frame.
func withoutRows(raw []byte, under string, at time.Time) (less []byte, went bool, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, false, err
	}
	if under != "" {
		if len(fields[under]) == 0 || string(fields[under]) == "null" {
			return raw, false, nil
		}
		frame, went, err := withoutRows(fields[under], "", at)
		if err != nil || !went {
			return raw, false, err
		}
		fields[under] = frame
		if len(fields["chart"]) > 0 && string(fields["chart"]) != "null" {
			if fields["chart"], err = withoutDrawing(fields["chart"]); err != nil {
				return nil, false, err
			}
		}
		less, err = json.Marshal(fields)
		return less, true, err
	}
	var rows []json.RawMessage
	var total int
	var truncated *struct {
		Total int `json:"total_rows"`
	}
	for name, into := range map[string]any{"rows": &rows, "row_count": &total, "truncated": &truncated} {
		if len(fields[name]) > 0 {
			if err := json.Unmarshal(fields[name], into); err != nil {
				return nil, false, err
			}
		}
	}
	if len(rows) == 0 {
		return raw, false, nil
	}
	if truncated != nil {
		total = truncated.Total
	}
	for name, value := range map[string]any{
		"rows": []any{}, "row_count": 0, "reasons": []any{}, "truncated": map[string]int{"cap": 0, "total_rows": max(total, len(rows))}, "let_go": at,
	} {
		if fields[name], err = json.Marshal(value); err != nil {
			return nil, false, err
		}
	}
	less, err = json.Marshal(fields)
	return less, true, err
}

// withoutDrawing gives a chart without its specification: there is nothing left to draw. Its intent stays.
func withoutDrawing(raw []byte) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	fields["vega_lite"] = json.RawMessage("null")
	return json.Marshal(fields)
}
