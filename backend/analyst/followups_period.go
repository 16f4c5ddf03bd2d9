package analyst

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/text"
)

// nextPeriodWords says a period so that the reader reads it back; empty for one that has no such words.
func nextPeriodWords(p frameql.Period) string {
	switch p.Kind {
	case "literal":
		if words := literalWords(p.Value); words != "" {
			return text.Say("analyst.next_in", "period", words)
		}
	case "last":
		if !p.Incl {
			return text.Say("analyst.next_last", "n", p.N, "unit", unitWords(p.Unit, p.N))
		}
	case "previous":
		return text.Say("analyst.next_previous", "unit", unitWords(p.Unit, 1))
	case "this":
		if !p.ToDay {
			return text.Say("analyst.next_this", "unit", unitWords(p.Unit, 1))
		}
	}
	return ""
}

// literalWords says 1997, 1997-Q4 or 1997-10 as people do.
func literalWords(value string) string {
	year, rest, ok := strings.Cut(value, "-")
	if _, err := strconv.Atoi(year); err != nil {
		return "" // a fiscal year
	}
	if !ok {
		return year
	}
	if quarter, isQuarter := strings.CutPrefix(rest, "Q"); isQuarter {
		return text.Say("analyst.quarter_name", "quarter", quarter, "year", year)
	}
	month, err := strconv.Atoi(rest)
	if err != nil || month < 1 || month > 12 {
		return "" // a day
	}
	return text.Say("analyst.month_name", "month", entry("analyst.month_", month), "year", year)
}

// literalBefore gives the year, quarter or month before a literal one.
func literalBefore(p frameql.Period) (frameql.Period, bool) {
	if p.Kind != "literal" || literalWords(p.Value) == "" {
		return p, false
	}
	year, rest, _ := strings.Cut(p.Value, "-")
	y, err := strconv.Atoi(year)
	if err != nil {
		return p, false
	}
	quarter, isQuarter := strings.CutPrefix(rest, "Q")
	switch {
	case rest == "":
		p.Value = fmt.Sprintf("%04d", y-1)
	case isQuarter:
		q, err := strconv.Atoi(quarter)
		if err != nil {
			return p, false
		}
		if q--; q == 0 {
			y, q = y-1, 4
		}
		p.Value = fmt.Sprintf("%04d-Q%d", y, q)
	default:
		first, err := time.Parse("2006-01", p.Value)
		if err != nil {
			return p, false
		}
		p.Value = first.AddDate(0, -1, 0).Format("2006-01")
	}
	return p, true
}
