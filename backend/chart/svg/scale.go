package svg

import (
	"math"
	"strconv"
	"strings"
)

// scale leads from values to pixels.
type scale struct {
	lo, hi   float64 // of values
	from, to float64 // of pixels
	log      bool
	ticks    []float64
}

// at gives the pixel of a value.
func (s scale) at(v float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		if v <= 0 {
			return s.from
		}
		lo, hi, v = math.Log10(lo), math.Log10(hi), math.Log10(v)
	}
	return s.from + (v-lo)/(hi-lo)*(s.to-s.from)
}

// over gives the same scale over other pixels.
func (s scale) over(from, to float64) scale {
	s.from, s.to = from, to
	return s
}

// linear is a scale with round ends around values, with about n ticks. zero: it begins or ends at zero, or has it within.
func linear(lo, hi float64, zero bool, n int) scale {
	if lo > hi {
		lo, hi = 0, 1
	}
	if zero {
		lo, hi = math.Min(lo, 0), math.Max(hi, 0)
	}
	if hi-lo <= math.Max(math.Abs(lo), math.Abs(hi))*1e-9 {
		around := math.Max(math.Abs(hi)*0.1, 1e-6)
		if lo == 0 && hi == 0 {
			around = 1
		}
		if lo, hi = lo-around, hi+around; lo < 0 && hi-around >= 0 {
			lo = 0
		}
	}
	step := stepOf(hi-lo, n)
	first, last := math.Floor(lo/step+1e-9), math.Ceil(hi/step-1e-9)
	s := scale{lo: first * step, hi: last * step}
	for k := first; k <= last && len(s.ticks) < 50; k++ {
		s.ticks = append(s.ticks, k*step)
	}
	return s
}

// stepOf is 1, 2 or 5 times a power of ten, so that a span has about n steps.
func stepOf(span float64, n int) float64 {
	raw := span / float64(max(n, 1))
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	switch r := raw / power; {
	case r > 7.07: // between two of them the nearer one, by proportion
		return 10 * power
	case r > 3.16:
		return 5 * power
	case r > 1.41:
		return 2 * power
	}
	return power
}

// logarithmic is a scale of powers of ten around values above zero. Over few powers it has ticks between them.
func logarithmic(lo, hi float64) scale {
	first, last := math.Floor(math.Log10(lo)+1e-9), math.Ceil(math.Log10(hi)-1e-9)
	if last <= first {
		last = first + 1
	}
	s := scale{lo: math.Pow(10, first), hi: math.Pow(10, last), log: true}
	every := math.Max(1, math.Ceil((last-first)/8))
	for k := first; k <= last; k += every {
		power := math.Pow(10, k)
		s.ticks = append(s.ticks, power)
		if last-first <= 2 && k < last {
			s.ticks = append(s.ticks, 2*power, 5*power)
		}
	}
	return s
}

// brief writes the number of a tick: k, M, B and T for thousands and more, hundredths with their sign.
func brief(v float64, percent bool) string {
	if percent {
		return plain(v*100) + "%"
	}
	size := math.Abs(v)
	for _, unit := range []struct {
		from float64
		sign string
	}{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}} {
		if size >= unit.from*0.9999999 && size < 1e15 {
			return plain(v/unit.from) + unit.sign
		}
	}
	return plain(v)
}

// rough is brief with three digits, for where there is little room.
func rough(v float64, percent bool) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		return brief(v, percent)
	}
	return brief(rounded, percent)
}

// plain writes a number with as many places as its first six digits need.
func plain(v float64) string {
	if size := math.Abs(v); size >= 1e15 || size < 1e-6 && size > 0 {
		return strconv.FormatFloat(v, 'e', -1, 32)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64) // it was just written
	s := strconv.FormatFloat(rounded, 'f', -1, 64)
	if s == "-0" {
		s = "0"
	}
	return strings.Replace(s, "-", "−", 1)
}
