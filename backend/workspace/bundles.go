package workspace

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/text"
)

// Colleagues without a common server exchange what they taught as signed bundles. What a bundle brings is evidence for shared knowledge, and is used in nobody's answers before a steward approved it.

// BundleKey gives the public key with which bundles of this person are signed, for roles.yaml of colleagues.
func (w *Workspace) BundleKey() (string, error) {
	k, err := w.signingKey("")
	if err != nil {
		return "", err
	}
	return k.public(), nil
}

// WriteBundle writes what a person taught as a signed bundle, and says how many statements it has, and how many were left out because they name what is personal. Quotes are masked. Faults: Unauthorized, those of
// the memory, and of out.
func (w *Workspace) WriteBundle(ctx context.Context, out io.Writer, actor string, c rules.Caller) (said, left int, err error) {
	b, left, err := w.bundleOf(ctx, actor, c)
	if err != nil {
		return 0, 0, err
	}
	k, err := w.signingKey("")
	if err != nil {
		return 0, 0, err
	}
	b.Key = k.public()
	if b.Number, err = w.memory.NextBundle(ctx, b.Author); err != nil {
		return 0, 0, err
	}
	return len(b.Said), left, b.Write(out, k.sign)
}

// bundleOf gives the bundle of a person as it would be, but for its key and number, and how many statements are left out.
func (w *Workspace) bundleOf(ctx context.Context, actor string, c rules.Caller) (b knowledge.Bundle, left int, err error) {
	who, err := w.person(actor, c)
	if err != nil {
		return b, 0, err
	}
	mine, err := w.memory.Corrections(ctx, who.ID)
	if err != nil {
		return b, 0, err
	}
	b = knowledge.Bundle{Author: who.ID, Workspace: w.name, Made: w.opts.Now().UTC()}
	mask := w.Rules().PII.Redact
	for _, m := range mine {
		if m.Unconfirmed() || mask(m.Term) != m.Term || mask(m.Means) != m.Means {
			left++
			continue
		}
		b.Said = append(b.Said, knowledge.Statement{Term: m.Term, Means: m.Means, Sort: m.Sort, Domain: m.Domain, Detection: m.Detection, Quote: mask(m.Quote), At: m.Changed.UTC()})
	}
	return b, left, nil
}

// Brought is what came of a bundle.
type Brought struct {
	File       string `json:"file"`
	Author     string `json:"author"`
	Statements int    `json:"statements"`
	New        int    `json:"new"`
	Problem    string `json:"problem" doc:"Why nothing of it was taken, a sentence; empty: it was, or was there already"`
}

// ReadBundle takes a bundle of a colleague. Faults: those of knowledge.ReadBundle; Unauthorized: nobody, or somebody else, signs with its key; Conflict: a newer one was taken before, or it
// is of another workspace.
func (w *Workspace) ReadBundle(ctx context.Context, in io.Reader) (Brought, error) {
	w.refresh(ctx)
	b, err := knowledge.ReadBundle(in)
	if err != nil {
		return Brought{}, err
	}
	if _, err := w.signerOf(b); err != nil {
		return Brought{}, err
	}
	for i := range b.Said { // others read it here
		b.Said[i].Quote = w.redact(b.Said[i].Quote)
	}
	out := Brought{Author: b.Author, Statements: len(b.Said)}
	w.placeSaid(b)
	body, err := json.Marshal(map[string]any{"what": "brought", "statements": len(b.Said), "number": b.Number})
	if err != nil {
		return out, err
	}
	var changed bool
	if out.New, changed, err = w.memory.Bring(ctx, b, analyst.Record{Kind: analyst.AuditKnowledge, Actor: b.Author, Body: body}); err != nil || !changed {
		return out, err
	}
	w.reviewing.turn.Lock()
	defer w.reviewing.turn.Unlock()
	return out, w.reviewing.board.ConsiderAll(ctx)
}

