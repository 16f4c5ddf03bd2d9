package api

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"assay/backend/fault"
	"assay/backend/store"
	"assay/backend/text"
)

// UploadedFile is a file that waits to be imported. The page knows it by its token alone.
type UploadedFile struct {
	Token string `json:"token"`
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// ImportBody names the files to import.
type ImportBody struct {
	Tokens    []string                 `json:"tokens" minItems:"1" maxItems:"100"`
	RequestID string                   `json:"request_id,omitempty" maxLength:"64"`
	Readings  map[string]store.Reading `json:"readings,omitempty" doc:"By token: how a file is read that is not read as recognised"`
}

// ImportProgress is sent while a file is being imported.
type ImportProgress struct {
	File       string `json:"file"`
	Stage      string `json:"stage"` // hash sniff load check publish
	BytesDone  int64  `json:"bytes_done"`
	BytesTotal int64  `json:"bytes_total"`
	Rows       int64  `json:"rows"`
}

// ImportDone is sent when all files are in.
type ImportDone struct {
	Sources   []SourceView   `json:"sources"` // what was imported now
	Failed    []ImportFailed `json:"failed" nullable:"false"`
	Workspace WorkspaceView  `json:"workspace"`
}

// ImportFailed is a file of several that could not be imported.
type ImportFailed struct {
	File    string  `json:"file"`
	Problem Problem `json:"problem"`
}

func (s *Server) registerImport() {
	s.mux.HandleFunc("POST "+uploadPath, s.upload) // a raw body: outside the JSON routes on purpose
	schemas := s.api.OpenAPI().Components.Schemas
	schemas.Schema(typeOf[UploadedFile](), true, "")
	schemas.Schema(typeOf[ImportProgress](), true, "")
	schemas.Schema(typeOf[Problem](), true, "")
	huma.Register(s.api, huma.Operation{
		OperationID: "import", Method: http.MethodPost, Path: "/api/import", MaxBodyBytes: 1 << 20,
		Summary: "Import files by token. Answers with events: progress, then done or error.",
		Responses: map[string]*huma.Response{"200": {Description: "Events", Content: map[string]*huma.MediaType{
			"text/event-stream": {Schema: schemas.Schema(typeOf[ImportDone](), true, "")},
		}}},
	}, s.importFiles)
}

// upload takes a file's bytes as the body. The name is a label: it never becomes part of a path outside the upload's own folder.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	file, err := s.uploads.receive(r.URL.Query().Get("name"), r.Body)
	if err != nil {
		writeProblem(w, problemOf(err))
		return
	}
	writeJSON(w, file)
}

func (s *Server) importFiles(_ context.Context, in *struct{ Body ImportBody }) (*huma.StreamResponse, error) {
	return &huma.StreamResponse{Body: func(c huma.Context) {
		out := startEvents(c)
		ctx, finish := s.runs.start(c.Context(), workImport, in.Body.RequestID)
		defer finish()
		done := ImportDone{Sources: []SourceView{}, Failed: []ImportFailed{}}
		tables := []string{}
		// A file of several that cannot be read keeps none of the others out; what was stopped is stopped.
		goOn := func(file string, err error) bool {
			if err == nil {
				return true
			}
			done.Failed = append(done.Failed, ImportFailed{File: file, Problem: *problemOf(err)})
			return ctx.Err() == nil && len(in.Body.Tokens) > 1
		}
		requests, tokens := []store.ImportRequest{}, []string{}
		for _, token := range in.Body.Tokens {
			path, err := s.uploads.path(token)
			if err == nil {
				requests = append(requests, store.ImportRequest{Path: path, Reading: in.Body.Readings[token], Progress: out.importProgress(filepath.Base(path))})
				tokens = append(tokens, token)
			}
			if !goOn("", err) {
				out.send("error", problemOf(err))
				return
			}
		}
		var stopped error
		err := s.ws.ImportAll(ctx, requests, func(i int, source *store.Source, err error) bool {
			if err == nil {
				s.uploads.keep(tokens[i])
				done.Sources = append(done.Sources, sourceView(*source))
				for _, t := range source.Tables {
					tables = append(tables, t.Name)
				}
			}
			if !goOn(filepath.Base(requests[i].Path), err) {
				stopped = err
			}
			return stopped == nil
		})
		if err = cmp.Or(stopped, err); err != nil {
			out.send("error", problemOf(err))
			return
		}
		if len(done.Sources) == 0 {
			out.send("error", done.Failed[0].Problem)
			return
		}
		done.Workspace = viewOf(ctx, s.ws, s.opts.Version)
		done.Workspace.Questions = s.ws.StartersOn(ctx, tables)
		out.send("done", done)
	}}, nil
}

