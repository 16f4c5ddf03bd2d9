package workspace

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/adrg/xdg"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Target names what to open. At most one field is set; none means the Northwind sample.
type Target struct {
	Dir    string   // a workspace folder
	Data   []string // files, each opened on an inferred model
	Sample string   // a sample that ships
	Create bool     // make Dir a workspace when it is not there or empty
}

// DefaultSample is what opens when nothing is named.
const DefaultSample = "northwind"

// place is a target on disk.
type place struct {
	dir, name string
	sources   []string // absolute paths that are to be in the store
	named     bool     // by the person, for this once: with none of them there is nothing to open
	problems  []Trouble
}

func (t Target) locate(o Options) (place, error) {
	switch {
	case t.Dir != "" && len(t.Data) > 0:
		return place{}, fault.New(fault.Invalid, "open workspace", text.Say("workspace.both_targets"), text.Say("workspace.both_targets_hint"))
	case t.Dir != "":
		return locateDir(t)
	case len(t.Data) > 0:
		return locateData(t.Data, o)
	default:
		return locateSample(t.Sample, o)
	}
}

func locateDir(t Target) (place, error) {
	dir, err := filepath.Abs(t.Dir)
	if err != nil {
		return place{}, fault.Wrap(fault.Invalid, "open workspace", text.Say("workspace.bad_path", "dir", t.Dir), "", err)
	}
	info, err := os.Stat(dir)
	if t.Create && (os.IsNotExist(err) || err == nil && info.IsDir() && isEmpty(dir)) {
		return create(dir)
	}
	if err != nil {
		return place{}, fault.Wrap(fault.NotFound, "open workspace", text.Say("workspace.missing", "dir", t.Dir), text.Say("workspace.missing_hint"), err)
	}
	if !info.IsDir() {
		return place{}, fault.New(fault.Invalid, "open workspace", text.Say("workspace.not_a_folder", "dir", t.Dir), text.Say("workspace.not_a_folder_hint", "dir", t.Dir))
	}
	if _, err := os.Stat(filepath.Join(dir, "workspace.yaml")); err != nil && !isWorkspace(dir) {
		return place{}, fault.Wrap(fault.NotFound, "open workspace", text.Say("workspace.no_file", "dir", t.Dir), text.Say("workspace.no_file_hint"), err)
	}
	return declaredPlace(dir)
}

// isWorkspace says whether a folder was open as a workspace before: its workspace.yaml is lost.
func isWorkspace(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".assay", "store"))
	return err == nil
}

// declaredPlace reads workspace.yaml for the name and the sources, as far as it can be read.
func declaredPlace(dir string) (place, error) {
	file, _ := semantic.SoundWorkspaceFile(os.DirFS(dir)) // what is wrong with it is said with the model
	p := place{dir: dir, name: cmp.Or(file.Name, slug(filepath.Base(dir)))}
	for _, s := range file.Sources {
		if !filepath.IsAbs(s) {
			s = filepath.Join(dir, filepath.FromSlash(s))
		}
		p.sources = append(p.sources, s)
	}
	return p, nil
}

func create(dir string) (place, error) {
	name := filepath.Base(dir)
	return place{dir: dir, name: slug(name)}, declare(dir, name)
}

// locateData gives files a workspace of their own in the data folder: the same files find the same sessions again.
func locateData(files []string, o Options) (place, error) {
	p := place{named: true}
	var names []string
	for _, f := range files {
		abs, err := filepath.Abs(f)
		if err != nil {
			return place{}, fault.Wrap(fault.Invalid, "open data", text.Say("workspace.bad_path", "dir", f), "", err)
		}
		p.sources = append(p.sources, abs)
		names = append(names, strings.TrimSuffix(filepath.Base(f), filepath.Ext(f)))
	}
	key := append([]string(nil), p.sources...)
	sort.Strings(key)
	sum := sha256.Sum256([]byte(strings.Join(key, "\x00")))
	p.name = strings.Join(names, ", ")
	root, err := o.dataDir()
	if err != nil {
		return place{}, err
	}
	p.dir = filepath.Join(root, "workspaces", "data-"+hex.EncodeToString(sum[:8]))
	return p, declare(p.dir, p.name)
}

// declare writes a workspace.yaml where there is none.
func declare(dir, label string) error {
	file := filepath.Join(dir, "workspace.yaml")
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	quoted, err := json.Marshal(label) // a JSON string is a YAML string
	if err == nil {
		err = writeFile(dir, file, []byte("workspace: "+slug(filepath.Base(dir))+"\nlabel: "+string(quoted)+"\n"))
	}
	if err != nil {
		return fault.Wrap(fault.Unavailable, "create workspace", text.Say("workspace.cannot_write", "dir", dir), text.Say("workspace.cannot_write_hint"), err)
	}
	return nil
}

// DataFolder is where Assay keeps what belongs to this person and to no workspace of their own. It need not be there.
func DataFolder(o Options) (string, error) { return o.dataDir() }

// dataDir is the folder of everything that Assay keeps for this person outside a workspace of their own.
func (o Options) dataDir() (string, error) {
	if o.DataDir != "" {
		return o.DataDir, nil
	}
	if dir := os.Getenv("ASSAY_HOME"); dir != "" {
		return dir, nil
	}
	return filepath.Join(xdg.DataHome, "assay"), nil
}

func isEmpty(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) == 0
}

func slug(name string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + ('a' - 'A')
		default:
			return '-'
		}
	}, name)
	if s = strings.Trim(s, "-"); s == "" {
		return "workspace"
	}
	return s
}

// newID gives 128 random bits in hexadecimal.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // crypto/rand.Read never fails
	return hex.EncodeToString(b[:])
}
