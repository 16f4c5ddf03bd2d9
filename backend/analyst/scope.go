package analyst

import (
	"context"
	"strings"
	"time"

	"assay/backend/chart"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/semantic"
	"assay/backend/session"
	"assay/backend/text"
)

// scope finds out what is asked: the clock, the memos' refusals, then the reader.
func (r *run) scope(ctx context.Context) (scope, error) {
	var found scope
	took, err := r.step(ctx, "interpret", func(s *session.Step) error {
		s.Input = hash(r.stored.Question)
		defer func() { s.Output = found.hash() }()
		r.knowledge = r.a.deps.Knowledge(r.actor)
		if r.knowledge.Model == nil || r.knowledge.Index == nil {
			return r.noData(ctx)
		}
		r.setClock()
		if err := r.recallMeanings(ctx, s); err != nil {
			return err
		}
		if err := r.recallPreferences(ctx); err != nil {
			return err
		}
		memos, err := r.memos()
		if err != nil {
			return err
		}
		r.answer.Understood = understoodNothing()
		found.hasty = r.stored.Overrides[overrideConfirm] == "never"
		if found.refused = outOfScope(memos, r.stored.Question); found.refused != nil {
			return nil
		}
		if r.req.FrameQL != "" {
			found.query, found.refused = parseQuery(r.req.FrameQL)
			if r.req.again != nil {
				r.differs = r.req.again.differs
				r.answer.Understood.Confirm = append(r.answer.Understood.Confirm, r.differs...)
			}
			return nil
		}
		if r.redraw {
			found.query, found.refused, err = r.before(ctx, text.Say("analyst.drawn_again", "chart", chart.Name(r.drawn.Type)), text.Say("analyst.nothing_to_draw", "chart", chart.Name(r.drawn.Type)))
			return err
		}
		if found.result, err = r.readQuestion(ctx); err != nil {
			return err
		}
		if r.recheck(ctx, found.result.Reading) {
			if found.result, err = r.readQuestion(ctx); err != nil {
				return err
			}
		}
		asked, refused, err := r.teach(ctx, found.result)
		if err != nil {
			return err
		}
		if found.taught = asked != nil; found.taught {
			found.result = interpret.Result{Clarify: asked}
			r.answer.Remembered = []Remembered{}
			return nil
		}
		if found.refused = refused; refused != nil {
			return nil
		}
		if p, ok := r.saysLook(found.result); ok {
			found.result = interpret.Result{}
			found.query, found.refused, err = r.lookAgain(ctx, p)
			return err
		}
		if found.result.Clarify == nil && !found.hasty {
			found.result.Clarify = r.doubt(found.result.Reading)
		}
		r.understand(found.result)
		if found.result.Reading != nil && found.result.Reading.Preferred {
			r.followed(s, knowledge.Grain)
		}
		if said := r.notCarried("analyst.absent"); said != "" && found.result.Reading != nil && found.result.Clarify == nil {
			r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, said)
		}
		if found.hasty && found.result.Clarify != nil && found.result.Reading != nil {
			r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, text.Say("analyst.assumed_best_guess"))
		}
		return nil
	})
	r.answer.Timings.Interpret = took
	return found, err
}

// before is the query of the answer before, for words that only say how to show it; again says that it is shown anew, and nothing that there is none.
func (r *run) before(ctx context.Context, again, nothing string) (*frameql.Query, *Refused, error) {
	recent, err := r.a.deps.Memory.Recent(ctx, r.answer.SessionID, r.place, 1)
	if err == nil && r.req.ContextDays > 0 {
		_, err = r.conversation(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	if r.told = r.oldDays; r.req.again != nil {
		r.told = r.req.again.told
	}
	if len(recent) == 0 || r.told > 0 {
		message := nothing
		if said := r.notCarried("analyst.absent"); said != "" {
			message = said + " " + message
		}
		return nil, &Refused{Code: "nothing_to_draw", Message: message, Repairs: []frameql.Repair{}}, nil
	}
	query, refused := parseQuery(recent[0])
	r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, again)
	return query, refused, nil
}

// readWith reads the question behind a conversation.
func (r *run) readWith(h interpret.History) interpret.Result {
	corrections := meant(r.recalled)
	if h.Open != nil { // a choice may be taken by its number: what it was read with is not in the words
		corrections = meant(r.known)
	}
	return r.knowledge.Index.Read(interpret.Request{
		Question: r.question, Env: r.env, NowFromData: r.fromData, Asked: r.stored.Asked, History: h, Corrections: corrections, Grain: r.wants(knowledge.Grain), Memo: r.req.Memo,
	})
}

// readQuestion hands the question to the reader, and notes what it could not go on from.
func (r *run) readQuestion(ctx context.Context) (interpret.Result, error) {
	result, err := r.readWaiting(ctx)
	if err == nil {
		r.noteOutlived(result)
	}
	return result, err
}

// readWaiting hands the question to the reader. One that is not understood without the values of the data waits for them, if they
// are still being read, and is read again.
func (r *run) readWaiting(ctx context.Context) (interpret.Result, error) {
	history, err := r.history(ctx)
	if err != nil {
		return interpret.Result{}, err
	}
	once := func() interpret.Result { return r.readWith(history) }
	result := once()
	if r.knowledge.Await == nil {
		if r.looksUp(ctx, result.Missing) {
			result = once()
		}
		return result, nil
	}
	if understood := result.Reading != nil && result.Clarify == nil; !understood && r.knowledge.Await(ctx) {
		r.knowledge = r.a.deps.Knowledge(r.actor)
		r.setClock()
		if history, err = r.history(ctx); err != nil { // whom an answer showed may be known by now
			return interpret.Result{}, err
		}
		result = once()
	}
	if r.knowledge.Await != nil {
		pending := text.Say("analyst.values_pending")
		r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, pending)
		if d := result.Refusal; d != nil {
			result.Refusal = &interpret.Declined{Code: d.Code, Message: d.Message + " " + pending, Repairs: d.Repairs}
		}
	}
	return result, nil
}

