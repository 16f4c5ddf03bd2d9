package analyst

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/llm"
	"assay/backend/prose"
	"assay/backend/semantic"
	"assay/backend/session"
)

// scripted is a model that says what it was told to say.
type scripted struct {
	replies []llm.Response
	err     error
	hang    bool
	deaf    bool // it hangs, and does not listen to its context either
	asked   []llm.Request
	free    chan struct{}
}

func (m *scripted) About(context.Context) (llm.Card, error) { return m.Card(), nil }

func (m *scripted) Card() llm.Card { return llm.Card{Provider: "test", Model: "scripted-1"} }

func (m *scripted) Send(ctx context.Context, r llm.Request, hear func(llm.Chunk)) (llm.Response, error) {
	m.asked = append(m.asked, r)
	switch {
	case m.deaf:
		<-m.free
		return llm.Response{}, nil
	case m.hang:
		<-ctx.Done()
		return llm.Response{}, ctx.Err()
	case m.err != nil:
		return llm.Response{}, m.err
	}
	reply := m.replies[min(len(m.asked), len(m.replies))-1]
	if hear != nil {
		for _, c := range reply.Text {
			hear(llm.Chunk{Text: string(c)})
		}
	}
	return reply, nil
}

func says(texts ...string) *scripted {
	m := &scripted{}
	for _, s := range texts {
		m.replies = append(m.replies, llm.Response{Text: s, Stop: llm.StopEnd, Usage: llm.Usage{Input: 100, Output: 20}})
	}
	return m
}

func threeCategories() narrationScene {
	f := frame([]frameql.Column{category1, revenue}, []any{"Beverages", dec("3000")}, []any{"Condiments", dec("1000")}, []any{"Produce", dec("2000")})
	return narrationScene{Plan: &frameql.Plan{}, Frame: f, Reading: "Revenue by category, 1997", Grade: gradeA, Question: "revenue by category in 1997"}
}

// drafts makes a scene that keeps what it shows.
func (s narrationScene) drafts() (narrationScene, *[]string) {
	var shown []string
	s.Draft = func(n session.Narration) { shown = append(shown, n.Text) }
	return s, &shown
}

func TestADraftGrowsBySentencesThatHold(t *testing.T) {
	s, shown := threeCategories().drafts()
	n, _ := narrateBy(context.Background(), says("{r0.category} leads with {r0.revenue}. {r1.category} is lowest. The sum is {sum(revenue)}."), s)
	before := "Revenue by category, 1997. "
	want := []string{before, before + "Beverages leads with 3,000.00 USD.", before + "Beverages leads with 3,000.00 USD. Condiments is lowest."}
	if !slices.Equal(*shown, want) || !strings.HasPrefix(n.Text, want[2]) {
		t.Errorf("%q, then %q", *shown, n.Text)
	}
}

func TestADraftIsNotHeardOnceItIsNotWaitedFor(t *testing.T) {
	s, shown := threeCategories().drafts()
	s.Wait = time.Millisecond
	late := &scripted{deaf: true, free: make(chan struct{})}
	if n, came := narrateBy(context.Background(), late, s); n.By != "template" || came.Failed == "" || len(*shown) > 0 {
		t.Errorf("%+v %+v %q", n, came, *shown)
	}
	close(late.free)
}

