package workspace

import (
	"io"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/export"
	"assay/backend/memory"
)

// Every way to look at rows beside the answers is written down first, and what cannot be written down is not opened.
func TestWhatIsOpenedIsWrittenDownFirst(t *testing.T) {
	w := openTarget(t, Target{Sample: "northwind"}, t.TempDir())
	a, err := w.Ask(t.Context(), analyst.Request{Question: "revenue by category in 1997"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]func() error{
		openedRows:     func() error { _, err := w.OpenAnswer(t.Context(), a.RequestID); return err },
		openedExport:   func() error { _, err := w.Export(t.Context(), a.RequestID, export.CSV, io.Discard); return err },
		openedTable:    func() error { _, _, err := w.OpenTable(t.Context(), "Orders"); return err },
		openedHead:     func() error { _, _, err := w.Head(t.Context(), "Orders"); return err },
		openedRejected: func() error { _, _, err := w.Rejected(t.Context(), "Orders", 10); return err },
		openedProfile:  func() error { _, err := w.Profile(t.Context(), "Orders", 0, nil); return err },
	}
	for name, open := range ways {
		if err := open(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	entries, err := w.memory.Audit(t.Context(), memory.AuditFilter{})
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, e := range entries {
		if e.Kind != analyst.AuditOpened {
			continue
		}
		for name := range ways {
			if strings.Contains(string(e.Body), `"what":"`+name+`"`) && e.Actor != "" {
				seen = append(seen, name)
				if answer := name == openedRows || name == openedExport; answer != (e.RequestID == a.RequestID) || answer != strings.Contains(string(e.Body), "sql_sha256") {
					t.Errorf("%s: %+v", name, e)
				}
			}
		}
	}
	if slices.Sort(seen); len(seen) != len(ways) || len(slices.Compact(seen)) != len(ways) {
		t.Errorf("written down: %v", seen)
	}
	if v, err := w.memory.VerifyAudit(t.Context()); err != nil || !v.Valid {
		t.Errorf("the chain: %+v %v", v, err)
	}

	if err := w.memory.Close(); err != nil {
		t.Fatal(err)
	}
	for name, open := range ways {
		if open() == nil {
			t.Errorf("%s: it was opened, and nobody will know", name)
		}
	}
}
