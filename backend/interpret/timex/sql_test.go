package timex

import (
	"strings"
	"testing"
	"time"

	"assay/backend/frameql"
)

func TestMomentsThatSQLWrites(t *testing.T) {
	env := frameql.Env{Now: time.Date(2024, 5, 15, 9, 30, 0, 0, time.UTC)} // a Wednesday
	for written, want := range map[string]string{
		"CURRENT_DATE":                                    "2024-05-15",
		"CURRENT_DATE - INTERVAL '30 days'":               "2024-04-15",
		"NOW ( ) :: date - 7 days":                        "2024-05-08",
		"DATE_TRUNC ( 'week' , CURRENT_DATE )":            "2024-05-13",
		"date ( 'now' , '-1 month' )":                     "2024-04-15",
		"DATE ( 'now' , 'start of month' )":               "2024-05-01",
		"DATE_SUB ( CURDATE ( ) , INTERVAL 1 DAY )":       "2024-05-14",
		"CAST ( '2024-02-29' AS DATE ) + INTERVAL 1 year": "2025-02-28",
		"the current date minus a week":                   "2024-05-08",
		"DATE_TRUNC ( 'moon' , CURRENT_DATE )":            "",
		"CURRENT_DATE - INTERVAL 'some days'":             "",
		"revenue":                                         "",
	} {
		// quoted words hold spaces
		var tokens []string
		for i, part := range strings.Split(written, "'") {
			if i%2 == 1 {
				tokens = append(tokens, "'"+part+"'")
			} else {
				tokens = append(tokens, strings.Fields(part)...)
			}
		}
		at, n := SQLMoment(tokens, env)
		switch {
		case want == "" && n > 0:
			t.Errorf("%s was read as %s", written, ISO(at))
		case want != "" && (n != len(tokens) || ISO(at) != want):
			t.Errorf("%s: %s (%d of %d), want %s", written, ISO(at), n, len(tokens), want)
		}
	}
}
