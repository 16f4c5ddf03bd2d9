package chart

import (
	"encoding/json"
	"slices"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/text"
)

// flagged puts before everything else what a chart does with flagged rows: totals are dropped, and the rest of a TOP gets
// its name, for its member is missing. Names stand in the expressions as JSON strings; values never do.
func flagged(chart json.RawMessage, f *frameql.Frame, s frameview.Shape) json.RawMessage {
	var steps []any
	if frameview.Flag(f, "is_total") >= 0 {
		steps = append(steps, spec{"filter": "!datum.is_total"})
	}
	if frameview.Flag(f, "is_other") >= 0 {
		for _, i := range s.Members {
			if c := f.Columns[i]; c.Type == "text" {
				name := literal(c.Name)
				steps = append(steps, spec{
					"calculate": "datum.is_other && datum[" + name + "] === null ? " + literal(text.Say("analyst.other_member")) + " : datum[" + name + "]",
					"as":        c.Name,
				})
			}
		}
	}
	if len(steps) == 0 {
		return chart
	}
	var body map[string]any
	if err := json.Unmarshal(chart, &body); err != nil {
		panic(err) // vega wrote it
	}
	rest, _ := body["transform"].([]any)
	body["transform"] = slices.Concat(steps, rest)
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // it was JSON before
	}
	return raw
}

func literal(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(raw)
}
