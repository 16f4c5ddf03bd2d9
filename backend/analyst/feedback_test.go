package analyst

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/rules"
	"assay/backend/session"
)

func opined(t *testing.T, d *desk) Opined {
	t.Helper()
	i := slices.IndexFunc(d.memory.records, func(r Record) bool { return r.Kind == AuditFeedback })
	if i < 0 {
		t.Fatal("no record of the feedback")
	}
	var o Opined
	if err := json.Unmarshal(d.memory.records[i].Body, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// A thumb is the word about a result that waits for one, unless it says nothing about right or wrong.
func TestAThumbSettlesWhatWaits(t *testing.T) {
	for _, c := range []struct {
		said     session.Feedback
		settled  Happening
		feedback string
		wrong    bool
	}{
		{session.Feedback{Thumb: ThumbUp}, OnAccepted, "positive", false},
		{session.Feedback{Thumb: ThumbUp, Reason: ReasonClear}, OnAccepted, "positive", false},
		{session.Feedback{Thumb: ThumbDown}, OnRejected, "negative", true},
		{session.Feedback{Thumb: ThumbDown, Reason: ReasonMisread}, OnRejected, "negative", true},
		{session.Feedback{Thumb: ThumbDown, Reason: ReasonOther}, OnRejected, "negative", true},
		{session.Feedback{Thumb: ThumbDown, Reason: ReasonSlow}, "", "negative", false},
		{session.Feedback{Thumb: ThumbDown, Reason: ReasonUnclear}, "", "negative", false},
	} {
		d := newDesk(t, shopKnowledge(t), categoryRows()...)
		a, err := d.ask(t.Context(), Request{FrameQL: byCategory, Level: 3})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := d.Opine(t.Context(), Opinion{RequestID: a.RequestID, Feedback: &c.said, Caller: ada}); err != nil {
			t.Fatal(err)
		}
		s, err := d.memory.Standing(t.Context(), a.RequestID)
		if o := opined(t, d); err != nil || s.Settled != c.settled || o.Feedback != c.feedback || o.Wrong != c.wrong {
			t.Errorf("%+v: settled %q, record %+v, %v", c.said, s.Settled, o, err)
		}
	}
}

// What is said can be changed and taken back; the word that settled the request stays.
func TestFeedbackIsChangedAndTakenBack(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()...)
	a, err := d.ask(t.Context(), Request{FrameQL: byCategory, Level: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []*session.Feedback{{Thumb: ThumbUp}, {Thumb: ThumbDown, Words: "  the year is wrong "}, nil} {
		got, _, err := d.Opine(t.Context(), Opinion{RequestID: a.RequestID, Feedback: said, Caller: ada})
		if err != nil || (got == nil) != (said == nil) {
			t.Fatalf("%+v, %v", got, err)
		}
		if said != nil && (got.At.IsZero() || got.Words != strings.TrimSpace(said.Words)) {
			t.Errorf("kept %+v", got)
		}
	}
	if x := d.memory.feedback[a.RequestID]; x.of != nil {
		t.Errorf("it was not taken back: %+v", x.of)
	}
	if s, _ := d.memory.Standing(t.Context(), a.RequestID); s.Settled != OnAccepted {
		t.Errorf("settled %q", s.Settled)
	}
}

// An error that its person called serious makes the next one expensive: for that person, and for the same metric.
func TestASeriousErrorMakesTheNextOneExpensive(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), slices.Concat(categoryRows(), categoryRows(), categoryRows(), categoryRows())...)
	a, err := d.ask(t.Context(), Request{FrameQL: byCategory})
	if err != nil || a.Risk.Cost >= 0.5 {
		t.Fatalf("cost %v, %v", a.Risk.Cost, err)
	}
	said := session.Feedback{Thumb: ThumbDown, Reason: ReasonWrong, Serious: true}
	if _, _, err := d.Opine(t.Context(), Opinion{RequestID: a.RequestID, Feedback: &said, Caller: ada}); err != nil {
		t.Fatal(err)
	}
	again, err := d.ask(t.Context(), Request{FrameQL: byCategory})
	if err != nil || again.Risk.Cost != 0.6 || again.Risk.ExpectedCost != "high" || !slices.ContainsFunc(again.Risk.Reasons, func(s string) bool { return strings.Contains(s, "Revenue was serious") }) {
		t.Errorf("%+v, %v", again.Risk, err)
	}
	d.memory.feedback[a.RequestID] = saidOf{&said, d.memory.feedback[a.RequestID].actor, []string{"order_count"}}
	if other, err := d.ask(t.Context(), Request{FrameQL: byCategory}); err != nil || other.Risk.Cost >= 0.5 {
		t.Errorf("what was serious about another metric costs %v, %v", other.Risk.Cost, err)
	}
	d.memory.feedback[a.RequestID] = saidOf{&said, "somebody", []string{"revenue"}}
	if theirs, err := d.ask(t.Context(), Request{FrameQL: byCategory}); err != nil || theirs.Risk.Cost >= 0.5 {
		t.Errorf("what is serious to somebody else costs %v, %v", theirs.Risk.Cost, err)
	}
}

// The log does not hold what a person quotes.
func TestFeedbackIsMaskedInTheLog(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()...)
	d.deps.Mask = func(s string) string { return strings.ReplaceAll(s, "ada@example.com", "<EMAIL>") }
	a, err := d.ask(t.Context(), Request{FrameQL: byCategory})
	if err != nil {
		t.Fatal(err)
	}
	said := session.Feedback{Thumb: ThumbDown, Words: "'Ada Lovelace' (ada@example.com) is missing"}
	if _, _, err := d.Opine(t.Context(), Opinion{RequestID: a.RequestID, Feedback: &said, Caller: ada}); err != nil {
		t.Fatal(err)
	}
	if got := opined(t, d).Words; got != "'<VALUE>' (<EMAIL>) is missing" {
		t.Errorf("the log holds %q", got)
	}
}

