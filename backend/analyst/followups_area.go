package analyst

import (
	"context"
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

const (
	broadenAfter  = 3 // questions in one area
	siblingsTried = 4
	acrossTried   = 8
)

// areaOf is the part of the business that a plan looks at. Its first fact decides: what is only joined to it is looked up.
func areaOf(plan *frameql.Plan, m *semantic.Model) string { return areaOfEntity(m.Entity(plan.Fact)) }

// areaOfEntity is the domain that the author put an entity into; without one every entity is an area of its own.
func areaOfEntity(e *semantic.Entity) string {
	switch {
	case e == nil:
		return ""
	case e.Domain != "":
		return e.Domain
	default:
		return e.Name
	}
}

func (r *run) areaOfMetric(x *semantic.Metric) string {
	return areaOfEntity(r.knowledge.Index.RowsOf(x))
}

// stayed says whether the last questions of the session, this one among them, were all about one area.
func (r *run) stayed(ctx context.Context) bool {
	recent, err := r.a.deps.Memory.Recent(ctx, r.answer.SessionID, r.place, broadenAfter-1)
	if err != nil || len(recent) < broadenAfter-1 {
		return false
	}
	here := areaOf(r.plan, r.knowledge.Model)
	for _, canonical := range recent {
		q, err := frameql.Parse(canonical)
		if err != nil {
			return false
		}
		plan := frameql.Try(q, r.env)
		if plan == nil || areaOf(plan, r.knowledge.Model) != here {
			return false
		}
	}
	return true
}

// across proposes a number of another area: by the same members where the joins lead there, and after several questions in one area any that is
// prominent there.
func (r *run) across(ctx context.Context, s subject) []proposal {
	here := areaOf(r.plan, r.knowledge.Model)
	var joined, elsewhere []proposal
	for _, x := range r.knowledge.Index.Prominent() {
		area := r.areaOfMetric(x)
		if area == here || area == "" {
			continue
		}
		title := text.Say("analyst.next_across", "metric", inText(x.Label))
		if len(r.plan.Grain) > 0 && len(joined) < acrossTried && compares(s.where) {
			other := subject{metric: x, where: s.where, time: s.time}
			joined = append(joined, proposal{title: title, query: other.sameGrain(r.plan.Query)})
			other.time = nil
			joined = append(joined, proposal{title: title, query: other.sameGrain(r.plan.Query)})
		}
		elsewhere = append(elsewhere, proposal{title: title, question: text.Say("analyst.ask_total", "metric", inText(x.Label), "tail", ""), query: subject{metric: x}.query(nil, nil)})
	}
	if !r.stayed(ctx) {
		return joined
	}
	return append(joined, elsewhere...)
}

// compares says whether conditions are comparisons of dimensions with values: those hold for other numbers too.
func compares(p *frameql.Pred) bool {
	return !slices.ContainsFunc(frameql.Conjuncts(p), func(c *frameql.Pred) bool { return c.Dim == "" || c.Expr != nil || c.ValDim != nil })
}

// siblings proposes other numbers of the same area by what this one was shown by.
func (r *run) siblings(s subject) []proposal {
	here := areaOf(r.plan, r.knowledge.Model)
	var all []proposal
	for _, x := range r.knowledge.Index.Prominent() {
		if len(all) == siblingsTried {
			break
		}
		if r.areaOfMetric(x) != here || s.metric != nil && x.Name == s.metric.Name {
			continue
		}
		other := s
		other.metric = x
		all = append(all, proposal{title: x.Label, query: other.sameGrain(r.plan.Query)})
	}
	return all
}

// everything proposes to look at the whole: the metric without the conditions, by something, and the prominent metrics.
func (r *run) everything(s subject) []proposal {
	var all []proposal
	if s.metric != nil {
		whole := subject{metric: s.metric, plain: true}
		all = append(all, proposal{
			title: text.Say("analyst.next_everything"), question: whole.words("analyst.ask_total"), query: whole.query(nil, nil),
		})
		all = append(all, r.otherBreakdown(whole)...)
	}
	for _, x := range r.knowledge.Index.Prominent() {
		if len(all) >= breakdownsTried+siblingsTried {
			break
		}
		whole := subject{metric: x, plain: true}
		all = append(all, proposal{title: x.Label, question: whole.words("analyst.ask_total"), query: whole.query(nil, nil)})
	}
	return all
}
