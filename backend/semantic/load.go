package semantic

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
	"assay/backend/yamlfile"

	"github.com/goccy/go-yaml/ast"
)

// The names of a workspace's own files.
const (
	WorkspaceFileName = "workspace.yaml"
	MemoFileName      = "ANALYST.md"
	ContextFolder     = "context"
)

// Load reads workspace.yaml, ANALYST.md and context/ of a workspace folder into a sealed model. A workspace without
// context/ gives a model without entities, for Merge with an inferred one.
//
// Loading never half-succeeds: any problem gives no model and a fault.Invalid whose message names the first file and
// line; errors.As finds all of them as Problems. fault.NotFound: there is no workspace.yaml.
func Load(fsys fs.FS) (*Model, error) {
	r := newReading()
	m, err := r.load(fsys)
	if err != nil {
		return nil, err
	}
	if err := r.problems.Fault("load model"); err != nil {
		return nil, err
	}
	return seal(m, r.lines)
}

// load reads the files; what is wrong with them is among the problems.
func (r *reading) load(fsys fs.FS) (*Model, error) {
	w, err := r.workspaceFile(fsys)
	if err != nil {
		if err = r.unreadable(WorkspaceFileName, err); err != nil {
			return nil, err
		}
		w = &WorkspaceFile{}
	}
	if r.sound {
		w.Settings.keepSound()
	}
	m := &Model{Name: w.Name, Workspace: w.Settings, Calendars: w.Calendars}
	if err := r.workspaceMemo(fsys, m); err != nil {
		return nil, err
	}
	if err := r.contextFolder(fsys, m); err != nil {
		return m, err
	}
	if m.Registry.GeneratedFrom == FromInference {
		markInferred(m)
	}
	return m, nil
}

// FromInference is what registry.yaml says under generated_from of a proposal that was written down and that nobody has
// reviewed yet. Whoever reviews it removes the line.
const FromInference = "inference"

func markInferred(m *Model) {
	m.Inferred = true
	for i := range m.Entities {
		m.Entities[i].Inferred = true
	}
	for i := range m.Metrics {
		m.Metrics[i].Inferred = true
	}
	for i := range m.Joins {
		m.Joins[i].Inferred = true
	}
}

func newReading() *reading { return &reading{lines: map[fieldPos]int{}, texts: map[string]string{}} }

// folderReader says how the files of one folder of context/ are read.
type folderReader struct {
	extensions []string
	read       func(r *reading, m *Model, file string, raw []byte)
}

func contextReaders() map[string]folderReader {
	object := func(read func(*reading, *Model, string, ast.Node, int)) folderReader {
		return folderReader{[]string{".yaml", ".yml"}, func(r *reading, m *Model, file string, raw []byte) {
			for i, body := range r.documents(file, raw) {
				r.whole(m, file, raw, func() { read(r, m, file, body, i) })
			}
		}}
	}
	return map[string]folderReader{
		"entities":   object((*reading).entity),
		"metrics":    object((*reading).metric),
		"join-paths": object((*reading).joinPaths),
		"gotchas":    object((*reading).gotcha),
		"golden":     object((*reading).golden),
		"terms":      object((*reading).term),
		"domains": {[]string{".md"}, func(_ *reading, m *Model, file string, raw []byte) {
			m.Guides = append(m.Guides, Guide{Name: stem(file), Text: string(raw)})
		}},
		"business": {[]string{".yaml", ".yml", ".md"}, func(_ *reading, m *Model, file string, raw []byte) {
			m.Business = append(m.Business, Guide{Name: stem(file), Text: string(raw)})
		}},
	}
}

// contextFolder reads every file under context/. A file in a place that nothing reads is an error: silence would look
// like knowledge that has no effect.
func (r *reading) contextFolder(fsys fs.FS, m *Model) error {
	if _, err := fs.Stat(fsys, ContextFolder); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	readers := contextReaders()
	var folders []string
	for name := range readers {
		folders = append(folders, name)
	}
	slices.Sort(folders)
	return fs.WalkDir(fsys, ContextFolder, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return r.unreadable(file, readFault(file, err))
		case file != ContextFolder && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() || strings.EqualFold(d.Name(), "readme.md"):
			return nil
		}
		inside := strings.TrimPrefix(file, ContextFolder+"/")
		folder, _, nested := strings.Cut(inside, "/")
		reader, known := readers[folder]
		switch {
		case inside == "registry.yaml":
			reader = folderReader{[]string{".yaml"}, func(r *reading, m *Model, file string, raw []byte) {
				for _, body := range r.documents(file, raw) {
					r.registry(m, file, body)
				}
			}}
		case !nested || !known:
			r.fail(file, 0, "", text.Say("semantic.stray_file", "folder", path.Dir(file)),
				text.Say("semantic.stray_file_hint", "folders", strings.Join(folders, ", ")))
			return nil
		}
		if !slices.Contains(reader.extensions, path.Ext(file)) {
			r.fail(file, 0, "", text.Say("semantic.stray_extension", "extension", path.Ext(file)),
				text.Say("semantic.stray_extension_hint", "extensions", strings.Join(reader.extensions, ", ")))
			return nil
		}
		raw, err := readFile(fsys, file)
		switch {
		case err != nil:
			err = r.unreadable(file, err)
		case raw == nil:
			r.fail(file, 0, "", text.Say("semantic.file_too_big"), text.Say("semantic.file_too_big_hint"))
		case folder == "entities" && len(strings.TrimSpace(string(raw))) == 0:
			r.fail(file, 1, "", text.Say("semantic.file_blank"), text.Say("semantic.file_blank_hint"))
		default:
			before := len(r.problems)
			reader.read(r, m, file, raw)
			if len(r.problems) == before || !r.sound {
				return nil
			}
			r.texts[file] = string(raw)
			if _, bad := yamlfile.Documents(raw); bad == nil {
				return nil // its objects and items say what is left out of it
			}
		}
		if r.sound && folder == "entities" {
			r.withhold(file)
		}
		return err
	})
}

// readFile reads a file of the context layer without a byte-order mark. A file beyond yamlfile.MaxSize gives nil, and one
// without content an empty slice.
func readFile(fsys fs.FS, file string) ([]byte, error) {
	info, err := fs.Stat(fsys, file)
	if err != nil {
		return nil, readFault(file, err)
	}
	if info.Size() > yamlfile.MaxSize {
		return nil, nil
	}
	raw, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, readFault(file, err)
	}
	return append([]byte{}, strings.TrimPrefix(string(raw), "\ufeff")...), nil
}

func readFault(file string, err error) error {
	code := fault.Unavailable
	if errors.Is(err, fs.ErrNotExist) {
		code = fault.NotFound
	}
	return fault.Wrap(code, "read context file", text.Say("semantic.file_unreadable", "file", file),
		text.Say("semantic.file_unreadable_hint"), err)
}

// stem is the file's name without folder and extension.
func stem(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }
