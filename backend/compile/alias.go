package compile

import "strings"

// names hands out names that are used once.
type names struct {
	taken    map[string]bool
	reserved func(string) bool
}

func (n *names) copy() *names {
	c := &names{taken: make(map[string]bool, len(n.taken)), reserved: n.reserved}
	for k := range n.taken {
		c.taken[k] = true
	}
	return c
}

// take gives the name, or the name with a number behind it. Names that differ by case are the same to an engine.
func (n *names) take(name string) string {
	if name == "" {
		name = "x"
	}
	for k, next := 2, name; ; k++ {
		if !n.taken[strings.ToLower(next)] {
			n.taken[strings.ToLower(next)] = true
			return next
		}
		next = name + "_" + itoa(k)
	}
}

// alias gives a short name for a table: its initials, longer where they are taken. It depends only on what was asked
// before, so that the same query always has the same text.
func (n *names) alias(table string) string {
	choices := aliasChoices(table)
	for _, a := range choices {
		if !n.taken[a] && !n.reserved(a) {
			n.taken[a] = true
			return a
		}
	}
	for k := 2; ; k++ {
		if a := choices[0] + itoa(k); !n.taken[a] && !n.reserved(a) {
			n.taken[a] = true
			return a
		}
	}
}

// aliasChoices gives "ol", then "ord", then "orde" for order_lines. Names without Latin letters get "x".
func aliasChoices(name string) []string {
	var letters, initials strings.Builder
	for _, word := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' }) {
		initials.WriteByte(word[0])
		letters.WriteString(word)
	}
	l := letters.String()
	if l == "" {
		return []string{"x"}
	}
	return []string{initials.String(), l[:min(len(l), 2)], l[:min(len(l), 3)], l[:min(len(l), 4)]}
}
