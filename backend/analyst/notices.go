package analyst

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/text"
)

// What is said of an answer, and from where on. The first three are those of the design's catalogue of warnings (engine
// design, A8), smallN is also the least support of its statistical guards (F3).
const (
	unmatchedShare = 0.005 // of the rows, with a key that leads nowhere
	nullShare      = 0.20  // of the rows, without a member
	smallN         = 30    // things behind an average, a ratio or a percentile
	namedGroups    = 3     // of many groups, so that a warning stays one line
)

// edgeGap is how much of a period's edges may lie outside the data before it is more than a remark: weekends and
// holidays.
const edgeGap = 3 * 24 * time.Hour

// checked is what a check found: a finding of the answer, or with facts a notice of the frame.
type checked struct {
	Finding
	facts map[string]any // nil: no notice
}

// warned puts a check that found something on the frame; the others stand in the verification only.
func (r *run) warned(all ...checked) {
	for _, l := range all {
		if l.Status != "finding" || l.facts == nil {
			r.note(l.Finding)
			continue
		}
		f := r.answer.Frame
		f.Notices = frameql.AddNotice(f.Notices, frameql.Notice{Code: l.Code, Severity: l.Severity, Facts: l.facts, Text: l.Message})
	}
}

// checkNullMembers says when much of what is counted belongs to no member of a dimension.
func (r *run) checkNullMembers(f *frameql.Frame) []checked {
	out := checked{Finding: Finding{Code: frameql.NullMember, Severity: frameql.Caution, Status: "not_applicable", Message: text.Say("analyst.check_no_members")}}
	if r.plan.Listing || len(frameview.ShapeOf(f).Members) == 0 {
		return []checked{out}
	}
	out.Status, out.Message = "passed", text.Say("analyst.check_members_there")
	nobody := columnsWithout(f)
	if len(nobody) == 0 {
		return []checked{out}
	}
	e := r.seen
	if e == nil || e.Group < 0 || f.Population == nil || f.Population.Kept == 0 {
		out.Status, out.Message = "could_not_check", text.Say("analyst.check_null_unknown")
		return []checked{out}
	}
	var found []checked
	out.Message = text.Say("analyst.check_null_few")
	for _, i := range nobody {
		rows := int64(0)
		for k, row := range frameview.Members(f).Rows {
			if n, ok := frameview.Count(e.rows[k][e.Group]); ok && row[i] == nil && !isRest(f, row) {
				rows += n
			}
		}
		share := float64(rows) / float64(f.Population.Kept)
		if share <= nullShare {
			continue
		}
		one := out
		one.Status = "finding"
		one.Message = text.Say("analyst.null_members", "column", inText(frameview.Label(f.Columns[i])), "rows", frameview.Grouped(rows), "all", frameview.Grouped(f.Population.Kept), "share", shareWords(share))
		one.facts = map[string]any{"column": f.Columns[i].Name, "rows": rows, "of": f.Population.Kept, "share": share}
		found = append(found, one)
	}
	if len(found) == 0 {
		return []checked{out}
	}
	return found
}

// columnsWithout are the grouping columns in which some row has no member.
func columnsWithout(f *frameql.Frame) []int {
	var all []int
	f = frameview.Members(f)
	for _, i := range frameview.ShapeOf(f).Members {
		if slices.ContainsFunc(f.Rows, func(row []any) bool { return row[i] == nil && !isRest(f, row) }) {
			all = append(all, i)
		}
	}
	return all
}

// isRest says whether a row is the rest of a TOP.
func isRest(f *frameql.Frame, row []any) bool {
	i := frameview.Flag(f, "is_other")
	return i >= 0 && row[i] == true
}

// checkUnmatched says along which joins many rows have a key that leads nowhere.
func (r *run) checkUnmatched(*frameql.Frame) []checked {
	out := checked{Finding: Finding{Code: frameql.UnmatchedRows, Severity: frameql.Caution, Status: "passed", Message: text.Say("analyst.check_matched")}}
	if len(r.plan.Joins) == 0 {
		out.Status, out.Message = "not_applicable", text.Say("analyst.check_nothing_joined")
		return []checked{out}
	}
	var found []checked
	for _, u := range r.unmatched {
		if u.known == "" {
			out.Status, out.Message = "could_not_check", text.Say("analyst.check_unmatched_unknown")
			continue
		}
		share := float64(u.without) / float64(max(u.rows, 1))
		if u.rows == 0 || share <= unmatchedShare {
			continue
		}
		one := out
		one.Status = "finding"
		key := "analyst.unmatched"
		switch {
		case u.failing:
			key = "analyst.unmatched_failing"
		case u.dropped:
			key = "analyst.unmatched_dropped"
		}
		m := r.knowledge.Model
		one.Message = text.Count(key, u.without, "rows", frameview.Grouped(u.without), "all", frameview.Grouped(u.rows), "share", shareWords(share),
			"fact", entityLabel(m, u.of), "to", entityLabel(m, u.use.To))
		one.facts = map[string]any{"from": u.use.From, "to": u.use.To, "role": u.use.Role, "rows": u.without, "of": u.rows, "share": share, "measured": u.known}
		found = append(found, one)
	}
	if len(found) == 0 {
		return []checked{out}
	}
	return found
}

// checkFresh says when the rows come from a stored frame of other data than the request began with. Frames are found by
// the epochs of their data, so this is a change in the middle of the request.
func (r *run) checkFresh(f *frameql.Frame) []checked {
	if r.cached == nil {
		return nil
	}
	out := checked{Finding: Finding{Code: frameql.CacheStale, Severity: frameql.Caution, Status: "passed", Message: text.Say("analyst.check_fresh")}}
	var moved []string
	for table, epoch := range r.read {
		if now, known := f.SourceEpochs[table]; known && now != epoch {
			moved = append(moved, table)
		}
	}
	if len(moved) > 0 {
		slices.Sort(moved)
		out.Status, out.facts = "finding", map[string]any{"tables": moved}
		out.Message = text.Say("analyst.cache_stale", "tables", strings.Join(moved, ", "))
	}
	return []checked{out}
}

// shareWords writes a share in percent.
func shareWords(share float64) string {
	exact, ok := new(big.Rat).SetString(fmt.Sprintf("%.6f", share))
	if !ok {
		return ""
	}
	return text.Say("analyst.percent", "n", frameview.Percentage(exact))
}
