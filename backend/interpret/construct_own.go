package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// finishOwn drops a split by the very rows that an average is taken over: "average total due per order by territory" is one average for each territory,
// not one for each order.
func (d *draft) finishOwn() {
	if len(d.measures) != 1 || len(d.groups) == 0 || d.top != nil || len(d.having) > 0 {
		return
	}
	m := d.measures[0]
	rows := d.averagedOver(m)
	if rows == nil {
		return
	}
	d.groups = slices.DeleteFunc(d.groups, func(g slot) bool {
		own := g.piece > 0 && g.grain == "" && len(g.options) > 0 && isEntity(g.options[0]) && g.options[0].entity == rows && d.is(g.piece-1, groupPiece, "each")
		if own {
			d.take(g.piece, "entity", rows.Name)
			if d.doubt == doubtPer {
				d.doubt = ""
			}
		}
		return own
	})
}

// averagedOver gives the entity over whose rows, one by one, a number is averaged; nil when it is no such average.
func (d *draft) averagedOver(m measure) *semantic.Entity {
	if len(m.per) > 0 || len(m.options) == 0 {
		return nil
	}
	t := m.options[0]
	average := m.reduce == "avg" || m.reduce == "" && t.metric != nil && t.metric.Reducer == semantic.Avg
	if !average || t.metric != nil && !t.metric.Leaf() {
		return nil
	}
	return d.ix.rowsOf(t)
}
