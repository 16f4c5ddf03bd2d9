package frameql

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/backend/fault"
	"assay/backend/text"
)

// JSONError says where a JSON text stops being a query. ParseJSON wraps it in a fault.Invalid whose message is a sentence.
type JSONError struct {
	Pointer string   // RFC 6901: "/where/and/0/op"; empty: the whole
	Line    int      // from 1
	Column  int      // from 1, in characters
	Allowed []string // the keys, or the values, that could stand there; empty: the reason says
	Found   string   // what stands there; empty: something is missing
	Reason  string   // a sentence without its beginning: `there is no key "colour"`
}

// Error gives the sentence.
func (e *JSONError) Error() string {
	return visible(text.Say("frameql.json_not_a_query", "pointer", pointerText(e.Pointer),
		"line", strconv.Itoa(e.Line), "column", strconv.Itoa(e.Column), "reason", e.Reason))
}

func pointerText(pointer string) string {
	if pointer == "" {
		return text.Say("frameql.json_top")
	}
	return shorten(pointer, 200)
}

// jsonNode is a JSON value with its place.
type jsonNode struct {
	kind   byte        // { [ s(tring) n(umber) b(oolean) 0 (null)
	text   string      // of a string, a number, a boolean
	keys   []string    // of an object, in order
	kids   []*jsonNode // of an object and a list
	offset int         // byte of the source
	parent *jsonNode   // nil: the whole
	step   string      // key or index in the parent
}

