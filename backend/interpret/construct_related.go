package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// clause is a part of the question that is about rows related to the members: "without orders", "who never took Chemistry",
// "that had a concert in 2014".
type clause struct {
	quant    string // any no all
	from, to int    // pieces, to exclusive
	members  []slot // the entities that it names
	act      bool   // it is a verb that says by itself that something was recorded
	column   bool   // it is about the values of the column that is listed
	verb     bool   // it denies a verb: with nothing related in it, it denies its condition
}

// readAbsence reads what is missing: "customers without orders", "students who do not have any pets", "products that were
// never ordered", "airlines that have no flights from Rome", "teachers who do not teach Math".
func readAbsence(d *draft) {
	for i := range d.pieces {
		if d.noNeighbors(i) {
			continue
		}
		verb := d.is(i, relatedPiece, "never") || d.is(i, notPiece, "not") && d.deniesEntity(i)
		if !d.free(i) || !verb && !d.is(i, relatedPiece, "no") || d.subjectBefore(i) < 0 {
			continue
		}
		c := clause{quant: "no", from: i, to: d.clauseEnd(i + 1), verb: verb}
		at := d.skipGlue(i + 1)
		if d.qualifies(at) && at+1 < c.to && !verb {
			at++ // "no discontinued products", "no French singers"
		}
		if es := d.entities(at); len(es) > 0 && at < c.to {
			c.members = append(c.members, slot{piece: at, options: es})
			d.take(at, "entity", es[0].name())
			c.column = d.hostColumn(d.subjectBefore(i), es[0].entity)
			if e := d.verbFor(i, at, es[0].entity); e != nil {
				c.members = append(c.members, slot{piece: -1, options: []target{{entity: e}}})
			}
		} else if e := d.summedRows(at, d.beside(d.subjectBefore(i))); e != nil && at < c.to && !verb {
			c.members = append(c.members, slot{piece: at, options: []target{{entity: e}}})
			d.note(text.Say("interpret.assume_none", "metric", labelOf(d.metrics(at)[0].metric.Label, d.metrics(at)[0].metric.Name), "entity", labelOf(e.Label, e.Name)))
			d.take(at, "entity", e.Name)
		} else if e := d.actBetween(i, at); e != nil {
			c.members = append(c.members, slot{piece: -1, options: []target{{entity: e}}})
			if d.verbAlone(at) && d.actOf(d.pieces[at]) == e {
				d.take(at, connects, "")
			}
		} else if ts := d.dimensions(at); len(ts) > 0 && at+1 == c.to && !verb { // "customers without a phone"
			if subject := d.beside(d.subjectBefore(i)); subject != nil && !slices.ContainsFunc(ts, func(t target) bool { return d.ix.paths.reaches(subject.Name, t.entity.Name) }) {
				if isNumeric(ts[0]) {
					continue // "categories with no discount" have rows that may say 0
				}
				c.members = append(c.members, slot{piece: at, options: []target{{entity: ts[0].entity, score: ts[0].score}}})
				d.take(at, "entity", ts[0].entity.Name)
				d.take(i, "filter", "no")
				d.clauses = append(d.clauses, c) // "customers without a newsletter" have none of many
				continue
			}
			op := "is_null"
			if d.isFlag(ts[0]) {
				op = "is_false" // "courses without exams" where they have some or not
			}
			d.filters = append(d.filters, filter{slot: slot{piece: at, options: ts, near: d.beside(d.subjectBefore(i))}, named: -1, op: op})
			d.take(at, "dimension", ts[0].name())
			d.take(i, "filter", "no")
			continue
		} else if !verb && len(d.values(at)) == 0 { // "without a dog"
			continue
		}
		d.take(i, "filter", "no")
		d.clauses = append(d.clauses, c)
	}
}

// eventTotals are nouns for totals that are more than nothing wherever anything happened. "No discount" is no such one.
var eventTotals = []string{"sale", "sales", "revenue", "turnover", "purchase"}

// summedRows gives the entity whose rows a total is made of, where members of another one may have none of them: "products with no
// sales" have no order lines.
func (d *draft) summedRows(i int, members *semantic.Entity) *semantic.Entity {
	if ms := d.metrics(i); members != nil && len(ms) > 0 && slices.Contains(eventTotals, d.tokens[d.pieces[i].to-1].lemma) && ms[0].metric != nil && ms[0].metric.Leaf() && ms[0].metric.Reducer == semantic.Sum {
		if e := d.ix.base(ms[0].metric); e != nil && e != members && d.ix.paths.reaches(e.Name, members.Name) {
			return e
		}
	}
	return nil
}

