package skill

import (
	"errors"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"assay/backend/text"
)

// Bounds of one call.
const (
	mostSteps  = 1_000_000
	mostWork   = 10_000_000 // values that are looked at within steps
	mostMemory = 64 << 20   // bytes that are made, whether or not they are still there
	mostWeight = 1_000_000  // values within one value
	deepest    = 64
)

var (
	errWork   = errors.New("too much work")
	errMemory = errors.New("too much memory")
)

// meter is what a call has used up of what it may.
type meter struct{ work, memory int64 }

func newMeter() *meter { return &meter{} }

const (
	meterKey   = "meter"
	loadingKey = "loading"
	callKey    = "call"
)

func meterOf(thread *starlark.Thread) *meter {
	m, _ := thread.Local(meterKey).(*meter)
	return m
}

func (m *meter) spend(n int64) error {
	if m.work += n; m.work > mostWork || n < 0 {
		return errWork
	}
	return nil
}

func (m *meter) alloc(n int64) error {
	if m.memory += n; m.memory > mostMemory || n < 0 {
		return errMemory
	}
	return nil
}

// weigh counts the values within values, one that stands there twice twice, and about how long they are as text. It is what an operation over them costs.
func (m *meter) weigh(all ...starlark.Value) (weight, chars int64, err error) {
	for _, v := range all {
		w, c, err := m.one(v, 0)
		if err != nil {
			return 0, 0, err
		}
		weight, chars = weight+w, chars+c
	}
	return weight, chars, nil
}

func (m *meter) one(v starlark.Value, depth int) (weight, chars int64, err error) {
	weight, chars = 1, 32
	if err := m.spend(1); err != nil {
		return 0, 0, err
	}
	add := func(inner starlark.Value) error {
		w, c, err := m.one(inner, depth+1)
		if weight, chars = weight+w, chars+c; err == nil && weight > mostWeight {
			err = errWork
		}
		return err
	}
	if depth > deepest {
		return 0, 0, errWork
	}
	switch v := v.(type) {
	case starlark.String:
		n := int64(len(v))
		return 1 + n/16, 4*n + 2, m.spend(n / 16)
	case starlark.Int:
		bits := int64(v.BigInt().BitLen())
		return 1 + bits/64, 32 + bits/3, m.spend(bits / 64)
	case *starlark.List:
		for i := range v.Len() {
			if err := add(v.Index(i)); err != nil {
				return 0, 0, err
			}
		}
	case starlark.Tuple:
		for _, inner := range v {
			if err := add(inner); err != nil {
				return 0, 0, err
			}
		}
	case *starlark.Dict:
		for _, item := range v.Items() {
			if err := add(item[0]); err != nil {
				return 0, 0, err
			}
			if err := add(item[1]); err != nil {
				return 0, 0, err
			}
		}
	case starlark.Sequence: // a range
		n := int64(v.Len())
		return 1 + n, 20 * n, m.spend(n)
	}
	return weight, chars, nil
}

// operators by how they are written.
var operators = map[string]syntax.Token{
	"+": syntax.PLUS, "-": syntax.MINUS, "*": syntax.STAR, "/": syntax.SLASH, "//": syntax.SLASHSLASH, "%": syntax.PERCENT, "&": syntax.AMP, "|": syntax.PIPE, "^": syntax.CIRCUMFLEX,
	"<<": syntax.LTLT, ">>": syntax.GTGT, "in": syntax.IN, "not in": syntax.NOT_IN,
	"==": syntax.EQL, "!=": syntax.NEQ, "<": syntax.LT, "<=": syntax.LE, ">": syntax.GT, ">=": syntax.GE,
}

// op is an operator between two values, weighed before it is done.
func op(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	name, _ := starlark.AsString(args[0])
	token, x, y := operators[name], args[1], args[2]
	m := meterOf(thread)
	wx, cx, err := m.weigh(x)
	if err != nil {
		return nil, err
	}
	wy, cy, err := m.weigh(y)
	if err != nil {
		return nil, err
	}
	switch token {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		is, err := starlark.Compare(token, x, y)
		return starlark.Bool(is), err
	case syntax.IN:
		return starlark.Binary(token, x, y)
	case syntax.NOT_IN:
		is, err := starlark.Binary(syntax.IN, x, y)
		if err != nil {
			return nil, err
		}
		return !is.Truth(), nil
	case syntax.STAR:
		if err := m.repeats(x, y); err != nil {
			return nil, err
		}
		if err := m.spend(wx * wy / 4096); err != nil { // large numbers
			return nil, err
		}
	case syntax.PERCENT:
		if s, ok := x.(starlark.String); ok {
			if err := m.alloc(int64(len(s)) + int64(strings.Count(string(s), "%"))*cy); err != nil {
				return nil, err
			}
		}
	}
	if err := m.alloc(min(16*(wx+wy), cx+cy)); err != nil {
		return nil, err
	}
	return starlark.Binary(token, x, y)
}

