package mind

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/session"
	"assay/backend/spelling"
	"assay/backend/text"
	"assay/backend/tool"
)

// Loop is one question, thought about by one mind.
type Loop struct {
	Mind   Mind
	Tools  []tool.Tool
	Desk   *tool.Desk
	Bounds Bounds
	// Step does one thing as a step of the trace. It runs do once, and gives its error back, or one of its own.
	Step func(ctx context.Context, name string, do func(*session.Step) error) error
}

// Outcome is what the thinking came to.
type Outcome struct {
	Ran     []tool.Ran    // what was run for the person, or waits, or was refused, in order
	Ask     *tool.Asked   // the person is to be asked; nil: not
	Likely  []llm.LogProb // how likely each piece of the words was that the last query was read from; none: they were no words, or the model does not say
	Text    string        // the last words of the mind; nobody is shown them unchecked
	Turns   int           // moves
	Calls   int           // of tools
	Ended   string        // done | asked | waits | turns
	Problem error         // why it ended before its end; nil: it did not
}

// Last gives the latest query that gave rows, or that waits for a person; nil: there is none.
func (o Outcome) Last() *tool.Ran {
	for i := len(o.Ran) - 1; i >= 0; i-- {
		if r := &o.Ran[i]; r.Query != nil && len(r.Refusals) == 0 {
			return r
		}
	}
	return nil
}

func (o Outcome) over() bool { return o.Problem != nil || o.Ended != "" }

// Think takes a question from the first thought to the last. What the mind does wrong is told to it, and is not an error; the end of the request and a
// failure of the machine are. A mind that fails leaves an Outcome with its Problem.
func (l Loop) Think(ctx context.Context) (Outcome, error) {
	l.Bounds = l.Bounds.orDefault()
	var out Outcome
	var seen Seen
	var recent []string // keys of the latest calls
	idle := 0           // calls since something was made
	for {
		seen.Last = out.Turns >= l.Bounds.Turns
		move, err := l.think(ctx, seen)
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return out, err
		}
		if out.Problem = move.problem; out.over() {
			out.Text = move.Text
			return out, nil
		}
		out.Turns++
		if len(move.Calls) == 0 || seen.Last {
			out.Text, out.Ended = move.Text, "done"
			if seen.Last {
				out.Ended = "turns"
			}
			return out, nil
		}
		round := Round{Move: move.Move, Nudge: seen.Nudge}
		acts, err := l.act(ctx, move.Calls, &recent)
		if err != nil {
			return out, err
		}
		for _, a := range acts {
			round.Results = append(round.Results, a.returned)
			out.Calls++
			idle++
			if len(a.result.Made) > 0 {
				idle = 0
			}
			if a.result.Ran != nil {
				out.Ran, out.Likely = append(out.Ran, *a.result.Ran), move.Likely
				if a.result.Ran.Waits != "" {
					out.Ended = "waits"
				}
			}
			if a.result.Ask != nil && out.Ask == nil {
				out.Ask, out.Ended = a.result.Ask, "asked"
			}
		}
		if out.over() {
			return out, nil
		}
		seen.Rounds, seen.Nudge = append(seen.Rounds, round), ""
		if idle >= l.Bounds.Nudge {
			seen.Nudge, idle = fmt.Sprintf(nudge, l.Bounds.Nudge), 0
		}
	}
}

// nudge is for a mind, not for a person.
const nudge = "Status: %d calls in a row that made nothing for the person. Are you stuck? Ask the person with ask_user, run the query that comes nearest with execute_frame_ql, or end and say what is missing."

// thought is a move, or why the mind has none.
type thought struct {
	Move
	problem error
}

