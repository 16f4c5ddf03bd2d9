package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// tallied gives the column in which rows say how many of their kind each of them stands for: the count of a table of visits that has a row
// for each day. "The number of visits" is the sum of it then. nil: the rows are counted themselves, or a person declared their number.
func (ix *Index) tallied(e *semantic.Entity) *semantic.Dimension {
	if x := ix.counter(e); x != nil && !x.Inferred {
		return nil
	}
	own := ix.english.singulars(words(e.Name))
	var found *semantic.Dimension
	for i := range e.Dimensions {
		dim := &e.Dimensions[i]
		ws := ix.english.singulars(words(dim.Name))
		if len(ws) == 0 || !dim.Type.Numeric() || slices.Contains(e.Key, dim.Name) {
			continue
		}
		rest := ""
		switch {
		case slices.Contains(countWords, ws[len(ws)-1]):
			rest = strings.Join(ws[:len(ws)-1], " ")
		case slices.Contains(countWords, ws[0]):
			rest = strings.Join(ws[1:], " ")
		case slices.Equal(ws, own) && len(own) == 1 && dim.Measure && !ix.averaged(target{entity: e, dim: dim}) && !slices.Contains(worthWords, own[0]):
			// a table Staff with a column Staff: so many in each row
		default:
			continue
		}
		if rest != "" && rest != strings.Join(own, " ") {
			continue
		}
		if found != nil {
			return nil
		}
		found = dim
	}
	return found
}

var countWords = []string{"count", "cnt"}

// ofTallied gives the column that a plain number of rows is the sum of; nil when it is none.
func (ix *Index) ofTallied(m measure, t target) (*semantic.Entity, *semantic.Dimension) {
	if m.distinct || m.reduce != "" && m.reduce != "count" && (m.reduce != "sum" && len(m.per) == 0) {
		return nil, nil
	}
	e := ix.rowsOf(t)
	if e == nil || !m.star && (t.metric == nil || ix.counter(e) != t.metric) {
		return nil, nil
	}
	return e, ix.tallied(e)
}
