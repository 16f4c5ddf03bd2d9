package dbt

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Plan is what an import would do to the files of a workspace. Nothing of it is done yet.
type Plan struct {
	Writes    map[string][]byte // new files, and files of an earlier import that nobody has edited since
	Removes   []string          // files of an earlier import, not edited since, that the project has no object for any more
	Kept      []string          // files that a person edited and that the project has not changed since
	Conflicts []Conflict        // files that both a person and the project changed; they stay as they are
	Before    *semantic.Model
	After     *semantic.Model
	Changes   []semantic.Change // from Before to After
}

// Conflict is a file that a person wrote or edited and that the project says otherwise.
type Conflict struct {
	File   string            `json:"file"`
	Theirs []semantic.Change `json:"project_says"` // what taking the project's version would change
}

// registryFile holds what an import keeps about itself. It is merged, never replaced.
const registryFile = semantic.ContextFolder + "/registry.yaml"

// NewPlan compares an import with a workspace folder. The registry of the workspace holds the hash of every file as the
// last import wrote it: a file with another content was edited, and belongs to whoever edited it.
//
// fault.Invalid: the workspace does not load, or would not load afterwards.
func NewPlan(workspace fs.FS, r *Result) (*Plan, error) {
	sealed, err := r.Sealed()
	if err != nil {
		return nil, err
	}
	before, err := semantic.Load(workspace)
	if err != nil {
		return nil, err
	}
	files, err := contextFiles(workspace)
	if err != nil {
		return nil, err
	}
	p := &Plan{Writes: map[string][]byte{}, Before: before}
	project := semantic.WriteYAML(sealed)
	delete(project, registryFile)
	imported := p.files(files, project, before)
	registry, err := p.registry(before, sealed, imported, r.stated)
	if err != nil {
		return nil, err
	}
	if string(registry) != string(files[registryFile]) {
		p.Writes[registryFile] = registry
	}
	p.calendars(files, before, sealed, r)
	after := maps.Clone(files)
	maps.Copy(after, p.Writes)
	for _, f := range p.Removes {
		delete(after, f)
	}
	if p.After, err = loadFiles(after); err != nil {
		return nil, err
	}
	p.Changes = semantic.Diff(before, p.After)
	return p, p.explain(files, project)
}

// files decides for every file of the project and of the last import, and gives the hashes to remember.
func (p *Plan) files(now, project map[string][]byte, before *semantic.Model) map[string]string {
	base, imported := before.Registry.Imported, map[string]string{}
	elsewhere := objectFiles(before)
	for _, file := range slices.Sorted(maps.Keys(project)) {
		wanted, was := digest(project[file]), base[file]
		current, there := now[file]
		other := elsewhere[objectOf(file)]
		switch {
		case there && digest(current) == wanted:
		case other != "" && other != file && was == "": // a person defined the object in a file of another name
			p.Conflicts = append(p.Conflicts, Conflict{File: other})
			continue
		case !there && was == "", there && digest(current) == was:
			p.Writes[file] = project[file]
		case was == wanted:
			p.Kept = append(p.Kept, file)
		default:
			p.Conflicts = append(p.Conflicts, Conflict{File: file})
			if was != "" {
				imported[file] = was // it is shown again until somebody settles it
			}
			continue
		}
		imported[file] = wanted
	}
	for _, file := range slices.Sorted(maps.Keys(base)) {
		current, there := now[file]
		switch _, still := project[file]; {
		case still || !there:
		case digest(current) == base[file]:
			p.Removes = append(p.Removes, file)
		default:
			p.Conflicts = append(p.Conflicts, Conflict{File: file})
			imported[file] = base[file]
		}
	}
	return imported
}

// objectOf gives the kind and the name of the object that a file of the context layer is written for.
func objectOf(file string) string {
	return path.Base(path.Dir(file)) + "/" + strings.ToLower(strings.TrimSuffix(path.Base(file), path.Ext(file)))
}

// objectFiles says in which file each object of a model was read.
func objectFiles(m *semantic.Model) map[string]string {
	files := map[string]string{}
	for _, e := range m.Entities {
		files["entities/"+strings.ToLower(e.Name)] = e.Pos.File
	}
	for _, x := range m.Metrics {
		files["metrics/"+strings.ToLower(x.Name)] = x.Pos.File
	}
	for _, j := range m.Joins {
		files["join-paths/"+strings.ToLower(j.From)] = j.Pos.File
	}
	return files
}

