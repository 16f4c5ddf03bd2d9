package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/big"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// View says in which order rows are wanted, and which. The zero value is all of them as they stand.
type View struct {
	Sort    []SortKey `json:"sort,omitempty" maxItems:"8"`
	Filters []Filter  `json:"filters,omitempty" maxItems:"64"`
	Search  string    `json:"search,omitempty" maxLength:"1000" doc:"What some text column has to hold, whatever its case"`
}

// SortKey is one column of an order. NULL stands last in both directions, text is ordered without regard to case and accents.
type SortKey struct {
	Column     int  `json:"column" minimum:"0"`
	Descending bool `json:"descending,omitempty"`
}

// Filter is a condition on one column; all of them hold.
type Filter struct {
	Column int     `json:"column" minimum:"0"`
	Op     string  `json:"op" enum:"contains,equals,differs,at_least,at_most,is_null,not_null,one_of"`
	Value  string  `json:"value,omitempty" maxLength:"1000" doc:"A number, an ISO date or time, true or false, or text, as the column is"`
	OneOf  *Choice `json:"one_of,omitempty" doc:"Of one_of: what the cell may be"`
}

// View gives a result in another order or less of it, which is made when it is not there. A view of a view is one of the result
// that it is of.
//
// Faults: NotFound, Invalid (a column that is none, a value that is not of its type), Limit, Canceled, Unavailable, Internal.
func (r *Results) View(ctx context.Context, id string, v View) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, resultTimeout)
	defer cancel()
	r.mu.Lock()
	if x := r.held[id]; x != nil && x.Of != "" {
		id = x.Of
	}
	of := r.take(id)
	r.mu.Unlock()
	if of == nil {
		return Result{}, goneFault()
	}
	defer r.giveBack(of)
	condition, order, err := of.clauses(v)
	if err != nil {
		return Result{}, err
	}
	if condition == "" && order == "" {
		return r.Find(id)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return Result{}, err
	}
	x := &Result{
		ID:     resultID(sha256.Sum256(append([]byte(of.ID+" "), raw...))),
		Tables: of.Tables, Columns: slices.Clone(of.Columns), Of: of.ID, epochs: of.epochs,
	}
	return r.make(ctx, x, func(ctx context.Context, file string) (*engine, string, error) {
		e, err := openResultEngine(ctx, r.reading, r.s.opt.MemoryLimit, func(run run) error {
			if err := run("ATTACH %s AS %s (READ_ONLY)", literal(filepath.Join(r.folder, of.file)), resultTable); err != nil {
				return err
			}
			return run("ATTACH %s AS %s", literal(file), target)
		})
		return e, "SELECT * FROM " + resultFrom + condition + order, err
	})
}

// resultFrom is the table of a result where it is read.
const resultFrom = resultTable + ".main." + resultTable

// clauses writes a view as WHERE and ORDER BY; empty: all rows, as they stand.
func (x *Result) clauses(v View) (condition, order string, err error) {
	var all []string
	for _, f := range v.Filters {
		c, err := x.condition(f)
		if err != nil {
			return "", "", err
		}
		all = append(all, c)
	}
	if v.Search != "" {
		var any []string
		for i, c := range x.Columns {
			if c.Type == "text" || c.Type == "json" {
				any = append(any, holdsText(i, v.Search))
			}
		}
		if len(any) == 0 {
			any = []string{"false"}
		}
		all = append(all, "("+strings.Join(any, " OR ")+")")
	}
	if len(all) > 0 {
		condition = " WHERE " + strings.Join(all, " AND ")
	}
	var keys []string
	for _, k := range v.Sort {
		if k.Column < 0 || k.Column >= len(x.Columns) {
			return "", "", x.noColumn(k.Column)
		}
		key, direction := resultColumn(k.Column), " ASC"
		if base, _, _ := strings.Cut(x.types[k.Column], "("); base == "VARCHAR" {
			key += " COLLATE NOCASE.NOACCENT"
		}
		if k.Descending {
			direction = " DESC"
		}
		keys = append(keys, key+direction+" NULLS LAST")
	}
	if len(keys) > 0 {
		order = " ORDER BY " + strings.Join(append(x.last(), append(keys, "rowid")...), ", ")
	}
	return condition, order, nil
}

// last keeps rows that are no members, the rest of a TOP and totals, behind the others in every order.
func (x *Result) last() []string {
	var keys []string
	for _, name := range []string{"is_total", "is_other"} {
		for i, c := range x.Columns {
			if c.Role == frameql.RoleFlag && c.Name == name {
				keys = append(keys, "coalesce("+resultColumn(i)+", false)")
			}
		}
	}
	return keys
}

