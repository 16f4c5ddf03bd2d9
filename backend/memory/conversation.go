package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
)

// conversationTurns is how many turns back a question may go on from.
const conversationTurns = 50

// standing keeps of the rows of request, named r, those that nobody chose another version of: of one place the one that was chosen
// last among those with such an outcome. %s is the condition on an outcome.
func standing(condition string) string {
	return ` AND r.` + condition + ` AND NOT EXISTS (SELECT 1 FROM request o WHERE o.session = r.session AND coalesce(o.place, o.turn) = coalesce(r.place, r.turn)
		AND (o.chosen, o.turn) > (r.chosen, r.turn) AND o.` + condition + `)`
}

// Conversation gives the latest turns before a place of a session (0: all) that came to an outcome, oldest first, without their
// answers, artifacts and traces, and with the time since when they stand in this session: those of a fork since it was forked; what was cleared away is not among them. Of several versions it gives the one that was chosen last among those that came to an outcome.
func (m *Memory) Conversation(ctx context.Context, sessionID string, before int) ([]session.Turn, error) {
	outcomes := `outcome IN ('` + string(analyst.OutcomeAnswer) + `', '` + string(analyst.OutcomeClarify) + `', '` + string(analyst.OutcomeConfirm) + `', '` + string(analyst.OutcomeRefuse) + `')`
	rows, err := m.read.QueryContext(ctx, `SELECT r.id, r.turn, coalesce(r.place, r.turn), r.question, max(r.asked, session.created), r.outcome, r.frame_ql, r.said FROM request r JOIN session ON session.id = r.session
		WHERE r.session = ? AND r.archived IS NULL AND session.deleted IS NULL AND (? = 0 OR coalesce(r.place, r.turn) < ?)`+standing(outcomes)+` ORDER BY coalesce(r.place, r.turn) DESC LIMIT ?`,
		sessionID, before, before, conversationTurns)
	if err != nil {
		return nil, m.classify("read session", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	var turns []session.Turn
	for rows.Next() {
		var t session.Turn
		var asked string
		var said sql.NullString
		if err := rows.Scan(&t.RequestID, &t.Index, &t.Place, &t.Question, &asked, &t.Outcome, &t.FrameQL, &said); err != nil {
			return nil, m.classify("read session", err)
		}
		if t.Asked, err = moment(asked); err != nil {
			return nil, m.classify("read session", err)
		}
		t.Said = json.RawMessage(said.String)
		turns = append(turns, t)
	}
	slices.Reverse(turns)
	return turns, m.classify("read session", rows.Err())
}

// Told gives the turns of a session as far as its state follows from them: what each leaves behind, and of its answer what the columns of the frame are of and
// which rows were counted. Fault NotFound.
func (m *Memory) Told(ctx context.Context, sessionID string) ([]session.Turn, error) {
	if _, err := m.head(ctx, sessionID); err != nil {
		return nil, m.classify("read session", err)
	}
	rows, err := m.read.QueryContext(ctx, `SELECT id, turn, coalesce(place, turn), question, asked, outcome, status, frame_ql, said, archived,
			json_object('frame', CASE WHEN json_type(answer, '$.frame') = 'object' THEN json_object('columns', json_extract(answer, '$.frame.columns'), 'population', json_extract(answer, '$.frame.population')) END),
			NOT EXISTS (SELECT 1 FROM request o WHERE o.session = request.session AND coalesce(o.place, o.turn) = coalesce(request.place, request.turn) AND (o.chosen, o.turn) > (request.chosen, request.turn))
		FROM request WHERE session = ? ORDER BY turn`, sessionID)
	if err != nil {
		return nil, m.classify("read session", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	turns := []session.Turn{}
	for rows.Next() {
		var t session.Turn
		var asked, answer string
		var said, archived sql.NullString
		if err := rows.Scan(&t.RequestID, &t.Index, &t.Place, &t.Question, &asked, &t.Outcome, &t.Status, &t.FrameQL, &said, &archived, &answer, &t.Chosen); err != nil {
			return nil, m.classify("read session", err)
		}
		if t.Archived, err = momentOrNil(archived); err != nil {
			return nil, m.classify("read session", err)
		}
		if t.Asked, err = moment(asked); err != nil {
			return nil, m.classify("read session", err)
		}
		t.Said, t.Answer = json.RawMessage(said.String), json.RawMessage(answer)
		turns = append(turns, t)
	}
	return turns, m.classify("read session", rows.Err())
}

// Recent gives the canonical Frame-QL of the last n turns before a place of a session (0: of all) that were answered, the latest
// first. Of several versions the one counts that was chosen last among those with an answer.
func (m *Memory) Recent(ctx context.Context, sessionID string, before, n int) ([]string, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT r.frame_ql FROM request r JOIN session ON session.id = r.session
		WHERE r.session = ? AND r.archived IS NULL AND session.deleted IS NULL AND r.frame_ql <> '' AND (? = 0 OR coalesce(r.place, r.turn) < ?)`+
		standing(`outcome = '`+string(analyst.OutcomeAnswer)+`'`)+` ORDER BY coalesce(r.place, r.turn) DESC LIMIT ?`, sessionID, before, before, n)
	if err != nil {
		return nil, m.classify("read session", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	var recent []string
	for rows.Next() {
		var query string
		if err := rows.Scan(&query); err != nil {
			return nil, m.classify("read session", err)
		}
		recent = append(recent, query)
	}
	return recent, m.classify("read session", rows.Err())
}

// Asked gives the canonical Frame-QL of what an actor was answered from one time until before another, in sessions that were not deleted, the latest first and most at most.
func (m *Memory) Asked(ctx context.Context, actor string, from, until time.Time, most int) ([]analyst.AskedFor, error) {
	var all []analyst.AskedFor
	err := each(ctx, m.read, `SELECT r.frame_ql, r.asked FROM request r JOIN session ON session.id = r.session
		WHERE r.actor = ? AND r.asked >= ? AND r.asked < ? AND session.deleted IS NULL AND r.frame_ql <> '' AND r.outcome = '`+string(analyst.OutcomeAnswer)+`' AND r.elsewhere IS NULL
		ORDER BY r.asked DESC, r.id LIMIT ?`, []any{actor, stamp(from), stamp(until), most}, func(scan func(...any) error) error {
		var one analyst.AskedFor
		var at string
		err := scan(&one.FrameQL, &at)
		if err == nil {
			one.At, err = moment(at)
		}
		all = append(all, one)
		return err
	})
	return all, m.classify("read memory", err)
}

// Place gives the session of a request and its place there. Fault NotFound.
func (m *Memory) Place(ctx context.Context, requestID string) (sessionID string, place int, err error) {
	err = m.read.QueryRowContext(ctx, `SELECT r.session, coalesce(r.place, r.turn) FROM request r JOIN session ON session.id = r.session
		WHERE r.id = ? AND session.deleted IS NULL`, requestID).Scan(&sessionID, &place)
	if errors.Is(err, sql.ErrNoRows) {
		err = noRequest(requestID)
	}
	return sessionID, place, m.classify("read request", err)
}

// Choose makes a request the version that stands in its place, and what later questions go on from. Fault NotFound.
func (m *Memory) Choose(ctx context.Context, requestID string) error {
	return m.classify("choose version", m.update(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE request SET chosen = (SELECT max(o.chosen) + 1 FROM request o WHERE o.session = request.session
			AND coalesce(o.place, o.turn) = coalesce(request.place, request.turn)) WHERE id = ? AND session IN (SELECT id FROM session WHERE deleted IS NULL)`, requestID)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, noRequest(requestID))
		}
		return nil
	}))
}

// placeOf gives the place that a request takes, nil for one of its own, and how it is chosen there.
func placeOf(ctx context.Context, tx *sql.Tx, r analyst.Stored) (place any, chosen int, err error) {
	if r.InsteadOf == "" {
		return nil, 0, nil
	}
	var at int
	var cleared bool
	err = tx.QueryRowContext(ctx, `SELECT coalesce(place, turn), archived IS NOT NULL FROM request WHERE id = ? AND session = ?`, r.InsteadOf, r.SessionID).Scan(&at, &cleared)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, 0, fault.New(fault.NotFound, "begin request", text.Say("memory.no_version", "request", r.InsteadOf), text.Say("memory.no_version_hint"))
	}
	if err != nil {
		return nil, 0, err
	}
	if cleared {
		return nil, 0, fault.New(fault.Conflict, "begin request", text.Say("memory.version_cleared"), text.Say("memory.version_cleared_hint"))
	}
	err = tx.QueryRowContext(ctx, `SELECT max(chosen) + 1 FROM request WHERE session = ? AND coalesce(place, turn) = ?`, r.SessionID, at).Scan(&chosen)
	return at, chosen, err
}
