//go:build desktop

package main

import (
	"net/http"
	"strings"
	"time"

	"assay/backend/api"
	"assay/backend/workspace"
)

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

// working says what is under way; nothing is while the workspace is still opening.
func (o *opening) working() api.Working {
	select {
	case <-o.done:
		if o.err == nil {
			return o.server.Working()
		}
	default:
	}
	return api.Working{}
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

// close waits for the workspace, stops what runs in it and closes it; the clean end of a run has ten seconds.
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
