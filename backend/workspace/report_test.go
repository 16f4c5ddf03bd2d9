package workspace

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/printer"
	"assay/backend/session"
)

// reported gives a report, and its name.
func reported(t *testing.T, w *Workspace, c ReportChoice) (file []byte, name string) {
	t.Helper()
	var out bytes.Buffer
	name, err := w.Report(t.Context(), c, &out)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return out.Bytes(), name
}

// artifacts gives the first artifact of each kind of an answer.
func artifacts(t *testing.T, w *Workspace, request string) map[session.Kind]string {
	t.Helper()
	_, turn, err := w.memory.Find(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	all := map[session.Kind]string{}
	for _, a := range turn.Artifacts {
		if all[a.Kind] == "" {
			all[a.Kind] = a.ID
		}
	}
	return all
}

func answeredIn(t *testing.T, w *Workspace, session, question string) *analyst.Answer {
	t.Helper()
	a, err := w.Ask(t.Context(), analyst.Request{Question: question, SessionID: session}, nil)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return a
}

// TestReportOfSeveralSessions puts texts, artifacts and answers of two sessions into one page, in the order that was wanted, each number with its source.
func TestReportOfSeveralSessions(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	first, second := answeredIn(t, w, "one", "revenue by category in 1997"), answeredIn(t, w, "two", "orders by month in 1997")
	of := artifacts(t, w, first.RequestID)
	c := ReportChoice{Format: ReportHTML, Title: "For Monday", Items: []ReportItem{
		{Kind: ReportHeading, Text: "What came in"},
		{Kind: ReportText, Text: "Read **this** first:\n\n- one [link](http://example.com/a)\n- `code`"},
		{Kind: ReportAnswer, ID: second.RequestID},
		{Kind: ReportArtifact, ID: of[session.KindNarration]},
		{Kind: ReportArtifact, ID: of[session.KindChart]},
		{Kind: ReportArtifact, ID: of[session.KindFrame]},
		{Kind: ReportArtifact, ID: of[session.KindProvenance]},
		{Kind: ReportArtifact, ID: of[session.KindFollowups]},
	}}
	file, name := reported(t, w, c)
	page := string(file)
	if name != "For Monday.html" {
		t.Errorf("it is called %s", name)
	}
	last := 0
	for _, words := range []string{
		"<h1 dir=\"auto\">For Monday</h1>", "2 answers with their rows as they are", ">What came in</h2>", "<strong>this</strong>", "one link (http://example.com/a)", "<code>code</code>", "Orders by month, 1997</h3>", `class="chart `,
		"Jul 1997", "Revenue by category, 1997: ", `href="#i6-`, `class="chart `, `id="i6-t"`, "Beverages", `<details class="card" id="i7-p" open>`, "What could be asked next",
		"Where the numbers come from", "orders by month in 1997, asked Jan 15, 2026 12:00 UTC", "revenue by category in 1997, asked",
	} {
		at := strings.Index(page[last:], words)
		if at < 0 {
			t.Errorf("%q is not there, or not in its place", words)
			continue
		}
		last += at
	}
	if strings.Contains(page, `href="http`) || strings.Count(page, `<section class="source"`) != 2 {
		t.Error("a link leads away, or a source is missing")
	}
}

// TestReportWithoutItsRows has a sentence of an answer and not its table: what is cited leads to the source.
func TestReportWithoutItsRows(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	a := answeredIn(t, w, "one", "revenue by category in 1997")
	file, _ := reported(t, w, ReportChoice{Format: ReportHTML, Items: []ReportItem{{Kind: ReportArtifact, ID: artifacts(t, w, a.RequestID)[session.KindNarration]}}})
	if page := string(file); !strings.Contains(page, `<a class="cite" href="#s1">`) || strings.Contains(page, `href="#i1-`) || !strings.Contains(page, "<title>Report</title>") {
		t.Error("what is cited leads elsewhere")
	}
}

// TestReportSaysWhatCannotBe asks for reports that cannot be made.
func TestReportSaysWhatCannotBe(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	a := answeredIn(t, w, "one", "revenue by category in 1997")
	many := make([]ReportItem, mostReportItems+1)
	for i := range many {
		many[i] = ReportItem{Kind: ReportText, Text: "a"}
	}
	one := func(i ReportItem) []ReportItem { return []ReportItem{i} }
	for name, c := range map[string]struct {
		choice ReportChoice
		code   fault.Code
		words  string
	}{
		"format":   {ReportChoice{Format: "doc", Items: one(ReportItem{Kind: ReportText, Text: "a"})}, fault.Invalid, "doc"},
		"frames":   {ReportChoice{Format: ReportHTML, Frames: session.FramesNone, Items: one(ReportItem{Kind: ReportText, Text: "a"})}, fault.Invalid, "none"},
		"empty":    {ReportChoice{Format: ReportHTML}, fault.Invalid, "no part"},
		"many":     {ReportChoice{Format: ReportHTML, Items: many}, fault.Limit, "200"},
		"artifact": {ReportChoice{Format: ReportHTML, Items: one(ReportItem{Kind: ReportArtifact, ID: "art_one_9_9"})}, fault.NotFound, "art_one_9_9"},
		"answer":   {ReportChoice{Format: ReportXLSX, Items: one(ReportItem{Kind: ReportAnswer, ID: "no-request"})}, fault.NotFound, "no-request"},
		"session":  {ReportChoice{Format: ReportHTML, Items: one(ReportItem{Kind: ReportSession, ID: "no-session"})}, fault.NotFound, "no-session"},
		"kind":     {ReportChoice{Format: ReportHTML, Items: one(ReportItem{Kind: "image", ID: "x"})}, fault.Invalid, "image"},
		"blank":    {ReportChoice{Format: ReportHTML, Items: []ReportItem{{Kind: ReportText, Text: "a"}, {Kind: ReportText, Text: " \n"}}}, fault.Invalid, "Part 2"},
		"no text":  {ReportChoice{Format: ReportHTML, Items: one(ReportItem{Kind: ReportText, Text: "\xff"})}, fault.Invalid, "UTF-8"},
		"long":     {ReportChoice{Format: ReportHTML, Items: one(ReportItem{Kind: ReportText, Text: strings.Repeat("a", longestReportText+1)})}, fault.Limit, "Part 1"},
		"heading":  {ReportChoice{Format: ReportHTML, Items: one(ReportItem{Kind: ReportHeading, Text: strings.Repeat("a", longestName+1)})}, fault.Limit, "part 1"},
	} {
		var out bytes.Buffer
		_, err := w.Report(t.Context(), c.choice, &out)
		if fault.CodeOf(err) != c.code || !strings.Contains(strings.ToLower(fmt.Sprint(err)), strings.ToLower(c.words)) || out.Len() > 0 {
			t.Errorf("%s: %v, %d bytes", name, err, out.Len())
		}
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	for _, f := range []ReportFormat{ReportHTML, ReportXLSX} {
		if _, err := w.Report(gone, ReportChoice{Format: f, Items: one(ReportItem{Kind: ReportAnswer, ID: a.RequestID})}, &bytes.Buffer{}); fault.CodeOf(err) != fault.Canceled {
			t.Errorf("%s: %v", f, err)
		}
	}
	if err := w.memory.Delete(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	for _, i := range []ReportItem{{Kind: ReportAnswer, ID: a.RequestID}, {Kind: ReportArtifact, ID: a.Artifacts[0].ID}} {
		if _, err := w.Report(t.Context(), ReportChoice{Format: ReportHTML, Items: one(i)}, &bytes.Buffer{}); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s of a deleted session: %v", i.Kind, err)
		}
	}
}

// TestMaskedReportNamesNobody looks for personal values in every form of a report, in what the person wrote too.
func TestMaskedReportNamesNobody(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := told(t, w)
	c := ReportChoice{Title: "About Maria Anders", Frames: session.FramesMasked, Items: []ReportItem{{Kind: ReportHeading, Text: "Maria Anders"}, {Kind: ReportText, Text: "Call **Maria Anders**, 030-0074321."}, {Kind: ReportSession, ID: id}}}
	for _, f := range []ReportFormat{ReportHTML, ReportXLSX} {
		c.Format = f
		file, name := reported(t, w, c)
		read := name + string(file)
		if f == ReportXLSX {
			read = name + fmt.Sprint(sheets(t, file))
		}
		for _, value := range []string{"Maria Anders", "Ana Trujillo", "030-0074321", "(5) 555-4729"} {
			if strings.Contains(read, value) {
				t.Errorf("%s names %q", f, value)
			}
		}
	}
}

// TestReportIsWrittenDown finds a record for each answer that a report was made of, and none for one that was not made.
func TestReportIsWrittenDown(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	a := answeredIn(t, w, "one", "revenue by category in 1997")
	records := func() (n int) {
		entries, err := w.memory.Audit(t.Context(), memory.AuditFilter{RequestID: a.RequestID})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Kind == analyst.AuditOpened && strings.Contains(string(e.Body), `"`+openedReport+`"`) {
				n++
			}
		}
		return n
	}
	items := []ReportItem{{Kind: ReportAnswer, ID: a.RequestID}, {Kind: ReportArtifact, ID: a.Artifacts[0].ID}}
	reported(t, w, ReportChoice{Format: ReportHTML, Items: items})
	if n := records(); n != 1 {
		t.Errorf("%d records", n)
	}
	if _, err := w.Report(t.Context(), ReportChoice{Format: ReportHTML, Items: append(items, ReportItem{Kind: ReportAnswer, ID: "nothing"})}, &bytes.Buffer{}); err == nil || records() != 1 {
		t.Errorf("%d records, %v", records(), err)
	}
}

// TestSessionAsAWorkbook has a sheet for every answer with rows, charts that are drawn from their cells, and the provenance.
func TestSessionAsAWorkbook(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := told(t, w)
	file, name := reported(t, w, ReportChoice{Format: ReportXLSX, Title: "All of it", Items: []ReportItem{{Kind: ReportText, Text: "=Read this"}, {Kind: ReportSession, ID: id}}})
	if name != "All of it.xlsx" {
		t.Errorf("it is called %s", name)
	}
	all := sheets(t, file)
	if len(all) != 10 || len(all["Mine"]) != 9 {
		t.Errorf("%d sheets, Mine has %d rows", len(all), len(all["Mine"]))
	}
	contents, about := fmt.Sprint(all["Contents"]), fmt.Sprint(all["Provenance"])
	for _, words := range []string{"All of it", "northwind", "8 answers with their rows as they are", "'=Read this", "Nothing in this question names something in this workspace.", "AA"} {
		if !strings.Contains(contents, words) {
			t.Errorf("the contents lack %q: %s", words, contents)
		}
	}
	for _, words := range []string{"SELECT categories.category_name, revenue", "sha256:", "rows kept", "Steps", "Versions", "passed"} {
		if !strings.Contains(about, words) {
			t.Errorf("the provenance lacks %q", words)
		}
	}
	if n := bytes.Count(file, []byte("xl/charts/chart")); n == 0 {
		t.Error("there is no chart")
	}
	elsewhere := openTarget(t, Target{Dir: filepath.Join(t.TempDir(), "empty"), Create: true}, t.TempDir())
	bare := imported(t, elsewhere, exported(t, w, id, SessionChoice{Frames: session.FramesNone}))
	file, _ = reported(t, elsewhere, ReportChoice{Format: ReportXLSX, Items: []ReportItem{{Kind: ReportSession, ID: bare.ID}}})
	all = sheets(t, file)
	if contents := fmt.Sprint(all["Contents"]); len(all) != 2 || !strings.Contains(contents, "Its rows were left out where it was exported.") || !strings.Contains(fmt.Sprint(all["Provenance"]), "Imported, unverified.") {
		t.Errorf("%d sheets: %s", len(all), contents)
	}
}

// TestReportAsPDF prints a report with the browser of this machine.
func TestReportAsPDF(t *testing.T) {
	if _, err := printer.Find(); err != nil {
		t.Skip("no browser is on this machine that prints: ", err)
	}
	w := openTarget(t, Target{}, t.TempDir())
	a := answeredIn(t, w, "one", "revenue by category in 1997")
	file, name := reported(t, w, ReportChoice{Format: ReportPDF, Title: "Printed", Items: []ReportItem{{Kind: ReportAnswer, ID: a.RequestID}}})
	if name != "Printed.pdf" || !bytes.HasPrefix(file, []byte("%PDF-")) || bytes.Contains(file, []byte("file://")) {
		t.Errorf("%s: %d bytes, %.20q", name, len(file), file)
	}
}

// TestNothingPrints says so where no browser is there.
func TestNothingPrints(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	a := answeredIn(t, w, "one", "revenue by category in 1997")
	t.Setenv("ASSAY_BROWSER", "no-such-browser")
	_, err := w.Report(t.Context(), ReportChoice{Format: ReportPDF, Items: []ReportItem{{Kind: ReportAnswer, ID: a.RequestID}}}, &bytes.Buffer{})
	if fault.CodeOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "no-such-browser") || !strings.Contains(err.Error(), "print it from any browser") {
		t.Error(err)
	}
}
