package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"
)

// Written is a query that somebody ran or asked to see, as that person wrote it.
type Written struct {
	RequestID string    `json:"request_id"`
	SessionID string    `json:"session_id"`
	At        time.Time `json:"at"`
	Language  string    `json:"language" enum:"frame_ql,sql"`
	Text      string    `json:"text"`     // of the query; for a question the Frame-QL that it was read as
	Question  string    `json:"question"` // in plain words; empty: the query was written by hand
	Outcome   string    `json:"outcome"`  // empty: it runs
	Status    string    `json:"status"`
	Rows      *int64    `json:"rows"`    // of its frame; null: there is none
	TookMS    *float64  `json:"took_ms"` // all of it; null: not known
}

// Written lists the queries of an actor, the last one first, whose text or question holds some words; none: all of them; those of imported
// sessions ran elsewhere. What stands in the
// audit log is masked, so that nobody could run it again: these are the person's own requests, and go with their sessions.
func (m *Memory) Written(ctx context.Context, actor, words string, most int) ([]Written, error) {
	like := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(words) + "%"
	rows, err := m.read.QueryContext(ctx, `SELECT request.id, session, question, asked, outcome, status, frame_ql, trace,
			json_extract(answer, '$.frame.row_count'), json_extract(answer, '$.timings_ms.total')
		FROM request JOIN session ON session.id = request.session
		WHERE actor = ? AND session.deleted IS NULL AND session.imported IS NULL AND request.elsewhere IS NULL AND (question LIKE ? ESCAPE '\' OR frame_ql LIKE ? ESCAPE '\')
		ORDER BY request.rowid DESC LIMIT ?`, actor, like, like, most)
	if err != nil {
		return nil, m.classify("list queries", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	all := []Written{}
	for rows.Next() {
		var w Written
		var asked, frameQL, trace string
		var count sql.NullInt64
		var took sql.NullFloat64
		if err := rows.Scan(&w.RequestID, &w.SessionID, &w.Question, &asked, &w.Outcome, &w.Status, &frameQL, &trace, &count, &took); err != nil {
			return nil, m.classify("list queries", err)
		}
		if w.At, err = moment(asked); err != nil {
			return nil, m.classify("list queries", err)
		}
		if count.Valid {
			w.Rows = &count.Int64
		}
		if took.Valid {
			w.TookMS = &took.Float64
		}
		if w.tell(frameQL, trace) {
			all = append(all, w)
		}
	}
	return all, m.classify("list queries", rows.Err())
}

// tell finds out which language a request was in; false: it never became a query.
func (w *Written) tell(frameQL, trace string) bool {
	var steps []struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal([]byte(trace), &steps); err != nil {
		return false
	}
	for _, s := range steps {
		if s.Name == "gate" { // only what a person wrote in SQL comes by it
			w.Language, w.Text, w.Question = "sql", w.Question, ""
			return true
		}
	}
	w.Language, w.Text = "frame_ql", frameQL
	begins := strings.ToUpper(strings.TrimSpace(w.Question))
	if strings.HasPrefix(begins, "SELECT") || strings.HasPrefix(begins, "EXPLAIN") || strings.HasPrefix(begins, "WITH") || strings.HasPrefix(begins, "{") {
		w.Text, w.Question = w.Question, ""
	}
	return w.Text != ""
}
