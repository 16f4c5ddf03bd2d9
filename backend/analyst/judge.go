package analyst

import (
	"cmp"
	"context"
	_ "embed" // the prompt
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"assay/backend/knowledge"
	"assay/backend/llm"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

//go:embed prompts/judging.md
var judgingPrompt string

const (
	judgingTokens = 2000             // of a reply
	judgingRoom   = 24_000           // tokens of a request where the window of a model is not known, or larger
	judgingWait   = 30 * time.Second // for a reply
)

// judgingSchema is the reply that is asked for.
var judgingSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["judgments"],"properties":{"judgments":{"type":"array","maxItems":100,"items":{` +
	`"type":"object","additionalProperties":false,"required":["candidate_id","contradicts","severity","suggestion","why"],"properties":{` +
	`"candidate_id":{"type":"string","maxLength":40},"contradicts":{"type":"boolean"},"severity":{"type":"string","enum":["low","medium","high"]},` +
	`"suggestion":{"type":"string","enum":["keep_this","keep_other","merge","both_valid"]},"why":{"type":"string","maxLength":300}}}}}}`)

// Judge is a language model that compares pieces of shared knowledge.
type Judge struct {
	Name  string // PROVIDER:MODEL
	Host  string // where it is asked
	Local bool   // that is this machine
	a     *Analyst
	model llm.Model
	rows  RowsPolicy
	wait  time.Duration
}

// Judge gives the model that judges for an actor; nil: none is on. It asks nobody but the keyring. Faults: those of Thinkers.
func (a *Analyst) Judge(ctx context.Context, actor rules.Actor) (*Judge, error) {
	if a.deps.Thinkers == nil {
		return nil, nil
	}
	t, err := a.deps.Thinkers(ctx, actor, "")
	if err != nil || t == nil {
		return nil, err
	}
	model := t.Select(llm.Judging)
	if model == nil {
		return nil, nil
	}
	card := model.Card()
	return &Judge{Name: card.Provider + ":" + card.Model, Host: card.Endpoint, Local: card.Local, a: a, model: model, rows: cmp.Or(t.Rows, RowsNone), wait: judgingWait}, nil
}

// Ruling is what came of asking a judge.
type Ruling struct {
	Said     []knowledge.Said // as the model wrote it, by the ids of the candidates; see knowledge.Hold
	Compared []knowledge.Item // the candidates that it was shown
	Sent     session.Sent     // zero: nothing was sent
	Failed   string           // a sentence: why nothing came of it; empty: something did
}

// Compare asks once which of some candidates contradict an item. Of these, in their order, as many go as there is room for. note hears what is about to be sent, and where it fails nothing is. Whatever goes wrong with the
// model is no fault: the ruling says it.
func (j *Judge) Compare(ctx context.Context, item knowledge.Item, candidates []knowledge.Item, note func(session.Sent) error) (Ruling, error) {
	within, cancel := context.WithTimeout(ctx, j.wait)
	defer cancel()
	card, err := j.model.About(within)
	if err != nil {
		return Ruling{Failed: noText(llm.Response{}, err)}, ctx.Err()
	}
	log := &sentLog{}
	l := ledgerTo(j.model, j.rows)
	l.mask, l.log = j.a.deps.Mask, log
	if !j.Local {
		l.held = newWithheld(j.rows != RowsMasked, nil, "", nil)
	}
	request, labels, compared := j.request(l.held, card, item, candidates)
	l.note = func(s session.Sent) error {
		if err := note(s); err != nil {
			return unnoted{err}
		}
		return nil
	}
	reply, err := sendWithin(within, l, request, nil)
	var kept unnoted
	switch {
	case errors.As(err, &kept):
		return Ruling{}, kept.error
	case ctx.Err() != nil:
		return Ruling{}, ctx.Err()
	}
	r := Ruling{Compared: compared, Failed: noText(reply, err)}
	if sent := log.list(true); len(sent) > 0 {
		r.Sent = sent[0]
	}
	if r.Failed != "" {
		return r, nil
	}
	var said struct {
		Judgments []knowledge.Said `json:"judgments"`
	}
	if json.Unmarshal([]byte(reply.Text), &said) != nil {
		r.Failed = text.Say("analyst.why_no_form")
		return r, nil
	}
	for _, s := range said.Judgments {
		s.Candidate = labels[s.Candidate] // one that was not shown has no id
		r.Said = append(r.Said, s)
	}
	return r, nil
}

// unnoted is why it could not be noted what is about to be sent.
type unnoted struct{ error }

// judged is a piece of knowledge as a model is shown it.
type judged struct {
	ID string `json:"id,omitempty"`
	knowledge.Words
}

// request is what a judge is asked, with the ids of the candidates by the short ones that they have in it, and those that are in it.
func (j *Judge) request(held *withheld, card llm.Card, item knowledge.Item, candidates []knowledge.Item) (r llm.Request, labels map[string]string, compared []knowledge.Item) {
	shown := func(i knowledge.Item, id string) judged {
		w := i.Words()
		if held != nil {
			w.Means, w.Says = held.memo(w.Means), held.memo(w.Says)
		}
		return judged{id, w}
	}
	data := struct {
		Item       judged   `json:"item"`
		Candidates []judged `json:"candidates"`
	}{Item: shown(item, "")}
	r = llm.Request{
		Task:     llm.Judging,
		System:   []llm.Block{{Name: "L1", Text: judgingPrompt, Stable: true}},
		Messages: []llm.Message{{Role: llm.User, Text: encodedWords(map[string]any{"data": data})}},
		Schema:   judgingSchema, SchemaName: "judgments",
		MaxTokens: judgingTokens,
	}
	room := judgingRoom
	if card.Window > 0 {
		room = min(room, (card.Window-judgingTokens)*3/4) // an estimate is low rather than high
	}
	room -= llm.Estimate(r)
	labels = map[string]string{}
	for n, o := range candidates {
		one := shown(o, "c"+strconv.Itoa(n+1))
		need := llm.EstimateText(encodedWords(one)) + 1 // and the comma
		if need > room && n > 0 {
			break
		}
		room -= need
		data.Candidates, compared = append(data.Candidates, one), append(compared, o)
		labels[one.ID] = o.ID
	}
	raw := encodedWords(map[string]any{"data": data})
	r.Messages[0].Text = raw
	r.Carries = []llm.Carried{{Kind: "knowledge", Columns: []string{}, Bytes: len(raw)}}
	return r, labels, compared
}

// encodedWords is a value of texts as JSON.
func encodedWords(v any) string {
	raw, _ := json.Marshal(v) // texts alone: it cannot fail
	return string(raw)
}
