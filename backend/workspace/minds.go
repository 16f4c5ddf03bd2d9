package workspace

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"assay/backend/analyst"
	"assay/backend/knowledge"
	"assay/backend/llm"
	"assay/backend/memory"
	"assay/backend/mind"
	"assay/backend/minds"
	"assay/backend/rules"
	"assay/backend/secret"
	"assay/backend/tool"
)

// openMinds makes ready who may think. It asks nobody; what models used today is read when it is wanted.
func (w *Workspace) openMinds() error {
	keys, err := KeyStore(w.opts)
	if err != nil {
		return err
	}
	if w.opts.Mind != "" {
		w.mind.Store(&w.opts.Mind)
	}
	w.minds = minds.New(minds.Deps{
		Chosen:    w.thinks,
		LocalOnly: func() bool { return w.chosenNow().LocalOnly },
		Keys:      keys, Now: w.opts.Now, Day: w.dayOf(w.memory), Keep: w.keepDay(w.memory), Sizes: leavingSizes,
	})
	return nil
}

// leavingSizes are how much of a kind goes to a model at most: the bounds of those who send it.
var leavingSizes = minds.Sizes{Given: tool.GivenRows, Narrated: analyst.NarrationRows, Recalled: tool.RecalledRows, Listed: tool.ShownValues, Examples: mind.ExamplesAtMost, Judged: knowledge.MostJudged}

// KeyStore is where the keys of a person are, whatever the workspace. It touches no file.
func KeyStore(o Options) (*secret.Store, error) {
	if o.Keys != nil {
		return o.Keys, nil
	}
	dir, err := o.dataDir()
	if err != nil {
		return nil, err
	}
	return secret.New(secret.Options{Dir: filepath.Join(dir, "keys"), Ring: ringOf(os.Getenv("ASSAY_KEYRING")), Now: o.Now}), nil
}

// spentName names what models used today in the memory.
const spentName = "minds.spent"

// dayOf gives what was kept of what models used; a day that cannot be read begins anew.
func (w *Workspace) dayOf(kept *memory.Memory) func() llm.Day {
	return func() llm.Day {
		var day llm.Day
		if _, err := kept.Kept(context.Background(), spentName, &day); err != nil {
			return llm.Day{}
		}
		return day
	}
}

// keepDay keeps it. Where that fails the count goes on in this process alone.
func (w *Workspace) keepDay(kept *memory.Memory) func(llm.Day) {
	return func(day llm.Day) { _ = kept.Keep(context.Background(), spentName, day) }
}

// ringOf is the keyring of the system, or none where ASSAY_KEYRING is off.
func ringOf(said string) secret.Ring {
	if said == "off" {
		return secret.Nowhere{}
	}
	return secret.System{}
}

// chosenNow are the settings in force, or those of somebody who has chosen nothing while none were read yet.
func (w *Workspace) chosenNow() Settings {
	if s := w.chosen.Load(); s != nil && s.Minds != nil {
		return *s
	}
	return DefaultSettings()
}

// thinks is what is chosen about who thinks, with the mind that this process was started with.
func (w *Workspace) thinks() minds.Chosen {
	c := *w.chosenNow().Minds
	if started := w.mind.Load(); started != nil {
		c.Mind = *started
	}
	return c
}

// Minds are those that may think for the person of this process.
func (w *Workspace) Minds() *minds.Minds { return w.minds }

// thinkers gives the model that is to think about one request; nil: the embedded mind alone. It is analyst.Thinkers.
func (w *Workspace) thinkers(ctx context.Context, actor rules.Actor, name string) (*analyst.Thinker, error) {
	if w.opts.Thinkers != nil {
		return w.opts.Thinkers(ctx, actor, name)
	}
	t, err := w.minds.Thinking(ctx, name)
	if err != nil || t == nil {
		return nil, err
	}
	rows := analyst.RowsNone
	if w.chosenNow().Minds.Rows == minds.RowsMasked {
		rows = analyst.RowsMasked
	}
	return &analyst.Thinker{Name: t.Name, Select: t.Select, Rows: rows, Plan: time.Duration(w.chosenNow().Minds.Plan) * time.Second}, nil
}
