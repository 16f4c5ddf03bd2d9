package compile

import "strings"

// What dialects have in common in spelling.

// plainText drops what no engine can hold in a name or a text.
func plainText(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD")
}

// quotedText writes a literal in single quotes, doubled within; control characters by char, put together by join.
func quotedText(s string, char func(rune) string, join string) string {
	s = plainText(s)
	var parts []string
	var run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			parts = append(parts, "'"+strings.ReplaceAll(run.String(), "'", "''")+"'")
			run.Reset()
		}
	}
	for _, r := range s {
		if r < ' ' || r == 0x7f {
			flush()
			parts = append(parts, char(r))
			continue
		}
		run.WriteRune(r)
	}
	flush()
	switch len(parts) {
	case 0:
		return "''"
	case 1:
		return parts[0]
	}
	return "(" + strings.Join(parts, join) + ")"
}

func operands(args []operand) string {
	all := make([]string, len(args))
	for i, a := range args {
		all[i] = a.sql
	}
	return strings.Join(all, ", ")
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
