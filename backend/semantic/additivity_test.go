package semantic

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestAdditivityWords(t *testing.T) {
	for word, want := range map[string]string{
		"additive": "additive", "none": "none", "semi(last)": "semi(last)", " semi( first , per: [ a,b ] )": "semi(first, per: [a, b])",
		"semi(avg)": "semi(avg)", "semi()": "", "semi(last": "", "semi(final)": "", "semi(last, [a])": "", "semi(last, per: [])": "",
		"semi(last, per: a)": "", "semi(last, per: [a,])": "", "": "", "Additive": "",
	} {
		if got, ok := canonicalAdditivity(word); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q %v", word, got, ok)
		}
	}
}

func TestSemiWordsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Semi{Pick: rapid.SampledFrom(semiPicks()).Draw(t, "pick"), Per: rapid.SliceOfN(rapid.StringMatching(`[a-z_]{1,8}`), 0, 3).Draw(t, "per")}
		got, ok := parseSemi(s.String())
		if !ok || got.Pick != s.Pick || len(got.Per) != len(s.Per) || len(s.Per) > 0 && !reflect.DeepEqual(got.Per, s.Per) {
			t.Fatalf("%+v came back as %+v", s, got)
		}
	})
}

func TestSpans(t *testing.T) {
	for text, want := range map[string]Span{
		"7 day": {7, "day"}, "1  Month": {1, "month"}, "3 weeks": {3, "week"}, "2 fiscal_periods": {2, "fiscal_period"}, "4 terms": {4, "terms"},
		"": {}, "day": {}, "0 day": {}, "-1 day": {}, "7": {}, "7 a b": {}, "1.5 day": {}, "100001 day": {},
	} {
		if got, ok := parseSpan(text); ok != (want.N > 0) || ok && got != want {
			t.Errorf("%q: %+v %v", text, got, ok)
		}
	}
}
