package frameql

import (
	"strings"

	"assay/backend/text"
)

// dotted is a name as it was written. A quoted last segment is never a time grain: budget."year" is the dimension year
// of budget, order_date.year is order_date cut by year.
type dotted struct {
	segments   []string
	lastQuoted bool
}

func (n dotted) joined() string { return strings.Join(n.segments, ".") }

func (n dotted) dim() Dim {
	last := len(n.segments) - 1
	if last > 0 && !n.lastQuoted && timeGrains[keyword(n.segments[last])] {
		return Dim{Name: strings.Join(n.segments[:last], "."), Grain: strings.ToLower(n.segments[last])}
	}
	return Dim{Name: n.joined()}
}

// maxSegments bounds a dotted name: role, entity, attribute and grain, with room for one more.
const maxSegments = 5

func isName(t token) bool {
	return t.kind == tokQuoted || t.kind == tokWord && !reserved[t.keyword]
}

// ident reads one identifier.
func (p *parser) ident() (string, error) {
	if !isName(p.peek()) {
		p.hope(text.Say("frameql.a_name"))
		return "", p.unexpected()
	}
	return p.advance().text, nil
}

// name reads ident { "." ident }.
func (p *parser) name() (dotted, error) {
	var n dotted
	for {
		t := p.peek()
		s, err := p.ident()
		if err != nil {
			return n, err
		}
		n.segments, n.lastQuoted = append(n.segments, s), t.kind == tokQuoted
		if strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".") || strings.Contains(s, "..") { // quoted; would read as an empty part
			return n, p.wrong(t, text.Say("frameql.empty_name"))
		}
		if t.kind == tokQuoted && strings.Contains(s, ".") && !p.given[strings.ToLower(n.joined())] { // no name of a model has a dot
			parts := strings.Split(s, ".")
			for i, part := range parts {
				parts[i] = quoted(part)
			}
			return n, p.wrong(t, text.Say("frameql.dot_in_name", "name", shorten(s, 40), "apart", shorten(strings.Join(parts, "."), 60)))
		}
		if len(n.segments) > maxSegments || strings.Count(n.joined(), ".") >= maxSegments {
			return n, p.wrong(t, text.Say("frameql.name_too_long"))
		}
		if !p.mark(".") {
			return n, nil
		}
		// After the dot a reserved word can only be a name, but canonical text quotes it; so does this grammar.
	}
}

func (p *parser) dim() (Dim, error) {
	n, err := p.name()
	return n.dim(), err
}

// unit reads a unit of time: a calendar unit, or the name of a custom one, in lower case.
func (p *parser) unit() (string, error) {
	if !isName(p.peek()) {
		p.hope(text.Say("frameql.a_unit"))
		return "", p.unexpected()
	}
	return strings.ToLower(p.advance().text), nil
}

// grain reads ( dim | "(" [ dims ] ")" ) [ IGNORING ... ].
func (p *parser) grain() (*Grain, error) {
	g := &Grain{}
	if !p.mark("(") {
		d, err := p.dim()
		if err != nil {
			return nil, err
		}
		g.Dims = []Dim{d}
	} else if !p.mark(")") {
		if err := p.dims(&g.Dims); err != nil {
			return nil, err
		}
	}
	if !p.word("IGNORING") {
		return g, nil
	}
	if p.word("FILTERS") {
		g.IgnoreFilters = true
		return g, nil
	}
	if err := p.need(p.mark("(")); err != nil {
		return nil, err
	}
	return g, p.dims(&g.IgnoreDims)
}

// dims reads dim { "," dim } ")".
func (p *parser) dims(into *[]Dim) error {
	if err := p.list(func() error {
		d, err := p.dim()
		*into = append(*into, d)
		return err
	}); err != nil {
		return err
	}
	return p.need(p.mark(")"))
}

// isValue says whether a value begins here.
func (p *parser) isValue() bool {
	t := p.peek()
	return t.kind == tokString || t.kind == tokNumber || t.kind == tokMark && t.text == "-" && p.peekAt(1).kind == tokNumber ||
		isWord(t, "TRUE") || isWord(t, "FALSE") || isWord(t, "NULL")
}

func (p *parser) value() (Value, error) {
	if !p.isValue() {
		p.hope(text.Say("frameql.a_value"))
		return Value{}, p.unexpected()
	}
	t := p.peek()
	switch {
	case t.kind == tokNumber || t.kind == tokMark:
		n, err := p.number()
		return Value{Kind: Number, Text: n}, err
	case t.kind == tokString:
		p.advance()
		return Value{Kind: String, Text: t.text}, nil
	case isWord(t, "NULL"):
		p.advance()
		return Value{Kind: Null}, nil
	default:
		p.advance()
		return Value{Kind: Bool, Text: strings.ToLower(t.text)}, nil
	}
}

// number reads [ "-" ] number in its one spelling.
func (p *parser) number() (string, error) {
	sign, t := "", p.advance()
	if t.kind == tokMark {
		sign, t = "-", p.advance()
	}
	n, ok := numeral(sign + t.text)
	if !ok {
		return "", p.wrong(t, text.Say("frameql.number_range", "number", shorten(n, 60)))
	}
	return n, nil
}
