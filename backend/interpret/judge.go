package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// judged is a query with the plan that the resolver made of it.
type judged struct {
	query *frameql.Query
	plan  *frameql.Plan // nil: it is refused
	text  string        // canonical
}

// thought is everything that the reader considered for one question, best first. Equal queries stand once.
type thought struct {
	tokens   []token
	resolved []candidate
	refused  []candidate
	best     *draft // of the best tiling, whether or not a query came of it
	tied     bool   // its words say that it goes on from the question before
}

// mostCandidates bounds the queries that are shown to the resolver.
const mostCandidates = 40

// farBehind is the distance to the best reading at which another one is not worth a look.
const farBehind = 1.5

// drafts are the readings of a question before the resolver has seen them.
type drafts struct {
	tokens []token
	best   *draft
	drafts []candidate
}

// top gives the query of the likeliest reading; nil: there is none.
func (d drafts) top() (q *frameql.Query) {
	var score float64
	for _, c := range d.drafts {
		if !c.broken && len(c.query.Select) > 0 && (q == nil || c.score > score) {
			q, score = c.query, c.score
		}
	}
	return q
}

// consider reads a question to the end: tilings, drafts, bindings, and the resolver's verdict on every one of them.
func (ix *Index) consider(tokens []token, env frameql.Env) thought {
	return ix.judge(ix.drafted(tokens, env), env)
}

// drafted gives every binding of every tiling.
func (ix *Index) drafted(tokens []token, env frameql.Env) drafts {
	t := drafts{tokens: tokens}
	for _, tl := range tile(ix.candidates(tokens, env)) {
		d := ix.assemble(tl, tokens, env)
		if t.best == nil || d.score > t.best.score {
			t.best = d
		}
		t.drafts = append(t.drafts, d.bind()...)
	}
	return t
}

// judge shows readings to the resolver, the best first, and keeps what it says.
func (ix *Index) judge(found drafts, env frameql.Env) thought {
	t := thought{tokens: found.tokens, best: found.best}
	all := found.drafts
	slices.SortStableFunc(all, func(a, b candidate) int { return compareScore(b.score, a.score) })
	seen := map[string]bool{}
	follows := map[string]*Follow{} // of queries that go on from the one before, by their text as they were made
	for _, c := range all {
		if c.follow.goesOn() && len(c.query.Select) > 0 && !c.broken && follows[c.query.String()] == nil {
			follows[c.query.String()] = c.follow
		}
	}
	for _, c := range all {
		if c.broken || len(c.query.Select) == 0 {
			continue
		}
		c.text = c.query.String()
		if seen[c.text] {
			continue
		}
		if len(seen) == mostCandidates || len(t.resolved) > 0 && t.resolved[0].score-c.score > farBehind || t.settled(c.score) {
			break
		}
		seen[c.text] = true
		made := c.text
		if ix.sumsUp(c.query) == nil {
			c.plan = frameql.Try(c.query, env)
		}
		if c.plan == nil {
			t.refused = append(t.refused, c)
			continue
		}
		c.query = c.plan.Query
		canonical := c.query.String()
		if k := slices.IndexFunc(t.resolved, func(o candidate) bool { return o.text == canonical }); k >= 0 {
			if c.follow.goesOn() && t.resolved[k].agrees == nil {
				t.resolved[k].agrees = c.follow
			}
			continue
		}
		c.text, c.agrees = canonical, follows[made]
		t.resolved = append(t.resolved, c)
	}
	return t
}

// settled says whether a refusal will speak whatever else resolves at a score or below.
func (t thought) settled(score float64) bool {
	return len(t.refused) > 0 && len(t.resolved) == 0 && len(t.best.later) == 0 && t.refused[0].score > score+refusedAhead
}
