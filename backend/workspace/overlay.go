package workspace

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// overlay is a folder as it would be with some of its files written anew.
type overlay struct {
	below fs.FS
	files map[string][]byte
}

func (o overlay) Open(name string) (fs.File, error) {
	if raw, ok := o.files[name]; ok {
		return &heldFile{heldInfo{path.Base(name), int64(len(raw)), false}, bytes.NewReader(raw)}, nil
	}
	if f, err := o.below.Open(name); err == nil || !o.holds(name) {
		return f, err
	}
	return &heldFile{heldInfo{path.Base(name), 0, true}, bytes.NewReader(nil)}, nil
}

// holds says whether some file lies in a folder that is not there yet.
func (o overlay) holds(folder string) bool {
	for name := range o.files {
		if strings.HasPrefix(name, folder+"/") {
			return true
		}
	}
	return false
}

// ReadDir lists a folder, by name.
func (o overlay) ReadDir(folder string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.below, folder)
	if err != nil && !o.holds(folder) {
		return nil, err
	}
	seen := map[string]bool{}
	for i, e := range entries {
		seen[e.Name()] = true
		if raw, ok := o.files[path.Join(folder, e.Name())]; ok {
			entries[i] = fs.FileInfoToDirEntry(heldInfo{e.Name(), int64(len(raw)), false})
		}
	}
	for name, raw := range o.files {
		inside, ok := strings.CutPrefix(name, folder+"/")
		first, _, deeper := strings.Cut(inside, "/")
		if ok && !seen[first] {
			seen[first] = true
			entries = append(entries, fs.FileInfoToDirEntry(heldInfo{first, int64(len(raw)), deeper}))
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

type heldFile struct {
	info heldInfo
	io.Reader
}

func (f *heldFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *heldFile) Close() error               { return nil }

type heldInfo struct {
	name   string
	size   int64
	folder bool
}

func (i heldInfo) Name() string       { return i.name }
func (i heldInfo) Size() int64        { return i.size }
func (i heldInfo) IsDir() bool        { return i.folder }
func (i heldInfo) Sys() any           { return nil }
func (i heldInfo) ModTime() time.Time { return time.Time{} }
func (i heldInfo) Mode() fs.FileMode {
	if i.folder {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
