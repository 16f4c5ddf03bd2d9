package memory

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"assay/backend/fault"
	"assay/backend/text"
)

// SavedQuery is a query that a person keeps under a name. It is text: nothing runs it but the person, who goes through the gate then.
type SavedQuery struct {
	ID       string    `json:"id"`
	Name     string    `json:"name" doc:"One of its kind, whatever its case"`
	Language string    `json:"language" enum:"frame_ql,sql"`
	Text     string    `json:"text"`
	Created  time.Time `json:"created"`
	Changed  time.Time `json:"changed"` // its text or its name
}

// How far saved queries go.
const (
	MostSavedQueries = 1000    // of one person
	MostSavedName    = 120     // characters
	MostSavedText    = 200_000 // characters
)

// SavedQueries lists the queries that an actor keeps, by name.
func (m *Memory) SavedQueries(ctx context.Context, actor string) ([]SavedQuery, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT id, name, language, text, created, changed FROM saved_query WHERE actor = ? ORDER BY key`, actor)
	if err != nil {
		return nil, m.classify("list saved queries", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	all := []SavedQuery{}
	for rows.Next() {
		q, err := scanSaved(rows.Scan)
		if err != nil {
			return nil, m.classify("list saved queries", err)
		}
		all = append(all, q)
	}
	return all, m.classify("list saved queries", rows.Err())
}

// SaveQuery keeps a query under its name; id and times are given to it. Where the name is taken, `replacing` must be when the query that
// stands there was changed last: who did not see how it is now does not write over it. nil: the name must be free. Faults: Invalid (no
// name, no text, no such language), Limit (too long, too many), Conflict (the name is taken, or what has it was changed).
func (m *Memory) SaveQuery(ctx context.Context, actor string, q SavedQuery, replacing *time.Time) (SavedQuery, error) {
	q.Name = tidyName(q.Name)
	if err := checkSaved(q); err != nil {
		return SavedQuery{}, err
	}
	now := m.now().UTC()
	err := m.update(ctx, func(tx *sql.Tx) error {
		there, err := scanSaved(tx.QueryRowContext(ctx, `SELECT id, name, language, text, created, changed FROM saved_query WHERE actor = ? AND key = ?`, actor, keyOf(q.Name)).Scan)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return m.addSaved(ctx, tx, actor, &q, now)
		case err != nil:
			return err
		case replacing == nil:
			return savedFault(fault.Conflict, "memory.saved_taken", "memory.saved_taken_hint", "name", there.Name)
		case !there.Changed.Equal(*replacing):
			return savedFault(fault.Conflict, "memory.saved_changed", "memory.saved_changed_hint", "name", there.Name)
		}
		q.ID, q.Created, q.Changed = there.ID, there.Created, after(there.Changed, now)
		_, err = tx.ExecContext(ctx, `UPDATE saved_query SET name = ?, language = ?, text = ?, changed = ? WHERE id = ?`, q.Name, q.Language, q.Text, stamp(q.Changed), q.ID)
		return err
	})
	if err != nil {
		return SavedQuery{}, m.classify("save query", err)
	}
	return q, nil
}

func (m *Memory) addSaved(ctx context.Context, tx *sql.Tx, actor string, q *SavedQuery, now time.Time) error {
	var n int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM saved_query WHERE actor = ?`, actor).Scan(&n); err != nil {
		return err
	}
	if n >= MostSavedQueries {
		return savedFault(fault.Limit, "memory.saved_many", "memory.saved_many_hint", "most", MostSavedQueries)
	}
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	q.ID, q.Created, q.Changed = hex.EncodeToString(id[:]), now, now
	_, err := tx.ExecContext(ctx, `INSERT INTO saved_query (id, actor, name, key, language, text, created, changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		q.ID, actor, q.Name, keyOf(q.Name), q.Language, q.Text, stamp(now), stamp(now))
	return err
}

// RenameQuery gives a saved query another name. Faults: NotFound, Invalid, Limit, Conflict (the name is taken).
func (m *Memory) RenameQuery(ctx context.Context, actor, id, name string) (SavedQuery, error) {
	var q SavedQuery
	err := m.update(ctx, func(tx *sql.Tx) error {
		var err error
		q, err = scanSaved(tx.QueryRowContext(ctx, `SELECT id, name, language, text, created, changed FROM saved_query WHERE actor = ? AND id = ?`, actor, id).Scan)
		if errors.Is(err, sql.ErrNoRows) {
			return noSaved()
		}
		if err != nil {
			return err
		}
		q.Name, q.Changed = tidyName(name), after(q.Changed, m.now().UTC())
		if err := checkSaved(q); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE saved_query SET name = ?, key = ?, changed = ? WHERE id = ?`, q.Name, keyOf(q.Name), stamp(q.Changed), id)
		if duplicate(err) {
			return savedFault(fault.Conflict, "memory.saved_taken", "memory.saved_rename_hint", "name", q.Name)
		}
		return err
	})
	if err != nil {
		return SavedQuery{}, m.classify("rename saved query", err)
	}
	return q, nil
}

// DeleteQuery forgets a saved query. Who wants it back saves it again. Fault NotFound.
func (m *Memory) DeleteQuery(ctx context.Context, actor, id string) error {
	return m.classify("delete saved query", m.update(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `DELETE FROM saved_query WHERE actor = ? AND id = ?`, actor, id)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, noSaved())
		}
		return nil
	}))
}

func scanSaved(scan func(...any) error) (SavedQuery, error) {
	var q SavedQuery
	var created, changed string
	if err := scan(&q.ID, &q.Name, &q.Language, &q.Text, &created, &changed); err != nil {
		return q, err
	}
	var err error
	q.Created, q.Changed, err = moments(created, changed)
	return q, err
}

func checkSaved(q SavedQuery) error {
	switch {
	case q.Name == "":
		return savedFault(fault.Invalid, "memory.saved_no_name", "memory.saved_no_name_hint")
	case strings.TrimSpace(q.Text) == "":
		return savedFault(fault.Invalid, "memory.saved_no_text", "memory.saved_no_text_hint")
	case q.Language != "frame_ql" && q.Language != "sql":
		return savedFault(fault.Invalid, "memory.saved_language", "memory.saved_language_hint", "language", q.Language)
	case utf8.RuneCountInString(q.Name) > MostSavedName:
		return savedFault(fault.Limit, "memory.saved_long_name", "memory.saved_long_name_hint", "most", MostSavedName)
	case utf8.RuneCountInString(q.Text) > MostSavedText:
		return savedFault(fault.Limit, "memory.saved_long_text", "memory.saved_long_text_hint", "most", MostSavedText)
	}
	return nil
}

// tidyName is a name on one line, without spaces around it.
func tidyName(name string) string {
	return strings.Join(strings.Fields(norm.NFC.String(strings.ToValidUTF8(name, ""))), " ")
}

func keyOf(name string) string { return strings.ToLower(name) }

// after gives now, or the next moment after what was before: every change has a time of its own, which tells it from the last one.
func after(before, now time.Time) time.Time {
	if now.After(before) {
		return now
	}
	return before.Add(1)
}

func noSaved() error { return savedFault(fault.NotFound, "memory.no_saved", "memory.no_saved_hint") }

func savedFault(code fault.Code, key, hint string, pairs ...any) error {
	return fault.New(code, "saved query", text.Say(key, pairs...), text.Say(hint, pairs...))
}
