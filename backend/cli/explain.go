package cli

import (
	"strings"

	"assay/backend/analyst"
	"assay/backend/text"
)

// printExplanation shows how a query is computed: as comments of SQL, so that the whole can be pasted and run.
func (p Program) printExplanation(e *analyst.Explanation) {
	if e.FrameQL == "" {
		p.printOperators(e.Operators)
		p.printSQL(e)
		return
	}
	p.comment("", e.FrameQL)
	p.comment("", "")
	p.comment("", text.Say("cli.explain_steps"))
	for _, s := range e.Steps {
		line := s.Says
		if s.Name != "" {
			line = s.Name + ": " + line
		}
		p.comment("  ", line)
		if len(s.Keys) > 0 {
			p.comment("      ", text.Say("cli.explain_by", "columns", strings.Join(s.Keys, ", ")))
		}
		if len(s.Values) > 0 {
			p.comment("      ", text.Say("cli.explain_gives", "columns", strings.Join(s.Values, ", ")))
		}
	}
	p.comment("", text.Say("cli.explain_rewrites"))
	for _, r := range e.Rewrites {
		key := "cli.explain_left"
		if r.Applied {
			key = "cli.explain_applied"
		}
		p.comment("  ", text.Say(key, "name", r.Name, "why", r.Why))
	}
	if len(e.Cache) > 0 {
		p.comment("", text.Say("cli.explain_cache"))
	}
	for _, c := range e.Cache {
		from := c.Frame
		if from == "" {
			from = strings.Join(c.Tables, ", ")
		}
		p.comment("  ", text.Say("cli.explain_read", "from", from, "why", c.Reason))
	}
	p.printSQL(e)
}

// printOperators shows the engine's plan of a statement that a person wrote.
func (p Program) printOperators(all []analyst.ExplainedOperator) {
	p.comment("", text.Say("cli.explain_operators"))
	for _, o := range all {
		line := strings.Repeat("  ", o.Depth+1) + strings.TrimSpace(o.Name+" "+o.Table)
		if o.Rows >= 0 {
			line += " " + text.Count("cli.explain_rows", o.Rows, "n", o.Rows)
		}
		p.comment("", line)
		for _, said := range o.Says {
			p.comment(strings.Repeat("  ", o.Depth+3), said)
		}
	}
}

// printSQL prints the statement. Where the dialect cannot say the whole, what it computes stands before what DuckDB makes
// of it.
func (p Program) printSQL(e *analyst.Explanation) {
	for _, l := range e.LeafFrames {
		p.comment("", text.Say("cli.leaf_frame", "name", l.Name, "dialect", string(e.Dialect), "missing", l.Missing))
		p.say(l.SQL + ";\n")
	}
	if len(e.LeafFrames) > 0 {
		p.comment("", text.Say("cli.leaf_rest"))
	}
	p.say(e.SQL)
}

// comment prints lines as comments of SQL.
func (p Program) comment(indent, lines string) {
	for _, line := range strings.Split(lines, "\n") {
		p.say(strings.TrimRight("-- "+indent+line, " "))
	}
}
