package analyst

import (
	"context"
	"slices"
	"time"

	"assay/backend/compile"
	"assay/backend/frameql"
)

// cachedPlan is the statement of a plan in which stored frames answer some of its scans.
type cachedPlan struct {
	sql  frameql.Statement
	uses []compile.CacheUse // one for each scan
}

// whole says whether no scan reads base data.
func (p *cachedPlan) whole() bool { return !slices.ContainsFunc(p.uses, readsBase) }

// readsBase says whether a scan reads base data, alone or beside a frame.
func readsBase(u compile.CacheUse) bool { return u.Frame == "" || u.Part }

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
	r.branches, r.uses = program.Branches, program.Cache
	if slices.ContainsFunc(program.Cache, func(u compile.CacheUse) bool { return u.Frame != "" }) {
		r.cached = &cachedPlan{sql: r.sql, uses: program.Cache}
		r.cached.sql.SQL = program.SQL
	}
	return nil
}

// run executes the statement, over frames where they answer.
func (r *run) runStatement(ctx context.Context) (*frameql.Frame, error) {
	if ran := r.ran[r.sql.SQL]; ran != nil { // a mind had it run for this request
		return ran, nil
	}
	if r.cached == nil {
		frame, err := r.a.deps.Engine.Query(ctx, r.sql)
		if err == nil {
			r.observe(frame)
		}
		return frame, err
	}
	frame, err := r.frames().Query(ctx, r.cached.sql, r.sql)
	switch {
	case err != nil:
	case frame.SQL != r.cached.sql.SQL:
		r.cached = nil // the frames failed
	default:
		r.observe(frame)
	}
	return frame, err
}

// count runs the statement that counts the rows behind the frame: over frames when they answer all of it and the rows of
// the result came from them too.
func (r *run) count(ctx context.Context, base frameql.Statement) (*frameql.Frame, error) {
	if r.cached != nil && r.cached.whole() {
		program, err := r.countedByFrames(base.Dialect)
		if err == nil && program != nil && !slices.ContainsFunc(program.Cache, readsBase) {
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

// observe lets the cache learn what was read of the base data and what that took.
func (r *run) observe(frame *frameql.Frame) {
	frames := r.frames()
	if frames == nil || frame.Truncated != nil {
		return
	}
	for _, u := range r.uses {
		if readsBase(u) && !u.Never {
			frames.Observe(r.branches[u.Branch], frame.Took, int64(len(frame.Rows)))
		}
	}
}

// servedFrom says for the frame and for each of its columns where the numbers came from. A column is the cache's when all that
// it is made of was read from stored frames, and the frame when nothing at all was read from the base data: also not what
// decides which rows there are. A column that is made of nothing that is read, a flag, is where the frame is.
func (r *run) servedFrom(f *frameql.Frame) {
	const cache, base = "engine_cache", "backend"
	f.ServedFrom, f.ServedBy = base, []frameql.ServedBy{}
	fromBase, fromFrame := map[string]bool{}, map[string]bool{}
	if r.cached != nil {
		if r.cached.whole() {
			f.ServedFrom = cache
		}
		for _, u := range r.cached.uses {
			for _, name := range u.Columns {
				fromBase[name] = fromBase[name] || readsBase(u)
				fromFrame[name] = fromFrame[name] || u.Frame != ""
			}
			f.ServedBy = withUse(f.ServedBy, u)
		}
	}
	f.Columns = slices.Clone(f.Columns)
	for i := range f.Columns {
		name := f.Columns[i].Name
		switch {
		case fromBase[name]:
			f.Columns[i].ServedFrom = base
		case fromFrame[name]:
			f.Columns[i].ServedFrom = cache
		default:
			f.Columns[i].ServedFrom = f.ServedFrom
		}
	}
}

// withUse adds what a scan read of a stored frame to the list of those, each once.
func withUse(all []frameql.ServedBy, u compile.CacheUse) []frameql.ServedBy {
	if u.Frame == "" {
		return all
	}
	at := slices.IndexFunc(all, func(s frameql.ServedBy) bool { return s.Frame == u.Frame })
	if at < 0 {
		made := ""
		if !u.Made.IsZero() {
			made = u.Made.UTC().Format(time.RFC3339)
		}
		at, all = len(all), append(all, frameql.ServedBy{Frame: u.Frame, Rows: u.Rows, Made: made, Columns: []string{}})
	}
	for _, name := range u.Columns {
		if !slices.Contains(all[at].Columns, name) {
			all[at].Columns = append(all[at].Columns, name)
		}
	}
	all[at].Part = all[at].Part || u.Part
	return all
}
