package api

import (
	"context"
	"io"
	"net/http"

	"assay/backend/session"
	"assay/backend/workspace"
)

// pageMedia is the media type of pages.
const pageMedia = "text/html; charset=utf-8"

// PageChoice says what the page of a session shows.
type PageChoice struct {
	RequestID string `json:"request_id,omitempty" maxLength:"64" doc:"A name for this call, made by the client, by which it can be canceled"`
	Frames    string `json:"frames" enum:"whole,masked,none" doc:"The rows of its answers; masked: personal values are replaced, in all texts too"`
	Turn      int    `json:"turn,omitempty" minimum:"0" doc:"The last turn that is shown, with all before it; absent or 0: all of them"`
}

func (s *Server) registerSessionPages() {
	register(s, http.MethodPost, "/api/sessions/{id}/page", "sessionPage", "Write a session as one page of HTML that stands alone, to be fetched within the hour; canceled by request_id",
		func(ctx context.Context, in *struct {
			ID   string `path:"id" maxLength:"128"`
			Body PageChoice
		},
		) (*struct{ Body Exported }, error) {
			ctx, done := s.runs.start(ctx, workExport, in.Body.RequestID)
			defer done()
			choice := workspace.PageChoice{Frames: session.Frames(in.Body.Frames), Turn: in.Body.Turn}
			ready, err := s.exports.writeOf(in.ID, pageMedia, func(out io.Writer) (string, error) { return s.ws.SessionPage(ctx, in.ID, choice, out) })
			return &struct{ Body Exported }{ready}, err
		})
}
