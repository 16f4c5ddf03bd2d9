package dbt

import (
	"bytes"
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
)

// maxYAMLDepth bounds nesting, so that a hostile file cannot exhaust the stack.
const maxYAMLDepth = 60

// yamlDocuments parses a YAML file into its documents. Empty ones are left out.
func yamlDocuments(file string, raw []byte) (docs []*node, err error) {
	if deepest(raw) > maxYAMLDepth {
		return nil, unreadable(file, 1, text.Say("dbt.too_deep"))
	}
	// The parser is a third party's and reads what anyone wrote: a panic in it is a bad file, not a crash.
	defer func() {
		if p := recover(); p != nil {
			docs, err = nil, unreadable(file, 1, fmt.Sprint(p))
		}
	}()
	parsed, err := parser.ParseBytes(raw, 0)
	if err != nil {
		return nil, unreadable(file, 1, firstLine(err.Error()))
	}
	for _, d := range parsed.Docs {
		if d == nil || d.Body == nil {
			continue
		}
		if n := yamlNode(file, d.Body, 0); n.kind != nodeNull {
			n.read = true
			docs = append(docs, n)
		}
	}
	return docs, nil
}

// deepest counts open brackets and the indentation of the deepest line, before the parser sees them.
func deepest(raw []byte) int {
	depth, most := 0, 0
	for _, line := range bytes.Split(raw, []byte("\n")) {
		indent := len(line) - len(bytes.TrimLeft(line, " -"))
		for _, c := range line {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(depth-1, 0)
			}
		}
		most = max(most, depth, indent/2)
	}
	return most
}

func unreadable(file string, line int, what string) error {
	at := semantic.Pos{File: file, Line: line}
	return fault.New(fault.Invalid, "import dbt", text.Say("dbt.unreadable", "file", at.String(), "what", what), text.Say("dbt.unreadable_hint"))
}

func firstLine(s string) string {
	line, _, _ := bytes.Cut([]byte(s), []byte("\n"))
	return string(line)
}

func yamlNode(file string, n ast.Node, depth int) *node {
	out := &node{pos: semantic.Pos{File: file, Line: lineOf(n)}}
	if depth > maxYAMLDepth {
		return out
	}
	switch x := n.(type) {
	case *ast.MappingNode:
		out.mapping(file, x.Values, depth)
	case *ast.MappingValueNode:
		out.mapping(file, []*ast.MappingValueNode{x}, depth)
	case *ast.SequenceNode:
		out.kind = nodeList
		for _, v := range x.Values {
			out.items = append(out.items, yamlNode(file, v, depth+1))
		}
	case *ast.StringNode:
		out.kind, out.text = nodeScalar, x.Value
	case *ast.LiteralNode:
		out.kind, out.text = nodeScalar, x.Value.Value
	case *ast.TagNode:
		return yamlNode(file, x.Value, depth+1)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		out.kind, out.text = nodeScalar, n.GetToken().Value
	}
	return out
}

func (n *node) mapping(file string, values []*ast.MappingValueNode, depth int) {
	n.kind, n.fields = nodeMapping, map[string]*node{}
	for _, v := range values {
		key := yamlNode(file, v.Key, depth+1)
		if key.kind != nodeScalar {
			continue
		}
		if _, twice := n.fields[key.text]; !twice {
			n.keys = append(n.keys, key.text)
		}
		value := yamlNode(file, v.Value, depth+1)
		value.pos.Line = key.pos.Line
		n.fields[key.text] = value
	}
	if len(values) > 0 {
		n.pos.Line = lineOf(values[0].Key)
	}
}

func lineOf(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 1
	}
	return n.GetToken().Position.Line
}
