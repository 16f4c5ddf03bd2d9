package workspace

import (
	"context"

	"assay/backend/analyst"
	"assay/backend/knowledge"
	"assay/backend/rules"
)

// Teach keeps what a person says that a term means; see analyst.Teach.
func (w *Workspace) Teach(ctx context.Context, l analyst.Lesson) (*analyst.Taught, error) {
	w.refresh(ctx)
	l.Caller = caller(l.Caller)
	return w.analyst.Teach(ctx, l)
}

// Corrections lists what a person taught, by term.
func (w *Workspace) Corrections(ctx context.Context, actor string, c rules.Caller) ([]knowledge.Correction, error) {
	return w.analyst.Corrections(ctx, actor, caller(c))
}

// AmendCorrection gives what a person taught another term or meaning; see analyst.Amend.
func (w *Workspace) AmendCorrection(ctx context.Context, id string, l analyst.Lesson) (*analyst.Taught, error) {
	w.refresh(ctx)
	l.Caller = caller(l.Caller)
	return w.analyst.Amend(ctx, id, l)
}

// ForgetCorrection removes what a person taught; see analyst.Forget.
func (w *Workspace) ForgetCorrection(ctx context.Context, id, actor string, c rules.Caller) error {
	return w.analyst.Forget(ctx, id, actor, caller(c))
}
