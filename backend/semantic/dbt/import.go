package dbt

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
)

// The names of dbt's artifacts.
const (
	ManifestName = "manifest.json"
	CatalogName  = "catalog.json"
)

// Options of Import. The zero value reads a whole folder and knows no table.
type Options struct {
	File   string  // read this file of the folder alone; empty: manifest.json when there is one, else every YAML file
	Tables []Table // what is loaded: gives the types of columns, and the names by which the engine knows tables
}

// Table is a table that the workspace has loaded.
type Table struct {
	Name    string // as the engine knows it
	Alias   string // as its source calls it; empty: Name
	Columns []Column
}

// Column of a Table.
type Column struct {
	Name string
	Type semantic.Type
}

// Result is what an import gives.
type Result struct {
	Model *semantic.Model // not sealed: only what the project says
	Notes []Note          // what could not be carried, in the order of the project
	Names *Names          // finds what a name of the project has become

	stated []semantic.Stated // what the project says of each of its metrics and measures, for a plan to keep
}

// Note is one thing that the import did not carry, or carried otherwise.
type Note struct {
	Lost    bool   // false: it was carried, and the reader should know how
	Object  string // "metric bookings"
	Pos     semantic.Pos
	Message string
}

// String gives "file:line: object: message".
func (n Note) String() string {
	s := n.Message
	if n.Object != "" {
		s = n.Object + ": " + s
	}
	if n.Pos.File != "" {
		s = n.Pos.String() + ": " + s
	}
	return s
}

// Import reads a dbt project into a model. fault.NotFound: the folder has neither a manifest nor a semantic model;
// fault.Invalid: a file cannot be read.
func Import(fsys fs.FS, o Options) (*Result, error) {
	p := &project{tables: o.Tables}
	hash, err := p.readFiles(fsys, o.File)
	if err != nil {
		return nil, err
	}
	if len(p.models) == 0 && len(p.metrics) == 0 {
		return nil, fault.New(fault.NotFound, "import dbt", text.Say("dbt.nothing_here"), text.Say("dbt.nothing_here_hint"))
	}
	p.distinct()
	b := newBuild(p)
	b.entities()
	b.joins()
	b.spines()
	b.metrics()
	b.lineage()
	b.finish()
	b.model.Registry.GeneratedFrom = p.origin() + " sha256:" + hash
	p.unread()
	return &Result{Model: b.model, Notes: p.notes, Names: b.names, stated: b.stated()}, nil
}

// readFiles fills the project from a manifest or from every YAML file, and hashes what it read.
func (p *project) readFiles(fsys fs.FS, only string) (hash string, err error) {
	files, err := inputs(fsys, only)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, f := range files {
		raw, err := fs.ReadFile(fsys, f)
		if err != nil {
			return "", fault.Wrap(fault.Unavailable, "import dbt", text.Say("dbt.cannot_read", "file", f), text.Say("dbt.unreadable_hint"), err)
		}
		h.Write([]byte(f + "\x00"))
		h.Write(raw)
		if err := p.readFile(f, raw); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// inputs lists the files to read, in order.
func inputs(fsys fs.FS, only string) ([]string, error) {
	if only == "" {
		if _, err := fs.Stat(fsys, ManifestName); err == nil {
			only = ManifestName
		}
	}
	if only != "" {
		files := []string{only}
		beside := path.Join(path.Dir(only), CatalogName)
		if _, err := fs.Stat(fsys, beside); err == nil && path.Base(only) == ManifestName {
			files = append([]string{beside}, only)
		}
		return files, nil
	}
	var files []string
	err := fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fault.Wrap(fault.Unavailable, "import dbt", text.Say("dbt.cannot_read", "file", file), text.Say("dbt.unreadable_hint"), err)
		case d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "target" || d.Name() == "dbt_packages"):
			return fs.SkipDir
		case !d.IsDir() && (path.Ext(file) == ".yaml" || path.Ext(file) == ".yml"):
			files = append(files, file)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Wrap(fault.NotFound, "import dbt", text.Say("dbt.nothing_here"), text.Say("dbt.nothing_here_hint"), err)
	}
	slices.Sort(files)
	return files, err
}

func (p *project) readFile(file string, raw []byte) error {
	if path.Ext(file) == ".json" {
		n, err := jsonTree(file, raw)
		if err != nil {
			return err
		}
		if path.Base(file) == CatalogName {
			p.readCatalog(n)
			return nil
		}
		return p.readManifest(n)
	}
	docs, err := yamlDocuments(file, raw)
	if err != nil {
		return err
	}
	for _, d := range docs {
		p.readDocument(d)
	}
	return nil
}
