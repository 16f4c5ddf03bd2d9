package memory

import (
	"context"
	"encoding/json"
	"time"

	"assay/backend/analyst"
)

// LogEntry is one request of the query log: what was decided before it ran, what came of it, and what became of that. It is
// put together from the entries of the audit log, which are only added to.
type LogEntry struct {
	Seq       int64     `json:"log_id"` // of the decision in the audit log
	At        time.Time `json:"timestamp"`
	RequestID string    `json:"request_id"`
	SessionID string    `json:"session_id"`
	Actor     string    `json:"actor_id"`

	analyst.Decided
	Outcome *LogOutcome `json:"outcome"` // null: the log says no more, because the program ended
}

// LogOutcome is what came of a request.
type LogOutcome struct {
	analyst.Ended
	Settled  string `json:"settled"`       // what became of it; empty: it waits, or never did
	How      string `json:"how"`           // explicit, export, copy, pin, share, timeout, turn
	Accepted *bool  `json:"user_accepted"` // null: nobody has said anything yet
	Feedback string `json:"feedback"`      // positive negative none

	Opinion *analyst.Opined `json:"opinion"` // what its person says of it; null: nothing
}

// Settled counts the requests that somebody, or time, has settled, and what people said of answers.
func (m *Memory) Settled(ctx context.Context) (n int, err error) {
	err = m.read.QueryRowContext(ctx, `SELECT count(*) FROM audit WHERE kind IN (?, ?)`, analyst.AuditAcceptance, analyst.AuditFeedback).Scan(&n)
	return n, m.classify("read audit log", err)
}

// QueryLog lists the requests of the query log whose decisions a filter finds, oldest first.
func (m *Memory) QueryLog(ctx context.Context, f AuditFilter) ([]LogEntry, error) {
	last := f.Last
	f.Last = 0
	entries, err := m.Audit(ctx, f)
	if err != nil {
		return nil, err
	}
	log := []LogEntry{}
	at := map[string]int{} // by request
	for _, e := range entries {
		i, known := at[e.RequestID]
		switch {
		case e.Kind == analyst.AuditDecision:
			entry := LogEntry{Seq: e.Seq, At: e.At, RequestID: e.RequestID, SessionID: e.SessionID, Actor: e.Actor}
			if err := json.Unmarshal(e.Body, &entry.Decided); err != nil {
				return nil, m.classify("read audit log", err)
			}
			at[e.RequestID] = len(log)
			log = append(log, entry)
		case !known:
		case e.Kind == analyst.AuditOutcome:
			log[i].Outcome = &LogOutcome{Feedback: "none"}
			if err := json.Unmarshal(e.Body, &log[i].Outcome.Ended); err != nil {
				return nil, m.classify("read audit log", err)
			}
		case e.Kind == analyst.AuditAcceptance && log[i].Outcome != nil:
			var settled struct {
				Settled, How, Feedback string
				Accepted               bool `json:"user_accepted"`
			}
			if err := json.Unmarshal(e.Body, &settled); err != nil {
				return nil, m.classify("read audit log", err)
			}
			o := log[i].Outcome
			if o.Opinion != nil { // what its person says goes before what became of it
				settled.Feedback = o.Feedback
			}
			o.Settled, o.How, o.Feedback, o.Accepted = settled.Settled, settled.How, settled.Feedback, &settled.Accepted
		case e.Kind == analyst.AuditFeedback && log[i].Outcome != nil:
			var said analyst.Opined
			if err := json.Unmarshal(e.Body, &said); err != nil {
				return nil, m.classify("read audit log", err)
			}
			o := log[i].Outcome
			if o.Opinion, o.Feedback = &said, said.Feedback; said.Feedback == "none" { // it was taken back
				o.Opinion, o.Feedback = nil, analyst.FeedbackOf(analyst.Happening(o.Settled))
			}
		}
	}
	if last > 0 && len(log) > last {
		log = log[len(log)-last:]
	}
	return log, nil
}
