package analyst

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// Suggested is what a changed part of a reading says that a word of the question means. It is kept when its person says so, or makes the same change again.
type Suggested struct {
	ID    string `json:"id"` // by which it is remembered
	Term  string `json:"term"`
	Means string `json:"means"`
	Slot  string `json:"slot"`  // of the part: metric dimension filter period
	Words string `json:"words"` // the question whether to remember it
}

// changeSlots are the parts of a query that stand for words of a question, in the order in which they are looked at, with the slots of the reader that fill them.
var changeSlots = []struct {
	name  string
	spans []string
}{
	{"metric", []string{"metric"}},
	{"dimension", []string{"dimension", "entity"}},
	{"filter", []string{"value", "filter"}},
	{"period", []string{"time"}},
}

// mostVersions is how many versions back the question is looked for whose words a query was read from.
const mostVersions = 50

// learnOfChange notes what the query says that takes the place of an answer, where a part of it stands for words that its person typed: that this is what they mean. The first time it
// is asked whether to remember it; when the same is said by a second change, and was not declined before, it is kept. What cannot be noted costs nothing of the answer.
func (r *run) learnOfChange(ctx context.Context) error {
	if r.edited() == "" || r.req.again != nil || r.actor.Kind != rules.Human || r.plan == nil {
		return nil
	}
	c, ok, err := r.changedMeaning(ctx)
	if err != nil || !ok {
		return err
	}
	_, err = r.step(ctx, "learn", func(s *session.Step) error {
		err := r.takeChange(ctx, c, s)
		if fault.CodeOf(err) == fault.Canceled {
			return err
		}
		if err != nil {
			s.Note = sentence(err).Error()
		}
		return nil
	})
	return err
}

// edited is the answer whose query this one was made from; empty: none.
func (r *run) edited() string {
	switch {
	case r.req.FrameQL == "":
		return ""
	case r.req.EditedFrom != "":
		return r.req.EditedFrom
	}
	return r.req.InsteadOf
}

func (r *run) takeChange(ctx context.Context, c knowledge.Correction, s *session.Step) error {
	noted, err := r.a.deps.Memory.NoteMeaning(ctx, &c)
	if err != nil {
		return err
	}
	if noted.Times == 0 || noted.Declined {
		r.answer.Suggested = &Suggested{ID: c.ID, Term: c.Term, Means: c.Means, Slot: c.Change.Slot, Words: text.Say("analyst.suggested", "term", c.Term, "means", c.Means)}
		s.Note = text.Say("analyst.suggests", "term", c.Term)
		return nil
	}
	t, err := r.a.keepNoted(ctx, r.actor, c)
	if err != nil {
		return err
	}
	t.Words = text.Say("analyst.taught_by_change", "taught", t.Words)
	r.answer.Learned, s.Note = t, text.Say("analyst.learned", "term", t.Correction.Term)
	return nil
}

// changedMeaning is what this query says that a word of a question means, in place of whose reading it stands; false: nothing.
func (r *run) changedMeaning(ctx context.Context) (c knowledge.Correction, ok bool, err error) {
	before, ok, err := r.ownAnswer(ctx, r.edited())
	if err != nil || !ok {
		return c, false, err
	}
	asked, read := before, readingOf(before)
	for hops := 0; len(read.Spans) == 0; hops++ { // it was changed before: its words are those of the question
		if asked, ok, err = r.ownAnswer(ctx, asked.InsteadOf); err != nil || !ok || hops == mostVersions {
			return c, false, err
		}
		read = readingOf(asked)
	}
	was, first, now := r.partsOf(before.FrameQL), r.partsOf(asked.FrameQL), queryParts(r.plan.Query)
	if was == nil || first == nil {
		return c, false, nil
	}
	c = knowledge.Correction{
		Author: r.actor.ID, Detection: knowledge.ByCorrection, Quote: asked.Question, RequestID: r.stored.RequestID, SessionID: r.stored.SessionID,
	}
	if out := takenOut(was, now); out != "" && !slices.Contains(first["filter"], out) {
		c.Change = &knowledge.ChangedPart{Slot: "filter", From: before.FrameQL, To: r.plan.Query.String()}
		return r.leavesOut(ctx, c, read, out)
	}
	slot, from, to := changedPart(was, now)
	if slot == "" {
		return c, false, nil
	}
	if !slices.Contains(first[slot], from) { // that part was changed before
		gone := partsLess(first[slot], now[slot])
		if len(gone) != 1 {
			return c, false, nil
		}
		from = gone[0]
	}
	if slices.Contains(first[slot], to) { // it is back to what it was
		return c, false, nil
	}
	word := wordOf(read.Spans, slot, from, first[slot])
	all, err := r.a.meanings(ctx, r.knowledge, r.actor, asked.Question)
	if err != nil {
		return c, false, err
	}
	taught := slices.ContainsFunc(all, func(o Remembered) bool { return knowledge.Key(o.Term) == knowledge.Key(word) })
	if word == "" || (!taught || r.names(slot, word)) && r.changedMind(slot, word, from, to) {
		return c, false, nil
	}
	c.Term, c.Change = word, &knowledge.ChangedPart{Slot: slot, From: before.FrameQL, To: r.plan.Query.String()}
	all = slices.DeleteFunc(all, func(o Remembered) bool { return knowledge.Key(o.Term) == knowledge.Key(word) })
	for _, means := range r.wordsFor(slot, to) {
		c.Means = means
		if c.Check() == nil && r.says(c, all, slot, to) && (read.Derived != nil || r.reads(asked.Question, c, all, slot, to)) {
			c.Sort = knowledge.SortOf(c.Means)
			return c, true, nil
		}
	}
	return c, false, nil
}

