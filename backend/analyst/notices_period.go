package analyst

import (
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/semantic"
	"assay/backend/text"
)

// checkPeriod says when the data covers a part of the period only, or of a unit of time at its edge.
func (r *run) checkPeriod(f *frameql.Frame) []checked {
	out := checked{Finding: Finding{Code: frameql.IncompletePeriod, Severity: frameql.Caution, Status: "not_applicable", Message: text.Say("analyst.check_no_period")}}
	s := f.Span
	if s == nil {
		return []checked{out}
	}
	cut := r.cutBuckets(f)
	switch {
	case s.Asked == nil:
	case s.Covered == nil && !s.Partial:
		out.Status, out.Message = "could_not_check", text.Say("analyst.check_period_unknown", "time", s.On)
	case s.Covered == nil:
		out.Code, out.Status, out.Message = frameql.OutsideCoverage, "finding", text.Say("analyst.period_outside", "asked", rangeWords(s.Asked))
		out.facts = map[string]any{"asked": s.Asked}
	case s.Partial:
		out.Status, out.Message = "finding", text.Say("analyst.period_partial", "asked", rangeWords(s.Asked), "covered", rangeWords(s.Covered))
		out.facts = map[string]any{"asked": s.Asked, "covered": s.Covered}
		if missing(s.Asked.From, s.Covered.From) <= edgeGap && missing(s.Covered.To, s.Asked.To) <= edgeGap {
			out.Severity = frameql.Info
		}
	default:
		out.Status, out.Message = "passed", text.Say("analyst.check_period_covered")
	}
	if len(cut) == 0 {
		return []checked{out}
	}
	words := text.Count("analyst.period_cut", int64(len(cut)), "units", strings.Join(cut, ", "), "covered", rangeWords(s.Covered))
	if out.Status == "finding" {
		words = out.Message + " " + text.Count("analyst.period_cut_too", int64(len(cut)), "units", strings.Join(cut, ", "))
	}
	out.Status, out.Severity, out.Message = "finding", frameql.Caution, words
	out.facts = map[string]any{"asked": s.Asked, "covered": s.Covered, "units": cut}
	return []checked{out}
}

// cutBuckets names the units of time in the frame of which the data holds a part only, because it begins or ends within
// them. Days off at the edge do not count.
func (r *run) cutBuckets(f *frameql.Frame) []string {
	s := f.Span
	if s.Covered == nil {
		return nil
	}
	begins := s.Asked == nil || s.Asked.From < s.Covered.From
	ends := s.Asked == nil || s.Asked.To == "" || s.Covered.To < s.Asked.To
	var names []string
	for i, c := range f.Columns {
		if c.Role != frameql.RoleDimension || c.Dimension != s.On || c.Grain == "" {
			continue
		}
		for _, row := range frameview.Members(f).Rows {
			from, to, ok := bucketOf(row[i], c.Grain, r.knowledge.Model)
			if !ok {
				continue
			}
			starts := begins && s.Covered.From < to && missing(from, s.Covered.From) > edgeGap
			stops := ends && from < s.Covered.To && missing(s.Covered.To, to) > edgeGap
			if name := memberWords(row[i], c); (starts || stops) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// bucketOf gives the days of a unit of time, the second one exclusive; false for an hour, and for a fiscal unit whose
// calendar is not one of months.
func bucketOf(cell any, grain string, m *semantic.Model) (from, to string, ok bool) {
	s, isText := cell.(string)
	if !isText || len(s) < len(time.DateOnly) {
		return "", "", false
	}
	start, err := time.Parse(time.DateOnly, s[:len(time.DateOnly)])
	if err != nil {
		return "", "", false
	}
	if unit, fiscal := strings.CutPrefix(grain, "fiscal_"); fiscal {
		if slices.ContainsFunc(m.Calendars, func(c semantic.Calendar) bool { return c.StartMonth == 0 }) {
			return "", "", false
		}
		grain = unit
	}
	var end time.Time
	switch grain {
	case "week":
		end = start.AddDate(0, 0, 7)
	case "month":
		end = start.AddDate(0, 1, 0)
	case "quarter":
		end = start.AddDate(0, 3, 0)
	case "year":
		end = start.AddDate(1, 0, 0)
	default:
		return "", "", false
	}
	return day(start), day(end), true
}
