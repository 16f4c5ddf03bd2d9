package frameql

import (
	"regexp"
	"strings"
	"time"

	"assay/backend/semantic"
)

var (
	decimalForm   = regexp.MustCompile(`^-?\d{1,38}(\.\d{1,38})?$`)
	timestampForm = regexp.MustCompile(`^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?$`)
	timeForm      = regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$`)
)

func isDecimal(s string) bool { return decimalForm.MatchString(s) }

// literalFor writes a value in the type of the other side; nil after a refusal.
func (r *resolver) literalFor(v Value, left operand, p *Pred) *scalar {
	t := left.value.Type
	if v.Kind == Null {
		r.refuseNullComparison(p, left)
		return nil
	}
	if left.grain != "" && left.grain != "hour" {
		if s := r.periodStart(v, left.grain); s != nil {
			return s
		}
		r.refuseValue(p, left, v, t)
		return nil
	}
	switch {
	case t == "":
		return plainLiteral(v)
	case t == semantic.Text && v.Kind == String:
		return &scalar{Op: "str", Text: v.Text, Type: t}
	case t.Numeric() && v.Kind == Number:
		return numberLiteral(v.Text)
	case t == semantic.Boolean && v.Kind == Bool:
		return &scalar{Op: "bool", Text: v.Text, Type: t}
	case t == semantic.Time && timeForm.MatchString(v.Text):
		return &scalar{Op: "time", Text: v.Text, Type: t}
	case t.Temporal() && v.Kind == String:
		if s := temporalLiteral(v.Text, t); s != nil {
			return s
		}
	}
	r.refuseValue(p, left, v, t)
	return nil
}

func plainLiteral(v Value) *scalar {
	switch v.Kind {
	case Number:
		return numberLiteral(v.Text)
	case Bool:
		return &scalar{Op: "bool", Text: v.Text, Type: semantic.Boolean}
	default:
		return &scalar{Op: "str", Text: v.Text}
	}
}

// temporalLiteral reads an ISO date, or a timestamp for a column of timestamps.
func temporalLiteral(s string, t semantic.Type) *scalar {
	if _, err := time.Parse(time.DateOnly, s); err == nil {
		return &scalar{Op: "date", Text: s, Type: semantic.Date}
	}
	if t != semantic.Timestamp || !timestampForm.MatchString(s) {
		return nil
	}
	s = strings.Replace(s, "T", " ", 1)
	if strings.Count(s, ":") == 1 {
		s += ":00"
	}
	if _, err := time.Parse("2006-01-02 15:04:05.999999", s); err != nil {
		return nil
	}
	return &scalar{Op: "timestamp", Text: s, Type: t}
}

// periodStart reads the value that a time cut by a grain is compared with: 1997, '1997-Q2', '1997-05', 'FY1998', the
// label of a bucket, or the first day of the unit.
func (r *resolver) periodStart(v Value, grain string) *scalar {
	for _, b := range r.calendar.fiscal.Buckets[grain] {
		if strings.EqualFold(b.Label, v.Text) {
			return dateLiteral(b.From)
		}
	}
	use, _ := r.calendar.literal(v.Text) // what is no period has no grain
	if use.Grain != grain && !(use.Grain == "day" && r.calendar.start(use.From, grain).Equal(use.From)) {
		return nil
	}
	return dateLiteral(use.From)
}
