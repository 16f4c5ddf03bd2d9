package frameql

import "strings"

// selection is one SELECT, ready to be laid out.
type selection struct {
	with    []named
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
	for i, n := range s.with {
		if i == 0 {
			b.WriteString("WITH ")
		}
		b.WriteString(n.name + " AS (\n" + indent(n.body.format()) + "\n)")
		if i < len(s.with)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	clause := func(word string, parts []string, separator string) {
		if len(parts) > 0 {
			b.WriteString("\n" + word + " " + strings.Join(parts, separator))
		}
	}
	b.WriteString("SELECT\n" + indent(strings.Join(s.columns, ",\n")))
	b.WriteString("\nFROM " + strings.Join(s.from, "\n"))
	clause("WHERE", s.where, "\n  AND ")
	clause("GROUP BY", s.group, ", ")
	clause("ORDER BY", s.order, ", ")
	if s.limit != "" {
		b.WriteString("\n" + s.limit)
	}
	return b.String()
}

// indent moves every line of generated SQL; literals keep their line breaks, for the quoting function leaves none.
func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }
