package workspace

import (
	"context"
	"strings"

	"assay/backend/profile"
	"assay/backend/semantic"
)

// calendars reads the calendars that are tables of the workspace. One whose table is not there stays without units: the
// data may come later, and until then a question that needs it is refused by name. fault.Invalid names the day on which
// a table leaves off being a calendar.
func (w *Workspace) calendars(ctx context.Context, m *semantic.Model) (*semantic.Model, error) {
	for i := range m.Calendars {
		c := m.Calendars[i]
		if c.Table == "" || !w.hasTable(c.Table) {
			continue
		}
		days, err := profile.CalendarDays(ctx, w.store.Query, &c)
		if err != nil {
			return nil, err
		}
		buckets, err := semantic.TableBuckets(&c, days)
		if err != nil {
			return nil, err
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
