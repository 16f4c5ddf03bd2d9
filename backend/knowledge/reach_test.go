package knowledge_test

import (
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
)

// TestWhoSaysWhomAnItemReaches: a steward, an admin, and who works alone; and only what can be.
func TestWhoSaysWhomAnItemReaches(t *testing.T) {
	waits := item("a", "s1", "s2", "s3", "s4")
	approved := decided(t, council(), waits, "k1", knowledge.Approve, "")
	narrow := approved
	narrow.Audience = "sales"
	hidden := decided(t, council(), waits, "a", knowledge.Hide, "")
	rejected := decided(t, council(), waits, "k1", knowledge.Reject, "no")
	older := item("b")
	older.ID, older.Status = "older", knowledge.Approved
	loop := older
	loop.ID, loop.Supersedes = "loop", "i"
	personal := item("b")
	personal.ID, personal.Personal = "personal", true
	others := []knowledge.Item{older, loop, personal}
	tomorrow := now.Add(24 * time.Hour)
	for _, c := range []struct {
		name string
		item knowledge.Item
		by   string
		to   knowledge.Reach
		want fault.Code
		then knowledge.Status
	}{
		{"a steward, of what waits", waits, "k1", knowledge.Reach{Audience: "sales", Until: tomorrow}, "", knowledge.Pending},
		{"an admin, of what was approved", approved, "root", knowledge.Reach{Audience: "sales", Sensitivity: knowledge.Confidential}, "", knowledge.Approved},
		{"in the place of another", approved, "k1", knowledge.Reach{Supersedes: "older"}, "", knowledge.Approved},
		{"wider than was approved", narrow, "k1", knowledge.Reach{}, "", knowledge.Pending},
		{"for other people than was approved", narrow, "k1", knowledge.Reach{Audience: "ops"}, "", knowledge.Pending},
		{"its contributor", waits, "a", knowledge.Reach{Audience: "sales"}, fault.Unauthorized, ""},
		{"somebody who does not see it", waits, "b", knowledge.Reach{}, fault.NotFound, ""},
		{"of what is personal", hidden, "k1", knowledge.Reach{}, fault.NotFound, ""},
		{"of what was rejected", rejected, "k1", knowledge.Reach{}, fault.Conflict, ""},
		{"for a group that is none", approved, "k1", knowledge.Reach{Audience: "martians"}, fault.Invalid, ""},
		{"until a time that is over", approved, "k1", knowledge.Reach{Until: now}, fault.Invalid, ""},
		{"that ends before it begins", approved, "k1", knowledge.Reach{From: tomorrow.Add(time.Hour), Until: tomorrow}, fault.Invalid, ""},
		{"of a sensitivity that is none", approved, "k1", knowledge.Reach{Sensitivity: "secretish"}, fault.Invalid, ""},
		{"in its own place", approved, "k1", knowledge.Reach{Supersedes: "i"}, fault.Invalid, ""},
		{"in each other's place", approved, "k1", knowledge.Reach{Supersedes: "loop"}, fault.Invalid, ""},
		{"in the place of nothing", approved, "k1", knowledge.Reach{Supersedes: "nothing"}, fault.NotFound, ""},
		{"in the place of what is somebody's own", approved, "k1", knowledge.Reach{Supersedes: "personal"}, fault.NotFound, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := len(c.item.History)
			out, err := council().Direct(c.item, c.to, knowledge.Decision{By: c.by, At: now, Reason: "why"}, viewer(c.by), others, []string{"ops", "sales"})
			if fault.CodeOf(err) != c.want {
				t.Fatalf("it says %v, want %q", err, c.want)
			}
			if len(c.item.History) != before {
				t.Error("the item that was given is another now")
			}
			if c.want != "" {
				return
			}
			last := out.History[len(out.History)-1]
			if out.Reach() != c.to || out.Status != c.then || last.Verdict != knowledge.Directed || last.By != c.by || last.Reason != "why" {
				t.Errorf("it is %+v", out)
			}
		})
	}
	alone := council()
	alone.People = 1
	if _, err := alone.Direct(waits, knowledge.Reach{Until: tomorrow}, knowledge.Decision{By: "a", At: now}, viewer("a"), nil, nil); err != nil {
		t.Errorf("who works alone: %v", err)
	}
}

// TestWhatIsInForce: what stands in the place of something else does so where it counts, for whom it counts.
func TestWhatIsInForce(t *testing.T) {
	made := func(id, audience, supersedes string, from, until time.Time) knowledge.Item {
		return knowledge.Item{ID: id, Contributor: "a", Status: knowledge.Approved, Audience: audience, Supersedes: supersedes, From: from, Until: until}
	}
	var none time.Time
	all := []knowledge.Item{
		made("old", "", "", none, none),
		made("new", "sales", "old", none, now.Add(time.Hour)),
		made("later", "", "new", now.Add(time.Minute), none),
		{ID: "waits", Status: knowledge.Pending, Supersedes: "old"},
		{ID: "own", Status: knowledge.Approved, Personal: true, Supersedes: "old"},
	}
	for _, c := range []struct {
		name string
		to   knowledge.Viewer
		at   time.Time
		want string
	}{
		{"everyone", viewer("x"), now, "old"},
		{"the group", viewer("x", "sales"), now, "new"},
		{"the group, once a later one holds", viewer("x", "sales"), now.Add(2 * time.Minute), "later"}, // what was replaced does not come back with that
		{"the group, once it is over", viewer("x", "sales"), now.Add(time.Hour), "later old"},
	} {
		table, got := knowledge.DefaultTable(), ""
		var weighed []*knowledge.Weighed
		for _, i := range all {
			weighed = append(weighed, table.Weigh(i, nobody))
		}
		one := func(knowledge.Item) float64 { return 1 }
		for _, i := range table.Digest(weighed, c.to, c.at, one, 10, func(knowledge.Item) int { return 1 }, always).Items {
			got += " " + i.ID
		}
		if got != " "+c.want {
			t.Errorf("%s:%s, want %s", c.name, got, c.want)
		}
	}
}
