package minds

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
	"assay/backend/secret"
)

const canary = "sk-canary-4f1d9c7e2b"

// desk is the minds of a person who chose what a test says.
type desk struct {
	*Minds
	chosen    Chosen
	localOnly bool
	env       map[string]string
	at        time.Time
	kept      llm.Day
}

func newDesk(t *testing.T, change func(*desk)) *desk {
	t.Helper()
	d := &desk{chosen: Default(), localOnly: true, env: map[string]string{}, at: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	if change != nil {
		change(d)
	}
	now := func() time.Time { return d.at }
	keys := secret.New(secret.Options{Dir: t.TempDir(), Ring: secret.Nowhere{}, Getenv: func(name string) string { return d.env[name] }, Now: now})
	d.Minds = New(Deps{
		Chosen: func() Chosen { return d.chosen }, LocalOnly: func() bool { return d.localOnly }, Keys: keys, Now: now,
		Day: func() llm.Day { return d.kept }, Keep: func(day llm.Day) { d.kept = day }, Patience: llm.Patience{Times: 1},
	})
	return d
}

// fit is a script of a model that passes the self-test.
func fit(r llm.Request) llmtest.Reply {
	if len(r.Tools) > 0 {
		return llmtest.Call("count_letters", `{"word":"apple"}`)
	}
	return llmtest.Text(`{"fruit":"apple"}`)
}

func wantCode(t *testing.T, err error, code fault.Code, says ...string) {
	t.Helper()
	if fault.CodeOf(err) != code {
		t.Errorf("%v is %s, want %s", err, fault.CodeOf(err), code)
		return
	}
	for _, words := range says {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("%q does not say %q", err, words)
		}
	}
	if strings.Contains(fault.Detail(err), canary) {
		t.Errorf("it holds the key: %v", err)
	}
}

func TestNames(t *testing.T) {
	for s, want := range map[string]Name{
		"embedded": {}, "ollama:llama3.2:3b": {"ollama", "llama3.2:3b"}, "openai:gpt-5": {"openai", "gpt-5"}, "anthropic:x/y": {"anthropic", "x/y"},
	} {
		if got, err := Parse(s); err != nil || got != want || got.String() != s {
			t.Errorf("%s: %+v %v", s, got, err)
		}
	}
	for _, s := range []string{"", "Embedded", "ollama", "ollama:", "cloud:x", "ollama:a b", "ollama:a\nb", "ollama:\u202eb", "ollama:" + strings.Repeat("x", 200)} {
		_, err := Parse(s)
		wantCode(t, err, fault.Invalid)
		if strings.ContainsAny(fmt.Sprint(err), "\n\u202e") {
			t.Errorf("%q", err)
		}
	}
}

