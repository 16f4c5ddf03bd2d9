package interpret

import (
	"maps"
	"slices"

	"assay/backend/semantic"
)

// lead is the choice that everything else is bound around: whose rows are counted, summed or listed.
type lead struct {
	slot   int // piece of the slot that it decides; -1: none
	t      target
	rows   *semantic.Entity // the fact
	event  *semantic.Entity // where the time of the fact lies
	member *semantic.Entity // whom rows are read for, in a role; nil: the rows themselves
	via    *semantic.Entity // count members of the rows' entity through this finer one; nil: directly
	score  float64
}

// assignment is what every slot was bound to, by piece.
type assignment map[int]target

// candidate is one reading of the whole question: a query with what speaks for it.
type candidate struct {
	judged
	score     float64
	broken    bool // a slot could not be written: no reading
	draft     *draft
	lead      lead
	picks     assignment
	defined   []string // terms of memos that it rests on
	preferred bool     // its course over time is by the preferred calendar unit
	open      []*role  // in which of these roles members are meant is not said
	notes     []string // assumptions of composing; those of the choices are worded when they are shown
	follow    *Follow  // how it goes on from the conversation; nil: it does not
	agrees    *Follow  // how another reading goes on that came to the same query; nil: none did
}

// bind chooses among the meanings of the slots. It gives the best choice for each lead, and beside it every choice that
// differs in one slot, so that an ambiguity shows as two readings of nearly the same score.
func (d *draft) bind() []candidate {
	if d.invalid {
		return nil
	}
	var out []candidate
	for _, l := range d.inRoles(d.leads()) {
		best, others := d.choose(l)
		out = append(out, d.composed(l, best, d.cost(l, best))...)
		for _, o := range others {
			out = append(out, d.composed(l, o, d.cost(l, o))...)
		}
	}
	if d.doubt == doubtPer && len(d.measures) == 1 && len(d.groups) == 1 {
		for _, c := range slices.Clone(out) {
			other := *d
			other.measures = slices.Clone(d.measures)
			other.measures[0].per, other.groups = other.groups, nil
			out = append(out, other.compose(c.lead, c.picks, c.score-0.1))
		}
	}
	if d.doubt == doubtRows {
		for _, c := range slices.Clone(out) {
			for i, x := range d.ix.ratiosOf(c.lead.t.metric) {
				other, picks := *d, maps.Clone(c.picks)
				other.measures = slices.Clone(d.measures)
				t := target{metric: x}
				picks[d.measures[0].piece], other.measures[0].reduce, other.measures[0].options = t, "", []target{t}
				out = append(out, other.compose(c.lead, picks, c.score-0.1*float64(i+1)))
			}
		}
	}
	if d.doubt == doubtWorth {
		for _, c := range slices.Clone(out) {
			for i, t := range d.ix.worths(d.ix.rowsOf(c.lead.t)) {
				other, picks := *d, maps.Clone(c.picks)
				other.measures = slices.Clone(d.measures)
				m := &other.measures[0]
				picks[m.piece], m.star, m.reduce, m.options = t, false, "sum", []target{t}
				out = append(out, other.compose(c.lead, picks, c.score-0.1*float64(i+1)))
			}
		}
	}
	if d.doubt == doubtCounted {
		out = append(out, d.addedUp(out)...)
	}
	if d.doubt == doubtReducer {
		for _, c := range slices.Clone(out) {
			for i, reduce := range []string{"max", "min"} {
				other := *d
				other.measures = slices.Clone(d.measures)
				other.measures[0].reduce, other.measures[0].assumed = reduce, false
				out = append(out, other.compose(c.lead, c.picks, c.score-0.1*float64(i+1)))
			}
		}
	}
	return out
}

// mostLeads bounds the facts that one draft is bound to.
const mostLeads = 6

// leads gives the meanings of the first measure, of the subject or of the first column; for a ranking without a measure,
// every metric that splits by the member.
func (d *draft) leads() []lead {
	var out []lead
	add := func(piece int, t target) {
		rows := d.ix.rowsOf(t)
		if rows == nil || len(out) >= mostLeads {
			return
		}
		l := lead{slot: piece, t: t, rows: rows, event: d.ix.event(t.metric, rows)}
		l.score = t.score
		if len(d.measures) > 0 && t.dim != nil {
			l.score = d.fit(&d.measures[0].slot, t, l)
		}
		counted := d.counts(piece)
		if d.through == nil || !counted {
			out = append(out, l)
		}
		if (counted || d.spreads(piece, t)) && !d.quantifies() && (d.through != nil || !d.reached(l)) {
			out = append(out, d.viaFiner(l)...)
		}
	}
	switch {
	case d.doubt == doubtMetric || d.doubt == doubtAmount:
		for i, m := range d.prominent() {
			add(-1, target{metric: m, score: -0.1 * float64(i)})
		}
	case len(d.measures) > 0:
		for _, t := range d.measures[0].options {
			add(d.measures[0].piece, t)
		}
	case d.subject != nil:
		for _, t := range d.subject.options {
			if isEntity(t) {
				l := len(out)
				add(d.subject.piece, t)
				if len(out) > l {
					out[l] = d.perRow(out[l])
				}
			}
		}
	case len(d.columns) > 0:
		for _, t := range d.columns[0].options {
			l := len(out)
			add(d.columns[0].piece, t)
			if near := d.columns[0].near; len(out) > l && near != nil && near != t.entity && d.ix.paths.reaches(near.Name, t.entity.Name) {
				out[l].rows, out[l].event = near, d.ix.event(nil, near) // "first names of professors", where names are those of employees
			}
			if len(out) > l {
				out[l].score += d.fit(&d.columns[0], t, out[l]) - t.score
			}
		}
	}
	return out
}

