package pii

import (
	"regexp"
	"slices"
	"strings"

	"assay/backend/semantic"
)

// shapes are secrets that are known by their form: the password of a URL, of a MySQL data source, keys of providers, tokens of
// the web, private keys. The first group is what must go.
var shapes = []*regexp.Regexp{
	regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@?#"']*:([^\s/"'<>]+)@`),
	regexp.MustCompile(`(?:^|[\s"'=])[^\s:/@"']+:([^\s"']+)@(?:tcp|unix)\(`),
	regexp.MustCompile(`(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/-]{8,}=*)`),
	regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{12,}|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|xox[abprs]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,}|glpat-[A-Za-z0-9_-]{16,})`),
	regexp.MustCompile(`\b(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)`),
	regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----(.*?)(?:-----END|$)`),
}

// hints are what one of the shapes must hold, so that most texts are not searched at all.
var hints = []string{"://", "@tcp(", "@unix(", "earer", "EARER", "asic", "ASIC", "sk-", "gh", "xox", "AKIA", "AIza", "glpat-", "eyJ", "PRIVATE KEY"}

// assigned finds a key and a value: password=..., "api_key": "...", Authorization: Bearer ....
var assigned = regexp.MustCompile(`(?i)([a-z0-9_.-]*(?:passw|pwd|token|secret|authorization|api[_-]?key|apikey|access[_-]?key|private[_-]?key|credential|cookie|passphrase)[a-z0-9_-]*)\\?["']?\s*[:=]\s*(?:(?:bearer|basic|token)\s+)?(\\?"[^"\n]*"|'[^'\n]*'|[^\s,;&)}\]"']+)`)

// keyHints are the same for what is assigned.
var keyHints = []string{"passw", "pwd", "token", "secret", "authorization", "apikey", "_key", "-key", "credential", "cookie", "passphrase", "api"}

// secrets gives the places of passwords, tokens and keys in a text.
func secrets(s string) [][2]int {
	var all [][2]int
	if slices.ContainsFunc(hints, func(h string) bool { return strings.Contains(s, h) }) {
		for _, shape := range shapes {
			for _, m := range shape.FindAllStringSubmatchIndex(s, -1) {
				all = append(all, [2]int{m[2], m[3]})
			}
		}
	}
	if !strings.ContainsAny(s, ":=") {
		return all
	}
	low := lower(s)
	if !slices.ContainsFunc(keyHints, func(h string) bool { return strings.Contains(low, h) }) {
		return all
	}
	for _, m := range assigned.FindAllStringSubmatchIndex(s, -1) {
		if !SecretKey(s[m[2]:m[3]]) {
			continue
		}
		start, end := m[4], m[5]
		for start < end && strings.IndexByte(`\"'`, s[start]) >= 0 {
			start++
		}
		for end > start && strings.IndexByte(`\"'`, s[end-1]) >= 0 {
			end--
		}
		all = append(all, [2]int{start, end})
	}
	return all
}

// SecretKey says whether a key's value is a secret by its name: token, session_token, Authorization, X-Api-Key, DB_PASSWORD. What
// counts tokens (prompt_tokens, token_count, max_tokens) is not.
func SecretKey(key string) bool {
	words := semantic.Words(key)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	has := func(w string) bool { return slices.Contains(words, w) }
	switch {
	case slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"password", "passwd", "passphrase", "secret", "secrets", "authorization", "apikey", "credential", "credentials", "cookie", "pwd", "passwords"}, w)
	}):
		return last != "count" && last != "length"
	case has("token"):
		return slices.Contains([]string{"token", "id", "value", "key", "header", "secret"}, last)
	case last == "key" || last == "keys":
		return has("api") || has("access") || has("private") || has("secret") || has("signing") || has("encryption") || has("auth")
	}
	return last == "bearer" || last == "tokens" && len(words) == 1
}
