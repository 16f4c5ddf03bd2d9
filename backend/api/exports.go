package api

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"assay/backend/export"
	"assay/backend/fault"
	"assay/backend/text"
	"assay/backend/workspace"
)

// ExportBody says what is exported.
type ExportBody struct {
	RequestID string `json:"request_id,omitempty" maxLength:"64" doc:"A name for this call, made by the client, by which it can be canceled"`
	AnswerTo  string `json:"answer_to" maxLength:"128" doc:"The request whose answer is exported, with all of its rows"`
	Format    string `json:"format" enum:"csv,xlsx,parquet,json"`
}

// Exported is a file that is ready: it can be fetched for an hour.
type Exported struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// exportLife is how long a file waits to be fetched, and exportsHeld how many do.
const (
	exportLife  = time.Hour
	exportsHeld = 20
)

type exportedFile struct {
	Exported
	path  string
	media string // its media type
	of    string // the request or the session that it is of; empty: of anything
	made  time.Time
}

// exports are the files that wait to be fetched, in a folder of their own. What a process left behind goes when the next begins.
type exports struct {
	dir string
	now func() time.Time
	mu  sync.Mutex
	all []exportedFile // oldest first
}

func newExports(workspace string, now func() time.Time) *exports {
	e := &exports{dir: filepath.Join(workspace, ".assay", "exports"), now: now}
	old, _ := filepath.Glob(filepath.Join(e.dir, "*.part"))
	for _, path := range old {
		if info, err := os.Stat(path); err == nil && now().Sub(info.ModTime()) > exportLife {
			_ = os.Remove(path) // another window of this workspace may hold newer ones
		}
	}
	return e
}

// write makes a file of what is written, whole or not at all. Faults: those of the writer, and Unavailable (the disk).
func (e *exports) write(media string, to func(io.Writer) (name string, err error)) (Exported, error) {
	return e.writeOf("", media, to)
}

// writeOf is write for a file of a request or of a session, which goes with it.
func (e *exports) writeOf(of, media string, to func(io.Writer) (name string, err error)) (Exported, error) {
	disk := func(err error) error {
		return fault.Wrap(fault.Unavailable, "export", text.Say("api.export_disk"), text.Say("api.export_disk_hint"), err)
	}
	if err := os.MkdirAll(e.dir, 0o700); err != nil {
		return Exported{}, disk(err)
	}
	file, err := os.CreateTemp(e.dir, "*.part")
	if err != nil {
		return Exported{}, disk(err)
	}
	name, err := to(file)
	size := int64(0)
	if info, statErr := file.Stat(); statErr == nil {
		size = info.Size()
	}
	if closed := file.Close(); err == nil && closed != nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(file.Name())
		if fault.CodeOf(err) == fault.Internal {
			err = disk(err)
		}
		return Exported{}, err
	}
	ready := exportedFile{Exported{ID: newToken(), Name: name, Bytes: size}, file.Name(), media, of, e.now()}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, ready)
	for len(e.all) > exportsHeld || e.now().Sub(e.all[0].made) > exportLife {
		_ = os.Remove(e.all[0].path)
		e.all = e.all[1:]
	}
	return ready.Exported, nil
}

// forget removes the files of requests and sessions that are gone, and those of which nobody knows whose they are.
func (e *exports) forget(of []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = slices.DeleteFunc(e.all, func(f exportedFile) bool {
		gone := f.of == "" || slices.Contains(of, f.of)
		if gone {
			_ = os.Remove(f.path) // a reader that has it open reads on
		}
		return gone
	})
}

// find gives a file that waits. Fault NotFound.
func (e *exports) find(id string) (exportedFile, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, f := range e.all {
		if equal(f.ID, id) && e.now().Sub(f.made) <= exportLife {
			return f, nil
		}
	}
	return exportedFile{}, fault.New(fault.NotFound, "fetch export", text.Say("api.export_gone"), text.Say("api.export_gone_hint"))
}

// close removes the files.
func (e *exports) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, f := range e.all {
		_ = os.Remove(f.path)
	}
	e.all = nil
}

