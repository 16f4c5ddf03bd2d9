package analyst

import (
	"bytes"
	"encoding/json"
	"fmt"

	"assay/backend/chart"
	"assay/backend/frameql"
	"assay/backend/session"
)

// movingAnswer is an answer whose rows stay text: they travel on their own.
type movingAnswer struct {
	*Answer
	Frame *movingFrame   `json:"frame"`
	Trace []session.Step `json:"trace"`
}

type movingFrame struct {
	*frameql.Frame
	Rows json.RawMessage `json:"rows"`
}

var null = json.RawMessage("null")

// Packed is a turn as it travels. The rows of its answer, and those of the frames within its artifacts, stand beside it.
type Packed struct {
	Turn    session.FileTurn
	Columns []frameql.Column
	Rows    json.RawMessage // a list of lists; nil: the answer has no frame
	Frames  []PackedFrame   // of its artifacts, in their order
}

// Pack takes from a turn what does not travel: the rows of its frames and its trace, which have places of their own; specifications of charts, which
// follow from the intent and the frame; who must accept it by when, and whom it was escalated to, which is nobody's affair elsewhere.
func Pack(t session.Turn) (Packed, error) {
	out := session.FileTurn{Turn: t, Trace: t.Trace, Artifacts: []session.FileArtifact{}}
	out.Turn.Artifacts, out.Turn.Trace, out.Turn.Holding = nil, nil, nil
	p := Packed{Turn: out}
	var members map[string]json.RawMessage
	if len(t.Answer) > 0 && !bytes.Equal(t.Answer, null) {
		a, err := readMoving(t.Answer, false)
		if err != nil {
			return p, err
		}
		members = membersOf(t.Answer)
		if a.Frame != nil {
			p.Columns, p.Rows, a.Frame.Rows = a.Frame.Columns, a.Frame.Rows, null
		}
		a.Acceptance, a.Escalation, a.Trace = nil, nil, nil
		a.Status = settledStatus(a.Status)
		if a.Chart != nil {
			a.Chart.VegaLite = null
		}
		if p.Turn.Answer, err = json.Marshal(a); err != nil {
			return p, err
		}
	} else {
		p.Turn.Answer = null
	}
	p.Turn.Status = settledStatus(t.Status)
	for i, a := range t.Artifacts {
		packed := session.FileArtifact{ID: a.ID, Kind: a.Kind, Title: a.Title, Created: a.Created}
		if member := members[inAnswer[a.Kind]]; member == nil || !bytes.Equal(member, a.Body) {
			body, err := packedBody(a)
			if err != nil {
				return p, err
			}
			var apart []PackedFrame
			if packed.Body, apart, err = rowsApart(a.Kind, i, body); err != nil {
				return p, err
			}
			p.Frames = append(p.Frames, apart...)
		}
		p.Turn.Artifacts = append(p.Turn.Artifacts, packed)
	}
	return p, nil
}

