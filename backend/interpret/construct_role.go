package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// saidRole is where a question says a role: "the destination", "routes that start in", "reported by", "from".
type saidRole struct {
	from, to int // tokens
	roles    []*role
	verb     bool // it does it rather than names it
	of       int  // the piece whose role it is; -1: of none beside it
	rows     bool // it names the rows themselves: "friends" in a table of friends
	taken    bool // it is nothing but that
}

// readRoles finds where a question says in which role members are meant: "the destination of the flight", "problems reported by", "from Oslo".
func readRoles(d *draft) {
	if len(d.ix.roles) == 0 {
		return
	}
	for i := 0; i < len(d.tokens); {
		m := d.mentionAt(i)
		if m == nil {
			i++
			continue
		}
		d.said = append(d.said, *m)
		i = m.to
	}
	for _, m := range d.said {
		if by := d.nextPiece(m.to); m.of >= 0 && by >= 0 && by < m.of && d.is(by, groupPiece, "by") && d.free(by) && d.someOne(m.of) {
			d.take(by, connects, "") // "reported by the pilot Mia Fox" splits nothing
		}
	}
}

// someOne says whether a piece is a member, or names the kind of one that is said behind it.
func (d *draft) someOne(i int) bool {
	if len(d.values(i)) > 0 {
		return true
	}
	for k := i + 1; k < len(d.pieces); k++ {
		if len(d.values(k)) > 0 && d.describes(k, i) {
			return true
		}
	}
	return false
}

// mentionAt reads the longest role that is said at a token; nil: none.
func (d *draft) mentionAt(i int) *saidRole {
	m := &saidRole{from: i, of: -1}
	for _, r := range d.ix.roles {
		n, verb := r.said(d.ix.english, d.tokens, i)
		if n == 0 || i+n < m.to {
			continue
		}
		if i+n > m.to {
			m.to, m.roles = i+n, nil
		}
		m.roles, m.verb = append(m.roles, r), verb
	}
	if len(m.roles) == 0 {
		return nil
	}
	at := slices.IndexFunc(d.pieces, func(p *piece) bool { return p.from < m.to && p.to > m.from })
	if w := d.tokens[i].norm; w == "from" || w == "to" {
		if m.of = d.nameFrom(m.to); m.of < 0 || !m.fits(d.pieces[m.of]) {
			return nil
		}
		m.verb = false
		return m
	}
	switch {
	case at < 0:
	case d.is(at, unknownPiece), d.is(at, rolePiece), d.is(at, listPiece) && i > 0: // "did Mia Fox report a fault"
		m.taken = d.free(at)
	case d.is(at, namePiece) && d.pieces[at].has(func(t target) bool {
		return isEntity(t) && slices.ContainsFunc(m.roles, func(r *role) bool { return r.join.From == t.entity.Name })
	}):
		if before := d.boundBefore(m); before >= 0 && d.are(before, at) {
			m.of = before
			d.remove(at)
			m.taken = true
			return m // "people who are friends of Mia Fox"
		}
		m.rows, m.of = true, at
		return m
	case d.is(at, namePiece) && d.is(at-1, gluePiece, "with") && m.key(d.pieces[at].names[0]):
		m.taken = d.free(at) // "students with president votes"
	case d.is(at, namePiece) && d.pieces[at].has(func(t target) bool { return t.verb }): // "reported by"
	case d.is(at, gluePiece), d.is(at, stopPiece):
	default:
		return nil
	}
	m.of = d.boundBehind(m)
	if m.of < 0 {
		m.of = d.boundBefore(m)
	}
	if m.of >= 0 && d.pieces[m.of].from == m.to {
		m.verb = false // "start station"
	}
	if m.of >= 0 && len(d.values(m.of)) > 0 {
		named := *d.pieces[m.of]
		named.names = slices.DeleteFunc(slices.Clone(named.names), func(t target) bool { return !m.leadsTo(t) })
		d.pieces[m.of] = &named // "start in Norway" is about where the harbour lies
	}
	if m.taken {
		d.takeRole(m, at)
	}
	return m
}

