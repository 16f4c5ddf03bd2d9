package analyst

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/interpret/whatif"
	"assay/backend/llm"
	"assay/backend/mind"
	"assay/backend/prose"
	"assay/backend/session"
	"assay/backend/text"
	"assay/backend/tool"
)

// How far the query of a language model is trusted, by the table of slots.
const (
	modelAgrees = 0.75 // it holds all that the reader read for certain
	modelStrays = 0.3  // it leaves some of that out
)

// formGrammar is how many bytes of grammar the schema of a form may make: Ollama v0.6.8 cuts what is longer than 32 KiB.
const formGrammar = 30_000

// think lets the mind of the request say what is wanted. What the reader read for certain costs no call of a model; and where a model cannot be asked, or comes to nothing, the
// reader's word stands and the answer says so.
func (r *run) think(ctx context.Context, found scope) (next, error) {
	word := r.a.mind.next(found)
	if found.refused != nil || found.query != nil || found.taught {
		return word, nil
	}
	if q, would := whatif.Read(r.question); would && !r.req.Explain {
		if supposed, ok, err := r.suppose(ctx, q); err != nil || ok {
			return supposed, err
		}
	}
	if r.mustAsk(found) || certain(found.result) && !r.asksAlways() {
		return word, nil
	}
	if r.mindless != "" {
		r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, text.Say("analyst.mind_unfit", "why", r.mindless))
	}
	if r.thinker == nil || r.thinker.Select(llm.Planning) == nil {
		return word, nil
	}
	came, err := r.ponder(ctx, found.result)
	if err != nil {
		return next{}, err
	}
	last := came.Last()
	switch {
	case came.Ask != nil && len(came.Ask.Options) > 0:
		if asked, ok := r.askBack(*came.Ask); ok {
			return asked, nil
		}
	case last != nil && last.Query != nil:
		r.likely = naming(came.Likely, frameql.Try(last.Query, r.env))
		return r.modelsQuery(found, last.Query), nil
	}
	why := text.Say("analyst.mind_nothing", "mind", r.thinker.Name)
	if came.Problem != nil {
		why = text.Say("analyst.mind_failed", "mind", r.thinker.Name, "why", firstSentence(came.Problem))
	}
	r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, why)
	if said, ok := prose.Remark(came.Text, r.speaksOf()); ok {
		r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, text.Say("analyst.mind_said", "mind", r.thinker.Name, "said", said))
	}
	return word, nil
}

// speaksOf are the names of the model and the words of the question: what a mind may speak of that wrote no query.
func (r *run) speaksOf() []string {
	all := strings.FieldsFunc(r.req.Question, func(c rune) bool { return !unicode.IsLetter(c) && c != '-' })
	name := func(s string) { all = append(all, s, strings.ReplaceAll(s, "_", " ")) }
	m := r.knowledge.Model
	for _, e := range m.Entities {
		name(e.Name)
		for _, d := range e.Dimensions {
			name(d.Name)
		}
	}
	for _, x := range m.Metrics {
		if !x.Hidden {
			name(x.Name)
		}
	}
	return all
}

func (r *run) asksAlways() bool { return r.thinker != nil && r.thinker.Always }

// certain says whether the reader understood every word and has no doubt.
func certain(result interpret.Result) bool {
	reading := result.Reading
	return reading != nil && result.Clarify == nil && len(reading.Unread) == 0
}

func firstSentence(err error) string {
	if code := fault.CodeOf(err); isFault(err) || code == fault.Canceled || code == fault.Limit {
		return sentence(err).Error()
	}
	return text.Say("mind.failed")
}

// planWait is how long a model may think about what to run where nobody says otherwise.
const planWait = time.Minute

// ponder runs the loop with the model of the request, for as long as planning may take. What it came to by then is nothing.
func (r *run) ponder(ctx context.Context, read interpret.Result) (mind.Outcome, error) {
	wait := cmp.Or(r.thinker.Plan, planWait)
	bounded, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	came, err := r.plans(bounded, read)
	if bounded.Err() != nil && ctx.Err() == nil && (err != nil || came.Problem != nil) {
		return mind.Outcome{Problem: fault.New(fault.Limit, "think", text.Say("analyst.mind_slow", "seconds", strconv.FormatFloat(wait.Seconds(), 'f', -1, 64)), "")}, nil
	}
	return came, err
}

// plans is ponder without its bound.
func (r *run) plans(ctx context.Context, read interpret.Result) (mind.Outcome, error) {
	model := r.asked(ctx, llm.Planning)
	card, err := model.About(ctx)
	if err != nil {
		return mind.Outcome{Problem: err}, ctx.Err()
	}
	tiers, err := r.tiers(ctx, read, small(card))
	if err != nil {
		return mind.Outcome{}, err
	}
	tools := tool.All()
	if r.a.deps.Skills != nil {
		tools = append(tools, r.a.deps.Skills(r.actor)...)
	}
	hear := r.hearing()
	var m mind.Mind
	if card.Tools && !small(card) {
		tiers.Prompt = "analyst"
		m = &mind.Model{LLM: model, Tools: tools, Context: tiers.Context(), Hear: hear}
	} else {
		tiers.Prompt = "form"
		form := &mind.Form{LLM: model, Context: tiers.Context(), Hear: hear}
		values := r.listed()
		if !card.Local { // a schema cannot be masked
			values = nil
			if held := r.held; held != nil && held.every {
				form.Hide = func(refusal string) string { return held.result("execute_frame_ql", refusal) }
			}
		}
		form.Schema = frameql.Brief(r.knowledge.Model, values, formGrammar)
		m = form
	}
	r.prompts = tiers.Prompts.Version
	return r.loop(m, tools).Think(ctx)
}

