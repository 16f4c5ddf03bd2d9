package frameql

import (
	"strconv"
	"strings"
)

// aliases gives every node that is read a short name: its initials, longer where they are taken. They depend only on
// the plan, so that the same query always has the same text.
func (w *writer) aliases(needed []bool) []string {
	taken := map[string]bool{"g": true, "m": true, "t": true} // the steps of the outer SELECT
	all := make([]string, len(w.b.nodes))
	for i, n := range w.b.nodes {
		if !needed[i] {
			continue
		}
		name := n.entity.Name
		if n.join != nil && n.join.Role != "" {
			name = n.join.Role
		}
		for _, a := range aliasChoices(name) {
			if !taken[a] && !reservedSQL[a] {
				all[i] = a
				break
			}
		}
		for k := 2; all[i] == ""; k++ {
			if a := aliasChoices(name)[0] + strconv.Itoa(k); !taken[a] && !reservedSQL[a] {
				all[i] = a
			}
		}
		taken[all[i]] = true
	}
	return all
}

// aliasChoices gives "ol", then "ord", then "order_lines" for order_lines. Names without Latin letters get "x".
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
