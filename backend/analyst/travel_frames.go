package analyst

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"assay/backend/frameql"
	"assay/backend/session"
)

// PackedFrame is a frame within the body of an artifact as it travels. Its rows stand beside the body.
type PackedFrame struct {
	Artifact int    // the place of the artifact among those of its turn
	Part     string // the place of the frame in the body: frame base current result
	Columns  []frameql.Column
	Rows     json.RawMessage // a list of lists
}

// heldFrame is a frame that a body holds, by its place there.
type heldFrame struct {
	part  string
	frame *frameql.Frame
}

// framedBody is an empty body of a kind whose bodies hold frames; nil: those of the kind hold none.
func framedBody(kind session.Kind) any {
	switch kind {
	case session.KindFrame:
		return &frameql.Frame{}
	case session.KindComparison:
		return &session.Comparison{}
	case session.KindSimulation:
		return &session.Simulation{}
	default:
		return nil
	}
}

// framesIn gives the frames that a body holds.
func framesIn(body any) []heldFrame {
	switch b := body.(type) {
	case *frameql.Frame:
		return []heldFrame{{"frame", b}}
	case *session.Comparison:
		return []heldFrame{{"base", &b.Base.Frame}, {"current", &b.Current.Frame}}
	case *session.Simulation:
		if b.Result != nil {
			return []heldFrame{{"result", b.Result}}
		}
	}
	return nil
}

// rowsApart takes the rows of its frames out of the body of an artifact. What is no table, because rows do not fit its columns, stays where it is.
func rowsApart(kind session.Kind, artifact int, raw json.RawMessage) (json.RawMessage, []PackedFrame, error) {
	body := framedBody(kind)
	if body == nil {
		return raw, nil, nil
	}
	if err := withDigits(raw, body); err != nil {
		return nil, nil, err
	}
	var apart []PackedFrame
	for _, h := range framesIn(body) {
		f := h.frame
		if f.Rows == nil || len(f.Columns) == 0 || slices.ContainsFunc(f.Rows, func(row []any) bool { return len(row) != len(f.Columns) }) {
			continue
		}
		rows, err := json.Marshal(f.Rows)
		if err != nil {
			return nil, nil, err
		}
		apart = append(apart, PackedFrame{Artifact: artifact, Part: h.part, Columns: f.Columns, Rows: rows})
		f.Rows = nil
	}
	if apart == nil {
		return raw, nil, nil
	}
	without, err := json.Marshal(body)
	return without, apart, err
}

