package rules

import (
	"crypto/ed25519"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"assay/backend/knowledge"
	"assay/backend/semantic"
	"assay/backend/text"

	"github.com/goccy/go-yaml/ast"
)

// seniorities are the words of roles.yaml, from low to high.
func seniorities() []string { return []string{"none", "senior", "lead", "principal", "manager"} }

// longestName is that of the ids of actors and of the names of roles, in characters.
const longestName = 64

// isName says whether a text has the form of the id of an actor or of the name of a role: letters, digits and _ . @ -, the
// last three not at the beginning. It has no colon: what stands before one says that nobody is bound (see Identify).
func isName(s string) bool {
	for i, c := range s {
		inside := i > 0 && (c == '.' || c == '@' || c == '-')
		if !unicode.IsLetter(c) && !unicode.IsNumber(c) && c != '_' && !inside {
			return false
		}
	}
	return s != "" && utf8.RuneCountInString(s) <= longestName
}

func (f *fields) identifier(key string) string {
	s := f.required(key)
	if s != "" && !isName(s) {
		f.fail(key, text.Say("semantic.bad_name", "name", s), text.Say("rules.bad_name_hint"))
		return ""
	}
	return s
}

func (rules *Rules) people(r *reading, file string, raw []byte) {
	f := r.document(file, raw, "default_role", "roles", "actors", "consensus", "confidence")
	if f == nil {
		return
	}
	if nodes := f.items("roles"); len(nodes) > 0 {
		rules.Roles = nil
		for _, n := range nodes {
			rules.role(r, file, n)
		}
		// Roles of one's own without a default role would leave an unknown user with the built-in one, which sees everything.
		rules.DefaultRole = f.required("default_role")
	} else if s, ok := f.word("default_role"); ok {
		rules.DefaultRole = s
	}
	if !slices.ContainsFunc(rules.Roles, func(x Role) bool { return x.Name == rules.DefaultRole }) && rules.DefaultRole != "" {
		f.fail("default_role", text.Say("rules.unknown_role", "name", rules.DefaultRole), semantic.KnownHint(rules.DefaultRole, rules.roleNames()))
	}
	r.roles = f.place("roles")
	for _, n := range f.items("actors") {
		rules.actor(r, file, n)
	}
	if s := f.sub("consensus", "more_than", "seniority", "similarity"); s != nil {
		s.whole("more_than", &rules.Consensus.MoreThan, 1, 1000)
		s.number("similarity", &rules.Consensus.Similarity, 0, 0.99)
		if words, ok := s.words("seniority"); ok {
			rules.Consensus.Seniority = s.known("seniority", words, seniorities()[1:])
		}
	}
	rules.confidence(f)
}

// confidence reads how much evidence is worth, for shared knowledge.
func (rules *Rules) confidence(f *fields) {
	kinds := []knowledge.Detection{knowledge.ByCorrection, knowledge.ByDefinition, knowledge.ByConfirmation, knowledge.ByMandate, knowledge.ByTranscript}
	var names []string
	for _, k := range kinds {
		names = append(names, string(k))
	}
	s := f.sub("confidence", "base", "floor", "verifier", "steward", "half_life_months")
	if s == nil {
		return
	}
	t := &rules.Confidence
	for _, list := range []struct {
		key string
		of  *map[knowledge.Detection]float64
	}{{"base", &t.Base}, {"floor", &t.Floor}} {
		*list.of = maps.Clone(*list.of)
		if in := s.sub(list.key, names...); in != nil {
			for _, k := range kinds {
				x := (*list.of)[k]
				in.number(string(k), &x, 0, 1)
				(*list.of)[k] = x
			}
		}
	}
	s.number("verifier", &t.Verifier, 0, 1)
	s.number("steward", &t.Steward, 0, 1)
	months := int(t.HalfLife / month)
	s.whole("half_life_months", &months, 1, 1200)
	t.HalfLife = time.Duration(months) * month
	if err := t.Check(); err != nil {
		f.fail("confidence", err.Error(), "")
	}
}

// month is a twelfth of 365 days.
const month = 365 * 24 * time.Hour / 12

// known keeps the words that are among the allowed ones; every other is a problem, and so is an empty list.
func (f *fields) known(key string, words, allowed []string) []string {
	var out []string
	for _, w := range words {
		if !slices.Contains(allowed, w) {
			f.fail(key, text.Say("semantic.bad_choice", "key", key, "value", w), semantic.KnownHint(w, allowed))
			continue
		}
		out = append(out, w)
	}
	if len(words) == 0 {
		f.fail(key, text.Say("semantic.want_list", "key", key), text.Say("semantic.want_list_hint", "key", key))
	}
	return out
}

// named names an object in messages before it is read: "role analyst".
func named(key string, n ast.Node, field string) string {
	f := (&reading{}).mapping("", "", n)
	if f == nil {
		return ""
	}
	s, ok := f.word(field)
	if !ok {
		return ""
	}
	return text.Say(key, "name", s)
}

