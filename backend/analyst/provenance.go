package analyst

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/text"
)

// Provenance is the card behind the hallmark: facts in the order in which a person asks for them.
type Provenance struct {
	Facts []Fact `json:"facts"`
}

// Fact is one line of the card, with lines of its own where there are several things to say.
type Fact struct {
	Code  string     `json:"code"` // question probes frame_ql sql served_from rows span checks definitions memories gotchas risk mind egress trace
	Label string     `json:"label"`
	Text  string     `json:"text"`
	Lines []FactLine `json:"lines"`
}

// FactLine is one thing of several. Status is that of a check, empty for anything else.
type FactLine struct {
	Label  string `json:"label"`
	Text   string `json:"text"`
	Status string `json:"status"`
}

func (r *run) provenance() Provenance {
	a := r.answer
	a.Sent = r.sent.list(false)
	fact := factOf
	facts := []Fact{
		fact("question", r.words, r.assumptionLines()...),
		fact("frame_ql", a.Frame.FrameQL),
		fact("sql", a.Frame.SQL),
		fact("served_from", r.servedWords(), epochLines(a.Frame)...),
		fact("rows", rowsWords(a.Frame), filterLines(a.Frame)...),
		fact("span", spanWords(a.Frame.Span)),
		fact("checks", text.Say("analyst.fact_grade", "level", a.Verification.Level), checkLines(a.Verification)...),
		fact("definitions", "", r.definitionLines()...),
		fact("gotchas", "", r.gotchaLines()...),
		fact("risk", r.riskWords(), r.riskLines()...),
		fact("mind", r.mindWords(), append(r.mindLines(), r.wrote.lines()...)...),
		fact("egress", r.egressWords(), r.egressLines()...),
		fact("trace", a.RequestID),
	}
	if len(a.Remembered) > 0 {
		at := slices.IndexFunc(facts, func(f Fact) bool { return f.Code == "gotchas" })
		facts = slices.Insert(facts, at, fact("memories", "", r.memoryLines()...))
	}
	if len(a.Probes) > 0 {
		facts = slices.Insert(facts, 1, fact("probes", "", r.probeLines()...))
	}
	return Provenance{Facts: facts}
}

func factOf(code, words string, lines ...FactLine) Fact {
	if lines == nil {
		lines = []FactLine{}
	}
	return Fact{Code: code, Label: entry("analyst.fact_", code), Text: words, Lines: lines}
}

func (r *run) assumptionLines() []FactLine {
	lines := []FactLine{{Label: text.Say("analyst.fact_asked"), Text: r.answer.Question}}
	for _, s := range r.answer.Understood.Assumptions {
		lines = append(lines, FactLine{Label: text.Say("analyst.fact_assumed"), Text: s})
	}
	return lines
}

// servedWords says where the numbers came from: the data, stored frames, or some of each. It names the columns to which frames
// gave something, and of these the ones that hold numbers of the data as well.
func (r *run) servedWords() string {
	f := r.answer.Frame
	if len(f.ServedBy) == 0 {
		return text.Say("analyst.served_from_backend", "dialect", f.Dialect)
	}
	var frames, columns []string
	for _, s := range f.ServedBy {
		frames = append(frames, s.Frame)
	}
	all := strings.Join(frames, ", ")
	if f.ServedFrom == "engine_cache" {
		return text.Say("analyst.served_from_cache", "frames", all)
	}
	for _, c := range f.Columns {
		gave := slices.ContainsFunc(f.ServedBy, func(s frameql.ServedBy) bool { return slices.Contains(s.Columns, c.Name) })
		switch {
		case !gave:
		case c.ServedFrom == "engine_cache":
			columns = append(columns, frameview.Label(c))
		default:
			columns = append(columns, text.Say("analyst.served_from_part", "column", frameview.Label(c)))
		}
	}
	return text.Say("analyst.served_from_both", "dialect", f.Dialect, "frames", all, "columns", strings.Join(columns, ", "))
}

func epochLines(f *frameql.Frame) []FactLine {
	var lines []FactLine
	for _, table := range slices.Sorted(maps.Keys(f.SourceEpochs)) {
		lines = append(lines, FactLine{Label: table, Text: f.SourceEpochs[table]})
	}
	return lines
}

func rowsWords(f *frameql.Frame) string {
	if f.Population == nil {
		return text.Say("analyst.fact_rows_unknown")
	}
	return text.Say("analyst.fact_rows_kept", "kept", frameview.Grouped(f.Population.Kept), "rows", frameview.Grouped(f.Population.RowsIn))
}

func filterLines(f *frameql.Frame) []FactLine {
	if f.Population == nil {
		return nil
	}
	var lines []FactLine
	for _, k := range f.Population.PerFilter {
		lines = append(lines, FactLine{Label: k.Filter, Text: text.Count("analyst.fact_filter_keeps", k.Kept, "rows", frameview.Grouped(k.Kept))})
	}
	return lines
}

func spanWords(s *frameql.Span) string {
	if s == nil {
		return text.Say("analyst.fact_span_none")
	}
	asked, covered := text.Say("analyst.fact_span_all"), text.Say("analyst.fact_span_unknown")
	if s.Asked != nil {
		asked = rangeWords(s.Asked)
	}
	if s.Covered != nil {
		covered = rangeWords(s.Covered)
	}
	return text.Say("analyst.fact_span_both", "time", s.On, "asked", asked, "covered", covered)
}

func checkLines(v *Verification) []FactLine {
	var lines []FactLine
	for _, c := range v.Checks {
		lines = append(lines, FactLine{Label: c.Code, Text: c.Message, Status: c.Status})
	}
	return lines
}

func (r *run) definitionLines() []FactLine {
	var lines []FactLine
	for _, o := range r.used() {
		words := o.definition
		if o.inferred {
			words = strings.TrimSpace(words + " " + text.Say("analyst.fact_inferred"))
		}
		lines = append(lines, FactLine{Label: o.label, Text: words})
	}
	return lines
}

func (r *run) memoryLines() []FactLine {
	var lines []FactLine
	for _, c := range r.answer.Remembered {
		words := c.Means
		if c.Agreed {
			words = text.Say("analyst.fact_agreed", "means", c.Means)
		}
		if c.ReadBy != "" {
			words = text.Say("analyst.fact_read_by", "means", c.Means, "model", c.ReadBy)
		}
		lines = append(lines, FactLine{Label: c.Term, Text: words})
	}
	return lines
}

func (r *run) gotchaLines() []FactLine {
	var lines []FactLine
	for _, g := range gotchas(r.plan, r.knowledge.Model) {
		lines = append(lines, FactLine{Label: g.Name, Text: g.Statement})
	}
	return lines
}

func (r *run) riskWords() string {
	k := r.answer.Risk
	return text.Say("analyst.fact_risk_level", "likelihood", fmt.Sprint(k.ErrorLikelihood), "level", k.AutonomyLevel, "decision", k.Decision)
}

func (r *run) riskLines() []FactLine {
	part := func(key string, x *float64) FactLine {
		if x == nil {
			return FactLine{Label: text.Say(key), Text: text.Say("analyst.fact_not_known")}
		}
		return FactLine{Label: text.Say(key), Text: fmt.Sprint(*x)}
	}
	f := r.answer.Risk.Factors
	lines := []FactLine{
		part("analyst.risk_complexity", f.Complexity), part("analyst.risk_source", f.SourceRisk),
		part("analyst.risk_novelty", f.Novelty), part("analyst.risk_ambiguity", f.Ambiguity),
	}
	for _, reason := range r.answer.Risk.Reasons {
		lines = append(lines, FactLine{Text: reason})
	}
	return lines
}
