package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/memory"
	"assay/backend/review"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/session"
)

// TestAFileThatIsEditedWasReviewedByNobody: who works alone writes what a word means into a file; the log says that nobody reviewed it, and no answer that rests on it is graded AAA. Where others work,
// nobody does.
func TestAFileThatIsEditedWasReviewedByNobody(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	edit := []ContextEdit{{Path: "context/terms/sales.yaml", Text: "term: sales figures\nmeans: gross revenue\n"}}
	if err := w.SaveContext(t.Context(), edit); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if got := gradedAs(t, w, rules.Caller{}, "sales figures"); got != "SELF_REVIEWED" {
		t.Errorf("an answer that rests on it is graded %s", got)
	}
	if !audited(t, w, `"what":"edited"`, `"self_reviewed":true`, `"files":1`) {
		t.Error("the log does not say that a file was edited")
	}
	write(t, w.dir, rules.Folder+"/"+rules.RolesFile, people)
	w.refresh(t.Context())
	edit[0] = ContextEdit{Path: "context/terms/profit.yaml", Text: "term: profit\nmeans: revenue\n"}
	if err := w.SaveContext(t.Context(), edit); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("where others work it is written: %v", err)
	}
	if _, err := os.Stat(filepath.Join(w.dir, edit[0].Path)); err == nil {
		t.Error("the file is there")
	}
}

// audited says whether an entry of the log about shared knowledge has all of some words.
func audited(t *testing.T, w *Workspace, words ...string) bool {
	t.Helper()
	entries, err := w.memory.Audit(t.Context(), memory.AuditFilter{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(entries, func(e memory.AuditEntry) bool {
		return e.Kind == analyst.AuditKnowledge && e.Actor != "" && !slices.ContainsFunc(words, func(s string) bool { return !strings.Contains(string(e.Body), s) })
	})
}

// TestWhatWasAgreedIsLookedAt: what everybody agreed to leave out of a metric is left out where words ask for it, and looked for where a query is written by hand.
func TestWhatWasAgreedIsLookedAt(t *testing.T) {
	w := openShared(t, t.TempDir())
	for _, who := range []string{"ada", "bob", "cyd", "dan"} {
		teach(t, w, who, "exclude beverages from revenue")
	}
	all := shared(t, w, "gil")
	if len(all) != 1 || all[0].Category != knowledge.Gotcha {
		t.Fatalf("%+v", all)
	}
	looked := func(a *analyst.Answer) string {
		for _, c := range a.Verification.Checks {
			if c.Code == "AGREED_ROWS" {
				return c.Status
			}
		}
		return ""
	}
	byHand := func(query string) string {
		t.Helper()
		a, err := w.Ask(t.Context(), analyst.Request{FrameQL: query, SessionID: "s", Caller: as("eve")}, nil)
		if err != nil || a.Verification == nil {
			t.Fatalf("%+v, %v", a, err)
		}
		return looked(a)
	}
	if got := byHand("SELECT revenue DURING 1997"); got != "" {
		t.Errorf("before it was agreed it is %s", got)
	}
	if _, err := w.Decide(t.Context(), all[0].ID, knowledge.Approve, "", "", as("gil")); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"SELECT revenue DURING 1997": "finding",
		"SELECT revenue WHERE categories.category_name <> 'Beverages' DURING 1997":          "passed",
		"SELECT revenue FILTER (WHERE categories.category_name <> 'Beverages') DURING 1997": "passed",
		"SELECT revenue WHERE categories.category_name = 'Beverages' DURING 1997":           "finding",
		"SELECT order_count DURING 1997":                                                    "",
	} {
		if got := byHand(query); got != want {
			t.Errorf("%s is %q, want %q", query, got, want)
		}
	}
	if got, a := readAs(t, w, as("eve"), "s", "revenue in 1997"); looked(a) != "passed" {
		t.Errorf("%s is %q", got, looked(a))
	}
	if _, err := w.Decide(t.Context(), all[0].ID, knowledge.Revoke, "it was wrong", "", as("gil")); err != nil {
		t.Fatal(err)
	}
	if got := byHand("SELECT revenue DURING 1997"); got != "" {
		t.Errorf("after it was revoked it is %s", got)
	}
	if r := replay(t, w, "s", ReplayOptions{}); r.Same != 8 {
		t.Errorf("asked again: %+v", r.Turns)
	}
}

// TestAStrangerDecidesNothing: somebody who is in no list is not alone in a workspace that has a person.
func TestAStrangerDecidesNothing(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	write(t, w.dir, rules.Folder+"/"+rules.RolesFile, `
default_role: analyst
roles:
  - {name: analyst, schemas: ["*"], tables: ["*"]}
  - {name: steward, schemas: ["*"], tables: ["*"], steward: true}
actors:
  - {id: ada, kind: human, role: analyst, binds: {os_users: [ada]}}
`)
	w.refresh(t.Context())
	if _, l := w.Model(); l.Stale {
		t.Fatal(l.Err)
	}
	c := teach(t, w, "bob", "revenue means gross revenue")
	v, err := w.OfferCorrection(t.Context(), c.ID, "", as("bob"))
	if err != nil || slices.Contains(v.May, knowledge.Approve) {
		t.Fatalf("%+v, %v", v.May, err)
	}
	for _, verdict := range []knowledge.Verdict{knowledge.Approve, knowledge.Reject, knowledge.Order} {
		if _, err := w.Decide(t.Context(), v.ID, verdict, "why not", "", as("bob")); fault.CodeOf(err) != fault.Unauthorized {
			t.Errorf("%s: %v", verdict, err)
		}
	}
	if _, err := w.DirectItem(t.Context(), v.ID, knowledge.Reach{Sensitivity: knowledge.Confidential}, "", "", as("bob")); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("directed: %v", err)
	}
	if _, err := w.ProposeFile(t.Context(), v.ID, true, "", as("bob")); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("proposed: %v", err)
	}
	mine := teach(t, w, "ada", "freight means freight cost")
	if v, err = w.OfferCorrection(t.Context(), mine.ID, "", as("ada")); err != nil {
		t.Fatal(err)
	}
	if v, err = w.Decide(t.Context(), v.ID, knowledge.Approve, "", "", as("ada")); err != nil || !v.SelfReviewed {
		t.Errorf("who is alone approves nothing: %+v, %v", v, err)
	}
}

