package frameql

import (
	"regexp"
	"strings"
	"time"

	"assay/backend/text"
)

// ParsePeriod reads a period alone: "2025-Q4", "LAST 3 MONTH", "FROM 2025-01-01 TO 2025-02-01".
func ParsePeriod(source string) (Period, error) {
	p, err := newParser(source)
	if err != nil {
		return Period{}, err
	}
	p.clauseOf = "during"
	period, err := p.period()
	if err == nil && p.peek().kind != tokEnd {
		p.hope(text.Say("frameql.the_end"))
		err = p.unexpected()
	}
	return period, err
}

// during reads period [ ON dim ].
func (p *parser) during() (*During, error) {
	period, err := p.period()
	if err != nil {
		return nil, err
	}
	d := &During{Period: period}
	if p.word("ON") {
		on, err := p.dim()
		if err != nil {
			return nil, err
		}
		d.On = &on
	}
	return d, nil
}

// namedPeriods are whole periods of one word.
var namedPeriods = []string{"TODAY", "YESTERDAY", "YTD", "QTD", "MTD", "WTD"}

func (p *parser) period() (Period, error) {
	for _, w := range namedPeriods {
		if p.word(w) {
			return Period{Kind: strings.ToLower(w)}, nil
		}
	}
	switch {
	case p.words("ALL", "TIME"):
		return Period{Kind: "all_time"}, nil
	case p.word("LAST"):
		n, err := p.integer(1)
		if err != nil {
			return Period{}, err
		}
		unit, err := p.unit()
		return Period{Kind: "last", N: n, Unit: unit, Incl: p.words("INCLUDING", "CURRENT")}, err
	case p.word("THIS"):
		unit, err := p.unit()
		return Period{Kind: "this", Unit: unit, ToDay: p.words("TO", "DATE")}, err
	case p.word("PREVIOUS"):
		unit, err := p.unit()
		return Period{Kind: "previous", Unit: unit}, err
	case p.word("FROM"):
		from, err := p.date()
		if err != nil || !p.word("TO") {
			return Period{Kind: "range", From: from}, err
		}
		to, err := p.date()
		return Period{Kind: "range", From: from, To: to}, err
	case p.word("BETWEEN"):
		from, err := p.date()
		if err != nil {
			return Period{}, err
		}
		if err := p.need(p.word("AND")); err != nil {
			return Period{}, err
		}
		to, err := p.date()
		return Period{Kind: "between", From: from, To: to}, err
	}
	return p.periodLiteral()
}

// date reads a day as it stands, or in quotes a day or a moment: 2025-10-31, '2025-10-31', '2025-10-31T02:00'.
func (p *parser) date() (string, error) {
	t := p.peek()
	literal, ok := t.text, t.kind == tokString
	if ok {
		p.advance()
	} else if literal, ok = p.glued(); !ok {
		p.hope(text.Say("frameql.a_date"))
		return "", p.unexpected()
	}
	m, reason := moment(literal)
	if reason != "" {
		return "", p.wrong(t, reason)
	}
	return m, nil
}

// Moments as they may be written, and what looks like one with a time zone.
var (
	momentForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?$`)
	zoneForm   = regexp.MustCompile(`:\d{2}(?:\.\d+)? ?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$`)
)

// moment gives a day or a moment its one spelling, 2025-10-31 or 2025-10-31T02:00 with seconds only where there are some,
// or else the reason why it is none.
func moment(written string) (canonical, reason string) {
	t, clock, ok := momentOf(written)
	switch {
	case zoneForm.MatchString(written):
		return "", text.Say("frameql.date_zone", "date", shorten(written, 40))
	case !ok:
		return "", text.Say("frameql.bad_date", "date", shorten(written, 40))
	case !clock:
		return t.Format(time.DateOnly), ""
	case t.Second() == 0 && t.Nanosecond() == 0:
		return t.Format("2006-01-02T15:04"), ""
	default:
		return t.Format("2006-01-02T15:04:05.999999999"), ""
	}
}

// momentOf reads a bound of a period: midnight of a day, or with clock a moment of it, both as UTC. Years are 1 to 9999.
func momentOf(s string) (t time.Time, clock, ok bool) {
	if !momentForm.MatchString(s) || strings.HasPrefix(s, "0000") {
		return time.Time{}, false, false
	}
	clock = len(s) > len(time.DateOnly)
	layout := time.DateOnly
	if clock {
		s = s[:len(layout)] + "T" + s[len(layout)+1:]
		layout = "2006-01-02T15:04:05"[:min(len(s), len("2006-01-02T15:04:05"))] // a fraction of a second needs no layout
	}
	t, err := time.Parse(layout, s)
	return t, clock, err == nil
}

// periodForms are the literals; the names of their groups are their parts.
var periodForms = regexp.MustCompile(`^(FY)?(\d{4})(?:-Q([1-4])|-(\d{2})(?:-(\d{2}))?)?$`)

// periodLiteral reads year [ "-Q" digit | "-" month | "-" month "-" day ] and "FY" year [ "-Q" digit ].
func (p *parser) periodLiteral() (Period, error) {
	t := p.peek()
	literal, ok := p.glued()
	if !ok {
		p.hope(text.Say("frameql.a_period"))
		return Period{}, p.unexpected()
	}
	literal = strings.ToUpper(literal)
	if !validPeriodLiteral(literal) {
		return Period{}, p.wrong(t, text.Say("frameql.bad_period", "period", shorten(literal, 40)))
	}
	return Period{Kind: "literal", Value: literal}, nil
}

func validPeriodLiteral(literal string) bool {
	m := periodForms.FindStringSubmatch(literal)
	if m == nil || m[2] == "0000" || m[1] != "" && m[4] != "" {
		return false
	}
	if m[4] == "" {
		return true
	}
	day := m[5]
	if day == "" {
		day = "01"
	}
	_, err := time.Parse(time.DateOnly, m[2]+"-"+m[4]+"-"+day)
	return err == nil
}

// glued takes the tokens that stand without a space between them and look like a date: numbers, dashes, FY2025 and Q4.
// "FY 2025" is taken too.
func (p *parser) glued() (string, bool) {
	first := p.peek()
	fiscal := first.kind == tokWord && strings.HasPrefix(first.keyword, "FY")
	if first.kind != tokNumber && !fiscal {
		return "", false
	}
	p.advance()
	literal := first.text
	end := first.end
	if n := p.peek(); fiscal && len(first.text) == 2 && n.kind == tokNumber {
		literal += n.text
		end = p.advance().end
	}
	for {
		dash, part := p.peek(), p.peekAt(1)
		if dash.kind != tokMark || dash.text != "-" || dash.start != end || part.start != dash.end ||
			part.kind != tokNumber && part.kind != tokWord {
			return literal, true
		}
		p.advance()
		literal += "-" + part.text
		end = p.advance().end
	}
}

func (p *parser) comparand() (Comparand, error) {
	switch {
	case p.words("PREVIOUS", "PERIOD"):
		return Comparand{Kind: "previous_period"}, nil
	case p.word("PREVIOUS"):
		unit, err := p.unit()
		return Comparand{Kind: "previous", Unit: unit}, err
	case p.words("SAME", "PERIOD", "LAST"):
		unit, err := p.unit()
		return Comparand{Kind: "same_period_last", Unit: unit}, err
	case p.word("DURING"):
		period, err := p.period()
		return Comparand{Kind: "during", Period: &period}, err
	case p.word("TARGET"):
		n, err := p.name()
		return Comparand{Kind: "target", Metric: n.joined()}, err
	}
	return Comparand{}, p.unexpected()
}
