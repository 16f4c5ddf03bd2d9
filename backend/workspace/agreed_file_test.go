package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/review"
	"assay/backend/session"
)

// agreedOn has four seniors say what a word means and a steward approve it.
func agreedOn(t *testing.T, w *Workspace, term, means string) review.Reviewed {
	t.Helper()
	for _, who := range []string{"ada", "bob", "cyd", "dan"} {
		teach(t, w, who, term+" means "+means)
	}
	for _, v := range shared(t, w, "gil") {
		if v.Term == term && v.Means == means {
			v, err := w.Decide(t.Context(), v.ID, knowledge.Approve, "", "", as("gil"))
			if err != nil {
				t.Fatal(fault.Detail(err))
			}
			return v
		}
	}
	t.Fatalf("nothing says that %s means %s", term, means)
	return review.Reviewed{}
}

// mergeFile writes the proposed file of a piece, as people changed it.
func mergeFile(t *testing.T, w *Workspace, id string, edited ...string) string {
	t.Helper()
	gil, err := w.Identify("", as("gil"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := w.reviewing.board.Propose(t.Context(), gil, id)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	write(t, w.dir, p.File, strings.NewReplacer(edited...).Replace(string(p.Text)))
	w.refresh(t.Context())
	return p.File
}

func means(t *testing.T, w *Workspace, want string) {
	t.Helper()
	if got, _ := readAs(t, w, as("eve"), newID(), "turnover in 1997"); got != "SELECT "+want+" DURING 1997" {
		t.Errorf("turnover is read as %q, want %s", got, want)
	}
}

func TestWhatWasAgreedLaterHoldsOnceItIsInTheFiles(t *testing.T) {
	for _, supersedes := range []bool{false, true} {
		w := openShared(t, t.TempDir())
		old := agreedOn(t, w, "turnover", "gross revenue")
		means(t, w, "gross_revenue")
		fresh := agreedOn(t, w, "turnover", "freight")
		if supersedes {
			if _, err := w.DirectItem(t.Context(), fresh.ID, knowledge.Reach{Supersedes: old.ID}, "", "", as("gil")); err != nil {
				t.Fatal(fault.Detail(err))
			}
		}
		means(t, w, "freight")
		mergeFile(t, w, fresh.ID)
		if v, err := w.SharedItem(t.Context(), fresh.ID, "", as("gil")); err != nil || v.Merged == nil {
			t.Fatalf("%+v, %v", v, err)
		}
		means(t, w, "freight")
	}
}

// Whoever merges a proposal may word it otherwise: what the files came to say holds.
func TestTheWordingThatWasMergedHolds(t *testing.T) {
	w := openShared(t, t.TempDir())
	fresh := agreedOn(t, w, "turnover", "freight")
	means(t, w, "freight")
	file := mergeFile(t, w, fresh.ID, "freight", "gross revenue")
	means(t, w, "gross_revenue")
	if err := os.Remove(filepath.Join(w.dir, filepath.FromSlash(file))); err != nil {
		t.Fatal(err)
	}
	w.refresh(t.Context())
	means(t, w, "freight") // it stands approved, until a steward revokes it
}

func TestNarrowingHoldsAlsoForWhatTheFilesSay(t *testing.T) {
	reach := map[string]func(now time.Time) knowledge.Reach{
		"a group":      func(time.Time) knowledge.Reach { return knowledge.Reach{Audience: "sales"} },
		"confidential": func(time.Time) knowledge.Reach { return knowledge.Reach{Sensitivity: knowledge.Confidential} },
		"a time":       func(now time.Time) knowledge.Reach { return knowledge.Reach{Until: now.Add(time.Hour)} },
		"nobody":       nil,
	}
	for name, to := range reach {
		t.Run(name, func(t *testing.T) {
			now := time.Now()
			home := t.TempDir()
			w := openShared(t, home)
			w.opts.Now = func() time.Time { return now }
			fresh := agreedOn(t, w, "turnover", "freight")
			mergeFile(t, w, fresh.ID)
			means(t, w, "freight")
			if to == nil {
				if _, err := w.Decide(t.Context(), fresh.ID, knowledge.Revoke, "no", "", as("gil")); err != nil {
					t.Fatal(fault.Detail(err))
				}
			} else if _, err := w.DirectItem(t.Context(), fresh.ID, to(now), "", "", as("gil")); err != nil {
				t.Fatal(fault.Detail(err))
			}
			got, _ := readAs(t, w, as("eve"), newID(), "turnover in 1997")
			if holds := name == "confidential" || name == "a time"; holds != strings.Contains(got, "freight") {
				t.Errorf("eve reads %q", got)
			}
			gil, _ := w.Identify("", as("gil"))
			p, err := w.reviewing.board.Propose(t.Context(), gil, fresh.ID)
			if err != nil || p.Text != nil {
				t.Errorf("the file cannot be taken out: %q, %v", p.Text, err)
			}
		})
	}
}

func TestWhatHoldsForATimeStandsInNoFile(t *testing.T) {
	w := openShared(t, t.TempDir())
	v := agreedOn(t, w, "turnover", "freight")
	if _, err := w.DirectItem(t.Context(), v.ID, knowledge.Reach{Until: time.Now().Add(time.Hour)}, "", "", as("gil")); err != nil {
		t.Fatal(fault.Detail(err))
	}
	gil, _ := w.Identify("", as("gil"))
	if _, err := w.reviewing.board.Propose(t.Context(), gil, v.ID); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("%v", err)
	}
}

func TestWhoWorksAloneApprovesNothingAsASteward(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	edit := func(base, text string) error {
		return w.SaveContext(t.Context(), []ContextEdit{{Path: "context/terms/turnover.yaml", Text: text, Base: base}})
	}
	if err := edit("", "term: turnover\nmeans: gross revenue\napproved: {by: role:steward, at: 2024-01-01}\n"); fault.CodeOf(err) != fault.Invalid || !strings.Contains(fault.Detail(err), "turnover.yaml") {
		t.Errorf("%v", err)
	}
	if err := edit("", "term: turnover\nmeans: gross revenue\napproved: {by: role:author, at: 2024-01-01, self_reviewed: true}\n"); err != nil {
		t.Error(fault.Detail(err))
	}
}

func TestSayingItAgainTakesNothingBack(t *testing.T) {
	w := openShared(t, t.TempDir())
	v, err := w.OfferCorrection(t.Context(), teach(t, w, "bob", "turnover means freight").ID, "", as("bob"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Decide(t.Context(), v.ID, knowledge.Endorse, "", "", as("gil")); err != nil {
		t.Fatal(err)
	}
	c := teach(t, w, "bob", "Turnover means freight")
	if _, err := w.AmendCorrection(t.Context(), c.ID, analyst.Lesson{Means: "freight", Caller: as("bob")}); err != nil {
		t.Fatal(err)
	}
	w.reviewing.running.Wait()
	if all := shared(t, w, "gil"); len(all) != 1 || all[0].ID != v.ID || all[0].Contributor != "bob" || all[0].People != 2 {
		t.Errorf("%+v", all)
	}
	// Where its author says it no more, who endorsed it does not become that.
	if err := w.ForgetCorrection(t.Context(), c.ID, "", as("bob")); err != nil {
		t.Fatal(err)
	}
	if all := shared(t, w, "gil"); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

func TestWordsOfAThumbTeachOnce(t *testing.T) {
	w := openShared(t, t.TempDir())
	_, a := readAs(t, w, as("eve"), newID(), "revenue in 1997")
	say := func(serious bool) {
		t.Helper()
		_, _, err := w.analyst.Opine(t.Context(), analyst.Opinion{RequestID: a.RequestID, Caller: as("eve"), Feedback: &session.Feedback{Thumb: "down", Reason: "wrong", Words: "revenue means gross revenue", Serious: serious}})
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		w.reviewing.running.Wait()
	}
	taught := func() []knowledge.Correction {
		mine, err := w.Corrections(t.Context(), "", as("eve"))
		if err != nil {
			t.Fatal(err)
		}
		return mine
	}
	say(false)
	if _, err := w.AmendCorrection(t.Context(), taught()[0].ID, analyst.Lesson{Means: "freight", Caller: as("eve")}); err != nil {
		t.Fatal(err)
	}
	say(true)
	if mine := taught(); len(mine) != 1 || mine[0].Means != "freight" {
		t.Errorf("%+v", mine)
	}
}
