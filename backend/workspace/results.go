package workspace

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/rules"
	"assay/backend/rules/pii"
	"assay/backend/semantic"
	"assay/backend/store"
	"assay/backend/text"
)

// OpenAnswer gives all rows of the answer to a request. What ran for the answer runs again, for whoever asks now: through the gate, and
// over the tables that they may see.
//
// Faults: NotFound (no such request), Conflict (it has no rows, or gives others now than it gave then), and those of
// store.Results.Make.
func (w *Workspace) OpenAnswer(ctx context.Context, requestID string) (store.Result, error) {
	return w.openAnswer(ctx, requestID, openedRows)
}

func (w *Workspace) openAnswer(ctx context.Context, requestID, what string) (store.Result, error) {
	answer, _, err := w.answerTo(ctx, requestID)
	if err != nil {
		return store.Result{}, err
	}
	f := answer.Frame
	if f == nil || f.SQL == "" {
		return store.Result{}, fault.New(fault.Conflict, "open result", text.Say("workspace.result_none"), "")
	}
	statement := frameql.Statement{SQL: f.SQL, Dialect: f.Dialect, Columns: f.Columns}
	if f.BaseSQL != "" {
		statement.SQL = f.BaseSQL
	} else if len(f.ServedBy) > 0 { // of a version that did not keep it
		return store.Result{}, fault.New(fault.Conflict, "open result", text.Say("workspace.result_old"), text.Say("workspace.result_old_hint"))
	}
	visible, err := w.visibleNow()
	if err != nil {
		return store.Result{}, err
	}
	if err := w.noteOpened(ctx, opened{What: what}, answer, statement.SQL); err != nil {
		return store.Result{}, err
	}
	x, err := w.results.Make(ctx, statement, visible)
	if err != nil {
		return x, err
	}
	w.made.note(answer.RequestID, x.ID)
	for table, epoch := range w.store.Epochs() {
		if then, read := f.SourceEpochs[table]; read && then != epoch {
			x.Changed = true
		}
	}
	then := f.RowCount
	if f.Truncated != nil {
		then = f.Truncated.TotalRows
	}
	if !x.Changed && x.Rows != int64(then) {
		return store.Result{}, fault.New(fault.Conflict, "open result", text.Say("workspace.result_differs", "then", then, "now", x.Rows), text.Say("workspace.result_old_hint"))
	}
	return x, nil
}

// madeOf remembers which results were made of which answers, so that they go together.
type madeOf struct {
	mu      sync.Mutex
	results map[string][]string // by request
}

func (m *madeOf) note(requestID, result string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.results == nil {
		m.results = map[string][]string{}
	}
	if !slices.Contains(m.results[requestID], result) {
		m.results[requestID] = append(m.results[requestID], result)
	}
}

// forget lets the results of an answer go.
func (m *madeOf) forget(from *store.Results, requestID string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, result := range m.results[requestID] {
		from.Forget(result)
	}
	delete(m.results, requestID)
}

// answerTo gives the stored answer to a request and when it was asked; one without an answer gives an empty one. Faults: NotFound, Internal.
func (w *Workspace) answerTo(ctx context.Context, requestID string) (answer analyst.Answer, asked time.Time, err error) {
	_, turn, err := w.memory.Find(ctx, requestID)
	if err == nil && len(turn.Answer) > 0 {
		if err = json.Unmarshal(turn.Answer, &answer); err != nil {
			err = fault.Wrap(fault.Internal, "open result", text.Say("workspace.result_none"), "", err)
		}
	}
	return answer, turn.Asked, err
}

// OpenTable gives all rows of a table of a source, without the columns that are personal by the model, pii.yaml or their names; their
// names it gives too.
//
// Faults: NotFound (no such table, or not for who asks), Unauthorized (all of its columns are personal), and those of store.Results.Make.
func (w *Workspace) OpenTable(ctx context.Context, table string) (x store.Result, leftOut []string, err error) {
	w.refresh(ctx)
	found, err := w.seenTable(table)
	if err != nil {
		return x, nil, err
	}
	statement, leftOut := w.tableStatement(w.Knowledge().Model, found)
	if len(statement.Columns) == 0 {
		return x, nil, fault.New(fault.Unauthorized, "open result", text.Say("workspace.table_personal", "table", table), text.Say("workspace.personal_column_hint"))
	}
	visible, err := w.visibleNow()
	if err != nil {
		return x, nil, err
	}
	if err := w.noteOpened(ctx, opened{What: openedTable, Table: found.Name}, analyst.Answer{}, ""); err != nil {
		return x, nil, err
	}
	x, err = w.results.Make(ctx, statement, visible)
	return x, leftOut, err
}

