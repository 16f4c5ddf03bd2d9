package api

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// uploadPath takes a file as its body; every other route takes JSON.
const (
	uploadPath  = "/api/uploads"
	uploadLimit = 64 << 30 // bytes of one file
	uploadsHeld = 200      // files that wait to be imported
)

// bound limits how much of a body is read, and how long it may stand still.
func bound(w http.ResponseWriter, r *http.Request, idle time.Duration) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	limit := int64(bodyLimit)
	if r.URL.Path == uploadPath {
		limit = uploadLimit
	}
	r.Body = &patientBody{http.MaxBytesReader(w, r.Body, limit), http.NewResponseController(w), idle}
}

// patientBody gives each read a deadline of its own. Between reads there is none: it would end an answer that streams. One that was
// missed stays, because the server reads what is left of a body before it goes on.
type patientBody struct {
	io.ReadCloser
	connection *http.ResponseController
	idle       time.Duration
}

func (b *patientBody) Read(p []byte) (int, error) {
	_ = b.connection.SetReadDeadline(time.Now().Add(b.idle)) // a test's recorder has no deadline
	n, err := b.ReadCloser.Read(p)
	if err == nil || errors.Is(err, io.EOF) {
		_ = b.connection.SetReadDeadline(time.Time{})
	}
	return n, err
}
