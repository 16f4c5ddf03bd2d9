package analyst

import (
	"context"
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

const (
	cardAtMost   = 2 * time.Second // for all that stands beside the number
	cardParts    = 5               // members of the breakdown; the rest is one more
	fewestPoints = 3               // of a series
	daysOfADaily = 100             // a longer period is shown by month
	daysOfAMonth = 366 * 6         // by year
)

// MetricCard is one number at a glance: what it was before, its course over time and what it is made of. Each part is a result of its own, and
// Sources says by which query.
type MetricCard struct {
	Metric     string      `json:"metric"` // empty: computed for the question
	Label      string      `json:"label"`
	Unit       string      `json:"unit"`
	Format     string      `json:"format"`             // percent: a fraction that is read in hundredths
	Scale      string      `json:"scale,omitempty"`    // in which its numbers are written; see frameql.Column
	Decimals   *int        `json:"decimals,omitempty"` // the same
	Better     string      `json:"better"`             // up | down; empty: neither
	Summary    any         `json:"summary"`            // the number of the answer
	Previous   any         `json:"previous"`           // null: no period before it has data throughout
	DeltaPct   any         `json:"delta_pct"`          // a fraction: 0.25 is 25 percent
	Against    string      `json:"against"`            // which period is the previous one, in words
	Grain      string      `json:"grain"`              // of the series: day month year
	Timeseries []CardPoint `json:"timeseries"`         // ascending; empty: none
	By         string      `json:"by"`                 // what the breakdown is by
	Breakdown  []CardPart  `json:"breakdown"`          // largest first; empty: none
	Sources    CardSources `json:"sources"`
}

// CardPoint is one bucket of the series.
type CardPoint struct {
	Date  any `json:"date"`
	Value any `json:"value"`
}

// CardPart is one member of the breakdown.
type CardPart struct {
	Label any  `json:"label"`
	Value any  `json:"value"`
	Rest  bool `json:"rest"` // all members that are not shown
}

// CardSources are the results that the parts were taken from; null where a part is missing.
type CardSources struct {
	Summary    *CardSource `json:"summary"`
	Previous   *CardSource `json:"previous"`
	DeltaPct   *CardSource `json:"delta_pct"`
	Timeseries *CardSource `json:"timeseries"`
	Breakdown  *CardSource `json:"breakdown"`
}

// CardSource is the query behind one part. Run again over the same data it gives the frame of this name.
type CardSource struct {
	FrameID string `json:"frame_id"`
	FrameQL string `json:"frame_ql"`
	SQL     string `json:"sql"`
}

// hash is that of what a card shows. The names of the frames that it comes from are not part of it.
func (c *MetricCard) hash() string {
	if c == nil {
		return session.Hash(nil)
	}
	shown := *c
	shown.Sources = CardSources{}
	return session.Hash(shown)
}

// card fills a card for an answer that is one number; nil when it is another answer, or when nothing stands beside the number. The answer waits for it
// only a bounded time: what is not there by then is missing.
func (r *run) card(ctx context.Context) *MetricCard {
	f := r.answer.Frame
	if !r.oneNumber() || f.Took > cardAtMost/8 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, cardAtMost)
	defer cancel()
	column := f.Columns[0]
	c := &MetricCard{
		Metric: column.Metric, Label: frameview.Label(column), Unit: column.Unit, Format: column.Format, Scale: column.Scale, Decimals: column.Decimals, Summary: f.Rows[0][0],
		Timeseries: []CardPoint{}, Breakdown: []CardPart{},
	}
	if x := r.knowledge.Model.Metric(column.Metric); x != nil {
		c.Better = x.Better
	}
	c.Sources.Summary = &CardSource{FrameID: f.ID, FrameQL: f.FrameQL, SQL: f.SQL}
	r.cardBefore(ctx, c)
	r.cardCourse(ctx, c)
	r.cardParts(ctx, c, column.Additivity == "additive")
	if c.Sources.Previous == nil && c.Sources.Timeseries == nil && c.Sources.Breakdown == nil {
		return nil
	}
	return c
}

// oneNumber says whether the answer is one metric, once, and there is something in it.
func (r *run) oneNumber() bool {
	f, q := r.answer.Frame, r.plan.Query
	return !r.plan.Listing && len(r.plan.Grain) == 0 && len(f.Columns) == 1 && f.Columns[0].Role == frameql.RoleMetric && len(f.Rows) == 1 && f.Rows[0][0] != nil &&
		!empty(f) && len(q.Select) == 1 && q.Select[0].Expr != nil && len(q.Compare) == 0 && q.Having == nil && len(q.Totals) == 0
}

