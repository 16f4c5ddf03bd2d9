package report

import (
	"slices"
	"strings"

	"assay/backend/analyst"
	"assay/backend/frameview"
	"assay/backend/text"
)

// card is the provenance card of a turn: the facts in the order in which a person asks for them, the versions of what answered, and every step. Nil:
// there is nothing to trace.
func (r *Answer) card() *Card {
	if r.answer == nil || r.answer.Frame == nil && r.answer.Explanation == nil {
		return nil
	}
	c := &Card{ID: r.name + "-p", Title: text.Say("window.provenance.title"), Facts: r.Facts()}
	if f := r.answer.Frame; f != nil && f.Population != nil {
		c.Brief = text.Say("window.provenance.rows_kept", "kept", frameview.Grouped(f.Population.Kept), "read", frameview.Grouped(f.Population.RowsIn))
	}
	return c
}

// Facts are those of its provenance card.
func (r *Answer) Facts() []Fact {
	facts := r.facts
	if len(facts) == 0 {
		facts = r.plainFacts()
	}
	var out []Fact
	for _, f := range facts {
		if one := factOf(f); one != nil {
			out = append(out, *one)
		}
		if f.Code == "sql" && r.answer.Frame != nil && r.answer.Frame.BaseSQL != "" {
			out = append(out, Fact{Label: text.Say("report.base_sql"), Statement: r.answer.Frame.BaseSQL})
		}
	}
	versions, steps := r.versions(), r.steps()
	at := slices.IndexFunc(facts, func(f analyst.Fact) bool { return f.Code == "trace" })
	if at < 0 || len(out) == 0 {
		return append(out, append(versions, steps...)...)
	}
	trace := len(out) - 1 // it closes the card
	return slices.Insert(out, trace, append(versions, steps...)...)
}

// factOf is a fact of the card as it is laid out; nil: it says nothing.
func factOf(f analyst.Fact) *Fact {
	out := &Fact{Label: f.Label, Text: f.Text}
	switch f.Code {
	case "frame_ql", "sql":
		out.Text, out.Statement = "", f.Text
	}
	for _, l := range f.Lines {
		out.Lines = append(out.Lines, Line{Label: labelOf(f.Code, l), Text: l.Text, Status: statusOf(l.Status), Code: f.Code == "served_from"})
	}
	if out.Text == "" && out.Statement == "" && len(out.Lines) == 0 {
		return nil
	}
	return out
}

// labelOf is what stands before a line of a fact: of a check how it went, which a reader wants to know, and not what it is called.
func labelOf(code string, l analyst.FactLine) string {
	if code == "checks" && l.Status != "" {
		return statusWords(l.Status)
	}
	return l.Label
}

// statusOf is a status of a check that a page knows: a file may say anything. Empty: it is no check.
func statusOf(s string) string {
	if s == "" || s == "passed" || s == "finding" || s == "not_applicable" {
		return s
	}
	return "could_not_check"
}

func statusWords(status string) string {
	switch status {
	case "passed", "finding", "not_applicable":
		return text.Say("window.check." + status)
	}
	return text.Say("window.check.could_not_check")
}

// plainFacts are those of an answer that has no provenance card: a statement that a person wrote.
func (r *Answer) plainFacts() []analyst.Fact {
	a := r.answer
	fact := func(code, words string, lines ...analyst.FactLine) analyst.Fact {
		return analyst.Fact{Code: code, Label: text.Say("analyst.fact_" + code), Text: words, Lines: lines}
	}
	facts := []analyst.Fact{fact("question", a.Question)}
	if f := a.Frame; f != nil {
		facts = append(facts, fact("frame_ql", f.FrameQL), fact("sql", f.SQL))
		var epochs []analyst.FactLine
		for _, table := range sortedKeys(f.SourceEpochs) {
			epochs = append(epochs, analyst.FactLine{Label: table, Text: f.SourceEpochs[table]})
		}
		facts = append(facts, fact("served_from", text.Say("analyst.served_from_backend", "dialect", f.Dialect), epochs...))
	}
	if v := a.Verification; v != nil {
		var checks []analyst.FactLine
		for _, c := range v.Checks {
			checks = append(checks, analyst.FactLine{Label: c.Code, Text: c.Message, Status: c.Status})
		}
		facts = append(facts, fact("checks", text.Say("analyst.fact_grade", "level", v.Level), checks...))
	}
	return append(facts, fact("trace", a.RequestID))
}

// versions are those of what answered.
func (r *Answer) versions() []Fact {
	m := r.turn.MadeBy
	if m == nil {
		return nil
	}
	var lines []Line
	add := func(key, words string) {
		if words != "" {
			lines = append(lines, Line{Label: text.Say(key), Text: words, Code: true})
		}
	}
	add("report.version_program", m.Program)
	add("report.version_mind", m.Mind)
	add("report.version_prompts", m.Prompts)
	add("report.version_model", m.Model)
	add("report.version_rules", m.Rules)
	clock := Moment(m.Clock)
	if m.FromData {
		clock = text.Say("report.clock_of_data", "at", clock)
	}
	lines = append(lines, Line{Label: text.Say("report.version_clock"), Text: clock})
	return []Fact{{Label: text.Say("report.versions_title"), Lines: lines}}
}

// steps are those that were taken, with how long each took.
func (r *Answer) steps() []Fact {
	var words []string
	for _, s := range r.turn.Trace {
		if s.Status == "started" {
			continue
		}
		took := text.Say("report.step", "name", s.Name, "ms", frameview.Figure(s.TookMS, plainFloat))
		if s.Note != "" {
			took = text.Say("report.step_note", "step", took, "note", s.Note)
		}
		words = append(words, took)
	}
	if len(words) == 0 {
		return nil
	}
	return []Fact{{Label: text.Say("report.steps"), Text: strings.Join(words, " · ")}}
}
