package workspace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/memory"
	"assay/backend/review"
	"assay/backend/rules"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// people are the roles of a workspace in which six seniors, an analyst, two stewards and an admin work.
const people = `
default_role: analyst
roles:
  - {name: analyst, schemas: ["*"], tables: ["*"]}
  - {name: senior, schemas: ["*"], tables: ["*"], seniority: senior}
  - {name: steward, schemas: ["*"], tables: ["*"], seniority: senior, steward: true}
  - {name: admin, schemas: ["*"], tables: ["*"], admin: true}
  - {name: clerk, schemas: ["*"], tables: [customers, orders]}
actors:
  - {id: ada, kind: human, role: senior, groups: [sales], binds: {os_users: [ada]}}
  - {id: bob, kind: human, role: senior, groups: [sales], binds: {os_users: [bob]}}
  - {id: cyd, kind: human, role: senior, binds: {os_users: [cyd]}}
  - {id: dan, kind: human, role: senior, binds: {os_users: [dan]}}
  - {id: eve, kind: human, role: analyst, binds: {os_users: [eve]}}
  - {id: fay, kind: human, role: steward, binds: {os_users: [fay]}}
  - {id: gil, kind: human, role: steward, binds: {os_users: [gil]}}
  - {id: hal, kind: human, role: admin, binds: {os_users: [hal]}}
  - {id: ivy, kind: human, role: clerk, binds: {os_users: [ivy]}}
`

func as(name string) rules.Caller { return rules.Caller{OSUser: name} }

// openShared opens the sample workspace with these people.
func openShared(t *testing.T, home string) *Workspace {
	t.Helper()
	w := openTarget(t, Target{}, home)
	write(t, w.dir, rules.Folder+"/"+rules.RolesFile, people)
	w.refresh(t.Context())
	if _, l := w.Model(); l.Stale {
		t.Fatal(l.Err)
	}
	return w
}

// teach has somebody teach, and waits until it was considered.
func teach(t *testing.T, w *Workspace, who, words string) knowledge.Correction {
	t.Helper()
	told, err := w.Teach(t.Context(), analyst.Lesson{Words: words, Caller: as(who)})
	if err != nil {
		t.Fatalf("%s teaches %q: %s", who, words, fault.Detail(err))
	}
	w.reviewing.running.Wait()
	return *told.Correction
}

