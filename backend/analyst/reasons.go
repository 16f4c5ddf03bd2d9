package analyst

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/backend/compile"
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/text"
)

// reasonsAtMost is how long an answer waits to learn why cells are empty.
const reasonsAtMost = 5 * time.Second

// reasonSuffix ends the name of a column that says why the one before it is empty.
const reasonSuffix = "_reason"

// reasons says why a division left cells empty. The same statement runs once more with a column of reasons behind every
// column that divides, and only when one of these has empty cells. Whatever fails, the answer stands without reasons.
func (r *run) reasons(ctx context.Context, f *frameql.Frame) []frameql.Reason {
	out := []frameql.Reason{}
	if !anyMissing(f) {
		return out
	}
	options := compile.Options{Dialect: r.sql.Dialect, Reasons: true}
	program, err := r.plan.Explain(options)
	if err != nil || len(program.LeafFrames) > 0 {
		return out
	}
	places := reasonColumns(f, program.Columns)
	divided := func(i int) bool { return places[i] >= 0 && missingIn(f, i) }
	if len(places) == 0 || !slices.ContainsFunc(positions(len(places)), divided) {
		return out
	}
	ctx, cancel := context.WithTimeout(ctx, reasonsAtMost)
	defer cancel()
	base := frameql.Statement{SQL: program.SQL, Dialect: r.sql.Dialect, MaxRows: r.sql.MaxRows}
	for _, name := range program.Columns {
		base.Columns = append(base.Columns, frameql.Column{Name: name})
	}
	seen, err := r.explained(ctx, options, base)
	if err != nil || len(seen.Rows) != len(f.Rows) {
		return out
	}
	for i, place := range places {
		if place >= 0 {
			out = append(out, reasonsOf(f, i, seen, place)...)
		}
	}
	return out
}

// explained runs the statement with the reasons: over frames when the rows of the result came from them.
func (r *run) explained(ctx context.Context, o compile.Options, base frameql.Statement) (*frameql.Frame, error) {
	if r.cached != nil {
		o.Serve = r.serve()
		if program, err := r.plan.Explain(o); err == nil {
			cached := base
			cached.SQL = program.SQL
			return r.frames().Query(ctx, cached, base)
		}
	}
	return r.a.deps.Engine.Query(ctx, base)
}

// reasonsOf reads the reasons of one column, by code.
func reasonsOf(f *frameql.Frame, column int, seen *frameql.Frame, place int) []frameql.Reason {
	byCode := map[string][]int{}
	for row := range f.Rows {
		if f.Rows[row][column] != nil || place >= len(seen.Rows[row]) {
			continue
		}
		if code, ok := seen.Rows[row][place].(string); ok {
			byCode[code] = append(byCode[code], row)
		}
	}
	var out []frameql.Reason
	for _, code := range []string{"zero_base", "no_base"} {
		if rows := byCode[code]; len(rows) > 0 {
			out = append(out, frameql.Reason{Column: f.Columns[column].Name, Code: code, Rows: rows})
		}
	}
	return out
}

// reasonColumns gives, for each column of a frame, the position of its reasons among the columns of the statement; -1: it
// does not divide. nil: the columns are not those of the frame.
func reasonColumns(f *frameql.Frame, names []string) []int {
	places := make([]int, len(f.Columns))
	at := 0
	for i, c := range f.Columns {
		if at >= len(names) || names[at] != c.Name {
			return nil
		}
		at++
		places[i] = -1
		if at == len(names) || names[at] != c.Name+reasonSuffix || len(names)-at == len(f.Columns)-i-1 {
			continue
		}
		places[i] = at
		at++
	}
	if at != len(names) {
		return nil
	}
	return places
}

func positions(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func anyMissing(f *frameql.Frame) bool {
	return slices.ContainsFunc(positions(len(f.Columns)), func(i int) bool { return frameview.Numeric(f.Columns[i]) && missingIn(f, i) })
}

func missingIn(f *frameql.Frame, column int) bool {
	return slices.ContainsFunc(f.Rows, func(row []any) bool { return row[column] == nil })
}

// checkBases says how many cells are empty because a divisor is 0, or missing, and how many look beyond the data.
func checkBases(f *frameql.Frame) []checked {
	var out []checked
	for _, code := range []string{"zero_base", "no_base", outsideCoverage, incompleteWindow} {
		cells := 0
		var columns []string
		for _, reason := range f.Reasons {
			if reason.Code != code {
				continue
			}
			cells += len(reason.Rows)
			for _, c := range f.Columns {
				if c.Name == reason.Column {
					columns = append(columns, frameview.Label(c))
				}
			}
		}
		if cells > 0 {
			out = append(out, checked{
				Finding: Finding{
					Code: strings.ToUpper(code), Severity: frameql.Info, Status: "finding",
					Message: text.Count("analyst.found_"+code, int64(cells), "cells", strconv.Itoa(cells), "columns", strings.Join(columns, ", ")),
				},
				facts: map[string]any{"cells": cells, "columns": columns},
			})
		}
	}
	return out
}
