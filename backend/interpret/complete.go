package interpret

import (
	"cmp"
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// Completion is one way to go on with a question that is being written.
type Completion struct {
	Text   string         `json:"text"`  // the whole question with it
	Label  string         `json:"label"` // what is put in
	Kind   CompletionKind `json:"kind" enum:"metric,dimension,entity,value,time,question"`
	Detail string         `json:"detail"` // what it is, where its name does not say: the dimension of a value, what a synonym stands for
}

// CompletionKind says what a completion names.
type CompletionKind string

// The kinds of completions.
const (
	CompleteMetric    CompletionKind = "metric"
	CompleteDimension CompletionKind = "dimension"
	CompleteEntity    CompletionKind = "entity"
	CompleteValue     CompletionKind = "value"
	CompleteTime      CompletionKind = "time"
	CompleteQuestion  CompletionKind = "question" // a whole one that is known to work
)

// term is something that a question may name, as it is offered.
type term struct {
	Completion
	entity string   // that it belongs to; empty: none
	other  bool     // it is not what the model itself calls it
	key    string   // of the words that are typed for it
	tail   []string // the keys of its ends: what it is called when its first words are left out
}

const (
	longestPartial = 5 // words that are completed together
	leastValue     = 2 // letters from which values are looked up
	leastQuestion  = 3 // letters from which whole questions are offered
	mostOfAKind    = 4 // completions of one kind, while there are others
)

// completionTerms lists what may be completed, without values.
func (ix *Index) completionTerms() []term {
	var out []term
	seen := map[string]bool{}
	entity := ""
	add := func(kind CompletionKind, typed, put, detail string) {
		ws := words(typed)
		own := detail
		if kind == CompleteDimension {
			own = put
		}
		if detail != "" && join(ix.english.singulars(ws)) == join(ix.english.singulars(words(own))) {
			return // "category" beside "categories"
		}
		id := string(kind) + " " + put + " " + join(ws)
		if len(ws) == 0 || seen[id] {
			return
		}
		seen[id] = true
		t := term{Completion: Completion{Label: put, Kind: kind, Detail: detail}, key: join(ws), entity: entity, other: detail != ""}
		for i := 1; i < len(ws); i++ {
			t.tail = append(t.tail, join(ws[i:]))
		}
		out = append(out, t)
	}
	for i := range ix.model.Metrics {
		m := &ix.model.Metrics[i]
		if m.Hidden {
			continue
		}
		label := strings.ToLower(labelOf(m.Label, m.Name))
		add(CompleteMetric, label, label, "")
		for _, s := range m.Synonyms {
			add(CompleteMetric, s, strings.ToLower(s), label)
		}
	}
	for i := range ix.model.Entities {
		e := &ix.model.Entities[i]
		entity = e.Name
		owner := strings.ToLower(labelOf(e.Label, e.Name))
		add(CompleteEntity, owner, owner, "")
		for _, s := range e.Synonyms {
			add(CompleteEntity, s, strings.ToLower(s), owner)
		}
		for j := range e.Dimensions {
			d := &e.Dimensions[j]
			if d.PII != "" || e.Display != d.Name && (slices.Contains(e.Key, d.Name) || ix.links(e, d)) {
				continue
			}
			put := ix.dimensionLabel(e, d)
			if own := strings.ToLower(labelOf(d.Label, d.Name)); e.Display == d.Name && len(ix.names.terms[join(ix.english.singulars(words(own)))]) > 0 {
				put = own // the members are called by it: "category"
			}
			add(CompleteDimension, put, put, "")
			for _, s := range d.Synonyms {
				add(CompleteDimension, s, put, strings.ToLower(s))
			}
		}
	}
	entity = ""
	for phrase := range strings.SplitSeq(text.Say("interpret.time_phrases"), ", ") {
		add(CompleteTime, phrase, phrase, "")
	}
	return out
}

// links says whether a dimension only leads to another entity.
func (ix *Index) links(e *semantic.Entity, d *semantic.Dimension) bool {
	return slices.ContainsFunc(ix.model.Joins, func(j semantic.Join) bool {
		return j.From == e.Name && slices.ContainsFunc(j.On, func(p semantic.ColumnPair) bool { return p.From == d.Name })
	})
}

// questions are whole questions that are known to work: those that somebody verified, with the defaults of their parameters
// in their places, then those to start with. A period stands at its default when nothing is said of it.
func questions(m *semantic.Model) []string {
	var out []string
	for i := range m.Golden {
		if q, _, ok := Usually(&m.Golden[i]); ok {
			out = append(out, q)
		}
	}
	return append(out, m.Workspace.Questions...)
}

// Complete gives up to most ways to go on with a question, the likeliest first: names of the model, values of the data, times
// and whole questions that begin like its last words. Behind a word that groups, dimensions come first; behind one that
// filters, values and times. Personal values are not in the index and are never offered.
func (ix *Index) Complete(question string, most int) []Completion {
	if len(question) > mostBytes {
		return nil
	}
	tokens := ix.english.tokenise(question)
	if len(tokens) == 0 || tokens[len(tokens)-1].kind == markToken || strings.Count(question, `"`)%2 > 0 {
		return nil
	}
	found := completing{ix: ix, question: question, seen: map[string]bool{}}
	if typed := join(words(question)); len(typed) >= leastQuestion {
		for _, q := range questions(ix.model) {
			if key := join(words(q)); strings.HasPrefix(key, typed) && key != typed {
				found.add(Completion{Text: q, Label: q, Kind: CompleteQuestion}, 0)
			}
		}
	}
	ended := strings.TrimRight(question, " ") != question
	if ended {
		found.next(tokens)
		return found.best(most)
	}
	for n := min(longestPartial, len(tokens)); n > 0; n-- {
		found.from(tokens, len(tokens)-n)
	}
	return found.best(most)
}

// completing gathers completions of one question.
type completing struct {
	ix       *Index
	question string
	seen     map[string]bool
	found    []scored
}

type scored struct {
	Completion
	cost  int
	order int // as found: known best first
}

func (c *completing) add(x Completion, cost int) {
	if id := string(x.Kind) + x.Text; !c.seen[id] && x.Text != c.question {
		c.seen[id] = true
		c.found = append(c.found, scored{x, cost, len(c.found)})
	}
}

// from completes the words from a token to the end. Every word that a name shares with what was typed before speaks for it.
func (c *completing) from(tokens []token, i int) {
	partial := c.question[tokens[i].start:]
	typed := join(words(partial))
	n := len(tokens) - i
	if typed == "" || slices.ContainsFunc(tokens[i:], func(t token) bool { return t.kind == quotedToken }) {
		return
	}
	fits, within := c.fitting(tokens, i), c.reachable(tokens[:i])
	put := func(x Completion, key string, loose int) {
		rank := slices.Index(fits, x.Kind)
		if rank < 0 || key == typed && (x.Detail == "" || x.Kind == CompleteValue) {
			return // it makes no sense here, or stands there already
		}
		x.Text = c.question[:tokens[i].start] + x.Label
		c.add(x, 10*(longestPartial-n)+loose+min(rank, 2))
	}
	for _, t := range c.ix.terms {
		loose := 0
		if t.other {
			loose = 2
		}
		switch {
		case t.entity != "" && !within(t.entity):
		case strings.HasPrefix(t.key, typed):
			put(t.Completion, t.key, loose)
		case n == 1 && len(typed) > 1 && slices.ContainsFunc(t.tail, func(tail string) bool { return strings.HasPrefix(tail, typed) }):
			put(t.Completion, t.key, 6+loose)
		}
	}
	if len(typed) < leastValue {
		return
	}
	for _, v := range c.ix.valuesBeginning(typed) {
		loose := 0
		if !strings.HasPrefix(valueKey(v.Label), typed) {
			loose = 6
		}
		put(v, valueKey(v.Label), loose)
	}
}

// valuesBeginning gives values of which the key or a word begins so, each once with the dimensions that have it.
func (ix *Index) valuesBeginning(prefix string) []Completion {
	var out []Completion
	owners := map[string][]string{}
	for _, e := range ix.values.beginning(prefix, 4*mostOfAKind) {
		o := ix.values.owners[e.column]
		label := ix.sayValue(e.text)
		if owners[label] == nil {
			out = append(out, Completion{Label: label, Kind: CompleteValue})
		}
		owners[label] = append(owners[label], ix.dimensionLabel(o.entity, o.dim))
	}
	for i := range out {
		all := owners[out[i].Label]
		if out[i].Detail = strings.Join(all[:min(len(all), 2)], ", "); len(all) > 2 {
			out[i].Detail += ", …"
		}
	}
	return out
}

// reachable says of an entity whether the numbers that tokens name can be split or filtered by it.
func (c *completing) reachable(tokens []token) func(entity string) bool {
	var bases []string
	for i := range tokens {
		name := ""
		for n := 1; n <= longestName && i+n <= len(tokens); n++ {
			name += tokens[i+n-1].lemma
			for _, t := range c.ix.names.terms[name] {
				if t.metric == nil || t.match == partialMatch {
					continue
				}
				if base := c.ix.base(t.metric); base != nil {
					bases = append(bases, base.Name)
				}
			}
		}
	}
	return func(entity string) bool {
		return len(bases) == 0 || slices.ContainsFunc(bases, func(b string) bool { return b == entity || c.ix.paths.reaches(b, entity) })
	}
}

// fitting gives the kinds that make sense behind the word before a token, the likeliest first.
func (c *completing) fitting(tokens []token, i int) []CompletionKind {
	if i == 0 {
		return []CompletionKind{CompleteMetric, CompleteEntity, CompleteDimension, CompleteValue}
	}
	behindName := []CompletionKind{CompleteTime, CompleteValue}
	for n := 2; n <= min(longestName, i); n++ {
		name := ""
		for _, t := range tokens[i-n : i] {
			name += t.lemma
		}
		if len(c.ix.names.terms[name]) > 0 {
			return behindName // "order count": the last word alone would be an operator
		}
	}
	before := tokens[i-1]
	for _, o := range c.ix.english.operators[before.norm] {
		switch {
		case o.class == "grouping" && o.id != "trend":
			return []CompletionKind{CompleteEntity, CompleteDimension}
		case o.class == "glue" && (o.id == "in" || o.id == "is"):
			return []CompletionKind{CompleteValue, CompleteTime}
		case o.class == "aggregates" || o.class == "ranking" || o.class == "listing":
			return []CompletionKind{CompleteMetric, CompleteEntity, CompleteDimension}
		}
	}
	if before.kind == quotedToken || c.ix.names.known[before.lemma] || c.ix.values.hasWord(before.norm) {
		return behindName
	}
	return []CompletionKind{CompleteMetric, CompleteValue, CompleteEntity, CompleteDimension, CompleteTime}
}

// next offers what may come behind a whole word: things to split by behind a word that groups.
func (c *completing) next(tokens []token) {
	last := tokens[len(tokens)-1]
	groups := slices.ContainsFunc(c.ix.english.operators[last.norm], func(o operator) bool { return o.class == "grouping" && o.id != "trend" })
	if !groups {
		return
	}
	within := c.reachable(tokens)
	for _, t := range c.ix.terms {
		if t.Kind == CompleteEntity && !t.other && within(t.entity) {
			x := t.Completion
			x.Text = c.question + x.Label
			c.add(x, 0)
		}
	}
}

// sayValue writes a value so that it is read as one: in quotation marks when its words mean something by themselves.
func (ix *Index) sayValue(value string) string {
	ts := ix.english.tokenise(value)
	if len(ts) == 1 && (ts[0].kind == numberToken || ix.english.known[ts[0].norm]) {
		return `"` + value + `"`
	}
	return value
}

// best gives the cheapest completions, with no kind crowding out the others.
func (c *completing) best(most int) []Completion {
	slices.SortStableFunc(c.found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(len(a.Label)/8, len(b.Label)/8), cmp.Compare(a.order, b.order))
	})
	var out, rest []Completion
	of := map[CompletionKind]int{}
	for _, s := range c.found {
		if of[s.Kind]++; of[s.Kind] > mostOfAKind {
			rest = append(rest, s.Completion)
			continue
		}
		out = append(out, s.Completion)
	}
	out = append(out, rest...)
	return out[:min(len(out), most)]
}
