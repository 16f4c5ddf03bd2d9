package semantic

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// yamlWriter writes the small YAML of the context layer: block mappings of scalars, flow lists and flow mappings. What
// it writes, the reader reads back to the same.
type yamlWriter struct{ b strings.Builder }

var plainScalar = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_./() -]*$`)

// yamlWords would read back as something else than the text, or confuse other readers of YAML.
var yamlWords = set("true false null yes no on off y n nan inf")

// scalarYAML quotes where a plain scalar would not read back as the same text.
func scalarYAML(s string) string {
	if plainScalar.MatchString(s) && !yamlWords[strings.ToLower(s)] && strings.TrimSpace(s) == s {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case c < 0x20 || c >= 0x7f && c <= 0xa0 || c == 0x2028 || c == 0x2029 || c == 0xfeff:
			b.WriteString(`\u` + strings.Repeat("0", 4-len(strconv.FormatInt(int64(c), 16))) + strconv.FormatInt(int64(c), 16))
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func listYAML(items []string) string {
	out := make([]string, len(items))
	for i, s := range items {
		out[i] = scalarYAML(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// flow is a mapping on one line, in the order in which keys are put.
type flow struct{ parts []string }

// put adds a key with a value that is YAML already; an empty value is left out.
func (f *flow) put(key, value string) {
	if value != "" {
		f.parts = append(f.parts, scalarYAML(key)+": "+value)
	}
}

func (f *flow) text(key, value string) {
	if value != "" {
		f.put(key, scalarYAML(value))
	}
}

func (f *flow) list(key string, items []string) {
	if len(items) > 0 {
		f.put(key, listYAML(items))
	}
}

func (f *flow) flag(key string, v bool) {
	if v {
		f.put(key, "true")
	}
}

func (f *flow) number(key string, n int) {
	if n != 0 {
		f.put(key, strconv.Itoa(n))
	}
}

func (f *flow) span(key string, s *Span) {
	if s != nil {
		f.text(key, s.String())
	}
}

func (f *flow) pairs(key string, m map[string]string) {
	if len(m) > 0 {
		f.put(key, pairsYAML(m))
	}
}

func (f *flow) String() string {
	if len(f.parts) == 0 {
		return ""
	}
	return "{" + strings.Join(f.parts, ", ") + "}"
}

func pairsYAML(m map[string]string) string {
	var names []string
	for k := range m {
		names = append(names, k)
	}
	slices.Sort(names)
	inner := &flow{}
	for _, k := range names {
		inner.put(k, scalarYAML(m[k]))
	}
	return inner.String()
}

func (w *yamlWriter) comment(s string) {
	if s != "" {
		w.b.WriteString("# " + strings.Join(strings.Fields(s), " ") + "\n")
	}
}

// put writes "key: value" with a value that is YAML already; an empty one is left out.
func (w *yamlWriter) put(key, value string) {
	if value != "" {
		w.b.WriteString(key + ": " + value + "\n")
	}
}

func (w *yamlWriter) text(key, value string) {
	if value != "" {
		w.put(key, scalarYAML(value))
	}
}

func (w *yamlWriter) list(key string, items []string) {
	if len(items) > 0 {
		w.put(key, listYAML(items))
	}
}

func (w *yamlWriter) flag(key string, v bool) {
	if v {
		w.put(key, "true")
	}
}

func (w *yamlWriter) span(key string, s *Span) {
	if s != nil {
		w.text(key, s.String())
	}
}

// items writes a list with one line per item, each already YAML.
func (w *yamlWriter) items(key string, items []string) {
	if len(items) == 0 {
		return
	}
	w.b.WriteString(key + ":\n")
	for _, s := range items {
		w.b.WriteString("  - " + s + "\n")
	}
}

func (w *yamlWriter) bytes() []byte { return []byte(w.b.String()) }
