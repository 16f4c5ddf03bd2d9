package memory

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"assay/backend/analyst"
	"assay/backend/knowledge"
)

// Finished lists sessions of this workspace in which nothing happened since a time, and in which something came about since they were looked through, the one that rests longest first. Of each it gives what
// was asked in it: not what was copied from another one or came with a file.
func (m *Memory) Finished(ctx context.Context, since time.Time, most int) ([]analyst.Finished, error) {
	if err := m.settle(ctx); err != nil {
		return nil, m.classify("list finished sessions", err)
	}
	var all []analyst.Finished
	err := each(ctx, m.read, `SELECT s.id, l.revision, l.turn FROM looked l JOIN session s ON s.id = l.session
		WHERE l.seen < l.revision AND s.deleted IS NULL AND s.imported IS NULL AND s.updated <= ?
		AND NOT EXISTS (SELECT 1 FROM request r WHERE r.session = s.id AND r.finished IS NULL) ORDER BY s.updated, s.id LIMIT ?`, []any{stamp(since), most}, func(scan func(...any) error) error {
		var f analyst.Finished
		err := scan(&f.SessionID, &f.Revision, &f.Turn)
		all = append(all, f)
		return err
	})
	for i := range all {
		if err == nil {
			all[i].Turns, err = m.finishedTurns(ctx, all[i].SessionID)
		}
	}
	return all, m.classify("list finished sessions", err)
}

func (m *Memory) finishedTurns(ctx context.Context, sessionID string) ([]analyst.FinishedTurn, error) {
	var all []analyst.FinishedTurn
	err := each(ctx, m.read, `SELECT r.id, r.turn, r.question, r.actor, r.asked, r.outcome = ?, coalesce(r.settled = ? AND r.settled_by = r.actor, false), coalesce(r.settled_at, ''),
			coalesce(f.thumb, ''), coalesce(f.at, ''), coalesce(json_object('remembered', json_extract(r.answer, '$.remembered')), ''), coalesce(json_type(r.answer, '$.learned') = 'object', false)
		FROM request r JOIN session s ON s.id = r.session LEFT JOIN feedback f ON f.request = r.id AND f.actor = r.actor
		WHERE r.session = ? AND r.elsewhere IS NULL AND r.asked >= s.created ORDER BY r.turn`,
		[]any{string(analyst.OutcomeAnswer), string(analyst.OnAccepted), sessionID}, func(scan func(...any) error) error {
			var t analyst.FinishedTurn
			var asked, settled, thumb, opined, answer string
			var answered, accepted bool
			if err := scan(&t.RequestID, &t.Turn, &t.Question, &t.Actor, &asked, &answered, &accepted, &settled, &thumb, &opined, &answer, &t.Taught); err != nil {
				return err
			}
			var err error
			if t.Asked, err = moment(asked); err != nil {
				return err
			}
			t.Right = answered && thumb != analyst.ThumbDown && (accepted || thumb == analyst.ThumbUp)
			if t.Right {
				t.Answer = []byte(answer)
				said := settled
				if thumb == analyst.ThumbUp {
					said = max(opined, settled)
				}
				if t.At, err = moment(said); err != nil {
					return err
				}
			}
			all = append(all, t)
			return nil
		})
	return all, err
}

// LookedThrough keeps what was found in a session, with how far it was looked through, all of it or nothing. What was confirmed takes the place of what was confirmed in it before; what was said is noted
// where the same was not noted before. Where the session went on meanwhile nothing is kept: it is looked through again. Faults: those of Begin.
func (m *Memory) LookedThrough(ctx context.Context, f analyst.Finished, confirmed []analyst.Confirmed, said []knowledge.Correction) error {
	return m.classify("keep what was found", m.update(ctx, func(tx *sql.Tx) error {
		var now int64
		err := tx.QueryRowContext(ctx, `SELECT revision FROM looked WHERE session = ?`, f.SessionID).Scan(&now)
		if errors.Is(err, sql.ErrNoRows) || err == nil && now != f.Revision {
			return nil
		}
		if err != nil {
			return err
		}
		if err := confirm(ctx, tx, f.SessionID, confirmed); err != nil {
			return err
		}
		for _, c := range said {
			if err := m.noteSaid(ctx, tx, c); err != nil {
				return err
			}
		}
		last := f.Turn
		for _, t := range f.Turns {
			last = max(last, t.Turn)
		}
		_, err = tx.ExecContext(ctx, `UPDATE looked SET seen = ?, turn = ? WHERE session = ?`, f.Revision, last, f.SessionID)
		return err
	}))
}

// confirm brings what was confirmed in a session to what it is now.
func confirm(ctx context.Context, tx *sql.Tx, sessionID string, now []analyst.Confirmed) error {
	var gone []analyst.Confirmed
	err := each(ctx, tx, `SELECT request, meaning, author, quote, at FROM confirmation WHERE request IN (SELECT id FROM request WHERE session = ?)`, []any{sessionID}, func(scan func(...any) error) error {
		var c analyst.Confirmed
		var at string
		if err := scan(&c.RequestID, &c.Meaning, &c.Author, &c.Quote, &at); err != nil {
			return err
		}
		var err error
		c.At, err = moment(at)
		same := slices.IndexFunc(now, func(o analyst.Confirmed) bool {
			return o.RequestID == c.RequestID && o.Meaning == c.Meaning && o.Author == c.Author && o.Quote == c.Quote && o.At.Equal(c.At)
		})
		if same >= 0 {
			now = slices.Delete(slices.Clone(now), same, same+1)
		} else {
			gone = append(gone, c)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, c := range gone {
		if _, err := tx.ExecContext(ctx, `DELETE FROM confirmation WHERE request = ? AND meaning = ?`, c.RequestID, c.Meaning); err != nil {
			return err
		}
	}
	for _, c := range now {
		_, err := tx.ExecContext(ctx, `INSERT INTO confirmation (request, meaning, author, quote, at) VALUES (?, ?, ?, ?, ?)`, c.RequestID, c.Meaning, c.Author, c.Quote, stamp(c.At))
		if err != nil {
			return err
		}
	}
	return nil
}

// noteSaid notes a definition that was said, unless its person was told of the same before, whatever became of it, or taught something of the term meanwhile.
func (m *Memory) noteSaid(ctx context.Context, tx *sql.Tx, c knowledge.Correction) error {
	var there bool
	key := knowledge.Key(c.Term)
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM correction WHERE author = ?1 AND key = ?2) OR EXISTS (SELECT 1 FROM noted WHERE author = ?1 AND key = ?2 AND lower(means) = lower(?3))`,
		c.Author, key, c.Means).Scan(&there)
	if err != nil || there {
		return err
	}
	_, err = m.note(ctx, tx, &c)
	return err
}
