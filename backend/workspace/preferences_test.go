package workspace

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/chart"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/knowledge"
	"assay/backend/memory"
	"assay/backend/rules"
)

// lookOf is what a person sees of an answer: the unit of its time, its chart, how its last column is written, and its words.
func lookOf(a *analyst.Answer) string {
	if a.Frame == nil {
		return "nothing"
	}
	look := ""
	for _, c := range a.Frame.Columns {
		look += c.Grain
	}
	look += " | "
	if a.Chart != nil {
		look += a.Chart.Type
	} else {
		look += chart.None
	}
	c := a.Frame.Columns[len(a.Frame.Columns)-1]
	look += " | " + c.Scale
	if c.Decimals != nil {
		look += fmt.Sprint(" ", *c.Decimals)
	}
	return look + " | " + a.Narration.Text
}

// numbersOf are the numbers of a frame, which no preference changes.
func numbersOf(t *testing.T, f *frameql.Frame) string {
	t.Helper()
	raw, err := json.Marshal(f.Rows)
	if err != nil {
		t.Fatal(err)
	}
	return f.FrameQL + string(raw)
}

// TestPreferencesAreForTheirPerson says a preference of each kind, and looks that the person's next answer looks so, says so, and does after a restart and when it is asked again; and that nobody else's
// does.
func TestPreferencesAreForTheirPerson(t *testing.T) {
	lessons := []struct{ words, question, look string }{
		{"I prefer weekly aggregations", "revenue over time in 1997", "week | line | "},
		{"always yearly", "revenue trend", "year | line | "},
		{"show numbers in millions", "revenue in 1997", " | big_number | millions | Revenue, 1997: 0.62 million USD"},
		{"in thousands please", "revenue by category in 1997", " | bar | thousands | Revenue by category, 1997: Dairy Products is highest with 115.39 thousand USD"},
		{"round to whole numbers", "revenue by category in 1997", " | bar |  0 | Revenue by category, 1997: Dairy Products is highest with 115,388 USD"},
		{"four decimals", "revenue in 1997", " | big_number |  4 | Revenue, 1997: 617,085.2035 USD"},
		{"use bar charts", "revenue by month in 1997", "month | bar | "},
		{"I prefer tables", "revenue by category", " | none | "},
		{"keep answers short", "revenue by category in 1997", " | bar |  | Dairy Products is highest with 115,387.64 USD; attested"},
		{"in a formal tone, please", "revenue by category in 1997", " | bar |  | Revenue by category, 1997: the highest value is that of Dairy Products with 115,387.64 USD, the lowest that of "},
		{"keep it casual", "revenue in 1997", " | big_number |  | Revenue, 1997: that’s 617,085.20 USD"},
		{"more detail please", "revenue by month in 1997", "month | line |  | Revenue by month, 1997: from 61,258.07 USD in January 1997 to 71,398.43 USD in December 1997, highest"},
	}
	home := t.TempDir()
	w := openTarget(t, Target{}, home)
	author := func(i int) rules.Caller { return rules.Caller{OSUser: fmt.Sprintf("author %d", i)} }
	before := make([]*analyst.Answer, len(lessons))
	for i, l := range lessons {
		_, before[i] = readAs(t, w, bob, fmt.Sprintf("b%d", i), l.question)
	}
	for i, l := range lessons {
		t.Run(l.words, func(t *testing.T) {
			told, err := w.Teach(t.Context(), analyst.Lesson{Words: l.words, Caller: author(i)})
			if err != nil {
				t.Fatal(fault.Detail(err))
			}
			if told.Correction != nil || told.Preference == nil || told.Preference.Quote != l.words || !strings.Contains(told.Words, told.Preference.Says()) {
				t.Fatalf("taught %+v: %s", told.Preference, told.Words)
			}
			session := fmt.Sprintf("a%d", i)
			_, a := readAs(t, w, author(i), session, l.question)
			if got := lookOf(a); !strings.HasPrefix(got, l.look) {
				t.Errorf("it looks like %s\nwant %s", got, l.look)
			}
			if told.Preference.Kind != knowledge.Grain && numbersOf(t, a.Frame) != numbersOf(t, before[i].Frame) {
				t.Error("its numbers are others")
			}
			if len(a.Remembered) != 1 || a.Remembered[0].ID != told.Preference.ID || a.Remembered[0].Kind != told.Preference.Kind {
				t.Errorf("it says that it follows %+v", a.Remembered)
			}
			if !strings.Contains(provenanceOf(t, w, a, "memories"), told.Preference.Says()) {
				t.Error("the provenance does not say it")
			}
			for _, c := range a.Narration.Citations {
				if c.Start < 0 || c.End > len(a.Narration.Text) || c.Start >= c.End {
					t.Errorf("a citation leads nowhere: %+v", c)
				}
			}
			if r := replay(t, w, session, ReplayOptions{}); r.Same != 1 {
				t.Errorf("asked again it is %+v", r.Turns)
			}
		})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = openTarget(t, Target{}, home)
	for i, l := range lessons {
		_, theirs := readAs(t, w, bob, fmt.Sprintf("B%d", i), l.question)
		if got, want := lookOf(theirs), lookOf(before[i]); got != want || len(theirs.Remembered) > 0 {
			t.Errorf("%s: somebody else's answer looks like %s\nand did like %s", l.words, got, want)
		}
		if _, a := readAs(t, w, author(i), fmt.Sprintf("A%d", i), l.question); !strings.HasPrefix(lookOf(a), l.look) {
			t.Errorf("%s: after a restart it looks like %s", l.words, lookOf(a))
		}
	}
	if others, err := w.Preferences(t.Context(), "", bob); err != nil || len(others) > 0 {
		t.Errorf("somebody else sees %+v, %v", others, err)
	}
}

// TestAQuestionIsStrongerThanAPreference: what a question asks for, it gets; and what changes nothing is not said.
func TestAQuestionIsStrongerThanAPreference(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	for _, words := range []string{"always weekly", "use bar charts", "show in millions"} {
		if _, err := w.Teach(t.Context(), analyst.Lesson{Words: words, Caller: ada}); err != nil {
			t.Fatal(fault.Detail(err))
		}
	}
	for i, c := range []struct {
		said []string
		look string
		used []knowledge.PreferenceKind
	}{
		{[]string{"freight by month in 1997"}, "month | bar |  | ", []knowledge.PreferenceKind{knowledge.Chart}},
		{[]string{"freight over time in 1997", "by month"}, "month | bar |  | ", []knowledge.PreferenceKind{knowledge.Chart}},
		{[]string{"number of orders by month in 1997 as a line chart"}, "month | line |  | ", nil},
		{[]string{"number of orders in 1997"}, " | big_number |  | ", nil},
		{[]string{"revenue by month in 1997 compared with the year before"}, "month | line |  | Revenue by month, 1997, compared with the same period of the year before: from 0.061 million USD", []knowledge.PreferenceKind{knowledge.Scale}},
	} {
		var a *analyst.Answer
		for _, q := range c.said {
			_, a = readAs(t, w, ada, fmt.Sprintf("s%d", i), q)
		}
		var used []knowledge.PreferenceKind
		for _, r := range a.Remembered {
			used = append(used, r.Kind)
		}
		if got := lookOf(a); !strings.HasPrefix(got, c.look) || !slices.Equal(used, c.used) {
			t.Errorf("%q looks like %s\nby %q, want %s by %q", c.said, got, used, c.look, c.used)
		}
	}
}

// TestAPreferenceIsChangedAndForgotten: a new one takes the place of the old one, nobody else's is there, and a forgotten one leaves no trace; answers that followed it stay.
func TestAPreferenceIsChangedAndForgotten(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	_, a := readAs(t, w, ada, "s", "revenue in 1997")
	zebra := "from now on, show zebraquagga in millions" // words that stand nowhere else
	first, err := w.Teach(t.Context(), analyst.Lesson{Words: zebra, RequestID: a.RequestID, Caller: ada})
	if err != nil || first.Preference.Value != "millions" {
		t.Fatalf("%+v, %v", first, err)
	}
	readAs(t, w, ada, "s", "revenue in 1996")
	if len(filesWith(t, w, "zebraquagga")) == 0 {
		t.Fatal("it stands nowhere: the check finds nothing")
	}
	second, err := w.Prefer(t.Context(), knowledge.Scale, "thousands", "", ada)
	if err != nil || second.Preference.ID != first.Preference.ID || second.Before == nil || !strings.Contains(second.Words, "no longer in millions") {
		t.Fatalf("%+v, %v", second, err)
	}
	third, err := w.AmendCorrection(t.Context(), first.Preference.ID, analyst.Lesson{Means: "in billions", Caller: ada})
	if err != nil || third.Preference.Value != "billions" {
		t.Fatalf("%+v, %v", third, err)
	}
	for value, kind := range map[string]knowledge.PreferenceKind{"trillions": knowledge.Scale, "red": "colour", "": knowledge.Grain, "EUR; DROP TABLE orders": knowledge.Chart} {
		if told, err := w.Prefer(t.Context(), kind, value, "", ada); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%s %q: %+v, %v", kind, value, told, err)
		}
	}
	for _, id := range []string{first.Preference.ID, "0123456789abcdef0123456789abcdef"} {
		foreign := w.ForgetPreference(t.Context(), id, "", bob)
		_, changed := w.AmendCorrection(t.Context(), id, analyst.Lesson{Means: "millions", Caller: bob})
		if fault.CodeOf(foreign) != fault.NotFound || fault.CodeOf(changed) != fault.NotFound || foreign.Error() != w.ForgetPreference(t.Context(), "none", "", bob).Error() {
			t.Errorf("somebody else: %v, %v", foreign, changed)
		}
	}
	if already, err := w.Teach(t.Context(), analyst.Lesson{Words: "show in dollars", Caller: ada}); err != nil || already.Preference != nil || !strings.Contains(already.Words, "already") {
		t.Errorf("the currency of the data: %+v, %v", already, err)
	}
	if err := w.ForgetPreference(t.Context(), first.Preference.ID, "", ada); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if left := filesWith(t, w, "zebraquagga"); len(left) > 0 {
		t.Errorf("it can still be read in %q", left)
	}
	if r := replay(t, w, "s", ReplayOptions{}); r.Same != 2 {
		t.Errorf("%+v", r.Turns)
	}
	if _, a := readAs(t, w, ada, "after", "revenue in 1997"); len(a.Remembered) > 0 || strings.Contains(a.Narration.Text, "illion") {
		t.Errorf("after it is forgotten: %s", a.Narration.Text)
	}
	entries, err := w.Memory().Audit(t.Context(), memory.AuditFilter{Actor: "os:ada"})
	taught := 0
	for _, e := range entries {
		if e.Kind == analyst.AuditCorrection && strings.Contains(string(e.Body), "preference") {
			taught++
		}
	}
	if v, verr := w.Memory().VerifyAudit(t.Context()); err != nil || verr != nil || !v.Valid || taught != 4 {
		t.Errorf("the audit log has %d, %+v, %v, %v", taught, v, err, verr)
	}
}

