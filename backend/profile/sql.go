package profile

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// quote writes an identifier.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// rows runs a statement and gives its cells. A frame that was cut is our own mistake: it would make a measurement wrong.
func rows(ctx context.Context, run Run, sql string, expect int) ([][]any, error) {
	f, err := run(ctx, frameql.Statement{SQL: sql, Dialect: frameql.DuckDB, MaxRows: expect})
	if err != nil {
		return nil, err
	}
	if f.Truncated != nil && f.Truncated.TotalRows > len(f.Rows) {
		return nil, fault.New(fault.Internal, "profile", text.Say("profile.cut", "got", len(f.Rows), "want", f.Truncated.TotalRows), text.Say("profile.hint"))
	}
	return f.Rows, nil
}

// row runs a statement that gives one row of as many cells as the select list has terms.
func row(ctx context.Context, run Run, terms []string, from string) ([]any, error) {
	if from != "" {
		from = "FROM " + quote(from)
	}
	return rowOf(ctx, run, terms, from)
}

// rowOf is row with the FROM clause as it stands.
func rowOf(ctx context.Context, run Run, terms []string, from string) ([]any, error) {
	all, err := rows(ctx, run, selection(terms, from), 1)
	switch {
	case err != nil:
		return nil, err
	case len(all) != 1:
		return nil, shapeFault(len(all), 1)
	case len(all[0]) != len(terms):
		return nil, shapeFault(len(all[0]), len(terms))
	}
	return all[0], nil
}

func selection(terms []string, from string) string {
	return strings.TrimRight("SELECT "+strings.Join(terms, ",\n  ")+"\n"+from, "\n")
}

func shapeFault(got, want int) error {
	return fault.New(fault.Internal, "profile", text.Say("profile.shape", "got", got, "want", want), text.Say("profile.hint"))
}

func asInt(cell any) int64 {
	switch v := cell.(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	case json.Number:
		return parseInt(string(v))
	case string:
		return parseInt(v)
	case bool:
		if v {
			return 1
		}
	}
	return 0
}

func parseInt(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		f, _ := strconv.ParseFloat(s, 64)
		return int64(f)
	}
	return n
}

func asFloat(cell any) float64 {
	switch v := cell.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case json.Number:
		f, _ := v.Float64()
		return f
	case string:
		f, _ := strconv.ParseFloat(v, 64)
		return f
	}
	return 0
}

// asText gives a cell that was cast to text; null is empty.
func asText(cell any) string {
	switch v := cell.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	return fmt.Sprint(cell)
}