func findTable(sources []store.Source, table string) *store.Table {
	for i := range sources {
		for j := range sources[i].Tables {
			if t := &sources[i].Tables[j]; strings.EqualFold(t.Name, table) {
				return t
			}
		}
	}
	return nil
}

// tableStatement reads the columns of a table that are not personal, described as the model describes them.
func (w *Workspace) tableStatement(m *semantic.Model, t *store.Table) (st frameql.Statement, leftOut []string) {
	var names []string
	leftOut = []string{}
	for _, c := range t.Columns {
		out := frameql.Column{Name: c.Name, Label: c.Name, Role: frameql.RoleDimension, Type: c.Type}
		known := pii.Column{Table: t.Name, Name: c.Name}
		for _, d := range w.dimensionsOf(m, t.Name, c.Name) {
			if d.PII != "" {
				known.Tag = d.PII
			}
			if d.Label != "" {
				out.Label = d.Label
			}
			if out.Unit = d.Unit; d.Measure {
				out.Role = frameql.RoleMetric
			}
		}
		if kind := w.Rules().PII.Of(known); kind != "" && kind != pii.None {
			leftOut = append(leftOut, c.Name)
			continue
		}
		names, st.Columns = append(names, quoteName(c.Name)), append(st.Columns, out)
	}
	st.SQL, st.Dialect = "SELECT "+strings.Join(names, ", ")+" FROM main."+quoteName(t.Name), frameql.DuckDB
	return st, leftOut
}

// quoteName writes one name, whatever is in it; quote splits at dots.
func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// dimensionsOf gives the dimensions that show a column of a table, also where their entity is a SELECT that reads it.
func (w *Workspace) dimensionsOf(m *semantic.Model, table, column string) (all []*semantic.Dimension) {
	for i := range m.Entities {
		e := &m.Entities[i]
		reads := strings.EqualFold(e.Source.Table, table)
		if e.Source.SQL != "" {
			reads = slices.ContainsFunc(w.reads(e.Source.SQL), func(o rules.Object) bool { return strings.EqualFold(o.Table, table) })
		}
		if !reads {
			continue
		}
		for j := range e.Dimensions {
			if d := &e.Dimensions[j]; strings.EqualFold(d.Physical(), column) {
				all = append(all, d)
			}
		}
	}
	return all
}

// visibleNow says which tables the person who runs this process may see. Fault Unauthorized.
func (w *Workspace) visibleNow() (func(table string) bool, error) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return nil, err
	}
	return visibleBy(w.Rules().Whitelist(me)), nil
}

// Result gives what is known of a result. To somebody who may not see all that it was made of it is not there. Fault NotFound.
func (w *Workspace) Result(id string) (store.Result, error) {
	x, err := w.results.Find(id)
	if err != nil {
		return x, err
	}
	visible, err := w.visibleNow()
	if err != nil {
		return store.Result{}, err
	}
	if slices.ContainsFunc(x.Tables, func(t string) bool { return !visible(t) }) {
		return w.results.Find("")
	}
	return x, nil
}

// ResultView is store.Results.View for who may see the result.
func (w *Workspace) ResultView(ctx context.Context, id string, v store.View) (store.Result, error) {
	if _, err := w.Result(id); err != nil {
		return store.Result{}, err
	}
	return w.results.View(ctx, id, v)
}

// ResultRows is store.Results.Rows for who may see the result.
func (w *Workspace) ResultRows(ctx context.Context, id string, window store.Window, out io.Writer) error {
	if _, err := w.Result(id); err != nil {
		return err
	}
	return w.results.Rows(ctx, id, window, out)
}

// ResultCell is store.Results.Cell for who may see the result.
func (w *Workspace) ResultCell(ctx context.Context, id string, row int64, column int) (whole string, null bool, err error) {
	if _, err := w.Result(id); err != nil {
		return "", false, err
	}
	return w.results.Cell(ctx, id, row, column)
}

// ResultSums is store.Results.Summarize for who may see the result.
func (w *Workspace) ResultSums(ctx context.Context, id string, from, to int64, columns []int) ([]store.Summary, error) {
	if _, err := w.Result(id); err != nil {
		return nil, err
	}
	return w.results.Summarize(ctx, id, from, to, columns)
}

// ResultFacet is store.Results.Facet for who may see the result. The values of personal columns are not counted: fault Unauthorized.
func (w *Workspace) ResultFacet(ctx context.Context, id string, of store.FacetOf) (store.Facet, error) {
	x, err := w.Result(id)
	if err != nil {
		return store.Facet{}, err
	}
	if of.Column >= 0 && of.Column < len(x.Columns) {
		if err := w.countable(x.Columns[of.Column], x.Tables); err != nil {
			return store.Facet{}, err
		}
	}
	return w.results.Facet(ctx, id, of)
}
