package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// Unsure is something in a reading that may be wrong though nothing in the question speaks against it.
type Unsure struct {
	Kind UnsureKind
	Word string // of the question, or what it is about in words; empty: it is about the whole
}

// UnsureKind is a kind of doubt.
type UnsureKind string

// The kinds of doubt.
const (
	UnsureValue    UnsureKind = "value"    // a value that the words only nearly name
	UnsureName     UnsureKind = "name"     // a name that the words nearly name, or mean in general English
	UnsureSum      UnsureKind = "sum"      // a number that was added up, though neither the question nor its name says that it adds up
	UnsureDropped  UnsureKind = "dropped"  // a few words of a conversation that were read as if nothing had been said before
	UnsurePointer  UnsureKind = "pointer"  // "it", taken for a number
	UnsureCompared UnsureKind = "compared" // things are set beside each other, and the query has no number to compare
	UnsureRelated  UnsureKind = "related"  // related rows that no word of the question asks for
	UnsureOwnDate  UnsureKind = "own_date" // things were counted by a date of their own, though what they do is dated
	UnsureWhich    UnsureKind = "which"    // several dates may be meant
	UnsureUnheard  UnsureKind = "unheard"  // a word about when or with whom that left no trace
	UnsureState    UnsureKind = "state"    // rows of every state were added up or averaged, and the question does not say which state
	UnsureMean     UnsureKind = "mean"     // an average was taken, because a number does not add up
	UnsureLost     UnsureKind = "lost"     // things that the question names and the query does not look at
	UnsureDivided  UnsureKind = "divided"  // "per" was read as a division by a number that was added up
)

// aside are words that often say nothing and sometimes which rows are meant.
var aside = []string{"now", "currently", "current", "together", "already", "ever", "yet", "once"}

// mostFragment is how many words a question has at most that seldom stands alone.
const mostFragment = 4

// unsure lists what may be wrong with a reading.
func (c candidate) unsure(r Request) []Unsure {
	var all []Unsure
	add := func(kind UnsureKind, word string) { all = append(all, Unsure{kind, word}) }
	spans := c.spans()
	reduced := slices.ContainsFunc(spans, func(s Span) bool { return s.Slot == "aggregate" })
	for _, s := range spans {
		switch {
		case s.Slot == "value" && s.Method == MethodFuzzy:
			add(UnsureValue, c.draft.written(s.piece))
		case s.Method == MethodFuzzy, s.Method == MethodSynonym, s.Method == MethodBroader, s.Method == MethodNearby:
			add(UnsureName, c.draft.written(s.piece))
		case s.Slot == "metric" && oneOf("it", "that", "this", "them", "those")(c.draft.tokens[c.draft.pieces[s.piece].from].norm):
			add(UnsurePointer, c.draft.written(s.piece))
		}
	}
	if c.plan == nil {
		return all
	}
	for _, name := range c.plan.Metrics {
		m := c.draft.ix.metrics[name]
		switch {
		case m == nil || !c.draft.ix.model.Inferred && !m.Inferred || m.Kind != semantic.Leaf:
		case !reduced && c.draft.ix.guessedSum(m):
			add(UnsureSum, labelOf(m.Label, m.Name))
		case !reduced && m.Reducer == semantic.Avg:
			add(UnsureMean, labelOf(m.Label, m.Name))
		}
		if m != nil && (m.Reducer == semantic.Sum || m.Reducer == semantic.Avg) {
			if d := c.draft.ix.stateOf(m.Entity); d != nil && !slices.Contains(c.plan.Dimensions, m.Entity+"."+d.Name) {
				add(UnsureState, labelOf(d.Label, d.Name))
			}
		}
	}
	for _, s := range spans {
		if e := c.draft.ix.entities[s.Target]; s.Slot == "entity" && e != nil && !slices.Contains(c.plan.Entities, e.Name) {
			add(UnsureLost, c.draft.written(s.piece))
		}
	}
	if divides(c.query) && !slices.ContainsFunc(spans, func(s Span) bool { return s.Target == "share" || s.Target == "ratio" }) {
		add(UnsureDivided, "")
	}
	if c.draft.dropsBefore(r, c.follow) {
		add(UnsureDropped, "")
	}
	if (c.plan.Listing || c.single()) && (c.draft.versus || c.draft.setsBeside()) {
		add(UnsureCompared, "")
	}
	if implied(c.query.Where) && !slices.ContainsFunc(spans, func(s Span) bool { return s.Slot == "filter" }) {
		add(UnsureRelated, "")
	}
	if word, own := c.ownDate(); own {
		add(UnsureOwnDate, word)
	} else if c.plan.Period != nil && c.draft.ix.severalTimes(c.plan.Facts) && len(c.draft.on) == 0 {
		add(UnsureWhich, "")
	}
	for _, t := range c.draft.tokens {
		if slices.Contains(aside, t.norm) && !heard(spans, t) {
			add(UnsureUnheard, t.text)
		}
	}
	return all
}

// single says whether the frame is one number.
func (c candidate) single() bool {
	return len(c.plan.Grain) == 0 && len(c.plan.Columns) == 1 && len(c.plan.Comparands) == 0
}

