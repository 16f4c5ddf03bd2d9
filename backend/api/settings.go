package api

import (
	"context"
	"net/http"
	"runtime"
	"runtime/debug"

	"assay/backend/workspace"
)

// SettingsView is what the person chose, and what the settings stand beside.
type SettingsView struct {
	Settings workspace.Settings   `json:"settings"`
	Defaults workspace.Settings   `json:"defaults"`
	Person   workspace.Person     `json:"person"`
	Folder   string               `json:"folder"`  // of the workspace, with its data
	Domains  []string             `json:"domains"` // that the model knows
	Rules    []RuleView           `json:"rules"`
	Files    []workspace.RuleFile `json:"files"` // that may hold rules
}

// RuleView is one row of the matrix of autonomy.
type RuleView struct {
	Below float64 `json:"below"` // the row holds for a likelihood of an error below this; 0: for all that are left
	Low   int     `json:"low"`   // the level where an error costs little
	High  int     `json:"high"`
}

// Diagnostics is what helps to find out why something does not work. It holds no data, no question and no path.
type Diagnostics struct {
	Version   string            `json:"version"`
	Go        string            `json:"go"`
	System    string            `json:"system"`
	CPUs      int               `json:"cpus"`
	Libraries map[string]string `json:"libraries"`
	Sources   int               `json:"sources"`
	Tables    int               `json:"tables"`
	Rows      int64             `json:"rows"`
	Model     ModelView         `json:"model"`
}

func (s *Server) registerSettings() {
	register(s, http.MethodGet, "/api/settings", "settings", "What the person of this window chose, who they are, and the rules in force",
		func(context.Context, *struct{}) (*struct{ Body SettingsView }, error) {
			v, err := s.settings()
			return &struct{ Body SettingsView }{v}, err
		})
	register(s, http.MethodPatch, "/api/settings", "choose", "Keep settings and let them hold",
		func(ctx context.Context, in *struct{ Body workspace.Settings }) (*struct{ Body SettingsView }, error) {
			if _, err := s.ws.Choose(ctx, in.Body); err != nil {
				return nil, err
			}
			v, err := s.settings()
			return &struct{ Body SettingsView }{v}, err
		})
	register(s, http.MethodGet, "/api/diagnostics", "diagnostics", "What helps to find out why something does not work",
		func(ctx context.Context, _ *struct{}) (*struct{ Body Diagnostics }, error) {
			return &struct{ Body Diagnostics }{s.diagnostics(ctx)}, nil
		})
}

func (s *Server) settings() (SettingsView, error) {
	person, err := s.ws.Person()
	if err != nil {
		return SettingsView{}, err
	}
	v := SettingsView{
		Settings: s.ws.Settings(), Defaults: workspace.DefaultSettings(), Person: person, Folder: s.ws.Dir(),
		Domains: s.ws.Domains(), Rules: []RuleView{}, Files: s.ws.RuleFiles(),
	}
	for _, row := range s.ws.Rules().Matrix {
		v.Rules = append(v.Rules, RuleView(row))
	}
	return v, nil
}

func (s *Server) diagnostics(ctx context.Context) Diagnostics {
	view := viewOf(ctx, s.ws, s.opts.Version)
	d := Diagnostics{
		Version: s.opts.Version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(),
		Libraries: map[string]string{}, Sources: len(view.Sources), Model: view.Model,
	}
	d.Model.Problem = "" // it may name a file
	for _, source := range view.Sources {
		d.Tables += len(source.Tables)
		for _, t := range source.Tables {
			d.Rows += t.Rows
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			switch m.Path {
			case "github.com/duckdb/duckdb-go/v2", "github.com/wailsapp/wails/v2", "modernc.org/sqlite":
				d.Libraries[m.Path] = m.Version
			}
		}
	}
	return d
}
