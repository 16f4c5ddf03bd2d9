package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// definition is a term of a memo that was understood: a number, or a condition on members of an entity. The rest of the
// reader sees it as a metric or as a yes-or-no attribute.
type definition struct {
	said   string // the term as it was written
	term   string // the same without the kind of thing that it is about: "active" of "active customer"
	body   string
	metric *semantic.Metric
	expr   *frameql.Expr // of the metric
	flag   *semantic.Dimension
	pred   *frameql.Pred    // of the flag
	during *frameql.During  // the period that belongs to the number; nil: none
	of     *semantic.Entity // whose members a rank is one of; nil: not said
	span   *period          // that the term names; nil: it names none
	names  []target         // of the model, one of which the term stands for
	note   string           // what is said of it when it is used; empty: that the memo defines it so
	by     definer
}

// mostDefinitions bounds how deep definitions may rest on each other.
const mostDefinitions = 4

// defining gives an index that knows the definitions which a question uses, and the question without those that it says
// itself. A term whose definition is not understood is refused by name: it is neither ignored nor guessed.
func (ix *Index) defining(r Request) (*Index, Request, *Declined) {
	question, said := spoken(withoutTalk(r.Question))
	r.Question = question
	all := latest(append(ix.definitions(r.Corrections, r.Memo), said...))
	if len(all) == 0 {
		return ix, r, nil
	}
	out, refusal := ix.withDefinitions(ix.english.tokenise(question), all, r.Env, mostDefinitions)
	return out, r, refusal
}

func (ix *Index) withDefinitions(tokens []token, all []written, env frameql.Env, depth int) (*Index, *Declined) {
	out := *ix
	for i, w := range all {
		term := ix.english.asks(tokens, w)
		if term == "" {
			continue
		}
		others := slices.Delete(slices.Clone(all), i, i+1)
		defs := ix.understand(term, w, others, env, depth)
		if len(defs) == 0 {
			if w.loose {
				continue // "Sales: numbers are in USD" is prose
			}
			return ix, w.notUnderstood(term)
		}
		out.defined = append(slices.Clone(out.defined), defs...)
	}
	return &out, nil
}

func (w written) notUnderstood(term string) *Declined {
	key := "interpret.bad_definition"
	switch w.by {
	case byCorrection:
		key = "interpret.bad_correction"
	case byAgreement:
		key = "interpret.bad_agreement"
	}
	return &Declined{Code: "DEFINITION_NOT_UNDERSTOOD", Message: text.Say(key, "term", term, "body", w.body)}
}

// says tells how a term was read.
func (def definition) says() string {
	key := "interpret.assume_defined"
	switch def.by {
	case byCorrection:
		key = "interpret.assume_corrected"
	case byAgreement:
		key = "interpret.assume_agreed"
	}
	return text.Say(key, "term", def.said, "body", def.body)
}

// understand finds what a definition means in this model: a formula, a number in words, or a condition on members. nil when
// it is none of them. A condition may be one on members of several entities; what stands beside the term chooses.
func (ix *Index) understand(term string, w written, others []written, env frameql.Env, depth int) []definition {
	if depth == 0 || ix.plainly(term, w) {
		return nil
	}
	def := definition{said: term, term: term, body: w.body, by: w.by}
	if span := ix.asPeriod(def, env); span != nil {
		return []definition{*span}
	}
	under, refusal := ix.withDefinitions(ix.english.tokenise(w.body), others, env, depth-1)
	if refusal != nil {
		return nil
	}
	if w.by.taught() && ix.isMetric(w.body) {
		return ix.asName(def)
	}
	if ix.isMetric(term) && under.isMetric(w.body) { // one number for another, also where a column is called so too
		return under.asNumber(def, env)
	}
	if defs := ix.asSQL(def, env); len(defs) > 0 {
		return defs
	}
	if defs := under.asRank(def, env); len(defs) > 0 {
		return defs
	}
	kinds := []func(*Index, definition, frameql.Env) []definition{(*Index).asCondition, (*Index).asNumber}
	if ix.isMetric(term) || ix.opensAsNumber(w.body) || ix.beginsWithMetric(w.body) {
		slices.Reverse(kinds)
	}
	for _, is := range kinds {
		if defs := is(under, def, env); len(defs) > 0 {
			return defs
		}
	}
	return ix.asName(def)
}

// asName reads a definition as another name: "clients" for customers, "area" for ship country; and a correction as another name of a number, so that the number is what the
// model knows of it.
func (ix *Index) asName(def definition) []definition {
	ws := ix.english.singulars(words(def.body))
	if i := slices.Index(ws, "of"); i > 0 && len(ix.names.terms[join(ws)]) == 0 { // "country of the customer" is the customer country
		ws = slices.Concat(slices.DeleteFunc(slices.Clone(ws[i+1:]), func(w string) bool { return w == "the" }), ws[:i])
	}
	for _, t := range ix.names.terms[join(ws)] {
		if (isEntity(t) || isDimension(t)) && t.match == exactMatch || t.metric != nil && t.match != partialMatch && def.by.taught() {
			def.names = append(def.names, t)
		}
	}
	if len(def.names) == 0 {
		return nil
	}
	return []definition{def}
}