// think asks the mind once, as a step of the trace. An error is the end of the request, or that the step cannot be kept.
func (l Loop) think(ctx context.Context, seen Seen) (move thought, err error) {
	err = l.Step(ctx, "think", func(s *session.Step) error {
		if move.Move, move.problem = l.Mind.Next(withStep(ctx, s), seen); move.problem != nil {
			s.Note = text.Say("mind.note_failed", "why", why(move.problem))
			return ctx.Err()
		}
		names := make([]string, 0, len(move.Calls))
		for _, c := range move.Calls {
			names = append(names, tidy(c.Name))
		}
		if s.Note = strings.Join(names, ", "); s.Note == "" {
			s.Note = text.Say("mind.note_done")
		}
		s.Output = session.Hash(move.Move)
		return nil
	})
	return move, err
}

// why says in words for a person why a mind failed.
func why(err error) string {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Message
	}
	return text.Say("mind.failed")
}

// acted is one call that was done.
type acted struct {
	returned Returned
	result   tool.Result
}

// act does the calls of a move as one step of the trace: those that only look, side by side; those that make something, one after the other. Only a call
// that is made counts among the recent ones.
func (l Loop) act(ctx context.Context, calls []llm.Call, recent *[]string) ([]acted, error) {
	all := make([]acted, len(calls))
	looks := make([]*looking, len(calls))
	var admitted []tool.Tool
	for i, c := range calls {
		t, problem := l.admit(i, c, *recent)
		admitted = append(admitted, t)
		if problem != nil {
			all[i] = l.returned(c, tool.Result{Problem: problem})
			continue
		}
		if *recent = append(*recent, key(c)); len(*recent) > l.Bounds.Repeats {
			*recent = (*recent)[1:]
		}
		if !t.Makes {
			looks[i] = l.look(ctx, t, c)
			defer looks[i].cancel()
		}
	}
	for i, c := range calls {
		switch {
		case looks[i] != nil:
			all[i] = l.await(looks[i], c)
		case all[i].returned.Content == "":
			all[i] = l.do(ctx, admitted[i], c)
		}
	}
	if ctx.Err() != nil {
		return all, ctx.Err()
	}
	return all, l.Step(ctx, "act", func(s *session.Step) error {
		s.Input = session.Hash(calls)
		facts := make([]map[string]any, 0, len(all))
		var notes, results []string
		for _, a := range all {
			fact := map[string]any{"tool": tidy(a.returned.Call.Name), "arguments": string(argumentsOf(a.returned.Call)), "bytes": len(a.returned.Content)}
			note := tidy(a.returned.Call.Name)
			if p := a.result.Problem; p != nil {
				fact["problem"] = p.Kind
				note += ": " + p.Kind
			}
			if a.returned.Rows > 0 {
				fact["rows"] = a.returned.Rows
			}
			facts, notes, results = append(facts, fact), append(notes, note), append(results, a.returned.Content)
		}
		s.Facts = map[string]any{"calls": facts}
		s.Note, s.Output = strings.Join(notes, ", "), session.Hash(results)
		return nil
	})
}

// admit finds the tool of a call, and says what is wrong with calling it now.
func (l Loop) admit(place int, c llm.Call, recent []string) (tool.Tool, *tool.Problem) {
	at := slices.IndexFunc(l.Tools, func(t tool.Tool) bool { return t.Name == c.Name })
	switch {
	case at < 0:
		return tool.Tool{}, l.unknown(c.Name)
	case place >= l.Bounds.Parallel:
		return tool.Tool{}, &tool.Problem{Kind: "too_many_calls", Message: fmt.Sprintf("At most %d tools are used in one turn; this call was not made.", l.Bounds.Parallel), Suggestion: "Call it in the next turn, if it is still needed."}
	case slices.Contains(recent, key(c)):
		return tool.Tool{}, &tool.Problem{Kind: "duplicate_call", Message: "The same call was made a moment ago; it would give the same.", Suggestion: "Use what it gave, call it with other arguments, or go on."}
	}
	return l.Tools[at], nil
}

func (l Loop) unknown(name string) *tool.Problem {
	p := &tool.Problem{Kind: "unknown_tool", Message: "There is no such tool.", Name: tidy(name)}
	best := 4
	for _, t := range l.Tools {
		p.Available = append(p.Available, t.Name)
		if d := spelling.Distance(p.Name, t.Name, best); d < best {
			best, p.Suggestion = d, "Did you mean "+t.Name+"?"
		}
	}
	p.Available = p.Available[:min(len(p.Available), 20)]
	return p
}

