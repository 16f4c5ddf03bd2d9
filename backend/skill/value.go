package skill

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"

	"go.starlark.net/starlark"

	"assay/backend/frameview"
	"assay/backend/text"
	"assay/backend/tool"
)

// ratOf reads a number of Starlark.
func ratOf(v starlark.Value) (*big.Rat, bool) {
	switch v := v.(type) {
	case starlark.Int:
		return new(big.Rat).SetInt(v.BigInt()), true
	case starlark.Float:
		return frameview.Number(float64(v))
	}
	return nil, false
}

// valueOf gives a number to Starlark: a whole one that a float holds as such, everything else as the nearest float.
func valueOf(r *big.Rat) starlark.Value {
	if r.IsInt() && r.Num().BitLen() <= 53 {
		return starlark.MakeBigInt(r.Num())
	}
	f, _ := r.Float64()
	return starlark.Float(f)
}

// numberOf gives a decimal to Starlark.
func numberOf(n json.Number) starlark.Value {
	r, ok := frameview.Number(n)
	if !ok {
		return starlark.None
	}
	return valueOf(r)
}

// cellOf gives a cell of a frame to Starlark. Decimals that come as text, because they have many digits, are numbers where the column is one of numbers.
func cellOf(x any, numeric bool) starlark.Value {
	switch x := x.(type) {
	case bool:
		return starlark.Bool(x)
	case int64:
		return starlark.MakeInt64(x)
	case string:
		if numeric {
			if r, ok := frameview.Number(x); ok {
				return valueOf(r)
			}
		}
		return starlark.String(x)
	case float64:
		return starlark.Float(x)
	case json.Number:
		return numberOf(x)
	}
	return starlark.None
}

// plainOf gives what a skill gives back as plain data.
func plainOf(v starlark.Value, depth int) (any, error) {
	if depth > 8 {
		return nil, errors.New(text.Say("skill.result_deep"))
	}
	list := func(n int, at func(int) starlark.Value) (any, error) {
		out := make([]any, n)
		for i := range out {
			one, err := plainOf(at(i), depth+1)
			if err != nil {
				return nil, err
			}
			out[i] = one
		}
		return out, nil
	}
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.Int:
		return json.Number(v.String()), nil
	case starlark.Float:
		if f := float64(v); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f, nil
		}
		return nil, nil
	case starlark.String:
		return tool.Clean(string(v), 2000), nil
	case *starlark.List:
		return list(v.Len(), v.Index)
	case starlark.Tuple:
		return list(v.Len(), v.Index)
	case *starlark.Dict:
		out := map[string]any{}
		for _, item := range v.Items() {
			key, ok := starlark.AsString(item[0])
			if !ok {
				return nil, errors.New(text.Say("skill.result_key", "kind", item[0].Type()))
			}
			one, err := plainOf(item[1], depth+1)
			if err != nil {
				return nil, err
			}
			out[tool.Clean(key, 64)] = one
		}
		return out, nil
	}
	return nil, errors.New(text.Say("skill.result_kind", "kind", v.Type()))
}
