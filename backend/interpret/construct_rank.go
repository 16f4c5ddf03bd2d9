package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// usualTop is how many members "the top customers" are when no number is said.
const usualTop = 10

// readRank reads "top 5 customers by revenue", "which category had the highest revenue", "the 5 most expensive products",
// "customers with the most orders", "worst 3 shippers by freight", "best selling products".
func readRank(d *draft) {
	d.maximumRanks()
	for i := range d.pieces { // "the top 5 best selling products"
		if d.is(i, rankPiece, "high", "best") && d.free(i) && d.is(i+1, numberPiece) && d.is(i+2, adjectivePiece) {
			d.take(i, connects, "")
		}
	}
	for i, p := range d.pieces {
		if (p.kind != rankPiece && p.kind != adjectivePiece) || d.uses[i].slot != "" || d.top != nil {
			continue
		}
		if p.from > 0 && d.tokens[p.from-1].norm == "at" {
			continue // "at least two" is no ranking
		}
		direction, hints, _ := strings.Cut(p.id, " ")
		n, next := 0, i+1
		switch {
		case d.is(next, numberPiece) && d.free(next):
			n = numeric(d.pieces[next].number)
			next++
		case d.is(i-1, numberPiece) && d.free(i-1):
			n = numeric(d.pieces[i-1].number)
		}
		for d.is(next, gluePiece, "in") || d.is(next, gluePiece, "is") {
			next++ // "the highest of all"
		}
		top := &ranking{n: n, direction: direction, word: i}
		var ok bool
		if p.kind == adjectivePiece && !d.ranksReached(i, next) {
			ok = hints == defaultTimeHint && d.rankBySaidTime(i, next, top) || d.rankByAdjective(i, next, top, strings.Split(hints, "/")) || d.rankBySaid(i, next, top, hints)
		} else {
			ok = d.rankByNumber(i, next, top)
		}
		if !ok {
			continue
		}
		for k := i - 1; k <= next && k < len(d.pieces); k++ {
			if d.is(k, numberPiece) && d.free(k) && n > 0 {
				d.take(k, "top", d.pieces[k].number)
			}
		}
		d.take(i, "top", direction)
		d.finishRank(top)
	}
}

// finishRank fixes how many are asked for and files the ranking.
func (d *draft) finishRank(top *ranking) {
	if top.by.options != nil && len(top.member.options) == 0 && top.member.grain == "" {
		// "the highest freight": nothing to rank, so it is the largest value
		if top.by.star || isEntity(top.by.options[0]) || counts(top.by.options[0].metric) {
			d.invalid = true // "the least number of allergies": of what?
			return
		}
		if dim := d.whoInTable(top); dim != nil {
			top.member = slot{piece: -1, options: []target{*dim}}
			d.finishRank(top)
			return
		}
		top.by.reduce = "max"
		if first := d.ix.countsPlaces(top.by); (top.direction == "low" || top.direction == "worst") != first {
			top.by.reduce = "min" // the highest rank is the first one
		}
		top.by.star, top.by.assumed = false, false
		for i, u := range d.uses {
			if u.slot == "top" && u.target == top.direction && d.is(i, rankPiece) {
				d.take(i, "aggregate", top.by.reduce)
			}
		}
		d.measures = append(d.measures, top.by)
		return
	}
	if top.n <= 0 {
		top.n = 1
		if m := top.member.piece; m >= 0 && d.plural(m) && d.ranksMany(top) {
			top.n = usualTop
			d.note(text.Say("interpret.assume_top", "n", usualTop))
		}
	}
	if !top.attribute && top.member.piece >= 0 {
		if by, ok := d.splitInstead(top.by, top.member.piece); ok {
			d.take(by.piece, "dimension", by.options[0].name())
			top.member = by
		}
	}
	d.onlyPresent(top)
	d.top = top
	for i := range d.pieces {
		key := d.is(i-1, groupPiece, "by") || d.is(i-1, orderPiece) || d.is(i-1, rankPiece) // "top 5 by total revenue"
		if d.is(i, aggregatePiece, "sum") && d.uses[i].slot == "aggregate" && top.n > 1 && !key {
			d.doubt = doubtTotal
		}
	}
	switch {
	case top.attribute:
		d.listing = true
		d.subject = &top.member
		d.columns = append(d.columns, top.by.slot)
	default:
		d.groups = append([]slot{top.member}, d.groups...)
		if len(top.by.options) > 0 {
			d.measures = append(d.measures, top.by)
		}
	}
}

