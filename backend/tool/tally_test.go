package tool

import (
	"encoding/json"
	"math/big"
	"math/rand"
	"testing"

	"assay/backend/frameview"
)

// TestTally adds numbers of all forms and compares with rational arithmetic.
func TestTally(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	forms := []func() any{
		func() any { return r.Int63() - r.Int63() },
		func() any { return json.Number(big.NewRat(r.Int63n(1e12)-5e11, 1000).FloatString(r.Intn(8))) },
		func() any { return big.NewRat(r.Int63(), 7).FloatString(20) },
		func() any { return json.Number("-0.000000000000001") },
		func() any { return json.Number("1.5e3") },
		func() any { return r.NormFloat64() },
		func() any { return nil },
	}
	for range 500 {
		var one tally
		want, n := new(big.Rat), 0
		var low, high *big.Rat
		for range r.Intn(40) {
			x := forms[r.Intn(len(forms))]()
			one.add(x)
			v, ok := frameview.Number(x)
			if !ok {
				continue
			}
			want.Add(want, v)
			n++
			if low == nil || v.Cmp(low) < 0 {
				low = v
			}
			if high == nil || v.Cmp(high) > 0 {
				high = v
			}
		}
		if one.sum().Cmp(want) != 0 || one.n != n || one.odd {
			t.Fatalf("%v of %d, not %v of %d", one.sum(), one.n, want, n)
		}
		if n == 0 {
			continue
		}
		a, _ := frameview.Number(one.min)
		b, _ := frameview.Number(one.max)
		lowF, _ := low.Float64()
		highF, _ := high.Float64()
		if x, _ := a.Float64(); x != lowF {
			t.Fatalf("the least is %v, not %v", one.min, low)
		}
		if x, _ := b.Float64(); x != highF {
			t.Fatalf("the most is %v, not %v", one.max, high)
		}
	}
	var odd tally
	odd.add("NaN")
	odd.add(int64(3))
	if !odd.odd || odd.n != 1 {
		t.Errorf("%+v", odd)
	}
}

func BenchmarkLargeFrame(b *testing.B) {
	f := large(5000, 8)
	for b.Loop() {
		new(Desk).bodyOf(f, "x")
	}
}
