package interpret

// readEach reads "the name and grade of each student": attributes of the members themselves, one row a member. Nothing is
// added up or averaged, because there is one value for each.
func readEach(d *draft) {
	if len(d.measures) > 0 || len(d.having) > 0 || len(d.groups) != 1 || d.top != nil || d.trend || d.listing || d.doubt != "" {
		return
	}
	s := d.groups[0]
	if s.piece < 0 || s.grain != "" || len(s.options) == 0 || !isEntity(s.options[0]) || !d.is(s.piece-1, groupPiece, "each") {
		return
	}
	owner := s.options[0].entity
	var columns []slot
	for i := range d.pieces {
		if d.is(i, aggregatePiece) && d.free(i) {
			return
		}
		if !d.free(i) || d.pieces[i].kind != namePiece || len(d.values(i)) > 0 {
			continue
		}
		own := d.names(i, func(t target) bool { return isDimension(t) && t.entity == owner })
		if len(own) == 0 {
			return
		}
		columns = append(columns, slot{piece: i, options: own, near: owner})
	}
	if len(columns) == 0 && !isListing(d) { // "all the information about each player"
		return
	}
	d.groups, d.columns, d.listing, d.subject = nil, columns, true, &s
	for _, c := range columns {
		d.take(c.piece, "dimension", c.options[0].name())
	}
}