// counts says whether a metric is how many there are of something.
func counts(m *semantic.Metric) bool { return m != nil && m.Leaf() && m.Reducer == semantic.Count }

// ranksMany says whether a ranking of members in the plural asks for a list of them: "the most expensive products" does,
// "the price of the most expensive products" and "the party of the oldest members" ask for what stands first.
func (d *draft) ranksMany(top *ranking) bool {
	if behind := d.pieces[top.member.piece].to; behind < len(d.tokens) && slices.Contains(oneVerb, d.tokens[behind].norm) {
		return false // "which of the suppliers has the most products"
	}
	if !top.attribute {
		return len(d.attributesBefore(top.member.piece)) == 0 && !d.nameOf(top.member.piece)
	}
	for i := range top.member.piece {
		if d.is(i, namePiece) && len(d.names(i, isDimension)) > 0 {
			return false
		}
	}
	return true
}

// oneVerb are verbs behind members of which one is meant.
var oneVerb = []string{"is", "was", "has", "does"}

// rankByNumber finds member and measure around a ranking word. A member named before it makes what follows the measure;
// else what follows is the member, and the measure stands behind "by" or elsewhere in the question.
func (d *draft) rankByNumber(i, next int, top *ranking) bool {
	if d.rankByVerb(i, next, top) {
		return true
	}
	leading := d.leadingMember(i)
	agg, at := d.aggregateAt(next)
	if at < len(d.pieces) && (len(d.values(at)) > 0 || len(d.names(at, d.isFlag)) > 0) && len(d.entities(at)) == 0 && len(d.entities(at+1)) > 0 && leading >= 0 {
		at++ // "the most sell transactions": the value is a condition
	}
	from := next
	if agg == "" {
		from = at
	}
	if leading >= 0 {
		if m := d.rankInTable(i, leading, at, agg); m != nil {
			d.takeMember(top, leading)
			d.takeMeasure(top, m, from, at)
			return true
		}
		if d.rankAttribute(top, leading, at, agg) {
			return true
		}
		if m := d.measureOf(at, agg); m != nil && (!m.star || agg != "" || d.ranksCount(i)) {
			d.takeMember(top, leading)
			d.takeMeasure(top, m, from, at)
			return true
		}
	}
	if agg == "sum" && d.is(at+1, gluePiece, "and") && (len(d.metrics(at+2)) > 0 || len(d.names(at+2, isMeasure)) > 0) {
		d.invalid = true // "the lowest sum of stock and returns" is not that of the stock alone
	}
	if agg == "" && d.groupable(next) {
		d.takeMember(top, next)
		return d.rankKey(top, next+1)
	}
	m := d.measureOf(at, agg)
	if m == nil || m.star && agg == "" && !d.ranksCount(i) {
		return d.rankBehind(i, top)
	}
	d.takeMeasure(top, m, from, at)
	follow := at + 1
	if d.is(follow, groupPiece, "by", "each") {
		follow++
	}
	if d.groupable(follow) {
		if d.is(follow-1, groupPiece) {
			d.take(follow-1, connects, "")
		}
		d.takeMember(top, follow)
	}
	return true
}

// ranksCount says whether a ranking word goes with how many there are: "the most orders"; the highest order is another matter.
func (d *draft) ranksCount(i int) bool {
	for _, t := range d.tokens[d.pieces[i].from:d.pieces[i].to] {
		switch t.norm {
		case "most", "least", "fewest", "fewer", "less", "more", "top", "bottom":
			return true
		}
	}
	return false
}

// rankBehind reads a ranking word that closes the sentence: "in which month was revenue highest".
func (d *draft) rankBehind(i int, top *ranking) bool {
	at := i - 1
	for d.is(at, gluePiece, "is") {
		at--
	}
	if len(d.metrics(at)) == 0 {
		return false
	}
	leading := d.leadingMember(at)
	if leading < 0 {
		return false
	}
	m := d.measureOf(at, "")
	d.takeMember(top, leading)
	d.takeMeasure(top, m, at, at)
	return true
}

// aggregateAt gives the reducer that stands at a piece, and where its operand is: "highest average unit price", "most
// number of orders".
func (d *draft) aggregateAt(i int) (agg string, at int) {
	if d.free(i) && d.is(i, aggregatePiece, "sum", "avg", "min", "max", "median", "count") {
		j := i + 1
		if d.is(j, gluePiece, "in") {
			j++
		}
		return d.pieces[i].id, j
	}
	return "", i
}

