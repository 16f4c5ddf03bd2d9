package reuse

import (
	"math/big"
	"strings"
	"time"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// kind tells apart values that are ordered among themselves.
type kind byte

const (
	kindNone kind = iota
	kindNumber
	kindText
	kindTime
	kindBool
)

// value is a literal. Numbers are compared as numbers, texts by their bytes as the engine does, times as moments.
type value struct {
	kind   kind
	number *big.Rat
	text   string
	at     time.Time
}

func (v value) compare(w value) int {
	switch v.kind {
	case kindNumber:
		return v.number.Cmp(w.number)
	case kindTime:
		return v.at.Compare(w.at)
	default:
		return strings.Compare(v.text, w.text)
	}
}

// edge is a place between or on values: before the value, or behind it. The zero edge is beyond all values.
type edge struct {
	value  value
	behind bool
}

// span is an interval of values from one edge to another; an edge without a kind is open to that side.
type span struct{ from, to edge }

// domain is a set of values of one kind: spans in order that do not touch, and perhaps the missing value. It is what a
// condition on one term lets through.
type domain struct {
	kind    kind // kindNone: no value of any kind is named, so that the set is empty or all
	spans   []span
	missing bool
}

func everything(missing bool) domain { return domain{spans: []span{{}}, missing: missing} }

func point(v value) domain {
	return domain{kind: v.kind, spans: []span{{edge{v, false}, edge{v, true}}}}
}

// literalOf reads a literal that stands against a term. A text that stands against something else than a text is compared
// by rules of the engine, and a number of more digits than a floating number holds may be rounded: both are left alone.
func literalOf(s *compile.Scalar, of semantic.Type) (value, bool) {
	switch s.Op {
	case "num":
		r, ok := new(big.Rat).SetString(s.Text)
		if !ok || digits(s.Text) > 15 || of != "" && !of.Numeric() {
			return value{}, false
		}
		return value{kind: kindNumber, number: r}, true
	case "str":
		return value{kind: kindText, text: s.Text}, of == semantic.Text
	case "bool":
		return value{kind: kindBool, text: strings.ToLower(s.Text)}, of == semantic.Boolean || of == ""
	case "date", "timestamp":
		for _, form := range []string{day, moment, "2006-01-02T15:04:05.999999"} {
			if t, err := time.Parse(form, s.Text); err == nil {
				return value{kind: kindTime, at: t}, of == "" || of.Temporal()
			}
		}
	}
	return value{}, false
}

func digits(number string) int {
	n := 0
	for _, r := range number {
		if r >= '0' && r <= '9' {
			n++
		}
	}
	return n
}

// less orders the left edges; before orders a left edge against a right one.
func cmpEdges(a, b edge) int {
	if c := a.value.compare(b.value); c != 0 {
		return c
	}
	switch {
	case a.behind == b.behind:
		return 0
	case b.behind:
		return -1
	default:
		return 1
	}
}

func lower(a, b edge) edge { // the later of two left edges; open is the earliest
	switch {
	case a.value.kind == kindNone:
		return b
	case b.value.kind == kindNone || cmpEdges(a, b) >= 0:
		return a
	default:
		return b
	}
}

func upper(a, b edge) edge { // the earlier of two right edges; open is the latest
	switch {
	case a.value.kind == kindNone:
		return b
	case b.value.kind == kindNone || cmpEdges(a, b) <= 0:
		return a
	default:
		return b
	}
}

func (s span) empty() bool {
	return s.from.value.kind != kindNone && s.to.value.kind != kindNone && cmpEdges(s.from, s.to) >= 0
}

// comparable says whether two sets speak of values of the same kind.
func (d domain) comparable(e domain) bool {
	return d.kind == kindNone || e.kind == kindNone || d.kind == e.kind
}

// and gives the values in both.
func (d domain) and(e domain) domain {
	out := domain{kind: max(d.kind, e.kind), missing: d.missing && e.missing}
	for i, k := 0, 0; i < len(d.spans) && k < len(e.spans); {
		a, b := d.spans[i], e.spans[k]
		if s := (span{lower(a.from, b.from), upper(a.to, b.to)}); !s.empty() {
			out.spans = append(out.spans, s)
		}
		if endsFirst(a, b) {
			i++
		} else {
			k++
		}
	}
	return out
}

// or gives the values in either.
func (d domain) or(e domain) domain {
	out := domain{kind: max(d.kind, e.kind), missing: d.missing || e.missing}
	for i, k := 0, 0; i < len(d.spans) || k < len(e.spans); {
		var next span
		if k == len(e.spans) || i < len(d.spans) && beginsFirst(d.spans[i], e.spans[k]) {
			next, i = d.spans[i], i+1
		} else {
			next, k = e.spans[k], k+1
		}
		if last := len(out.spans) - 1; last >= 0 && !(span{out.spans[last].to, next.from}).gap() {
			if endsFirst(out.spans[last], next) {
				out.spans[last].to = next.to
			}
			continue
		}
		out.spans = append(out.spans, next)
	}
	return out
}

// not gives the values that are not in d; the missing value is left out.
func (d domain) not() domain {
	out := domain{kind: d.kind}
	var from edge
	for _, s := range d.spans {
		if s.from.value.kind != kindNone {
			out.spans = append(out.spans, span{from, s.from})
		}
		if from = s.to; from.value.kind == kindNone {
			return out
		}
	}
	out.spans = append(out.spans, span{from: from})
	return out
}

func beginsFirst(a, b span) bool {
	return a.from.value.kind == kindNone || b.from.value.kind != kindNone && cmpEdges(a.from, b.from) < 0
}

func endsFirst(a, b span) bool {
	return a.to.value.kind != kindNone && (b.to.value.kind == kindNone || cmpEdges(a.to, b.to) < 0)
}

// gap says whether there are values from the end of a span to the beginning of a later one.
func (s span) gap() bool {
	return s.from.value.kind != kindNone && s.to.value.kind != kindNone && cmpEdges(s.from, s.to) < 0
}

// merged folds sets by halves, so that thousands of them take little longer than their values do.
func merged(all []domain, with func(a, b domain) domain) domain {
	if len(all) == 1 {
		return all[0]
	}
	return with(merged(all[:len(all)/2], with), merged(all[len(all)/2:], with))
}

func (d domain) withMissing(m bool) domain {
	d.missing = m
	return d
}

// within says whether every value of d is in e, whose other values are rest.
func (d domain) within(e, rest domain) bool {
	if !d.comparable(e) || d.missing && !e.missing {
		return false
	}
	for i, k := 0, 0; i < len(d.spans) && k < len(rest.spans); {
		a, b := d.spans[i], rest.spans[k]
		if !(span{lower(a.from, b.from), upper(a.to, b.to)}).empty() {
			return false
		}
		if endsFirst(a, b) {
			i++
		} else {
			k++
		}
	}
	return true
}