// loop lets a mind think in steps of this request.
func (r *run) loop(m mind.Mind, tools []tool.Tool) mind.Loop {
	return mind.Loop{Mind: m, Tools: tools, Desk: r.desk(), Step: func(ctx context.Context, name string, do func(*session.Step) error) error {
		_, err := r.step(ctx, name, do)
		return err
	}}
}

// small says whether a model has too little room for the tools and the catalogue: it goes the short way, with what of the catalogue the question may need.
func small(c llm.Card) bool { return c.Window > 0 && c.Window < 16_000 }

// asked gives the model of a task, whose every exchange stands in the ledger of the answer.
func (r *run) asked(ctx context.Context, task llm.Task) llm.Model {
	model := r.thinker.Select(task)
	if model == nil {
		return nil
	}
	r.consulted = true
	r.models = append(r.models, model)
	if r.thinker.Played {
		return model
	}
	l := ledgerTo(model, r.thinker.Rows)
	l.mask, l.log = r.a.deps.Mask, r.sent
	l.held = r.withhold(ctx, l.rows != RowsMasked)
	return l
}

// elsewhere says whether a model that was asked is not on this machine.
func (r *run) elsewhere() bool {
	return !r.thinker.Played && slices.ContainsFunc(r.models, func(m llm.Model) bool { return !m.Card().Local })
}

// hearing tells, once for each reply, that a model has begun to answer.
func (r *run) hearing() func(llm.Chunk) {
	told := -1
	return func(c llm.Chunk) {
		if c.Text != "" && told != len(r.trace) {
			told = len(r.trace)
			r.tell(session.Step{Name: "think", Status: "started", Started: r.a.deps.Now().UTC(), Note: text.Say("mind.note_writing")})
		}
	}
}

// listed gives the values that a schema may name: none of a personal column.
func (r *run) listed() func(string) []string {
	desk := r.desk()
	return func(dimension string) []string {
		if r.knowledge.Values == nil || r.knowledge.Model.Dimension(dimension) == nil || desk.Quiet(dimension) {
			return nil
		}
		values, complete := r.knowledge.Values(dimension)
		if !complete {
			return nil
		}
		return values
	}
}

// modelsQuery takes the query of a model as a reading, as sure as the program can be of it. One that leaves out what the reader read for certain is
// asked about before it runs.
func (r *run) modelsQuery(found scope, q *frameql.Query) next {
	plan := frameql.Try(q, r.env)
	reading := &interpret.Reading{Query: q, Plan: plan, Confidence: modelAgrees}
	if plan == nil || !holds(plan, found.result) {
		reading.Confidence = modelStrays
	}
	reading.Ambiguity = 1 - reading.Confidence
	for _, s := range found.result.Spans {
		if s.Method == "exact" || s.Method == "fuzzy" {
			reading.Spans = append(reading.Spans, s)
		}
	}
	if found.result.Reading != nil {
		for _, s := range found.result.Reading.Spans {
			if s.Method == "exact" || s.Method == "fuzzy" {
				reading.Spans = append(reading.Spans, s)
			}
		}
	}
	if n := len(r.req.Question); n > 0 {
		reading.Spans = append(reading.Spans, interpret.Span{Start: 0, End: n, Text: r.req.Question, Slot: "query", Target: q.String(), Method: "model", Confidence: reading.Confidence})
	}
	r.answer.Understood = understoodNothing()
	r.understand(interpret.Result{Reading: reading, Spans: reading.Spans})
	if plan != nil {
		r.heed(found.result, plan)
	}
	r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, text.Say("analyst.assumed_by_model", "mind", r.thinker.Name))
	for _, c := range r.recalled {
		r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, text.Say("analyst.model_told", "term", c.Term, "means", c.Means))
	}
	n := next{query: q, reading: reading}
	if !found.hasty {
		if n.clarify = r.doubt(reading); n.clarify != nil {
			n.query = nil
		}
	}
	return n
}

// holds says whether a plan has all that the reader read for certain: metrics, dimensions and values.
func holds(plan *frameql.Plan, read interpret.Result) bool {
	spans := read.Spans
	if read.Reading != nil {
		spans = read.Reading.Spans
	}
	query := strings.ToLower(plan.Query.String())
	for _, s := range spans {
		if s.Method != "exact" && s.Method != "fuzzy" {
			continue
		}
		var name string
		switch s.Slot {
		case "metric", "dimension":
			name = s.Target[strings.LastIndexByte(s.Target, '.')+1:]
		case "value":
			if _, quoted, ok := strings.Cut(s.Target, "'"); ok {
				name, _, _ = strings.Cut(quoted, "'")
			}
		}
		if name != "" && !strings.Contains(query, strings.ToLower(name)) {
			return false
		}
	}
	return true
}

