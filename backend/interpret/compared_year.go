package interpret

import (
	"slices"
	"strconv"
	"time"

	"assay/backend/interpret/timex"
	"assay/backend/text"
)

// shortestYear is less than any year: a part of a year is not one of the year that it is compared with.
const shortestYear = 360 * 24 * time.Hour

// sharedYear reads the period of a comparison that has no year beside one that has: "Q2 versus Q3 1997" are both of 1997, and
// "January 1997 compared with December" is the December before it.
func (d *draft) sharedYear(first, second int) {
	bare, dated := first, second
	if d.ownYear(first) {
		bare, dated = second, first
	}
	of := d.pieces[dated].period
	if d.ownYear(bare) || !d.ownYear(dated) || d.pieces[bare].period.Open || of.Open || of.To.Sub(of.From) >= shortestYear {
		return
	}
	for year := of.From.Year(); year >= of.From.Year()-1; year-- {
		said := d.written(bare)
		p, _, ok := timex.Read(said+" "+strconv.Itoa(year), d.env, timex.Whole)
		if !ok || p.Open || dated < bare && p.From.After(of.From) {
			continue
		}
		d.note(text.Say("interpret.assume_year_of", "phrase", said, "year", strconv.Itoa(year)))
		d.setPeriod(bare, p)
		return
	}
}

// ownYear says whether a period tells its year, or counts from today.
func (d *draft) ownYear(i int) bool { return d.ix.english.dated(d.written(i)) }

func (d *draft) setPeriod(i int, p period) {
	d.pieces = slices.Clone(d.pieces)
	read := *d.pieces[i]
	read.period = p
	d.pieces[i] = &read
}
