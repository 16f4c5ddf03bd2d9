package sniff

import "testing"

// TestAmounts: the ways in which exports write amounts below zero and large ones, with what they are.
func TestAmounts(t *testing.T) {
	cases := []struct {
		values []string
		want   []string
	}{
		{[]string{"(-5.00)", "3.00", "(2.00)"}, []string{"-5.00", "3.00", "-2.00"}},
		{[]string{"$(12.34)", "$400.00"}, []string{"-12.34", "400.00"}},
		{[]string{"($12.34)", "$400.00", "-$1.00"}, []string{"-12.34", "400.00", "-1.00"}},
		{[]string{"(1.234,50 €)", "12,00 €"}, []string{"-1234.50", "12.00"}},
		{[]string{"5.00-", "2000.00", "1,200.00-"}, []string{"-5.00", "2000.00", "-1200.00"}},
		{[]string{"1,23,456.00", "12,345.00", "99.50"}, []string{"123456.00", "12345.00", "99.50"}},
		{[]string{"(−7)", "+8", "9"}, []string{"-7", "8", "9"}},
	}
	for _, c := range cases {
		s := Infer(values(c.values...), Options{})
		if s.Type != Decimal && s.Type != Integer {
			t.Errorf("%q is %s", c.values, s.Type)
			continue
		}
		for i, v := range c.values {
			if got := s.Number.Clean(v); got != c.want[i] {
				t.Errorf("%q is %s, want %s", v, got, c.want[i])
			}
		}
	}
	for _, phones := range [][]string{{"555-1234", "555-9876"}, {"030 1234-", "x"}, {"2024-"}} {
		if s := Infer(values(phones...), Options{}); s.Type == Integer && phones[0] != "2024-" {
			t.Errorf("%q is %s", phones, s.Type)
		}
	}
}
