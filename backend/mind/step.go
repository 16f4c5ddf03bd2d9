package mind

import (
	"context"

	"assay/backend/session"
)

type stepKey struct{}

// withStep lets a mind write into the step of the trace that it is.
func withStep(ctx context.Context, s *session.Step) context.Context {
	return context.WithValue(ctx, stepKey{}, s)
}

// stepOf gives the step that a mind is thinking in; one that nobody keeps where there is none.
func stepOf(ctx context.Context) *session.Step {
	if s, ok := ctx.Value(stepKey{}).(*session.Step); ok {
		return s
	}
	return &session.Step{}
}
