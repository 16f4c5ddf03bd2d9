package store

import (
	"sort"
	"strings"
)

// literal writes a string as SQL. A NUL, which no file name and no option can hold, is left out.
func literal(s string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(s, "\x00", ""), "'", "''") + "'"
}

// ident writes a name as SQL.
func ident(s string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(s, "\x00", ""), `"`, `""`) + `"`
}

// list writes strings as the members of a list or an IN.
func list(all []string) string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = literal(s)
	}
	return strings.Join(out, ", ")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
