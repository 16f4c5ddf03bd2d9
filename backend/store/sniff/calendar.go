package sniff

import (
	"regexp"
	"strings"
	"time"
)

// Layout is a way to write dates and times.
type Layout struct {
	ISO      bool   // 2006-01-02, with or without a time behind a blank or T; read by the engine's own cast
	Format   string // strptime format when it is not ISO: %m/%d/%Y
	Form     string // RE2 expression of the format
	Offset   bool   // times carry Z or a difference to UTC; they are converted to UTC
	Midnight bool   // Date: a time is written behind every date and it is always midnight
}

// day is a way to write a day. Layouts are given for Go and for strptime; both take one or two digits.
type day struct {
	goForm, format, form string
	swap                 int // index into days of the layout with day and month the other way round; 0: none
}

// days stand in the order in which they are believed: with slashes the month comes first unless a value says otherwise,
// with dots and dashes the day does.
var days = []day{
	{},
	{"1/2/2006", "%m/%d/%Y", `[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}`, 2},
	{"2/1/2006", "%d/%m/%Y", `[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}`, 1},
	{"2.1.2006", "%d.%m.%Y", `[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}`, 0},
	{"2-1-2006", "%d-%m-%Y", `[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}`, 5},
	{"1-2-2006", "%m-%d-%Y", `[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}`, 4},
	{"2006/1/2", "%Y/%m/%d", `[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}`, 0},
	{"2006.1.2", "%Y.%m.%d", `[0-9]{4}\.[0-9]{1,2}\.[0-9]{1,2}`, 0},
	{"Jan 2, 2006", "%b %d, %Y", `[A-Z][a-z]{2} [0-9]{1,2}, [0-9]{4}`, 0},
	{"January 2, 2006", "%B %d, %Y", `[A-Z][a-z]{2,8} [0-9]{1,2}, [0-9]{4}`, 0},
	{"2 Jan 2006", "%d %b %Y", `[0-9]{1,2} [A-Z][a-z]{2} [0-9]{4}`, 0},
	{"2 January 2006", "%d %B %Y", `[0-9]{1,2} [A-Z][a-z]{2,8} [0-9]{4}`, 0},
	{"2-Jan-2006", "%d-%b-%Y", `[0-9]{1,2}-[A-Z][a-z]{2}-[0-9]{4}`, 0},
	{"2-Jan-06", "%d-%b-%y", `[0-9]{1,2}-[A-Z][a-z]{2}-[0-9]{2}`, 0},
	{"1/2/06", "%m/%d/%y", `[0-9]{1,2}/[0-9]{1,2}/[0-9]{2}`, 15},
	{"2/1/06", "%d/%m/%y", `[0-9]{1,2}/[0-9]{1,2}/[0-9]{2}`, 14},
	{"2.1.06", "%d.%m.%y", `[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{2}`, 0},
}

// hours are the ways to write a time behind a day.
var hours = []struct{ goForm, format, form string }{
	{"", "", ""},
	{" 15:04", " %H:%M", ` [0-9]{1,2}:[0-9]{2}`},
	{" 15:04:05", " %H:%M:%S", ` [0-9]{1,2}:[0-9]{2}:[0-9]{2}`},
	{" 3:04 PM", " %I:%M %p", ` [0-9]{1,2}:[0-9]{2} [AP]M`},
	{" 3:04:05 PM", " %I:%M:%S %p", ` [0-9]{1,2}:[0-9]{2}:[0-9]{2} [AP]M`},
}

const (
	isoDay    = `[0-9]{4}-[0-9]{2}-[0-9]{2}`
	isoClock  = `[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?`
	isoZone   = `( ?Z|[+-][0-9]{2}(:?[0-9]{2})?)`
	isoMidday = `[ T]00:00(:00(\.0{1,9})?)?`
	clockForm = `[0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?`
)

var (
	isoDate     = regexp.MustCompile(`^` + isoDay + `$`)
	isoStamp    = regexp.MustCompile(`^` + isoDay + `(` + isoClock + `)?$`)
	isoZoned    = regexp.MustCompile(`^` + isoDay + isoClock + isoZone + `$`)
	isoMidnight = regexp.MustCompile(`^` + isoDay + `(` + isoMidday + `)?$`)
	clockOnly   = regexp.MustCompile(`^` + clockForm + `$`)
)

