package interpret

import (
	"fmt"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/text"
)

// fiscalAt reads FY1997, FY97, fiscal 1997, fiscal year 1997, fiscal Q2 1997, FY1997 Q2, Q2 FY97. "This fiscal year" is
// read with the relative phrases.
func (r *timeReader) fiscalAt(i int) (periodMatch, bool) {
	quarter, n := 0, 0
	if months, k, qn := r.part(i); qn > 0 && months == 3 {
		j := i + qn
		if r.is(j, "of") {
			j++
		}
		if y, yn := r.fiscalYear(j); yn > 0 {
			return r.fiscalPeriod(y, k, j-i+yn, i), true
		}
	}
	year, n := r.fiscalYear(i)
	if n == 0 && r.is(i, "fiscal", "financial") {
		if months, k, qn := r.part(i + 1); qn > 0 && months == 3 {
			if y, yn, _ := r.ofYear(i + 1 + qn); yn > 0 {
				return r.fiscalPeriod(y, k, 1+qn+yn, i), true
			}
			if y, yn := r.fiscalYear(i + 1 + qn); yn > 0 {
				return r.fiscalPeriod(y, k, 1+qn+yn, i), true
			}
		}
		return periodMatch{}, false
	}
	if n == 0 {
		return periodMatch{}, false
	}
	j := i + n
	if r.is(j, "-") {
		j++
	}
	if months, k, qn := r.part(j); qn > 0 && months == 3 {
		quarter, n = k, j-i+qn
	}
	return r.fiscalPeriod(year, quarter, n, i), true
}

// fiscalYear reads FY1997, FY 97, fiscal 1997 and fiscal year 1997.
func (r *timeReader) fiscalYear(i int) (year, n int) {
	if i >= len(r.tokens) {
		return 0, 0
	}
	if ds, ok := strings.CutPrefix(r.tokens[i].norm, "fy"); ok && ds != "" {
		switch y := numeric(ds); {
		case y < 0:
		case len(ds) == 4:
			return y, 1
		case len(ds) == 2:
			return century(y), 1
		}
	}
	j := i
	switch {
	case r.is(i, "fy"):
		j++
	case r.is(i, "fiscal", "financial"):
		j++
		if r.is(j, "year") {
			j++
		}
	default:
		return 0, 0
	}
	if y, n := r.yearNumber(j, true); n > 0 {
		return y, j - i + n
	}
	return 0, 0
}

// fiscalPeriod builds the literal. Without a calendar the resolver refuses it and says how to define one.
func (r *timeReader) fiscalPeriod(year, quarter, n, i int) periodMatch {
	p := period{asked: frameql.Period{Kind: "literal", Value: fmt.Sprintf("FY%d", year)}, grain: "fiscal_year"}
	if quarter > 0 {
		p.asked.Value += fmt.Sprintf("-Q%d", quarter)
		p.grain = "fiscal_quarter"
	}
	if r.fiscal == nil {
		return periodMatch{p, n}
	}
	first := year
	if r.fiscal.LabelYear != "start" && r.fiscal.StartMonth > 1 {
		first--
	}
	p.from = day(first, r.fiscal.StartMonth, 1)
	p.to = p.from.AddDate(1, 0, 0)
	if quarter > 0 {
		p.from = p.from.AddDate(0, 3*(quarter-1), 0)
		p.to = p.from.AddDate(0, 3, 0)
	}
	p.notes = append(p.notes, text.Say("interpret.assume_fiscal", "phrase", r.written(i, n), "from", iso(p.from), "to", iso(p.to.Add(-24*time.Hour))))
	return periodMatch{p, n}
}