// groupable says whether a piece may be a member: an entity, a dimension or a calendar unit.
func (d *draft) groupable(i int) bool {
	if !d.free(i) {
		return false
	}
	return d.is(i, grainPiece) || len(d.members(i)) > 0 && (len(d.metrics(i)) == 0 || len(d.entities(i)) > 0)
}

// leadingMember gives the member that a ranking stands behind: "which category had the highest", "customers with most".
func (d *draft) leadingMember(i int) int {
	for j := i - 1; j >= 0; j-- {
		switch {
		case d.is(j, gluePiece, "with", "in", "is"), d.is(j, periodPiece), d.is(j, numberPiece):
			continue
		case j > 0 && len(d.entities(j)) == 0 && d.ix.english.isVerb(d.tokens[d.pieces[j].from]) && len(d.entities(j-1)) > 0:
			continue // "which river crosses the most states", where a column is called so
		case j > 0 && j < i-1 && d.relative(j) && !d.hasRanked(j, i):
			return j - 1
		case j > 0 && d.uses[j].slot == "value":
			continue // of a relative clause: "that borders Texas"
		case d.groupable(j) && !d.is(j-1, gluePiece, "and"):
			if d.is(j-1, groupPiece) && d.free(j-1) {
				return -1
			}
			return j
		case d.is(j, namePiece) && d.free(j) && len(d.values(j)) > 0:
			continue
		case d.is(j, unknownPiece) && d.free(j) && j == i-1: // a verb: "the county that produces the most wines"
			continue
		}
		return -1
	}
	return -1
}

// relative says whether a piece begins a relative clause behind members: "states that border Texas have the highest".
func (d *draft) relative(j int) bool {
	return len(d.entities(j-1)) > 0 && d.groupable(j-1) && d.is(j-2, listPiece) &&
		slices.ContainsFunc(d.gap(j-1, j), func(t token) bool { return t.norm == "that" || t.norm == "which" || t.norm == "who" })
}

// hasRanked says whether members inside a relative clause are those that a ranking is about: "the customer that placed the order with
// the largest freight".
func (d *draft) hasRanked(j, rank int) bool {
	return j+2 == rank && d.is(j+1, gluePiece, "with") && d.tokens[d.pieces[j+1].from].norm == "with" && len(d.entities(j)) > 0 && !d.plural(j)
}

func (d *draft) takeMember(top *ranking, i int) {
	if top.n <= 0 && d.is(i-1, numberPiece) && d.free(i-1) { // "which 3 customers have the highest"
		top.n = numeric(d.pieces[i-1].number)
		d.take(i-1, "top", d.pieces[i-1].number)
	}
	top.member = slot{piece: i, options: d.members(i)}
	name := ""
	if d.is(i, grainPiece) {
		top.member.grain, name = d.pieces[i].id, d.pieces[i].id
	} else {
		name = top.member.options[0].name()
	}
	d.take(i, "dimension", name)
	if d.is(i, namePiece) {
		top.member.near = d.neighbor(i)
	}
	if ts := d.temporals(i); len(ts) > 0 && d.is(i+1, grainPiece) && d.free(i+1) { // "order date month"
		top.member.options, top.member.grain = ts, d.pieces[i+1].id
		d.take(i+1, "grain", d.pieces[i+1].id)
	}
}

// temporals gives the time dimensions that a piece may mean, whether or not it is used already.
func (d *draft) temporals(i int) []target {
	var out []target
	for _, t := range d.pieces[i].names {
		if isTemporal(t) && !t.verb {
			out = append(out, t)
		}
	}
	return out
}

func (d *draft) takeMeasure(top *ranking, m *measure, from, at int) {
	top.by = *m
	if d.singleValue(top, at) {
		top.by.reduce, top.by.assumed = "max", false
		if top.direction == "low" || top.direction == "worst" {
			top.by.reduce = "min"
		}
	}
	if from < at {
		d.take(from, "aggregate", d.pieces[from].id)
	}
	d.take(at, "metric", m.options[0].name())
}

// singleValue says whether a ranking is about the one highest value and where it belongs: "which harbour does the highest fee come from".
func (d *draft) singleValue(top *ranking, at int) bool {
	before := d.pieces[top.word].from - 1
	for before > 0 && d.tokens[before].norm == "the" {
		before--
	}
	asked := before >= 0 && slices.Contains([]string{"does", "did"}, d.tokens[before].norm) || d.tokens[d.pieces[top.word].from].norm == "does"
	return asked && !top.by.star && top.by.reduce != "count" && !d.plural(at) && slices.ContainsFunc(top.by.options, func(t target) bool { return isNumeric(t) && d.ix.averaged(t) })
}

