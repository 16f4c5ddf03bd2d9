package workspace

import (
	"context"
	"path/filepath"

	"assay/backend/analyst"
	"assay/backend/compile"
	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/store"
)

// openFrames opens the frame cache beside the store. It closes with the store.
func (w *Workspace) openFrames() {
	opt := w.opts.Frames
	opt.Dir = filepath.Join(w.dir, ".assay", "frames")
	w.frames = w.store.OpenFrames(opt)
}

// FrameCache gives the state of the frame cache.
func (w *Workspace) FrameCache() store.FrameStats { return w.frames.Stats() }

// reader is the frame cache as the analyst uses it.
type reader struct {
	store.Reader
	frames *store.Frames
}

func (w *Workspace) framesOf(modelVersion string) analyst.Frames {
	return reader{w.frames.Reader(modelVersion, ""), w.frames}
}

func (r reader) Query(ctx context.Context, s, base frameql.Statement) (*frameql.Frame, error) {
	frame, _, err := r.frames.Query(ctx, s, base)
	return frame, err
}

func (r reader) Cost(ctx context.Context, s frameql.Statement) (analyst.PlanCost, error) {
	rows, bytes, ms, basis, err := r.frames.Cost(ctx, s)
	return analyst.PlanCost{Rows: rows, Bytes: bytes, MS: ms, Basis: basis}, err
}

// warm asks the cache for what the metrics of the model want to have at hand (materialize_at). A combination that does not
// resolve is left out: `model check` names it.
func (w *Workspace) warm(m *semantic.Model) {
	env := w.env(w.opts.Now())
	var all []compile.Branch
	for i := range m.Metrics {
		metric := &m.Metrics[i]
		for _, dims := range metric.Materialize {
			q := &frameql.Query{V: 1, Select: []frameql.Item{{Expr: &frameql.Expr{Metric: metric.Name}}}, At: &frameql.Grain{}}
			for _, d := range dims {
				q.At.Dims = append(q.At.Dims, frameql.Dim{Name: d})
			}
			plan, refusals := frameql.Resolve(q, env)
			if len(refusals) > 0 {
				continue
			}
			if program, err := plan.Explain(compile.Options{}); err == nil {
				all = append(all, program.Branches...)
			}
		}
	}
	if len(all) > 0 {
		w.frames.Reader(m.Version, "").Warm(all)
	}
}
