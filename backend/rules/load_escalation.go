package rules

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// Route says which roles a request goes to.
type Route struct {
	Default  []string
	Domains  map[string][]string // by domain in lower case
	Triggers map[string][]string // by rule: sensitive, scan, ...

	at map[string]semantic.Pos // where each was read: "default", "domains finance", "triggers scan"
}

// routed are the rules that a route may name.
func routed() []string {
	return []string{RuleReview, RuleScan, RuleRuntime, RuleRows, RuleDomains, RuleSensitive, RuleAlwaysConfirm, RuleRole, RuleAgent}
}

func (rules *Rules) escalation(r *reading, file string, raw []byte) {
	f := r.document(file, raw, "takes_over", "is_told")
	if f == nil {
		return
	}
	for _, route := range rules.routes() {
		if s := f.sub(route.key, "default", "domains", "triggers"); s != nil {
			*route.to = s.route()
		}
	}
}

// routes are the parts of escalation.yaml.
func (rules *Rules) routes() []struct {
	key string
	to  *Route
} {
	return []struct {
		key string
		to  *Route
	}{{"takes_over", &rules.TakesOver}, {"is_told", &rules.IsTold}}
}

func (f *fields) route() Route {
	to := Route{Domains: map[string][]string{}, Triggers: map[string][]string{}, at: map[string]semantic.Pos{}}
	to.Default, _ = f.words("default")
	to.at["default"] = f.place("default")
	if len(to.Default) == 0 {
		f.fail("default", text.Say("semantic.missing_key", "key", "default"), text.Say("semantic.missing_key_hint", "key", "default"))
	}
	if s := f.sub("domains"); s != nil {
		for _, domain := range s.keys {
			to.Domains[strings.ToLower(domain)], _ = s.words(domain)
			to.at["domains "+strings.ToLower(domain)] = s.place(domain)
		}
	}
	if s := f.sub("triggers", routed()...); s != nil {
		for _, name := range s.keys {
			to.Triggers[name], _ = s.words(name)
			to.at["triggers "+name] = s.place(name)
		}
	}
	return to
}

// crossCheck looks at what one file says about another: every role of a route must be there. Where nobody wrote
// escalation.yaml, its steward is whichever role is one.
func (rules *Rules) crossCheck(r *reading) {
	for _, route := range rules.routes() {
		to := route.to
		if strings.HasPrefix(to.at["default"].File, builtIn) {
			if _, ok := rules.Role("steward"); !ok {
				to.Default = rules.stewards()
			}
			if len(to.Default) == 0 {
				r.fail(r.roles, "", text.Say("rules.nobody_takes_over"), text.Say("rules.nobody_takes_over_hint"))
				return
			}
			continue
		}
		rules.routesTo(r, to.at["default"], to.Default)
		for domain, names := range to.Domains {
			rules.routesTo(r, to.at["domains "+domain], names)
		}
		for trigger, names := range to.Triggers {
			rules.routesTo(r, to.at["triggers "+trigger], names)
		}
	}
}

func (rules *Rules) routesTo(r *reading, pos semantic.Pos, names []string) {
	for _, name := range names {
		if _, ok := rules.Role(name); !ok {
			r.fail(pos, "", text.Say("rules.unknown_role", "name", name), semantic.KnownHint(name, rules.roleNames()))
		}
	}
}

func (rules *Rules) stewards() []string {
	var names []string
	for _, x := range rules.Roles {
		if x.Steward {
			names = append(names, x.Name)
		}
	}
	return names
}

// to gives the roles for the domains and the rules of a request, each once and in order; the default ones where none is
// listed.
func (to Route) to(domains, fired []string) []string {
	var names []string
	add := func(roles []string) {
		for _, x := range roles {
			if !slices.Contains(names, x) {
				names = append(names, x)
			}
		}
	}
	for _, rule := range fired {
		add(to.Triggers[rule])
	}
	for _, d := range domains {
		add(to.Domains[strings.ToLower(d)])
	}
	if len(names) == 0 {
		add(to.Default)
	}
	return names
}