func shared(t *testing.T, w *Workspace, who string) []review.Reviewed {
	t.Helper()
	all, err := w.Shared(t.Context(), "", as(who))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestFromACorrectionToEverybodysAnswer walks the whole way: four seniors say the same in their own words, a steward sees what would come of it and approves it, it is written onto a branch, and
// once that is merged the files say it.
func TestFromACorrectionToEverybodysAnswer(t *testing.T) {
	home := t.TempDir()
	w := openShared(t, home)
	const before, after = "SELECT categories.category_name, revenue AT categories DURING 1997", "SELECT categories.category_name, gross_revenue AT categories DURING 1997"
	readsIt := func(who, want string) *analyst.Answer {
		t.Helper()
		got, a := readAs(t, w, as(who), newID(), "revenue by category in 1997")
		if got != want {
			t.Errorf("%s's question is read as %s, want %s", who, got, want)
		}
		return a
	}
	for _, who := range []string{"eve", "hal", "gil"} { // eve will mean something of her own by it
		accepted := readsIt(who, before)
		if _, err := w.Say(t.Context(), analyst.Word{RequestID: accepted.RequestID, On: analyst.OnAccepted, Caller: as(who)}); err != nil {
			t.Fatal(fault.Detail(err))
		}
	}

	teach(t, w, "ada", "revenue means gross revenue")
	teach(t, w, "bob", "by revenue I mean the gross revenue")
	teach(t, w, "eve", "revenue means gross revenue")
	teach(t, w, "cyd", "revenue should be gross revenue")
	teach(t, w, "fay", "revenue means net revenue excluding beverages")
	if all := shared(t, w, "fay"); len(all) != 0 {
		t.Fatalf("three seniors made a candidate: %+v", all)
	}
	teach(t, w, "dan", "revenue = gross revenue")
	queue := shared(t, w, "fay")
	if len(queue) != 1 {
		t.Fatalf("the queue is %+v", queue)
	}
	c := queue[0]
	if c.Stands != knowledge.Pending || c.People != 5 || c.Seniors != 4 || c.Needed != 4 || c.Contributor != "ada" || len(c.Evidence) != 5 || c.Checked.Says != "gross_revenue" || len(c.Checked.Notes) != 1 {
		t.Errorf("the candidate is %+v", c)
	}
	if want := []knowledge.Verdict{knowledge.Approve, knowledge.Reject, knowledge.Endorse, knowledge.Directed, knowledge.Described}; !slices.Equal(c.May, want) {
		t.Errorf("a steward may %v", c.May)
	}
	for _, who := range []string{"bob", "eve", "ivy"} { // not ada's, who brought it, and not a steward
		if all := shared(t, w, who); len(all) != 0 {
			t.Errorf("%s sees %+v", who, all)
		}
		_, foreign := w.SharedItem(t.Context(), c.ID, "", as(who))
		_, unknown := w.SharedItem(t.Context(), "nothing", "", as(who))
		if fault.CodeOf(foreign) != fault.NotFound || foreign.Error() != unknown.Error() {
			t.Errorf("%s is told %v of what is there, and %v of what is not", who, foreign, unknown)
		}
	}
	readsIt("gil", before)
	blast, err := w.LookAhead(t.Context(), c.ID, "", as("gil"))
	if err != nil || blast.Others != 1 || blast.Looked < 4 || len(blast.Changed) != 4 || blast.Changed[0].Question != "How did revenue develop by month?" {
		t.Fatalf("what would come of it: %+v, %v", blast, err)
	}
	if m := blast.Changed[3]; m.Kind != "accepted" || m.Before != before || m.After != after || m.Change == nil || m.Change.Cells != 8 || m.Words == "" {
		t.Errorf("moved: %+v", m)
	}

	if _, err := w.Decide(t.Context(), c.ID, knowledge.Approve, "", "", as("ada")); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("who is no steward: %v", err)
	}
	v, err := w.Decide(t.Context(), c.ID, knowledge.Approve, "finance counts it so", "", as("gil"))
	if err != nil || v.Stands != knowledge.Approved {
		t.Fatal(v.Stands, err)
	}
	a := readsIt("gil", after)
	if len(a.Remembered) != 1 || !a.Remembered[0].Agreed || a.Remembered[0].ID != c.ID || !strings.Contains(strings.Join(a.Understood.Assumptions, " "), "agreed for everybody") {
		t.Errorf("read with %+v, said %q", a.Remembered, a.Understood.Assumptions)
	}
	if got, _ := readAs(t, w, as("fay"), newID(), "revenue by category in 1997"); !strings.Contains(got, "net_revenue") && !strings.Contains(got, "Beverages") {
		t.Errorf("what somebody taught for themselves goes before: %s", got)
	}

	if _, err := w.ProposeFile(t.Context(), c.ID, false, "", as("gil")); fault.CodeOf(err) != fault.NotFound || !strings.Contains(err.Error(), "git") {
		t.Errorf("without a repository: %v", err)
	}
	if _, err := w.ProposeFile(t.Context(), c.ID, true, "", as("gil")); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("directly, where others work: %v", err)
	}
	repo := repository(t, w.dir)
	write(t, w.dir, "notes.txt", "a file that nobody has added")
	p, err := w.ProposeFile(t.Context(), c.ID, false, "", as("gil"))
	if err != nil || p.File != "context/terms/revenue.yaml" || p.Item.Branch != p.Branch || !strings.Contains(p.Patch, "+means: gross revenue") || !strings.Contains(p.Patch, "Subject: [PATCH] Agree that revenue means gross revenue") {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err := os.Stat(filepath.Join(w.dir, p.File)); !os.IsNotExist(err) {
		t.Errorf("the working copy was touched: %v", err)
	}
	merge(t, repo, p.Branch)
	w.refresh(t.Context())
	if _, l := w.Model(); l.Stale {
		t.Fatal(l.Err)
	}
	if v, err = w.SharedItem(t.Context(), c.ID, "", as("gil")); err != nil || v.Merged == nil {
		t.Fatalf("it is not recognised: %+v, %v", v.Item, err)
	}
	if a := readsIt("hal", after); a.Remembered[0].ID != "term:revenue" {
		t.Errorf("read with %+v", a.Remembered)
	}
	if _, err := w.ProposeFile(t.Context(), c.ID, false, "", as("gil")); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("written twice: %v", err)
	}

	// It outlives the program, and somebody's own meaning that is forgotten is in nobody's way.
	w.Close()
	w = openTarget(t, Target{}, home)
	readsIt("eve", after)
	if _, err := w.Decide(t.Context(), c.ID, knowledge.Revoke, "it was a mistake", "", as("fay")); err != nil {
		t.Fatal(err)
	}
	gone, err := w.ProposeFile(t.Context(), c.ID, false, "", as("fay"))
	if err != nil || !strings.Contains(gone.Patch, "-means: gross revenue") {
		t.Fatalf("the removal: %+v, %v", gone, err)
	}
	merge(t, repo, gone.Branch)
	readsIt("gil", before)
	if v, err := w.memory.VerifyAudit(t.Context()); err != nil || !v.Valid {
		t.Errorf("%+v, %v", v, err)
	}
}

