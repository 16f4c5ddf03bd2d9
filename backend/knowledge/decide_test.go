package knowledge_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
)

// council has seniors s1 to s9, stewards k1 and k2, and the admin root, in a workspace of many.
func council() knowledge.Council {
	return knowledge.Council{
		Senior:   func(a string) bool { return a[0] == 's' || a[0] == 'k' },
		Steward:  func(a string) bool { return a[0] == 'k' },
		Admin:    func(a string) bool { return a == "root" },
		MoreThan: 3, People: 40,
	}
}

func viewer(actor string, groups ...string) knowledge.Viewer {
	return knowledge.Viewer{Actor: actor, Steward: actor[0] == 'k' || actor == "root", Groups: groups}
}

// item is pending, and these people said it; the first brought it.
func item(people ...string) knowledge.Item {
	i := knowledge.Item{ID: "i", Contributor: people[0], Status: knowledge.Pending}
	for _, p := range people {
		i.Evidence = append(i.Evidence, knowledge.Evidence{Actor: p, Detection: knowledge.ByCorrection, At: now})
	}
	return i
}

func decided(t *testing.T, c knowledge.Council, i knowledge.Item, by string, v knowledge.Verdict, reason string) knowledge.Item {
	t.Helper()
	out, err := c.Decide(i, knowledge.Decision{Verdict: v, By: by, Reason: reason, At: now}, viewer(by))
	if err != nil {
		t.Fatalf("%s by %s: %v", v, by, err)
	}
	return out
}

func TestDecisions(t *testing.T) {
	enough := item("a", "s1", "s2", "s3", "s4")
	approved := decided(t, council(), enough, "k1", knowledge.Approve, "")
	mandatory := decided(t, council(), approved, "root", knowledge.Order, "the board wants it")
	hidden := decided(t, council(), enough, "a", knowledge.Hide, "")
	endorsed := decided(t, council(), approved, "b", knowledge.Endorse, "")
	for _, c := range []struct {
		name    string
		item    knowledge.Item
		by      string
		verdict knowledge.Verdict
		reason  string
		want    fault.Code
	}{
		{"approved by nobody senior enough", enough, "s1", knowledge.Approve, "", fault.NotFound},
		{"approved by its contributor", enough, "a", knowledge.Approve, "", fault.Unauthorized},
		{"three seniors are too few", item("a", "s1", "s2", "s3"), "k1", knowledge.Approve, "", fault.Conflict},
		{"one senior often is one", item("s1", "s1", "s1", "s1", "s1", "s1"), "k1", knowledge.Approve, "", fault.Conflict},
		{"juniors are none", item("a", "b", "c", "d", "e"), "k1", knowledge.Approve, "", fault.Conflict},
		{"a steward alone with their own", item("k1"), "k1", knowledge.Approve, "", fault.Conflict},
		{"approved twice", approved, "k2", knowledge.Approve, "", fault.Conflict},
		{"mandated by a steward", approved, "k1", knowledge.Order, "why", fault.Unauthorized},
		{"mandated by its only author", item("root"), "root", knowledge.Order, "why", fault.Conflict},
		{"mandated without a reason", approved, "root", knowledge.Order, " ", fault.Invalid},
		{"rejected by a reader", enough, "a", knowledge.Reject, "why", fault.Unauthorized},
		{"rejected without a reason", enough, "k1", knowledge.Reject, "", fault.Invalid},
		{"rejected when it is approved", approved, "k1", knowledge.Reject, "why", fault.Conflict},
		{"revoked when it is pending", enough, "k1", knowledge.Revoke, "why", fault.Conflict},
		{"made personal by a steward", enough, "k1", knowledge.Hide, "", fault.Unauthorized},
		{"made personal when it is mandatory", mandatory, "a", knowledge.Hide, "", fault.Conflict},
		{"a personal one, by a steward", hidden, "k1", knowledge.Approve, "", fault.NotFound},
		{"a personal one, by its contributor", hidden, "a", knowledge.Endorse, "", fault.Conflict},
		{"endorsed twice", endorsed, "b", knowledge.Endorse, "", fault.Conflict},
		{"endorsed by who does not see it", enough, "b", knowledge.Endorse, "", fault.NotFound},
		{"a verdict that is none", enough, "k1", "promote", "", fault.Invalid},
	} {
		out, err := council().Decide(c.item, knowledge.Decision{Verdict: c.verdict, By: c.by, Reason: c.reason, At: now}, viewer(c.by))
		if fault.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if err != nil && !reflect.DeepEqual(out, c.item) {
			t.Errorf("%s: it was changed", c.name)
		}
	}
	if len(enough.History) != 0 || len(enough.Evidence) != 5 {
		t.Error("a decision changed the item that it was about")
	}
	if got := decided(t, council(), mandatory, "k1", knowledge.Revoke, "it was wrong"); got.Status != knowledge.Revoked || len(got.History) != 3 {
		t.Errorf("%+v", got)
	}
	if got := decided(t, council(), hidden, "a", knowledge.Offer, ""); got.Personal || got.Status != knowledge.Pending {
		t.Errorf("%+v", got)
	}
}

func TestAWorkspaceOfOne(t *testing.T) {
	c := council()
	c.People = 1
	if got := decided(t, c, item("a"), "a", knowledge.Approve, ""); got.Status != knowledge.Approved || !got.SelfReviewed {
		t.Errorf("%+v", got)
	}
	if got := decided(t, c, item("root"), "root", knowledge.Order, "it must be"); got.Status != knowledge.Mandatory || !got.SelfReviewed {
		t.Errorf("%+v", got)
	}
	if got := decided(t, c, item("a"), "root", knowledge.Order, "it must be"); got.SelfReviewed {
		t.Errorf("what somebody else said before is called one's own: %+v", got)
	}
}

