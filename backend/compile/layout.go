package compile

import "strings"

// selection is one SELECT, ready to be laid out; arms in place of its own clauses are a UNION ALL.
type selection struct {
	arms    []selection
	columns []string
	from    []string // the source, then one line for each join
	where   []string
	group   []string
	order   []string
	limit   string
}

// named is one step of WITH.
type named struct {
	name string
	body selection
}

func (s selection) format() string {
	var b strings.Builder
	if len(s.arms) > 0 {
		for i, a := range s.arms {
			if i > 0 {
				b.WriteString("\nUNION ALL\n")
			}
			b.WriteString(a.format())
		}
		return b.String()
	}
	clause := func(word string, parts []string, separator string) {
		if len(parts) > 0 {
			b.WriteString("\n" + word + " " + strings.Join(parts, separator))
		}
	}
	b.WriteString("SELECT\n" + indent(strings.Join(s.columns, ",\n")))
	if len(s.from) > 0 {
		b.WriteString("\nFROM " + strings.Join(s.from, "\n"))
	}
	clause("WHERE", s.where, "\n  AND ")
	clause("GROUP BY", s.group, ", ")
	clause("ORDER BY", s.order, ", ")
	if s.limit != "" {
		b.WriteString("\n" + s.limit)
	}
	return b.String()
}

// statement lays out steps and the SELECT over them.
func statement(with []named, body selection) string {
	var b strings.Builder
	for i, n := range with {
		if i == 0 {
			b.WriteString("WITH ")
		}
		b.WriteString(n.name + " AS (\n" + indent(n.body.format()) + "\n)")
		if i < len(with)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	return b.String() + body.format()
}

// indent moves every line of generated SQL; literals keep their line breaks, for the quoting function leaves none.
func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }
