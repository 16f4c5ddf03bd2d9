package pii

import (
	"slices"
	"strings"
)

// group is a run of digits in what may be a phone number, with what stands before it.
type group struct {
	start, end int
	sep        string // between it and the group before; "(" and ")" are left out
	paren      bool   // in parentheses
}

func (g group) len() int { return g.end - g.start }

// findPhones looks for numbers written as people write those of phones: with a plus and a country's code, as the North
// American 3-3-4, with an area in parentheses, with a leading zero, or after a word that announces one. A run of digits that
// nothing tells from an order number stays.
func findPhones(s string, emit func(start, end int)) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !isDigit(c) && !(c == '+' && isDigit(at(s, i+1))) && !(c == '(' && (isDigit(at(s, i+1)) || at(s, i+1) == '+')) {
			continue
		}
		if isDigit(c) && isDigit(at(s, i-1)) {
			continue
		}
		said := saysPhone(s, i)
		if !said && !freeStanding(s, i) {
			continue
		}
		groups := phoneGroups(s, i)
		if len(groups) == 0 || c == '(' && at(s, i+1) != '+' && !groups[0].paren { // it opens a remark, and not an area
			continue
		}
		if n := phoneIn(s, i, groups, said); n > 0 {
			emit(i, closing(s, groups[n-1]))
			i = closing(s, groups[n-1]) - 1
		}
	}
}

// freeStanding says whether what begins at i is no part of something longer: of a code, an amount, a fraction, a time.
func freeStanding(s string, i int) bool {
	c := at(s, i-1)
	if s[i] == '+' || s[i] == '(' {
		return !isWord(c)
	}
	if c == ':' {
		return !isDigit(at(s, i-2))
	}
	return !isWord(c) && strings.IndexByte("-.,/#$+_*^~\\", c) < 0 && !strings.HasSuffix(s[:i], "€") && !strings.HasSuffix(s[:i], "£")
}

// closing is where a group ends, with the parenthesis behind it.
func closing(s string, g group) int {
	if g.paren && at(s, g.end) == ')' {
		return g.end + 1
	}
	return g.end
}

// phoneGroups reads groups of digits from i on, with at most three signs between two, up to 17 digits.
func phoneGroups(s string, i int) []group {
	var groups []group
	total := 0
	for len(groups) < 8 {
		from, paren := i, false
		sep := i
		for i-sep < 3 && strings.IndexByte(" -./()+", at(s, i)) >= 0 && at(s, i) != 0 {
			if s[i] == '+' && len(groups) > 0 {
				break
			}
			paren = s[i] == '(' || paren && s[i] != ')'
			i++
		}
		n := digitsAt(s, i)
		if n == 0 || total+n > 17 {
			break
		}
		total += n
		groups = append(groups, group{start: i, end: i + n, sep: strings.Map(func(r rune) rune {
			if r == '(' || r == ')' {
				return -1
			}
			return r
		}, s[from:i]), paren: paren && at(s, i+n) == ')'})
		i += n
	}
	return groups
}

// phoneIn gives how many of the groups make a phone number, the most that do; 0 when none do. What follows must be free of
// them: a cut is only made at a space.
func phoneIn(s string, i int, groups []group, said bool) int {
	for n := len(groups); n > 0; n-- {
		part := groups[:n]
		if n < len(groups) && strings.TrimSpace(groups[n].sep) != "" {
			continue
		}
		end := closing(s, part[n-1])
		c := at(s, end)
		if isLetter(c) && c != 'x' && c != 'X' && c != 'e' || c == '%' || (c == ':' || c == '-' || c == '_') && isWord(at(s, end+1)) ||
			(c == '.' || c == ',') && isDigit(at(s, end+1)) {
			continue
		}
		if looksDated(part) || !said && s[i] != '+' && at(s, i+1) != '+' && thousands(s[i:end], part) {
			continue
		}
		if isPhone(s, i, part) || said && announced(part) {
			return n
		}
	}
	return 0
}

