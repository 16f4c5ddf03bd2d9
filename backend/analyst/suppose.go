package analyst

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/interpret"
	"assay/backend/interpret/whatif"
	"assay/backend/llm"
	"assay/backend/mind"
	"assay/backend/text"
	"assay/backend/tool"
)

// suppose answers a question about what would be: the query about what is runs, a tool works out what the change makes of it, and both stand side by side. It is what the
// embedded mind uses the loop for; a language model does the same with the same tools. ok false: some part of the question is not understood for certain, and the
// reader's word stands.
func (r *run) suppose(ctx context.Context, q whatif.Question) (n next, ok bool, err error) {
	base, ok, err := r.supposedOf(ctx, q)
	if err != nil || !ok {
		return next{}, false, err
	}
	calls, ok := r.supposing(base.Plan, q)
	if !ok {
		return next{}, false, nil
	}
	m := &calling{query: base.Query.String(), then: calls}
	came, err := r.loop(m, tool.All()).Think(ctx)
	if err != nil {
		return next{}, false, err
	}
	r.answer.Understood = understoodNothing()
	r.understand(interpret.Result{Reading: base})
	beside := "analyst.supposed"
	switch {
	case came.Ended == "waits":
		beside = "analyst.supposed_waits"
	case m.problem != nil && m.ran:
		repair := frameql.Repair{Label: ReadingWords(base.Plan, r.knowledge.Model), FrameQL: base.Query.String()}
		return next{refuse: &Refused{Code: "NOT_SIMULATED", Message: text.Say("analyst.not_simulated", "why", m.problem.Message), Repairs: []frameql.Repair{repair}}}, true, nil
	case m.problem != nil || came.Problem != nil:
		return next{query: base.Query, reading: base}, true, nil // it is refused on the straight line, with all that is wrong with it
	default:
		r.answer.Supposed = m.words()
	}
	r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, text.Say(beside))
	return next{query: base.Query, reading: base}, true, nil
}

// calling is the embedded mind with a plan: a query, and then one more tool over its frame.
type calling struct {
	query   string
	then    func(frame string) llm.Call
	ran     bool          // the query did
	problem *tool.Problem // what went wrong last; nil: nothing
	came    simulated     // of the tool
}

// simulated is what a tool says of a simulation.
type simulated struct {
	Outcomes []struct {
		Label     string  `json:"label"`
		Unit      string  `json:"unit"`
		Observed  float64 `json:"observed"`
		Simulated float64 `json:"simulated"`
	} `json:"outcomes"`
	Lever *struct {
		Label    string `json:"label"`
		Kind     string `json:"kind"` // multiply: Needed is a factor
		Baseline any    `json:"baseline"`
		Needed   any    `json:"needed"`
	} `json:"lever"`
}

// words say what would be, beside what is; empty: the tool gave nothing to say.
func (c *calling) words() string {
	if len(c.came.Outcomes) == 0 {
		return ""
	}
	o := c.came.Outcomes[0]
	column := frameql.Column{Type: "decimal", Unit: o.Unit}
	figure := func(n any) string { return strings.TrimSpace(frameview.Figure(n, column) + " " + o.Unit) }
	switch l := c.came.Lever; {
	case l != nil && l.Kind == "multiply":
		return text.Say("analyst.supposed_factor", "factor", frameview.Figure(l.Needed, frameql.Column{Type: "float"}), "outcome", o.Label, "target", figure(o.Simulated))
	case l != nil:
		return text.Say("analyst.supposed_goal", "lever", l.Label, "needed", figure(l.Needed), "baseline", figure(l.Baseline), "outcome", o.Label, "target", figure(o.Simulated))
	}
	return text.Say("analyst.supposed_outcome", "outcome", o.Label, "simulated", figure(o.Simulated), "observed", figure(o.Observed))
}

// Next is that of mind.Mind.
func (c *calling) Next(_ context.Context, seen mind.Seen) (mind.Move, error) {
	if len(seen.Rounds) == 0 {
		return calls("execute_frame_ql", map[string]any{"frame_ql": c.query})
	}
	gave := seen.Rounds[len(seen.Rounds)-1].Results[0]
	if gave.Failed {
		c.problem = &tool.Problem{}
		return mind.Move{}, json.Unmarshal([]byte(gave.Content), c.problem)
	}
	if c.ran {
		return mind.Move{}, json.Unmarshal([]byte(gave.Content), &c.came)
	}
	var frame struct {
		ID string `json:"frame_id"`
	}
	if err := json.Unmarshal([]byte(gave.Content), &frame); err != nil {
		return mind.Move{}, err
	}
	c.ran = true
	return mind.Move{Calls: []llm.Call{c.then(frame.ID)}}, nil
}

