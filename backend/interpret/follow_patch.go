package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// patch is an edit of the scene's query by the slots of a fragment.
type patch struct {
	*scene
	u      utterance
	draft  *draft
	c      composer       // writes the fragment's own clauses
	query  *frameql.Query // the scene's, as edited so far
	kinds  []PatchKind
	broken bool // the fragment says something that has no place in the query
}

// patches are the kinds of edits, in the order in which they are made. Each applies the slots that it knows.
func patches() []func(*patch) {
	return []func(*patch){
		patchRest, patchRemove, patchReduce, patchMetric, patchDim, patchAttribute, patchElided, patchValue, patchNumber, patchHaving, patchPeriod, patchCompare, patchTop, patchOrder, patchShare,
	}
}

// patched gives the readings of a fragment as an edit of the scene's query.
func (s *scene) patched(u utterance, d *draft) []candidate {
	if d.invalid && len(d.having) == 0 || len(d.later) > 0 {
		return nil // a number of the members may be that of the scene
	}
	for i := range d.pieces {
		if d.is(i, groupPiece) && d.free(i) {
			return nil // "how many do each of those have"
		}
	}
	var out []candidate
	s.prefer(d)
	best, others := d.choose(s.lead)
	for _, a := range append([]assignment{best}, others...) {
		if c, ok := s.edit(u, d, a); ok {
			out = append(out, c)
		}
	}
	return out
}

// prefer lets the values and dimensions of a fragment mean what the query already has, where they may.
func (s *scene) prefer(d *draft) {
	for i := range d.filters {
		f := &d.filters[i]
		var known []target
		for _, o := range f.options {
			if o.dim != nil && s.uses(dimensionName(o)) {
				known = append(known, o)
			}
		}
		if len(known) > 0 {
			f.options = known
		}
	}
}

// uses says whether the query has a dimension in a condition or splits by it.
func (s *scene) uses(name string) bool {
	if slices.ContainsFunc(s.conditions(), func(p *frameql.Pred) bool { return aboutOf(p) == name }) {
		return true
	}
	return slices.ContainsFunc(s.columns, func(i int) bool { return s.query.Select[i].Dim.Name == name })
}

// edit applies one choice of the fragment's meanings.
func (s *scene) edit(u utterance, d *draft, a assignment) (candidate, bool) {
	edited := *d
	if d.bare != nil {
		alone := *d.bare
		edited.bare = &alone
	}
	as := *s // the scene as edited so far
	p := &patch{scene: &as, u: u, draft: &edited, query: s.query.Clone()}
	p.c = composer{draft: &edited, lead: s.lead, picks: a, query: &frameql.Query{V: 1}}
	edited.measures = slices.DeleteFunc(slices.Clone(d.measures), func(m measure) bool { return m.piece >= 0 && d.uses[m.piece].slot == "order" })
	p.withinYear()
	p.c.keep()
	p.c.time()
	if p.c.broken {
		return candidate{}, false
	}
	for _, apply := range patches() {
		apply(p)
		if p.broken {
			return candidate{}, false
		}
		as.show(p.query)
	}
	if len(p.kinds) == 0 || len(edited.measures) > 0 || len(edited.groups) > 0 || len(edited.columns) > 0 || edited.top != nil || edited.bare != nil && *edited.bare != (fragment{}) || edited.trend {
		return candidate{}, false // a slot that no patch has a place for
	}
	if edited.subject != nil && !p.about(*edited.subject) {
		return candidate{}, false
	}
	p.showSubject()
	if p.pinned() {
		return candidate{}, false
	}
	if !p.define() {
		return candidate{}, false
	}
	shown := *d
	shown.doubt = edited.doubt
	c := candidate{judged: judged{query: p.query}, score: d.cost(s.lead, a), draft: &shown, lead: s.lead, picks: a, notes: p.c.notes, defined: p.c.defined, preferred: p.c.preferred}
	c.follow = &Follow{Kinds: p.kinds, From: s.turn.Turn}
	return c, true
}

// define writes the definitions that the fragment brings, and leaves out those of which nothing is shown any more.
func (p *patch) define() bool {
	p.query.With = slices.DeleteFunc(p.query.With, func(d frameql.Def) bool { return !p.query.Uses(d.Name) })
	p.c.query = p.query
	p.c.define()
	return !p.c.broken
}

// pinned says whether an edit made every column that is shown one value that was just said: "who has the number 12?" behind the
// number of somebody else asks for another column.
func (p *patch) pinned() bool {
	if !slices.Equal(p.kinds, []PatchKind{PatchValue}) || len(p.numbers) > 0 || len(p.columns) == 0 {
		return false
	}
	return !slices.ContainsFunc(p.columns, func(i int) bool {
		name := p.query.Select[i].Dim.Name
		return !slices.ContainsFunc(frameql.Conjuncts(p.c.query.Where), func(c *frameql.Pred) bool { return c.Op == "eq" && c.Dim == name })
	})
}

// showSubject shows what the members are called that a fragment names, where only columns of others are shown: "just the makers from
// France" behind the countries of the makers.
func (p *patch) showSubject() {
	s := p.draft.subject
	if s == nil || !p.lists() || len(p.members) != 1 || !p.u.cues["only"] {
		return
	}
	t, ok := p.c.pick(*s)
	own := func(i frameql.Item) bool { entity, _, _ := cutName(i.Dim.Name); return entity == p.members[0].Name }
	if !ok || t.entity != p.members[0] || slices.ContainsFunc(p.query.Select, own) {
		return
	}
	var names []frameql.Item
	for _, name := range p.ix.display(t.entity) {
		names = append(names, frameql.Item{Dim: &frameql.Dim{Name: t.entity.Name + "." + name}})
	}
	p.query.Select = append(names, p.query.Select...)
	p.show(p.query)
}

// about says whether an entity that a fragment names is what the query is about anyway: "what about customers in Germany".
func (p *patch) about(s slot) bool {
	t, ok := p.c.pick(s)
	return ok && t.entity != nil && (t.entity == p.lead.rows || t.entity == p.lead.event || slices.Contains(p.members, t.entity) || p.ix.paths.reaches(p.lead.rows.Name, t.entity.Name))
}

func (p *patch) did(kind PatchKind) {
	if !slices.Contains(p.kinds, kind) {
		p.kinds = append(p.kinds, kind)
	}
}

// adds says whether the fragment stands beside what is there and not in its place.
func (p *patch) adds() bool { return p.u.cues["also"] || p.u.and }
