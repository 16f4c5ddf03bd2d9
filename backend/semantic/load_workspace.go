package semantic

import (
	"errors"
	"io/fs"
	"regexp"
	"slices"

	"assay/backend/fault"
	"assay/backend/text"
)

// WorkspaceFile is workspace.yaml.
type WorkspaceFile struct {
	Name           string   // required
	Sources        []string // files, relative to the workspace's folder, with slashes
	Exchange       string   // folder in which colleagues exchange what they taught, relative to the workspace's or absolute; empty: none
	ExchangeRemote string   // name of the git remote with which that folder is exchanged; empty: the folder itself is
	Mind           string   // "embedded", "anthropic:MODEL", ...; empty: embedded
	Settings       Settings
	Calendars      []Calendar
}

// LoadWorkspaceFile reads workspace.yaml alone. fault.NotFound: there is none; fault.Invalid: it cannot be used.
func LoadWorkspaceFile(fsys fs.FS) (*WorkspaceFile, error) {
	r := newReading()
	w, err := r.workspaceFile(fsys)
	if err != nil {
		return nil, err
	}
	if err := r.problems.Fault("load workspace file"); err != nil {
		return nil, err
	}
	return w, nil
}

var (
	currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)
	zoneName     = regexp.MustCompile(`^(UTC|Local|[A-Za-z_]+(/[A-Za-z0-9_+\-]+)+)$`)
)

func (r *reading) workspaceFile(fsys fs.FS) (*WorkspaceFile, error) {
	const file = WorkspaceFileName
	raw, err := readFile(fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Wrap(fault.NotFound, "load workspace file", text.Say("semantic.no_workspace_file"),
			text.Say("semantic.no_workspace_file_hint"), err)
	}
	if err != nil {
		return nil, err
	}
	w := &WorkspaceFile{}
	bodies := r.documents(file, raw)
	if len(r.problems) > 0 {
		return w, nil
	}
	if raw == nil || len(bodies) != 1 {
		r.fail(file, 1, "", text.Say("semantic.one_document"), text.Say("semantic.no_workspace_file_hint"))
		return w, nil
	}
	f, ok := r.mapping(file, "", bodies[0], "workspace", "label", "sources", "time_zone", "week_start", "currency",
		"calendar", "calendars", "partial", "questions", "exchange", "exchange_remote", "model")
	if !ok {
		return w, nil
	}
	w.Name, w.Sources, w.Exchange, w.ExchangeRemote, w.Mind = f.required("workspace"), f.texts("sources"), f.text("exchange"), f.text("exchange_remote"), f.text("model")
	w.Settings = Settings{
		Label: f.text("label"), TimeZone: f.zone("time_zone"), WeekStart: f.choice("week_start", "monday", "sunday"),
		Calendar: f.text("calendar"), Partial: f.choice("partial", "match", "none", "error"), Currency: f.text("currency"), Questions: f.texts("questions"),
	}
	if c := w.Settings.Currency; c != "" && !currencyCode.MatchString(c) {
		f.fail("currency", text.Say("semantic.bad_currency", "value", c), text.Say("semantic.bad_currency_hint"))
	}
	for _, n := range f.items("calendars") {
		var c Calendar
		var ok bool
		if keep := r.item(func() { c, ok = r.calendar(file, n) }); keep && ok {
			w.Calendars = append(w.Calendars, c)
		}
	}
	if c := w.Settings.Calendar; c != "" && !hasCalendar(w.Calendars, c) {
		f.fail("calendar", text.Say("semantic.unknown_calendar", "name", c), text.Say("semantic.unknown_calendar_hint", "name", c))
	}
	return w, nil
}

// keepSound takes back what cannot be meant; the default holds instead.
func (s *Settings) keepSound() {
	keep := func(value *string, sound bool) {
		if !sound {
			*value = ""
		}
	}
	keep(&s.TimeZone, zoneName.MatchString(s.TimeZone))
	keep(&s.WeekStart, slices.Contains([]string{"monday", "sunday"}, s.WeekStart))
	keep(&s.Partial, slices.Contains([]string{"match", "none", "error"}, s.Partial))
	keep(&s.Currency, currencyCode.MatchString(s.Currency))
}

// SoundWorkspaceFile reads workspace.yaml alone as LoadSound does.
func SoundWorkspaceFile(fsys fs.FS) (*WorkspaceFile, Problems) {
	r := newReading()
	r.sound = true
	w, err := r.workspaceFile(fsys)
	if err != nil {
		_ = r.unreadable(WorkspaceFileName, err)
		w = &WorkspaceFile{}
	}
	w.Settings.keepSound()
	return w, r.problems
}

func hasCalendar(all []Calendar, name string) bool {
	for _, c := range all {
		if c.Name == name {
			return true
		}
	}
	return false
}

// zone reads the name of a time zone; empty when the key is absent. Whether there is such a zone is not known here.
func (f *fields) zone(key string) string {
	z := f.text(key)
	if z != "" && !zoneName.MatchString(z) {
		f.fail(key, text.Say("semantic.bad_zone", "value", z), text.Say("semantic.bad_zone_hint"))
	}
	return z
}
