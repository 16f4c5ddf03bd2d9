package semantic

import (
	"regexp"
	"slices"
	"strings"
)

// Only gives the part of a model that rests on tables which may be seen, for somebody who may not know of the others. It names
// nothing that is left out: no entity, no metric that needs one, no join, and no text that mentions one by its name, its
// table or its label; only the labels of what is seen stay as they are ("Products sold" is no table). sees says whether a table may be seen; reads gives the tables of a SELECT that an entity stands on,
// none when that is not known, which leaves the entity out. The argument is not changed; a model that is seen as a whole is
// given back as it is.
//
// fault.Invalid: what is left does not hold together. It is then not to be used at all.
func Only(m *Model, sees func(table string) bool, reads func(sql string) []string) (*Model, error) {
	p := &part{m: m, sees: sees, reads: reads, goneMetrics: map[string]bool{}}
	p.findHidden()
	if len(p.hidden) == 0 && len(p.goneCalendars) == 0 {
		return m, nil
	}
	p.findGoneMetrics()
	out := clone(m)
	out.Entities = p.entities()
	out.Metrics = p.metrics()
	out.Joins = slices.DeleteFunc(out.Joins, func(j Join) bool { return p.hides(j.From) || p.hides(j.To) })
	out.Calendars = slices.DeleteFunc(out.Calendars, func(c Calendar) bool { return slices.Contains(p.goneCalendars, c.Name) })
	if slices.Contains(p.goneCalendars, out.Workspace.Calendar) {
		out.Workspace.Calendar = ""
	}
	p.texts(out)
	return Seal(out)
}

// part is a model while it is cut down.
type part struct {
	m             *Model
	sees          func(table string) bool
	reads         func(sql string) []string
	hidden        []*Entity
	goneMetrics   map[string]bool // by lower-case name
	goneCalendars []string
	words         *regexp.Regexp // every name that must not be said
}

func (p *part) findHidden() {
	for i := range p.m.Entities {
		e := &p.m.Entities[i]
		if !p.visible(e) {
			p.hidden = append(p.hidden, e)
		}
	}
	for _, c := range p.m.Calendars {
		if c.Table != "" && !p.sees(c.Table) {
			p.goneCalendars = append(p.goneCalendars, c.Name)
		}
	}
}

func (p *part) visible(e *Entity) bool {
	if e.Source.SQL == "" {
		return p.sees(e.Source.Table)
	}
	if p.reads == nil {
		return false
	}
	tables := p.reads(e.Source.SQL)
	return len(tables) > 0 && !slices.ContainsFunc(tables, func(t string) bool { return !p.sees(t) })
}

func (p *part) hides(entity string) bool {
	return slices.ContainsFunc(p.hidden, func(e *Entity) bool { return strings.EqualFold(e.Name, entity) })
}

// hidesIn says whether "entity.dimension" is of a hidden entity.
func (p *part) hidesIn(name string) bool {
	entity, _, qualified := strings.Cut(name, ".")
	return qualified && p.hides(entity)
}

// findGoneMetrics finds the metrics that rest on what is hidden, and those that rest on them.
func (p *part) findGoneMetrics() {
	for changed := true; changed; {
		changed = false
		for i := range p.m.Metrics {
			x := &p.m.Metrics[i]
			if key := strings.ToLower(x.Name); !p.goneMetrics[key] && p.restsOnHidden(x) {
				p.goneMetrics[key], changed = true, true
			}
		}
	}
	names := []string{}
	for _, e := range p.hidden {
		table := e.Source.Table[strings.LastIndexByte(e.Source.Table, '.')+1:]
		names = append(names, e.Name, e.Label, e.Source.Table, table)
	}
	for i := range p.m.Metrics {
		if x := &p.m.Metrics[i]; p.goneMetrics[strings.ToLower(x.Name)] {
			names = append(names, x.Name, x.Label)
		}
	}
	names = append(names, p.goneCalendars...)
	var quoted []string
	for _, n := range names {
		if n != "" {
			quoted = append(quoted, regexp.QuoteMeta(n))
		}
	}
	p.words = regexp.MustCompile(`(?i)(?:^|[^\pL\pN_])(?:` + strings.Join(quoted, "|") + `)(?:$|[^\pL\pN_])`)
}

func (p *part) restsOnHidden(x *Metric) bool {
	gone := func(metric string) bool { return p.goneMetrics[strings.ToLower(metric)] }
	if x.Leaf() && p.hides(x.Entity) || p.hidesIn(x.Time) || gone(x.Numerator) || gone(x.Denominator) || gone(x.Of) || p.filters(x.Filter) {
		return true
	}
	if x.Kind == Derived {
		e, err := ParseExpr(x.Expr)
		if err != nil || slices.ContainsFunc(e.Idents(), gone) {
			return true
		}
	}
	if slices.ContainsFunc(x.Inputs, func(in Input) bool { return gone(in.Metric) || p.filters(in.Filter) }) {
		return true
	}
	return slices.ContainsFunc(x.Required, p.hidesIn)
}

