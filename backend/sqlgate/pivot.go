package sqlgate

import (
	"context"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// MostPivotValues is how many values, and so columns, one expression of a PIVOT may have.
const MostPivotValues = 1_000

// Pivot is a PIVOT without a list of values. DuckDB runs it as several statements, so it never runs as it stands:
//
//	PIVOT orders ON region USING sum(amount)
//	  1. SELECT DISTINCT CAST((region) AS VARCHAR) AS value FROM orders WHERE (region) IS NOT NULL ORDER BY 1 LIMIT 1001
//	  2. PIVOT orders ON (region) IN ('N', 'S') USING sum(amount)
//
// The gate has allowed 1 and the form of 2. The caller checks and runs each of Values, gives what they returned to
// Statement, and checks and runs what that makes.
type Pivot struct {
	Values []string // one statement an expression that has no list; each gives one column of texts

	sql   string
	items []span // of the expressions that have no list
}

type span struct{ start, end int }

// Statement writes the PIVOT with the values that the statements of Values gave, in their order.
//
// Faults: Invalid (there is no value, or there are more than MostPivotValues: neither makes a table).
func (p *Pivot) Statement(values [][]string) (string, error) {
	var b strings.Builder
	at := 0
	for i, item := range p.items {
		if i >= len(values) || len(values[i]) == 0 {
			return "", fault.New(fault.Invalid, "write pivot", text.Say("sqlgate.pivot_empty"), text.Say("sqlgate.pivot_hint"))
		}
		if len(values[i]) > MostPivotValues {
			return "", fault.New(fault.Invalid, "write pivot", text.Say("sqlgate.pivot_many", "most", MostPivotValues), text.Say("sqlgate.pivot_hint"))
		}
		b.WriteString(p.sql[at:item.start] + "(" + p.sql[item.start:item.end] + ") IN (")
		for j, v := range values[i] {
			if j > 0 {
				b.WriteString(", ")
			}
			b.WriteString("'" + strings.ReplaceAll(v, "'", "''") + "'")
		}
		b.WriteString(")")
		at = item.end
	}
	return b.String() + p.sql[at:], nil
}

// findPivot gives the PIVOT that a statement is, where one of its expressions has no list of values; nil: it is none.
// It reads words only: what it makes is judged by the engine's grammar.
func findPivot(sql string, tokens []token) *Pivot {
	for len(tokens) > 0 && tokens[len(tokens)-1].is(";") {
		tokens = tokens[:len(tokens)-1]
	}
	start := 0
	if len(tokens) > 0 && tokens[0].is("WITH") {
		start = topLevel(tokens, 1, "PIVOT", "PIVOT_WIDER", "SELECT", "FROM", "VALUES", "TABLE")
	}
	if start >= len(tokens) || !tokens[start].is("PIVOT", "PIVOT_WIDER") {
		return nil
	}
	on := topLevel(tokens, start, "ON")
	end := topLevel(tokens, on+1, "USING", "GROUP", "ORDER", "LIMIT", "OFFSET", "HAVING", "UNION", "INTERSECT", "EXCEPT")
	if on >= len(tokens) || on == start+1 || end == on+1 {
		return nil
	}
	p := &Pivot{sql: sql}
	source := sql[tokens[start+1].start:tokens[on-1].end]
	for i := on + 1; i < end; {
		comma := min(topLevel(tokens, i, ","), end)
		if comma == i {
			return nil
		}
		if topLevel(tokens[:comma], i, "IN") == comma {
			item := span{tokens[i].start, tokens[comma-1].end}
			x := sql[item.start:item.end]
			p.items = append(p.items, item)
			p.Values = append(p.Values, sql[:tokens[start].start]+"SELECT DISTINCT CAST(("+x+") AS VARCHAR) AS value FROM "+source+
				" WHERE ("+x+") IS NOT NULL ORDER BY 1 LIMIT 1001")
		}
		i = comma + 1
	}
	if p.items == nil {
		return nil
	}
	if last := tokens[len(tokens)-1].end; last < len(sql) { // no comment or semicolon comes behind what is written
		p.sql = sql[:last]
	}
	return p
}

// topLevel gives the index of the first of the words that stands in no parentheses; len(tokens): none.
func topLevel(tokens []token, from int, words ...string) int {
	depth := 0
	for i := from; i < len(tokens); i++ {
		switch {
		case depth == 0 && tokens[i].is(words...):
			return i
		case tokens[i].is("(", "[", "{"):
			depth++
		case tokens[i].is(")", "]", "}"):
			depth--
		}
	}
	return len(tokens)
}

// checkPivot judges both statements that a PIVOT stands for, the second with a list of one value that is as good as another.
func (g *Gate) checkPivot(ctx context.Context, w *walk, p *Pivot) error {
	stand := make([][]string, len(p.items))
	for i := range stand {
		stand[i] = []string{"x"}
	}
	full, err := p.Statement(stand)
	if err != nil {
		return err
	}
	shape := w.shape
	for i, sql := range append([]string{full}, p.Values...) {
		tokens, rule := scan(DuckDB, sql)
		if rule != "" {
			w.refuse(rule)
			return nil
		}
		root, err := g.treeOf(ctx, w, sql, tokens)
		if err != nil {
			return err
		}
		if w.rule != "" {
			w.detail = "" // of a text that nobody wrote
			return nil
		}
		duckWalk{w, hasLimit(tokens)}.statement(root)
		if i == 0 {
			shape = w.shape
		}
	}
	w.shape, w.pivot = shape, p
	return nil
}
