package cli

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// A session is shared from the command line while another process serves it; whoever has the address reads it, until it is revoked.
func TestASessionIsSharedWhileItIsServed(t *testing.T) {
	home := t.TempDir()
	run(t, assay(t, home, "ask", "--session", "handed", "revenue by category in 1997")).says(t, "")
	if o := run(t, assay(t, home, "session", "share", "handed")); o.status != exitFault || !strings.Contains(o.stderr, "assay serve") || o.stdout != "" {
		t.Errorf("not served it says %d %s%s", o.status, o.stdout, o.stderr)
	}
	s := serving(t, assay(t, home, "serve"))
	var made struct {
		ID   string   `json:"id"`
		URLs []string `json:"urls"`
	}
	o := run(t, assay(t, home, "session", "share", "handed", "--json"))
	if err := json.Unmarshal([]byte(o.stdout), &made); err != nil || len(made.URLs) != 1 || !strings.HasPrefix(made.URLs[0], s.address()+"/shared/") {
		t.Fatalf("%v: %s%s", err, o.stdout, o.stderr)
	}
	stranger := browser(t)
	if status, page := visit(t, stranger, made.URLs[0]); status != http.StatusOK || !strings.Contains(page, "Beverages") {
		t.Errorf("the address shows %d %.300s", status, page)
	}
	if status, _ := visit(t, stranger, s.address()+"/"); status != http.StatusUnauthorized {
		t.Errorf("by its address a stranger came to the program: %d", status)
	}
	if o := run(t, assay(t, home, "session", "shares", "handed")); !strings.Contains(o.stdout, made.ID) || !strings.Contains(o.stdout, "opened 1") {
		t.Errorf("listed: %s%s", o.stdout, o.stderr)
	}
	run(t, assay(t, home, "session", "unshare", made.ID)).says(t, "")
	if status, page := visit(t, stranger, made.URLs[0]); status != http.StatusNotFound || strings.Contains(page, "Beverages") {
		t.Errorf("revoked it shows %d %.300s", status, page)
	}
	if o := run(t, assay(t, home, "session", "unshare", "nothing")); o.status != exitFault || !strings.Contains(o.stderr, "nothing") {
		t.Errorf("revoke nothing: %d %s", o.status, o.stderr)
	}
	s.stop(t)
}
