package skill

import (
	"cmp"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"assay/backend/semantic"
	"assay/backend/text"
	"assay/backend/tool"
)

// Folder is where skills stand in a workspace.
const Folder = "skills"

// Bounds of what is loaded.
const (
	mostFiles  = 50
	mostSkills = 50
	mostSource = 64 << 10 // bytes of a file
	mostDoc    = 2000     // characters of the text of a skill
	mostParams = 12
)

// Load reads the skills of a workspace, in the order of their files. A file that is wrong gives a problem with its line and no tool; the others are loaded all
// the same. What is loaded is safe for concurrent use.
func Load(fsys fs.FS) ([]tool.Tool, []semantic.Problem) {
	l := &loader{}
	names, err := fs.Glob(fsys, Folder+"/*.star")
	if err != nil || len(names) == 0 {
		return nil, nil
	}
	slices.Sort(names)
	if len(names) > mostFiles {
		l.wrong(names[mostFiles], 0, text.Say("skill.many_files", "most", mostFiles))
		names = names[:mostFiles]
	}
	for _, name := range names {
		l.file(fsys, name)
	}
	return l.tools, l.problems
}

type loader struct {
	tools    []tool.Tool
	problems []semantic.Problem

	name string // of the file that is being loaded
	made []tool.Tool
}

func (l *loader) wrong(file string, line int, message string) {
	l.problems = append(l.problems, semantic.Problem{Pos: semantic.Pos{File: file, Line: line}, Severity: semantic.SeverityWarning, Message: message, Hint: text.Say("skill.hint")})
}

func (l *loader) file(fsys fs.FS, name string) {
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil || !info.Mode().IsRegular():
		l.wrong(name, 0, text.Say("skill.unreadable", "file", name))
		return
	case info.Size() > mostSource:
		l.wrong(name, 0, text.Say("skill.large", "file", name, "most", mostSource))
		return
	}
	source, err := fs.ReadFile(fsys, name)
	if err != nil || len(source) > mostSource {
		l.wrong(name, 0, text.Say("skill.unreadable", "file", name))
		return
	}
	l.name, l.made = name, nil
	if err := l.run(name, source); err != nil {
		file, line, message := placeOf(err, name)
		l.wrong(file, line, message)
		return
	}
	l.tools = append(l.tools, l.made...)
}

// run executes a file once, which registers its skills.
func (l *loader) run(name string, source []byte) (err error) {
	defer recovered(&err)
	file, err := (&syntax.FileOptions{}).Parse(name, source, 0)
	if err != nil {
		return err
	}
	if err := guard(file); err != nil {
		return err
	}
	around := builtins()
	program, err := starlark.FileProgram(file, around.Has)
	if err != nil {
		return err
	}
	thread := newThread(name, newMeter())
	thread.SetLocal(loadingKey, l)
	globals, err := program.Init(thread, around)
	globals.Freeze()
	if err != nil {
		return bounded(thread, err)
	}
	if len(l.made) == 0 {
		return errors.New(text.Say("skill.none_made"))
	}
	return nil
}

// placeOf says where in a file something went wrong, and what.
func placeOf(err error, file string) (name string, line int, message string) {
	var bad syntax.Error
	var unresolved resolve.ErrorList
	var failed *starlark.EvalError
	var guarded *guardError
	switch {
	case errors.As(err, &bad):
		return file, int(bad.Pos.Line), sentence(bad.Msg)
	case errors.As(err, &unresolved) && len(unresolved) > 0:
		return file, int(unresolved[0].Pos.Line), sentence(unresolved[0].Msg)
	case errors.As(err, &guarded):
		return file, int(guarded.pos.Line), guarded.message
	case errors.As(err, &failed):
		for _, frame := range slices.Backward(failed.CallStack) {
			if frame.Pos.Filename() == file && frame.Pos.Line > 0 {
				return file, int(frame.Pos.Line), sentence(failed.Msg)
			}
		}
		return file, 0, sentence(failed.Msg)
	}
	return file, 0, sentence(err.Error())
}

// sentence makes plain text of a message that may quote the file.
func sentence(message string) string {
	message = tool.Clean(message, 300)
	return strings.TrimPrefix(message, "fail: ")
}

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9_]{2,39}$`)

// register is skill(name, doc, run, params = {}) while a file is loaded.
func register(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, _ := thread.Local(loadingKey).(*loader)
	if l == nil {
		return nil, errors.New(text.Say("skill.while_loading"))
	}
	var name, doc string
	var run *starlark.Function
	params := starlark.NewDict(0)
	if err := starlark.UnpackArgs("skill", args, kwargs, "name", &name, "doc", &doc, "run", &run, "params?", &params); err != nil {
		return nil, err
	}
	_, builtIn := tool.Find(name)
	known := func(t tool.Tool) bool { return t.Name == name }
	switch {
	case !nameForm.MatchString(name):
		return nil, errors.New(text.Say("skill.name_form", "name", tool.Clean(name, 40)))
	case builtIn:
		return nil, errors.New(text.Say("skill.name_taken", "name", name))
	case slices.ContainsFunc(l.tools, known), slices.ContainsFunc(l.made, known):
		return nil, errors.New(text.Say("skill.name_twice", "name", name))
	case len(l.tools)+len(l.made) == mostSkills:
		return nil, errors.New(text.Say("skill.many", "most", mostSkills))
	case strings.TrimSpace(doc) == "":
		return nil, errors.New(text.Say("skill.no_doc", "name", name))
	}
	declared, err := parametersOf(params)
	if err != nil {
		return nil, err
	}
	s := &skill{name: name, file: l.name, run: run, params: declared}
	l.made = append(l.made, s.tool(cmp.Or(tool.CleanLines(doc, mostDoc), name)))
	return starlark.None, nil
}
