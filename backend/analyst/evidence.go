package analyst

import (
	"context"
	"reflect"
	"time"

	"assay/backend/compile"
	"assay/backend/frameql"
	"assay/backend/frameview"
)

// evidenceAtMost is how long an answer waits to learn what its numbers rest on. A question that took longer than half of
// it is not asked again.
const evidenceAtMost = 5 * time.Second

// evidence is what the numbers of the frame rest on, row by row.
type evidence struct {
	*frameql.Evidence
	rows [][]any
}

// unmatched is what is known of a join along which rows lose their partner.
type unmatched struct {
	use           frameql.JoinUse
	of            string // whose rows
	rows, without int64
	dropped       bool
	failing       bool
	known         string // answer: of the rows of the answer | table: of the whole table; empty: not known
}

// ask asks what the numbers rest on, where that matters, and which rows have no partner. The answer stands whatever
// becomes of it.
func (r *run) askEvidence(ctx context.Context, f *frameql.Frame) {
	r.unmatched = r.askUnmatched(ctx)
	group := !r.plan.Listing && len(columnsWithout(f)) > 0
	e := r.plan.Evidence(group)
	if e == nil || len(f.Rows) == 0 || !group && len(e.Behind) == 0 && !r.basesHidden(f, e) || f.Took > evidenceAtMost/2 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, evidenceAtMost)
	defer cancel()
	seen, err := r.besides(ctx, e.Query, r.sql.MaxRows)
	if err == nil && sameRows(f, seen) {
		r.seen = &evidence{e, seen.Rows}
	}
}

// basesHidden says whether a relative change is counted from a number that the frame does not show.
func (r *run) basesHidden(f *frameql.Frame, e *frameql.Evidence) bool {
	for i := range e.Base {
		if _, shown := r.baseOf(f, i); !shown {
			return true
		}
	}
	return false
}

// besides runs another query about the same rows: over frames when the rows of the result came from them.
func (r *run) besides(ctx context.Context, q *compile.Query, maxRows int) (*frameql.Frame, error) {
	write := func(o compile.Options) (frameql.Statement, error) {
		program, err := compile.Compile(q, o)
		if err != nil {
			return frameql.Statement{}, err
		}
		st := frameql.Statement{SQL: program.SQL, Dialect: r.sql.Dialect, MaxRows: maxRows}
		for _, name := range program.Columns {
			st.Columns = append(st.Columns, frameql.Column{Name: name})
		}
		return st, nil
	}
	base, err := write(compile.Options{Dialect: r.sql.Dialect})
	if err != nil {
		return nil, err
	}
	if r.cached != nil {
		if cached, err := write(compile.Options{Dialect: r.sql.Dialect, Serve: r.serve()}); err == nil {
			return r.frames().Query(ctx, cached, base)
		}
	}
	return r.a.deps.Engine.Query(ctx, base)
}

// sameRows says whether two results have the same groups in the same order.
func sameRows(f, seen *frameql.Frame) bool {
	if len(f.Rows) != len(seen.Rows) {
		return false
	}
	for k, row := range f.Rows {
		for i, c := range f.Columns {
			if c.Role == frameql.RoleDimension && (i >= len(seen.Rows[k]) || !reflect.DeepEqual(row[i], seen.Rows[k][i])) {
				return false
			}
		}
	}
	return true
}

// samples says whether the frame shows an average, a ratio, a percentile or a deviation.
func (r *run) samples() bool {
	e := r.plan.Evidence(false)
	return e != nil && len(e.Behind) > 0
}

// leastBehind is the least number of things behind the averages and ratios of a row; false: the row shows none.
func (e *evidence) leastBehind(row []any, k int) (least int64, some bool) {
	for column, counts := range e.Behind {
		if row[column] == nil {
			continue
		}
		for _, i := range counts {
			if n, ok := frameview.Count(e.rows[k][i]); ok && (!some || n < least) {
				least, some = n, true
			}
		}
	}
	return least, some
}

// askUnmatched counts the rows without partner among those of the answer; where that takes too long, what was measured of
// the whole table stands for it.
func (r *run) askUnmatched(ctx context.Context) []unmatched {
	u := r.plan.Unmatched()
	if u == nil {
		return nil
	}
	all := make([]unmatched, len(u.Joins))
	for i, j := range u.Joins {
		all[i] = unmatched{use: j.JoinUse, of: j.Fact, dropped: j.Dropped, failing: j.Failing}
	}
	ctx, cancel := context.WithTimeout(ctx, evidenceAtMost)
	defer cancel()
	if seen, err := r.besides(ctx, u.Query, 1); err == nil && len(seen.Rows) == 1 {
		for i, j := range u.Joins {
			rows, ok := frameview.Count(seen.Rows[0][j.Rows])
			without, alsoOK := frameview.Count(seen.Rows[0][j.Without])
			if ok && alsoOK {
				all[i].rows, all[i].without, all[i].known = rows, without, "answer"
			}
		}
		return all
	}
	for i := range all {
		r.fromTable(&all[i])
	}
	return all
}

// fromTable takes what was measured of a join over all rows.
func (r *run) fromTable(u *unmatched) {
	for _, j := range r.knowledge.Model.JoinsFrom(u.use.From) {
		if j.To != u.use.To || j.Role != u.use.Role || j.Attested == nil || r.knowledge.Rows == nil {
			continue
		}
		if rows := r.knowledge.Rows(j.From); rows > 0 {
			u.of, u.rows, u.without, u.known = j.From, rows, j.Attested.Orphans, "table"
		}
	}
}
