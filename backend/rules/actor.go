package rules

import (
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// Kind says whether a person asks or a program does.
type Kind string

// The kinds of actor.
const (
	Human Kind = "human"
	Agent Kind = "agent"
)

// Actor is somebody who asks.
type Actor struct {
	ID            string
	Kind          Kind
	Role          string
	Tolerance     string   // low normal high: a short word for the two preferences that follow
	ReviewAll     bool     // never level 5
	TrustRoutine  bool     // level 5 for what is simple and not costly
	AlwaysConfirm []string // domains: level 3 at most
	Groups        []string // audiences of shared knowledge that the actor belongs to
	OSUsers       []string
	Tokens        []string
	Keys          []string // Ed25519 in hexadecimal: with which the actor signs what comes from elsewhere
}

// Role is what an actor may see and how far a request of it may go alone.
type Role struct {
	Name      string
	Schemas   []string // patterns; none: nothing is seen
	Tables    []string // patterns of table or schema.table; none: nothing is seen
	Seniority string   // none senior lead principal manager
	Steward   bool     // decides about shared knowledge
	Admin     bool     // may order that shared knowledge holds
	AtMost    int      // the highest level
}

// Senior says whether corrections of the role count for a consensus.
func (rules *Rules) Senior(role Role) bool {
	return slices.Contains(rules.Consensus.Seniority, role.Seniority)
}

// Role finds a role by its name.
func (rules *Rules) Role(name string) (Role, bool) {
	i := slices.IndexFunc(rules.Roles, func(x Role) bool { return x.Name == name })
	if i < 0 {
		return Role{}, false
	}
	return rules.Roles[i], true
}

func (rules *Rules) roleNames() []string {
	var names []string
	for _, x := range rules.Roles {
		names = append(names, x.Name)
	}
	return names
}

// Of gives an actor by its id, as the rules have it now, with its role; false: there is none of that name any more. It says nothing of who is there in fact: see Identify.
func (rules *Rules) Of(id string) (Actor, Role, bool) {
	a := Actor{ID: id, Kind: Human, Role: rules.DefaultRole, Tolerance: "normal"}
	if !strings.HasPrefix(id, unboundPrefix) {
		i := slices.IndexFunc(rules.Actors, func(x Actor) bool { return x.ID == id })
		if i < 0 {
			return Actor{}, Role{}, false
		}
		a = rules.Actors[i]
	}
	role, ok := rules.Role(a.Role)
	return a, role, ok
}

// Holder says who signs with a key; false: nobody is bound to it.
func (rules *Rules) Holder(key string) (Actor, bool) {
	i := slices.IndexFunc(rules.Actors, func(a Actor) bool { return slices.Contains(a.Keys, key) })
	if i < 0 {
		return Actor{}, false
	}
	return rules.Actors[i], true
}

// Caller is who is there in fact, as the operating system or the door proved it. Exactly one of the two counts: behind a
// named token stands whoever holds it and not the user whose process answers.
type Caller struct {
	OSUser string // name of the user of this computer
	Token  string // name of the token that was shown, never its secret; empty: none
}

// unboundPrefix marks the ID of a user whom no actor is bound to, so that nobody becomes an actor by being called like one.
const unboundPrefix = "os:"

// Acting gives the same rules for a process that acts as one of the actors that are bound to the user of this computer, wherever nobody else is named; empty: as the first of them.
func (rules *Rules) Acting(id string) *Rules {
	changed := *rules
	changed.acting = id
	return &changed
}

// Identify says which actor a caller is. id is what --actor names: it must be bound to this caller. Empty: the one that the process acts as (Acting), or the first actor of
// roles.yaml that is bound to it. A user of this computer without any is "os:NAME", a person with the default role.
//
// fault.Unauthorized: it is not known who the caller is; the id is not bound to this caller, in the same words whether there is such an actor or not; or nobody
// is bound to the token.
func (rules *Rules) Identify(id string, caller Caller) (Actor, error) {
	if id == "" && caller.Token == "" {
		id = rules.acting
	}
	for _, a := range rules.Actors {
		bound := caller.Token == "" && caller.OSUser != "" && slices.Contains(a.OSUsers, caller.OSUser) ||
			caller.Token != "" && slices.Contains(a.Tokens, caller.Token)
		if bound && (id == "" || id == a.ID) {
			return rules.wished(a), nil
		}
	}
	switch {
	case caller == Caller{}:
		return Actor{}, fault.New(fault.Unauthorized, "identify", text.Say("rules.nobody_known"), text.Say("rules.nobody_known_hint"))
	case id != "" && (caller.Token != "" || id != unboundPrefix+caller.OSUser):
		return Actor{}, fault.New(fault.Unauthorized, "identify", text.Say("rules.not_that_actor", "name", id), text.Say("rules.not_that_actor_hint"))
	case caller.Token != "":
		return Actor{}, fault.New(fault.Unauthorized, "identify", text.Say("rules.token_unbound"), text.Say("rules.token_unbound_hint"))
	}
	return rules.wished(Actor{ID: unboundPrefix + caller.OSUser, Kind: Human, Role: rules.DefaultRole, Tolerance: "normal"}), nil
}
