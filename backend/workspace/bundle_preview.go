package workspace

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/session"
)

// BundleContents is what the bundle of a person would hold, before it is written.
type BundleContents struct {
	Author     string `json:"author" doc:"Under which name roles.yaml of colleagues must know the key"`
	Key        string `json:"key" doc:"The public key that it is signed with, in hexadecimal; empty: it is made with the first bundle"`
	Bound      bool   `json:"bound" doc:"roles.yaml of this workspace knows the key as this person's"`
	Statements int    `json:"statements"`
	Left       int    `json:"left" doc:"Left out, because they name what is personal"`
	Folder     string `json:"folder" doc:"The folder that colleagues share, as workspace.yaml names it; empty: it names none"`
	Remote     string `json:"remote" doc:"Where the git remote is with which the folder is exchanged, as workspace.yaml names it; empty: the folder alone is"`
}

// BundlePreview says what a bundle holds. Nothing of it has landed; that the holder of its key wrote it is all that was found true.
type BundlePreview struct {
	File        string            `json:"file"`
	Author      string            `json:"author" doc:"Who it says that it is from"`
	Fingerprint string            `json:"fingerprint" doc:"Of its key"`
	Own         bool              `json:"own" doc:"It is signed with the key of this person"`
	Role        string            `json:"role" doc:"What its author is here; empty: nobody"`
	Workspace   string            `json:"workspace" doc:"Where it says that it was taught"`
	Made        time.Time         `json:"made"`
	Said        []BundleStatement `json:"said" nullable:"false"`
	New         int               `json:"new" doc:"Statements that the bundle of the author which is here does not have"`
	Gone        int               `json:"gone" doc:"Statements of that one which are not said any more, and would speak for nothing"`
	Same        bool              `json:"same" doc:"It is the one that is here"`
	Refused     string            `json:"refused" doc:"Why nothing of it would be taken, a sentence; empty: it can be"`
	Hint        string            `json:"hint" doc:"What can be done about that"`
}

// BundleStatement is one thing that a bundle says.
type BundleStatement struct {
	Term       string    `json:"term"`
	Means      string    `json:"means"`
	Quote      string    `json:"quote"`
	At         time.Time `json:"at" doc:"When, by its author's clock"`
	New        bool      `json:"new"`
	Understood bool      `json:"understood" doc:"It means something in the model of this workspace; what does not waits as it is"`
}

// BundleContents says what WriteBundle would write, and makes nothing, no key either. Faults: Unauthorized, Invalid (workspace.yaml, or the key, cannot be used), and those of the memory.
func (w *Workspace) BundleContents(ctx context.Context, actor string, c rules.Caller) (BundleContents, error) {
	w.refresh(ctx)
	b, left, err := w.bundleOf(ctx, actor, c)
	if err != nil {
		return BundleContents{}, err
	}
	out := BundleContents{Author: b.Author, Statements: len(b.Said), Left: left}
	place, err := w.sharedPlace()
	if err != nil {
		return BundleContents{}, err
	}
	out.Folder, out.Remote = place.Named, place.Remote
	if place.Remote != "" {
		if address, _, err := place.remote().Address(); err == nil { // what is wrong with it is said when it is used
			out.Remote = address
		}
	}
	k, err := w.knownKey()
	if err != nil || k == nil {
		return out, err
	}
	out.Key = k.public()
	holder, bound := w.Rules().Holder(out.Key)
	out.Bound = bound && holder.ID == b.Author
	return out, nil
}

// PreviewBundleFile says what a bundle in a file would bring. What is wrong with the file itself is a fault; that nobody here vouches for its key, or that it is old, is said in the preview. Faults: those of
// knowledge.ReadBundle, and of the memory.
func (w *Workspace) PreviewBundleFile(ctx context.Context, path string) (BundlePreview, error) {
	w.refresh(ctx)
	f, err := openBundle(path)
	if err != nil {
		return BundlePreview{}, err
	}
	defer func() { _ = f.Close() }() // it is only read
	b, err := knowledge.ReadBundle(f)
	if err != nil {
		return BundlePreview{}, err
	}
	p := BundlePreview{
		File: filepath.Base(path), Author: shownLine(b.Author), Fingerprint: session.Fingerprint(b.Key), Own: w.ownKey(b.Key), Workspace: shownLine(b.Workspace), Made: b.Made,
		Said: []BundleStatement{},
	}
	holder, refused := w.signerOf(b)
	known := holder.ID != ""
	weighed, err := w.memory.Weigh(ctx, b)
	switch {
	case refused != nil: // what it would change here is not said to whom nobody knows
		weighed.New, weighed.Gone = make([]bool, len(b.Said)), 0
	case fault.CodeOf(err) == fault.Conflict:
		refused, weighed.New = err, make([]bool, len(b.Said))
	case err != nil:
		return BundlePreview{}, err
	}
	if known {
		p.Role = holder.Role
	}
	var said *fault.Error
	if errors.As(refused, &said) {
		p.Refused, p.Hint = said.Message, said.Hint
	}
	p.Same, p.Gone = weighed.Same, weighed.Gone
	understood := w.placeSaid(b)
	for i, s := range b.Said {
		if weighed.New[i] {
			p.New++
		}
		p.Said = append(p.Said, BundleStatement{Term: s.Term, Means: s.Means, Quote: s.Quote, At: s.At, New: weighed.New[i], Understood: understood[i]})
	}
	return p, nil
}

// BringBundleFile takes a bundle that stands in a file; see ReadBundle.
func (w *Workspace) BringBundleFile(ctx context.Context, path string) (Brought, error) {
	got, err := w.bringFile(ctx, path)
	got.File = filepath.Base(path)
	return got, err
}

// shownLine is a name that a stranger wrote, as a person may see it: without letters that control how it is shown, and not longer than a line.
func shownLine(s string) string {
	return cmp.Or(plainLine(knowledge.Line(s)), "?")
}

// bundleName is what the file of a bundle is called: by its author, and by the key of the machine that they work at.
func bundleName(author, key string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.", r) {
			return r
		}
		return '-'
	}, author) + "-" + key[:min(len(key), keyInName)] + knowledge.BundleEnding
}

// keyInName is how many digits of a key the name of a file has.
const keyInName = 8

// ExportBundle is WriteBundle for a file that is fetched: it gives its name too.
func (w *Workspace) ExportBundle(ctx context.Context, out io.Writer, actor string, c rules.Caller) (name string, said, left int, err error) {
	who, err := w.person(actor, c)
	if err != nil {
		return "", 0, 0, err
	}
	key, err := w.BundleKey()
	if err != nil {
		return "", 0, 0, err
	}
	said, left, err = w.WriteBundle(ctx, out, actor, c)
	return bundleName(who.ID, key), said, left, err
}
