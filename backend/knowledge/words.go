package knowledge

import (
	"slices"
	"strings"
	"unicode"
)

// What words of a correction do to what they say, where nothing but words can be compared.
var (
	denying = strings.Fields("not no never without exclude excludes excluding except ignore ignores ignoring non less minus un neither nor dont doesnt isnt arent")
	empty   = strings.Fields("a an the of for to in on by with from is are be that which all any always please our their and or should must only include includes including count counts counting was were has have it its as")
)

// RelateWords says how two corrections of one term stand to each other by their words alone: the same words say the same, unless one denies them; other words are a rival. Words
// that come in another order are the same only where nothing depends on it, and numbers have to be equal.
func RelateWords(a, b Correction) Relation {
	one, deniedOne := saidBy(a.Means)
	other, deniedOther := saidBy(b.Means)
	switch {
	case len(one) == 0 || !slices.Equal(one, other):
		return Rival
	case deniedOne != deniedOther || strings.Contains(" "+Key(a.Means)+" ", " only ") != strings.Contains(" "+Key(b.Means)+" ", " only "):
		return Opposite
	case ordered(a.Means) != ordered(b.Means):
		return Rival
	}
	return Same
}

// LikenessOfWords is how much two corrections of one term say the same by their words alone, 0 to 1: the share of their words that both have (Jaccard, 1901). It is 0 where one denies what the other says, where numbers differ, and
// where they differ and something depends on the order of the words.
func LikenessOfWords(a, b Correction) float64 {
	switch RelateWords(a, b) {
	case Same:
		return 1
	case Opposite:
		return 0
	}
	one, deniedOne := saidBy(a.Means)
	other, deniedOther := saidBy(b.Means)
	if deniedOne != deniedOther || ordered(a.Means) != "" || ordered(b.Means) != "" || !slices.Equal(numbersIn(one), numbersIn(other)) {
		return 0
	}
	both := 0
	for _, w := range one {
		if slices.Contains(other, w) {
			both++
		}
	}
	return float64(both) / float64(max(1, len(one)+len(other)-both))
}

func numbersIn(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.IndexFunc(w, unicode.IsNumber) < 0 })
}

// saidBy gives the words that say something, without their endings, sorted, each once, and whether an odd number of words denies them.
func saidBy(means string) (words []string, denied bool) {
	for _, w := range strings.Fields(strings.NewReplacer("'", "", "’", "").Replace(strings.ToLower(means))) {
		for _, part := range strings.FieldsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
			switch {
			case slices.Contains(denying, part):
				denied = !denied
			case !slices.Contains(empty, part):
				words = append(words, strings.TrimSuffix(part, "s"))
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words), denied
}

// ordered is a text in which the order of the words may matter: a difference, a quotient, a comparison. Empty: it does not.
func ordered(means string) string {
	padded := " " + strings.ToLower(means) + " "
	for _, sign := range []string{" - ", " / ", "<", ">", " minus ", " less ", " divided by ", " over ", " than ", " before ", " after ", " to "} {
		if strings.Contains(padded, sign) {
			return Key(means)
		}
	}
	return ""
}
