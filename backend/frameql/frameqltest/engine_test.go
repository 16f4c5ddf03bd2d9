//go:build cgo

package frameqltest_test

import (
	"database/sql"
	"fmt"
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/compile"
	. "assay/backend/frameql/frameqltest"
)

// engine is a DuckDB whose tables are replaced for every world.
type engine struct{ db *sql.DB }

func openEngine(t testing.TB) *engine {
	t.Helper()
	db, err := sql.Open("duckdb", "?"+compile.DuckDBConfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("SET threads = 1"); err != nil {
		t.Fatal(err)
	}
	return &engine{db}
}

// load makes the tables of a world the only ones.
func (e *engine) load(w *World) error {
	script := "DROP SCHEMA IF EXISTS world CASCADE; CREATE SCHEMA world; USE world;\n" + w.Script("duckdb")
	if _, err := e.db.Exec(script); err != nil {
		return fmt.Errorf("%w\n%s", err, script)
	}
	return nil
}

// run gives the result of a statement as cells.
func (e *engine) run(statement string) (*Result, error) {
	rows, err := e.db.Query(statement)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	result := &Result{}
	if result.Columns, err = rows.Columns(); err != nil {
		return nil, err
	}
	for rows.Next() {
		cells := make([]any, len(result.Columns))
		into := make([]any, len(cells))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		for i, c := range cells {
			if cells[i], err = cellOf(c); err != nil {
				return nil, err
			}
		}
		result.Rows = append(result.Rows, cells)
	}
	return result, rows.Err()
}

func cellOf(c any) (any, error) {
	switch x := c.(type) {
	case nil, string, bool:
		return x, nil
	case int64:
		return Whole(x), nil
	case int32:
		return Whole(int64(x)), nil
	case int16:
		return Whole(int64(x)), nil
	case int8:
		return Whole(int64(x)), nil
	case uint64:
		return Digits(fmt.Sprint(x)), nil
	case *big.Int:
		return Digits(x.String()), nil
	case float32:
		return Float(float64(x)), nil
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Sprint(x), nil
		}
		return Float(x), nil
	case duckdb.Decimal:
		unscaled := new(big.Rat).SetInt(x.Value)
		return Number{Value: unscaled.Quo(unscaled, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(x.Scale)), nil)))}, nil
	case time.Time:
		return x.UTC(), nil
	}
	return nil, fmt.Errorf("no cell: %T %v", c, c)
}
