package workspace

import (
	"os"
	"slices"

	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/skill"
	"assay/backend/tool"
)

// skills are the tools that the workspace's own files make, and what is wrong with those that make none.
type skills struct {
	tools    []tool.Tool
	problems []semantic.Problem
}

// loadSkills reads the skills anew. A file that is wrong stops nothing. It must be called with w.mu held, or before the workspace is shared.
func (w *Workspace) loadSkills() {
	tools, problems := skill.Load(os.DirFS(w.dir))
	w.skills.Store(&skills{tools, problems})
	w.problems.set(ofSkills, fileProblems(ofSkills, problems)...)
}

// Skills gives the tools that the workspace's own files make, and what is wrong with the files that make none, with their lines. They are read anew
// with the model when one of them has changed.
func (w *Workspace) Skills() ([]tool.Tool, []semantic.Problem) {
	s := w.skills.Load()
	if s == nil {
		return nil, nil
	}
	return slices.Clone(s.tools), slices.Clone(s.problems)
}

// OwnSkills is Skills for the person who runs this process: nothing for who may not see everything.
func (w *Workspace) OwnSkills() ([]tool.Tool, []semantic.Problem) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil || !w.Rules().Whitelist(me).Everything() {
		return nil, nil
	}
	return w.Skills()
}

// skillsOf gives the skills that an actor may use. What a file says may name whatever its author knows, so that whoever may not see everything uses none.
func (w *Workspace) skillsOf(a rules.Actor) []tool.Tool {
	if !w.Rules().Whitelist(a).Everything() {
		return nil
	}
	tools, _ := w.Skills()
	return tools
}
