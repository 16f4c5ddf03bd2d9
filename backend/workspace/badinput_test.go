package workspace

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
)

// bad are files as nobody should write them, and queries over each: the rows, cells separated by a bar, or what the
// refusal or the fault is.
var bad = []struct {
	file, content string
	queries       map[string]string
}{
	{
		"names.csv", "select,group by,Größe,日本語,\"say \"\"hi\"\"\",x'y,order\n1,a,1.5,東京,q,p,5\n2,b,2.5,大阪,r,q,6\n3,a,4.0,東京,q,p,7\n",
		map[string]string{
			`SELECT "select", SUM(grosse) AT "select"`:                                          "1|1|1.5\n2|2|2.5\n3|3|4.0",
			`SELECT column_4, COUNT(names) AT column_4 WHERE column_4 = '東京'`:                   "東京|2",
			`SELECT x_y, COUNT(names) AS "select" AT x_y HAVING "select" > 1 ORDER BY "select"`: "p|2",
			`SELECT say_hi, SUM("order") AS "x ""y"" 'z" AT say_hi ORDER BY "x ""y"" 'z" DESC`:  "q|12\nr|6",
			`SELECT COUNT(names) WHERE group_by = 'a'' OR 1=1 --'`:                              "VALUE_NOT_FOUND",
			`SELECT COUNT(names) WHERE group_by CONTAINS ''' OR 1=1 --'`:                        "0",
			`SELECT "Größe`:               "SYNTAX",
			`SELECT COUNT(nothing)`:       "UNKNOWN_NAME",
			`SELECT "x'; DROP"`:           "UNKNOWN_NAME",
			`SELECT SUM("names"."order")`: "18",
			`SELECT SUM("names.order")`:   "SYNTAX", // no name has a dot
			"SELECT COUNT(names) \x00":    "SYNTAX",
		},
	},
	{
		"dots.csv", "a.b,a,b\n1,2,x\n3,4,y\n",
		map[string]string{
			`SELECT SUM(a_b), SUM(a)`: "4|6",
			`SELECT SUM("a.b")`:       "SYNTAX",
			`SELECT SUM(a.b)`:         "UNKNOWN_NAME",
			`SELECT b, SUM(a) AS "v. 2" AT b HAVING "v. 2" > 2 ORDER BY "v. 2"`: "y|4",
		},
	},
	{
		"case.csv", "id,City,CITY,city\n1,a,b,c\n2,a,b,d\n3,e,b,c\n",
		map[string]string{
			`SELECT City, CITY_2, city_3, COUNT("case")`:   "a|b|c|1\na|b|d|1\ne|b|c|1",
			`SELECT CITY, COUNT("CASE") AT city`:           "a|2\ne|1",
			`SELECT COUNT("case") WHERE city = 'A'`:        "VALUE_NOT_FOUND",
			`SELECT COUNT("case") WHERE city CONTAINS 'A'`: "2",
		},
	},
	{
		"empty.csv", "id,day,amount\n",
		map[string]string{
			`SELECT COUNT(empty.id)`:             "0",
			`SELECT day, COUNT(empty.id) AT day`: "",
			`SELECT SUM(amount)`:                 "TYPE_MISMATCH",
			`SELECT COUNT(empty.id) DURING 2024`: "TIME_DIMENSION_REQUIRED",
			`SELECT id, day AT (id, day)`:        "",
			`SELECT COUNT(empty.id) TOTALS`:      "GRAIN_MISMATCH",
		},
	},
	{
		"nulls.csv", "id,day,amount,label\n0,,,\n1,,,\n2,,,\n3,,,\n4,,,\n",
		map[string]string{
			`SELECT COUNT(nulls), COUNT(DISTINCT label), MAX(day)`:           "5|0|<nil>",
			`SELECT label, COUNT(nulls) AT label TOTALS`:                     "<nil>|5|false\n<nil>|5|true",
			`SELECT COUNT(nulls) WHERE label IS NOT NULL`:                    "0",
			`SELECT COUNT(nulls) WHERE label <> 'x'`:                         "VALUE_NOT_FOUND",
			`SELECT SUM(amount)`:                                             "TYPE_MISMATCH",
			`SELECT label, SHARE(COUNT(nulls)) AT label WHERE label IS NULL`: "<nil>|1",
		},
	},
	{
		"old.csv", "id,day,amount\n1,1901-02-03,10\n2,1969-12-31,20\n3,1970-01-01,30\n4,0001-01-01,5\n5,9999-12-31,7\n6,1600-02-29,3\n",
		map[string]string{
			`SELECT year, SUM(amount) AT year`:             "0001-01-01|5\n1600-01-01|3\n1901-01-01|10\n1969-01-01|20\n1970-01-01|30\n9999-01-01|7",
			`SELECT week, SUM(amount) AT week`:             "0001-01-01|5\n1600-02-28|3\n1901-01-28|10\n1969-12-29|50\n9999-12-27|7",
			`SELECT SUM(amount) DURING 1969`:               "20",
			`SELECT SUM(amount) DURING 9999-12-30`:         "0",
			`SELECT SUM(amount) DURING 9999`:               "INVALID_PERIOD",
			`SELECT SUM(amount) DURING 0001`:               "INVALID_PERIOD",
			`SELECT SUM(amount) DURING 12024`:              "SYNTAX",
			`SELECT SUM(amount) WHERE day >= '9999-12-31'`: "7",
			`SELECT SUM(amount) WHERE day > '12024-01-01'`: "TYPE_MISMATCH",
			`SELECT SUM(amount) DURING LAST 100000 YEAR`:   "INVALID_PERIOD",
			`SELECT year, CUMULATIVE(SUM(amount)) AT year`: "0001-01-01|5\n1600-01-01|8\n1901-01-01|18\n1969-01-01|38\n1970-01-01|68\n9999-01-01|75",
		},
	},
	{
		"far.csv", "id,day,amount\n1,2024-01-01,10\n2,12024-01-01,20\n3,-0044-03-15,30\n",
		map[string]string{
			`SELECT day, SUM(amount) AT day`: "-0044-03-15|30\n12024-01-01|20\n2024-01-01|10", // not dates: texts
			`SELECT SUM(amount) DURING 2024`: "TIME_DIMENSION_REQUIRED",
		},
	},
	{
		"tz.csv", "id,at,amount\n1,2024-03-31T01:30:00+01:00,1\n2,2024-03-31T01:30:00Z,2\n3,2024-03-30T23:30:00-05:00,4\n4,2024-03-31 00:30:00+00,8\n",
		map[string]string{
			`SELECT "at", SUM(amount) AT "at"`:              "2024-03-31T00:30:00|9\n2024-03-31T01:30:00|2\n2024-03-31T04:30:00|4",
			`SELECT day, SUM(amount) AT day`:                "2024-03-31|15",
			`SELECT SUM(amount) OPTIONS (tz = 'Mars/Base')`: "INVALID_OPTION",
		},
	},
	{
		"tzmix.csv", "id,at,amount\n1,2024-03-31T01:30:00+01:00,1\n2,2024-03-31 01:30:00,2\n", // one of them has no zone
		map[string]string{`SELECT day, SUM(amount) AT day`: "TIME_DIMENSION_REQUIRED"},
	},
	{
		"nan.csv", "id,k,x\n1,a,1.5\n2,b,inf\n3,b,-inf\n4,c,2\n5,d,Infinity\n",
		map[string]string{
			`SELECT k, SUM(x), MIN(x), MAX(x), COUNT(x) AT k`: "a|1.5|1.5|1.5|1\nb|NaN|-Infinity|Infinity|2\nc|2|2|2|1\nd|Infinity|Infinity|Infinity|1",
			`SELECT k, SHARE(SUM(x)) AT k`:                    "a|NaN\nb|NaN\nc|NaN\nd|NaN",
			`SELECT STDDEV(x)`:                                "invalid",
			`SELECT COUNT(nan) WHERE x > 1`:                   "4",
			`SELECT COUNT(nan) WHERE x > Infinity`:            "UNKNOWN_NAME",
		},
	},
	{
		"digits.csv", "id,k,x\n1,a,9999999999999999999999999999999999.9999\n2,a,0.0001\n3,b,1234567890123456789012345678901234.5678\n",
		map[string]string{
			`SELECT k, SUM(x), MIN(x) AT k`: "a|10000000000000000000000000000000000.0000|0.0001\n" +
				"b|1234567890123456789012345678901234.5678|1234567890123456789012345678901234.5678",
			`SELECT COUNT(digits) WHERE x = 9999999999999999999999999999999999.9999`: "1",
			`SELECT SUM(x) * 1000`: "invalid", // more digits than there are
			`SELECT COUNT(digits) WHERE x > 99999999999999999999999999999999999999`: "invalid",
		},
	},
}