// takenOut is the one condition that came in, where it takes rows out and nothing else changed; empty: there is none. A condition that picks rows asks for something else, and says nothing of what a word means.
func takenOut(was, now map[string][]string) string {
	for _, s := range changeSlots {
		gone, come := partsLess(was[s.name], now[s.name]), partsLess(now[s.name], was[s.name])
		if len(gone) > 0 || s.name != "filter" && len(come) > 0 || s.name == "filter" && len(come) != 1 {
			return ""
		}
	}
	part := partsLess(now["filter"], was["filter"])[0]
	if p := conditionOf(part); p != nil && p.Op == "ne" && p.Val != nil {
		return part
	}
	return ""
}

// leavesOut says of the one number that a question names that it is counted without the rows that a condition takes out; false: the question names none, or several, or that is not what words can say.
func (r *run) leavesOut(ctx context.Context, c knowledge.Correction, read Understood, condition string) (knowledge.Correction, bool, error) {
	term, target := onlyNumber(read.Spans)
	if term == "" {
		return c, false, nil
	}
	c.Term = term
	all, err := r.a.meanings(ctx, r.knowledge, r.actor, c.Quote)
	if err != nil {
		return c, false, err
	}
	all = slices.DeleteFunc(all, func(o Remembered) bool { return knowledge.Key(o.Term) == knowledge.Key(c.Term) })
	p, counted := conditionOf(condition), target+" FILTER (WHERE "+condition+")"
	for _, what := range []string{p.Val.Text, text.Say("analyst.means_is", "subject", dimensionWords(p.Dim, r.knowledge.Model), "value", p.Val.Text)} {
		c.Means = text.Say("analyst.means_without", "term", c.Term, "what", what)
		if c.Check() == nil && r.says(c, all, "metric", counted) && r.reads(c.Quote, c, all, "metric", counted) {
			c.Sort = knowledge.SortOf(c.Means)
			return c, true, nil
		}
	}
	return c, false, nil
}

// ownAnswer gives an answer of the person who asks; false: there is none.
func (r *run) ownAnswer(ctx context.Context, requestID string) (Standing, bool, error) {
	if requestID == "" {
		return Standing{}, false, nil
	}
	s, err := r.a.deps.Memory.Standing(ctx, requestID)
	if fault.CodeOf(err) == fault.NotFound {
		return s, false, nil
	}
	return s, err == nil && s.Actor == r.actor.ID && s.FrameQL != "", err
}

// readingOf is how the question of a request was read.
func readingOf(s Standing) Understood {
	var answer struct {
		Understood *Understood `json:"understood"`
	}
	if json.Unmarshal(s.Answer, &answer) != nil || answer.Understood == nil {
		return Understood{}
	}
	return *answer.Understood
}

