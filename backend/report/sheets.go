package report

import (
	"slices"
	"strings"

	"assay/backend/chart/svg"
	"assay/backend/frameql"
	"assay/backend/session"
	"assay/backend/text"
)

// Sheet is a frame with all of its rows, for who wants it outside of a page.
type Sheet struct {
	Key   string // one of a kind among the sheets of an answer: a request or an artifact
	Title string
	Frame *frameql.Frame
	Chart *session.ChartEdit // nil: none
}

// Sheets are the frames of an answer, or of one artifact of it, with what is to be said of what has no rows.
func (r *Answer) Sheets(artifact string) (sheets []Sheet, notes []string, err error) {
	made := r.made
	if artifact != "" {
		at := slices.IndexFunc(r.turn.Artifacts, func(a session.FileArtifact) bool { return a.ID == artifact })
		if at < 0 {
			return nil, nil, errOdd
		}
		made = nil
		if a := r.turn.Artifacts[at]; cardOf(a.Kind) != nil {
			made = []session.FileArtifact{a}
		}
	}
	if f := r.frame(); f != nil && len(made) == 0 || f != nil && artifact == "" {
		if r.missing {
			notes = append(notes, text.Say("report.no_rows_here"))
		} else {
			one := Sheet{Key: r.turn.RequestID, Title: r.Title(), Frame: f}
			if edit, drawn := r.edit(f); drawn {
				one.Chart = &edit
			}
			sheets = append(sheets, one)
			if f.Truncated != nil {
				notes = append(notes, truncatedWords(f))
			}
		}
	}
	for _, a := range made {
		f, err := frameOf(a)
		switch {
		case err != nil:
			return nil, nil, err
		case f != nil && r.choice.Frames != session.FramesNone:
			sheets = append(sheets, Sheet{Key: a.ID, Title: a.Title, Frame: f})
		default:
			notes = append(notes, text.Say("report.no_sheet", "title", a.Title))
		}
	}
	return sheets, notes, nil
}

// frameOf is what an artifact has of rows; nil: it has none.
func frameOf(a session.FileArtifact) (*frameql.Frame, error) {
	switch a.Kind {
	case session.KindComparison:
		var c session.Comparison
		if err := decode(a.Body, &c); err != nil {
			return nil, err
		}
		if rowless(&c.Base.Frame) || rowless(&c.Current.Frame) {
			return nil, nil
		}
		f, _, _ := compared(c)
		return f, nil
	case session.KindSimulation:
		var s session.Simulation
		if err := decode(a.Body, &s); err != nil {
			return nil, err
		}
		if s.Result != nil && !whole(s.Result) {
			return nil, errOdd
		}
		if s.Result != nil && rowless(s.Result) {
			return nil, nil
		}
		return s.Result, nil
	default:
		return nil, nil
	}
}

func (r *Answer) frame() *frameql.Frame {
	if r.answer == nil {
		return nil
	}
	return r.answer.Frame
}

// edit is the intent of the answer's chart, as its person left it; false: it shows none.
func (r *Answer) edit(f *frameql.Frame) (session.ChartEdit, bool) {
	if r.missing || r.view.Show != "chart" && r.view.Show != "" {
		return session.ChartEdit{}, false
	}
	if r.view.Chart != nil {
		return *r.view.Chart, true
	}
	if r.answer.Chart == nil {
		return session.ChartEdit{}, false
	}
	return svg.Intent(*r.answer.Chart, f)
}

// Question is what was asked.
func (r *Answer) Question() string { return r.turn.Question }

// InWords is what the answer says: its narration, its refusal, its question back.
func (r *Answer) InWords() string {
	switch a := r.answer; {
	case a == nil && r.turn.Fault != nil:
		return r.turn.Fault.Message
	case a == nil:
		return ""
	case a.Narration != nil:
		return strings.TrimSpace(a.Supposed + " " + a.Narration.Text)
	case a.Refusal != nil:
		return a.Refusal.Message
	case a.Clarification != nil:
		return a.Clarification.Question
	}
	return ""
}

// Rows says whether it has an answer with a frame, and whether the rows of that are missing.
func (r *Answer) Rows() (framed, missing bool) {
	framed = r.frame() != nil
	return framed, framed && r.missing
}

// Total is how many rows the answer has in truth.
func (r *Answer) Total() int64 {
	switch f := r.frame(); {
	case f == nil:
		return 0
	case f.Truncated != nil:
		return int64(f.Truncated.TotalRows)
	default:
		return int64(f.RowCount)
	}
}

// CameFrom is where it was taken from, as a fact.
func (r *Answer) CameFrom(came Came) Fact {
	from := Fact{Label: text.Say("report.source_session"), Text: text.Say("report.source_of", "session", came.Session, "at", Moment(r.turn.Asked))}
	if came.Imported {
		from.Text += " " + text.Say("report.source_imported")
	}
	return from
}
