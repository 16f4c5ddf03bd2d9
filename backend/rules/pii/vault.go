package pii

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"sync"

	"assay/backend/fault"
	"assay/backend/text"
)

// Vault knows which token stands for which value in one session. It lives in memory only, is safe for use by several
// goroutines, and never writes a value anywhere.
//
// A token is <KIND_digits>: the first hexadecimal digits of an HMAC-SHA-256 of the value under the session's secret, at least
// six and as many more as no other value of the session shares. The same value has the same token for the whole session,
// and says nothing about itself to who has no secret.
type Vault struct {
	secret []byte

	mu      sync.Mutex
	tokens  map[string]entry    // "email_3f9a1c" -> the value
	digits  map[string]bool     // in use, whatever the kind
	values  map[string]string   // value with its type -> token
	phrases map[string][]phrase // their most telling word in lower case -> values to look for in texts
	learned map[string]bool
}

// entry is what a token stands for: a text, and the cell that it was when it was none.
type entry struct {
	text string
	cell any
}

// phrase is a value that is looked for in texts.
type phrase struct {
	value string
	word  int // where its most telling word begins
	kind  Kind
	exact bool // with its capitals only
}

// shortestSecret is in bytes, as long as the tokens' HMAC needs it to be hard to guess.
const shortestSecret = 16

// tokenDigits is how many digits a token has when nothing collides.
const tokenDigits = 6

// NewVault makes an empty vault. The secret is of this session alone, random, and at least 16 bytes; fault.Invalid: it is
// shorter.
func NewVault(secret []byte) (*Vault, error) {
	if len(secret) < shortestSecret {
		return nil, fault.New(fault.Invalid, "open vault", text.Say("rules.short_secret", "n", shortestSecret), text.Say("rules.short_secret_hint"))
	}
	return &Vault{
		secret: append([]byte{}, secret...), tokens: map[string]entry{}, digits: map[string]bool{}, values: map[string]string{},
		phrases: map[string][]phrase{}, learned: map[string]bool{},
	}, nil
}

// tokenShape is a token as a model may write it back: in other capitals, escaped for JSON, HTML or Markdown, with spaces
// inside the brackets; or without brackets, exactly as it was given.
var tokenShape = regexp.MustCompile(`(?:<|&lt;|\\u003[cC]|\\<)\s*((?i:` + kindNames() + `)\\?_[0-9A-Fa-f]{6,64})\s*(?:\\?>|&gt;|\\u003[eE])|\b((?:` +
	strings.ToUpper(kindNames()) + `)_[0-9a-f]{6,64})\b`)

func kindNames() string { return strings.Join(append(Kinds(), string(Literal)), "|") }

// Token gives the token of a value of a kind. A value that has one keeps it, whatever kind is asked for.
func (v *Vault) Token(kind Kind, value string) string { return v.token(kind, "", value, nil) }

func (v *Vault) token(kind Kind, typed, value string, cell any) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	key := typed + "\x00" + value
	if t, ok := v.values[key]; ok {
		return t
	}
	mac := hmac.New(sha256.New, v.secret)
	mac.Write([]byte(key))
	sum := hex.EncodeToString(mac.Sum(nil))
	n := tokenDigits
	for n < len(sum) && v.digits[sum[:n]] {
		n += 2
	}
	digits := sum[:n]
	v.digits[digits] = true
	token := "<" + strings.ToUpper(string(kind)) + "_" + digits + ">"
	v.values[key] = token
	v.tokens[strings.ToLower(token[1:len(token)-1])] = entry{value, cell}
	v.learn(kind, value)
	return token
}

// Len is how many values the vault knows.
func (v *Vault) Len() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.tokens)
}

// lookUp gives what stands behind the inner part of a token.
func (v *Vault) lookUp(inner string) (entry, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	e, ok := v.tokens[strings.ToLower(strings.ReplaceAll(inner, `\`, ""))]
	return e, ok
}

// Restore puts the values back into a text. A token that this vault did not give out stays as it is.
func (v *Vault) Restore(s string) string {
	return v.restore(s, func(_ int, value string) string { return value })
}

// RestoreSQL puts the values back into a statement: inside of a string in single quotes with its quotes doubled, anywhere
// else as such a string, so that a value never becomes a part of the statement. What comes out goes through the gate like
// any other text.
func (v *Vault) RestoreSQL(s string) string {
	inside := quotedBytes(s)
	return v.restore(s, func(i int, value string) string {
		value = strings.ReplaceAll(value, "'", "''")
		if inside(i) {
			return value
		}
		return "'" + value + "'"
	})
}

// quotedBytes says of every byte of a statement whether it stands in a string in single quotes.
func quotedBytes(s string) func(i int) bool {
	var edges []int // every quote: before an odd number of them is inside
	for i := range len(s) {
		if s[i] == '\'' {
			edges = append(edges, i)
		}
	}
	return func(i int) bool {
		n := 0
		for n < len(edges) && edges[n] < i {
			n++
		}
		return n%2 == 1
	}
}

func (v *Vault) restore(s string, write func(i int, value string) string) string {
	if !strings.Contains(s, "_") {
		return s
	}
	var b strings.Builder
	last := 0
	for _, m := range tokenShape.FindAllStringSubmatchIndex(s, -1) {
		inner := group2(s, m)
		e, ok := v.lookUp(inner)
		if !ok {
			continue
		}
		b.WriteString(s[last:m[0]])
		b.WriteString(write(m[0], e.text))
		last = m[1]
	}
	if last == 0 {
		return s
	}
	b.WriteString(s[last:])
	return b.String()
}

// group2 gives the group that matched.
func group2(s string, m []int) string {
	if m[2] >= 0 {
		return s[m[2]:m[3]]
	}
	return s[m[4]:m[5]]
}

// RestoreAny puts the values back into a value of JSON: strings, and those within lists and objects, keys among them. A
// string that is nothing but a token becomes the cell that it was, a number for instance.
func (v *Vault) RestoreAny(x any) any {
	switch x := x.(type) {
	case string:
		if m := tokenShape.FindStringSubmatchIndex(x); m != nil && m[0] == 0 && m[1] == len(x) {
			if e, ok := v.lookUp(group2(x, m)); ok && e.cell != nil {
				return e.cell
			}
		}
		return v.Restore(x)
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = v.RestoreAny(x[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, y := range x {
			out[v.Restore(k)] = v.RestoreAny(y)
		}
		return out
	}
	return x
}

// RestoreRows puts the cells of a frame back.
func (v *Vault) RestoreRows(rows [][]any) [][]any {
	out := make([][]any, len(rows))
	for i, row := range rows {
		out[i] = make([]any, len(row))
		for k, cell := range row {
			out[i][k] = v.RestoreAny(cell)
		}
	}
	return out
}
