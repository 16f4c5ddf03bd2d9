package svg

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
)

// pen writes SVG. Every text goes through escaped, every coordinate through number, and names of elements and attributes are
// literals of this package: nothing of the data can become markup.
type pen struct{ out strings.Builder }

// attrs are pairs of a name and a value: a string, a float64 or an int.
func (p *pen) tag(name string, attrs []any, closed string) {
	p.out.WriteByte('<')
	p.out.WriteString(name)
	for i := 0; i+1 < len(attrs); i += 2 {
		p.out.WriteByte(' ')
		p.out.WriteString(attrs[i].(string))
		p.out.WriteString(`="`)
		switch v := attrs[i+1].(type) {
		case float64:
			p.out.WriteString(number(v))
		case int:
			p.out.WriteString(strconv.Itoa(v))
		case string:
			p.out.WriteString(escaped(v))
		}
		p.out.WriteByte('"')
	}
	p.out.WriteString(closed)
}

// empty writes an element without content, leaf one with a text, mark one with a tooltip.
func (p *pen) empty(name string, attrs ...any) { p.tag(name, attrs, "/>") }

func (p *pen) leaf(name, content string, attrs ...any) {
	p.tag(name, attrs, ">")
	p.out.WriteString(escaped(content))
	p.out.WriteString("</" + name + ">")
}

func (p *pen) mark(name, tip string, attrs ...any) {
	if tip == "" {
		p.empty(name, attrs...)
		return
	}
	p.tag(name, attrs, ">")
	p.leaf("title", tip)
	p.out.WriteString("</" + name + ">")
}

// words writes a text that has so many pixels; what is cut has the whole as its tooltip.
func (p *pen) words(s string, room, size float64, attrs ...any) {
	short := cut(s, room, size)
	p.tag("text", attrs, ">")
	if short != s {
		p.leaf("title", s)
	}
	p.out.WriteString(escaped(short))
	p.out.WriteString("</text>")
}

func (p *pen) open(name string, attrs ...any) { p.tag(name, attrs, ">") }
func (p *pen) close(name string)              { p.out.WriteString("</" + name + ">") }

// number writes a coordinate: two places, never something that is no number.
func number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) > 1e7 {
		return "0"
	}
	s := strconv.FormatFloat(x, 'f', 2, 64)
	s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

// escaped writes a text for XML. What XML cannot hold becomes U+FFFD; signs that turn the direction of what stands around them are
// left out.
func escaped(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f {
			return -1
		}
		return r
	}, s)
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a builder takes everything
	return b.String()
}

// path collects the steps of a path.
type path struct{ b strings.Builder }

func (d *path) to(step byte, coordinates ...float64) {
	d.b.WriteByte(step)
	for i, x := range coordinates {
		if i > 0 {
			d.b.WriteByte(' ')
		}
		d.b.WriteString(number(x))
	}
}

// wide is about how many pixels a text takes in a sans serif of a size: no font is at hand, so that it errs to the wide side.
func wide(s string, size float64) float64 {
	sum := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("iljtfrI.,:;'|!()[] ", r):
			sum += 0.34
		case strings.ContainsRune("mwMW%@", r):
			sum += 0.9
		case r >= 'A' && r <= 'Z':
			sum += 0.68
		case r >= 0x1100:
			sum++
		default:
			sum += 0.58
		}
	}
	return sum * size
}

// cut shortens a text to so many pixels, with an ellipsis.
func cut(s string, room, size float64) string {
	s = strings.Join(strings.Fields(s), " ")
	if wide(s, size) <= room {
		return s
	}
	runes := []rune(s)
	left := room - 0.9*size
	n := 0
	for ; n < len(runes); n++ {
		if left -= wide(string(runes[n]), size); left < 0 {
			break
		}
	}
	return strings.TrimRight(string(runes[:n]), " ") + "…"
}
