package tool

import (
	"context"

	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
)

// RecalledRows is how many rows of an earlier frame are given at most at a time. The schema says so as well.
const RecalledRows = 100

type recallArguments struct {
	ID     string `json:"artifact_id" doc:"As a tool gave it" most:"200"`
	Offset int    `json:"offset,omitempty" doc:"Of a frame: the first row, from 0" min:"0" max:"10000000"`
	Limit  int    `json:"limit,omitempty" doc:"Of a frame: rows at most, 50 by itself" min:"1" max:"100"`
}

type recalledBody struct {
	ID       string         `json:"artifact_id"`
	Kind     string         `json:"kind"`
	Title    string         `json:"title,omitempty"`
	FrameQL  string         `json:"frame_ql,omitempty"`
	Columns  []columnBody   `json:"columns,omitempty"`
	RowCount int            `json:"row_count,omitempty"`
	Offset   int            `json:"offset,omitempty"`
	Rows     [][]any        `json:"rows,omitempty"`
	Next     *int           `json:"next_offset,omitempty"`
	Withheld []string       `json:"withheld,omitempty"`
	Body     map[string]any `json:"body,omitempty"`
	Note     string         `json:"note,omitempty"`
}

func recallArtifact() Tool {
	return define("recall_artifact", false, func(ctx context.Context, d *Desk, a recallArguments) (Result, error) {
		art, p, err := artifactOf(ctx, d, a.ID)
		if p != nil || err != nil {
			return Result{Problem: p}, err
		}
		b := &recalledBody{ID: name(a.ID), Kind: string(art.Kind), Title: clean(art.Title, longestCell)}
		if art.Kind == session.KindFrame {
			return d.recallFrame(b, art, a)
		}
		var body map[string]any
		tree, err := treeOf(art.Body)
		if err != nil {
			return Result{}, fault.Wrap(fault.Internal, "read artifact", text.Say("tool.frame_unreadable", "name", name(a.ID)), "", err)
		}
		if body, _ = tree.(map[string]any); body == nil {
			body = map[string]any{"value": tree}
		}
		b.Body, _ = d.plain(body, 0).(map[string]any)
		if size(b) > MostBytes {
			b.Body, b.Note = nil, text.Say("tool.artifact_large", "bytes", len(art.Body))
		}
		return Result{Body: b}, nil
	})
}

func (d *Desk) recallFrame(b *recalledBody, art session.Artifact, a recallArguments) (Result, error) {
	f, err := decodeFrame(art.Body)
	if err != nil {
		return Result{}, fault.Wrap(fault.Internal, "read artifact", text.Say("tool.frame_unreadable", "name", b.ID), "", err)
	}
	f = d.marked(f)
	b.RowCount, b.Offset = f.RowCount, a.Offset
	if len(f.FrameQL) <= 600 {
		b.FrameQL = f.FrameQL
	}
	for _, c := range f.Columns {
		b.Columns = append(b.Columns, columnBody{Name: name(c.Name), Role: string(c.Role), Unit: name(c.Unit), Grain: name(c.Grain)})
		if c.Personal {
			b.Withheld = append(b.Withheld, name(c.Name))
		}
	}
	if f.LetGo != nil {
		return problem(&Problem{Kind: "rows_let_go", Message: text.Say("tool.rows_let_go"), Name: b.ID, FrameQL: f.FrameQL, Repairs: []string{f.FrameQL}})
	}
	limit := a.Limit
	if limit == 0 {
		limit = 50
	}
	limit = min(limit, RecalledRows)
	from := min(a.Offset, len(f.Rows))
	to := min(from+limit, len(f.Rows))
	r := Result{}
	b.Rows, r.Columns = d.cellsOf(f, f.Rows[from:to])
	for size(b) > MostBytes-200 && len(b.Rows) > 1 { // whole rows, and the rest on the next page
		b.Rows = b.Rows[:len(b.Rows)*3/4]
	}
	if next := from + len(b.Rows); next < len(f.Rows) {
		b.Next = &next
	}
	if f.Truncated != nil {
		b.Note = text.Say("tool.rows_cut", "kept", len(f.Rows), "all", f.Truncated.TotalRows)
	}
	r.Body, r.Rows = fitted(b, MostBytes, text.Say("tool.narrow_frame")), len(b.Rows)
	return r, nil
}

// heavy are parts of artifacts that a mind has no use for: drawings, and frames that stand in them.
var heavy = map[string]bool{"vega_lite": true, "sql": true, "base_sql": true, "source_epochs": true, "served_by": true, "population": true, "reasons": true}

// plain gives the body of an artifact as plain data without what is heavy. Rows of a frame that stands in it are counted.
func (d *Desk) plain(x any, depth int) any {
	switch x := x.(type) {
	case string:
		return d.masked(clean(x, 2000))
	case map[string]any:
		if depth > 8 {
			return nil
		}
		_, isFrame := x["columns"].([]any)
		out := map[string]any{}
		for k, v := range x {
			if rows, ok := v.([]any); ok && isFrame && k == "rows" {
				out["row_count"] = len(rows)
				continue
			}
			if !heavy[k] {
				out[name(k)] = d.plain(v, depth+1)
			}
		}
		return out
	case []any:
		out := []any{}
		for _, one := range x {
			out = append(out, d.plain(one, depth+1))
		}
		return out
	}
	return x
}