// cardBefore compares with the period before, when both lie in the data: half a period beside a whole one says nothing.
func (r *run) cardBefore(ctx context.Context, c *MetricCard) {
	if r.plan.Period == nil || r.answer.Frame.Span == nil || r.answer.Frame.Span.Partial {
		return
	}
	q := *r.plan.Query
	number := q.Select[0].Expr
	q.Select = []frameql.Item{q.Select[0], {Expr: &frameql.Expr{Fn: "prev", Of: number}}, {Expr: &frameql.Expr{Fn: "pct_change", Of: number}}}
	q.Compare = []frameql.Comparand{{Kind: "previous_period"}}
	plan, frame, source := r.beside(ctx, &q)
	if frame == nil || len(frame.Rows) != 1 || len(frame.Rows[0]) != 3 || len(plan.Comparands) != 1 || !r.covered(plan) || frame.Rows[0][1] == nil {
		return
	}
	c.Previous, c.DeltaPct = frame.Rows[0][1], frame.Rows[0][2]
	before := plan.Comparands[0]
	c.Against = rangeWords(&frameql.Range{From: day(before.From), To: day(before.To)})
	if literal, ok := literalBefore(q.Time.Period); ok {
		c.Against = literalWords(literal.Value)
	}
	c.Sources.Previous = source
	if c.DeltaPct != nil {
		c.Sources.DeltaPct = source
	}
}

// covered says whether the data begins before the period that a plan compares with.
func (r *run) covered(plan *frameql.Plan) bool {
	if r.knowledge.Coverage == nil {
		return false
	}
	first, _, ok := r.knowledge.Coverage(timeOf(plan, r.knowledge.Model))
	from := plan.Comparands[0].From
	return ok && !from.IsZero() && !midnight(first).After(from)
}

// cardCourse shows the number over time.
func (r *run) cardCourse(ctx context.Context, c *MetricCard) {
	span, on := r.answer.Frame.Span, timeOf(r.plan, r.knowledge.Model)
	if on == "" || span == nil || span.Covered == nil {
		return
	}
	q := *r.plan.Query
	c.Grain = courseGrain(missing(span.Covered.From, span.Covered.To))
	q.Select = []frameql.Item{{Dim: &frameql.Dim{Name: on, Grain: c.Grain}}, q.Select[0]}
	q.At = nil
	_, frame, source := r.beside(ctx, &q)
	if frame == nil || len(frame.Rows) < fewestPoints {
		c.Grain = ""
		return
	}
	for _, row := range frame.Rows {
		c.Timeseries = append(c.Timeseries, CardPoint{Date: row[0], Value: row[len(row)-1]})
	}
	c.Sources.Timeseries = source
}

// courseGrain gives a period a few dozen points.
func courseGrain(span time.Duration) string {
	switch days := span.Hours() / 24; {
	case days <= daysOfADaily:
		return "day"
	case days <= daysOfAMonth:
		return "month"
	default:
		return "year"
	}
}

// cardParts shows what the number is made of: its largest members by the nearest thing to look by, and the rest where parts add up.
func (r *run) cardParts(ctx context.Context, c *MetricCard, additive bool) {
	for _, b := range r.breakdowns() {
		q := *r.plan.Query
		number, member := q.Select[0], b.name
		if b.thing != "" {
			member = b.thing
		}
		q.Select, q.At = []frameql.Item{{Dim: &frameql.Dim{Name: b.name}}, number}, b.grain()
		q.Top = &frameql.Top{N: cardParts, Dim: frameql.Dim{Name: member}, By: frameql.Key{Expr: number.Expr}, Other: additive}
		plan, frame, source := r.beside(ctx, &q)
		if frame == nil || len(frame.Rows) < 2 {
			continue
		}
		label := slices.IndexFunc(plan.Columns, func(o frameql.Column) bool { return o.Dimension == b.name })
		value := slices.IndexFunc(plan.Columns, func(o frameql.Column) bool { return o.Role == frameql.RoleMetric })
		rest := slices.IndexFunc(plan.Columns, func(o frameql.Column) bool { return strings.HasPrefix(o.Name, "is_other") })
		if label < 0 || value < 0 {
			continue
		}
		for _, row := range frame.Rows {
			part := CardPart{Label: row[label], Value: row[value], Rest: rest >= 0 && row[rest] == true}
			if part.Rest {
				part.Label = text.Say("analyst.card_rest")
			}
			c.Breakdown = append(c.Breakdown, part)
		}
		c.By, c.Sources.Breakdown = b.label, source
		return
	}
}

// beside asks for a part of the card through the same gate as the answer; a nil frame: it has none.
func (r *run) beside(ctx context.Context, q *frameql.Query) (*frameql.Plan, *frameql.Frame, *CardSource) {
	plan := frameql.Try(q, r.env)
	if plan == nil || ctx.Err() != nil {
		return nil, nil, nil
	}
	st, err := plan.Statement(r.sql.Dialect)
	if err != nil {
		return nil, nil, nil
	}
	st.MaxRows = r.req.MaxRows
	frame, err := r.a.deps.Engine.Aside(ctx, st)
	if err != nil || frame.Truncated != nil || len(frame.Columns) != len(plan.Columns) {
		return nil, nil, nil
	}
	canonical := plan.Query.String()
	return plan, frame, &CardSource{FrameID: frameql.FrameID(canonical, r.epochsOf(plan)), FrameQL: canonical, SQL: st.SQL}
}
