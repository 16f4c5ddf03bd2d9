package workspace

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"

	"assay/backend/fault"
	"assay/backend/minds"
	"assay/backend/rules"
	"assay/backend/text"
)

// Settings are what a person chose for themselves in this workspace. Whatever they leave out is as DefaultSettings says.
type Settings struct {
	Name        string  `json:"name" maxLength:"80" doc:"How the person is called; empty: by the name of their account"`
	Theme       string  `json:"theme" enum:"system,light,dark"`
	Density     string  `json:"density" enum:"comfortable,compact"`
	Zoom        int     `json:"zoom" minimum:"50" maximum:"200" doc:"Percent"`
	Locale      string  `json:"locale" maxLength:"35" doc:"BCP 47, for numbers and dates; empty: as the system says"`
	Suggestions bool    `json:"suggestions" doc:"Ways to go on with a question while it is written"`
	Followups   bool    `json:"followups" doc:"Questions to go on with under an answer"`
	Narration   bool    `json:"narration" doc:"Answers say in a sentence what they show"`
	Notify      bool    `json:"notify" doc:"Work that took long is told of outside the window when it ends in the background"`
	LocalOnly   bool    `json:"local_only" doc:"Nothing leaves this machine, not even an address that is clicked"`
	Wishes      Wishes  `json:"wishes"`
	Limits      Limited `json:"limits"`
	Keep        *Keep   `json:"keep,omitempty" doc:"How long sessions are kept; absent in what is sent: as it is"`

	Minds *minds.Chosen `json:"minds,omitempty" doc:"Who thinks; absent in what is sent: as it is"`
}

// Keep says for how long a person keeps sessions, and conversations go on.
type Keep struct {
	HistoryDays int `json:"history_days" minimum:"0" maximum:"3650" doc:"A session that was not used for so long is forgotten, unless it is pinned, an answer of it is, or something waits in it; 0: never"`
	ContextDays int `json:"context_days" minimum:"0" maximum:"3650" doc:"A conversation that is older is not gone on with: the next question begins anew; 0: never"`
}

// Wishes are how much a person wants to be asked; see rules.Wishes.
type Wishes struct {
	ReviewAll     bool     `json:"review_all"`
	TrustRoutine  bool     `json:"trust_routine"`
	AlwaysConfirm []string `json:"always_confirm" maxItems:"100" doc:"Domains"`
}

// Limited says how far a question may go that names no limits of its own.
type Limited struct {
	Seconds int `json:"seconds" minimum:"1" maximum:"600" doc:"Of a statement"`
	Rows    int `json:"rows" minimum:"1" maximum:"10000" doc:"Of an answer that the session keeps"`
}

// DefaultSettings are those of a person who has chosen nothing.
func DefaultSettings() Settings {
	thinks := minds.Default()
	return Settings{
		Theme: "system", Density: "comfortable", Zoom: 100, Suggestions: true, Followups: true, Narration: true, Notify: true, LocalOnly: true,
		Wishes: Wishes{AlwaysConfirm: []string{}}, Limits: Limited{Seconds: 60, Rows: 10_000}, Keep: &Keep{HistoryDays: 90, ContextDays: 7},
		Minds: &thinks,
	}
}

// Person is who uses the window.
type Person struct {
	ID       string `json:"id"`
	Role     string `json:"role"`
	Steward  bool   `json:"steward"`
	AtMost   int    `json:"at_most"`  // the highest level of autonomy of the role
	Declared bool   `json:"declared"` // rules/roles.yaml names the person
	Review   bool   `json:"review"`   // the file asks for a review of everything
	Trust    bool   `json:"trust"`    // the file trusts what is routine
}

// settingsOf names the settings of an actor in the memory.
func settingsOf(actor string) string { return "settings." + actor }

// recallSettings lets the settings hold that the person of this process chose earlier.
func (w *Workspace) recallSettings(ctx context.Context) error {
	s := DefaultSettings()
	w.chosen.CompareAndSwap(nil, new(s))
	me, err := w.Identify("", rules.Caller{})
	if fault.CodeOf(err) == fault.Unauthorized { // who has no role has no settings
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := w.memory.Kept(ctx, settingsOf(me.ID), &s); err != nil {
		return err
	}
	if s.check() != nil { // of another version, or damaged
		s = DefaultSettings()
	}
	w.hold(me.ID, s)
	return nil
}

// hold makes settings the ones in force.
func (w *Workspace) hold(actor string, s Settings) {
	w.chosen.Store(&s)
	if s.LocalOnly {
		w.minds.Guard().Enforce() // what is under way to elsewhere ends too
	}
	w.rules.Store(w.Rules().WithWishes(actor, rules.Wishes(s.Wishes)))
	if w.opts.Timeout == 0 {
		w.store.SetTimeout(time.Duration(s.Limits.Seconds) * time.Second)
	}
}

// Settings gives what the person of this process chose; all of it is there.
func (w *Workspace) Settings() Settings {
	s := *w.chosen.Load()
	keep := *s.Keep // whoever changes what they are given changes nothing here
	thinks := *s.Minds
	s.Keep, s.Minds = &keep, &thinks
	return s
}

// Person says who the person of this process is. Fault Unauthorized.
func (w *Workspace) Person() (Person, error) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return Person{}, err
	}
	p := Person{ID: me.ID, Role: me.Role}
	if role, ok := w.Rules().Role(me.Role); ok {
		p.Steward, p.AtMost = role.Steward, role.AtMost
	}
	for _, a := range w.Rules().Actors {
		if a.ID == me.ID {
			p.Declared, p.Review, p.Trust = true, a.ReviewAll, a.TrustRoutine
		}
	}
	return p, nil
}

