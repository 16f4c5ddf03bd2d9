package analyst

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// The thumbs.
const (
	ThumbUp   = "up"
	ThumbDown = "down"
)

// The reasons for a thumb. Those of a thumb down that say nothing about right or wrong are ReasonUnclear and ReasonSlow.
const (
	ReasonRight      = "right"
	ReasonClear      = "clear"
	ReasonUseful     = "useful"
	ReasonWrong      = "wrong"      // a number is not right
	ReasonMisread    = "misread"    // it answers another question
	ReasonIncomplete = "incomplete" // something is missing
	ReasonUnclear    = "unclear"
	ReasonSlow       = "slow"
	ReasonOther      = "other"
)

// reasons are those that may be given with a thumb.
var reasons = map[string][]string{
	ThumbUp:   {ReasonRight, ReasonClear, ReasonUseful, ReasonOther},
	ThumbDown: {ReasonWrong, ReasonMisread, ReasonIncomplete, ReasonUnclear, ReasonSlow, ReasonOther},
}

// FeedbackRunes is the longest text that may be said of an answer, in characters.
const FeedbackRunes = 2000

// SeriousDays is how long an error that its person called serious makes the next one expensive.
const SeriousDays = 90

// Wrong says whether feedback means that the answer was not right: being slow or hard to read is no error.
func Wrong(thumb, reason string) bool {
	return thumb == ThumbDown && reason != ReasonUnclear && reason != ReasonSlow
}

// Opinion is what somebody says of an answer.
type Opinion struct {
	RequestID string
	Feedback  *session.Feedback // nil takes back what was said; its time is not read
	Actor     string            // who the caller wants to be
	Caller    rules.Caller
}

// Opined is the body of a record of feedback.
type Opined struct {
	Feedback string `json:"feedback"` // positive negative none
	Wrong    bool   `json:"wrong"`    // the answer was not right
	Reason   string `json:"reason"`
	Words    string `json:"words"` // masked
	Serious  bool   `json:"serious"`
}

// Opine keeps what a person says of an answer of their own, and gives it back as it stands now; nil: nothing is said. It can be
// changed at any time. An answer that waits for a word about its result takes a thumb as that word: up accepts it, and down
// rejects it where it says that it is not right. A word that was said already stays, whatever the thumb says later. What the words of a thumb down say that a term means is
// learned, and given back too; nil: nothing.
//
// Faults: NotFound, Conflict (there is no answer yet), Invalid (a thumb or a reason that is none, a text that is too long),
// Unauthorized (it is somebody else's, or the actor is no person).
func (a *Analyst) Opine(ctx context.Context, o Opinion) (*session.Feedback, *Taught, error) {
	s, err := a.deps.Memory.Standing(ctx, o.RequestID)
	if err != nil {
		return nil, nil, err
	}
	actor, err := a.rules().Identify(o.Actor, o.Caller)
	switch {
	case err != nil:
		return nil, nil, err
	case actor.ID != s.Actor || actor.Kind != rules.Human:
		return nil, nil, fault.New(fault.Unauthorized, "feedback", text.Say("analyst.not_yours"), text.Say("analyst.not_yours_hint"))
	case len(s.Answer) == 0 || string(s.Answer) == "null":
		return nil, nil, fault.New(fault.Conflict, "feedback", text.Say("analyst.no_answer_yet"), text.Say("analyst.no_answer_yet_hint"))
	}
	said, err := checkedFeedback(o.Feedback)
	if err != nil {
		return nil, nil, err
	}
	opined := Opined{Feedback: "none"}
	if said != nil {
		said.At = a.deps.Now().UTC()
		opined = Opined{Feedback: "positive", Wrong: Wrong(said.Thumb, said.Reason), Reason: said.Reason, Serious: said.Serious}
		if said.Thumb == ThumbDown {
			opined.Feedback = "negative"
		}
		// What a person quotes may be a value of the data, which the log does not keep.
		opined.Words = a.mask(quoted.ReplaceAllString(said.Words, "'<VALUE>'"))
	}
	body, err := json.Marshal(opined)
	if err != nil {
		return nil, nil, err
	}
	before, err := a.deps.Memory.Feedback(ctx, s.RequestID)
	if err != nil {
		return nil, nil, err
	}
	record := Record{Kind: AuditFeedback, RequestID: s.RequestID, SessionID: s.SessionID, Actor: actor.ID, Body: body}
	if err := a.deps.Memory.SaveFeedback(ctx, s.RequestID, actor.ID, said, a.metricsOf(actor, s.FrameQL), record); err != nil {
		return nil, nil, err
	}
	var learned *Taught
	if said != nil && (before == nil || before.Words != said.Words || before.Thumb != said.Thumb) { // words that stand already taught what they teach
		learned = a.learnOf(ctx, o, said)
	}
	return said, learned, a.takeThumb(ctx, s, said, actor.ID)
}

