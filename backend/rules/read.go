package rules

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/backend/semantic"
	"assay/backend/text"
	"assay/backend/yamlfile"

	"github.com/goccy/go-yaml/ast"
)

// reading collects what is wrong with the files of one load.
type reading struct {
	problems semantic.Problems
	roles    semantic.Pos // where the roles stand, for what refers to them later
}

func (r *reading) fail(pos semantic.Pos, object, message, hint string) {
	r.problems = append(r.problems, semantic.Problem{Severity: semantic.SeverityError, Object: object, Pos: pos, Message: message, Hint: hint})
}

// fields is one YAML mapping whose keys are known.
type fields struct {
	r      *reading
	pos    semantic.Pos
	object string // names it in messages: "role analyst"; empty: the file
	nodes  map[string]ast.Node
	keys   []string // as written
	lines  map[string]int
}

// document opens the one mapping of a file. nil: there is nothing in it, or it cannot be read.
func (r *reading) document(file string, raw []byte, allowed ...string) *fields {
	bodies, bad := yamlfile.Documents(raw)
	switch {
	case bad != nil:
		r.fail(semantic.Pos{File: file, Line: bad.Line}, "", bad.Message, bad.Hint)
		return nil
	case len(bodies) == 0:
		return nil
	case len(bodies) > 1:
		r.fail(semantic.Pos{File: file, Line: yamlfile.Line(bodies[1])}, "", text.Say("rules.one_document"), text.Say("rules.one_document_hint"))
		return nil
	}
	return r.mapping(file, "", bodies[0], allowed...)
}

// mapping opens a node as a mapping. An unknown key is an error, and so is one that stands twice. Without allowed keys the
// author chose them.
func (r *reading) mapping(file, object string, n ast.Node, allowed ...string) *fields {
	pos := semantic.Pos{File: file, Line: yamlfile.Line(n)}
	entries, ok := yamlfile.Entries(n)
	if !ok {
		r.fail(pos, object, text.Say("semantic.want_mapping"), text.Say("semantic.want_mapping_hint"))
		return nil
	}
	f := &fields{r: r, pos: pos, object: object, nodes: map[string]ast.Node{}, lines: map[string]int{}}
	for i, v := range entries {
		at := semantic.Pos{File: file, Line: yamlfile.Line(v.Key)}
		if i == 0 {
			f.pos = at
		}
		key, plain := yamlfile.Scalar(v.Key)
		_, twice := f.nodes[key]
		switch {
		case !plain:
			r.fail(at, object, text.Say("semantic.want_plain_key"), text.Say("semantic.want_mapping_hint"))
		case twice:
			r.fail(at, object, text.Say("semantic.key_twice", "key", key), text.Say("semantic.key_twice_hint"))
		case len(allowed) > 0 && !slices.Contains(allowed, key):
			r.fail(at, object, text.Say("semantic.unknown_key", "key", key), semantic.KnownHint(key, allowed))
		default:
			f.keys = append(f.keys, key)
			f.nodes[key], f.lines[key] = v.Value, at.Line
		}
	}
	return f
}

// place is where a key stands, or the mapping when it lacks the key.
func (f *fields) place(key string) semantic.Pos {
	if line, ok := f.lines[key]; ok {
		return semantic.Pos{File: f.pos.File, Line: line}
	}
	return f.pos
}

func (f *fields) fail(key, message, hint string) { f.r.fail(f.place(key), f.object, message, hint) }

// sub opens the mapping under a key; nil when the key is absent or holds something else.
func (f *fields) sub(key string, allowed ...string) *fields {
	n, ok := f.nodes[key]
	if !ok {
		return nil
	}
	return f.r.mapping(f.pos.File, f.object, n, allowed...)
}

// word reads a scalar, and says whether there is one.
func (f *fields) word(key string) (string, bool) {
	n, ok := f.nodes[key]
	if !ok {
		return "", false
	}
	s, ok := yamlfile.Scalar(n)
	if !ok || s == "" {
		f.fail(key, text.Say("semantic.want_text", "key", key), text.Say("semantic.want_text_hint", "key", key))
		return "", false
	}
	return s, true
}

// required reads a scalar that must be there.
func (f *fields) required(key string) string {
	if _, ok := f.nodes[key]; !ok {
		f.fail(key, text.Say("semantic.missing_key", "key", key), text.Say("semantic.missing_key_hint", "key", key))
		return ""
	}
	s, _ := f.word(key)
	return s
}

