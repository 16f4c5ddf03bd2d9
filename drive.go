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

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// driven is one line of a test: a script for the page, files that are let go over the window, or a notice that is followed.
type driven struct {
	JS       string   `json:"js"`
	Drop     []string `json:"drop"`
	Followed string   `json:"followed"`
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
			go serveDriver(w, c, &answers, &last)
		}
	}()
}

func serveDriver(w *Window, c net.Conn, answers *sync.Map, last *atomic.Int64) {
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
		case line.Followed != "":
			w.bringBack(line.Followed)
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
