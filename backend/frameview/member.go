package frameview

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/text"
)

// Member is a cell of a dimension, or any other cell that is no measured number, for a person: a date as its grain is read, a number
// as it stands, because it names something.
func Member(cell any, c frameql.Column) string {
	switch x := cell.(type) {
	case nil:
		return text.Say("analyst.no_value")
	case bool:
		if x {
			return text.Say("frameview.true")
		}
		return text.Say("frameview.false")
	case string:
		if c.Type == "date" || c.Type == "timestamp" {
			return dated(x, c.Grain)
		}
		return x
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return fmt.Sprint(cell)
}

// dated writes an ISO date as its grain is read. What is none stays as it is.
func dated(s, grain string) string {
	d, rest, _ := strings.Cut(s, "T")
	t, err := time.Parse("2006-01-02", d)
	if err != nil {
		return s
	}
	month := text.Say("frameview.month_" + strconv.Itoa(int(t.Month())))
	switch grain {
	case "year":
		return strconv.Itoa(t.Year())
	case "quarter":
		return text.Say("frameview.quarter", "quarter", (int(t.Month())+2)/3, "year", t.Year())
	case "month":
		return text.Say("frameview.month", "month", month, "year", t.Year())
	}
	if rest == "" || rest == "00:00:00" && grain != "hour" {
		return text.Say("frameview.day", "month", month, "day", t.Day(), "year", t.Year())
	}
	return text.Say("frameview.moment", "month", month, "day", t.Day(), "year", t.Year(), "time", rest)
}
