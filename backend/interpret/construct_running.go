package interpret

// readRunning reads running totals and moving windows: "cumulative revenue by month", "7 day moving average of orders",
// "rolling 3 month revenue".
func readRunning(d *draft) {
	for i := range d.pieces {
		switch {
		case !d.free(i):
		case d.is(i, layerPiece, "cumulative"):
			d.running = &layer{fn: "cumulative"}
			d.take(i, "metric", "cumulative")
		case d.is(i, layerPiece, "moving avg", "moving sum"):
			d.window(i)
		}
	}
}

// window reads the width of a moving window before or behind its word. One without a width is not guessed.
func (d *draft) window(i int) {
	at := i - 2
	if !d.is(at, numberPiece) || !d.is(at+1, grainPiece) {
		at = i + 1
		for d.is(at, gluePiece, "in") {
			at++
		}
	}
	if !d.is(at, numberPiece) || !d.is(at+1, grainPiece) || d.pieces[at+1].adverb {
		return
	}
	n := numeric(d.pieces[at].number)
	if n < 2 {
		return
	}
	d.running = &layer{fn: "moving", n: n, unit: d.pieces[at+1].id, mean: d.pieces[i].id == "moving avg"}
	if at > i && d.is(at+2, aggregatePiece, "avg", "sum") {
		d.running.mean = d.pieces[at+2].id == "avg"
		d.take(at+2, "aggregate", d.pieces[at+2].id)
	}
	d.take(i, "metric", d.pieces[i].id)
	width := d.pieces[at].number + " " + d.pieces[at+1].id
	d.take(at, "grain", width)
	d.take(at+1, "grain", width)
}

// finishRunning sets the running number beside the plain one, along the time that the rows are split by.
func (d *draft) finishRunning() {
	l := d.running
	if l == nil {
		return
	}
	if len(d.measures) == 0 || d.top != nil || d.listing || len(d.having) > 0 || d.share != nil || d.change != nil {
		d.invalid = true
		return
	}
	if d.timeGrain() == "" {
		if l.unit != "" {
			d.groups = append(d.groups, slot{piece: -1, grain: l.unit})
		} else {
			d.trend = true
		}
	}
	d.layered(*l)
}
