package api

import (
	"context"
	"net/http"
	"path/filepath"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/profile"
	"assay/backend/store"
	"assay/backend/text"
	"assay/backend/workspace"
)

// SourceDetail is everything that the page shows of one imported file.
type SourceDetail struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	File      string         `json:"file"` // its own name
	Path      string         `json:"path"` // where it is; empty: it was handed over and is not kept
	State     store.State    `json:"state" enum:"same,changed,missing"`
	Declared  bool           `json:"declared"` // it is there again after the next start, even when it was removed
	Format    string         `json:"format"`
	Bytes     int64          `json:"bytes"`
	Modified  time.Time      `json:"modified"`
	Imported  time.Time      `json:"imported"`
	Epoch     string         `json:"epoch"`
	Encoding  string         `json:"encoding"`
	Delimiter string         `json:"delimiter"`
	Header    *bool          `json:"header"`
	Reading   *store.Reading `json:"reading"` // what a person wanted; null: it was read as recognised
	Notes     []string       `json:"notes" nullable:"false"`
	Tables    []TableDetail  `json:"tables" nullable:"false"`
}

// TableDetail is one table of a source with its columns.
type TableDetail struct {
	Name     string         `json:"name"`
	Alias    string         `json:"alias"`
	Rows     int64          `json:"rows"`
	Rejected int64          `json:"rejected"`
	Columns  []ColumnDetail `json:"columns" nullable:"false"`
}

// ColumnDetail is one column of a table.
type ColumnDetail struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Personal string `json:"personal"` // the kind of personal values that it holds; empty: none
	Key      bool   `json:"key"`      // it is of the key that the source declares
	Refers   string `json:"refers"`   // the table that it refers to by the source; empty: none
}

// SourcesView lists the sources.
type SourcesView struct {
	Sources []SourceDetail `json:"sources" nullable:"false"`
}

// PreviewBody names a file to look at, and how it is to be read.
type PreviewBody struct {
	Token   string        `json:"token,omitempty" maxLength:"128" doc:"A file that was handed over"`
	Source  string        `json:"source,omitempty" maxLength:"128" doc:"The source whose file is looked at instead"`
	Reading store.Reading `json:"reading,omitempty"`
}

// RefreshBody says how the file of a source is imported again.
type RefreshBody struct {
	RequestID string         `json:"request_id,omitempty" maxLength:"64"`
	Token     string         `json:"token,omitempty" maxLength:"128" doc:"A newer file that takes its place"`
	Reading   *store.Reading `json:"reading,omitempty" doc:"Another way to read it; absent: as before"`
}

// SourcePath names a source in a path; exported because huma reads embedded types that are.
type SourcePath struct {
	ID string `path:"id" maxLength:"128"`
}

func (s *Server) registerSources() {
	register(s, http.MethodGet, "/api/sources", "sources", "The sources with how their files are now, their tables and columns",
		func(ctx context.Context, _ *struct{}) (*struct{ Body SourcesView }, error) {
			v, err := s.sourcesView(ctx)
			return &struct{ Body SourcesView }{v}, err
		})
	register(s, http.MethodPatch, "/api/sources/{id}", "renameSource", "Give a source another name",
		func(ctx context.Context, in *struct {
			SourcePath
			Body struct {
				Name string `json:"name" maxLength:"1000"`
			}
		},
		) (*struct{ Body SourcesView }, error) {
			if err := s.ws.Rename(ctx, in.ID, in.Body.Name); err != nil {
				return nil, err
			}
			v, err := s.sourcesView(ctx)
			return &struct{ Body SourcesView }{v}, err
		})
	register(s, http.MethodPost, "/api/sources/{id}/restore", "restoreSource", "Bring back a source that was removed since the program was started",
		func(ctx context.Context, in *struct {
			SourcePath
			Body struct{}
		},
		) (*struct{ Body WorkspaceView }, error) {
			if _, err := s.ws.Restore(ctx, in.ID); err != nil {
				return nil, err
			}
			return &struct{ Body WorkspaceView }{viewOf(ctx, s.ws, s.opts.Version)}, nil
		})
	register(s, http.MethodPost, "/api/preview", "previewFile", "Look at a file: how it would be read, and what would come of it. Imports nothing",
		func(ctx context.Context, in *struct{ Body PreviewBody }) (*struct{ Body *store.Preview }, error) {
			p, err := s.preview(ctx, in.Body)
			return &struct{ Body *store.Preview }{p}, err
		})
	register(s, http.MethodPost, "/api/sample", "takeSample", "Take the sample that ships into this workspace",
		func(ctx context.Context, _ *struct{ Body struct{} }) (*struct{ Body ImportDone }, error) {
			ctx, finish := s.runs.start(ctx, workImport, "")
			defer finish()
			sources, err := s.ws.TakeSample(ctx, workspace.DefaultSample)
			if err != nil {
				return nil, err
			}
			done := ImportDone{Sources: []SourceView{}, Failed: []ImportFailed{}, Workspace: viewOf(ctx, s.ws, s.opts.Version)}
			for i := range sources {
				done.Sources = append(done.Sources, sourceView(sources[i]))
			}
			return &struct{ Body ImportDone }{done}, nil
		})
	register(s, http.MethodDelete, "/api/uploads/{token}", "dropUpload", "Forget a file that was handed over and is not wanted",
		func(_ context.Context, in *struct {
			Token string `path:"token" maxLength:"128"`
		},
		) (*struct{}, error) {
			if _, err := s.uploads.path(in.Token); err != nil {
				return nil, err
			}
			s.uploads.drop(in.Token)
			return nil, nil
		})
	done := s.api.OpenAPI().Components.Schemas.Schema(typeOf[ImportDone](), true, "")
	huma.Register(s.api, huma.Operation{
		OperationID: "refreshSource", Method: http.MethodPost, Path: "/api/sources/{id}/refresh", MaxBodyBytes: 1 << 20,
		Summary:   "Import the file of a source again. Answers with events: progress, then done or error.",
		Responses: map[string]*huma.Response{"200": {Description: "Events", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: done}}}},
	}, s.refreshSource)
}

