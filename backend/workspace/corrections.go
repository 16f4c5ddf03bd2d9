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

// Remember keeps what was noted that a word means to a person, or leaves it; see analyst.Remember.
func (w *Workspace) Remember(ctx context.Context, id string, keep bool, actor string, c rules.Caller) (*analyst.Taught, error) {
	w.refresh(ctx)
	return w.analyst.Remember(ctx, id, keep, actor, caller(c))
}

// Noted lists what was noted of a person who said nothing of it yet; see analyst.Noted.
func (w *Workspace) Noted(ctx context.Context, actor string, c rules.Caller) ([]knowledge.Correction, error) {
	return w.analyst.Noted(ctx, actor, caller(c))
}

// AmendCorrection gives what a person taught another term or meaning, and what a person prefers another value; see analyst.Amend.
func (w *Workspace) AmendCorrection(ctx context.Context, id string, l analyst.Lesson) (*analyst.Taught, error) {
	w.refresh(ctx)
	l.Caller = caller(l.Caller)
	return w.analyst.Amend(ctx, id, l)
}

// ForgetCorrection removes what a person taught, or prefers; see analyst.Forget.
func (w *Workspace) ForgetCorrection(ctx context.Context, id, actor string, c rules.Caller) error {
	who, err := w.Identify(actor, c)
	if err != nil {
		return err
	}
	return w.forgetting(ctx, id, who.ID, func() error { return w.analyst.Forget(ctx, id, actor, caller(c)) })
}

// NarrowCorrection has what a person taught hold in the answer that it was said of alone; see analyst.Narrow.
func (w *Workspace) NarrowCorrection(ctx context.Context, id, actor string, c rules.Caller) (t *analyst.Taught, err error) {
	who, err := w.Identify(actor, c)
	if err != nil {
		return nil, err
	}
	err = w.forgetting(ctx, id, who.ID, func() error {
		t, err = w.analyst.Narrow(ctx, id, actor, caller(c))
		return err
	})
	if err == nil && t.Correction != nil {
		w.taught(*t.Correction) // it is said again, and may be of use to others
	}
	return t, err
}

// Work says what a person asked about lately; see analyst.Work. Fault Unauthorized.
func (w *Workspace) Work(ctx context.Context, actor string, c rules.Caller) (analyst.Work, error) {
	w.refresh(ctx)
	return w.analyst.Work(ctx, actor, caller(c))
}

// Preferences lists how a person wants answers to look; see analyst.Preferences.
func (w *Workspace) Preferences(ctx context.Context, actor string, c rules.Caller) ([]knowledge.Preference, error) {
	return w.analyst.Preferences(ctx, actor, caller(c))
}

// Prefer keeps how a person wants answers to look; see analyst.Prefer.
func (w *Workspace) Prefer(ctx context.Context, kind knowledge.PreferenceKind, value, actor string, c rules.Caller) (*analyst.Taught, error) {
	return w.analyst.Prefer(ctx, kind, value, actor, caller(c))
}

// ForgetPreference removes how a person wants answers to look; see analyst.ForgetPreference.
func (w *Workspace) ForgetPreference(ctx context.Context, id, actor string, c rules.Caller) error {
	return w.analyst.ForgetPreference(ctx, id, actor, caller(c))
}