func TestWhatStaysHere(t *testing.T) {
	c := Default()
	for s, local := range map[string]bool{
		"embedded": true, "ollama:m": true, "ollama:big-cloud": false, "ollama:big:cloud": false, "anthropic:m": false, "openai:m": false,
	} {
		n, err := Parse(s)
		if err != nil || c.Local(n) != local {
			t.Errorf("%s: %v %v", s, c.Local(n), err)
		}
	}
	c.Ollama, c.OpenAI = "http://192.0.2.7:11434", "http://localhost:8000/v1"
	for s, local := range map[string]bool{"ollama:m": false, "openai:m": true} {
		if n, _ := Parse(s); c.Local(n) != local {
			t.Errorf("%s: %v", s, c.Local(n))
		}
	}
	c.Mind, c.Planning, c.Narration = "ollama:m", "anthropic:m", "openai:m"
	if got := strings.Join(c.Elsewhere(), " "); got != "mind planning" {
		t.Error(got)
	}
	wantCode(t, c.Stays(), fault.Unauthorized, "ollama:m", "192.0.2.7:11434", "Nothing leaves this machine")
	c.StayHere()
	if c.Mind != Embedded || c.Planning != "" || c.Narration != "openai:m" || len(c.Elsewhere()) != 0 {
		t.Errorf("%+v", c)
	}
}

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(*Chosen){
		"":          func(*Chosen) {},
		"mind":      func(c *Chosen) { c.Mind = "" },
		"narration": func(c *Chosen) { c.Narration = "nobody" },
		"ollama":    func(c *Chosen) { c.Ollama = "ftp://x" },
		"openai":    func(c *Chosen) { c.OpenAI = "http://user:secret@x/v1" },
		"rows":      func(c *Chosen) { c.Rows = "all" },
		"day":       func(c *Chosen) { c.Day.USD = -1 },
		"question":  func(c *Chosen) { c.Question.Tokens = 2_000_000_000 },
	} {
		c := Default()
		change(&c)
		if got := c.Check(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The switch keeps everything that is elsewhere from being chosen, found, tried and asked, and names itself.
func TestTheSwitch(t *testing.T) {
	d := newDesk(t, func(d *desk) { d.env["ANTHROPIC_API_KEY"], d.env["OPENAI_API_KEY"] = canary, canary })
	for _, mind := range []string{"anthropic:m", "openai:m", "ollama:m-cloud"} {
		_, err := d.Model(t.Context(), mind)
		wantCode(t, err, fault.Unauthorized, "Nothing leaves this machine", mind)
		_, err = d.Thinking(t.Context(), mind)
		wantCode(t, err, fault.Unauthorized, "Nothing leaves this machine")
		_, err = d.Try(t.Context(), mind, nil)
		wantCode(t, err, fault.Unauthorized, "Nothing leaves this machine")
	}
	for _, provider := range []string{Anthropic, OpenAI} {
		if f, err := d.Find(t.Context(), provider); err != nil || f.There || !strings.Contains(f.Message, "Nothing leaves this machine") {
			t.Errorf("%+v %v", f, err)
		}
	}
	if model, err := d.Model(t.Context(), "ollama:m"); err != nil || model == nil || !model.Card().Local {
		t.Errorf("%v %v", model, err)
	}
	d.localOnly = false
	if model, err := d.Model(t.Context(), "anthropic:m"); err != nil || model.Card().Local {
		t.Errorf("%v %v", model, err)
	}
	wantHeld := newDesk(t, nil)
	if s := wantHeld.Guard().SelfTest(t.Context()); !s.On || !s.Held || len(s.Attempts) < 5 {
		t.Errorf("%+v", s)
	}
}

func TestWithoutAKey(t *testing.T) {
	d := newDesk(t, func(d *desk) { d.localOnly = false })
	_, err := d.Model(t.Context(), "anthropic:m")
	wantCode(t, err, fault.Unauthorized, "no key for Anthropic", "assay key set anthropic", "ANTHROPIC_API_KEY")
	d.chosen.OpenAI = "http://127.0.0.1:9/v1"
	if _, err := d.Model(t.Context(), "openai:m"); err != nil { // a server of this machine needs none
		t.Error(err)
	}
}

// A key that was given for a provider is not sent to another server that speaks its protocol.
func TestAKeyGoesToItsOwnPlaceAlone(t *testing.T) {
	server := llmtest.OpenAI(t, fit, func(s *llmtest.Server) { s.Key = "" })
	d := newDesk(t, func(d *desk) { d.env["OPENAI_API_KEY"] = canary })
	if id := d.chosen.KeyID(OpenAI); id != "openai" {
		t.Error(id)
	}
	d.chosen.OpenAI = server.URL + "/v1"
	id := d.chosen.KeyID(OpenAI)
	if !strings.HasPrefix(id, "openai.127.0.0.1-") {
		t.Error(id)
	}
	if _, err := d.Find(t.Context(), OpenAI); err != nil {
		t.Error(err)
	}
	if err := d.SetKey(t.Context(), OpenAI, "its-own", true); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Find(t.Context(), OpenAI); err != nil {
		t.Error(err)
	}
	heard := server.Heard()
	if len(heard) < 2 || !strings.Contains(heard[len(heard)-1].Header.Get("Authorization"), "its-own") {
		t.Errorf("%d requests", len(heard))
	}
	for _, h := range heard {
		if strings.Contains(fmt.Sprint(h.Header), canary) {
			t.Errorf("the key of another place was sent to %s", h.Path)
		}
	}
}

func TestKeys(t *testing.T) {
	d := newDesk(t, func(d *desk) { d.env["ASSAY_KEY_ANTHROPIC"] = canary })
	keys := d.Keys(t.Context())
	if len(keys.Keys) != 2 || keys.Keys[0].From != secret.Environment || keys.Keys[1].From != "" || keys.Status.State != secret.Unavailable || keys.Keys[1].Host != "api.openai.com" {
		t.Errorf("%+v", keys)
	}
	wantCode(t, d.SetKey(t.Context(), OpenAI, canary, false), fault.Unavailable, "no keyring")
	if err := d.SetKey(t.Context(), OpenAI, canary, true); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(d.Keys(t.Context()))
	if err != nil || strings.Contains(string(raw), canary) || !strings.Contains(string(raw), `"memory"`) {
		t.Errorf("%s %v", raw, err)
	}
	if err := d.ForgetKey(t.Context(), OpenAI); err != nil {
		t.Error(err)
	}
	wantCode(t, d.ForgetKey(t.Context(), OpenAI), fault.NotFound)
	wantCode(t, d.ForgetKey(t.Context(), Anthropic), fault.Conflict, "environment")
	wantCode(t, d.SetKey(t.Context(), Ollama, "x", true), fault.Invalid, "without a key")
	if err := d.UsePassphrase(t.Context(), "correct horse"); err != nil {
		t.Fatal(err)
	}
	if err := d.SetKey(t.Context(), OpenAI, canary, false); err != nil || d.Keys(t.Context()).Keys[1].From != secret.Passphrase {
		t.Error(err)
	}
}

func TestFindOllama(t *testing.T) {
	server := llmtest.Ollama(t, fit, func(s *llmtest.Server) {
		s.Key = ""
		s.Models = []llmtest.ServedModel{{Name: "b:1b", Window: 4096, NoTools: true, Digest: "sha256:bb", Bytes: 1e9}, {Name: "a:4b", Window: 8192, Digest: "sha256:aa", Bytes: 4e9}, {Name: "far", Elsewhere: "https://ollama.com"}}
	})
	d := newDesk(t, func(d *desk) { d.chosen.Ollama = server.URL })
	f, err := d.Find(t.Context(), Ollama)
	if err != nil || !f.There || !f.Local || f.Version == "" || len(f.Models) != 3 {
		t.Fatalf("%+v %v", f, err)
	}
	if m := f.Models[0]; m.Mind != "ollama:a:4b" || m.Bytes != 4e9 || !m.Tools || !m.Local || m.Digest == "" {
		t.Errorf("%+v", m)
	}
	if m := f.Models[1]; m.Tools || m.Bytes != 1e9 {
		t.Errorf("%+v", m)
	}
	if m := f.Models[2]; m.Local {
		t.Errorf("what the server hands on stays here: %+v", m)
	}
	_, err = d.Model(t.Context(), "ollama:far")
	wantCode(t, err, fault.Unauthorized, "Nothing leaves this machine")

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d.chosen.Ollama = listener.Addr().String()
	_ = listener.Close() // nobody is there
	f, err = d.Find(t.Context(), Ollama)
	if err != nil || f.There || !strings.Contains(f.Message, "No Ollama server answers") || !strings.Contains(f.Hint, "ollama pull") {
		t.Errorf("%+v %v", f, err)
	}
	_, err = d.Find(t.Context(), "bard")
	wantCode(t, err, fault.Invalid)
}

func TestLeaving(t *testing.T) {
	d := newDesk(t, nil)
	for _, mind := range []string{"", "embedded", "ollama:m"} {
		if l, err := d.Leaves(mind); err != nil || !l.Local || len(l.Parts) != 0 || l.Summary == "" {
			t.Errorf("%s: %+v %v", mind, l, err)
		}
	}
	l, err := d.Leaves("anthropic:m")
	if err != nil || l.Local || !l.Held || l.Host != "api.anthropic.com" || len(l.Parts) != 10 {
		t.Errorf("%+v %v", l, err)
	}
	d.localOnly, d.chosen.Rows = false, RowsNone
	l, err = d.Leaves("anthropic:m")
	if err != nil || l.Held {
		t.Errorf("%+v %v", l, err)
	}
	for _, p := range l.Parts {
		if stays := p.Kind == "rows" || p.Kind == "values" || p.Kind == "profile"; p.Sent == stays {
			t.Errorf("%+v", p)
		}
	}
	_, err = d.Leaves("nobody")
	wantCode(t, err, fault.Invalid)
}

func TestRoutesAndBudgets(t *testing.T) {
	server := llmtest.Ollama(t, llmtest.Always(llmtest.Reply{Text: "hello", Usage: llm.Usage{Input: 30, Output: 20}}), func(s *llmtest.Server) { s.Key = "" })
	d := newDesk(t, func(d *desk) {
		d.chosen.Ollama, d.chosen.Narration = server.URL, "ollama:"+llmtest.Model
		d.chosen.Question.Calls, d.chosen.Day.Calls = 2, 3
	})
	if th, err := d.Thinking(t.Context(), Embedded); th != nil || err != nil {
		t.Errorf("%v %v", th, err)
	}
	th, err := d.Thinking(t.Context(), "")
	if err != nil || th == nil || th.Select(llm.Planning) != nil || th.Select(llm.Narration) == nil || th.Name != "ollama:"+llmtest.Model {
		t.Fatalf("%+v %v", th, err)
	}
	ask := func(th *Thinking) error {
		_, err := th.Select(llm.Narration).Send(t.Context(), llm.Request{Task: llm.Narration, MaxTokens: 50, Messages: []llm.Message{{Role: llm.User, Text: "say hello"}}}, nil)
		return err
	}
	for range 2 {
		if err := ask(th); err != nil {
			t.Fatal(err)
		}
	}
	wantCode(t, ask(th), fault.Limit, "question")
	again, err := d.Thinking(t.Context(), "ollama:"+llmtest.Model)
	if err != nil || again.Select(llm.Planning) == nil {
		t.Fatal(err)
	}
	if err := ask(again); err != nil {
		t.Fatal(err)
	}
	wantCode(t, ask(again), fault.Limit, "day")
	if s := d.Spent(); s.Calls != 3 || s.Tokens != 150 || s.Day != "2026-03-01" || d.kept.Spent.Calls != 3 {
		t.Errorf("%+v %+v", s, d.kept)
	}
	d.at = d.at.Add(24 * time.Hour)
	if s := d.Spent(); s.Calls != 0 {
		t.Errorf("yesterday counts: %+v", s)
	}
	last := newDesk(t, func(l *desk) { l.kept, l.at = d.kept, d.at.Add(-24*time.Hour) }) // the next start of the program
	if s := last.Spent(); s.Calls != 3 {
		t.Errorf("%+v", s)
	}
}

func TestMindsThatAreNotThere(t *testing.T) {
	d := newDesk(t, nil)
	_, err := d.Thinking(t.Context(), "nobody")
	wantCode(t, err, fault.Invalid)
	_, err = d.Try(t.Context(), "nobody", nil)
	wantCode(t, err, fault.Invalid)
}

// TestLeavingSaysWhen says of answers that are put into words elsewhere what goes for them, and names the bounds that it is given.
func TestLeavingSaysWhen(t *testing.T) {
	d := newDesk(t, nil)
	d.Minds.deps.Sizes = Sizes{Given: 21, Narrated: 43, Recalled: 107, Listed: 13, Examples: 19, Judged: 23}
	d.localOnly = false
	for rows, narrated := range map[string]bool{RowsNone: false, RowsMasked: true} {
		d.chosen.Rows = rows
		l, err := d.Leaves("anthropic:m")
		if err != nil || strings.Contains(l.Summary, "every answer") != narrated {
			t.Errorf("%s: %q %v", rows, l.Summary, err)
		}
		said := l.Summary
		for _, p := range l.Parts {
			said += " " + p.Text
		}
		for _, number := range []string{"21", "43", "107", "13"} {
			if strings.Contains(said, number) != narrated {
				t.Errorf("%s: %s in %s", rows, number, said)
			}
		}
		if !strings.Contains(said, "19 verified") || !strings.Contains(said, "up to 23 others") || strings.Contains(said, "{") || strings.Contains(said, "No values") {
			t.Errorf("%s: %s", rows, said)
		}
	}
}

// TestWhoJudges: the mind that is chosen, unless it is the embedded one, or is elsewhere while nothing may leave.
func TestWhoJudges(t *testing.T) {
	d := newDesk(t, nil)
	for _, c := range []struct {
		mind      string
		localOnly bool
		want      string
	}{{Embedded, false, ""}, {"ollama:m", true, "ollama:m"}, {"anthropic:m", false, "anthropic:m"}, {"anthropic:m", true, ""}, {"nobody", false, ""}} {
		d.chosen.Mind, d.localOnly = c.mind, c.localOnly
		if got := d.Judges(); got != c.want {
			t.Errorf("%s, local only %v: %q", c.mind, c.localOnly, got)
		}
	}
}
