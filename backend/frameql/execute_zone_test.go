//go:build cgo

package frameql_test

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"assay/backend/compile"
	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// calls are moments stored in UTC, in a workspace in New York, where clocks went forward on 10 March 2024 at two and back on
// 3 November 2024. Each amount is a power of two, so that a sum says which rows it is of.
const callsData = `CREATE TABLE calls AS SELECT * FROM (VALUES
	(1, TIMESTAMP '2024-03-10 04:59:00', 1), -- the 9th, 23:59
	(2, '2024-03-10 05:00:00', 2), -- the 10th, 00:00
	(3, '2024-03-10 06:30:00', 4), -- 01:30
	(4, '2024-03-10 07:00:00', 8), -- 03:00
	(5, '2024-03-10 18:30:00', 16), -- 14:30
	(6, '2024-03-10 18:30:00.5', 32),
	(7, '2024-03-11 03:59:59.999999', 64), -- 23:59:59.999999
	(8, '2024-11-03 05:30:00', 128), -- 01:30
	(9, '2024-11-03 06:30:00', 256), -- 01:30 once more
	(10, NULL, 512),
	(11, '2023-02-28 15:00:00', 1024), -- 10:00
	(12, '2023-02-28 20:00:00', 2048), -- 15:00
	(13, '2024-02-29 15:00:00', 4096) -- 10:00
) t(id, placed, amount);
CREATE TABLE plans AS SELECT * FROM (VALUES (1, DATE '2024-03-10', 1), (2, DATE '2024-03-11', 2)) t(id, due, amount)`

func callsEnv(t *testing.T, last time.Time) Env {
	t.Helper()
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	entity := func(name, at string, of semantic.Type, zone string) semantic.Entity {
		return semantic.Entity{Name: name, Key: []string{"id"}, DefaultTime: at, Source: semantic.Source{Table: name}, Dimensions: []semantic.Dimension{
			{Name: "id", Type: semantic.Integer}, {Name: at, Type: of, TimeZone: zone}, {Name: "amount", Type: semantic.Integer, Measure: true},
		}}
	}
	metric := func(name, of string) semantic.Metric {
		return semantic.Metric{Name: name, Entity: of, Kind: semantic.Leaf, Expr: "amount", Reducer: semantic.Sum}
	}
	return Env{
		Model: &semantic.Model{
			Workspace: semantic.Settings{TimeZone: "America/New_York"},
			Entities:  []semantic.Entity{entity("calls", "placed", semantic.Timestamp, "UTC"), entity("plans", "due", semantic.Date, "")},
			Metrics:   []semantic.Metric{metric("total", "calls"), metric("planned", "plans")},
		},
		Now: time.Date(2024, 3, 10, 22, 0, 0, 0, newYork),
		Coverage: func(dimension string) (time.Time, time.Time, bool) { // by the clocks of New York
			if dimension == "plans.due" {
				return time.Date(2024, 3, 10, 0, 0, 0, 0, time.UTC), time.Date(2024, 3, 11, 0, 0, 0, 0, time.UTC), true
			}
			return time.Date(2023, 2, 28, 10, 0, 0, 0, time.UTC), last, true
		},
	}
}

