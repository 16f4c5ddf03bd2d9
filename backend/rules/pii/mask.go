package pii

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Masker replaces personal values by the tokens of a vault. What it gives out may leave the process.
type Masker struct {
	Policy Policy
	Vault  *Vault
}

// Text masks a free text: a question, a sample, a narration. It finds what detectors find, secrets, and every value that the
// session masked before.
func (m Masker) Text(s string) string { return m.replace(s, m.found(s)) }

func (m Masker) found(s string) []Span {
	spans := m.tokens(s)
	spans = append(spans, m.Policy.Find(s)...)
	return append(spans, m.Vault.known(s)...)
}

// TextAt masks a text in which pieces are marked by their bytes, and says where the pieces are afterwards. A piece that ends within
// a value ends where its token does.
func (m Masker) TextAt(s string, pieces [][2]int) (masked string, moved [][2]int) {
	moved = make([][2]int, len(pieces))
	shift := func(from, by int) {
		for i, p := range pieces {
			for end := range p {
				if p[end] >= from {
					moved[i][end] = p[end] + by
				}
			}
		}
	}
	shift(0, 0)
	var b strings.Builder
	last := 0
	for _, x := range joined(m.found(s)) {
		b.WriteString(s[last:x.Start])
		at := b.Len()
		b.WriteString(m.Vault.Token(x.Kind, s[x.Start:x.End]))
		last = x.End
		for i, p := range pieces {
			for end, place := range [2]int{at, b.Len()} {
				if p[end] > x.Start && p[end] < x.End {
					moved[i][end] = place
				}
			}
		}
		shift(x.End, b.Len()-x.End)
	}
	b.WriteString(s[last:])
	return b.String(), moved
}

// tokens finds text that looks like a token. Text of the data must not become one.
func (m Masker) tokens(s string) []Span {
	if !strings.Contains(s, "_") {
		return nil
	}
	var all []Span
	for _, x := range tokenShape.FindAllStringIndex(s, -1) {
		all = append(all, Span{x[0], x[1], Literal})
	}
	return all
}

func (m Masker) replace(s string, spans []Span) string {
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	last := 0
	for _, x := range joined(spans) {
		for x.Start > last && s[x.Start-1] == '\\' { // before a token it would be read as a part of it
			x.Start--
		}
		b.WriteString(s[last:x.Start])
		b.WriteString(m.Vault.Token(x.Kind, s[x.Start:x.End]))
		last = x.End
	}
	b.WriteString(s[last:])
	return b.String()
}

// Frame masks the names and the cells of a frame of any kind: rows[i][k] is of columns[k]. Nothing that is given is changed.
func (m Masker) Frame(columns []Column, rows [][]any) (names []string, masked [][]any) {
	kinds := make([]Kind, len(columns))
	for k, c := range columns {
		kinds[k] = m.Policy.Of(c)
	}
	masked = make([][]any, len(rows))
	for i, row := range rows {
		masked[i] = make([]any, len(row))
	}
	// Cells that a column gives away go first: the others, and the names, may speak of them.
	for _, sure := range []bool{true, false} {
		for i, row := range rows {
			for k, cell := range row {
				kind := Kind("")
				if k < len(kinds) {
					kind = kinds[k]
				}
				if (kind != "" && kind != None) == sure {
					masked[i][k] = m.cell(kind, cell)
				}
			}
		}
	}
	for _, c := range columns {
		if c.Label == "" {
			c.Label = c.Name
		}
		names = append(names, m.Text(c.Label))
	}
	return names, masked
}

// Value masks one cell of a column.
func (m Masker) Value(c Column, cell any) any { return m.cell(m.Policy.Of(c), cell) }

// cell masks by kind: the whole of a personal one, nothing of one that is not, and of one that nobody knows what is found.
// What is missing, true or false, or an empty text says nothing about anybody.
func (m Masker) cell(kind Kind, cell any) any {
	switch x := cell.(type) {
	case nil, bool:
		return cell
	case string:
		switch {
		case kind == None:
			return m.replace(x, m.tokens(x))
		case kind == "":
			return m.Text(x)
		case strings.TrimSpace(x) == "":
			return x
		}
		return m.Vault.Token(kind, x)
	case []byte:
		return m.cell(kind, string(x))
	case []any, map[string]any:
		if kind == "" || kind == None {
			return m.Any(x)
		}
		return m.Vault.token(kind, "json", fmt.Sprint(x), x)
	}
	if kind == None {
		return cell
	}
	written := digitsOf(cell)
	if kind != "" {
		return m.Vault.token(kind, fmt.Sprintf("%T", cell), written, cell)
	}
	if found := m.Policy.Find(written); len(found) == 1 && found[0].Kind == Card && found[0].End-found[0].Start == len(written) {
		return m.Vault.token(Card, fmt.Sprintf("%T", cell), written, cell)
	}
	switch cell.(type) {
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64, json.Number:
		return cell
	}
	return m.Text(written) // of a type that is not known here, its text is all that goes out
}

// digitsOf writes a cell that is no text as a person would: a number of any size in digits.
func digitsOf(cell any) string {
	if f, ok := cell.(float64); ok && f == math.Trunc(f) && math.Abs(f) < 1e18 {
		return strconv.FormatInt(int64(f), 10)
	}
	return fmt.Sprint(cell)
}

// Any masks a value of JSON. A key is read like the name of a column, and its own text is masked, too.
func (m Masker) Any(x any) any { return m.under("", x) }

func (m Masker) under(kind Kind, x any) any {
	switch x := x.(type) {
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = m.under(kind, x[i])
		}
		return out
	case map[string]any:
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		slices.Sort(keys) // the order in which tokens are given out decides which of two that collide is longer
		out := make(map[string]any, len(x))
		for _, sure := range []bool{true, false} { // as in Frame
			for _, k := range keys {
				inner := m.Policy.Of(Column{Name: k})
				if SecretKey(k) {
					inner = Secret
				}
				if inner == "" {
					inner = kind
				}
				if (inner != "" && inner != None) == sure {
					out[m.Text(k)] = m.under(inner, x[k])
				}
			}
		}
		return out
	}
	return m.cell(kind, x)
}

// JSON masks a JSON text and keeps the digits of its numbers. What cannot be read as JSON is masked as text.
func (m Masker) JSON(raw []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil || d.More() {
		return []byte(m.Text(string(raw)))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // tokens stay as they are
	if err := e.Encode(m.Any(x)); err != nil {
		return []byte(m.Text(string(raw)))
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