func (s *Server) preview(ctx context.Context, b PreviewBody) (*store.Preview, error) {
	if (b.Token == "") == (b.Source == "") {
		return nil, fault.New(fault.Invalid, "look at file", text.Say("api.preview_of_what"), text.Say("api.bad_request_hint"))
	}
	if b.Source != "" {
		return s.ws.PreviewSource(ctx, b.Source, b.Reading)
	}
	path, err := s.uploads.path(b.Token)
	if err != nil {
		return nil, err
	}
	return s.ws.Preview(ctx, path, b.Reading)
}

func (s *Server) refreshSource(_ context.Context, in *struct {
	SourcePath
	Body RefreshBody
},
) (*huma.StreamResponse, error) {
	return &huma.StreamResponse{Body: func(c huma.Context) {
		out := startEvents(c)
		ctx, finish := s.runs.start(c.Context(), workImport, in.Body.RequestID)
		defer finish()
		source, err := s.refreshed(ctx, in.ID, in.Body, out)
		if err != nil {
			out.send("error", problemOf(err))
			return
		}
		out.send("done", ImportDone{Sources: []SourceView{sourceView(*source)}, Failed: []ImportFailed{}, Workspace: viewOf(ctx, s.ws, s.opts.Version)})
	}}, nil
}

func (s *Server) refreshed(ctx context.Context, id string, b RefreshBody, out *events) (*store.Source, error) {
	if b.Token == "" {
		return s.ws.Refresh(ctx, id, b.Reading, out.importProgress(""))
	}
	path, err := s.uploads.path(b.Token)
	if err != nil {
		return nil, err
	}
	r := store.ImportRequest{Path: path, Replace: id, Progress: out.importProgress(filepath.Base(path))}
	if b.Reading != nil {
		r.Reading = *b.Reading
	}
	source, err := s.ws.Import(ctx, r)
	if err == nil {
		s.uploads.keep(b.Token)
	}
	return source, err
}

// importProgress gives a function that sends how far an import is.
func (e *events) importProgress(file string) func(store.Progress) {
	return func(p store.Progress) {
		if file != "" {
			p.File = file
		}
		e.send("progress", ImportProgress{File: p.File, Stage: p.Stage, BytesDone: p.BytesDone, BytesTotal: p.BytesTotal, Rows: p.Rows})
	}
}

func (s *Server) sourcesView(ctx context.Context) (SourcesView, error) {
	all, err := s.ws.SourceStates(ctx)
	if err != nil {
		return SourcesView{}, err
	}
	v := SourcesView{Sources: []SourceDetail{}}
	for i := range all {
		v.Sources = append(v.Sources, s.sourceDetail(&all[i]))
	}
	return v, nil
}

func (s *Server) sourceDetail(x *workspace.SourceState) SourceDetail {
	v := SourceDetail{
		ID: x.ID, Name: x.Name, File: filepath.Base(x.Path), Path: x.Path, State: x.State, Declared: x.Declared, Format: x.Format, Bytes: x.Bytes,
		Modified: x.Modified.UTC(), Imported: x.Imported.UTC(), Epoch: x.Epoch, Encoding: x.Encoding, Delimiter: x.Delimiter, Header: x.Header, Reading: x.Reading,
		Notes: append([]string{}, x.Notes...), Tables: []TableDetail{},
	}
	if s.uploads.holds(x.Path) {
		v.Path = ""
	}
	for _, t := range x.Tables {
		d := TableDetail{Name: t.Name, Alias: t.Alias, Rows: t.Rows, Rejected: t.Rejected, Columns: []ColumnDetail{}}
		for _, c := range t.Columns {
			d.Columns = append(d.Columns, ColumnDetail{Name: c.Name, Type: c.Type, Personal: s.ws.Personal(t.Name, c.Name), Key: has(t.Key, c.Name), Refers: refers(t.ForeignKeys, c.Name)})
		}
		v.Tables = append(v.Tables, d)
	}
	return v
}