// takeRole takes the piece that says nothing but a role. Directly before a name it becomes part of it, "the home team"; with no name beside it, it
// stands for the member itself, "the number of games per winner".
func (d *draft) takeRole(m *saidRole, at int) {
	if side := d.nextPiece(m.to); side >= 0 && d.is(side, unknownPiece) && slices.Contains([]string{"side", "role", "end"}, d.tokens[d.pieces[side].from].lemma) {
		d.take(side, connects, "") // "on the affirmative side"
	}
	to := m.roles[0].join.To
	switch {
	case m.of == at+1 && d.pieces[m.of].from == m.to && !m.verb:
		whole := *d.pieces[m.of]
		whole.from = m.from
		d.pieces[m.of], m.of = &whole, at
		d.remove(at)
	case m.of >= 0 && m.of < at:
		if d.is(at+1, gluePiece, "in") && d.is(at+2, rankPiece) {
			d.remove(at + 1) // "the origin of the most flights"
		}
		d.remove(at)
	case m.of < 0 && !m.verb && d.is(at, rolePiece) && !slices.ContainsFunc(m.roles, func(r *role) bool { return r.join.To != to }):
		member := *d.pieces[at]
		member.kind, member.names = namePiece, []target{{entity: d.ix.entities[to], match: synonymMatch}}
		d.pieces[at], m.of = &member, at
	default:
		d.take(at, connects, "")
	}
}

// are says whether what stands between two pieces says that the one is the other.
func (d *draft) are(i, j int) bool {
	return slices.ContainsFunc(d.tokens[d.pieces[i].to:d.pieces[j].from], func(t token) bool { return slices.Contains([]string{"is", "are", "was", "were", "as"}, t.norm) })
}

// remove leaves a piece out, as a word without content.
func (d *draft) remove(i int) {
	d.pieces, d.uses = slices.Delete(slices.Clone(d.pieces), i, i+1), slices.Delete(d.uses, i, i+1)
	for k := range d.said {
		if d.said[k].of > i {
			d.said[k].of--
		}
	}
}

// readRoleRows takes the name of the rows behind a verb that says a role in them: "teams that won games".
func readRoleRows(d *draft) {
	for i := range d.pieces {
		es := d.entities(i)
		if len(es) == 0 {
			continue
		}
		for k := range d.said {
			m := &d.said[k]
			if m.verb && m.of < 0 && d.pieces[i].from >= m.to && m.to >= d.pieces[i].from-2 && slices.ContainsFunc(m.roles, func(r *role) bool { return r.join.From == es[0].entity.Name }) {
				m.taken = true
				d.take(i, connects, "")
			}
		}
	}
}

// key says whether a target is the column by which one of the roles points.
func (m *saidRole) key(t target) bool {
	return t.dim != nil && slices.ContainsFunc(m.roles, func(r *role) bool {
		return r.join.From == t.entity.Name && (r.join.On[0].From == t.dim.Name || t.dim.Column != "" && r.join.On[0].From == t.dim.Column)
	})
}

// fits says whether a piece may name a member that one of the roles points at.
func (m *saidRole) fits(p *piece) bool {
	return p.kind == namePiece && slices.ContainsFunc(p.names, m.leadsTo)
}

// leadsTo says whether a target is a member that one of the roles points at, or something of it.
func (m *saidRole) leadsTo(t target) bool {
	return t.entity != nil && slices.ContainsFunc(m.roles, func(r *role) bool { return r.join.To == t.entity.Name })
}

// nextPiece gives the piece that starts at a token, over words that are no piece; -1: none.
func (d *draft) nextPiece(at int) int {
	return slices.IndexFunc(d.pieces, func(p *piece) bool { return p.from >= at })
}

// determiners stand between a role and what has it.
var determiners = []string{"the", "a", "an", "any", "by", "at", "in", "of", "to", "from", "as", "is", "are", "was", "were", "be", "that", "which", "who", "all", "some"}

// nameFrom gives the first name from a token on, over words that only point at it; -1: something else stands there.
func (d *draft) nameFrom(at int) int {
	for ; at < len(d.tokens); at++ {
		i := slices.IndexFunc(d.pieces, func(p *piece) bool { return p.from <= at && at < p.to })
		if i >= 0 && d.is(i, namePiece) {
			return i
		}
		if !slices.Contains(determiners, d.tokens[at].norm) {
			return -1
		}
	}
	return -1
}

// boundBehind gives the name behind a mention that it belongs to: "destination Oslo", "reported by the staff", "start in China".
func (d *draft) boundBehind(m *saidRole) int {
	if i := d.nameFrom(m.to); i >= 0 && m.fits(d.pieces[i]) {
		return i
	}
	return -1
}