// states are what a column is called that says how far a row has come.
var states = []string{"status", "stage", "cancelled", "canceled", "voided", "void", "deleted", "closed", "outcome"}

// stateOf gives the column of an entity whose rows it says how far they have come; nil: none does.
func (ix *Index) stateOf(entity string) *semantic.Dimension {
	e := ix.entities[entity]
	if e == nil || !ix.model.Inferred && !e.Inferred {
		return nil // who describes a model says which rows count
	}
	for i := range e.Dimensions {
		d := &e.Dimensions[i]
		names, _ := semantic.ExpandWords(semantic.Words(d.Name))
		if len(names) > 0 && slices.Contains(states, names[len(names)-1]) {
			return d
		}
	}
	return nil
}

// heard says whether a token is a part of a span.
func heard(spans []Span, t token) bool {
	return slices.ContainsFunc(spans, func(s Span) bool { return s.Start <= t.start && t.end <= s.End })
}

// guessedSum says whether a metric adds up a column that nobody said to add up: inference took it for an amount because nothing spoke
// against it.
func (ix *Index) guessedSum(m *semantic.Metric) bool {
	return (ix.model.Inferred || m.Inferred) && m.Kind == semantic.Leaf && m.Reducer == semantic.Sum &&
		ix.entities[m.Entity] != nil && ix.entities[m.Entity].Dimension(m.Expr) != nil && !semantic.SaidToAddUp(m.Expr)
}

// divides says whether a query divides a number by another one.
func divides(q *frameql.Query) bool {
	return slices.ContainsFunc(q.Select, func(i frameql.Item) bool { return i.Expr != nil && i.Expr.Op == "/" })
}

// implied says whether a condition looks for related rows.
func implied(p *frameql.Pred) bool {
	return p != nil && (p.Quant == "any" || slices.ContainsFunc(p.And, implied))
}

// dropsBefore says whether a few words that stand in a conversation were read without it.
func (d *draft) dropsBefore(r Request, follow *Follow) bool {
	words := 0
	for _, t := range d.tokens {
		if t.kind != markToken {
			words++
		}
	}
	return len(r.History.Turns) > 0 && !follow.goesOn() && words <= mostFragment && d.period == nil && len(d.groups) == 0
}

// setsBeside says whether a word sets things beside each other.
func (d *draft) setsBeside() bool {
	for i := range d.tokens {
		for n := 1; n <= d.ix.english.longest && i+n <= len(d.tokens); n++ {
			if slices.Contains(d.ix.english.phrase(d.tokens, i, n), operator{"layers", "compare"}) {
				return true
			}
		}
	}
	return false
}

// ownDate says whether the members of something were counted by when they came to be, though rows that belong to them have dates too: "customers in
// 2025" may be those who ordered then.
func (c candidate) ownDate() (word string, is bool) {
	ix := c.draft.ix
	if c.plan.Period == nil || len(c.plan.Facts) != 1 || c.plan.Listing {
		return "", false
	}
	e := ix.entities[c.plan.Facts[0]]
	counts := len(c.plan.Metrics) > 0 && !slices.ContainsFunc(c.plan.Metrics, func(name string) bool {
		m := ix.metrics[name]
		return m == nil || m.Reducer != semantic.Count && m.Reducer != semantic.CountDistinct
	})
	if e == nil || !counts {
		return "", false
	}
	for i := range ix.model.Joins {
		j := &ix.model.Joins[i]
		if from := ix.entities[j.From]; j.To == e.Name && from != nil && from.DefaultTime != "" && from != e && ix.ownTime(from) {
			return labelOf(e.Label, e.Name), true
		}
	}
	return "", false
}

// ownTime says whether the default time of an entity is a column of its own.
func (ix *Index) ownTime(e *semantic.Entity) bool { return e.Dimension(e.DefaultTime) != nil }

// severalTimes says whether rows that are looked at have more than one date.
func (ix *Index) severalTimes(facts []string) bool {
	return slices.ContainsFunc(facts, func(name string) bool {
		e := ix.entities[name]
		return e != nil && len(e.OtherTimes) > 0
	})
}

// asWell is how much worse than what a piece was read as something else may be named by it, to count beside it.
const asWell = 0.3

// matches counts, for each piece that names something, the columns and tables that its words name about as well.
func (c candidate) matches() []int {
	var all []int
	for i, p := range c.draft.pieces {
		chosen, ok := c.picks[i]
		if !ok {
			continue
		}
		seen := map[string]bool{chosen.thing(): true}
		for _, t := range p.names {
			if t.score >= chosen.score-asWell && t.match <= chosen.match {
				seen[t.thing()] = true
			}
		}
		all = append(all, len(seen))
	}
	return all
}

// thing is the column or table that a name is of: a metric of one column is that column.
func (t target) thing() string {
	switch {
	case t.metric != nil:
		return t.metric.Entity + "." + t.metric.Expr
	case t.dim != nil:
		return t.owner() + "." + t.dim.Name
	case t.entity != nil:
		return t.entity.Name
	}
	return ""
}
