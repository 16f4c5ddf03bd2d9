package review

import (
	"context"
	"regexp"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Proposal is the context file of a piece of shared knowledge, to be written where people review it.
type Proposal struct {
	Item    knowledge.Item
	File    string // relative to the workspace's folder
	Text    []byte // nil: the file goes, since it was revoked
	Branch  string
	Message string // of a commit
	Direct  bool   // who works alone may write the file as it is
}

// Propose makes the context file of what was approved, or the removal of what was revoked and stands in one. Only a steward, or who works alone, has it written. Faults: NotFound, as of Look;
// Unauthorized; Conflict: it was not decided, gives no word a meaning, is for some people or some time only or confidential, holds a personal value, or the context files say it already. What the files say and is for some
// people or some time only by now is taken out of them like what was revoked.
func (b *Board) Propose(ctx context.Context, actor rules.Actor, id string) (Proposal, error) {
	item, c, err := b.seen(ctx, actor, id)
	if err != nil {
		return Proposal{}, err
	}
	alone := c.People == 1
	if !c.Steward(actor.ID) && !alone {
		return Proposal{}, fault.New(fault.Unauthorized, "propose", text.Say("knowledge.not_yours", "who", text.Say("knowledge.who_steward")), "")
	}
	p := Proposal{Item: item, Direct: alone}
	at := item.At(b.deps.Now())
	bounded := !item.From.IsZero() && item.From.After(b.deps.Now()) || !item.Until.IsZero()
	narrowed := bounded || item.Audience != "" || item.Sensitivity == knowledge.Confidential
	gone := item.Merged != nil && (at == knowledge.Revoked || at == knowledge.Expired || narrowed && item.Counts(b.deps.Now()))
	switch {
	case item.Term == "":
		return p, fault.New(fault.Conflict, "propose", text.Say("review.no_term"), "")
	case !gone && !item.Counts(b.deps.Now()):
		return p, fault.New(fault.Conflict, "propose", text.Say("review.not_approved"), text.Say("review.not_approved_hint"))
	case !gone && item.Audience != "":
		return p, fault.New(fault.Conflict, "propose", text.Say("review.for_some", "group", item.Audience), text.Say("review.for_some_hint"))
	case !gone && item.Sensitivity == knowledge.Confidential:
		return p, fault.New(fault.Conflict, "propose", text.Say("review.confidential"), text.Say("review.for_some_hint"))
	case !gone && bounded:
		return p, fault.New(fault.Conflict, "propose", text.Say("review.for_a_time"), text.Say("review.for_some_hint"))
	case !gone && item.Merged != nil:
		return p, fault.New(fault.Conflict, "propose", text.Say("review.merged"), "")
	}
	term := termOf(item)
	if k := b.deps.Whole(); k.Model != nil { // a file that gives the word a meaning already is written anew
		for _, t := range k.Model.Terms {
			if knowledge.Key(t.Term) == knowledge.Key(item.Term) {
				term.Name = t.Name
			}
		}
	}
	if !gone && b.personalIn(term.Term, term.Means, term.Why) {
		return p, fault.New(fault.Conflict, "propose", text.Say("review.personal_values"), text.Say("review.personal_values_hint"))
	}
	p.File, p.Text = semantic.WriteTerm(term)
	p.Branch = "assay/" + term.Name + "-" + item.ID[:8]
	n := len(item.Behind())
	p.Message = text.Count("review.commit", int64(n), "n", n, "term", item.Term, "means", item.Means, "item", item.ID)
	switch {
	case gone && at == knowledge.Revoked:
		p.Text, p.Branch, p.Message = nil, p.Branch+"-revoked", text.Say("review.commit_revoked", "term", item.Term, "item", item.ID)
	case gone:
		p.Text, p.Branch, p.Message = nil, p.Branch+"-out", text.Say("review.commit_out", "term", item.Term, "item", item.ID)
	case item.SelfReviewed:
		p.Message = text.Say("review.commit_alone", "term", item.Term, "means", item.Means, "item", item.ID)
	case term.ApprovedBy == byAdmin:
		p.Message = text.Say("review.commit_mandated", "term", item.Term, "means", item.Means, "item", item.ID)
	}
	return p, nil
}

const byAdmin = "role:admin"

var unsafeInName = regexp.MustCompile(`[^a-z0-9]+`)

// termOf is a piece of shared knowledge as the context files hold it. Who approved it stands there as a role, and who taught it does not.
func termOf(i knowledge.Item) semantic.Term {
	name := strings.Trim(unsafeInName.ReplaceAllString(strings.ToLower(i.Term), "-"), "-")
	if name == "" { // of another script
		name = "term-" + i.ID[:8]
	}
	t := semantic.Term{Name: name, Term: i.Term, Means: i.Means, ApprovedBy: "role:steward", SelfReviewed: i.SelfReviewed}
	for _, d := range i.History {
		switch d.Verdict {
		case knowledge.Approve:
			t.ApprovedBy, t.ApprovedAt, t.Why = "role:steward", d.At.Format(time.DateOnly), d.Reason
		case knowledge.Order:
			t.ApprovedBy, t.ApprovedAt, t.Why = byAdmin, d.At.Format(time.DateOnly), d.Reason
		}
	}
	if i.SelfReviewed {
		t.ApprovedBy = "role:author"
	}
	return t
}

// Written notes in the log, and on the piece, that a proposal stands on a branch, or in the files, where branch is empty.
func (b *Board) Written(ctx context.Context, actor rules.Actor, p Proposal, branch string) (Reviewed, error) {
	item, before := p.Item, p.Item.Changed
	item.Branch = branch
	r, err := record(actor.ID, kept{What: "written", Item: item.ID, Status: item.Status, Self: item.SelfReviewed})
	if err == nil {
		err = b.deps.Memory.ChangeItem(ctx, &item, before, r)
	}
	if err != nil {
		return Reviewed{}, err
	}
	return b.Look(ctx, actor, item.ID)
}

// Recognise marks what was approved and the context files say now, and takes the mark from what they do not say any more. What they came to say since they were looked at last counts as decided now.
func (b *Board) Recognise(ctx context.Context, terms []semantic.Term) error {
	var words []string
	stands := map[string]bool{}
	for _, t := range terms {
		words = append(words, knowledge.AsSaid(t.Term, t.Means))
		stands[words[len(words)-1]] = true
	}
	if err := b.deps.Memory.NoteSaid(ctx, words); err != nil {
		return err
	}
	all, err := b.deps.Memory.Items(ctx, knowledge.Approved, knowledge.Mandatory, knowledge.Revoked, knowledge.Pending)
	if err != nil {
		return err
	}
	for _, i := range all {
		said := i.Term != "" && stands[knowledge.AsSaid(i.Term, i.Means)]
		if said == (i.Merged != nil) || said && (i.Audience != "" || i.Status == knowledge.Pending) {
			continue
		}
		before := i.Changed
		i.Merged = nil
		if said {
			now := b.deps.Now().UTC()
			i.Merged = &now
		}
		r, err := record("", kept{What: "merged", Item: i.ID, Status: i.Status})
		if err == nil {
			err = b.deps.Memory.ChangeItem(ctx, &i, before, r)
		}
		if code := fault.CodeOf(err); err != nil && code != fault.Conflict && code != fault.NotFound {
			return err
		}
	}
	return nil
}
