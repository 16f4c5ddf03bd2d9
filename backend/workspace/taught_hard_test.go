package workspace

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules"
)

// TestWhoIsNoLongerSeniorDoesNotCount: what somebody taught whose role was taken away is still theirs, and is no voice for anything shared.
func TestWhoIsNoLongerSeniorDoesNotCount(t *testing.T) {
	w := openShared(t, t.TempDir())
	for _, who := range []string{"ada", "bob", "cyd"} {
		teach(t, w, who, "revenue means gross revenue")
	}
	write(t, w.dir, rules.Folder+"/"+rules.RolesFile, strings.Replace(people, "  - {id: ada, kind: human, role: senior, ", "  - {id: ada, kind: human, role: analyst, ", 1))
	w.refresh(t.Context())
	teach(t, w, "dan", "revenue means gross revenue")
	if queue := shared(t, w, "fay"); len(queue) != 0 {
		t.Errorf("three seniors and one who was made a candidate: %+v", queue)
	}
	if all, err := w.Corrections(t.Context(), "", as("ada")); err != nil || len(all) != 1 {
		t.Errorf("theirs is gone: %+v, %v", all, err)
	}
	teach(t, w, "gil", "revenue means gross revenue")
	if queue := shared(t, w, "fay"); len(queue) != 1 || queue[0].Seniors != 4 {
		t.Errorf("four seniors: %+v", queue)
	}
}

// counterSales is a metric that the sample has not.
const counterSales = `
metric: counter_sales
label: Counter sales
description: What was sold, at a tenth of its price
entity: order_lines
kind: leaf
expr: sale_price * quantity * 0.1
reducer: sum
additivity: {default: additive}
unit: USD
time: orders.order_date
empty_is: zero
`

// TestATermOfWhatIsGone: a word for a metric that was deleted is answered by nothing else; it stays listed, and is of use again once the metric is back.
func TestATermOfWhatIsGone(t *testing.T) {
	w := openShared(t, t.TempDir())
	const name, file = "context/metrics/counter_sales.yaml", counterSales
	path := write(t, w.dir, name, file)
	w.refresh(t.Context())
	teach(t, w, "ada", "takings means counter sales")
	const want = "SELECT counter_sales DURING 1997"
	if got, _ := readAs(t, w, as("ada"), newID(), "takings in 1997"); got != want {
		t.Fatalf("read as %s", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	w.refresh(t.Context())
	if _, l := w.Model(); l.Stale {
		t.Fatal(l.Err)
	}
	if got, a := readAs(t, w, as("ada"), newID(), "takings in 1997"); a.Frame != nil {
		t.Errorf("answered by %s", got)
	}
	if _, err := w.Teach(t.Context(), analyst.Lesson{Words: "income means counter sales", Caller: as("ada")}); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("taught: %v", err)
	}
	if all, err := w.Corrections(t.Context(), "", as("ada")); err != nil || len(all) != 1 {
		t.Errorf("kept: %+v, %v", all, err)
	}
	write(t, w.dir, name, file)
	w.refresh(t.Context())
	if got, _ := readAs(t, w, as("ada"), newID(), "takings in 1997"); got != want {
		t.Errorf("once it is back it is read as %s", got)
	}
}

// TestAThousandContradictions: of what one person says in many ways at once one stands for each word, the log is whole, and nobody else's questions change, with a clock that goes back meanwhile.
func TestAThousandContradictions(t *testing.T) {
	w := openShared(t, t.TempDir())
	means := []string{"gross revenue", "revenue", "freight", "order count", "units sold"}
	var at sync.Mutex
	now := w.opts.Now()
	w.opts.Now = func() time.Time {
		at.Lock()
		defer at.Unlock()
		now = now.Add(-time.Minute)
		return now
	}
	var wait sync.WaitGroup
	for n := range 10 {
		wait.Go(func() {
			for i := range 100 {
				l := analyst.Lesson{Term: fmt.Sprintf("word %d", i%10), Means: means[(n+i/10)%len(means)], Caller: as("ada")}
				if _, err := w.Teach(t.Context(), l); err != nil {
					t.Errorf("%+v: %s", l, fault.Detail(err))
				}
			}
		})
	}
	wait.Wait()
	w.reviewing.running.Wait()
	all, err := w.Corrections(t.Context(), "", as("ada"))
	if err != nil || len(all) != 10 {
		t.Errorf("%d stand: %v", len(all), err)
	}
	for _, c := range all {
		if c.Changed.Before(c.Created) {
			t.Errorf("changed before it was made: %+v", c)
		}
	}
	if v, err := w.memory.VerifyAudit(t.Context()); err != nil || !v.Valid {
		t.Errorf("the log: %+v, %v", v, err)
	}
	if queue := shared(t, w, "fay"); len(queue) != 0 {
		t.Errorf("shared: %+v", queue)
	}
	if _, a := readAs(t, w, as("bob"), newID(), "word 1 by month"); a.Frame != nil {
		t.Error("somebody else's question is read with it")
	}
}

// TestARevokedActor: who is taken out of roles.yaml is no voice any more, neither by what they taught before nor by a bundle of theirs; what they taught is not read by whoever they are now, and is theirs again once they are back.
func TestARevokedActor(t *testing.T) {
	w := openShared(t, t.TempDir())
	for _, who := range []string{"ada", "bob", "cyd", "dan"} {
		teach(t, w, who, "turnover means gross revenue")
	}
	queue := shared(t, w, "gil")
	if len(queue) != 1 || queue[0].Seniors != 4 {
		t.Fatalf("%+v", queue)
	}
	known := keyed()
	gone := slices.DeleteFunc(strings.Split(known, "\n"), func(line string) bool { return strings.Contains(line, "id: ada,") })
	write(t, w.dir, rules.Folder+"/"+rules.RolesFile, strings.Join(gone, "\n"))
	w.refresh(t.Context())
	if queue = shared(t, w, "gil"); len(queue) != 1 || queue[0].Seniors != 3 {
		t.Errorf("without ada: %+v", queue)
	}
	if _, err := w.Decide(t.Context(), queue[0].ID, knowledge.Approve, "", "", as("gil")); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("three seniors are enough: %v", err)
	}
	if _, err := w.ReadBundle(t.Context(), bytes.NewReader(bundleOf(t, "ada", colleague(1), 1, "takings=freight"))); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("a bundle of theirs: %v", err)
	}
	if all, err := w.Corrections(t.Context(), "", as("ada")); err != nil || len(all) != 0 {
		t.Errorf("who they are now reads %+v, %v", all, err)
	}
	write(t, w.dir, rules.Folder+"/"+rules.RolesFile, known)
	w.refresh(t.Context())
	if all, err := w.Corrections(t.Context(), "", as("ada")); err != nil || len(all) != 1 {
		t.Errorf("back again: %+v, %v", all, err)
	}
}