// withDigits reads JSON whose numbers keep their digits where no type says what they are.
func withDigits(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// Together is a packed turn whose artifacts have the rows of their frames within.
func Together(p Packed) (session.FileTurn, error) {
	t := p.Turn
	t.Artifacts = slices.Clone(t.Artifacts)
	for _, f := range p.Frames {
		a := &t.Artifacts[f.Artifact]
		body := framedBody(a.Kind)
		if err := withDigits(a.Body, body); err != nil {
			return t, err
		}
		for _, h := range framesIn(body) {
			if h.part != f.Part {
				continue
			}
			if err := withDigits(f.Rows, &h.frame.Rows); err != nil {
				return t, err
			}
		}
		var err error
		if a.Body, err = json.Marshal(body); err != nil {
			return t, err
		}
	}
	return t, nil
}

// WithRows is a packed turn with all rows within, as a session.json alone has it.
func WithRows(p Packed) (session.FileTurn, error) {
	t, err := Together(p)
	if err != nil || p.Rows == nil {
		return t, err
	}
	a, err := readMoving(t.Answer, true)
	if err != nil {
		return t, err
	}
	a.Frame.Rows = p.Rows
	t.Answer, err = json.Marshal(a)
	return t, err
}

// ColumnsOf counts the columns of the frame of a turn that travelled.
func ColumnsOf(t session.FileTurn) (int, error) {
	var a struct {
		Frame *countedFrame `json:"frame"`
	}
	if err := json.Unmarshal(t.Answer, &a); err != nil {
		return 0, misfit("frame")
	}
	return a.Frame.columns()
}

// ColumnsIn counts the columns of a frame within an artifact that travelled, by its place.
func ColumnsIn(a session.FileArtifact, part string) (int, error) {
	var body struct {
		countedFrame
		Base    struct{ Frame *countedFrame }
		Current struct{ Frame *countedFrame }
		Result  *countedFrame
	}
	if err := json.Unmarshal(a.Body, &body); err != nil || framedBody(a.Kind) == nil {
		return 0, misfit("rows of no frame")
	}
	switch part {
	case "frame":
		return body.countedFrame.columns()
	case "base":
		return body.Base.Frame.columns()
	case "current":
		return body.Current.Frame.columns()
	case "result":
		return body.Result.columns()
	}
	return 0, misfit("rows of no frame")
}

// countedFrame is a frame of which nothing but the number of its columns is known.
type countedFrame struct {
	Columns []json.RawMessage `json:"columns"`
}

func (f *countedFrame) columns() (int, error) {
	if f == nil || len(f.Columns) > mostColumns {
		return 0, misfit("frame")
	}
	return len(f.Columns), nil
}

// arriveFrames gives the frames of a body that travelled their rows: those of their entries, their own, or none, which the frames then say.
func arriveFrames(body any, p session.FileArtifact, o Arrival) error {
	held := framesIn(body)
	for part := range p.Rows {
		if !slices.ContainsFunc(held, func(h heldFrame) bool { return h.part == part }) {
			return misfit("rows of no frame")
		}
	}
	for _, h := range held {
		if err := h.arrive(p.Rows[h.part], o); err != nil {
			return fmt.Errorf("%s: %w", h.part, err)
		}
	}
	return nil
}

func (h heldFrame) arrive(entry string, o Arrival) error {
	f := h.frame
	rows := o.Rows[entry]
	switch {
	case f.Rows != nil && entry != "":
		return misfit("rows twice")
	case f.Rows != nil:
		own, err := json.Marshal(f.Rows)
		if err != nil {
			return err
		}
		rows = own
	case rows == nil && entry == "" && f.RowCount == 0 && f.Truncated == nil:
		rows = json.RawMessage("[]")
	}
	if err := checkColumns(f); err != nil {
		return err
	}
	if rows == nil {
		leaveOut(f)
		return nil
	}
	typed, err := typedRows(rows, f.Columns)
	if err == nil && len(typed) != f.RowCount {
		err = fmt.Errorf("%d rows of %d", len(typed), f.RowCount)
	}
	f.Rows = typed
	return err
}

// leaveOut says of a frame that its rows were left out, and how many there were.
func leaveOut(f *frameql.Frame) {
	total := f.RowCount
	if f.Truncated != nil {
		total = f.Truncated.TotalRows
	}
	f.Rows, f.RowCount, f.Truncated, f.Reasons = [][]any{}, 0, &frameql.Truncated{TotalRows: total}, []frameql.Reason{}
}

// HeldRows counts the frames of a packed turn that have their rows, and these rows: the answer's, and those within artifacts.
func HeldRows(p Packed) (frames int, rows int64, err error) {
	if p.Rows != nil {
		var a struct {
			Frame struct {
				RowCount int64 `json:"row_count"`
			} `json:"frame"`
		}
		if err := json.Unmarshal(p.Turn.Answer, &a); err != nil {
			return 0, 0, err
		}
		frames, rows = 1, a.Frame.RowCount
	}
	made, held, err := HeldWithin(p.Turn.Artifacts, func(artifact int, part string) bool {
		return slices.ContainsFunc(p.Frames, func(f PackedFrame) bool { return f.Artifact == artifact && f.Part == part })
	})
	return frames + made, rows + held, err
}

// HeldWithin counts the frames within artifacts that travelled with their rows, and these rows. beside says of a frame, by its artifact and its part,
// whether its rows stand beside it; else they stand in it.
func HeldWithin(artifacts []session.FileArtifact, beside func(artifact int, part string) bool) (frames int, rows int64, err error) {
	for i, a := range artifacts {
		body := framedBody(a.Kind)
		if body == nil || a.Body == nil {
			continue
		}
		if err := withDigits(a.Body, body); err != nil {
			return frames, rows, err
		}
		for _, h := range framesIn(body) {
			if beside(i, h.part) || h.frame.Rows != nil {
				frames, rows = frames+1, rows+int64(h.frame.RowCount)
			}
		}
	}
	return frames, rows, nil
}
