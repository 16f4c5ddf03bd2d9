package minds

import (
	"slices"
	"strings"
	"unicode"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/text"
)

// Embedded is the mind that needs no language model.
const Embedded = "embedded"

// The providers.
const (
	Anthropic = "anthropic"
	OpenAI    = "openai"
	Ollama    = "ollama"
)

// Providers gives them in the order in which they are shown: what stays on this machine first.
func Providers() []string { return []string{Ollama, Anthropic, OpenAI} }

// DefaultOllama is where Ollama listens when nobody says otherwise.
const DefaultOllama = "http://127.0.0.1:11434"

// What of the rows of the data a model elsewhere may see; one on this machine may see them.
const (
	RowsNone   = "none"   // how many there are, and how columns are called
	RowsMasked = "masked" // few, with personal values replaced
)

// Chosen is what a person chose about who thinks.
type Chosen struct {
	Mind      string `json:"mind" maxLength:"200" doc:"Who thinks where a question does not say it: embedded, or PROVIDER:MODEL"`
	Planning  string `json:"planning" maxLength:"200" doc:"Who says what is to run; empty: the mind"`
	Narration string `json:"narration" maxLength:"200" doc:"Who says in words what an answer shows; empty: the mind"`
	Followups string `json:"followups" maxLength:"200" doc:"Who proposes what to ask next; empty: the mind"`
	Embedding string `json:"embedding,omitempty" maxLength:"200" doc:"Who says which questions are alike: PROVIDER:MODEL of Ollama or OpenAI; empty: the embedder that is built in"`
	Ollama    string `json:"ollama" maxLength:"500" doc:"Address of the Ollama server; empty: port 11434 of this machine"`
	Anthropic string `json:"anthropic" maxLength:"500" doc:"Address of a server that speaks the protocol of Anthropic; empty: Anthropic itself"`
	OpenAI    string `json:"openai" maxLength:"500" doc:"Address of a server that speaks the protocol of OpenAI; empty: OpenAI itself"`
	Rows      string `json:"rows" enum:"none,masked" doc:"What of the rows of the data a model that is elsewhere may see: none; masked: few, with personal values replaced"`
	Plan      int    `json:"plan_seconds,omitempty" minimum:"0" maximum:"600" doc:"How long a model may think about what to run before the embedded mind answers; 0: a minute"`
	Question  Budget `json:"question" doc:"What one question may use"`
	Day       Budget `json:"day" doc:"What all questions of a day may use together"`
}

// Budget bounds what models may use. 0 is no bound.
type Budget struct {
	Calls   int     `json:"calls" minimum:"0" maximum:"1000000"`
	Tokens  int     `json:"tokens" minimum:"0" maximum:"1000000000" doc:"Of requests and replies together"`
	Seconds int     `json:"seconds" minimum:"0" maximum:"86400" doc:"That models take"`
	USD     float64 `json:"usd" minimum:"0" maximum:"100000" doc:"US dollars, by the list prices that are known"`
}

// Default is what holds for a person who has chosen nothing: no language model is asked.
func Default() Chosen {
	return Chosen{
		Mind: Embedded, Ollama: DefaultOllama, Rows: RowsMasked,
		Question: Budget{Calls: 24, Tokens: 200_000, Seconds: 120, USD: 0.5}, Day: Budget{Calls: 1000, Tokens: 5_000_000, Seconds: 7200, USD: 10},
	}
}

// Name is that of a mind in its parts. Both are empty for the embedded one.
type Name struct {
	Provider string
	Model    string
}

// String gives the name as it is written.
func (n Name) String() string {
	if n.Provider == "" {
		return Embedded
	}
	return n.Provider + ":" + n.Model
}