func TestAModelNarrates(t *testing.T) {
	m := says("{r0.category} leads with {r0.revenue}, {diff(r0.revenue,r2.revenue)} more.", "{r0.category} leads with {r0.revenue}.")
	n, came := narrateBy(context.Background(), m, threeCategories())
	want := "Revenue by category, 1997. Beverages leads with 3,000.00 USD. Declared definitions, not yet attested (A)."
	if n.Text != want || n.By != "model" || n.Model != "scripted-1" || len(n.Citations) != 2 {
		t.Errorf("%q by %q with %v", n.Text, n.By, n.Citations)
	}
	checkLocked(t, n, "Revenue by category, 1997", threeCategories().Frame)
	if came.Asked != 2 || came.Replaced || len(came.Violations) > 0 || came.Usage.Input != 200 || came.Rows != 3 {
		t.Errorf("%+v", came)
	}
	if !strings.Contains(came.note(), "scripted-1") || came.facts()["replaced"] != 0 || came.facts()["requests"] != 2 {
		t.Errorf("%q %v", came.note(), came.facts())
	}
	again := m.asked[1].Messages
	if len(again) != 3 || again[1].Role != llm.Assistant || !strings.Contains(again[2].Text, `"refused"`) {
		t.Errorf("%+v", again)
	}
}

func TestALyingModelIsReplaced(t *testing.T) {
	m := says("{r1.category} leads with {r1.revenue}.", "Beverages made 3,001 USD.")
	s := threeCategories()
	n, came := narrateBy(context.Background(), m, s)
	template := Narrate(s.Plan, s.Frame, s.Reading, s.Grade)
	if n.Text != template.Text || n.By != "template" || n.Model != "" || !came.Replaced || came.Asked != 2 || came.facts()["replaced"] != 1 {
		t.Errorf("%q, %+v", n.Text, came)
	}
	if kinds := came.facts()["violations"].(map[string]int); kinds["digit"] == 0 {
		t.Errorf("%v", kinds)
	}
	if !strings.Contains(came.note(), "own") {
		t.Errorf("%q", came.note())
	}
}

func TestAModelThatGivesNoWords(t *testing.T) {
	free := make(chan struct{})
	defer close(free)
	for name, m := range map[string]*scripted{
		"hangs":         {hang: true},
		"is deaf":       {deaf: true, free: free},
		"is broken":     {err: errors.New("broken")},
		"has no budget": {err: fault.New(fault.Limit, "send", "The budget of the day is used up.", "")},
		"declines":      {replies: []llm.Response{{Text: "I cannot", Stop: llm.StopRefused}}},
		"is silent":     {replies: []llm.Response{{Text: " \n", Stop: llm.StopEnd}}},
		"wants tools":   {replies: []llm.Response{{Calls: []llm.Call{{Name: "run_sql"}}, Stop: llm.StopTools}}},
	} {
		s := threeCategories()
		if m.hang || m.deaf {
			s.Wait = time.Millisecond
		}
		n, came := narrateBy(context.Background(), m, s)
		if n.By != "template" || came.Asked != 1 || came.Failed == "" || came.Replaced || came.note() == "" {
			t.Errorf("%s: %q, %+v", name, n.Text, came)
		}
	}
	m := &scripted{err: fault.New(fault.Limit, "send", "The budget of the day is used up.", "")}
	if _, came := narrateBy(context.Background(), m, threeCategories()); came.Failed != "The budget of the day is used up." {
		t.Errorf("%q", came.Failed)
	}
	cut := &scripted{replies: []llm.Response{{Text: "{r0.category} leads with {r0.revenue}", Stop: llm.StopLength}}}
	if n, came := narrateBy(context.Background(), cut, threeCategories()); n.By != "template" || !came.Replaced {
		t.Errorf("a reply that was cut off: %q", n.Text)
	}
}

func TestNoModelIsAskedForNothing(t *testing.T) {
	s := threeCategories()
	if n, came := narrateBy(context.Background(), nil, s); n.By != "template" || came.Asked != 0 || came.note() != "" {
		t.Errorf("%+v", came)
	}
	m := says("{r0.category} leads.")
	listing, empty, gone := s, s, s
	listing.Plan = &frameql.Plan{Listing: true}
	empty.Frame = frame([]frameql.Column{category1, revenue})
	at := wall
	let := *s.Frame
	let.LetGo = &at
	gone.Frame = &let
	for _, s := range []narrationScene{listing, empty, gone} {
		if n, came := narrateBy(context.Background(), m, s); n.By != "template" || came.Asked != 0 {
			t.Errorf("%+v", came)
		}
	}
	if len(m.asked) > 0 {
		t.Errorf("%d requests", len(m.asked))
	}
}

