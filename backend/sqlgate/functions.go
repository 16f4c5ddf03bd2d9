package sqlgate

import "slices"

// Functions lists what a statement of a dialect may call, sorted: the names that an editor may offer. tables are those that may stand
// in FROM, the others stand in expressions. Fault Internal: our own list cannot be read.
func (g *Gate) Functions(d Dialect) (calls, tables []string, err error) {
	lists, err := g.lists()
	if err != nil {
		return nil, nil, broken(err)
	}
	l := lists[d]
	if l == nil {
		return nil, nil, nil
	}
	for name, c := range l.functions {
		switch {
		case c.has(refused) || name[0] != '_' && (name[0] < 'a' || name[0] > 'z'):
		case c.has(table):
			tables = append(tables, name)
			fallthrough
		case c.has(scalar) || c.has(aggregate) || c.has(macro) || c.has(bounded):
			calls = append(calls, name)
		}
	}
	slices.Sort(calls)
	slices.Sort(tables)
	return calls, tables, nil
}
