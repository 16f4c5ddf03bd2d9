package knowledge

import (
	"slices"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

// Sensitivity is how far an item may travel.
type Sensitivity string

// The sensitivities.
const (
	Internal     Sensitivity = ""             // it goes where its people let what they ask go
	Confidential Sensitivity = "confidential" // it stands in no context file, and its words go to no model elsewhere
)

// Reach is whom an item is for, from when until when, what it stands in the place of, and how far it may travel.
type Reach struct {
	Audience    string    // a group of roles.yaml; empty: everyone
	From, Until time.Time // zero: from the decision on, and without an end
	Supersedes  string    // an item that does not count where this one does; empty: none
	Sensitivity Sensitivity
}

// Reach gives what an item has of it.
func (i Item) Reach() Reach {
	return Reach{i.Audience, i.From, i.Until, i.Supersedes, i.Sensitivity}
}

// Direct gives the item as it reaches others after a decision of d.By, who is a steward, an admin or works alone; the one that it is called with stays as it is. others are the items that this
// person sees, and groups those of roles.yaml. A decision that was made about the item stays, except that what only some were to see does not become everyone's without being approved anew.
//
// Faults: NotFound: there is no such item for them, or none to stand in the place of; Unauthorized; Conflict: not as it stands now; Invalid: no such group, a time that is over or ends before
// it begins, a sensitivity that is none, or items that stand in each other's place.
func (c Council) Direct(i Item, to Reach, d Decision, as Viewer, others []Item, groups []string) (Item, error) {
	wrong := func(key string, args ...any) (Item, error) {
		return i, fault.New(fault.Invalid, "decide", text.Say(key, args...), text.Say(key+"_hint"))
	}
	at := i.At(d.At)
	switch {
	case d.By == "" || d.By != as.Actor || !i.Visible(as, d.At):
		return i, fault.New(fault.NotFound, "decide", text.Say("knowledge.no_item"), "")
	case i.Personal:
		return i, fault.New(fault.Conflict, "decide", text.Say("knowledge.personal"), text.Say("knowledge.personal_hint"))
	case !c.Steward(d.By) && !c.Admin(d.By) && c.People != 1:
		return i, fault.New(fault.Unauthorized, "decide", text.Say("knowledge.not_yours", "who", text.Say("knowledge.who_steward")), "")
	case at == Rejected || at == Revoked:
		return i, fault.New(fault.Conflict, "decide", text.Say("knowledge.not_as_it_stands", "status", string(at)), text.Say("knowledge.not_as_it_stands_hint"))
	case to.Audience != "" && !slices.Contains(groups, to.Audience):
		return wrong("knowledge.no_group", "group", to.Audience)
	case !to.Until.IsZero() && !to.Until.After(d.At):
		return wrong("knowledge.over_already", "until", to.Until.Format(time.DateOnly))
	case !to.Until.IsZero() && !to.Until.After(to.From):
		return wrong("knowledge.ends_first", "from", to.From.Format(time.DateOnly), "until", to.Until.Format(time.DateOnly))
	case to.Sensitivity != Internal && to.Sensitivity != Confidential:
		return wrong("knowledge.no_sensitivity", "sensitivity", string(to.Sensitivity))
	}
	if err := standsFor(i.ID, to.Supersedes, as, d.At, others); err != nil {
		return i, err
	}
	out := i
	out.Audience, out.From, out.Until, out.Supersedes, out.Sensitivity = to.Audience, to.From.UTC(), to.Until.UTC(), to.Supersedes, to.Sensitivity
	d.Verdict = Directed
	out.History = append(slices.Clone(i.History), d)
	if widens(i.Reach(), to) && (at == Approved || at == Mandatory || at == Expired) {
		out.Status, out.SelfReviewed = Pending, false
	}
	return out, nil
}

// widens says whether an item reaches people or times that were not decided about. That it may travel further is no more people.
func widens(was, to Reach) bool {
	return was.Audience != "" && to.Audience != was.Audience ||
		!was.Until.IsZero() && (to.Until.IsZero() || to.Until.After(was.Until)) ||
		to.From.Before(was.From)
}

// standsFor looks that an item can stand in the place of another one.
func standsFor(id, other string, as Viewer, now time.Time, all []Item) error {
	for at := other; at != ""; {
		n := slices.IndexFunc(all, func(o Item) bool { return o.ID == at && o.Visible(as, now) })
		switch {
		case at == id:
			return fault.New(fault.Invalid, "decide", text.Say("knowledge.stands_for_itself"), text.Say("knowledge.stands_for_itself_hint"))
		case n < 0 && at == other:
			return fault.New(fault.NotFound, "decide", text.Say("knowledge.no_superseded", "item", other), text.Say("knowledge.no_superseded_hint"))
		case n < 0:
			return nil
		}
		at = all[n].Supersedes
	}
	return nil
}

// Reaches says whether an item is for somebody, once it counts.
func (i Item) Reaches(to Viewer) bool {
	return i.Audience == "" || slices.Contains(to.Groups, i.Audience)
}
