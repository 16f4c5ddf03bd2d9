package analyst

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/knowledge"
	"assay/backend/llm"
	"assay/backend/mind"
	"assay/backend/prose"
	"assay/backend/semantic"
	"assay/backend/session"
	"assay/backend/text"
)

//go:embed prompts/*.md
var promptFiles embed.FS

var (
	//go:embed prompts/narration.md
	narrationPrompt string
	//go:embed prompts/followups.md
	followupsPrompt string
)

// loadPrompts reads what a model is told, by the loop and here.
func loadPrompts() mind.Prompts { return mind.LoadPrompts(promptFiles) }

// NarrationRows is how many rows of an answer a model that puts it into words gets to see, beside its total.
const NarrationRows = 40

const (
	narrationTokens  = 150
	narrationCell    = 120              // runes of a text that it gets to see
	narrationWait    = 20 * time.Second // for all requests together
	narrationAsked   = 2                // requests at most: the second one after a refusal, with the reasons
	reasonsToldAgain = 8
)

// narrationScene is what a narration is made of.
type narrationScene struct {
	Plan     *frameql.Plan
	Frame    *frameql.Frame
	Reading  string // how the question was read; it stands before what a model writes
	Grade    string // clause; empty: none
	Question string
	Memos    []semantic.Memo
	Style    style                      // of its words
	Mask     func(string) (string, int) // takes personal values out of a text; nil: there are none
	Wait     time.Duration              // 0: narrationWait
	Draft    func(session.Narration)    // hears what holds of a text while it is written; nil: nobody does
}

// narrated is what came of asking a model for words.
type narrated struct {
	Model      string
	Asked      int               // requests
	Refused    int               // texts that did not hold
	Violations []prose.Violation // of the last text; none: it was taken, or there was none
	Replaced   bool              // a text came and did not hold: the narration by template stands in its place
	Failed     string            // why no text came, for a person; empty: one did
	Usage      llm.Usage
	Rows       int // that went to the model
}

// facts are what the step of the narration keeps.
func (n narrated) facts() map[string]any {
	kinds := map[string]int{}
	for _, v := range n.Violations {
		kinds[string(v.Kind)]++
	}
	return map[string]any{"model": n.Model, "requests": n.Asked, "refused": n.Refused, "replaced": btoi(n.Replaced), "violations": kinds, "tokens_in": n.Usage.Input, "tokens_out": n.Usage.Output}
}

// note is what the step says; empty: no model was asked.
func (n narrated) note() string {
	switch {
	case n.Asked == 0:
		return ""
	case n.Failed != "":
		return text.Say("analyst.note_not_narrated", "model", n.Model, "why", n.Failed)
	case n.Replaced:
		return text.Say("analyst.note_replaced", "model", n.Model)
	}
	return text.Say("analyst.note_narrated", "model", n.Model)
}

// lines say on the card how many texts did not hold; none: every one did.
func (n narrated) lines() []FactLine {
	if n.Refused == 0 {
		return nil
	}
	key := "analyst.fact_texts_refused"
	if !n.Replaced {
		key = "analyst.fact_texts_mended"
	}
	return []FactLine{{Label: text.Say("analyst.fact_narration"), Text: text.Count(key, int64(n.Refused), "count", n.Refused, "model", n.Model)}}
}

// narrateBy lets a model say what a frame shows. Its words are taken when every number of them can be printed and every claim checked (package prose);
// else it is told once what was wrong. Whatever else happens - no words in time, a refusal, a budget that is used up - is no error: the narration by
// template, which is right, stands. A frame without a number, and one whose rows were let go, is not shown to a model.
func narrateBy(ctx context.Context, m llm.Model, s narrationScene) (session.Narration, narrated) {
	template := narrateIn(s.Style, s.Plan, s.Frame, s.Reading, s.Grade)
	if m == nil || s.Plan.Listing || len(s.Frame.Rows) == 0 || s.Frame.LetGo != nil || len(frameview.ShapeOf(s.Frame).Numbers) == 0 {
		return template, narrated{}
	}
	wait := s.Wait
	if wait <= 0 {
		wait = narrationWait
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	request := s.request()
	out := narrated{Model: m.Card().Model, Rows: request.Carries[len(request.Carries)-1].Rows}
	for out.Asked < narrationAsked {
		out.Asked++
		reply, err := sendWithin(ctx, m, request, s.drafting(out.Model))
		out.Usage = added(out.Usage, reply.Usage)
		if why := noText(reply, err); why != "" {
			out.Failed = why
			break
		}
		locked, violations := prose.Lock(reply.Text, s.scene())
		if reply.Stop == llm.StopLength && len(violations) == 0 {
			violations = []prose.Violation{{Kind: prose.Length}}
		}
		out.Violations = violations
		if len(violations) == 0 {
			return s.compose(locked, out.Model), out
		}
		out.Refused++
		request = withReasons(request, reply.Text, violations)
	}
	out.Replaced = len(out.Violations) > 0
	return template, out
}

// scene is what the lock checks against.
func (s narrationScene) scene() prose.Scene {
	scene := prose.Scene{Frame: s.Frame, Plan: s.Plan, Member: memberWords}
	for _, memo := range s.Memos {
		for _, line := range memo.RefusalScope {
			scene.Refuses = append(scene.Refuses, line.Words...)
		}
	}
	return scene
}

// drafting shows a text while it is written: the reading with the first word, then each sentence once all of the text up to its end holds. It is nil where nobody looks.
func (s narrationScene) drafting(model string) func(llm.Chunk) {
	if s.Draft == nil {
		return nil
	}
	ungraded := s
	ungraded.Grade = "" // it stands behind the whole
	var written strings.Builder
	checked := 0
	return func(c llm.Chunk) {
		if c.Text == "" {
			return
		}
		if written.Len() == 0 {
			s.Draft(ungraded.compose(prose.Locked{}, model))
		}
		written.WriteString(c.Text)
		whole := prose.Sentences(written.String())
		if len(whole) <= checked {
			return
		}
		checked = len(whole)
		if locked, violations := prose.Lock(whole, s.scene()); len(violations) == 0 {
			s.Draft(ungraded.compose(locked, model))
		}
	}
}

// compose puts the reading before the words of a model, and the grade behind them.
func (s narrationScene) compose(locked prose.Locked, model string) session.Narration {
	n := session.Narration{Citations: []session.Citation{}, By: "model", Model: model}
	before := text.Say("analyst.say_before_model", "reading", s.Reading)
	for _, c := range locked.Citations {
		c.Start, c.End = c.Start+len(before), c.End+len(before)
		n.Citations = append(n.Citations, c)
	}
	n.Text = before + locked.Text
	if s.Grade != "" {
		n.Text += text.Say("analyst.say_behind_model", "grade", capital(s.Grade))
	}
	return n
}

// withReasons is a request with what was wrong with the reply to it.
func withReasons(r llm.Request, said string, violations []prose.Violation) llm.Request {
	reasons := []string{}
	for _, v := range violations[:min(len(violations), reasonsToldAgain)] {
		reasons = append(reasons, v.String())
	}
	raw, _ := json.Marshal(map[string]any{"refused": reasons, "write": "the same again without these; leave out what cannot be said"}) // texts only: it cannot fail
	r.Messages = append(r.Messages[:len(r.Messages):len(r.Messages)],
		llm.Message{Role: llm.Assistant, Text: shortened(said, 2000)}, llm.Message{Role: llm.User, Text: string(raw)})
	return r
}

// request is what a model is asked: the rules, which stay the same, and the frame as one block of data.
func (s narrationScene) request() llm.Request {
	sight := seen(s.Frame, s.Plan, NarrationRows, s.Mask)
	question, masked := masking(s.Mask, s.Question)
	reading, more := masking(s.Mask, s.Reading)
	sight.Data["question"], sight.Data["reading"] = shortened(question, 500), shortened(reading, 500)
	raw, err := json.Marshal(map[string]any{"data": sight.Data})
	if err != nil { // a cell that JSON cannot say: the model gets no rows
		raw = []byte(`{"data":{"rows":[]}}`)
	}
	system := []llm.Block{{Name: "L1", Text: narrationPrompt, Stable: true}}
	if how := s.Style.told(); how != "" {
		system = append(system, llm.Block{Name: "L2", Text: how})
	}
	return llm.Request{
		Task:      llm.Narration,
		System:    system,
		Messages:  []llm.Message{{Role: llm.User, Text: string(raw)}},
		MaxTokens: narrationTokens,
		Carries: []llm.Carried{
			{Kind: "question", Columns: []string{}, Bytes: len(question) + len(reading), Masked: masked + more},
			{Kind: "rows", Rows: sight.Rows, Columns: sight.Columns, Bytes: len(raw), Masked: sight.Masked},
		},
	}
}

// told is a style as a model is told it; empty: it is the usual one.
func (s style) told() string {
	var all []string
	switch s.Length {
	case knowledge.Brief:
		all = append(all, "Write one short sentence.")
	case knowledge.FullLength:
		all = append(all, "Write three short sentences in place of one or two.")
	}
	switch s.Tone {
	case knowledge.Formal:
		all = append(all, "Write in a formal tone, without contractions.")
	case knowledge.Friendly:
		all = append(all, "Write in a friendly, everyday tone.")
	}
	return strings.Join(all, " ")
}

// sendWithin asks a model and waits no longer than ctx, even for one that does not listen to it. What it says is heard here, in its order, and no more once
// it is not waited for; hear nil: nobody listens.
func sendWithin(ctx context.Context, m llm.Model, r llm.Request, hear func(llm.Chunk)) (llm.Response, error) {
	type came struct {
		reply llm.Response
		err   error
	}
	done, heard := make(chan came, 1), make(chan llm.Chunk)
	var pass func(llm.Chunk)
	if hear != nil {
		pass = func(c llm.Chunk) {
			select {
			case heard <- c:
			case <-ctx.Done():
			}
		}
	}
	go func() {
		reply, err := m.Send(ctx, r, pass)
		done <- came{reply, err}
	}()
	for {
		select {
		case c := <-heard:
			hear(c)
		case c := <-done:
			return c.reply, c.err
		case <-ctx.Done():
			return llm.Response{}, ctx.Err()
		}
	}
}

// noText says why a model gave nothing to look at; empty: it gave a text.
func noText(reply llm.Response, err error) string {
	switch {
	case err != nil:
		var f *fault.Error
		if errors.As(err, &f) {
			return f.Message
		}
		return text.Say("analyst.why_no_words_in_time")
	case reply.Stop == llm.StopRefused:
		return text.Say("analyst.why_words_refused")
	case strings.TrimSpace(reply.Text) == "":
		return text.Say("analyst.why_no_words")
	}
	return ""
}

func added(a, b llm.Usage) llm.Usage {
	return llm.Usage{Input: a.Input + b.Input, Output: a.Output + b.Output, CacheRead: a.CacheRead + b.CacheRead, CacheWrite: a.CacheWrite + b.CacheWrite}
}
