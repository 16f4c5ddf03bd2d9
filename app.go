//go:build desktop

package main

import (
	"context"
	"errors"
	"net/http"
	system "runtime"
	"strings"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"assay/backend/api"
	"assay/backend/fault"
	"assay/backend/text"
	"assay/backend/workspace"
)

// Window is what the page may call beyond the HTTP API: what only a desktop can do. No method takes a path, a query or
// a role; every exported method is callable by any script in the page.
type Window struct {
	ctx    context.Context
	opened *opening
}

// window opens the desktop window and returns when it is closed. The workspace opens behind it, so that the window is
// there at once.
func window(_ context.Context, open func() (*workspace.Workspace, error)) error {
	o := &opening{done: make(chan struct{})}
	w := &Window{opened: o}
	go o.open(open)
	err := wails.Run(&options.App{
		Title: text.Say("window.title"), Width: 1280, Height: 800, MinWidth: 375, MinHeight: 500,
		BackgroundColour:   options.NewRGB(250, 250, 248),
		AssetServer:        &assetserver.Options{Handler: o},
		OnStartup:          w.start,
		OnShutdown:         func(context.Context) { o.close() },
		Bind:               []any{w},
		DragAndDrop:        &options.DragAndDrop{EnableFileDrop: true, DisableWebViewDrop: true},
		SingleInstanceLock: &options.SingleInstanceLock{UniqueId: "assay", OnSecondInstanceLaunch: func(options.SecondInstanceData) { runtime.WindowUnminimise(w.ctx); runtime.Show(w.ctx) }},
		Logger:             silent{},
		LogLevelProduction: logger.ERROR,
		ErrorFormatter:     func(err error) any { return fault.CodeOf(err) },
		Linux:              &linux.Options{ProgramName: "assay"},
	})
	if err != nil {
		return fault.Wrap(fault.Unavailable, "open window", text.Say("window.cannot_open"), text.Say("window.cannot_open_hint"), err)
	}
	return nil // also when a signal closed it: Wails hears those itself
}

func (w *Window) start(ctx context.Context) {
	w.ctx = ctx
	runtime.OnFileDrop(ctx, func(_, _ int, paths []string) {
		w.offer(func(s *api.Server) []api.UploadedFile { return s.OfferDropped(paths, w.confirmDrop) })
	})
}

// PickFiles asks for files in a native dialog. They reach the page as the event "files", by token.
func (w *Window) PickFiles() {
	paths, err := runtime.OpenMultipleFilesDialog(w.ctx, runtime.OpenDialogOptions{
		Title: text.Say("window.pick_title"),
		Filters: []runtime.FileFilter{
			{DisplayName: text.Say("window.pick_filter"), Pattern: api.ImportPatterns()},
		},
	})
	if err == nil {
		w.offer(func(s *api.Server) []api.UploadedFile { return s.OfferChosen(paths) })
	}
}

// OpenExternal opens an address that the API gave an id for, when the person says so in a native dialog that names its host.
func (w *Window) OpenExternal(id string) {
	server, err := w.opened.wait()
	if err != nil {
		return
	}
	link, err := server.TakeLink(id)
	if err != nil {
		return // the page made it up, or it is too old
	}
	if w.confirm(text.Say("window.link_title", "host", link.Host), text.Say("window.link_ask", "host", link.Host, "url", link.URL)) {
		runtime.BrowserOpenURL(w.ctx, link.URL)
	}
}

// SaveExport asks in a native dialog where a file that was exported shall be kept, and puts it there. It gives an empty text, or
// why not.
func (w *Window) SaveExport(id string) string {
	server, err := w.opened.wait()
	if err == nil {
		err = server.SaveExport(id, func(name string) string {
			path, _ := runtime.SaveFileDialog(w.ctx, runtime.SaveDialogOptions{Title: text.Say("window.save_title"), DefaultFilename: name})
			return path
		})
	}
	if known := (*fault.Error)(nil); errors.As(err, &known) {
		return known.Message + " " + known.Hint
	}
	return ""
}

// offer makes files known to the page by token.
func (w *Window) offer(taken func(*api.Server) []api.UploadedFile) {
	server, err := w.opened.wait()
	if err != nil {
		return // the page shows why on its own first request
	}
	if files := taken(server); len(files) > 0 {
		runtime.EventsEmit(w.ctx, "files", files)
	}
}

func (w *Window) confirmDrop(paths []string) bool {
	const shown = 10
	list := strings.Join(paths[:min(len(paths), shown)], "\n")
	if more := len(paths) - shown; more > 0 {
		list += "\n" + text.Count("window.drop_more", int64(more), "n", more)
	}
	return w.confirm(text.Say("window.drop_title"), text.Count("window.drop_ask", int64(len(paths)), "n", len(paths), "files", list))
}

// confirm asks outside the page, where no script can answer.
func (w *Window) confirm(title, message string) bool {
	if system.GOOS == "linux" {
		message = strings.ReplaceAll(message, "%", "%%") // Wails 2.16 hands it to GTK as a format, and it holds names of files
	}
	answer, err := runtime.MessageDialog(w.ctx, runtime.MessageDialogOptions{
		Type: runtime.QuestionDialog, Title: title, Message: message, Buttons: []string{"Yes", "No"}, DefaultButton: "No", CancelButton: "No",
	})
	return err == nil && answer == "Yes" // only macOS lets the buttons be named; elsewhere a question has these
}

// opening is a workspace on its way up. Requests wait for it.
type opening struct {
	done   chan struct{}
	ws     *workspace.Workspace
	server *api.Server
	err    error
}

func (o *opening) open(open func() (*workspace.Workspace, error)) {
	defer close(o.done)
	if o.ws, o.err = open(); o.err == nil {
		o.server = api.New(o.ws, api.Options{Version: version, Page: page()})
	}
}

func (o *opening) wait() (*api.Server, error) {
	<-o.done
	return o.server, o.err
}

// ServeHTTP shows the page at once and lets the API wait until the workspace is open.
func (o *opening) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		api.Page(page()).ServeHTTP(w, r)
		return
	}
	server, err := o.wait()
	if err != nil {
		api.WriteFault(w, err)
		return
	}
	server.ServeHTTP(w, r)
}

// close waits for the workspace and closes it; the clean end of a run has ten seconds.
func (o *opening) close() {
	select {
	case <-o.done:
	case <-time.After(10 * time.Second):
		return
	}
	if o.err == nil {
		_ = o.server.Close()
		_ = o.ws.Close()
	}
}

// silent keeps the framework's log quiet: it would write whole messages, arguments included.
type silent struct{}

func (silent) Print(string)   {}
func (silent) Trace(string)   {}
func (silent) Debug(string)   {}
func (silent) Info(string)    {}
func (silent) Warning(string) {}
func (silent) Error(string)   {}
func (silent) Fatal(string)   {}
