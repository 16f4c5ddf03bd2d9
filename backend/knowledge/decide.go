package knowledge

import (
	"slices"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

// Verdict is what a person decides about an item.
type Verdict string

// The verdicts.
const (
	Approve Verdict = "approve"
	Order   Verdict = "mandate"
	Reject  Verdict = "reject"
	Revoke  Verdict = "revoke"
	Hide    Verdict = "make_personal"
	Offer   Verdict = "make_shared" // it is not personal any more; it is pending again
	Endorse Verdict = "endorse"
	// Directed is how a decision about the reach of an item stands in its history; see Council.Direct.
	Directed Verdict = "direct"
	// Forgotten stands in no history: nothing is left of what its author has forgotten. See Item.Forgets.
	Forgotten Verdict = "forget"
	// Described is how it stands there that it was called or said otherwise; see Council.Describe.
	Described Verdict = "describe"
)

// Decision is a verdict of a person at a time.
type Decision struct {
	Verdict Verdict   `json:"verdict" enum:"approve,mandate,reject,revoke,make_personal,make_shared,endorse,direct,describe"`
	By      string    `json:"by"`
	Reason  string    `json:"reason"` // needed to reject, to revoke and to mandate
	At      time.Time `json:"at"`
}

// Council says who may decide, as the roles of the workspace have it now.
type Council struct {
	Steward, Admin, Senior func(actor string) bool
	MoreThan               int // different senior people behind an item: more than this
	People                 int // who work in the workspace
}

// Seniors counts the different senior people whose evidence stands behind an item.
func (c Council) Seniors(i Item) int {
	n := 0
	for _, a := range i.Behind() {
		if c.Senior(a) {
			n++
		}
	}
	return n
}

// from are the statuses in which a verdict about an item can be given.
var from = map[Verdict][]Status{
	Approve: {Pending, Rejected, Revoked}, // what was turned down is taken up again by the same rules
	Order:   {Pending, Approved, Rejected, Revoked},
	Reject:  {Pending},
	Revoke:  {Approved, Mandatory, Expired},
	Hide:    {Pending, Approved},
	Offer:   {Pending},
	Endorse: {Pending, Approved, Mandatory},
}

// Decide gives the item as it stands after a decision; the one that it is called with stays as it is.
//
//   - A steward approves, once more than MoreThan different senior people stand behind the item, and not when it is theirs alone. In a workspace of one
//     person that person may, and the item says so.
//   - A steward rejects and revokes, and so does who works alone; an admin mandates, and not what is theirs alone, but in a workspace of one person; all with a reason.
//   - The contributor, and nobody else, makes an item personal and shared again, and not while the context files say it. What is personal is not decided about.
//   - What was rejected or revoked is approved and mandated as what waits is.
//   - Whoever sees an item endorses it, once.
//
// Faults: NotFound: there is no such item for them; Unauthorized: it is not theirs to decide; Conflict: not as it stands now, or too few stand behind it; Invalid: a
// verdict that is none, or a reason that is missing.
func (c Council) Decide(i Item, d Decision, as Viewer) (Item, error) {
	allowed, known := from[d.Verdict]
	switch {
	case d.By == "" || d.By != as.Actor || !i.Visible(as, d.At):
		return i, fault.New(fault.NotFound, "decide", text.Say("knowledge.no_item"), "")
	case !known:
		return i, fault.New(fault.Invalid, "decide", text.Say("knowledge.no_verdict", "verdict", string(d.Verdict)), "")
	case !slices.Contains(allowed, i.At(d.At)):
		return i, fault.New(fault.Conflict, "decide", text.Say("knowledge.not_as_it_stands", "status", string(i.At(d.At))), text.Say("knowledge.not_as_it_stands_hint"))
	case i.Personal && d.Verdict != Offer:
		return i, fault.New(fault.Conflict, "decide", text.Say("knowledge.personal"), text.Say("knowledge.personal_hint"))
	}
	if d.Verdict == Offer && !i.Personal {
		return i, fault.New(fault.Conflict, "decide", text.Say("knowledge.shared_already"), "")
	}
	if d.Verdict == Hide && i.Merged != nil && i.Contributor == d.By {
		return i, fault.New(fault.Conflict, "decide", text.Say("knowledge.in_files"), text.Say("knowledge.in_files_hint"))
	}
	if err := c.may(i, d); err != nil {
		return i, err
	}
	out := i
	out.History = append(slices.Clone(i.History), d)
	out.Evidence = slices.Clone(i.Evidence)
	switch d.Verdict {
	case Approve:
		out.Status, out.SelfReviewed = Approved, c.own(i, d.By)
	case Order:
		out.Status = Mandatory
		if i.At(d.At) != Approved {
			out.SelfReviewed = c.own(i, d.By)
		}
		out.Evidence = append(out.Evidence, Evidence{Actor: d.By, Detection: ByMandate, Quote: d.Reason, At: d.At})
	case Reject:
		out.Status = Rejected
	case Revoke:
		out.Status = Revoked
	case Hide:
		out.Status, out.Personal, out.SelfReviewed = Pending, true, false // what was decided was about something shared
	case Offer:
		out.Personal = false
	case Endorse:
		out.Evidence = append(out.Evidence, Evidence{Actor: d.By, Detection: ByConfirmation, Quote: d.Reason, At: d.At})
	}
	return out, nil
}

// own says whether an item is one person's alone.
func (c Council) own(i Item, actor string) bool {
	authors := i.authors()
	return len(authors) == 1 && authors[0] == actor
}

// may says whether a verdict is this person's to give about an item that stands as it must.
func (c Council) may(i Item, d Decision) error {
	not := func(who string) error {
		return fault.New(fault.Unauthorized, "decide", text.Say("knowledge.not_yours", "who", text.Say("knowledge.who_"+who)), "")
	}
	reasoned := strings.TrimSpace(d.Reason) != ""
	switch d.Verdict {
	case Approve:
		alone := c.People == 1
		switch {
		case !c.Steward(d.By) && !alone:
			return not("steward")
		case alone:
			return nil
		case c.own(i, d.By):
			return fault.New(fault.Conflict, "decide", text.Say("knowledge.own"), text.Say("knowledge.own_hint"))
		case c.Seniors(i) <= c.MoreThan:
			return fault.New(fault.Conflict, "decide", text.Count("knowledge.too_few", int64(c.Seniors(i)), "n", c.Seniors(i), "more", c.MoreThan), text.Say("knowledge.too_few_hint"))
		}
		return nil
	case Order:
		switch {
		case !c.Admin(d.By):
			return not("admin")
		case c.own(i, d.By) && c.People != 1:
			return fault.New(fault.Conflict, "decide", text.Say("knowledge.own"), text.Say("knowledge.own_hint"))
		}
	case Reject, Revoke:
		if !c.Steward(d.By) && c.People != 1 {
			return not("steward")
		}
	case Hide, Offer:
		if d.By != i.Contributor {
			return not("contributor")
		}
		return nil
	case Endorse:
		if slices.ContainsFunc(i.History, func(was Decision) bool { return was.Verdict == Endorse && was.By == d.By }) {
			return fault.New(fault.Conflict, "decide", text.Say("knowledge.endorsed"), "")
		}
		return nil
	}
	if !reasoned {
		return fault.New(fault.Invalid, "decide", text.Say("knowledge.no_reason"), text.Say("knowledge.no_reason_hint"))
	}
	return nil
}