// TestAConversationSaysHowAnswersLook: a sentence behind an answer that says how answers are to look is kept, and shows that answer so; what asks for something is a question.
func TestAConversationSaysHowAnswersLook(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	for _, c := range []struct {
		said, words string
		learned     bool
	}{
		{"show numbers in millions", "That was noted", true}, // there is no answer yet
		{"revenue in 1997", "Revenue, 1997: 0.62 million USD", false},
		{"show numbers in thousands", "Revenue, 1997: 617.09 thousand USD", true},
		{"no decimals please", "Revenue, 1997: 617 thousand USD", true},
		{"keep answers short", "617 thousand USD", true},
		{"show numbers in euros", "no rates to convert them to EUR", false},
		{"show numbers with nine decimals", "cannot be chosen for decimals", false},
		{"round to whole numbers", "617 thousand USD", true},
		{"show numbers in dollars", "617 thousand USD", false},
	} {
		_, a := readAs(t, w, ada, "s", c.said)
		got := ""
		switch {
		case a.Refusal != nil:
			got = a.Refusal.Message
		case a.Narration != nil:
			got = a.Narration.Text
		}
		if !strings.Contains(got, c.words) || (a.Learned != nil) != c.learned {
			t.Errorf("%q gives %q (learned %+v), want %q", c.said, got, a.Learned, c.words)
		}
	}
	if r := replay(t, w, "s", ReplayOptions{}); r.Same != 9 {
		t.Errorf("asked again: %+v", r.Turns)
	}
	all, err := w.Preferences(t.Context(), "", ada)
	if err != nil || len(all) != 3 || all[0].Value != "thousands" || all[0].Quote != "show numbers in thousands" {
		t.Errorf("kept is %+v, %v", all, err)
	}
	if _, a := readAs(t, w, ada, "t", "show revenue in millions"); a.Learned != nil {
		t.Errorf("a question teaches %+v", a.Learned.Preference)
	}
	if _, a := readAs(t, w, bob, "b", "revenue in 1997"); !strings.Contains(a.Narration.Text, "617,085.20") {
		t.Errorf("somebody else's answer is %q", a.Narration.Text)
	}
}
