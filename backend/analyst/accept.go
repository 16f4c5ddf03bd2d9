package analyst

import (
	"context"
	"encoding/json"
	"slices"

	"assay/backend/fault"
	"assay/backend/rules"
	"assay/backend/text"
)

// rules are those in force now.
func (a *Analyst) rules() *rules.Rules {
	if a.deps.Rules != nil {
		return a.deps.Rules()
	}
	return a.builtin
}

// Word is what somebody says about a request that waits.
type Word struct {
	RequestID string
	On        Happening // OnAccepted, OnRejected, OnRevised, OnDeclined or OnHandled
	How       string    // of OnAccepted: empty for a word, or what was done with the result: export copy pin share
	Actor     string    // who the caller wants to be
	Caller    rules.Caller
}

// The ways in which a result is accepted.
const (
	HowExplicit = "explicit"
	HowExport   = "export"
	HowCopy     = "copy"
	HowPin      = "pin"
	HowShare    = "share"
)

var implicit = []string{HowExport, HowCopy, HowPin, HowShare}

// Say takes a word about a request that waits. Using a result accepts it from level 4 on; below that it takes a word. A
// request that does not wait for this is left as it is.
//
// Faults: NotFound, Conflict (it does not wait for this, or not any more), Invalid (a way of accepting that is none),
// Unauthorized (it is somebody else's, or for another role).
func (a *Analyst) Say(ctx context.Context, w Word) (Standing, error) {
	s, err := a.deps.Memory.Standing(ctx, w.RequestID)
	if err != nil {
		return s, err
	}
	actor, err := a.rules().Identify(w.Actor, w.Caller)
	if err != nil {
		return s, err
	}
	if w.How == "" {
		w.How = HowExplicit
	}
	byUse := slices.Contains(implicit, w.How)
	switch {
	case !byUse && w.How != HowExplicit, byUse && w.On != OnAccepted:
		return s, fault.New(fault.Invalid, "settle", text.Say("analyst.no_such_use", "how", w.How), text.Say("analyst.no_such_use_hint"))
	case !a.maySay(actor, s, w.On):
		return s, fault.New(fault.Unauthorized, "settle", text.Say("analyst.not_yours"), text.Say("analyst.not_yours_hint"))
	case byUse && s.Level < 4: // using it is not enough, and no mistake either
		return s, nil
	}
	return a.settle(ctx, s, w.On, actor.ID, w.How)
}

// maySay: one's own requests are one's own, but a result that waits for a word waits for a person's; what went to a role is
// settled by one of the role, who is a person.
func (a *Analyst) maySay(actor rules.Actor, s Standing, on Happening) bool {
	if on != OnHandled {
		return actor.ID == s.Actor && (actor.Kind == rules.Human || on != OnAccepted || s.Level > 3)
	}
	var answer struct {
		Escalation *Escalation `json:"escalation"`
	}
	return actor.Kind == rules.Human && json.Unmarshal(s.Answer, &answer) == nil && answer.Escalation != nil && slices.Contains(answer.Escalation.Roles, actor.Role)
}

// settle moves a request that waits, writes that down and tells who must know.
func (a *Analyst) settle(ctx context.Context, s Standing, on Happening, by, how string) (Standing, error) {
	to, ok := after(s.Stage, on)
	if !ok || s.Settled != "" {
		return s, fault.New(fault.Conflict, "settle", text.Say("analyst.waits_not_for_that", "request", s.RequestID), text.Say("analyst.waits_not_for_that_hint"))
	}
	body, err := json.Marshal(map[string]any{"settled": on, "how": how, "level": s.Level, "user_accepted": on == OnAccepted || on == OnTimedOut || on == OnFlagged, "feedback": FeedbackOf(on)})
	if err != nil {
		return s, err
	}
	move := Settlement{
		RequestID: s.RequestID, From: s.Stage, To: to, On: on, By: by, How: how,
		Records: []Record{{Kind: AuditAcceptance, RequestID: s.RequestID, SessionID: s.SessionID, Actor: by, Body: body}},
	}
	if key, kind := noticeOf(on); kind != "" {
		move.Notices = []Notice{{RequestID: s.RequestID, Kind: kind, Actor: s.Actor, Words: text.Say(key, "date", s.Asked.Format("2006-01-02"), "question", s.Question)}}
	}
	if err := a.deps.Memory.Settle(ctx, move); err != nil {
		return s, err
	}
	a.take(edge{s.Stage, on, to})
	s.Stage, s.Settled, s.By, s.How = to, on, by, how
	return s, nil
}

