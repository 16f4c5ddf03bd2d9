package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// GivenRows is how many rows a frame may have to be given whole; of a larger one there is a summary.
const GivenRows = 20

// summarised is how many columns of a larger frame are looked at: more do not fit.
const summarised = 16

// frameBody is a frame as a mind gets it.
type frameBody struct {
	FrameID  string       `json:"frame_id,omitempty"`
	FrameQL  string       `json:"frame_ql_executed,omitempty"`
	SQL      string       `json:"sql_executed,omitempty"`
	Columns  []columnBody `json:"columns"`
	RowCount int          `json:"row_count"`
	Rows     [][]any      `json:"rows,omitempty"`
	Served   string       `json:"served_from,omitempty"`
	Level    string       `json:"verification_level,omitempty"`
	Withheld []string     `json:"withheld,omitempty"` // columns that name persons: their cells are not given
	Notices  []string     `json:"notices,omitempty"`
	Note     string       `json:"note,omitempty"`
}

// columnBody is a column, and of a frame that is not given whole what its numbers come to.
type columnBody struct {
	Name  string `json:"name"`
	Role  string `json:"role"`
	Unit  string `json:"unit,omitempty"`
	Grain string `json:"grain,omitempty"`
	Min   any    `json:"min,omitempty"`
	Max   any    `json:"max,omitempty"`
	Sum   any    `json:"sum,omitempty"`   // of what may be added
	First any    `json:"first,omitempty"` // by time, where there is one row a period
	Last  any    `json:"last,omitempty"`
}

// bodyOf gives a frame to a mind: whole when it is small, else what its columns come to.
func (d *Desk) bodyOf(f *frameql.Frame, id string) (*frameBody, Result) {
	b := &frameBody{FrameID: id, RowCount: f.RowCount}
	f = d.marked(f)
	whole := len(f.Rows) <= GivenRows && f.Truncated == nil && f.LetGo == nil
	if len(f.FrameQL) <= 300 || whole && len(f.FrameQL) <= 600 {
		b.FrameQL = f.FrameQL
	}
	for i, c := range f.Columns {
		one := columnBody{Name: name(c.Name), Role: string(c.Role), Unit: name(c.Unit), Grain: name(c.Grain)}
		if !whole && i < summarised {
			summarise(&one, f, i)
		}
		b.Columns = append(b.Columns, one)
		if c.Personal {
			b.Withheld = append(b.Withheld, name(c.Name))
		}
	}
	for _, n := range f.Notices[:min(len(f.Notices), 3)] {
		b.Notices = append(b.Notices, clean(n.Text, 160))
	}
	var r Result
	if whole {
		b.Rows, r.Columns = d.cellsOf(f, f.Rows)
		fitted(b, MostBytes, text.Say("tool.narrow_frame"))
		r.Rows = len(b.Rows)
	} else {
		switch {
		case f.LetGo != nil:
			b.Note = text.Say("tool.rows_let_go")
		case f.Truncated != nil:
			b.Note = text.Say("tool.rows_cut", "kept", len(f.Rows), "all", f.Truncated.TotalRows)
		}
		said := b.Note
		if fitted(b, mostReferenced, text.Say("tool.narrow_recall")); said != "" && b.Note != said {
			b.Note = said + " " + b.Note
		}
	}
	r.Body = b
	return b, r
}

// marked is a frame in which every column that is nobody's business is marked as personal, also what was only tagged as sensitive. The frame itself is not changed.
func (d *Desk) marked(f *frameql.Frame) *frameql.Frame {
	out := *f
	out.Columns = slices.Clone(f.Columns)
	for i := range out.Columns {
		c := &out.Columns[i]
		entity, _, _ := strings.Cut(c.Dimension, ".")
		if d.Model == nil || entity == "" {
			continue
		}
		if e, dim := d.Model.Entity(entity), d.Model.Dimension(c.Dimension); e != nil && dim != nil && d.personal(e, dim) {
			c.Personal = true
		}
	}
	return &out
}

// cellsOf gives rows without what names persons, and the names of the columns whose values are in them.
func (d *Desk) cellsOf(f *frameql.Frame, rows [][]any) (cells [][]any, columns []string) {
	for _, c := range f.Columns {
		if !c.Personal {
			columns = append(columns, c.Name)
		}
	}
	cells = make([][]any, len(rows))
	for i, row := range rows {
		cells[i] = make([]any, len(row))
		for k := range row {
			if k < len(f.Columns) && f.Columns[k].Personal {
				continue
			}
			cells[i][k] = d.cell(row[k])
		}
	}
	return cells, columns
}

