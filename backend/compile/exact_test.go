//go:build cgo

package compile

import (
	"database/sql"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"
)

// drawnColumn is a column of a drawn table, with its values in their last places.
type drawnColumn struct {
	Number
	scale  int
	values []*big.Int
}

const drawnRows = 6

// drawColumn gives a column whose values lie at the ends of what their type holds, or of less, and at 0.
func drawColumn(r *rand.Rand) drawnColumn {
	c := drawnColumn{Number: Number{Type: []string{"INTEGER", "BIGINT"}[r.IntN(2)]}}
	if r.IntN(3) > 0 {
		width := []int{1, 3, 4, 7, 9, 10, 15, 18, 19, 27, 38}[r.IntN(11)]
		c.scale = r.IntN(min(width, 7) + 1)
		c.Type = fmt.Sprintf("DECIMAL(%d,%d)", width, c.scale)
	}
	unmeasured, _ := c.bounded()
	most, least := new(big.Int).Set(unmeasured.most), new(big.Int).Set(unmeasured.least)
	if r.IntN(3) > 0 { // the values are smaller than their type
		end := powerOf10(1 + r.IntN(min(unmeasured.width, 12)))
		most, least = smaller(most, end), larger(least, new(big.Int).Neg(end))
	}
	if r.IntN(3) == 0 {
		least = big.NewInt(0)
	}
	for range drawnRows {
		ends := []*big.Int{least, most, big.NewInt(0), new(big.Int).Div(most, big.NewInt(1+r.Int64N(1000)))}
		c.values = append(c.values, ends[r.IntN(len(ends))])
	}
	if r.IntN(4) > 0 {
		low, high := c.values[0], c.values[0]
		for _, v := range c.values {
			low, high = smaller(low, v), larger(high, v)
		}
		c.Least, c.Most = pointed(low, c.scale), pointed(high, c.scale)
	}
	return c
}

// drawExpr gives an expression over the columns, and its value in each row.
func drawExpr(r *rand.Rand, columns []drawnColumn, depth int) (*Scalar, []*big.Rat) {
	if depth == 0 || r.IntN(6) == 0 {
		if r.IntN(4) == 0 {
			text := []string{"0", "1", "2", "100", "0.5", "1.00", "2147483647", "4000000000", "9223372036854775807"}[r.IntN(9)]
			value, _ := new(big.Rat).SetString(text)
			return &Scalar{Op: "num", Text: text}, drawnValues(func(int) *big.Rat { return value })
		}
		i := r.IntN(len(columns))
		c := &columns[i]
		return &Scalar{Op: "ref", Text: fmt.Sprintf("c%d", i), Number: &c.Number}, drawnValues(func(row int) *big.Rat {
			return new(big.Rat).SetFrac(c.values[row], powerOf10(c.scale))
		})
	}
	a, x := drawExpr(r, columns, depth-1)
	switch r.IntN(8) {
	case 0:
		return &Scalar{Op: "neg", Args: []*Scalar{a}}, drawnValues(func(row int) *big.Rat { return new(big.Rat).Neg(x[row]) })
	case 1:
		return &Scalar{Op: "call", Text: "abs", Args: []*Scalar{a}}, drawnValues(func(row int) *big.Rat { return new(big.Rat).Abs(x[row]) })
	}
	b, y := drawExpr(r, columns, depth-1)
	if r.IntN(8) == 0 {
		compared := &Scalar{Op: "<", Args: []*Scalar{{Op: "ref", Text: "row"}, {Op: "num", Text: "3"}}}
		return &Scalar{Op: "case", Args: []*Scalar{compared, a, b}, HasElse: true}, drawnValues(func(row int) *big.Rat {
			if row < 3 {
				return x[row]
			}
			return y[row]
		})
	}
	op := []string{"+", "-", "*", "*"}[r.IntN(4)]
	return &Scalar{Op: op, Args: []*Scalar{a, b}}, drawnValues(func(row int) *big.Rat {
		switch op {
		case "+":
			return new(big.Rat).Add(x[row], y[row])
		case "-":
			return new(big.Rat).Sub(x[row], y[row])
		}
		return new(big.Rat).Mul(x[row], y[row])
	})
}

func drawnValues(of func(row int) *big.Rat) []*big.Rat {
	all := make([]*big.Rat, drawnRows)
	for row := range all {
		all[row] = of(row)
	}
	return all
}

