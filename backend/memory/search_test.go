package memory

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
)

// asked stores a turn that was answered with a narration.
func asked(t testing.TB, m *Memory, sessionID, id, question, query, narration string) {
	t.Helper()
	r := request(id, sessionID, question)
	index, err := m.Begin(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	s := session.Stack{SessionID: sessionID, Turn: index}
	if err := s.Push(session.KindNarration, "", session.Narration{Text: narration, Citations: []session.Citation{}}, noon); err != nil {
		t.Fatal(err)
	}
	answer := `{"request_id":"` + id + `","understood":{"frame":[{"columns":1}]},"frame":{"id":"f","columns":[{"name":"c","label":"Category","role":"dimension"},{"name":"units_sold","label":"Stückzahl","role":"metric"}],"rows":[["Nobody finds this cell"]]}}`
	if err := m.Finish(t.Context(), id, analyst.Closing{Turn: session.Turn{
		Outcome: "answer", Status: "completed", FrameQL: query, Answer: json.RawMessage(answer), Artifacts: s.Artifacts, Trace: []session.Step{},
	}}); err != nil {
		t.Fatal(err)
	}
}

// hits writes down what is found.
func hits(t testing.TB, m *Memory, query string) string {
	t.Helper()
	all, err := m.Search(t.Context(), query, 0)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var out []string
	for _, h := range all {
		out = append(out, fmt.Sprintf("%s/%d %s", h.SessionID, h.Turn, h.Field))
	}
	return strings.Join(out, ", ")
}

func TestSearchFindsWordsInEveryTextOfATurn(t *testing.T) {
	m := fresh(t)
	asked(t, m, "a", "a1", "Umsatz der größten Kunden", "SELECT customers.company_name, revenue AT customers TOP 10 BY revenue", "Ernst Handel leads with 104,874.98 USD; that is 8% of all.")
	asked(t, m, "a", "a2", "only München", "SELECT revenue WHERE customers.city = 'München'", "It is 26,656.56 USD.")
	asked(t, m, "b", "b1", "四半期の売上はいくらですか", "SELECT revenue AT date.quarter", "")
	asked(t, m, "b", "b2", "What did the café's guests say: \"too long\"?", "", "")
	if err := m.Rename(t.Context(), "b", "Für den Vorstand"); err != nil {
		t.Fatal(err)
	}
	if err := m.SaveView(t.Context(), "a1", session.View{Show: "table", Title: "Board pack page 3"}); err != nil {
		t.Fatal(err)
	}
	f := session.Feedback{Thumb: "down", Words: "misses the Österreich branch", At: noon}
	if err := m.SaveFeedback(t.Context(), "a2", "ada", &f, nil, analyst.Record{Kind: "feedback", RequestID: "a2"}); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"umsatz":                 "a/0 title, a/1 question", // its first question is the title
		"GROSSTEN":               "a/0 title, a/1 question",
		"größ":                   "a/0 title, a/1 question", // a beginning
		"roßten":                 "",
		"munchen":                "a/2 question",
		"München revenue":        "a/2 query",
		"company name":           "a/1 query",
		"company_name":           "a/1 query",
		"customers.company_name": "a/1 query",
		"customers-company":      "",
		"name company":           "a/1 query",
		"ernst HANDEL":           "a/1 narration",
		"handel kunden":          "a/1 question", // one word in each of two texts: the first of them shows
		"stuckzahl":              "b/2 metric, b/1 metric, a/2 metric, a/1 metric",
		"units_sold café":        "b/2 question",
		"board":                  "a/1 title",
		"osterreich":             "a/2 note",
		"vorstand":               "b/0 title",
		"vorstand guests":        "b/2 question",
		"vorstand für":           "b/0 title",
		"売上":                     "b/1 question",
		"売":                      "b/1 question",
		"上売":                     "",
		"cafe":                   "b/2 question",
		"cafe's":                 "b/2 question",
		"café’s":                 "b/2 question",
		`"too`:                   "b/2 question",
		`"long`:                  "",
		`long"`:                  "b/2 question",
		`"`:                      "b/2 question",
		"%":                      "a/1 narration",
		"8%":                     "a/1 narration",
		"9%":                     "",
		"%8":                     "",
		"104,874.98":             "a/1 narration",
		"cell":                   "",
		"nothing":                "",
		"umsatz nothing":         "",
		"a":                      "",
		"a* OR munchen":          "",
		"NEAR(umsatz kunden)":    "",
		"words:umsatz":           "",
		"":                       "",
		" \t\n":                  "",
		"\x00\xff":               "",
		"-":                      "", // of nothing but signs that stand nowhere
	} {
		if got := hits(t, m, query); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

func TestSearchComesByPinThenByTime(t *testing.T) {
	m := fresh(t)
	for i := range 5 {
		for k := range 5 {
			asked(t, m, fmt.Sprint("s", i), fmt.Sprint("r", i, k), fmt.Sprint("revenue of region ", k), "", "")
		}
	}
	if err := m.Pin(t.Context(), "s1", true); err != nil {
		t.Fatal(err)
	}
	if err := m.Archive(t.Context(), "s2", true); err != nil {
		t.Fatal(err)
	}
	if err := m.Delete(t.Context(), "s4"); err != nil {
		t.Fatal(err)
	}
	if got := hits(t, m, "region"); got != "s1/0 title, s1/5 question, s1/4 question, s3/0 title, s3/5 question, s3/4 question, s2/0 title, s2/5 question, s2/4 question, s0/0 title, s0/5 question, s0/4 question" {
		t.Errorf("found %s", got)
	}
	all, err := m.Search(t.Context(), "REGION", 4)
	if err != nil || len(all) != 4 || !all[0].Pinned || all[3].Pinned || all[3].SessionID != "s3" {
		t.Errorf("%+v, %v", all, err)
	}
	if all, err = m.Search(t.Context(), "region", 100000); err != nil || !slices.ContainsFunc(all, func(h Hit) bool { return h.Archived && h.SessionID == "s2" }) {
		t.Errorf("%+v, %v", all, err)
	}
	_, err = m.Search(t.Context(), strings.Repeat("x ", 17), 0)
	code(t, err, fault.Invalid, "At most 16 words")
	_, err = m.Search(t.Context(), strings.Repeat("ü", 401), 0)
	code(t, err, fault.Invalid, "400 characters")
}

// A turn that has all the words comes before later ones that have some of them in the title of their session only.
func TestSearchPrefersTurnsThatHaveTheWordsThemselves(t *testing.T) {
	m := fresh(t)
	asked(t, m, "s", "r0", "revenue by category in 1996", "", "")
	asked(t, m, "s", "r1", "orders by category in 1996", "", "")
	for k := range 4 {
		asked(t, m, "s", fmt.Sprint("later", k), "orders by month", "", "")
	}
	for query, want := range map[string]string{
		"orders category": "s/2 question, s/6 question, s/5 question",
		"orders":          "s/6 question, s/5 question, s/4 question",
		"revenue orders":  "s/6 question, s/5 question, s/4 question",
	} {
		if got := hits(t, m, query); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

// The index follows what it is of: a title that changes, an opinion that is taken back, a copy, a session that goes, a process that dies.
func TestTheIndexFollows(t *testing.T) {
	now := &clock{t: noon}
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	m, err := Open(t.Context(), Options{Path: path, Now: now.now})
	if err != nil {
		t.Fatal(err)
	}
	asked(t, m, "s", "r1", "freight by country", "SELECT freight", "Germany leads.")
	expect := func(query, want string) {
		t.Helper()
		if got := hits(t, m, query); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
	}
	must(m.Rename(t.Context(), "s", "Logistics"))
	expect("logistics", "s/0 title")
	must(m.Rename(t.Context(), "s", "Shipping"))
	expect("logistics", "")
	expect("shipping germany", "s/1 narration")
	must(m.SaveFeedback(t.Context(), "r1", "ada", &session.Feedback{Thumb: "up", Words: "splendid", At: noon}, nil, analyst.Record{Kind: "feedback"}))
	expect("splendid", "s/1 note")
	must(m.SaveFeedback(t.Context(), "r1", "ada", nil, nil, analyst.Record{Kind: "feedback"}))
	expect("splendid", "")
	for _, title := range []string{"Mine", "Yours"} {
		must(m.SaveView(t.Context(), "r1", session.View{Show: "table", Title: title}))
	}
	expect("mine", "")
	expect("yours stuckzahl", "s/1 title")
	_, err = m.Fork(t.Context(), "s", ForkAt{}, "fork", newNames())
	must(err)
	expect("freight", "fork/1 question, s/1 question")
	expect("stuckzahl branch", "fork/1 metric")
	_, err = m.Clear(t.Context(), "fork")
	must(err)
	expect("freight branch", "fork/1 question")

	came := session.Turn{
		Index: 1, Place: 1, Chosen: true, RequestID: "far", Question: "what came from elsewhere", Asked: noon, Outcome: "answer", Status: "completed",
		Answer:   json.RawMessage(`{"frame":{"columns":[{"label":"Tonnage","role":"metric"}]}}`),
		Feedback: &session.Feedback{Thumb: "up", Words: "well done", At: noon},
	}
	must(m.Import(t.Context(), Arriving{ID: "imported", Title: "From afar", Created: noon, Imported: session.Imported{At: noon}}, func(yield func(session.Turn, error) bool) { yield(came, nil) }))
	expect("tonnage afar", "imported/1 metric")
	expect("elsewhere done", "imported/1 question")
	must(m.Delete(t.Context(), "imported"))

	_, err = m.Begin(t.Context(), request("r2", "s", "margin by country"))
	must(err)
	expect("margin", "") // it is not finished
	must(m.Close())
	m, err = Open(t.Context(), Options{Path: path, Now: now.now})
	must(err)
	expect("margin", "s/2 question")

	must(m.Delete(t.Context(), "s"))
	expect("margin", "")
	must(m.Restore(t.Context(), "s"))
	expect("margin", "s/2 question")
	must(m.Delete(t.Context(), "s"))
	now.forward(keepDeleted + time.Hour)
	must(m.forget(t.Context()))
	var found, words int
	must(m.read.QueryRow(`SELECT (SELECT count(*) FROM found), (SELECT count(*) FROM found_words)`).Scan(&found, &words))
	if found != 1 || words != 1 {
		t.Errorf("%d turns and %d texts are left in the index", found, words)
	}

	// A file of a version that had another index, or none, has one when it is opened.
	must(m.Keep(t.Context(), "search", indexVersion-1))
	_, err = m.write.Exec(`UPDATE found_words SET words = 'otherwise'`)
	must(err)
	expect("freight", "")
	must(m.Close())
	m, err = Open(t.Context(), Options{Path: path, Now: now.now})
	must(err)
	defer m.Close()
	expect("freight", "fork/1 question")
	expect("units_sold", "fork/1 metric")
}

func TestExcerptsStandAroundTheWords(t *testing.T) {
	m := fresh(t)
	long := strings.Repeat("Größe und Farbe, ", 40)
	asked(t, m, "s", "r1", long+"dann  die\nEntfernung, "+long, "", "<b>script</b>")
	for query, want := range map[string]string{
		"entfernung": "… und Farbe, Größe und Farbe, dann die Entfernung, Größe und Farbe, Größe und Farbe, Größe und Farbe, Größe und Farbe, Größe und Farbe, Größe und Farbe, …",
		"script":     "<b>script</b>",
	} {
		all, err := m.Search(t.Context(), query, 1)
		if err != nil || len(all) != 1 {
			t.Fatalf("%+v, %v", all, err)
		}
		got := all[0].Excerpt
		if strings.TrimSpace(got) != want && !(strings.Contains(got, "dann die Entfernung, Größe") && strings.HasPrefix(got, "…") && strings.HasSuffix(got, "…") && len([]rune(got)) <= excerptRunes+2) {
			t.Errorf("%s: %q", query, got)
		}
	}
}

// FuzzSearch takes any query and any text: a text is found by each of its words, and by itself.
func FuzzSearch(f *testing.F) {
	for _, s := range []string{"revenue by category", "größte Kunden", "売上 高", "o'brien \"quoted\" 100% a_b", "ﬁne ½ ① ẞ İ", "क्या हिन्दी", "a\x00b\xff", "e\u0301", "\u0301"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, s, query string) {
		if len(s) > 2000 || len(query) > 2000 {
			return
		}
		s = strings.ToValidUTF8(s, "")
		tokens := tokensOf(s)
		for _, w := range wantedIn(s) {
			if len(w.words) > 0 && w.signs == "" {
				if _, _, found := w.in(s, tokens); !found {
					t.Errorf("%q does not find itself in %q", w.words, s)
				}
			}
		}
		for _, w := range wantedIn(query) {
			if start, end, found := w.in(s, tokens); found && (start < 0 || end > len(s) || start > end) {
				t.Errorf("%q stands at %d to %d of %q", w, start, end, s)
			}
		}
		if l := look(s, wantedIn(query)); l.words > 0 {
			l.excerpt(s)
		}
	})
}

// many fills a memory with sessions as they come in an office: 20 turns each, questions of like words, a narration and a query.
func many(b *testing.B, sessions int) *Memory {
	b.Helper()
	m, err := Open(b.Context(), Options{Path: filepath.Join(b.TempDir(), "memory.sqlite"), Now: func() time.Time { return noon }})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { m.Close() })
	metrics := []string{"revenue", "margin", "freight", "orders", "customers", "discount", "returns", "stock"}
	by := []string{"category", "country", "month", "region", "product", "supplier", "employee", "quarter", "segment", "channel"}
	for s := range sessions {
		id := fmt.Sprint("s", s)
		turns := func(yield func(session.Turn, error) bool) {
			for k := 1; k <= 20; k++ {
				n := s*20 + k
				metric, dimension := metrics[n%len(metrics)], by[n/3%len(by)]
				stack := session.Stack{SessionID: id, Turn: k}
				_ = stack.Push(session.KindNarration, "", session.Narration{Text: fmt.Sprintf("%s by %s: place %d of %d leads with %d.%02d USD, the last one has %d; attested definitions, not yet reproduced (AA).", metric, dimension, n%17, n%53, n*7919%100000, n%100, n%13)}, noon)
				turn := session.Turn{
					Index: k, Place: k, RequestID: fmt.Sprint("r", s, "-", k), Question: fmt.Sprintf("what is the %s by %s in %d for customer number %d", metric, dimension, 1990+n%40, n), Asked: noon,
					Outcome: "answer", Status: "completed", FrameQL: fmt.Sprintf("SELECT %s AT %s WHERE date.year = %d AND customers.id = %d", metric, dimension, 1990+n%40, n),
					Answer: json.RawMessage(`{"frame":{"columns":[{"name":"` + metric + `","label":"` + metric + `","role":"metric"}],"rows":[]}}`), Artifacts: stack.Artifacts,
				}
				if !yield(turn, nil) {
					return
				}
			}
		}
		if err := m.Import(b.Context(), Arriving{ID: id, Title: fmt.Sprint("what is the number of session ", s), Created: noon, Imported: session.Imported{At: noon}}, turns); err != nil {
			b.Fatal(err)
		}
		if s%100 == 0 {
			if err := m.Pin(b.Context(), id, true); err != nil {
				b.Fatal(err)
			}
		}
	}
	return m
}

// What a search takes among 1,000 sessions of 20 turns: a word that all of them have, one that few have, several, the beginning of one, none.
func BenchmarkSearch(b *testing.B) {
	m := many(b, 1000)
	for _, query := range []string{"what", "w", "wh", "revenue", "revenue country 1997", "margin by pro", "number 19999", "leads USD attested", "nothing", "%", "what 19%"} {
		b.Run(strings.ReplaceAll(query, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Search(b.Context(), query, 20); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What the list of 1,000 sessions of 20 turns takes.
func BenchmarkSessions(b *testing.B) {
	m := many(b, 1000)
	for b.Loop() {
		if heads, err := m.Sessions(b.Context()); err != nil || len(heads) != 1000 {
			b.Fatal(err)
		}
	}
}
