package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// Lack is one thing that was not measured, or that does not hold, and keeps a plan from a grade.
type Lack struct {
	Code  string         // INFERRED JOIN_DECLARED JOIN_ORPHANS HIERARCHY_DECLARED KEY KEY_REPEATS COVERAGE GOTCHA SNAPSHOTS SNAPSHOTS_REPEAT SIBLING
	Facts map[string]any //
	Text  string         // a sentence
}

// checkAttested finds what keeps the plan from grade AA (attested on the data now: keys are unique, references covered,
// times known, no critical gotcha open) and from AAA (snapshots unique, sibling sources compared, besides what only the
// numbers tell). A plan that is known less well than OPTIONS verify asks for is refused, with each of these.
func (r *resolver) checkAttested() {
	r.lackReview()
	r.lackKeys()
	r.lackJoins()
	r.lackHierarchies()
	r.lackCoverage()
	r.lackGotchas()
	r.lackSnapshots()
	r.lackSiblings()
	var missing []Lack
	switch r.settings.verify {
	case "AA":
		missing = r.plan.Unattested
	case "AAA":
		missing = append(slices.Clone(r.plan.Unattested), r.plan.Unproven...)
	}
	for _, l := range missing {
		why := &Refusal{
			Code: "ATTESTATION_TOO_LOW", Facts: map[string]any{"verify": r.settings.verify, "check": l.Code},
			Message: text.Say("frameql.verify_lacks", "verify", r.settings.verify, "lack", l.Text),
		}
		for k, v := range l.Facts {
			why.Facts[k] = v
		}
		r.refuse(nil, why, r.lowerVerifyFrom(r.settings.verify)...)
	}
}

// lowerVerifyFrom gives the same query with the grade below, where it has that, and without asking for one.
func (r *resolver) lowerVerifyFrom(verify string) []edit {
	var edits []edit
	if verify == "AAA" && len(r.plan.Unattested) == 0 {
		edits = append(edits, r.edited(text.Say("frameql.repair_use", "name", "verify = AA"), func(q *Query) {
			for i := range q.Options {
				if strings.EqualFold(q.Options[i].Name, "verify") {
					q.Options[i].Value = Value{Kind: String, Text: "AA"}
				}
			}
		}))
	}
	return append(edits, r.withoutOption("verify"))
}

func (r *resolver) lack(to *[]Lack, code, key string, pairs ...any) {
	*to = append(*to, Lack{Code: code, Facts: factsOf(pairs), Text: text.Say(key, pairs...)})
}

// lackReview names what inference proposed and nobody reviewed.
func (r *resolver) lackReview() {
	var names []string
	for _, name := range r.plan.Metrics {
		if m := r.metric(name); m != nil && m.Inferred {
			names = append(names, name)
		}
	}
	for _, name := range r.plan.Entities {
		if e := r.entity(name); e != nil && e.Inferred {
			names = append(names, name)
		}
	}
	for _, use := range r.plan.Joins {
		if j := r.joinOf(use); j != nil && j.Inferred {
			names = append(names, use.From+" - "+use.To)
		}
	}
	switch {
	case r.model.Inferred:
		r.lack(&r.plan.Unattested, "INFERRED", "frameql.only_inferred")
	case len(names) > 0:
		r.lack(&r.plan.Unattested, "INFERRED", "frameql.inferred_parts", "names", strings.Join(names, ", "))
	}
}

// lackKeys looks at the key of every entity whose rows are read.
func (r *resolver) lackKeys() {
	for _, name := range r.plan.Entities {
		e := r.entity(name)
		if len(e.Key) == 0 {
			continue
		}
		pairs := []any{"entity", e.Name, "key", strings.Join(e.Key, ", ")}
		switch unique, known := r.unique(e.Name, e.Key); {
		case !known:
			r.lack(&r.plan.Unattested, "KEY", "frameql.key_unmeasured", pairs...)
		case !unique:
			r.lack(&r.plan.Unattested, "KEY_REPEATS", "frameql.key_repeats", pairs...)
		}
	}
}