// opensAsNumber says whether a definition is a calculation, or begins like a number: "total amount of ...".
func (ix *Index) opensAsNumber(body string) bool {
	if sign.MatchString(spelledSigns.Replace(" " + body + " ")) {
		return true
	}
	tokens := ix.english.tokenise(body)
	for i := range tokens {
		for n := min(4, len(tokens)-i); n > 0; n-- {
			if slices.ContainsFunc(ix.english.phrase(tokens, i, n), func(o operator) bool { return o.class == "aggregates" }) {
				return true
			}
		}
		if !ix.opening(tokens[i : i+1]) {
			break
		}
	}
	return false
}

// beginsWithMetric says whether a definition begins with a number of the model and says of which rows: "revenue in Germany". One that compares is a condition: "freight above 50".
func (ix *Index) beginsWithMetric(body string) bool {
	tokens := ix.english.tokenise(body)
	for i := range tokens {
		for n := min(longestName, len(tokens)-i); n > 0; n-- {
			if slices.ContainsFunc(ix.english.phrase(tokens, i, n), func(o operator) bool { return o.class == "comparatives" }) {
				return false
			}
		}
	}
	ws := words(body)
	for n := min(longestName, len(ws)); n > 0; n-- {
		if ix.isMetric(strings.Join(ws[:n], " ")) {
			return true
		}
	}
	return false
}

// isMetric says whether a text is what a metric is called.
func (ix *Index) isMetric(body string) bool {
	return slices.ContainsFunc(ix.names.terms[join(ix.english.singulars(words(body)))], func(t target) bool { return t.metric != nil && t.match != partialMatch })
}

// asNumber reads a definition as a calculation or a number in words.
func (ix *Index) asNumber(def definition, env frameql.Env) []definition {
	f := formula{ix: ix, env: env, rest: def.body}
	e, base := f.read()
	if e == nil {
		return nil
	}
	def.metric = &semantic.Metric{Name: ix.NameOf(def.term), Label: def.term, Kind: semantic.Derived, Entity: base.Name, Additivity: semantic.Additivity{Default: "none"}}
	def.expr, def.during = e, f.during
	return []definition{def}
}

// asCondition reads a definition as a condition on members: "an order in the last 90 days" of an active customer, "status
// is 'cancelled'" of whatever has a status. The entity's own name is no part of the term then.
func (ix *Index) asCondition(def definition, env frameql.Env) []definition {
	if term, e := ix.termOf(def.term); e != nil {
		def.term = term
		return ix.onMembers(def, e, ix.meant(e, def.body, env))
	}
	var out []definition
	for i := range ix.model.Entities {
		e := &ix.model.Entities[i]
		if p := ix.meant(e, def.body, env); p != nil && ownedBy(p, e) {
			out = append(out, ix.onMembers(def, e, p)...)
		}
	}
	return out
}

// termOf takes the entity's own name off the end of a term: "active" of "active customer".
func (ix *Index) termOf(term string) (string, *semantic.Entity) {
	ws := strings.Fields(term)
	for n := len(ws) - 1; n > 0; n-- {
		for _, t := range ix.names.terms[join(ix.english.singulars(words(strings.Join(ws[n:], " "))))] {
			if isEntity(t) && t.match != partialMatch {
				return strings.Join(ws[:n], " "), t.entity
			}
		}
	}
	return term, nil
}

func (ix *Index) onMembers(def definition, e *semantic.Entity, pred *frameql.Pred) []definition {
	if pred == nil {
		return nil
	}
	def.flag = &semantic.Dimension{Name: ix.NameOf(def.term), Label: def.term, Type: semantic.Boolean}
	def.pred, def.metric = pred, &semantic.Metric{Entity: e.Name}
	return []definition{def}
}

// plainly says whether a definition in prose stands for what the model calls so anyway.
func (ix *Index) plainly(term string, w written) bool {
	return w.loose && len(ix.names.terms[join(ix.english.singulars(words(term)))]) > 0
}

// NameOf is the name under which a query writes what a term is defined as: one that the model does not use.
func (ix *Index) NameOf(term string) string {
	name := strings.Join(words(term), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "as_" + name
	}
	for ix.metrics[name] != nil || ix.entities[name] != nil || ix.isDimension(name) {
		name += "_as_defined"
	}
	return name
}

func (ix *Index) isDimension(name string) bool {
	return slices.ContainsFunc(ix.model.Entities, func(e semantic.Entity) bool { return e.Dimension(name) != nil })
}

// ownedBy says whether a condition is on attributes of the entity itself.
func ownedBy(p *frameql.Pred, e *semantic.Entity) bool {
	for _, part := range frameql.Conjuncts(p) {
		if owner, _, _ := cutName(part.Dim); owner != e.Name {
			return false
		}
	}
	return true
}