// boundBefore gives the name before a mention that it belongs to: "the airports which are destinations", "Oslo as the destination".
func (d *draft) boundBefore(m *saidRole) int {
	for at := m.from - 1; at >= 0; at-- {
		i := slices.IndexFunc(d.pieces, func(p *piece) bool { return p.from <= at && at < p.to })
		if i >= 0 && m.fits(d.pieces[i]) && (!m.verb || len(d.values(i)) > 0) {
			return i
		}
		if m.verb || !slices.Contains(determiners, d.tokens[at].norm) {
			return -1
		}
	}
	return -1
}

// roleAt gives the role in which the member at a piece is meant, among those that lead to it: the one that is said of it, the one that is said at
// all, the other one of two of which one is said of something else, and else the one that has no name of its own. nil: the question does not say.
func (d *draft) roleAt(i int, t target, ways []*role) *role {
	if t.dim != nil && t.value == nil && !slices.ContainsFunc(d.said, func(m saidRole) bool { return m.of == i }) {
		if at := d.shownOf(i, t.entity); at >= 0 {
			i = at
		}
	}
	var loose, elsewhere []*role
	for _, m := range d.said {
		var rs []*role
		for _, r := range m.roles {
			if slices.Contains(ways, r) {
				rs = append(rs, r)
			}
		}
		switch {
		case len(rs) != 1:
		case m.of == i && i >= 0, m.of >= 0 && !m.rows && m.from <= d.pieces[m.of].from && d.describes(i, m.of):
			return rs[0]
		case m.rows, m.of >= 0 && !m.verb && d.isSlot(m.of):
			elsewhere = append(elsewhere, rs[0])
		case m.of >= 0 && d.isSlot(m.of):
			return nil // "the airport with the most flights that end in Norway": does it lie there, or at the other end?
		default:
			loose = append(loose, rs[0])
		}
	}
	loose, elsewhere = distinctRoles(loose), distinctRoles(elsewhere)
	switch {
	case len(loose) == 1:
		return loose[0]
	case len(loose) > 1:
		return nil
	case len(elsewhere) == 1 && len(ways) == 2:
		return ways[1-slices.Index(ways, elsewhere[0])]
	}
	if k := slices.IndexFunc(ways, func(r *role) bool { return len(r.words) == 0 }); k >= 0 {
		return ways[k]
	}
	return nil
}

// describes says whether a piece says which of the members that are named at another one are meant: "the pilot with the licence A1".
func (d *draft) describes(i, of int) bool {
	if of >= i || d.beside(of) == nil || len(d.values(i)) == 0 && d.uses[i].slot != "value" {
		return false
	}
	return !slices.ContainsFunc(d.pieces[of+1:i], func(p *piece) bool { return p.kind == namePiece && p.has(isEntity) }) &&
		!slices.ContainsFunc(d.said, func(m saidRole) bool { return m.of > of && m.of <= i })
}

// inOtherRoles says whether two members are said to be meant in different roles: "reported by Mia Fox and mended by Tom Reed".
func (d *draft) inOtherRoles(i, j int) bool {
	return slices.ContainsFunc(d.said, func(m saidRole) bool { return m.of == i || m.of == j }) &&
		slices.ContainsFunc(d.said, func(m saidRole) bool {
			return m.of == j && !slices.ContainsFunc(d.said, func(o saidRole) bool { return o.of == i && slices.Equal(o.roles, m.roles) })
		})
}

// shownOf gives the piece of the members that an attribute is shown of; -1: none.
func (d *draft) shownOf(i int, e *semantic.Entity) int {
	var of []slot
	for _, m := range d.said {
		if m.rows && d.subject != nil && d.subject.piece == m.of && m.roles[0].join.To == e.Name {
			return m.of // "ages of the friends of Mia Fox"
		}
	}
	if d.subject != nil {
		of = append(of, *d.subject)
	}
	if d.top != nil {
		of = append(of, d.top.member)
	}
	for _, s := range append(of, d.groups...) {
		if s.piece != i && s.piece >= 0 && len(s.options) > 0 && isEntity(s.options[0]) && s.options[0].entity == e {
			return s.piece
		}
	}
	return -1
}

func distinctRoles(rs []*role) []*role {
	var out []*role
	for _, r := range rs {
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// isSlot says whether a piece fills a slot, and does not only say of what kind another one is.
func (d *draft) isSlot(i int) bool {
	if d.subject != nil && d.subject.piece == i || d.top != nil && d.top.member.piece == i {
		return true
	}
	return slices.ContainsFunc(d.slots(), func(s *slot) bool { return s.piece == i })
}
