package analyst

import (
	"context"
	"slices"

	"assay/backend/compile"
	"assay/backend/frameql"
)

// cachedPlan is the statement of a plan in which stored frames answer some of its scans.
type cachedPlan struct {
	sql   frameql.Statement
	whole bool     // no scan reads base data
	from  []string // the columns that rest on frames
	names []string // of these frames, each once
}

// mostFilters is how many conditions a query may have to be looked up: whether a frame holds what they keep takes time that
// grows with the square of their number.
const mostFilters = 100

// frames gives the cache as this request may use it; nil: there is none.
func (r *run) frames() Frames {
	if r.req.NoCache || r.a.deps.Frames == nil || r.plan != nil && len(r.plan.Filters) > mostFilters {
		return nil
	}
	return r.a.deps.Frames(r.knowledge.Model.Version)
}

// serve is what the cache says about a scan; nil: there is no cache.
func (r *run) serve() func(compile.Branch) (*compile.Served, string) {
	if frames := r.frames(); frames != nil {
		return frames.Serve
	}
	return nil
}

// lookUp asks the cache about every scan of the plan. Whatever it says, the statement over the base data stays: it is what
// runs when a frame fails.
func (r *run) lookUp() error {
	serve := r.serve()
	if serve == nil {
		return nil
	}
	program, err := r.plan.Explain(compile.Options{Dialect: r.sql.Dialect, Serve: serve})
	if err != nil {
		return err
	}
	r.branches = program.Branches
	found := cachedPlan{sql: r.sql, whole: len(program.Cache) > 0}
	found.sql.SQL = program.SQL
	hit := false
	for _, use := range program.Cache {
		if use.Frame == "" {
			found.whole = false
			continue
		}
		hit = true
		found.from = append(found.from, use.Columns...)
		if !slices.Contains(found.names, use.Frame) {
			found.names = append(found.names, use.Frame)
		}
	}
	if hit {
		r.cached = &found
	}
	return nil
}

// run executes the statement, over frames where they answer.
func (r *run) runStatement(ctx context.Context) (*frameql.Frame, error) {
	if r.cached == nil {
		frame, err := r.a.deps.Engine.Query(ctx, r.sql)
		if err == nil && frame.Truncated == nil {
			r.observe(frame)
		}
		return frame, err
	}
	frame, err := r.frames().Query(ctx, r.cached.sql, r.sql)
	if err == nil && frame.SQL != r.cached.sql.SQL {
		r.cached = nil // the frames failed
	}
	return frame, err
}

// count runs the statement that counts the rows behind the frame: over frames when they answer all of it and the rows of
// the result came from them too.
func (r *run) count(ctx context.Context, base frameql.Statement) (*frameql.Frame, error) {
	if r.cached != nil && r.cached.whole {
		program, err := r.countedByFrames(base.Dialect)
		missed := func(use compile.CacheUse) bool { return use.Frame == "" }
		if err == nil && program != nil && !slices.ContainsFunc(program.Cache, missed) {
			cached := frameql.Statement{SQL: program.SQL, Dialect: base.Dialect, MaxRows: base.MaxRows}
			return r.frames().Query(ctx, cached, base)
		}
	}
	return r.a.deps.Engine.Aside(ctx, base)
}

func (r *run) countedByFrames(d frameql.Dialect) (*compile.Program, error) {
	q := compile.CountQuery(r.plan.Bound())
	if q == nil {
		return nil, nil
	}
	return compile.Compile(q, compile.Options{Dialect: d, Serve: r.serve()})
}

// observe lets the cache learn what was asked and what it cost.
func (r *run) observe(frame *frameql.Frame) {
	frames := r.frames()
	if frames == nil {
		return
	}
	for _, b := range r.branches {
		frames.Observe(b, frame.Took, int64(len(frame.Rows)))
	}
}

// servedFrom says for the frame and for each of its columns where the numbers came from. A frame is the cache's only when
// nothing of it was read from the base data.
func (r *run) servedFrom(f *frameql.Frame) {
	f.ServedFrom = "backend"
	if r.cached == nil {
		return
	}
	if r.cached.whole {
		f.ServedFrom = "engine_cache"
	}
	f.Columns = slices.Clone(f.Columns)
	for i := range f.Columns {
		f.Columns[i].ServedFrom = "backend"
		if slices.Contains(r.cached.from, f.Columns[i].Name) {
			f.Columns[i].ServedFrom = "engine_cache"
		}
	}
}
