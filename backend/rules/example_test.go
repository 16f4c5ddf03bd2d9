package rules_test

import (
	"fmt"
	"time"

	"assay/backend/rules"
	"assay/backend/rules/pii"
)

// The rules in the life of one request.
func Example() {
	r := rules.Builtin() // of a workspace: rules.Load(os.DirFS(folder))

	// INTAKE: who asks, and what they may see
	actor, _ := r.Identify("", rules.Caller{OSUser: "ana"})
	sees := r.Whitelist(actor) // for the gate; sees.Model(model, "main", tables) for the reader
	fmt.Println(actor.ID, actor.Role, sees.Everything())

	// SCOPE: ask back?
	for _, why := range r.MustClarify(0.2, map[string]float64{"metric": 0.55}) {
		fmt.Println(why.Text)
	}

	// PLAN: what may happen
	c := rules.Case{
		Actor: actor, Likelihood: 0.34, Cost: 0.4, Plan: &rules.Plan{Bytes: 120e9, Runtime: time.Minute, Rows: 1e6},
		Domains: []string{"sales"}, Objects: []rules.Object{{Schema: "main", Table: "orders"}},
	}
	v := r.Judge(c)
	fmt.Println(v.Level, v.Decision, v.Status, v.Run)
	fmt.Println(v.Confirm.Why[0].Text)

	// the person confirms: EXECUTE, DELIVER, ACCEPT
	c.Confirmed = true
	v = r.Judge(c)
	fmt.Println(v.Level, v.Decision, v.Status, v.Run, v.Tell, v.Acceptance.After, v.Acceptance.Then)

	// what a model is shown of it, and what comes back
	vault, _ := pii.NewVault([]byte("random bytes of the session"))
	m := pii.Masker{Policy: r.PII, Vault: vault}
	_, rows := m.Frame([]pii.Column{{Table: "customers", Name: "contact_name"}}, [][]any{{"Jane Example"}})
	said := fmt.Sprintf("The last order is of %v.", rows[0][0])
	fmt.Println(said == "The last order is of Jane Example.", vault.Restore(said))
	// Output:
	// os:ana analyst true
	// The confidence in "metric" is 0.55, below 0.6.
	// 3 confirm needs_confirmation false
	// The run is expected to scan 120 GB, over 100 GB. Level 3 at most. It waits for confirmation before it runs.
	// 3 confirm pending_acceptance true [] 72h0m0s abandon
	// false The last order is of Jane Example.
}
