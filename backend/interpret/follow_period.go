package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// patchPeriod is "but for Q2", "and last year?", "for all time": another period. A relative comparison stays.
func patchPeriod(p *patch) {
	during := p.c.query.Time
	if during == nil || p.u.cues["compare"] {
		return
	}
	if during.On == nil && p.query.Time != nil {
		during.On = p.query.Time.On
	}
	p.query.Time = during
	p.query.Compare = slices.DeleteFunc(p.query.Compare, func(c frameql.Comparand) bool { return c.Kind == "during" })
	p.draft.period, p.draft.on = nil, nil
	p.did(PatchPeriod)
}

// patchCompare is "compared to last year", "versus 1996": the same numbers beside those of another period.
func patchCompare(p *patch) {
	if !p.u.cues["compare"] {
		return
	}
	asked := p.draft.period
	if asked == nil || asked.Open || len(p.numbers) == 0 {
		p.broken = true
		return
	}
	c := frameql.Comparand{Kind: "during", Period: &asked.Asked}
	if asked.Asked.Kind == "previous" {
		switch {
		case p.query.Time == nil && p.axis() == "":
			p.broken = true // all of the data has no period before it
			return
		case asked.Asked.Unit == "year":
			c = frameql.Comparand{Kind: "same_period_last", Unit: "year"}
		case p.query.Time != nil && p.query.Time.Period.Unit == asked.Asked.Unit || p.axis() == "":
			c = frameql.Comparand{Kind: "previous_period"}
		default:
			c = frameql.Comparand{Kind: "previous", Unit: asked.Asked.Unit}
		}
	}
	p.query.Compare = []frameql.Comparand{c}
	p.draft.period, p.draft.on = nil, nil
	p.did(PatchCompare)
}

// axis gives the calendar unit that the query is split by; empty: none.
func (s *scene) axis() string {
	for _, i := range s.columns {
		if d := s.query.Select[i].Dim; d.Grain != "" {
			return d.Grain
		}
	}
	return ""
}
