package frameql

import "strings"

// longestAligned bounds the texts that Locate compares word by word, in tokens.
const longestAligned = 1500

// Locate finds the place in what a person wrote that a span of the canonical text of the same query stands for; both are bytes.
// Canonical text may have another order, other quotes and other spellings: what has no counterpart gives the whole text.
func Locate(source, canonical string, span [2]int) [2]int {
	whole := [2]int{0, len(source)}
	written, err := scan(source)
	if err != nil || span[0] >= span[1] {
		return whole
	}
	printed, err := scan(canonical)
	if err != nil {
		return whole
	}
	written, printed = written[:len(written)-1], printed[:len(printed)-1]
	first, last := -1, -1
	for i, t := range printed {
		if t.end > span[0] && t.start < span[1] {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return whole
	}
	wanted := printed[first : last+1]
	before := occurrences(printed[:first+len(wanted)-1], wanted)
	if at := nth(written, wanted, len(before)); at >= 0 {
		return [2]int{written[at].start, written[at+len(wanted)-1].end}
	}
	return aligned(written, printed, first, last, whole)
}

// sameToken says whether two tokens say the same: a bare name is the one in quotes.
func sameToken(a, b token) bool {
	named := func(t token) bool { return t.kind == tokWord || t.kind == tokQuoted }
	if named(a) && named(b) {
		return strings.EqualFold(a.text, b.text)
	}
	return a.kind == b.kind && a.text == b.text
}

// occurrences gives where a run of tokens stands.
func occurrences(tokens, wanted []token) (all []int) {
	for i := 0; i+len(wanted) <= len(tokens); i++ {
		same := true
		for k := range wanted {
			if !sameToken(tokens[i+k], wanted[k]) {
				same = false
				break
			}
		}
		if same {
			all = append(all, i)
		}
	}
	return all
}

// nth gives the occurrence with a number, or the last one where there are fewer; -1: there is none.
func nth(tokens, wanted []token, n int) int {
	all := occurrences(tokens, wanted)
	if len(all) == 0 {
		return -1
	}
	return all[min(n, len(all)-1)]
}

// aligned gives the place of the tokens that both texts have in the same order, as far as they lie in the span.
func aligned(written, printed []token, first, last int, whole [2]int) [2]int {
	n, m := len(written), len(printed)
	if n > longestAligned || m > longestAligned {
		return whole
	}
	longest := make([][]int32, n+1) // common subsequence of the rests
	for i := range longest {
		longest[i] = make([]int32, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for k := m - 1; k >= 0; k-- {
			if sameToken(written[i], printed[k]) {
				longest[i][k] = longest[i+1][k+1] + 1
			} else {
				longest[i][k] = max(longest[i+1][k], longest[i][k+1])
			}
		}
	}
	out := [2]int{-1, -1}
	for i, k := 0, 0; i < n && k < m; {
		switch {
		case sameToken(written[i], printed[k]):
			if k >= first && k <= last {
				if out[0] < 0 {
					out[0] = written[i].start
				}
				out[1] = written[i].end
			}
			i, k = i+1, k+1
		case longest[i+1][k] >= longest[i][k+1]:
			i++
		default:
			k++
		}
	}
	if out[0] < 0 {
		return whole
	}
	return out
}
