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

// sharedYear gives the periods of a comparison years that belong together. One without a year takes it from the other: "Q2 versus Q3 1997" are
// both of 1997, and "January 1997 compared with December" is the December before it. Two without are the most recent ones that
// lie close to each other: "June compared with May".
func (d *draft) sharedYear(first, second int) {
	bare, dated := first, second
	if d.ownYear(first) {
		bare, dated = second, first
	}
	a, b := d.pieces[bare].period, d.pieces[dated].period
	if d.ownYear(bare) || a.Open || b.Open || b.To.Sub(b.From) >= shortestYear || a.To.Sub(a.From) >= shortestYear {
		return
	}
	if !d.ownYear(dated) {
		apart := a.From.Sub(b.From).Abs()
		if p, ok := d.inYear(bare, a.From.Year()-1); ok && p.From.Sub(b.From).Abs() < apart {
			d.setYear(bare, p)
		} else if p, ok := d.inYear(dated, b.From.Year()-1); ok && p.From.Sub(a.From).Abs() < apart {
			d.setYear(dated, p)
		}
		return
	}
	for year := b.From.Year(); year >= b.From.Year()-1; year-- {
		if p, ok := d.inYear(bare, year); ok && (bare < dated || !p.From.After(b.From)) {
			d.setYear(bare, p)
			return
		}
	}
}

// inYear reads a period again, of a year.
func (d *draft) inYear(i, year int) (period, bool) {
	p, _, ok := timex.Read(d.written(i)+" "+strconv.Itoa(year), d.env, timex.Whole)
	return p, ok && !p.Open
}

func (d *draft) setYear(i int, p period) {
	d.note(text.Say("interpret.assume_year_of", "phrase", d.written(i), "year", strconv.Itoa(p.From.Year())))
	p.Notes = nil
	d.pieces = slices.Clone(d.pieces)
	read := *d.pieces[i]
	read.period = p
	d.pieces[i] = &read
}

// ownYear says whether a period tells its year, or counts from today.
func (d *draft) ownYear(i int) bool { return d.ix.english.dated(d.written(i)) }
