package profile

import (
	"context"
	"fmt"
	"strings"

	"assay/backend/semantic"
)

// head holds hashes of the leading rows, column by column. It can refute that a column determines another or that
// columns are unique; it can prove neither.
type head struct {
	columns [][]int64
	rows    int
}

// headCells bounds the cells that are fetched, whatever the width of the table.
const headCells = 400_000

func readHead(ctx context.Context, run Run, t *semantic.TableFacts, limit int) (*head, error) {
	return readHeadOf(ctx, run, t, quote(t.Table), limit)
}

// readHeadOf reads the head of whatever stands behind FROM.
func readHeadOf(ctx context.Context, run Run, t *semantic.TableFacts, from string, limit int) (*head, error) {
	h := &head{columns: make([][]int64, len(t.Columns))}
	if len(t.Columns) == 0 {
		return h, nil
	}
	limit = max(min(limit, headCells/len(t.Columns)), 200)
	terms := make([]string, len(t.Columns))
	for i := range t.Columns {
		// 53 bits survive every way that a frame may carry a number.
		terms[i] = fmt.Sprintf("CAST(hash(%s) >> 11 AS BIGINT)", quote(t.Columns[i].Column))
	}
	all, err := rows(ctx, run, fmt.Sprintf("SELECT %s FROM %s LIMIT %d", strings.Join(terms, ", "), from, limit), limit)
	if err != nil {
		return nil, err
	}
	h.rows = len(all)
	for i := range h.columns {
		h.columns[i] = make([]int64, len(all))
		for r := range all {
			h.columns[i][r] = asInt(all[r][i])
		}
	}
	return h, nil
}

// determines says whether equal values of column x always came with equal values of column y in the head.
func (h *head) determines(x, y int) bool {
	first := make(map[int64]int64, h.rows)
	for r, v := range h.columns[x] {
		w, seen := first[v]
		if !seen {
			first[v] = h.columns[y][r]
		} else if w != h.columns[y][r] {
			return false
		}
	}
	return true
}

// unique says whether no two rows of the head agree in all of the columns.
func (h *head) unique(columns ...int) bool {
	seen := make(map[[3]int64]bool, h.rows)
	for r := range h.rows {
		var k [3]int64
		for i, c := range columns {
			k[i] = h.columns[c][r]
		}
		if seen[k] {
			return false
		}
		seen[k] = true
	}
	return true
}
