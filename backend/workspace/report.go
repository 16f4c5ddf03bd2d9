package workspace

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/printer"
	"assay/backend/report"
	"assay/backend/session"
	"assay/backend/text"
)

// ReportFormat is the kind of file that a report becomes.
type ReportFormat string

// The formats of reports.
const (
	ReportHTML ReportFormat = "html" // one page that stands alone
	ReportPDF  ReportFormat = "pdf"  // the same, printed
	ReportXLSX ReportFormat = "xlsx" // a workbook: contents, a sheet for each frame, provenance
)

// MediaType is that of a file of the format; empty: there is no such format.
func (f ReportFormat) MediaType() string {
	switch f {
	case ReportHTML:
		return "text/html; charset=utf-8"
	case ReportPDF:
		return "application/pdf"
	case ReportXLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	return ""
}

// ReportItem is one part of a report.
type ReportItem struct {
	Kind string `json:"kind" enum:"artifact,answer,session,heading,text" doc:"session: every answer of it, in order"`
	ID   string `json:"id,omitempty" maxLength:"300" doc:"Of an artifact, of the request that an answer is to, of a session"`
	Text string `json:"text,omitempty" maxLength:"65536" doc:"Of a heading, or a text: paragraphs, lists, code and emphasis of Markdown"`
}

// The kinds of parts.
const (
	ReportArtifact = "artifact"
	ReportAnswer   = "answer"
	ReportSession  = "session"
	ReportHeading  = "heading"
	ReportText     = "text"
)

// ReportChoice is a report as a person put it together.
type ReportChoice struct {
	Format ReportFormat
	Title  string
	Frames session.Frames // whole (empty), masked
	Items  []ReportItem
}

// What a report holds at most.
const (
	mostReportItems   = 200
	mostReportAnswers = 500       // with those of its sessions
	longestReportText = 64 * 1024 // bytes of one text
)

// Report writes a report, and gives a name for the file. Its artifacts may come from several sessions; each keeps its provenance.
//
// Faults: Invalid (no such format or choice, no part, a part that says nothing), NotFound (an artifact, an answer, a session: by its name), Conflict (an
// answer is not finished), Limit (more parts, longer texts, or more rows than the format holds), Unavailable (nothing on this machine prints), Canceled, and
// those of out.
func (w *Workspace) Report(ctx context.Context, c ReportChoice, out io.Writer) (name string, err error) {
	r, err := w.gather(ctx, c)
	if err != nil {
		return "", err
	}
	switch c.Format {
	case ReportXLSX:
		err = r.workbook(ctx, out)
	case ReportPDF:
		err = r.print(ctx, out)
	default:
		err = r.page(ctx, out)
	}
	if err != nil && ctx.Err() != nil {
		err = fault.Wrap(fault.Canceled, "report", text.Say("workspace.export_canceled"), "", err)
	}
	return fileName(r.title) + "." + string(c.Format), err
}

// SessionTitle is what a session is called. Fault NotFound.
func (w *Workspace) SessionTitle(ctx context.Context, id string) (string, error) {
	head, err := w.memory.SessionHead(ctx, id)
	if err != nil {
		return "", err
	}
	return head.Title, nil
}

// gathered is a report whose parts are known to be there.
type gathered struct {
	w      *Workspace
	title  string
	frames session.Frames
	parts  []report.Part
	mask   *sessionMask // nil: nothing is masked
	came   map[string]report.Came
}

// gather finds what a report is made of, and writes down what it opens.
func (w *Workspace) gather(ctx context.Context, c ReportChoice) (*gathered, error) {
	bad := func(key string, pairs ...any) error {
		return fault.New(fault.Invalid, "report", text.Say(key, pairs...), text.Say(key+"_hint"))
	}
	r := &gathered{w: w, title: plainLine(c.Title), frames: c.Frames, came: map[string]report.Came{}}
	switch {
	case c.Format.MediaType() == "":
		return nil, bad("workspace.report_format", "format", string(c.Format))
	case c.Frames != "" && c.Frames != session.FramesWhole && c.Frames != session.FramesMasked:
		return nil, bad("workspace.report_frames", "choice", string(c.Frames))
	case len(c.Items) == 0:
		return nil, bad("workspace.report_empty")
	case len(c.Items) > mostReportItems:
		return nil, fault.New(fault.Limit, "report", text.Say("workspace.report_long", "most", mostReportItems), text.Say("workspace.report_long_hint"))
	}
	if c.Frames == "" {
		r.frames = session.FramesWhole
	}
	if r.title == "" {
		r.title = text.Say("workspace.report_title")
	}
	for i, item := range c.Items {
		if err := r.add(ctx, i+1, item); err != nil {
			return nil, err
		}
	}
	return r, r.open(ctx)
}

// add finds one part, which is the n-th.
func (r *gathered) add(ctx context.Context, n int, item ReportItem) error {
	switch item.Kind {
	case ReportArtifact:
		request, err := r.w.memory.ArtifactOf(ctx, item.ID)
		r.parts = append(r.parts, report.Part{Request: request, Artifact: item.ID})
		return err
	case ReportAnswer:
		r.parts = append(r.parts, report.Part{Request: item.ID})
		return nil // open finds out whether it is there
	case ReportSession:
		return r.addSession(ctx, item.ID)
	case ReportHeading, ReportText:
		switch {
		case !utf8.ValidString(item.Text):
			return fault.New(fault.Invalid, "report", text.Say("workspace.report_not_text", "n", n), text.Say("workspace.report_not_text_hint"))
		case strings.TrimSpace(item.Text) == "":
			return fault.New(fault.Invalid, "report", text.Say("workspace.report_no_text", "n", n), text.Say("workspace.report_no_text_hint"))
		case len(item.Text) > longestReportText || item.Kind == ReportHeading && len(item.Text) > longestName:
			return fault.New(fault.Limit, "report", text.Say("workspace.report_text_long", "n", n), text.Say("workspace.report_text_long_hint"))
		case item.Kind == ReportHeading:
			r.parts = append(r.parts, report.Part{Heading: plainLine(item.Text)})
		default:
			r.parts = append(r.parts, report.Part{Text: item.Text})
		}
		return nil
	}
	return fault.New(fault.Invalid, "report", text.Say("workspace.report_kind", "kind", item.Kind, "n", n), text.Say("workspace.report_kind_hint"))
}

// addSession adds every answer of a session, in order: the chosen version of each turn.
func (r *gathered) addSession(ctx context.Context, id string) error {
	if _, err := r.w.memory.SessionHead(ctx, id); err != nil {
		return err
	}
	shown, err := r.w.turnsShown(ctx, id, 0)
	if err != nil {
		return err
	}
	inOrder := make([]report.Part, len(shown.at))
	for request, at := range shown.at {
		inOrder[at.number-1] = report.Part{Request: request}
	}
	if len(inOrder) == 0 {
		return fault.New(fault.Invalid, "report", text.Say("workspace.report_bare", "session", id), text.Say("workspace.report_empty_hint"))
	}
	r.parts = append(r.parts, inOrder...)
	return nil
}

// open looks at every answer once: it is there and finished. What is personal in it becomes known where it is to be masked, and when all are there, it is
// written down that they are opened.
func (r *gathered) open(ctx context.Context) error {
	requests := r.requests()
	if len(requests) > mostReportAnswers {
		return fault.New(fault.Limit, "report", text.Say("workspace.report_answers", "most", mostReportAnswers), text.Say("workspace.report_long_hint"))
	}
	if r.frames == session.FramesMasked {
		r.mask = newSessionMask(r.w)
	}
	heads := map[string]*session.Document{}
	from := make([]string, len(requests))
	for i, request := range requests {
		sessionID, turn, err := r.w.memory.Find(ctx, request)
		if err != nil {
			return err
		}
		if turn.Outcome == session.Running {
			return fault.New(fault.Conflict, "report", text.Say("workspace.report_running", "question", plainLine(turn.Question)), text.Say("workspace.report_running_hint"))
		}
		if heads[sessionID] == nil {
			if heads[sessionID], err = r.w.memory.SessionHead(ctx, sessionID); err != nil {
				return err
			}
		}
		from[i] = sessionID
		r.came[request] = report.Came{Session: heads[sessionID].Title, Imported: turn.Elsewhere != nil}
		if r.mask == nil {
			continue
		}
		p, err := analyst.Pack(turn)
		if err == nil {
			err = r.mask.learn(p)
		}
		if err != nil {
			return oddTurn(turn.Index, err)
		}
	}
	if r.mask != nil {
		r.cover()
	}
	for i, request := range requests {
		if err := r.w.noteOpened(ctx, opened{What: openedReport}, analyst.Answer{RequestID: request, SessionID: from[i]}, ""); err != nil {
			return err
		}
	}
	return nil
}

// cover masks what the person wrote, when every personal value is known.
func (r *gathered) cover() {
	r.title = r.mask.text(r.title)
	for i := range r.parts {
		r.parts[i].Heading, r.parts[i].Text = r.mask.text(r.parts[i].Heading), r.mask.text(r.parts[i].Text)
	}
	for request, came := range r.came {
		came.Session = r.mask.text(came.Session)
		r.came[request] = came
	}
}

// each hands out answers of a report as they leave the workspace, one at a time.
func (r *gathered) each(ctx context.Context, requests []string, take func(analyst.Packed, report.Came) error) error {
	for _, request := range requests {
		if ctx.Err() != nil {
			return fault.Wrap(fault.Canceled, "report", text.Say("workspace.export_canceled"), "", ctx.Err())
		}
		_, turn, err := r.w.memory.Find(ctx, request)
		if err != nil {
			return err
		}
		p, err := analyst.Pack(turn)
		if err == nil && r.mask != nil {
			from := p.Turn.Elsewhere
			p, err = r.mask.turn(p)
			p = keepMark(p, from)
		}
		if err == nil {
			p.Turn, err = analyst.Together(p)
		}
		if err == nil {
			err = take(p, r.came[request])
		}
		if err != nil && fault.CodeOf(err) == fault.Internal {
			err = oddTurn(turn.Index, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// page writes the report as a page.
func (r *gathered) page(ctx context.Context, out io.Writer) error {
	composer := report.NewComposer(r.parts, r.frames)
	if err := r.each(ctx, r.requests(), func(p analyst.Packed, came report.Came) error { return composer.Take(p.Turn, p.Rows, came) }); err != nil {
		return err
	}
	return report.WritePage(out, composer.Document(r.title, r.about()))
}

func (r *gathered) about() report.About {
	return report.About{Workspace: r.w.name, Program: r.w.opts.Version, Made: r.w.opts.Now(), Frames: r.frames}
}

// print prints the page with a browser of this machine.
func (r *gathered) print(ctx context.Context, out io.Writer) error {
	browser, err := printer.Find()
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := r.page(ctx, &page); err != nil {
		return err
	}
	pdf, err := browser.Print(ctx, page.Bytes())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, bytes.NewReader(pdf))
	return err
}

// requests are the answers of a report, each once, in the order in which it comes to them.
func (r *gathered) requests() []string {
	var all []string
	for _, p := range r.parts {
		if p.Request != "" && !slices.Contains(all, p.Request) {
			all = append(all, p.Request)
		}
	}
	return all
}
