package analyst

import (
	"context"
	"reflect"
	"slices"
	"time"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/session"
	"assay/backend/text"
)

// Probe is one reading of a question with several, that was run to see what it would give. Like every other statement it
// passed the gate, and it stands in the trace.
type Probe struct {
	Label   string `json:"label"`
	FrameQL string `json:"frame_ql"`
	SQL     string `json:"sql"`     // empty: nothing was run
	Status  string `json:"status"`  // measured | costly | sensitive | refused | failed
	Rows    int    `json:"rows"`    // that it gave
	Returns string `json:"returns"` // what it gave, in words; empty: it was not measured
}

const (
	probesAtMost   = time.Second
	probeRows      = 1_000_000 // more rows to read are not trivial
	probeRowsShown = 1000      // rows of a probe; a longer result is not compared

	// sensitive is the tag of entities and dimensions over which nothing is run that nobody asked for.
	sensitive = "sensitive"
)

// measure runs the readings that a question is asked back about, so that each choice says what it would give. When the
// readings are all that there are and give the same rows, there is nothing to ask: the best one is answered, and says so.
func (r *run) measure(ctx context.Context, n next) (next, error) {
	if n.clarify.BestGuess == nil || len(n.clarify.Options) == 0 {
		return n, nil
	}
	asked := *n.clarify
	guess := *asked.BestGuess
	asked.BestGuess, asked.Options = &guess, slices.Clone(asked.Options)
	n.clarify = &asked

	bounded, cancel := context.WithTimeout(ctx, probesAtMost)
	defer cancel()
	choices := []*interpret.Choice{&guess}
	for i := range asked.Options {
		choices = append(choices, &asked.Options[i])
	}
	var frames []*frameql.Frame
	for _, c := range choices {
		p, frame, err := r.probe(ctx, bounded, *c)
		if err != nil {
			return n, err
		}
		c.Returns = p.Returns
		r.answer.Probes = append(r.answer.Probes, p)
		frames = append(frames, frame)
	}
	if !asked.Several || n.reading == nil || !alike(frames) {
		return n, nil
	}
	var labels []string
	for _, c := range choices {
		labels = append(labels, c.Label)
	}
	u := r.answer.Understood
	u.Assumptions = append(u.Assumptions, text.Say("analyst.readings_agree", "readings", listed(labels)))
	return next{query: n.reading.Query, reading: n.reading}, nil
}

// probe runs one reading when that is trivial and touches nothing sensitive. The frame is nil when it was not measured. Only
// the end of the request itself is an error.
func (r *run) probe(ctx, bounded context.Context, c interpret.Choice) (Probe, *frameql.Frame, error) {
	p := Probe{Label: c.Label, FrameQL: c.Value}
	var frame *frameql.Frame
	_, err := r.step(ctx, "probe", func(s *session.Step) error {
		s.Input = hash(c.Value)
		frame = r.tryOut(bounded, &p)
		s.Note = text.Say("analyst.note_probe_"+p.Status, "query", c.Value, "returns", p.Returns)
		if frame != nil {
			s.Output = session.FrameHash(frame)
			s.Facts = map[string]any{"frame_ql": c.Value, "sql": p.SQL}
		}
		return ctx.Err()
	})
	return p, frame, err
}

func (r *run) tryOut(ctx context.Context, p *Probe) *frameql.Frame {
	p.Status = "refused"
	q, err := frameql.Parse(p.FrameQL)
	if err != nil {
		return nil
	}
	plan := frameql.Try(q, r.env)
	if plan == nil {
		return nil
	}
	if len(r.sensitive(plan)) > 0 {
		p.Status = "sensitive"
		return nil
	}
	p.Status = "failed"
	st, err := plan.Statement(frameql.DuckDB)
	if err != nil {
		return nil
	}
	cost, err := r.a.deps.Engine.Cost(ctx, st)
	if err != nil {
		return nil
	}
	if cost.Rows > probeRows {
		p.Status = "costly"
		return nil
	}
	st.MaxRows = probeRowsShown
	p.SQL = st.SQL
	if r.writeDown(ctx, AuditProbe, probed{r.masked(p.FrameQL), r.masked(st.SQL), hash(st.SQL)}) != nil {
		return nil // what cannot be written down does not run
	}
	seen, err := r.a.deps.Engine.Aside(ctx, st)
	if err != nil {
		return nil
	}
	f := *seen
	f.Columns = described(plan.Columns, f.Columns)
	f.RowCount = len(f.Rows)
	p.Status, p.Rows = "measured", f.RowCount
	for _, part := range statement(plan, r.dressed(&f, nil), style{}) {
		p.Returns += part.text
	}
	return &f
}

// alike says whether frames were all measured to their ends and have the same rows.
func alike(frames []*frameql.Frame) bool {
	for _, f := range frames {
		if f == nil || f.Truncated != nil || !reflect.DeepEqual(f.Rows, frames[0].Rows) {
			return false
		}
	}
	return true
}

// probeLines say in the provenance what was run before the question was answered.
func (r *run) probeLines() []FactLine {
	var lines []FactLine
	for _, p := range r.answer.Probes {
		words := p.FrameQL
		if p.Returns != "" {
			words += ": " + p.Returns
		}
		lines = append(lines, FactLine{Label: p.Label, Text: words})
	}
	return lines
}