// TestTimeZones: days and hours are those of the clocks of the query's zone, and periods may begin and end within a day.
func TestTimeZones(t *testing.T) {
	db, err := sql.Open("duckdb", "?"+compile.DuckDBConfig)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(callsData); err != nil {
		t.Fatal(err)
	}
	november, march := time.Date(2024, 11, 3, 1, 30, 0, 0, time.UTC), time.Date(2024, 3, 10, 23, 59, 59, 999_999_000, time.UTC)
	for _, c := range []struct {
		query, check string
		last         time.Time // in the data, as far as anybody has measured
	}{
		{"SELECT day, total", `SELECT * FROM (VALUES (DATE '2023-02-28', 3072), ('2024-02-29', 4096), ('2024-03-09', 1), ('2024-03-10', 126), ('2024-11-03', 384), (NULL, 512))`, november},
		{ // half an hour makes another day of the afternoon
			"SELECT day, total OPTIONS (tz = 'Asia/Kolkata')",
			`SELECT * FROM (VALUES (DATE '2023-02-28', 1024), ('2023-03-01', 2048), ('2024-02-29', 4096), ('2024-03-10', 15), ('2024-03-11', 112), ('2024-11-03', 384), (NULL, 512))`, november,
		},
		{ // which the data reaches, though it ends on the 10th in New York
			"SELECT total AT () DURING 2024-03-11 OPTIONS (tz = 'Asia/Kolkata')", "SELECT 112", march,
		},
		{ // so that no rows of a day within it are 0
			"SELECT total, PREV(total) AS before AT calls DURING FROM '2024-03-11T01:00' TO '2024-03-12T01:00' COMPARE TO PREVIOUS PERIOD OPTIONS (tz = 'Asia/Kolkata', partial = 'none')",
			"SELECT * FROM (VALUES (1, 0, 1), (2, 0, 2), (3, 0, 4), (4, 0, 8), (5, 0, 16), (6, 0, 32), (7, 64, 0))", march,
		},
		{ // an unfinished period is compared with as much of the other one: 23 hours
			"SELECT total, PREV(total) AS before AT calls DURING FROM '2024-03-11T01:00' TO '2024-03-12T01:00' COMPARE TO PREVIOUS PERIOD OPTIONS (tz = 'Asia/Kolkata')",
			"SELECT * FROM (VALUES (1, 0, 1), (2, 0, 2), (3, 0, 4), (4, 0, 8), (7, 64, 0))", march,
		},
		{"SELECT hour, total DURING 2024-11-03", "SELECT TIMESTAMP '2024-11-03 01:00:00', 384", november},
		{ // an hour that no clock showed is an hour without rows
			"SELECT hour, total DURING 2024-03-10 FILL ZERO",
			"SELECT h, CASE hour(h) WHEN 0 THEN 2 WHEN 1 THEN 4 WHEN 3 THEN 8 WHEN 14 THEN 48 WHEN 23 THEN 64 ELSE 0 END FROM generate_series(TIMESTAMP '2024-03-10', TIMESTAMP '2024-03-10 23:00:00', INTERVAL 1 HOUR) s(h)", november,
		},
		{"SELECT hour_of_day, total DURING 2024-03-10", "SELECT * FROM (VALUES (0, 2), (1, 4), (3, 8), (14, 48), (23, 64))", november},
		{"SELECT total AT () DURING TODAY", "SELECT 126", november},
		{"SELECT total AT () DURING TODAY OPTIONS (tz = 'Asia/Kolkata')", "SELECT 112", november}, // where it is the 11th already
		{"SELECT total AT () DURING BETWEEN '2024-03-10T00:00' AND '2024-03-10T14:30'", "SELECT 30", november},
		{"SELECT hour, total DURING BETWEEN '2024-03-10T13:00' AND '2024-03-10T14:00' FILL ZERO", "SELECT * FROM (VALUES (TIMESTAMP '2024-03-10 13:00:00', 0), ('2024-03-10 14:00:00', 0))", november},
		{"SELECT total AT () DURING FROM '2024-03-10T03:00' TO '2024-03-10T15:00' COMPARE TO PREVIOUS PERIOD", "SELECT 56, 7, 49, 7", november},
		{ // 23:00 to 00:30 beside 00:30 to 02:00: each hour beside the one before
			"SELECT hour, total DURING FROM '2024-03-10T00:30' TO '2024-03-10T02:00' COMPARE TO PREVIOUS PERIOD",
			"SELECT * FROM (VALUES (TIMESTAMP '2024-03-10 00:00:00', 0, 1, -1, -1), ('2024-03-10 01:00:00', 4, 2, 2, 1))", november,
		},
		{ // the last day of February of another length
			"SELECT total AT () DURING FROM '2024-02-29T02:00' TO '2024-02-29T14:00' COMPARE TO SAME PERIOD LAST YEAR", "SELECT 4096, 1024, 3072, 3", november,
		},
		{ // the day before the last one is as whole as it was
			"SELECT day, total, PREV(total) AS before DURING FROM '2024-03-09T12:00' TO '2024-03-10T02:00'",
			"SELECT * FROM (VALUES (DATE '2024-03-09', 1, 0), ('2024-03-10', 6, 1))", november,
		},
		{ // of what cannot be added up, up to the end within the day
			"SELECT day, CUMULATIVE(COUNT(DISTINCT calls.id)) AS n FROM calls DURING FROM '2024-03-09T12:00' TO '2024-03-10T02:00'",
			"SELECT * FROM (VALUES (DATE '2024-03-09', 1), ('2024-03-10', 3))", november,
		},
		{"SELECT day, MOVING(total, 6, HOUR) AS m DURING 2024-03-10", "SELECT DATE '2024-03-10', 64", november},
		{"SELECT day, MOVING(total, 2, HOUR) AS m DURING FROM '2024-03-10T00:00' TO '2024-03-10T02:00'", "SELECT DATE '2024-03-10', 6", november},
		{ // the hours that begin after the same hour of the day before
			"SELECT hour, MOVING(total, 1, DAY) AS m DURING 2024-03-10",
			"SELECT * FROM (VALUES (TIMESTAMP '2024-03-10 00:00:00', 3), ('2024-03-10 01:00:00', 7), ('2024-03-10 03:00:00', 15), ('2024-03-10 14:00:00', 63), ('2024-03-10 23:00:00', 126))", november,
		},
		{ // before the data nothing is known of a day a month before, and of no day nothing lies before
			"SELECT day, total, PREV(total) AS before COMPARE TO PREVIOUS MONTH",
			"SELECT * FROM (VALUES (DATE '2023-02-28', 3072, NULL), ('2024-02-29', 4096, 0), ('2024-03-09', 1, 0), ('2024-03-10', 126, 0), ('2024-11-03', 384, 0), (NULL, 512, NULL))", november,
		},
		{ // a day is the same in every zone
			"SELECT day, total, planned DURING 2024-03 OPTIONS (tz = 'Asia/Kolkata')",
			"SELECT * FROM (VALUES (DATE '2024-03-10', 15, 1), ('2024-03-11', 112, 2))", november,
		},
		{"SELECT total AT () WHERE placed >= '2024-03-10T14:30' AND placed < '2024-03-11'", "SELECT 112", november},
		{"SELECT total AT () WHERE placed.hour = '2024-03-10T14:00' OR placed.day = '2024-03-09'", "SELECT 49", november},
	} {
		q, err := Parse(c.query)
		if err != nil {
			t.Fatal(err)
		}
		plan, refusals := Resolve(q, callsEnv(t, c.last))
		if plan == nil {
			t.Errorf("%s: %v", c.query, refusals)
			continue
		}
		s, err := plan.Statement(DuckDB)
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		_, got := rows(t, db, s.SQL)
		_, want := rows(t, db, c.check)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s\ngot\n%s\nwant\n%s\n%s", c.query, strings.Join(got, "\n"), strings.Join(want, "\n"), s.SQL)
		}
	}
}

