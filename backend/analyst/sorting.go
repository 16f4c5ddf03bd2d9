package analyst

import (
	"context"
	_ "embed" // the prompt
	"encoding/json"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/llm"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/session"
	"assay/backend/text"
)

// Words that correct and are none that the rules know may be read by a language model, when one is on. What it says holds only as far as knowledge.Sorted lets it, and as it compiles; who read it is kept with it.

//go:embed prompts/sorting.md
var sortingPrompt string

const (
	sortingTokens = 400              // of a reply
	sortingRoom   = 8_000            // tokens of the names in a request
	sortingWait   = 20 * time.Second // for a reply
)

// sortingSchema is the reply that is asked for.
var sortingSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["sort","term","means"],"properties":{` +
	`"sort":{"type":"string","enum":["factual","gotcha","preference","permission","none"]},"term":{"type":"string","maxLength":80},"means":{"type":"string","maxLength":400}}}`)

// sorter is a language model that says what words are about.
type sorter struct {
	model llm.Model // with a ledger before it
	name  string    // PROVIDER:MODEL
	log   *sentLog
}

// sorter gives the model that reads what the rules do not; nil: none is on. What is sent stands in the log, and note hears it before: where that fails nothing is sent.
func (a *Analyst) sorter(t *Thinker, words string, log *sentLog, note func(session.Sent) error) *sorter {
	if t == nil || t.Played || t.Select(llm.Sorting) == nil {
		return nil
	}
	l := ledgerTo(t.Select(llm.Sorting), t.Rows)
	l.mask, l.log, l.note = a.deps.Mask, log, note
	card := l.Card()
	if !card.Local {
		l.held = newWithheld(l.rows != RowsMasked, nil, words, nil)
	}
	return &sorter{model: l, name: card.Provider + ":" + card.Model, log: log}
}

// teachBy has a model read a lesson that the rules do not know. unclear is what they say of it: that stands where none is on, or it cannot be asked.
func (a *Analyst) teachBy(ctx context.Context, actor rules.Actor, c knowledge.Correction, l Lesson, number string, unclear error) (*Taught, error) {
	if a.deps.Thinkers == nil {
		return nil, unclear
	}
	thinker, err := a.deps.Thinkers(ctx, actor, "")
	if err != nil {
		return nil, unclear
	}
	s := a.sorter(thinker, l.Words, &sentLog{}, func(sent session.Sent) error {
		body, err := json.Marshal(corrected{What: "read", Sort: knowledge.Unclear, Sent: &sent})
		if err != nil {
			return err
		}
		return a.deps.Memory.Record(ctx, Record{Kind: AuditCorrection, RequestID: c.RequestID, SessionID: c.SessionID, Actor: actor.ID, Body: body})
	})
	if s == nil || l.Here && !s.model.Card().Local {
		return nil, unclear
	}
	said, ok := a.sorted(ctx, actor, s, l.Words, number)
	if ctx.Err() != nil {
		return nil, fault.Wrap(fault.Canceled, "correct", text.Say("analyst.canceled"), "", ctx.Err())
	}
	var t *Taught
	if ok {
		t, err = a.keepSorted(ctx, actor, s, c, said)
	}
	if t == nil && err == nil {
		err = fault.Wrap(fault.Invalid, "correct", text.Say("analyst.teaches_nothing_by", "model", s.name, "went", s.went()), text.Say("knowledge.correction_hint"), errUnclear)
	}
	return t, err
}

// sorted asks a model once what words are about; false: nothing that holds came.
func (a *Analyst) sorted(ctx context.Context, actor rules.Actor, s *sorter, words, number string) (knowledge.Correction, bool) {
	k := a.deps.Knowledge(actor)
	if k.Model == nil || k.Index == nil {
		return knowledge.Correction{}, false
	}
	within, cancel := context.WithTimeout(ctx, sortingWait)
	defer cancel()
	reply, err := sendWithin(within, s.model, sortingRequest(k.Model, words, number), nil)
	var said knowledge.Sorted
	if noText(reply, err) != "" || json.Unmarshal([]byte(reply.Text), &said) != nil {
		return knowledge.Correction{}, false
	}
	c, ok := said.Holds(words, number)
	if ok && (c.Sort == knowledge.Factual || c.Sort == knowledge.Gotcha) {
		ok = a.saysNoMore(k, c)
	}
	return c, ok
}

// keepSorted keeps what a model said of words and holds; nil: it means nothing beside what else its person taught. Faults: those of Teach, but that it is not understood.
func (a *Analyst) keepSorted(ctx context.Context, actor rules.Actor, s *sorter, c, said knowledge.Correction) (t *Taught, err error) {
	switch said.Sort {
	case knowledge.Permission:
		return nil, a.refusePermission(ctx, c, said.Quote)
	case knowledge.Preferred:
		p, ok := knowledge.ReadPreference(said.Means)
		if !ok {
			return nil, nil
		}
		p.Quote = said.Quote
		t, err = a.keepPreference(ctx, actor, p, Record{RequestID: c.RequestID, SessionID: c.SessionID})
	default:
		c.Term, c.Means, c.Sort, c.Quote, c.ReadBy = said.Term, said.Means, said.Sort, said.Quote, s.name
		t, err = a.keep(ctx, actor, c)
	}
	switch {
	case fault.CodeOf(err) == fault.Invalid:
		return nil, nil
	case err == nil:
		t.Words += " " + text.Say("analyst.taught_by", "model", s.name, "went", s.went())
	}
	return t, err
}

// saysNoMore says whether a correction means something by the model alone, and no value that its words do not have.
func (a *Analyst) saysNoMore(k Knowledge, c knowledge.Correction) bool {
	now, _ := anchor(k, a.deps.Now())
	says, ok := k.Index.Compile(interpret.Correction{Term: c.Term, Means: c.Means}, nil, k.Env(now, 0))
	if !ok {
		return false
	}
	var all []string
	if says.Formula != nil {
		all = append(all, says.Formula.String())
	}
	for _, p := range says.Keep {
		all = append(all, p.String())
	}
	for _, value := range literal.FindAllString(strings.Join(all, " "), -1) {
		if !knowledge.Says(c.Quote, value) {
			return false
		}
	}
	return true
}

// told is an entity as a model is told of it.
type told struct {
	Name       string   `json:"name"`
	Dimensions []string `json:"dimensions,omitempty"`
}

// went says what of the words went where, in a sentence.
func (s *sorter) went() string {
	for _, one := range s.log.list(true) {
		switch {
		case one.Local || one.Task != string(llm.Sorting):
		case one.Masked > 0:
			return text.Say("review.judge_masked", "host", one.To, "bytes", one.Bytes)
		default:
			return text.Say("review.judge_sent", "host", one.To, "bytes", one.Bytes)
		}
	}
	return text.Say("review.judge_here")
}

// sortingRequest is what a model is asked: the words, and the names of the model as far as there is room.
func sortingRequest(m *semantic.Model, words, number string) llm.Request {
	data := struct {
		Words    string   `json:"words"`
		Number   string   `json:"number,omitempty"`
		Metrics  []string `json:"metrics"`
		Entities []told   `json:"entities"`
	}{Words: knowledge.Line(words), Number: number, Metrics: []string{}, Entities: []told{}}
	room := sortingRoom
	fits := func(name string) bool {
		room -= llm.EstimateText(name) + 2 // and the marks around it
		return room > 0
	}
	for _, x := range m.Metrics {
		if !x.Hidden && fits(x.Label) {
			data.Metrics = append(data.Metrics, x.Label)
		}
	}
	for _, e := range m.Entities {
		if !fits(e.Label) {
			break
		}
		one := told{Name: e.Label}
		for _, d := range e.Dimensions {
			if fits(d.Label) {
				one.Dimensions = append(one.Dimensions, d.Label)
			}
		}
		data.Entities = append(data.Entities, one)
	}
	raw := encodedWords(map[string]any{"data": data})
	return llm.Request{
		Task:     llm.Sorting,
		System:   []llm.Block{{Name: "L1", Text: sortingPrompt, Stable: true}},
		Messages: []llm.Message{{Role: llm.User, Text: raw}},
		Schema:   sortingSchema, SchemaName: "sorted",
		MaxTokens: sortingTokens,
		Carries: []llm.Carried{
			{Kind: "question", Columns: []string{}, Bytes: len(data.Words)}, {Kind: "catalogue", Columns: []string{}, Bytes: len(raw) - len(data.Words)},
		},
	}
}
