package api

import (
	"net/http"
	"strings"
)

// ContentPolicy is the content security policy of every answer: nothing but the page's own files, no frame in either
// direction, no inline script, no form.
const ContentPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; frame-src 'none'; child-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// secure puts on an answer what a browser is told about it: what it may load, that its type is as stated, that no other site may
// hold, open or read it. There are no CORS headers, ever.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", ContentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// keepNothing tells caches not to keep what the API answers.
func keepNothing(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/api/") {
		w.Header().Set("Cache-Control", "no-store")
	}
}
