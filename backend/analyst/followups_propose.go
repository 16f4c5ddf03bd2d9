package analyst

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"

	"github.com/jinzhu/inflection"
)

const (
	breakdownsTried = 8
	topMembers      = 10
	longestMember   = 60 // bytes of a member's name that is put into a question
)

// subject is what the proposals keep of the question: the metric and where it is looked at.
type subject struct {
	metric *semantic.Metric // nil: the model has none for what was asked
	where  *frameql.Pred
	time   *frameql.During
	plain  bool   // there are words for the conditions that read well
	values string // the filters in such words
	tail   string // the filters and the period
}

// subject finds a metric of the model to go on with: the first one shown, the one behind what was computed, or the count of what was listed.
func (r *run) subject() subject {
	q := r.plan.Query
	s := subject{metric: r.metricShown(), where: q.Where, time: q.Time, plain: true}
	for _, p := range frameql.Conjuncts(q.Where) {
		if p.Op != "eq" || p.Val == nil || p.Val.Kind != frameql.String {
			s.plain = false
			break
		}
		s.values += text.Say("analyst.next_filter", "value", p.Val.Text)
	}
	period := ""
	if q.Time != nil {
		period = nextPeriodWords(q.Time.Period)
		s.plain = s.plain && (period != "" || q.Time.Period.Kind == "all_time")
	}
	s.tail = s.values + period
	return s
}

func (r *run) metricShown() *semantic.Metric {
	m := r.knowledge.Model
	for _, c := range r.plan.Columns {
		if x := m.Metric(c.Metric); c.Role == frameql.RoleMetric && x != nil && !x.Hidden {
			return x
		}
	}
	for _, name := range r.plan.Metrics {
		if x := m.Metric(name); x != nil && !x.Hidden {
			return x
		}
	}
	for i := range m.Metrics {
		if x := &m.Metrics[i]; !x.Hidden && x.Leaf() && x.Entity == r.plan.Fact && x.Reducer == semantic.Count && x.Filter == "" {
			return x
		}
	}
	return nil
}

// words gives plain words for a question about the subject; empty when its conditions have none.
func (s subject) words(key string, args ...any) string {
	if !s.plain {
		return ""
	}
	return text.Say(key, append([]any{"metric", inText(s.metric.Label), "tail", s.tail}, args...)...)
}

// query asks for the subject's metric by some columns.
func (s subject) query(columns []frameql.Dim, at *frameql.Grain) *frameql.Query {
	q := &frameql.Query{V: 1, At: at, Where: s.where, Time: s.time}
	for i := range columns {
		q.Select = append(q.Select, frameql.Item{Dim: &columns[i]})
	}
	q.Select = append(q.Select, frameql.Item{Expr: &frameql.Expr{Metric: s.metric.Name}})
	return q
}

// breakdown is something to look by: a dimension, or an entity that stands for its members.
type breakdown struct {
	name  string // "entity.dimension"
	label string
	thing string // the entity; empty: a dimension
}

func (b breakdown) column() []frameql.Dim { return []frameql.Dim{{Name: b.name}} }

func (b breakdown) grain() *frameql.Grain {
	if b.thing == "" {
		return nil
	}
	return &frameql.Grain{Dims: []frameql.Dim{{Name: b.thing}}}
}

// otherBreakdown proposes the subject by a dimension that it was not looked at by, nearest first.
func (r *run) otherBreakdown(s subject) []proposal {
	if s.metric == nil {
		return nil
	}
	var all []proposal
	for _, b := range r.breakdowns() {
		all = append(all, proposal{
			title:    text.Say("analyst.next_by", "dimension", b.label),
			question: s.words("analyst.ask_by", "dimension", b.label),
			query:    s.query(b.column(), b.grain()),
		})
	}
	return all
}