// filters says whether a condition reads a hidden entity; one that cannot be read might.
func (p *part) filters(condition string) bool {
	if condition == "" {
		return false
	}
	e, err := ParseExpr(condition)
	return err != nil || slices.ContainsFunc(e.Idents(), p.hidesIn)
}

func (p *part) entities() []Entity {
	var out []Entity
	for _, e := range p.m.Entities {
		if p.hides(e.Name) {
			continue
		}
		e.Description, e.Synonyms = p.unsaid(e.Description), p.without(e.Synonyms)
		if e.Parent != "" && p.hides(e.Parent) {
			e.Parent = ""
		}
		if p.hidesIn(e.DefaultTime) {
			e.DefaultTime = ""
		}
		e.OtherTimes = slices.DeleteFunc(slices.Clone(e.OtherTimes), p.hidesIn)
		e.Dimensions = slices.Clone(e.Dimensions)
		for i := range e.Dimensions {
			d := &e.Dimensions[i]
			d.Description, d.Synonyms = p.unsaid(d.Description), p.without(d.Synonyms)
		}
		out = append(out, e)
	}
	return out
}

func (p *part) metrics() []Metric {
	var out []Metric
	for _, x := range p.m.Metrics {
		if p.goneMetrics[strings.ToLower(x.Name)] {
			continue
		}
		x.Description, x.Synonyms = p.unsaid(x.Description), p.without(x.Synonyms)
		if p.says(x.Family) {
			x.Family = x.Name
		}
		x.Forbidden = slices.DeleteFunc(slices.Clone(x.Forbidden), p.hidesIn)
		x.Materialize = slices.DeleteFunc(slices.Clone(x.Materialize), func(at []string) bool { return slices.ContainsFunc(at, p.hidesIn) })
		x.Siblings = slices.DeleteFunc(slices.Clone(x.Siblings), func(s Sibling) bool { return !p.sees(s.Source) || slices.ContainsFunc(s.At, p.hidesIn) })
		if slices.ContainsFunc(mapKeys(x.Additivity.Per), p.hidesIn) {
			per := map[string]string{}
			for k, v := range x.Additivity.Per {
				if !p.hidesIn(k) {
					per[k] = v
				}
			}
			x.Additivity.Per = per
		}
		out = append(out, x)
	}
	return out
}

func mapKeys(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// says reports whether a text names what must not be named.
func (p *part) says(texts ...string) bool {
	return slices.ContainsFunc(texts, p.words.MatchString)
}

func (p *part) unsaid(text string) string {
	if p.says(text) {
		return ""
	}
	return text
}

func (p *part) without(texts []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return p.says(s) })
}

// texts leaves out whatever people wrote that names something hidden.
func (p *part) texts(m *Model) {
	m.Workspace.Questions = p.without(m.Workspace.Questions)
	m.Gotchas = slices.DeleteFunc(m.Gotchas, func(g Gotcha) bool {
		return p.says(g.Name, g.Statement, g.CheckQL) || p.says(g.AppliesTo...)
	})
	m.Golden = slices.DeleteFunc(m.Golden, func(g Golden) bool {
		return p.says(g.Name, g.Question, g.FrameQL, g.SQL) || slices.ContainsFunc(g.Parameters, func(x Parameter) bool {
			return p.says(x.Table, x.Default) || p.says(x.Values...) || x.Table != "" && !p.sees(x.Table)
		})
	})
	m.Terms = slices.DeleteFunc(m.Terms, func(t Term) bool { return p.says(t.Name, t.Term, t.Means, t.Why) })
	guide := func(g Guide) bool { return p.says(g.Name, g.Text) }
	m.Guides, m.Business = slices.DeleteFunc(m.Guides, guide), slices.DeleteFunc(m.Business, guide)
	for i := range m.Memos {
		var kept []string
		for line := range strings.Lines(m.Memos[i].Text) {
			if !p.says(line) {
				kept = append(kept, line)
			}
		}
		m.Memos[i].Text = strings.Join(kept, "")
		m.Memos[i].RefusalScope = slices.DeleteFunc(slices.Clone(m.Memos[i].RefusalScope), func(r RefusalLine) bool {
			return p.says(r.Reason) || p.says(r.Words...)
		})
	}
	reg := &m.Registry
	reg.Imported = nil // names of files, of which nobody who reads needs to know
	reg.Project = slices.DeleteFunc(slices.Clone(reg.Project), func(x Stated) bool {
		return p.says(x.Name, x.Label, x.Description, x.Says, x.LeftOut)
	})
	reg.Sources = slices.DeleteFunc(slices.Clone(reg.Sources), func(o Origin) bool {
		return p.says(o.Name, o.Table, o.Description) || !p.sees(o.Table)
	})
	reg.Exposures = slices.DeleteFunc(slices.Clone(reg.Exposures), func(x Exposure) bool {
		return p.says(x.Name, x.Label, x.URL, x.Description) || p.says(x.Uses...)
	})
}
