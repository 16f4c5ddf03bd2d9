package session

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

var (
	outcomes = []string{"answer", "clarify", "confirm", "refuse", Interrupted, Canceled, Failed}
	statuses = []string{
		"completed", "pending_acceptance", "needs_disambiguation", "needs_confirmation", "recommended", "human_only", "blocked", Interrupted, Canceled, Failed,
	}
	kinds = []Kind{
		KindFrame, KindChart, KindNarration, KindFollowups, KindProvenance, KindClarification, KindRefusal, KindExplanation, KindView, KindComparison,
		KindSimulation, KindStructure, KindQMCard, KindDriverAnalysis, KindRecommendation,
	}
	steps = []string{"started", "done", "failed"}

	stepName     = regexp.MustCompile(`^[a-z][a-z_]{0,40}$`)
	artifactForm = regexp.MustCompile(`^art_.+_[0-9]{1,9}_[0-9]{1,9}$`)
)

// named says whether a text can be the name of a session or a request.
func named(id string) bool {
	return id != "" && len(id) <= maxID && utf8.ValidString(id) && !strings.ContainsFunc(id, func(c rune) bool { return !unicode.IsGraphic(c) })
}

// check holds the document to its shape: names have their form and refer to what is there, turns are in order, each place has one version
// that is shown.
func (p *Package) check() error {
	f := &p.File
	switch {
	case !named(f.ID):
		return misfit("session.json: id", nil)
	case utf8.RuneCountInString(f.Title) > 2*TitleRunes:
		return misfit("session.json: title", nil)
	case f.Origin != nil && (f.Origin.Turn < 0 || !named(f.Origin.SessionID) || f.Origin.Artifact != "" && !artifactForm.MatchString(f.Origin.Artifact)):
		return misfit("session.json: origin", nil)
	case len(f.Turns) > maxTurns:
		return tooLarge("session.json: turns")
	}
	before, places, rows, cleared := map[string]int{}, map[int]int{}, map[string]bool{}, map[int]*time.Time{}
	for i := range f.Turns {
		t, where := &f.Turns[i], fmt.Sprintf("session.json: turns[%d]", i)
		if err := p.checkTurn(t, where, rows); err != nil {
			return err
		}
		place, known := before[t.InsteadOf]
		switch {
		case i > 0 && t.Index <= f.Turns[i-1].Index || t.Index < 1 || t.Index > 1_000_000:
			return misfit(where+".index", nil)
		case before[t.RequestID] != 0 || !named(t.RequestID):
			return misfit(where+".request_id", nil)
		case t.InsteadOf != "" && (!known || place != t.Place), t.InsteadOf == "" && t.Place != t.Index:
			return misfit(where+".place", nil)
		}
		if since, known := cleared[t.Place]; known && !sameTime(since, t.Archived) {
			return misfit(where+".archived", nil) // versions of one turn are cleared together
		}
		before[t.RequestID], cleared[t.Place] = t.Place, t.Archived
		if t.Chosen {
			places[t.Place]++
		}
	}
	for _, t := range f.Turns {
		if places[t.Place] != 1 {
			return misfit(fmt.Sprintf("session.json: place %d", t.Place), fmt.Errorf("%d versions are chosen", places[t.Place]))
		}
	}
	return nil
}

// sameTime says whether two moments, each of which may not be there, are the same.
func sameTime(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

func (p *Package) checkTurn(t *FileTurn, where string, rows map[string]bool) error {
	answered := len(t.Answer) > 0 && string(t.Answer) != "null"
	switch {
	case !slices.Contains(outcomes, t.Outcome):
		return misfit(where+".outcome", fmt.Errorf("%.40q", t.Outcome))
	case !slices.Contains(statuses, t.Status):
		return misfit(where+".status", fmt.Errorf("%.40q", t.Status))
	case answered != slices.Contains(outcomes[:4], t.Outcome):
		return misfit(where+".answer", nil)
	case len(t.Artifacts) > maxArtifacts || len(t.Trace) > maxSteps:
		return tooLarge(where)
	case t.Turn.Artifacts != nil || t.Turn.Trace != nil:
		return misfit(where, nil) // they stand in the fields of the file
	case t.Trace != nil && !p.Bare:
		return misfit(where+".trace", nil)
	}
	if t.Rows != "" {
		if !answered || !p.framed(t.Rows, rows) {
			return misfit(where+".rows", fmt.Errorf("%.40q", t.Rows))
		}
		rows[t.Rows] = true
	}
	if f := t.Feedback; f != nil && f.Thumb != "up" && f.Thumb != "down" {
		return misfit(where+".feedback", nil)
	}
	if err := Conform(t.Elsewhere); t.Elsewhere != nil && err != nil {
		return misfit(where+".elsewhere", err)
	}
	seen := map[string]bool{}
	for i, a := range t.Artifacts {
		at := fmt.Sprintf("%s.artifacts[%d]", where, i)
		switch {
		case !slices.Contains(kinds, a.Kind):
			return misfit(at+".kind", fmt.Errorf("%.40q", a.Kind))
		case !artifactForm.MatchString(a.ID) || seen[a.ID]:
			return misfit(at+".id", fmt.Errorf("%.40q", a.ID))
		}
		seen[a.ID] = true
		for part, entry := range a.Rows {
			if !p.framed(entry, rows) || a.Body == nil {
				return misfit(fmt.Sprintf("%s.rows.%.40s", at, part), fmt.Errorf("%.40q", entry))
			}
			rows[entry] = true
		}
	}
	for i, s := range t.Trace {
		if err := checkStep(s, fmt.Sprintf("%s.trace[%d]", where, i)); err != nil {
			return err
		}
	}
	return nil
}

// framed says whether rows can stand in an entry: it is one of frames, and no other frame has it.
func (p *Package) framed(entry string, taken map[string]bool) bool {
	return !p.Bare && p.entries[entry] != nil && strings.HasPrefix(entry, "frames/") && !taken[entry]
}

func checkStep(s Step, where string) error {
	if !stepName.MatchString(s.Name) || !slices.Contains(steps, s.Status) || s.TookMS < 0 {
		return misfit(where, fmt.Errorf("%.40q %.40q", s.Name, s.Status))
	}
	return nil
}
