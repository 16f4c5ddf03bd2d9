package tool

import (
	"encoding/json"
	"math/big"
	"strconv"
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
	scaled   [maxScale + 1]big.Int
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
		t.scaled[0].Add(&t.scaled[0], big.NewInt(v))
	case json.Number:
		digits, scale, ok := scaledOf(string(v))
		if !ok {
			t.exact(x)
			return
		}
		at, _ = v.Float64()
		t.scaled[scale].Add(&t.scaled[scale], big.NewInt(digits))
	default:
		t.exact(x)
		return
	}
	t.ends(x, at)
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
	if t.n == 0 || at < t.low {
		t.min, t.low = x, at
	}
	if t.n == 0 || at > t.top {
		t.max, t.top = x, at
	}
	t.n++
}

func (t *tally) sum() *big.Rat {
	out := new(big.Rat).Set(&t.rest)
	ten := big.NewInt(1)
	for scale := range t.scaled {
		out.Add(out, new(big.Rat).SetFrac(&t.scaled[scale], ten))
		ten = new(big.Int).Mul(ten, big.NewInt(10))
	}
	return out
}

// scaledOf reads a plain decimal of at most 15 digits as a whole number and its decimal places.
func scaledOf(s string) (digits int64, scale int, ok bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	if len(s) > maxScale+2 || len(whole)+len(fraction) > maxScale+1 || len(fraction) > maxScale || whole == "" || whole == "-" {
		return 0, 0, false
	}
	digits, err := strconv.ParseInt(whole+fraction, 10, 64)
	return digits, len(fraction), err == nil
}
