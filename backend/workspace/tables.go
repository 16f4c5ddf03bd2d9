package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/profile"
	"assay/backend/rules"
	"assay/backend/rules/pii"
	"assay/backend/semantic"
	"assay/backend/store"
	"assay/backend/text"
)

// TableProfile is what a person is told of a table: its columns, its key, and which columns determine others.
type TableProfile struct {
	profile.TableProfile
	Key         []string     `json:"key"`          // what tells its rows apart; empty: nothing was found
	KeyDeclared bool         `json:"key_declared"` // by the source
	Determines  []Determined `json:"determines"`
}

// Determined says that equal From means equal To, in the data now.
type Determined struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// headShown is how many rows are shown of a table.
const headShown = 100

// Head gives the first rows of a table without the columns that are personal, whose names it gives too. Faults as of OpenTable.
func (w *Workspace) Head(ctx context.Context, table string) (*frameql.Frame, []string, error) {
	found, err := w.seenTable(table)
	if err != nil {
		return nil, nil, err
	}
	statement, leftOut := w.tableStatement(w.Knowledge().Model, found)
	if len(statement.Columns) == 0 {
		return &frameql.Frame{Columns: []frameql.Column{}, Rows: [][]any{}}, leftOut, nil
	}
	if err := w.noteOpened(ctx, opened{What: openedHead, Table: found.Name}, analyst.Answer{}, ""); err != nil {
		return nil, nil, err
	}
	statement.SQL += fmt.Sprintf(" LIMIT %d", headShown)
	frame, err := w.store.Query(ctx, statement)
	return frame, leftOut, err
}

// Rejected gives lines of a table's file that are not in it, and how many there are. What they say is left out where the
// table has a column that is personal. Faults: NotFound, and those of a statement.
func (w *Workspace) Rejected(ctx context.Context, table string, most int) (lines []store.RejectedLine, all int64, err error) {
	found, err := w.seenTable(table)
	if err != nil {
		return nil, 0, err
	}
	if err := w.noteOpened(ctx, opened{What: openedRejected, Table: found.Name}, analyst.Answer{}, ""); err != nil {
		return nil, 0, err
	}
	lines, all, err = w.store.Rejected(ctx, found.Name, most)
	m := w.Knowledge().Model
	for _, c := range found.Columns {
		if w.personal(m, found.Name, c.Name) != "" {
			for i := range lines {
				lines[i].Raw, lines[i].Reason = "", ""
			}
			break
		}
	}
	return lines, all, err
}

// Profile measures the columns of a table, or gives what was measured of the same data before. sample is the number of rows
// to look at; 0: all. Of columns that are personal only counts are taken.
//
// Faults: NotFound (no such table, or not for who asks), and those of a statement.
func (w *Workspace) Profile(ctx context.Context, table string, sample int64, progress func(done, total int)) (*TableProfile, error) {
	w.refresh(ctx)
	found, err := w.seenTable(table)
	if err != nil {
		return nil, err
	}
	if err := w.noteOpened(ctx, opened{What: openedProfile, Table: found.Name}, analyst.Answer{}, ""); err != nil {
		return nil, err
	}
	m := w.Knowledge().Model
	kinds, named := map[string]string{}, []string{}
	for _, c := range found.Columns {
		if kinds[c.Name] = w.personal(m, found.Name, c.Name); kinds[c.Name] != "" {
			named = append(named, c.Name+" "+kinds[c.Name])
		}
	}
	declared := declarationOf(found)
	p := &TableProfile{}
	file := "profile-" + short(found.Name) + ".json"
	key := short(strings.Join(append([]string{"1", found.Name, w.store.Epochs()[found.Name], fmt.Sprint(sample)}, named...), "\x00"))
	if !w.remembered(file, key, &p.TableProfile) {
		measured, err := profile.Columns(ctx, w.store.Query, declared, profile.ColumnOptions{Sample: sample, Personal: func(c string) string { return kinds[c] }, Progress: progress})
		if err != nil {
			return nil, err
		}
		p.TableProfile = *measured
		w.remember(file, key, measured)
	}
	w.relate(p, found)
	return p, nil
}

// relate adds what is known of keys and dependencies.
func (w *Workspace) relate(p *TableProfile, t *store.Table) {
	p.Key, p.Determines = append([]string{}, t.Key...), []Determined{}
	p.KeyDeclared = len(t.Key) > 0
	w.mu.Lock()
	defer w.mu.Unlock()
	var facts semantic.Facts
	if !w.remembered("facts.json", w.dataKey(factsFormat), &facts) {
		return // the model is declared in full, and nobody measured for a proposal
	}
	for _, f := range facts.Tables {
		if !strings.EqualFold(f.Table, t.Name) {
			continue
		}
		if !p.KeyDeclared {
			p.Key = append(p.Key, f.Key...)
		}
		for _, d := range f.Determines {
			p.Determines = append(p.Determines, Determined{From: d.From, To: d.To})
		}
	}
}

