package workspace

import (
	"context"
	"path/filepath"
	"time"

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
	w      *Workspace
}

func (w *Workspace) framesOf(modelVersion string) analyst.Frames {
	return reader{w.framesFor(modelVersion), w.frames, w}
}

// framesFor is the cache for the definitions of a version of the model. What its hierarchies are worth is asked when a frame is
// made: it may have been measured by then.
func (w *Workspace) framesFor(modelVersion string) store.Reader {
	return w.frames.Reader(modelVersion, "").Climbing(func(entity, column string) (up []*compile.Scalar) {
		for _, d := range w.whole().Model.Above(entity, column) {
			up = append(up, &compile.Scalar{Op: "col", Text: d.Physical(), Type: d.Type})
		}
		return up
	})
}

func (r reader) Query(ctx context.Context, s, base frameql.Statement) (*frameql.Frame, error) {
	frame, _, err := r.frames.Query(ctx, s, base)
	return r.w.markPersonal(frame), err
}

func (r reader) Cost(ctx context.Context, s frameql.Statement) (analyst.PlanCost, error) {
	rows, bytes, ms, basis, err := r.frames.Cost(ctx, s)
	return analyst.PlanCost{Rows: rows, Bytes: bytes, MS: ms, Basis: basis}, err
}

// Finish lets the frame cache keep what is worth it before the process ends, for about two seconds at most. It is for a process
// that has said its answer and would end.
func (w *Workspace) Finish(ctx context.Context) { w.frames.Finish(ctx) }

// warm asks the cache for what the metrics of the model want to have at hand (materialize_at). A combination that does not
// resolve is left out: `model check` names it.
func (w *Workspace) warm(m *semantic.Model) {
	var all []compile.Branch
	for _, q := range materialized(m) {
		branches, _, err := w.scans(q)
		if err == nil {
			all = append(all, branches...)
		}
	}
	if len(all) > 0 {
		w.framesFor(m.Version).Warm(all)
	}
}

// materialized gives the queries that materialize_at of the metrics stands for.
func materialized(m *semantic.Model) []*frameql.Query {
	var all []*frameql.Query
	for i := range m.Metrics {
		metric := &m.Metrics[i]
		for _, dims := range metric.Materialize {
			q := &frameql.Query{V: 1, Select: []frameql.Item{{Expr: &frameql.Expr{Metric: metric.Name}}}, At: &frameql.Grain{}}
			for _, d := range dims {
				q.At.Dims = append(q.At.Dims, frameql.Dim{Name: d})
			}
			all = append(all, q)
		}
	}
	return all
}

// scans gives what a query reads of the base data.
func (w *Workspace) scans(q *frameql.Query) ([]compile.Branch, []frameql.Refusal, error) {
	plan, refusals := frameql.Resolve(q, w.env(time.Time{}))
	if len(refusals) > 0 {
		return nil, refusals, nil
	}
	program, err := plan.Explain(compile.Options{})
	if err != nil {
		return nil, nil, err
	}
	return program.Branches, nil, nil
}

// Materialized says what became of one scan that was to be kept.
type Materialized struct {
	FrameQL string `json:"frame_ql"`
	FrameID string `json:"frame_id"` // that answers it; empty: none
	Rows    int64  `json:"rows"`
	Bytes   int64  `json:"bytes"`
	Reason  string `json:"reason"` // why there is none; else empty
}

// Materialize keeps frames of a query, or, of an empty text, of all that materialize_at of the model's metrics names, and waits
// for them. Faults: Invalid (no Frame-QL), Conflict (another process has the cache), Unavailable, Canceled.
func (w *Workspace) Materialize(ctx context.Context, query string) ([]Materialized, error) {
	w.refresh(ctx)
	m := w.Knowledge().Model
	queries := materialized(m)
	if query != "" {
		q, err := ParseQuery(query)
		if err != nil {
			return nil, err
		}
		queries = []*frameql.Query{q}
	}
	all := []Materialized{}
	for _, q := range queries {
		branches, refusals, err := w.scans(q)
		switch {
		case err != nil:
			return all, err
		case len(refusals) > 0:
			all = append(all, Materialized{FrameQL: q.String(), Reason: refusals[0].Message})
			continue
		}
		kept, err := w.framesFor(m.Version).Materialize(ctx, branches)
		if err != nil {
			return all, err
		}
		for _, k := range kept {
			x := Materialized{FrameQL: q.String(), FrameID: k.Frame, Rows: k.Rows, Bytes: k.Bytes}
			if k.Frame == "" {
				x.Reason = k.Why
			}
			all = append(all, x)
		}
	}
	return all, nil
}
