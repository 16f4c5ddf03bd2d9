// Package fault is the one error type of Assay: what the machine could not do.
//
// An outcome that a person may get used to (a refusal, a question back) is a value, not an error; see
// frameql.Refusal and analyst.Outcome. Everything else that goes wrong is classified once, at the adapter that saw it,
// by type and never by message text, and travels as an *Error.
package fault

import (
	"context"
	"errors"
	"fmt"
)

// Code says what a caller may do about an error. A code exists only because a caller branches on it.
type Code string

// The codes.
const (
	Invalid      Code = "invalid"      // the input cannot be used as it is; exit status 2 on the command line when it is usage
	NotFound     Code = "not_found"    // the named thing is not there
	Conflict     Code = "conflict"     // somebody else holds it, or it already exists
	Unauthorized Code = "unauthorized" // the caller may not
	Unavailable  Code = "unavailable"  // a resource (port, disk space, display, server) is not to be had now
	Limit        Code = "limit"        // a bound was reached: size, rows, time
	Canceled     Code = "canceled"     // the person stopped it
	Internal     Code = "internal"     // our own mistake
)

// Error is a failure with a sentence for a person and the next thing to try.
type Error struct {
	Code    Code   // never empty
	Op      string // the operation, for the log: "import file", "load model"
	Message string // one sentence that names the thing
	Hint    string // the next step; may be empty
	Field   string // the part of the input that is meant, for a form: values.1; empty: no single one
	Err     error  // the cause, for the log; may be nil
}

// Error gives the message, with the hint behind it.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " " + e.Hint
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// New builds an error. The message is a whole sentence.
func New(code Code, op, message, hint string) *Error {
	return &Error{Code: code, Op: op, Message: message, Hint: hint}
}

// Wrap builds an error over a cause.
func Wrap(code Code, op, message, hint string, err error) *Error {
	return &Error{Code: code, Op: op, Message: message, Hint: hint, Err: err}
}

// CodeOf gives the code of the outermost *Error in the chain; Canceled for a canceled context, Limit for an expired
// one, Internal for anything else, and the empty code for nil.
func CodeOf(err error) Code {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	case errors.Is(err, context.Canceled):
		return Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return Limit
	default:
		return Internal
	}
}

// Detail gives the whole chain with operations, for a log and never for a person.
func Detail(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return fmt.Sprint(err)
	}
	if e.Err == nil {
		return fmt.Sprintf("%s [%s]: %s", e.Op, e.Code, e.Message)
	}
	return fmt.Sprintf("%s [%s]: %s: %v", e.Op, e.Code, e.Message, e.Err)
}