// TestDaysHaveNoHours: what asks for a part of a day is refused of a time that holds days, with the whole days.
func TestDaysHaveNoHours(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT planned AT () DURING FROM '2024-03-10T06:00' TO '2024-03-11T06:00'":                      "GRAIN_UNAVAILABLE: SELECT planned AT () DURING FROM 2024-03-10 TO 2024-03-12; SELECT planned AT ()",
		"SELECT day, total, planned DURING BETWEEN '2024-03-10T00:00' AND '2024-03-10T12:00'":            "GRAIN_UNAVAILABLE: SELECT day, total, planned DURING FROM 2024-03-10 TO 2024-03-11; SELECT day, total, planned",
		"SELECT planned AT () DURING 2024-03-10 COMPARE TO DURING FROM '2024-03-09T12:00' TO 2024-03-10": "GRAIN_UNAVAILABLE: SELECT planned AT () DURING 2024-03-10",
		"SELECT plans.due, planned, MOVING(planned, 6, HOUR) AS m":                                       "GRAIN_UNAVAILABLE: SELECT plans.due, planned, MOVING(planned, 6, DAY) AS m; SELECT plans.due, planned",
		"SELECT plans.due.hour, planned":                                                                 "GRAIN_UNAVAILABLE: SELECT plans.due.day, planned",
	} {
		q, err := Parse(query)
		if err != nil {
			t.Fatal(err)
		}
		plan, refusals := Resolve(q, callsEnv(t, time.Date(2024, 11, 3, 1, 30, 0, 0, time.UTC)))
		if plan != nil || len(refusals) != 1 {
			t.Errorf("%s: %v", query, refusals)
			continue
		}
		var repairs []string
		for _, r := range refusals[0].Repairs {
			repairs = append(repairs, r.FrameQL)
		}
		if got := refusals[0].Code + ": " + strings.Join(repairs, "; "); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", query, got, want)
		}
	}
}