// partsOf takes a canonical query apart into what may stand for words, by slot; nil where it is refused by now. Only the model tells a number from an attribute.
func (r *run) partsOf(query string) map[string][]string {
	q, refused := parseQuery(query)
	if refused != nil {
		return nil
	}
	plan := frameql.Try(q, r.env)
	if plan == nil {
		return nil
	}
	return queryParts(plan.Query)
}

// queryParts takes a query apart that is bound to its model.
func queryParts(q *frameql.Query) map[string][]string {
	all := map[string][]string{}
	add := func(slot, part string) { all[slot] = append(all[slot], part) }
	for _, i := range q.Select {
		switch {
		case i.Expr != nil:
			add("metric", defined(q, i.Expr).String())
		case q.At == nil:
			add("dimension", i.Dim.Name)
		}
	}
	if q.At != nil {
		for _, d := range q.At.Dims {
			add("dimension", d.Name)
		}
	}
	for _, p := range frameql.Conjuncts(q.Where) {
		add("filter", p.String())
	}
	if q.Time != nil {
		add("period", q.Time.Period.String())
	}
	return all
}

// defined is an expression, or what WITH defines it as.
func defined(q *frameql.Query, e *frameql.Expr) *frameql.Expr {
	for _, d := range q.With {
		if e.Metric == d.Name && e.Reduce == "" && e.Fn == "" && e.Op == "" && e.Filter == nil {
			return d.Expr
		}
	}
	return e
}

// changedPart finds the one part that became another one; an empty slot: none did, or several.
func changedPart(was, now map[string][]string) (slot, from, to string) {
	for _, s := range changeSlots {
		gone, come := partsLess(was[s.name], now[s.name]), partsLess(now[s.name], was[s.name])
		switch {
		case len(gone) == 0 && len(come) == 0:
		case slot != "" || len(gone) != 1 || len(come) != 1:
			return "", "", ""
		default:
			slot, from, to = s.name, gone[0], come[0]
		}
	}
	return slot, from, to
}

// partsLess are the parts of the first that the second has not.
func partsLess(of, in []string) []string {
	return slices.DeleteFunc(slices.Clone(of), func(p string) bool { return slices.Contains(in, p) })
}

// wordOf gives the words of a question that a part of its query was read from; empty: nobody typed it, or several words stand for it. all are the parts of its slot.
func wordOf(spans []interpret.Span, slot, part string, all []string) string {
	word := ""
	for _, s := range changeSlots {
		if s.name != slot {
			continue
		}
		for _, span := range spans {
			typed := span.Method == "exact" || span.Method == "fuzzy"
			if !typed || !slices.Contains(s.spans, span.Slot) || !standsFor(span, slot, part, all) {
				continue
			}
			if word != "" {
				return ""
			}
			word = strings.TrimSpace(span.Text)
		}
	}
	return word
}

// standsFor says whether a span was read as a part of a query. What a taught word was read as is not written as the part is: then it is the only one of its slot.
func standsFor(span interpret.Span, slot, part string, all []string) bool {
	if slot != "filter" || span.Target == part {
		return span.Target == part || len(all) == 1 && slot == "period"
	}
	column, value, compared := strings.Cut(span.Target, " = ")
	p := conditionOf(part)
	switch {
	case p == nil || p.Dim != column:
		return false
	case !compared: // a column that says yes or no
		return p.Val != nil && p.Val.Kind == frameql.Bool
	}
	return p.Op == "eq" && p.Val != nil && p.Val.Text == value
}

// conditionOf reads a conjunct of WHERE; nil: it is none.
func conditionOf(part string) *frameql.Pred {
	q, err := frameql.Parse("SELECT COUNT(*) WHERE " + part)
	if err != nil {
		return nil
	}
	return q.Where
}

// changedMind says whether a person who changes a part asks for something else, and says nothing of the word: it is what the part is called. Freight is not revenue because
// somebody looks at revenue now; and Germany, or 1997, is no other country or year.
func (r *run) changedMind(slot, word, from, to string) bool {
	ix := r.knowledge.Index
	called := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return name != "" && ix.KeyOf(name) == ix.KeyOf(word) })
	}
	switch slot {
	case "metric":
		return r.names(slot, word) && !slices.ContainsFunc(r.wordsFor(slot, to), func(name string) bool { return knowledge.Refines(name, word) })
	case "dimension":
		return (called(r.wordsFor(slot, from)...) || r.names(slot, word)) && !slices.ContainsFunc(r.wordsFor(slot, to), func(name string) bool { return knowledge.Refines(name, word) })
	case "filter":
		was, is := conditionOf(from), conditionOf(to)
		if was == nil || is == nil || was.Val == nil {
			return true
		}
		return called(was.Val.Text) && (is.Val == nil || is.Op != "eq" || is.Val.Text != was.Val.Text)
	}
	return !isRelative(from) || !isRelative(to)
}

