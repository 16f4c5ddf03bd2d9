package workspace

import (
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/text"
)

// Period is how a date phrase is read. Start and End are ISO dates, End exclusive; an open side is empty.
type Period struct {
	Start       string   `json:"start"`
	End         string   `json:"end"`
	Grain       string   `json:"grain"`
	Calendar    string   `json:"calendar"` // gregorian, or the name of a fiscal calendar
	FrameQL     string   `json:"frame_ql"`
	Assumptions []string `json:"assumptions"`
}

// Period reads a date phrase. Faults: Invalid when it is none, or names a calendar that the workspace does not have.
func (w *Workspace) Period(phrase string, now time.Time) (Period, error) {
	env := w.env(now)
	read, assumptions, problem, ok := interpret.ReadPeriod(phrase, env)
	if !ok {
		message := strings.TrimSpace(text.Say("workspace.no_period", "phrase", phrase) + " " + problem)
		return Period{}, fault.New(fault.Invalid, "read period", message, text.Say("workspace.no_period_hint"))
	}
	use, refusal := frameql.ResolvePeriod(read, env.Now, env.Model)
	if refusal != nil {
		return Period{}, fault.New(fault.Invalid, "read period", refusal.Message, "")
	}
	p := Period{
		Start: day(use.From), End: day(use.To), Grain: use.Grain, Calendar: use.Calendar,
		FrameQL: use.Label, Assumptions: append([]string{}, assumptions...),
	}
	if p.Calendar == "" {
		p.Calendar = "gregorian"
	}
	return p, nil
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
