package analyst

import (
	"context"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/semantic"
	"assay/backend/session"
	"assay/backend/text"

	"github.com/jinzhu/inflection"
)

const (
	followupsShown   = 3
	breakdownsTried  = 8
	topMembers       = 10
	certainToFollow  = 0.7 // confidence under which a proposal is dropped
	longestNextWords = 160 // bytes; a longer question is nothing to click on
)

// proposal is a question that may come next, with what it must come to when it is read.
type proposal struct {
	title, question string
	period          *frameql.PeriodUse // nil: none
	grain           []frameql.GrainUse // without column names
	top             int                // 0: none
}

// followups proposes what may be asked next: another breakdown, a series over time, the top members, the period before.
// Each was read by the reader and resolved, and came to what it means to ask, before it is offered.
func (r *run) followups(ctx context.Context) []session.Followup {
	chosen := []session.Followup{}
	about, ok := r.subject()
	if !ok {
		return chosen
	}
	for _, propose := range []func(subject) []proposal{r.otherBreakdown, r.overTime, r.topOf, r.periodBefore} {
		for _, p := range propose(about) {
			if len(chosen) == followupsShown || ctx.Err() != nil {
				return chosen
			}
			if r.holds(p, about) {
				chosen = append(chosen, session.Followup{Title: p.title, Question: p.question})
				break
			}
		}
	}
	return chosen
}

// subject is what the proposals keep of the question: the metric and where it is looked at.
type subject struct {
	metric *semantic.Metric
	tail   string // the filters and the period in words that the reader reads
	where  string // the filters alone
}

// subject finds a metric of the model to go on with: the first one shown, or the count of what was listed.
func (r *run) subject() (subject, bool) {
	var s subject
	m := r.knowledge.Model
	for _, c := range r.plan.Columns {
		if c.Role == frameql.RoleMetric {
			s.metric = m.Metric(c.Metric)
			break
		}
	}
	for i := range m.Metrics {
		if x := &m.Metrics[i]; r.plan.Listing && s.metric == nil && !x.Hidden && x.Leaf() && x.Entity == r.plan.Fact && x.Reducer == semantic.Count && x.Filter == "" {
			s.metric = x
		}
	}
	if s.metric == nil {
		return s, false
	}
	for _, p := range conjuncts(r.plan.Query.Where) {
		if p.Op != "eq" || p.Val == nil || p.Val.Kind != frameql.String {
			return s, false // no words that are sure to be read the same way
		}
		s.where += text.Say("analyst.next_filter", "value", p.Val.Text)
	}
	period := ""
	if q := r.plan.Query.Time; q != nil {
		if period = nextPeriodWords(q.Period); period == "" && q.Period.Kind != "all_time" {
			return s, false
		}
	}
	s.tail = s.where + period
	return s, true
}

// otherBreakdown proposes the subject by a dimension that it was not looked at by, nearest first.
func (r *run) otherBreakdown(s subject) []proposal {
	var all []proposal
	for _, d := range r.breakdowns() {
		all = append(all, proposal{
			title:    text.Say("analyst.next_by", "dimension", d.label),
			question: text.Say("analyst.ask_by", "metric", inText(s.metric.Label), "dimension", d.label, "tail", s.tail),
			period:   r.plan.Period,
			grain:    []frameql.GrainUse{{Dimension: d.name}},
		})
		if len(all) == breakdownsTried {
			break
		}
	}
	return all
}

// breakdown is something to look by: a dimension, or the key of an entity that stands for its members.
type breakdown struct{ name, label string }

// breakdowns are what the fact reaches and is not in use: first the members of the things around it, then what has
// values of its own, the nearest first each.
func (r *run) breakdowns() []breakdown {
	m := r.knowledge.Model
	var things, attributes []breakdown
	unused := func(to *[]breakdown, name, label string) {
		if !r.lookedAtBy(name) {
			*to = append(*to, breakdown{name, inText(label)})
		}
	}
	for _, e := range reached(m, r.plan.Fact) {
		for i := range e.Dimensions {
			d := &e.Dimensions[i]
			name := e.Name + "." + d.Name
			switch {
			case d.Type != semantic.Text || d.PII != "":
			case d.Name == e.Display && len(e.Key) == 1:
				if e.Name != r.plan.Fact && !r.lookedAtBy(name) {
					unused(&things, e.Name+"."+e.Key[0], e.Label)
				}
			case d.FromData || len(d.Values) > 0:
				unused(&attributes, name, d.Label)
			}
		}
	}
	return append(things, attributes...)
}

// lookedAtBy says whether a dimension is in the grain, in a column or in a filter.
func (r *run) lookedAtBy(name string) bool {
	return slices.ContainsFunc(r.plan.Grain, func(g frameql.GrainUse) bool { return g.Dimension == name }) ||
		slices.ContainsFunc(r.plan.Columns, func(c frameql.Column) bool { return c.Dimension == name }) ||
		slices.ContainsFunc(r.plan.Filters, func(f frameql.FilterUse) bool { return slices.Contains(f.Dimensions, name) })
}

