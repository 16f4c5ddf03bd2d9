package interpret

import (
	"strconv"
	"strings"
	"time"

	"assay/backend/text"
)

// absoluteAt reads a calendar date, month, quarter, half, year or decade; without a year it is the most recent one.
func (r *timeReader) absoluteAt(i int) (periodMatch, bool) {
	for _, read := range []func(int) (periodMatch, bool){r.dateAt, r.monthAt, r.quarterAt, r.yearAt} {
		if m, ok := read(i); ok {
			return m, true
		}
	}
	return periodMatch{}, false
}

// yearNumber reads 1997, '97 and, where a year must stand, 97. n is 0 when there is none.
func (r *timeReader) yearNumber(i int, short bool) (year, n int) {
	if i >= len(r.tokens) {
		return 0, 0
	}
	t := r.tokens[i]
	if (t.norm == "'" || t.norm == "’") && i+1 < len(r.tokens) && r.tokens[i+1].start == t.end {
		if y, n := r.yearNumber(i+1, true); n > 0 && y > 0 {
			return y, n + 1
		}
		return 0, 0
	}
	if t.kind != numberToken {
		return 0, 0
	}
	y, err := strconv.Atoi(t.norm)
	switch {
	case err != nil:
		return 0, 0
	case len(t.norm) == 4 && y >= 1700 && y < 2200:
		return y, 1
	case len(t.norm) == 2 && short:
		return century(y), 1
	}
	return 0, 0
}

// century completes a year of two digits: up to 49 lies in this century.
func century(y int) int {
	if y < 50 {
		return 2000 + y
	}
	return 1900 + y
}

func (r *timeReader) yearAt(i int) (periodMatch, bool) {
	start := i
	if r.seq(i, "year") || r.seq(i, "calendar", "year") {
		i++
		if r.is(i, "year") {
			i++
		}
	}
	if y, n := r.yearNumber(i, false); n > 0 {
		return periodMatch{literal("year", day(y, 1, 1)), i - start + n}, true
	}
	// 1990s, 90s
	if i < len(r.tokens) && r.tokens[i].kind == numberToken {
		if ds, ok := strings.CutSuffix(r.tokens[i].norm, "s"); ok {
			if y, err := strconv.Atoi(ds); err == nil && y%10 == 0 && (len(ds) == 4 || len(ds) == 2) {
				if len(ds) == 2 {
					y = century(y)
				}
				return periodMatch{spanning(day(y, 1, 1), day(y+10, 1, 1), "year"), i - start + 1}, true
			}
		}
	}
	return periodMatch{}, false
}

// ofYear reads "1997", "of 1997", ", 1997", "'97", "in 1997" behind a month or a quarter; a relative year ("last year",
// "this year") may stand there too.
func (r *timeReader) ofYear(i int) (year, n int, relative bool) {
	j := i
	if r.is(j, "of", ",", "in", "-", "/") {
		j++
	}
	if r.is(j, "the") {
		j++
	}
	if r.is(j, "year") && j > i {
		j++
	}
	if y, n := r.yearNumber(j, true); n > 0 {
		if v := r.tokens[j].norm; len(v) == 2 && j == i && numeric(v) <= 31 {
			return 0, 0, false // "March 5" is a day
		}
		return y, j - i + n, false
	}
	if r.is(j+1, "year") {
		switch {
		case r.is(j, "last", "previous", "past", "prior"):
			return r.today.Year() - 1, j - i + 2, true
		case r.is(j, "this", "current"):
			return r.today.Year(), j - i + 2, true
		case r.is(j, "next", "coming", "following"):
			return r.today.Year() + 1, j - i + 2, true
		}
	}
	return 0, 0, false
}

// quarterAt reads Q3 1997, 1997-Q3, 1997 Q3, third quarter of 1997, quarter 3, H1 1997 and second half of 1997.
func (r *timeReader) quarterAt(i int) (periodMatch, bool) {
	if i >= len(r.tokens) {
		return periodMatch{}, false
	}
	if y, q, ok := yearQuarter(r.tokens[i].norm); ok {
		return periodMatch{literal("quarter", day(y, 3*q-2, 1)), 1}, true
	}
	if y, n := r.yearNumber(i, false); n > 0 {
		j := i + n
		if r.is(j, "-", "/") {
			j++
		}
		if months, k, qn := r.part(j); qn > 0 {
			return periodMatch{r.partOf(y, months, k), j - i + qn}, true
		}
		return periodMatch{}, false
	}
	months, k, n := r.part(i)
	if n == 0 {
		return periodMatch{}, false
	}
	if y, yn, relative := r.ofYear(i + n); yn > 0 {
		p := r.partOf(y, months, k)
		p.relative = relative
		return periodMatch{p, n + yn}, true
	}
	y := r.today.Year()
	if day(y, months*(k-1)+1, 1).After(r.today) {
		y--
	}
	p := r.partOf(y, months, k)
	return periodMatch{r.assumeYear(p, i, n), n}, true
}