// repeats charges a text or a list that is repeated.
func (m *meter) repeats(x, y starlark.Value) error {
	if _, ok := x.(starlark.Int); ok {
		x, y = y, x
	}
	times, ok := y.(starlark.Int)
	if !ok {
		return nil
	}
	n, fits := times.Int64()
	if n <= 0 && fits {
		return nil
	}
	var length int64
	switch x := x.(type) {
	case starlark.String:
		length = int64(len(x))
	case *starlark.List:
		length = 16 * int64(x.Len())
	case starlark.Tuple:
		length = 16 * int64(len(x))
	default:
		return nil
	}
	if !fits || length > 0 && n > mostMemory/length {
		return errMemory
	}
	return m.alloc(length * n)
}

// held weighs a value and gives it back: a tuple that was made, something that is cut.
func held(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	m := meterOf(thread)
	w, _, err := m.weigh(args[0])
	if err != nil {
		return nil, err
	}
	return args[0], m.alloc(16 * w)
}

// attr is x.name where it is not called. Methods are called at once.
func attr(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	name, _ := starlark.AsString(args[1])
	v, err := attribute(args[0], name)
	if _, bound := v.(*starlark.Builtin); bound && err == nil {
		return nil, errors.New(text.Say("skill.method_bound", "name", name))
	}
	return v, err
}

func attribute(x starlark.Value, name string) (starlark.Value, error) {
	if has, ok := x.(starlark.HasAttrs); ok {
		v, err := has.Attr(name)
		if v != nil || err != nil {
			return v, err
		}
	}
	return nil, errors.New(text.Say("skill.no_attribute", "kind", x.Type(), "name", name))
}

// method is x.name(...), weighed before it is done.
func method(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	x := args[0]
	name, _ := starlark.AsString(args[1])
	f, err := attribute(x, name)
	if err != nil {
		return nil, err
	}
	m, given := meterOf(thread), args[2:]
	for _, k := range kwargs {
		given = append(given[:len(given):len(given)], k[1])
	}
	if err := m.method(x, name, given); err != nil {
		return nil, err
	}
	out, err := starlark.Call(thread, f, args[2:], kwargs)
	if err != nil {
		return nil, err
	}
	if _, cells := out.(*starlark.List); cells && name == "items" { // pairs may hold more than their parts
		_, _, err = m.weigh(out)
	}
	return out, err
}

func (m *meter) method(x starlark.Value, name string, args starlark.Tuple) error {
	if _, own := x.(*frameValue); own {
		return m.spend(1)
	}
	if _, growing := x.(*starlark.List); growing && (name == "append" || name == "insert" || name == "pop" || name == "clear") {
		return m.alloc(16)
	}
	if d, ok := x.(*starlark.Dict); ok && (name == "get" || name == "setdefault" || name == "pop") {
		_, _, err := m.weigh(args...)
		if err == nil {
			err = m.alloc(int64(64 * min(1, d.Len()+1)))
		}
		return err
	}
	weight, _, err := m.weigh(x)
	if err != nil {
		return err
	}
	given, chars, err := m.weigh(args...)
	if err != nil {
		return err
	}
	s, isText := x.(starlark.String)
	if !isText {
		return m.alloc(64 * (weight + given))
	}
	n := int64(len(s))
	switch name {
	case "join":
		return m.alloc(chars + given*n)
	case "format":
		return m.alloc(n + (int64(strings.Count(string(s), "{"))+1)*chars)
	case "replace":
		if len(args) >= 2 {
			old, _ := starlark.AsString(args[0])
			with, _ := starlark.AsString(args[1])
			return m.alloc(n + int64(strings.Count(string(s), old)+1)*int64(len(with)))
		}
	}
	return m.alloc(32*n + chars)
}