// prominent gives the metrics that the members of a ranking are most likely ranked by, one of each family, and never the
// count of the members themselves.
func (d *draft) prominent() []*semantic.Metric {
	var out []*semantic.Metric
	for _, m := range d.ix.prominence() {
		base := d.ix.base(m)
		splits := d.top == nil || len(d.top.member.options) == 0 || slices.ContainsFunc(d.top.member.options, func(t target) bool {
			return t.entity != base && d.ix.paths.reaches(base.Name, t.entity.Name)
		})
		kin := slices.ContainsFunc(out, func(o *semantic.Metric) bool { return o.Family != "" && o.Family == m.Family })
		if splits && !kin {
			out = append(out, m)
		}
	}
	return out
}

// viaFiner counts members through the nearest entity whose rows have one of them each and reach everything else: orders
// of a category through order lines.
func (d *draft) viaFiner(l lead) []lead {
	var best *lead
	nearest := 0
	for _, e := range d.ix.model.Entities {
		hops, ok := d.ix.paths.distance(e.Name, l.rows.Name)
		if !ok || hops == 0 || len(l.rows.Key) != 1 || best != nil && hops >= nearest || d.through != nil && e.Name != d.through.Name {
			continue
		}
		via := d.ix.entities[e.Name]
		finer := lead{slot: l.slot, t: l.t, rows: via, event: d.ix.event(nil, via), via: via, score: l.t.score + bindHop*float64(hops)}
		if d.reached(finer) && d.notFar(finer, hops) || d.through != nil {
			best, nearest = &finer, hops
		}
	}
	if best == nil {
		return nil
	}
	return []lead{*best}
}

// mostJoins bounds the way from what is counted over finer rows to what it is split or filtered by: what lies further apart
// has nothing to do with each other, though some row may lead to both.
const mostJoins = 5

// notFar says whether everything else lies near enough to what is counted, over rows that are hops away from it.
func (d *draft) notFar(l lead, hops int) bool {
	return !slices.ContainsFunc(d.slots(), func(s *slot) bool {
		least, found := 0, false
		for _, t := range s.options {
			if t.entity == nil || s.piece == l.slot {
				return false
			}
			if n, ok := d.ix.paths.distance(l.rows.Name, t.entity.Name); ok && (!found || n < least) {
				least, found = n, true
			}
		}
		return found && least+hops > mostJoins
	})
}

// counts says whether the measure of a piece counts members of an entity, which may also be counted through finer rows.
func (d *draft) counts(piece int) bool {
	return d.leadsPlainly(piece) && d.measures[0].star
}

// reached says whether everything that the rows are split or filtered by has one value for each row.
func (d *draft) reached(l lead) bool {
	if d.period != nil && d.ix.timeOf(nil, l.rows) == "" && len(d.on) == 0 {
		if _, year := d.yearOf(l.rows); year == nil {
			return false
		}
	}
	for _, s := range d.slots() {
		beside := slices.ContainsFunc(d.measures, func(m measure) bool { return m.piece == s.piece }) // a number has rows of its own
		if s.piece == l.slot || len(s.options) == 0 || s.options[0].metric != nil || beside {
			continue
		}
		if !slices.ContainsFunc(s.options, func(t target) bool { return d.ix.paths.reaches(l.rows.Name, t.entity.Name) }) {
			return false
		}
	}
	return true
}

