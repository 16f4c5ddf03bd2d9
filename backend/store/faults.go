package store

import (
	"context"
	"errors"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/fault"
	"assay/backend/store/worker"
	"assay/backend/text"
)

// canceled says why a context ended: by the person, or by time.
func canceled(ctx context.Context, op string) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fault.Wrap(fault.Limit, op, text.Say("store.timeout"), text.Say("store.timeout_hint"), ctx.Err())
	}
	return fault.Wrap(fault.Canceled, op, text.Say("store.canceled"), "", ctx.Err())
}

// engineType gives DuckDB's own classification of an error; ErrorTypeInvalid when it is none of DuckDB's.
func engineType(err error) duckdb.ErrorType {
	var e *duckdb.Error
	if errors.As(err, &e) {
		return e.Type
	}
	return duckdb.ErrorTypeInvalid
}

// statementFault classifies what a statement did in the query engine.
func statementFault(ctx context.Context, err error) error {
	const op = "query"
	if ctx.Err() != nil {
		return canceled(ctx, op)
	}
	var gone *worker.ErrStopped
	switch {
	case errors.Is(err, worker.ErrTooLarge):
		return fault.Wrap(fault.Limit, op, text.Say("store.too_large"), text.Say("store.too_large_hint"), err)
	case errors.As(err, &gone) && gone.Why == worker.StoppedMemory:
		return fault.Wrap(fault.Limit, op, text.Say("store.memory"), text.Say("store.memory_hint"), err)
	case errors.As(err, &gone):
		return fault.Wrap(fault.Unavailable, op, text.Say("store.engine_stopped"), text.Say("store.engine_stopped_hint"), err)
	}
	switch engineType(err) {
	case duckdb.ErrorTypeOutOfMemory:
		return fault.Wrap(fault.Limit, op, text.Say("store.memory"), text.Say("store.memory_hint"), err)
	case duckdb.ErrorTypePermission, duckdb.ErrorTypeInvalidConfiguration, duckdb.ErrorTypeMissingExtension, duckdb.ErrorTypeAutoLoad:
		return fault.Wrap(fault.Unauthorized, op, text.Say("store.forbidden"), text.Say("store.forbidden_hint"), err)
	case duckdb.ErrorTypeOutOfRange, duckdb.ErrorTypeConversion, duckdb.ErrorTypeDecimal:
		if reason := engineReason(err); strings.Contains(reason, "string") { // what is no number; a number that fits nowhere is too large
			return fault.Wrap(fault.Invalid, op, text.Say("store.unlike_value", "reason", reason), text.Say("store.unlike_value_hint"), err)
		}
		return fault.Wrap(fault.Invalid, op, text.Say("store.out_of_range"), text.Say("store.out_of_range_hint"), err)
	case duckdb.ErrorTypeIO:
		return fault.Wrap(fault.Unavailable, op, text.Say("store.read_failed"), text.Say("store.read_failed_hint"), err)
	case duckdb.ErrorTypeFatal, duckdb.ErrorTypeInternal:
		return fault.Wrap(fault.Internal, op, text.Say("store.engine_broke"), text.Say("store.engine_broke_hint"), err)
	case duckdb.ErrorTypeInterrupt:
		return fault.Wrap(fault.Canceled, op, text.Say("store.canceled"), "", err)
	default:
		return fault.Wrap(fault.Invalid, op, text.Say("store.sql_failed", "reason", engineReason(err)), text.Say("store.sql_failed_hint"), err)
	}
}

// diedBeside says whether a statement failed because its process ended, and not by its own doing as far as one can know: the
// process was killed for another statement, or from outside. What took too much memory is not tried again.
func diedBeside(err error) bool {
	var gone *worker.ErrStopped
	return errors.As(err, &gone) && gone.Why != worker.StoppedMemory && gone.Why != worker.StoppedByUs
}

// tookMemory says whether a statement failed because it needs more memory than there is.
func tookMemory(err error) bool {
	var gone *worker.ErrStopped
	return engineType(err) == duckdb.ErrorTypeOutOfMemory || errors.As(err, &gone) && gone.Why == worker.StoppedMemory
}

// engineReason gives the first line of what DuckDB says, without its pointer into the text.
func engineReason(err error) string {
	var e *duckdb.Error
	reason := err.Error()
	if errors.As(err, &e) {
		reason = e.Msg
	}
	reason, _, _ = strings.Cut(reason, "\n")
	if class, rest, ok := strings.Cut(reason, " Error: "); ok && !strings.Contains(class, ":") {
		reason = rest // "Invalid Input Error: ..." says nothing to a person
	}
	return strings.TrimSuffix(strings.TrimSpace(reason), ".")
}