// membersOf cuts an object that is valid JSON into its members, by name. It looks at every byte once, where decoding would at every row of a frame thrice.
func membersOf(object []byte) map[string]json.RawMessage {
	members := map[string]json.RawMessage{}
	name, from, depth, quoted := "", 0, 0, false
	for i := 0; i < len(object); i++ {
		switch c := object[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth == 1 {
				from = i + 1
			}
		case c == ':' && depth == 1 && name == "":
			name, from = string(bytes.Trim(object[from:i], " \t\r\n\"")), i+1
		case (c == ',' || c == '}') && depth == 1:
			if name != "" {
				members[name] = bytes.TrimSpace(object[from:i])
			}
			name, from = "", i+1
			if c == '}' {
				depth--
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return members
}

// inAnswer names the part of the answer that an artifact of a kind repeats.
var inAnswer = map[session.Kind]string{
	session.KindFrame: "frame", session.KindChart: "chart", session.KindNarration: "narration", session.KindFollowups: "followups",
	session.KindClarification: "clarification", session.KindRefusal: "refusal", session.KindExplanation: "explanation",
}

// packedBody is the body of an artifact that the answer does not have.
func packedBody(a session.Artifact) (json.RawMessage, error) {
	switch a.Kind {
	case session.KindChart:
		var c session.Chart
		if err := json.Unmarshal(a.Body, &c); err != nil {
			return nil, err
		}
		c.VegaLite = null
		return json.Marshal(c)
	case session.KindRecommendation:
		var r Recommendation
		if err := json.Unmarshal(a.Body, &r); err != nil {
			return nil, err
		}
		r.Until = nil
		return json.Marshal(r)
	default:
		return a.Body, nil
	}
}

// settledStatus is the status of what waits for nobody any more.
func settledStatus(status string) string {
	if status == "pending_acceptance" {
		return "completed"
	}
	return status
}

func readMoving(raw []byte, strict bool) (*movingAnswer, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if strict {
		d.DisallowUnknownFields()
	}
	a := movingAnswer{Answer: &Answer{}}
	return &a, d.Decode(&a)
}

// Arrival says under which names a turn arrives, and what is missing of it.
type Arrival struct {
	SessionID string
	RequestID func(there string) string  // what a request is called here; empty: no request of the file
	Masked    bool                       // texts were replaced in it
	RowsLeft  bool                       // the rows of its frame were left out
	Rows      map[string]json.RawMessage // of the frames within artifacts, by entry; what is not there was not read
	// Body reads the body of an artifact of a kind that this package does not know, strictly.
	Body func(kind session.Kind, raw json.RawMessage) (any, error)
}

// without says whether a frame has none of the rows that it had: they were left out of the file, or let go before.
func (o Arrival) without(f *frameql.Frame) bool {
	return o.RowsLeft || len(f.Rows) == 0 && f.Truncated != nil && f.Truncated.Cap == 0
}

// Unpack makes a turn of one that travelled. What its answer and its artifacts hold is read strictly into their types and held to their lists of
// words, to their lengths, and to each other: nothing refers to what is not there. Grades, findings and provenance stay as they were recorded; the
// specification of a chart is written anew. rows are those of its frame; nil: they stand in the answer. An error says what does not fit.
func Unpack(t session.FileTurn, rows json.RawMessage, o Arrival) (session.Turn, error) {
	out := t.Turn
	there := t.RequestID
	out.RequestID, out.Trace, out.Artifacts = o.RequestID(there), t.Trace, []session.Artifact{}
	out.Holding = nil // nobody here asked it again
	if out.Trace == nil {
		out.Trace = []session.Step{}
	}
	if t.InsteadOf != "" {
		out.InsteadOf = o.RequestID(t.InsteadOf)
	}
	if err := checkSaid(&out, o); err != nil {
		return out, err
	}
	var a *movingAnswer
	if len(t.Answer) > 0 && !bytes.Equal(t.Answer, null) {
		var err error
		if a, err = readMoving(t.Answer, true); err != nil {
			return out, fmt.Errorf("answer: %w", err)
		}
		if err := a.arrive(&out, there, rows, o); err != nil {
			return out, fmt.Errorf("answer: %w", err)
		}
	}
	for i, packed := range t.Artifacts {
		body, err := unpackedBody(packed, a, there, o)
		if err != nil {
			return out, fmt.Errorf("artifacts[%d]: %w", i, err)
		}
		out.Artifacts = append(out.Artifacts, session.Artifact{
			ID: session.ArtifactID(o.SessionID, t.Index, i), Kind: packed.Kind, Turn: t.Index, Title: packed.Title, Body: body, Created: packed.Created,
		})
	}
	if a == nil {
		out.Answer = null
		return out, nil
	}
	if err := a.refer(out.Artifacts); err != nil {
		return out, err
	}
	var err error
	out.Answer, err = json.Marshal(a)
	return out, err
}

// arrive puts rows, names and the specification of the chart into an answer, and checks it.
func (a *movingAnswer) arrive(t *session.Turn, there string, rows json.RawMessage, o Arrival) error {
	if err := session.Conform(a.Answer); err != nil {
		return err
	}
	switch {
	case a.RequestID != there || a.Turn != t.Index || string(a.Outcome) != t.Outcome || a.Status != t.Status:
		return misfit("it is of another turn")
	case a.Acceptance != nil || a.Escalation != nil || a.Trace != nil:
		return misfit("it waits for somebody, or has a trace of its own")
	}
	a.RequestID, a.SessionID, a.Trace = t.RequestID, o.SessionID, t.Trace
	if a.Frame != nil {
		if a.Frame.Frame == nil {
			a.Frame.Frame = &frameql.Frame{}
		}
		if err := session.Conform(a.Frame.Frame); err != nil {
			return err
		}
		if err := a.Frame.arrive(rows, o); err != nil {
			return fmt.Errorf("frame: %w", err)
		}
		a.Answer.Frame = a.Frame.Frame
	} else if rows != nil {
		return misfit("rows without a frame")
	}
	if err := checkAnswer(a.Answer, t, o); err != nil {
		return err
	}
	if a.Chart != nil {
		a.Chart.VegaLite = null
		if a.Answer.Frame != nil && !o.without(a.Answer.Frame) {
			a.Chart.VegaLite = chart.Again(a.Answer.Frame, *a.Chart)
		}
	}
	return nil
}

// arrive gives a frame its rows: those that stand beside it, its own, or none, which the frame then says.
func (f *movingFrame) arrive(rows json.RawMessage, o Arrival) error {
	own := len(f.Rows) > 0 && !bytes.Equal(f.Rows, null)
	switch {
	case rows != nil && own, o.RowsLeft && (own || rows != nil):
		return misfit("rows twice")
	case rows != nil:
		f.Rows = rows
	case !own && !o.RowsLeft:
		return misfit("no rows")
	}
	if err := checkColumns(f.Frame); err != nil {
		return err
	}
	if o.RowsLeft {
		f.Rows = json.RawMessage("[]")
		leaveOut(f.Frame)
		return nil
	}
	typed, err := typedRows(f.Rows, f.Columns)
	if err != nil {
		return err
	}
	f.Frame.Rows = typed
	return checkRows(f.Frame)
}

// refer renames the artifacts that an answer lists. It lists all that were there when it was given; a view may have come later.
func (a *movingAnswer) refer(artifacts []session.Artifact) error {
	if len(a.Artifacts) > len(artifacts) {
		return misfit("it lists artifacts that are not there")
	}
	for i := range a.Artifacts {
		if a.Artifacts[i].Kind != artifacts[i].Kind {
			return misfit("it lists other artifacts")
		}
		a.Artifacts[i].ID = artifacts[i].ID
	}
	return nil
}

// unpackedBody reads the body of an artifact strictly, or takes it from the answer.
func unpackedBody(p session.FileArtifact, a *movingAnswer, there string, o Arrival) (json.RawMessage, error) {
	if p.Body == nil {
		return bodyOfAnswer(p.Kind, a)
	}
	body, err := readBody(p.Kind, p.Body, o)
	if err == nil {
		err = arriveFrames(body, p, o)
	}
	if err != nil {
		return nil, err
	}
	if err := session.Conform(body); err != nil {
		return nil, err
	}
	switch b := body.(type) {
	case *session.Chart:
		b.VegaLite = null
		if a != nil && a.Answer.Frame != nil && !o.without(a.Answer.Frame) && b.Frame == a.Answer.Frame.ID {
			b.VegaLite = chart.Again(a.Answer.Frame, *b)
		}
	case *session.View:
		if a == nil || a.Answer.Frame == nil {
			return nil, misfit("a view of nothing")
		}
		if err := chart.CheckView(*b, a.Answer.Frame.Columns); err != nil {
			return nil, err
		}
	case *Provenance:
		for i := range b.Facts {
			if b.Facts[i].Code == "trace" && b.Facts[i].Text == there {
				b.Facts[i].Text = o.RequestID(there)
			}
		}
	case *Recommendation:
		b.RequestID, b.Until = o.RequestID(there), nil
	case *session.Comparison:
		b.Base.RequestID, b.Current.RequestID = o.RequestID(b.Base.RequestID), o.RequestID(b.Current.RequestID)
	}
	return json.Marshal(body)
}

// bodyOfAnswer is the body of an artifact that repeats a part of the answer.
func bodyOfAnswer(kind session.Kind, a *movingAnswer) (json.RawMessage, error) {
	name := inAnswer[kind]
	if a == nil || name == "" {
		return nil, misfit("no body")
	}
	parts := map[string]any{
		"frame": a.Frame, "chart": a.Chart, "narration": a.Narration, "followups": a.Followups, "clarification": a.Clarification, "refusal": a.Refusal,
		"explanation": a.Explanation,
	}
	raw, err := json.Marshal(parts[name])
	if err == nil && bytes.Equal(raw, null) {
		return nil, misfit("the answer has no " + name)
	}
	return raw, err
}

// readBody reads a body into the type of its kind.
func readBody(kind session.Kind, raw json.RawMessage, o Arrival) (any, error) {
	body := bodyOf(kind)
	if body != nil {
		return body, session.DecodeStrict(raw, body, "body")
	}
	if o.Body == nil {
		return nil, misfit("kind " + string(kind))
	}
	return o.Body(kind, raw)
}

// bodyOf is an empty body of a kind; nil: this package does not know them.
func bodyOf(kind session.Kind) any {
	switch kind {
	case session.KindFrame, session.KindComparison, session.KindSimulation:
		return framedBody(kind)
	case session.KindChart:
		return &session.Chart{}
	case session.KindNarration:
		return &session.Narration{}
	case session.KindFollowups:
		return &[]session.Followup{}
	case session.KindProvenance:
		return &Provenance{}
	case session.KindClarification:
		return newClarification()
	case session.KindRefusal:
		return &Refused{}
	case session.KindExplanation:
		return &Explanation{}
	case session.KindView:
		return &session.View{}
	case session.KindStructure:
		return &session.Structure{}
	case session.KindDriverAnalysis:
		return &session.DriverAnalysis{}
	case session.KindRecommendation:
		return &Recommendation{}
	default:
		return nil
	}
}