// TestExactArithmetic draws expressions over numbers at the ends of what their types hold. Each is right to the last
// digit, and in 64 bits where its parts fit there. Only what may have more than 38 digits may fail, and then DuckDB
// says so.
func TestExactArithmetic(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	r := rand.New(rand.NewPCG(28, 4))
	ran, narrowly := 0, 0
	for range 60 {
		columns := make([]drawnColumn, 5)
		fields, types := [drawnRows][]string{}, []string{"row INTEGER"}
		for i := range columns {
			columns[i] = drawColumn(r)
			types = append(types, fmt.Sprintf("c%d %s", i, columns[i].Type))
		}
		var rows []string
		for row := range fields {
			fields[row] = []string{fmt.Sprint(row)}
			for _, c := range columns {
				fields[row] = append(fields[row], "CAST('"+pointed(c.values[row], c.scale)+"' AS "+c.Type+")")
			}
			rows = append(rows, "("+strings.Join(fields[row], ", ")+")")
		}
		for _, s := range []string{
			"CREATE OR REPLACE TABLE drawn (" + strings.Join(types, ", ") + ")", "INSERT INTO drawn VALUES " + strings.Join(rows, ", "),
		} {
			if _, err := db.Exec(s); err != nil {
				t.Fatalf("%v\n%s", err, s)
			}
		}
		for range 30 {
			x, want := drawExpr(r, columns, 1+r.IntN(3))
			e, known := x.bounded()
			w := &writer{d: duckdb{}}
			written := w.expr(x, &block{items: []item{{alias: "d"}}}).sql
			got, engineType, err := drawnAnswer(db, written)
			switch {
			case err != nil && known && allWithin(x, widest):
				t.Fatalf("%v\n%s\n%s", err, written, strings.Join(types, ", "))
			case err != nil:
				continue
			}
			for row := range got {
				if value, ok := new(big.Rat).SetString(got[row]); !ok || value.Cmp(want[row]) != 0 {
					t.Fatalf("row %d: %s, want %s\n%s\n%s", row, got[row], want[row].FloatString(20), written, strings.Join(types, ", "))
				}
			}
			ran++
			if known && slices.Contains([]string{"+", "-", "*"}, x.Op) && e.bits == 0 && allWithin(x, narrow) && allNarrow(x) {
				narrowly++
				var width, scale int
				if _, err := fmt.Sscanf(engineType, "DECIMAL(%d,%d)", &width, &scale); err != nil || width > narrow {
					t.Fatalf("%s is of %d bits though %v to %v fit in 64\n%s", engineType, 128, e.least, e.most, written)
				}
			}
		}
	}
	if ran < 1000 || narrowly < 100 {
		t.Errorf("%d expressions gave a value, %d of them in 64 bits: too few to say something", ran, narrowly)
	}
}

// allWithin says whether every part of an expression has so many digits, as far as its parts are measured, places
// included.
func allWithin(x *Scalar, digits int) bool {
	return !x.any(func(p *Scalar) bool {
		if p.Op == "<" || p.Text == "row" {
			return false
		}
		e, ok := p.bounded()
		return !ok || !e.within(digits) || e.scale >= digits
	})
}

// allNarrow says whether DuckDB may hold every part in 64 bits: places that are lined up for a sum need digits, too.
func allNarrow(x *Scalar) bool {
	return !x.any(func(p *Scalar) bool {
		if p.Op != "+" && p.Op != "-" {
			return p.Op == "case" || p.Op == "call"
		}
		a, _ := p.Args[0].bounded()
		b, _ := p.Args[1].bounded()
		scale := max(a.scale, b.scale)
		return !a.at(scale).within(narrow) || !b.at(scale).within(narrow)
	})
}

func drawnAnswer(db *sql.DB, written string) (values []string, engineType string, err error) {
	rows, err := db.Query("SELECT CAST(" + written + " AS VARCHAR), typeof(" + written + ") FROM drawn AS d ORDER BY d.row")
	if err != nil {
		return nil, "", err
	}
	defer rows.Close()
	for rows.Next() {
		var value string
		if err := rows.Scan(&value, &engineType); err != nil {
			return nil, "", err
		}
		values = append(values, value)
	}
	return values, engineType, rows.Err()
}
