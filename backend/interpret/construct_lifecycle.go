package interpret

import "slices"

// lifecycle are verbs that say when somebody or something came, went or changed.
var lifecycle = []string{
	"joined", "registered", "signed", "subscribed", "unsubscribed", "hired", "born", "died", "created", "founded", "established", "opened", "closed", "left", "retired",
	"enrolled", "admitted", "launched", "graduated", "terminated", "resigned", "cancelled", "canceled", "expired", "activated", "churned", "onboarded",
}

// finishLifecycle asks back about a verb that says when members came or went, where they have no date: "how many users joined in 2021" is not answered
// by those who wrote something in 2021.
func (d *draft) finishLifecycle() {
	host := d.host()
	if d.period == nil || len(d.on) > 0 || len(d.years) > 0 || host == nil || d.ix.timeOf(nil, host) != "" {
		return
	}
	if name, year := d.ix.yearOf(host); year != nil {
		if owner, _, _ := cutName(name); owner == host.Name {
			return
		}
	}
	at := d.pieces[d.periodAt].from
	for k := max(0, at-3); k < at; k++ {
		if t := d.tokens[k]; slices.Contains(lifecycle, t.norm) && d.ix.recorded(t) == nil && d.leftOut(k) {
			d.doubt = doubtEvent
		}
	}
}

// leftOut says whether nothing reads a word of the question.
func (d *draft) leftOut(k int) bool {
	return !slices.ContainsFunc(d.pieces, func(p *piece) bool { return p.from <= k && k < p.to && p.kind != stopPiece && p.kind != gluePiece })
}
