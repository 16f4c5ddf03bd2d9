package analyst

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/semantic"
)

// Work is what a person asked about lately: how many of the answers name each entity and metric of the model, what belongs together, and what interests them.
type Work struct {
	Since     time.Time            `json:"since"`
	Answers   int                  `json:"answers"`
	Entities  map[string]int       `json:"entities"`
	Metrics   map[string]int       `json:"metrics"`
	Together  []knowledge.Pair     `json:"together" nullable:"false" doc:"What is asked about together, the most frequent first"`
	Interests []knowledge.Interest `json:"interests" nullable:"false" doc:"The weightiest first"`
}

// AskedFor is the query of an answer, and when it was asked.
type AskedFor struct {
	FrameQL string
	At      time.Time
}

// Work says what a person asked about since 90 days before today, in UTC. What counts is what was answered, by the model of now. Fault Unauthorized.
func (a *Analyst) Work(ctx context.Context, actor string, caller rules.Caller) (Work, error) {
	who, err := a.rules().Identify(actor, caller)
	if err != nil {
		return Work{}, err
	}
	now := a.deps.Now()
	return a.worked(ctx, who, a.deps.Knowledge(who), startOf(now).AddDate(0, 0, 1), now)
}

// work is what a person asked about before today, held until the day is over: what a language model is told first changes once a day.
func (a *Analyst) work(ctx context.Context, actor rules.Actor, k Knowledge) (Work, error) {
	today := startOf(a.deps.Now())
	if k.Model == nil {
		return a.worked(ctx, actor, k, today, today)
	}
	key := actor.ID + "\x00" + k.Model.Version
	a.digests.mu.Lock()
	held, there := a.digests.works[key]
	a.digests.mu.Unlock()
	if there && held.Since.Equal(since(today)) {
		return held, nil
	}
	w, err := a.worked(ctx, actor, k, today, today)
	if err != nil {
		return w, err
	}
	w.Together = nil // they name values, which are not held
	w.Interests = slices.DeleteFunc(w.Interests, func(i knowledge.Interest) bool { return i.Kind != "entity" })
	a.digests.mu.Lock()
	defer a.digests.mu.Unlock()
	if a.digests.works == nil || len(a.digests.works) >= mostWorks {
		a.digests.works = map[string]Work{}
	}
	a.digests.works[key] = w
	return w, nil
}

// Interests are how much a person is interested in each entity of the model: 0 to 1; in what is not named, 0.
func (a *Analyst) Interests(ctx context.Context, actor rules.Actor) (map[string]float64, error) {
	w, err := a.work(ctx, actor, a.deps.Knowledge(actor))
	all := map[string]float64{}
	for _, i := range w.Interests {
		if i.Kind == "entity" {
			all[i.Name] = i.Weight
		}
	}
	return all, err
}

// startOf is when the day of a time began, in UTC.
func startOf(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour) }

// since is the day from which on work counts at a time.
func since(now time.Time) time.Time { return startOf(now).AddDate(0, 0, -historyDays) }

// worked is what a person asked about until a time. Interests are as they stand at another.
func (a *Analyst) worked(ctx context.Context, actor rules.Actor, k Knowledge, until, now time.Time) (Work, error) {
	w := Work{Since: since(now), Entities: map[string]int{}, Metrics: map[string]int{}, Together: []knowledge.Pair{}, Interests: []knowledge.Interest{}}
	if k.Model == nil {
		return w, nil
	}
	asked, err := a.deps.Memory.Asked(ctx, actor.ID, w.Since, until, mostHistory)
	if err != nil {
		return w, err
	}
	var all []knowledge.Worked
	for _, one := range asked {
		q, err := frameql.Parse(one.FrameQL)
		if err != nil {
			continue // of older grammar
		}
		about := workedOn(q, k.Model)
		about.At = one.At
		all = append(all, about)
		w.Answers++
		for _, name := range about.Metrics {
			w.Metrics[name]++
		}
		for _, name := range about.Entities {
			w.Entities[name]++
		}
	}
	w.Together, w.Interests = knowledge.Together(all), knowledge.Interests(all, now)
	return w, nil
}

// workedOn is what a query names of the model that its person sees.
func workedOn(q *frameql.Query, m *semantic.Model) knowledge.Worked {
	metrics, dimensions, entities := map[string]bool{}, map[string]bool{}, map[string]bool{}
	q.EachName(func(name string) {
		entity, _, dotted := strings.Cut(name, ".")
		if x := m.Metric(name); x != nil {
			metrics[x.Name], entity = true, x.Entity
		}
		if m.Entity(entity) != nil {
			entities[entity] = true
		}
		if dotted && m.Dimension(name) != nil {
			dimensions[name] = true
		}
	})
	var values []knowledge.Valued
	for _, p := range frameql.Conjuncts(q.Where) {
		for _, v := range valuesIn(p, m) {
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
	}
	sorted := func(of map[string]bool) []string { return slices.Sorted(maps.Keys(of)) }
	return knowledge.Worked{Metrics: sorted(metrics), Dimensions: sorted(dimensions), Entities: sorted(entities), Values: values}
}

// valuesIn are the values that a condition asks for by name. What names one person is none of them.
func valuesIn(p *frameql.Pred, m *semantic.Model) []knowledge.Valued {
	d := m.Dimension(p.Dim)
	if d == nil || d.PII != "" || p.Op != "eq" && p.Op != "in" {
		return nil
	}
	entity, _, _ := strings.Cut(p.Dim, ".")
	values := p.Vals
	if p.Val != nil {
		values = []frameql.Value{*p.Val}
	}
	var out []knowledge.Valued
	for _, v := range values {
		if v.Kind == frameql.String {
			one := frameql.Pred{Dim: p.Dim, Op: "eq", Val: &v}
			out = append(out, knowledge.Valued{Entity: entity, Value: one.String()})
		}
	}
	return out
}