// FeedbackOf is what a settlement says of the answer, in the words of the query log: positive negative none.
func FeedbackOf(on Happening) string {
	switch on {
	case OnAccepted:
		return "positive"
	case OnRejected, OnRevised:
		return "negative"
	default:
		return "none"
	}
}

// noticeOf is what the person is told when time settled a request: the sentence's key, and the kind.
func noticeOf(on Happening) (key, kind string) {
	switch on {
	case OnAbandoned:
		return "analyst.notice_abandoned", NoticeAbandoned
	case OnExpired:
		return "analyst.notice_expired", NoticeExpired
	case OnFlagged:
		return "analyst.notice_flagged", NoticeFlagged
	default:
		return "", ""
	}
}

// endings are what the clock does to a request that nobody settled.
var endings = map[rules.Ending]Happening{
	rules.EndAccept: OnTimedOut, rules.EndFlag: OnFlagged, rules.EndAbandon: OnAbandoned, rules.EndExpire: OnExpired,
}

// Sweep settles what time has settled, and gives how many requests that were. A program calls it when it starts, and may
// call it at any time. What another process settles meanwhile is left to it.
func (a *Analyst) Sweep(ctx context.Context) (int, error) {
	due, err := a.deps.Memory.Due(ctx, a.deps.Now())
	if err != nil {
		return 0, err
	}
	n := 0
	for _, s := range due {
		on, ok := endings[s.Ending]
		if !ok {
			continue
		}
		switch _, err := a.settle(ctx, s, on, "", "timeout"); {
		case err == nil:
			n++
		case fault.CodeOf(err) != fault.Conflict:
			return n, err
		}
	}
	return n, nil
}

// Confirm runs what waits for a word before it runs, as the next turn of its session. Faults as of Say and Ask.
func (a *Analyst) Confirm(ctx context.Context, w Word, emit func(Event)) (*Answer, error) {
	s, err := a.deps.Memory.Standing(ctx, w.RequestID)
	if err != nil {
		return nil, err
	}
	actor, err := a.rules().Identify(w.Actor, w.Caller)
	switch {
	case err != nil:
		return nil, err
	case actor.ID != s.Actor || actor.Kind != rules.Human:
		return nil, fault.New(fault.Unauthorized, "confirm", text.Say("analyst.not_yours"), text.Say("analyst.not_yours_hint"))
	case s.Status == rules.StatusHuman: // it goes to a role, and nobody confirms it away
		return nil, fault.New(fault.Conflict, "confirm", text.Say("analyst.for_a_person"), text.Say("analyst.for_a_person_hint"))
	}
	var waited struct {
		Understood *struct {
			FrameQL string `json:"frame_ql"`
		} `json:"understood"`
		SQL  string `json:"sql"`
		Risk struct {
			ExpectedCost string `json:"expected_cost"`
		} `json:"risk"`
	}
	if _, waits := after(s.Stage, OnConfirmed); !waits || s.Settled != "" || json.Unmarshal(s.Answer, &waited) != nil || waited.SQL == "" {
		return nil, fault.New(fault.Conflict, "confirm", text.Say("analyst.waits_not_for_that", "request", s.RequestID), text.Say("analyst.waits_not_for_that_hint"))
	}
	// As much is at stake as there was, and the run is no freer than what waited.
	again := Request{SessionID: s.SessionID, Actor: w.Actor, Caller: w.Caller, Confirm: true, Level: s.Level, Criticality: waited.Risk.ExpectedCost}
	if waited.Understood != nil {
		again.FrameQL, again.EditedFrom = waited.Understood.FrameQL, s.InsteadOf
		again.Chart, _ = a.charts.Read(s.Question)
	} else { // a person wrote it
		again.SQL = waited.SQL
	}
	answer, err := a.Ask(ctx, again, emit)
	if err != nil {
		return nil, err // it goes on waiting
	}
	if _, err := a.settle(ctx, s, OnConfirmed, actor.ID, HowExplicit); err != nil && fault.CodeOf(err) != fault.Conflict {
		return nil, err
	}
	return answer, nil
}
