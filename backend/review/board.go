package review

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// Memory keeps shared knowledge, and what people taught.
type Memory interface {
	// Items lists shared knowledge of some statuses, all of them when none is named, the latest first, whoever may see it.
	Items(ctx context.Context, statuses ...knowledge.Status) ([]knowledge.Item, error)
	// ItemsAbout lists that of a domain, what is about no entity alone, and what gives a term a meaning; of no domain: all.
	ItemsAbout(ctx context.Context, domain, term string) ([]knowledge.Item, error)
	// Item gives a piece of it. Fault NotFound.
	Item(ctx context.Context, id string) (knowledge.Item, error)
	// AddItem keeps a new piece with its record, both or nothing; id and times are given to it. Fault Conflict: the same is pending.
	AddItem(ctx context.Context, i *knowledge.Item, r analyst.Record) error
	// ChangeItem keeps a piece as it is now, with its record. Faults: NotFound, Conflict (it was changed since before).
	ChangeItem(ctx context.Context, i *knowledge.Item, before time.Time, r analyst.Record) error
	// ForgetItem removes a piece without a trace. Faults: NotFound, Conflict (it was changed since before), Unavailable (its traces are overwritten later).
	ForgetItem(ctx context.Context, id string, before time.Time, r analyst.Record) error
	// Corrections lists what a person taught.
	Corrections(ctx context.Context, author string) ([]knowledge.Correction, error)
	// CorrectionsAbout lists what anybody taught about a domain.
	CorrectionsAbout(ctx context.Context, domain string) ([]knowledge.Correction, error)
	// Domains lists what anybody taught something about.
	Domains(ctx context.Context) ([]string, error)
	// Teachers lists who taught something, sorted.
	Teachers(ctx context.Context) ([]string, error)
	// Judged gives what models said of a piece and others, and when one was asked about it last; of no piece: all contradictions, and when one was asked about each.
	Judged(ctx context.Context, item string) ([]knowledge.Judgment, []knowledge.Judging, error)
	// KeepJudging keeps that a model was asked, and what it said of pieces that still say what they said then.
	KeepJudging(ctx context.Context, asked knowledge.Judging, said []knowledge.Judgment) error
	// NoteSaid keeps what the context files say of words now, each as knowledge.AsSaid, and since when.
	NoteSaid(ctx context.Context, words []string) error
	// Record adds to the audit log, and returns only after that is durable on disk.
	Record(ctx context.Context, r analyst.Record) error
}

// Deps is what a board works with. All are needed.
type Deps struct {
	Memory Memory
	Rules  func() *rules.Rules
	Whole  func() analyst.Knowledge // all of the workspace, whoever may see it
	Seen   func(actor rules.Actor) Sight
	Now    func() time.Time   // the wall
	Env    func() frameql.Env // of Whole, at the moment from which relative dates are counted
	// Relied gives the questions whose answers are relied on: golden queries, and answers that were accepted.
	Relied func(ctx context.Context) ([]Relied, error)
	// Mask takes personal values out of a text.
	Mask func(string) string
	// Plain gives what a question asks, without the words that say how to work or how to draw the answer.
	Plain func(question string) string
	// Run computes a query of our own, at most as many rows as an answer has.
	Run func(ctx context.Context, plan *frameql.Plan) (*frameql.Frame, error)
	// Judge gives the model that compares pieces for an actor; nil: none is on. Faults: it cannot be asked.
	Judge func(ctx context.Context, actor rules.Actor) (*analyst.Judge, error)
	// Judges names it, without looking whether it can be asked: PROVIDER:MODEL; empty: none is on.
	Judges func(ctx context.Context, actor rules.Actor) string
}

// Board is where shared knowledge is decided about. Its methods may be called at the same time.
type Board struct{ deps Deps }

// New makes a board.
func New(d Deps) *Board { return &Board{d} }

// kept is the body of a record of shared knowledge. Its words are not in the log, so that they can be forgotten.
type kept struct {
	What    string           `json:"what"` // candidate offered evidence decided written merged judged edited described forgotten, written down
	Item    string           `json:"item,omitempty"`
	Verdict string           `json:"verdict,omitempty"`
	Status  knowledge.Status `json:"status,omitempty"`
	Self    bool             `json:"self_reviewed,omitempty"`
	Files   int              `json:"files,omitempty"` // of the context layer, that were edited
	With    int              `json:"with,omitempty"`  // others that it is compared with
	Sent    *session.Sent    `json:"sent,omitempty"`  // to a model that compares it, as it is about to go
}

func record(actor string, k kept) (analyst.Record, error) {
	body, err := json.Marshal(k)
	return analyst.Record{Kind: analyst.AuditKnowledge, Actor: actor, Body: body}, err
}

