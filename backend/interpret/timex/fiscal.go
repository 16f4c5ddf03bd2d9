package timex

import (
	"fmt"

	"assay/backend/text"
)

// fiscalAt reads fiscal years and what lies in them: FY25, FY 2025, fiscal year 2025, fiscal 2025, FY25 Q2, Q2 FY25, fiscal Q2 2025,
// the second fiscal quarter of 2025. "This fiscal year" and its like are relative phrases.
func (r *reader) fiscalAt(i int) (out []match) {
	for _, y := range r.fiscalYearAt(i) {
		out = append(out, y)
		for _, j := range r.joints(y.end) {
			out = append(out, r.fiscalPart(j, func(int) []match { return []match{y} })...)
		}
	}
	if r.is(i, "fiscal", "financial") {
		out = append(out, r.fiscalPart(i+1, r.anyYearAt)...)
	}
	out = append(out, r.fiscalPart(i, r.fiscalYearAt)...)
	if k, j := r.ordinalOf(i); j > 0 && r.is(j, "fiscal", "financial") {
		if unit, end := r.named(j, "units"); unit == "fiscal_quarter" {
			year := r.anyYearAt
			if k < 0 { // without its year it is the one before this
				year = r.fiscalYearAt
			}
			out = append(out, r.ofFiscalYear(r.nthUnit("quarter", k), end, year)...)
		}
	}
	for k := range out {
		r.discloseFiscal(&out[k], i)
	}
	return out
}

// fiscalPart reads a quarter or a half and the fiscal year that it is of.
func (r *reader) fiscalPart(i int, year func(int) []match) (out []match) {
	unit, k, end := r.partName(i)
	if end == 0 {
		unit, k, end = r.periodName(i)
	}
	if end == 0 {
		if n, j := r.ordinalOf(i); j > 0 {
			if u, after := r.named(r.separator(j, "-"), "units"); u == "quarter" || u == "half" {
				unit, k, end = u, n, after
			}
		}
	}
	if end == 0 || unit == "week" {
		return nil
	}
	return r.ofFiscalYear(r.nthUnit(unit, k), end, year)
}

// periodName reads P3 and period 3: a period of the fiscal calendar, which is a month where the calendar says no other.
func (r *reader) periodName(i int) (unit string, k, end int) {
	n, length := r.number(i + 1)
	if length == 0 || length > 2 || n < 1 || n > 13 || !r.is(i, "period") && !(r.is(i, "p") && r.glued(i+1)) {
		return "", 0, 0
	}
	if r.fiscal != nil && r.fiscal.StartMonth == 0 {
		return "fiscal_period", n, i + 2
	}
	return "month", n, i + 2
}

func (r *reader) ofFiscalYear(part expr, end int, year func(int) []match) (out []match) {
	for _, j := range append(r.joints(end), end) {
		for _, y := range year(j) {
			if s, ok := part.within(*y.expr.one); ok {
				s.relative = y.expr.one.relative
				out = append(out, match{definite(s), max(y.end, end)})
			}
		}
	}
	return out
}

// anyYearAt reads the year of a quarter that was said to be fiscal: with its word or as a bare number; without one it is
// the fiscal year of today, or the one before.
func (r *reader) anyYearAt(i int) (out []match) {
	out = r.fiscalYearAt(i)
	if y, end, _ := r.yearAt(i, true); end > 0 {
		out = append(out, match{definite(r.fiscalLiteral(fmt.Sprintf("FY%04d", y), "fiscal_year")), end})
	}
	if len(out) == 0 && r.knows("fiscal_year") {
		if s, ok := r.unitOf(r.today, "fiscal_year", 0); ok {
			s.relative = true
			out = append(out, match{definite(s), i})
		}
	}
	return out
}

// fiscalYearAt reads FY1997, FY 97, FY2015/16, fiscal 1997 and fiscal year 1997.
func (r *reader) fiscalYearAt(i int) []match {
	j := i
	switch {
	case r.is(i, "fy"):
		j = r.separator(i+1, "-")
	case r.is(i, "fiscal", "financial"):
		if j++; r.is(j, "year") {
			j++
		}
	default:
		return nil
	}
	y, end, _ := r.yearAt(j, true)
	if end == 0 {
		return nil
	}
	if next, n := r.number(end + 1); n == 2 && r.is(end, "/", "-") && r.glued(end+1) && next == (y+1)%100 {
		y, end = y+1, end+2 // FY2015/16 ends in 2016
	}
	return []match{{definite(r.fiscalLiteral(fmt.Sprintf("FY%04d", y), "fiscal_year")), end}}
}

func (r *reader) discloseFiscal(m *match, i int) {
	s := m.expr.one
	if s == nil || s.from.IsZero() {
		return
	}
	copied := *s
	copied.notes = append(append([]string{}, s.notes...), text.Say("interpret.assume_fiscal", "phrase", r.written(i, m.end), "from", ISO(s.from), "to", ISO(s.to.AddDate(0, 0, -1))))
	m.expr.one = &copied
}
