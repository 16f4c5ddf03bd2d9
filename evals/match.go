// Package evals holds the questions that Assay is measured by, with hand-written SQL for the right rows, and the
// comparison of an answer's rows with them. README.md describes the files.
package evals

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// arrangements bounds how many assignments of answer columns to gold columns are tried. Only columns with equal values
// compete for a place, so that more than a few are rare.
const arrangements = 5000

// Match says whether an answer's rows are the gold rows, and if not, why.
//
//   - Every gold column must be found by its values among the answer's columns. Names and the order of columns do not
//     matter, and the answer may have more columns.
//   - The rows must be the same, each as often. Their order matters only when ordered is true.
//   - A cell is nil, bool, any Go number, json.Number or string. A string that reads as a number is one. Numbers are
//     equal when they round to the same four decimals, or differ by less than a part in 10^11: the sum of the same
//     floats depends on their order. A timestamp at midnight equals its date. NULL equals NULL and nothing else.
func Match(gold, got [][]any, ordered bool) (ok bool, why string) {
	if len(gold) != len(got) {
		return false, fmt.Sprintf("%d rows, want %d", len(got), len(gold))
	}
	if len(gold) == 0 {
		return true, "both empty"
	}
	wide, have := len(gold[0]), len(got[0])
	if have < wide {
		return false, fmt.Sprintf("%d columns, want at least %d", have, wide)
	}
	want, answer := canonical(gold, got)
	candidates := make([][]int, wide)
	for i := range wide {
		values := sortedColumn(want, i)
		for j := range have {
			if slices.Equal(values, sortedColumn(answer, j)) {
				candidates[i] = append(candidates[i], j)
			}
		}
		if len(candidates[i]) == 0 {
			return false, fmt.Sprintf("no column has the values of column %d: want %s", i+1, excerpt(values))
		}
	}
	rows := joined(want, identity(wide), ordered)
	tried := 0
	if arrange(candidates, nil, &tried, func(columns []int) bool {
		return slices.Equal(rows, joined(answer, columns, ordered))
	}) {
		return true, "equal"
	}
	if ordered {
		return false, "the columns match one by one, but the rows or their order do not"
	}
	return false, "the columns match one by one, but the rows do not"
}

// arrange tries the assignments of distinct answer columns to gold columns until one fits.
func arrange(candidates [][]int, chosen []int, tried *int, fits func([]int) bool) bool {
	if len(chosen) == len(candidates) {
		*tried++
		return fits(chosen)
	}
	for _, j := range candidates[len(chosen)] {
		if *tried > arrangements {
			return false
		}
		if !slices.Contains(chosen, j) && arrange(candidates, append(slices.Clone(chosen), j), tried, fits) {
			return true
		}
	}
	return false
}

// canonical gives both tables with every cell as a text that is equal exactly when the cells are equal.
func canonical(gold, got [][]any) (want, answer [][]string) {
	var numbers []float64
	for _, table := range [][][]any{gold, got} {
		for _, row := range table {
			for _, cell := range row {
				if v, ok := number(cell); ok {
					numbers = append(numbers, v)
				}
			}
		}
	}
	name := namesOfNumbers(numbers)
	table := func(rows [][]any) [][]string {
		out := make([][]string, len(rows))
		for i, row := range rows {
			for _, cell := range row {
				out[i] = append(out[i], canonicalCell(cell, name))
			}
		}
		return out
	}
	return table(gold), table(got)
}

func canonicalCell(cell any, name func(float64) string) string {
	if cell == nil {
		return "null"
	}
	if v, ok := number(cell); ok {
		return "number " + name(v)
	}
	return "text " + midnight.ReplaceAllString(fmt.Sprint(cell), "$1")
}

var (
	numeral  = regexp.MustCompile(`^-?\d+(\.\d+)?([eE][-+]?\d+)?$`)
	midnight = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[ T]00:00:00(\.0+)?$`)
)

// Number gives the number that a cell holds; ok is false for anything else.
func Number(cell any) (v float64, ok bool) { return number(cell) }

func number(cell any) (float64, bool) {
	switch v := cell.(type) {
	case int:
		return float64(v), true
	case int32:
		return float64(v), true
	case int64:
		return float64(v), true
	case float32:
		return float64(v), true
	case float64:
		return v, true
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case string:
		if s := strings.TrimSpace(v); numeral.MatchString(s) {
			f, err := strconv.ParseFloat(s, 64)
			return f, err == nil
		}
	}
	return 0, false
}

// namesOfNumbers gives equal numbers, in the sense of Match, the same text: neighbours in order are equal or begin a new
// name.
func namesOfNumbers(numbers []float64) func(float64) string {
	sort.Float64s(numbers)
	names := make(map[float64]string, len(numbers))
	for i, v := range numbers {
		name := strconv.FormatFloat(v, 'g', -1, 64)
		if i > 0 && near(numbers[i-1], v) {
			name = names[numbers[i-1]]
		}
		names[v] = name
	}
	return func(v float64) string { return names[v] }
}

func near(a, b float64) bool {
	const places, relative = 1e4, 1e-11
	return math.Round(a*places) == math.Round(b*places) || math.Abs(a-b) <= relative*math.Max(math.Abs(a), math.Abs(b))
}

func sortedColumn(rows [][]string, j int) []string {
	values := make([]string, len(rows))
	for i, row := range rows {
		if j < len(row) {
			values[i] = row[j]
		}
	}
	sort.Strings(values)
	return values
}

// joined gives one text per row of the chosen columns; sorted unless the order counts.
func joined(rows [][]string, columns []int, ordered bool) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for _, j := range columns {
			b.WriteString(strconv.Quote(row[j]))
			b.WriteByte(',')
		}
		out[i] = b.String()
	}
	if !ordered {
		sort.Strings(out)
	}
	return out
}

func identity(n int) []int {
	columns := make([]int, n)
	for i := range columns {
		columns[i] = i
	}
	return columns
}

func excerpt(values []string) string {
	if len(values) > 5 {
		return strings.Join(values[:5], ", ") + ", ..."
	}
	return strings.Join(values, ", ")
}
