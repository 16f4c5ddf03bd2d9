package analyst

import (
	"testing"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/session"
)

// What an answer says twice is said once, in the order in which it came.
func TestAnAnswerSaysNothingTwice(t *testing.T) {
	twice := []string{"b", "a", "b", "", "a", ""}
	a := &Answer{
		Understood: &Understood{
			Assumptions: twice, Confirm: twice, Unread: twice,
			Carried: []interpret.Part{{Text: "x"}, {Text: "x"}}, Dropped: []interpret.Part{{Text: "x"}, {Text: "y"}, {Text: "x"}},
		},
		Findings:      []Finding{{Code: "A", Message: "m"}, {Code: "A", Message: "n"}, {Code: "A", Message: "m"}},
		Verification:  &Verification{Checks: []Check{{Code: "A"}, {Code: "A"}}},
		Risk:          &Risk{Reasons: twice},
		Followups:     []session.Followup{{Title: "t", Question: "q"}, {Title: "u", Question: "q"}},
		Clarification: &interpret.Clarification{Options: []interpret.Choice{{Label: "l"}, {Label: "l"}}},
		Refusal:       &Refused{Repairs: []frameql.Repair{{FrameQL: "f"}, {FrameQL: "f"}}, All: []frameql.Refusal{{Message: "m"}, {Message: "m"}}},
	}
	a.sayOnce()
	for name, list := range map[string][]string{"assumptions": a.Understood.Assumptions, "confirm": a.Understood.Confirm, "unread": a.Understood.Unread, "reasons": a.Risk.Reasons} {
		if len(list) != 3 || list[0] != "b" || list[1] != "a" || list[2] != "" {
			t.Errorf("%s: %q", name, list)
		}
	}
	lengths := []int{
		len(a.Understood.Carried), len(a.Understood.Dropped), len(a.Findings), len(a.Verification.Checks), len(a.Followups),
		len(a.Clarification.Options), len(a.Refusal.Repairs), len(a.Refusal.All),
	}
	for at, want := range []int{1, 2, 2, 1, 1, 1, 1, 1} {
		if lengths[at] != want {
			t.Errorf("list %d has %d entries, not %d", at, lengths[at], want)
		}
	}
	empty := &Answer{Understood: &Understood{Assumptions: []string{}}}
	empty.sayOnce()
	if empty.Understood.Assumptions == nil || empty.Findings != nil {
		t.Error("an empty list became another one")
	}
}
