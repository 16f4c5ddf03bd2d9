package semantic

import (
	"strconv"
	"strings"

	"assay/backend/text"
)

// Function is one of the functions that an expression may call.
type Function struct {
	Name    string
	MinArgs int
	MaxArgs int  // -1: no bound
	Unit    bool // the first argument is a string literal that names a date unit: 'day', 'month', ...
}

// Functions gives every function that an expression may call, by name. The list is fixed: each has the same meaning in
// every dialect, and none reads anything but its arguments.
//
//	date_diff('day', a, b)   whole units from a to b, counting boundaries crossed
//	date_trunc('month', a)   the first instant of the unit that holds a
//	weekday(a)               1 for Monday to 7 for Sunday
//	day_of_year(a)           1 to 366
//	week_of_year(a)          the week of ISO 8601, which begins on Monday: 1 to 53
//	substring(s, from, n)    characters, the first is 1
func Functions() []Function {
	return []Function{
		{Name: "abs", MinArgs: 1, MaxArgs: 1},
		{Name: "ceil", MinArgs: 1, MaxArgs: 1},
		{Name: "coalesce", MinArgs: 1, MaxArgs: -1},
		{Name: "concat", MinArgs: 1, MaxArgs: -1},
		{Name: "date_diff", MinArgs: 3, MaxArgs: 3, Unit: true},
		{Name: "date_trunc", MinArgs: 2, MaxArgs: 2, Unit: true},
		{Name: "day", MinArgs: 1, MaxArgs: 1},
		{Name: "day_of_year", MinArgs: 1, MaxArgs: 1},
		{Name: "floor", MinArgs: 1, MaxArgs: 1},
		{Name: "greatest", MinArgs: 1, MaxArgs: -1},
		{Name: "hour", MinArgs: 1, MaxArgs: 1},
		{Name: "least", MinArgs: 1, MaxArgs: -1},
		{Name: "length", MinArgs: 1, MaxArgs: 1},
		{Name: "lower", MinArgs: 1, MaxArgs: 1},
		{Name: "month", MinArgs: 1, MaxArgs: 1},
		{Name: "nullif", MinArgs: 2, MaxArgs: 2},
		{Name: "power", MinArgs: 2, MaxArgs: 2},
		{Name: "quarter", MinArgs: 1, MaxArgs: 1},
		{Name: "replace", MinArgs: 3, MaxArgs: 3},
		{Name: "round", MinArgs: 1, MaxArgs: 2},
		{Name: "sqrt", MinArgs: 1, MaxArgs: 1},
		{Name: "substring", MinArgs: 2, MaxArgs: 3},
		{Name: "trim", MinArgs: 1, MaxArgs: 1},
		{Name: "upper", MinArgs: 1, MaxArgs: 1},
		{Name: "weekday", MinArgs: 1, MaxArgs: 1},
		{Name: "week_of_year", MinArgs: 1, MaxArgs: 1},
		{Name: "year", MinArgs: 1, MaxArgs: 1},
	}
}

var dateUnits = map[string]bool{
	"second": true, "minute": true, "hour": true, "day": true, "week": true, "month": true,
	"quarter": true, "year": true,
}

// FunctionNamed finds a function by its name, in any case.
func FunctionNamed(name string) (Function, bool) {
	for _, f := range Functions() {
		if strings.EqualFold(f.Name, name) {
			return f, true
		}
	}
	return Function{}, false
}

func functionNames() []string {
	var names []string
	for _, f := range Functions() {
		names = append(names, f.Name)
	}
	return names
}

func (f Function) arity() string {
	switch {
	case f.MaxArgs < 0:
		return text.Say("semantic.expr_arity_at_least", "n", strconv.Itoa(f.MinArgs))
	case f.MinArgs == f.MaxArgs:
		return strconv.Itoa(f.MinArgs)
	default:
		return text.Say("semantic.expr_arity_between", "low", strconv.Itoa(f.MinArgs), "high", strconv.Itoa(f.MaxArgs))
	}
}
