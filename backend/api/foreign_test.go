package api

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/workspace"
)

// bobs is what somebody else taught, prefers, offered and keeps personal, and what was noted for him.
func bobs(t testing.TB, ws *workspace.Workspace) (correction, preference, offered, personal, noted string) {
	t.Helper()
	bob := rules.Caller{OSUser: "bob"}
	teach := func(words string) *analyst.Taught {
		told, err := ws.Teach(t.Context(), analyst.Lesson{Words: words, Caller: bob})
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return told
	}
	offer := func(words string) string {
		v, err := ws.OfferCorrection(t.Context(), teach(words).Correction.ID, "", bob)
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return v.ID
	}
	offered, personal = offer("turnover means gross revenue"), offer("volume means units sold")
	if _, err := ws.Decide(t.Context(), personal, knowledge.Hide, "", "", bob); err != nil {
		t.Fatal(fault.Detail(err))
	}
	a, err := ws.Ask(t.Context(), analyst.Request{Question: "revenue by category in 1997", Caller: bob}, nil)
	if err == nil {
		a, err = ws.Ask(t.Context(), analyst.Request{FrameQL: "SELECT categories.category_name, gross_revenue AT categories DURING 1997", SessionID: a.SessionID, InsteadOf: a.RequestID, Caller: bob}, nil)
	}
	if err != nil || a.Suggested == nil {
		t.Fatalf("%+v, %s", a, fault.Detail(err))
	}
	return teach("drinks means beverages").Correction.ID, teach("show numbers in millions").Preference.ID, offered, personal, a.Suggested.ID
}

// TestWhatIsSomebodyElsesIsNotThere: on every route that names a thing, what is somebody else's is answered as what never was, byte for byte and header for header.
func TestWhatIsSomebodyElsesIsNotThere(t *testing.T) {
	ws := sample(t)
	correction, preference, offered, personal, noted := bobs(t, ws)
	_, web := servingOver(t, ws)
	seen := func(method, path, body string) string {
		t.Helper()
		r, err := http.NewRequest(method, web.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		raw, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		var headers []string
		for name, values := range answer.Header {
			if name != "Date" {
				headers = append(headers, name+": "+strings.Join(values, ", "))
			}
		}
		slices.Sort(headers)
		return fmt.Sprintf("%d\n%s\n%s", answer.StatusCode, strings.Join(headers, "\n"), raw)
	}
	const none = "0123456789abcdef0123456789abcdef"
	for _, route := range []struct{ method, path, body, id string }{
		{http.MethodPatch, "/api/corrections/%s", `{"means":"revenue"}`, correction},
		{http.MethodDelete, "/api/corrections/%s", "", correction},
		{http.MethodDelete, "/api/preferences/%s", "", preference},
		{http.MethodPost, "/api/noted/%s", `{"remember":true}`, noted},
		{http.MethodPost, "/api/noted/%s", `{"remember":false}`, noted},
		{http.MethodPost, "/api/knowledge", `{"correction_id":"%s"}`, correction},
		{http.MethodGet, "/api/knowledge/%s", "", offered},
		{http.MethodGet, "/api/knowledge/%s", "", personal},
		{http.MethodGet, "/api/knowledge/%s/blast", "", offered},
		{http.MethodGet, "/api/knowledge/%s/blast", "", personal},
		{http.MethodPost, "/api/knowledge/%s/decisions", `{"verdict":"endorse"}`, offered},
		{http.MethodPost, "/api/knowledge/%s/decisions", `{"verdict":"endorse"}`, personal},
		{http.MethodPost, "/api/knowledge/%s/decisions", `{"verdict":"approve"}`, personal},
		{http.MethodPost, "/api/knowledge/%s/decisions", `{"verdict":"make_shared"}`, personal},
		{http.MethodPost, "/api/knowledge/%s/reach", `{"audience":"sales"}`, offered},
		{http.MethodPost, "/api/knowledge/%s/reach", `{"audience":"sales"}`, personal},
		{http.MethodPost, "/api/knowledge/%s/proposal", `{}`, offered},
		{http.MethodPost, "/api/knowledge/%s/proposal", `{"direct":true}`, personal},
	} {
		named := func(format, id string) string { return strings.ReplaceAll(format, "%s", id) }
		theirs := seen(route.method, named(route.path, route.id), named(route.body, route.id))
		never := seen(route.method, named(route.path, none), named(route.body, none))
		if !strings.HasPrefix(theirs, "404\n") || strings.ReplaceAll(theirs, route.id, none) != never {
			t.Errorf("%s %s says of what is somebody else's\n%s\nand of what never was\n%s", route.method, route.path, theirs, never)
		}
	}
	for _, path := range []string{"/api/knowledge", "/api/corrections", "/api/preferences", "/api/memory/work", "/api/memory/find?q=gross_revenue"} {
		if got := seen(http.MethodGet, path, ""); strings.Contains(got, noted) || strings.Contains(got, "bob") || strings.Contains(got, offered) || strings.Contains(got, personal) || strings.Contains(got, correction) || strings.Contains(got, preference) {
			t.Errorf("%s lists what is somebody else's: %s", path, got)
		}
	}
}

// How long it takes to be told of what is somebody else's, and of what never was: the medians of 1,000 requests each, in microseconds, of which every second one is of the other kind. Aim: less than
// 1,000 between them.
func BenchmarkForeignAgainstUnknown(b *testing.B) {
	ws, err := workspace.OpenSample(b.Context(), "northwind", workspace.Options{DataDir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	_, _, offered, _, _ := bobs(b, ws)
	server := New(ws, Options{Version: "v1", Page: fstest.MapFS{"index.html": {Data: []byte("")}}})
	web := httptest.NewServer(server)
	defer func() { web.Close(); server.Close(); _ = ws.Close() }()
	for b.Loop() {
		took := map[string][]time.Duration{}
		for range 1000 {
			for _, id := range []string{offered, "0123456789abcdef0123456789abcdef"} {
				began := time.Now()
				answer, err := http.Get(web.URL + "/api/knowledge/" + id)
				if err != nil || answer.StatusCode != http.StatusNotFound {
					b.Fatal(answer, err)
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
				took[id] = append(took[id], time.Since(began))
			}
		}
		for id, all := range took {
			slices.Sort(all)
			name := "unknown-µs"
			if id == offered {
				name = "foreign-µs"
			}
			b.ReportMetric(float64(all[500].Nanoseconds())/1000, name)
		}
	}
}