// askBack turns the question of a model into one of the program: its options are the readings, in the program's words, and every one of them resolves.
func (r *run) askBack(a tool.Asked) (next, bool) {
	var choices []interpret.Choice
	var first *interpret.Reading
	for _, o := range a.Options {
		q, err := frameql.Parse(o.Value)
		if err != nil {
			continue
		}
		q.Explain = false
		plan := frameql.Try(q, r.env)
		if plan == nil {
			continue
		}
		query := plan.Query.String()
		if first == nil {
			first = &interpret.Reading{Query: q, Plan: plan, Confidence: modelStrays, Ambiguity: 1 - modelStrays}
		}
		choices = append(choices, interpret.Choice{Label: ReadingWords(plan, r.knowledge.Model), Question: query, Value: query})
	}
	if len(choices) == 0 {
		return next{}, false
	}
	c := &interpret.Clarification{Question: text.Say("analyst.which_is_meant"), GuessConfidence: first.Confidence, BestGuess: &choices[0], Options: choices[1:min(len(choices), 3)]}
	if len(choices) == 1 {
		c.Question = text.Say("analyst.is_this_meant", "reading", choices[0].Label)
	}
	r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, text.Say("analyst.assumed_by_model", "mind", r.thinker.Name))
	return next{clarify: c, reading: first}, true
}

// tiers are what the model is told.
func (r *run) tiers(ctx context.Context, read interpret.Result, small bool) (mind.Tiers, error) {
	m := r.knowledge.Model
	t := mind.Tiers{Prompts: r.a.prompts}
	var whole bool
	if t.Catalogue, whole = mind.Catalogue(m); !whole || small {
		if small {
			t.Catalogue = ""
		}
		var names []string
		for _, s := range read.Spans {
			names = append(names, s.Target)
		}
		t.Relevant = mind.Relevant(m, r.question, names)
	}
	if level := r.desk().Level; level != nil {
		t.Levels = level().Counts
	}
	memos, err := r.memos()
	if err != nil {
		return t, err
	}
	t.Memos = memos
	if t.Agreed, err = r.digest(ctx, r.elsewhere()); err != nil {
		return t, err
	}
	turns, err := r.conversation(ctx)
	if err != nil {
		return t, err
	}
	if r.oldDays == 0 {
		for _, one := range turns {
			t.Turns = append(t.Turns, pastOf(one, r.answer.SessionID))
		}
	}
	t.Asked = mind.Question{Question: r.question, Today: r.env.Now.Format(time.DateOnly), Reader: readerOf(read), Taught: r.taught(r.elsewhere())}
	if r.a.deps.Examples != nil {
		t.Asked.Examples = r.a.deps.Examples(r.inLedger(ctx), r.actor, r.question, mind.ExamplesAtMost)
	}
	if r.held != nil {
		r.held.tiers(&t)
	}
	return t, nil
}

func pastOf(t session.Turn, sessionID string) mind.Past {
	p := mind.Past{Question: t.Question, FrameQL: t.FrameQL, Outcome: t.Outcome}
	var left said
	if json.Unmarshal(t.Said, &left) == nil && left.Shown > 0 {
		p.Frame, p.Rows = session.ArtifactID(sessionID, t.Index, left.Shown-1), left.Rows
	}
	return p
}

// frameArtifact says which artifact of the turn is the frame of the answer, counted from 1, and how many rows it has; 0: there is none.
func (r *run) frameArtifact() (shown, rows int) {
	f := r.answer.Frame
	if f == nil {
		return 0, 0
	}
	for i, a := range r.stack.Artifacts {
		if sub := r.trials[a.ID]; a.Kind == session.KindFrame && (sub == nil || sub.answer.Frame.ID == f.ID) {
			return i + 1, f.RowCount
		}
	}
	return 0, 0
}

// readerOf is what the reader made of a question, as a hypothesis.
func readerOf(result interpret.Result) mind.Reader {
	out := mind.Reader{Read: []mind.Read{}, Unread: listOf(result.Unread)}
	spans := result.Spans
	if result.Reading != nil {
		out.FrameQL, spans, out.Unread = result.Reading.Query.String(), result.Reading.Spans, listOf(result.Reading.Unread)
	}
	for _, s := range spans {
		out.Read = append(out.Read, mind.Read{Text: s.Text, As: s.Target, Method: s.Method})
	}
	if c := result.Clarify; c != nil {
		if c.BestGuess != nil {
			out.Choices = append(out.Choices, c.BestGuess.Value)
		}
		for _, o := range c.Options {
			out.Choices = append(out.Choices, o.Value)
		}
	}
	if d := result.Refusal; d != nil {
		out.Refused = d.Code // its words may name values of the data
	}
	return out
}
