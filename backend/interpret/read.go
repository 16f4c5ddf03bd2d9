package interpret

import (
	"math"
	"strings"

	"assay/backend/frameql"
	"assay/backend/text"
)

// Read reads one question. It is deterministic: the same model, values, clock and question give the same result. It
// answers only when every content word found its place and no other reading is near; else it asks one question back with
// its best guess, or refuses and says what works.
func (ix *Index) Read(r Request) Result {
	if _, known := unitLengths[r.Grain]; known {
		own := *ix
		own.grain, r.Grain = r.Grain, ""
		if res := own.Read(r); res.Reading != nil {
			return res
		}
	}
	if len(r.Question) > mostBytes {
		return Result{Refusal: tooLong()}
	}
	if res, ok := ix.readChoice(r); ok {
		return res
	}
	if res, ok := ix.readQuery(r); ok {
		return res
	}
	if res, ok := ix.readExchange(r); ok {
		return res
	}
	ix, r, refusal := ix.defining(r)
	if refusal != nil {
		return Result{Refusal: refusal}
	}
	tokens := ix.english.tokenise(r.Question)
	if res, ok := ix.readUndo(r, tokens); ok {
		return res
	}
	if refusal := ix.outside(tokens); refusal != nil {
		refusal.Repairs = ix.starters(r.Env, nil)
		return Result{Refusal: refusal}
	}
	if !ix.redefined() {
		if res, ok := ix.readGolden(r, tokens); ok {
			return res
		}
	}
	ix, tokens = ix.durations(tokens)
	ix, tokens = ix.ranks(tokens, r.Env)
	ix, tokens = ix.weekdays(tokens)
	tokens = ix.quantities(tokens)
	tokens = ix.ageAsked(ix.frequencyAsked(ix.timesAsked(ix.whenAsked(tokens))))
	t := ix.hear(tokens, r.History, r.Env)
	if refusal := ix.beyond(tokens); refusal != nil && !(refusal.Code == writeRequest && t.removes(r.History)) {
		refusal.Repairs = ix.nearest(t, r.Env)
		return Result{Refusal: refusal}
	}
	res := ix.act(r, t)
	if t.best != nil && (res.Reading == nil || res.Clarify != nil) {
		res.Missing = t.best.missing()
	}
	if res.Refusal != nil {
		res.Refusal.Tied = t.tied && len(r.History.Turns) > 0
	}
	if t.best != nil && res.Spans == nil {
		d, picks := t.best, assignment(nil)
		switch {
		case t.refusedFirst():
			d, picks = t.refused[0].draft, t.refused[0].picks
		case len(t.resolved) > 0:
			d, picks = t.resolved[0].draft, t.resolved[0].picks
		}
		res.Spans = withText(d.spans(picks), r.Question)
		res.Unread, _ = d.unreadWords()
	}
	return res
}

// readQuery reads a question that is written in Frame-QL itself.
func (ix *Index) readQuery(r Request) (Result, bool) {
	q := strings.TrimSpace(r.Question)
	if len(q) < 7 || !strings.EqualFold(q[:7], "select ") {
		return Result{}, false
	}
	query, plan, ok := resolved(q, r.Env)
	if !ok {
		return Result{}, false // it may be English: "select customers in Germany"
	}
	return Result{Reading: &Reading{Query: query, Plan: plan, Confidence: 1}}, true
}

// resolved gives the query that a text of Frame-QL asks, with the model's names; ok is false for what does not parse or
// is refused.
func resolved(written string, env frameql.Env) (*frameql.Query, *frameql.Plan, bool) {
	q, err := frameql.Parse(written)
	if err != nil {
		return nil, nil, false
	}
	plan := frameql.Try(q, env)
	if plan == nil {
		return nil, nil, false
	}
	return plan.Query, plan, true
}

// refusedAhead is how much better a refused reading must be than one that resolves, to speak instead of it.
const refusedAhead = 0.5

