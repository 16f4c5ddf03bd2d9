package api

import (
	"context"
	"net/http"

	"assay/backend/semantic"
	"assay/backend/workspace"
)

// ModelCatalogue is everything in the model that the person may see.
type ModelCatalogue struct {
	Model         ModelView        `json:"model"`
	MayWrite      bool             `json:"may_write"` // the person may change context files
	Objects       []semantic.Entry `json:"objects"`
	Skills        []ModelSkill     `json:"skills"`
	SkillProblems []ModelProblem   `json:"skill_problems" doc:"What is wrong with files of skills; such a file makes none"`
}

// ModelSkill is a tool that a file of the workspace makes.
type ModelSkill struct {
	Name string `json:"name"`
	Says string `json:"says" doc:"What it is for, as a language model is told"`
}

// ModelProblem is one thing that is wrong with a context file.
type ModelProblem struct {
	Severity string `json:"severity" enum:"error,warning"`
	File     string `json:"file"` // empty: all of it
	Line     int    `json:"line"` // from 1; 0: the whole file
	Message  string `json:"message"`
	Hint     string `json:"hint"`
}

// ModelCheck is what edits of context files would do.
type ModelCheck struct {
	Problems []ModelProblem    `json:"problems"`
	Changes  []semantic.Change `json:"changes"` // of the model; empty while something is wrong
}

// ModelEdits are files as they are to be.
type ModelEdits struct {
	Files []workspace.ContextEdit `json:"files" minItems:"1" maxItems:"5000"`
}

// ModelFiles are context files, written or proposed.
type ModelFiles struct {
	Files []workspace.ContextFile `json:"files"`
}

// ModelFields change the object that begins at a line of a context file.
type ModelFields struct {
	Text   string       `json:"text" maxLength:"2000000"`
	Line   int          `json:"line" minimum:"1"`
	Fields []ModelField `json:"fields"`
}

// ModelField is a field as a form has it: a text, or a list. Empty takes the field out.
type ModelField struct {
	Key  string   `json:"key" enum:"label,description,synonyms,unit,tags,severity,statement,question,frame_ql,expr,domain"`
	Text string   `json:"text,omitempty"`
	List []string `json:"list,omitempty"`
	Many bool     `json:"many,omitempty"`
}

func (s *Server) registerModel() {
	register(s, http.MethodGet, "/api/model", "model", "Everything in the model, with what each object uses and what uses it",
		func(ctx context.Context, _ *struct{}) (*struct{ Body ModelCatalogue }, error) {
			return &struct{ Body ModelCatalogue }{s.catalogue(ctx)}, nil
		})
	register(s, http.MethodGet, "/api/model/file", "modelFile", "One context file as it stands",
		func(_ context.Context, in *struct {
			Path string `query:"path" required:"true" maxLength:"500"`
		},
		) (*struct{ Body workspace.ContextFile }, error) {
			f, err := s.ws.ContextFile(in.Path)
			return &struct{ Body workspace.ContextFile }{f}, err
		})
	register(s, http.MethodPost, "/api/model/check", "checkModel", "What is wrong with edits of context files, and how the model would change; nothing is written",
		func(ctx context.Context, in *struct{ Body ModelEdits }) (*struct{ Body ModelCheck }, error) {
			c, err := s.ws.CheckContext(ctx, in.Body.Files)
			return &struct{ Body ModelCheck }{modelCheckOf(c)}, err
		})
	register(s, http.MethodPost, "/api/model/save", "saveModel", "Write context files, all or none, unless one of them is not as its author saw it",
		func(ctx context.Context, in *struct{ Body ModelEdits }) (*struct{ Body ModelCatalogue }, error) {
			if err := s.ws.SaveContext(ctx, in.Body.Files); err != nil {
				return nil, err
			}
			return &struct{ Body ModelCatalogue }{s.catalogue(ctx)}, nil
		})
	register(s, http.MethodPost, "/api/model/fields", "modelFields", "Change fields of one object in the text of its file; nothing is written",
		func(_ context.Context, in *struct{ Body ModelFields }) (*struct{ Body workspace.ContextFile }, error) {
			var sets []semantic.Set
			for _, f := range in.Body.Fields {
				sets = append(sets, semantic.Set(f))
			}
			raw, err := semantic.Edit([]byte(in.Body.Text), in.Body.Line, sets)
			return &struct{ Body workspace.ContextFile }{workspace.ContextFile{Text: string(raw)}}, err
		})
	register(s, http.MethodPost, "/api/model/proposal", "modelProposal", "What is inferred, as context files, without what is left out; nothing is written",
		func(_ context.Context, in *struct {
			Body struct {
				LeaveOut []string `json:"leave_out" maxItems:"100000"`
			}
		},
		) (*struct{ Body ModelFiles }, error) {
			files, err := s.ws.Proposal(in.Body.LeaveOut)
			return &struct{ Body ModelFiles }{ModelFiles{files}}, err
		})
}

func (s *Server) catalogue(ctx context.Context) ModelCatalogue {
	s.ws.TakeOver(ctx)
	tools, wrong := s.ws.OwnSkills()
	skills := []ModelSkill{}
	for _, t := range tools {
		skills = append(skills, ModelSkill{t.Name, t.Text})
	}
	return ModelCatalogue{
		Model: viewOf(ctx, s.ws, s.opts.Version).Model, MayWrite: s.ws.MayWriteModel(), Objects: semantic.Catalogue(s.ws.Knowledge().Model), Skills: skills, SkillProblems: problemsOf(wrong),
	}
}

func modelCheckOf(c workspace.ContextCheck) ModelCheck {
	return ModelCheck{Problems: problemsOf(c.Problems), Changes: append([]semantic.Change{}, c.Changes...)}
}

func problemsOf(all []semantic.Problem) []ModelProblem {
	out := []ModelProblem{}
	for _, p := range all {
		out = append(out, ModelProblem{Severity: p.Severity, File: p.Pos.File, Line: p.Pos.Line, Message: p.Message, Hint: p.Hint})
	}
	return out
}
