package semantic

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/backend/text"
	"assay/backend/yamlfile"

	"github.com/goccy/go-yaml/ast"
)

// reading collects what is wrong with the files of one load, and where every field stands.
type reading struct {
	problems Problems
	lines    map[fieldPos]int
	sound    bool      // what is wrong is left out, and the rest is kept
	items    int       // problems of items that are left out, whose object stays
	leftOut  []LeftOut // files of which something about the data is left out
	texts    map[string]string
}

// item reads one item of an object. Where what is wrong is left out, keep is false for an item that is.
func (r *reading) item(read func()) (keep bool) {
	before := len(r.problems)
	read()
	found := len(r.problems) - before
	r.items += found
	return found == 0 || !r.sound
}

// fieldPos names a field of an object: the place of the object and the key.
type fieldPos struct {
	object Pos
	field  string
}

func (r *reading) fail(file string, line int, object, message, hint string) {
	r.problems = append(r.problems, Problem{Severity: SeverityError, Object: object, Pos: Pos{file, line}, Message: message, Hint: hint})
}

// documents parses a YAML file into the bodies of its documents; empty documents are left out.
func (r *reading) documents(file string, raw []byte) []ast.Node {
	bodies, bad := yamlfile.Documents(raw)
	if bad != nil {
		r.fail(file, bad.Line, "", bad.Message, bad.Hint)
	}
	return bodies
}

// fields is one YAML mapping with the keys that it may have.
type fields struct {
	r      *reading
	pos    Pos
	object string
	nodes  map[string]ast.Node
	keys   []string // as written
	lines  map[string]int
}

// mapping reads a node as a mapping. Unknown keys are errors. object names it in messages ("metric revenue").
func (r *reading) mapping(file, object string, n ast.Node, allowed ...string) (*fields, bool) {
	f, ok := r.openMapping(file, object, n)
	if !ok {
		return nil, false
	}
	for _, k := range f.keys {
		if !slices.Contains(allowed, k) {
			r.fail(file, f.lines[k], object, text.Say("semantic.unknown_key", "key", k), KnownHint(k, allowed))
		}
	}
	return f, true
}

// openMapping reads a node as a mapping whose keys are names that the author chose.
func (r *reading) openMapping(file, object string, n ast.Node) (*fields, bool) {
	values, ok := mappingValues(n)
	if !ok {
		r.fail(file, lineOf(n), object, text.Say("semantic.want_mapping"), text.Say("semantic.want_mapping_hint"))
		return nil, false
	}
	f := &fields{r: r, pos: Pos{file, lineOf(n)}, object: object, nodes: map[string]ast.Node{}, lines: map[string]int{}}
	for _, v := range values {
		key, ok := scalar(v.Key)
		if !ok {
			r.fail(file, lineOf(v.Key), object, text.Say("semantic.want_plain_key"), text.Say("semantic.want_mapping_hint"))
			continue
		}
		if len(f.keys) == 0 {
			f.pos.Line = lineOf(v.Key)
		}
		if _, twice := f.nodes[key]; twice {
			r.fail(file, lineOf(v.Key), object, text.Say("semantic.key_twice", "key", key), text.Say("semantic.key_twice_hint"))
			continue
		}
		f.keys = append(f.keys, key)
		f.nodes[key], f.lines[key] = v.Value, lineOf(v.Key)
	}
	for k, l := range f.lines {
		r.lines[fieldPos{f.pos, k}] = l
	}
	return f, true
}

func mappingValues(n ast.Node) ([]*ast.MappingValueNode, bool) { return yamlfile.Entries(n) }

func lineOf(n ast.Node) int { return yamlfile.Line(n) }

func scalar(n ast.Node) (string, bool) { return yamlfile.Scalar(n) }

func (f *fields) fail(key, message, hint string) {
	line, ok := f.lines[key]
	if !ok {
		line = f.pos.Line
	}
	f.r.fail(f.pos.File, line, f.object, message, hint)
}

func (f *fields) has(key string) bool { _, ok := f.nodes[key]; return ok }

// text reads a scalar; empty when the key is absent.
func (f *fields) text(key string) string {
	n, ok := f.nodes[key]
	if !ok {
		return ""
	}
	s, ok := scalar(n)
	if !ok {
		f.fail(key, text.Say("semantic.want_text", "key", key), text.Say("semantic.want_text_hint", "key", key))
	}
	return s
}

