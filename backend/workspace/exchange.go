package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/git"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Place is where colleagues exchange bundles.
type Place struct {
	Folder string
	Remote string // name of the git remote with which the folder is exchanged; empty: the folder itself is
	Named  string // the folder as workspace.yaml names it
}

func (p Place) remote() git.Remote { return git.Remote{Dir: p.Folder, Name: p.Remote} }

// Exchanged is what came of an exchange.
type Exchanged struct {
	Brought []Brought `json:"brought" nullable:"false"`
	Wrote   bool      `json:"wrote" doc:"The person's own bundle was written: it said something new"`
	Remote  string    `json:"remote" doc:"Where it was fetched from and pushed to; empty: a folder"`
}

// shelf is a place as it is read and written: where it is elsewhere, the names of the bundles that lie there, in order, what one holds, and how one is put there whole.
type shelf struct {
	remote string
	names  []string
	read   func(name string) ([]byte, error)
	put    func(name string, whole []byte) error
}

// Exchange puts the bundle of a person where colleagues put theirs, and takes these. Each writes one file at each machine, called by their id and its key, and reads the others; what is of another workspace is left where it lies, what cannot be taken is said and
// stays where it is. A bundle that says nothing new is not written again.
//
// With a remote it is fetched from and pushed to as git does, and the working copy is neither read nor written. Faults: Unavailable: the place cannot be read or written; Unauthorized: it is elsewhere, and nothing leaves
// this machine; those of git.Remote and of WriteBundle.
func (w *Workspace) Exchange(ctx context.Context, at Place, actor string, c rules.Caller) (out Exchanged, err error) {
	out.Brought = []Brought{}
	who, err := w.person(actor, c)
	if err != nil {
		return out, err
	}
	key, err := w.BundleKey()
	if err != nil {
		return out, err
	}
	on, err := w.shelfAt(ctx, at, who)
	if err != nil {
		return out, err
	}
	out.Remote = on.remote
	own := bundleName(who.ID, key)
	if was, err := on.read(own); err == nil && w.ofAnother(was) { // another workspace is exchanged here too
		own = bundleName(who.ID+"-"+w.name, key)
	}
	for _, name := range on.names {
		if name == own {
			continue
		}
		raw, err := on.read(name)
		if err == nil && w.ofAnother(raw) {
			continue
		}
		var got Brought
		if err == nil {
			got, err = w.ReadBundle(ctx, bytes.NewReader(raw))
		}
		if err != nil && (fault.CodeOf(err) == fault.Canceled || ctx.Err() != nil) {
			return out, err
		}
		got.File = name
		if err != nil {
			got.Problem = err.Error()
		}
		out.Brought = append(out.Brought, got)
	}
	var fresh bytes.Buffer
	if _, _, err := w.WriteBundle(ctx, &fresh, actor, c); err != nil {
		return out, err
	}
	if was, err := on.read(own); err == nil && sameStatements(was, fresh.Bytes()) {
		return out, nil
	}
	if err := on.put(own, fresh.Bytes()); err != nil {
		return out, err
	}
	out.Wrote = true
	return out, nil
}

// ExchangeShared exchanges where workspace.yaml says; see Exchange. Fault NotFound: it names nothing.
func (w *Workspace) ExchangeShared(ctx context.Context, actor string, c rules.Caller) (Exchanged, error) {
	at, err := w.sharedPlace()
	if err == nil && at.Folder == "" {
		err = fault.New(fault.NotFound, "exchange bundles", text.Say("workspace.no_shared_folder"), text.Say("workspace.no_shared_folder_hint"))
	}
	if err != nil {
		return Exchanged{Brought: []Brought{}}, err
	}
	return w.Exchange(ctx, at, actor, c)
}

