package reading

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Kind says how the values of a condition are written.
type Kind string

// The kinds of value.
const (
	Text    Kind = "text"
	Number  Kind = "number"
	Date    Kind = "date"
	Moment  Kind = "moment" // a date, or a date with a time of day
	Clock   Kind = "time"
	Boolean Kind = "boolean"
	Unit    Kind = "unit" // a year, a quarter, a month: as the unit that a time is cut by
)

// Takes says how many values an operator takes.
type Takes string

// The numbers of values.
const (
	None Takes = "none"
	One  Takes = "one"
	Two  Takes = "two" // a range, both ends included
	Many Takes = "many"
)

// longestValue is how many characters one value of a condition has at most.
const longestValue = 2000

var (
	comparisons = [...]string{"eq", "ne", "lt", "le", "gt", "ge"}
	textual     = map[string]bool{"like": true, "not_like": true, "contains": true, "not_contains": true, "starts_with": true, "not_starts_with": true}
	number      = regexp.MustCompile(`^[-−+]?\d{1,38}(\.\d{1,38})?$`)
	moment      = regexp.MustCompile(`^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$`)
	clock       = regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$`)
)

// takenBy gives the number of values of an operator; false: it is none of a comparison.
func takenBy(operator string) (Takes, bool) {
	switch operator {
	case "is_null", "not_null":
		return None, true
	case "between", "not_between":
		return Two, true
	case "in", "not_in":
		return Many, true
	case "eq", "ne", "lt", "le", "gt", "ge", inTop:
		return One, true
	}
	return One, textual[operator]
}

func kindOfType(t semantic.Type) Kind {
	switch {
	case t.Numeric():
		return Number
	case t == semantic.Boolean:
		return Boolean
	case t == semantic.Date:
		return Date
	case t == semantic.Timestamp:
		return Moment
	case t == semantic.Time:
		return Clock
	}
	return Text
}

// valuesOf reads values as a person wrote them. Fault Invalid with the place of the first that is none of its kind.
func valuesOf(written []string, takes Takes, k Kind) ([]frameql.Value, error) {
	wanted := map[Takes]int{None: 0, One: 1, Two: 2, Many: max(1, len(written))}[takes]
	var all []frameql.Value
	for i := range wanted {
		at, one := strconv.Itoa(i), ""
		if i < len(written) {
			one = written[i]
		}
		if n := utf8.RuneCountInString(one); n > longestValue {
			return nil, misfit(at, text.Say("reading.too_long", "most", longestValue, "n", n))
		}
		v, problem := valueOf(one, k)
		if problem != "" {
			return nil, misfit(at, problem)
		}
		all = append(all, v)
	}
	return all, nil
}

// valueOf reads one value; problem says why it is none of its kind.
func valueOf(written string, k Kind) (v frameql.Value, problem string) {
	if k == Text { // spaces are part of it, and an empty one is a text too
		return frameql.Value{Kind: frameql.String, Text: written}, ""
	}
	one := strings.TrimSpace(written)
	if one == "" {
		return v, text.Say("reading.value_missing")
	}
	switch k {
	case Number:
		if !number.MatchString(one) {
			return v, text.Say("reading.no_number", "value", short(one))
		}
		return frameql.Value{Kind: frameql.Number, Text: plainNumber(one)}, ""
	case Boolean:
		if one != "true" && one != "false" {
			return v, text.Say("reading.no_boolean", "value", short(one))
		}
		return frameql.Value{Kind: frameql.Bool, Text: one}, ""
	case Date, Moment:
		if !dated(one, k == Moment) {
			return v, text.Say("reading.no_date", "value", short(one))
		}
	case Clock:
		if !clock.MatchString(one) {
			return v, text.Say("reading.no_time", "value", short(one))
		}
	}
	return frameql.Value{Kind: frameql.String, Text: one}, ""
}

// dated says whether a text is a day of the calendar, or, where that is allowed, a moment of one.
func dated(s string, moments bool) bool {
	if _, err := time.Parse(time.DateOnly, s); err == nil {
		return true
	}
	if !moments || !moment.MatchString(s) {
		return false
	}
	at := s[:10] + " " + s[11:]
	if len(at) == len("2006-01-02 15:04") {
		at += ":00"
	}
	_, err := time.Parse(time.DateTime, at)
	return err == nil
}

// plainNumber writes a number as the language does: no sign before a positive one, and the sign that is on a keyboard.
func plainNumber(s string) string {
	switch {
	case len(s) > 0 && s[0] == '+':
		return s[1:]
	case len(s) > len("−") && s[:len("−")] == "−":
		return "-" + s[len("−"):]
	}
	return s
}

// reversed says whether a range ends before it begins.
func reversed(ends []frameql.Value, k Kind) bool {
	from, to := ends[0].Text, ends[1].Text
	if k != Number {
		return k != Text && k != Boolean && len(from) == len(to) && to < from
	}
	a, okA := new(big.Rat).SetString(from)
	b, okB := new(big.Rat).SetString(to)
	return okA && okB && b.Cmp(a) < 0
}

// wholeNumber reads the one value of how many are kept.
func wholeNumber(written []string) (int, error) {
	if len(written) != 1 {
		return 0, misfit("0", text.Say("reading.value_missing"))
	}
	n, err := strconv.Atoi(strings.TrimSpace(written[0]))
	if err != nil || n < 1 || n > mostKept {
		return 0, misfit("0", text.Say("reading.no_count", "value", short(written[0]), "most", mostKept))
	}
	return n, nil
}

// mostKept is how many members or rows are kept at most.
const mostKept = 100_000

// short is a text of which so much is left that a sentence can quote it.
func short(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
