package analyst

import (
	"slices"
	"strings"
	"time"

	"assay/backend/compile"
	"assay/backend/frameql"
)

// The codes of cells that look beyond the data: empty ones, and numbers of a window that begins before it.
const (
	outsideCoverage  = "outside_coverage"
	incompleteWindow = "incomplete_window"
)

// withEdges adds which cells look beyond the data: those that are empty for it, unless a division says why they are, and those of moving
// windows that hold fewer buckets than they should.
func (r *run) withEdges(f *frameql.Frame, known []frameql.Reason) []frameql.Reason {
	said := map[string][]int{}
	for _, reason := range known {
		said[reason.Column] = append(said[reason.Column], reason.Rows...)
	}
	for i, e := range r.plan.Edges() {
		if e == nil || i >= len(f.Columns) || e.Axis >= len(f.Columns) {
			continue
		}
		rows := map[string][]int{}
		for k, row := range f.Rows {
			at, ok := momentOf(row[e.Axis])
			switch {
			case !ok:
			case row[i] == nil && outside(e, at) && !slices.Contains(said[f.Columns[i].Name], k):
				rows[outsideCoverage] = append(rows[outsideCoverage], k)
			case row[i] != nil && at.Before(e.Whole):
				rows[incompleteWindow] = append(rows[incompleteWindow], k)
			}
		}
		for _, code := range []string{outsideCoverage, incompleteWindow} {
			if len(rows[code]) > 0 {
				known = append(known, frameql.Reason{Column: f.Columns[i].Name, Code: code, Rows: rows[code]})
			}
		}
	}
	return known
}

func outside(e *compile.Edges, at time.Time) bool {
	return at.Before(e.First) || !e.Last.IsZero() && at.After(e.Last)
}

// momentOf reads the start of a bucket, as a frame shows it.
func momentOf(cell any) (time.Time, bool) {
	s, isText := cell.(string)
	if !isText {
		return time.Time{}, false
	}
	for _, form := range []string{time.DateOnly, "2006-01-02T15:04:05"} {
		if at, err := time.Parse(form, strings.Replace(s, " ", "T", 1)); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}
