package skill

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"go.starlark.net/starlark"

	"assay/backend/text"
)

// builtins is all that a file of skills can name. What Starlark has besides stands here too, so that nothing goes past the meter.
func builtins() starlark.StringDict {
	around := starlark.StringDict{
		opName: starlark.NewBuiltin(opName, op), methodName: starlark.NewBuiltin(methodName, method), attrName: starlark.NewBuiltin(attrName, attr), heldName: starlark.NewBuiltin(heldName, held),
		"skill": starlark.NewBuiltin("skill", register), "frame": starlark.NewBuiltin("frame", askFrame), "try_frame": starlark.NewBuiltin("try_frame", tryFrame),
		"sum": starlark.NewBuiltin("sum", overNumbers(sum)), "mean": starlark.NewBuiltin("mean", overNumbers(mean)), "variance": starlark.NewBuiltin("variance", overNumbers(variance)),
		"ratio": starlark.NewBuiltin("ratio", ratio), "sqrt": starlark.NewBuiltin("sqrt", sqrt), "round": starlark.NewBuiltin("round", round), "range": starlark.NewBuiltin("range", ranged),
		"fail": starlark.NewBuiltin("fail", failing), "print": starlark.NewBuiltin("print", silent),
		"None": starlark.None, "True": starlark.True, "False": starlark.False,
	}
	for _, name := range []string{"list", "tuple", "dict", "sorted", "reversed", "enumerate", "zip", "str", "repr", "min", "max", "any", "all"} {
		around[name] = weighed(name)
	}
	for _, name := range []string{"len", "bool", "int", "float", "abs", "type", "ord", "chr"} {
		around[name] = starlark.Universe[name]
	}
	for name := range starlark.Universe {
		if around[name] == nil {
			around[name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
				return nil, errors.New(text.Say("skill.not_here", "what", b.Name()))
			})
		}
	}
	return around
}

// weighed is a function of Starlark's own over values that are weighed before.
func weighed(name string) *starlark.Builtin {
	own := starlark.Universe[name]
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		m := meterOf(thread)
		weight, chars, err := m.weigh(args...)
		if err != nil {
			return nil, err
		}
		for _, k := range kwargs {
			w, c, err := m.weigh(k[1])
			if err != nil {
				return nil, err
			}
			weight, chars = weight+w, chars+c
		}
		if name == "sorted" {
			if err := m.spend(20 * weight); err != nil {
				return nil, err
			}
		}
		if name == "str" || name == "repr" {
			err = m.alloc(chars)
		} else {
			err = m.alloc(64 * weight)
		}
		if err != nil {
			return nil, err
		}
		out, err := starlark.Call(thread, own, args, kwargs)
		if err == nil && (name == "zip" || name == "enumerate" || name == "tuple") {
			_, _, err = m.weigh(out)
		}
		return out, err
	})
}

// ranged is range(start, stop, step), which is as long as something that can be walked through.
func ranged(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	out, err := starlark.Call(thread, starlark.Universe["range"], args, kwargs)
	if s, ok := out.(starlark.Sequence); err == nil && ok && s.Len() > mostWeight {
		return nil, errWork
	}
	return out, err
}

func failing(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	message := ""
	for _, a := range args {
		if s, ok := starlark.AsString(a); ok {
			message += s
			continue
		}
		switch a.(type) {
		case starlark.Int, starlark.Float, starlark.Bool, starlark.NoneType:
			message += a.String()
		}
	}
	return nil, errors.New(message)
}

func silent(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return starlark.None, nil
}

// overNumbers makes a function of a list of numbers; missing ones are left out, and of none there is None.
func overNumbers(f func([]*big.Rat) *big.Rat) func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var all starlark.Iterable
		if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &all); err != nil {
			return nil, err
		}
		weight, _, err := meterOf(thread).weigh(all)
		if err == nil {
			err = meterOf(thread).spend(20 * weight)
		}
		if err != nil {
			return nil, err
		}
		var numbers []*big.Rat
		for x := range starlark.Elements(all) {
			if x == starlark.None {
				continue
			}
			r, ok := ratOf(x)
			if !ok {
				return nil, errors.New(text.Say("skill.no_number", "function", b.Name(), "kind", x.Type()))
			}
			numbers = append(numbers, r)
		}
		if len(numbers) == 0 {
			if b.Name() == "sum" {
				return starlark.MakeInt(0), nil
			}
			return starlark.None, nil
		}
		return valueOf(f(numbers)), nil
	}
}

// sum adds exactly: a float counts as the shortest decimal that is read as it.
func sum(all []*big.Rat) *big.Rat {
	out := new(big.Rat)
	for _, x := range all {
		out.Add(out, x)
	}
	return out
}

func mean(all []*big.Rat) *big.Rat {
	return new(big.Rat).Quo(sum(all), new(big.Rat).SetInt64(int64(len(all))))
}

// variance is that of a population: the mean of the squares of what lies between each number and their mean.
func variance(all []*big.Rat) *big.Rat {
	n := new(big.Rat).SetInt64(int64(len(all)))
	squares := new(big.Rat)
	for _, x := range all {
		squares.Add(squares, new(big.Rat).Mul(x, x))
	}
	m := mean(all)
	return squares.Sub(squares.Quo(squares, n), m.Mul(m, m))
}

// ratio is a / b; None where one of them is missing, or b is zero.
func ratio(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, y starlark.Value
	if err := starlark.UnpackArgs("ratio", args, kwargs, "a", &x, "b", &y); err != nil {
		return nil, err
	}
	if x == starlark.None || y == starlark.None {
		return starlark.None, nil
	}
	p, ok := ratOf(x)
	q, also := ratOf(y)
	if !ok || !also {
		return nil, errors.New(text.Say("skill.no_number", "function", b.Name(), "kind", x.Type()+", "+y.Type()))
	}
	if q.Sign() == 0 {
		return starlark.None, nil
	}
	return valueOf(p.Quo(p, q)), nil
}

func sqrt(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Value
	if err := starlark.UnpackPositionalArgs("sqrt", args, kwargs, 1, &x); err != nil {
		return nil, err
	}
	f, ok := starlark.AsFloat(x)
	if !ok || f < 0 {
		return nil, errors.New(text.Say("skill.no_number", "function", b.Name(), "kind", x.Type()))
	}
	return starlark.Float(math.Sqrt(f)), nil
}

// round gives a number with so many digits behind the point, half away from zero.
func round(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Value
	digits := 0
	if err := starlark.UnpackArgs("round", args, kwargs, "x", &x, "digits?", &digits); err != nil {
		return nil, err
	}
	if x == starlark.None {
		return x, nil
	}
	r, ok := ratOf(x)
	if !ok || digits < 0 || digits > 15 {
		return nil, errors.New(text.Say("skill.no_number", "function", b.Name(), "kind", x.Type()))
	}
	out, ok := new(big.Rat).SetString(r.FloatString(digits))
	if !ok {
		return nil, fmt.Errorf("round %s", x)
	}
	return valueOf(out), nil
}
