package pii

import (
	"net/netip"
	"slices"
	"strings"
)

// findIPs looks for addresses of both versions. This computer's own (127.0.0.1, ::1) and the one of nobody (0.0.0.0, ::) stay:
// they name no one.
func findIPs(s string, emit func(start, end int)) {
	for i := 0; i < len(s); i++ {
		if !isHex(s[i]) && s[i] != ':' {
			continue
		}
		if isDigit(s[i]) && !isWord(at(s, i-1)) && (at(s, i-1) != '.' || !isWord(at(s, i-2))) {
			if text := v4(s, i); names(text) && !isWord(at(s, i+len(text))) {
				if !isVersion(s, i) {
					emit(i, i+len(text))
				}
				i += len(text) - 1
				continue
			}
		}
		if c := at(s, i-1); isHex(c) || c == ':' || c == '.' { // in the middle of a run
			continue
		}
		end, colons := i, 0
		for ; isHex(at(s, end)) || at(s, end) == ':' || at(s, end) == '.'; end++ {
			if s[end] == ':' {
				colons++
			}
		}
		if colons >= 2 && end-i <= 200 {
			i = v6(s, i, end, emit)
		}
	}
}

// v6 looks for an address in a run of hexadecimal digits, colons and dots, which may have a word and a colon before it
// ("client:2001:db8::7"), and gives where to go on.
func v6(s string, start, end int, emit func(start, end int)) int {
	for i := start; i < end; i++ {
		if i > start && (s[i-1] != ':' || s[start] != ':' && !isWord(at(s, start-1))) || isWord(at(s, i-1)) {
			continue
		}
		text := strings.TrimRight(s[i:end], ".")
		if strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "::") {
			text = strings.TrimSuffix(text, ":")
		}
		if strings.Count(text, ":") < 2 || isWord(at(s, i+len(text))) || !strings.ContainsAny(text, "0123456789") {
			continue
		}
		if addr, err := netip.ParseAddr(text); err == nil {
			if !addr.IsLoopback() && !addr.IsUnspecified() {
				emit(i, i+len(text))
			}
			return i + len(text) - 1
		}
	}
	return start
}

// names says whether a text is an address that somebody has.
func names(text string) bool {
	addr, err := netip.ParseAddr(text)
	return err == nil && !addr.IsLoopback() && !addr.IsUnspecified()
}

// v4 gives the four numbers with dots that begin at i; empty when there are more or fewer, or one is above 255.
func v4(s string, i int) string {
	end, parts := i, 0
	for parts < 4 {
		n := digitsAt(s, end)
		if n == 0 || n > 3 {
			return ""
		}
		end += n
		if parts++; parts < 4 {
			if at(s, end) != '.' {
				return ""
			}
			end++
		}
	}
	if at(s, end) == '.' && isDigit(at(s, end+1)) {
		return ""
	}
	return s[i:end]
}

// versionWords stand before numbers of programs, chapters and amounts.
var versionWords = []string{"v", "ver", "version", "versions", "release", "build", "rev", "revision", "firmware", "driver", "sdk", "runtime", "update", "patch", "chrome", "safari", "edge", "section", "chapter", "usd", "eur", "gbp", "chf"}

// isVersion says whether the number with dots at i is one of a program: "version 1.2.3.4", "Chrome/120.0.0.0".
func isVersion(s string, i int) bool {
	if at(s, i-1) == '/' && isLetter(at(s, i-2)) {
		return true
	}
	j := i
	for j > 0 && strings.IndexByte(" .:=\"'(", s[j-1]) >= 0 {
		j--
	}
	word, _ := wordBefore(s, j)
	return word != "" && slices.Contains(versionWords, word)
}

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }
