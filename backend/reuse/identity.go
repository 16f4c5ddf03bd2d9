package reuse

import (
	"encoding/json"
	"slices"
	"sort"
	"strconv"
	"strings"

	"assay/backend/compile"
)

// paths names each node of a source by how it is reached from the fact, so that the same scalar of two sources with
// differently numbered nodes has one signature. A node that stands there twice is two, unless its key is unique and so is
// its row.
func paths(nodes []compile.Node) []string {
	all := make([]string, len(nodes))
	for i, n := range nodes {
		table := n.Table
		if n.SQL != "" {
			table = "(" + n.SQL + ")"
		}
		if n.Parent < 0 {
			all[i] = quote(table)
			continue
		}
		all[i] = "own" // while its own side of the join is written
		on := make([]string, len(n.On))
		for j, p := range n.On {
			on[j] = signature(p.Parent, all) + "=" + signature(p.Own, all)
		}
		sort.Strings(on)
		all[i] = all[n.Parent] + ">" + quote(table) + "[" + strings.Join(on, ",") + "]"
		for !n.Unique && slices.Contains(all[:i], all[i]) {
			all[i] += "'"
		}
	}
	return all
}

// signature writes a scalar so that two scalars with the same text have the same value for every row. nodes holds the path
// of each node. Types and currencies do not matter: they follow from the columns.
func signature(s *compile.Scalar, nodes []string) string {
	var b strings.Builder
	sign(&b, s, nodes)
	return b.String()
}

func sign(b *strings.Builder, s *compile.Scalar, nodes []string) {
	if s == nil {
		b.WriteString("nil")
		return
	}
	b.WriteString(s.Op)
	if s.Op == "col" {
		b.WriteByte('(')
		b.WriteString(path(nodes, s.Node))
		b.WriteByte('.')
		b.WriteString(quote(s.Text))
		b.WriteByte(')')
		return
	}
	if s.Text != "" {
		b.WriteString(quote(s.Text))
	}
	for _, p := range []struct{ name, value string }{{"unit", s.Unit}, {"param", s.Param}, {"zone", s.Zone}, {"from", s.From}} {
		if p.value != "" {
			b.WriteString(" " + p.name + quote(p.value))
		}
	}
	for _, p := range []struct {
		name  string
		value int
	}{{"n", s.N}, {"shift", s.Shift}, {"index", s.Index}, {"ctx", s.Ctx}} {
		if p.value != 0 {
			b.WriteString(" " + p.name + strconv.Itoa(p.value))
		}
	}
	if s.HasElse {
		b.WriteString(" else")
	}
	for _, k := range s.Buckets {
		b.WriteString(" " + k.From.Format(day) + "/" + k.To.Format(day))
	}
	if len(s.Args) > 0 {
		args := make([]string, len(s.Args))
		for i, a := range s.Args {
			args[i] = signature(a, nodes)
		}
		switch s.Op { // the order of these says nothing
		case "and", "or", "=", "<>", "same":
			sort.Strings(args)
		}
		b.WriteString("(" + strings.Join(args, ",") + ")")
	}
	if s.Sub != nil {
		signSub(b, s.Sub, nodes)
	}
}

// signSub writes what a row is tested against. The columns of the outer row are written by their paths; the inner query
// stands as it is, so that one of another numbering counts as another.
func signSub(b *strings.Builder, s *compile.Sub, outer []string) {
	inner := make([]string, len(s.Nodes))
	for i := range inner {
		inner[i] = "sub" + strconv.Itoa(i)
	}
	for _, n := range s.Nodes {
		b.WriteString(" node" + quote(n.Table) + quote(n.SQL) + strconv.Itoa(n.Parent))
		for _, p := range n.On {
			b.WriteString(signature(p.Parent, inner) + "=" + signature(p.Own, inner))
		}
	}
	for _, p := range s.On {
		b.WriteString(" on" + signature(p.Parent, outer) + "=" + signature(p.Own, inner))
	}
	for _, w := range s.Where {
		b.WriteString(" where" + signature(w, inner))
	}
	if s.Lookup != nil {
		raw, err := json.Marshal(s.Lookup.Query)
		if err != nil { // an infinite time: no other lookup is like it
			raw = []byte(err.Error())
		}
		b.WriteString(" lookup")
		b.Write(raw)
		for _, k := range s.Lookup.Keys {
			b.WriteString(" key" + signature(k, outer))
		}
	}
}

func path(nodes []string, i int) string {
	if i < 0 || i >= len(nodes) {
		return "?" + strconv.Itoa(i)
	}
	return nodes[i]
}

func quote(s string) string { return strconv.Quote(s) }

// leafSignature names what a leaf computes over a group of rows.
func leafSignature(l *compile.Leaf, nodes []string) string {
	var b strings.Builder
	b.WriteString(l.Reducer)
	if l.Distinct {
		b.WriteString(" distinct")
	}
	if l.Discrete {
		b.WriteString(" discrete")
	}
	if l.Param != "" {
		b.WriteString(" param" + quote(l.Param))
	}
	b.WriteString(" of ")
	sign(&b, l.Expr, nodes)
	if l.Filter != nil {
		b.WriteString(" if ")
		sign(&b, l.Filter, nodes)
	}
	if l.Reducer == "first" || l.Reducer == "last" || l.Pick != nil || l.Map.Kind != "" {
		b.WriteString(" by ")
		sign(&b, l.Time, nodes)
	}
	for _, t := range l.Tie {
		b.WriteString(" tie ")
		sign(&b, t, nodes)
	}
	if l.Pick != nil {
		b.WriteString(" pick" + strconv.FormatBool(l.Pick.Last))
		for _, p := range l.Pick.Per {
			b.WriteString(" per ")
			sign(&b, p, nodes)
		}
	}
	if l.Map.Kind != "" {
		b.WriteString(" map" + quote(l.Map.Kind) + strconv.Itoa(l.Map.N) + quote(l.Map.Unit))
	}
	return b.String()
}

// identity is clause 1, and the first half of clause 9: the frame and the branch read the same rows. The fact is the same
// already. A join that only one of them has must keep the rows of the fact as they are: a left join does, unless its one
// side has a key twice.
func (c *comparison) identity() (Reason, bool) {
	f, b := c.frame, c.branch
	if !c.without(clauseModel) && (!f.Exact || f.Model != c.facts.Model) {
		return c.refuse(ModelChanged), false
	}
	if !c.without(clauseEpoch) && !c.sameEpochs() {
		return c.refuse(DataChanged), false
	}
	if !c.without(clausePolicy) && f.Policy != c.facts.Policy {
		return c.refuse(OtherPolicy), false
	}
	if !c.without(clauseJoins) {
		for _, p := range f.loose {
			if !b.nodes[p] {
				return c.refuse(OtherJoins), false
			}
		}
		for _, p := range b.loose {
			if !f.nodes[p] {
				return c.refuse(OtherJoins), false
			}
		}
	}
	return Reason{}, true
}

// sameEpochs compares the epochs of every table that either reads. A table without an epoch is the text of an author's
// SELECT, which may read any table: then all tables must be as they were.
func (c *comparison) sameEpochs() bool {
	for _, tables := range [][]string{c.frame.tables, c.branch.tables} {
		for _, t := range tables {
			now, known := c.facts.Epochs[t]
			if !known {
				return sameMap(c.facts.Epochs, c.frame.Epochs)
			}
			if then, ok := c.frame.Epochs[t]; !ok || then != now {
				return false
			}
		}
	}
	return true
}

func sameMap(a, b map[string]string) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			return false
		}
	}
	return true
}
