package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// readDated reads the verb before a period where dates are years in a column of numbers: "opened in 1958", "models that
// launched between 2002 and 2004", "founded before 1850". A verb that names such a column chooses it; one that only says
// that something came to be is believed where there is but one year, called by no other name. Any other verb stays unread:
// the year may be that of another event.
func (d *draft) readDated(period int) {
	at := d.verbBefore(period)
	if at < 0 {
		return
	}
	verb := d.tokens[d.pieces[at].to-1].norm
	owners := d.doers(at)
	for _, e := range owners {
		for i := range e.Dimensions {
			dim := &e.Dimensions[i]
			said := slices.ContainsFunc(d.pieces[at].names, func(t target) bool {
				return t.dim == dim && (t.stands || d.is(at, namePiece, saidOtherwise)) // "set up", "born"
			})
			if isYear(dim) && (said || namesVerb(dim, verb)) {
				d.years = append(d.years, target{entity: e, dim: dim})
			}
		}
	}
	switch {
	case len(d.years) == 1:
		d.take(at, "time", d.years[0].name())
	case len(d.years) == 0 && d.ix.isEvent(verb) && slices.ContainsFunc(owners, onlyYear):
		d.take(at, connects, "")
	default:
		d.years = nil
	}
}

// verbBefore gives the free piece before a period that may be its verb, over glue and over values between them: "conferred
// at San Jose State University in 2000"; -1: none.
func (d *draft) verbBefore(period int) int {
	for i := period - 1; d.free(i) || i >= 0 && d.uses[i].slot == connects; i-- {
		switch p := d.pieces[i]; {
		case p.kind == gluePiece, p.kind == stopPiece, d.uses[i].slot == connects:
		case p.kind == namePiece && len(d.values(i)) == len(p.names):
		case p.kind == unknownPiece && p.to == p.from+1, p.kind == namePiece && p.to == p.from+1 && len(d.names(i, isYearTarget)) > 0,
			p.kind == namePiece && len(d.names(i, func(t target) bool { return isYearTarget(t) && t.stands })) > 0:
			return i
		default:
			return -1
		}
	}
	return -1
}

// doers gives what the noun before a piece may stand for.
func (d *draft) doers(at int) (out []*semantic.Entity) {
	for i := at - 1; i >= 0; i-- {
		p := d.pieces[i]
		if p.kind == gluePiece || p.kind == stopPiece {
			continue
		}
		if p.kind != namePiece {
			return nil
		}
		for _, t := range p.names {
			e := t.entity
			if t.metric != nil {
				e = d.ix.model.Entity(t.metric.Entity)
			}
			if e != nil && !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
		return out
	}
	return nil
}

// isYear says whether a dimension holds years as numbers: its name says so, or is a verb in the past ("founded").
func isYear(dim *semantic.Dimension) bool {
	ws := words(dim.Name)
	if !dim.Type.Numeric() && dim.Type != semantic.Text {
		return false
	}
	return slices.Contains(ws, "year") || len(ws) == 1 && strings.HasSuffix(ws[0], "ed") && dim.Type.Numeric()
}

func isYearTarget(t target) bool { return isDimension(t) && isYear(t.dim) }

// onlyYear says whether an entity has one year, of no other name, and no date.
func onlyYear(e *semantic.Entity) bool {
	n := 0
	for i := range e.Dimensions {
		switch dim := &e.Dimensions[i]; {
		case dim.Type.Temporal():
			return false
		case isYear(dim) && len(words(dim.Name)) > 1:
			return false
		case isYear(dim):
			n++
		}
	}
	return n == 1
}

// namesVerb says whether a verb is a form of a word in the name of a dimension: "opened" for open_year and opening_year.
func namesVerb(dim *semantic.Dimension, verb string) bool {
	return slices.ContainsFunc(words(dim.Name), func(w string) bool { return w != "year" && verbStem(w) == verbStem(verb) })
}

// isEvent says whether a verb only says that something came to be.
func (ix *Index) isEvent(verb string) bool {
	return ix.english.events[verb] || ix.english.events[strings.TrimPrefix(verbStem(verb), "~")]
}

// yearOf gives the dimension that the years of the period are in: the one that its verb names, else that of the rows.
func (d *draft) yearOf(rows *semantic.Entity) (string, *semantic.Dimension) {
	for _, t := range d.years {
		if d.ix.paths.reaches(rows.Name, t.entity.Name) {
			return dimensionName(t), t.dim
		}
	}
	return d.ix.yearOf(rows)
}