// deniesEntity says whether the word "not" stands before an entity or a verb of one and not before a value.
func (d *draft) deniesEntity(i int) bool {
	at := d.skipGlue(i + 1)
	return len(d.values(at)) == 0 && len(d.entities(at)) > 0 && !d.is(at+1, gluePiece, "is") || d.actBetween(i, at) != nil
}

// subjectBefore gives the last entity or dimension before a piece; -1 when there is none: then nothing is missing it.
func (d *draft) subjectBefore(i int) int {
	for j := i - 1; j >= 0; j-- {
		if d.is(j, namePiece) && d.pieces[j].has(func(t target) bool { return isEntity(t) || isDimension(t) }) {
			return j
		}
	}
	return -1
}

func (d *draft) skipGlue(i int) int {
	for d.is(i, gluePiece, "with", "in", "is") {
		i++
	}
	return i
}

// clauseEnd gives the piece that ends a clause: an order, a new request, or an "and" with a new verb behind it.
func (d *draft) clauseEnd(i int) int {
	for ; i < len(d.pieces); i++ {
		switch p := d.pieces[i]; p.kind {
		case orderPiece:
			if d.unknownAct(i) == nil {
				return i
			}
		case listPiece, groupPiece, relatedPiece, rankPiece:
			return i
		case gluePiece:
			if p.id == "and" && d.opensClause(i) {
				return i
			}
		}
	}
	return i
}

// opensClause says whether a new condition on the members follows an "and": one with a verb or a relative pronoun of its
// own.
func (d *draft) opensClause(i int) bool {
	next := i + 1
	if d.is(i, gluePiece, "and") && d.tokens[d.pieces[i].from].norm == "but" {
		return true
	}
	if d.is(next, gluePiece, "with", "is") || d.is(next, listPiece) || d.is(next, relatedPiece) || d.is(next, orderPiece) || d.is(next, aggregatePiece) {
		return true
	}
	return next < len(d.pieces) && slices.ContainsFunc(d.gap(i, next), d.ix.english.isVerb)
}

// gap gives the words between two pieces that carry nothing by themselves.
func (d *draft) gap(i, next int) []token {
	from, to := d.pieces[i].to, d.pieces[next].from
	return d.tokens[min(from, to):to]
}

// isVerb says whether a word is one of the verbs that only connect.
func (l *lexicon) isVerb(t token) bool {
	return slices.Contains(l.operators[t.norm], operator{"stop", "verb"})
}

// actBetween gives the entity whose rows record the verb that stands between two pieces, or that the second one is.
func (d *draft) actBetween(i, at int) *semantic.Entity {
	end := len(d.tokens)
	if at < len(d.pieces) {
		end = d.pieces[at].to
	}
	for _, t := range d.tokens[min(d.pieces[i].to, end):end] {
		if e := d.ix.recorded(t); e != nil {
			return e
		}
	}
	return nil
}

// verbFor gives the entity whose rows record a verb between two pieces, when they relate something to rows of the entity
// that the second piece names: attendances for "who attend courses".
func (d *draft) verbFor(i, at int, named *semantic.Entity) *semantic.Entity {
	for _, t := range d.gap(i, at) {
		if e := d.ix.recorded(t); e != nil && e != named && d.ix.paths.reaches(e.Name, named.Name) {
			return e
		}
	}
	return nil
}

// actOf gives the entity whose rows record the verb that a piece of one word is.
func (d *draft) actOf(p *piece) *semantic.Entity {
	if p.to != p.from+1 {
		return nil
	}
	return d.ix.recorded(d.tokens[p.from])
}

// recorded gives the only entity whose name holds the noun of a verb: orders for "ordered", enrollments for "enrolled". A name that is this noun alone
// comes before one that ends with it ("sales orders"), and that before one that only holds it ("order lines").
func (ix *Index) recorded(t token) *semantic.Entity {
	if t.kind != wordToken || len(t.norm) < 3 {
		return nil
	}
	stem := ""
	if strings.HasSuffix(t.norm, "ed") || strings.HasSuffix(t.norm, "ing") {
		stem = verbStem(t.norm)[1:]
	}
	var found *semantic.Entity
	best, tie := -1, false
	for i := range ix.model.Entities {
		e := &ix.model.Entities[i]
		ws := ix.nouns[e.Name]
		at := slices.IndexFunc(ws, func(n noun) bool { return ix.recordsAct(t.norm, stem, n) })
		if at < 0 || at > 0 && at == len(ws)-1 && slices.Contains(light, ws[at].word) { // nothing is listed in a "model list"
			continue
		}
		rank := 0
		switch {
		case len(ws) == 1:
			rank = 2
		case at == len(ws)-1:
			rank = 1
		}
		if rank > best {
			found, best, tie = e, rank, false
		} else if rank == best {
			tie = true
		}
	}
	if tie {
		return nil
	}
	return found
}