// act decides between answering, asking back and refusing.
func (ix *Index) act(r Request, t thought) Result {
	if r.Bare && !t.clear() {
		return Result{Refusal: &Declined{Code: incomplete}}
	}
	if t.best == nil || !t.best.recognised() && t.best.doubt != doubtAmount && !t.goesOn() {
		return Result{Refusal: ix.nothing(t, r.Env)}
	}
	if later := t.postponed(); later != "" {
		return Result{Refusal: &Declined{Code: notYet, Message: text.Say("interpret.not_yet", "what", text.Say("interpret.later_"+later)), Repairs: ix.nearest(t, r.Env)}}
	}
	if len(t.resolved) == 0 || t.refusedFirst() {
		return Result{Refusal: ix.refuse(r, t)}
	}
	best := t.resolved[0]
	unread, coverage := best.draft.unreadWords()
	unread = append(unread, best.lostWords()...)
	switch {
	case len(unread) > 0 && coverage < confidenceToAnswer:
		return Result{Refusal: ix.unknown(t, best.draft, unread, r.Env)}
	case len(unread) > 0:
		return ix.clarify(r, t, text.Say("interpret.ask_unread", "words", quoteAll(unread)))
	case best.draft.doubt != "":
		return ix.clarify(r, t, text.Say(best.draft.doubt))
	case t.near() > 0:
		return ix.clarify(r, t, "")
	case t.hangs(r.History):
		return ix.clarify(r, t, text.Say("interpret.ask_follow"))
	case best.confidence() < confidenceToAnswer:
		return ix.clarify(r, t, text.Say("interpret.ask_unsure"))
	}
	reading := best.reading(r, t.ambiguity())
	if s, ok := unsure(reading.Spans, r.History.Settled); ok {
		return ix.askSlot(r, t, s)
	}
	return Result{Reading: reading, Spans: reading.Spans, Unread: reading.Unread}
}

// recognised says whether a draft found anything of the model or a value in the question.
func (d *draft) recognised() bool {
	for i, p := range d.pieces {
		if p.kind == namePiece || p.kind == laterPiece || p.kind == withinPiece && d.uses[i].slot != "" {
			return true
		}
	}
	return d.top != nil && len(d.top.by.options) > 0 && d.top.by.options[0].dim != nil && d.top.by.options[0].dim.IsRowPlace() // "who was listed last"
}

// postponed gives the construct that keeps the best reading from being answered today.
func (t thought) postponed() string {
	d := t.best
	if len(t.resolved) > 0 && t.resolved[0].draft.score >= d.score {
		d = t.resolved[0].draft
	}
	if len(d.later) == 0 {
		return ""
	}
	return d.later[0]
}

// refusedFirst says whether a reading that does not resolve is so much better that its refusal speaks.
func (t thought) refusedFirst() bool {
	return len(t.refused) > 0 && (len(t.resolved) == 0 || t.refused[0].score > t.resolved[0].score+refusedAhead)
}

// near counts the readings that differ from the best one in what they ask and are as good but for the margin.
func (t thought) near() int {
	n := 0
	for _, c := range t.resolved[1:] {
		if t.resolved[0].score-c.score < marginToAnswer && !showsMore(t.resolved[0].query, c.query) {
			n++
		}
	}
	return n
}

// refuse speaks when nothing resolves: the best reading's own refusal, or what is missing for a query.
func (ix *Index) refuse(r Request, t thought) *Declined {
	unread, _ := t.best.unreadWords()
	if len(t.refused) > 0 {
		c := t.refused[0]
		var coverage float64
		if unread, coverage = c.draft.unreadWords(); len(unread) == 0 || coverage >= confidenceToAnswer {
			if why, ok := ix.refusalOf(c.query, r.Env); ok {
				return &Declined{Code: why.Code, Message: why.Message, Repairs: why.Repairs}
			}
		}
	}
	if len(unread) > 0 {
		return ix.unknown(t, t.best, unread, r.Env)
	}
	var during *frameql.During
	if p := t.best.period; p != nil && !p.Open {
		during = &frameql.During{Period: p.Asked}
	}
	return &Declined{Code: incomplete, Message: text.Say("interpret.incomplete"), Repairs: ix.starters(r.Env, during)}
}