func isPhone(s string, i int, g []group) bool {
	digits := ""
	for _, x := range g {
		if len(g) > 1 && x.paren && s[x.start:x.end] == "0" && (s[i] == '+' || strings.HasPrefix(digits, "00")) {
			continue // +49 (0)30 1234567
		}
		digits += s[x.start:x.end]
	}
	switch {
	case s[i] == '+' || at(s, i+1) == '+':
		return international(digits)
	case strings.HasPrefix(digits, "00"):
		return len(g) > 1 && g[0].len() >= 2 && g[0].len() <= 6 && international(digits[2:])
	case g[0].paren:
		return afterArea(g, digits)
	case digits[0] == '0':
		return trunk(g, digits)
	}
	return northAmerican(s, g)
}

// northAmerican is (1) 3-3-4, where neither the area nor the exchange begins with 0 or 1.
func northAmerican(s string, g []group) bool {
	if len(g) == 4 && g[0].len() == 1 && s[g[0].start] == '1' {
		g = g[1:]
	}
	return len(g) == 3 && g[0].len() == 3 && g[1].len() == 3 && g[2].len() == 4 && s[g[0].start] >= '2' && s[g[1].start] >= '2' &&
		(g[1].sep == g[2].sep || g[1].sep == " " || g[1].sep == "/" || g[1].sep == "")
}

// afterArea is an area in parentheses: (030) 12345, (604) 555-4729, (212) 5550123, (5) 555-4729. A year in parentheses is none,
// and without a leading zero or an area of three digits the number behind it stands in groups.
func afterArea(g []group, digits string) bool {
	area, rest := g[0].len(), len(digits)-g[0].len()
	switch {
	case len(g) < 2, rest < 5, len(digits) > 13, area == 4 && (digits[:2] == "19" || digits[:2] == "20"):
		return false
	case digits[0] == '0':
		return true
	case area == 3 && rest == 7:
		return true
	}
	return len(g) > 2 && g[len(g)-1].len() >= 2 && rest >= 6
}

// trunk is a number with a leading zero as it is written in Europe, Asia and Australia.
func trunk(g []group, digits string) bool {
	if len(digits) < 9 || len(digits) > 12 || digits[1] == '0' || g[0].len() < 2 {
		return false
	}
	seps := ""
	for _, x := range g[1:] {
		seps += strings.TrimSpace(x.sep)
	}
	last := g[len(g)-1].len()
	switch {
	case len(g) == 1, g[0].len() > 5:
		return false
	case len(g) == 2: // 030-12345678, 0171/1234567, 01632 960001
		return last >= 5 && last <= 8 && seps != "."
	case len(g) == 5 && g[0].len() == 2 && allOf(g[1:], 2) && (seps == "" || seps == "...."): // 01 23 45 67 89
		return true
	case seps == "--": // 03-1234-5678
		return len(g) == 3 && g[1].len() >= 3 && last == 4 && len(digits) >= 10
	case seps == "", strings.Trim(seps, "/-") == "" && strings.Count(seps, "-") < 2: // 020 7946 0958, 030 / 123 45-67
		return len(g) <= 6 && last >= 2
	}
	return false
}

func allOf(g []group, n int) bool {
	return !slices.ContainsFunc(g, func(x group) bool { return x.len() != n })
}

// announced is what a word such as "phone" before it makes a phone number: 6 to 15 digits of any form.
func announced(g []group) bool {
	total := 0
	for _, x := range g {
		total += x.len()
	}
	return total >= 6 && total <= 15
}

// phoneWords announce a number, and fillers may stand between.
var (
	phoneWords = []string{"phone", "phones", "telephone", "tel", "telefon", "mobile", "cell", "cellphone", "fax", "call", "dial", "handy", "whatsapp", "sms", "ring", "msisdn", "landline", "mobil"}
	fillers    = []string{"number", "numbers", "no", "nr", "num", "is", "at", "on", "under", "me", "us", "him", "her", "them", "back", "to", "or"}
)