// part reads the k-th part of a year: months is 3 for a quarter, 6 for a half.
func (r *timeReader) part(i int) (months, k, n int) {
	if i >= len(r.tokens) {
		return 0, 0, 0
	}
	w := r.tokens[i].norm
	if len(w) == 2 && w[0] == 'q' && w[1] >= '1' && w[1] <= '4' {
		return 3, int(w[1] - '0'), 1
	}
	if len(w) == 2 && w[0] == 'h' && (w[1] == '1' || w[1] == '2') {
		return 6, int(w[1] - '0'), 1
	}
	if w == "quarter" && i+1 < len(r.tokens) && len(r.tokens[i+1].norm) == 1 {
		if q := numeric(r.tokens[i+1].norm); q >= 1 && q <= 4 {
			return 3, q, 2
		}
	}
	ordinal, ok := strings.CutSuffix(r.english.numbers[w], ".")
	if !ok {
		return 0, 0, 0
	}
	k = numeric(ordinal)
	switch {
	case r.is(i+1, "quarter", "qtr"):
		return 3, k, 2
	case r.is(i+1, "half") && k <= 2:
		return 6, k, 2
	}
	return 0, 0, 0
}

func (r *timeReader) partOf(year, months, k int) period {
	from := day(year, months*(k-1)+1, 1)
	if months == 6 {
		return spanning(from, from.AddDate(0, 6, 0), "quarter")
	}
	return literal("quarter", from)
}

// yearQuarter reads 1997-q3 and 1997q3.
func yearQuarter(w string) (year, quarter int, ok bool) {
	y, q, found := strings.Cut(strings.Replace(w, "-", "", 1), "q")
	if !found || len(y) != 4 || len(q) != 1 || q < "1" || q > "4" {
		return 0, 0, false
	}
	year, err := strconv.Atoi(y)
	return year, numeric(q), err == nil
}

// monthAt reads March 1997, Mar '97, March of last year, 1997-03 and March alone.
func (r *timeReader) monthAt(i int) (periodMatch, bool) {
	if i >= len(r.tokens) {
		return periodMatch{}, false
	}
	if t, err := time.Parse("2006-01", r.tokens[i].norm); err == nil {
		return periodMatch{literal("month", t), 1}, true
	}
	start := i
	if r.seq(i, "month", "of") {
		i += 2
	}
	m, n := r.month(i)
	if n == 0 {
		return periodMatch{}, false
	}
	n += i - start
	if y, yn, relative := r.ofYear(start + n); yn > 0 {
		p := literal("month", day(y, m, 1))
		p.relative = relative
		return periodMatch{p, n + yn}, true
	}
	if !r.surelyMonth(i) {
		return periodMatch{}, false
	}
	y := r.today.Year()
	if day(y, m, 1).After(r.today) {
		y--
	}
	return periodMatch{r.assumeYear(literal("month", day(y, m, 1)), start, n), n}, true
}

// month reads a month's name, with the dot of an abbreviation.
func (r *timeReader) month(i int) (month, n int) {
	if i >= len(r.tokens) || r.tokens[i].kind != wordToken {
		return 0, 0
	}
	m := r.english.months[r.tokens[i].norm]
	if m == 0 {
		return 0, 0
	}
	if len(r.tokens[i].norm) <= 4 && r.is(i+1, ".") {
		return m, 2
	}
	return m, 1
}

// surelyMonth keeps "may" and "march" as verbs unless something says that they are months.
func (r *timeReader) surelyMonth(i int) bool {
	switch r.tokens[i].norm {
	case "may", "march", "mar", "sep", "dec", "jan":
		return i == 0 || r.tokens[i].capital || r.is(i-1, "in", "since", "during", "of", "from", "until", "till", "before", "after", "for", "last", "this", "next", "between", "and", "to", "through", "by", "month", "on", "past", "previous", "late", "early")
	}
	return true
}

