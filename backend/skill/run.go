package skill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"go.starlark.net/starlark"

	"assay/backend/fault"
	"assay/backend/text"
	"assay/backend/tool"
)

type skill struct {
	name   string
	file   string
	run    *starlark.Function
	params []parameter
}

// tool makes of a skill what a mind may do.
func (s *skill) tool(doc string) tool.Tool {
	arguments := structOf(s.params)
	shown := example(s.params)
	return tool.Tool{
		Name: s.name, Text: doc + "\n\nExample:\n```json\n" + shown + "\n```\n", Schema: tool.SchemaOf(arguments), ReadOnly: true, Makes: true,
		Do: func(ctx context.Context, d *tool.Desk, raw json.RawMessage) (tool.Result, error) {
			given := reflect.New(arguments)
			if wrong := tool.ReadArguments(raw, given.Interface()); wrong != nil {
				wrong.Suggestion = shown
				return tool.Result{Problem: wrong}, nil
			}
			return s.call(ctx, d, keywords(s.params, given.Elem()))
		},
	}
}

// newThread is a thread that can do nothing but compute.
func newThread(name string, m *meter) *starlark.Thread {
	thread := &starlark.Thread{Name: name, Print: func(*starlark.Thread, string) {}}
	thread.SetMaxExecutionSteps(mostSteps)
	thread.SetLocal(meterKey, m)
	return thread
}

// call runs a skill once. The same arguments over the same data give the same result.
func (s *skill) call(ctx context.Context, d *tool.Desk, kwargs []starlark.Tuple) (tool.Result, error) {
	c := &oneCall{ctx: ctx, desk: d}
	thread := newThread(s.name, newMeter())
	thread.SetLocal(callKey, c)
	defer context.AfterFunc(ctx, func() { thread.Cancel("canceled") })()
	out, err := s.compute(thread, kwargs)
	made := tool.Result{Made: c.made, Ran: c.ran}
	switch {
	case ctx.Err() != nil:
		return tool.Result{}, ctx.Err()
	case c.failed != nil:
		return tool.Result{}, c.failed
	case err != nil:
		made.Problem = s.problem(c, bounded(thread, err))
		return made, nil
	}
	body, err := s.body(out)
	if err != nil {
		made.Problem = &tool.Problem{Kind: "failed", Message: text.Say("skill.failed", "file", s.file, "line", int(s.run.Position().Line), "message", err.Error()), Name: s.name}
		return made, nil
	}
	if len(tool.Encode(body)) > tool.MostBytes {
		made.Problem = &tool.Problem{Kind: "too_large", Message: text.Say("skill.result_large", "most", tool.MostBytes), Name: s.name}
		return made, nil
	}
	made.Body = body
	return made, nil
}

func (s *skill) compute(thread *starlark.Thread, kwargs []starlark.Tuple) (out starlark.Value, err error) {
	defer recovered(&err)
	return starlark.Call(thread, s.run, nil, kwargs)
}

// recovered makes an error of a panic within Starlark: whatever a file does, the program goes on.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fault.New(fault.Internal, "run skill", fmt.Sprint(r), "")
	}
}

func (s *skill) body(out starlark.Value) (any, error) {
	if _, ok := out.(*starlark.Dict); !ok {
		return nil, errors.New(text.Say("skill.result_dict", "kind", out.Type()))
	}
	return plainOf(out, 0)
}

// bounded says in words which bound ended a computation.
func bounded(thread *starlark.Thread, err error) error {
	var words string
	switch {
	case errors.Is(err, errWork) || thread.Steps >= mostSteps:
		words = text.Say("skill.bound_work")
	case errors.Is(err, errMemory):
		words = text.Say("skill.bound_memory")
	default:
		return err
	}
	var failed *starlark.EvalError
	if errors.As(err, &failed) {
		return &starlark.EvalError{Msg: words, CallStack: failed.CallStack}
	}
	return errors.New(words)
}

// problem says what went wrong in a skill, with its file and line.
func (s *skill) problem(c *oneCall, err error) *tool.Problem {
	file, line, message := placeOf(err, s.file)
	words := text.Say("skill.failed", "file", file, "line", line, "message", message)
	if c.stop != nil {
		p := *c.stop
		p.Message = text.Say("skill.failed", "file", file, "line", line, "message", c.stop.Message)
		return &p
	}
	return &tool.Problem{Kind: "failed", Message: words, Name: s.name}
}
