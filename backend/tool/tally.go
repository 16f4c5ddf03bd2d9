package tool

import (
	"encoding/json"
	"math/big"
	"strings"

	"assay/backend/frameview"
)

// tally adds up the cells of a column exactly and finds their ends. Decimals of a few digits, which nearly all are, are added as whole numbers by their
// scale; that is what makes it fast.
type tally struct {
	n        int
	odd      bool // a cell is neither a number nor missing: there is no sum
	min, max any
	low, top float64
	small    [maxScale + 1]int64   // sums by scale
	scaled   [maxScale + 1]big.Int // what these came to when they were full
	rest     big.Rat
}

const maxScale = 15

func (t *tally) add(x any) {
	var at float64
	switch v := x.(type) {
	case nil:
		return
	case int64:
		at = float64(v)
		t.put(v, 0)
	case json.Number:
		digits, scale, ok := scaledOf(string(v))
		if !ok {
			t.exact(x)
			return
		}
		at = float64(digits) / tenTo[scale] // both are exact, so that this is the nearest float
		t.put(digits, scale)
	default:
		t.exact(x)
		return
	}
	t.ends(x, at)
}

// tenTo are the powers of ten, all of them whole floats.
var tenTo = [maxScale + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

func (t *tally) put(digits int64, scale int) {
	sum := t.small[scale] + digits
	if (sum^t.small[scale])&(sum^digits) < 0 { // it would not fit
		t.scaled[scale].Add(&t.scaled[scale], big.NewInt(t.small[scale]))
		sum = digits
	}
	t.small[scale] = sum
}

// exact adds a cell that is written in another way.
func (t *tally) exact(x any) {
	r, ok := frameview.Number(x)
	if !ok {
		t.odd = true
		return
	}
	at, _ := r.Float64()
	t.rest.Add(&t.rest, r)
	t.ends(x, at)
}

func (t *tally) ends(x any, at float64) {
	if t.n == 0 || at < t.low || at == t.low && below(x, t.min) {
		t.min, t.low = x, at
	}
	if t.n == 0 || at > t.top || at == t.top && below(t.max, x) {
		t.max, t.top = x, at
	}
	t.n++
}

// below compares two cells that are the same double.
func below(a, b any) bool {
	if _, whole := a.(int64); whole {
		return false // it is held by a double
	}
	x, known := frameview.Number(a)
	y, also := frameview.Number(b)
	return known && also && x.Cmp(y) < 0
}

func (t *tally) sum() *big.Rat {
	out := new(big.Rat).Set(&t.rest)
	ten := big.NewInt(1)
	for scale := range t.scaled {
		whole := new(big.Int).Add(&t.scaled[scale], big.NewInt(t.small[scale]))
		out.Add(out, new(big.Rat).SetFrac(whole, ten))
		ten = new(big.Int).Mul(ten, big.NewInt(10))
	}
	return out
}

// scaledOf reads a plain decimal of at most 15 digits as a whole number and its decimal places.
func scaledOf(s string) (digits int64, scale int, ok bool) {
	negative := strings.HasPrefix(s, "-")
	if negative {
		s = s[1:]
	}
	point, n := -1, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits, n = 10*digits+int64(c-'0'), n+1
		case c == '.' && point < 0:
			point = i
		default:
			return 0, 0, false
		}
		if n > maxScale {
			return 0, 0, false
		}
	}
	if point >= 0 {
		scale = len(s) - point - 1
	}
	if negative {
		digits = -digits
	}
	return digits, scale, n > 0
}
