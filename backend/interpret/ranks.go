package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// rankClass stands before the names of the classes of ranks.txt.
const rankClass = "rank "

// placing is the place of each member by a number, as the words from..end name it.
type placing struct {
	from, end int
	of        *semantic.Entity // whose members are placed; nil: the words do not say it
	split     []token          // the words that say it, behind the rank: "of each customer"
	number    string           // as it was written
	by        *frameql.Expr
	base      *semantic.Entity // whose rows the number is made from
	up        bool             // the lowest comes first
}

// ranks makes each stretch of a question that names a place, such as "their rank by total amount", one word that stands for that number.
// What the model itself calls a rank is meant before.
func (ix *Index) ranks(tokens []token, env frameql.Env) (*Index, []token) {
	if len(ix.names.terms["rank"]) > 0 {
		return ix, tokens
	}
	for i := 0; i < len(tokens); i++ {
		p := ix.placingAt(tokens, i, env)
		if p == nil || !p.isColumn(tokens) {
			continue
		}
		phrase := spanned(tokens[p.from:p.end])
		note := "interpret.assume_rank"
		if p.up {
			note = "interpret.assume_rank_up"
		}
		def := p.define(ix, definition{term: text.Say("interpret.rank_name", "number", p.number), note: text.Say(note, "phrase", phrase, "number", p.number)})
		def.of = nil // the words that say it stay in the question
		known := *ix
		known.defined = append(slices.Clone(ix.defined), def)
		ix = &known
		word := tokens[p.from]
		if len(p.split) == 0 {
			word.end = tokens[p.end-1].end
		}
		word.text, word.stands = phrase, []target{{metric: def.metric, score: scoreDefined}}
		tokens = slices.Concat(tokens[:p.from], []token{word}, p.split, tokens[p.end:])
		i = p.from
	}
	return ix, tokens
}

// isColumn says whether a rank is a thing that is asked for: "the rank by", "and rank by"; "rank customers by" is a demand.
func (p *placing) isColumn(tokens []token) bool {
	if p.from == 0 {
		return says(tokens, 1, "of")
	}
	before := tokens[p.from-1].norm
	return slices.Contains([]string{"the", "their", "its", "his", "her", "a", "and", "with", ",", "as"}, before)
}

// asRank reads a definition as a place: "sales rank of each clerk by total amount", "rank customers by revenue".
func (ix *Index) asRank(def definition, env frameql.Env) []definition {
	tokens := ix.english.tokenise(def.body)
	for len(tokens) > 0 && tokens[len(tokens)-1].kind == markToken && tokens[len(tokens)-1].text != ")" {
		tokens = tokens[:len(tokens)-1]
	}
	for i := range min(len(tokens), mostTermWords) {
		if p := ix.placingAt(tokens, i, env); p != nil && p.end == len(tokens) && ix.onlyModify(tokens[:p.from]) {
			return []definition{p.define(ix, def)}
		}
	}
	return nil
}

// onlyModify says whether words before a rank say nothing but of what it is: "the customer".
func (ix *Index) onlyModify(tokens []token) bool {
	return !slices.ContainsFunc(tokens, func(t token) bool {
		return t.kind != wordToken || t.norm != "the" && len(ix.names.terms[t.lemma]) == 0
	})
}

// define makes a place the number that a term stands for.
func (p *placing) define(ix *Index, def definition) definition {
	by := p.by
	if p.up {
		by = &frameql.Expr{Op: "-", Args: []*frameql.Expr{{Num: "0"}, by}}
	}
	def.metric = &semantic.Metric{Name: ix.NameOf(def.term), Label: def.term, Kind: semantic.Derived, Entity: p.base.Name, Additivity: semantic.Additivity{Default: "none"}}
	def.expr, def.of = &frameql.Expr{Fn: "rank", Of: by}, p.of
	return def
}

// placingAt reads "rank of each customer by total amount in descending order" from the word for rank at token i; nil when it is none.
func (ix *Index) placingAt(tokens []token, i int, env frameql.Env) *placing {
	n := ix.ranking("rank", tokens, i)
	if n == 0 {
		return nil
	}
	p := &placing{from: i}
	at := ix.ranked(tokens, i, i+n, p)
	n = ix.ranking("by", tokens, at)
	if n == 0 {
		return nil
	}
	at += n
	for at < len(tokens) && slices.Contains([]string{"the", "their", "its", "his", "her"}, tokens[at].norm) {
		at++
	}
	return ix.rankedBy(tokens, at, p, env)
}

// ranking gives how many tokens are a phrase of ranks.txt; 0: none.
func (ix *Index) ranking(class string, tokens []token, i int) int {
	for n := min(6, len(tokens)-i); n > 0; n-- {
		if ix.is(rankClass+class, tokens[i:i+n]) {
			return n
		}
	}
	return 0
}

// ranked reads who is placed, behind the word for rank or before it, and gives the token behind.
func (ix *Index) ranked(tokens []token, i, at int, p *placing) int {
	start := at
	for at < len(tokens) && slices.Contains([]string{"of", "for", "the", "each", "every", "all", "among"}, tokens[at].norm) {
		at++
	}
	if e, end := ix.ownerNamed(tokens, at); e != nil {
		p.of, p.split = e, slices.Clone(tokens[start:end])
		return end
	}
	if i > 0 && tokens[i-1].kind == wordToken {
		if e, end := ix.ownerNamed(tokens[:i], i-1); e != nil && end == i {
			p.of, p.from = e, i-1
		}
	}
	return start
}

// rankedBy reads the number, the longest that is one, and how it is counted.
func (ix *Index) rankedBy(tokens []token, at int, p *placing, env frameql.Env) *placing {
	end := at
	for end < len(tokens) && end-at < mostRankWords && !slices.Contains([]string{"?", ";", ".", ",", "(", ")"}, tokens[end].norm) {
		end++
	}
	for ; end > at; end-- {
		f := formula{ix: ix, env: env, rest: spanned(tokens[at:end])}
		by, base := f.read()
		if by == nil || f.during != nil || by.Fn != "" {
			continue
		}
		p.number, p.by, p.base, p.end = spanned(tokens[at:end]), by, base, end
		if k := end; k < len(tokens) && (tokens[k].norm == "," || tokens[k].norm == "(") {
			end++
		}
		n := ix.ranking("down", tokens, end)
		if n == 0 {
			n = ix.ranking("up", tokens, end)
			p.up = n > 0
		}
		if n > 0 {
			p.end = end + n
			if p.end < len(tokens) && tokens[p.end].norm == ")" {
				p.end++
			}
		}
		return p
	}
	return nil
}

// mostRankWords bounds the words of the number that members are placed by.
const mostRankWords = 12

// splitBy says whether the rows are the members of an entity.
func (c *composer) splitBy(e *semantic.Entity) bool {
	return slices.ContainsFunc(c.dims, func(d frameql.Dim) bool {
		owner, _, _ := cutName(d.Name)
		return d.Name == e.Name || owner == e.Name
	})
}