// choice reads one of a few words into where; an absent key leaves it as it is.
func (f *fields) choice(key string, where *string, words ...string) {
	s, ok := f.word(key)
	if !ok {
		return
	}
	if !slices.Contains(words, s) {
		f.fail(key, text.Say("semantic.bad_choice", "key", key, "value", s), semantic.KnownHint(s, words))
		return
	}
	*where = s
}

// number reads a number from low to high into where; an absent key leaves it as it is.
func (f *fields) number(key string, where *float64, low, high float64) {
	s, ok := f.word(key)
	if !ok {
		return
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	switch {
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0) || f.quoted(key):
		f.fail(key, text.Say("semantic.want_number", "key", key, "value", s), text.Say("semantic.want_integer_hint", "key", key))
	case v < low || v > high:
		f.outside(key, s, low, high)
	default:
		*where = v
	}
}

// whole reads a whole number from low to high into where; an absent key leaves it as it is.
func (f *fields) whole(key string, where *int, low, high int) {
	s, ok := f.word(key)
	if !ok {
		return
	}
	v, err := strconv.Atoi(s)
	switch {
	case err != nil || f.quoted(key):
		f.fail(key, text.Say("semantic.want_integer", "key", key, "value", s), text.Say("semantic.want_integer_hint", "key", key))
	case v < low || v > high:
		f.outside(key, s, float64(low), float64(high))
	default:
		*where = v
	}
}

func (f *fields) outside(key, value string, low, high float64) {
	f.fail(key, text.Say("rules.out_of_range", "key", key, "value", value, "low", figure(low), "high", figure(high)),
		text.Say("rules.out_of_range_hint", "low", figure(low), "high", figure(high)))
}

// quoted says whether a value is a text that only looks like something else.
func (f *fields) quoted(key string) bool {
	_, isText := f.nodes[key].(*ast.StringNode)
	return isText
}

// truth reads true or false into where; an absent key leaves it as it is.
func (f *fields) truth(key string, where *bool) {
	s, ok := f.word(key)
	if !ok {
		return
	}
	if b, isBool := f.nodes[key].(*ast.BoolNode); isBool {
		*where = b.Value
		return
	}
	f.fail(key, text.Say("semantic.bad_choice", "key", key, "value", s), semantic.KnownHint(s, []string{"true", "false"}))
}

// maxAfter is the longest time that anything may wait.
const maxAfter = 365 * 24 * time.Hour

// after reads a time such as 30m, 24h or 7d; 0 when it cannot be read.
func (f *fields) after(key string) time.Duration {
	s := f.required(key)
	if s == "" {
		return 0
	}
	unit := map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour}[s[len(s)-1]]
	n, err := strconv.Atoi(s[:len(s)-1])
	if err != nil || unit == 0 || n <= 0 || n > int(maxAfter/unit) {
		f.fail(key, text.Say("rules.want_duration", "key", key, "value", s), text.Say("rules.want_duration_hint"))
		return 0
	}
	return time.Duration(n) * unit
}

// words reads a list of scalars; one scalar is a list of one. given: the key is there.
func (f *fields) words(key string) (all []string, given bool) {
	n, given := f.nodes[key]
	if !given {
		return nil, false
	}
	if s, ok := yamlfile.Scalar(n); ok {
		if s != "" {
			all = append(all, s)
		}
		return all, true
	}
	for _, v := range f.items(key) {
		s, ok := yamlfile.Scalar(v)
		if !ok || s == "" {
			f.r.fail(semantic.Pos{File: f.pos.File, Line: yamlfile.Line(v)}, f.object, text.Say("semantic.want_text_item", "key", key), text.Say("semantic.want_list_hint", "key", key))
			continue
		}
		all = append(all, s)
	}
	return all, true
}

// items reads a list of nodes of any kind.
func (f *fields) items(key string) []ast.Node {
	n, ok := f.nodes[key]
	if !ok {
		return nil
	}
	all, ok := yamlfile.Items(n)
	if !ok {
		f.fail(key, text.Say("semantic.want_list", "key", key), text.Say("semantic.want_list_hint", "key", key))
	}
	return all
}

// figure writes a number as short as it can be at four decimals.
func figure(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64)
}