func has(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

func refers(keys []store.ForeignKey, column string) string {
	for _, f := range keys {
		if has(f.Columns, column) {
			return f.RefTable
		}
	}
	return ""
}

// TableHead is the beginning of a table.
type TableHead struct {
	Columns []frameql.Column `json:"columns" nullable:"false"`
	Rows    [][]any          `json:"rows" nullable:"false"`
	LeftOut []string         `json:"left_out" nullable:"false" doc:"Columns that are personal and not here"`
}

// TableRejected are lines of a table's file that are not in it.
type TableRejected struct {
	Lines []store.RejectedLine `json:"lines" nullable:"false"`
	All   int64                `json:"all"` // how many there are
}

// TableQuestion is a question that the reader understands.
type TableQuestion struct {
	Question string `json:"question"` // empty: there is none
}

// ProfileBody names a table to profile.
type ProfileBody struct {
	RequestID string `json:"request_id,omitempty" maxLength:"64"`
	Table     string `json:"table" minLength:"1" maxLength:"1000"`
	Sample    int64  `json:"sample,omitempty" minimum:"0" doc:"Rows to look at; 0: all"`
}

// ProfileProgress is sent while a table is profiled.
type ProfileProgress struct {
	Done  int `json:"done"` // columns
	Total int `json:"total"`
}

// TableQuery names a table in a query; exported because huma reads embedded types that are.
type TableQuery struct {
	Table string `query:"table" required:"true" minLength:"1" maxLength:"1000"`
}

// rejectedShown is how many rejected lines are shown.
const rejectedShown = 200

func (s *Server) registerTables() {
	register(s, http.MethodGet, "/api/table/head", "tableHead", "The first rows of a table, without the columns that are personal",
		func(ctx context.Context, in *TableQuery) (*struct{ Body TableHead }, error) {
			frame, leftOut, err := s.ws.Head(ctx, in.Table)
			if err != nil {
				return nil, err
			}
			return &struct{ Body TableHead }{TableHead{Columns: frame.Columns, Rows: frame.Rows, LeftOut: append([]string{}, leftOut...)}}, nil
		})
	register(s, http.MethodGet, "/api/table/rejected", "tableRejected", "Lines of a table's file that could not be read",
		func(ctx context.Context, in *TableQuery) (*struct{ Body TableRejected }, error) {
			lines, all, err := s.ws.Rejected(ctx, in.Table, rejectedShown)
			return &struct{ Body TableRejected }{TableRejected{Lines: append([]store.RejectedLine{}, lines...), All: all}}, err
		})
	register(s, http.MethodGet, "/api/table/question", "tableQuestion", "A question about a column, or about one of its values",
		func(ctx context.Context, in *struct {
			TableQuery
			Column string `query:"column" required:"true" minLength:"1" maxLength:"5000"`
			Value  string `query:"value" maxLength:"1000"`
		},
		) (*struct{ Body TableQuestion }, error) {
			question, err := s.ws.QuestionAbout(ctx, in.Table, in.Column, in.Value)
			return &struct{ Body TableQuestion }{TableQuestion{question}}, err
		})
	schemas := s.api.OpenAPI().Components.Schemas
	schemas.Schema(typeOf[ProfileProgress](), true, "")
	schemas.Schema(typeOf[profile.ColumnProfile](), true, "")
	huma.Register(s.api, huma.Operation{
		OperationID: "tableProfile", Method: http.MethodPost, Path: "/api/table/profile", MaxBodyBytes: 1 << 20,
		Summary: "Profile the columns of a table. Answers with events: progress, then done or error.",
		Responses: map[string]*huma.Response{"200": {Description: "Events", Content: map[string]*huma.MediaType{
			"text/event-stream": {Schema: schemas.Schema(typeOf[workspace.TableProfile](), true, "")},
		}}},
	}, s.profileTable)
}

func (s *Server) profileTable(_ context.Context, in *struct{ Body ProfileBody }) (*huma.StreamResponse, error) {
	return &huma.StreamResponse{Body: func(c huma.Context) {
		out := startEvents(c)
		ctx, finish := s.runs.start(c.Context(), workLook, in.Body.RequestID)
		defer finish()
		p, err := s.ws.Profile(ctx, in.Body.Table, in.Body.Sample, func(done, total int) { out.send("progress", ProfileProgress{done, total}) })
		if err != nil {
			out.send("error", problemOf(err))
			return
		}
		out.send("done", p)
	}}, nil
}
