package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"assay/backend/frameql"
	"assay/backend/profile"
	"assay/backend/semantic"
)

// attestation is what was measured of the data behind a model, for the resolver: how large things are, which columns
// tell rows apart, and whether joins keep what they promise. Whatever is not in it is not known.
type attestation struct {
	rows     map[string]int64 // entity
	distinct map[string]int64 // entity.dimension
	unique   map[string]bool  // see uniqueKey
	joins    map[string]*semantic.Attestation
	steps    map[string]*semantic.StepAttestation // of hierarchies, see stepKey
	checks   map[string]string                    // gotcha: what its check gave
}

// attestAtOnce is the number of rows in all tables up to which a model is measured before it is used. More take long
// enough to be measured while questions are answered already.
const attestAtOnce = 2_000_000

// exactDistinct is the number of rows in all tables up to which different values are counted exactly.
const exactDistinct = 1_000_000

// attest measures a model with run. open is the number of things that run could not say yet: it gave errNotMeasured, or
// the context ended.
func (w *Workspace) attest(ctx context.Context, run profile.Run, m *semantic.Model) (a attestation, open int) {
	a = attestation{
		rows: map[string]int64{}, distinct: map[string]int64{}, unique: map[string]bool{},
		joins: map[string]*semantic.Attestation{}, steps: map[string]*semantic.StepAttestation{}, checks: map[string]string{},
	}
	// A statement that fails for another reason leaves its thing unknown: the model's author may have written a SELECT
	// or a type that the engine refuses, and the question that needs it will say so.
	measured := func(err error) bool {
		if errors.Is(err, errNotMeasured) || err != nil && ctx.Err() != nil {
			open++
		}
		return err == nil
	}
	estimate := w.storedRows() > exactDistinct
	for i := range m.Entities {
		e := &m.Entities[i]
		names, columns := physical(e)
		rows, distinct, err := profile.Sizes(ctx, run, e.Source, columns, estimate)
		if measured(err) {
			a.rows[strings.ToLower(e.Name)] = rows
			for j, name := range names {
				a.distinct[name] = distinct[j]
			}
		}
	}
	for _, k := range claims(m) {
		unique, err := profile.Unique(ctx, run, k.entity.Source, k.columns)
		if measured(err) {
			a.unique[uniqueKey(k.entity.Name, k.dimensions)] = unique
		}
	}
	for i := range m.Joins {
		j := &m.Joins[i]
		from, to := m.Entity(j.From), m.Entity(j.To)
		near, far, ok := joinColumns(j, from, to)
		if !ok {
			continue
		}
		unique, err := profile.Unique(ctx, run, to.Source, far)
		if !measured(err) {
			continue
		}
		orphans, missing, err := profile.Partners(ctx, run, from.Source, near, to.Source, far)
		if measured(err) {
			a.joins[joinKey(j)] = &semantic.Attestation{Unique: unique, Orphans: orphans, Missing: missing}
		}
	}
	for _, s := range steps(m) {
		d, err := profile.Depends(ctx, run, s.entity.Source, s.columns[0], s.columns[1])
		if measured(err) {
			d.Epoch = w.epochOf(s.entity)
			a.steps[stepKey(s.entity.Name, s.dimensions[0], s.dimensions[1])] = d
		}
	}
	for _, g := range m.Gotchas {
		if g.CheckQL == "" {
			continue
		}
		if gave, err := w.checkOf(ctx, run, m, g.CheckQL); measured(err) && gave != "" {
			a.checks[g.Name] = gave
		}
	}
	return a, open
}

// checkOf runs a check, a Frame-QL query of one number; empty: the model refuses it, or it is of no number.
func (w *Workspace) checkOf(ctx context.Context, run profile.Run, m *semantic.Model, query string) (string, error) {
	q, err := frameql.Parse(query)
	if err != nil {
		return "", err
	}
	plan, refusals := frameql.Resolve(q, frameql.Env{Model: m, Now: w.opts.Now()})
	if len(refusals) > 0 {
		return "", nil
	}
	statement, err := plan.Statement(frameql.DuckDB)
	if err != nil {
		return "", err
	}
	f, err := run(ctx, statement)
	if err != nil || f.RowCount != 1 || len(f.Rows[0]) != 1 || f.Rows[0][0] == nil {
		return "", err
	}
	return fmt.Sprint(f.Rows[0][0]), nil
}

// steps gives each step of the hierarchies once, where both of its dimensions are columns.
func steps(m *semantic.Model) []claim {
	var all []claim
	have := map[string]bool{}
	for i := range m.Entities {
		e := &m.Entities[i]
		for _, h := range e.Hierarchies {
			for n := 0; n+1 < len(h.Path); n++ {
				id := stepKey(e.Name, h.Path[n], h.Path[n+1])
				if columns, ok := columnsOf(e, h.Path[n:n+2]); ok && !have[id] {
					have[id] = true
					all = append(all, claim{e, h.Path[n : n+2], columns})
				}
			}
		}
	}
	return all
}

// epochOf is the epoch of the table that an entity reads; of a SELECT that of all data.
func (w *Workspace) epochOf(e *semantic.Entity) string {
	if epoch, ok := w.store.Epochs()[e.Source.Table]; ok {
		return epoch
	}
	return w.dataKey("attest-1")
}