func repository(t *testing.T, dir string) *gogit.Repository {
	t.Helper()
	repo, err := gogit.PlainInit(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := repo.Worktree()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"workspace.yaml", "context", "rules"} {
		if _, err := copied.Add(name); err != nil {
			t.Fatal(err)
		}
	}
	who := &object.Signature{Name: "t", Email: "t@localhost", When: time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)}
	if _, err := copied.Commit("the workspace", &gogit.CommitOptions{Author: who}); err != nil {
		t.Fatal(err)
	}
	return repo
}

// merge checks a branch out, as somebody does who merged it.
func merge(t *testing.T, repo *gogit.Repository, branch string) {
	t.Helper()
	copied, err := repo.Worktree()
	if err != nil {
		t.Fatal(err)
	}
	if err := copied.Checkout(&gogit.CheckoutOptions{Branch: plumbing.NewBranchReferenceName(branch)}); err != nil {
		t.Fatal(err)
	}
}

// TestNobodyTeachesTheOrganisationALie: what one person says often, what people who are not senior say, and what says the opposite make no candidate; a steward does not approve their own.
func TestNobodyTeachesTheOrganisationALie(t *testing.T) {
	w := openShared(t, t.TempDir())
	for range 5 {
		teach(t, w, "ada", "revenue means freight")
		teach(t, w, "ada", "revenue means gross revenue")
	}
	teach(t, w, "eve", "revenue means gross revenue")
	teach(t, w, "hal", "revenue means gross revenue")
	teach(t, w, "bob", "revenue means freight")
	teach(t, w, "cyd", "exclude beverages from revenue")
	teach(t, w, "dan", "revenue means revenue in beverages")
	for _, who := range []string{"fay", "gil"} {
		if all := shared(t, w, who); len(all) != 0 {
			t.Errorf("%s sees %+v", who, all)
		}
	}

	mine := teach(t, w, "fay", "turnover means revenue")
	v, err := w.OfferCorrection(t.Context(), mine.ID, "", as("fay"))
	if err != nil || v.Contributor != "fay" || len(v.Evidence) != 1 {
		t.Fatalf("%+v, %v", v, err)
	}
	if _, err := w.OfferCorrection(t.Context(), mine.ID, "", as("gil")); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("somebody else's correction is offered: %v", err)
	}
	if _, err := w.Decide(t.Context(), v.ID, knowledge.Approve, "", "", as("fay")); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("a steward approves what is theirs alone: %v", err)
	}
	if _, err := w.Decide(t.Context(), v.ID, knowledge.Approve, "", "", as("gil")); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("one senior is enough: %v", err)
	}
	if _, err := w.Decide(t.Context(), v.ID, knowledge.Order, "by order", "", as("gil")); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("a steward mandates: %v", err)
	}
	if _, err := w.Decide(t.Context(), v.ID, knowledge.Reject, "", "", as("gil")); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("rejected without a reason: %v", err)
	}
	if v, err = w.Decide(t.Context(), v.ID, knowledge.Reject, "nobody says so", "", as("gil")); err != nil || v.Stands != knowledge.Rejected || v.History[0].Reason != "nobody says so" {
		t.Fatalf("%+v, %v", v, err)
	}
	other, err := w.OfferCorrection(t.Context(), teach(t, w, "eve", "volume means units sold").ID, "", as("eve"))
	if err != nil {
		t.Fatal(err)
	}
	if all := shared(t, w, "hal"); len(all) != 2 || !slices.Equal(all[0].May, []knowledge.Verdict{knowledge.Order, knowledge.Endorse, knowledge.Directed}) {
		t.Errorf("an admin sees %+v", all)
	}
	if other, err = w.Decide(t.Context(), other.ID, knowledge.Order, "by order", "", as("hal")); err != nil || other.Stands != knowledge.Mandatory {
		t.Errorf("an admin mandates: %+v, %v", other, err)
	}
	if got, _ := readAs(t, w, as("bob"), newID(), "volume by category"); !strings.Contains(got, "units_sold") {
		t.Errorf("what is mandatory is not used: %s", got)
	}
	// What was rejected is not brought up again by saying it again.
	for _, who := range []string{"ada", "bob", "cyd", "dan", "gil"} {
		teach(t, w, who, "turnover means revenue")
	}
	if v, err = w.SharedItem(t.Context(), v.ID, "", as("gil")); err != nil || v.Stands != knowledge.Rejected || v.People != 6 || len(shared(t, w, "gil")) != 2 {
		t.Errorf("it came back: %+v, %v", v, err)
	}
}