// lookUpAtMost is how long a question waits for names that are looked up in the data, and mostLookedUp how many these are.
const (
	lookUpAtMost = 400 * time.Millisecond
	mostLookedUp = 3
)

// looksUp asks the data for names that a question has and nobody knows, and says whether it has such values.
func (r *run) looksUp(ctx context.Context, names []string) bool {
	if r.knowledge.LookUp == nil || len(names) == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, lookUpAtMost)
	defer cancel()
	found := r.knowledge.LookUp(ctx, names[:min(len(names), mostLookedUp)])
	if len(found) == 0 {
		return false
	}
	r.knowledge.Index = r.knowledge.Index.Knowing(found)
	return true
}

// setClock chooses the instant from which relative dates are counted. An explicit one wins over the data's own end.
func (r *run) setClock() {
	now := r.req.Now.In(r.knowledge.zone())
	switch again := r.req.again; {
	case again != nil && again.made != nil && !again.made.Clock.IsZero():
		now, r.fromData = again.made.Clock.In(r.knowledge.zone()), again.made.FromData
	case r.req.Now.IsZero():
		now, r.fromData = anchor(r.knowledge, r.a.deps.Now())
	}
	r.env = r.knowledge.Env(now, r.req.MaxRows)
}

// memos are the model's, and the memo that came with the request.
func (r *run) memos() ([]semantic.Memo, error) {
	var own []semantic.Memo
	if strings.TrimSpace(r.req.Memo) != "" {
		memo, err := semantic.ParseMemo(semantic.MemoSession, text.Say("analyst.session_memo"), r.req.Memo)
		if err != nil {
			return nil, err
		}
		own = append(own, memo)
	}
	return semantic.WithMemos(r.knowledge.Model, own...).Memos, nil
}

// understand notes what the reader made of the question, even when nothing comes of it.
func (r *run) understand(result interpret.Result) {
	u := r.answer.Understood
	r.answer.Remembered = []Remembered{}
	spans, unread := result.Spans, result.Unread
	if reading := result.Reading; reading != nil {
		spans, unread = reading.Spans, reading.Unread
		u.Assumptions = append(u.Assumptions, reading.Assumptions...)
		u.Confirm = append(u.Confirm, reading.Confirm...)
		r.defined = r.noteMeanings(reading)
		if reading.Preferred {
			r.followed(nil, knowledge.Grain)
		}
		confidence := reading.Confidence
		r.follow = reading.Follow
		u.derived(reading.Follow)
		r.answer.Confidence = &confidence
	}
	u.Spans = append(u.Spans, spans...)
	for i := range u.Spans { // the reader saw blanks where an override stood; the text is the question's own
		if s := &u.Spans[i]; s.Start >= 0 && s.Start < s.End && s.End <= len(r.req.Question) {
			s.Text = r.req.Question[s.Start:s.End]
		}
	}
	u.Unread = append(u.Unread, unread...)
}

// assumeClock discloses the clock of a query that a person wrote; the reader does it for a question.
func (r *run) assumeClock() {
	if r.plan.Period == nil || !r.plan.Period.Relative || r.req.FrameQL == "" {
		return
	}
	key := "analyst.clock_wall"
	switch {
	case !r.req.Now.IsZero():
		key = "analyst.clock_given"
	case r.fromData:
		key = "analyst.clock_data"
	}
	r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, text.Say(key, "date", r.env.Now.Format(time.DateOnly)))
}