// Parse reads the name of a mind. Fault Invalid.
func Parse(s string) (Name, error) {
	if s == Embedded {
		return Name{}, nil
	}
	provider, model, _ := strings.Cut(s, ":")
	odd := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
	if !slices.Contains(Providers(), provider) || model == "" || len(s) > 200 || strings.ContainsFunc(model, odd) {
		return Name{}, fault.New(fault.Invalid, "choose mind", text.Say("minds.bad_name", "mind", shown(s)), text.Say("minds.bad_name_hint"))
	}
	return Name{provider, model}, nil
}

// shown is a name that may be anything, for a sentence.
func shown(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}

// Address is where a provider would be asked. Fault Invalid.
func (c Chosen) Address(provider string) (llm.Address, error) {
	e, own := llm.Endpoint{URL: c.url(provider)}, ""
	switch provider {
	case Ollama:
		own = DefaultOllama
	case Anthropic:
		own = "https://api.anthropic.com"
	case OpenAI:
		own = "https://api.openai.com/v1"
	}
	return e.Resolve(provider, own)
}

func (c Chosen) url(provider string) string {
	return strings.TrimSpace(map[string]string{Ollama: c.Ollama, Anthropic: c.Anthropic, OpenAI: c.OpenAI}[provider])
}

// Local says whether a mind stays on this machine.
func (c Chosen) Local(n Name) bool {
	if n.Provider == "" {
		return true
	}
	a, err := c.Address(n.Provider)
	return err == nil && a.Local && !hosted(n)
}

// hosted says whether a server on this machine hands a model's requests on: what Ollama calls cloud models, by the end of their tag.
func hosted(n Name) bool {
	return n.Provider == Ollama && (strings.HasSuffix(n.Model, "-cloud") || strings.HasSuffix(n.Model, ":cloud"))
}

// all gives the names that are chosen, by the field that holds each.
func (c *Chosen) all() map[string]*string {
	return map[string]*string{"mind": &c.Mind, "planning": &c.Planning, "narration": &c.Narration, "followups": &c.Followups, "embedding": &c.Embedding}
}

// Elsewhere lists the fields whose mind is not on this machine, in order.
func (c *Chosen) Elsewhere() []string {
	var fields []string
	for field, name := range c.all() {
		if n, err := Parse(*name); err == nil && !c.Local(n) {
			fields = append(fields, field)
		}
	}
	slices.Sort(fields)
	return fields
}

// Stays is the fault of a choice that the switch does not allow: it names the first mind that is elsewhere, and where. Unauthorized.
func (c *Chosen) Stays() error {
	away := c.Elsewhere()
	if len(away) == 0 {
		return nil
	}
	n, err := Parse(*c.all()[away[0]])
	if err != nil {
		return err
	}
	return stays(n.String(), c.host(n))
}

// StayHere takes back what is not on this machine: there the embedded mind thinks.
func (c *Chosen) StayHere() {
	for _, field := range c.Elsewhere() {
		if name := c.all()[field]; field == "mind" {
			*name = Embedded
		} else {
			*name = ""
		}
	}
}

// Check gives the first field that cannot be chosen as it is; empty: none.
func (c *Chosen) Check() string {
	for _, field := range []string{"mind", "planning", "narration", "followups", "embedding"} {
		name := *c.all()[field]
		if _, err := Parse(name); err != nil && (name != "" || field == "mind") {
			return field
		}
	}
	if n, err := Parse(c.Embedding); err == nil && !embeds(n) {
		return "embedding"
	}
	for _, provider := range Providers() {
		if _, err := c.Address(provider); err != nil || len(c.url(provider)) > 500 {
			return provider
		}
	}
	if c.Rows != RowsNone && c.Rows != RowsMasked {
		return "rows"
	}
	if c.Plan < 0 || c.Plan > 600 {
		return "plan_seconds"
	}
	for field, b := range map[string]Budget{"question": c.Question, "day": c.Day} {
		if min(b.Calls, b.Tokens, b.Seconds) < 0 || b.Calls > 1_000_000 || b.Tokens > 1_000_000_000 || b.Seconds > 86_400 || !(b.USD >= 0 && b.USD <= 100_000) {
			return field
		}
	}
	return ""
}
