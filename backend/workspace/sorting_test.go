package workspace

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
	"assay/backend/memory"
	"assay/backend/session"
)

// sorts is a reply of a model that says what words are about.
func sorts(sort knowledge.Sort, term, means string) llmtest.Reply {
	raw, _ := json.Marshal(knowledge.Sorted{Sort: sort, Term: term, Means: means})
	return llmtest.Text(string(raw))
}

// logged says whether the audit log has an entry about what bob taught that holds some words, and not others.
func logged(t *testing.T, w *Workspace, words, not string) bool {
	t.Helper()
	entries, err := w.memory.Audit(t.Context(), memory.AuditFilter{Actor: "bob"})
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(entries, func(e memory.AuditEntry) bool {
		return (e.Kind == analyst.AuditCorrection || e.Kind == analyst.AuditSecurity) && strings.Contains(string(e.Body), words) && !strings.Contains(string(e.Body), not)
	})
}

// TestAModelReadsWhatTheRulesDoNot: words in another language are read by the model that is on, which is said, kept with the correction and with the answers that were read with it, until its person confirms it.
func TestAModelReadsWhatTheRulesDoNot(t *testing.T) {
	w, model := doneBy(t, llm.Sorting, llmtest.Card, llmtest.Always(sorts(knowledge.Factual, "Umsatz", "gross revenue")))
	const words = "Mit Umsatz meinen wir immer den Bruttoumsatz"
	told, err := w.Teach(t.Context(), analyst.Lesson{Words: words, Caller: as("bob")})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	c := told.Correction
	if c == nil || c.Term != "Umsatz" || c.Means != "gross revenue" || c.Sort != knowledge.Factual || c.ReadBy != "scripted:mind" || c.Quote != words || c.Domain == "" {
		t.Fatalf("kept: %+v", c)
	}
	if !strings.Contains(told.Words, "scripted:mind read it so") || !strings.Contains(told.Words, "Nothing left this machine") {
		t.Errorf("said: %s", told.Words)
	}
	asked := model.Asked()
	if len(asked) != 1 || asked[0].Schema == nil || !strings.Contains(asked[0].Messages[0].Text, words) || !strings.Contains(asked[0].Messages[0].Text, `"Gross revenue"`) {
		t.Errorf("asked: %+v", asked)
	}
	const want = "SELECT categories.category_name, gross_revenue AT categories DURING 1997"
	read := func() *analyst.Answer {
		t.Helper()
		got, a := readAs(t, w, as("bob"), newID(), "Umsatz by category in 1997")
		if got != want || len(a.Remembered) != 1 {
			t.Fatalf("read as %s with %+v", got, a.Remembered)
		}
		return a
	}
	if a := read(); a.Remembered[0].ReadBy != "scripted:mind" || !strings.Contains(strings.Join(a.Understood.Assumptions, " "), "scripted:mind read out of your words") {
		t.Errorf("read with %+v", a.Remembered)
	}
	if got := gradedAs(t, w, as("bob"), "Umsatz"); got != "READ_BY_MODEL" {
		t.Errorf("it is graded %s", got)
	}
	if got, _ := readAs(t, w, as("cyd"), newID(), "Umsatz by category in 1997"); got == want {
		t.Error("it is used for somebody else")
	}
	if _, err := w.AmendCorrection(t.Context(), c.ID, analyst.Lesson{Means: c.Means, Caller: as("bob")}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if got := gradedAs(t, w, as("bob"), "Umsatz"); got != "AAA" {
		t.Errorf("once its person wrote it, it is graded %s", got)
	}
	if a := read(); a.Remembered[0].ReadBy != "" {
		t.Errorf("once its person wrote it, it is still said to be read by a model: %+v", a.Remembered)
	}
}

// TestEverySortThatAModelSays: rows that do not count, and preferences, are kept as if the rules had read them; permissions go where they always go.
func TestEverySortThatAModelSays(t *testing.T) {
	var reply llmtest.Reply
	w, model := doneBy(t, llm.Sorting, llmtest.Card, func(llm.Request) llmtest.Reply { return reply })
	teach := func(words string) (*analyst.Taught, error) {
		return w.Teach(t.Context(), analyst.Lesson{Words: words, Caller: as("bob")})
	}
	reply = sorts(knowledge.Gotcha, "revenue", "beverages")
	if told, err := teach("revenue ohne beverages bitte"); err != nil || told.Correction.Sort != knowledge.Gotcha || told.Correction.Means != "revenue excluding beverages" {
		t.Errorf("%+v, %v", told, err)
	}
	reply = sorts(knowledge.Preferred, "", "show in millions")
	if told, err := teach("bitte alles in Millionen"); err != nil || told.Preference == nil || told.Preference.Kind != knowledge.Scale || told.Preference.Quote != "bitte alles in Millionen" || !strings.Contains(told.Words, "scripted:mind") {
		t.Errorf("%+v, %v", told, err)
	}
	reply = sorts(knowledge.Permission, "", "")
	if _, err := teach("gib mir Zugriff auf 'Geheimes'"); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("a permission: %v", err)
	}
	if !logged(t, w, `"refused"`, "Geheimes") {
		t.Error("the audit log says nothing of it")
	}
	asked := len(model.Asked())
	if _, err := teach("by sales I mean gross revenue"); err != nil || len(model.Asked()) != asked {
		t.Errorf("what the rules know was asked of a model, or not kept: %v", err)
	}
}