func (rules *Rules) role(r *reading, file string, n ast.Node) {
	f := r.mapping(file, named("rules.object_role", n, "name"), n, "name", "schemas", "tables", "seniority", "steward", "admin", "at_most")
	if f == nil {
		return
	}
	role := Role{Name: f.identifier("name"), Seniority: "none", AtMost: highest}
	if slices.ContainsFunc(rules.Roles, func(x Role) bool { return x.Name == role.Name }) {
		f.fail("name", text.Say("rules.twice", "name", role.Name), text.Say("semantic.key_twice_hint"))
	}
	for _, list := range []struct {
		key   string
		where *[]string
	}{{"schemas", &role.Schemas}, {"tables", &role.Tables}} {
		words, given := f.words(list.key)
		if !given { // to see everything is said, never left out
			f.fail(list.key, text.Say("semantic.missing_key", "key", list.key), text.Say("rules.whitelist_hint", "key", list.key))
		}
		*list.where = words
	}
	f.choice("seniority", &role.Seniority, seniorities()...)
	f.truth("steward", &role.Steward)
	f.truth("admin", &role.Admin)
	f.whole("at_most", &role.AtMost, lowest, highest)
	rules.Roles = append(rules.Roles, role)
}

func (rules *Rules) actor(r *reading, file string, n ast.Node) {
	f := r.mapping(file, named("rules.object_actor", n, "id"), n, "id", "kind", "role", "risk_tolerance", "preferences", "groups", "binds")
	if f == nil {
		return
	}
	a := Actor{ID: f.identifier("id"), Role: f.required("role"), Tolerance: "normal"}
	if slices.ContainsFunc(rules.Actors, func(x Actor) bool { return strings.EqualFold(x.ID, a.ID) }) {
		f.fail("id", text.Say("rules.twice", "name", a.ID), text.Say("semantic.key_twice_hint"))
	}
	kind := f.required("kind")
	f.choice("kind", &kind, string(Human), string(Agent))
	a.Kind = Kind(kind)
	if role, ok := rules.Role(a.Role); !ok && a.Role != "" {
		f.fail("role", text.Say("rules.unknown_role", "name", a.Role), semantic.KnownHint(a.Role, rules.roleNames()))
	} else if a.Kind == Agent && (role.Steward || role.Admin) {
		f.fail("role", text.Say("rules.agent_steward", "name", a.Role), text.Say("rules.agent_steward_hint"))
	}
	f.choice("risk_tolerance", &a.Tolerance, "low", "normal", "high")
	f.preferences(&a)
	a.Groups, _ = f.words("groups")
	a.Groups = slices.DeleteFunc(a.Groups, func(g string) bool {
		if !isName(g) {
			f.fail("groups", text.Say("semantic.bad_name", "name", g), text.Say("rules.bad_name_hint"))
		}
		return !isName(g)
	})
	if s := f.sub("binds", "os_users", "tokens", "keys"); s != nil {
		a.OSUsers, _ = s.words("os_users")
		a.Tokens, _ = s.words("tokens")
		a.Keys, _ = s.words("keys")
		for _, key := range a.Keys {
			if raw, err := hex.DecodeString(key); err != nil || len(raw) != ed25519.PublicKeySize || key != strings.ToLower(key) {
				s.fail("keys", text.Say("rules.bad_key", "key", key), text.Say("rules.bad_key_hint"))
			}
			if other, taken := rules.Holder(key); taken {
				s.fail("keys", text.Say("rules.token_twice", "token", key, "name", other.ID), text.Say("rules.token_twice_hint"))
			}
		}
		for _, token := range a.Tokens {
			for _, other := range rules.Actors {
				if slices.Contains(other.Tokens, token) {
					s.fail("tokens", text.Say("rules.token_twice", "token", token, "name", other.ID), text.Say("rules.token_twice_hint"))
				}
			}
		}
	}
	if len(a.OSUsers)+len(a.Tokens)+len(a.Keys) == 0 {
		f.fail("binds", text.Say("rules.unbound", "name", a.ID), text.Say("rules.unbound_hint"))
	}
	rules.Actors = append(rules.Actors, a)
}

// preferences reads what a person prefers; the tolerance of risk is a short word for the first two.
func (f *fields) preferences(a *Actor) {
	s := f.sub("preferences", "review_all", "trust_routine", "always_confirm")
	if s != nil {
		s.truth("review_all", &a.ReviewAll)
		s.truth("trust_routine", &a.TrustRoutine)
		a.AlwaysConfirm, _ = s.words("always_confirm")
	}
	switch {
	case a.ReviewAll && a.TrustRoutine:
		s.fail("trust_routine", text.Say("rules.contradiction", "one", "review_all: true", "other", "trust_routine: true"), text.Say("semantic.key_twice_hint"))
	case a.Tolerance == "low" && a.TrustRoutine:
		s.fail("trust_routine", text.Say("rules.contradiction", "one", "risk_tolerance: low", "other", "trust_routine: true"), text.Say("semantic.key_twice_hint"))
	case a.Tolerance == "high" && a.ReviewAll:
		s.fail("review_all", text.Say("rules.contradiction", "one", "risk_tolerance: high", "other", "review_all: true"), text.Say("semantic.key_twice_hint"))
	}
	a.ReviewAll = a.ReviewAll || a.Tolerance == "low"
	a.TrustRoutine = a.TrustRoutine || a.Tolerance == "high"
}