// reached lists an entity and all that its joins lead to, nearest first.
func reached(m *semantic.Model, fact string) []*semantic.Entity {
	var all []*semantic.Entity
	for queue := []string{fact}; len(queue) > 0; queue = queue[1:] {
		e := m.Entity(queue[0])
		if e == nil || slices.Contains(all, e) {
			continue
		}
		all = append(all, e)
		for _, j := range m.JoinsFrom(e.Name) {
			queue = append(queue, j.To)
		}
	}
	return all
}

// grainWords says a dimension of the grain so that the reader reads it back: the key of an entity is the entity.
func grainWords(m *semantic.Model, g frameql.GrainUse) string {
	if g.Grain != "" {
		return entry("analyst.unit_", g.Grain)
	}
	entity, name, _ := strings.Cut(g.Dimension, ".")
	if e := m.Entity(entity); e != nil && len(e.Key) == 1 && e.Key[0] == name && e.Display != "" {
		return inText(e.Label)
	}
	return dimensionWords(g.Dimension, m)
}

// overTime proposes the subject as a series, at a grain that gives the period a few points.
func (r *run) overTime(s subject) []proposal {
	on := timeOf(r.plan, r.knowledge.Model)
	if on == "" || slices.ContainsFunc(r.plan.Grain, func(g frameql.GrainUse) bool { return g.Grain != "" || g.Dimension == on }) {
		return nil
	}
	grain := "month"
	if p := r.plan.Period; p != nil && !p.From.IsZero() && !p.To.IsZero() {
		switch days := p.To.Sub(p.From).Hours() / 24; {
		case days < 3:
			return nil
		case days < 120:
			grain = "day"
		}
	}
	return []proposal{{
		title:    text.Say("analyst.next_by", "dimension", entry("analyst.unit_", grain)),
		question: text.Say("analyst.ask_by", "metric", inText(s.metric.Label), "dimension", entry("analyst.unit_", grain), "tail", s.tail),
		period:   r.plan.Period,
		grain:    []frameql.GrainUse{{Dimension: on, Grain: grain}},
	}}
}

// topOf proposes the top members of a long list.
func (r *run) topOf(s subject) []proposal {
	if r.plan.Listing || r.plan.Top != nil || len(r.plan.Grain) != 1 || r.plan.Grain[0].Grain != "" || len(r.answer.Frame.Rows) <= topMembers {
		return nil
	}
	return []proposal{{
		title:    text.Say("analyst.next_top", "n", topMembers),
		question: text.Say("analyst.ask_top", "n", topMembers, "members", inflection.Plural(grainWords(r.knowledge.Model, r.plan.Grain[0])), "metric", inText(s.metric.Label), "tail", s.tail),
		period:   r.plan.Period,
		grain:    []frameql.GrainUse{{Dimension: r.plan.Grain[0].Dimension}},
		top:      topMembers,
	}}
}

// periodBefore proposes the same for the year, quarter or month before, when the data has it.
func (r *run) periodBefore(s subject) []proposal {
	if r.plan.Period == nil || len(r.plan.Grain) > 1 || r.plan.Top != nil || r.plan.Limit != nil {
		return nil
	}
	literal, ok := literalBefore(r.plan.Query.Time.Period)
	if !ok {
		return nil
	}
	before, refusal := frameql.ResolvePeriod(literal, r.env.Now, r.knowledge.Model)
	if refusal != nil || !r.hasData(before) {
		return nil
	}
	tail := s.where + nextPeriodWords(literal)
	question := text.Say("analyst.ask_total", "metric", inText(s.metric.Label), "tail", tail)
	if len(r.plan.Grain) == 1 {
		question = text.Say("analyst.ask_by", "metric", inText(s.metric.Label), "dimension", grainWords(r.knowledge.Model, r.plan.Grain[0]), "tail", tail)
	}
	return []proposal{{
		title: text.Say("analyst.next_period", "period", nextPeriodWords(literal)), question: question, period: &before, grain: r.plan.Grain,
	}}
}

// hasData says whether the data of the plan's time reaches into a period.
func (r *run) hasData(p frameql.PeriodUse) bool {
	if r.knowledge.Coverage == nil {
		return false
	}
	first, last, ok := r.knowledge.Coverage(timeOf(r.plan, r.knowledge.Model))
	return ok && p.From.Before(midnight(last).AddDate(0, 0, 1)) && p.To.After(first)
}

// holds reads a proposal as if it had been asked and says whether it comes to what it is meant to.
func (r *run) holds(p proposal, s subject) bool {
	if len(p.question) > longestNextWords {
		return false
	}
	result := r.knowledge.Index.Read(interpret.Request{Question: p.question, Env: r.env, NowFromData: r.fromData, Asked: r.stored.Asked})
	reading := result.Reading
	if reading == nil || result.Clarify != nil || len(reading.Unread) > 0 || reading.Confidence < certainToFollow {
		return false
	}
	plan, refusals := frameql.Resolve(reading.Query, r.env)
	if len(refusals) > 0 || !samePeriod(plan.Period, p.period) || !sameGrain(r.knowledge.Model, plan.Grain, p.grain) {
		return false
	}
	if (plan.Top == nil) != (p.top == 0) || plan.Top != nil && plan.Top.N != p.top {
		return false
	}
	shows := slices.ContainsFunc(plan.Columns, func(c frameql.Column) bool { return c.Role == frameql.RoleMetric && c.Metric == s.metric.Name })
	return shows && slices.Equal(filterTexts(plan), filterTexts(r.plan))
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
