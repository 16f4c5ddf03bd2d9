package compile

import (
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// Compile writes a bound query as SQL. An error is our own mistake (fault.Internal), a dialect that is not known, or
// something that neither the dialect nor DuckDB over its leaf frames can say (fault.Invalid).
func Compile(q *Query, o Options) (*Program, error) {
	d, err := dialectFor(o.Dialect)
	if err != nil {
		return nil, err
	}
	return compileFor(d, q, o)
}

func compileFor(d dialect, q *Query, o Options) (*Program, error) {
	c := newCompiler(q, o)
	root, err := c.query()
	if err != nil {
		return nil, err
	}
	p := &Program{Columns: root.allNames()}
	if err := c.serve(root, p); err != nil {
		return nil, err
	}
	root = c.rewrite(root, p)
	if err := writeProgram(d, root, p); err != nil {
		return nil, err
	}
	return p, nil
}

// compiler turns one query into steps.
type compiler struct {
	q        *Query
	o        Options
	contexts []Context // those of the query, then derived ones
	keyNames []string
	lookups  map[string]*step
	full     *relation // the rows after FILL, before HAVING and TOP
	err      error

	trim func(cut *Scalar) *Scalar // leaves out what cannot matter of a custom calendar; nil: nothing
}

func newCompiler(q *Query, o Options) *compiler {
	own := *q
	own.Keys, own.Leaves = slices.Clone(q.Keys), slices.Clone(q.Leaves)
	q = &own
	c := &compiler{q: q, o: o, contexts: slices.Clone(q.Contexts), lookups: map[string]*step{}}
	if len(c.contexts) == 0 {
		c.contexts = []Context{{}}
	}
	taken := &names{taken: map[string]bool{}}
	for i, k := range q.Keys {
		name := k.Name
		for _, out := range q.Outputs {
			if out.Cell != nil && out.Cell.Op == "key" && out.Cell.Index == i {
				name = out.Name
				break
			}
		}
		c.keyNames = append(c.keyNames, taken.take(name))
	}
	for i := range c.contexts { // fiscal buckets are moved by months
		c.contexts[i].Unit = strings.TrimPrefix(c.contexts[i].Unit, "fiscal_")
	}
	if c.validate() == nil {
		c.trimCalendars()
	}
	return c
}

// broken keeps the first thing in a bound query that cannot be: the resolver refuses it with a reason before.
func (c *compiler) broken(what string) {
	if c.err == nil {
		c.err = fault.New(fault.Internal, "compile", text.Say("compile.broken", "what", what), "")
	}
}

// context gives the index of a context, adding it when it is new.
func (c *compiler) context(x Context) int {
	for i, known := range c.contexts {
		if known.signature() == x.signature() {
			return i
		}
	}
	c.contexts = append(c.contexts, x)
	return len(c.contexts) - 1
}

// closure says whether a key is in a grain or determined by it.
func (c *compiler) closure(k int, grain []int) bool { return c.determined(k, grain, 0) }

func (c *compiler) determined(k int, grain []int, depth int) bool {
	if slices.Contains(grain, k) {
		return true
	}
	on := c.q.Keys[k].DependsOn
	if len(on) == 0 || depth > len(c.q.Keys) {
		return false
	}
	for _, d := range on {
		if !c.determined(d, grain, depth+1) {
			return false
		}
	}
	return true
}

// within is closure that also looks at what the grains of total rows and of TOP determine.
func (c *compiler) within(k int, grain []int) bool {
	return c.closure(k, grain) || slices.ContainsFunc(c.q.Keys[k].Within, func(set []int) bool {
		return !slices.ContainsFunc(set, func(on int) bool { return !slices.Contains(grain, on) })
	})
}

func (c *compiler) key(k int) Key { return c.q.Keys[k] }

// allNames gives all columns in their order.
func (s *step) allNames() []string {
	all := make([]string, len(s.cols))
	for i, col := range s.cols {
		all[i] = col.name
	}
	return all
}
