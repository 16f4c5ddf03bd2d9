package analyst

import (
	"cmp"
	"slices"

	"assay/backend/chart"
	"assay/backend/knowledge"
	"assay/backend/session"
)

// givenOf is what is kept of a request so that it can be asked again; its words are the question of its turn.
func givenOf(req Request, worded bool) session.Given {
	g := session.Given{
		As: session.AsQuestion, Memo: req.Memo, Mind: cmp.Or(req.Mind, session.Embedded), Criticality: req.Criticality, Asking: req.Asking, Confirm: req.Confirm, Level: req.Level,
		MaxRows: req.MaxRows, NoCache: req.NoCache, Explain: req.Explain, ContextDays: req.ContextDays,
	}
	if !req.Now.IsZero() {
		g.Now = &req.Now
	}
	switch {
	case req.SQL != "":
		g.As = session.AsSQL
	case req.FrameQL != "":
		g.As, g.Chart = session.AsFrameQL, req.Chart.Type
		if worded {
			g.FrameQL = req.FrameQL
		}
		if !req.Chart.Named {
			g.ChartWords = req.Chart.Words
		}
	}
	return g
}

// repeated is what a request knows of the turn that it asks again.
type repeated struct {
	requestID string
	made      *session.MadeBy        // what answered it then, and from when it counted; nil: it counts anew
	meant     []Remembered           // what the words of the question meant then
	prefers   []knowledge.Preference // of its person, that changed something of it
	agreed    []Remembered           // what it was looked at with
	taught    *Taught                // what it taught by its words alone; nil: nothing
	thinker   *Thinker               // replies that were recorded; nil: none were
	differs   []string               // where its query was something else than the question says; the question is not read again
	told      int                    // the days that the conversation before it was old, as it was told then
}

// askedAgain is the request that a turn came of, so that the same may come of it again: with the clock that it had.
func askedAgain(t session.Turn) Request {
	g := session.Given{As: session.AsQuestion}
	if t.Given != nil {
		g = *t.Given
	}
	req := Request{
		Memo: g.Memo, Criticality: g.Criticality, Asking: g.Asking, Confirm: g.Confirm, Level: g.Level, MaxRows: g.MaxRows, NoCache: g.NoCache, Explain: g.Explain,
		ContextDays: g.ContextDays, Mind: g.Mind, again: &repeated{requestID: t.RequestID, made: t.MadeBy, meant: recalledBy(t), prefers: preferredBy(t), agreed: agreedBy(t), taught: taughtBy(t)},
	}
	if t.MadeBy != nil {
		req.again.told = t.MadeBy.Outlived
	}
	if g.Now != nil {
		req.Now = *g.Now
	}
	switch {
	case g.As == session.AsSQL, t.Given == nil && slices.ContainsFunc(t.Trace, func(s session.Step) bool { return s.Name == "gate" }):
		req.SQL = t.Question
	case t.Worded:
		req.Question, req.FrameQL = t.Question, g.FrameQL
		if g.FrameQL == "" { // of a version that kept what came of it alone
			req.FrameQL = t.FrameQL
		}
	case g.As == session.AsFrameQL:
		req.FrameQL = t.Question
	default:
		req.Question = t.Question
	}
	if g.Chart != "" {
		req.Chart = chart.Asked{Type: g.Chart, Named: g.ChartWords == "", Words: g.ChartWords}
	}
	return req
}

// madeBy is what answers the request.
func (r *run) madeBy() *session.MadeBy {
	m := session.MadeBy{
		Program: r.a.deps.Version, Mind: r.thoughtBy(), Prompts: r.prompts, Rules: r.a.rules().Version(), Clock: r.env.Now, FromData: r.fromData, Context: listOf(r.context), Outlived: r.told,
	}
	if r.knowledge.Model != nil {
		m.Model = r.knowledge.Model.Version
	}
	return &m
}