// uploads are the files that wait for their import: received bytes in a folder of their own, or paths that a native
// dialog gave.
type uploads struct {
	dir   string
	mu    sync.Mutex
	paths map[string]string // token -> path
	kept  []string          // tokens of files that are imported and may be read another way as long as the program runs
}

// uploadsLast is how long files stay that a program which was killed had received.
const uploadsLast = 7 * 24 * time.Hour

func newUploads(workspaceDir string, now time.Time) *uploads {
	u := &uploads{dir: filepath.Join(workspaceDir, ".assay", "uploads"), paths: map[string]string{}}
	folders, err := os.ReadDir(u.dir)
	if err != nil {
		return u // nobody has handed over anything
	}
	for _, f := range folders {
		if info, err := f.Info(); err == nil && now.Sub(info.ModTime()) > uploadsLast {
			_ = os.RemoveAll(filepath.Join(u.dir, f.Name()))
		}
	}
	return u
}

func (u *uploads) receive(name string, body io.Reader) (UploadedFile, error) {
	name, ok := plainName(name)
	if !ok {
		return UploadedFile{}, fault.New(fault.Invalid, "upload", text.Say("api.upload_name"), text.Say("api.upload_name_hint"))
	}
	if u.held() >= uploadsHeld {
		return UploadedFile{}, fault.New(fault.Limit, "upload", text.Say("api.uploads_full", "n", uploadsHeld), text.Say("api.uploads_full_hint"))
	}
	token := newToken()
	dir := filepath.Join(u.dir, token)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return UploadedFile{}, cannotKeep(name, err)
	}
	path := filepath.Join(dir, name)
	n, err := writeAll(path, body)
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		os.RemoveAll(dir)
		return UploadedFile{}, fault.Wrap(fault.Limit, "upload", text.Say("api.body_too_large"), text.Say("api.upload_too_large_hint"), err)
	}
	if err != nil {
		os.RemoveAll(dir)
		return UploadedFile{}, cannotKeep(name, err)
	}
	u.add(token, path)
	return UploadedFile{Token: token, Name: name, Bytes: n}, nil
}

// plainName gives the last part of a name, whichever system it comes from. One that is a folder, hides control characters or is
// longer than a file system takes is none.
func plainName(name string) (string, bool) {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	odd := strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) })
	return name, name != "" && name != "." && name != ".." && len(name) <= 255 && !odd && utf8.ValidString(name)
}

// held counts the files that wait.
func (u *uploads) held() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.paths)
}

func cannotKeep(name string, err error) error {
	return fault.Wrap(fault.Unavailable, "upload", text.Say("api.upload_failed", "file", name), text.Say("api.upload_failed_hint"), err)
}

func writeAll(path string, body io.Reader) (int64, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(f, body)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return n, err
}

func (u *uploads) add(token, path string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.paths[token] = path
}

func (u *uploads) path(token string) (string, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	path, ok := u.paths[token]
	if !ok {
		return "", fault.New(fault.NotFound, "import", text.Say("api.unknown_token"), text.Say("api.unknown_token_hint"))
	}
	return path, nil
}

// keep takes a file off the list of those that wait. It stays on disk, so that it can be looked at again.
func (u *uploads) keep(token string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.paths, token)
	u.kept = append(u.kept, token)
}

// holds says whether a file is one that was received.
func (u *uploads) holds(path string) bool {
	return strings.HasPrefix(path, u.dir+string(filepath.Separator))
}

// drop forgets a token, and deletes the file when it was received here.
func (u *uploads) drop(token string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.paths, token)
	_ = os.RemoveAll(filepath.Join(u.dir, token))
}

// close forgets all tokens of this server; folders of other processes stay.
func (u *uploads) close() error {
	u.mu.Lock()
	tokens := append(make([]string, 0, len(u.paths)+len(u.kept)), u.kept...)
	for t := range u.paths {
		tokens = append(tokens, t)
	}
	u.mu.Unlock()
	for _, t := range tokens {
		u.drop(t)
	}
	return nil
}

func newToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // crypto/rand.Read never fails
	return hex.EncodeToString(b[:])
}
