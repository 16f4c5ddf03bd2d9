package api

import (
	"context"
	"io"
	"net/http"

	"assay/backend/rules"
	"assay/backend/workspace"
)

// bundleMedia is the media type of bundles: JSON lines.
const bundleMedia = "application/vnd.assay.memory+jsonl"

// BundleToken names a bundle that was handed over as an upload.
type BundleToken struct {
	Token string `json:"token" maxLength:"128"`
}

// BundleWritten is a bundle that is ready: it can be fetched for an hour.
type BundleWritten struct {
	Exported
	Statements int `json:"statements"`
	Left       int `json:"left" doc:"Left out, because they name what is personal"`
}

func (s *Server) registerBundles() {
	register(s, http.MethodGet, "/api/memory/bundle", "bundleContents", "What the signed bundle of the person would hold, before it is written; no key is made",
		func(ctx context.Context, _ *struct{}) (*struct{ Body workspace.BundleContents }, error) {
			c, err := s.ws.BundleContents(ctx, "", rules.Caller{})
			return &struct{ Body workspace.BundleContents }{c}, err
		})
	register(s, http.MethodPost, "/api/memory/bundle", "writeBundle", "Write what the person taught as a signed bundle for colleagues, to be fetched within the hour",
		func(ctx context.Context, _ *struct{}) (*struct{ Body BundleWritten }, error) {
			var out BundleWritten
			ready, err := s.exports.write(bundleMedia, func(to io.Writer) (name string, err error) {
				name, out.Statements, out.Left, err = s.ws.ExportBundle(ctx, to, "", rules.Caller{})
				return name, err
			})
			out.Exported = ready
			return &struct{ Body BundleWritten }{out}, err
		})
	register(s, http.MethodPost, "/api/memory/bundle/preview", "previewBundle", "Who signed a bundle, what it says, what of that would be new, and why it would not be taken; nothing of it lands",
		func(ctx context.Context, in *struct{ Body BundleToken }) (*struct{ Body workspace.BundlePreview }, error) {
			path, err := s.uploads.path(in.Body.Token)
			if err != nil {
				return nil, err
			}
			p, err := s.ws.PreviewBundleFile(ctx, path)
			return &struct{ Body workspace.BundlePreview }{p}, err
		})
	register(s, http.MethodPost, "/api/memory/bundle/import", "importBundle", "Take a bundle of a colleague as evidence for shared knowledge, all of it or nothing; it is used in nobody's answers before a steward approved it",
		func(ctx context.Context, in *struct{ Body BundleToken }) (*struct{ Body workspace.Brought }, error) {
			path, err := s.uploads.path(in.Body.Token)
			if err != nil {
				return nil, err
			}
			got, err := s.ws.BringBundleFile(ctx, path)
			if err == nil {
				s.uploads.drop(in.Body.Token)
			}
			return &struct{ Body workspace.Brought }{got}, err
		})
	register(s, http.MethodPost, "/api/memory/exchange", "exchangeBundles", "Take the bundles that lie where workspace.yaml says that colleagues put theirs, a folder or a git remote, and put the person's own there",
		func(ctx context.Context, _ *struct{}) (*struct{ Body workspace.Exchanged }, error) {
			done, err := s.ws.ExchangeShared(ctx, "", rules.Caller{})
			return &struct{ Body workspace.Exchanged }{done}, err
		})
}
