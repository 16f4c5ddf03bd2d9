package workspace

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/report"
	"assay/backend/rules"
	"assay/backend/session"
)

// A stranger's answers stay a stranger's: through a branch, a file that is signed with one's own key, and whoever imports that.
func TestTheMarkTravels(t *testing.T) {
	stranger := openTarget(t, Target{}, t.TempDir())
	if _, err := stranger.Ask(t.Context(), analyst.Request{Question: "revenue by category", SessionID: "s"}, nil); err != nil {
		t.Fatal(fault.Detail(err))
	}
	first, err := stranger.Fork(t.Context(), "s", memory.ForkAt{})
	if err != nil {
		t.Fatal(err)
	}

	w := openTarget(t, Target{}, t.TempDir())
	came := imported(t, w, exported(t, stranger, first.SessionID, SessionChoice{Sign: true, Signer: "A. Stranger"}))
	if o := came.Imported.Origin; came.Origin != nil || o == nil || o.Title != "revenue by category" || o.Turn != 1 {
		t.Errorf("what it was branched from there: %+v %+v", came.Origin, o)
	}
	branch, err := w.Fork(t.Context(), came.ID, memory.ForkAt{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Ask(t.Context(), analyst.Request{Question: "only Beverages", SessionID: branch.SessionID}, nil); err != nil {
		t.Fatal(fault.Detail(err))
	}
	here, err := w.memory.Session(t.Context(), branch.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	mark := here.Turns[0].Elsewhere
	if mark == nil || mark.Signature != session.SignatureValid || mark.Signer != "A. Stranger" || mark.Relayed || here.Turns[1].Elsewhere != nil || here.Imported != nil {
		t.Fatalf("in the branch: %+v, %+v", mark, here.Turns[1].Elsewhere)
	}
	notKept(t, w, here.Turns[0].RequestID)

	var page bytes.Buffer
	if _, err := w.SessionPage(t.Context(), branch.SessionID, PageChoice{}, &page); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(page.String(), "Imported, unverified: this answer came with the file"); n != 1 {
		t.Errorf("the page of the branch says it %d times", n)
	}
	var written bytes.Buffer
	if _, err := w.Report(t.Context(), ReportChoice{Format: ReportHTML, Title: "Both", Items: []ReportItem{{Kind: ReportSession, ID: branch.SessionID}}}, &written); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if n := strings.Count(written.String(), "Imported, unverified."); n != 1 {
		t.Errorf("the report says it %d times", n)
	}

	var book bytes.Buffer
	if _, err := w.Report(t.Context(), ReportChoice{Format: ReportXLSX, Title: "Both", Items: []ReportItem{{Kind: ReportSession, ID: branch.SessionID}}}, &book); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if n := strings.Count(sharedStrings(t, book.Bytes()), "Imported, unverified."); n == 0 {
		t.Error("the workbook does not say it")
	}

	// Signed with one's own key, as a whole and masked.
	for _, frames := range []session.Frames{session.FramesWhole, session.FramesMasked} {
		path := exported(t, w, branch.SessionID, SessionChoice{Frames: frames, Sign: true, Signer: "B. Own"})
		third := openTarget(t, Target{}, t.TempDir())
		seen, err := third.PreviewSession(t.Context(), path)
		if err != nil || seen.Elsewhere != 1 || !seen.Turns[0].Elsewhere || seen.Turns[1].Elsewhere || seen.Signer != "B. Own" || seen.Own || len(seen.Known) != 0 {
			t.Errorf("%s: the preview says %+v, %v", frames, seen, err)
		}
		got := imported(t, third, path)
		if got.Imported.Elsewhere != 1 || !got.Turns[0].Elsewhere.Relayed || got.Turns[1].Elsewhere == nil || got.Turns[1].Elsewhere.Relayed {
			t.Errorf("%s: %+v, %+v, %+v", frames, got.Imported, got.Turns[0].Elsewhere, got.Turns[1].Elsewhere)
		}
		about := report.About{Imported: got.Imported}
		if says := about.Warning(); !strings.Contains(says, "B. Own") || !strings.Contains(says, "1 answer in it came from elsewhere there too") {
			t.Errorf("%s: %s", frames, says)
		}
		if seen, err = third.PreviewSession(t.Context(), path); err != nil || len(seen.Known) != 1 || seen.Known[0] != got.Title {
			t.Errorf("%s: the key is known from %v, %v", frames, seen.Known, err)
		}
	}
}

// sharedStrings is every text of a workbook's parts.
func sharedStrings(t *testing.T, book []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, r); err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	return all.String()
}

// notKept says that what came with a file becomes nobody's golden query, and is found by no question.
func notKept(t *testing.T, w *Workspace, requestID string) {
	t.Helper()
	if _, err := w.Say(t.Context(), analyst.Word{RequestID: requestID, On: analyst.OnAccepted}); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("it was accepted: %v", err)
	}
	if _, err := w.KeepGolden(t.Context(), requestID, "", rules.Caller{}); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("it became a golden query: %v", err)
	}
	if n := w.nearest(t.Context(), rules.Actor{ID: "nobody"}, "revenue by category", ""); n.Similarity > 0.99 {
		t.Errorf("it is found: %+v", n)
	}
}

// An answer is pinned as it is looked at, and unpinned again.
func TestPinAnAnswer(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	a, err := w.Ask(t.Context(), analyst.Request{Question: "revenue by category", SessionID: "s"}, nil)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if err := w.SaveView(t.Context(), a.RequestID, session.View{Show: "table", Title: "Mine"}); err != nil {
		t.Fatal(err)
	}
	for _, pinned := range []bool{true, false} {
		if err := w.PinAnswer(t.Context(), a.RequestID, pinned); err != nil {
			t.Fatal(err)
		}
		_, turn, err := w.memory.Find(t.Context(), a.RequestID)
		if err != nil {
			t.Fatal(err)
		}
		view := string(turn.Artifacts[len(turn.Artifacts)-1].Body)
		if strings.Contains(view, `"pinned":true`) != pinned || !strings.Contains(view, `"title":"Mine"`) || !strings.Contains(view, `"show":"table"`) {
			t.Errorf("pinned %v: %s", pinned, view)
		}
	}
	if err := w.PinAnswer(t.Context(), "nobody", true); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("%v", err)
	}
}
