package api

import (
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
func bound(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	limit := int64(bodyLimit)
	if r.URL.Path == uploadPath {
		limit = uploadLimit
	}
	r.Body = &patientBody{http.MaxBytesReader(w, r.Body, limit), http.NewResponseController(w)}
}

// patientBody gives each read a deadline of its own. Between reads there is none: it would end an answer that streams.
type patientBody struct {
	io.ReadCloser
	connection *http.ResponseController
}

func (b *patientBody) Read(p []byte) (int, error) {
	_ = b.connection.SetReadDeadline(time.Now().Add(idleLimit)) // a test's recorder has no deadline
	n, err := b.ReadCloser.Read(p)
	_ = b.connection.SetReadDeadline(time.Time{})
	return n, err
}
