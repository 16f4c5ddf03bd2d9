package workspace

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules"
)

// saysAt is a bundle of ada as it says something at some time, in some words.
func saysAt(t *testing.T, workspace string, number int64, quote string, at time.Time) []byte {
	t.Helper()
	key := colleague(1)
	b := knowledge.Bundle{Author: "ada", Key: hex.EncodeToString(key.Public().(ed25519.PublicKey)), Workspace: workspace, Number: number}
	b.Said = []knowledge.Statement{{Term: "turnover", Means: "revenue", Sort: knowledge.Factual, Detection: knowledge.ByDefinition, Quote: quote, At: at}}
	var out bytes.Buffer
	if err := b.Write(&out, func(raw []byte) []byte { return ed25519.Sign(key, raw) }); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func keyedWorkspace(t *testing.T) *Workspace {
	t.Helper()
	w := openShared(t, t.TempDir())
	write(t, w.dir, rules.Folder+"/"+rules.RolesFile, keyed())
	w.refresh(t.Context())
	return w
}

// TestTheLatestBundleIsWhatIsKept: whoever took the earlier ones too keeps the same words and the same time, on the evidence as well.
func TestTheLatestBundleIsWhatIsKept(t *testing.T) {
	january, november := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	want := ""
	for _, early := range []bool{true, false} {
		w := keyedWorkspace(t)
		for _, who := range []string{"bob", "cyd", "dan"} {
			teach(t, w, who, "turnover means revenue")
		}
		bundles := [][]byte{saysAt(t, "northwind", 2, "say it to ann@example.org", november)}
		if early {
			bundles = [][]byte{saysAt(t, "northwind", 1, "in other words", january), bundles[0]}
		}
		for _, raw := range bundles {
			if _, err := w.ReadBundle(t.Context(), bytes.NewReader(raw)); err != nil {
				t.Fatal(fault.Detail(err))
			}
		}
		got := ""
		for _, v := range shared(t, w, "gil") {
			for _, e := range v.Evidence {
				if e.Actor == "ada" {
					got += fmt.Sprint(e.Quote, " ", e.At.UTC(), " ")
				}
			}
		}
		if want == "" {
			want = got
		}
		if got != want || !strings.Contains(got, "2026-11-02") || strings.Contains(got, "ann@") {
			t.Errorf("%q, and by the other way %q", got, want)
		}
	}
}

// TestAKeyThatIsTakenAwaySpeaksForNothing: what was signed with it leaves the evidence with the next look at roles.yaml, and comes back where the key does.
func TestAKeyThatIsTakenAwaySpeaksForNothing(t *testing.T) {
	w := keyedWorkspace(t)
	for _, who := range []string{"bob", "cyd", "dan"} {
		teach(t, w, who, "turnover means revenue")
	}
	raw := saysAt(t, "northwind", 5, "turnover is revenue", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
	bring := func() error { _, err := w.ReadBundle(t.Context(), bytes.NewReader(raw)); return err }
	if err := bring(); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if all := shared(t, w, "gil"); len(all) != 1 || all[0].Seniors != 4 {
		t.Fatalf("%+v", all)
	}
	write(t, w.dir, rules.Folder+"/"+rules.RolesFile, people)
	w.refresh(t.Context())
	if all := shared(t, w, "gil"); len(all) != 1 || all[0].Seniors != 3 {
		t.Errorf("%+v", all)
	}
	if err := bring(); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("%v", err)
	}
	write(t, w.dir, rules.Folder+"/"+rules.RolesFile, keyed())
	if _, err := w.ReadBundle(t.Context(), bytes.NewReader(saysAt(t, "northwind", 4, "older", time.Time{}))); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("an older one: %v", err)
	}
	if err := bring(); err != nil {
		t.Error(fault.Detail(err))
	}
	if all := shared(t, w, "gil"); len(all) != 1 || all[0].Seniors != 4 {
		t.Errorf("%+v", all)
	}
}

