package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
)

// SettledBranched is how a request stands in a branch when it waited in the session that it was copied from: it waits there, and nobody
// is asked for it twice.
const SettledBranched = "branched"

// ForkAt says what a branch goes on from. The zero value is the last turn that stands in the session.
type ForkAt struct {
	Turn     int    // counted from 1; 0: Artifact says it
	Artifact string // an artifact of the session; empty: Turn says it
}

// Forked is a session that goes on from a turn of another one.
type Forked struct {
	SessionID string `json:"session_id"`
	Title     string `json:"title"`
	Turn      int    `json:"turn" doc:"The last turn that it took along, counted from 1"`
}

// Fork begins a session of the given name with copies of the turns of another one up to and with the one that is gone on from. Of several
// versions of that turn the named one stands in the branch. The copies have names of their own (newID gives them), so that neither session changes
// the other.
//
// Faults: NotFound (no such session, turn, or artifact of it), Conflict (one of the turns is not finished, or the name is taken), and those of Begin.
func (m *Memory) Fork(ctx context.Context, from string, at ForkAt, to string, newID func() string) (Forked, error) {
	out := Forked{SessionID: to}
	if err := m.settle(ctx); err != nil {
		return out, m.classify("fork session", err)
	}
	err := m.update(ctx, func(tx *sql.Tx) error {
		var parent string
		err := tx.QueryRowContext(ctx, `SELECT title FROM session WHERE id = ? AND deleted IS NULL`, from).Scan(&parent)
		if errors.Is(err, sql.ErrNoRows) {
			return noSession(from)
		}
		if err != nil {
			return err
		}
		turn, err := turnAt(ctx, tx, from, at)
		if err != nil {
			return err
		}
		out.Turn, out.Title = turn, session.Title(text.Say("memory.branch_title", "title", parent, "turn", turn))
		now := stamp(m.now())
		if _, err := tx.ExecContext(ctx, `INSERT INTO session (id, title, created, updated, origin, origin_title, origin_turn, origin_artifact) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			to, out.Title, now, now, from, parent, turn, at.Artifact); err != nil {
			return err
		}
		requests, err := toCopy(ctx, tx, from, turn)
		if err != nil {
			return err
		}
		names := map[string]string{"": ""}
		for _, r := range requests {
			names[r.id] = newID()
			if err := copyRequest(ctx, tx, r, to, names[r.id], names[r.insteadOf]); err != nil {
				return err
			}
		}
		if err := standAgain(ctx, tx, to, turn); err != nil {
			return err
		}
		return choose(ctx, tx, to, turn)
	})
	if duplicate(err) {
		return out, fault.Wrap(fault.Conflict, "fork session", text.Say("memory.branch_taken", "session", to), "", err)
	}
	return out, m.classify("fork session", err)
}

// turnAt finds the turn that is gone on from.
func turnAt(ctx context.Context, tx *sql.Tx, sessionID string, at ForkAt) (turn int, err error) {
	switch {
	case at.Artifact != "":
		err = tx.QueryRowContext(ctx, `SELECT turn FROM request JOIN artifact ON artifact.request = request.id WHERE session = ? AND artifact.id = ?`, sessionID, at.Artifact).Scan(&turn)
		if errors.Is(err, sql.ErrNoRows) {
			err = fault.New(fault.NotFound, "fork session", text.Say("memory.fork_no_artifact", "artifact", at.Artifact), text.Say("memory.fork_no_artifact_hint"))
		}
	case at.Turn != 0:
		turn = at.Turn
	default:
		err = tx.QueryRowContext(ctx, `SELECT turn FROM request WHERE session = ? AND archived IS NULL ORDER BY coalesce(place, turn) DESC, chosen DESC, turn DESC LIMIT 1`, sessionID).Scan(&turn)
		if errors.Is(err, sql.ErrNoRows) {
			err = fault.New(fault.NotFound, "fork session", text.Say("memory.no_turns"), text.Say("memory.no_turns_hint"))
		}
	}
	return turn, err
}

// standAgain lets the turn that was gone on from, when it had been cleared away, stand again with those that were cleared with it: they are its conversation.
func standAgain(ctx context.Context, tx *sql.Tx, sessionID string, turn int) error {
	_, err := tx.ExecContext(ctx, `UPDATE request SET archived = NULL WHERE session = ? AND archived = (SELECT archived FROM request WHERE session = ? AND turn = ?)`, sessionID, sessionID, turn)
	return err
}

// choose lets the version that was gone on from stand in its place; where it does already, nothing changes.
func choose(ctx context.Context, tx *sql.Tx, sessionID string, turn int) error {
	_, err := tx.ExecContext(ctx, `UPDATE request SET chosen = (SELECT max(o.chosen) + 1 FROM request o WHERE o.session = request.session AND coalesce(o.place, o.turn) = coalesce(request.place, request.turn))
		WHERE session = ? AND turn = ? AND EXISTS (SELECT 1 FROM request o WHERE o.session = request.session AND coalesce(o.place, o.turn) = coalesce(request.place, request.turn)
			AND (o.chosen, o.turn) > (request.chosen, request.turn))`, sessionID, turn)
	return err
}

// copied is a request as far as a copy of it differs.
type copied struct {
	id        string
	turn      int
	insteadOf string
	answer    sql.NullString
}

func toCopy(ctx context.Context, tx *sql.Tx, sessionID string, turn int) ([]copied, error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, turn, instead_of, answer, finished IS NOT NULL FROM request WHERE session = ?
		AND coalesce(place, turn) <= (SELECT coalesce(o.place, o.turn) FROM request o WHERE o.session = request.session AND o.turn = ?) ORDER BY turn`, sessionID, turn)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	var all []copied
	for rows.Next() {
		var c copied
		var finished bool
		if err := rows.Scan(&c.id, &c.turn, &c.insteadOf, &c.answer, &finished); err != nil {
			return nil, err
		}
		if !finished {
			return nil, fault.New(fault.Conflict, "fork session", text.Say("memory.branch_running", "turn", c.turn), text.Say("memory.branch_running_hint"))
		}
		all = append(all, c)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if len(all) == 0 { // with the turn all that stands before it is there, in all its versions
		return nil, fault.New(fault.NotFound, "fork session", text.Say("memory.no_turn", "turn", turn), text.Say("memory.no_turn_hint"))
	}
	return all, nil
}

func copyRequest(ctx context.Context, tx *sql.Tx, c copied, sessionID, requestID, insteadOf string) error {
	answer, err := renamed(c.answer, sessionID, requestID, c.turn)
	if err != nil {
		return err
	}
	// What waited for somebody waits in the session that it was asked in.
	if _, err := tx.ExecContext(ctx, `INSERT INTO request (id, session, turn, question, actor, asked, overrides, instance, finished, outcome, status, frame_ql, answer, fault, trace, said,
			stage, level, until, ending, settled, settled_at, settled_by, settled_how, place, chosen, worded, given, made_by, archived, elsewhere, instead_of)
		SELECT ?, ?, turn, question, actor, asked, overrides, instance, finished, outcome, status, frame_ql, ?, fault, trace, said,
			?, level, NULL, '', CASE WHEN settled = '' AND stage <> ? THEN ? ELSE settled END, settled_at, settled_by, settled_how, place, chosen, worded, given, made_by, archived, elsewhere, ?
		FROM request WHERE id = ?`, requestID, sessionID, answer, string(analyst.StageClose), string(analyst.StageClose), SettledBranched, insteadOf, c.id); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO artifact (id, request, position, kind, title, body, created)
		SELECT 'art_' || ? || '_' || ? || '_' || position, ?, position, kind, title, body, created FROM artifact WHERE request = ?`,
		sessionID, c.turn, requestID, c.id)
	if err != nil {
		return err
	}
	return index(ctx, tx, requestID, metricLabels(strings.NewReader(c.answer.String)))
}

// renamed gives an answer under the names of its copy. All else stays as its bytes are.
func renamed(answer sql.NullString, sessionID, requestID string, turn int) (any, error) {
	if !answer.Valid {
		return nil, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(answer.String), &fields); err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	if fields == nil {
		return answer.String, nil
	}
	var refs []analyst.ArtifactRef
	if raw, ok := fields["artifacts"]; ok {
		if err := json.Unmarshal(raw, &refs); err != nil {
			return nil, fmt.Errorf("read artifacts of an answer: %w", err)
		}
	}
	for i := range refs {
		refs[i].ID = session.ArtifactID(sessionID, turn, i)
	}
	for name, value := range map[string]any{"request_id": requestID, "session_id": sessionID, "artifacts": refs} {
		if _, ok := fields[name]; !ok {
			continue
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		fields[name] = raw
	}
	raw, err := json.Marshal(fields)
	return string(raw), err
}
