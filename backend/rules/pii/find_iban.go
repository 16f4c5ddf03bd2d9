package pii

// ibanLength is how long an IBAN of a country is, with its country and check digits (the SWIFT registry).
var ibanLength = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29, "BY": 28, "CH": 21, "CR": 22,
	"CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FK": 18, "FO": 18, "FR": 27, "GB": 22,
	"GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HN": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30,
	"KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20,
	"MR": 27, "MT": 31, "MU": 30, "NI": 28, "NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22,
	"RU": 33, "SA": 24, "SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26,
	"UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}

// findIBANs looks for two letters of a country and two digits, and then as many letters and digits as that country's have,
// together or in groups, whose remainder by 97 is 1 (ISO 13616).
func findIBANs(s string, emit func(start, end int)) {
	for i := 0; i+15 <= len(s); i++ {
		if !isLetter(s[i]) || isWord(at(s, i-1)) || !isLetter(s[i+1]) || !isDigit(s[i+2]) || !isDigit(at(s, i+3)) {
			continue
		}
		n := ibanLength[upper(s[i:i+2])]
		if n == 0 {
			continue
		}
		if end := ibanAt(s, i, n); end > 0 {
			emit(i, end)
			i = end
		}
	}
}

// ibanAt gives where the n letters and digits that begin at i end, when they are an IBAN; else 0. One space or hyphen may
// stand between two of them.
func ibanAt(s string, i, n int) int {
	digits := make([]byte, 0, n)
	for ; len(digits) < n; i++ {
		c := at(s, i)
		switch {
		case c < 0x80 && isWord(c):
			digits = append(digits, upper(string(c))[0])
		case (c == ' ' || c == '-') && isWord(at(s, i+1)) && len(digits) > 0:
		default:
			return 0
		}
	}
	if isWord(at(s, i)) {
		return 0
	}
	rest := 0
	for _, c := range append(digits[4:], digits[:4]...) {
		if isDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	if rest != 1 {
		return 0
	}
	return i
}

func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}