// TestWhatAModelSaysMustHold: what it invents, what does not compile and what is no reply keeps nothing, and is said with what the model was.
func TestWhatAModelSaysMustHold(t *testing.T) {
	for name, reply := range map[string]llmtest.Reply{
		"a term that nobody said": sorts(knowledge.Factual, "profit", "gross revenue"),
		"a number":                sorts(knowledge.Factual, "Umsatz", "gross revenue over 5000"),
		"a value":                 sorts(knowledge.Factual, "Umsatz", "gross revenue where category is 'Seafood'"),
		"a value in a name":       sorts(knowledge.Factual, "Umsatz", "gross revenue in seafood"),
		"what does not compile":   sorts(knowledge.Factual, "Umsatz", "the wisdom of crowds"),
		"a look that is none":     sorts(knowledge.Preferred, "", "sing it"),
		"nothing":                 sorts("none", "", ""),
		"a sort that is none":     sorts("order", "Umsatz", "gross revenue"),
		"words":                   llmtest.Text("I would say that it is gross revenue."),
		"a refusal":               {Text: "no", Stop: llm.StopRefused},
		"no reply":                {Trouble: llm.Overloaded},
	} {
		w, _ := doneBy(t, llm.Sorting, llmtest.Card, llmtest.Always(reply))
		_, err := w.Teach(t.Context(), analyst.Lesson{Words: "Mit Umsatz meinen wir immer den Bruttoumsatz", Caller: as("bob")})
		if fault.CodeOf(err) != fault.Invalid || !strings.Contains(fault.Detail(err), "scripted:mind") {
			t.Errorf("%s: %v", name, err)
		}
		if all, err := w.Corrections(t.Context(), "", as("bob")); err != nil || len(all) != 0 {
			t.Errorf("%s: %+v, %v", name, all, err)
		}
	}
}

// TestWhatAModelReadSpeaksForNobodyElse: what a model read out of the words of many is no agreement among them, and goes into no bundle, until each has confirmed it.
func TestWhatAModelReadSpeaksForNobodyElse(t *testing.T) {
	w, _ := doneBy(t, llm.Sorting, llmtest.Card, llmtest.Always(sorts(knowledge.Factual, "revenue", "gross revenue")))
	all := []string{"ada", "bob", "cyd", "dan"}
	ids := map[string]string{}
	for _, who := range all {
		c := teach(t, w, who, "revenue: bitte den Bruttowert nehmen")
		if c.ReadBy == "" {
			t.Fatalf("the rules read it: %+v", c)
		}
		ids[who] = c.ID
	}
	if queue := shared(t, w, "fay"); len(queue) != 0 {
		t.Fatalf("four readings of a model made a candidate: %+v", queue)
	}
	if b, _, err := w.bundleOf(t.Context(), "", as("ada")); err != nil || len(b.Said) != 0 {
		t.Errorf("a bundle has %+v, %v", b.Said, err)
	}
	for _, who := range all {
		if _, err := w.AmendCorrection(t.Context(), ids[who], analyst.Lesson{Means: "gross revenue", Caller: as(who)}); err != nil {
			t.Fatal(fault.Detail(err))
		}
		w.reviewing.running.Wait()
	}
	if queue := shared(t, w, "fay"); len(queue) != 1 || queue[0].People != 4 {
		t.Errorf("what four confirmed is %+v", queue)
	}
	if b, _, err := w.bundleOf(t.Context(), "", as("ada")); err != nil || len(b.Said) != 1 {
		t.Errorf("a bundle has %+v, %v", b.Said, err)
	}
}

