package workspace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"assay/backend/fault"
	"assay/backend/store"
	"assay/backend/text"
	shipped "assay/context"
)

// manifestFile remembers what was laid down, so that a newer program replaces what it shipped and keeps what a person
// has changed.
const manifestFile = ".assay/shipped.json"

func locateSample(name string, o Options) (place, error) {
	if name == "" {
		name = DefaultSample
	}
	sample, err := fs.Sub(shipped.Samples(), name)
	if err == nil {
		_, err = fs.Stat(sample, "workspace.yaml")
	}
	if err != nil {
		return place{}, fault.Wrap(fault.NotFound, "open sample", text.Say("workspace.no_sample", "name", name, "known", strings.Join(Samples(), ", ")), "", err)
	}
	root, err := o.dataDir()
	if err != nil {
		return place{}, err
	}
	dir := filepath.Join(root, "workspaces", name)
	if err := layDown(sample, dir); err != nil {
		return place{}, fault.Wrap(fault.Unavailable, "open sample", text.Say("workspace.cannot_write", "dir", dir), text.Say("workspace.cannot_write_hint"), err)
	}
	return declaredPlace(dir)
}

// Samples lists the sample workspaces that ship.
func Samples() []string {
	entries, err := fs.ReadDir(shipped.Samples(), ".")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// TakeSample brings the data of a sample that ships into this workspace, which proposes a model for it. Faults: NotFound (no
// such sample), and those of Import.
func (w *Workspace) TakeSample(ctx context.Context, name string) ([]store.Source, error) {
	p, err := locateSample(name, w.opts)
	if err != nil {
		return nil, err
	}
	var all []store.Source
	var requests []store.ImportRequest
	for _, path := range p.sources {
		requests = append(requests, store.ImportRequest{Path: path})
	}
	var failed error
	err = w.ImportAll(ctx, requests, func(_ int, source *store.Source, err error) bool {
		if failed = err; err == nil {
			all = append(all, *source)
		}
		return err == nil
	})
	return all, cmp.Or(failed, err)
}

// layDown writes the sample's files into dir and takes away those that are no longer shipped. A file that a person
// changed since the last time is left alone.
func layDown(sample fs.FS, dir string) error {
	before := map[string]string{}
	if raw, err := os.ReadFile(filepath.Join(dir, manifestFile)); err == nil {
		_ = json.Unmarshal(raw, &before) // an unreadable manifest means: replace nothing that exists
	}
	now := map[string]string{}
	err := fs.WalkDir(sample, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(sample, path)
		if err != nil {
			return err
		}
		now[path] = digest(content)
		target := filepath.Join(dir, filepath.FromSlash(path))
		if present, err := os.ReadFile(target); err == nil {
			if d := digest(present); d == now[path] || d != before[path] {
				return nil
			}
		}
		return writeFile(dir, target, content)
	})
	if err != nil {
		return err
	}
	for path, was := range before {
		target := filepath.Join(dir, filepath.FromSlash(path))
		if _, still := now[path]; still || !filepath.IsLocal(filepath.FromSlash(path)) {
			continue
		}
		if present, err := os.ReadFile(target); err == nil && digest(present) == was {
			os.Remove(target)
		}
	}
	raw, err := json.MarshalIndent(now, "", " ")
	if err != nil {
		return err
	}
	if present, err := os.ReadFile(filepath.Join(dir, manifestFile)); err == nil && string(present) == string(raw) {
		return nil
	}
	return writeFile(dir, filepath.Join(dir, manifestFile), raw)
}

// writeFile replaces a file of the workspace in dir by rename, so that another process never reads half of it. Writers
// take turns and use one temporary name: what a killed one left is overwritten by the next, which writes the same again.
func writeFile(dir, path string, content []byte) error {
	inner := filepath.Join(dir, ".assay")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	turn := flock.New(filepath.Join(inner, "writing"))
	if err := turn.Lock(); err != nil {
		return err
	}
	defer func() { _ = turn.Unlock() }()
	tmp := filepath.Join(inner, "new")
	if err := os.WriteFile(tmp, content, 0o600); err != nil {
		os.Remove(tmp)
		return err
	}
	return os.Rename(tmp, path)
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
