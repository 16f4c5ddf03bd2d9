package analyst

import (
	"context"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// execute runs the statement and completes the frame. The rows that went in are counted by a second statement; when only
// that one fails the answer stands and a check says so.
func (r *run) execute(ctx context.Context) error {
	took, err := r.step(ctx, "execute", func(s *session.Step) error {
		s.Input = hash(r.sql.SQL)
		frame, err := r.runStatement(ctx)
		if err != nil {
			return err
		}
		f := *frame
		population, err := r.population(ctx)
		if err != nil {
			return err
		}
		f.Columns = described(r.plan.Columns, f.Columns)
		r.read, f.SourceEpochs = f.SourceEpochs, r.epochs()
		f.FrameQL = r.plan.Query.String()
		f.ID = frameql.FrameID(f.FrameQL, f.SourceEpochs)
		f.Dialect = r.sql.Dialect
		if f.SQL == "" {
			f.SQL = r.sql.SQL
		}
		if f.SQL != r.sql.SQL {
			f.BaseSQL = r.sql.SQL
		}
		f.RowCount = len(f.Rows)
		f.Span, f.Population = spanOf(r.plan, r.knowledge), population
		r.servedFrom(&f)
		f.Reasons = r.withEdges(&f, r.reasons(ctx, &f))
		f.Notices = append(f.Notices, r.plan.Notices...)
		r.askEvidence(ctx, &f)
		f.Rows, f.Notices = listOf(f.Rows), listOf(f.Notices)
		r.answer.Frame = r.dressed(&f, nil)
		r.relaxations = r.relax(ctx, &f)
		s.Note = text.Count("analyst.note_rows", int64(f.RowCount), "rows", frameview.Grouped(int64(f.RowCount)))
		s.Output = session.FrameHash(&f)
		r.shows = s.Output
		s.Facts = map[string]any{"engine_ms": milliseconds(f.Took)}
		return nil
	})
	r.answer.Timings.Execute = took
	return err
}

// described puts what the plan knows about the columns over what the engine saw of them. Types are the engine's.
func described(planned, seen []frameql.Column) []frameql.Column {
	if len(planned) != len(seen) {
		return seen
	}
	out := slices.Clone(planned)
	for i := range out {
		if seen[i].Type != "" {
			out[i].Type = seen[i].Type
		}
	}
	return out
}

// population counts the fact's rows and what each filter keeps of them; nil when it does not apply or could not be
// counted.
func (r *run) population(ctx context.Context) (*frameql.Population, error) {
	sql, ok := r.plan.PopulationStatement(r.sql.Dialect)
	if !ok {
		return nil, nil
	}
	frame, err := r.count(ctx, sql)
	if err != nil {
		if fault.CodeOf(err) == fault.Canceled || ctx.Err() != nil {
			return nil, err
		}
		r.note(notCounted())
		return nil, nil
	}
	p := populationOf(frame, r.plan)
	if p == nil {
		r.note(notCounted())
	}
	return p, nil
}

func notCounted() Finding {
	return Finding{Code: "POPULATION", Severity: "info", Status: "could_not_check", Message: text.Say("analyst.check_population_failed")}
}

// populationOf reads the one row of a population statement by the names of its columns: rows_in, kept, filter_1,
// filter_2, ... nil: it has another shape.
func populationOf(f *frameql.Frame, plan *frameql.Plan) *frameql.Population {
	if len(f.Rows) != 1 || len(f.Rows[0]) != len(f.Columns) {
		return nil
	}
	p := &frameql.Population{PerFilter: []frameql.FilterKept{}}
	complete := 0
	for i, c := range f.Columns {
		n, isCount := frameview.Count(f.Rows[0][i])
		switch {
		case !isCount:
		case c.Name == "rows_in":
			p.RowsIn = n
			complete++
		case c.Name == "kept":
			p.Kept = n
			complete++
		case strings.HasPrefix(c.Name, "filter_"):
			p.PerFilter = append(p.PerFilter, frameql.FilterKept{Filter: filterText(plan, len(p.PerFilter)), Kept: n})
		}
	}
	if complete < 2 {
		return nil
	}
	return p
}

// filterText names the filters in the order of a population: the conjuncts of WHERE, then the period.
func filterText(plan *frameql.Plan, i int) string {
	switch {
	case i < len(plan.Filters):
		return plan.Filters[i].Text
	case plan.Period != nil:
		return "DURING " + plan.Period.Label
	default:
		return ""
	}
}

// epochs are the epochs of the tables that the plan reads. An entity that is an SQL text may read any table.
func (r *run) epochs() map[string]string { return r.epochsOf(r.plan) }

func (r *run) epochsOf(plan *frameql.Plan) map[string]string {
	used := map[string]string{}
	for _, name := range plan.Entities {
		e := r.knowledge.Model.Entity(name)
		if e == nil || e.Source.SQL != "" {
			return r.knowledge.Epochs
		}
		if epoch, ok := r.knowledge.Epochs[e.Source.Table]; ok {
			used[e.Source.Table] = epoch
		}
	}
	return used
}
