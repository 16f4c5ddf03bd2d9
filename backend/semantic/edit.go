package semantic

import (
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"

	"github.com/goccy/go-yaml/ast"
)

// Set is a field of an object as a form has it: one text, or a list. Empty takes the field out.
type Set struct {
	Key  string
	Text string
	List []string // when Many
	Many bool     // the field is a list
}

// Edit changes fields of the object that begins at a line of a context file, and leaves everything else as it is written, comments too.
// The line is an object's Pos. Faults: Invalid (the file is no YAML, or has no mapping there).
func Edit(raw []byte, line int, sets []Set) ([]byte, error) {
	r := newReading()
	bodies := r.documents("", raw)
	if err := r.problems.Fault("edit"); err != nil {
		return nil, err
	}
	var node ast.Node
	for _, b := range bodies {
		if n := mappingAt(b, line); n != nil {
			node = n
		}
	}
	if node == nil {
		return nil, fault.New(fault.Invalid, "edit", text.Say("semantic.nothing_there", "line", line), text.Say("semantic.nothing_there_hint"))
	}
	lines := strings.Split(string(raw), "\n")
	if m, ok := node.(*ast.MappingNode); ok && m.IsFlowStyle {
		return []byte(editFlow(lines, m, sets)), nil
	}
	return []byte(editBlock(lines, node, sets)), nil
}

// mappingAt finds the mapping whose first key stands on a line.
func mappingAt(n ast.Node, line int) ast.Node {
	if entries, ok := mappingValues(n); ok {
		if len(entries) > 0 && lineOf(entries[0].Key) == line {
			return n
		}
		for _, e := range entries {
			if found := mappingAt(e.Value, line); found != nil {
				return found
			}
		}
	}
	if s, ok := n.(*ast.SequenceNode); ok {
		for _, v := range s.Values {
			if found := mappingAt(v, line); found != nil {
				return found
			}
		}
	}
	return nil
}

func (s Set) yaml() string {
	if !s.Many {
		if s.Text == "" {
			return ""
		}
		return scalarYAML(s.Text)
	}
	if len(s.List) == 0 {
		return ""
	}
	return listYAML(s.List)
}

// editFlow writes {a: b, ...} anew, on one line, where it stood.
func editFlow(lines []string, m *ast.MappingNode, sets []Set) string {
	f := &flow{}
	for _, e := range m.Values {
		key, _ := scalar(e.Key)
		i := slices.IndexFunc(sets, func(s Set) bool { return s.Key == key })
		if i < 0 {
			f.put(key, strings.TrimSpace(e.Value.String()))
		} else {
			f.put(key, sets[i].yaml())
		}
	}
	for _, s := range sets {
		if !slices.ContainsFunc(m.Values, func(e *ast.MappingValueNode) bool { key, _ := scalar(e.Key); return key == s.Key }) {
			f.put(s.Key, s.yaml())
		}
	}
	from, to := m.Start.Position, m.End.Position
	before := []rune(lines[from.Line-1])[:from.Column-1]
	after := []rune(lines[to.Line-1])[to.Column:]
	whole := string(before) + f.String() + string(after)
	return strings.Join(slices.Concat(lines[:from.Line-1], []string{whole}, lines[to.Line:]), "\n")
}

// editBlock replaces the lines of each key; a new one comes behind the first.
func editBlock(lines []string, n ast.Node, sets []Set) string {
	entries, _ := mappingValues(n)
	type span struct{ from, to int } // lines from 0, to exclusive
	at := map[string]span{}
	indent := entries[0].Key.GetToken().Position.Column - 1
	end := blockEnd(lines, lineOf(entries[len(entries)-1].Key)-1, indent)
	for i, e := range entries {
		key, _ := scalar(e.Key)
		to := end
		if i+1 < len(entries) {
			to = lineOf(entries[i+1].Key) - 1
		}
		from := lineOf(e.Key) - 1
		for to > from+1 && isNote(lines[to-1]) { // what stands before the next key belongs to that one
			to--
		}
		at[key] = span{from, to}
	}
	first := at[mustScalar(entries[0].Key)]
	replace := map[int]string{}
	drop := map[int]bool{}
	var added []string
	for _, s := range sets {
		value := s.yaml()
		place, known := at[s.Key]
		switch {
		case !known && value != "":
			added = append(added, strings.Repeat(" ", indent)+s.Key+": "+value)
		case known:
			for i := place.from; i < place.to; i++ {
				drop[i] = true
			}
			if value != "" {
				head := lines[place.from][:min(indent, len(lines[place.from]))] // "- " of the first key of an item
				replace[place.from] = head + s.Key + ": " + value
			}
		}
	}
	var out []string
	for i, l := range lines {
		if r, ok := replace[i]; ok {
			out = append(out, r)
		} else if !drop[i] {
			out = append(out, l)
		}
		if i == first.to-1 {
			out = append(out, added...)
		}
	}
	return strings.Join(out, "\n")
}

func mustScalar(n ast.Node) string {
	s, _ := scalar(n)
	return s
}

func isNote(line string) bool {
	t := strings.TrimSpace(line)
	return t == "" || strings.HasPrefix(t, "#")
}

// blockEnd gives the line behind the last one of a key's value: the first that is not empty and not indented more.
func blockEnd(lines []string, from, indent int) int {
	end := from + 1
	for i := from + 1; i < len(lines); i++ {
		l := lines[i]
		if strings.TrimSpace(l) == "" {
			continue
		}
		if len(l)-len(strings.TrimLeft(l, " ")) <= indent && !strings.HasPrefix(strings.TrimSpace(l), "- ") || strings.HasPrefix(l, "---") {
			break
		}
		if len(l)-len(strings.TrimLeft(l, " ")) < indent {
			break
		}
		end = i + 1
	}
	return end
}
