package compile

import (
	"testing"
	"time"
)

// What one list of buckets does not reach says nothing of how the two lie in each other.
func TestNestedLists(t *testing.T) {
	buckets := func(from, days, n int) *Scalar {
		cut := &Scalar{Op: "trunc"}
		for i := range n {
			start := time.Date(2024, 1, 1+from+i*days, 0, 0, 0, 0, time.UTC)
			cut.Buckets = append(cut.Buckets, Bucket{From: start, To: start.AddDate(0, 0, days)})
		}
		return cut
	}
	weeks := buckets(0, 7, 20)
	for name, c := range map[string]struct {
		coarse *Scalar
		want   bool
	}{
		"of whole weeks":               {buckets(0, 28, 5), true},
		"that begin and end elsewhere": {buckets(-280, 28, 50), true},
		"that cut weeks":               {buckets(3, 28, 4), false},
	} {
		if got := nested(weeks, c.coarse); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if nested(weeks, &Scalar{Op: "trunc", Text: "month"}) {
		t.Error("listed weeks are no parts of months")
	}
}
