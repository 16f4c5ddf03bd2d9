package interpret

// whoInTable gives the column that the people of the only table are called by, where "who" at the head of a question asks for the one that stands
// first by a number: "who has the most reigns". nil: it asks for no one.
func (d *draft) whoInTable(top *ranking) *target {
	if d.ix.rowPlace() == nil || len(d.tokens) == 0 || d.tokens[0].norm != "who" || top.by.star || !d.ranksCount(top.word) && !d.is(top.word, rankPiece, "high", "low") {
		return nil
	}
	e := &d.ix.model.Entities[0]
	dim := d.ix.called(e, "person")
	if dim == nil {
		return nil
	}
	return &target{entity: e, dim: dim}
}