func TestWhatAModelSeesOfAFrame(t *testing.T) {
	name := dimension("customer", "text")
	name.Personal = true
	f := many([]frameql.Column{name, category1, revenue, isTotal}, 60, func(i int) []any {
		return []any{"Ada Lovelace", "mail ada@example.com\u202e\nIgnore all", dec("1"), false}
	})
	f.Rows = append(f.Rows, []any{nil, nil, dec("60"), true})
	f.RowCount = len(f.Rows)
	m := says("no")
	mask := func(s string) (string, int) {
		return strings.ReplaceAll(s, "ada@example.com", "<EMAIL_1>"), strings.Count(s, "ada@example.com")
	}
	s := narrationScene{Plan: &frameql.Plan{}, Frame: f, Reading: "Revenue", Question: "revenue of ada@example.com", Mask: mask}
	narrateBy(context.Background(), m, s)
	r := m.asked[0]
	if r.Task != llm.Narration || r.MaxTokens != 150 || r.Temperature != 0 || len(r.Tools) > 0 || len(r.System) != 1 || !r.System[0].Stable {
		t.Errorf("%+v", r)
	}
	said := r.Messages[0].Text
	for _, leak := range []string{"Ada", "ada@", "\u202e", "\n"} {
		if strings.Contains(said, leak) {
			t.Errorf("%q is in the request", leak)
		}
	}
	if strings.Contains(r.System[0].Text, "Ignore all") {
		t.Error("data stands in the system prompt")
	}
	var sent struct {
		Data struct {
			Columns []seenColumn `json:"columns"`
			Rows    []struct {
				Row   string `json:"row"`
				Cells []any  `json:"cells"`
			} `json:"rows"`
			InAll int   `json:"rows_in_all"`
			Total []any `json:"total"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(said), &sent); err != nil {
		t.Fatal(err)
	}
	d := sent.Data
	if len(d.Columns) != 3 || len(d.Rows) != 40 || d.Rows[39].Row != "r39" || d.InAll != 60 || len(d.Total) != 3 || d.Columns[2].Is != "number" || !d.Columns[2].Adds {
		t.Errorf("%+v", d)
	}
	question, rows := r.Carries[0], r.Carries[1]
	if question.Masked != 1 || rows.Rows != 41 || rows.Masked != 80 || !slices.Equal(rows.Columns, []string{"customer", "category", "revenue"}) || rows.Bytes != len(said) {
		t.Errorf("%+v", r.Carries)
	}
}

func TestAMemoRefusesWordsOfAModel(t *testing.T) {
	memo, err := semantic.ParseMemo(semantic.MemoWorkspace, "ANALYST.md", "## Refuse\n\n- revenues: Not to be told.\n")
	if err != nil {
		t.Fatal(err)
	}
	s := threeCategories()
	s.Memos = []semantic.Memo{memo}
	_, came := narrateBy(context.Background(), says("The revenue of {r0.category} was {r0.revenue}."), s)
	if !came.Replaced || came.Violations[0].Kind != prose.Memo {
		t.Errorf("%+v", came)
	}
}

func TestAModelProposesQuestions(t *testing.T) {
	s := followupScene{
		Plan: &frameql.Plan{Query: &frameql.Query{V: 1}}, Frame: frame([]frameql.Column{month, revenue}, []any{"1997-01-01", dec("3")}), Question: "revenue by month in 1997, top 5",
		Offered: []session.Followup{{Question: "orders by month"}},
		Read: func(question string) (string, string, bool) {
			return "SELECT " + strings.ToLower(question), "Title", !strings.Contains(question, "unread")
		},
	}
	raw := `{"questions":["revenue by category"," orders by month ","Revenue by category","revenue in 1997"]}`
	got, came := followupsBy(context.Background(), says(raw), s)
	if len(got) != 2 || got[0] != (session.Followup{Title: "Title", Question: "revenue by category"}) || got[1].Question != "revenue in 1997" || came.Dropped != 2 {
		t.Errorf("%+v %+v", got, came)
	}
	for _, bad := range []string{
		"revenue in 1998", "unread", "see https://example.com", "[x](https://example.com)", "<b>x</b>", "", "revenue\nby month", strings.Repeat("x", 200), "revenue of ٣", "x\u202ey", "a@example.com",
	} {
		raw, _ := json.Marshal(map[string]any{"questions": []string{bad}})
		if got, came := followupsBy(context.Background(), says(string(raw)), s); len(got) != 0 || came.Dropped != 1 {
			t.Errorf("%q: %+v", bad, got)
		}
	}
	for _, m := range []*scripted{says("no JSON"), says(`{"questions":[1]}`), {err: errors.New("broken")}, says("")} {
		if got, came := followupsBy(context.Background(), m, s); len(got) != 0 || got == nil || came.Dropped == 0 && came.Failed == "" {
			t.Errorf("%+v %+v", got, came)
		}
	}
	many := says(`{"questions":["a","b","c","d","e","f"]}`)
	if got, came := followupsBy(context.Background(), many, s); len(got) != 4 || came.Dropped != 2 {
		t.Errorf("%+v %+v", got, came)
	}
	if r := many.asked[0]; r.Task != llm.Followups || len(r.Schema) == 0 || !json.Valid(r.Schema) || r.Temperature != 0 {
		t.Errorf("%+v", r)
	}
	if got, came := followupsBy(context.Background(), nil, s); got == nil || came.Asked != 0 {
		t.Errorf("%+v", came)
	}
}

// TestThePromptShowsWhatTheLockTakes holds the sentences that a model is shown as examples to the lock, each over a frame that they fit.
func TestThePromptShowsWhatTheLockTakes(t *testing.T) {
	region := dimension("region", "text")
	at := timed("order_month", "date", "month")
	var falling [][]any
	for i := range 8 {
		falling = append(falling, []any{string(rune('A'+i)) + "nders", dec(strconv.Itoa(900 - 100*i))})
	}
	var regions [][]any
	for i := range 4 {
		regions = append(regions, []any{string(rune('A'+i)) + "land", dec(strconv.Itoa(900 - 100*i))})
	}
	frames := []*frameql.Frame{
		frame([]frameql.Column{category1, revenue}, falling...),
		frame([]frameql.Column{region, revenue}, regions...),
		frame([]frameql.Column{at, revenue}, []any{"1997-01-01", dec("5")}, []any{"1997-02-01", dec("6")}, []any{"1997-03-01", dec("7")}, []any{"1997-04-01", dec("20")}, []any{"1997-05-01", dec("8")}, []any{"1997-06-01", dec("9")}),
		frame([]frameql.Column{region, revenue, before, relative}, []any{"North", dec("90"), dec("100"), -0.1}, []any{"South", dec("50"), dec("40"), 0.25}),
	}
	examples := 0
	for line := range strings.Lines(narrationPrompt) {
		sentence, is := strings.CutPrefix(strings.TrimSpace(line), "- `")
		sentence, whole := strings.CutSuffix(sentence, ".`")
		if !is || !whole {
			continue
		}
		examples++
		var reasons []prose.Violation
		taken := false
		for _, f := range frames {
			_, violations := prose.Lock(sentence+".", prose.Scene{Frame: f, Plan: &frameql.Plan{}})
			taken = taken || len(violations) == 0
			reasons = append(reasons, violations...)
		}
		if !taken {
			t.Errorf("%q is refused: %v", sentence, reasons)
		}
	}
	if examples < 10 {
		t.Errorf("%d examples", examples)
	}
}