// learnOf keeps what the words of a thumb down say that a term means, or why that cannot be kept, which costs nothing of the thumb; nil: they are no lesson.
func (a *Analyst) learnOf(ctx context.Context, o Opinion, said *session.Feedback) *Taught {
	if said.Thumb != ThumbDown || said.Words == "" {
		return nil
	}
	t, err := a.Teach(ctx, Lesson{Words: said.Words, RequestID: o.RequestID, Here: true, Actor: o.Actor, Caller: o.Caller})
	if err == nil {
		return t
	}
	if code := fault.CodeOf(err); errors.Is(err, errUnclear) || code != fault.Unauthorized && code != fault.Invalid && code != fault.Limit {
		return nil
	}
	var f *fault.Error
	errors.As(err, &f) // it has a code
	return &Taught{Words: f.Message}
}

// takeThumb settles what waits for a word about its result. That somebody was faster is no failure.
func (a *Analyst) takeThumb(ctx context.Context, s Standing, f *session.Feedback, by string) error {
	if f == nil || s.Stage != StageAccept || s.Settled != "" {
		return nil
	}
	on := OnAccepted
	switch {
	case Wrong(f.Thumb, f.Reason):
		on = OnRejected
	case f.Thumb == ThumbDown:
		return nil
	}
	if _, err := a.settle(ctx, s, on, by, HowExplicit); err != nil && fault.CodeOf(err) != fault.Conflict {
		return err
	}
	return nil
}

// checkedFeedback gives feedback with its text trimmed; only an error can be serious.
func checkedFeedback(f *session.Feedback) (*session.Feedback, error) {
	if f == nil {
		return nil, nil
	}
	c := *f
	c.Words = strings.TrimSpace(strings.ToValidUTF8(c.Words, ""))
	allowed, known := reasons[c.Thumb]
	switch {
	case !known:
		return nil, fault.New(fault.Invalid, "feedback", text.Say("analyst.no_such_thumb", "thumb", c.Thumb), text.Say("analyst.no_such_thumb_hint"))
	case c.Reason != "" && !slices.Contains(allowed, c.Reason):
		return nil, fault.New(fault.Invalid, "feedback", text.Say("analyst.no_such_reason", "reason", c.Reason), text.Say("analyst.no_such_reason_hint", "known", listed(allowed)))
	case utf8.RuneCountInString(c.Words) > FeedbackRunes:
		return nil, fault.New(fault.Invalid, "feedback", text.Say("analyst.feedback_too_long", "n", FeedbackRunes), text.Say("analyst.feedback_too_long_hint"))
	case c.Serious && c.Thumb != ThumbDown:
		return nil, fault.New(fault.Invalid, "feedback", text.Say("analyst.nothing_serious"), text.Say("analyst.nothing_serious_hint"))
	}
	return &c, nil
}

// metricsOf are the metrics that a canonical query is about, as the actor knows them; none where it cannot be read any more.
func (a *Analyst) metricsOf(actor rules.Actor, frameQL string) []string {
	q, err := frameql.Parse(frameQL)
	if frameQL == "" || err != nil {
		return nil
	}
	plan, refusals := frameql.Resolve(q, a.deps.Knowledge(actor).Env(a.deps.Now(), a.deps.MaxRows))
	if len(refusals) > 0 {
		return nil
	}
	return plan.Metrics
}

// seriousBefore are the metrics of this request, as a person knows them, with which an error was serious to the actor lately.
func (r *run) seriousBefore(ctx context.Context) []string {
	if r.plan == nil {
		return nil
	}
	known, err := r.a.deps.Memory.Serious(ctx, r.actor.ID, r.a.deps.Now().Add(-SeriousDays*24*time.Hour))
	if err != nil {
		return nil // the request fails where it is written down
	}
	var all []string
	for _, name := range r.plan.Metrics {
		if !slices.Contains(known, name) {
			continue
		}
		if m := r.knowledge.Model.Metric(name); m != nil && m.Label != "" {
			name = m.Label
		}
		all = append(all, name)
	}
	return all
}
