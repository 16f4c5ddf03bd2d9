package timex

import (
	"slices"
	"strconv"
)

// below100 reads a cardinal below a hundred in words: seven, nineteen, twenty-one, forty two.
func (r *reader) below100(i int) (value, end int) {
	id, end := r.named(i, "numbers")
	if end == 0 {
		return 0, 0
	}
	value, _ = strconv.Atoi(id)
	if value < 20 || value%10 != 0 {
		return value, end
	}
	j := end
	if r.is(j, "-") {
		j++
	}
	if id, after := r.named(j, "numbers"); after > 0 {
		if unit, _ := strconv.Atoi(id); unit > 0 && unit < 10 {
			return value + unit, after
		}
	}
	return value, end
}

// cardinal reads a whole number in digits or in words: 12, twelve, a hundred and twenty, two thousand.
func (r *reader) cardinal(i int) (value, end int) {
	if n, length := r.number(i); length > 0 {
		if r.glued(i+1) && !r.is(i+1, "-", ",", ")", "?", "!", "'", "/") && !(r.is(i+1, ".") && !r.glued(i+2)) {
			return 0, 0 // 3rd, 10k, 1.5
		}
		return n, i + 1
	}
	value, end = r.below100(i)
	start := end
	if end == 0 && r.is(i, "a", "one") {
		value, start = 1, i+1
	}
	for _, scale := range []struct {
		name string
		by   int
	}{{"hundred", 100}, {"thousand", 1000}} {
		if start == 0 || !r.is(start, scale.name) {
			continue
		}
		value, end = value*scale.by, start+1
		j := end
		if r.is(j, "and") {
			j++
		}
		if rest, after := r.below100(j); after > 0 {
			value, end = value+rest, after
		}
		start = end
	}
	return value, end
}

// glued says whether token i stands directly behind the one before it.
func (r *reader) glued(i int) bool { return i > 0 && i < len(r.tokens) && r.tokens[i].glued }

// ordinal reads 3rd, third, twenty-first.
func (r *reader) ordinal(i int) (value, end int) {
	if n, length := r.number(i); length > 0 {
		if r.glued(i+1) && r.is(i+1, "st", "nd", "rd", "th") && n > 0 {
			return n, i + 2
		}
		return 0, 0
	}
	if id, end := r.named(i, "ordinals"); end > 0 {
		value, _ = strconv.Atoi(id)
		return value, end
	}
	id, j := r.named(i, "numbers")
	tens, _ := strconv.Atoi(id)
	if j == 0 || tens < 20 || tens%10 != 0 {
		return 0, 0
	}
	if r.is(j, "-") {
		j++
	}
	if id, after := r.named(j, "ordinals"); after > 0 {
		if unit, _ := strconv.Atoi(id); unit < 10 {
			return tens + unit, after
		}
	}
	return 0, 0
}

// The years that a bare number in a sentence may be.
const (
	firstYear = 1700
	lastYear  = 2199
)

// yearAt reads a year: 1997, '97, nineteen ninety-seven, two thousand and seven; with short also 97, where a year must stand.
// How sure it is in a sentence says its looseness.
func (r *reader) yearAt(i int, short bool) (year, end int, l looseness) {
	if r.is(i, "'") && r.glued(i+1) {
		if y, n := r.number(i + 1); n == 2 && r.endsNumber(i+2) {
			return fullYear(y), i + 2, strict
		}
		return 0, 0, strict
	}
	if y, n := r.number(i); n > 0 {
		switch {
		case !r.endsNumber(i+1) || y == 0:
		case n == 4 && y >= firstYear && y <= lastYear:
			return y, i + 1, strict
		case n == 4 && y >= 1000:
			return y, i + 1, alone
		case n == 2 && short:
			return fullYear(y), i + 1, strict
		}
		return 0, 0, strict
	}
	if v, end := r.cardinal(i); end > 0 && v >= 1900 && v <= 2099 {
		return v, end, yearish
	}
	hundreds, j := r.below100(i)
	if j == 0 || hundreds < 10 || hundreds > 21 {
		return 0, 0, strict
	}
	if r.is(j, "hundred") {
		return 100 * hundreds, j + 1, yearish
	}
	if r.is(j, "-") {
		j++
	}
	if r.is(j, "oh", "o") {
		if unit, end := r.below100(j + 1); end > 0 && unit > 0 && unit < 10 {
			return 100*hundreds + unit, end, yearish
		}
	}
	if rest, end := r.below100(j); end > 0 && rest >= 10 {
		return 100*hundreds + rest, end, yearish
	}
	return 0, 0, strict
}

// endsNumber says whether what stands at i does not go on with the number before it: 1997s, 1997.5, 1997,123.
func (r *reader) endsNumber(i int) bool {
	switch {
	case !r.glued(i):
		return true
	case r.tokens[i].kind != mark:
		return r.tokens[i].kind == word && r.is(i, "q", "h", "w")
	case r.is(i, ".", ",", ":"):
		return !r.glued(i+1) || r.tokens[i+1].kind != digits
	case r.is(i, "'"):
		return !r.is(i+1, "s") || !r.glued(i+1) || r.glued(i+2) || i+2 < len(r.tokens) && r.tokens[i+2].kind == word
	}
	return !r.is(i, "%", "$", "€")
}

// fullYear completes a year of two digits: up to 49 lies in this century.
func fullYear(y int) int {
	if y < 50 {
		return 2000 + y
	}
	return 1900 + y
}

// month reads a month's name, with the dot of an abbreviation.
func (r *reader) month(i int) (month, end int) {
	id, end := r.named(i, "months")
	if end == 0 {
		return 0, 0
	}
	month, _ = strconv.Atoi(id)
	if r.is(end, ".") && r.glued(end) && len(r.tokens[i].text) <= 4 {
		end++
	}
	return month, end
}

// dayNumber reads the day of a month: 3, 3rd, third, twenty-first, twenty two. cardinal says that it is no ordinal.
func (r *reader) dayNumber(i int) (day, end int, cardinal bool) {
	if d, end := r.ordinal(i); end > 0 && d <= 31 {
		return d, end, false
	}
	if d, n := r.number(i); n > 0 {
		if n <= 2 && d >= 1 && d <= 31 && r.endsDay(i+1) {
			return d, i + 1, true
		}
		return 0, 0, false
	}
	if d, end := r.below100(i); end > 0 && d >= 1 && d <= 31 {
		return d, end, true
	}
	return 0, 0, false
}

// endsDay says whether what stands behind a number of one or two digits lets it be a day.
func (r *reader) endsDay(i int) bool {
	if !r.glued(i) {
		return true
	}
	if r.tokens[i].kind == word {
		return Month(r.tokens[i].text) > 0 // 12mar
	}
	return r.is(i, "-", "/", ",", ")", "?", "!", ";", "'") || r.is(i, ".") && !(r.glued(i+1) && r.tokens[i+1].kind == digits)
}

// separator skips one mark that joins the parts of a date.
func (r *reader) separator(i int, marks ...string) int {
	if i < len(r.tokens) && slices.Contains(marks, r.tokens[i].text) {
		return i + 1
	}
	return i
}