// summarise says what the numbers of a column come to, and between which ends its dates lie. Total rows are not counted.
func summarise(b *columnBody, f *frameql.Frame, i int) {
	c := f.Columns[i]
	rows := frameview.Members(f).Rows
	if c.Personal || len(rows) == 0 {
		return
	}
	if frameview.OnCalendar(c) {
		b.Min, b.Max = dateEnds(rows, i)
		return
	}
	if !frameview.Numeric(c) || c.Role == frameql.RoleDimension {
		return
	}
	var t tally
	for _, row := range rows {
		t.add(row[i])
	}
	b.Min, b.Max = t.min, t.max
	if t.n > 0 && !t.odd && f.Truncated == nil && additive(c) {
		b.Sum = exactly(t.sum(), c)
	}
	b.First, b.Last = timeEnds(f, rows, i)
}

// additive says whether the rows of a column may be added up.
func additive(c frameql.Column) bool { return c.Additivity == "additive" && c.Derived == nil }

func dateEnds(rows [][]any, i int) (first, last any) {
	for _, row := range rows {
		s, ok := row[i].(string)
		if !ok {
			continue
		}
		if first == nil || s < first.(string) {
			first = s
		}
		if last == nil || s > last.(string) {
			last = s
		}
	}
	return first, last
}

// timeEnds gives the cells of the first and the last period of a frame whose only dimension is a time.
func timeEnds(f *frameql.Frame, rows [][]any, i int) (first, last any) {
	s := frameview.ShapeOf(f)
	if len(s.Members) != 1 || s.Time != s.Members[0] {
		return nil, nil
	}
	from, to := dateEnds(rows, s.Time)
	for _, row := range rows {
		if row[s.Time] == from && from != nil {
			first = row[i]
		}
		if row[s.Time] == to && to != nil {
			last = row[i]
		}
	}
	return first, last
}

// frameOf gives a frame artifact. A problem says why there is none.
func frameOf(ctx context.Context, d *Desk, id string) (*frameql.Frame, session.Artifact, *Problem, error) {
	a, p, err := artifactOf(ctx, d, id)
	if p != nil || err != nil {
		return nil, a, p, err
	}
	if a.Kind != session.KindFrame {
		return nil, a, &Problem{Kind: "unknown_artifact", Message: text.Say("tool.no_frame", "name", name(id), "kind", string(a.Kind)), Name: name(id)}, nil
	}
	f, err := decodeFrame(a.Body)
	if err != nil {
		return nil, a, nil, fault.Wrap(fault.Internal, "read artifact", text.Say("tool.frame_unreadable", "name", name(id)), "", err)
	}
	return d.marked(f), a, nil, nil
}

func artifactOf(ctx context.Context, d *Desk, id string) (session.Artifact, *Problem, error) {
	if d.Recall == nil {
		return session.Artifact{}, &Problem{Kind: "unavailable", Message: text.Say("tool.absent", "what", "recall_artifact")}, nil
	}
	a, found, err := d.Recall(ctx, id)
	if err != nil {
		r, err := failed(err)
		return a, r.Problem, err
	}
	if !found {
		return a, &Problem{Kind: "unknown_artifact", Message: text.Say("tool.no_artifact", "name", name(id)), Name: name(id), Suggestion: text.Say("tool.no_artifact_hint")}, nil
	}
	return a, nil, nil
}

// decodeFrame reads a frame with all digits of its numbers.
func decodeFrame(raw json.RawMessage) (*frameql.Frame, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var f frameql.Frame
	if err := dec.Decode(&f); err != nil {
		return nil, err
	}
	for i, row := range f.Rows {
		if len(row) != len(f.Columns) {
			return nil, fault.New(fault.Invalid, "read frame", text.Say("tool.frame_uneven", "row", i), "")
		}
	}
	return &f, nil
}

// column finds a column of a frame by its name; -1 and a problem: there is none.
func column(f *frameql.Frame, wanted string) (int, *Problem) {
	i := slices.IndexFunc(f.Columns, func(c frameql.Column) bool { return c.Name == wanted })
	if i >= 0 {
		return i, nil
	}
	var known []string
	for _, c := range f.Columns {
		known = append(known, c.Name)
	}
	return -1, unknown("unknown_column", "tool.no_column", wanted, known)
}
