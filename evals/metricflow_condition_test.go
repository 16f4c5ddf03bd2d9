package evals_test

import (
	"errors"
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/semantic/dbt"
)

// where gives the conditions of a case; period is set instead when they bound the time of all its metrics.
func (tr *mfTranslation) where(c mfCase) (conditions, period string, err error) {
	if strings.TrimSpace(c.Where) == "" {
		return "", "", nil
	}
	e, err := dbt.Condition(c.Where, func(t dbt.Template) (*semantic.Expr, error) {
		if t.Kind == "Metric" {
			return tr.metricOperand(c, t)
		}
		d, err := tr.dim(c, t.Name, t.Grain)
		if err != nil {
			return nil, err
		}
		if d.axis && d.grain == "day" && len(c.Metrics) > 0 {
			return &semantic.Expr{Op: "ident", Name: mfAxis + d.text}, nil
		}
		return &semantic.Expr{Op: "ident", Name: d.text}, nil
	})
	if err != nil {
		return "", "", err
	}
	tr.nameUnits(e)
	if from, to, ok := bounds(e); ok {
		return "", "FROM " + from + " TO " + to, nil
	}
	return condition(e), "", nil
}

// nameUnits replaces a value that a unit of a calendar is compared with by the first of its names that is not before it.
func (tr *mfTranslation) nameUnits(e *semantic.Expr) {
	for _, a := range e.Args {
		tr.nameUnits(a)
	}
	if e.Op != ">=" || e.Args[0].Op != "ident" || e.Args[1].Op != "str" {
		return
	}
	unit := e.Args[0].Name[strings.LastIndexByte(e.Args[0].Name, '.')+1:]
	best := ""
	for _, b := range tr.buckets(unit) {
		if b.Label >= e.Args[1].Text && (best == "" || b.Label < best) {
			best = b.Label
		}
	}
	if best != "" {
		e.Args[1].Text = best
	}
}

// mfAxis marks the time of the metrics in a condition until it is printed.
const mfAxis = "axis "

// bounds reads axis >= 'day' AND axis < 'day'.
func bounds(e *semantic.Expr) (from, to string, ok bool) {
	if e.Op != "and" || e.Args[0].Op != ">=" || e.Args[1].Op != "<" {
		return "", "", false
	}
	for i, side := range e.Args {
		if side.Args[0].Op != "ident" || !strings.HasPrefix(side.Args[0].Name, mfAxis) || side.Args[1].Op != "str" {
			return "", "", false
		}
		day, midnight := strings.CutSuffix(side.Args[1].Text, " 00:00:00")
		if len(day) != 10 && !midnight {
			return "", "", false
		}
		if i == 0 {
			from = day
		} else {
			to = day
		}
	}
	return from, to, true
}

// metricOperand writes Metric('bookings', ['listing']) as (bookings AT listings_latest.listing): the key of a table that
// both the metric and what is filtered reach.
func (tr *mfTranslation) metricOperand(c mfCase, t dbt.Template) (*semantic.Expr, error) {
	if tr.model.Metric(t.Name) == nil {
		return nil, errors.New(tr.reason(t.Name))
	}
	inner, outer := tr.entities([]string{t.Name}), tr.entities(c.Metrics)
	var grain []string
	for _, g := range t.GroupBy {
		path := strings.Split(g, "__") // view__listing and listing are the same key
		key := tr.commonKey(path[len(path)-1], outer, inner)
		if key == "" {
			return nil, errors.New("a filter by a metric needs a key that both sides reach")
		}
		grain = append(grain, key)
	}
	return &semantic.Expr{Op: "ident", Name: "(" + t.Name + " AT " + strings.Join(grain, ", ") + ")"}, nil
}

// commonKey finds an entity of which a name is the whole key and that all of some entities reach; one of the first
// entities themselves where that is possible.
func (tr *mfTranslation) commonKey(name string, outer, inner []string) string {
	found := ""
	for i := range tr.model.Entities {
		e := &tr.model.Entities[i]
		if len(e.Key) != 1 || e.Key[0] != name {
			continue
		}
		if slices.ContainsFunc(append(slices.Clone(outer), inner...), func(from string) bool { return tr.root([]string{from, e.Name}) != from }) {
			continue
		}
		if found == "" || slices.Contains(outer, e.Name) {
			found = e.Name + "." + name
		}
	}
	return found
}

var mfOps = map[string]string{"=": "=", "<>": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

// condition prints a predicate of Frame-QL.
func condition(e *semantic.Expr) string {
	switch e.Op {
	case "and", "or":
		return "(" + condition(e.Args[0]) + " " + strings.ToUpper(e.Op) + " " + condition(e.Args[1]) + ")"
	case "not":
		return "NOT (" + condition(e.Args[0]) + ")"
	case "ident":
		return value(e) + " = TRUE"
	case "is_null":
		return value(e.Args[0]) + " IS NULL"
	case "not_null":
		return value(e.Args[0]) + " IS NOT NULL"
	case "in", "not_in":
		var list []string
		for _, v := range e.Args[1:] {
			list = append(list, value(v))
		}
		return value(e.Args[0]) + map[string]string{"in": " IN (", "not_in": " NOT IN ("}[e.Op] + strings.Join(list, ", ") + ")"
	}
	return value(e.Args[0]) + " " + mfOps[e.Op] + " " + value(e.Args[1])
}

func value(e *semantic.Expr) string {
	if e.Op == "ident" {
		return strings.TrimPrefix(e.Name, mfAxis)
	}
	return strings.Replace(e.String(), " 00:00:00'", "'", 1)
}
