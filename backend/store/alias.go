package store

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// alias makes a safe snake_case name: CompanyName is company_name, "Order Details" is order_details, "Größe (cm)" is
// grosse_cm. fallback stands in when nothing is left, and before a digit.
func alias(name, fallback string) string {
	var b strings.Builder
	runes := []rune(norm.NFD.String(strings.NewReplacer("ß", "ss", "æ", "ae", "Æ", "Ae", "ø", "o", "Ø", "O", "ł", "l", "Ł", "L").Replace(name)))
	gap := false
	for i, r := range runes {
		switch {
		case unicode.Is(unicode.Mn, r):
			continue
		case r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			upper := unicode.IsUpper(r)
			if upper && i > 0 {
				before := runes[i-1]
				next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
				// A new word starts at an upper case letter behind a lower case one, and at the last of several upper
				// case ones when a lower case one follows: SalesOrderID, HTMLBody.
				if unicode.IsLower(before) || unicode.IsDigit(before) && next || unicode.IsUpper(before) && next {
					gap = true
				}
			}
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(unicode.ToLower(r))
		default:
			gap = true
		}
	}
	s := b.String()
	switch {
	case s == "":
		return fallback
	case s[0] >= '0' && s[0] <= '9':
		return fallback + "_" + s
	default:
		return s
	}
}

// aliases gives every name an alias of its own.
func aliases(names []string, fallback string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = alias(n, fallback+"_"+strconv.Itoa(i+1))
	}
	return distinct(out)
}

// distinct tells equal names apart by a number, without regard to case: the first keeps its name.
func distinct(names []string) []string {
	used := map[string]bool{}
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = free(n, used)
		used[lower(out[i])] = true
	}
	return out
}

// free gives name, or name_2, name_3 … when it is used. The keys of used are lower case.
func free(name string, used map[string]bool) string {
	unique := name
	for i := 2; used[lower(unique)]; i++ {
		unique = name + "_" + strconv.Itoa(i)
	}
	return unique
}

// lower is the form in which names are compared: the engine does not tell a from A.
func lower(s string) string { return strings.ToLower(s) }