// Choose keeps settings and lets them hold. Faults: Invalid, Unauthorized, and those of the memory.
func (w *Workspace) Choose(ctx context.Context, s Settings) (Settings, error) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return Settings{}, err
	}
	s.Name = strings.TrimSpace(s.Name)
	slices.Sort(s.Wishes.AlwaysConfirm)
	s.Wishes.AlwaysConfirm = slices.Compact(append([]string{}, s.Wishes.AlwaysConfirm...))
	if s.Keep == nil {
		s.Keep = w.Settings().Keep
	}
	before := w.Settings()
	if s.Minds == nil {
		s.Minds = before.Minds
	}
	if err := s.check(); err != nil {
		return Settings{}, err
	}
	if err := s.stay(before.LocalOnly); err != nil {
		return Settings{}, err
	}
	if err := w.memory.Keep(ctx, settingsOf(me.ID), s); err != nil {
		return Settings{}, err
	}
	if s.Minds.Mind != before.Minds.Mind {
		w.mind.Store(nil)
	}
	w.hold(me.ID, s)
	if embeddedBy(s) != embeddedBy(before) {
		w.likeness.prepare()
	}
	_ = w.expire(ctx) // whoever keeps less from now on is told what goes; if not now, when the workspace opens next
	return s, nil
}

// stay keeps to the switch that nothing leaves this machine: whoever turns it on takes back the minds that are elsewhere, and while it is on
// none of these can be chosen. Fault Unauthorized.
func (s *Settings) stay(before bool) error {
	if !s.LocalOnly {
		return nil
	}
	thinks := *s.Minds
	if before && len(thinks.Elsewhere()) > 0 {
		return thinks.Stays()
	}
	thinks.StayHere()
	s.Minds = &thinks
	return nil
}

// check says what cannot be chosen.
func (s Settings) check() error {
	bad := func(name string) error {
		return fault.New(fault.Invalid, "settings", text.Say("workspace.bad_setting", "name", name), text.Say("workspace.bad_setting_hint"))
	}
	switch {
	case !slices.Contains([]string{"system", "light", "dark"}, s.Theme):
		return bad("theme")
	case !slices.Contains([]string{"comfortable", "compact"}, s.Density):
		return bad("density")
	case s.Zoom < 50 || s.Zoom > 200:
		return bad("zoom")
	case s.Limits.Seconds < 1 || s.Limits.Seconds > 600:
		return bad("limits.seconds")
	case s.Limits.Rows < 1 || s.Limits.Rows > 10_000:
		return bad("limits.rows")
	case s.Keep == nil:
		return bad("keep")
	case s.Minds == nil:
		return bad("minds")
	case s.Minds.Check() != "":
		return bad("minds." + s.Minds.Check())
	case s.Keep.HistoryDays < 0 || s.Keep.HistoryDays > 3650:
		return bad("keep.history_days")
	case s.Keep.ContextDays < 0 || s.Keep.ContextDays > 3650:
		return bad("keep.context_days")
	}
	if s.Locale != "" {
		if _, err := language.Parse(s.Locale); err != nil {
			return bad("locale")
		}
	}
	return nil
}

// Domains are those of the entities that the person may know, in order.
func (w *Workspace) Domains() []string {
	all := []string{}
	for _, e := range w.Knowledge().Model.Entities {
		if e.Domain != "" && !slices.Contains(all, e.Domain) {
			all = append(all, e.Domain)
		}
	}
	slices.Sort(all)
	return all
}

// RuleFile is a file that may hold rules.
type RuleFile struct {
	Name    string `json:"name"`
	Present bool   `json:"present"` // false: what is built in holds
}

// RuleFiles lists the files that may hold rules. What one that is not there would say is built in.
func (w *Workspace) RuleFiles() []RuleFile {
	var all []RuleFile
	for _, name := range []string{"autonomy.yaml", "escalation.yaml", "pii.yaml", "roles.yaml"} {
		_, err := os.Stat(filepath.Join(w.dir, rules.Folder, name))
		all = append(all, RuleFile{Name: rules.Folder + "/" + name, Present: err == nil})
	}
	return all
}
