package tool

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/semantic"
	"assay/backend/session"
	"assay/backend/text"
)

type filterArguments struct {
	FrameID string `json:"frame_id" doc:"Of execute_frame_ql" most:"200"`
	Filter  string `json:"filter_clause,omitempty" doc:"A condition as it stands in WHERE; it is added to those of the frame" most:"4000"`
	During  string `json:"during,omitempty" doc:"Another period in the place of the frame's, as it stands in DURING" most:"200"`
}

// comparedRows is how many rows each side of a comparison may have.
const comparedRows = 2000

func simulateFilter() Tool {
	return define("simulate_filter", true, func(ctx context.Context, d *Desk, a filterArguments) (Result, error) {
		if d.Run == nil {
			return absent("simulate_filter")
		}
		f, art, p, err := frameOf(ctx, d, a.FrameID)
		if p != nil || err != nil {
			return Result{Problem: p}, err
		}
		q, p := changed(f, a)
		if p != nil {
			return problem(p)
		}
		ran, err := d.Run(ctx, q)
		if err != nil {
			return failed(err)
		}
		if ran.Frame == nil {
			return d.given(ran, q.String())
		}
		return d.showFiltered(f, art, a, ran)
	})
}

// changed gives the query of a frame with another condition, or another period.
func changed(f *frameql.Frame, a filterArguments) (*frameql.Query, *Problem) {
	q, err := frameql.Parse(f.FrameQL)
	if err != nil {
		return nil, &Problem{Kind: "failed", Message: text.Say("tool.no_query", "name", name(a.FrameID)), Name: name(a.FrameID)}
	}
	if strings.TrimSpace(a.Filter+a.During) == "" {
		return nil, wrong("filter_clause", text.Say("tool.argument_missing", "field", "filter_clause"))
	}
	if filter := strings.TrimSpace(a.Filter); filter != "" {
		if len(filter) > 5 && strings.EqualFold(filter[:5], "where") {
			filter = filter[5:]
		}
		// A condition alone: nothing may stand behind it that would be another clause.
		one, p := parsed(written{"SELECT COUNT(*) WHERE " + filter})
		if p != nil {
			return nil, p
		}
		alone := &frameql.Query{V: one.V, Select: one.Select, Where: one.Where}
		if alone.String() != one.String() {
			return nil, wrong("filter_clause", text.Say("tool.condition_only", "field", "filter_clause"))
		}
		q.Where = frameql.AllOf(append(frameql.Conjuncts(q.Where), frameql.Conjuncts(one.Where)...))
	}
	if during := strings.TrimSpace(a.During); during != "" {
		if len(during) > 6 && strings.EqualFold(during[:6], "during") {
			during = during[6:]
		}
		period, err := frameql.ParsePeriod(during)
		if err != nil {
			return nil, wrong("during", clean(err.Error(), longestText))
		}
		if q.Time == nil {
			q.Time = &frameql.During{}
		}
		q.Time.Period = period
	}
	return q, nil
}

// showFiltered shows what came of it beside what was: the simulation, and row by row where rows are the same.
func (d *Desk) showFiltered(was *frameql.Frame, art session.Artifact, a filterArguments, ran Ran) (Result, error) {
	now := ran.Frame
	sim := session.Simulation{
		Type: "filter", Source: sourceOf(was, a.FrameID, art), Recompute: "none", Levers: []session.Lever{}, Outcomes: totals(d.Model, was, now), Result: now, Assumptions: []string{},
	}
	if strings.TrimSpace(a.Filter) != "" {
		sim.Assumptions = append(sim.Assumptions, text.Say("tool.assume_filter", "filter", clean(a.Filter, longestText)))
	}
	if strings.TrimSpace(a.During) != "" {
		sim.Type = "time_shift"
		sim.Assumptions = append(sim.Assumptions, text.Say("tool.assume_period", "period", clean(a.During, longestText)))
	}
	frame, r := d.bodyOf(now, ran.ID)
	frame.Served, frame.Level = ran.Served, ran.Level
	b := &simulatedBody{Status: "simulated", Type: sim.Type, Outcomes: []outcomeBody{}, RowCount: now.RowCount, Frame: frame}
	for _, o := range sim.Outcomes {
		b.Outcomes = append(b.Outcomes, outcomeBody{Label: clean(o.Label, longestText), Unit: name(o.Unit), Observed: o.Observed, Simulated: o.Simulated})
	}
	r.Ran, r.Made = &ran, made(ran.ID)
	if d.Show != nil {
		id, err := d.Show(session.KindSimulation, text.Say("tool.simulation_title", "label", art.Title), sim)
		if err != nil {
			return failed(err)
		}
		b.SimulationID, r.Made = id, append(r.Made, id)
		if c, ok := compared(d.Model, was, now, art.Title, a); ok {
			if id, err = d.Show(session.KindComparison, text.Say("tool.comparison_title", "label", art.Title), c); err != nil {
				return failed(err)
			}
			b.ComparisonID, r.Made = id, append(r.Made, id)
		}
	}
	r.Body = fitted(b, MostBytes, text.Say("tool.narrow_frame"))
	return r, nil
}