// TestWordsThatLeaveAreSaid: to a model elsewhere words go only where the person hears of it, masked, and after it was written down. The words of a thumb down stay.
func TestWordsThatLeaveAreSaid(t *testing.T) {
	card := llmtest.Card
	card.Local, card.Endpoint = false, "models.example"
	w, model := doneBy(t, llm.Sorting, card, llmtest.Always(sorts(knowledge.Factual, "Umsatz", "gross revenue")))
	_, a := readAs(t, w, as("bob"), newID(), "revenue by category in 1997")
	if _, told, err := w.Opine(t.Context(), analyst.Opinion{RequestID: a.RequestID, Feedback: &session.Feedback{Thumb: "down", Words: "Umsatz wäre hier der Bruttoumsatz"}, Caller: as("bob")}); err != nil || told != nil || len(model.Asked()) != 0 {
		t.Fatalf("a thumb: %+v, %v, %d requests", told, err, len(model.Asked()))
	}
	told, err := w.Teach(t.Context(), analyst.Lesson{Words: "Umsatz wäre hier der Bruttoumsatz, sagt ann@example.com", RequestID: a.RequestID, Caller: as("bob")})
	if err != nil || !strings.Contains(told.Words, "models.example") {
		t.Fatalf("%+v, %v", told, err)
	}
	sent := model.Asked()[0].Messages[0].Text
	if strings.Contains(sent, "ann@example.com") || !strings.Contains(sent, `"number":"revenue"`) {
		t.Errorf("sent: %s", sent)
	}
	if !logged(t, w, `"models.example"`, "Bruttoumsatz") {
		t.Error("the audit log does not say that something was sent")
	}
}

// TestAThumbDownIsReadHere: by a model on this machine the words of a thumb down are read too.
func TestAThumbDownIsReadHere(t *testing.T) {
	w, _ := doneBy(t, llm.Sorting, llmtest.Card, llmtest.Always(sorts(knowledge.Factual, "revenue", "gross revenue")))
	_, a := readAs(t, w, as("bob"), newID(), "revenue by category in 1997")
	f, told, err := w.Opine(t.Context(), analyst.Opinion{RequestID: a.RequestID, Feedback: &session.Feedback{Thumb: "down", Words: "das wäre brutto"}, Caller: as("bob")})
	if err != nil || f == nil || told == nil || told.Correction.ReadBy != "scripted:mind" || told.Correction.Detection != knowledge.ByCorrection {
		t.Errorf("%+v, %+v, %v", f, told, err)
	}
}

// TestWordsThatSayTheyTeach: a sentence at the question field that says by itself that it teaches is read by the model of its question, and what was sent stands with it.
func TestWordsThatSayTheyTeach(t *testing.T) {
	w, model := doneBy(t, llm.Sorting, llmtest.Card, llmtest.Always(sorts(knowledge.Factual, "Umsatz", "gross revenue")))
	a, err := w.Ask(t.Context(), analyst.Request{Question: "remember: Umsatz ist bei uns brutto", Caller: as("bob")}, nil)
	if err != nil || a.Learned == nil || a.Learned.Correction.ReadBy != "scripted:mind" || len(model.Asked()) != 1 {
		t.Fatalf("%+v, %v, %d requests", a, errors.Unwrap(err), len(model.Asked()))
	}
	looks, err := w.Preferences(t.Context(), "", as("bob"))
	if err != nil || len(looks) != 0 {
		t.Errorf("%+v, %v", looks, err)
	}
	if len(a.Sent) != 1 || a.Sent[0].Task != string(llm.Sorting) {
		t.Errorf("sent: %+v", a.Sent)
	}
}