func calls(name string, arguments map[string]any) (mind.Move, error) {
	return mind.Move{Calls: []llm.Call{call(name, arguments)}}, nil
}

func call(name string, arguments map[string]any) llm.Call {
	raw, err := json.Marshal(arguments)
	if err != nil {
		panic(err) // texts and lists of texts have a JSON form
	}
	return llm.Call{ID: name, Name: name, Arguments: raw}
}

// supposedOf finds the question about what is: the one that stands in the question, the answer before, or the measure alone. What moves gets a column of it, and so do
// the dimensions that tell the rows that move from the others.
func (r *run) supposedOf(ctx context.Context, q whatif.Question) (*interpret.Reading, bool, error) {
	var base *interpret.Reading
	if q.Base != "" {
		if base = r.certainly(q.Base); base == nil {
			return nil, false, nil
		}
		for i := range base.Spans {
			if s := &base.Spans[i]; s.Start >= 0 && s.End > s.Start {
				s.Start, s.End = s.Start+q.BaseAt, s.End+q.BaseAt
			}
		}
	} else {
		turns, err := r.conversation(ctx)
		if err != nil {
			return nil, false, err
		}
		if r.oldDays == 0 && len(turns) > 0 {
			last := turns[len(turns)-1]
			if query, err := frameql.Parse(last.FrameQL); err == nil && (last.Outcome == string(OutcomeAnswer) || last.Outcome == string(OutcomeConfirm)) {
				query.Explain = false
				base = r.readingOf(query)
			}
		}
	}
	if q.Metric == "" {
		return base, base != nil, nil
	}
	metric := r.metricOf(q.Metric)
	if metric == "" {
		return nil, false, nil
	}
	if base == nil {
		base = r.readingOf(&frameql.Query{V: 1, Select: []frameql.Item{{Expr: &frameql.Expr{Metric: metric}}}})
	}
	if base != nil && columnOf(base.Plan, metric) == "" {
		base = r.readingWith(base, frameql.Item{Expr: &frameql.Expr{Metric: metric}}, false)
	}
	for _, p := range r.conditionOf(metric, q.Rows) {
		if base != nil && dimensionOf(base.Plan, p) == "" {
			base = r.readingWith(base, frameql.Item{Dim: &frameql.Dim{Name: p.Dim}}, true)
		}
	}
	return base, base != nil, nil
}

// supposing gives the call that works the change out, once the frame of a plan is there. Two measures that both could reach a target leave it open.
func (r *run) supposing(plan *frameql.Plan, q whatif.Question) (func(frame string) llm.Call, bool) {
	var metrics []frameql.Column
	for _, c := range plan.Columns {
		if c.Role == frameql.RoleMetric && c.Metric != "" && c.Derived == nil {
			metrics = append(metrics, c)
		}
	}
	if len(metrics) == 0 {
		return nil, false
	}
	first := metrics[0]
	with := func(name string, arguments map[string]any) (func(string) llm.Call, bool) {
		return func(frame string) llm.Call {
			arguments["frame_id"] = frame
			return call(name, arguments)
		}, true
	}
	switch q.Change {
	case whatif.Rows:
		conditions := r.conditionOf(first.Metric, q.Rows)
		if len(conditions) == 0 {
			return nil, false
		}
		return with("simulate_filter", map[string]any{"filter_clause": frameql.AllOf(conditions).String()})
	case whatif.Period:
		period := r.periodOf(first.Metric, q.Period)
		if period == "" {
			return nil, false
		}
		return with("simulate_filter", map[string]any{"during": period})
	case whatif.Reach:
		if len(metrics) > 1 {
			return nil, false
		}
		return with("simulate_goal_seek", map[string]any{"column": first.Name, "target_value": json.Number(q.Value), "vary": first.Name})
	}
	column := columnOf(plan, r.metricOf(q.Metric))
	change := map[string]any{"kind": string(q.Change), "value": json.Number(q.Value)}
	if q.Rows != "" {
		var rows []map[string]any
		for _, p := range r.conditionOf(r.metricOf(q.Metric), q.Rows) {
			values, listed := valuesOf(p)
			name := dimensionOf(plan, p)
			if !listed || name == "" {
				return nil, false
			}
			rows = append(rows, map[string]any{"column": name, "values": values})
		}
		if len(rows) == 0 {
			return nil, false
		}
		change["filter"] = rows
	}
	return with("simulate_perturbation", map[string]any{"column": column, "perturbation": change})
}