// council says who may decide, as the roles have it now. asking is who wants to, so that somebody who works alone is counted.
func (b *Board) council(ctx context.Context, asking string) (knowledge.Council, error) {
	r := b.deps.Rules()
	role := func(actor string) rules.Role { _, role, _ := r.Of(actor); return role }
	c := knowledge.Council{
		Steward: func(a string) bool { return role(a).Steward }, Admin: func(a string) bool { return role(a).Admin },
		Senior: func(a string) bool { return r.Senior(role(a)) }, MoreThan: r.Consensus.MoreThan,
	}
	people := []string{asking} // who is in no list is somebody too
	for _, a := range r.Actors {
		if a.Kind == rules.Human {
			people = append(people, a.ID)
		}
	}
	if len(people) == 1 {
		teachers, err := b.deps.Memory.Teachers(ctx)
		if err != nil {
			return c, err
		}
		people = append(people, teachers...)
	}
	slices.Sort(people)
	c.People = len(slices.Compact(people))
	return c, nil
}

// Alone says whether an actor works in the workspace by themselves.
func (b *Board) Alone(ctx context.Context, actor string) (bool, error) {
	c, err := b.council(ctx, actor)
	return c.People == 1, err
}

// Edited notes in the log that somebody wrote context files themselves: in a workspace of one person nobody else has looked at them.
func (b *Board) Edited(ctx context.Context, actor string, files int) error {
	alone, err := b.Alone(ctx, actor)
	if err != nil {
		return err
	}
	r, err := record(actor, kept{What: "edited", Self: alone, Files: files})
	if err != nil {
		return err
	}
	return b.deps.Memory.Record(ctx, r)
}

// viewer is how an actor sees shared knowledge: who decides about it sees what waits, and who works alone decides.
func (b *Board) viewer(c knowledge.Council, actor rules.Actor) knowledge.Viewer {
	return knowledge.Viewer{Actor: actor.ID, Steward: c.Steward(actor.ID) || c.Admin(actor.ID) || c.People == 1, Groups: actor.Groups}
}

// Sight is what somebody may know of the workspace.
type Sight struct {
	Knowledge  analyst.Knowledge
	Env        frameql.Env
	Everything bool
}

// sees says whether an item is somebody's to see, who sees what s is: what speaks of things that their role does not see does not exist for them, but for what they brought themselves.
func (s Sight) sees(i knowledge.Item, v knowledge.Viewer, now time.Time) bool {
	switch {
	case !i.Visible(v, now):
		return false
	case s.Everything, v.Actor == i.Contributor:
		return true
	case s.Knowledge.Model == nil || s.Knowledge.Index == nil:
		return false
	}
	return s.Knowledge.HasAll(i) && s.Knowledge.Understands(i, s.Env)
}

// Offer puts what a person taught before the stewards, with that person as its contributor. What is there and says the same gets it as evidence instead; where somebody else brought that, it is not the person's to look at,
// and what is given back has no id. What was turned down stays so. Faults: NotFound: the person has taught no such thing; Conflict: it holds a personal value, or a model read it out of their words and they did not say yet
// that it is right.
func (b *Board) Offer(ctx context.Context, actor rules.Actor, correctionID string) (Reviewed, error) {
	mine, err := b.deps.Memory.Corrections(ctx, actor.ID)
	if err != nil {
		return Reviewed{}, err
	}
	i := slices.IndexFunc(mine, func(c knowledge.Correction) bool { return c.ID == correctionID })
	if i < 0 { // whoever else has one of that name
		return Reviewed{}, fault.New(fault.NotFound, "find correction", text.Say("memory.no_correction"), text.Say("memory.no_correction_hint"))
	}
	if b.personalIn(mine[i].Term, mine[i].Means) {
		return Reviewed{}, fault.New(fault.Conflict, "offer", text.Say("review.personal_values"), text.Say("review.personal_values_hint"))
	}
	if mine[i].Unconfirmed() {
		return Reviewed{}, fault.New(fault.Conflict, "offer", text.Say("review.unconfirmed", "term", mine[i].Term, "means", mine[i].Means), text.Say("review.unconfirmed_hint"))
	}
	same, err := b.saidBefore(ctx, mine[i])
	if err != nil {
		return Reviewed{}, err
	}
	item := knowledge.Item{}
	if same != nil {
		item = *same
		err = b.support(ctx, &item, mine[i:i+1])
	} else {
		item = b.itemOf(mine[i : i+1])
		err = b.add(ctx, &item, "offered", actor.ID)
	}
	if err != nil {
		return Reviewed{}, err
	}
	v, err := b.Look(ctx, actor, item.ID)
	if fault.CodeOf(err) == fault.NotFound { // somebody else brought it, and it is theirs and the stewards' to look at: how it stands is all there is to say
		mine := b.itemOf(mine[i : i+1])
		mine.Status = item.Status
		v, err = Reviewed{Item: mine, Stands: item.At(b.deps.Now()), People: 1, May: []knowledge.Verdict{}, Conflicts: []Conflict{}, Checked: validate(b.deps.Seen(actor), mine)}, nil
	}
	return v, err
}

