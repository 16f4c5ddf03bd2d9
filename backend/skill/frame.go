package skill

import (
	"context"
	"errors"
	"slices"

	"go.starlark.net/starlark"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/text"
	"assay/backend/tool"
)

// mostFrames is how many queries one call may ask.
const mostFrames = 8

// oneCall is one call of a skill: the desk that it asks at, and what it made there.
type oneCall struct {
	ctx    context.Context
	desk   *tool.Desk
	asked  int
	made   []string
	ran    *tool.Ran
	failed error // of the machine: it ends the call, and is no problem of the skill
	stop   *tool.Problem
}

// frameValue is a frame as a skill sees it: ok, reason, columns, row_count, rows, column(name). Cells that name persons are None.
type frameValue struct {
	frame  *frameql.Frame // nil: there is none
	id     string
	reason string
}

var _ starlark.HasAttrs = (*frameValue)(nil)

func (f *frameValue) String() string        { return "frame" }
func (f *frameValue) Type() string          { return "frame" }
func (f *frameValue) Freeze()               {}
func (f *frameValue) Truth() starlark.Bool  { return f.frame != nil }
func (f *frameValue) Hash() (uint32, error) { return 0, errors.New("unhashable: frame") }
func (f *frameValue) AttrNames() []string {
	return []string{"column", "columns", "id", "ok", "reason", "row_count", "rows"}
}

func (f *frameValue) Attr(name string) (starlark.Value, error) {
	switch name {
	case "ok":
		return starlark.Bool(f.frame != nil), nil
	case "reason":
		return starlark.String(f.reason), nil
	case "id":
		return starlark.String(f.id), nil
	}
	if f.frame == nil {
		return nil, errors.New(text.Say("skill.frame_refused", "reason", f.reason))
	}
	switch name {
	case "row_count":
		return starlark.MakeInt(len(f.frame.Rows)), nil
	case "columns":
		var names []starlark.Value
		for _, c := range f.frame.Columns {
			names = append(names, starlark.String(c.Name))
		}
		return starlark.NewList(names), nil
	case "rows":
		var rows []starlark.Value
		for _, row := range f.frame.Rows {
			var cells []starlark.Value
			for k := range row {
				cells = append(cells, f.cell(row, k))
			}
			rows = append(rows, starlark.NewList(cells))
		}
		return starlark.NewList(rows), nil
	case "column":
		return starlark.NewBuiltin("column", f.column), nil
	}
	return nil, nil
}

func (f *frameValue) cell(row []any, k int) starlark.Value {
	c := f.frame.Columns[k]
	if c.Personal {
		return starlark.None
	}
	return cellOf(row[k], frameview.Numeric(c))
}

func (f *frameValue) column(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	if err := starlark.UnpackPositionalArgs("column", args, kwargs, 1, &name); err != nil {
		return nil, err
	}
	k := slices.IndexFunc(f.frame.Columns, func(c frameql.Column) bool { return c.Name == name })
	if k < 0 {
		return nil, errors.New(text.Say("skill.no_column", "name", tool.Clean(name, 64)))
	}
	if err := meterOf(thread).alloc(int64(64 * len(f.frame.Rows))); err != nil {
		return nil, err
	}
	var cells []starlark.Value
	for _, row := range f.frame.Rows {
		cells = append(cells, f.cell(row, k))
	}
	return starlark.NewList(cells), nil
}

// askFrame is frame(query): a query that is refused, or that waits for a person, ends the skill with that.
func askFrame(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	f, problem, err := ask(thread, "frame", args, kwargs)
	if err != nil {
		return nil, err
	}
	if problem != nil {
		c, _ := thread.Local(callKey).(*oneCall)
		c.stop = problem
		return nil, errors.New(problem.Message)
	}
	return f, nil
}

// tryFrame is try_frame(query): a query that is refused gives a frame that is not ok, with the reason.
func tryFrame(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	f, problem, err := ask(thread, "try_frame", args, kwargs)
	if err != nil {
		return nil, err
	}
	if problem != nil {
		return &frameValue{reason: problem.Message}, nil
	}
	return f, nil
}

func ask(thread *starlark.Thread, function string, args starlark.Tuple, kwargs []starlark.Tuple) (*frameValue, *tool.Problem, error) {
	var source string
	if err := starlark.UnpackPositionalArgs(function, args, kwargs, 1, &source); err != nil {
		return nil, nil, err
	}
	c, _ := thread.Local(callKey).(*oneCall)
	switch {
	case c == nil:
		return nil, nil, errors.New(text.Say("skill.while_running", "function", function))
	case c.asked == mostFrames:
		return nil, nil, errors.New(text.Say("skill.frames_many", "most", mostFrames))
	}
	c.asked++
	r, ran, err := tool.Ask(c.ctx, c.desk, source)
	if err != nil {
		c.failed = err
		return nil, nil, err
	}
	if r != nil {
		return nil, r, nil
	}
	c.made, c.ran = append(c.made, ran.ID), ran
	cells := int64(len(ran.Frame.Rows)) * int64(max(1, len(ran.Frame.Columns)))
	if err := meterOf(thread).alloc(64 * cells); err != nil {
		return nil, nil, err
	}
	return &frameValue{frame: ran.Frame, id: ran.ID}, nil, nil
}
