// Package yamlfile reads the YAML files that people write for a workspace down to nodes with their lines. It is strict about
// what a hostile file may do to the parser, and leaves what the keys mean to its callers.
//
//	bytes -> Documents -> nodes -> Entries of a mapping -> Scalar, Line
package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"assay/backend/text"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// MaxSize bounds one file, in bytes. Such files are written by people.
const MaxSize = 2 << 20

// maxDepth bounds nesting, so that a hostile file cannot exhaust the stack of the YAML parser.
const maxDepth = 100

// Unreadable says where a file stops being YAML, and what to do about it, as sentences.
type Unreadable struct {
	Line          int
	Message, Hint string
}

// Documents parses a file into the bodies of its documents; empty documents are left out. nil and no bodies: there is
// nothing in it.
func Documents(raw []byte) (bodies []ast.Node, bad *Unreadable) {
	if line, deep := tooDeep(raw); deep {
		return nil, &Unreadable{line, text.Say("semantic.yaml_too_deep"), text.Say("semantic.yaml_too_deep_hint")}
	}
	if line := conflictAt(raw); line > 0 {
		return nil, &Unreadable{line, text.Say("semantic.yaml_conflict"), text.Say("semantic.yaml_conflict_hint")}
	}
	// The parser is a third party's and reads what anyone wrote: a panic in it is a bad file, not a crash of the window.
	defer func() {
		if p := recover(); p != nil {
			bodies, bad = nil, syntax(1, fmt.Sprint(p))
		}
	}()
	parsed, err := parser.ParseBytes(raw, 0)
	if err != nil {
		line, what := 1, err.Error()
		var wrong *yaml.SyntaxError
		if errors.As(err, &wrong) {
			what = wrong.Message
			if wrong.Token != nil && wrong.Token.Position != nil {
				line = wrong.Token.Position.Line
			}
		}
		return nil, syntax(line, what)
	}
	for _, d := range parsed.Docs {
		if d != nil && d.Body != nil {
			bodies = append(bodies, d.Body)
		}
	}
	return bodies, nil
}

func syntax(line int, what string) *Unreadable {
	return &Unreadable{line, text.Say("semantic.yaml_syntax", "what", what), text.Say("semantic.yaml_syntax_hint")}
}

// conflictAt is the line on which git began to mark what two people wrote in one place; 0: it did not.
func conflictAt(raw []byte) int {
	begun := 0
	for i, l := range bytes.Split(raw, []byte("\n")) {
		switch {
		case bytes.HasPrefix(l, []byte("<<<<<<< ")):
			begun = i + 1
		case bytes.HasPrefix(l, []byte(">>>>>>> ")) && begun > 0:
			return begun
		}
	}
	return 0
}

// tooDeep finds nesting that no person writes, before the parser sees it.
func tooDeep(raw []byte) (line int, deep bool) {
	depth := 0
	for i, l := range bytes.Split(raw, []byte("\n")) {
		dashes := 0
		for rest := bytes.TrimLeft(l, " "); len(rest) > 1 && (rest[0] == '-' || rest[0] == '?') && rest[1] == ' '; rest = bytes.TrimLeft(rest[1:], " ") {
			dashes++
		}
		for _, c := range l {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(depth-1, 0)
			}
			if depth+dashes > maxDepth {
				return i + 1, true
			}
		}
	}
	return 0, false
}

// Entries gives the keys and values of a mapping; false: the node is none.
func Entries(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch x := n.(type) {
	case *ast.MappingNode:
		return x.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{x}, true
	}
	return nil, false
}

// Items gives the nodes of a list; false: the node is none.
func Items(n ast.Node) ([]ast.Node, bool) {
	if s, ok := n.(*ast.SequenceNode); ok {
		return s.Values, true
	}
	return nil, false
}

// Line is where a node stands, from 1.
func Line(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 1
	}
	return n.GetToken().Position.Line
}

// Scalar gives the text of a scalar as it was written, unquoted; null is the empty text. White space at the ends counts
// only within quotes.
func Scalar(n ast.Node) (string, bool) {
	switch x := n.(type) {
	case *ast.StringNode:
		if t := x.GetToken().Type; t == token.SingleQuoteType || t == token.DoubleQuoteType {
			return x.Value, true
		}
		return strings.TrimSpace(x.Value), true
	case *ast.LiteralNode:
		return strings.TrimSpace(x.Value.Value), true
	case *ast.NullNode:
		return "", true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	case *ast.MergeKeyNode:
		return "<<", true
	}
	return "", false
}