// TestWhoKeepsTheRulesIsToldOfPermissions: words that want to see more change nothing, and every role that decides about what is shared is told of them, once while it has not looked.
func TestWhoKeepsTheRulesIsToldOfPermissions(t *testing.T) {
	w := openShared(t, t.TempDir())
	for range 3 {
		if _, err := w.Teach(t.Context(), analyst.Lesson{Words: "I should be able to see the phone number of ann@example.org", Caller: as("eve")}); fault.CodeOf(err) != fault.Unauthorized {
			t.Fatal(err)
		}
	}
	told := func(who string) []memory.StoredNotice {
		t.Helper()
		all, err := w.Inbox(t.Context(), "", as(who))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	for who, n := range map[string]int{"gil": 1, "fay": 1, "hal": 1, "ada": 0, "eve": 0, "ivy": 0} {
		all := told(who)
		if len(all) != n {
			t.Fatalf("%s is told %+v", who, all)
		}
		if n == 1 && (all[0].Kind != analyst.NoticeSecurity || all[0].RequestID != "" || !strings.Contains(all[0].Words, "eve wanted") || strings.Contains(all[0].Words, "ann@")) {
			t.Errorf("%s is told %+v", who, all[0])
		}
	}
	if err := w.ReadNotice(t.Context(), told("gil")[0].ID, "", as("gil")); err != nil {
		t.Fatal(err)
	}
	_, _ = w.Teach(t.Context(), analyst.Lesson{Words: "I should be able to see the phone number of ann@example.org", Caller: as("eve")})
	if all := told("gil"); len(all) != 2 || !all[1].Read || all[0].Read {
		t.Errorf("after it was read, the next is %+v", all)
	}
	if all := told("hal"); len(all) != 1 {
		t.Errorf("the admin is told %+v", all)
	}
	entries, err := w.memory.Audit(t.Context(), memory.AuditFilter{Actor: "eve"})
	if err != nil || len(entries) != 4 || entries[0].Kind != analyst.AuditSecurity {
		t.Errorf("%+v, %v", entries, err)
	}
}

// TestPersonalValuesAreSharedWithNobody: what holds one is offered to nobody and becomes no candidate; the words that stand behind a piece lose theirs; and so does a reason.
func TestPersonalValuesAreSharedWithNobody(t *testing.T) {
	w := openShared(t, t.TempDir())
	for _, who := range []string{"ada", "bob", "cyd", "dan"} {
		if c, err := w.Teach(t.Context(), analyst.Lesson{Words: "ann@example.org means beverages", Caller: as(who)}); err == nil && c.Correction != nil {
			w.reviewing.running.Wait()
			if _, err := w.OfferCorrection(t.Context(), c.Correction.ID, "", as(who)); fault.CodeOf(err) != fault.Conflict {
				t.Errorf("%s offers it: %v", who, err)
			}
		}
	}
	if all := shared(t, w, "gil"); len(all) != 0 {
		t.Fatalf("it waits: %+v", all)
	}
	for _, who := range []string{"ada", "bob", "cyd", "dan"} {
		teach(t, w, who, "drinks means beverages")
	}
	all := shared(t, w, "gil")
	if len(all) != 1 {
		t.Fatalf("%+v", all)
	}
	v, err := w.Decide(t.Context(), all[0].ID, knowledge.Approve, "ann@example.org wants it", "", as("gil"))
	if err != nil {
		t.Fatal(err)
	}
	if len(v.History) != 1 || strings.Contains(v.History[0].Reason, "ann@") || !strings.Contains(v.History[0].Reason, "wants it") {
		t.Errorf("it is kept: %+v", v.History)
	}
}

// TestAThumbDownSaysWhyItTaughtNothing: words that want to teach and cannot are answered; an opinion is kept without a word.
func TestAThumbDownSaysWhyItTaughtNothing(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	_, a := readAs(t, w, bob, newID(), "revenue by category in 1997")
	for words, want := range map[string]string{
		"I should be able to see the phone numbers": "those who keep them were told",
		"sales means the blurb of last week":        "is not understood in this workspace",
		"round to nine decimals":                    "cannot be chosen for decimals",
		"that is just wrong":                        "",
		"":                                          "",
	} {
		f, told, err := w.Opine(t.Context(), analyst.Opinion{RequestID: a.RequestID, Feedback: &session.Feedback{Thumb: "down", Words: words}, Caller: bob})
		if err != nil || f == nil || f.Words != words {
			t.Fatalf("%q: %+v, %v", words, f, err)
		}
		switch {
		case want == "" && told != nil:
			t.Errorf("%q is answered %s", words, told.Words)
		case want != "" && (told == nil || told.Correction != nil || told.Preference != nil || !strings.Contains(told.Words, want)):
			t.Errorf("%q is answered %+v", words, told)
		}
	}
}

// TestWhatAPieceIsAbout: the entities that a meaning speaks of are proposed with it, with their domains and tags, and what is about a whole is found by its parts.
func TestWhatAPieceIsAbout(t *testing.T) {
	w := openShared(t, t.TempDir())
	c := teach(t, w, "ada", "drinks sales means revenue in beverages")
	v, err := w.OfferCorrection(t.Context(), c.ID, "", as("ada"))
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if !slices.Contains(v.Entities, "categories") || !slices.Contains(v.Entities, "order_lines") || !slices.IsSorted(v.Entities) {
		t.Errorf("about %v, tags %v", v.Entities, v.Tags)
	}
}

// TestWhatIsWrittenDown: something that gives no word a meaning is put before the stewards, called and said otherwise, mandated by an admin, and waits again when it says something else.
func TestWhatIsWrittenDown(t *testing.T) {
	w := openShared(t, t.TempDir())
	d := knowledge.Description{Title: " Part  years ", Content: "1996 and 1998 are not whole years.", Category: knowledge.Gotcha, Entities: []string{"Orders", "orders"}, Tags: []string{"time", " time "}}
	v, err := w.WriteItem(t.Context(), d, "", as("eve"))
	if err != nil || v.Title != "Part years" || v.Term != "" || v.Contributor != "eve" || v.Stands != knowledge.Pending || v.Domain != "orders" || !slices.Equal(v.Entities, []string{"orders"}) || !slices.Equal(v.Tags, []string{"time"}) {
		t.Fatalf("%+v, %v", v, err)
	}
	for name, wrong := range map[string]struct {
		change func(*knowledge.Description)
		want   fault.Code
	}{
		"no title":     {func(d *knowledge.Description) { d.Title = " " }, fault.Invalid},
		"nothing said": {func(d *knowledge.Description) { d.Content = "\n" }, fault.Invalid},
		"no category":  {func(d *knowledge.Description) { d.Category = "order" }, fault.Invalid},
		"no entity":    {func(d *knowledge.Description) { d.Entities = []string{"planets"} }, fault.Invalid},
		"too long":     {func(d *knowledge.Description) { d.Content = strings.Repeat("x", 2001) }, fault.Limit},
		"many tags": {func(d *knowledge.Description) {
			d.Tags = strings.Split(strings.Repeat("a ", 3)+"b c d e f g h i j k l m n o p q r s t u v", " ")
		}, fault.Limit},
		"a personal value": {func(d *knowledge.Description) { d.Content = "ask ann@example.org" }, fault.Conflict},
	} {
		to := d
		wrong.change(&to)
		if _, err := w.DescribeItem(t.Context(), v.ID, to, "", "", as("eve")); fault.CodeOf(err) != wrong.want {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := w.WriteItem(t.Context(), to, "", as("eve")); fault.CodeOf(err) != wrong.want {
			t.Errorf("%s, written: %v", name, err)
		}
	}
	if _, err := w.DescribeItem(t.Context(), v.ID, d, "", "", as("ada")); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("by somebody who does not see it: %v", err)
	}
	if v, err = w.Decide(t.Context(), v.ID, knowledge.Order, "it is always forgotten", "", as("hal")); err != nil || v.Stands != knowledge.Mandatory || v.SelfReviewed {
		t.Fatalf("%+v, %v", v, err)
	}
	if _, err := w.DescribeItem(t.Context(), v.ID, d, "", "", as("ada")); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("by a reader: %v", err)
	}
	d.Tags = []string{"time", "coverage"}
	if v, err = w.DescribeItem(t.Context(), v.ID, d, "another tag", "", as("gil")); err != nil || v.Stands != knowledge.Mandatory || !slices.Equal(v.Tags, []string{"coverage", "time"}) {
		t.Fatalf("%+v, %v", v, err)
	}
	d.Content = "1998 is no whole year."
	if v, err = w.DescribeItem(t.Context(), v.ID, d, "", "", as("gil")); err != nil || v.Stands != knowledge.Pending || v.History[len(v.History)-1].Verdict != knowledge.Described {
		t.Fatalf("%+v, %v", v, err)
	}
	if _, err := w.ProposeFile(t.Context(), v.ID, false, "", as("gil")); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("it is written into a file of terms: %v", err)
	}
	if !audited(t, w, `"what":"written down"`) || !audited(t, w, `"what":"described"`) {
		t.Error("the log does not say it")
	}
}

