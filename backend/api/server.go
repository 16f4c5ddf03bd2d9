// Package api is the HTTP API of a workspace. The window gets it from the asset handler, a browser from `assay serve`;
// both see the same routes, whose description (openapi.json) is generated from the types here.
package api

import (
	"context"
	"io/fs"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/workspace"
)

// Options of a server.
type Options struct {
	Version string
	Page    fs.FS  // the built page, with index.html at its root
	Address string // where others reach it: http://127.0.0.1:8123; empty: nowhere, as in a window
}

// Server answers the routes of one workspace. It needs Close, because uploads wait on disk to be imported.
type Server struct {
	ws      *workspace.Workspace
	opts    Options
	mux     *http.ServeMux
	api     huma.API
	runs    *runs
	uploads *uploads
	links   *links
	exports *exports
	asking  sync.Mutex // a person is being asked whether files may be taken in
}

// New builds a server over an open workspace.
func New(ws *workspace.Workspace, o Options) *Server {
	s := &Server{ws: ws, opts: o, mux: http.NewServeMux(), runs: newRuns(), links: &links{now: time.Now}}
	if ws != nil {
		s.uploads = newUploads(ws.Dir(), time.Now())
		s.exports = newExports(ws.Dir(), time.Now)
	}
	config := huma.DefaultConfig("Assay", o.Version)
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil
	config.Transformers = []huma.Transformer{asProblem}
	config.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	config.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[frameql.Query](), reflect.TypeFor[map[string]any]())
	s.api = humago.New(s.mux, config)
	s.registerWorkspace()
	s.registerAsk()
	s.registerRequests()
	s.registerSessions()
	s.registerCharts()
	s.registerSessionFiles()
	s.registerFork()
	s.registerTree()
	s.registerShare()
	s.registerCorrections()
	s.registerKnowledge()
	s.registerBundles()
	s.registerPreferences()
	s.registerSessionPages()
	s.registerSearch()
	s.registerReports()
	s.registerReplay()
	s.registerReading()
	s.registerImport()
	s.registerSources()
	s.registerTables()
	s.registerValues()
	s.registerResults()
	s.registerComplete()
	s.registerQuery()
	s.registerKeeping()
	s.registerModel()
	s.registerLinks()
	s.registerSettings()
	s.registerMinds()
	s.registerExports()
	s.mux.Handle("/api/", http.HandlerFunc(s.noRoute))
	if o.Page != nil {
		s.mux.Handle("/", Page(o.Page))
	}
	return s
}

// ServeHTTP answers a request. Guard stands before it wherever the request comes over a socket.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	keepNothing(w, r)
	s.mux.ServeHTTP(w, r)
}

// Close stops every run, waits for its end, and forgets uploads that were never imported.
func (s *Server) Close() error {
	s.runs.stop()
	if s.exports != nil {
		s.exports.close()
	}
	return s.uploads.close()
}

// Page serves the built page: every path without a file is the page itself, and no folder is listed.
func Page(files fs.FS) http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		name := strings.TrimPrefix(r.URL.Path, "/")
		if info, err := fs.Stat(files, name); name == "" || err != nil || info.IsDir() {
			if info, err := fs.Stat(files, "index.html"); err != nil || info.IsDir() {
				http.NotFound(w, r)
				return
			}
			r.URL.Path = "/"
		}
		server.ServeHTTP(w, r)
	})
}

// schemaName gives the types that a page knows by one word their plain name and all others the name of their package too.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	pkg := t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:]
	if pkg == "store" || pkg == "reading" || pkg == "minds" || t == reflect.TypeFor[interpret.Span]() || t == reflect.TypeFor[frameql.Span]() || t == reflect.TypeFor[frameql.Derived]() {
		return strings.ToUpper(pkg[:1]) + pkg[1:] + name
	}
	return name
}

// register adds one operation. Errors are written as a Problem.
func register[I, O any](s *Server, method, path, id, summary string, handle func(context.Context, *I) (*O, error)) {
	huma.Register(s.api, huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary, MaxBodyBytes: 1 << 20},
		func(ctx context.Context, in *I) (*O, error) {
			out, err := handle(ctx, in)
			if err != nil {
				return nil, problemOf(err)
			}
			return out, nil
		})
}
