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
	period, err := p.period()
	if err == nil && p.peek().kind != tokEnd {
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

func (p *parser) date() (string, error) {
	t := p.peek()
	literal, ok := p.glued()
	if !ok {
		p.hope(text.Say("frameql.a_date"))
		return "", p.unexpected()
	}
	if _, err := time.Parse(time.DateOnly, literal); err != nil {
		return "", p.wrong(t, text.Say("frameql.bad_date", "date", literal))
	}
	return literal, nil
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
		return Period{}, p.wrong(t, text.Say("frameql.bad_period", "period", literal))
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
	fiscal := first.kind == tokWord && len(first.text) >= 2 && strings.EqualFold(first.text[:2], "FY")
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
