package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// cutRest takes the words that turn to those whom the last answer did not show: "the others", "the other students", "which
// did not?", "other than those". A pronoun stays where they stood, for whom the sentence is about.
func (ix *Index) cutRest(u *utterance) {
	for i := 0; i < len(u.tokens); i++ {
		id, n := ix.english.cueAt(u.tokens, i, oneOf("rest", "other", "except"))
		if n == 0 {
			continue
		}
		rest := u.tokens[i+n:]
		switch {
		case id == "other" && ix.nounAt(u.tokens, i+n) == 0:
			continue
		case id == "rest" && ix.nounAt(u.tokens, i+n) > 0:
			continue // "the rest day"
		case id == "rest":
			them := token{start: u.tokens[i].start, end: u.tokens[i+n-1].end, text: "them", norm: "them", lemma: "them", kind: wordToken}
			u.tokens = slices.Concat(u.tokens[:i:i], []token{them}, rest)
		default:
			u.tokens = slices.Concat(u.tokens[:i:i], rest)
			u.among = true
		}
		u.rest = true
		return
	}
	if n := ix.lostVerb(u.tokens); n > 0 {
		u.tokens, u.rest, u.among = u.tokens[:n], true, true
	}
}

// lostVerb gives the tokens before a negation that ends a question without its verb: "which did not?", "which ones don't".
// 0: it does not end so, or says more than whom it is about.
func (ix *Index) lostVerb(tokens []token) int {
	end := len(tokens)
	for end > 0 && tokens[end-1].kind == markToken {
		end--
	}
	from := end - 1
	switch {
	case end < 2 || end > 6:
		return 0
	case tokens[end-1].norm == "not" && end > 2 && ix.auxiliary(tokens[end-2].norm):
		from = end - 2
	case !strings.HasSuffix(tokens[end-1].norm, "n't"):
		return 0
	}
	if !oneOf("which", "who", "those", "these", "the", "ones", "that")(tokens[0].norm) {
		return 0
	}
	for from > 1 && oneOf("that", "who", "which")(tokens[from-1].norm) {
		from--
	}
	return from
}

func (ix *Index) auxiliary(w string) bool {
	return oneOf("do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "can", "could", "will", "would")(w)
}

// others gives the scene of those whom this one leaves out; nil when it leaves out nobody, or it is not clear whom. Where the
// query only narrowed the one before it, they are the rest of that one.
func (s *scene) others(before *frameql.Query) *scene {
	q := s.query.Clone()
	switch {
	case s.cut() && s.query.Having == nil:
		m := s.turn.Members
		if m == nil || len(m.Values) == 0 || len(m.Values) > MostMembers {
			return nil
		}
		q.Top, q.Limit = nil, nil
		q.Where = frameql.AllOf(append(s.conditions(), listed(&frameql.Pred{Dim: m.Dimension, Op: "ne"}, m.Values)))
	case s.query.Having != nil:
		conds := frameql.Conjuncts(s.query.Having)
		if len(conds) != 1 || s.query.Top != nil || s.query.Limit != nil {
			return nil
		}
		if none := s.withoutRows(conds[0]); none != nil {
			q.Having, q.Order, q.Where, q.Select = nil, nil, none, s.shownOf(s.members[0])
		} else {
			q.Having = opposite(conds[0])
		}
	default:
		kept, left := s.conditions(), []*frameql.Pred(nil)
		if before != nil {
			left = frameql.Conjuncts(before.Where)
		}
		own := slices.DeleteFunc(slices.Clone(kept), func(c *frameql.Pred) bool {
			return slices.ContainsFunc(left, func(o *frameql.Pred) bool { return o.String() == c.String() })
		})
		switch {
		case len(own) == 0 && before != nil && (len(s.columns) > 0 || (s.query.Time == nil) != (before.Time == nil)):
			return nil // it narrowed the one before by something else
		case len(own) == 0 || len(kept)-len(own) != len(left):
			own, left = kept, nil // it did not narrow the one before
		}
		if len(own) == 0 || s.countsThroughRows() {
			return nil
		}
		q.Where = frameql.AllOf(append(slices.Clone(left), opposite(frameql.AllOf(own))))
	}
	turn := s.turn
	turn.Query, turn.Members = q, nil
	out, ok := s.ix.sceneOf(turn, s.env)
	if !ok {
		return nil
	}
	return out
}

// withoutRows gives the condition that members have no rows, where the query shows those that have some: "at least one order". nil:
// it asks for more than that.
func (s *scene) withoutRows(having *frameql.Pred) *frameql.Pred {
	if len(s.members) != 1 || len(s.query.At.Dims) != 1 || len(s.numbers) != 1 || s.query.Where != nil || s.query.Time != nil || having.Val == nil {
		return nil
	}
	rows := s.lead.rows
	counts := s.lead.t.metric != nil && s.lead.t.metric == s.ix.counter(rows) || s.lead.t.metric == nil && isEntity(s.lead.t)
	some := having.Op == "ge" && having.Val.Text == "1" || having.Op == "gt" && having.Val.Text == "0"
	if !counts || !some || rows == s.members[0] {
		return nil
	}
	return &frameql.Pred{Quant: "no", Entity: rows.Name}
}

// shownOf gives the columns of the query that show the members of an entity.
func (s *scene) shownOf(e *semantic.Entity) []frameql.Item {
	var out []frameql.Item
	for _, i := range s.columns {
		if entity, _, _ := cutName(s.query.Select[i].Dim.Name); entity == e.Name {
			out = append(out, s.query.Select[i])
		}
	}
	return out
}

// countsThroughRows says whether a number counts members by the rows of something else, where the opposite of a condition
// on the rows is no condition on the members.
func (s *scene) countsThroughRows() bool {
	return slices.ContainsFunc(s.numbers, func(i int) bool { e := s.query.Select[i].Expr; return e.Dist || e.Fn != "" })
}

// opposite gives the condition that holds where another one does not.
func opposite(c *frameql.Pred) *frameql.Pred {
	turned := map[string]string{
		"eq": "ne", "ne": "eq", "in": "not_in", "not_in": "in", "gt": "le", "le": "gt", "lt": "ge", "ge": "lt", "between": "not_between",
		"contains": "not_contains", "starts_with": "not_starts_with", "is_null": "not_null", "not_null": "is_null",
	}
	out := *c
	switch {
	case c.Not != nil:
		return c.Not
	case c.Quant == "any":
		out.Quant = "no"
	case c.Quant == "no":
		out.Quant = "any"
	case c.Quant == "" && turned[c.Op] != "":
		out.Op = turned[c.Op]
	default:
		return &frameql.Pred{Not: c}
	}
	return &out
}

// patchRest is "the others?" alone: the scene has been turned already.
func patchRest(p *patch) {
	if p.u.rest {
		p.did(PatchRest)
	}
}