// QuestionAbout makes a question about a column, or about one value of it, that the reader understands. Empty: there is none.
// Faults: NotFound, and Unauthorized about a value of a column that is personal.
func (w *Workspace) QuestionAbout(_ context.Context, table, column, value string) (string, error) {
	found, err := w.seenTable(table)
	if err != nil {
		return "", err
	}
	k := w.Knowledge()
	if value != "" && w.personal(k.Model, found.Name, column) != "" {
		return "", fault.New(fault.Unauthorized, "ask about value", text.Say("workspace.personal_column", "column", table+"."+column), text.Say("workspace.personal_column_hint"))
	}
	for _, question := range w.candidates(k.Model, found.Name, column, value) {
		result := k.Index.Read(interpret.Request{
			Question: question, Asked: w.opts.Now(), NowFromData: true, Env: k.Env(analyst.Anchor(k, w.opts.Now()), w.opts.MaxRows),
		})
		if result.Reading != nil && result.Clarify == nil {
			return question, nil
		}
	}
	return "", nil
}

// candidates are questions about a column, the most telling first.
func (w *Workspace) candidates(m *semantic.Model, table, column, value string) (all []string) {
	for _, d := range w.dimensionsOf(m, table, column) {
		e := entityOf(m, d)
		if e == nil {
			continue
		}
		var counts, sums []string
		for i := range m.Metrics {
			x := &m.Metrics[i]
			if x.Hidden || x.Kind != semantic.Leaf || !strings.EqualFold(x.Entity, e.Name) {
				continue
			}
			own := strings.Contains(strings.ToLower(x.Expr), strings.ToLower(d.Name))
			switch {
			case own && value == "" && (e.DefaultTime != "" || x.Time != ""):
				all = append(all, text.Say("workspace.ask_trend", "metric", x.Label))
			case own && value == "":
				all = append(all, x.Label)
			case x.Reducer == semantic.Count:
				counts = append(counts, x.Label)
			case x.Reducer == semantic.Sum:
				sums = append(sums, x.Label)
			}
		}
		for _, metric := range append(counts, sums...) {
			if value != "" {
				all = append(all, text.Say("workspace.ask_value", "metric", metric, "value", value), text.Say("workspace.ask_value_of", "metric", metric, "dimension", d.Label, "value", value))
			} else {
				all = append(all, text.Say("workspace.ask_breakdown", "metric", metric, "dimension", d.Label))
			}
		}
		if value == "" {
			all = append(all, text.Say("workspace.ask_count", "entity", e.Label))
		}
	}
	return all
}

func entityOf(m *semantic.Model, d *semantic.Dimension) *semantic.Entity {
	for i := range m.Entities {
		for j := range m.Entities[i].Dimensions {
			if &m.Entities[i].Dimensions[j] == d {
				return &m.Entities[i]
			}
		}
	}
	return nil
}

// seenTable gives a table that the person who runs this process may see. Fault NotFound.
func (w *Workspace) seenTable(table string) (*store.Table, error) {
	if found := findTable(w.Sources(), table); found != nil {
		return found, nil
	}
	if me, err := w.Identify("", rules.Caller{}); err == nil && w.Rules().Whitelist(me).Everything() {
		for _, d := range w.store.Damaged() {
			if slices.ContainsFunc(d.Tables, func(t string) bool { return strings.EqualFold(t, table) }) {
				return nil, fault.New(fault.Unavailable, "find table", text.Say("workspace.source_damaged", "name", d.Name, "tables", strings.Join(d.Tables, ", ")), text.Say("workspace.source_damaged_hint"))
			}
		}
	}
	return nil, fault.New(fault.NotFound, "find table", text.Say("workspace.no_table", "table", table), text.Say("workspace.no_table_hint"))
}

// Personal gives the kind of personal values that a column of a table holds, by the model, pii.yaml or its name; empty: none.
func (w *Workspace) Personal(table, column string) string {
	return w.personal(w.Knowledge().Model, table, column)
}

func (w *Workspace) personal(m *semantic.Model, table, column string) string {
	known := pii.Column{Table: table, Name: column}
	for _, d := range w.dimensionsOf(m, table, column) {
		if d.PII != "" {
			known.Tag = d.PII
		}
	}
	kind := w.Rules().PII.Of(known)
	switch {
	case kind == "" && m.WithholdsColumn(table, column):
		return string(pii.Identifier) // what is known of it stands in a file that cannot be read
	case kind != pii.None:
		return string(kind)
	}
	return ""
}

// short is a name for a text that may stand in a file name.
func short(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
