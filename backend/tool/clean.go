package tool

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/backend/semantic"
)

// Bounds of texts that come from data, files and models, in characters.
const (
	longestName = 64
	longestCell = 120
	longestText = 240
)

// clean writes a text that comes from elsewhere as plain data on one line: what prints nothing, turns the direction of writing or hides among other
// characters becomes a space, and what is longer than most characters is cut.
func clean(s string, most int) string {
	var out strings.Builder
	n, space := 0, true // no space at the start
	for _, r := range s {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) || r == utf8.RuneError || unicode.Is(unicode.Cf, r) {
			r = ' '
		}
		if r == ' ' && space {
			continue
		}
		if n == most {
			return strings.TrimRight(out.String(), " ") + "…"
		}
		space = r == ' '
		out.WriteRune(r)
		n++
	}
	return strings.TrimRight(out.String(), " ")
}

// name is clean for identifiers.
func name(s string) string { return clean(s, longestName) }

func names(all []string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = name(s)
	}
	return out
}

// cell is a cell of a frame as it stands, and texts of it as plain data.
func (d *Desk) cell(x any) any {
	if s, ok := x.(string); ok {
		return d.masked(clean(s, longestCell))
	}
	return x
}

// masked is a text without personal values, as far as the workspace finds them in texts.
func (d *Desk) masked(s string) string {
	if d.Mask == nil {
		return s
	}
	s, _ = d.Mask(s)
	return s
}

// personal says whether values of a dimension are nobody's business: what names one person by the model or by the rules, and what was tagged so, or stands in an
// entity that was.
func (d *Desk) personal(e *semantic.Entity, dim *semantic.Dimension) bool {
	return dim.PII != "" || quiet(dim.Tags) || quiet(e.Tags) || d.Personal != nil && d.Personal(e.Name+"."+dim.Name)
}

// Quiet says whether the values of a dimension are nobody's business. A path leads to the dimension at its end; of a name without an entity every dimension counts that is called so.
func (d *Desk) Quiet(path string) bool {
	parts := strings.Split(path, ".")
	last := parts[len(parts)-1]
	if len(parts) > 1 {
		if e := d.Model.Entity(parts[len(parts)-2]); e != nil {
			dim := e.Dimension(last)
			return dim != nil && d.personal(e, dim)
		}
	}
	for i := range d.Model.Entities {
		e := &d.Model.Entities[i]
		if dim := e.Dimension(last); dim != nil && d.personal(e, dim) {
			return true
		}
	}
	return false
}

func quiet(tags []string) bool {
	for _, tag := range tags {
		switch strings.ToLower(tag) {
		case "sensitive", "personal", "pii", "confidential", "secret":
			return true
		}
	}
	return false
}

// plainText says whether a value can be written as it is: short, and everything in it can be seen.
func plainText(s string) bool {
	return len(s) <= longestText && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError })
}

// Clean writes a text that comes from elsewhere as plain data on one line of at most so many characters.
func Clean(s string, most int) string { return clean(s, most) }

// CleanLines is Clean that keeps the lines.
func CleanLines(s string, most int) string {
	var lines []string
	for line := range strings.Lines(s) {
		line = clean(line, most)
		if most -= utf8.RuneCountInString(line) + 1; most < 0 {
			break
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