// slots gives every slot that names dimensions or members.
func (d *draft) slots() []*slot {
	var out []*slot
	for i := range d.groups {
		out = append(out, &d.groups[i])
	}
	for i := range d.columns {
		out = append(out, &d.columns[i])
	}
	for i := range d.shown {
		out = append(out, &d.shown[i])
	}
	for i := range d.filters {
		out = append(out, &d.filters[i].slot)
		out = append(out, d.filters[i].bound.slots()...)
	}
	if d.top != nil && d.top.attribute {
		out = append(out, &d.top.by.slot)
	}
	for i := range d.order {
		if d.order[i].by != nil {
			out = append(out, &d.order[i].by.slot)
		}
	}
	for i := range d.measures {
		out = append(out, d.measures[i].slots()...)
	}
	for i := range d.having {
		out = append(out, &d.having[i].slot)
		out = append(out, d.having[i].bound.slots()...)
	}
	return out
}

// mostOthers bounds the deviations that are tried for one slot.
const mostOthers = 3

// choose binds every slot to what fits best, and gives the assignments that differ from the best one in one slot.
func (d *draft) choose(l lead) (best assignment, others []assignment) {
	best = assignment{}
	if l.slot >= 0 {
		best[l.slot] = l.t
	}
	type open struct {
		piece int
		rest  []target
	}
	var rest []open
	for _, s := range d.slots() {
		if _, done := best[s.piece]; done && s.piece >= 0 || len(s.options) == 0 {
			continue
		}
		ranked := d.ranked(s, l)
		best[s.piece] = ranked[0]
		if s.piece >= 0 {
			rest = append(rest, open{s.piece, ranked[1:min(len(ranked), 1+mostOthers)]})
		}
	}
	for _, r := range rest {
		for _, t := range r.rest {
			other := assignment{}
			for k, v := range best {
				other[k] = v
			}
			other[r.piece] = t
			others = append(others, other)
		}
	}
	return best, others
}

// ranked gives the meanings of a slot, what fits best first.
func (d *draft) ranked(s *slot, l lead) []target {
	type fitted struct {
		target
		fit float64
	}
	all := make([]fitted, len(s.options))
	for i, t := range s.options {
		all[i] = fitted{t, d.fit(s, t, l)}
	}
	slices.SortStableFunc(all, func(a, b fitted) int { return compareScore(b.fit, a.fit) })
	out := make([]target, len(all))
	for i, f := range all {
		out[i] = f.target
	}
	return out
}

// cost adds up how well an assignment fits.
func (d *draft) cost(l lead, a assignment) float64 {
	total := d.score + l.score
	seen := map[int]bool{l.slot: true}
	for _, s := range d.slots() {
		if t, ok := a[s.piece]; ok && !seen[s.piece] {
			seen[s.piece] = true
			total += d.fit(s, t, l)
		}
	}
	return total + d.ofMember(a)
}

// fit scores one meaning of a slot: how well the words meet its name, how near it lies to the rows of the fact, whether
// the entity beside it owns it, and whether a candidate with a plainer name stands beside it.
func (d *draft) fit(s *slot, t target, l lead) float64 {
	if t.metric != nil {
		score := t.score
		if base := d.ix.base(t.metric); base != nil && base != l.rows && (l.via == nil || !d.ix.paths.reaches(l.via.Name, base.Name)) {
			score -= 1
		}
		return score
	}
	score := t.score
	hop := bindHop
	if !alike(s.options) {
		hop *= bindUnlike
	}
	steps, ok := d.ix.paths.distance(l.rows.Name, t.entity.Name)
	if fromEvent, found := d.ix.paths.distance(l.event.Name, t.entity.Name); found && ok {
		steps = min(steps, fromEvent)
	}
	if !ok {
		if joins, related := d.ix.paths.related(l.rows.Name, t.entity.Name); related && d.isFilter(s) {
			score += bindRelated
			steps = joins
		} else if d.isFilter(s) && l.via == nil && d.meeting(l.rows, t.entity) != nil {
			score += bindRelated
		} else {
			score += bindUnreachable
		}
	}
	score += hop * float64(steps)
	naming := t.value == nil && s.near != nil && d.isName(s.piece)
	if owner := d.compounded(s.piece); t.value == nil && owner != nil && s.near != nil {
		if t.entity != owner && slices.ContainsFunc(s.options, func(o target) bool { return o.entity == owner }) {
			score += bindNotItsName // "statement ids" are those of statements, whatever stands behind
		}
	} else if naming && t.entity != s.near && slices.ContainsFunc(s.options, func(o target) bool { return o.entity == s.near }) {
		score += bindNotItsName
	}
	if s.near != nil && !t.owned && !t.named && s.near != t.entity {
		elsewhere := bindElsewhere
		if hop != bindHop {
			elsewhere *= bindUnlikeNear
		}
		if n, ok := d.ix.paths.distance(s.near.Name, t.entity.Name); ok {
			elsewhere -= elsewhere / float64(2*n)
		}
		score += elsewhere
	}
	if t.value != nil && !t.named && d.itself(l, s, t) && !onlyOf(s.options, t.entity) {
		score += bindItself
		if slices.Contains(d.ix.nameColumns(t.entity), t.dim.Name) && d.is(s.piece-1, gluePiece, "in") && slices.Contains([]string{"in", "within", "inside", "across"}, d.tokens[d.pieces[s.piece-1].from].norm) {
			score += bindInItself
		}
	}
	score += d.fitWords(s, t, l)
	if shows := func(o target) bool { return o.dim != nil && slices.Equal(d.ix.display(o.entity), []string{o.dim.Name}) }; !shows(t) && slices.ContainsFunc(s.options, shows) {
		switch {
		case naming && t.entity == s.near && !slices.ContainsFunc(s.options, func(o target) bool { return o.entity == s.near && shows(o) }):
			// what is called its name is its name, though several may have the same
		case t.value == nil:
			score += bindNoDisplay
		case hop == bindHop:
			score += bindNoDisplayName
		case slices.ContainsFunc(s.options, func(o target) bool { return o.entity == t.entity && shows(o) && d.ix.ownName(o.entity, o.dim) }):
			score += bindNotTheName // who is named is meant by the name before any other attribute
		default:
			score += bindNoDisplayValue
		}
	}
	if t.value != nil && hop == bindHop {
		score += d.ix.headScore(t)
	}
	if t.value != nil && (t.entity != l.rows && !ok && d.ix.leadsBack(t, l.rows) || l.via != nil && t.entity == l.via && d.ix.leadsBack(t, d.ix.rowsOf(l.t))) {
		score += bindItsOwnJoin
	}
	if t.value != nil && t.entity != l.rows && !d.ix.ownName(t.entity, t.dim) && slices.ContainsFunc(s.options, func(o target) bool { return d.ix.pointsAt(t, o) && d.ix.ownName(o.entity, o.dim) }) {
		score += bindTwin
	}
	if t.entity != l.rows && slices.ContainsFunc(s.options, func(o target) bool { return d.ix.pointsAt(o, t) }) {
		score += bindTwin
	}
	return score
}

