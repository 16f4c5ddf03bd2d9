package api

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
	"assay/backend/minds"
	"assay/backend/secret"
	"assay/backend/session"
	"assay/backend/workspace"
)

// keyCanary is what must never be given back, kept in the clear, or logged.
const keyCanary = "sk-canary-4f1d9c7e2b"

// mindful serves the sample with a key store of its own and an Ollama server that follows a script.
func mindful(t *testing.T, script llmtest.Script) (dir, url string, ollama *llmtest.Server) {
	t.Helper()
	dir = home(t)
	keys := secret.New(secret.Options{Dir: filepath.Join(dir, "keys"), Ring: secret.Nowhere{}, Getenv: func(string) string { return "" }})
	ws, err := workspace.OpenSample(t.Context(), "northwind", workspace.Options{DataDir: dir, Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	_, web := servingOver(t, ws)
	ollama = llmtest.Ollama(t, script, func(s *llmtest.Server) { s.Key = "" })
	body := chosen(t, web.URL, func(s map[string]any) { s["minds"].(map[string]any)["ollama"] = ollama.URL })
	if status, answer := patch(t, web.URL+"/api/settings", body); status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	return dir, web.URL, ollama
}

func TestMindsAreFoundTriedAndChosen(t *testing.T) {
	_, url, _ := mindful(t, func(r llm.Request) llmtest.Reply {
		if len(r.Tools) > 0 {
			return llmtest.Call("count_letters", `{"word":"apple"}`)
		}
		return llmtest.Text(`{"fruit":"apple"}`)
	})
	var view MindsView
	if status := get(t, url+"/api/minds", &view); status != http.StatusOK || view.Mind != "embedded" || !view.Local || !view.LocalOnly || view.Spent.Calls != 0 || len(view.Keys.Keys) != 2 {
		t.Fatalf("%d %+v", status, view)
	}
	mind := "ollama:" + llmtest.Model
	if status, body := post(t, url+"/api/minds/find", `{"provider":"ollama"}`, "application/json"); status != http.StatusOK || !strings.Contains(body, `"mind":"`+mind+`"`) {
		t.Errorf("%d %s", status, body)
	}
	_, body := post(t, url+"/api/minds/test", `{"mind":"`+mind+`"}`, "text/event-stream")
	events := eventsOf(t, body)
	if len(events) != 6 || events[0].name != "check" || events[5].name != "done" || !strings.Contains(events[5].data, `"passed":true`) {
		t.Errorf("%s", body)
	}
	if status, body := post(t, url+"/api/minds/test", `{"mind":"embedded"}`, "application/json"); status != http.StatusOK || !strings.Contains(body, `"passed":true`) {
		t.Errorf("%d %s", status, body)
	}
	choice := chosen(t, url, func(s map[string]any) { s["minds"].(map[string]any)["mind"] = mind })
	if status, body := patch(t, url+"/api/settings", choice); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	if get(t, url+"/api/minds", &view); view.Mind != mind || !view.Local || view.Spent.Calls != 2 {
		t.Errorf("%+v", view)
	}
	var leaving minds.Leaving
	if get(t, url+"/api/minds/leaving?mind=openai:some", &leaving); !leaving.Held || len(leaving.Parts) == 0 {
		t.Errorf("%+v", leaving)
	}
	if status, body := post(t, url+"/api/minds/sealed", `{}`, "application/json"); status != http.StatusOK || !strings.Contains(body, `"held":true`) {
		t.Errorf("%d %s", status, body)
	}
	for path, body := range map[string]string{
		"/api/minds/find": `{"provider":"bard"}`, "/api/minds/test": `{"mind":"nobody"}`, "/api/minds/keys": `{"provider":"ollama","key":"x"}`, "/api/minds/passphrase": `{"passphrase":"short","choose":true}`,
	} {
		if status, answer := post(t, url+path, body, "application/json"); status < 400 || status > 499 {
			t.Errorf("%s: %d %s", path, status, answer)
		}
	}
}

// While the switch is on no mind elsewhere can be chosen or asked; turning it on takes back those that were.
func TestTheSwitchHoldsMindsBack(t *testing.T) {
	_, url, _ := mindful(t, llmtest.Always(llmtest.Text("hello")))
	elsewhere := func(s map[string]any) { s["minds"].(map[string]any)["mind"] = "anthropic:some" }
	if status, body := patch(t, url+"/api/settings", chosen(t, url, elsewhere)); status != http.StatusForbidden || !strings.Contains(body, "Nothing leaves this machine") {
		t.Errorf("%d %s", status, body)
	}
	if status, body := post(t, url+"/api/ask", `{"question":"revenue by category","mind":"anthropic:some"}`, "application/json"); status != http.StatusForbidden || !strings.Contains(body, "Nothing leaves this machine") {
		t.Errorf("%d %s", status, body)
	}
	open := func(s map[string]any) {
		s["local_only"] = false
		elsewhere(s)
	}
	if status, body := patch(t, url+"/api/settings", chosen(t, url, open)); status != http.StatusOK || !strings.Contains(body, `"mind":"anthropic:some"`) {
		t.Fatalf("%d %s", status, body)
	}
	if status, body := patch(t, url+"/api/settings", chosen(t, url, func(s map[string]any) { s["local_only"] = true })); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	var view MindsView
	if get(t, url+"/api/minds", &view); view.Mind != "embedded" {
		t.Errorf("%+v", view)
	}
}

// TestWhatWasSentCanBeRead asks a model whose server passes it on, which answers nothing: the words that went are read by the request, and make no list of turns heavy.
func TestWhatWasSentCanBeRead(t *testing.T) {
	_, url, ollama := mindful(t, llmtest.Always(llmtest.Text("nothing")))
	ollama.Models = append(ollama.Models, llmtest.ServedModel{Name: "passed-on", Window: 32768, Elsewhere: "https://models.example:443"})
	if status, body := patch(t, url+"/api/settings", chosen(t, url, func(s map[string]any) { s["local_only"] = false })); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	const question = "how did we fare lately with <b>all our hopes</b>"
	there := map[string]bool{"ollama:passed-on": true, "embedded": false}
	for mind, went := range there {
		a := ask(t, url, `{"question":"`+question+`","mind":"`+mind+`"}`)
		var sent session.SentTexts
		if status := get(t, url+"/api/requests/"+a.RequestID+"/sent", &sent); status != http.StatusOK || (len(sent.Requests) > 0) != went || sent.Texts == nil {
			t.Fatalf("%s: %d %+v", mind, status, sent)
		}
		said := ""
		for _, one := range sent.Requests {
			if one.To != ollama.Listener.Addr().String() {
				t.Errorf("it went to %s", one.To)
			}
			for _, part := range one.Parts {
				said += sent.Texts[part]
			}
		}
		if strings.Contains(said, "our hopes") != went {
			t.Errorf("%s: %.2000s", mind, said)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/api/sessions/"+a.SessionID, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, doc := do(t, r); strings.Contains(doc, analyst.SentFact) || strings.Contains(doc, `"sent_requests":`) != went || strings.Contains(doc, `"kind":"provenance"`) != went {
			t.Errorf("%s: %.3000s", mind, doc)
		}
	}
	var p Problem
	if status := get(t, url+"/api/requests/nothing/sent", &p); status != http.StatusNotFound {
		t.Errorf("%d %+v", status, p)
	}
}

// TestAModelIsFetched has the server fetch a model, and tells each part and hundredth of it; not while nothing may leave, and not one that is nowhere.
func TestAModelIsFetched(t *testing.T) {
	_, url, ollama := mindful(t, llmtest.Always(llmtest.Text("hello")))
	ollama.PullSteps = []any{
		map[string]any{"status": "pulling manifest"},
		map[string]any{"status": "pulling 5f1e", "total": 100_000, "completed": 40_000},
		map[string]any{"status": "pulling 5f1e", "total": 100_000, "completed": 40_001},
		map[string]any{"status": "pulling 5f1e", "total": 100_000, "completed": 100_000},
		map[string]any{"status": "success"},
	}
	pull := func(model string) []event {
		t.Helper()
		_, body := post(t, url+"/api/minds/pull", `{"model":"`+model+`"}`, "text/event-stream")
		return eventsOf(t, body)
	}
	asked := len(ollama.Heard())
	if events := pull("new:1b"); len(events) != 1 || events[0].name != "error" || !strings.Contains(events[0].data, "Nothing leaves this machine") || len(ollama.Heard()) != asked {
		t.Errorf("%v", events)
	}
	if status, body := patch(t, url+"/api/settings", chosen(t, url, func(s map[string]any) { s["local_only"] = false })); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	events := pull("ollama:new:1b")
	if len(events) != 5 || events[1].name != "progress" || !strings.Contains(events[1].data, `"completed":40000`) || events[4].name != "done" || !strings.Contains(events[4].data, `"mind":"ollama:new:1b"`) {
		t.Errorf("%v", events)
	}
	ollama.PullSteps = []any{map[string]any{"error": "pull model manifest: file does not exist"}}
	if events := pull("nowhere"); len(events) != 1 || events[0].name != "error" || !strings.Contains(events[0].data, "nowhere") {
		t.Errorf("%v", events)
	}
}

// TestFetchingAModelCanBeCanceled stops a server that goes on for ever, by the name that the page gave the run.
func TestFetchingAModelCanBeCanceled(t *testing.T) {
	_, url, _ := mindful(t, nil)
	asked, gone := make(chan bool), make(chan bool)
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"status":"pulling 5f1e","total":100,"completed":1}`+"\n")
		_ = http.NewResponseController(w).Flush()
		close(asked)
		<-r.Context().Done()
		close(gone)
	}))
	t.Cleanup(endless.Close)
	open := func(s map[string]any) {
		s["local_only"] = false
		s["minds"].(map[string]any)["ollama"] = endless.URL
	}
	if status, body := patch(t, url+"/api/settings", chosen(t, url, open)); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	said := make(chan string)
	go func() {
		_, body := post(t, url+"/api/minds/pull", `{"model":"new:1b","request_id":"run_1"}`, "text/event-stream")
		said <- body
	}()
	<-asked
	if status, body := post(t, url+"/api/requests/run_1/cancel", ``, "application/json"); status >= 300 {
		t.Errorf("%d %s", status, body)
	}
	<-gone
	if events := eventsOf(t, <-said); events[len(events)-1].name != "error" || !strings.Contains(events[len(events)-1].data, "canceled") {
		t.Errorf("%v", events)
	}
}

func TestKeysAreNeverGivenBack(t *testing.T) {
	dir, url, _ := mindful(t, llmtest.Always(llmtest.Text("hello")))
	said := ""
	send := func(method, path, body string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		status, answer := do(t, r)
		said += answer
		return status
	}
	if status := send(http.MethodPost, "/api/minds/keys", `{"provider":"openai","key":"`+keyCanary+`"}`); status != http.StatusServiceUnavailable {
		t.Errorf("without a keyring: %d", status)
	}
	if status := send(http.MethodPost, "/api/minds/passphrase", `{"passphrase":"`+keyCanary+` words","choose":true}`); status != http.StatusOK {
		t.Errorf("%d %s", status, said)
	}
	for _, body := range []string{`{"provider":"openai","key":"` + keyCanary + `"}`, `{"provider":"anthropic","key":"` + keyCanary + `","for_now":true}`} {
		if status := send(http.MethodPost, "/api/minds/keys", body); status != http.StatusOK {
			t.Errorf("%d %s", status, said)
		}
	}
	send(http.MethodPost, "/api/minds/keys", `{"provider":"openai","key":"`+keyCanary+`\u0007"}`)
	send(http.MethodPost, "/api/minds/keys", `{"provider":"openai","key":5,"other":"`+keyCanary+`"}`)
	for _, path := range []string{"/api/minds", "/api/settings", "/api/diagnostics", "/api/workspace"} {
		send(http.MethodGet, path, "")
	}
	send(http.MethodPost, "/api/ask", `{"question":"revenue by category"}`)
	if status := send(http.MethodDelete, "/api/minds/keys/anthropic", ""); status != http.StatusOK {
		t.Errorf("%d", status)
	}
	if !strings.Contains(said, `"from":"passphrase"`) || !strings.Contains(said, `"from":"memory"`) {
		t.Errorf("%.2000s", said)
	}
	if i := strings.Index(said, keyCanary); i >= 0 {
		t.Errorf("it is given back: …%s", said[max(0, i-200):min(len(said), i+40)])
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(raw, []byte(keyCanary)) {
			t.Errorf("%s holds it", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// From the first question on a model that has tools uses them, and what it writes is heard while it writes.
func TestAModelThinksAndIsHeardWriting(t *testing.T) {
	_, url, ollama := mindful(t, func(r llm.Request) llmtest.Reply {
		switch {
		case r.Schema != nil:
			return llmtest.Text(`{"questions":[]}`)
		case len(r.Tools) == 0:
			return llmtest.Text("{r0.category_name} leads with {r0.revenue}. In total, revenue was {sum(revenue)}.")
		case r.Messages[len(r.Messages)-1].Role == llm.Tools:
			return llmtest.Text("It is done.")
		}
		return llmtest.Call("execute_frame_ql", `{"frame_ql":"SELECT categories.category_name, revenue"}`)
	})
	mind := "ollama:" + llmtest.Model
	_, body := post(t, url+"/api/ask", `{"question":"which places are strongest","mind":"`+mind+`"}`, "text/event-stream")
	if first := ollama.Asked()[0]; len(first.Tools) < 16 {
		t.Errorf("the first request has %d tools", len(first.Tools))
	}
	if n := strings.Count(body, "the model is writing"); n != 1 {
		t.Errorf("the model is writing %d times", n)
	}
	var drafts []string
	for _, e := range eventsOf(t, body) {
		if e.name == "draft" {
			drafts = append(drafts, e.data)
		}
	}
	if len(drafts) != 2 || strings.Contains(drafts[0], "leads") || !strings.Contains(drafts[1], "Beverages leads with ") {
		t.Errorf("%d drafts: %s", len(drafts), drafts)
	}
	if !strings.Contains(body, `"by":"model"`) {
		t.Errorf("%s", body)
	}
}