// recordsAct says whether a noun is what a verb does: by the list of acts, or by the spelling of a form that has a stem.
func (ix *Index) recordsAct(verb, stem string, n noun) bool {
	if acts := ix.english.acts[verb]; slices.Contains(acts, n.word) || slices.Contains(acts, strings.TrimSuffix(n.word, "s")) { // sales have no singular of their own
		return true
	}
	if stem == "" {
		return false
	}
	const least = 5 // letters that must agree
	a, b := stem, n.stem
	return a == b || len(a) >= least && len(b) >= least && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// clauseOf gives the clause of absence, or about all related rows, that a piece stands in; nil: none.
func (d *draft) clauseOf(i int) *clause {
	for k := range d.clauses {
		if c := &d.clauses[k]; c.quant != "any" && i >= c.from && i < c.to {
			return c
		}
	}
	return nil
}

// part numbers the clauses of a question: conditions on related rows in one part are about the same row.
func (d *draft) part(i int) int {
	n := 0
	for k := 0; k < i && k < len(d.pieces); k++ {
		if d.is(k, gluePiece, "and") && d.opensClause(k) {
			n++
		}
	}
	return n
}

// readRelated takes the entities that are named beside a condition on their rows, or on rows that lead to them: "students who
// have friends older than 20", "customers who ordered Chai", "stadiums that had a concert in 2014"; and those whose
// existence alone is asked for: "students who have pets".
func readRelated(d *draft) {
	host := d.host()
	if host == nil {
		return
	}
	for i := range d.pieces {
		if d.free(i) && d.is(i, unknownPiece) && d.actsHere(i) {
			d.take(i, connects, "")
			continue
		}
		if e := d.unknownAct(i); e != nil && e != host {
			d.addMember(i, []target{{entity: e}})
			d.take(i, connects, "")
			continue
		}
		if e := d.hadRows(i, host); e != nil {
			d.addMember(i, []target{{entity: e}})
			d.take(i, "entity", e.Name)
			continue
		}
		es := d.entities(i)
		if len(es) == 0 || es[0].entity == host || es[0].score < scoreFaint && !d.hasAny(i, host) {
			continue
		}
		e := es[0].entity
		_, toOne := d.ix.paths.distance(host.Name, e.Name)
		if _, ok := d.ix.paths.related(host.Name, e.Name); !ok {
			continue
		}
		no := d.clauseOf(i)
		if no == nil && d.introduced(i) {
			no = d.clauseOf(d.skipGlue(i + 1)) // "teachers whose courses have not been arranged"
		}
		if no != nil {
			no.members = append(no.members, slot{piece: i, options: es})
			d.take(i, "entity", e.Name)
			continue
		}
		if d.listedToo(i) {
			continue // "the ward and clinic of each patient" asks for both
		}
		conditioned := d.conditionNear(i, e)
		switch {
		case conditioned && toOne:
			d.take(i, "entity", e.Name)
		case conditioned, d.introduced(i) && d.hostBefore(i, host), !toOne && d.hasAny(i, host):
			d.addMember(i, es)
			if j := d.subjectBefore(i); j >= 0 {
				if act := d.verbFor(j, i, e); act != nil && act != host {
					d.addMember(i, []target{{entity: act}})
				}
			}
			d.take(i, "entity", e.Name)
		}
	}
}

// hasAny says whether nothing but the existence of rows is asked for behind the members: "rooms that have some furniture", "rooms which offer
// views", where the words of the rows may be a part of what they are called.
func (d *draft) hasAny(i int, host *semantic.Entity) bool {
	if d.pieces[i].has(func(t target) bool { return !isEntity(t) && !(isDimension(t) && t.entity.Display == t.dim.Name) }) || !d.hostBefore(i, host) || d.clauseOf(i) != nil {
		return false
	}
	said := d.tokens[d.pieces[d.subjectBefore(i)].to:d.pieces[i].from]
	return slices.ContainsFunc(said, func(t token) bool {
		return slices.Contains([]string{"have", "has", "had", "having", "with"}, t.norm) || d.ix.english.isVerb(t)
	})
}

// listedToo says whether an entity stands in a list with the members that are asked for: "what are the ward and clinic of".
func (d *draft) listedToo(i int) bool {
	return d.subject != nil && d.subject.piece == i-2 && d.is(i-1, gluePiece, "and") && d.is(i-3, listPiece) && !d.plural(i)
}

// readDone takes the verbs that say by themselves that something was recorded: "students who registered but did not attend".
func readDone(d *draft) {
	host := d.host()
	if host == nil {
		return
	}
	for k := 1; k < len(d.tokens); k++ {
		e := d.ix.recorded(d.tokens[k])
		if slices.ContainsFunc(d.tokens[max(0, k-3):k], func(t token) bool { return t.norm == "not" || t.norm == "never" }) {
			continue
		}
		if e == nil || e == host || !d.mayHaveMany(e, host) || !slices.Contains([]string{"who", "that", "which", "have", "has", "was", "were", "been"}, d.tokens[k-1].norm) {
			continue
		}
		if k+1 < len(d.tokens) && !slices.Contains([]string{"and", "but", "or", ",", "?", ".", "in", "before", "after", "since"}, d.tokens[k+1].norm) {
			continue
		}
		at := slices.IndexFunc(d.pieces, func(p *piece) bool { return p.to > k })
		if at < 0 {
			at = len(d.pieces) - 1
		}
		if d.pieces[at].from > k && at > 0 {
			at--
		}
		d.addMember(at, []target{{entity: e}})
		d.clauses[len(d.clauses)-1].act = true
	}
}

// host gives the entity whose members are listed or counted; nil when no single one is.
func (d *draft) host() *semantic.Entity {
	switch {
	case d.subject != nil && len(d.subject.options) > 0:
		return d.subject.options[0].entity
	case len(d.columns) > 0 && len(d.columns[0].options) > 0 && d.columns[0].near != nil:
		return d.columns[0].near
	case len(d.columns) > 0 && len(d.columns[0].options) > 0:
		return d.columns[0].options[0].entity
	case len(d.measures) > 0 && len(d.measures[0].options) > 0:
		return d.ix.rowsOf(d.measures[0].options[0])
	}
	return nil
}

// hostBefore says whether the host is what a relative clause in front of a piece belongs to.
func (d *draft) hostBefore(i int, host *semantic.Entity) bool {
	j := i - 1
	for d.is(j, gluePiece, "with", "in", "is") {
		j--
	}
	return j >= 0 && d.beside(j) == host
}

func (d *draft) addMember(i int, es []target) {
	d.clauses = append(d.clauses, clause{quant: "any", from: i, to: i + 1, members: []slot{{piece: i, options: es}}})
}

// actsHere says whether a word that is a noun elsewhere is a verb here: "who host concerts", "that John Wen visits".
func (d *draft) actsHere(i int) bool {
	t := d.pieces[i].from
	if t == 0 || len(d.ix.english.acts[d.tokens[t].norm]) == 0 || d.actOf(d.pieces[i]) != nil {
		return false
	}
	switch d.tokens[t-1].norm {
	case "who", "that", "which", "do", "does", "did", "not", "never", "to", "they", "whom", "ever", "is", "are", "was", "were", "been":
		return true
	}
	return d.is(i-1, relatedPiece)
}

// unknownAct gives the entity that an unread verb records: "enrolled in", "performed at".
func (d *draft) unknownAct(i int) *semantic.Entity {
	if from := d.pieces[i].from; !d.verbAlone(i) || from > 0 && slices.Contains([]string{"their", "its", "his", "her"}, d.tokens[from-1].norm) {
		return nil // "in the order of their listed" is garbled
	}
	return d.actOf(d.pieces[i])
}

// verbAlone says whether a free piece is a word that nothing of the model is called, or only a date by its verb, or
// "ordered" where no order follows.
func (d *draft) verbAlone(i int) bool {
	return d.free(i) && (d.is(i, unknownPiece) || d.is(i, orderPiece, "by") && !d.is(i+1, groupPiece) || d.is(i, namePiece) && !d.pieces[i].has(func(t target) bool { return !t.verb }))
}

// qualifies says whether a flag or a value stands before an entity like an adjective.
func (d *draft) qualifies(i int) bool {
	return d.free(i) && len(d.entities(i)) == 0 && (len(d.names(i, d.isFlag)) > 0 || len(d.values(i)) > 0) && len(d.entities(i+1)) > 0
}

// conditionNear says whether a condition in the same part of the question is about an entity, or about what it leads to.
func (d *draft) conditionNear(i int, e *semantic.Entity) bool {
	part := d.part(i)
	if p := d.period; p != nil && d.periodAt > i && d.part(d.periodAt) == part {
		if _, year := d.yearOf(e); year != nil || d.ix.timeOf(nil, e) != "" {
			return true
		}
	}
	return slices.ContainsFunc(d.filters, func(f filter) bool {
		return d.part(f.piece) == part && slices.ContainsFunc(f.options, func(t target) bool {
			if t.entity == nil {
				return false
			}
			host := d.host()
			apart := host != nil && !d.ix.paths.reaches(host.Name, t.entity.Name)
			directly := len(d.ix.paths.relates[[2]string{e.Name, t.entity.Name}]) == 1 && f.piece > i
			return directly || d.ix.paths.reaches(e.Name, t.entity.Name) || apart && d.ix.paths.reaches(t.entity.Name, e.Name)
		})
	})
}
