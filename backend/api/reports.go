package api

import (
	"context"
	"io"
	"net/http"

	"assay/backend/session"
	"assay/backend/workspace"
)

// ReportBody is a report as a person put it together.
type ReportBody struct {
	RequestID string                 `json:"request_id,omitempty" maxLength:"64" doc:"A name for this call, made by the client, by which it can be canceled"`
	Format    string                 `json:"format" enum:"html,pdf,xlsx" doc:"pdf: the page as a browser of this machine prints it"`
	Title     string                 `json:"title,omitempty" maxLength:"200"`
	Frames    string                 `json:"frames,omitempty" enum:"whole,masked" doc:"The rows of its answers; masked: personal values are replaced, in all texts too. Absent: whole"`
	Items     []workspace.ReportItem `json:"items" nullable:"false" minItems:"1" maxItems:"200" doc:"In their order"`
}

func (s *Server) registerReports() {
	register(s, http.MethodPost, "/api/reports", "report", "Write chosen artifacts, answers and texts into one file in their order, each number with its provenance, to be fetched within the hour; canceled by request_id",
		func(ctx context.Context, in *struct{ Body ReportBody }) (*struct{ Body Exported }, error) {
			ctx, done := s.runs.start(ctx, workExport, in.Body.RequestID)
			defer done()
			b := in.Body
			choice := workspace.ReportChoice{Format: workspace.ReportFormat(b.Format), Title: b.Title, Frames: session.Frames(b.Frames), Items: b.Items}
			ready, err := s.exports.write(choice.Format.MediaType(), func(out io.Writer) (string, error) { return s.ws.Report(ctx, choice, out) })
			return &struct{ Body Exported }{ready}, err
		})
}