// registry merges what the import knows about itself into the workspace's registry.
func (p *Plan) registry(before, sealed *semantic.Model, imported map[string]string, stated []semantic.Stated) ([]byte, error) {
	m := semantic.Model{Registry: before.Registry}
	r := &m.Registry
	r.GeneratedFrom, r.Imported = sealed.Registry.GeneratedFrom, imported
	r.Sources, r.Exposures, r.Project = sealed.Registry.Sources, sealed.Registry.Exposures, defined(stated, sealed)
	r.Owners = slices.Clone(r.Owners)
	for _, o := range sealed.Registry.Owners {
		if !slices.ContainsFunc(r.Owners, func(x semantic.Owner) bool { return x.Name == o.Name }) {
			r.Owners = append(r.Owners, o)
		}
	}
	raw := semantic.WriteYAML(&m)[registryFile]
	if raw == nil {
		return nil, fault.New(fault.Internal, "import dbt", text.Say("dbt.no_registry"), "")
	}
	return raw, nil
}

// calendars adds the calendars of the project to workspace.yaml, which is a person's file: only where nothing of the
// kind stands. The lines go to its end and leave the rest as it is.
func (p *Plan) calendars(files map[string][]byte, before, sealed *semantic.Model, r *Result) {
	if len(sealed.Calendars) == 0 {
		return
	}
	whole := string(semantic.WriteWorkspaceYAML(&semantic.WorkspaceFile{Calendars: sealed.Calendars}))
	_, rest, _ := strings.Cut(whole, "calendars:")
	lines := "calendars:" + rest
	if len(before.Calendars) == 0 {
		present := strings.TrimRight(string(files[semantic.WorkspaceFileName]), "\n")
		p.Writes[semantic.WorkspaceFileName] = []byte(present + "\n" + lines)
		return
	}
	for _, c := range sealed.Calendars {
		if before.Calendar(c.Name) == nil {
			r.Notes = append(r.Notes, Note{Lost: true, Object: text.Say("semantic.object_calendar", "name", c.Name), Message: text.Say("dbt.add_calendar", "lines", strings.TrimSpace(lines))})
		}
	}
}

// explain says of every conflict what taking the project's version would change. A version that does not load beside
// the other files says nothing.
func (p *Plan) explain(files, project map[string][]byte) error {
	for i := range p.Conflicts {
		file := p.Conflicts[i].File
		taken := maps.Clone(files)
		maps.Copy(taken, p.Writes)
		for _, f := range p.Removes {
			delete(taken, f)
		}
		delete(taken, file)
		for name, body := range project {
			if objectOf(name) == objectOf(file) {
				taken[name] = body
			}
		}
		theirs, err := loadFiles(taken)
		if err != nil {
			continue
		}
		p.Conflicts[i].Theirs = semantic.Diff(p.After, theirs)
	}
	return nil
}

// digest tells the contents of a file apart; it guards against forgetting an edit, not against an enemy.
func digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

// contextFiles reads every file that a model is loaded from.
func contextFiles(workspace fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, root := range []string{semantic.WorkspaceFileName, semantic.MemoFileName, semantic.ContextFolder} {
		err := fs.WalkDir(workspace, root, func(file string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && file == root {
				return nil
			}
			if err != nil || d.IsDir() {
				return err
			}
			files[file], err = fs.ReadFile(workspace, file)
			return err
		})
		if err != nil {
			return nil, fault.Wrap(fault.Unavailable, "import dbt", text.Say("dbt.cannot_read", "file", root), text.Say("dbt.unreadable_hint"), err)
		}
	}
	return files, nil
}

// loadFiles loads a model from files in memory. A zip archive is the file system that the standard library can make of
// bytes.
func loadFiles(files map[string][]byte) (*semantic.Model, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = f.Write(files[name])
		}
		if err != nil {
			return nil, fault.Wrap(fault.Internal, "import dbt", text.Say("dbt.cannot_read", "file", name), "", err)
		}
	}
	err := w.Close()
	if err == nil {
		var r *zip.Reader
		if r, err = zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len())); err == nil {
			return semantic.Load(r)
		}
	}
	return nil, fault.Wrap(fault.Internal, "import dbt", text.Say("dbt.cannot_read", "file", semantic.ContextFolder), "", err)
}