// do does one call, and no longer than a call may take.
func (l Loop) do(ctx context.Context, t tool.Tool, c llm.Call) (a acted) {
	ctx, cancel := context.WithTimeout(ctx, l.Bounds.Tool)
	defer cancel()
	defer func() {
		if recover() != nil { // a mistake of ours costs this call and nothing else
			a = l.returned(c, tool.Result{Problem: &tool.Problem{Kind: "failed", Message: "The tool failed."}})
		}
	}()
	result, err := t.Do(ctx, l.Desk, argumentsOf(c))
	switch {
	case err != nil && ctx.Err() != nil:
		result = tool.Result{Problem: l.late()}
	case err != nil:
		result = tool.Result{Problem: &tool.Problem{Kind: "failed", Message: why(err)}}
	}
	return l.returned(c, result)
}

// looking is a call that runs beside others, and its end, counted from its start.
type looking struct {
	done   chan acted
	late   context.Context
	cancel context.CancelFunc
}

// look begins a call that runs beside others.
func (l Loop) look(ctx context.Context, t tool.Tool, c llm.Call) *looking {
	late, cancel := context.WithTimeout(ctx, l.Bounds.Tool)
	one := &looking{done: make(chan acted, 1), late: late, cancel: cancel}
	go func() { one.done <- l.do(late, t, c) }()
	return one
}

// await waits for a call that runs beside others. One that does not heed its end is left behind.
func (l Loop) await(one *looking, c llm.Call) acted {
	select {
	case a := <-one.done:
		return a
	case <-one.late.Done():
	}
	select {
	case a := <-one.done:
		return a
	default:
		return l.returned(c, tool.Result{Problem: l.late()})
	}
}

func (l Loop) late() *tool.Problem {
	return &tool.Problem{Kind: "timeout", Message: fmt.Sprintf("The tool did not end within %s.", l.Bounds.Tool), Suggestion: "Ask for less: a coarser grain, a shorter period, a filter."}
}

// returned puts a result into the form in which a mind sees it.
func (l Loop) returned(c llm.Call, r tool.Result) acted {
	out := Returned{Call: c, Rows: r.Rows, Columns: r.Columns}
	body := r.Body
	if r.Problem != nil {
		body, out.Failed, out.Refused = r.Problem, true, r.Problem.Kind == "refusal" || r.Problem.Kind == "would_refuse"
	}
	raw, err := json.Marshal(body)
	switch {
	case err != nil:
		raw, out.Failed = []byte(`{"error_kind":"failed","message":"The result has no JSON form."}`), true
	case len(raw) > l.Bounds.Result:
		raw, out.Failed = fmt.Appendf(nil, `{"error_kind":"too_large","message":"The result has %d bytes and may have %d.","suggestion":"Ask for less."}`, len(raw), l.Bounds.Result), true
	}
	if out.Failed {
		out.Rows, out.Columns = 0, nil
	}
	out.Content = string(raw)
	return acted{out, r}
}

// key tells calls apart: the tool, and its arguments whatever their order and their blanks.
func key(c llm.Call) string {
	var arguments any
	if json.Unmarshal(argumentsOf(c), &arguments) != nil {
		return c.Name + " " + string(c.Arguments)
	}
	return c.Name + " " + session.Hash(arguments)
}

// argumentsOf gives the arguments of a call; a model that leaves them out means that there are none.
func argumentsOf(c llm.Call) json.RawMessage {
	if len(bytes.TrimSpace(c.Arguments)) == 0 {
		return json.RawMessage("{}")
	}
	return c.Arguments
}

// tidy makes a name of a model safe to be shown: at most 64 letters, digits, _ - and dots.
func tidy(name string) string {
	name = strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '?'
	}, name)
	return name[:min(len(name), 64)]
}