// TestWhatIsSaidHereGoesBeforeABundle of the same person, whichever came first.
func TestWhatIsSaidHereGoesBeforeABundle(t *testing.T) {
	for _, first := range []bool{true, false} {
		w := keyedWorkspace(t)
		for _, who := range []string{"bob", "cyd", "dan", "fay"} {
			teach(t, w, who, "turnover means revenue")
		}
		bring := func() {
			if _, err := w.ReadBundle(t.Context(), bytes.NewReader(saysAt(t, "northwind", 1, "turnover is revenue", time.Time{}))); err != nil {
				t.Fatal(fault.Detail(err))
			}
		}
		if first {
			bring()
		}
		teach(t, w, "ada", "turnover means gross revenue")
		if !first {
			bring()
		}
		if all := shared(t, w, "gil"); len(all) != 1 || all[0].People != 4 {
			t.Errorf("the bundle first %t: %+v", first, all)
		}
	}
}

// TestNoBundleCrossesBetweenWorkspaces: it is refused where it is brought by hand, and left where it lies in a folder that several workspaces use; each keeps its own file there.
func TestNoBundleCrossesBetweenWorkspaces(t *testing.T) {
	w := keyedWorkspace(t)
	raw := saysAt(t, "payroll", 9, "turnover is revenue", time.Time{})
	if _, err := w.ReadBundle(t.Context(), bytes.NewReader(raw)); fault.CodeOf(err) != fault.Conflict || !strings.Contains(fault.Detail(err), "payroll") {
		t.Errorf("%v", err)
	}
	folder := filepath.Join(t.TempDir(), "Team [2026]") // no pattern
	write(t, folder, "theirs.assay-memory", string(raw))
	teach(t, w, "bob", "turnover means freight")
	exchange := func(w *Workspace) Exchanged {
		t.Helper()
		done, err := w.Exchange(t.Context(), Place{Folder: folder}, "", as("bob"))
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return done
	}
	if done := exchange(w); !done.Wrote || len(done.Brought) != 0 {
		t.Errorf("%+v", done)
	}
	names := func() []string {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, e := range entries {
			info, err := e.Info()
			if err != nil || e.Name() != "theirs.assay-memory" && info.Mode().Perm() != 0o644 {
				t.Errorf("%s: %v, %v", e.Name(), info.Mode(), err)
			}
			all = append(all, e.Name())
		}
		return all
	}
	before := names()
	w.name = "payroll" // another workspace of the same person
	if done := exchange(w); !done.Wrote {
		t.Errorf("%+v", done)
	}
	if after := names(); len(before) != 2 || len(after) != 3 {
		t.Errorf("%v, then %v", before, after)
	}
	if done := exchange(w); done.Wrote {
		t.Errorf("%+v", done)
	}
}

// TestWhatABundleSaidIsPlacedOnceItIsUnderstood: a statement about a metric that the model has not yet keeps what its author says it is about; once the metric is there it counts with what is taught here.
func TestWhatABundleSaidIsPlacedOnceItIsUnderstood(t *testing.T) {
	w := keyedWorkspace(t)
	key := colleague(1)
	b := knowledge.Bundle{Author: "ada", Key: hex.EncodeToString(key.Public().(ed25519.PublicKey)), Workspace: "northwind", Number: 1}
	b.Said = []knowledge.Statement{{Term: "takings", Means: "counter sales", Sort: knowledge.Factual, Domain: "tills", Detection: knowledge.ByDefinition, At: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}}
	var raw bytes.Buffer
	if err := b.Write(&raw, func(raw []byte) []byte { return ed25519.Sign(key, raw) }); err != nil {
		t.Fatal(err)
	}
	if _, err := w.ReadBundle(t.Context(), &raw); err != nil {
		t.Fatal(fault.Detail(err))
	}
	write(t, w.dir, "context/metrics/counter_sales.yaml", counterSales)
	w.refresh(t.Context())
	w.reviewing.running.Wait()
	for _, who := range []string{"bob", "cyd", "dan"} {
		teach(t, w, who, "takings means counter sales")
	}
	all := shared(t, w, "gil")
	if len(all) != 1 || all[0].Seniors != 4 || all[0].Domain != "order_lines" {
		t.Errorf("%+v", all)
	}
}