// certainly reads words as a question of their own; nil: not for certain.
func (r *run) certainly(words string) *interpret.Reading {
	result := r.knowledge.Index.Read(interpret.Request{Question: words, Env: r.env, NowFromData: r.fromData, Asked: r.stored.Asked, Corrections: meant(r.recalled), Memo: r.req.Memo})
	if !certain(result) || result.Reading.Plan == nil {
		return nil
	}
	return result.Reading
}

// readingOf makes a reading of a query; nil: it does not resolve.
func (r *run) readingOf(q *frameql.Query) *interpret.Reading {
	plan := frameql.Try(q, r.env)
	if plan == nil {
		return nil
	}
	return &interpret.Reading{Query: plan.Query, Plan: plan, Confidence: 1}
}

// readingWith is a reading with one more column, at its front or at its end; nil: it has no place there.
func (r *run) readingWith(was *interpret.Reading, column frameql.Item, front bool) *interpret.Reading {
	q, err := frameql.Parse(was.Query.String())
	if err != nil {
		return nil
	}
	if front {
		q.Select = slices.Insert(q.Select, 0, column)
		if q.At != nil {
			q.At.Dims = append(q.At.Dims, *column.Dim)
		}
	} else {
		q.Select = append(q.Select, column)
	}
	now := r.readingOf(q)
	if now == nil {
		return nil
	}
	now.Spans, now.Assumptions, now.Confirm, now.Confidence, now.Ambiguity = was.Spans, was.Assumptions, was.Confirm, was.Confidence, was.Ambiguity
	return now
}

// metricOf gives the metric that words name, and nothing else with it; empty: they do not.
func (r *run) metricOf(words string) string {
	reading := r.certainly(words)
	if reading == nil || len(reading.Plan.Columns) != 1 || len(frameql.Conjuncts(reading.Query.Where)) > 0 || reading.Query.Time != nil {
		return ""
	}
	return reading.Plan.Columns[0].Metric
}

// conditionOf gives the conditions on rows that words say of a metric; nil: they say none for certain.
func (r *run) conditionOf(metric, words string) []*frameql.Pred {
	m := r.knowledge.Model.Metric(metric)
	if m == nil || words == "" {
		return nil
	}
	reading := r.certainly(m.Label + " " + words)
	if reading == nil {
		return nil
	}
	return frameql.Conjuncts(reading.Query.Where)
}

// periodOf gives the period that words say; empty: none.
func (r *run) periodOf(metric, words string) string {
	m := r.knowledge.Model.Metric(metric)
	if m == nil {
		return ""
	}
	for _, between := range []string{" in ", " "} {
		if reading := r.certainly(m.Label + between + words); reading != nil && reading.Query.Time != nil {
			return reading.Query.Time.Period.String()
		}
	}
	return ""
}

// columnOf names the column of a plan that shows a metric as it is; empty: there is none.
func columnOf(plan *frameql.Plan, metric string) string {
	for _, c := range plan.Columns {
		if c.Metric == metric && c.Derived == nil {
			return c.Name
		}
	}
	return ""
}

// dimensionOf names the column of a plan that shows the dimension of a condition; empty: there is none.
func dimensionOf(plan *frameql.Plan, p *frameql.Pred) string {
	for _, c := range plan.Columns {
		if c.Dimension != "" && c.Grain == "" && strings.EqualFold(c.Dimension, p.Dim) {
			return c.Name
		}
	}
	return ""
}

// valuesOf lists the values that a condition keeps; false: it is no list of values.
func valuesOf(p *frameql.Pred) ([]string, bool) {
	var all []string
	switch {
	case p.Op == "eq" && p.Val != nil:
		return []string{p.Val.Text}, true
	case p.Op == "in":
		for _, v := range p.Vals {
			all = append(all, v.Text)
		}
	}
	return all, len(all) > 0
}