func (s *Server) registerExports() {
	register(s, http.MethodPost, "/api/exports", "export", "Write all rows of an answer into a file with its provenance, to be fetched within the hour; canceled by request_id",
		func(ctx context.Context, in *struct{ Body ExportBody }) (*struct{ Body Exported }, error) {
			ctx, done := s.runs.start(ctx, workExport, in.Body.RequestID)
			defer done()
			f := export.Format(in.Body.Format)
			ready, err := s.exports.writeOf(in.Body.AnswerTo, f.MediaType(), func(out io.Writer) (string, error) { return s.ws.Export(ctx, in.Body.AnswerTo, f, out) })
			return &struct{ Body Exported }{ready}, err
		})
	huma.Register(s.api, huma.Operation{
		OperationID: "fetchExport", Method: http.MethodGet, Path: "/api/exports/{id}", Summary: "Fetch a file that was exported",
		Responses: map[string]*huma.Response{"200": {Description: "The file", Content: map[string]*huma.MediaType{"application/octet-stream": {}}}},
	}, s.fetchExport)
}

func (s *Server) fetchExport(_ context.Context, in *struct {
	ID string `path:"id" maxLength:"128"`
},
) (*huma.StreamResponse, error) {
	f, err := s.exports.find(in.ID)
	if err != nil {
		return nil, problemOf(err)
	}
	file, err := os.Open(f.path)
	if err != nil {
		return nil, problemOf(fault.Wrap(fault.NotFound, "fetch export", text.Say("api.export_gone"), text.Say("api.export_gone_hint"), err))
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer file.Close()
		c.SetHeader("Content-Type", f.media)
		c.SetHeader("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
		_, _ = io.Copy(c.BodyWriter(), file) // a reader that went away has asked for no more
	}}, nil
}

// SaveExport copies an exported file to a place that the person chose in a dialog of the shell. Faults: NotFound, Unavailable.
func (s *Server) SaveExport(id string, choose func(name string) (path string)) error {
	f, err := s.exports.find(id)
	if err != nil {
		return err
	}
	return saveAs(f.path, choose(f.Name))
}

// SaveImage does the same with a picture that the page drew and sent as an upload, and forgets it. What is no SVG or PNG by its name
// and its first bytes is not kept anywhere. Faults: NotFound, Invalid, Unavailable.
func (s *Server) SaveImage(token string, choose func(name string) (path string)) error {
	path, err := s.uploads.path(token)
	if err != nil {
		return err
	}
	if !s.uploads.holds(path) || !isPicture(path) {
		return fault.New(fault.Invalid, "save picture", text.Say("api.no_picture"), text.Say("api.no_picture_hint"))
	}
	defer s.uploads.drop(token)
	return saveAs(path, choose(filepath.Base(path)))
}

// isPicture looks at the ending and at the first bytes of a file.
func isPicture(path string) bool {
	begins := map[string]string{".png": "\x89PNG\r\n\x1a\n", ".svg": "<svg"}[strings.ToLower(filepath.Ext(path))]
	file, err := os.Open(path)
	if err != nil || begins == "" {
		return false
	}
	defer file.Close()
	head := make([]byte, len(begins))
	_, err = io.ReadFull(file, head)
	return err == nil && string(head) == begins
}

// saveAs copies a file to where a person wants it; no path: the person thought better of it. Fault Unavailable.
func saveAs(from, to string) error {
	if to == "" {
		return nil
	}
	if err := copyFile(to, from); err != nil {
		return SavingFault(filepath.Base(to), err)
	}
	return nil
}

// SavingFault says why a file could not be saved: the folder, the disk, or something else. What is said already stays.
func SavingFault(name string, err error) error {
	var said *fault.Error
	switch {
	case err == nil || errors.As(err, &said):
		return err
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fault.Wrap(fault.Unavailable, "save", text.Say("api.save_closed", "file", name), text.Say("api.save_closed_hint"), err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return fault.Wrap(fault.Unavailable, "save", text.Say("api.save_full", "file", name), text.Say("api.save_full_hint"), err)
	default:
		return fault.Wrap(fault.Unavailable, "save", text.Say("api.save_failed", "file", name), text.Say("api.save_failed_hint"), err)
	}
}

// copyFile copies a file; see workspace.WriteWhole.
func copyFile(to, from string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	return workspace.WriteWhole(to, func(target *os.File) error {
		_, err := io.Copy(target, source)
		return err
	})
}
