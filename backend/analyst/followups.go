package analyst

import (
	"context"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/semantic"
	"assay/backend/session"
)

const (
	followupsShown   = 3
	readingsTried    = 16  // questions that are read to find what to offer
	certainToFollow  = 0.7 // confidence under which a proposal is dropped
	longestNextWords = 160 // bytes; a longer question is nothing to click on
)

// proposal is a question that may come next: the query that it means, and words for it.
type proposal struct {
	title    string
	question string // empty: the query's own words
	query    *frameql.Query
}

// followups proposes what may be asked next. Where no row was found: the same without the condition that is to blame. Else
// what goes further in the area just explored, and one question about another area where the model leads there or after several in this one. Each
// was read as if it had been asked, resolved, and came to what it means before it is offered.
func (r *run) followups(ctx context.Context) []session.Followup {
	o := offers{run: r, chosen: []session.Followup{}}
	s := r.subject()
	if empty(r.answer.Frame) {
		o.take(ctx, followupsShown-1, r.relaxedQuestions())
	}
	further := []func(subject) []proposal{r.otherBreakdown, r.overTime, r.topOf, r.within, r.periodBefore}
	for _, propose := range further {
		if len(o.chosen) < followupsShown-1 {
			o.take(ctx, 1, propose(s))
		}
	}
	o.take(ctx, 1, r.across(ctx, s))
	for _, propose := range append(further, r.siblings, r.everything) {
		o.take(ctx, 1, propose(s))
	}
	return o.chosen
}

// offers gathers the proposals that hold.
type offers struct {
	*run
	chosen   []session.Followup
	queries  []string // canonical, of what was chosen
	readings int
}

// take chooses up to n of the proposals.
func (o *offers) take(ctx context.Context, n int, all []proposal) {
	for _, p := range all {
		if n == 0 || len(o.chosen) == followupsShown || o.readings >= readingsTried || ctx.Err() != nil {
			return
		}
		plan := frameql.Try(p.query, o.env)
		if plan == nil {
			continue
		}
		canonical := plan.Query.String()
		if canonical == o.plan.Query.String() || slices.Contains(o.queries, canonical) {
			continue
		}
		if question, ok := o.words(p, plan); ok {
			o.chosen = append(o.chosen, session.Followup{Title: p.title, Question: question})
			o.queries = append(o.queries, canonical)
			n--
		}
	}
}

// words finds words for a proposal that are read as what it means.
func (o *offers) words(p proposal, want *frameql.Plan) (string, bool) {
	for _, question := range append([]string{p.question}, o.knowledge.Index.Wordings(want.Query)...) {
		if question == "" || len(question) > longestNextWords {
			continue
		}
		o.readings++
		if o.readsAs(question, want) {
			return question, true
		}
	}
	return "", false
}

// readsAs asks a question in this conversation and says whether it comes to a plan.
func (r *run) readsAs(question string, want *frameql.Plan) bool {
	result := r.knowledge.Index.Read(interpret.Request{
		Question: question, Env: r.env, NowFromData: r.fromData, Asked: r.stored.Asked, Corrections: meant(r.known), Bare: true,
		History: interpret.History{Turns: []interpret.Turn{{Turn: r.answer.Turn, Query: r.plan.Query}}},
	})
	reading := result.Reading
	if reading == nil || result.Clarify != nil || len(reading.Unread) > 0 || reading.Confidence < certainToFollow {
		return false
	}
	plan := frameql.Try(reading.Query, r.env)
	return plan != nil && sameAnswer(r.knowledge.Model, plan, want)
}

// sameAnswer says whether two plans show the same numbers of the same members of the same rows.
func sameAnswer(m *semantic.Model, a, b *frameql.Plan) bool {
	if a.Query.String() == b.Query.String() {
		return true
	}
	if a.Listing || b.Listing || a.Query.Having != nil || b.Query.Having != nil || len(a.Comparands)+len(b.Comparands) > 0 {
		return false // only the same text is sure
	}
	return slices.Equal(metricsShown(a), metricsShown(b)) && samePeriod(a.Period, b.Period) && sameGrain(m, a.Grain, b.Grain) &&
		sameTop(a.Top, b.Top) && slices.Equal(filterTexts(a), filterTexts(b))
}

func metricsShown(p *frameql.Plan) []string {
	var all []string
	for _, c := range p.Columns {
		if c.Role == frameql.RoleMetric {
			all = append(all, c.Metric)
		}
	}
	return all
}

func sameTop(a, b *frameql.TopUse) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.N == b.N && a.Asc == b.Asc
}

func samePeriod(a, b *frameql.PeriodUse) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.From.Equal(b.From) && a.To.Equal(b.To) && (a.On == b.On || b.On == "")
}

// sameGrain says whether two grains have the same members. An entity's key and what its members are called by are the
// same here: the reader groups by the name.
func sameGrain(m *semantic.Model, a, b []frameql.GrainUse) bool {
	members := func(g frameql.GrainUse) string {
		entity, name, _ := strings.Cut(g.Dimension, ".")
		if e := m.Entity(entity); e != nil && (name == e.Display || len(e.Key) == 1 && name == e.Key[0]) {
			return entity
		}
		return g.Dimension
	}
	return slices.EqualFunc(a, b, func(x, y frameql.GrainUse) bool { return members(x) == members(y) && x.Grain == y.Grain })
}

func filterTexts(p *frameql.Plan) []string {
	var all []string
	for _, f := range p.Filters {
		all = append(all, f.Text)
	}
	slices.Sort(all)
	return all
}