// TestForgettingTakesTheEvidence: what a person has forgotten speaks for nothing shared, is not written back by a decision that was being made, and leaves no trace.
func TestForgettingTakesTheEvidence(t *testing.T) {
	home := t.TempDir()
	w := openShared(t, home)
	mine := map[string]knowledge.Correction{}
	for _, who := range []string{"ada", "bob", "cyd", "dan"} {
		mine[who] = teach(t, w, who, "Zwetschgenumsatz means revenue")
	}
	queue := shared(t, w, "gil")
	if len(queue) != 1 || queue[0].Contributor != "ada" {
		t.Fatalf("%+v", queue)
	}
	item, err := w.memory.Item(t.Context(), queue[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.ForgetCorrection(t.Context(), mine["ada"].ID, "", as("ada")); err != nil {
		t.Fatal(err)
	}
	if err := w.memory.ChangeItem(t.Context(), &item, item.Changed, analyst.Record{Kind: analyst.AuditKnowledge, Body: json.RawMessage(`{}`)}); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("a decision from before is kept: %v", err)
	}
	v, err := w.SharedItem(t.Context(), item.ID, "", as("gil"))
	if err != nil || v.Contributor != "bob" || v.Seniors != 3 || slices.Contains(v.May, knowledge.Approve) || slices.ContainsFunc(v.Evidence, func(e knowledge.Evidence) bool { return e.Actor == "ada" }) {
		t.Fatalf("%+v, %v", v, err)
	}
	for _, who := range []string{"bob", "cyd", "dan"} {
		if err := w.ForgetCorrection(t.Context(), mine[who].ID, "", as(who)); err != nil {
			t.Fatal(err)
		}
	}
	if all := shared(t, w, "gil"); len(all) != 0 {
		t.Fatalf("what nobody says is still there: %+v", all)
	}
	w.Close()
	files, err := filepath.Glob(filepath.Join(w.dir, ".assay", "memory.sqlite*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if info, err := os.Stat(f); err != nil || info.IsDir() {
			continue
		}
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), "Zwetschgen") {
			t.Errorf("%s still says it", filepath.Base(f))
		}
	}
}