// compounded gives the entity that stands directly before a bare "name", "id" or "code", as in "statement ids"; nil: none.
func (d *draft) compounded(i int) *semantic.Entity {
	if i <= 0 || d.pieces[i].to > d.pieces[i].from+1 || d.pieces[i-1].to != d.pieces[i].from {
		return nil
	}
	if w := d.tokens[d.pieces[i].from].lemma; w != "name" && !slices.Contains(naming, w) {
		return nil
	}
	return d.beside(i - 1)
}

// isName says whether a piece is the bare word "name": whose it is stands elsewhere.
func (d *draft) isName(i int) bool {
	return i >= 0 && d.pieces[i].to == d.pieces[i].from+1 && d.tokens[d.pieces[i].from].lemma == "name"
}

// itself says whether a value is what the members asked for are called by, or a key of other rows that only repeats it.
func (d *draft) itself(l lead, s *slot, t target) bool {
	if d.asksFor(l, t.entity) && d.identifies(t) {
		return true
	}
	return slices.ContainsFunc(s.options, func(o target) bool {
		return o.dim != nil && d.ix.pointsAt(t, o) && d.ix.pointsAt(o, t) && d.asksFor(l, o.entity) && d.identifies(o)
	})
}

// isFilter says whether a slot is a condition, which may also be about related rows.
func (d *draft) isFilter(s *slot) bool {
	return slices.ContainsFunc(d.filters, func(f filter) bool { return f.piece == s.piece })
}

// asksFor says whether members of an entity are what is counted or listed.
func (d *draft) asksFor(l lead, e *semantic.Entity) bool {
	if l.t.metric != nil {
		return l.rows == e && l.t.metric.Leaf() && (l.t.metric.Reducer == semantic.Count || l.t.metric.Reducer == semantic.CountDistinct)
	}
	return isEntity(l.t) && l.t.entity == e
}

// onlyOf says whether all meanings belong to one entity.
func onlyOf(options []target, e *semantic.Entity) bool {
	return !slices.ContainsFunc(options, func(o target) bool { return o.entity != e })
}

// headScore says how well a dimension is called by the last word of its name alone: country is the plain name of
// customers.country and only part of orders.ship_country. So a value is looked for where its kind would be.
func (ix *Index) headScore(t target) float64 {
	ws := ix.english.singulars(words(t.dim.Name))
	for _, o := range ix.names.terms[ws[len(ws)-1]] {
		if o.dim == t.dim && o.entity == t.entity {
			return o.score
		}
	}
	return 0
}

// alike says whether all meanings are the same concept by the last word of their names: country and ship_country.
func alike(options []target) bool {
	first := ""
	for _, t := range options {
		if t.dim == nil {
			continue
		}
		ws := words(t.dim.Name)
		switch last := ws[len(ws)-1]; {
		case first == "":
			first = last
		case first != last:
			return false
		}
	}
	return true
}