// pointer gives the place as RFC 6901 writes it.
func (n *jsonNode) pointer() string {
	var steps []string
	for ; n != nil && n.parent != nil; n = n.parent {
		steps = append(steps, "/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(n.step))
	}
	slices.Reverse(steps)
	return strings.Join(steps, "")
}

// get gives the member of an object; nil when it is not there.
func (n *jsonNode) get(key string) *jsonNode {
	for i, k := range n.keys {
		if k == key {
			return n.kids[i]
		}
	}
	return nil
}

// jsonReader reads a JSON text into nodes, every byte once.
type jsonReader struct {
	source []byte
	dec    *json.Decoder
	depth  int
}

// readJSON reads exactly one JSON value. What a query could not hold is refused: a key that stands twice, NUL, half a
// surrogate pair, bytes that are no UTF-8.
func readJSON(raw []byte) (*jsonReader, *jsonNode, error) {
	raw = bytes.TrimPrefix(raw, []byte(byteOrderMark))
	r := &jsonReader{source: raw, dec: json.NewDecoder(bytes.NewReader(raw))}
	if len(raw) > 4*maxText {
		return r, nil, fault.New(fault.Limit, "read query", text.Say("frameql.text_too_long", "kilobytes", strconv.Itoa(4*maxText>>10)), text.Say("frameql.text_too_long_hint"))
	}
	if i := invalidUTF8(string(raw)); i >= 0 {
		return r, nil, r.fault(&jsonNode{offset: i}, JSONError{Reason: text.Say("frameql.json_not_utf8")})
	}
	r.dec.UseNumber()
	n, err := r.value(nil, "")
	if err != nil {
		return r, nil, err
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		return r, nil, r.fault(&jsonNode{offset: r.skip(int(r.dec.InputOffset()))}, JSONError{Reason: text.Say("frameql.json_trailing")})
	}
	return r, n, nil
}

// skip passes white space and the marks between values.
func (r *jsonReader) skip(at int) int {
	for at < len(r.source) && strings.IndexByte(" \t\r\n,:", r.source[at]) >= 0 {
		at++
	}
	return at
}

func (r *jsonReader) value(parent *jsonNode, step string) (*jsonNode, error) {
	n := &jsonNode{offset: r.skip(int(r.dec.InputOffset())), parent: parent, step: step}
	t, err := r.dec.Token()
	if err != nil {
		return nil, r.malformed(n, err)
	}
	switch t := t.(type) {
	case json.Delim:
		n.kind = byte(t)
		return n, r.members(n)
	case string:
		n.kind, n.text = 's', t
		return n, r.checkText(n)
	case json.Number:
		n.kind, n.text = 'n', t.String()
	case bool:
		n.kind, n.text = 'b', strconv.FormatBool(t)
	default:
		n.kind = '0'
	}
	return n, nil
}

// maxJSONDepth is more than any query of maxDepth levels needs.
const maxJSONDepth = 4 * maxDepth

// members reads what stands in an object or a list, up to its end.
func (r *jsonReader) members(n *jsonNode) error {
	if r.depth++; r.depth > maxJSONDepth {
		e := r.fault(n, JSONError{Reason: text.Say("frameql.json_too_deep", "depth", strconv.Itoa(maxJSONDepth))})
		return fault.Wrap(fault.Limit, "read query", messageOf(e), text.Say("frameql.too_deep_hint"), e)
	}
	defer func() { r.depth-- }()
	seen := map[string]bool{}
	for r.dec.More() {
		step := strconv.Itoa(len(n.kids))
		if n.kind == '{' {
			k, err := r.value(n.parent, n.step)
			if err != nil {
				return err
			}
			if seen[k.text] {
				return r.fault(k, JSONError{Found: k.text, Reason: text.Say("frameql.json_key_twice", "key", shorten(k.text, 60))})
			}
			seen[k.text] = true
			n.keys = append(n.keys, k.text)
			step = k.text
		}
		v, err := r.value(n, step)
		if err != nil {
			return err
		}
		n.kids = append(n.kids, v)
	}
	if _, err := r.dec.Token(); err != nil {
		return r.malformed(&jsonNode{offset: r.skip(int(r.dec.InputOffset())), parent: n.parent, step: n.step}, err)
	}
	return nil
}

// checkText refuses what JSON can spell and no text holds.
func (r *jsonReader) checkText(n *jsonNode) error {
	if strings.IndexByte(n.text, 0) >= 0 {
		return r.fault(n, JSONError{Reason: text.Say("frameql.nul_character")})
	}
	if strings.ContainsRune(n.text, utf8.RuneError) { // written as such, or what the decoder makes of half a pair?
		written := string(r.source[n.offset:int(r.dec.InputOffset())])
		if strings.Count(written, string(utf8.RuneError))+strings.Count(strings.ToLower(written), `\ufffd`) < strings.Count(n.text, string(utf8.RuneError)) {
			return r.fault(n, JSONError{Reason: text.Say("frameql.json_surrogate")})
		}
	}
	return nil
}

// malformed is an error of JSON itself.
func (r *jsonReader) malformed(n *jsonNode, err error) error {
	if s := new(json.SyntaxError); errors.As(err, &s) && int(s.Offset) > n.offset {
		n.offset = min(int(s.Offset), len(r.source)) - 1
	}
	found := text.Say("frameql.the_end")
	if n.offset < len(r.source) {
		c, _ := utf8.DecodeRune(r.source[n.offset:])
		found = text.Say("frameql.quoted", "text", shown(c))
	}
	return r.fault(n, JSONError{Found: found, Reason: text.Say("frameql.json_malformed", "found", found)})
}

// fault completes an error with its place. The hint lists what may stand there.
func (r *jsonReader) fault(n *jsonNode, e JSONError) error {
	e.Pointer = n.pointer()
	e.Line, e.Column = position(string(r.source), n.offset)
	return fault.Wrap(fault.Invalid, "read query", e.Error(), e.hint(), &e)
}

// hint gives what may stand there, or an example of the clause.
func (e *JSONError) hint() string {
	if len(e.Allowed) > 0 {
		return text.Say("frameql.json_allowed", "allowed", strings.Join(e.Allowed, ", "))
	}
	clause, _, _ := strings.Cut(strings.TrimPrefix(e.Pointer, "/"), "/")
	switch clause {
	case "with", "select", "at", "from", "where", "time", "compare", "having", "top", "totals", "order", "options":
		return text.Say("frameql.json_hint_" + clause)
	}
	return text.Say("frameql.json_hint")
}

func messageOf(err error) string {
	if f := new(fault.Error); errors.As(err, &f) {
		return f.Message
	}
	return err.Error()
}
