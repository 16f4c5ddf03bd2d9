//go:build linux

package printer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"assay/backend/fault"
)

// browser finds the browser of this machine; without one there is nothing to test.
func browser(t *testing.T) Browser {
	t.Helper()
	b, err := Find()
	if err != nil {
		t.Skip("no browser is on this machine that prints: ", err)
	}
	return b
}

// folder is where this process puts what is temporary, alone.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	return dir
}

func empty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range left {
		t.Errorf("%s was left behind", one.Name())
	}
}

// TestPrintAsksNothing prints a page that would fetch a picture, a style, a script and a frame from a server that listens.
func TestPrintAsksNothing(t *testing.T) {
	b, dir := browser(t), folder(t)
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	page.WriteString("<!doctype html><html lang=en><title>A title</title><h1>Printed</h1>")
	for _, host := range []string{"127.0.0.1", "localhost"} {
		fmt.Fprintf(&page, `<img src="http://%[1]s:%[2]s/a.png"><link rel=stylesheet href="http://%[1]s:%[2]s/a.css"><script src="http://%[1]s:%[2]s/a.js"></script><iframe src="http://%[1]s:%[2]s/"></iframe>`, host, port)
	}
	pdf, err := b.Print(t.Context(), []byte(page.String()))
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the server was asked %d times", n)
	}
	if !strings.HasPrefix(string(pdf), "%PDF-") || strings.Contains(string(pdf), dir) || strings.Contains(string(pdf), "file:") {
		t.Errorf("%d bytes: %.40q, or a path stands in it", len(pdf), pdf)
	}
	empty(t, dir)
}

func TestFindSaysWhatIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv(pathEnv, "")
	if _, err := Find(); fault.CodeOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "none of them is on this machine") {
		t.Errorf("%v", err)
	}
	t.Setenv(pathEnv, "/nowhere/browser")
	if _, err := Find(); fault.CodeOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "/nowhere/browser") {
		t.Errorf("%v", err)
	}
}

// script makes a browser of a shell script.
func script(t *testing.T, lines string) Browser {
	t.Helper()
	path := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+lines+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(pathEnv, path)
	b, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPrintThatFails has a browser that breaks, one that writes nothing, and one that writes something else.
func TestPrintThatFails(t *testing.T) {
	for lines, want := range map[string]string{
		"echo broken >&2; exit 3": "broken",
		"exit 0":                  "no such file",
		`for a; do case $a in --print-to-pdf=*) echo no >"${a#*=}";; esac; done`: "no PDF",
	} {
		b, dir := script(t, lines), folder(t)
		_, err := b.Print(t.Context(), []byte("<p>"))
		if fault.CodeOf(err) != fault.Unavailable || !strings.Contains(fault.Detail(err), want) {
			t.Errorf("%s: %s", lines, fault.Detail(err))
		}
		empty(t, dir)
	}
}

// TestCanceledPrintLeavesNothing cancels a browser that has started another program. Both hold a pipe open, which ends when they do.
func TestCanceledPrintLeavesNothing(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	b, dir := script(t, `exec 3>`+pipe+`; sleep 600 & echo started >&3; wait`), folder(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		held, err := os.Open(pipe)
		if err != nil {
			cancel()
			ended <- err
			return
		}
		defer held.Close()
		_, first := held.Read(make([]byte, 16))
		cancel()
		_, rest := io.Copy(io.Discard, held)
		ended <- errors.Join(first, rest)
	}()
	if _, err := b.Print(ctx, []byte("<p>")); fault.CodeOf(err) != fault.Canceled {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	empty(t, dir)
}