// TestBadInput wants a right answer or a refusal for every file and query, never a fault of ours.
func TestBadInput(t *testing.T) {
	for _, b := range bad {
		t.Run(b.file, func(t *testing.T) {
			dir := t.TempDir()
			w := openTarget(t, Target{Data: []string{write(t, dir, b.file, b.content)}}, filepath.Join(dir, "home"))
			for query, want := range b.queries {
				a, err := w.Ask(context.Background(), analyst.Request{FrameQL: query}, nil)
				got := ""
				switch {
				case err != nil:
					got = string(fault.CodeOf(err))
				case a.Refusal != nil:
					got = a.Refusal.Code
				default:
					got = rowsOf(a.Frame)
				}
				if got != want {
					t.Errorf("%s\ngot  %s\nwant %s\n%+v", query, got, want, err)
				}
			}
		})
	}
}

// TestEditWhileAQueryRuns: a query ends with the definitions that it began with; the next one has the new ones.
func TestEditWhileAQueryRuns(t *testing.T) {
	dir := shop(t)
	w := openTarget(t, Target{Dir: dir}, t.TempDir())
	query := analyst.Request{FrameQL: "SELECT turnover"}
	edited := false
	during := ""
	a, err := w.Ask(context.Background(), query, func(e analyst.Event) {
		if edited || e.Step == nil || e.Step.Name != "interpret" || e.Step.Status != "done" {
			return
		}
		edited = true
		write(t, dir, "context/metrics/sales.yaml", strings.Replace(turnover, "expr: amount", "expr: amount - cost", 1))
		inner, err := w.Ask(context.Background(), query, nil)
		if err != nil {
			t.Fatal(err)
		}
		during = rowsOf(inner.Frame)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := rowsOf(a.Frame); got != "55.75" || during != "40.75" {
		t.Errorf("the query that ran: %s; the one after the edit: %s", got, during)
	}
}
