package interpret

import (
	"math/big"
	"strings"
)

// number reads a number in digits or in words at token i: 10, 1,000.5, 10k, $1.2m, ten, twenty five, a hundred, 2
// million, 50 %. It gives the plain decimal text and the tokens that it took; 0 tokens when there is none. A percent sign
// divides by 100 and is told apart by percentAt.
func (l *lexicon) number(tokens []token, i int) (value string, n int) {
	total := new(big.Rat)
	j, seen := i, false
	if j < len(tokens) && strings.ContainsAny(tokens[j].norm, "$€£¥") && tokens[j].kind == markToken {
		j++
	}
	if j < len(tokens) && tokens[j].kind == numberToken {
		v, ok := digits(tokens[j].norm)
		if !ok {
			return "", 0
		}
		total, seen = v, true
		j++
	} else {
		for j < len(tokens) && tokens[j].kind == wordToken {
			id := l.numbers[tokens[j].norm]
			if id == "" || strings.HasPrefix(id, "*") || strings.HasSuffix(id, ".") {
				break
			}
			v, _ := new(big.Rat).SetString(id)
			total.Add(total, v)
			seen = true
			j++
			if j < len(tokens) && tokens[j].norm == "-" && j+1 < len(tokens) && l.numbers[tokens[j+1].norm] != "" {
				j++
			}
		}
	}
	for j < len(tokens) {
		factor, ok := strings.CutPrefix(l.numbers[tokens[j].norm], "*")
		if !ok || tokens[j].kind != wordToken {
			break
		}
		if !seen { // "a hundred", "thousand"
			total.SetInt64(1)
		}
		f, _ := new(big.Rat).SetString(factor)
		total.Mul(total, f)
		seen = true
		j++
	}
	if !seen {
		return "", 0
	}
	return decimal(total), j - i
}

// digits reads a token that starts with a digit: thousands separators and the endings k, m, mn, b, bn.
func digits(w string) (*big.Rat, bool) {
	factor := int64(1)
	for _, e := range []struct {
		ending string
		factor int64
	}{{"k", 1e3}, {"mn", 1e6}, {"mio", 1e6}, {"m", 1e6}, {"bn", 1e9}, {"b", 1e9}} {
		if rest, ok := strings.CutSuffix(w, e.ending); ok {
			w, factor = rest, e.factor
			break
		}
	}
	w = strings.ReplaceAll(w, ",", "")
	for _, r := range w {
		if (r < '0' || r > '9') && r != '.' {
			return nil, false
		}
	}
	if len(w) > 40 || strings.Count(w, ".") > 1 {
		return nil, false
	}
	v, ok := new(big.Rat).SetString(w)
	if !ok {
		return nil, false
	}
	return v.Mul(v, new(big.Rat).SetInt64(factor)), true
}

// decimal writes a number in plain digits without trailing zeros.
func decimal(v *big.Rat) string {
	if v.IsInt() {
		return v.Num().String()
	}
	return strings.TrimRight(v.FloatString(12), "0")
}
