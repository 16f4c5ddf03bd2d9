package sqlgate

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// node is a value of a tree that a parser wrote as JSON. The trees are large beside their statements, so this reads them
// without copying; and it reads what DuckDB writes for 1e400, which is no JSON.
type node struct {
	kind   nodeKind
	text   string  // of a string, unescaped; of a number, as written
	fields []field // of an object, in order; of a list, without names
}

type field struct {
	name  string
	value node
}

type nodeKind uint8

const (
	nullNode nodeKind = iota
	boolNode
	numberNode
	stringNode
	listNode
	objectNode
)

// get gives a field of an object; the zero node, which is null, when it is not there.
func (n node) get(name string) node {
	if n.kind == objectNode {
		for i := range n.fields {
			if n.fields[i].name == name {
				return n.fields[i].value
			}
		}
	}
	return node{}
}

// str gives the text of a field that is a string.
func (n node) str(name string) string {
	if v := n.get(name); v.kind == stringNode {
		return v.text
	}
	return ""
}

func (n node) null() bool { return n.kind == nullNode }

// yes says whether a field is true.
func (n node) yes(name string) bool {
	v := n.get(name)
	return v.kind == boolNode && v.text == "true"
}

// items gives the members of a list.
func (n node) items() []field {
	if n.kind == listNode {
		return n.fields
	}
	return nil
}

// only says whether an object has no other fields than these. A field that an upgrade of the engine brings may hold anything.
func (n node) only(names ...string) bool {
	if n.kind != objectNode {
		return false
	}
next:
	for i := range n.fields {
		for _, name := range names {
			if n.fields[i].name == name {
				continue next
			}
		}
		return false
	}
	return true
}

// deepestTree bounds the recursion over a tree.
const deepestTree = 6_000

var (
	errTree    = errors.New("the parser's tree is not JSON")
	errTooDeep = errors.New("the tree is nested too deep")
)

// read reads the JSON of a parser into the forest. The tree lives until the forest is cleared.
func (f *forest) read(raw string) (node, error) {
	r := treeReader{raw: raw, forest: f}
	n, err := r.value(0)
	if err == nil {
		if r.space(); r.at != len(raw) {
			err = errTree
		}
	}
	return n, err
}

// forest is the room of the trees of one judgement: a tree has thousands of fields, and reading them costs less than making
// and collecting their room anew.
type forest struct {
	open []field // of the objects and lists that are being read
	done []field // of those that are read; full room is left to its trees, and twice as much is made
}

var forests = sync.Pool{New: func() any { return new(forest) }}

// keptRoom is how many fields a cleared forest keeps room for: a statement of 64 KiB needs about so many.
const keptRoom = 128 << 10

// clear ends the trees and gives the room to the next judgement.
func (f *forest) clear() {
	if max(cap(f.open), cap(f.done)) > keptRoom {
		return
	}
	clear(f.open[:cap(f.open)]) // they hold on to the text
	clear(f.done)
	f.open, f.done = f.open[:0], f.done[:0]
	forests.Put(f)
}

// close gives the fields that were opened since base a place of their own.
func (f *forest) close(base int) []field {
	n := len(f.open) - base
	if cap(f.done)-len(f.done) < n {
		f.done = make([]field, 0, max(1024, n, 2*cap(f.done)))
	}
	start := len(f.done)
	f.done = append(f.done, f.open[base:]...)
	f.open = f.open[:base]
	return f.done[start:len(f.done):len(f.done)]
}

type treeReader struct {
	*forest
	raw string
	at  int
}

func (r *treeReader) space() {
	for r.at < len(r.raw) && (r.raw[r.at] == ' ' || r.raw[r.at] == '\n' || r.raw[r.at] == '\t' || r.raw[r.at] == '\r') {
		r.at++
	}
}

// take steps over one byte.
func (r *treeReader) take(c byte) bool {
	r.space()
	if r.at < len(r.raw) && r.raw[r.at] == c {
		r.at++
		return true
	}
	return false
}

