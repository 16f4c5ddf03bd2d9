//go:build desktop

package main

import (
	"context"
	_ "embed"
	"errors"
	"os"
	system "runtime"
	"slices"
	"strings"
	"sync"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/options/mac"
	"github.com/wailsapp/wails/v2/pkg/options/windows"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"assay/backend/api"
	"assay/backend/cli"
	"assay/backend/desktop"
	"assay/backend/fault"
	"assay/backend/text"
)

//go:embed build/appicon.png
var icon []byte

// Window is what the page may call beyond the HTTP API: what only a desktop can do. No method takes a path, a query or
// a role; every exported method is callable by any script in the page.
type Window struct {
	ctx      context.Context // of the window; set when it starts
	started  chan struct{}   // closed when ctx is set
	ended    context.Context // over when the process was told to end
	opened   *opening
	folder   desktop.Folder
	graphics desktop.Graphics
	cardless bool       // drawn without a graphics card, whether it is not to be used or is not there
	dialog   sync.Mutex // one native dialog at a time: the framework would mix up their answers
	closing  sync.Mutex // a person is being asked whether to close
	tells    notifier

	mu    sync.Mutex
	place desktop.Place // where it was last, not maximised
	ready bool          // the page hears
	paths []string      // to open, until it does
	link  *desktop.Link // to follow, until it does
}

// window opens the desktop window and returns when it is closed; or hands its files to the window that this workspace has already. The
// workspace opens behind it, so that the window is there at once.
func window(ctx context.Context, start cli.WindowStart) (err error) {
	cannotOpen := func(err error) error {
		return fault.Wrap(fault.Unavailable, "open window", text.Say("window.cannot_open"), text.Say("window.cannot_open_hint"), err)
	}
	folder, err := desktop.Open(start.Data, start.Workspace)
	if err != nil {
		return err
	}
	here, err := desktop.Named(start.Words)
	if err != nil {
		return err
	}
	w := &Window{started: make(chan struct{}), ended: ctx, opened: &opening{done: make(chan struct{})}, folder: folder, paths: here.Paths, link: here.Link}
	first, err := folder.Claim(ctx, here, w.comeForward)
	if err != nil || first == nil {
		return err
	}
	defer first.Close()
	w.graphics = folder.BeginDrawing(start.Safe)
	defer folder.Painted() // also when it ended well before anything was drawn
	w.cardless = w.graphics.Safe || system.GOOS == "linux" && !desktop.HasCard(os.DirFS("/dev"))
	if w.cardless {
		for name, value := range desktop.SafeEnvironment() {
			if err := os.Setenv(name, value); err != nil {
				return cannotOpen(err)
			}
		}
	}
	defer func() { // so the framework says that there is no display
		if broken := recover(); broken != nil {
			err = cannotOpen(errors.New("the window broke before it was there"))
		}
	}()
	go w.opened.open(start.Open)
	if err := wails.Run(w.options()); err != nil {
		return cannotOpen(err)
	}
	return nil // also when a signal closed it: Wails hears those itself
}

func (w *Window) options() *options.App {
	w.place = desktop.Place{Width: 1280, Height: 800}
	last, known := w.folder.LastPlace()
	if known {
		w.place = last
	}
	state := options.Normal
	if w.place.Maximised {
		state = options.Maximised
	}
	gpu := linux.WebviewGpuPolicyOnDemand
	if w.cardless {
		gpu = linux.WebviewGpuPolicyNever
	}
	return &options.App{
		Title: text.Say("window.title"), Width: w.place.Width, Height: w.place.Height, MinWidth: desktop.LeastWidth, MinHeight: desktop.LeastHeight,
		WindowStartState:   state,
		BackgroundColour:   options.NewRGB(250, 250, 248),
		AssetServer:        &assetserver.Options{Handler: w.opened},
		Menu:               menuBar(func(command string) { runtime.EventsEmit(w.ctx, "command", command) }),
		OnStartup:          w.start,
		OnDomReady:         func(context.Context) { w.settle(known) },
		OnBeforeClose:      func(context.Context) bool { return !w.mayClose() },
		OnShutdown:         func(context.Context) { w.tells.close(w.ctx); w.opened.close() },
		Bind:               []any{w},
		DragAndDrop:        &options.DragAndDrop{EnableFileDrop: true, DisableWebViewDrop: true},
		Logger:             silent{},
		LogLevelProduction: logger.ERROR,
		ErrorFormatter:     func(err error) any { return fault.CodeOf(err) },
		Linux:              &linux.Options{ProgramName: "assay", Icon: icon, WebviewGpuPolicy: gpu},
		Windows:            &windows.Options{WebviewGpuIsDisabled: w.graphics.Safe},
		Mac:                &mac.Options{OnFileOpen: func(path string) { w.comeForward(desktop.Opening{Paths: []string{path}}) }, OnUrlOpen: w.follow},
	}
}

func (w *Window) start(ctx context.Context) {
	w.ctx = ctx
	close(w.started)
	w.tells.open(ctx, w.bringBack)
	runtime.OnFileDrop(ctx, func(_, _ int, paths []string) { w.dropped(paths) })
	go w.followPlace()
	drive(w)
}

// Standing is what the page must know of the window when it is there.
type Standing struct {
	Safe    bool `json:"safe"`    // drawn without the graphics card
	Crashed bool `json:"crashed"` // because the start before ended before anything was drawn
}