// claim is a set of dimensions of an entity of which the model claims something: that they tell its rows apart, or that the
// first determines the second.
type claim struct {
	entity     *semantic.Entity
	dimensions []string
	columns    []string
}

// claims gives the keys of entities, and for each metric that takes the last snapshot of each key that key with the time.
func claims(m *semantic.Model) []claim {
	var all []claim
	add := func(e *semantic.Entity, dimensions []string) {
		if columns, ok := columnsOf(e, dimensions); ok && len(columns) > 0 {
			all = append(all, claim{e, dimensions, columns})
		}
	}
	for i := range m.Entities {
		add(&m.Entities[i], m.Entities[i].Key)
	}
	for i := range m.Metrics {
		x := &m.Metrics[i]
		semi, ok := x.SemiAdditive()
		entity, time, timed := m.TimeOf(x)
		if ok && timed && len(semi.Per) > 0 && strings.EqualFold(entity, x.Entity) {
			add(m.Entity(entity), append(slices.Clone(semi.Per), time))
		}
	}
	return all
}

// physical gives the dimensions of an entity that are columns, as entity.dimension, and those columns.
func physical(e *semantic.Entity) (names, columns []string) {
	for i := range e.Dimensions {
		if c := e.Dimensions[i].Physical(); c != "" && !e.Dimensions[i].IsRowPlace() {
			names = append(names, dimensionKey(e.Name, e.Dimensions[i].Name))
			columns = append(columns, c)
		}
	}
	return names, columns
}

// columnsOf gives the columns of dimensions; ok is false when one of them is computed.
func columnsOf(e *semantic.Entity, dimensions []string) (columns []string, ok bool) {
	for _, name := range dimensions {
		d := e.Dimension(name)
		if d == nil || d.Physical() == "" {
			return nil, false
		}
		columns = append(columns, d.Physical())
	}
	return columns, true
}

func joinColumns(j *semantic.Join, from, to *semantic.Entity) (near, far []string, ok bool) {
	if from == nil || to == nil || len(j.On) == 0 {
		return nil, nil, false
	}
	var nearNames, farNames []string
	for _, p := range j.On {
		nearNames, farNames = append(nearNames, p.From), append(farNames, p.To)
	}
	near, ok = columnsOf(from, nearNames)
	if !ok {
		return nil, nil, false
	}
	far, ok = columnsOf(to, farNames)
	return near, far, ok
}

func joinKey(j *semantic.Join) string { return strings.ToLower(j.From + " " + j.To + " " + j.Role) }

func stepKey(entity, finer, coarser string) string {
	return dimensionKey(entity, finer) + " " + strings.ToLower(coarser)
}

func dimensionKey(entity, dimension string) string {
	return strings.ToLower(entity) + "." + strings.ToLower(dimension)
}

// uniqueKey is the same for the same dimensions in any order and case.
func uniqueKey(entity string, dimensions []string) string {
	names := make([]string, len(dimensions))
	for i, d := range dimensions {
		names[i] = strings.ToLower(d)
	}
	slices.Sort(names)
	return strings.ToLower(entity) + " " + strings.Join(names, " ")
}

// storedRows is the number of rows in all tables.
func (w *Workspace) storedRows() (n int64) {
	for _, s := range w.store.Sources() {
		for _, t := range s.Tables {
			n += t.Rows
		}
	}
	return n
}

// errNotMeasured says that the result of a statement is not kept.
var errNotMeasured = errors.New("not measured yet")

// statements keeps the one row that each measuring statement gave on the data of one time, so that a model that is
// edited or opened again is measured only where it changed.
type statements struct {
	mu   sync.Mutex
	key  string
	kept map[string][]any // by SQL
}

const statementsFile = "attest.json"

func (w *Workspace) keptStatements() *statements {
	s := &statements{key: w.dataKey("attest-1"), kept: map[string][]any{}}
	w.remembered(statementsFile, s.key, &s.kept)
	return s
}

// known gives kept results only.
func (s *statements) known(_ context.Context, st frameql.Statement) (*frameql.Frame, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	row, ok := s.kept[st.SQL]
	if !ok {
		return nil, errNotMeasured
	}
	return &frameql.Frame{Rows: [][]any{row}, RowCount: 1}, nil
}

// measuring gives kept results, and runs what is not kept; saved is called after each.
func (s *statements) measuring(run profile.Run, saved func()) profile.Run {
	return func(ctx context.Context, st frameql.Statement) (*frameql.Frame, error) {
		if f, err := s.known(ctx, st); err == nil {
			return f, nil
		}
		f, err := run(ctx, st)
		if err != nil || len(f.Rows) != 1 {
			return f, err
		}
		s.mu.Lock()
		s.kept[st.SQL] = f.Rows[0]
		s.mu.Unlock()
		saved()
		return f, nil
	}
}

func (w *Workspace) keepStatements(s *statements) {
	s.mu.Lock()
	kept := maps.Clone(s.kept)
	s.mu.Unlock()
	w.remember(statementsFile, s.key, kept)
}
