package chart

import (
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// ForWith is For where a person prefers a type of chart, empty: none. It is drawn where the frame carries it well and the question wants no other one; preferred says whether it is, and would
// not be without that.
func ForWith(f *frameql.Frame, asked Asked, prefers string) (chart session.Chart, preferred bool) {
	chart = For(f, asked)
	if prefers == "" || asked.Named || prefers == chart.Type || chart.Type == None || chart.Type == BigNumber {
		return chart, false
	}
	if usual := For(f, Asked{}); usual.Type != chart.Type { // what is to be seen calls for it
		return chart, false
	}
	s, shown := frameview.ShapeOf(f), frameview.Members(f)
	if !suits(shown, s, prefers) {
		return chart, false
	}
	drawn := For(f, Asked{Type: prefers, Named: true})
	if drawn.Instead != "" || drawn.Type == chart.Type {
		return chart, false
	}
	drawn.Reason = text.Say("chart.preferred", "type", Name(prefers))
	return drawn, true
}

// suits says whether a type shows all that the usual one does: what is compared stays beside what it is compared with, a line goes through what has an order, and what adds up is cut into parts.
func suits(f *frameql.Frame, s frameview.Shape, typ string) bool {
	if typ == Table {
		return true
	}
	for _, i := range s.Numbers {
		if _, compares := frameview.ComparisonOf(f, i); compares {
			return false
		}
	}
	switch typ {
	case Line, Area:
		return s.Time >= 0 && (typ == Line || len(s.Numbers) == 1)
	case Bar:
		return len(s.Numbers) == 1 && (s.Time < 0 || distinct(f, s.Time) <= maxBars)
	case Pie, Scatter:
		return saysMore(f, s, typ)
	case Stacked, Grouped:
		return s.Time < 0 || distinct(f, s.Time) <= maxBars
	}
	return typ == Heatmap
}