// meant reads a condition as the question for the members that meet it.
func (ix *Index) meant(e *semantic.Entity, body string, env frameql.Env) *frameql.Pred {
	name := joinSpaced(words(labelOf(e.Label, e.Name)))
	body = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(body), "with "), "where ")
	for _, question := range []string{"list " + body, "list " + name + " where " + body, "list " + name + " with " + body, "list " + name + " that " + body} {
		q := ix.certain(question, env)
		if q == nil || q.Where == nil || q.Time != nil || q.Having != nil || q.Limit != nil || q.At == nil || len(q.At.Dims) != 1 || q.At.Dims[0].Name != e.Name {
			continue
		}
		return q.Where
	}
	return nil
}

// certain reads a phrase as a question and gives its query when nothing is left open.
func (ix *Index) certain(question string, env frameql.Env) *frameql.Query {
	tokens := ix.english.tokenise(question)
	if len(tokens) == 0 || len(tokens) > mostTokens {
		return nil
	}
	t := ix.consider(tokens, env)
	if len(t.resolved) == 0 || t.refusedFirst() || t.postponed() != "" || t.near() > 0 {
		return nil
	}
	best := t.resolved[0]
	if unread, _ := best.draft.unreadWords(); len(unread) > 0 || best.draft.doubt != "" || best.confidence() < confidenceToAnswer {
		return nil
	}
	return best.query
}

// keyed says whether a term is what words of a question come to as a name.
func (l *lexicon) keyed(term, key string) bool {
	return join(l.singulars(words(term))) == key || strings.NewReplacer("-", "", ".", "").Replace(join(lemmasOf(l.tokenise(term)))) == key
}

// definedAs gives the terms of the definitions as meanings of words.
func (ix *Index) definedAs(key string) []target {
	var out []target
	for i := range ix.defined {
		def := &ix.defined[i]
		if def.span != nil || !ix.english.keyed(def.term, key) {
			continue
		}
		switch {
		case def.names != nil:
			out = append(out, def.names...)
		case def.flag != nil:
			out = append(out, target{entity: ix.entities[def.metric.Entity], dim: def.flag, score: scoreDefined})
		default:
			out = append(out, target{metric: def.metric, score: scoreDefined})
		}
	}
	return out
}

// meaningsOf gives the meanings of words: those that a memo defines, and those of the model. A number that is defined takes the place of the model's numbers that are
// called so: where it cannot be used that is said, and no other number is shown under its name.
func (ix *Index) meaningsOf(key string) []target {
	defined, named := ix.definedAs(key), ix.names.terms[key]
	if slices.ContainsFunc(ix.defined, func(d definition) bool { return d.names != nil && ix.english.keyed(d.term, key) }) {
		return defined
	}
	if !slices.ContainsFunc(defined, func(t target) bool { return t.metric != nil }) {
		return append(defined, named...)
	}
	for _, t := range named {
		if t.metric == nil {
			defined = append(defined, t)
		}
	}
	return defined
}

// redefined says whether the person who asks gave a word of the question a meaning: what others verified was asked with another one.
func (ix *Index) redefined() bool {
	return slices.ContainsFunc(ix.defined, func(d definition) bool { return d.by != byModel })
}

// flagged gives the condition that a defined attribute stands for; nil for any other attribute.
func (ix *Index) flagged(dim *semantic.Dimension) *frameql.Pred {
	for _, def := range ix.defined {
		if dim != nil && def.flag == dim {
			return def.pred
		}
	}
	return nil
}

// define writes the definitions that a query uses, and says which they are.
func (c *composer) define() {
	for _, def := range c.draft.ix.defined {
		if def.span != nil { // the period says so itself
			if slices.Contains(c.draft.notes, def.says()) {
				c.defined = append(c.defined, def.said)
			}
			continue
		}
		if def.names != nil { // its word has no other meaning
			c.defined, c.notes = append(c.defined, def.said), append(c.notes, def.says())
			continue
		}
		used := c.lead.t.metric != nil && c.lead.t.metric == def.metric || c.lead.t.dim != nil && c.lead.t.dim == def.flag
		for _, t := range c.picks {
			used = used || t.metric != nil && t.metric == def.metric || t.dim != nil && t.dim == def.flag
		}
		if !used {
			continue
		}
		if def.during != nil && c.query.Time == nil {
			c.query.Time = def.during
		}
		c.broken = c.broken || def.of != nil && !c.splitBy(def.of)
		c.broken = c.broken || def.during != nil && c.query.Time.Period.String() != def.during.Period.String()
		if def.flag == nil && !slices.ContainsFunc(c.query.With, func(d frameql.Def) bool { return d.Name == def.metric.Name }) {
			c.query.With = append(c.query.With, frameql.Def{Name: def.metric.Name, Expr: def.expr})
			if within(def.expr, func(e *frameql.Expr) bool { return e.Star }) {
				c.query.From = []string{c.lead.rows.Name}
			}
		}
		if def.note != "" {
			c.notes = append(c.notes, def.note)
			continue
		}
		c.defined = append(c.defined, def.said)
		c.notes = append(c.notes, def.says())
	}
}
