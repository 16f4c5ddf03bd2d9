package interpret

// readAmount reads "how much did customers in France spend": it asks for a number, but names none. The likely ones are
// asked back; a list of the customers would be an answer to another question.
func readAmount(d *draft) {
	if len(d.measures) > 0 || d.listing || d.doubt != "" || !d.asksAmount() {
		return
	}
	d.doubt = doubtAmount
	for i := range d.pieces {
		if es := d.entities(i); len(es) > 0 {
			d.take(i, "entity", es[0].name())
		}
	}
}

// asksAmount says whether "how much" stands in the question.
func (d *draft) asksAmount() bool {
	for i := 1; i < len(d.tokens); i++ {
		if d.tokens[i-1].norm == "how" && d.tokens[i].norm == "much" {
			return true
		}
	}
	return false
}