// Ready says that the page is drawn and hears what the window has for it: files that it was started with.
func (w *Window) Ready() Standing {
	w.folder.Painted()
	w.mu.Lock()
	w.ready = true
	w.mu.Unlock()
	go w.openWaiting()
	return Standing{w.graphics.Safe, w.graphics.Crashed}
}

// TryGraphics lets the next start use the graphics card again. It gives an empty text, or why not.
func (w *Window) TryGraphics() string {
	if err := w.folder.TryGraphics(); err != nil {
		return text.Say("window.safe.cannot_try")
	}
	return ""
}

// PickFiles asks for files in a native dialog. They reach the page as the event "files", by token.
func (w *Window) PickFiles() {
	if !w.dialog.TryLock() {
		return
	}
	paths, err := runtime.OpenMultipleFilesDialog(w.ctx, runtime.OpenDialogOptions{
		Title: text.Say("window.pick_title"),
		Filters: []runtime.FileFilter{
			{DisplayName: text.Say("window.pick_filter"), Pattern: api.ImportPatterns()},
		},
	})
	w.dialog.Unlock()
	if err == nil {
		w.offer(func(s *api.Server) api.Offered { return s.OfferChosen(paths) })
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
	return w.save(func(s *api.Server, choose func(string) string) error { return s.SaveExport(id, choose) })
}

// SaveImage does the same with a picture that the page drew and sent as an upload of that token.
func (w *Window) SaveImage(token string) string {
	return w.save(func(s *api.Server, choose func(string) string) error { return s.SaveImage(token, choose) })
}

func (w *Window) save(to func(*api.Server, func(name string) string) error) string {
	server, err := w.opened.wait()
	if err == nil {
		err = to(server, func(name string) string {
			w.dialog.Lock()
			defer w.dialog.Unlock()
			path, _ := runtime.SaveFileDialog(w.ctx, runtime.SaveDialogOptions{Title: text.Say("window.save_title"), DefaultFilename: name, CanCreateDirectories: true})
			return path
		})
	}
	if known := (*fault.Error)(nil); errors.As(err, &known) {
		return known.Message + " " + known.Hint
	}
	return ""
}

// AllowNotices asks the system whether the window may say outside itself that something ended; on most it always may.
func (w *Window) AllowNotices() bool { return w.tells.allowed(w.ctx) }

// Notify says outside the window that something ended, by one of the words of notices. The id, of letters and digits, comes back with the
// event "notified" when the person follows it.
func (w *Window) Notify(what, id string) { w.tells.say(w.ctx, what, id) }

// dropped takes in files that were let go over the window.
func (w *Window) dropped(paths []string) {
	w.offer(func(s *api.Server) api.Offered { return s.OfferDropped(paths, w.confirmDrop) })
}

// offer makes files known to the page by token.
func (w *Window) offer(taken func(*api.Server) api.Offered) {
	server, err := w.opened.wait()
	if err != nil {
		return // the page shows why on its own first request
	}
	if offered := taken(server); !offered.Empty() {
		runtime.EventsEmit(w.ctx, "files", offered)
	}
}

// follow opens a link that the system hands over; one that is of no form brings the window forward and no more.
func (w *Window) follow(raw string) {
	here := desktop.Opening{}
	if to, err := desktop.ParseLink(raw); err == nil {
		here.Link = &to
	}
	w.comeForward(here)
}

// comeForward is what a later start of the program asks for: this window, its files, and where its link leads.
func (w *Window) comeForward(here desktop.Opening) {
	w.mu.Lock()
	w.paths = append(w.paths, here.Paths...)
	if here.Link != nil {
		w.link = here.Link
	}
	w.mu.Unlock()
	go func() {
		<-w.started
		w.show()
		w.openWaiting()
	}()
}

func (w *Window) show() {
	runtime.Show(w.ctx)
	runtime.WindowUnminimise(w.ctx)
}

// bringBack follows a notice to the turn that it is about.
func (w *Window) bringBack(id string) {
	w.show()
	runtime.EventsEmit(w.ctx, "notified", id)
}

// openWaiting offers the files that the program was started with and follows its link, when the page can hear of them.
func (w *Window) openWaiting() {
	w.mu.Lock()
	var paths []string
	var link *desktop.Link
	if w.ready {
		paths, w.paths, link, w.link = w.paths, nil, w.link, nil
	}
	w.mu.Unlock()
	if link != nil {
		runtime.EventsEmit(w.ctx, "link", *link)
	}
	if len(paths) > 0 {
		w.offer(func(s *api.Server) api.Offered { return s.OfferOpened(slices.Compact(paths)) })
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
	w.dialog.Lock()
	defer w.dialog.Unlock()
	if system.GOOS == "linux" {
		message = strings.ReplaceAll(message, "%", "%%") // Wails 2.16 hands it to GTK as a format, and it holds names of files
	}
	answer, err := runtime.MessageDialog(w.ctx, runtime.MessageDialogOptions{
		Type: runtime.QuestionDialog, Title: title, Message: message, Buttons: []string{"Yes", "No"}, DefaultButton: "No", CancelButton: "No",
	})
	return err == nil && answer == "Yes" // only macOS lets the buttons be named; elsewhere a question has these
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