// takeOutUnbound takes out what bundles said that were signed with keys that roles.yaml binds to their author no more: a key may have come into other hands.
func (w *Workspace) takeOutUnbound(ctx context.Context) error {
	all, err := w.memory.Signers(ctx)
	if err != nil {
		return err
	}
	for _, s := range all {
		if holder, bound := w.Rules().Holder(s.Key); bound && holder.ID == s.Author {
			continue
		}
		body, err := json.Marshal(map[string]any{"what": "taken out", "author": s.Author, "key": s.Key})
		if err == nil {
			err = w.memory.Unbring(ctx, s, analyst.Record{Kind: analyst.AuditKnowledge, Actor: s.Author, Body: body})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// signerOf says whose bundle it is, by the roles of this workspace. Faults: Conflict: it was made in another workspace; Unauthorized: nobody, or somebody else than it says, signs with its key.
func (w *Workspace) signerOf(b knowledge.Bundle) (rules.Actor, error) {
	holder, bound := w.Rules().Holder(b.Key)
	switch {
	case b.Workspace != w.name:
		return rules.Actor{}, fault.New(fault.Conflict, "bring bundle", text.Say("workspace.bundle_of_another", "theirs", shownLine(b.Workspace), "here", w.name), text.Say("workspace.bundle_of_another_hint"))
	case !bound || holder.Kind != rules.Human:
		return rules.Actor{}, fault.New(fault.Unauthorized, "bring bundle", text.Say("workspace.key_unbound"), text.Say("workspace.key_unbound_hint"))
	case holder.ID != b.Author:
		return rules.Actor{}, fault.New(fault.Unauthorized, "bring bundle", text.Say("workspace.key_other", "author", shownLine(b.Author)), "")
	}
	return holder, nil
}

// placeSaid has the model of here say what each statement is about, and says which of them it understands.
func (w *Workspace) placeSaid(b knowledge.Bundle) (understood []bool) {
	understood = make([]bool, len(b.Said))
	about := w.aboutHere()
	for i := range b.Said {
		s := &b.Said[i]
		if domain, ok := about(s.Term, s.Means); ok {
			s.Domain, understood[i] = domain, true
		}
	}
	return understood
}

// aboutHere says of a term and its meaning which entity the model of now has it about; false: it does not understand it.
func (w *Workspace) aboutHere() func(term, means string) (domain string, ok bool) {
	whole, env := w.whole(), w.wholeEnv()
	return func(term, means string) (string, bool) {
		if whole.Index == nil {
			return "", false
		}
		says, ok := whole.Index.Compile(interpret.Correction{Term: term, Means: means}, nil, env)
		return says.Entity, ok
	}
}

// placeLater has what bundles said placed by the model as it is now, beside the work: it may have a meaning for it that it had not when it was brought.
func (w *Workspace) placeLater() {
	w.reviewing.running.Go(func() {
		w.reviewing.turn.Lock()
		defer w.reviewing.turn.Unlock()
		if moved, err := w.memory.PlaceBrought(w.reviewing.life, w.aboutHere()); err == nil && moved > 0 { // what fails is done at the next change, or the next start
			_ = w.reviewing.board.ConsiderAll(w.reviewing.life)
		}
	})
}

// bringFile takes a bundle that stands in a file; see ReadBundle.
func (w *Workspace) bringFile(ctx context.Context, name string) (Brought, error) {
	f, err := openBundle(name)
	if err != nil {
		return Brought{}, err
	}
	defer func() { _ = f.Close() }() // it is only read
	return w.ReadBundle(ctx, f)
}

// openBundle opens a file that may hold a bundle. What is no ordinary file is not opened: a pipe would be waited for. Fault Unavailable.
func openBundle(name string) (*os.File, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil, brokenBundle(name, err)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, brokenBundle(name, err)
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() { // it may be another one by now
		_ = f.Close()
		return nil, brokenBundle(name, err)
	}
	return f, nil
}

// BringFiles takes bundles that stand in files, and stops at the first that cannot be taken.
func (w *Workspace) BringFiles(ctx context.Context, names []string) ([]Brought, error) {
	all := []Brought{}
	for _, name := range names {
		got, err := w.bringFile(ctx, name)
		if err != nil {
			return all, err
		}
		got.File = filepath.Base(name)
		all = append(all, got)
	}
	return all, nil
}

func brokenBundle(name string, err error) error {
	return fault.Wrap(fault.Unavailable, "use bundle", text.Say("workspace.bundle_broken", "file", strings.TrimSpace(filepath.Base(name))), text.Say("workspace.bundle_broken_hint"), err)
}
