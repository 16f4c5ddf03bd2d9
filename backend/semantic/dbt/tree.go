package dbt

import (
	"slices"
	"strconv"
	"strings"

	"assay/backend/semantic"
)

// node is one value of a YAML or JSON document. What is read from it is marked, so that what nobody read can be named.
type node struct {
	kind   nodeKind
	text   string // of a scalar, unquoted; null is a nodeNull
	keys   []string
	fields map[string]*node // of a mapping
	items  []*node          // of a list
	pos    semantic.Pos
	read   bool
}

type nodeKind int

const (
	nodeNull nodeKind = iota
	nodeScalar
	nodeMapping
	nodeList
)

// field gives a value of a mapping and marks it as read; nil when it is absent or null.
func (n *node) field(key string) *node {
	if n == nil || n.kind != nodeMapping {
		return nil
	}
	f := n.fields[key]
	if f == nil || f.kind == nodeNull {
		return nil
	}
	f.read = true
	return f
}

// at follows keys downwards.
func (n *node) at(keys ...string) *node {
	for _, k := range keys {
		n = n.field(k)
	}
	return n
}

// say gives a scalar's text, without white space at its ends; empty when there is none.
func (n *node) say(keys ...string) string {
	n = n.at(keys...)
	if n == nil || n.kind != nodeScalar {
		return ""
	}
	return strings.TrimSpace(n.text)
}

// words gives a list of scalars; a single one is a list of one.
func (n *node) words(keys ...string) []string {
	n = n.at(keys...)
	if n == nil {
		return nil
	}
	if n.kind == nodeScalar {
		return []string{strings.TrimSpace(n.text)}
	}
	var all []string
	for _, i := range n.items {
		if i.kind == nodeScalar {
			i.read = true
			all = append(all, strings.TrimSpace(i.text))
		}
	}
	return all
}

// list gives the items under a key, or the values of a mapping in the order of its keys: dbt's YAML lists what its
// manifest keys by id.
func (n *node) list(keys ...string) []*node {
	n = n.at(keys...)
	if n == nil {
		return nil
	}
	all := n.items
	if n.kind == nodeMapping {
		for _, k := range n.keys {
			all = append(all, n.fields[k])
		}
	}
	for _, i := range all {
		i.read = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(i *node) bool { return i.kind == nodeNull })
}

// flag says whether a scalar is true.
func (n *node) flag(keys ...string) bool { return strings.EqualFold(n.say(keys...), "true") }

// pass marks keys whose content says nothing about what data means: ids, paths, times of creation.
func (n *node) pass(keys ...string) {
	for _, k := range keys {
		if f := n.field(k); f != nil {
			f.passAll()
		}
	}
}

func (n *node) passAll() {
	n.read = true
	for _, k := range n.keys {
		n.fields[k].passAll()
	}
	for _, i := range n.items {
		i.passAll()
	}
}

// empty says whether a value says nothing: null, "", false, an empty list, a mapping of such.
func (n *node) empty() bool {
	switch n.kind {
	case nodeScalar:
		t := strings.TrimSpace(n.text)
		return t == "" || strings.EqualFold(t, "false")
	case nodeMapping:
		for _, k := range n.keys {
			if !n.fields[k].empty() {
				return false
			}
		}
	case nodeList:
		for _, i := range n.items {
			if !i.empty() {
				return false
			}
		}
	}
	return true
}

// unread calls visit for every value that nobody read and that says something, with its path of keys.
func (n *node) unread(path string, visit func(path string, n *node)) {
	for _, k := range n.keys {
		f, sub := n.fields[k], k
		if path != "" {
			sub = path + "." + k
		}
		switch {
		case f.empty():
		case !f.read:
			visit(sub, f)
		default:
			f.unread(sub, visit)
		}
	}
	for i, f := range n.items {
		sub := path + "[" + strconv.Itoa(i+1) + "]"
		switch {
		case f.empty():
		case !f.read:
			visit(sub, f)
		default:
			f.unread(sub, visit)
		}
	}
}