func (r *treeReader) value(depth int) (node, error) {
	if depth > deepestTree {
		return node{}, errTooDeep
	}
	r.space()
	if r.at >= len(r.raw) {
		return node{}, errTree
	}
	switch c := r.raw[r.at]; {
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.list(depth)
	case c == '"':
		s, err := r.string()
		return node{kind: stringNode, text: s}, err
	}
	start := r.at
	for r.at < len(r.raw) && strings.IndexByte(",]} \n\t\r", r.raw[r.at]) < 0 {
		r.at++
	}
	switch s := r.raw[start:r.at]; s {
	case "null":
		return node{}, nil
	case "true", "false":
		return node{kind: boolNode, text: s}, nil
	case "Infinity", "-Infinity", "NaN", "-NaN", "inf", "-inf", "nan", "-nan":
		return node{kind: numberNode, text: s}, nil
	default:
		if s == "" || strings.Trim(s, "+-.0123456789eE") != "" {
			return node{}, errTree
		}
		return node{kind: numberNode, text: s}, nil
	}
}

func (r *treeReader) object(depth int) (node, error) {
	n, base := node{kind: objectNode}, len(r.open)
	r.at++
	if r.take('}') {
		return n, nil
	}
	for {
		r.space()
		name, err := r.string()
		if err != nil || !r.take(':') {
			return n, errTree
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return n, err
		}
		r.open = append(r.open, field{name, v})
		if r.take('}') {
			n.fields = r.close(base)
			return n, nil
		}
		if !r.take(',') {
			return n, errTree
		}
	}
}

func (r *treeReader) list(depth int) (node, error) {
	n, base := node{kind: listNode}, len(r.open)
	r.at++
	if r.take(']') {
		return n, nil
	}
	for {
		v, err := r.value(depth + 1)
		if err != nil {
			return n, err
		}
		r.open = append(r.open, field{value: v})
		if r.take(']') {
			n.fields = r.close(base)
			return n, nil
		}
		if !r.take(',') {
			return n, errTree
		}
	}
}

func (r *treeReader) string() (string, error) {
	if r.at >= len(r.raw) || r.raw[r.at] != '"' {
		return "", errTree
	}
	start := r.at + 1
	end := strings.IndexByte(r.raw[start:], '"')
	switch {
	case end < 0:
		return "", errTree
	case strings.IndexByte(r.raw[start:start+end], '\\') >= 0:
		return r.escaped(start)
	}
	r.at = start + end + 1
	return r.raw[start : start+end], nil
}

// escaped reads a string that has a backslash.
func (r *treeReader) escaped(start int) (string, error) {
	var b strings.Builder
	for i := start; i < len(r.raw); i++ {
		switch c := r.raw[i]; c {
		case '"':
			r.at = i + 1
			return b.String(), nil
		case '\\':
			i++
			if i >= len(r.raw) {
				return "", errTree
			}
			switch r.raw[i] {
			case '"', '\\', '/':
				b.WriteByte(r.raw[i])
			case 'b':
				b.WriteByte('\b')
			case 'f':
				b.WriteByte('\f')
			case 'n':
				b.WriteByte('\n')
			case 'r':
				b.WriteByte('\r')
			case 't':
				b.WriteByte('\t')
			case 'u':
				x, ok := hex4(r.raw, i+1)
				if !ok {
					return "", errTree
				}
				i += 4
				if utf16.IsSurrogate(x) {
					low, ok := hex4(r.raw, i+3)
					if !ok || !strings.HasPrefix(r.raw[i+1:], `\u`) {
						return "", errTree
					}
					x = utf16.DecodeRune(x, low)
					i += 6
				}
				b.WriteRune(x)
			default:
				return "", errTree
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", errTree
}

func hex4(s string, at int) (rune, bool) {
	if at+4 > len(s) {
		return utf8.RuneError, false
	}
	x, err := strconv.ParseUint(s[at:at+4], 16, 32)
	return rune(x), err == nil
}
