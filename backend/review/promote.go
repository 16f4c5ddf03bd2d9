package review

import (
	"context"
	"regexp"
	"slices"
	"strings"

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
// Unauthorized; Conflict: it was not decided, gives no word a meaning, is for some people only or confidential, holds a personal value, or the context files say it already.
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
	revoked := item.Status == knowledge.Revoked && item.Merged != nil
	switch {
	case item.Term == "":
		return p, fault.New(fault.Conflict, "propose", text.Say("review.no_term"), "")
	case !revoked && !item.Counts(b.deps.Now()):
		return p, fault.New(fault.Conflict, "propose", text.Say("review.not_approved"), text.Say("review.not_approved_hint"))
	case item.Audience != "":
		return p, fault.New(fault.Conflict, "propose", text.Say("review.for_some", "group", item.Audience), text.Say("review.for_some_hint"))
	case item.Sensitivity == knowledge.Confidential:
		return p, fault.New(fault.Conflict, "propose", text.Say("review.confidential"), text.Say("review.for_some_hint"))
	case !revoked && item.Merged != nil:
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
	if b.personalIn(term.Term, term.Means, term.Why) {
		return p, fault.New(fault.Conflict, "propose", text.Say("review.personal_values"), text.Say("review.personal_values_hint"))
	}
	p.File, p.Text = semantic.WriteTerm(term)
	p.Branch = "assay/" + term.Name + "-" + item.ID[:8]
	n := len(item.Behind())
	p.Message = text.Count("review.commit", int64(n), "n", n, "term", item.Term, "means", item.Means, "item", item.ID)
	if item.SelfReviewed {
		p.Message = text.Say("review.commit_alone", "term", item.Term, "means", item.Means, "item", item.ID)
	}
	if revoked {
		p.Text, p.Branch = nil, p.Branch+"-revoked"
		p.Message = text.Say("review.commit_revoked", "term", item.Term, "item", item.ID)
	}
	return p, nil
}

var unsafeInName = regexp.MustCompile(`[^a-z0-9]+`)

// termOf is a piece of shared knowledge as the context files hold it. Who approved it stands there as a role, and who taught it does not.
func termOf(i knowledge.Item) semantic.Term {
	name := strings.Trim(unsafeInName.ReplaceAllString(strings.ToLower(i.Term), "-"), "-")
	if name == "" { // of another script
		name = "term-" + i.ID[:8]
	}
	t := semantic.Term{Name: name, Term: i.Term, Means: i.Means, ApprovedBy: "role:steward", SelfReviewed: i.SelfReviewed}
	for _, d := range i.History {
		if d.Verdict == knowledge.Approve || d.Verdict == knowledge.Order {
			t.ApprovedAt, t.Why = d.At.Format("2006-01-02"), d.Reason
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

// Recognise marks what was approved and the context files say now, and takes the mark from what they do not say any more.
func (b *Board) Recognise(ctx context.Context, terms []semantic.Term) error {
	all, err := b.deps.Memory.Items(ctx, knowledge.Approved, knowledge.Mandatory, knowledge.Revoked)
	if err != nil {
		return err
	}
	for _, i := range all {
		said := slices.ContainsFunc(terms, func(t semantic.Term) bool {
			return i.Term != "" && knowledge.Key(t.Term) == knowledge.Key(i.Term) && strings.EqualFold(knowledge.Line(t.Means), knowledge.Line(i.Means))
		})
		if said == (i.Merged != nil) || said && i.Audience != "" {
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
