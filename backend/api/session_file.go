package api

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"assay/backend/session"
	"assay/backend/workspace"
)

// sessionMedia is the media type of session files.
const sessionMedia = "application/vnd.assay.session+zip"

// SessionChoice says what the file of a session holds.
type SessionChoice struct {
	RequestID string `json:"request_id,omitempty" maxLength:"64" doc:"A name for this call, made by the client, by which it can be canceled"`
	Frames    string `json:"frames" enum:"whole,masked,none" doc:"The rows of its answers; masked: personal values are replaced, in all texts too"`
	Model     bool   `json:"model,omitempty" doc:"With the part of the semantic model that its questions use"`
	Sign      bool   `json:"sign,omitempty" doc:"With the key of this person"`
	Signer    string `json:"signer,omitempty" maxLength:"200" doc:"What the person calls themself in signatures from now on; absent: as before"`
}

// SessionToken names a session file that was handed over.
type SessionToken struct {
	Token     string `json:"token" maxLength:"128"`
	RequestID string `json:"request_id,omitempty" maxLength:"64"`
}

func (s *Server) registerSessionFiles() {
	schemas := s.api.OpenAPI().Components.Schemas
	schemas.Schema(typeOf[session.Manifest](), true, "")
	huma.Register(s.api, huma.Operation{
		OperationID: "sessionJSON", Method: http.MethodGet, Path: "/api/sessions/{id}/export", Summary: "A session as session.json, with rows and trace within",
		Responses: map[string]*huma.Response{"200": {Description: "session.json", Content: map[string]*huma.MediaType{
			"application/json": {Schema: schemas.Schema(typeOf[session.File](), true, "")},
		}}},
	}, s.sessionJSON)
	register(s, http.MethodGet, "/api/sessions/{id}/export/contents", "sessionContents", "What the file of a session would hold, before it is written",
		func(ctx context.Context, in *struct {
			ID     string `path:"id" maxLength:"128"`
			Frames string `query:"frames" enum:"whole,masked,none" default:"whole"`
			Model  bool   `query:"model"`
			Sign   bool   `query:"sign"`
		},
		) (*struct {
			Body workspace.SessionContents
		}, error,
		) {
			c, err := s.ws.SessionContents(ctx, in.ID, workspace.SessionChoice{Frames: session.Frames(in.Frames), Model: in.Model, Sign: in.Sign})
			return &struct{ Body workspace.SessionContents }{c}, err
		})
	register(s, http.MethodPost, "/api/sessions/{id}/export", "exportSession", "Write a session into one file, to be fetched within the hour; canceled by request_id",
		func(ctx context.Context, in *struct {
			ID   string `path:"id" maxLength:"128"`
			Body SessionChoice
		},
		) (*struct{ Body Exported }, error) {
			ctx, done := s.runs.start(ctx, workExport, in.Body.RequestID)
			defer done()
			choice := workspace.SessionChoice{Frames: session.Frames(in.Body.Frames), Model: in.Body.Model, Sign: in.Body.Sign, Signer: in.Body.Signer}
			ready, err := s.exports.writeOf(in.ID, sessionMedia, func(out io.Writer) (string, error) { return s.ws.ExportSession(ctx, in.ID, choice, out) })
			return &struct{ Body Exported }{ready}, err
		})
	register(s, http.MethodPost, "/api/sessions/preview", "previewSession", "What a session file holds; nothing of it lands",
		func(ctx context.Context, in *struct{ Body SessionToken }) (*struct {
			Body workspace.SessionPreview
		}, error,
		) {
			path, err := s.uploads.path(in.Body.Token)
			if err != nil {
				return nil, err
			}
			p, err := s.ws.PreviewSession(ctx, path)
			return &struct{ Body workspace.SessionPreview }{p}, err
		})
	register(s, http.MethodGet, "/api/sessions/{id}/model", "sessionModel", "The definitions that came with a session, or with one above it, beside those here: an offer, which is taken over by saving its files as any",
		func(ctx context.Context, in *struct {
			ID string `path:"id" maxLength:"128"`
		},
		) (*struct{ Body workspace.SessionModel }, error) {
			o, err := s.ws.SessionModel(ctx, in.ID)
			return &struct{ Body workspace.SessionModel }{o}, err
		})
	register(s, http.MethodPost, "/api/sessions/import", "importSession", "Take a session file in, all of it or nothing; nothing in it runs. Canceled by request_id",
		func(ctx context.Context, in *struct{ Body SessionToken }) (*struct {
			Body workspace.SessionArrived
		}, error,
		) {
			ctx, done := s.runs.start(ctx, workImport, in.Body.RequestID)
			defer done()
			path, err := s.uploads.path(in.Body.Token)
			if err != nil {
				return nil, err
			}
			arrived, err := s.ws.ImportSession(ctx, path)
			if err == nil {
				s.uploads.drop(in.Body.Token)
			}
			return &struct{ Body workspace.SessionArrived }{arrived}, err
		})
}

func (s *Server) sessionJSON(ctx context.Context, in *sessionPath) (*huma.StreamResponse, error) {
	var whole bytes.Buffer // what cannot be written whole is a problem and no half of a session
	if err := s.ws.SessionJSON(ctx, in.ID, &whole); err != nil {
		return nil, problemOf(err)
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		c.SetHeader("Content-Type", "application/json")
		_, _ = whole.WriteTo(c.BodyWriter()) // a reader that went away has asked for no more
	}}, nil
}