func TestFeedbackFaults(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), slices.Concat(categoryRows(), categoryRows())...)
	robot := rules.Caller{OSUser: "robot"}
	d.deps.Rules = func() *rules.Rules {
		r := *bound()
		r.Actors = append(r.Actors, rules.Actor{ID: "robot", Kind: rules.Agent, Role: "agent", OSUsers: []string{"robot"}})
		return &r
	}
	mine, err := d.ask(t.Context(), Request{FrameQL: byCategory})
	if err != nil {
		t.Fatal(err)
	}
	its, err := d.ask(t.Context(), Request{FrameQL: byCategory, Caller: robot})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		id   string
		said session.Feedback
		by   rules.Caller
		want fault.Code
	}{
		"no request":       {"none", session.Feedback{Thumb: ThumbUp}, ada, fault.NotFound},
		"somebody else's":  {its.RequestID, session.Feedback{Thumb: ThumbUp}, ada, fault.Unauthorized},
		"an agent's own":   {its.RequestID, session.Feedback{Thumb: ThumbUp}, robot, fault.Unauthorized},
		"no thumb":         {mine.RequestID, session.Feedback{Thumb: "sideways"}, ada, fault.Invalid},
		"another's reason": {mine.RequestID, session.Feedback{Thumb: ThumbUp, Reason: ReasonWrong}, ada, fault.Invalid},
		"serious and fine": {mine.RequestID, session.Feedback{Thumb: ThumbUp, Serious: true}, ada, fault.Invalid},
		"too long":         {mine.RequestID, session.Feedback{Thumb: ThumbUp, Words: strings.Repeat("é", FeedbackRunes+1)}, ada, fault.Invalid},
	} {
		if _, _, err := d.Opine(t.Context(), Opinion{RequestID: c.id, Feedback: &c.said, Caller: c.by}); fault.CodeOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(d.memory.feedback) > 0 {
		t.Errorf("something was kept: %v", d.memory.feedback)
	}
}