// saysPhone says whether the words before i announce a phone number.
func saysPhone(s string, i int) bool {
	for range 4 {
		for i > 0 && strings.IndexByte(" .:=#\"'_\t", s[i-1]) >= 0 {
			i--
		}
		word, start := wordBefore(s, i)
		switch {
		case word == "":
			return false
		case slices.Contains(phoneWords, word):
			return true
		case !slices.Contains(fillers, word):
			return false
		}
		i = start
	}
	return false
}

// looksDated says whether groups are a date, or begin with one: 2024-01-15, 15.01.2024.
func looksDated(g []group) bool {
	if len(g) < 3 || g[1].sep != g[2].sep || strings.TrimSpace(g[1].sep) == "" && g[1].sep != " " {
		return false
	}
	a, b, c := g[0].len(), g[1].len(), g[2].len()
	return a == 4 && b <= 2 && c <= 2 && !g[0].paren || a <= 2 && b <= 2 && c == 4 && len(g) == 3
}

// thousands says whether groups are one number in thousands: 1 234 567, 12.345.678.
func thousands(text string, g []group) bool {
	if len(g) < 2 || g[0].len() > 3 || text[0] == '0' || g[0].paren || !allOf(g[1:], 3) {
		return false
	}
	return !slices.ContainsFunc(g[1:], func(x group) bool { return x.sep != " " && x.sep != "." })
}

// international says whether digits begin with the code of a country and have a length that its numbers have.
func international(digits string) bool {
	n := len(digits)
	if n < 8 || n > 15 || digits[0] == '0' {
		return false
	}
	for _, size := range []int{1, 2, 3} {
		if l, ok := national[digits[:size]]; ok {
			rest := n - size
			return rest >= l[0] && rest <= l[1] && (digits[0] != '1' || digits[1] >= '2' && digits[4] >= '2')
		}
	}
	return slices.Contains(zones, digits[:2]) && n >= 9
}

// national is how many digits follow the codes of the countries whose numbers have few lengths (the plan of ITU-T E.164).
var national = map[string][2]int{
	"1": {10, 10}, "7": {10, 10}, "20": {8, 10}, "27": {9, 9}, "30": {10, 10}, "31": {9, 9}, "32": {8, 9}, "33": {9, 9}, "34": {9, 9},
	"36": {8, 9}, "39": {6, 11}, "40": {9, 9}, "41": {9, 9}, "43": {7, 13}, "44": {9, 10}, "45": {8, 8}, "46": {7, 10}, "47": {8, 8},
	"48": {9, 9}, "49": {6, 13}, "51": {8, 9}, "52": {10, 11}, "54": {10, 11}, "55": {10, 11}, "56": {9, 9}, "57": {8, 10}, "60": {8, 10},
	"61": {9, 9}, "62": {8, 12}, "63": {8, 10}, "64": {8, 10}, "65": {8, 8}, "66": {8, 9}, "81": {9, 10}, "82": {8, 10}, "84": {8, 10},
	"86": {10, 11}, "90": {10, 10}, "91": {10, 10}, "92": {9, 10}, "351": {9, 9}, "352": {5, 11}, "353": {7, 9}, "354": {7, 7}, "358": {6, 11},
	"420": {9, 9}, "421": {9, 9}, "852": {8, 8}, "886": {8, 9}, "971": {8, 9}, "972": {8, 9}, "966": {8, 9},
}

// zones are the first two digits of the codes of three digits.
var zones = []string{"21", "22", "23", "24", "25", "26", "29", "35", "37", "38", "42", "50", "53", "58", "59", "67", "68", "69", "80", "85", "87", "88", "93", "94", "95", "96", "97", "98", "99"}
