package pii

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawValue draws a value of a kind that is found by itself, in one of the ways in which it is written.
func drawValue(rt *rapid.T) (Kind, string) {
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rapid.IntRange('0', '9').Draw(rt, "digit"))
		}
		return string(b)
	}
	grouped := func(s string, n int, sep string) string {
		var parts []string
		for len(s) > n {
			parts, s = append(parts, s[:n]), s[n:]
		}
		return strings.Join(append(parts, s), sep)
	}
	switch kind := rapid.SampledFrom([]Kind{Email, Card, IBAN, SSN, IP}).Draw(rt, "kind"); kind {
	case Email:
		word := rapid.StringMatching(`[a-z0-9]{1,12}`)
		local := word.Draw(rt, "local") + rapid.SampledFrom([]string{"", ".", "+", "_", "-"}).Draw(rt, "sign") + word.Draw(rt, "more")
		return kind, local + "@" + word.Draw(rt, "domain") + rapid.SampledFrom([]string{".com", ".example", ".co.uk", ".museum", ".INFO"}).Draw(rt, "top")
	case Card:
		n := networks[rapid.IntRange(0, len(networks)-1).Draw(rt, "network")]
		start := fmt.Sprint(rapid.IntRange(n.low, n.high).Draw(rt, "start"))
		number := start + digits(rapid.IntRange(n.shortest, n.longest).Draw(rt, "length")-len(start)-1)
		for check := '0'; check <= '9'; check++ {
			if luhn([]byte(number + string(check))) {
				number += string(check)
				break
			}
		}
		if len(number) == 16 {
			number = rapid.SampledFrom([]string{number, grouped(number, 4, " "), grouped(number, 4, "-")}).Draw(rt, "form")
		}
		return kind, number
	case IBAN:
		var countries []string
		for c := range ibanLength {
			countries = append(countries, c)
		}
		slices.Sort(countries)
		country := rapid.SampledFrom(countries).Draw(rt, "country")
		account := digits(ibanLength[country] - 4)
		rest := 0
		for _, c := range account + fmt.Sprint(int(country[0]-'A')+10) + fmt.Sprint(int(country[1]-'A')+10) + "00" {
			rest = (rest*10 + int(c-'0')) % 97
		}
		number := country + fmt.Sprintf("%02d", 98-rest) + account
		return kind, rapid.SampledFrom([]string{number, grouped(number, 4, " "), grouped(number, 4, "-"), strings.ToLower(number)}).Draw(rt, "form")
	case SSN:
		area := rapid.IntRange(1, 899).Filter(func(n int) bool { return n != 666 }).Draw(rt, "area")
		sep := rapid.SampledFrom([]string{"-", " "}).Draw(rt, "sep")
		return kind, fmt.Sprintf("%03d%s%02d%s%04d", area, sep, rapid.IntRange(1, 99).Draw(rt, "group"), sep, rapid.IntRange(1, 9999).Draw(rt, "serial"))
	default:
		var b [16]byte
		for i := range b {
			b[i] = rapid.Byte().Draw(rt, "byte")
		}
		b[0] |= 1 // neither this computer nor nobody
		four := netip.AddrFrom4([4]byte{b[0], b[1], b[2], b[3]})
		if four.IsLoopback() {
			four = netip.AddrFrom4([4]byte{8, b[1], b[2], b[3]})
		}
		if rapid.Bool().Draw(rt, "short") {
			for i := 4; i < 14; i++ {
				b[i] = 0
			}
		}
		six := netip.AddrFrom16(b)
		return IP, rapid.SampledFrom([]string{four.String(), six.String(), six.StringExpanded(), strings.ToUpper(six.String())}).Draw(rt, "form")
	}
}

// TestDrawnValues: whatever is drawn is found as a whole and as what it is, wherever it stands.
func TestDrawnValues(t *testing.T) {
	around := []string{"%s", "see %s.", "x=%s;y", "(%s)", "\"%s\"", "a, %s, b", "of: %s\nFax", "<%s>", "%s or later", "[%s]", "{\"x\":\"%s\"}", "'%s'", "| %s |", "key:%s"}
	rapid.Check(t, func(rt *rapid.T) {
		kind, value := drawValue(rt)
		text := fmt.Sprintf(rapid.SampledFrom(around).Draw(rt, "around"), value)
		found := Policy{}.Find(text)
		if len(found) != 1 || found[0].Kind != kind || text[found[0].Start:found[0].End] != value {
			rt.Fatalf("%s %s in %q: %s", kind, value, text, marked(Policy{}, text))
		}
	})
}

// TestOneDigitWrong: a card or an account whose check fails is none.
func TestOneDigitWrong(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		kind, value := drawValue(rt)
		if kind != Card && kind != IBAN {
			return
		}
		b := []byte(value)
		i := rapid.IntRange(4, len(b)-1).Filter(func(i int) bool { return isDigit(b[i]) }).Draw(rt, "place")
		b[i] = '0' + (b[i]-'0'+byte(rapid.IntRange(1, 9).Draw(rt, "more")))%10
		for _, x := range (Policy{}).Find(string(b)) {
			if x.Kind == kind && x.End-x.Start == len(b) {
				rt.Fatalf("%s, which was %s, is found as a %s", b, value, kind)
			}
		}
	})
}
