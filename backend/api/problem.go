package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"assay/backend/fault"
	"assay/backend/text"
)

// Problem is every error answer: what happened and what to do.
type Problem struct {
	status  int
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
	Field   string `json:"field,omitempty" doc:"The part of the input that is meant: values.1; absent: no single one"`
}

// Error gives the message.
func (p *Problem) Error() string { return p.Message }

// GetStatus gives the HTTP status.
func (p *Problem) GetStatus() int { return p.status }

var statusOf = map[fault.Code]int{
	fault.Invalid: http.StatusBadRequest, fault.NotFound: http.StatusNotFound, fault.Conflict: http.StatusConflict,
	fault.Unauthorized: http.StatusForbidden, fault.Unavailable: http.StatusServiceUnavailable, fault.Limit: http.StatusRequestEntityTooLarge,
	fault.Canceled: 499, fault.Internal: http.StatusInternalServerError,
}

func problemOf(err error) *Problem {
	code := fault.CodeOf(err)
	p := &Problem{status: statusOf[code], Code: string(code), Message: text.Say("api.internal"), Hint: text.Say("api.internal_hint")}
	var f *fault.Error
	switch {
	case errors.As(err, &f):
		p.Message, p.Hint, p.Field = f.Message, f.Hint, f.Field
	case code == fault.Canceled:
		p.Message, p.Hint = text.Say("api.canceled"), ""
	case code == fault.Limit:
		p.Message, p.Hint = text.Say("api.timeout"), text.Say("api.timeout_hint")
	}
	return p
}

// asProblem turns the router's own errors (a body that is no JSON, a wrong field) into a Problem.
func asProblem(_ huma.Context, _ string, v any) (any, error) {
	m, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	detail := m.Detail
	for _, e := range m.Errors {
		detail += " (" + strings.TrimSuffix(e.Message+": "+e.Location, ": ") + ")" // without what was sent: it may be a key
	}
	return &Problem{status: m.Status, Code: string(fault.Invalid), Message: text.Say("api.bad_request", "detail", detail), Hint: text.Say("api.bad_request_hint")}, nil
}

func (s *Server) noRoute(w http.ResponseWriter, r *http.Request) {
	writeProblem(w, &Problem{status: http.StatusNotFound, Code: string(fault.NotFound), Message: text.Say("api.no_route", "method", r.Method, "path", r.URL.Path)})
}

// WriteFault answers a request with an error.
func WriteFault(w http.ResponseWriter, err error) { writeProblem(w, problemOf(err)) }
