package llm

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"sync"

	"assay/backend/fault"
	"assay/backend/text"
)

// Exchange is one request and what came of it, as a line of JSON; the arguments of calls stand in it as strings. Exactly one of Response and
// Failed is set.
type Exchange struct {
	Hash     string          `json:"hash"`
	Task     Task            `json:"task,omitempty"`
	Model    string          `json:"model,omitempty"`
	Request  json.RawMessage `json:"request,omitempty"` // where the recorder keeps requests whole
	Response *Response       `json:"response,omitempty"`
	Failed   *Failed         `json:"failed,omitempty"`
}

// Failed is an error as it is written down.
type Failed struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
	Hint    string     `json:"hint,omitempty"`
}

// Recorder is a model that writes down what it is asked and what it replies, one line of JSON for each exchange. What was canceled is not
// written: nobody knows what would have come of it.
type Recorder struct {
	model Model
	whole bool

	mu  sync.Mutex
	to  io.Writer
	err error
}

// NewRecorder records m into w; whole keeps the requests themselves too, which are the person's, and not only their hashes.
func NewRecorder(m Model, w io.Writer, whole bool) *Recorder {
	return &Recorder{model: m, to: w, whole: whole}
}

// Card is that of the recorded model.
func (r *Recorder) Card() Card { return r.model.Card() }

// About is that of Model.
func (r *Recorder) About(ctx context.Context) (Card, error) { return r.model.About(ctx) }

// Send asks the recorded model. That something could not be written does not fail the request; Err says so.
func (r *Recorder) Send(ctx context.Context, q Request, hear func(Chunk)) (Response, error) {
	res, err := r.model.Send(ctx, q, hear)
	x := Exchange{Hash: Hash(q), Task: q.Task, Model: r.model.Card().Model}
	if r.whole {
		x.Request, _ = json.Marshal(canonical(q)) // encodes, or Hash had not
	}
	switch code := fault.CodeOf(err); code {
	case "":
		x.Response = &res
	case fault.Canceled:
		return res, err
	default:
		x.Failed = &Failed{Code: code, Message: err.Error()}
		var f *fault.Error
		if errors.As(err, &f) {
			x.Failed.Message, x.Failed.Hint = f.Message, f.Hint
		}
	}
	r.write(x)
	return res, err
}

// Err is the first error of writing.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *Recorder) write(x Exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return // a line behind one that is half there would be lost in it
	}
	line, err := json.Marshal(storable(x))
	if err == nil {
		_, err = r.to.Write(append(line, '\n'))
	}
	r.err = err
}

// storable keeps the arguments of calls as JSON strings: they may be no JSON, and the bytes that a model wrote go back to it, and into hashes.
// stored does the reverse.
func storable(x Exchange) Exchange {
	return eachCall(x, func(c Call) Call {
		c.Arguments, _ = json.Marshal(string(c.Arguments)) // a string always encodes
		return c
	})
}

func stored(x Exchange) Exchange {
	return eachCall(x, func(c Call) Call {
		var s string
		if json.Unmarshal(c.Arguments, &s) == nil {
			c.Arguments = json.RawMessage(s)
		}
		return c
	})
}

func eachCall(x Exchange, change func(Call) Call) Exchange {
	if x.Response == nil || len(x.Response.Calls) == 0 {
		return x
	}
	res := *x.Response
	res.Calls = make([]Call, len(x.Response.Calls))
	for i, c := range x.Response.Calls {
		res.Calls[i] = change(c)
	}
	x.Response = &res
	return x
}

// Player is a model that gives what a recorder heard, and asks nobody. The same request gets its replies in their order; when they are used
// up, the last one again.
type Player struct {
	card Card

	mu    sync.Mutex
	heard map[string][]Exchange
}

// lineBytes bounds a line of a recording.
const lineBytes = 64 << 20

// NewPlayer reads a recording. Fault Invalid: it is none; the message names the line.
func NewPlayer(card Card, from io.Reader) (*Player, error) {
	p := &Player{card: card, heard: map[string][]Exchange{}}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, lineBytes)
	n := 0
	for lines.Scan() {
		n++
		if len(lines.Bytes()) == 0 {
			continue
		}
		var x Exchange
		err := json.Unmarshal(lines.Bytes(), &x)
		if err != nil || x.Hash == "" || (x.Response == nil) == (x.Failed == nil) {
			return nil, fault.Wrap(fault.Invalid, "read recording", text.Say("llm.bad_recording", "line", strconv.Itoa(n)), text.Say("llm.bad_recording_hint"), err)
		}
		p.heard[x.Hash] = append(p.heard[x.Hash], stored(x))
	}
	if err := lines.Err(); err != nil {
		return nil, fault.Wrap(fault.Invalid, "read recording", text.Say("llm.bad_recording", "line", strconv.Itoa(n+1)), text.Say("llm.bad_recording_hint"), err)
	}
	return p, nil
}

// Card is what NewPlayer was given.
func (p *Player) Card() Card { return p.card }

// About is that of Model.
func (p *Player) About(context.Context) (Card, error) { return p.card, nil }

// Send gives what was heard. Fault NotFound: this request was never recorded; otherwise the faults that were.
func (p *Player) Send(ctx context.Context, r Request, hear func(Chunk)) (Response, error) {
	if err := ctx.Err(); err != nil {
		return Response{}, Canceled(err)
	}
	hash := Hash(r)
	p.mu.Lock()
	known := p.heard[hash]
	if len(known) > 1 {
		p.heard[hash] = known[1:]
	}
	p.mu.Unlock()
	if len(known) == 0 {
		return Response{}, fault.New(fault.NotFound, "play model", text.Say("llm.not_recorded", "hash", hash[:12]), text.Say("llm.not_recorded_hint"))
	}
	if f := known[0].Failed; f != nil {
		return Response{}, fault.New(f.Code, "play model", f.Message, f.Hint)
	}
	if res := known[0].Response; hear != nil && res.Text != "" {
		hear(Chunk{Text: res.Text})
	}
	return *known[0].Response, nil
}