// calendar tries dates and timestamps.
func calendar(values []Value, budget int64) (Shape, bool) {
	day := func(s string) bool {
		_, err := time.Parse("2006-01-02", s[:10])
		return err == nil
	}
	iso := func(re *regexp.Regexp) func(string) bool {
		return func(s string) bool { return re.MatchString(s) && day(s) && hourOK(s[10:]) }
	}
	switch {
	case fits(values, budget, iso(isoDate)):
		return Shape{Type: Date, Layout: Layout{ISO: true}}, true
	case fits(values, budget, iso(isoMidnight)):
		return Shape{Type: Date, Layout: Layout{ISO: true, Midnight: true}}, true
	case fits(values, budget, iso(isoStamp)):
		return Shape{Type: Timestamp, Layout: Layout{ISO: true}}, true
	case fits(values, budget, iso(isoZoned)):
		return Shape{Type: Timestamp, Layout: Layout{ISO: true, Offset: true}}, true
	}
	for _, d := range days[1:] {
		re := regexp.MustCompile(`^` + d.form)
		if !fits(values, budget, re.MatchString) {
			continue
		}
		for _, h := range hours {
			form := d.form + h.form
			whole := regexp.MustCompile(`^` + form + `$`)
			parses := func(goForm string) func(string) bool {
				return func(s string) bool {
					if !whole.MatchString(s) {
						return false
					}
					_, err := time.Parse(goForm, s)
					return err == nil
				}
			}
			if !fits(values, budget, parses(d.goForm+h.goForm)) {
				continue
			}
			s := Shape{Type: Timestamp, Layout: Layout{Format: d.format + h.format, Form: form}}
			s.Guessed = d.swap != 0 && fits(values, budget, parses(days[d.swap].goForm+h.goForm))
			if h.goForm == "" || allMidnight(values, d.goForm+h.goForm) {
				s.Type, s.Layout.Midnight = Date, h.goForm != ""
			}
			return s, true
		}
	}
	return Shape{}, false
}

// Settle lets the columns of one table tell each other day from month: a column whose own values do not tell takes the
// order of another that is written with the same mark and does.
func Settle(shapes []*Shape) {
	for _, s := range shapes {
		if !s.Guessed {
			continue
		}
		for _, other := range shapes {
			a, b := s.Layout.Format, other.Layout.Format
			if other.Guessed || len(a) < 5 || len(b) < 5 || a[2] != b[2] || !dayAndMonth(b[:5]) {
				continue
			}
			s.Layout.Format, s.Guessed = b[:5]+a[5:], false
			break
		}
	}
}

// dayAndMonth says whether a format starts with day and month in one order or the other.
func dayAndMonth(format string) bool {
	return format[:2] == "%d" && format[3:] == "%m" || format[:2] == "%m" && format[3:] == "%d"
}

// hourOK refuses 24:61; s is empty or starts with a blank or T.
func hourOK(s string) bool {
	return len(s) < 6 || s[1:3] < "24" && s[4:6] < "60" && (len(s) < 9 || s[6] != ':' || s[7:9] < "60")
}

func allMidnight(values []Value, layout string) bool {
	for _, v := range values {
		if t, err := time.Parse(layout, v.Text); err == nil && !t.Equal(t.Truncate(24*time.Hour)) {
			return false
		}
	}
	return true
}

// clock tries times of day.
func clock(values []Value, budget int64) (Shape, bool) {
	if !fits(values, budget, func(s string) bool { return clockOnly.MatchString(s) && hourOK(" "+pad(s)) }) {
		return Shape{}, false
	}
	return Shape{Type: Time}, true
}

func pad(s string) string {
	if strings.IndexByte(s, ':') == 1 {
		return "0" + s
	}
	return s
}

var pairs = [][2]string{{"true", "false"}, {"yes", "no"}, {"t", "f"}}

// boolean tries pairs of words. Either of true and false is enough; of the other pairs both must occur, because F is also
// a gender and NO a country.
func boolean(values []Value, budget int64) (Shape, bool) {
	if len(values) > 12 || budget > 0 { // a third word is a third member
		return Shape{}, false
	}
	for i, p := range pairs {
		var seen [2]bool
		ok := fits(values, budget, func(s string) bool {
			switch strings.ToLower(s) {
			case p[0]:
				seen[0] = true
			case p[1]:
				seen[1] = true
			default:
				return false
			}
			return true
		})
		if ok && (i == 0 || seen[0] && seen[1]) {
			return Shape{Type: Boolean, Words: p}, true
		}
	}
	return Shape{}, false
}

// Pattern gives the RE2 expression, without anchors, that every value of the column matches after blanks are cut and
// missing tokens taken out; "" for Text and Boolean, which have none.
func (s Shape) Pattern() string {
	switch s.Type {
	case Integer, Decimal, Float:
		return s.numberPattern()
	case Date, Timestamp:
		l := s.Layout
		switch {
		case !l.ISO:
			return l.Form
		case l.Offset:
			return isoDay + isoClock + isoZone
		case l.Midnight:
			return isoDay + `(` + isoMidday + `)?`
		case s.Type == Date:
			return isoDay
		default:
			return isoDay + `(` + isoClock + `)?`
		}
	case Time:
		return clockForm
	}
	return ""
}
