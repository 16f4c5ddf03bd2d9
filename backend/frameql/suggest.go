package frameql

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/backend/text"
)

// Opening is what the grammar allows at a place of a text that is being written.
type Opening struct {
	From     int      // byte at which the piece begins that is being written
	Written  string   // that piece, up to the cursor, without its quote
	Quote    byte     // ' or " when it is open; 0: the piece is bare
	Of       string   // the dotted name before the piece: "orders" of orders.cou; empty: none
	Keywords []string // in capitals, in the order of the grammar; several words may go together: COMPARE TO
	Wants    []Want
	Column   string // of WantValue: the name that the value is compared with
}

// Want is a kind of thing that may stand somewhere.
type Want string

// The kinds of things.
const (
	WantDimension Want = "dimension"
	WantMetric    Want = "metric"
	WantEntity    Want = "entity"
	WantOutput    Want = "output" // a name that the query itself gives
	WantValue     Want = "value"
	WantPeriod    Want = "period"
	WantUnit      Want = "unit"
	WantOption    Want = "option"
)

// Open says what may stand at a byte of a text, as the parser that reads what is before it would take it. A text that is
// broken before that place gives only what its last keyword allows.
func Open(source string, at int) Opening {
	at = min(max(at, 0), len(source))
	for at > 0 && at < len(source) && !utf8.RuneStart(source[at]) {
		at--
	}
	o, before := piece(source[:at])
	p, err := newParser(before)
	if err != nil {
		return o
	}
	tokens := p.tokens[:len(p.tokens)-1]
	if o.Quote == '\'' {
		o.Wants, o.Column = []Want{WantValue}, comparedWith(tokens)
		return o
	}
	if _, err = p.query(); err != nil && p.peek().kind != tokEnd {
		p.expected = nil
		o.Wants = wantsAfter(tokens, p)
		return o
	}
	for _, e := range p.expected {
		if first, _, _ := strings.Cut(e, " "); keyword(first) == first && unicode.IsUpper(rune(first[0])) {
			o.Keywords = append(o.Keywords, e)
		}
	}
	if o.Of != "" || o.Quote == '"' {
		o.Keywords = nil
	}
	o.Wants = wants(p, tokens)
	if slices.Contains(o.Wants, WantValue) {
		o.Column = comparedWith(tokens)
	}
	return o
}

// piece cuts what is being written from a text that ends at the cursor: an open string or name in quotes, or a bare word, with the
// dotted name before it.
func piece(head string) (o Opening, before string) {
	o.From = len(head)
	tokens, err := scan(head)
	var bad *SyntaxError
	if errors.As(err, &bad) {
		if q := bad.Found; (q == "'" || q == `"`) && bad.Offset < len(head) && head[bad.Offset] == q[0] {
			o.From, o.Quote = bad.Offset, q[0]
			o.Written = strings.ReplaceAll(head[bad.Offset+1:], q+q, q)
			if tokens, err = scan(head[:bad.Offset]); err != nil {
				return o, ""
			}
		} else {
			return o, ""
		}
	}
	tokens = tokens[:len(tokens)-1]
	if n := len(tokens); o.Quote == 0 && n > 0 && tokens[n-1].kind == tokWord && tokens[n-1].end == len(head) {
		o.From, o.Written, tokens = tokens[n-1].start, tokens[n-1].text, tokens[:n-1]
	}
	before = head[:o.From]
	if o.Quote == '\'' {
		return o, before
	}
	var segments []string
	for n := len(tokens); n >= 2 && tokens[n-1].kind == tokMark && tokens[n-1].text == "." && isName(tokens[n-2]); n -= 2 {
		segments = append([]string{tokens[n-2].text}, segments...)
		before = head[:tokens[n-2].start]
	}
	o.Of = strings.Join(segments, ".")
	return o, before
}

// wants says which things could stand where the parser stopped.
func wants(p *parser, tokens []token) []Want {
	hoped := func(key string) bool { return slices.Contains(p.expected, text.Say(key)) }
	switch {
	case hoped("frameql.a_period"):
		return []Want{WantPeriod}
	case hoped("frameql.a_unit"):
		return []Want{WantUnit}
	case hoped("frameql.a_string"):
		return []Want{WantValue}
	case hoped("frameql.a_value"):
		if p.clauseOf == "having" || p.clauseOf == "options" {
			return nil
		}
		return []Want{WantValue}
	case !hoped("frameql.a_name") && !hoped("frameql.a_metric"):
		return nil
	}
	return wantsAfter(tokens, p)
}

// wantsAfter says which names could stand after what was written, by the clause and its last keyword.
func wantsAfter(tokens []token, p *parser) []Want {
	last := ""
	for _, t := range slices.Backward(tokens) {
		if t.kind == tokWord && (reserved[t.keyword] || t.keyword == "SELECT") {
			last = t.keyword
			break
		}
	}
	inParens := len(tokens) > 0 && tokens[len(tokens)-1].text == "("
	switch {
	case last == "AS" || last == "WITH" && p.clauseOf != "select" && len(tokens) > 0 && tokens[len(tokens)-1].keyword == "WITH":
		return nil // a name of one's own
	case last == "ANY" || last == "ALL" || last == "NO" || last == "FROM" && p.clauseOf == "from":
		return []Want{WantEntity}
	case p.clauseOf == "options":
		return []Want{WantOption}
	case last == "AT" || last == "TOTALS" || last == "PER" || last == "ON" || last == "TOP" || last == "IGNORING" || p.clauseOf == "totals":
		return []Want{WantDimension}
	case last == "BY" && p.clauseOf != "where" || p.clauseOf == "having" || p.clauseOf == "order":
		return []Want{WantOutput, WantMetric, WantDimension}
	case p.clauseOf == "where" && !inParens && last != "BY", last == "FILTER":
		return []Want{WantDimension}
	case p.clauseOf == "compare" || p.clauseOf == "during" || p.clauseOf == "limit" || p.clauseOf == "fill":
		return nil
	}
	return []Want{WantMetric, WantDimension}
}

// comparedWith finds the name that a value is compared with, before an operator, or before the list that the value stands in.
func comparedWith(tokens []token) string {
	i := len(tokens) - 1
	listed := false
	for ; i >= 0; i-- {
		t := tokens[i]
		switch {
		case t.kind == tokString || t.kind == tokNumber || t.kind == tokMark && (t.text == "," || t.text == "("):
			listed = true
			continue
		case t.kind == tokMark && comparisonOps[t.text] != "" && !listed:
			continue
		case t.kind == tokWord && slices.Contains([]string{"IN", "NOT", "LIKE", "CONTAINS", "STARTS", "WITH", "BETWEEN", "AND"}, t.keyword):
			continue
		}
		break
	}
	var segments []string
	for ; i >= 0 && isName(tokens[i]); i -= 2 {
		segments = append([]string{tokens[i].text}, segments...)
		if i == 0 || tokens[i-1].kind != tokMark || tokens[i-1].text != "." {
			break
		}
	}
	return strings.Join(segments, ".")
}