// unique asks what was measured of dimensions that should tell rows apart.
func (r *resolver) unique(entity string, dimensions []string) (unique, known bool) {
	if r.env.Unique == nil {
		return false, false
	}
	return r.env.Unique(entity, dimensions)
}

// lackJoins looks at the joins that are followed: measured, and without rows whose key leads nowhere. One whose far side
// repeats was refused before.
func (r *resolver) lackJoins() {
	for _, use := range r.plan.Joins {
		j := r.joinOf(use)
		pairs := []any{"from", j.From, "to", j.To}
		switch a := j.Attested; {
		case a == nil:
			r.lack(&r.plan.Unattested, "JOIN_DECLARED", "frameql.only_declared", pairs...)
		case a.Orphans > 0:
			r.lack(&r.plan.Unattested, "JOIN_ORPHANS", "frameql.orphans", append(pairs, "rows", a.Orphans)...)
		}
	}
}

func (r *resolver) joinOf(use JoinUse) *semantic.Join {
	for i := range r.model.Joins {
		if j := &r.model.Joins[i]; sameJoin(use, JoinUse{From: j.From, To: j.To, Role: j.Role}) {
			return j
		}
	}
	return nil
}

// lackCoverage says when nobody knows which dates there are behind a period, of the time of each number.
func (r *resolver) lackCoverage() {
	p := r.plan.Period
	if p == nil || p.From.IsZero() && p.To.IsZero() {
		return
	}
	names := []string{p.On}
	for _, t := range r.times {
		if !slices.Contains(names, t.name) {
			names = append(names, t.name)
		}
	}
	for _, name := range names {
		if _, _, known := r.coverage(name); !known {
			r.lack(&r.plan.Unattested, "COVERAGE", "frameql.coverage_unmeasured", "dimension", name)
		}
	}
}

// lackGotchas names the critical traps that touch the plan and are open.
func (r *resolver) lackGotchas() {
	for _, g := range r.model.Gotchas {
		if strings.EqualFold(g.Severity, "critical") && g.Open() && slices.ContainsFunc(g.AppliesTo, func(name string) bool {
			return slices.Contains(r.plan.Metrics, name) || slices.Contains(r.plan.Dimensions, name)
		}) {
			r.lack(&r.plan.Unattested, "GOTCHA", "frameql.gotcha_open", "gotcha", g.Name, "statement", g.Statement)
		}
	}
}

// lackSnapshots looks at what a level is taken by: no key may have two snapshots at one time.
func (r *resolver) lackSnapshots() {
	for _, name := range r.plan.Metrics {
		m := r.metric(name)
		semi, ok := m.SemiAdditive()
		if !ok {
			continue
		}
		entity, time, _ := r.model.TimeOf(m)
		own := strings.EqualFold(entity, m.Entity) // else the time is one of rows that these lead to
		key := append(slices.Clone(semi.Per), time)
		if len(semi.Per) == 0 {
			if !own || !slices.ContainsFunc(r.entity(m.Entity).Key, func(k string) bool { return strings.EqualFold(k, time) }) {
				r.lack(&r.plan.Unproven, "SNAPSHOTS", "frameql.snapshots_unkeyed", "metric", m.Name, "entity", m.Entity, "time", time)
			}
			continue // the key of its entity tells the snapshots of a day apart, and AA has looked at it
		}
		pairs := []any{"metric", m.Name, "entity", m.Entity, "key", strings.Join(key, ", ")}
		switch unique, known := r.unique(m.Entity, key); {
		case !known || !own:
			r.lack(&r.plan.Unproven, "SNAPSHOTS", "frameql.snapshots_unmeasured", pairs...)
		case !unique:
			r.lack(&r.plan.Unproven, "SNAPSHOTS_REPEAT", "frameql.snapshots_repeat", pairs...)
		}
	}
}

// lackSiblings names the tables that should agree with a metric: nothing compares them yet.
func (r *resolver) lackSiblings() {
	for _, name := range r.plan.Metrics {
		for _, s := range r.metric(name).Siblings {
			r.lack(&r.plan.Unproven, "SIBLING", "frameql.sibling_not_compared", "metric", name, "source", s.Source)
		}
	}
}
