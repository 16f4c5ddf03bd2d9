package pii

import "strings"

// findSSNs looks for the American form 000-00-0000, with hyphens or spaces, outside of the ranges that were never given out:
// areas 000, 666 and 900 to 999, group 00, serial 0000. Nine digits together count where the text says what they are.
func findSSNs(s string, emit func(start, end int)) {
	for i := 0; i+9 <= len(s); i++ {
		if !isDigit(s[i]) || isWord(at(s, i-1)) {
			continue
		}
		if digitsAt(s, i) == 9 && !isLetter(at(s, i+9)) && saysSSN(s, i) && givenOut(s[i:i+9]) {
			emit(i, i+9)
			continue
		}
		if i+11 > len(s) || digitsAt(s, i) != 3 || digitsAt(s, i+4) != 2 || digitsAt(s, i+7) != 4 {
			continue
		}
		sep := s[i+3]
		if sep != '-' && sep != ' ' || s[i+6] != sep || isLetter(at(s, i+11)) {
			continue
		}
		// 12-345-67-8901 and 123-45-6789-01 are longer codes
		longer := at(s, i-1) == '-' || at(s, i+11) == '-' && isWord(at(s, i+12)) || sep == ' ' && at(s, i-1) == ' ' && isDigit(at(s, i-2))
		if longer && !saysSSN(s, i) {
			continue
		}
		if givenOut(s[i:i+3] + s[i+4:i+6] + s[i+7:i+11]) {
			emit(i, i+11)
		}
	}
}

func givenOut(nine string) bool {
	area := nine[:3]
	return area != "000" && area != "666" && area[0] != '9' && nine[3:5] != "00" && nine[5:] != "0000"
}

// saysSSN says whether the words before i announce such a number.
func saysSSN(s string, i int) bool {
	before := lower(s[max(0, i-28):i])
	return strings.Contains(before, "ssn") || strings.Contains(before, "social security")
}

// digitsAt counts the digits from i on.
func digitsAt(s string, i int) int {
	n := 0
	for isDigit(at(s, i+n)) {
		n++
	}
	return n
}