func (x *Result) noColumn(i int) error {
	return fault.New(fault.Invalid, "view result", text.Say("store.result_no_column", "column", i, "columns", len(x.Columns)), "")
}

// holdsText is the condition that a column holds a text, whatever its case.
func holdsText(column int, words string) string {
	return fmt.Sprintf("contains(lower(CAST(%s AS VARCHAR)), lower(%s))", resultColumn(column), literal(words))
}

func (x *Result) condition(f Filter) (string, error) {
	if f.Column < 0 || f.Column >= len(x.Columns) {
		return "", x.noColumn(f.Column)
	}
	name := resultColumn(f.Column)
	switch f.Op {
	case "is_null":
		return name + " IS NULL", nil
	case "not_null":
		return name + " IS NOT NULL", nil
	case "contains":
		return holdsText(f.Column, f.Value), nil
	case "one_of":
		return x.chosen(f)
	}
	low, high, err := x.bounds(f)
	if err != nil {
		return "", err
	}
	switch f.Op {
	case "equals":
		if high != "" {
			return "(" + name + " >= " + low + " AND " + name + " < " + high + ")", nil
		}
		return name + " = " + low, nil
	case "differs": // NULL is not what was named
		if high != "" {
			return "(" + name + " IS NULL OR " + name + " < " + low + " OR " + name + " >= " + high + ")", nil
		}
		return name + " IS DISTINCT FROM " + low, nil
	case "at_least":
		return name + " >= " + low, nil
	case "at_most":
		if high != "" {
			return name + " < " + high, nil
		}
		return name + " <= " + low, nil
	}
	return "", fault.New(fault.Invalid, "view result", text.Say("store.result_no_op", "op", f.Op), "")
}

// wholeType is the type that holds a whole number; empty: none does.
func wholeType(number string) string {
	n, ok := new(big.Int).SetString(number, 10)
	switch {
	case !ok:
		return ""
	case n.BitLen() <= 127:
		return "HUGEINT"
	case n.BitLen() <= 128 && n.Sign() > 0:
		return "UHUGEINT"
	}
	return ""
}

var plainNumber = regexp.MustCompile(`^[+-]?([0-9]+)(?:\.([0-9]+))?$`)

// bounds writes the value of a filter as SQL of the column's type. high is set where the value stands for a range, a day in a
// column of moments: its end, which is not in it.
func (x *Result) bounds(f Filter) (low, high string, err error) {
	value, kind := strings.TrimSpace(f.Value), x.Columns[f.Column].Type
	cast := func(to string) string { return "CAST(" + literal(value) + " AS " + to + ")" }
	unfit := func() error {
		return fault.New(fault.Invalid, "view result", text.Say("store.result_bad_value", "value", f.Value, "column", x.Columns[f.Column].Name, "type", kind), text.Say("store.result_bad_value_"+kind))
	}
	switch kind {
	case "integer", "decimal", "float":
		m := plainNumber.FindStringSubmatch(value)
		switch {
		case m != nil && kind != "float" && m[2] == "" && wholeType(value) != "":
			return cast(wholeType(value)), "", nil
		case m != nil && kind != "float" && len(m[1])+len(m[2]) <= 38:
			return cast(fmt.Sprintf("DECIMAL(38,%d)", len(m[2]))), "", nil
		case m != nil && len(value) < 300, kind == "float" && floatNumber.MatchString(value):
			return cast("DOUBLE"), "", nil
		}
		return "", "", unfit()
	case "boolean":
		if value != "true" && value != "false" {
			return "", "", unfit()
		}
		return value, "", nil
	case "date", "timestamp":
		if day, err := time.Parse("2006-01-02", value); err == nil {
			if kind == "date" {
				return cast("DATE"), "", nil
			}
			return cast("TIMESTAMP"), "CAST(" + literal(day.AddDate(0, 0, 1).Format("2006-01-02")) + " AS TIMESTAMP)", nil
		}
		for _, layout := range []string{"2006-01-02T15:04:05.999999", "2006-01-02 15:04:05.999999", "2006-01-02T15:04", "2006-01-02 15:04"} {
			if _, err := time.Parse(layout, value); err == nil {
				return cast("TIMESTAMP"), "", nil
			}
		}
		return "", "", unfit()
	case "time":
		if _, err := time.Parse("15:04:05.999999", value); err != nil {
			return "", "", unfit()
		}
		return cast("TIME"), "", nil
	default:
		return literal(f.Value), "", nil
	}
}

var floatNumber = regexp.MustCompile(`^(?i:[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]{1,3})?|nan|-?infinity)$`)