// totals sets the sums of what may be added beside each other, of one row each also what may not.
func totals(m *semantic.Model, was, now *frameql.Frame) []session.SimulatedOutcome {
	all := []session.SimulatedOutcome{}
	for k, c := range was.Columns {
		at, p := column(now, c.Name)
		if p != nil || !frameview.Numeric(c) || c.Role != frameql.RoleMetric || c.Derived != nil {
			continue
		}
		a, okA := totalOf(was, k)
		b, okB := totalOf(now, at)
		if !okA || !okB {
			continue
		}
		x, fitsA := floated(a)
		y, fitsB := floated(b)
		if !fitsA || !fitsB || len(all) == mostOutcomes {
			continue
		}
		o := session.SimulatedOutcome{
			ID: c.Name, Label: text.Say("tool.outcome", "column", frameview.Label(c), "rows", text.Say("tool.rows_all")), Unit: c.Unit, Format: c.Format, Better: "none",
			Observed: x, Simulated: y, Effects: map[string]float64{},
		}
		if metric := m.Metric(c.Metric); metric != nil && metric.Better != "" {
			o.Better = metric.Better
		}
		all = append(all, o)
	}
	return all
}

func totalOf(f *frameql.Frame, k int) (*big.Rat, bool) {
	if f.Truncated != nil || f.LetGo != nil {
		return nil, false
	}
	rows := frameview.Members(f).Rows
	if len(rows) == 1 {
		return frameview.Number(rows[0][k])
	}
	if !additive(f.Columns[k]) {
		return nil, false
	}
	sum := new(big.Rat)
	for _, row := range rows {
		if x, ok := frameview.Number(row[k]); ok {
			sum.Add(sum, x)
		} else if row[k] != nil {
			return nil, false
		}
	}
	return sum, true
}

// compared sets two frames side by side; false: no row of one is in the other, or rows cannot be told apart.
func compared(m *semantic.Model, was, now *frameql.Frame, label string, a filterArguments) (session.Comparison, bool) {
	c := session.Comparison{Keys: []string{}, Measures: []session.ComparedMeasure{}}
	if len(was.Rows) > comparedRows || len(now.Rows) > comparedRows || was.Truncated != nil || now.Truncated != nil || was.LetGo != nil {
		return c, false
	}
	var wasKeys, nowKeys []int
	for k, col := range was.Columns {
		at, p := column(now, col.Name)
		switch {
		case col.Role == frameql.RoleDimension && p != nil:
			return c, false
		case col.Role == frameql.RoleDimension:
			c.Keys = append(c.Keys, col.Name)
			wasKeys, nowKeys = append(wasKeys, k), append(nowKeys, at)
		case p == nil && frameview.Numeric(col) && col.Role == frameql.RoleMetric && col.Derived == nil:
			one := session.ComparedMeasure{Label: frameview.Label(col), Base: col.Name, Current: col.Name, Better: "none"}
			if metric := m.Metric(col.Metric); metric != nil && metric.Better != "" {
				one.Better = metric.Better
			}
			c.Measures = append(c.Measures, one)
		}
	}
	base, current := *frameview.Members(was), *frameview.Members(now)
	before, unique := keyed(&base, wasKeys)
	after, also := keyed(&current, nowKeys)
	common := false
	for key := range after {
		common = common || before[key]
	}
	c.Base = session.ComparedFrame{Label: label, Frame: base}
	c.Current = session.ComparedFrame{Label: text.Say("tool.compared_with", "what", clean(strings.TrimSpace(a.Filter+" "+a.During), longestCell)), Frame: current}
	return c, unique && also && common && len(c.Measures) > 0
}

// keyed gives the members of the rows of a frame, and whether they tell the rows apart.
func keyed(f *frameql.Frame, keys []int) (map[string]bool, bool) {
	seen := map[string]bool{}
	for _, row := range f.Rows {
		var key strings.Builder
		for _, k := range keys {
			fmt.Fprintf(&key, "%v\x00", row[k])
		}
		if seen[key.String()] {
			return seen, false
		}
		seen[key.String()] = true
	}
	return seen, true
}