// TestConsensusAtStart: what was taught while the rules asked for more people is considered when the program starts, once.
func TestConsensusAtStart(t *testing.T) {
	home := t.TempDir()
	w := openShared(t, home)
	write(t, w.dir, rules.Folder+"/"+rules.RolesFile, people+"consensus: {more_than: 4}\n")
	for _, who := range []string{"ada", "bob", "cyd", "dan"} {
		teach(t, w, who, "turnover means revenue")
	}
	if all := shared(t, w, "gil"); len(all) != 0 {
		t.Fatalf("four of five: %+v", all)
	}
	write(t, w.dir, rules.Folder+"/"+rules.RolesFile, people+"consensus: {more_than: 2}\n")
	for range 2 {
		w.Close()
		w = openTarget(t, Target{}, home)
		w.reviewing.running.Wait()
		if all := shared(t, w, "gil"); len(all) != 1 || len(all[0].Evidence) != 4 {
			t.Fatalf("after a start: %+v", all)
		}
	}
}

// TestWhoWorksAloneReviewsThemselves: one person may decide and write the file directly; that is said, and is never the best grade.
func TestWhoWorksAloneReviewsThemselves(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	told, err := w.Teach(t.Context(), analyst.Lesson{Words: "revenue means gross revenue"})
	if err != nil {
		t.Fatal(err)
	}
	if got := gradedAs(t, w, rules.Caller{}, "gross revenue"); got != "AAA" {
		t.Fatalf("without it the grade is %s", got)
	}
	v, err := w.OfferCorrection(t.Context(), told.Correction.ID, "", rules.Caller{})
	if err != nil || v.Needed != 0 || !slices.Contains(v.May, knowledge.Approve) {
		t.Fatalf("%+v, %v", v, err)
	}
	if _, err := w.ProposeFile(t.Context(), v.ID, true, "", rules.Caller{}); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("written before it was approved: %v", err)
	}
	if v, err = w.Decide(t.Context(), v.ID, knowledge.Approve, "", "", rules.Caller{}); err != nil || !v.SelfReviewed {
		t.Fatalf("%+v, %v", v, err)
	}
	if err := w.ForgetCorrection(t.Context(), told.Correction.ID, "", rules.Caller{}); err != nil {
		t.Fatal(err)
	}
	if got := gradedAs(t, w, rules.Caller{}, "revenue"); got != "SELF_REVIEWED" {
		t.Errorf("what its only author approved is graded %s", got)
	}
	p, err := w.ProposeFile(t.Context(), v.ID, true, "", rules.Caller{})
	if err != nil || p.Branch != "" || p.Item.Merged == nil {
		t.Fatalf("%+v, %v", p, err)
	}
	raw, err := os.ReadFile(filepath.Join(w.dir, p.File))
	if err != nil || !strings.Contains(string(raw), "self_reviewed: true") {
		t.Fatalf("%s, %v", raw, err)
	}
	got, a := readAs(t, w, rules.Caller{}, "", "revenue by category in 1997")
	if !strings.Contains(got, "gross_revenue") || len(a.Remembered) != 1 || !a.Remembered[0].SelfReviewed {
		t.Errorf("%s with %+v", got, a.Remembered)
	}
	if got := gradedAs(t, w, rules.Caller{}, "revenue"); got != "SELF_REVIEWED" {
		t.Errorf("what stands in a file that nobody else reviewed is graded %s", got)
	}
	entries, err := w.memory.Audit(t.Context(), memory.AuditFilter{})
	if err != nil || !slices.ContainsFunc(entries, func(e memory.AuditEntry) bool {
		return e.Kind == analyst.AuditKnowledge && strings.Contains(string(e.Body), `"what":"written"`) && strings.Contains(string(e.Body), `"self_reviewed":true`) && e.Actor != ""
	}) {
		t.Errorf("%+v, %v", entries, err)
	}
}

