package report

import (
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// About is what a page says of itself.
type About struct {
	Workspace  string
	Program    string // the version of Assay that made it
	Made       time.Time
	Began      time.Time // of a session: zero for a report
	Ended      time.Time
	Frames     session.Frames
	Answers    int      // with rows, or that had some
	Without    []string // numbers of the answers whose rows are not in it, though some were left in
	Unfinished int      // questions that still ran
	Cleared    int      // questions that were cleared away and are not in it
	Imported   *session.Imported
	Origin     *session.Origin
	Until      int // the last question that is shown; 0: all are
}

// Lines say it in words, in the order in which a stranger asks.
func (a About) Lines() []Line {
	var lines []Line
	say := func(key, words string) {
		if words != "" {
			lines = append(lines, Line{Label: text.Say(key), Text: words})
		}
	}
	say("report.about_workspace", a.Workspace)
	if !a.Began.IsZero() {
		from, to := day(a.Began), day(a.Ended)
		if from == to {
			say("report.about_asked", from)
		} else {
			say("report.about_asked", text.Say("window.format.range", "from", from, "to", to))
		}
	}
	program := a.Program
	if program == "" {
		program = text.Say("report.no_version")
	}
	say("report.about_made", text.Say("report.made_by", "at", Moment(a.Made), "version", program))
	say("report.about_rows", a.rows())
	if len(a.Without) > 0 {
		say("report.about_without", strings.Join(a.Without, ", "))
	}
	if a.Until > 0 {
		say("report.about_until", text.Say("report.until", "n", a.Until))
	}
	if a.Unfinished > 0 {
		say("report.about_unfinished", text.Count("report.unfinished", int64(a.Unfinished), "n", a.Unfinished))
	}
	if a.Cleared > 0 {
		say("report.about_cleared", text.Count("report.cleared", int64(a.Cleared), "n", a.Cleared))
	}
	if a.Origin != nil {
		say("report.about_origin", text.Say("report.origin", "title", a.Origin.Title, "turn", a.Origin.Turn))
	}
	return lines
}

func (a About) rows() string {
	n := frameview.Grouped(int64(a.Answers))
	switch {
	case a.Answers == 0:
		return text.Say("report.rows_of_none")
	case a.Frames == session.FramesMasked:
		return text.Count("report.rows_masked", int64(a.Answers), "n", n)
	case a.Frames == session.FramesNone:
		return text.Count("report.rows_none", int64(a.Answers), "n", n)
	}
	return text.Count("report.rows_whole", int64(a.Answers), "n", n)
}

// Warning is what a reader must know first; empty: nothing.
func (a About) Warning() string {
	if a.Imported == nil {
		return ""
	}
	i := a.Imported
	words := text.Say("report.imported", "file", i.File, "at", Moment(i.At), "workspace", i.Workspace, "version", i.Program)
	switch i.Signature {
	case session.SignatureValid:
		words += " " + text.Say("report.signature_valid", "name", i.Signer, "key", i.Fingerprint)
		if i.Elsewhere > 0 {
			words += " " + text.Count("report.signature_elsewhere", int64(i.Elsewhere), "n", i.Elsewhere)
		}
	case session.SignatureNotValid:
		words += " " + text.Say("report.signature_not_valid", "name", i.Signer)
	default:
		words += " " + text.Say("report.signature_none")
	}
	return words
}

// elsewhere is the mark of an answer that came with a file.
func elsewhere(e *session.Elsewhere) string {
	words := text.Say("report.elsewhere", "file", e.File, "at", Moment(e.At))
	switch {
	case e.Relayed:
		words += " " + text.Say("report.elsewhere_relayed")
	case e.Signature == session.SignatureValid:
		words += " " + text.Say("report.elsewhere_signed", "name", e.Signer, "key", e.Fingerprint)
	}
	return words
}

// Moment is a moment in words, in UTC: a page is read anywhere.
func Moment(at time.Time) string {
	return text.Say("report.moment", "moment", frameview.Member(at.UTC().Format("2006-01-02T15:04"), frameql.Column{Type: "timestamp"}))
}

func day(at time.Time) string {
	return frameview.Member(at.UTC().Format("2006-01-02"), frameql.Column{Type: "date"})
}