func quoteAll(ws []string) string {
	quoted := make([]string, len(ws))
	for i, w := range ws {
		quoted[i] = "“" + w + "”"
	}
	return enumerate(quoted)
}

// mostAlternatives is how many readings stand beside the best guess.
const mostAlternatives = 2

// clarify asks back: the best guess first, then one or two alternatives. Each choice's question, asked again, gives it.
func (ix *Index) clarify(r Request, t thought, because string) Result {
	if r.Bare {
		return Result{Clarify: &Clarification{}}
	}
	best := t.resolved[0]
	res := Result{Reading: best.reading(r, t.ambiguity())}
	res.Spans, res.Unread = res.Reading.Spans, res.Reading.Unread
	guess := ix.choice(best, r.Env)
	weight, total := math.Exp(0), 0.0
	c := &Clarification{BestGuess: &guess}
	for i, o := range t.resolved {
		gap := best.score - o.score
		total += math.Exp(-gap)
		if i == 0 || len(c.Options) == mostAlternatives || gap > 1 {
			continue
		}
		c.Options = append(c.Options, ix.choice(o, r.Env))
	}
	spellOut(c)
	labels := []string{c.BestGuess.Label}
	for _, o := range c.Options {
		labels = append(labels, o.Label)
	}
	c.GuessConfidence = math.Min(best.confidence()*weight/total, confidenceToAnswer-0.01)
	c.Several = because == "" && len(c.Options) >= t.near()
	c.Question = text.Say("interpret.did_you_mean", "choices", alternatives(labels))
	if because != "" {
		c.Question = because + " " + c.Question
	}
	res.Clarify = c
	return res
}

// spellOut gives choices that are worded alike their Frame-QL as the label, so that they can be told apart.
func spellOut(c *Clarification) {
	count := map[string]int{c.BestGuess.Label: 1}
	for _, o := range c.Options {
		count[o.Label]++
	}
	if count[c.BestGuess.Label] > 1 {
		c.BestGuess.Label = c.BestGuess.Value
	}
	for i := range c.Options {
		if count[c.Options[i].Label] > 1 {
			c.Options[i].Label = c.Options[i].Value
		}
	}
}

// alternatives joins choices for a question: "a, b or c".
func alternatives(things []string) string {
	n := len(things)
	if n == 1 {
		return things[0]
	}
	return text.Say("interpret.or", "first", strings.Join(things[:n-1], ", "), "last", things[n-1])
}

// choice words a candidate as a question that reads back as exactly this one: in plain words where that works, with
// every name spelled out where it does not, and as Frame-QL where no words are safe.
func (ix *Index) choice(c candidate, env frameql.Env) Choice {
	label := ix.Phrase(c.query)
	out := Choice{Label: label, Value: c.text, Question: c.text}
	for _, question := range []string{label, ix.phrase(c.query, true)} {
		if ix.readsAs(question, c.text, env) {
			out.Question = question
			break
		}
	}
	return out
}

// readsAs says whether a question is answered, and by this very query.
func (ix *Index) readsAs(question, canonical string, env frameql.Env) bool {
	tokens := ix.english.tokenise(question)
	if len(question) > mostBytes || ix.outside(tokens) != nil || ix.beyond(tokens) != nil {
		return false
	}
	t := ix.consider(tokens, env)
	if len(t.resolved) == 0 || t.resolved[0].text != canonical || t.postponed() != "" || t.near() > 0 || t.resolved[0].draft.doubt != "" {
		return false
	}
	if t.refusedFirst() {
		return false
	}
	if _, ask := unsure(t.resolved[0].spans(), nil); ask {
		return false
	}
	unread, _ := t.resolved[0].draft.unreadWords()
	return len(unread) == 0 && len(t.resolved[0].lostWords()) == 0 && t.resolved[0].confidence() >= confidenceToAnswer
}
