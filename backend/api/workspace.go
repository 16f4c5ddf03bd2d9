package api

import (
	"context"
	"net/http"
	"reflect"

	"assay/backend/store"
	"assay/backend/workspace"
)

// WorkspaceView is what the page shows of the workspace.
type WorkspaceView struct {
	Name      string       `json:"name"`
	Label     string       `json:"label"`
	Version   string       `json:"version"` // of the program
	Currency  string       `json:"currency"`
	Questions []string     `json:"questions"` // to start with; each is known to work
	Sources   []SourceView `json:"sources"`
	Model     ModelView    `json:"model"`

	Problems []workspace.Trouble `json:"problems"` // what of it cannot be used; it is open without that
}

// ModelView says which model answers.
type ModelView struct {
	Version  string `json:"version"`
	Inferred bool   `json:"inferred"`
	Stale    bool   `json:"stale"`   // the files no longer load; the last good model is in use
	Problem  string `json:"problem"` // why
}

// SourceView is one imported file.
type SourceView struct {
	ID     string      `json:"id"`
	Name   string      `json:"name"`
	Format string      `json:"format"`
	Bytes  int64       `json:"bytes"`
	Epoch  string      `json:"epoch"`
	Tables []TableView `json:"tables"`
	Notes  []string    `json:"notes"`
}

// TableView is one table of a source.
type TableView struct {
	Name        string `json:"name"`
	Alias       string `json:"alias"`
	Rows        int64  `json:"rows"`
	Columns     int    `json:"columns"`
	Rejected    int64  `json:"rejected"`     // lines that could not be read
	RejectTable string `json:"reject_table"` // where they are kept; empty: none
}

func (s *Server) registerWorkspace() {
	register(s, http.MethodGet, "/api/workspace", "workspace", "The workspace: its sources, its model, questions to start with",
		func(ctx context.Context, _ *struct{}) (*struct{ Body WorkspaceView }, error) {
			return &struct{ Body WorkspaceView }{viewOf(ctx, s.ws, s.opts.Version)}, nil
		})
	register(s, http.MethodPost, "/api/problems/{id}", "repairProblem", "Do what a problem of the workspace offers",
		func(ctx context.Context, in *struct {
			ID   string `path:"id" maxLength:"100"`
			Body struct {
				Repair string `json:"repair" enum:"restore,set_aside,refresh,remove"`
			}
		},
		) (*struct{ Body WorkspaceView }, error) {
			if err := s.ws.Repair(ctx, in.ID, in.Body.Repair); err != nil {
				return nil, err
			}
			return &struct{ Body WorkspaceView }{viewOf(ctx, s.ws, s.opts.Version)}, nil
		})
	register(s, http.MethodDelete, "/api/sources/{id}", "removeSource", "Forget a source and its tables",
		func(ctx context.Context, in *struct {
			ID string `path:"id"`
		},
		) (*struct{ Body WorkspaceView }, error) {
			if err := s.ws.Remove(ctx, in.ID); err != nil {
				return nil, err
			}
			return &struct{ Body WorkspaceView }{viewOf(ctx, s.ws, s.opts.Version)}, nil
		})
}

func viewOf(ctx context.Context, ws *workspace.Workspace, version string) WorkspaceView {
	model, loaded := ws.Model()
	v := WorkspaceView{
		Name: ws.Name(), Label: model.Workspace.Label, Version: version, Currency: model.Workspace.Currency,
		Questions: ws.Starters(ctx), Sources: []SourceView{}, Problems: ws.Problems(),
		Model: ModelView{Version: model.Version, Inferred: model.Inferred, Stale: loaded.Stale},
	}
	if v.Label == "" {
		v.Label = ws.Name()
	}
	if loaded.Err != nil {
		v.Model.Problem = loaded.Err.Error()
	}
	for _, source := range ws.Sources() {
		v.Sources = append(v.Sources, sourceView(source))
	}
	return v
}

func sourceView(s store.Source) SourceView {
	v := SourceView{ID: s.ID, Name: s.Name, Format: s.Format, Bytes: s.Bytes, Epoch: s.Epoch, Tables: []TableView{}, Notes: append([]string{}, s.Notes...)}
	for _, t := range s.Tables {
		v.Tables = append(v.Tables, TableView{Name: t.Name, Alias: t.Alias, Rows: t.Rows, Columns: len(t.Columns), Rejected: t.Rejected, RejectTable: t.RejectTable})
	}
	return v
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }
