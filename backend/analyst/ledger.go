package analyst

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"assay/backend/llm"
	"assay/backend/session"
	"assay/backend/tool"
)

// sentLog is the ledger of a request while it is worked on. A model that is no longer waited for may still come back to it.
type sentLog struct {
	mu     sync.Mutex
	all    []session.Sent
	texts  map[string]string // what went elsewhere, by its hash
	told   []session.SentText
	kept   int // bytes of texts
	closed bool
}

// SentFact is the name of what was sent, word for word, among the facts of the last step of a turn.
const SentFact = "sent_texts"

// mostSentText bounds how much of what was sent a turn keeps.
const mostSentText = 512 << 10

// keep keeps what goes elsewhere, as it goes: each text once.
func (l *sentLog) keep(s session.Sent, texts []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.texts == nil {
		l.texts = map[string]string{}
	}
	one := session.SentText{To: s.To, Task: s.Task, Parts: []string{}}
	for _, part := range texts {
		name := session.Hash(part)
		if _, there := l.texts[name]; !there && l.kept+len(part) <= mostSentText {
			l.texts[name], l.kept = part, l.kept+len(part)
		}
		one.Parts = append(one.Parts, name)
	}
	l.told = append(l.told, one)
}

// TextsSent are the words that went elsewhere for a turn, as its trace has them; none where nothing went, or the trace is of a version that did not keep them.
func TextsSent(trace []session.Step) session.SentTexts {
	var kept session.SentTexts
	for _, s := range trace {
		if fact, there := s.Facts[SentFact]; there && decoded(fact, &kept) == nil {
			return kept
		}
	}
	return session.SentTexts{}
}

// ShortenSent leaves of the words that went elsewhere, in a stored step, how many requests they were: the fact "sent_requests"; none where nothing went.
func ShortenSent(s session.Step) {
	if kept, ok := s.Facts[SentFact].(map[string]any); ok {
		if all, ok := kept["requests"].([]any); ok && len(all) > 0 {
			s.Facts["sent_requests"] = len(all)
		}
	}
	delete(s.Facts, SentFact)
}

// textsOf are the texts of a request in the order in which a model reads them.
func textsOf(r llm.Request) []string {
	var all []string
	for _, b := range r.System {
		all = append(all, b.Text)
	}
	if len(r.Tools) > 0 {
		all = append(all, string(tool.Encode(r.Tools)))
	}
	if len(r.Schema) > 0 {
		all = append(all, string(r.Schema))
	}
	for _, m := range r.Messages {
		if m.Text != "" {
			all = append(all, string(m.Role)+": "+m.Text)
		}
		for _, c := range m.Calls {
			all = append(all, string(m.Role)+": "+c.Name+" "+string(c.Arguments))
		}
		for _, one := range m.Results {
			all = append(all, string(m.Role)+": "+one.Name+" "+one.Content)
		}
	}
	return all
}

// withSent is a trace whose last step has what went elsewhere, word for word. The trace itself stays as it is.
func (l *sentLog) withSent(trace []session.Step) []session.Step {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.told) == 0 || len(trace) == 0 {
		return trace
	}
	out := slices.Clone(trace)
	last := &out[len(out)-1]
	last.Facts = maps.Clone(last.Facts)
	if last.Facts == nil {
		last.Facts = map[string]any{}
	}
	last.Facts[SentFact] = session.SentTexts{Requests: l.told, Texts: l.texts}
	return out
}

// begin writes down an exchange before it is sent, and gives its place. false: the ledger is closed, and nothing may be sent any more.
func (l *sentLog) begin(s session.Sent) (at int, open bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return 0, false
	}
	l.all = append(l.all, s)
	return len(l.all) - 1, true
}

// end writes down what came of an exchange, unless the ledger was given out before.
func (l *sentLog) end(at int, s session.Sent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.all[at] = s
	}
}

// list gives what was sent so far; done: nothing is sent any more.
func (l *sentLog) list(done bool) []session.Sent {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = l.closed || done
	return append([]session.Sent{}, l.all...)
}

// ledger is a language model whose every exchange is written down for the answer, and that gets no more to see than may leave.
type ledger struct {
	llm.Model
	mask func(string) string // nil: there are no personal values
	rows RowsPolicy
	held *withheld // values that stay; nil: nothing of the data is in what is sent
	log  *sentLog
	note func(session.Sent) error // hears what is about to be sent, which is not where it fails; nil: the log is enough
}

// ledgerTo is a ledger before a model, with what of rows it may see: one on this machine sees them, but for what is personal.
func ledgerTo(model llm.Model, rows RowsPolicy) ledger {
	l := ledger{Model: model, rows: cmp.Or(rows, RowsNone)}
	if model.Card().Local {
		l.rows = RowsMasked
	}
	return l
}

// Send masks what goes to a model, writes down what goes where, sends it, and writes down what came. Where the ledger is closed, or nobody waits any more, nothing is sent.
func (l ledger) Send(ctx context.Context, r llm.Request, hear func(llm.Chunk)) (llm.Response, error) {
	if ctx.Err() != nil {
		return llm.Response{}, llm.Canceled(context.Cause(ctx))
	}
	card := l.Card()
	r, masked := l.leaving(r)
	sent := session.Sent{To: card.Endpoint, Provider: card.Provider, Model: card.Model, Local: card.Local, Task: string(r.Task), Carried: carried(r), Masked: masked, Failed: true}
	r = bare(r)
	raw, err := json.Marshal(r)
	if err != nil {
		return llm.Response{}, err
	}
	sent.Bytes = len(raw)
	at, open := l.log.begin(sent)
	if !open {
		return llm.Response{}, llm.Canceled(context.Canceled)
	}
	if l.note != nil {
		if err := l.note(sent); err != nil {
			return llm.Response{}, err
		}
	}
	if !card.Local {
		l.log.keep(sent, textsOf(r))
	}
	reply, err := l.Model.Send(ctx, r, hear)
	sent.Failed = err != nil
	sent.Received, sent.TokensIn, sent.TokensOut, sent.TokensKept = len(reply.Text), reply.Usage.Input, reply.Usage.Output, reply.Usage.CacheRead
	for _, c := range reply.Calls {
		sent.Received += len(c.Name) + len(c.Arguments)
	}
	l.log.end(at, sent)
	return l.meant(reply), err
}

// carried is what of the person's, and of their data, is in a request.
func carried(r llm.Request) []session.SentPart {
	all := []session.SentPart{}
	add := func(c llm.Carried) {
		all = append(all, session.SentPart{Kind: c.Kind, Rows: c.Rows, Columns: append([]string{}, c.Columns...), Bytes: c.Bytes})
	}
	for _, c := range r.Carries {
		add(c)
	}
	for _, m := range r.Messages {
		for _, one := range m.Results {
			if one.Holds.Kind != "" {
				one.Holds.Bytes = len(one.Content)
				add(one.Holds)
			}
		}
	}
	return all
}

// bare is a request without what is for the ledger alone.
func bare(r llm.Request) llm.Request {
	r.Carries = nil
	messages := r.Messages
	r.Messages = nil
	for _, m := range messages {
		results := m.Results
		m.Results = nil
		for _, one := range results {
			one.Holds = llm.Carried{}
			m.Results = append(m.Results, one)
		}
		r.Messages = append(r.Messages, m)
	}
	return r
}

// leaving gives a request as a model may see it, and how many of its texts had something masked.
func (l ledger) leaving(r llm.Request) (llm.Request, int) {
	masked := 0
	hide := func(s string, held bool) string {
		safe := s
		if held && l.held != nil {
			safe = l.held.leaving(safe)
		}
		if l.mask != nil && strings.TrimSpace(safe) != "" {
			safe = l.mask(safe)
		}
		if safe != s {
			masked++
		}
		return safe
	}
	out := r
	out.System, out.Messages = nil, nil
	for _, b := range r.System {
		b.Text = hide(b.Text, b.Name != "L1") // it is the same for every question, and holds nothing of one
		out.System = append(out.System, b)
	}
	for _, m := range r.Messages {
		out.Messages = append(out.Messages, l.message(m, hide))
	}
	return out, masked
}

// message is a message as a model may see it.
func (l ledger) message(m llm.Message, hide func(s string, held bool) string) llm.Message {
	if m.Role == llm.Assistant && l.held != nil {
		m.Text = l.held.written(m.Text)
	}
	m.Text = hide(m.Text, true)
	calls, results := m.Calls, m.Results
	m.Calls, m.Results = nil, nil
	for _, c := range calls {
		if l.held != nil {
			c.Arguments = json.RawMessage(l.held.written(string(c.Arguments)))
		}
		if safe := hide(string(c.Arguments), true); json.Valid([]byte(safe)) {
			c.Arguments = json.RawMessage(safe)
		} else {
			c.Arguments = json.RawMessage(`{}`)
		}
		m.Calls = append(m.Calls, c)
	}
	for _, one := range results {
		if l.rows != RowsMasked {
			one.Content = l.held.result(one.Name, one.Content)
			one.Holds.Rows, one.Holds.Columns = 0, []string{}
			if one.Holds.Kind == "rows" || one.Holds.Kind == "values" {
				one.Holds.Kind = "catalogue"
			}
		}
		one.Content = hide(one.Content, true)
		m.Results = append(m.Results, one)
	}
	return m
}

// meant is a reply with the values that its stand-ins stand for.
func (l ledger) meant(reply llm.Response) llm.Response {
	if l.held == nil {
		return reply
	}
	reply.Text = l.held.back(reply.Text)
	calls := reply.Calls
	reply.Calls = nil
	for _, c := range calls {
		c.Arguments = json.RawMessage(l.held.back(string(c.Arguments)))
		reply.Calls = append(reply.Calls, c)
	}
	return reply
}
