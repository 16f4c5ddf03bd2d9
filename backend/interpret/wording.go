package interpret

import (
	"assay/backend/frameql"
	"assay/backend/semantic"
)

// Wordings says a query in the words in which the reader may read it back, the plainest first. Whether it does depends on everything that has such
// names, so whoever offers one reads it first.
func (ix *Index) Wordings(q *frameql.Query) []string {
	plain, full := ix.phrase(q, false), ix.phrase(q, true)
	if plain == full {
		return []string{plain}
	}
	return []string{plain, full}
}

// Prominent gives the metrics that a person may see, the likeliest to be asked for first.
func (ix *Index) Prominent() []*semantic.Metric { return ix.prominence() }

// RowsOf gives the entity whose rows a metric is made of; nil when it has none.
func (ix *Index) RowsOf(m *semantic.Metric) *semantic.Entity { return ix.base(m) }
