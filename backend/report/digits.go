package report

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"assay/backend/frameql"
	"assay/backend/frameview"
)

const mostDigits = 4

var (
	hundred    = big.NewRat(100, 1)
	plainFloat = frameql.Column{Type: "float"} // a number without a unit
)

// digitsFor is how many digits after the point a column shows: enough for its cells, two for money, four at most.
func digitsFor(c frameql.Column, rows [][]any, at int) int {
	switch {
	case c.Format == frameview.Percent:
		return percentDigits(rows, at)
	case c.Type == "integer":
		return 0
	case frameview.Money(c.Unit):
		return 2
	}
	digits, most := 0, mostDigits
	if c.Unit == "%" {
		most = 2
	}
	for _, row := range rows {
		digits = max(digits, fractionOf(plainNumber(row[at])))
	}
	return min(digits, most)
}

// percentDigits is one; more where a cell would be shown as nothing.
func percentDigits(rows [][]any, at int) int {
	digits := 1
	for _, row := range rows {
		r, ok := frameview.Number(row[at])
		if !ok || r.Sign() == 0 {
			continue
		}
		r.Mul(r, hundred)
		for digits < mostDigits && strings.Trim(r.FloatString(digits), "-0.") == "" {
			digits++
		}
	}
	return digits
}

// fractionOf counts the digits after the point of a number as it stands.
func fractionOf(number string) int {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	if strings.Trim(fraction, "0123456789") != "" {
		return 0
	}
	power, _ := strconv.Atoi(exponent)
	return max(0, len(fraction)-power)
}

// keysOf gives the cells of a column their places in its order, from 1: numbers by their value with all digits, dates and truth values by
// theirs. Equal cells share one. Nil: a reader orders it as words; 0: the cell is missing and stays last.
func keysOf(c frameql.Column, rows [][]any, at int) []int {
	var less func(a, b int) int
	switch {
	case frameview.Numeric(c):
		values := make([]number, len(rows))
		for i, row := range rows {
			values[i] = numberOf(row[at])
		}
		less = func(a, b int) int { return values[a].compare(values[b]) }
	case c.Type == "text" || c.Type == "json":
		return nil
	default:
		less = func(a, b int) int { return cmp.Compare(plainNumber(rows[a][at]), plainNumber(rows[b][at])) }
	}
	keys := make([]int, len(rows))
	var order []int
	for i, row := range rows {
		if row[at] != nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, less)
	for place, i := range order {
		switch {
		case place > 0 && less(order[place-1], i) == 0:
			keys[i] = keys[order[place-1]]
		default:
			keys[i] = place + 1
		}
	}
	return keys
}

// number is a cell in the order of numbers: minus infinity, numbers, infinity, and what is none.
type number struct {
	value *big.Rat
	rank  int
}

func numberOf(cell any) number {
	r, ok := frameview.Number(cell)
	switch {
	case ok:
		return number{r, 1}
	case cell == "-Infinity":
		return number{nil, 0}
	case cell == "Infinity":
		return number{nil, 2}
	}
	return number{nil, 3}
}

func (n number) compare(m number) int {
	if n.rank != m.rank || n.rank != 1 {
		return cmp.Compare(n.rank, m.rank)
	}
	return n.value.Cmp(m.value)
}