// TestLargeVectorsAreWrittenBesideTheWork: the file of a large store is there once it was written, has lost what was taken back before anything else happens, and is whole again afterwards, also after a restart.
func TestLargeVectorsAreWrittenBesideTheWork(t *testing.T) {
	home := t.TempDir()
	w := openShared(t, home)
	w.teaching.large = 1
	first := agreedOn(t, w, "turnover", "net revenue")
	second := agreedOn(t, w, "takings", "gross revenue")
	find := func(w *Workspace, want bool) {
		t.Helper()
		if found := findTaught(t, w, "gil", "turnover"); slices.ContainsFunc(found, func(f TaughtFound) bool { return f.ID == first.ID }) != want {
			t.Errorf("turnover is found: %v, want %v; %+v", !want, want, found)
		}
	}
	has := func(id string) bool {
		t.Helper()
		raw, err := os.ReadFile(w.taughtFile(""))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return bytes.Contains(raw, []byte(id))
	}
	find(w, true)
	w.reviewing.running.Wait()
	if !has(first.ID) || !has(second.ID) {
		t.Fatal("the file has not both")
	}
	if _, err := w.Decide(t.Context(), first.ID, knowledge.Revoke, "it was wrong", "", as("gil")); err != nil {
		t.Fatal(fault.Detail(err))
	}
	find(w, false)
	if has(first.ID) {
		t.Error("the file has what was taken back")
	}
	w.reviewing.running.Wait()
	if has(first.ID) || !has(second.ID) {
		t.Error("the file is not as the memory is")
	}

	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = openTarget(t, Target{}, home)
	find(w, false)
	if found := findTaught(t, w, "gil", "takings"); !slices.ContainsFunc(found, func(f TaughtFound) bool { return f.ID == second.ID }) {
		t.Errorf("%+v", found)
	}
}