func TestWhoSeesWhat(t *testing.T) {
	base := item("a", "s1", "s2", "s3", "s4")
	with := func(change func(*knowledge.Item)) knowledge.Item {
		i := base
		change(&i)
		return i
	}
	approved := with(func(i *knowledge.Item) { i.Status = knowledge.Approved })
	for _, c := range []struct {
		name string
		item knowledge.Item
		sees []string // of a (the contributor), b, k1 and fin, who is in the group finance
	}{
		{"pending", base, []string{"a", "k1"}},
		{"approved", approved, []string{"a", "b", "k1", "fin"}},
		{"for a group", with(func(i *knowledge.Item) { i.Status, i.Audience = knowledge.Approved, "finance" }), []string{"a", "k1", "fin"}},
		{"personal", with(func(i *knowledge.Item) { i.Personal = true }), []string{"a"}},
		{"personal, and approved by a damaged store", with(func(i *knowledge.Item) { i.Status, i.Personal = knowledge.Approved, true }), []string{"a"}},
		{"rejected", with(func(i *knowledge.Item) { i.Status = knowledge.Rejected }), []string{"a", "k1"}},
		{"revoked", with(func(i *knowledge.Item) { i.Status = knowledge.Revoked }), []string{"a", "k1"}},
		{"over", with(func(i *knowledge.Item) { i.Status, i.Until = knowledge.Mandatory, now }), []string{"a", "k1"}},
		{"not yet", with(func(i *knowledge.Item) { i.Status, i.From = knowledge.Approved, now.Add(time.Hour) }), []string{"a", "k1"}},
	} {
		var sees []string
		for _, v := range []knowledge.Viewer{viewer("a"), viewer("b"), viewer("k1"), viewer("fin", "finance")} {
			if c.item.Visible(v, now) {
				sees = append(sees, v.Actor)
			}
		}
		if !slices.Equal(sees, c.sees) {
			t.Errorf("%s: seen by %v, want %v", c.name, sees, c.sees)
		}
	}
	if approved.Visible(knowledge.Viewer{}, now) != true || base.Visible(knowledge.Viewer{}, now) {
		t.Error("nobody sees what is shared with everyone, and nothing else")
	}
	nameless := base
	nameless.Contributor = ""
	if nameless.Visible(knowledge.Viewer{}, now) {
		t.Error("what has no contributor is nobody's own")
	}
}

func TestConsensus(t *testing.T) {
	alike := func(a, b knowledge.Corrected) float64 {
		if a.ID[0] == b.ID[0] {
			return 0.9
		}
		return 0.85 // not more than the limit
	}
	c := council()
	agree := knowledge.Agreement{MoreThan: 3, Similarity: 0.85, Senior: c.Senior, Alike: alike}
	all := []knowledge.Corrected{
		{"x1", "s1", "Revenue"},
		{"x2", "s2", "Revenue"},
		{"x3", "s3", "Revenue"},
		{"x4", "s3", "Revenue"},
		{"x5", "a", "Revenue"},
		{"y1", "s5", "Revenue"},
		{"x6", "s6", "Churn"},
		{"x7", "", "Revenue"},
	}
	if got, reached := agree.Reached(all[0], all[1:]); reached || !slices.Equal(got.Seniors, []string{"s1", "s2", "s3"}) || len(got.Corrections) != 5 {
		t.Errorf("%+v", got)
	}
	fourth := knowledge.Corrected{ID: "x8", Actor: "s4", Domain: "Revenue"}
	got, reached := agree.Reached(fourth, all)
	if !reached || !slices.Equal(got.Seniors, []string{"s1", "s2", "s3", "s4"}) {
		t.Errorf("%+v", got)
	}
	slices.Reverse(all)
	if again, _ := agree.Reached(fourth, append(all, all...)); !reflect.DeepEqual(again, got) {
		t.Errorf("another order gives %+v", again)
	}
}

func TestOnesOwnIsNotEnough(t *testing.T) {
	c := council()
	c.MoreThan = 0
	if _, err := c.Decide(item("k1"), knowledge.Decision{Verdict: knowledge.Approve, By: "k1", At: now}, viewer("k1")); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("a steward approved what is theirs alone: %v", err)
	}
	if got := decided(t, c, item("k1"), "k2", knowledge.Approve, ""); got.Status != knowledge.Approved || got.SelfReviewed {
		t.Errorf("%+v", got)
	}
}

func TestADecisionLeavesWhatItWasAbout(t *testing.T) {
	pending := item("a", "b", "c")
	pending.Evidence = pending.Evidence[:2]
	pending.History = make([]knowledge.Decision, 0, 4)
	first := decided(t, council(), pending, "k1", knowledge.Endorse, "")
	second := decided(t, council(), pending, "k2", knowledge.Endorse, "")
	if first.Evidence[2].Actor != "k1" || second.Evidence[2].Actor != "k2" || first.History[0].By != "k1" {
		t.Errorf("%+v", first)
	}
}

func TestWhatCounts(t *testing.T) {
	for name, c := range map[string]struct {
		item knowledge.Item
		want bool
	}{
		"approved":  {knowledge.Item{Status: knowledge.Approved}, true},
		"mandatory": {knowledge.Item{Status: knowledge.Mandatory, Until: now.Add(1)}, true},
		"over":      {knowledge.Item{Status: knowledge.Mandatory, Until: now}, false},
		"not yet":   {knowledge.Item{Status: knowledge.Approved, From: now.Add(1)}, false},
		"pending":   {knowledge.Item{Status: knowledge.Pending}, false},
		"personal":  {knowledge.Item{Status: knowledge.Approved, Personal: true}, false},
	} {
		if got := c.item.Counts(now); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
