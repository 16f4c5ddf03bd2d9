package report

import (
	"errors"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/profile"
	"assay/backend/session"
	"assay/backend/text"
)

// errOdd says that an artifact does not read.
var errOdd = errors.New("it does not fit itself")

// whole says whether every row of a frame has its cells.
func whole(f *frameql.Frame) bool {
	for _, row := range f.Rows {
		if len(row) != len(f.Columns) {
			return false
		}
	}
	return true
}

// structure is what depends on what, or joins what: its things, and what leads from one to another.
func structure(a session.FileArtifact, name string, o Choice) (*Box, error) {
	var s session.Structure
	if err := decode(a.Body, &s); err != nil {
		return nil, err
	}
	labels := map[string]string{}
	words := func(of string) string {
		if label := labels[of]; label != "" {
			return label
		}
		return of
	}
	var nodes []Line
	for _, n := range s.Nodes {
		labels[n.ID] = n.Label
		note := n.Note
		if n.Inferred {
			note += " " + text.Say("analyst.fact_inferred")
		}
		nodes = append(nodes, Line{Label: words(n.ID), Text: note})
	}
	f := &frameql.Frame{}
	for _, key := range []string{"report.edge_from", "report.edge_to", "report.edge_as"} {
		f.Columns = append(f.Columns, frameql.Column{Name: key, Label: text.Say(key), Type: "text", Role: frameql.RoleDimension})
	}
	f.Columns = append(f.Columns, frameql.Column{Name: "to_one", Label: text.Say("report.edge_to_one"), Type: "boolean"},
		frameql.Column{Name: "holds", Label: text.Say("report.edge_holds"), Type: "float", Format: frameview.Percent, Role: frameql.RoleMetric})
	for _, e := range s.Edges {
		f.Rows = append(f.Rows, []any{words(e.From), words(e.To), e.Label, e.ToOne, e.Holds})
	}
	box := &Box{Title: a.Title}
	if len(nodes) > 0 {
		box.Blocks = append(box.Blocks, Block{Lines: &Lines{Title: text.Say("report.nodes"), Lines: nodes[:min(len(nodes), mostRows)]}})
	}
	if len(f.Rows) > 0 {
		box.Blocks = append(box.Blocks, Block{Table: tableOf(f, name+"-e", text.Say("report.edges"), o.Rows, nil)})
	}
	return box, nil
}

// measured is one column as it was measured.
func measured(a session.FileArtifact, name string, o Choice) (*Box, error) {
	var q profile.QMCard
	if err := decode(a.Body, &q); err != nil {
		return nil, err
	}
	p := q.Column
	box := &Box{Title: a.Title, Note: text.Say("window.qm.of", "table", q.Table, "rows", frameview.Grouped(q.Rows))}
	if q.Looked < q.Rows {
		box.Blocks = append(box.Blocks, Block{Notes: []Note{{"info", text.Say("window.qm.sampled", "looked", frameview.Grouped(q.Looked), "rows", frameview.Grouped(q.Rows))}}})
	}
	lines := []Line{{Label: text.Say("window.qm.type"), Text: p.Type}, {Label: text.Say("window.qm.distinct"), Text: frameview.Grouped(p.Distinct)}, {Label: text.Say("window.qm.nulls"), Text: frameview.Grouped(p.Nulls)}}
	left := q.LeftOut || o.Frames == session.FramesNone
	if !left {
		for _, edge := range []struct {
			key   string
			value *string
		}{{"window.qm.min", p.Min}, {"window.qm.max", p.Max}} {
			if edge.value != nil {
				lines = append(lines, Line{Label: text.Say(edge.key), Text: *edge.value})
			}
		}
		if p.Mean != nil {
			lines = append(lines, Line{Label: text.Say("window.qm.mean"), Text: frameview.Figure(*p.Mean, plainFloat)})
		}
	}
	box.Blocks = append(box.Blocks, Block{Lines: &Lines{Lines: lines}})
	if left {
		box.Blocks = append(box.Blocks, leftOut()...)
	}
	if len(p.Top) > 0 && !left {
		f := &frameql.Frame{Columns: []frameql.Column{
			{Name: p.Name, Type: "text", Role: frameql.RoleDimension},
			{Name: "count", Label: text.Say("report.top_count"), Type: "integer", Role: frameql.RoleMetric},
			{Name: "share", Label: text.Say("report.top_share"), Type: "float", Format: frameview.Percent, Role: frameql.RoleMetric},
		}}
		for _, v := range p.Top {
			f.Rows = append(f.Rows, []any{v.Value, v.Count, v.Share})
		}
		box.Blocks = append(box.Blocks, Block{Table: tableOf(f, name+"-v", text.Say("report.top_values"), o.Rows, nil)})
	}
	if q.FrameQL != "" {
		box.Blocks = append(box.Blocks, Block{Statement: statement(text.Say("window.qm.computed"), q.FrameQL)})
	}
	return box, nil
}