// dateAt reads 1997-03-05, 3/5/1997, 5.3.1997, 3 March 1997, March 3rd, 1997 and the same without a year.
func (r *timeReader) dateAt(i int) (periodMatch, bool) {
	if i >= len(r.tokens) {
		return periodMatch{}, false
	}
	if p, ok := numericDate(r.tokens[i].norm); ok {
		return periodMatch{p, 1}, true
	}
	d, m, n := r.dayAndMonth(i)
	if n == 0 {
		return periodMatch{}, false
	}
	y, yn, relative := r.ofYear(i + n)
	if yn == 0 && r.tokens[i].kind == wordToken {
		y, yn = r.yearNumber(i+n, false)
	}
	if yn > 0 {
		t := day(y, m, d)
		if t.Day() != d {
			return periodMatch{}, false
		}
		p := literal("day", t)
		p.relative = relative
		return periodMatch{p, n + yn}, true
	}
	t := day(r.today.Year(), m, d)
	if t.After(r.today) {
		t = day(r.today.Year()-1, m, d)
	}
	if t.Day() != d {
		return periodMatch{}, false
	}
	return periodMatch{r.assumeYear(literal("day", t), i, n), n}, true
}

// dayAndMonth reads "3 March", "3rd of March", "March 3", "March the 3rd".
func (r *timeReader) dayAndMonth(i int) (d, m, n int) {
	if d := r.dayNumber(i); d > 0 {
		j := i + 1
		if r.is(j, "of") {
			j++
		}
		if m, k := r.month(j); k > 0 {
			return d, m, j - i + k
		}
		return 0, 0, 0
	}
	m, k := r.month(i)
	if k == 0 {
		return 0, 0, 0
	}
	j := i + k
	if r.is(j, "the") {
		j++
	}
	if d := r.dayNumber(j); d > 0 {
		return d, m, j - i + 1
	}
	return 0, 0, 0
}

// dayNumber reads 3, 3rd and 21st; 0 when token i is no day of a month.
func (r *timeReader) dayNumber(i int) int {
	if i >= len(r.tokens) || r.tokens[i].kind != numberToken {
		return 0
	}
	w := r.tokens[i].norm
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		w = strings.TrimSuffix(w, suffix)
	}
	if d := numeric(w); d >= 1 && d <= 31 && len(w) <= 2 {
		return d
	}
	return 0
}

// numericDate reads dates without a month's name. 3/5/1997 is month, day, year unless that is impossible; with dots the
// day comes first.
func numericDate(w string) (period, bool) {
	if t, err := time.Parse("2006-1-2", w); err == nil {
		return literal("day", t), true
	}
	sep := "/"
	if strings.Count(w, ".") == 2 {
		sep = "."
	}
	parts := strings.Split(w, sep)
	if len(parts) != 3 || (len(parts[2]) != 4 && len(parts[2]) != 2) {
		return period{}, false
	}
	a, b, y := numeric(parts[0]), numeric(parts[1]), numeric(parts[2])
	if a < 1 || b < 1 || y < 0 {
		return period{}, false
	}
	if len(parts[2]) == 2 {
		y = century(y)
	}
	m, d := a, b
	if sep == "." || a > 12 {
		m, d = b, a
	}
	t := day(y, m, d)
	if m > 12 || t.Day() != d {
		return period{}, false
	}
	p := literal("day", t)
	if sep == "/" && a <= 12 && b <= 12 && a != b {
		p.notes = append(p.notes, text.Say("interpret.assume_date_order", "phrase", w, "day", t.Format("2 January 2006")))
	}
	return p, true
}

// assumeYear discloses the year that a phrase did not say.
func (r *timeReader) assumeYear(p period, i, n int) period {
	p.relative = true
	p.notes = append(p.notes, text.Say("interpret.assume_year", "phrase", r.written(i, n), "year", p.from.Year()))
	return p
}

// written gives tokens[i:i+n] as they stand in the question.
func (r *timeReader) written(i, n int) string {
	parts := make([]string, n)
	for k := range parts {
		parts[k] = r.tokens[i+k].text
	}
	return strings.Join(parts, " ")
}

// numeric gives a plain decimal number, or -1.
func numeric(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}
