package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// role is one of several ways in which rows point at members of one entity: a flight has an airport that it starts from and one where it ends. Its
// words are those of the foreign key, without what only says that it is one and whose.
type role struct {
	join  *semantic.Join
	name  string // of the join; empty: it has none
	words []string
}

// rolesOf gives the joins that lead from an entity to another one in several ways.
func rolesOf(m *semantic.Model, l *lexicon) []*role {
	var out []*role
	for i := range m.Joins {
		j := &m.Joins[i]
		several := slices.ContainsFunc(m.Joins, func(o semantic.Join) bool { return o.ToOne() && o.From == j.From && o.To == j.To && o.Role != j.Role })
		from, to := m.Entity(j.From), m.Entity(j.To)
		if !j.ToOne() || !several || j.From == j.To || from == nil || to == nil || len(j.On) != 1 {
			continue
		}
		out = append(out, &role{join: j, name: j.Role, words: roleWords(l, from, to, j.On[0])})
	}
	return out
}

// roleWords gives the words of a foreign key that say which member is meant: "source" of source_airport_id. There are none where it is called like the key.
func roleWords(l *lexicon, from, to *semantic.Entity, on semantic.ColumnPair) []string {
	name, label := on.From, ""
	if i := slices.IndexFunc(from.Dimensions, func(d semantic.Dimension) bool { return d.Name == on.From || d.Column != "" && d.Column == on.From }); i >= 0 {
		name, label = from.Dimensions[i].Name, from.Dimensions[i].Label
	}
	ws := l.singulars(words(labelOf(label, name)))
	for _, end := range [][]string{l.singulars(words(on.To)), naming, l.singulars(words(labelOf(to.Label, to.Name)))} {
		switch {
		case len(end) <= len(ws) && slices.Equal(ws[len(ws)-len(end):], end):
			ws = ws[:len(ws)-len(end)]
		case len(ws) > 1 && slices.Contains(naming, ws[len(ws)-1]):
			ws = ws[:len(ws)-1]
		}
	}
	for len(ws) > 1 && ws[len(ws)-1] == "by" {
		ws = ws[:len(ws)-1]
	}
	if i := slices.IndexFunc(to.Key, func(k string) bool { return k == on.From }); i >= 0 {
		return nil
	}
	return ws
}

// said gives how many of the words from a token on say a role, and whether they do it rather than name it; 0: they do not.
func (r *role) said(l *lexicon, tokens []token, i int) (n int, verb bool) {
	if len(r.words) == 0 || tokens[i].kind != wordToken {
		return 0, false
	}
	n = len(r.words)
	verb = strings.HasSuffix(tokens[i].norm, "ed") || strings.HasSuffix(tokens[i].norm, "ing")
	for _, end := range l.endsOf(r.words[0]) {
		verb = verb || l.ends[end+" verb"][tokens[i].norm] // also where the column is called so: "start_station_id"
	}
	for k, w := range r.words {
		if i+k >= len(tokens) || tokens[i+k].lemma != w && (len(w) < 4 || verbStem(tokens[i+k].norm) != verbStem(w)) {
			n = 0
			break
		}
	}
	if n > 0 {
		return n, verb
	}
	if len(r.words) > 1 {
		return 0, false
	}
	for _, end := range l.endsOf(r.words[0]) {
		if l.ends[end+" noun"][tokens[i].norm] || l.ends[end+" noun"][tokens[i].lemma] {
			return 1, verb
		}
		if l.ends[end+" verb"][tokens[i].norm] {
			return 1, true
		}
	}
	return 0, false
}

// endsOf gives the ends that a word of a column names: "src" is the source.
func (l *lexicon) endsOf(word string) []string {
	var out []string
	for id, words := range l.ends {
		if end, noun := strings.CutSuffix(id, " noun"); noun && words[word] {
			out = append(out, end)
		}
	}
	slices.Sort(out)
	return out
}

// ways gives the roles of the joins by which rows lead to an entity, where there are several on the shortest way; rows that lead to nothing there have
// the roles of the only rows that point at it.
func (ix *Index) ways(rows, e *semantic.Entity) []*role {
	var out []*role
	least, reached := ix.paths.distance(rows.Name, e.Name)
	for _, r := range ix.roles {
		before, from := ix.paths.distance(rows.Name, r.join.From)
		behind, to := ix.paths.distance(r.join.To, e.Name)
		switch {
		case !to:
		case reached && from && before+1+behind == least, !reached && behind == 0:
			out = append(out, r)
		}
	}
	if slices.ContainsFunc(out, func(r *role) bool { return r.join.From != out[0].join.From || r.join.To != out[0].join.To }) {
		return nil
	}
	return out
}

// waypoint names an entity in a role: "destination", or "destination.country" for what lies behind it.
func (r *role) waypoint(e *semantic.Entity) string {
	switch {
	case r.name == "":
		return ""
	case r.join.To == e.Name:
		return r.name
	}
	return r.name + "." + e.Name
}

// rolesFrom adds the words that say a role at a token, where they are no words of the language of questions and name no rows.
func (ix *Index) rolesFrom(tokens []token, i int, add func(*piece)) {
	most := 0
	for _, r := range ix.roles {
		n, _ := r.said(ix.english, tokens, i)
		most = max(most, n)
	}
	if most == 0 || most == 1 && len(ix.english.operators[tokens[i].norm]) > 0 || slices.ContainsFunc(ix.names.terms[tokens[i].lemma], isEntity) {
		return
	}
	add(&piece{kind: rolePiece, to: i + most, score: scoreLoose})
}

// inSeveral says whether rows lead to members in several roles, none of which goes without a name.
func (ix *Index) inSeveral(rows, members *semantic.Entity) bool {
	if ways := ix.ways(rows, members); rows != members && len(ways) > 1 {
		return !slices.ContainsFunc(ways, func(r *role) bool { return r.name == "" })
	}
	return false
}

// role gives the role of a name; nil: none.
func (ix *Index) role(name string) *role {
	if i := slices.IndexFunc(ix.roles, func(r *role) bool { return r.name == name && name != "" }); i >= 0 {
		return ix.roles[i]
	}
	return nil
}

// roleWords says a member in a role, or an attribute of it, for a person: "destination town"; empty: the name is no role's.
func (ix *Index) roleWords(name string) string {
	way, attribute, _ := cutName(name)
	r := ix.role(way)
	if r == nil {
		return ""
	}
	said := joinSpaced(r.words)
	if strings.HasSuffix(r.name, "by") || len(r.words) == 0 {
		said = joinSpaced(words(r.name))
	}
	if e := ix.entities[r.join.To]; attribute == "" {
		return said
	} else if d := e.Dimension(attribute); d != nil {
		return said + " " + strings.ToLower(labelOf(d.Label, d.Name))
	}
	return ""
}