// sharedPlace is where colleagues exchange bundles, by workspace.yaml; empty: it names nothing. Faults: those of semantic.LoadWorkspaceFile.
func (w *Workspace) sharedPlace() (at Place, err error) {
	file, err := semantic.LoadWorkspaceFile(os.DirFS(w.dir))
	if fault.CodeOf(err) == fault.NotFound { // a workspace that was never written
		return at, nil
	}
	if err != nil || file.Exchange == "" {
		return at, err
	}
	at = Place{Folder: filepath.FromSlash(file.Exchange), Remote: file.ExchangeRemote, Named: file.Exchange}
	if !filepath.IsAbs(at.Folder) {
		at.Folder = filepath.Join(w.dir, at.Folder)
	}
	return at, nil
}

func (w *Workspace) shelfAt(ctx context.Context, at Place, who rules.Actor) (shelf, error) {
	if at.Remote != "" {
		return w.remoteShelf(ctx, at.remote(), who)
	}
	entries, err := os.ReadDir(at.Folder) // sorted
	if err != nil {
		return shelf{}, brokenBundle(at.Folder, err)
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), knowledge.BundleEnding) {
			names = append(names, e.Name())
		}
	}
	return shelf{
		names: names,
		read: func(name string) ([]byte, error) {
			f, err := openBundle(filepath.Join(at.Folder, name))
			if err != nil {
				return nil, err
			}
			raw, err := io.ReadAll(io.LimitReader(f, knowledge.MostBundle+1))
			if err = errors.Join(err, f.Close()); err != nil {
				return nil, brokenBundle(name, err)
			}
			return raw, nil
		},
		put: func(name string, whole []byte) error {
			err := WriteWhole(filepath.Join(at.Folder, name), func(f *os.File) error {
				return errors.Join(writeAll(f, whole), f.Chmod(0o644)) // colleagues read it
			})
			if err != nil {
				err = brokenBundle(name, err)
			}
			return err
		},
	}, nil
}

// remoteShelf is the folder of a repository as it is elsewhere. What is sent there is in the log.
func (w *Workspace) remoteShelf(ctx context.Context, r git.Remote, who rules.Actor) (shelf, error) {
	address, local, err := r.Address()
	if err != nil {
		return shelf{}, err
	}
	if !local && w.Settings().LocalOnly {
		return shelf{}, fault.New(fault.Unauthorized, "exchange bundles", text.Say("workspace.exchange_leaves", "address", address), text.Say("workspace.exchange_leaves_hint"))
	}
	files, err := r.Fetch(ctx, knowledge.BundleEnding, knowledge.MostBundle)
	if err != nil {
		return shelf{}, err
	}
	return shelf{
		remote: address, names: slices.Sorted(maps.Keys(files)),
		read: func(name string) ([]byte, error) {
			if raw, ok := files[name]; ok {
				return raw, nil
			}
			return nil, brokenBundle(name, os.ErrNotExist)
		},
		put: func(name string, whole []byte) error {
			body, err := json.Marshal(map[string]any{"what": "pushed", "to": address, "file": name, "bytes": len(whole)})
			if err != nil {
				return err
			}
			if err := w.memory.Record(ctx, analyst.Record{Kind: analyst.AuditKnowledge, Actor: who.ID, Body: body}); err != nil {
				return err
			}
			_, err = r.Push(ctx, git.Change{File: name, Text: whole, Message: text.Say("workspace.exchange_commit", "who", who.ID) + "\n", Actor: who.ID, At: w.opts.Now()})
			return err
		},
	}, nil
}

// ofAnother says whether a bundle was made in another workspace.
func (w *Workspace) ofAnother(raw []byte) bool {
	b, err := knowledge.ReadBundle(bytes.NewReader(raw))
	return err == nil && b.Workspace != w.name
}

// sameStatements says whether two bundles of one person say the same: they differ in their heads and seals alone.
func sameStatements(a, b []byte) bool {
	x, err := knowledge.ReadBundle(bytes.NewReader(a))
	y, wrong := knowledge.ReadBundle(bytes.NewReader(b))
	return err == nil && wrong == nil && x.Author == y.Author && x.Key == y.Key && slices.Equal(x.Said, y.Said)
}
