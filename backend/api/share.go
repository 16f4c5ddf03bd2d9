package api

import (
	"bytes"
	"context"
	"html/template"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/session"
	"assay/backend/text"
	"assay/backend/workspace"
)

// SharedPath begins the addresses that show a session to whoever has them, without signing in: the token follows. Nothing else is there.
const SharedPath = "/shared/"

// ShareBody says what an address shows, and how long.
type ShareBody struct {
	Turn   int    `json:"turn,omitempty" minimum:"1" doc:"The last turn that it shows; absent: the last that is there now"`
	Frames string `json:"frames,omitempty" enum:"whole,masked,none" doc:"The rows of its answers; masked: personal values are replaced, in all texts too; absent: whole"`
	Days   int    `json:"days,omitempty" minimum:"1" maximum:"365" doc:"Until it expires; absent: 30"`
}

// ShareMade is an address as it is given, once: its token is kept nowhere.
type ShareMade struct {
	ID      string    `json:"id"`
	URL     string    `json:"url"`
	Turn    int       `json:"turn"`
	Frames  string    `json:"frames" enum:"whole,masked,none"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
}

// ShareList is every address of a session, the latest first, those too that show nothing any more.
type ShareList struct {
	Shares []memory.Share `json:"shares" nullable:"false"`
}

func (s *Server) registerShare() {
	register(s, http.MethodPost, "/api/sessions/{id}/share", "shareSession", "Make a read-only address of a session, which shows it to whoever has the address; only where the workspace is served",
		func(ctx context.Context, in *struct {
			ID   string `path:"id" maxLength:"128"`
			Body ShareBody
		},
		) (*struct{ Body ShareMade }, error) {
			if s.opts.Address == "" {
				return nil, fault.New(fault.Unavailable, "share session", text.Say("api.not_served"), text.Say("api.not_served_hint"))
			}
			made, token, err := s.ws.ShareSession(ctx, in.ID, workspace.ShareChoice{Turn: in.Body.Turn, Frames: session.Frames(in.Body.Frames), Days: in.Body.Days})
			if err != nil {
				return nil, err
			}
			return &struct{ Body ShareMade }{ShareMade{made.ID, s.opts.Address + SharedPath + token, made.Turn, string(made.Frames), made.Created, made.Expires}}, nil
		})
	register(s, http.MethodGet, "/api/sessions/{id}/shares", "shares", "The addresses of a session, without what opens them",
		func(ctx context.Context, in *struct {
			ID string `path:"id" maxLength:"128"`
		},
		) (*struct{ Body ShareList }, error) {
			all, err := s.ws.Memory().Shares(ctx, in.ID)
			return &struct{ Body ShareList }{ShareList{all}}, err
		})
	register(s, http.MethodDelete, "/api/shares/{id}", "revokeShare", "Close an address for good: it shows nothing any more",
		func(ctx context.Context, in *struct {
			ID string `path:"id" maxLength:"128"`
		},
		) (*struct{}, error) {
			return &struct{}{}, s.ws.Memory().RevokeShare(ctx, in.ID)
		})
	s.mux.HandleFunc(SharedPath, s.shared)
	s.describeShared()
}

// describeShared describes the one route that is no part of the API: it gives a page, and needs nobody to sign in.
func (s *Server) describeShared() {
	page := func(says string) *huma.Response {
		return &huma.Response{Description: says, Content: map[string]*huma.MediaType{"text/html": {Schema: &huma.Schema{Type: huma.TypeString}}}}
	}
	longest := 128
	s.api.OpenAPI().AddOperation(&huma.Operation{
		OperationID: "shared", Method: http.MethodGet, Path: SharedPath + "{token}", Summary: "The page of a session, to whoever has its address",
		Description: "Read only, without signing in. That it was opened is counted and written into the audit log. An address that expired or was revoked says the same as one that never was.",
		Parameters: []*huma.Param{{
			Name: "token", In: "path", Required: true, Description: "What opens it: it was said once, when the address was made", Schema: &huma.Schema{Type: huma.TypeString, MaxLength: &longest},
		}},
		Responses: map[string]*huma.Response{
			"200": page("The session as one page of HTML, which asks for nothing; its policy stands in Content-Security-Policy"),
			"404": page("There is no such address, or it shows nothing any more"),
			"503": page("The page cannot be made now"),
		},
	})
}

// shared shows a session to whoever has its address. What goes wrong says the same whatever the token was.
func (s *Server) shared(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Robots-Tag", "noindex")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	var page bytes.Buffer // what cannot be shown whole is not shown
	policy, err := s.ws.SharedPage(r.Context(), strings.TrimPrefix(r.URL.Path, SharedPath), &page)
	if err != nil {
		p := problemOf(err)
		w.WriteHeader(p.status)
		_ = sharedGone.Execute(w, map[string]string{"Title": text.Say("api.shared_gone"), "Message": p.Message, "Hint": p.Hint})
		return
	}
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	_, _ = page.WriteTo(w) // a reader that went away has asked for no more
}

var sharedGone = template.Must(template.New("gone").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
</head>
<body>
<main>
<h1>{{.Title}}</h1>
<p>{{.Message}} {{.Hint}}</p>
</main>
</body>
</html>
`))
