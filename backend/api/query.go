package api

import (
	"context"
	"net/http"
	"unicode/utf16"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/memory"
	"assay/backend/workspace"
)

// QueryText is a query that is being written.
type QueryText struct {
	Language string `json:"language" enum:"frame_ql,sql"`
	Text     string `json:"text" maxLength:"1000000"`
}

// QueryCheck is what can be said of a query while it is being written.
type QueryCheck struct {
	Canonical   string            `json:"canonical"` // of Frame-QL: the same query as it is printed; empty: it cannot be read yet
	Diagnostics []Diagnostic      `json:"diagnostics"`
	SQLType     string            `json:"sql_type"`
	Rule        string            `json:"rule"` // of the gate, that refuses the statement; empty: it may run
	Tables      []string          `json:"tables"`
	Plan        *analyst.PlanCost `json:"plan"` // what running it would take; null: not known
}

// Diagnostic is one thing that is wrong, with its place in UTF-16 units, as the page counts.
type Diagnostic struct {
	From    int              `json:"from"`
	To      int              `json:"to"`
	Code    string           `json:"code"`
	Message string           `json:"message"`
	Hint    string           `json:"hint"`
	Repairs []frameql.Repair `json:"repairs"`
}

// QueryCompletions are ways to go on with a query.
type QueryCompletions struct {
	From       int                 `json:"from"` // UTF-16 unit from which they replace what is written, up to the cursor
	Candidates []frameql.Candidate `json:"candidates"`
}

// QueryHistory are the person's own queries, the last one first.
type QueryHistory struct {
	Queries []memory.Written `json:"queries"`
}

func (s *Server) registerQuery() {
	register(s, http.MethodPost, "/api/query/check", "checkQuery", "What is wrong with a query that is being written, and what running it would take; nothing runs",
		func(ctx context.Context, in *struct{ Body QueryText }) (*struct{ Body QueryCheck }, error) {
			check := s.ws.CheckQuery
			if in.Body.Language == "sql" {
				check = s.ws.CheckStatement
			}
			d, err := check(ctx, in.Body.Text)
			if err != nil {
				return nil, err
			}
			return &struct{ Body QueryCheck }{checkOf(in.Body.Text, d)}, nil
		})
	register(s, http.MethodPost, "/api/query/complete", "completeQuery", "Ways to go on with a query that is being written",
		func(ctx context.Context, in *struct {
			Body struct {
				QueryText
				At int `json:"at" minimum:"0" doc:"The cursor, in UTF-16 units"`
			}
		},
		) (*struct{ Body QueryCompletions }, error) {
			from, all, err := s.completeQuery(ctx, in.Body.QueryText, in.Body.At)
			return &struct{ Body QueryCompletions }{QueryCompletions{from, all}}, err
		})
	register(s, http.MethodGet, "/api/query/history", "queryHistory", "The person's own queries, the last one first",
		func(ctx context.Context, in *struct {
			Q    string `query:"q" maxLength:"300" doc:"Words that the query holds"`
			Most int    `query:"most" minimum:"1" maximum:"500" default:"100"`
		},
		) (*struct{ Body QueryHistory }, error) {
			all, err := s.ws.Written(ctx, in.Q, in.Most)
			return &struct{ Body QueryHistory }{QueryHistory{all}}, err
		})
}

func checkOf(source string, d workspace.Draft) QueryCheck {
	c := QueryCheck{Canonical: d.Canonical, Diagnostics: []Diagnostic{}, SQLType: d.SQLType, Rule: d.Rule, Tables: append([]string{}, d.Tables...), Plan: d.Plan}
	for _, f := range d.Wrong {
		c.Diagnostics = append(c.Diagnostics, Diagnostic{
			From: unitsIn(source, f.Span[0]), To: unitsIn(source, f.Span[1]), Code: f.Code, Message: f.Message, Hint: f.Hint,
			Repairs: append([]frameql.Repair{}, f.Repairs...),
		})
	}
	return c
}

func (s *Server) completeQuery(ctx context.Context, q QueryText, at int) (int, []frameql.Candidate, error) {
	cursor := bytesIn(q.Text, at)
	if q.Language != "sql" {
		from, all := s.ws.CompleteQuery(q.Text, cursor)
		return unitsIn(q.Text, from), all, nil
	}
	from, suggested, err := s.ws.CompleteStatement(ctx, q.Text[:cursor])
	all := []frameql.Candidate{}
	for _, x := range suggested {
		all = append(all, frameql.Candidate{Text: x.Text, Label: x.Text, Kind: x.Kind, Detail: x.Detail})
	}
	return unitsIn(q.Text, from), all, err
}

// unitsIn gives how many UTF-16 units a text has up to a byte.
func unitsIn(s string, byteAt int) int {
	n := 0
	for _, r := range s[:min(byteAt, len(s))] {
		n += utf16.RuneLen(r)
	}
	return n
}

// bytesIn gives how many bytes a text has up to a UTF-16 unit.
func bytesIn(s string, units int) int {
	for i, r := range s {
		if units <= 0 {
			return i
		}
		units -= utf16.RuneLen(r)
	}
	return len(s)
}
