package spelling

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		d    int
	}{{"revenue", "revenue", 0}, {"reveneu", "revenue", 1}, {"revnue", "revenue", 1}, {"rvenu", "revenue", 2}, {"kitten", "sitting", 3}, {"", "ab", 2}, {"ça", "ca", 1}} {
		if got := Distance(c.a, c.b, 3); got != c.d {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, got, c.d)
		}
	}
	if got := Distance("abcdefgh", "zyxwvuts", 2); got != 3 {
		t.Errorf("beyond the bound: %d", got)
	}
}
