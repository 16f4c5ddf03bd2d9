package workspace

import (
	"context"
	"os"
	"os/user"
	"strconv"
	"sync"

	"assay/backend/analyst"
	"assay/backend/memory"
	"assay/backend/risk"
	"assay/backend/rules"
	"assay/backend/session"
)

// caller is who runs this process, where the door names nobody else.
func caller(c rules.Caller) rules.Caller {
	if c != (rules.Caller{}) {
		return c
	}
	return rules.Caller{OSUser: osUser()}
}

// osUser names the user of this computer. A process whose user has no name is called by its number.
var osUser = sync.OnceValue(func() string {
	u, err := user.Current()
	if err != nil || u.Username == "" {
		return "uid" + strconv.Itoa(os.Getuid())
	}
	return u.Username
})

// Rules are those in force.
func (w *Workspace) Rules() *rules.Rules { return w.rules.Load() }

// loadRules reads the rules of the workspace's folder. What one of them was to forbid that cannot be read is forbidden.
func (w *Workspace) loadRules() {
	loaded, wrong := rules.LoadSound(os.DirFS(w.dir))
	w.problems.set(ofRules, fileProblems(ofRules, wrong)...)
	if before := w.rules.Load(); before != nil {
		loaded = loaded.WithWishesOf(before)
	}
	w.rules.Store(loaded.Acting(w.opts.Actor))
}

// Identify says who a caller is. Fault Unauthorized.
func (w *Workspace) Identify(actor string, c rules.Caller) (rules.Actor, error) {
	return w.Rules().Identify(actor, caller(c))
}

// Say takes a word about a request that waits; see analyst.Say.
func (w *Workspace) Say(ctx context.Context, word analyst.Word) (analyst.Standing, error) {
	word.Caller = caller(word.Caller)
	return w.analyst.Say(ctx, word)
}

// Opine keeps what a person says of an answer; see analyst.Opine.
func (w *Workspace) Opine(ctx context.Context, o analyst.Opinion) (*session.Feedback, *analyst.Taught, error) {
	o.Caller = caller(o.Caller)
	return w.analyst.Opine(ctx, o)
}

// Confirm runs what waits for a word before it runs; see analyst.Confirm.
func (w *Workspace) Confirm(ctx context.Context, word analyst.Word, emit func(analyst.Event)) (*analyst.Answer, error) {
	w.refresh(ctx)
	word.Caller = caller(word.Caller)
	return w.analyst.Confirm(ctx, word, emit)
}

// Inbox lists what an actor is told. Faults: Unauthorized, and those of the memory.
func (w *Workspace) Inbox(ctx context.Context, actor string, c rules.Caller) ([]memory.StoredNotice, error) {
	a, err := w.Identify(actor, c)
	if err != nil {
		return nil, err
	}
	return w.memory.Inbox(ctx, a.ID, a.Role)
}

// ReadNotice marks a notice as read. Faults: NotFound, and those of Inbox.
func (w *Workspace) ReadNotice(ctx context.Context, id int64, actor string, c rules.Caller) error {
	a, err := w.Identify(actor, c)
	if err != nil {
		return err
	}
	return w.memory.ReadNotice(ctx, id, a.ID, a.Role)
}

// weights are those of the factors of an error, as they were learned; nil: equal.
func (w *Workspace) weights() risk.WeightSet { return w.learned.Load().Current() }
