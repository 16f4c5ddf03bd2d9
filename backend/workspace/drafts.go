package workspace

import (
	"context"
	"strconv"
	"strings"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/memory"
	"assay/backend/rules"
	"assay/backend/store"
	"assay/backend/text"
)

// Draft is what can be said of a query while it is being written. Nothing of it is kept, and nothing runs.
type Draft struct {
	Canonical string            // of Frame-QL: the same query as it is printed; empty: it cannot be read yet
	Wrong     []frameql.Finding // places are bytes of the text
	SQLType   string            // of a statement
	Rule      string            // of the gate, that refuses the statement; empty: it may run
	Tables    []string          // that it reads
	Plan      *analyst.PlanCost // what running it would take; nil: not known
}

// CheckQuery reads and resolves Frame-QL over what the person who runs this process may know, and estimates what it would take.
func (w *Workspace) CheckQuery(ctx context.Context, source string) (Draft, error) {
	w.refresh(ctx)
	if strings.TrimSpace(source) == "" {
		return Draft{}, nil
	}
	plan, canonical, wrong := frameql.Examine(source, w.env(time.Time{}))
	d := Draft{Canonical: canonical, Wrong: wrong}
	if plan == nil {
		return d, nil
	}
	d.Canonical = plan.Query.String()
	statement, err := plan.Statement(frameql.DuckDB)
	if err != nil {
		return d, err
	}
	d.Plan = w.estimate(ctx, statement)
	return d, ctx.Err()
}

// CompleteQuery gives the ways to go on with Frame-QL at a byte of a text, and the byte from which they replace it.
func (w *Workspace) CompleteQuery(source string, at int) (int, []frameql.Candidate) {
	return frameql.Complete(source, at, w.env(time.Time{}))
}

// CheckStatement lets the gate judge a statement over what the person may see, and the engine look at what passed: names of columns and
// types are its business. Nothing runs.
func (w *Workspace) CheckStatement(ctx context.Context, statement string) (Draft, error) {
	if strings.TrimSpace(statement) == "" {
		return Draft{}, nil
	}
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return Draft{}, err
	}
	v, err := w.store.Admit(ctx, statement, visibleBy(w.Rules().Whitelist(me)))
	if err != nil {
		return Draft{}, err
	}
	d := Draft{SQLType: v.SQLType, Rule: v.Rule, Tables: v.Objects}
	if !v.Allowed {
		d.Wrong = []frameql.Finding{{Span: placeIn(statement, v.Reason), Code: v.Rule, Message: v.Reason}}
		return d, nil
	}
	rows, bytes, ms, basis, err := w.store.Cost(ctx, frameql.Statement{SQL: statement, Dialect: frameql.DuckDB})
	if fault.CodeOf(err) == fault.Invalid {
		d.Wrong = []frameql.Finding{findingOf(statement, err)}
		return d, nil
	}
	if err != nil {
		return d, err
	}
	d.Plan = &analyst.PlanCost{Rows: rows, Bytes: bytes, MS: ms, Basis: basis}
	return d, nil
}

// CompleteStatement gives the ways to go on with a statement that ends at the cursor, over what the person may see.
func (w *Workspace) CompleteStatement(ctx context.Context, head string) (int, []store.Suggestion, error) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return 0, nil, err
	}
	return w.store.Complete(ctx, head, visibleBy(w.Rules().Whitelist(me)))
}

// Written lists the queries of the person who runs this process, the last one first.
func (w *Workspace) Written(ctx context.Context, words string, most int) ([]memory.Written, error) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return nil, err
	}
	return w.memory.Written(ctx, me.ID, words, most)
}

// estimate gives what a statement of our own would take; nil where the engine cannot say.
func (w *Workspace) estimate(ctx context.Context, s frameql.Statement) *analyst.PlanCost {
	rows, bytes, ms, basis, err := w.store.Cost(ctx, s)
	if err != nil {
		return nil
	}
	return &analyst.PlanCost{Rows: rows, Bytes: bytes, MS: ms, Basis: basis}
}

func findingOf(statement string, err error) frameql.Finding {
	f := frameql.Finding{Code: "ENGINE", Message: text.Say("workspace.statement_failed")}
	if p := asFault(err); p != nil {
		f.Message, f.Hint = p.Message, p.Hint
	}
	f.Span = placeIn(statement, f.Message)
	return f
}

// placeIn finds the place that a sentence about a statement names: "line:column", "LINE 2:", or a name in quotes that the statement has;
// else the whole statement.
func placeIn(statement, sentence string) [2]int {
	for _, m := range placeNamed.FindAllStringSubmatch(sentence, -1) {
		line, _ := strconv.Atoi(m[1])
		column, _ := strconv.Atoi(m[2])
		if at, ok := byteAt(statement, line, column); ok {
			return [2]int{at, wordEnd(statement, at)}
		}
	}
	for _, m := range nameQuoted.FindAllStringSubmatch(sentence, -1) {
		name := strings.TrimPrefix(m[1], "main.")
		if at := wordAt(statement, name); at >= 0 && name != "" {
			return [2]int{at, at + len(name)}
		}
	}
	return [2]int{0, len(statement)}
}
