package pii

// findCards looks for 13 to 19 digits, together or in groups, that pass the Luhn check and begin like a card of some
// network. Groups of four pass whatever they begin with.
func findCards(s string, emit func(start, end int)) {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) || isDigit(at(s, i-1)) {
			continue
		}
		if c := at(s, i-1); (c == '.' || c == ',') && isDigit(at(s, i-2)) { // the decimals of a number
			continue
		}
		if end := cardAt(s, i); end > 0 {
			emit(i, end)
			i = end
		}
	}
}

// cardAt gives where a card number that begins at i ends; 0 when none does. Of several the longest is meant.
func cardAt(s string, i int) int {
	var digits []byte
	var groups []int // lengths
	var sep byte
	group, found := 0, 0
	for j := i; ; j++ {
		c := at(s, j)
		if isDigit(c) && len(digits) < 20 {
			digits = append(digits, c)
			group++
			continue
		}
		if group == 0 {
			return found
		}
		groups = append(groups, group)
		fraction := (c == '.' || c == ',') && isDigit(at(s, j+1))
		if !isDigit(c) && !fraction && isCard(digits, groups) {
			found = j
		}
		if c != ' ' && c != '-' || sep != 0 && c != sep || !isDigit(at(s, j+1)) || len(digits) >= 19 {
			return found
		}
		sep, group = c, 0
	}
}

func isCard(digits []byte, groups []int) bool {
	n := len(digits)
	if n < 13 || n > 19 || !luhn(digits) {
		return false
	}
	if len(groups) > 1 {
		for k, g := range groups {
			if k == 0 && g != 4 || g > 6 || g < 3 && k < len(groups)-1 {
				return false
			}
		}
		if n == 16 && groups[1] == 4 && digits[0] != '0' {
			return true
		}
	}
	return network(digits)
}

// luhn is the check of ISO/IEC 7812: from the right every second digit doubled, digit sums added, a multiple of ten.
func luhn(digits []byte) bool {
	sum := 0
	for k := range digits {
		d := int(digits[len(digits)-1-k] - '0')
		if k%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// networks are the first digits and the lengths of the cards that are in use.
var networks = []struct{ low, high, digits, shortest, longest int }{
	{4, 4, 1, 16, 16},           // Visa
	{4, 4, 1, 19, 19},           // Visa
	{51, 55, 2, 16, 16},         // Mastercard
	{2221, 2720, 4, 16, 16},     // Mastercard
	{34, 34, 2, 15, 15},         // American Express
	{37, 37, 2, 15, 15},         // American Express
	{300, 305, 3, 14, 16},       // Diners Club
	{36, 36, 2, 14, 16},         // Diners Club
	{38, 39, 2, 14, 16},         // Diners Club
	{6011, 6011, 4, 16, 19},     // Discover
	{644, 659, 3, 16, 19},       // Discover
	{3528, 3589, 4, 16, 19},     // JCB
	{62, 62, 2, 16, 19},         // UnionPay
	{2200, 2204, 4, 16, 19},     // Mir
	{5018, 5018, 4, 13, 19},     // Maestro
	{5020, 5020, 4, 13, 19},     // Maestro
	{5038, 5038, 4, 13, 19},     // Maestro
	{5893, 5893, 4, 13, 19},     // Maestro
	{6304, 6304, 4, 13, 19},     // Maestro
	{6759, 6763, 4, 13, 19},     // Maestro
	{508500, 508999, 6, 16, 16}, // RuPay
	{606985, 607984, 6, 16, 16}, // RuPay
	{9792, 9792, 4, 16, 16},     // Troy
}

// network says whether digits begin like a card of their length. Of 13 digits that begin with 4, an old Visa and an article
// number look alike: what passes the check of article numbers is one.
func network(digits []byte) bool {
	if len(digits) == 13 && digits[0] == '4' {
		return !articleNumber(digits)
	}
	for _, n := range networks {
		first := 0
		for _, d := range digits[:n.digits] {
			first = first*10 + int(d-'0')
		}
		if first >= n.low && first <= n.high && len(digits) >= n.shortest && len(digits) <= n.longest {
			return true
		}
	}
	return false
}

// articleNumber is the check of a GTIN (EAN-13): weights 1 and 3 in turn from the left, a multiple of ten.
func articleNumber(digits []byte) bool {
	sum := 0
	for k, d := range digits {
		sum += int(d-'0') * (1 + 2*(k%2))
	}
	return sum%10 == 0
}
