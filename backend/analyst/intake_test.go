package analyst

import (
	"strings"
	"testing"
	"time"

	"assay/backend/semantic"
)

func TestOverrides(t *testing.T) {
	a := New(Deps{})
	for _, c := range []struct {
		question, rest string
		found          map[string]string
	}{
		{"revenue by category", "revenue by category", map[string]string{}},
		{"revenue by category, please confirm first", "revenue by category", map[string]string{"confirm": "first"}},
		{"Just  do it: revenue", "revenue", map[string]string{"confirm": "never"}},
		{"for the board meeting, revenue by month", "revenue by month", map[string]string{"stakes": "for the board meeting"}},
		{"revenue for the board, confirm first", "revenue", map[string]string{"stakes": "for the board", "confirm": "first"}},
		{"revenue for the boarding passes", "revenue for the boarding passes", map[string]string{}},
		{"just do it!", "just do it!", map[string]string{}},
		{"", "", map[string]string{}},
	} {
		rest, found, stakes := a.readOverrides(c.question)
		if strings.TrimSpace(rest) != c.rest || len(found) != len(c.found) || len(rest) != len(c.question) {
			t.Errorf("%q gives %q and %v", c.question, rest, found)
		}
		if (c.found["stakes"] != "") != (len(stakes.Audience) > 0) {
			t.Errorf("%q: stakes %+v", c.question, stakes)
		}
		for name, value := range c.found {
			if found[name] != value {
				t.Errorf("%q: %s is %q", c.question, name, found[name])
			}
		}
	}
}

func TestAnchor(t *testing.T) {
	date := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	last := map[string]time.Time{}
	k := Knowledge{
		Model: &semantic.Model{Entities: []semantic.Entity{{Name: "orders", DefaultTime: "day"}, {Name: "lines", DefaultTime: "orders.day"}, {Name: "visits", DefaultTime: "at"}, {Name: "products"}}},
		Coverage: func(d string) (time.Time, time.Time, bool) {
			end, ok := last[d]
			return time.Time{}, end, ok
		},
	}
	wall := time.Date(2026, 3, 10, 9, 30, 0, 0, time.UTC)
	check := func(name string, want time.Time, wantFromData bool) {
		t.Helper()
		got, fromData := anchor(k, wall)
		if !got.Equal(want) || fromData != wantFromData || !Anchor(k, wall).Equal(want) {
			t.Errorf("%s: %v, %v, want %v, %v", name, got, fromData, want, wantFromData)
		}
	}
	check("nothing is known", wall, false)
	last["orders.day"] = date("1998-05-06")
	check("old data", date("1998-05-06"), true)
	last["visits.at"] = date("2026-03-08")
	check("some of it is fresh", wall, false)
	last["visits.at"] = date("2026-03-07")
	check("a little more than three days old", date("2026-03-07"), true)
	last["visits.at"] = date("2099-01-01")
	check("dates of the future", wall, false)

	berlin := time.FixedZone("Berlin", 3600)
	k.Zone = berlin
	last["visits.at"] = date("2026-01-31")
	check("days begin in the workspace's zone", time.Date(2026, 1, 31, 0, 0, 0, 0, berlin), true)
}