// TestOneWordInTwoDomains: what gives a word another meaning is seen beside a piece wherever that meaning is, in the list and on its page.
func TestOneWordInTwoDomains(t *testing.T) {
	w := openShared(t, t.TempDir())
	var ids []string
	for who, says := range map[string]string{"ada": "takings means gross revenue", "bob": "takings means customer count"} {
		offered, err := w.OfferCorrection(t.Context(), teach(t, w, who, says).ID, "", as(who))
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		ids = append(ids, offered.ID)
	}
	listed := shared(t, w, "gil")
	for _, id := range ids {
		v, err := w.SharedItem(t.Context(), id, "", as("gil"))
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		at := slices.IndexFunc(listed, func(o review.Reviewed) bool { return o.ID == id })
		if len(v.Conflicts) != 1 || v.Conflicts[0].Relation != knowledge.Rival || len(listed[at].Conflicts) != 1 {
			t.Errorf("%s of %s: %+v, in the list %+v", v.Means, v.Domain, v.Conflicts, listed[at].Conflicts)
		}
	}
	if listed[0].Domain == listed[1].Domain {
		t.Errorf("both are of %s", listed[0].Domain)
	}
}

// TestATermInConflict: a file that git left in conflict is named with its line, what was agreed before holds until it is mended, and then the merged one does.
func TestATermInConflict(t *testing.T) {
	w := openShared(t, t.TempDir())
	term := func(lines string) semantic.Loaded {
		t.Helper()
		write(t, w.dir, "context/terms/takings.yaml", lines)
		w.refresh(t.Context())
		_, loaded := w.Model()
		return loaded
	}
	read := func() string {
		t.Helper()
		q, _ := readAs(t, w, as("eve"), newID(), "takings by category in 1997")
		return q
	}
	if l := term("term: takings\nmeans: gross revenue\napproved: {by: gil, at: 2026-01-01}\n"); l.Stale {
		t.Fatal(l.Err)
	}
	before := read()
	l := term("term: takings\n<<<<<<< HEAD\nmeans: gross revenue\n=======\nmeans: net revenue\n>>>>>>> other\n")
	if !l.Stale || !strings.Contains(fault.Detail(l.Err), "context/terms/takings.yaml:2") {
		t.Errorf("%v: %s", l.Stale, fault.Detail(l.Err))
	}
	if again := read(); again != before || !strings.Contains(before, "gross_revenue") {
		t.Errorf("before %q, in conflict %q", before, again)
	}
	if l := term("term: takings\nmeans: freight\napproved: {by: gil, at: 2026-01-02}\n"); l.Stale || strings.Contains(read(), "gross_revenue") {
		t.Errorf("%v, %s", l.Err, read())
	}
}
