package workspace

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/retrieval"
	"assay/backend/rules"
)

func findTaught(t *testing.T, w *Workspace, who, words string) []TaughtFound {
	t.Helper()
	found, err := w.FindTaught(t.Context(), words, "", "", as(who))
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return found
}

func isShared(f TaughtFound) bool { return f.Kind == "shared" }

// TestTaughtIsFound: a person's own and what is shared with them, nothing of anybody else, in one order each time; what is forgotten has left the store and the file.
func TestTaughtIsFound(t *testing.T) {
	w := openShared(t, t.TempDir())
	ctx := t.Context()
	teach(t, w, "ada", "takings means gross revenue")
	teach(t, w, "ada", "haulage means freight")
	for _, who := range []string{"bob", "cyd", "dan", "fay"} {
		teach(t, w, who, "turnover means net revenue")
	}
	teach(t, w, "bob", "takings means net revenue")
	if _, err := w.Teach(ctx, analyst.Lesson{Words: "show numbers in millions", Caller: ada}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	found := findTaught(t, w, "ada", "what do we call takings")
	if len(found) == 0 || found[0].Term != "takings" || found[0].Means != "gross revenue" || found[0].Kind != "correction" {
		t.Fatalf("%+v", found)
	}
	if slices.ContainsFunc(found, func(f TaughtFound) bool { return f.Means == "net revenue" }) {
		t.Errorf("what another person taught is found: %+v", found)
	}
	if again := findTaught(t, w, "ada", "what do we call takings"); !slices.Equal(found, again) {
		t.Errorf("%+v, then %+v", found, again)
	}
	if found := findTaught(t, w, "ada", "numbers in millions"); len(found) == 0 || found[0].Kind != "preference" {
		t.Errorf("%+v", found)
	}

	// What is shared is found once it was approved, and by whom it reaches.
	if found := findTaught(t, w, "ada", "turnover"); slices.ContainsFunc(found, isShared) {
		t.Errorf("what nobody approved is found: %+v", found)
	}
	if _, err := w.Decide(ctx, shared(t, w, "gil")[0].ID, knowledge.Approve, "it is so", "", as("gil")); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if found := findTaught(t, w, "ada", "turnover"); len(found) == 0 || !isShared(found[0]) || found[0].Means != "net revenue" {
		t.Errorf("%+v", found)
	}
	if _, err := w.Decide(ctx, shared(t, w, "gil")[0].ID, knowledge.Revoke, "it was wrong", "", as("gil")); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if found := findTaught(t, w, "ada", "turnover"); slices.ContainsFunc(found, isShared) {
		t.Errorf("what was revoked is found: %+v", found)
	}

	// Forgetting.
	mine, err := w.Corrections(ctx, "", ada)
	if err != nil || len(mine) != 2 {
		t.Fatal(mine, err)
	}
	at := slices.IndexFunc(mine, func(c knowledge.Correction) bool { return c.Term == "takings" })
	me, err := w.Identify("", ada)
	if err != nil {
		t.Fatal(err)
	}
	path := w.taughtFile(me.ID)
	raw, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(raw, []byte(mine[at].ID)) || bytes.Contains(raw, []byte("takings")) {
		t.Fatalf("before: %v", err)
	}
	if err := w.ForgetCorrection(ctx, mine[at].ID, "", as("bob")); fault.CodeOf(err) != fault.NotFound || w.teaching.stores[me.ID].Count(retrieval.Correction, me.ID) != 2 {
		t.Errorf("somebody else forgets it: %v", err)
	}
	if err := w.ForgetCorrection(ctx, mine[at].ID, "", ada); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if n := w.teaching.stores[me.ID].Count(retrieval.Correction, me.ID); n != 1 {
		t.Errorf("%d are left", n)
	}
	if raw, err = os.ReadFile(path); err != nil || bytes.Contains(raw, []byte(mine[at].ID)) || !bytes.Contains(raw, []byte(mine[1-at].ID)) {
		t.Errorf("the file holds what was forgotten, or not the rest: %v", err)
	}
	if found := findTaught(t, w, "ada", "takings"); slices.ContainsFunc(found, func(f TaughtFound) bool { return f.Term == "takings" }) {
		t.Errorf("%+v", found)
	}

	// What is changed leaves the file as it was.
	other := mine[1-at].ID
	if _, err := w.AmendCorrection(ctx, other, analyst.Lesson{Means: "order count", Caller: ada}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	after, err := os.ReadFile(path)
	if err != nil || bytes.Equal(raw, after) {
		t.Errorf("the file is as it was, %v", err)
	}
	for _, words := range []string{"", "  "} {
		if _, err := w.FindTaught(ctx, words, "", "", ada); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%q: %v", words, err)
		}
	}
	if _, err := w.FindTaught(ctx, "takings", "", "", rules.Caller{OSUser: "nobody-of-the-rules"}); err != nil && fault.CodeOf(err) != fault.Unauthorized {
		t.Error(err)
	}
}

// TestNamesOfTheModelFindWhatWasTaught: what was taught is found by another name of the thing, also by one that the model has only had since; but for where names may be hidden.
func TestNamesOfTheModelFindWhatWasTaught(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	teach(t, w, "ada", "turnaround means freight")
	like := func(words string) float64 {
		t.Helper()
		for _, f := range findTaught(t, w, "ada", words) {
			if f.Term == "turnaround" {
				return f.Similarity
			}
		}
		return 0
	}
	if by, than := like("carriage"), like("shipping charges"); than < 0.5 || by > than/2 {
		t.Errorf("shipping charges %.2f, carriage %.2f", than, by)
	}
	path := filepath.Join(w.dir, "context/metrics/freight.yaml")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w.dir, "context/metrics/freight.yaml", strings.Replace(string(raw), "synonyms: [", "synonyms: [carriage, ", 1))
	w.refresh(t.Context())
	if by := like("carriage"); by < 0.5 {
		t.Errorf("since the model knows it, carriage %.2f", by)
	}
	// Where a role does not see everything, what is near says nothing of names that may be hidden.
	write(t, w.dir, rules.Folder+"/"+rules.RolesFile, people) // its clerk sees some tables
	w.refresh(t.Context())
	if by := w.builtIn.Load().ID; by != retrieval.BuiltIn().ID {
		t.Errorf("embedded by %s", by)
	}
}
