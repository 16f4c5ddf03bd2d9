//go:build desktop && drive

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/godbus/dbus/v5"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// driven is one line of a test: a script for the page, files that are let go over the window, what was said outside it, or which of
// that is followed.
type driven struct {
	JS       string   `json:"js"`
	Drop     []string `json:"drop"`
	Notices  bool     `json:"notices"`  // what was said outside the window
	Followed uint32   `json:"followed"` // a person follows the notice of that number
}

// drive lets a test drive the window over the socket that ASSAY_DRIVE names: a JSON object in a line is answered by one. It is only in
// builds with the tag "drive", which no target that ships has.
func drive(w *Window) {
	path := os.Getenv("ASSAY_DRIVE")
	if path == "" {
		return
	}
	_ = os.Remove(path)
	socket, err := net.Listen("unix", path)
	if err != nil {
		fmt.Fprintln(os.Stderr, "drive:", err)
		return
	}
	board := hang()
	var answers sync.Map // number -> chan string
	runtime.EventsOn(w.ctx, "driven", func(data ...any) {
		if len(data) == 2 {
			if waiting, ok := answers.LoadAndDelete(fmt.Sprint(data[0])); ok {
				waiting.(chan string) <- fmt.Sprint(data[1])
			}
		}
	})
	go func() {
		var last atomic.Int64
		for {
			c, err := socket.Accept()
			if err != nil {
				return
			}
			go serveDriver(w, c, &answers, &last, board)
		}
	}()
}

func serveDriver(w *Window, c net.Conn, answers *sync.Map, last *atomic.Int64, board *board) {
	defer c.Close()
	lines := bufio.NewScanner(c)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line driven
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			fmt.Fprintln(c, `{"error":"no JSON"}`)
			continue
		}
		switch {
		case line.Drop != nil:
			go w.dropped(line.Drop)
			fmt.Fprintln(c, `{"value":null}`)
		case line.Notices:
			raw, _ := json.Marshal(map[string]any{"value": board.all()})
			fmt.Fprintln(c, string(raw))
		case line.Followed != 0:
			board.follow(line.Followed)
			fmt.Fprintln(c, `{"value":null}`)
		default:
			number := strconv.FormatInt(last.Add(1), 10)
			answer := make(chan string, 1)
			answers.Store(number, answer)
			runtime.WindowExecJS(w.ctx, `(async () => { let said; try { said = JSON.stringify({ value: (await (async () => (`+line.JS+`))()) ?? null }); }
				catch (thrown) { said = JSON.stringify({ error: String(thrown) }); } window.runtime.EventsEmit('driven', '`+number+`', said); })()`)
			fmt.Fprintln(c, <-answer)
		}
	}
}

// board stands in for the desktop's notices on the message bus of the test.
type board struct {
	mu   sync.Mutex
	bus  *dbus.Conn
	said []string
}

const notifications = "org.freedesktop.Notifications"

func hang() *board {
	b := &board{}
	bus, err := dbus.ConnectSessionBus()
	if err == nil {
		b.bus = bus
		err = bus.Export(b, "/org/freedesktop/Notifications", notifications)
	}
	if err == nil {
		_, err = bus.RequestName(notifications, dbus.NameFlagDoNotQueue)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "drive: no notices:", err)
	}
	return b
}

// Notify is what a desktop has for a notice: it shows it and gives its number, from 1.
func (b *board) Notify(app string, _ uint32, _, title, body string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.said = append(b.said, app+": "+title+": "+body)
	return uint32(len(b.said)), nil
}

func (b *board) all() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string{}, b.said...)
}

func (b *board) follow(number uint32) {
	_ = b.bus.Emit("/org/freedesktop/Notifications", notifications+".ActionInvoked", number, "default")
}
