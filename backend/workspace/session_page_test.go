package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/session"
)

// paged gives the page of a session, and its name.
func paged(t *testing.T, w *Workspace, id string, c PageChoice) (page, name string) {
	t.Helper()
	var out bytes.Buffer
	name, err := w.SessionPage(t.Context(), id, c, &out)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return out.String(), name
}

// heads are the questions that a page shows.
func heads(page string) (all []string) {
	for _, m := range regexp.MustCompile(`<h2 id="q\d+-h"(?: class="mono")? dir="auto">([^<]*)</h2>`).FindAllStringSubmatch(page, -1) {
		all = append(all, html.UnescapeString(m[1]))
	}
	return all
}

// TestSessionAsAPage shows the chosen version of every turn with all that came of it, and says what it holds.
func TestSessionAsAPage(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := told(t, w)
	page, name := paged(t, w, id, PageChoice{})
	want := []string{
		"revenue by category", "and by month", "only 1997", "what is the weather", "sales", "top 5 customers by revenue in 1997", "list customers with phone and contact name", "biggest customers",
		"SELECT CompanyName, ContactName, Phone, 1.50 AS price FROM customers ORDER BY 1 LIMIT 3", "revenue by month", "actually, I meant orders",
	}
	if got := heads(page); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("it shows %q", got)
	}
	if name != "revenue by category.html" {
		t.Errorf("it is called %s", name)
	}
	for _, words := range []string{
		"northwind", "Jan 15, 2026 12:00 UTC", "8 answers with their rows as they are", "This was asked in 1 other way too", "267,868.18", "Mine, 8 rows", // the name that the person gave it
		"Maria Anders", "Nothing in this question names something in this workspace.", "Provenance", "sha256:", "the embedded reader", "Côte de Blaye", "how it would be computed",
	} {
		if !strings.Contains(page, words) {
			t.Errorf("the page lacks %q", words)
		}
	}
	if strings.Contains(page, "freight by category") {
		t.Error("the page shows the version that was not chosen")
	}
	if strings.Contains(page, "Imported") {
		t.Error("the page of a session that was made here says that it was imported")
	}
	if again, _ := paged(t, w, id, PageChoice{}); again != page {
		t.Error("the same session gives another page")
	}
}

// TestPageUpToATurn shows the turns up to one.
func TestPageUpToATurn(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := told(t, w)
	page, _ := paged(t, w, id, PageChoice{Turn: 3})
	if got := heads(page); len(got) != 3 || got[2] != "only 1997" || !strings.Contains(page, "question 3; the session goes on") {
		t.Errorf("it shows %q", got)
	}
	last, _ := paged(t, w, id, PageChoice{Turn: 12}) // another version of the first
	if got := heads(last); len(got) != 1 || got[0] != "revenue by category" {
		t.Errorf("it shows %q", got)
	}
	for _, c := range []PageChoice{{Turn: 13}, {Turn: -1}} {
		if _, err := w.SessionPage(t.Context(), id, c, &bytes.Buffer{}); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := w.SessionPage(t.Context(), "no-session", PageChoice{}, &bytes.Buffer{}); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("%v", err)
	}
	if _, err := w.SessionPage(t.Context(), id, PageChoice{Frames: "some"}, &bytes.Buffer{}); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("%v", err)
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	if _, err := w.SessionPage(gone, id, PageChoice{}, &bytes.Buffer{}); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("%v", err)
	}
}