// required reads a scalar that must be there.
func (f *fields) required(key string) string {
	s := f.text(key)
	if s == "" {
		f.fail(key, text.Say("semantic.missing_key", "key", key), text.Say("semantic.missing_key_hint", "key", key))
	}
	return s
}

// name reads an identifier that must be there.
func (f *fields) name(key string) string {
	s := f.required(key)
	if s != "" && !IsName(s) {
		f.fail(key, text.Say("semantic.bad_name", "name", s), text.Say("semantic.bad_name_hint"))
	}
	return s
}

// choice reads one of a few words; empty when the key is absent.
func (f *fields) choice(key string, words ...string) string {
	s := f.text(key)
	if s != "" && !slices.Contains(words, s) {
		f.fail(key, text.Say("semantic.bad_choice", "key", key, "value", s), KnownHint(s, words))
	}
	return s
}

// texts reads a list of scalars; a single scalar is a list of one.
func (f *fields) texts(key string) []string {
	n, ok := f.nodes[key]
	if !ok {
		return nil
	}
	if s, ok := scalar(n); ok {
		if s == "" {
			return nil
		}
		return []string{s}
	}
	return f.scalars(key, n)
}

func (f *fields) scalars(key string, n ast.Node) []string {
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		f.fail(key, text.Say("semantic.want_list", "key", key), text.Say("semantic.want_list_hint", "key", key))
		return nil
	}
	var all []string
	for _, v := range seq.Values {
		s, ok := scalar(v)
		if !ok || s == "" {
			f.r.fail(f.pos.File, lineOf(v), f.object, text.Say("semantic.want_text_item", "key", key), text.Say("semantic.want_list_hint", "key", key))
			continue
		}
		all = append(all, s)
	}
	return all
}

// items reads a list of nodes of any kind.
func (f *fields) items(key string) []ast.Node {
	n, ok := f.nodes[key]
	if !ok {
		return nil
	}
	if _, null := n.(*ast.NullNode); null {
		return nil
	}
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		f.fail(key, text.Say("semantic.want_list", "key", key), text.Say("semantic.want_list_hint", "key", key))
		return nil
	}
	return seq.Values
}

func (f *fields) boolean(key string) bool {
	switch s := strings.ToLower(f.text(key)); s {
	case "", "false", "no":
		return false
	case "true", "yes":
		return true
	default:
		f.fail(key, text.Say("semantic.bad_choice", "key", key, "value", s), KnownHint(s, []string{"true", "false"}))
		return false
	}
}

func (f *fields) integer(key string) int {
	s := f.text(key)
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		f.fail(key, text.Say("semantic.want_integer", "key", key, "value", s), text.Say("semantic.want_integer_hint", "key", key))
	}
	return n
}

// number reads a number; nil when the key is absent.
func (f *fields) number(key string) *float64 {
	s := f.text(key)
	if s == "" {
		return nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		f.fail(key, text.Say("semantic.want_number", "key", key, "value", s), text.Say("semantic.want_integer_hint", "key", key))
		return nil
	}
	return &v
}

// weight reads a number between 0 and 1.
func (f *fields) weight(key string) *float64 {
	w := f.number(key)
	if w != nil && (*w < 0 || *w > 1) {
		f.fail(key, text.Say("semantic.bad_weight", "value", formatNumber(*w)), text.Say("semantic.bad_weight_hint"))
	}
	return w
}

// sub reads a mapping under a key; nil when the key is absent or no mapping.
func (f *fields) sub(key string, allowed ...string) *fields {
	n, ok := f.nodes[key]
	if !ok {
		return nil
	}
	s, ok := f.r.mapping(f.pos.File, f.object, n, allowed...)
	if !ok {
		return nil
	}
	return s
}

// pairs reads a mapping of scalars under a key, in the order of the file.
func (f *fields) pairs(key string) (names []string, values map[string]string) {
	n, ok := f.nodes[key]
	if !ok {
		return nil, nil
	}
	m, ok := f.r.openMapping(f.pos.File, f.object, n)
	if !ok {
		return nil, nil
	}
	values = map[string]string{}
	for _, k := range m.keys {
		values[k] = m.text(k)
	}
	return m.keys, values
}
