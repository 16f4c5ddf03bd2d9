package api

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/llm"
	"assay/backend/llm/llmtest"
	"assay/backend/minds"
	"assay/backend/secret"
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
