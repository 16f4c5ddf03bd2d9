package store

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/text"
)

// catalogFile lists the sources. It is replaced by a rename, so a reader sees the old list or the new one.
const catalogFile = "catalog.json"

// catalog is the content of catalogFile.
type catalog struct {
	Version int     `json:"version"`
	Entries []entry `json:"sources"`

	home string
}

// entry is a source with what only the store needs to know about it.
type entry struct {
	Source
	File   string            `json:"file"`   // its DuckDB file, in the store's folder
	Stored map[string]string `json:"stored"` // table or rejects table -> its name in File

	Numbers map[string]map[string]compile.Number `json:"numbers,omitempty"` // table -> column

	lost []string // tables that are not there because File cannot be attached
}

func (c *catalog) epochs() map[string]string {
	all := map[string]string{}
	for _, e := range c.Entries {
		for _, t := range e.Tables {
			all[t.Name] = e.Epoch
		}
	}
	return all
}

// find gives the index of a source by its ID; -1 when it is not there.
func (c *catalog) find(id string) int {
	for i, e := range c.Entries {
		if e.ID == id {
			return i
		}
	}
	return -1
}

// idOf gives the ID of the source that was read from a path.
func (c *catalog) idOf(path string) (string, bool) {
	for _, e := range c.Entries {
		if e.Path == path {
			return e.ID, true
		}
	}
	return "", false
}

// stamp tells two states of the catalogue apart without reading it: a rename gives another file.
type stamp struct {
	size     int64
	modified time.Time
	inode    uint64
}

func stampOf(dir string) stamp {
	info, err := os.Stat(filepath.Join(dir, catalogFile))
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime(), inodeOf(info)}
}

// readCatalog reads the catalogue; a store without one is empty. The paths of files in the home folder are written as seen from there,
// so that the folder may be moved or copied with everything in it; in memory every path is absolute.
func readCatalog(dir, home string) (catalog, error) {
	c := catalog{Version: 1, home: home}
	raw, err := os.ReadFile(filepath.Join(dir, catalogFile))
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fault.Wrap(fault.Unavailable, "read catalogue", text.Say("store.catalog_unreadable", "dir", dir), text.Say("store.catalog_unreadable_hint"), err)
	}
	if err := json.Unmarshal(raw, &c); err != nil || c.Version != 1 {
		return c, fault.Wrap(fault.Internal, "read catalogue", text.Say("store.catalog_damaged", "file", filepath.Join(dir, catalogFile)), text.Say("store.catalog_damaged_hint"), err)
	}
	for i, e := range c.Entries {
		if local := filepath.FromSlash(e.Path); home != "" && filepath.IsLocal(local) {
			c.Entries[i].Path = filepath.Join(home, local)
		}
	}
	return c, nil
}

// write puts the catalogue in place: a temporary file, made durable, renamed, and the folder made durable.
func (c *catalog) write(dir string) error {
	written := catalog{Version: c.Version, Entries: slices.Clone(c.Entries)}
	for i, e := range written.Entries {
		if local, err := filepath.Rel(c.home, e.Path); c.home != "" && err == nil && filepath.IsLocal(local) {
			written.Entries[i].Path = filepath.ToSlash(local)
		}
	}
	raw, err := json.MarshalIndent(written, "", " ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, tempPrefix)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already when all went well
	if _, err = f.Write(raw); err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, catalogFile))
	}
	if err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes renames in a folder durable. Systems that cannot do that for a folder say so, which is no failure.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}

const tempPrefix = "tmp-"

// sweep removes what a killed import left behind: temporary files and folders, and database files that the catalogue
// does not name. It does nothing while some process is importing.
func (s *Store) sweep() {
	unlock, ok := tryLock(s.opt.Dir)
	if !ok {
		return
	}
	defer unlock()
	c, err := readCatalog(s.opt.Dir, s.opt.Home)
	if err != nil {
		return
	}
	named := map[string]bool{}
	for _, e := range c.Entries {
		named[e.File] = true
	}
	files, err := os.ReadDir(s.opt.Dir)
	if err != nil {
		return
	}
	for _, f := range files {
		orphan := strings.HasSuffix(f.Name(), databaseSuffix) && !named[f.Name()] && !keptBySomebody(s.opt.Dir, f.Name())
		if orphan || strings.HasPrefix(f.Name(), tempPrefix) {
			os.RemoveAll(filepath.Join(s.opt.Dir, f.Name()))
		}
	}
}