// names says whether a word is what a number or an attribute of the model is called, whatever its person taught of it.
func (r *run) names(slot, word string) bool {
	switch slot {
	case "metric":
		return r.namesNumber(word)
	case "dimension":
		for _, e := range r.knowledge.Model.Entities {
			for _, d := range e.Dimensions {
				if knowledge.Key(d.Label) == knowledge.Key(word) || knowledge.Key(d.Name) == knowledge.Key(word) {
					return true
				}
			}
		}
	}
	return false
}

// isRelative says whether a period is counted from the day on which somebody asks: only such a one is what words mean whenever they are said.
func isRelative(period string) bool {
	p := periodOf(period)
	return p != nil && !slices.Contains([]string{"literal", "range", "between", "all_time"}, p.Kind)
}

// periodOf reads what stands behind DURING; nil: it is no period.
func periodOf(part string) *frameql.Period {
	q, err := frameql.Parse("SELECT COUNT(*) DURING " + part)
	if err != nil || q.Time == nil {
		return nil
	}
	return &q.Time.Period
}

// wordsFor are ways to say a part of a query, the plainest first.
func (r *run) wordsFor(slot, part string) []string {
	m := r.knowledge.Model
	spaced := func(name string) string { return strings.ReplaceAll(name, "_", " ") }
	switch slot {
	case "metric":
		if x := m.Metric(part); x != nil {
			return []string{inText(x.Label), spaced(x.Name)}
		}
	case "dimension":
		if e := m.Entity(part); e != nil {
			return []string{inText(entityLabel(m, part)), spaced(part)}
		}
		entity, name, _ := strings.Cut(part, ".")
		label := dimensionWords(part, m)
		return []string{label, spaced(name), inText(entityLabel(m, entity)) + " " + label, text.Say("analyst.means_of", "dimension", label, "entity", inText(entityLabel(m, entity))), part}
	case "filter":
		p := conditionOf(part)
		if p == nil {
			return nil
		}
		said, _ := conditionWords(p, m)
		all := []string{said}
		if p.Dim != "" && p.Val != nil {
			label := dimensionWords(p.Dim, m)
			switch p.Op {
			case "eq":
				all = append([]string{p.Val.Text}, said, text.Say("analyst.means_is", "subject", label, "value", p.Val.Text))
			case "ne":
				all = append(all, text.Say("analyst.means_is_not", "subject", label, "value", p.Val.Text))
			}
		}
		return append(all, part)
	case "period":
		if p := periodOf(part); p != nil {
			said := periodWords(*p, nil)
			return []string{said, text.Say("analyst.means_the", "period", said), part}
		}
	}
	return []string{part}
}

// says whether a correction comes to a part of a query.
func (r *run) says(c knowledge.Correction, others []Remembered, slot, part string) bool {
	got, ok := r.knowledge.Index.Compile(interpret.Correction{Term: c.Term, Means: c.Means}, meant(others), r.env)
	switch {
	case !ok:
		return false
	case slot == "metric" && got.Formula != nil:
		return got.Formula.String() == part
	case slot == "metric", slot == "dimension":
		return slices.Equal(got.Names, []string{part})
	case slot == "filter":
		return len(got.Keep) == 1 && got.Keep[0].String() == part
	}
	return got.Period == part
}

// reads says whether a question that stands alone is read with a part when a word of it means that.
func (r *run) reads(question string, c knowledge.Correction, others []Remembered, slot, part string) bool {
	read := r.knowledge.Index.Read(interpret.Request{
		Question: r.a.Plain(question), Env: r.env, NowFromData: r.fromData, Asked: r.stored.Asked, Grain: r.wants(knowledge.Grain), Bare: true,
		Corrections: append(meant(others), interpret.Correction{Term: c.Term, Means: c.Means}),
	})
	return read.Reading != nil && slices.Contains(queryParts(read.Reading.Query)[slot], part)
}