// Decide gives a verdict of an actor about a piece of shared knowledge; see knowledge.Council.Decide. Faults: those of that, and Conflict: it was changed meanwhile.
func (b *Board) Decide(ctx context.Context, actor rules.Actor, id string, verdict knowledge.Verdict, reason string) (Reviewed, error) {
	item, c, err := b.seen(ctx, actor, id)
	if err != nil {
		return Reviewed{}, err
	}
	if verdict == knowledge.Approve || verdict == knowledge.Order {
		if err := b.sound(item); err != nil {
			return Reviewed{}, err
		}
	}
	d := knowledge.Decision{Verdict: verdict, By: actor.ID, Reason: b.deps.Mask(knowledge.Line(reason)), At: b.deps.Now().UTC()}
	decided, err := c.Decide(item, d, b.viewer(c, actor))
	if err != nil {
		return Reviewed{}, err
	}
	r, err := record(actor.ID, kept{What: "decided", Item: id, Verdict: string(verdict), Status: decided.Status, Self: decided.SelfReviewed})
	if err != nil {
		return Reviewed{}, err
	}
	if err := b.deps.Memory.ChangeItem(ctx, &decided, item.Changed, r); err != nil {
		return Reviewed{}, err
	}
	return b.Look(ctx, actor, id)
}

// Direct says whom a piece of shared knowledge is for, from when until when, in the place of which other, and how far it may travel; see knowledge.Council.Direct. Faults: those of that, and
// Conflict: it was changed meanwhile.
func (b *Board) Direct(ctx context.Context, actor rules.Actor, id string, to knowledge.Reach, reason string) (Reviewed, error) {
	item, c, err := b.seen(ctx, actor, id)
	if err != nil {
		return Reviewed{}, err
	}
	all, err := b.deps.Memory.Items(ctx)
	if err != nil {
		return Reviewed{}, err
	}
	all = b.those(actor, c, all)
	d := knowledge.Decision{By: actor.ID, Reason: b.deps.Mask(knowledge.Line(reason)), At: b.deps.Now().UTC()}
	directed, err := c.Direct(item, to, d, b.viewer(c, actor), all, b.groups())
	if err != nil {
		return Reviewed{}, err
	}
	r, err := record(actor.ID, kept{What: "decided", Item: id, Verdict: string(knowledge.Directed), Status: directed.Status})
	if err != nil {
		return Reviewed{}, err
	}
	if err := b.deps.Memory.ChangeItem(ctx, &directed, item.Changed, r); err != nil {
		return Reviewed{}, err
	}
	return b.Look(ctx, actor, id)
}

// groups are those that people of the workspace are in, sorted.
func (b *Board) groups() []string {
	all := []string{}
	for _, a := range b.deps.Rules().Actors {
		all = append(all, a.Groups...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// sound says why an item cannot be approved as it is: what it says is not understood in the model. nil: it can.
func (b *Board) sound(i knowledge.Item) error {
	if i.Term == "" {
		return nil
	}
	if k := b.deps.Whole(); k.Index == nil || !k.Understands(i, b.deps.Env()) {
		return fault.New(fault.Conflict, "decide", text.Say("review.not_understood", "term", i.Term, "means", i.Means), text.Say("review.not_understood_hint"))
	}
	return nil
}

// mostWaiting is how many pieces of one person may wait for the stewards at once.
const mostWaiting = 200

// roomFor looks that not too much of a person waits already. Fault Limit.
func (b *Board) roomFor(ctx context.Context, actor string) error {
	all, err := b.deps.Memory.Items(ctx, knowledge.Pending)
	if err != nil {
		return err
	}
	n := 0
	for _, i := range all {
		if i.Contributor == actor && !i.Personal {
			n++
		}
	}
	if n >= mostWaiting {
		return fault.New(fault.Limit, "offer", text.Say("review.much_waits", "most", mostWaiting), text.Say("review.much_waits_hint"))
	}
	return nil
}

func (b *Board) add(ctx context.Context, i *knowledge.Item, what, actor string) error {
	if actor != "" { // what several taught is put there by nobody
		if err := b.roomFor(ctx, actor); err != nil {
			return err
		}
	}
	r, err := record(actor, kept{What: what, Status: i.Status})
	if err != nil {
		return err
	}
	return b.deps.Memory.AddItem(ctx, i, r)
}
