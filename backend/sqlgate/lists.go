package sqlgate

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed lists/*.txt
var listFiles embed.FS

// class is where a name may stand.
type class uint16

const (
	scalar    class = 1 << iota
	aggregate       // also with OVER, as window functions are
	table           // in FROM
	macro           // a scalar that the engine writes out as SQL
	bounded         // builds values as large as its arguments say
	typename
	operator
	refused
)

func (c class) has(x class) bool { return c&x != 0 }

// list is the frozen knowledge of one dialect.
type list struct {
	functions map[string]class
	types     map[string]bool
	operators map[string]bool
	nodes     map[string]bool // kinds of nodes that need no look of their own
	system    map[string]bool
	notTables map[string]bool   // functions that may not stand in FROM, whatever else they may do
	reasons   map[string]string // refused function -> why, for whoever reads or tests the list
}

// readLists reads the lists of all dialects. A file has sections: [scalar], [aggregate], [table], [macro], [bounded], [types],
// [operators], [nodes], [system], [refused: why] and [refused in FROM: why], each followed by names between white space; # starts a comment.
func readLists() (map[Dialect]*list, error) {
	all := map[Dialect]*list{}
	for _, d := range dialects {
		file := string(d)
		if d == MariaDB {
			file = string(MySQL)
		}
		raw, err := listFiles.ReadFile("lists/" + file + ".txt")
		if err != nil {
			return nil, err
		}
		l, err := readList(string(raw))
		if err != nil {
			return nil, fmt.Errorf("lists/%s.txt: %w", file, err)
		}
		all[d] = l
	}
	return all, nil
}

var sections = map[string]class{"scalar": scalar, "aggregate": aggregate, "table": table, "macro": macro, "bounded": bounded}

func readList(raw string) (*list, error) {
	l := &list{functions: map[string]class{}, types: map[string]bool{}, operators: map[string]bool{}, nodes: map[string]bool{}, system: map[string]bool{}, notTables: map[string]bool{}, reasons: map[string]string{}}
	section, why := "", ""
	for i, line := range strings.Split(raw, "\n") {
		if line == "#" || strings.HasPrefix(line, "# ") {
			continue
		}
		if inner, ok := strings.CutPrefix(strings.TrimSpace(line), "["); ok && strings.HasSuffix(inner, "]") {
			section, why, _ = strings.Cut(strings.TrimSuffix(inner, "]"), ": ")
			continue
		}
		for _, name := range strings.Fields(line) {
			if name != lower(name) && section != "nodes" {
				return nil, fmt.Errorf("line %d: %s is not in lower case", i+1, name)
			}
			switch section {
			case "types":
				l.types[name] = true
			case "operators":
				l.operators[name] = true
			case "nodes":
				l.nodes[name] = true
			case "system":
				l.system[name] = true
			case "refused in FROM":
				l.notTables[name] = true
			case "refused":
				if l.functions[name] != 0 {
					return nil, fmt.Errorf("line %d: %s is allowed and refused", i+1, name)
				}
				l.functions[name], l.reasons[name] = refused, why
			default:
				c, ok := sections[section]
				if !ok {
					return nil, fmt.Errorf("line %d: no section [%s]", i+1, section)
				}
				if l.functions[name].has(refused) {
					return nil, fmt.Errorf("line %d: %s is refused and allowed", i+1, name)
				}
				l.functions[name] |= c
			}
		}
	}
	for name, c := range l.functions {
		if c == bounded {
			return nil, fmt.Errorf("%s is bounded and nothing else", name)
		}
	}
	return l, nil
}
