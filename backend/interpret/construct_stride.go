package interpret

import (
	"cmp"
	"slices"
	"time"

	"assay/backend/frameql"
	"assay/backend/interpret/timex"
	"assay/backend/text"
)

// stridden says what a number is compared with by its distance: "vs the previous month", "compared to the year before". The
// distance counts from the period that is asked about, and from today only where none is.
type stridden struct {
	timex.Stride
	of    string  // "the same month last year" is about a month; empty: about as much as the stride
	other *period // as it was read, counted from today; nil: it has no reading of its own
}

// carried is how a stride is carried out.
type carried byte

const (
	uncarried carried = iota // it cannot be
	beside                   // by a comparand
	byRow                    // by the row before in the result
	bySplit                  // the period is cut into the units of the stride, and each is measured against the one before
)

// stepBack gives the comparand that lies a stride before a period whose rows are split by a calendar unit; "": they are not.
func stepBack(s stridden, main period, grain string) (frameql.Comparand, carried) {
	switch length := lengthAgainst(main, s.Stride); {
	case s.Unit == "":
		return frameql.Comparand{Kind: "previous_period"}, beside
	case main.From.IsZero() || main.To.IsZero():
		return frameql.Comparand{Kind: "same_period_last", Unit: s.Unit}, beside // refused where it is resolved, for all that it says
	case grain == s.Unit && s.N == 1 && length > 0:
		return frameql.Comparand{}, byRow
	case length == 0 && s.N == 1 && (grain != "" || s.other == nil || toDate(main.Asked)):
		return frameql.Comparand{Kind: "same_period_last", Unit: s.Unit}, beside
	case length == 0 && s.N == 1:
		return frameql.Comparand{Kind: "previous", Unit: s.Unit}, beside
	case length == 0:
		return frameql.Comparand{Kind: "previous_period"}, beside
	case length < 0 && s.N == 1:
		return frameql.Comparand{Kind: "same_period_last", Unit: s.Unit}, beside
	case length > 0 && s.other != nil && main.Relative: // "last year vs last month" are two periods of the present
		return frameql.Comparand{Kind: "during", Period: &s.other.Asked}, beside
	case length > 0 && s.N == 1 && grain == "" && steps[main.Grain][s.Unit] > 1:
		return frameql.Comparand{}, bySplit
	case length < 0:
		before := timex.Spanning(timex.Step(main.From, s.Unit, -s.N), main.From, "day")
		return frameql.Comparand{Kind: "during", Period: &before.Asked}, beside
	}
	return frameql.Comparand{}, uncarried
}

// toDate says whether a period is the part of a unit that is over.
func toDate(p frameql.Period) bool {
	return p.ToDay || slices.Contains([]string{"ytd", "qtd", "mtd", "wtd"}, p.Kind)
}

// lengthAgainst compares how long a period is with how far a stride goes: 1 where it is longer, 0 where they are alike. A
// period up to today is as long as its unit.
func lengthAgainst(main period, s timex.Stride) int {
	if main.From.IsZero() || main.To.IsZero() || s.Unit == "" {
		return 0
	}
	if main.Grain == s.Unit && s.N == 1 && !main.To.After(timex.Step(main.From, s.Unit, 1)) {
		return 0
	}
	return main.To.Compare(timex.Step(main.From, s.Unit, s.N))
}

// finishStride carries out a comparison by distance.
func (d *draft) finishStride() {
	s := *d.stride
	grain := d.timeGrain()
	switch {
	case d.period == nil && s.Unit == "":
		d.invalid = true
		return
	case d.period == nil && grain != "" && steps[s.Unit][grain] > 0 && d.alongAlone(s, grain):
		d.besideRows(s.N * steps[s.Unit][grain])
		return
	case d.period == nil && s.N > 1:
		d.invalid = true
		return
	case d.period == nil:
		d.period = d.thisFar(cmp.Or(s.of, s.Unit))
	}
	against, how := stepBack(s, *d.period, grain)
	switch how {
	case beside:
		d.against = &against
		d.setBeside("")
		d.noteStride(against)
	case bySplit:
		d.groups = append(d.groups, slot{piece: -1, grain: s.Unit})
		d.besideRows(1)
	case byRow:
		d.besideRows(1)
	default:
		d.invalid = true
	}
}

// alongAlone says whether rows without a period are each measured against an earlier row: "by month vs the previous month". Beside a
// longer unit they are those of the present one: "by month vs last year".
func (d *draft) alongAlone(s stridden, grain string) bool { return s.N == 1 && s.Unit == grain }

// besideRows shows each number with the one n rows before and with the difference.
func (d *draft) besideRows(n int) {
	d.setBeside("")
	for k := range d.measures {
		if l := d.measures[k].layer; l != nil && n > 1 {
			l.n = n
		}
	}
}

// noteStride says which period was taken where the words leave it open: "March 1997 vs the previous year" is March of it.
func (d *draft) noteStride(c frameql.Comparand) {
	if c.Kind == "same_period_last" && d.stride.other != nil && d.stride.other.Grain != d.period.Grain {
		d.note(text.Say("interpret.assume_same_part", "unit", c.Unit, "period", d.period.Words()))
	}
}

// thisFar is the present unit so far: what is asked about when only what it is compared with was named.
func (d *draft) thisFar(unit string) *period {
	p, _, ok := timex.Read("this "+unit, d.env, timex.Whole)
	if !ok {
		return &period{Asked: frameql.Period{Kind: "this", Unit: unit, ToDay: true}, Grain: unit, Relative: true}
	}
	p.Asked.ToDay, p.Relative = true, true
	p.To = midnight(d.env.Now).AddDate(0, 0, 1)
	return &p
}

func midnight(t time.Time) time.Time { return timex.Day(t.Year(), int(t.Month()), t.Day()) }