// TestMaskedPageNamesNobody looks for every personal value of the customers in all bytes of a page, and in its name.
func TestMaskedPageNamesNobody(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := told(t, w)
	if _, err := w.Ask(t.Context(), analyst.Request{Question: "orders of the customer whose contact name is Maria Anders, call 030-0074321 or maria@anders.de", SessionID: id}, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.memory.Rename(t.Context(), id, "About Maria Anders"); err != nil {
		t.Fatal(err)
	}
	page, name := paged(t, w, id, PageChoice{Frames: session.FramesMasked})
	for _, value := range []string{"Maria Anders", "Ana Trujillo", "Antonio Moreno", "030-0074321", "(5) 555-4729", "maria@anders.de"} {
		if strings.Contains(page+name, value) {
			t.Errorf("the page names %q", value)
		}
	}
	if !strings.Contains(page, "values that name one person are replaced by tokens") || !strings.Contains(page, "267,868.18") {
		t.Error("the page does not say that values are masked, or lacks what names nobody")
	}
}

// TestPageWithoutRows has the questions, the sentences and the provenance, and no row.
func TestPageWithoutRows(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := told(t, w)
	page, _ := paged(t, w, id, PageChoice{Frames: session.FramesNone})
	if strings.Contains(page, "Maria Anders") || strings.Contains(page, "<tbody>") || strings.Contains(page, `class="chart `) {
		t.Error("the page has rows")
	}
	if !strings.Contains(page, "8 answers, their rows left out") || strings.Count(page, "The rows were left out of this page.") != 8 || !strings.Contains(page, "267,868.18") {
		t.Error("the page does not say what it holds")
	}
}

// TestPageOfAnImportedSession says that nothing in it was verified, whose key signed it, and which answers came without their rows.
func TestPageOfAnImportedSession(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := told(t, w)
	elsewhere := openTarget(t, Target{Dir: filepath.Join(t.TempDir(), "empty"), Create: true}, t.TempDir())
	came := imported(t, elsewhere, exported(t, w, id, SessionChoice{Sign: true, Signer: "Mary Major"}))
	page, _ := paged(t, elsewhere, came.ID, PageChoice{})
	for _, words := range []string{"Imported, unverified", "The file was signed as Mary Major", "northwind", "267,868.18"} {
		if !strings.Contains(page, words) {
			t.Errorf("the page lacks %q", words)
		}
	}
	bare := imported(t, elsewhere, exported(t, w, id, SessionChoice{Frames: session.FramesNone}))
	page, _ = paged(t, elsewhere, bare.ID, PageChoice{})
	for _, words := range []string{"The file was not signed.", "Answers whose rows are not here", "1, 2, 3, 5, 6, 7, 9, 11", "8 rows."} {
		if !strings.Contains(page, words) {
			t.Errorf("the page lacks %q", words)
		}
	}
}

// TestPageIsWrittenDown finds the record of what was opened, before anything of it is given.
func TestPageIsWrittenDown(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := told(t, w)
	opened := func() int {
		entries, err := w.memory.Audit(t.Context(), memory.AuditFilter{SessionID: id})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, e := range entries {
			var body struct{ What string }
			if e.Kind == analyst.AuditOpened && json.Unmarshal(e.Body, &body) == nil && body.What == openedSession {
				n++
			}
		}
		return n
	}
	before := opened()
	paged(t, w, id, PageChoice{})
	if after := opened(); after != before+1 {
		t.Errorf("%d records, then %d", before, after)
	}
}

// TestAPageLeavesOutWhatWasClearedAway shows what stands in the conversation, and says how much does not.
func TestAPageLeavesOutWhatWasClearedAway(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	ask := func(question string) {
		t.Helper()
		if _, err := w.Ask(t.Context(), analyst.Request{Question: question, SessionID: "s"}, nil); err != nil {
			t.Fatal(fault.Detail(err))
		}
	}
	ask("revenue by category")
	ask("orders by country")
	if _, err := w.memory.Clear(t.Context(), "s"); err != nil {
		t.Fatal(fault.Detail(err))
	}
	ask("freight by year")
	page, _ := paged(t, w, "s", PageChoice{})
	if got := heads(page); strings.Join(got, "|") != "freight by year" || !strings.Contains(page, "2 questions that are not shown") || strings.Contains(page, "Beverages") {
		t.Errorf("it shows %q", got)
	}
	if _, err := w.memory.Unclear(t.Context(), "s"); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if page, _ := paged(t, w, "s", PageChoice{}); len(heads(page)) != 3 || strings.Contains(page, "that are not shown") {
		t.Errorf("brought back, it shows %q", heads(page))
	}
}

// showMutant makes a page and a workbook of a session that came with a damaged file: what was let in can be shown.
func showMutant(t *testing.T, w *Workspace, id string) {
	t.Helper()
	page, _ := paged(t, w, id, PageChoice{})
	if !strings.HasPrefix(page, "<!doctype html>") {
		t.Errorf("%.80s", page)
	}
	if _, err := w.Report(t.Context(), ReportChoice{Format: ReportXLSX, Items: []ReportItem{{Kind: ReportSession, ID: id}}}, &bytes.Buffer{}); err != nil && fault.CodeOf(err) != fault.Invalid {
		t.Error(fault.Detail(err))
	}
}
