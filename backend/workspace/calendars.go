package workspace

import (
	"context"
	"strings"

	"assay/backend/profile"
	"assay/backend/semantic"
)

// calendars reads the calendars that are tables of the workspace. One whose table is not there stays without units: the
// data may come later, and until then a question that needs it is refused by name. So does one whose table is no calendar; the
// problem names the day on which it leaves off being one. The error is that the work was to end.
func (w *Workspace) calendars(ctx context.Context, m *semantic.Model) (*semantic.Model, error) {
	w.problems.set("calendars")
	for i := range m.Calendars {
		c := m.Calendars[i]
		if c.Table == "" || !w.hasTable(c.Table) {
			continue
		}
		var buckets map[string][]semantic.CalendarBucket
		days, err := profile.CalendarDays(ctx, w.store.Query, &c)
		if err == nil {
			buckets, err = semantic.TableBuckets(&c, days)
		}
		if err != nil {
			if !goesOn(ctx, err) {
				return nil, err
			}
			problem := faultProblem(ofContext, semantic.WorkspaceFileName, err)
			problem.Line = c.Pos.Line
			w.problems.add("calendars", problem)
			continue
		}
		m = semantic.WithBuckets(m, c.Name, buckets)
	}
	return m, nil
}

func (w *Workspace) hasTable(name string) bool {
	for _, s := range w.store.Sources() {
		for _, t := range s.Tables {
			if strings.EqualFold(t.Name, name) {
				return true
			}
		}
	}
	return false
}