// breakdowns are what the fact reaches and is not in use: first the members of the things around it, then what has
// values of its own, the nearest first each.
func (r *run) breakdowns() []breakdown {
	m := r.knowledge.Model
	var things, attributes []breakdown
	for _, e := range reached(m, r.plan.Fact) {
		for i := range e.Dimensions {
			d := &e.Dimensions[i]
			name := e.Name + "." + d.Name
			if d.Type != semantic.Text || d.PII != "" || r.lookedAtBy(name) {
				continue
			}
			switch {
			case d.Name == e.Display && len(e.Key) == 1:
				if e.Name != r.plan.Fact && !r.lookedAtBy(e.Name+"."+e.Key[0]) {
					things = append(things, breakdown{name: name, label: inText(e.Label), thing: e.Name})
				}
			case d.FromData || len(d.Values) > 0:
				attributes = append(attributes, breakdown{name: name, label: inText(d.Label)})
			}
		}
	}
	things = append(things, attributes...)
	return things[:min(len(things), breakdownsTried)]
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

// overTime proposes the subject as a series, at a grain that gives the period a few points.
func (r *run) overTime(s subject) []proposal {
	on := timeOf(r.plan, r.knowledge.Model)
	if s.metric == nil || on == "" || slices.ContainsFunc(r.plan.Grain, func(g frameql.GrainUse) bool { return g.Grain != "" || g.Dimension == on }) {
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
	unit := entry("analyst.unit_", grain)
	return []proposal{{
		title:    text.Say("analyst.next_by", "dimension", unit),
		question: s.words("analyst.ask_by", "dimension", unit),
		query:    s.query([]frameql.Dim{{Name: on, Grain: grain}}, nil),
	}}
}

// topOf proposes the top members of a long list.
func (r *run) topOf(s subject) []proposal {
	if s.metric == nil || r.plan.Listing || r.plan.Top != nil || len(r.plan.Grain) != 1 || r.plan.Grain[0].Grain != "" || len(r.answer.Frame.Rows) <= topMembers {
		return nil
	}
	member := r.plan.Grain[0].Dimension
	entity, dimension, _ := strings.Cut(member, ".")
	columns, grain := []frameql.Dim{{Name: member}}, (*frameql.Grain)(nil)
	if e := r.knowledge.Model.Entity(entity); e != nil && len(e.Key) == 1 && e.Key[0] == dimension && e.Display != "" {
		columns, grain, member = []frameql.Dim{{Name: entity + "." + e.Display}}, &frameql.Grain{Dims: []frameql.Dim{{Name: entity}}}, entity
	}
	q := s.query(columns, grain)
	q.Top = &frameql.Top{N: topMembers, Dim: frameql.Dim{Name: member}, By: frameql.Key{Expr: &frameql.Expr{Metric: s.metric.Name}}}
	return []proposal{{
		title:    text.Say("analyst.next_top", "n", topMembers),
		question: s.words("analyst.ask_top", "n", topMembers, "members", inflection.Plural(grainWords(r.knowledge.Model, r.plan.Grain[0]))),
		query:    q,
	}}
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

// within proposes to look into the first member that is shown: by something else, for it alone.
func (r *run) within(s subject) []proposal {
	f := r.answer.Frame
	if s.metric == nil || len(r.plan.Grain) != 1 || len(f.Rows) < 2 {
		return nil
	}
	column := slices.IndexFunc(f.Columns, func(c frameql.Column) bool {
		return c.Role == frameql.RoleDimension && c.Dimension != "" && c.Type == "text"
	})
	if column < 0 {
		return nil
	}
	member, isText := f.Rows[0][column].(string)
	if d := r.knowledge.Model.Dimension(f.Columns[column].Dimension); !isText || member == "" || len(member) > longestMember || d == nil || d.PII != "" {
		return nil
	}
	here := &frameql.Pred{Dim: f.Columns[column].Dimension, Op: "eq", Val: &frameql.Value{Kind: frameql.String, Text: member}}
	s.where = frameql.AllOf(append(slices.Clone(frameql.Conjuncts(s.where)), here))
	s.tail = text.Say("analyst.next_filter", "value", member) + s.tail
	var all []proposal
	for _, b := range r.breakdowns() {
		all = append(all, proposal{
			title:    text.Say("analyst.next_within", "member", member, "dimension", b.label),
			question: s.words("analyst.ask_by", "dimension", b.label),
			query:    s.query(b.column(), b.grain()),
		})
	}
	return all[:min(len(all), 2)]
}

// periodBefore proposes the same for the year, quarter or month before, when the data has it.
func (r *run) periodBefore(s subject) []proposal {
	if s.metric == nil || r.plan.Period == nil || len(r.plan.Grain) > 1 || r.plan.Top != nil || r.plan.Limit != nil {
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
	s.time = &frameql.During{Period: literal, On: r.plan.Query.Time.On}
	s.tail = s.values + nextPeriodWords(literal)
	question := s.words("analyst.ask_total")
	if len(r.plan.Grain) == 1 {
		question = s.words("analyst.ask_by", "dimension", grainWords(r.knowledge.Model, r.plan.Grain[0]))
	}
	return []proposal{{title: text.Say("analyst.next_period", "period", nextPeriodWords(literal)), question: question, query: s.sameGrain(r.plan.Query)}}
}

// sameGrain asks for the subject's metric by what a query shows it by.
func (s subject) sameGrain(q *frameql.Query) *frameql.Query {
	var columns []frameql.Dim
	for _, i := range q.Select {
		if i.Dim != nil {
			columns = append(columns, *i.Dim)
		}
	}
	return s.query(columns, q.At)
}

// hasData says whether the data of the plan's time reaches into a period.
func (r *run) hasData(p frameql.PeriodUse) bool {
	if r.knowledge.Coverage == nil {
		return false
	}
	first, last, ok := r.knowledge.Coverage(timeOf(r.plan, r.knowledge.Model))
	return ok && p.From.Before(midnight(last).AddDate(0, 0, 1)) && p.To.After(first)
}
