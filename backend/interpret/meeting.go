package interpret

import "assay/backend/semantic"

// meeting gives the members that the question names and that both its rows and other rows lead to: for rivers and borders the provinces
// of "rivers in the provinces that border Aster". A condition on the other rows is one on those of the same member. nil: there are none.
func (d *draft) meeting(rows, others *semantic.Entity) *semantic.Entity {
	paths := d.ix.paths
	if paths.reaches(rows.Name, others.Name) || paths.reaches(others.Name, rows.Name) {
		return nil
	}
	for i := range d.pieces {
		for _, t := range d.pieceEntities(i) {
			if t.score >= scoreFaint && t.entity != rows && t.entity != others && paths.reaches(rows.Name, t.entity.Name) && paths.reaches(others.Name, t.entity.Name) {
				return t.entity
			}
		}
	}
	return nil
}
