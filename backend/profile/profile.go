// Package profile measures tables: counts, extremes, frequent values, keys, dependencies between columns and inclusions
// between tables. It writes the SQL (DuckDB's dialect), somebody else runs it; semantic.Infer believes what it found.
//
//	stats, top values ─▶ keys ─▶ dependencies (refuted on a head in memory, verified exactly) ─▶ line totals
//	all tables ─▶ inclusions (candidates by type, name and size; verified exactly)
package profile

import (
	"context"
	"fmt"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// Run runs one statement and gives its rows. The frame must hold all of them: the statements here return few.
type Run func(ctx context.Context, s frameql.Statement) (*frameql.Frame, error)

// TableDecl is what is known of a table before anything is measured.
type TableDecl struct {
	Table       string // as the engine knows it
	Alias       string // safe snake_case name, unique among the tables; empty: made from Table
	Columns     []ColumnDecl
	Key         []string // declared by the source; empty: none
	ForeignKeys []semantic.ForeignKey
	Rows        int64 // as the importer counted them; only a hint, the measurement counts again
}

// ColumnDecl is what is known of a column before anything is measured.
type ColumnDecl struct {
	Name  string // as the engine knows it
	Alias string // safe snake_case name, unique in the table; empty: made from Name
	Type  semantic.Type

	Nested bool // JSON as text
}

// Options of Measure.
type Options struct {
	// Head is the number of leading rows that refute dependencies and keys in memory before anything is verified on the
	// whole table. 0: 4,000.
	Head int
	// Progress is called after each table with the number of tables done. nil: never.
	Progress func(done, total int)
	// Known gives what was measured of a table whose data and declaration are the same as then. nil: nothing is known.
	Known func(TableDecl) (semantic.TableFacts, bool)
	// Failed is told of a table that cannot be measured, and says whether to go on without it. nil: never.
	Failed func(table string, err error) bool
}

// Measure profiles tables. Facts are exact for the data as it is, with one exception: the share of the most frequent
// value of a column with many values in a table of over a million rows is that of its first hundred thousand rows.
// Errors are those of run.
func Measure(ctx context.Context, run Run, tables []TableDecl, o Options) (semantic.Facts, error) {
	if o.Head <= 0 {
		o.Head = 4000
	}
	var facts semantic.Facts
	for i, d := range tables {
		t, err := knownOrMeasured(ctx, run, d, o)
		if err != nil && o.Failed != nil && o.Failed(d.Table, err) {
			continue
		}
		if err != nil {
			return semantic.Facts{}, fmt.Errorf("profile %s: %w", d.Table, err)
		}
		facts.Tables = append(facts.Tables, t)
		if o.Progress != nil {
			o.Progress(i+1, len(tables))
		}
	}
	inclusions, err := measureInclusions(ctx, run, facts.Tables)
	if err != nil {
		return semantic.Facts{}, fmt.Errorf("profile inclusions: %w", err)
	}
	facts.Inclusions = inclusions
	return facts, nil
}

func knownOrMeasured(ctx context.Context, run Run, d TableDecl, o Options) (semantic.TableFacts, error) {
	if o.Known != nil {
		if t, ok := o.Known(d); ok {
			return t, nil
		}
	}
	return measureTable(ctx, run, d, o)
}

func measureTable(ctx context.Context, run Run, d TableDecl, o Options) (semantic.TableFacts, error) {
	t := semantic.TableFacts{Table: d.Table, Alias: d.Alias, Key: d.Key, KeyDeclared: len(d.Key) > 0, ForeignKeys: d.ForeignKeys}
	for _, c := range d.Columns {
		t.Columns = append(t.Columns, semantic.ColumnFacts{Column: c.Name, Alias: c.Alias, Type: c.Type, Nested: c.Nested})
	}
	if err := measureStats(ctx, run, &t); err != nil {
		return t, err
	}
	if t.Rows == 0 {
		return t, nil
	}
	if err := measureTop(ctx, run, &t); err != nil {
		return t, err
	}
	head, err := readHead(ctx, run, &t, o.Head)
	if err != nil {
		return t, err
	}
	if err := checkDeclaredKey(ctx, run, &t); err != nil {
		return t, err
	}
	if !t.KeyDeclared {
		if err := findKey(ctx, run, &t, head); err != nil {
			return t, err
		}
	}
	if err := findSnapshot(ctx, run, &t, head); err != nil {
		return t, err
	}
	if err := findDependencies(ctx, run, &t, head); err != nil {
		return t, err
	}
	return t, measureLineTotals(ctx, run, &t)
}