// rankBy finds the measure that is named behind a member: "by revenue", "with the highest revenue".
func (d *draft) rankBy(top *ranking, i int) bool {
	for j := i; j < len(d.pieces); j++ {
		if !d.is(j, groupPiece, "by") && !d.is(j, gluePiece, "with") && !d.is(j, orderPiece, "by") {
			continue
		}
		k := j + 1
		for d.is(k, rankPiece) && d.free(k) {
			k++
		}
		agg, at := d.aggregateAt(k)
		if d.is(j, gluePiece, "with") && k == j+1 && agg == "" {
			continue // "with" introduces a condition unless it ranks
		}
		if len(top.member.options) > 0 && d.rankAttribute(top, -1, at, agg) {
			d.takeBetween(j, k)
			return true
		}
		if m := d.measureOf(at, agg); m != nil && (len(d.metrics(at)) > 0 || agg != "" || m.options[0].dim != nil && m.options[0].dim.Measure || len(d.entities(at)) > 0 && d.is(j, gluePiece)) {
			d.takeBetween(j, k)
			d.takeMeasure(top, m, k, at)
			return true
		}
	}
	return false
}

// rankKey finds the measure behind a member, or the only metric of the question. Without any the question is asked back: nothing is guessed.
func (d *draft) rankKey(top *ranking, i int) bool {
	if d.rankBy(top, i) {
		return true
	}
	for j := range d.pieces {
		if len(d.metrics(j)) == 0 {
			continue
		}
		if j < top.word && d.rankBySize(top) {
			return true // "the population of the largest state"
		}
		agg := ""
		if d.is(j-1, aggregatePiece, "sum", "avg", "min", "max", "median", "count") && d.free(j-1) {
			agg = d.pieces[j-1].id
			d.take(j-1, "aggregate", agg)
		}
		m := d.measureOf(j, agg)
		top.by = *m
		d.take(j, "metric", m.options[0].name())
		return true
	}
	if !d.rankBySize(top) {
		d.doubt = doubtMetric
	}
	return true
}

func (d *draft) takeBetween(from, to int) {
	for k := from; k < to; k++ {
		if d.is(k, rankPiece) {
			d.take(k, "top", d.pieces[k].id)
		} else {
			d.take(k, connects, "")
		}
	}
}

// rankAttribute turns a ranking into a listing ordered by an attribute of the member's own rows: "products with the
// highest unit price". leading is the piece of the member, or -1 when it is taken already.
func (d *draft) rankAttribute(top *ranking, leading, at int, agg string) bool {
	if agg != "" {
		return false
	}
	var owners []target
	if leading >= 0 {
		owners = d.entities(leading)
	} else {
		for _, t := range top.member.options {
			if isEntity(t) {
				owners = append(owners, t)
			}
		}
	}
	if len(owners) == 0 {
		return false
	}
	owner := owners[0].entity
	attributes := d.names(at, func(t target) bool {
		return isDimension(t) && (t.dim.Type.Numeric() || t.dim.Type.Temporal()) && d.ix.paths.reaches(owner.Name, t.entity.Name)
	})
	splits := func(t target) bool {
		base := d.ix.base(t.metric)
		return base == nil || d.ix.paths.reaches(base.Name, owner.Name)
	}
	if len(attributes) == 0 || attributes[0].entity != owner && slices.ContainsFunc(d.metrics(at), splits) {
		return false
	}
	if leading >= 0 {
		d.takeMember(top, leading)
	}
	top.member.options = owners
	top.by = measure{slot: slot{piece: at, options: attributes, near: owner}}
	top.attribute = true
	d.take(at, "dimension", attributes[0].name())
	return true
}

// readLateRank reads a ranking that stands behind what it ranks: "revenue by customer in 1997, top 5".
func readLateRank(d *draft) {
	if d.top != nil || len(d.groups) != 1 || len(d.measures) != 1 {
		return
	}
	for i, p := range d.pieces {
		if p.kind != rankPiece || !d.free(i) || !d.is(i+1, numberPiece) || !d.free(i+1) {
			continue
		}
		d.top = &ranking{n: numeric(d.pieces[i+1].number), direction: p.id, member: d.groups[0], by: d.measures[0]}
		d.take(i, "top", p.id)
		d.take(i+1, "top", d.pieces[i+1].number)
		return
	}
}
