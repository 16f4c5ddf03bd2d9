package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"assay/backend/memory"
	"assay/backend/rules"
)

// PageState is how the window of a person stood when it was last changed.
type PageState struct {
	Owner  string // whose it is, in which workspace: a name that says nothing else
	Run    string // of this process: another one after a restart
	Values []memory.PageValue
}

// PageState gives how the window of the person of this process stood. Faults: Unauthorized, and those of the memory.
func (w *Workspace) PageState(ctx context.Context) (PageState, error) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return PageState{}, err
	}
	values, err := w.memory.PageState(ctx, me.ID)
	sum := sha256.Sum256([]byte(w.dir + "\x00" + me.ID))
	return PageState{Owner: hex.EncodeToString(sum[:8]), Run: w.run, Values: values}, err
}

// KeepPageState keeps changes of how the window of the person of this process stands; see memory.KeepPageState.
func (w *Workspace) KeepPageState(ctx context.Context, changes []memory.PageChange) error {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return err
	}
	return w.memory.KeepPageState(ctx, me.ID, changes)
}

// SavedQueries lists the queries that the person of this process keeps, by name.
func (w *Workspace) SavedQueries(ctx context.Context) ([]memory.SavedQuery, error) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return nil, err
	}
	return w.memory.SavedQueries(ctx, me.ID)
}

// SaveQuery keeps a query of the person of this process; see memory.SaveQuery.
func (w *Workspace) SaveQuery(ctx context.Context, q memory.SavedQuery, replacing *time.Time) (memory.SavedQuery, error) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return memory.SavedQuery{}, err
	}
	return w.memory.SaveQuery(ctx, me.ID, q, replacing)
}

// RenameQuery gives a saved query of the person of this process another name; see memory.RenameQuery.
func (w *Workspace) RenameQuery(ctx context.Context, id, name string) (memory.SavedQuery, error) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return memory.SavedQuery{}, err
	}
	return w.memory.RenameQuery(ctx, me.ID, id, name)
}

// DeleteQuery forgets a saved query of the person of this process. Faults: NotFound, Unauthorized.
func (w *Workspace) DeleteQuery(ctx context.Context, id string) error {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return err
	}
	return w.memory.DeleteQuery(ctx, me.ID, id)
}
