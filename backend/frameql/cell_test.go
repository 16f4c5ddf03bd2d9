package frameql

import (
	"encoding/json"
	"math"
	"testing"
)

func TestWholeCellsKeepTheirDigitsInJSON(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", -1: "-1", 1<<53 - 1: "9007199254740991", 1 - 1<<53: "-9007199254740991",
		1 << 53: `"9007199254740992"`, 1<<53 + 1: `"9007199254740993"`, -(1<<53 + 1): `"-9007199254740993"`,
		math.MaxInt64: `"9223372036854775807"`, math.MinInt64: `"-9223372036854775808"`,
	} {
		if raw, err := json.Marshal(WholeCell(n)); err != nil || string(raw) != want {
			t.Errorf("%d: %s, %v, want %s", n, raw, err, want)
		}
	}
}

func TestStoredCellsKeepTheirDigits(t *testing.T) {
	for raw, want := range map[string]string{
		`{"rows":[[1,"9007199254740993",9007199254740991]]}`:                   `{"rows":[[1,"9007199254740993",9007199254740991]]}`,
		`{"rows":[[9007199254740993,-9223372036854775808],[1]]}`:               `{"rows":[["9007199254740993","-9223372036854775808"],[1]]}`,
		`[[170141183460469231731687303715884105727 , 1]]`:                      `[["170141183460469231731687303715884105727" , 1]]`,
		`{"rows":[["a \"9007199254740993, \\",9007199254740993]]}`:             `{"rows":[["a \"9007199254740993, \\","9007199254740993"]]}`,
		`{"summary":9007199254740993,"plan":{"bytes":9e18}}`:                   `{"summary":"9007199254740993","plan":{"bytes":9e18}}`,
		`{"plan":{"bytes":9223372036854775807},"seeds":[1234567890123456789]}`: `{"plan":{"bytes":9223372036854775807},"seeds":[1234567890123456789]}`,
		`{"rows":[[1234567890123456.5,1e300]]}`:                                `{"rows":[[1234567890123456.5,1e300]]}`,
		`{"body":{"value" : 9007199254740993 ,"rows":9007199254740993}}`:       `{"body":{"value" : "9007199254740993" ,"rows":9007199254740993}}`,
		`"9007199254740993`: `"9007199254740993`,
		``:                  ``,
	} {
		if got := string(KeepDigits([]byte(raw))); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", raw, got, want)
		}
	}
}

func FuzzKeepDigits(f *testing.F) {
	f.Add(`{"rows":[["\\",9007199254740993,-1.5e3]],"value":12345678901234567890}`)
	f.Fuzz(func(t *testing.T, raw string) {
		kept := KeepDigits([]byte(raw))
		if json.Valid([]byte(raw)) != json.Valid(kept) && json.Valid([]byte(raw)) {
			t.Errorf("%q became %q, which is no JSON", raw, kept)
		}
		if again := KeepDigits(kept); string(again) != string(kept) && json.Valid(kept) {
			t.Errorf("%q became %q", kept, again)
		}
	})
}
