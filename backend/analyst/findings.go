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

// fewRows is the number of rows under which a metric rests on single cases.
const fewRows = 5

// look runs every check on the frame. All of them stand in the verification; the ones that found something, or could not
// look, are findings of the answer. A warning about the numbers is a notice of the frame as well, each code once.
func (r *run) look() {
	f := r.answer.Frame
	r.note(r.checkEmpty(f))
	r.note(r.checkTruncated(f))
	for _, check := range []func(*frameql.Frame) []checked{
		r.checkPeriod, r.checkUnmatched, r.checkNullMembers, r.checkSmallN, r.checkSigns, checkBases, r.checkShares, r.checkFresh,
	} {
		r.warned(check(f)...)
	}
	if !slices.ContainsFunc(f.Notices, func(n frameql.Notice) bool { return n.Code == frameql.SmallN }) {
		r.note(r.checkFewRows(f))
	}
	r.noteTables()
	for _, n := range f.Notices {
		r.note(Finding{Code: n.Code, Severity: n.Severity, Status: "finding", Message: n.Text})
	}
	for _, g := range gotchas(r.plan, r.knowledge.Model) {
		f := Finding{Code: "GOTCHA", Severity: g.Severity, Status: "finding", Message: g.Statement}
		if g.Fails() {
			if !strings.EqualFold(g.Severity, "critical") {
				f.Severity = "caution"
			}
			f.Message += " " + text.Say("analyst.gotcha_fails", "gave", *g.Gave, "expect", g.Expect)
		}
		r.note(f)
	}
	if strings.TrimSpace(r.req.Memo) != "" && !r.defined {
		r.note(Finding{Code: "MEMO_NOT_APPLIED", Severity: "caution", Status: "could_not_check", Message: text.Say("analyst.memo_not_applied")})
	}
	v := r.answer.Verification
	v.Checks = append(v.Checks, r.checks...)
}

func (r *run) note(f Finding) {
	r.checks = append(r.checks, Check{Code: f.Code, Status: f.Status, Message: f.Message})
	if f.Status == "finding" || f.Status == "could_not_check" {
		r.answer.Findings = append(r.answer.Findings, f)
	}
}

// checkEmpty says when no row passed, and which filter is to blame.
func (r *run) checkEmpty(f *frameql.Frame) Finding {
	out := Finding{Code: "EMPTY_RESULT", Severity: "caution", Status: "passed", Message: text.Say("analyst.check_rows_there")}
	if !empty(f) {
		return out
	}
	out.Status = "finding"
	p := f.Population
	switch {
	case p == nil:
		out.Message = text.Say("analyst.empty")
	case p.RowsIn == 0:
		out.Message = text.Say("analyst.empty_source", "entity", entityLabel(r.knowledge.Model, r.plan.Fact))
	case p.Kept > 0: // HAVING, or a grain without members
		out.Message = text.Say("analyst.empty_after_filters", "kept", frameview.Grouped(p.Kept))
	default:
		var alone []string
		for _, k := range p.PerFilter {
			if k.Kept == 0 {
				alone = append(alone, k.Filter)
			}
		}
		if len(alone) == 0 {
			out.Message = text.Say("analyst.empty_together", "rows", frameview.Grouped(p.RowsIn))
			break
		}
		out.Message = text.Say("analyst.empty_because", "filters", strings.Join(alone, ", "), "rows", frameview.Grouped(p.RowsIn))
	}
	if words := r.withoutWords(); words != "" {
		out.Message += " " + words
	}
	return out
}

// empty says whether the frame rests on no rows: a total over nothing is one row with a zero or a null.
func empty(f *frameql.Frame) bool {
	return len(f.Rows) == 0 || f.Population != nil && f.Population.Kept == 0
}

func (r *run) checkTruncated(f *frameql.Frame) Finding {
	if f.Truncated == nil {
		return Finding{Code: "TRUNCATED", Severity: "caution", Status: "passed", Message: text.Say("analyst.check_complete")}
	}
	return Finding{
		Code: "TRUNCATED", Severity: "caution", Status: "finding",
		Message: text.Say("analyst.truncated", "shown", frameview.Grouped(int64(len(f.Rows))), "total", frameview.Grouped(int64(f.Truncated.TotalRows))),
	}
}

// missing is the time between two ISO dates; an open end misses nothing.
func missing(from, to string) time.Duration {
	from, _, _ = strings.Cut(from, "T")
	to, _, _ = strings.Cut(to, "T")
	a, errA := time.Parse(time.DateOnly, from)
	b, errB := time.Parse(time.DateOnly, to)
	if errA != nil || errB != nil {
		return 0
	}
	return b.Sub(a)
}

func (r *run) checkFewRows(f *frameql.Frame) Finding {
	out := Finding{Code: "FEW_ROWS", Severity: "caution", Status: "not_applicable", Message: text.Say("analyst.check_few_rows_not")}
	p := f.Population
	if r.plan.Listing || p == nil || p.Kept == 0 {
		return out
	}
	if p.Kept >= fewRows {
		out.Status, out.Message = "passed", text.Count("analyst.check_rows_enough", p.Kept, "rows", frameview.Grouped(p.Kept))
		return out
	}
	out.Status, out.Message = "finding", text.Count("analyst.few_rows", p.Kept, "rows", frameview.Grouped(p.Kept))
	return out
}

// gotchas are the model's known traps that touch a metric or a dimension of the plan.
func gotchas(plan *frameql.Plan, m *semantic.Model) []semantic.Gotcha {
	var all []semantic.Gotcha
	for _, g := range m.Gotchas {
		if slices.ContainsFunc(g.AppliesTo, func(name string) bool {
			return slices.Contains(plan.Metrics, name) || slices.Contains(plan.Dimensions, name)
		}) {
			all = append(all, g)
		}
	}
	return all
}
