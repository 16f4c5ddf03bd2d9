package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// judged is a query with what the resolver said about it: a plan, or its refusals.
type judged struct {
	query    *frameql.Query
	plan     *frameql.Plan
	refusals []frameql.Refusal
	text     string // canonical
}

// thought is everything that the reader considered for one question, best first. Equal queries stand once.
type thought struct {
	tokens   []token
	resolved []candidate
	refused  []candidate
	best     *draft // of the best tiling, whether or not a query came of it
}

// mostCandidates bounds the queries that are shown to the resolver.
const mostCandidates = 40

// farBehind is the distance to the best reading at which another one is not worth a look.
const farBehind = 1.5

// consider reads a question to the end: tilings, drafts, bindings, and the resolver's verdict on every one of them.
func (ix *Index) consider(tokens []token, env frameql.Env) thought {
	t := thought{tokens: tokens}
	var all []candidate
	for _, tl := range tile(ix.candidates(tokens, env)) {
		d := ix.assemble(tl, tokens, env)
		if t.best == nil || d.score > t.best.score {
			t.best = d
		}
		all = append(all, d.bind()...)
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return compareScore(b.score, a.score) })
	seen := map[string]bool{}
	for _, c := range all {
		if c.broken || len(c.query.Select) == 0 {
			continue
		}
		c.text = c.query.String()
		if seen[c.text] {
			continue
		}
		if len(seen) == mostCandidates || len(t.resolved) > 0 && t.resolved[0].score-c.score > farBehind {
			break
		}
		seen[c.text] = true
		if c.refusals = ix.refuseSums(c.query, env); len(c.refusals) == 0 {
			c.plan, c.refusals = frameql.Resolve(c.query, env)
		}
		if len(c.refusals) > 0 || c.plan == nil {
			t.refused = append(t.refused, c)
			continue
		}
		if c.plan.Query != nil {
			c.query = c.plan.Query
		}
		canonical := c.query.String()
		if slices.ContainsFunc(t.resolved, func(o candidate) bool { return o.text == canonical }) {
			continue
		}
		c.text = canonical
		t.resolved = append(t.resolved, c)
	}
	return t
}
