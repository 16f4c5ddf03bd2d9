package timex

import (
	"strconv"
	"strings"
	"time"

	"assay/backend/frameql"
)

// sqlMoment reads a moment as SQL writes it, or nearly so in words: "DATE_TRUNC('week', CURRENT_DATE) - INTERVAL '1 week'",
// "date('now', '-30 days')", "the current date minus 30 days".
type sqlMoment struct {
	r      *reader
	tokens []string
	at     int
}

// SQLMoment reads a moment at the head of the tokens of a SQL expression, and how many of them it takes; 0: it is none.
func SQLMoment(tokens []string, env frameql.Env) (t time.Time, n int) {
	m := sqlMoment{r: newReader("", env, Exact), tokens: tokens}
	t, ok := m.shifted()
	if !ok {
		return time.Time{}, 0
	}
	return t, m.at
}

// today are the ways to say the day of the clock, as words and as functions without operands.
var today = [][]string{
	{"CURRENT_DATE"}, {"CURRENT_TIMESTAMP"}, {"CURRENT", "DATE"}, {"TODAY", "(", ")"}, {"TODAY"}, {"NOW", "(", ")"}, {"NOW"}, {"CURDATE", "(", ")"}, {"GETDATE", "(", ")"},
}

// next passes the words when they all stand next.
func (m *sqlMoment) next(ws ...string) bool {
	for i, w := range ws {
		if m.at+i >= len(m.tokens) || !strings.EqualFold(m.tokens[m.at+i], w) {
			return false
		}
	}
	m.at += len(ws)
	return true
}

// shifted reads a moment and the intervals that are added to it or taken off.
func (m *sqlMoment) shifted() (time.Time, bool) {
	t, ok := m.base()
	for ok {
		sign := 0
		switch {
		case m.next("-"), m.next("minus"):
			sign = -1
		case m.next("+"), m.next("plus"):
			sign = 1
		default:
			return t, true
		}
		m.next("INTERVAL")
		t, ok = m.interval(t, sign)
	}
	return t, false
}

func (m *sqlMoment) base() (time.Time, bool) {
	m.next("the")
	switch {
	case m.next("("):
		t, ok := m.shifted()
		ok = ok && m.next(")")
		return t, ok && m.cast()
	case m.next("DATE_TRUNC", "("):
		return m.truncated()
	case m.next("CAST", "("):
		t, ok := m.shifted()
		if !ok || !m.next("AS") {
			return t, false
		}
		m.at++ // the type
		return t, m.next(")")
	case m.next("DATE_SUB", "("), m.next("DATE_ADD", "("):
		sign := 1
		if strings.EqualFold(m.tokens[m.at-2], "DATE_SUB") {
			sign = -1
		}
		t, ok := m.shifted()
		if !ok || !m.next(",", "INTERVAL") {
			return t, false
		}
		t, ok = m.interval(t, sign)
		return t, ok && m.next(")")
	case m.next("DATE", "("), m.next("DATETIME", "("):
		return m.dated()
	}
	for _, ws := range today {
		if m.next(ws...) {
			return m.r.today, m.cast()
		}
	}
	m.next("DATE")
	return m.written()
}

// cast passes "::date".
func (m *sqlMoment) cast() bool {
	if m.next("::") {
		m.at++
	}
	return m.at <= len(m.tokens)
}

// written reads a day between quotation marks.
func (m *sqlMoment) written() (time.Time, bool) {
	if m.at >= len(m.tokens) {
		return time.Time{}, false
	}
	t, err := time.Parse("2006-01-02", strings.Trim(m.tokens[m.at], "'"))
	if err != nil {
		return time.Time{}, false
	}
	m.at++
	return t, m.cast()
}

// truncated reads the operands of DATE_TRUNC.
func (m *sqlMoment) truncated() (time.Time, bool) {
	if m.at >= len(m.tokens) {
		return time.Time{}, false
	}
	unit := strings.ToLower(strings.Trim(m.tokens[m.at], "'"))
	m.at++
	if !m.next(",") {
		return time.Time{}, false
	}
	t, ok := m.shifted()
	switch unit {
	case "day", "week", "month", "quarter", "year":
		t = m.r.floor(t, unit)
	default:
		ok = false
	}
	return t, ok && m.next(")") && m.cast()
}

// dated reads what SQLite's date() takes: a day, and changes of it one after the other.
func (m *sqlMoment) dated() (time.Time, bool) {
	t, ok := m.r.today, m.next("'now'")
	if !ok {
		t, ok = m.shifted()
	}
	for ok && m.next(",") && m.at < len(m.tokens) {
		change := strings.ToLower(strings.Trim(m.tokens[m.at], "'"))
		m.at++
		if unit, found := strings.CutPrefix(change, "start of "); found {
			t, ok = floorPlain(t, unit), unit == "day" || unit == "month" || unit == "year"
			continue
		}
		t, ok = moved(t, strings.Fields(change), 1)
	}
	return t, ok && m.next(")")
}

// interval reads "'30 days'", "30 DAY", "a week", and moves a moment by it.
func (m *sqlMoment) interval(t time.Time, sign int) (time.Time, bool) {
	if m.at >= len(m.tokens) {
		return t, false
	}
	if quoted, ok := strings.CutPrefix(m.tokens[m.at], "'"); ok {
		fields := strings.Fields(strings.TrimSuffix(quoted, "'"))
		m.at++
		if len(fields) == 1 && m.at < len(m.tokens) { // INTERVAL '30' DAY
			fields = append(fields, m.tokens[m.at])
			m.at++
		}
		return moved(t, fields, sign)
	}
	if m.at+1 >= len(m.tokens) {
		return t, false
	}
	m.at += 2
	return moved(t, m.tokens[m.at-2:m.at], sign)
}

// moved moves a moment by an amount and its unit: "30 days", "+1 month", "a week".
func moved(t time.Time, amount []string, sign int) (time.Time, bool) {
	if len(amount) != 2 {
		return t, false
	}
	n, err := strconv.Atoi(strings.TrimPrefix(amount[0], "+"))
	if err != nil {
		if !strings.EqualFold(amount[0], "a") && !strings.EqualFold(amount[0], "one") {
			return t, false
		}
		n = 1
	}
	n *= sign
	switch unit := strings.TrimSuffix(strings.ToLower(amount[1]), "s"); unit {
	case "day", "week", "month", "quarter", "year":
		return step(t, unit, n), true
	case "hour":
		return t.Add(time.Duration(n) * time.Hour), true
	case "minute":
		return t.Add(time.Duration(n) * time.Minute), true
	case "second":
		return t.Add(time.Duration(n) * time.Second), true
	case "millisecond":
		return t.Add(time.Duration(n) * time.Millisecond), true
	case "microsecond":
		return t.Add(time.Duration(n) * time.Microsecond), true
	}
	return t, false
}
