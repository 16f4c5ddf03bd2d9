package rules

import (
	"slices"
	"testing"
)

func TestWishes(t *testing.T) {
	book := *Builtin()
	book.Actors = []Actor{
		{ID: "ana", Kind: Human, Role: "analyst", ReviewAll: true, AlwaysConfirm: []string{"finance"}, OSUsers: []string{"ana"}},
		{ID: "bot", Kind: Agent, Role: "agent", Tokens: []string{"bot"}},
	}
	who := func(r *Rules, c Caller) Actor {
		t.Helper()
		a, err := r.Identify("", c)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	ana, bot, eva := Caller{OSUser: "ana"}, Caller{Token: "bot"}, Caller{OSUser: "eva"}
	wish := Wishes{TrustRoutine: true, AlwaysConfirm: []string{"finance", "people"}}
	wished := book.WithWishes("ana", wish).WithWishes("bot", wish).WithWishes(who(&book, eva).ID, wish)

	if a := who(wished, ana); !a.ReviewAll || a.TrustRoutine || !slices.Equal(a.AlwaysConfirm, []string{"finance", "people"}) {
		t.Errorf("a wish takes back what the file says: %+v", a)
	}
	if a := who(wished, eva); !a.TrustRoutine || a.ReviewAll {
		t.Errorf("a wish of a person without an entry: %+v", a)
	}
	if a := who(wished, bot); a.TrustRoutine || len(a.AlwaysConfirm) > 0 {
		t.Errorf("an agent has wishes: %+v", a)
	}
	if a := who(wished.WithWishes(who(&book, eva).ID, Wishes{ReviewAll: true, TrustRoutine: true}), eva); !a.ReviewAll || a.TrustRoutine {
		t.Errorf("a review goes before trust: %+v", a)
	}
	if a := who(&book, eva); a.TrustRoutine || len(book.Actors[0].AlwaysConfirm) != 1 {
		t.Errorf("the rules without wishes were changed: %+v", a)
	}
}