// gradedAs asks for a metric in the place of another one of which AAA was asked for, and gives the grade, or what stood in its way.
func gradedAs(t *testing.T, w *Workspace, who rules.Caller, metric string) string {
	t.Helper()
	s := newID()
	first, err := w.Ask(t.Context(), analyst.Request{FrameQL: "SELECT order_count AT customers.country DURING 1997 OPTIONS (verify = 'AAA')", SessionID: s, Caller: who}, nil)
	if err != nil || first.Verification == nil || first.Verification.Level != "AAA" {
		t.Fatalf("%+v, %v", first, err)
	}
	_, a := readAs(t, w, who, s, metric+" instead")
	if a.Verification != nil && a.Refusal == nil {
		return a.Verification.Level
	}
	for _, step := range a.Trace {
		if step.Name == "reproduce" {
			return step.Note
		}
	}
	return a.Refusal.Code
}

// TestWhatIsAgreedNamesNothingHidden: who does not see a table is neither told of what was agreed about it nor refused because of it.
func TestWhatIsAgreedNamesNothingHidden(t *testing.T) {
	w := openShared(t, t.TempDir())
	for _, who := range []string{"ada", "bob", "cyd", "dan"} {
		teach(t, w, who, "drinks means beverages")
	}
	all := shared(t, w, "gil")
	if len(all) != 1 {
		t.Fatalf("%+v", all)
	}
	if _, err := w.Decide(t.Context(), all[0].ID, knowledge.Approve, "", "", as("gil")); err != nil {
		t.Fatal(err)
	}
	if got, _ := readAs(t, w, as("eve"), "", "revenue of drinks in 1997"); !strings.Contains(got, "Beverages") {
		t.Errorf("it is not used: %s", got)
	}
	got, a := readAs(t, w, as("ivy"), "", "number of orders of drinks")
	raw, err := json.Marshal(a)
	if err != nil || len(a.Remembered) != 0 || strings.Contains(strings.ToLower(string(raw)), "beverages") || strings.Contains(string(raw), "agreed for") {
		t.Errorf("%s, %s", got, raw)
	}
}

// TestWhatSaysOtherwiseIsSeen: two meanings of one word are seen beside each other, also where they are about different things; and what somebody else brought is supported without being shown.
func TestWhatSaysOtherwiseIsSeen(t *testing.T) {
	w := openShared(t, t.TempDir())
	offer := func(who, words string) review.Reviewed {
		t.Helper()
		v, err := w.OfferCorrection(t.Context(), teach(t, w, who, words).ID, "", as(who))
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return v
	}
	one := offer("ada", "deal size means average order value")
	other := offer("bob", "deal size means revenue")
	if same := offer("cyd", "deal size means the average order value"); same.ID != "" || same.Stands != knowledge.Pending || len(same.Evidence) != 1 {
		t.Errorf("what ada brought is shown to cyd: %+v", same)
	}
	v, err := w.SharedItem(t.Context(), one.ID, "", as("gil"))
	if err != nil || v.People != 2 || len(v.Conflicts) != 1 || v.Conflicts[0].Item != other.ID || v.Conflicts[0].Relation != knowledge.Rival || v.Conflicts[0].Suggestion != "keep_this" {
		t.Errorf("%+v, %v", v, err)
	}
	if slices.Contains(v.May, knowledge.Offer) {
		t.Errorf("what is shared may be shared: %v", v.May)
	}
	if v, err := w.SharedItem(t.Context(), one.ID, "", as("ada")); err != nil || len(v.Conflicts) != 0 {
		t.Errorf("ada sees what bob brought: %+v, %v", v.Conflicts, err)
	}
}
